"""What does a person see? Pages, templates, cards, scripts.

May import: `analysis`, `records`, Flask and Flask-Babel. No SQL; no rule and no score worked out anew.
"""
