-- What was played and found, a table a grain. The columns are those of analysis/tables.py, which says what each means.

CREATE TABLE rounds (
    record BIGINT NOT NULL,
    round USMALLINT NOT NULL,
    dealer UTINYINT NOT NULL,
    next_dealer UTINYINT,
    level VARCHAR NOT NULL,
    "end" VARCHAR,
    verdict VARCHAR NOT NULL,
    winner UTINYINT,
    actions USMALLINT NOT NULL
);

CREATE TABLE seats (
    record BIGINT NOT NULL,
    round USMALLINT NOT NULL,
    seat UTINYINT NOT NULL,
    side UTINYINT NOT NULL,
    place UTINYINT NOT NULL,
    points DOUBLE,
    score DOUBLE,
    pile UBIGINT,
    turns UTINYINT NOT NULL,
    hand_captures UTINYINT NOT NULL,
    draw_captures UTINYINT NOT NULL,
    hand_points DOUBLE NOT NULL,
    draw_points DOUBLE NOT NULL,
    wild UTINYINT NOT NULL,
    koi UTINYINT NOT NULL,
    from_cards DOUBLE,
    from_yaku DOUBLE,
    paid_yaku DOUBLE,
    from_other DOUBLE
);

CREATE TABLE actions (
    record BIGINT NOT NULL,
    round USMALLINT NOT NULL,
    action USMALLINT NOT NULL,
    seat UTINYINT,
    played UTINYINT,
    played_takes UBIGINT NOT NULL,
    drawn UTINYINT,
    drawn_takes UBIGINT NOT NULL,
    call VARCHAR
);

CREATE TABLE yaku (
    record BIGINT NOT NULL,
    round USMALLINT NOT NULL,
    side UTINYINT NOT NULL,
    seat UTINYINT,
    yaku VARCHAR NOT NULL,
    points INTEGER NOT NULL,
    action USMALLINT,
    negated BOOLEAN NOT NULL
);

CREATE TABLE findings (
    record BIGINT NOT NULL,
    round USMALLINT NOT NULL,
    action USMALLINT,
    code VARCHAR NOT NULL,
    severity VARCHAR NOT NULL,
    rule VARCHAR,
    pointer VARCHAR
);
