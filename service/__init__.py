"""How is it run? Store, API, imports, command line, app factory.

May import everything; states no rule.
"""
