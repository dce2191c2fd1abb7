-- Accounts, what they may reach, pseudonyms, and records that were withdrawn. Of what is told by steps the last one holds; only sessions,
-- tokens and memberships are taken away again.

CREATE TABLE accounts (
    name VARCHAR NOT NULL,                      -- small letters
    step UINTEGER NOT NULL,
    role VARCHAR NOT NULL,                      -- reader, player, arbiter, admin
    password VARCHAR NOT NULL,                  -- argon2id, with its salt
    disabled BOOLEAN NOT NULL,
    changed_at TIMESTAMP NOT NULL               -- UTC
);

CREATE TABLE sessions (
    hash BLOB NOT NULL,                         -- SHA-256 of what the cookie holds
    account VARCHAR NOT NULL,
    expires_at TIMESTAMP NOT NULL
);

CREATE TABLE tokens (
    id VARCHAR NOT NULL,
    account VARCHAR NOT NULL,
    label VARCHAR NOT NULL,
    hash BLOB NOT NULL,                         -- SHA-256 of the token, which was shown once
    scopes VARCHAR NOT NULL,                    -- divided by blanks
    created_at TIMESTAMP NOT NULL,
    expires_at TIMESTAMP NOT NULL
);

CREATE TABLE memberships (
    account VARCHAR NOT NULL,
    event VARCHAR NOT NULL                      -- small letters
);

-- A record is named by its id: who sends it says so before it is stored.
CREATE TABLE holders (
    record BLOB NOT NULL,
    place UINTEGER NOT NULL,                    -- 1 sent it first, and decides
    account VARCHAR NOT NULL
);

CREATE TABLE visibility (
    record BLOB NOT NULL,
    step UINTEGER NOT NULL,
    visibility VARCHAR NOT NULL,                -- private, event, public
    account VARCHAR,                            -- who said so; NULL: the owner of the store
    changed_at TIMESTAMP NOT NULL
);

CREATE TABLE import_holders (
    import VARCHAR NOT NULL,
    account VARCHAR NOT NULL
);

CREATE TABLE pseudonyms (
    name VARCHAR NOT NULL,                      -- small letters
    step UINTEGER NOT NULL,
    pseudonym VARCHAR NOT NULL                  -- empty: the name is shown again
);

CREATE TABLE withdrawals (
    record BLOB NOT NULL,
    withdrawn_at TIMESTAMP NOT NULL
);

-- Players under the names by which they leave the store.
CREATE VIEW shown_players AS
SELECT p.record, p.seat, p.side, coalesce(n.pseudonym, p.name) AS name, p.total
FROM players p
LEFT JOIN (SELECT name, nullif(arg_max(pseudonym, step), '') AS pseudonym FROM pseudonyms GROUP BY name) n ON n.name = lower(p.name);
