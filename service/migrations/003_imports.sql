-- Imports: what came in, how far each has got, and what was refused. A step is a row: the last one tells the state.

CREATE TABLE imports (
    id VARCHAR NOT NULL,
    name VARCHAR NOT NULL,                      -- as the sender called it; never a path of ours
    bytes UBIGINT NOT NULL,
    sent_at TIMESTAMP NOT NULL
);

CREATE TABLE import_steps (
    import VARCHAR NOT NULL,
    step UINTEGER NOT NULL,
    state VARCHAR NOT NULL,                     -- queued, running, done, cancelled, failed
    reason VARCHAR,                             -- of a failure
    read UBIGINT NOT NULL,                      -- records read so far, good and bad: where a run goes on
    stored UBIGINT NOT NULL,
    known UBIGINT NOT NULL,
    rejected UBIGINT NOT NULL
);

CREATE TABLE import_rejects (
    import VARCHAR NOT NULL,
    place UBIGINT NOT NULL,                     -- of the record in the import, from 1
    position VARCHAR NOT NULL,                  -- file, line or entry, in words
    errors VARCHAR NOT NULL USING COMPRESSION zstd  -- JSON list
);
