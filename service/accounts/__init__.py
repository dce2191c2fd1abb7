"""Who may do what: accounts, sessions, tokens, permissions, limits, pseudonyms. On one's own machine none of it is needed: without
``--public`` whoever reaches the server is its owner."""
