"""What there is of each player: records, results by game and role, yaku made. One query each over the store's tables.

As for the charts (`analysis.statistics`), a connection is handed in with a condition over ``records AS r``, and names are those of the
relation that has the names to show. Names are compared whole, in any case.
"""

from collections.abc import Sequence
from typing import Final

import duckdb

from analysis.statistics import Answer, ask

MOST: Final = 500
"""Players in a list, those with the most records."""

LISTED: Final = f"""SELECT any_value(name) AS player, count(DISTINCT c.number) AS records, count(DISTINCT c.variant) AS games,
    max(c.date) AS last
FROM {{players}} p JOIN chosen c ON c.number = p.record
GROUP BY lower(name) ORDER BY records DESC, lower(name) LIMIT {MOST}"""

RESULTS: Final = """SELECT variant, CASE WHEN place = 0 THEN 'dealer' ELSE 'others' END AS role, count(*) AS n, avg(score) AS mean,
    avg(score) - 1.96 * stddev_samp(score) / sqrt(count(*)) AS low,
    avg(score) + 1.96 * stddev_samp(score) / sqrt(count(*)) AS high,
    100 * avg(CASE WHEN won THEN 1 ELSE 0 END) AS won
FROM seated
WHERE lower(player) = lower(?)
GROUP BY ALL ORDER BY variant, role"""

YAKU: Final = """SELECT variant, yaku, count(*) AS n, 100 * count(*) / any_value(rounds) AS per_100 FROM (
    SELECT *, count(*) OVER (PARTITION BY variant) AS rounds FROM seated WHERE lower(player) = lower(?)
) mine JOIN made y ON y.record = mine.record AND y.round = mine.round AND y.side = mine.side AND coalesce(y.seat, mine.seat) = mine.seat
GROUP BY variant, yaku ORDER BY variant, n DESC, yaku"""
"""A yaku that is a side's counts for each of its seats."""


def listed(connection: duckdb.DuckDBPyConnection, where: str, parameters: Sequence[object], players: str) -> Answer:
    """Players with the most records first, `MOST` at most. `players` is the relation of players with the names to show."""
    return ask(connection, LISTED.format(players=players), where, parameters, "results")


def results(connection: duckdb.DuckDBPyConnection, name: str, where: str, parameters: Sequence[object], results: str) -> Answer:
    """By game and role: results of a seat in a round, mean score with a 95 % interval, rounds won in per cent."""
    return ask(connection, RESULTS, where, [*parameters, name], results)


def yaku(connection: duckdb.DuckDBPyConnection, name: str, where: str, parameters: Sequence[object], results: str) -> Answer:
    """By game: each yaku that the player made, how often, and in 100 rounds."""
    return ask(connection, YAKU, where, [*parameters, name], results)
