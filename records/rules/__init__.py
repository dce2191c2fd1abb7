"""The rules of the games as data, and what settles a round."""
