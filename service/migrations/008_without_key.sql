-- Files only.
-- Records without a key: the one writer looks for each id before it stores it (service/seen.py), and the key was a tenth of the file, and memory
-- that grew with the store and could never be given back.

CREATE TABLE records_anew (
    number BIGINT NOT NULL,
    id BLOB NOT NULL,                           -- SHA-256 of the normalised form
    variant VARCHAR NOT NULL,
    options VARCHAR NOT NULL,
    seats UTINYINT NOT NULL,
    sides VARCHAR,
    rounds USMALLINT NOT NULL,
    event VARCHAR,
    site VARCHAR,
    date VARCHAR,
    verdict VARCHAR NOT NULL,
    winner UTINYINT,
    findings UINTEGER NOT NULL,
    engine VARCHAR NOT NULL,
    sent_at TIMESTAMP NOT NULL,
    sample BOOLEAN NOT NULL,
    raw_type VARCHAR NOT NULL,
    raw BLOB USING COMPRESSION zstd,
    canonical VARCHAR NOT NULL USING COMPRESSION zstd
);

INSERT INTO records_anew SELECT * FROM records;

DROP TABLE records;

ALTER TABLE records_anew RENAME TO records;
