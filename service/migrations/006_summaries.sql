-- What charts ask most of, a row a seat and round that has a score, and the Lightning's captures. The columns are those of
-- analysis/summaries.py, which says what each means and works them out of the other tables. Empty tables are filled when the store is opened.

CREATE TABLE results (
    record BIGINT NOT NULL,
    round USMALLINT NOT NULL,
    seat UTINYINT NOT NULL,
    side UTINYINT NOT NULL,
    place UTINYINT NOT NULL,
    seats UTINYINT NOT NULL,
    player VARCHAR NOT NULL,
    score DOUBLE NOT NULL,
    finish UTINYINT NOT NULL,
    won BOOLEAN NOT NULL,
    pile UBIGINT,
    rivals UTINYINT NOT NULL,
    rival_dealer BOOLEAN NOT NULL,
    from_cards DOUBLE,
    from_yaku DOUBLE,
    paid_yaku DOUBLE,
    from_other DOUBLE,
    hand_points DOUBLE NOT NULL,
    draw_points DOUBLE NOT NULL,
    followed BOOLEAN NOT NULL,
    gifts UTINYINT NOT NULL,
    misses UTINYINT NOT NULL
);

CREATE TABLE lightning (
    record BIGINT NOT NULL,
    round USMALLINT NOT NULL,
    seat UTINYINT,
    turn USMALLINT NOT NULL,
    takes UBIGINT NOT NULL
);

-- Results under the names by which players leave the store.
CREATE VIEW shown_results AS
SELECT s.* REPLACE (coalesce(n.pseudonym, s.player) AS player)
FROM results s
LEFT JOIN (SELECT name, nullif(arg_max(pseudonym, step), '') AS pseudonym FROM pseudonyms GROUP BY name) n ON n.name = lower(s.player);
