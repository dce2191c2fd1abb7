"""What ``hanafu bench`` measures, a module a subject; `table` holds what all of them share."""
