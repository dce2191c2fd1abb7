-- Disputes, answers and rulings, and the log of every change to a case. Rows are added, never changed.
--
-- A record is named by its id here, not by its number: what was said of a record outlives the record.

CREATE TABLE acts (
    record BLOB NOT NULL,                       -- SHA-256 of the normalised form
    entry UINTEGER NOT NULL,                    -- place in the record's log, from 1
    kind VARCHAR NOT NULL,                      -- opened, answered, ruled
    dispute UINTEGER NOT NULL,                  -- number of the dispute in its record, from 1
    acted_at TIMESTAMP NOT NULL,                -- UTC
    account VARCHAR,                            -- who acted, where an account says so; NULL: as typed, unverified
    target BLOB,                                -- the record that a ruling puts in the place of this one
    body VARCHAR NOT NULL USING COMPRESSION zstd -- JSON: name, role, and what was said
);

-- Hashes only, never a name: an entry's hash is the SHA-256 of the canonical JSON of [hash of the entry before, content]; before the
-- first entry of a record stands its id.
CREATE TABLE log (
    record BLOB NOT NULL,
    entry UINTEGER NOT NULL,
    previous BLOB NOT NULL,
    hash BLOB NOT NULL,
    content VARCHAR NOT NULL                    -- canonical JSON
);

-- What another engine judged otherwise; both reports are in `reports`.
CREATE TABLE changes (
    record BIGINT NOT NULL,
    changed_at TIMESTAMP NOT NULL,
    revision UINTEGER NOT NULL,                 -- of the newer report
    engine_before VARCHAR NOT NULL,
    engine VARCHAR NOT NULL,
    verdict_before VARCHAR NOT NULL,
    verdict VARCHAR NOT NULL
);
