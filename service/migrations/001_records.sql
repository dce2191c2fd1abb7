-- Records as sent and as normalised, their reports, and the tables that charts and lists ask.
--
-- Only `records` has a key. A child row names its record by `record`, the record's number: numbers rise in the order of
-- arrival, so lists page by them and the blocks of every child table lie in the same order. Nothing is ever updated.
-- Seats, sides, rounds and actions count from 1; cards are numbers 0..49 (records/cards.py), sets of cards bit masks of them.

CREATE TABLE records (
    number BIGINT NOT NULL,
    id BLOB PRIMARY KEY,                        -- SHA-256 of the normalised form
    variant VARCHAR NOT NULL,
    options VARCHAR NOT NULL,                   -- JSON object: those that differ from the variant's defaults
    seats UTINYINT NOT NULL,
    sides VARCHAR,                              -- '1+3 2+4'; NULL: each seat for itself
    rounds USMALLINT NOT NULL,
    event VARCHAR,
    site VARCHAR,
    date VARCHAR,                               -- as written in the event
    verdict VARCHAR NOT NULL,
    winner UTINYINT,                            -- a side, 0 a tie, NULL not known
    findings UINTEGER NOT NULL,
    engine VARCHAR NOT NULL,                    -- that gave the verdict
    sent_at TIMESTAMP NOT NULL,                 -- UTC
    sample BOOLEAN NOT NULL,
    raw_type VARCHAR NOT NULL,                  -- content type of `raw`
    raw BLOB USING COMPRESSION zstd,            -- as sent; NULL: the very bytes of `canonical`
    canonical VARCHAR NOT NULL USING COMPRESSION zstd
);

-- A report is kept where something was found; that of a clean record comes out of the record again.
CREATE TABLE reports (
    record BIGINT NOT NULL,
    revision UINTEGER NOT NULL,                 -- the highest is the one in force
    engine VARCHAR NOT NULL,
    explained BOOLEAN NOT NULL,                 -- whether explanations were looked for (AU-5)
    report VARCHAR NOT NULL USING COMPRESSION zstd
);

CREATE TABLE players (
    record BIGINT NOT NULL,
    seat UTINYINT NOT NULL,
    side UTINYINT NOT NULL,
    name VARCHAR NOT NULL,
    total DOUBLE                                -- of the side, as recomputed; NULL: not known
);
