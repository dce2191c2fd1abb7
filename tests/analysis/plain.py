"""Every chart asked of the tables that came with a record, no summary in between: what the charts' own queries must say too."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import duckdb

from analysis import statistics
from analysis.statistics import PLAYERS, ROLES
from records.cards import CODES, LIGHTNING, mask
from records.games import GAMES

COMMON: Final = """WITH chosen AS (
    SELECT r.number, r.id, r.date, r.seats, r.variant FROM records r WHERE {where}
), seated AS (
    SELECT c.number, c.id, c.date, c.seats, c.variant, s.round, s.seat, s.side, s.place, s.score, p.name AS player,
           s.from_cards, s.from_yaku, s.paid_yaku, s.from_other, s.hand_points, s.draw_points, s.pile, {role} AS asked
    FROM seats s
    JOIN chosen c ON c.number = s.record
    JOIN {players} p ON p.record = s.record AND p.seat = s.seat
    WHERE s.score IS NOT NULL
), played AS (
    SELECT *, count(*) OVER (PARTITION BY player) AS rounds FROM seated WHERE asked
), made AS (
    SELECT y.* FROM yaku y JOIN chosen c ON c.number = y.record WHERE {made}
), plays AS (
    SELECT a.*, c.seats FROM actions a JOIN chosen c ON c.number = a.record WHERE {plays}
)
"""

_TOP: Final = f"(SELECT player FROM played GROUP BY player ORDER BY count(*) DESC, player LIMIT {PLAYERS})"

RUNNING: Final = """SELECT player, nth, total, score, lower(hex(id)) AS record, round FROM (
    SELECT *, row_number() OVER w AS nth, sum(score) OVER w AS total, dense_rank() OVER (ORDER BY rounds DESC, player) AS rank
    FROM played
    WINDOW w AS (PARTITION BY player ORDER BY date NULLS FIRST, number, round)
) WHERE rank <= 7 AND (nth % greatest(1, rounds // 400) = 0 OR nth = rounds)
ORDER BY player, nth"""

BY_PLACE: Final = """SELECT seats, place, count(*) AS n, avg(score) AS mean,
    avg(score) - 1.96 * stddev_samp(score) / sqrt(count(*)) AS low,
    avg(score) + 1.96 * stddev_samp(score) / sqrt(count(*)) AS high,
    100 * avg(CASE WHEN won.winner = played.side THEN 1 ELSE 0 END) AS won
FROM played JOIN rounds won ON won.record = played.number AND won.round = played.round
GROUP BY seats, place ORDER BY seats, place"""

PLACES: Final = f"""SELECT player, place, count(*) AS n, 100 * count(*) / sum(count(*)) OVER (PARTITION BY player) AS share FROM (
    SELECT player, asked, dense_rank() OVER (PARTITION BY number, round ORDER BY score DESC) AS place FROM seated
) WHERE asked AND player IN {_TOP}
GROUP BY player, place ORDER BY player, place"""

YAKU: Final = """SELECT y.yaku, count(*) AS made, total.n AS rounds, 100 * count(*) / total.n AS per_100,
    sum(CASE WHEN y.negated THEN 1 ELSE 0 END) AS negated
FROM made y, (SELECT count(DISTINCT (number, round)) AS n FROM played) total
GROUP BY y.yaku, total.n ORDER BY made DESC, y.yaku"""

_SETS: Final = ", ".join(
    f"('{game.id}', '{yaku.id}', {mask(yaku.cards)}, {yaku.need})"
    for game in GAMES
    for yaku in game.yaku
    if yaku.need == len(yaku.cards.split()) == len(set(yaku.cards.split()))
)
"""Yaku that are a fixed set of cards, all different, as rows: of these one can say that a pile lacks one card."""
_SETS_TABLE: Final = f"(VALUES {_SETS}) AS sets (variant, yaku, cards, need)"

SHORT: Final = f"""SELECT yaku, count(*) AS n, 100 * avg(CASE WHEN have = need THEN 1 ELSE 0 END) AS made,
    100 * avg(CASE WHEN have = need - 1 THEN 1 ELSE 0 END) AS one_short,
    100 * avg(CASE WHEN maker IS NOT NULL AND maker <> side THEN 1 ELSE 0 END) AS conceded
FROM (
    SELECT sets.yaku, sets.need, bit_count(played.pile & sets.cards::UBIGINT) AS have, played.side, makers.side AS maker
    FROM played JOIN {_SETS_TABLE} ON sets.variant = played.variant
    LEFT JOIN (
        SELECT played.number, played.round, played.side, sets.yaku
        FROM seated played JOIN {_SETS_TABLE} ON sets.variant = played.variant
        WHERE played.pile & sets.cards::UBIGINT = sets.cards::UBIGINT
    ) makers ON makers.number = played.number AND makers.round = played.round AND makers.yaku = sets.yaku
    WHERE played.pile IS NOT NULL
)
GROUP BY yaku ORDER BY one_short DESC, yaku"""
"""Conceded: a pile of another side makes it. The cards of a set are all different, so that a round has one maker at most."""

_CARDS: Final = [card for card, code in enumerate(CODES[:48]) if CODES.index(code) == card]
"""The first card of each code: a pile names codes (`analysis.tables`)."""
_LIST: Final = ", ".join(f"'{CODES[card]}'" for card in _CARDS)
_WILD: Final = mask("11B 11A 11R 11C")
_TAKES: Final = ", ".join(f"sum(({{column}} >> {card}) & 1)" for card in _CARDS)

LIGHTNING_USE: Final = f"""SELECT card, turn, sum(taken)::BIGINT AS n FROM (
    SELECT turn, unnest([{_LIST}]) AS card, unnest([{_TAKES.format(column="takes")}]) AS taken
    FROM (
        SELECT (a.action - 1) // a.seats + 1 AS turn, CASE WHEN a.played = {LIGHTNING} THEN a.played_takes ELSE a.drawn_takes END AS takes
        FROM plays a
        WHERE a.played = {LIGHTNING} OR a.drawn = {LIGHTNING}
    )
    WHERE takes & {_WILD}::UBIGINT = 0 AND takes > 0
    GROUP BY turn
)
WHERE taken > 0 GROUP BY card, turn ORDER BY list_position([{_LIST}], card), turn"""

_MET: Final = _TOP.replace("FROM played", "FROM seated")
"""The same players whatever role is asked for."""

PAIRS: Final = f"""SELECT a.player, b.player AS opponent, count(*) AS n, avg(a.score - b.score) AS ahead,
    100 * avg(CASE WHEN a.score > b.score THEN 1 ELSE 0 END) AS better
FROM played a JOIN seated b ON a.number = b.number AND a.round = b.round AND a.side <> b.side AND a.player <> b.player
WHERE a.player IN {_MET} AND b.player IN {_MET}
GROUP BY a.player, b.player ORDER BY a.player, b.player"""

SPREAD: Final = f"""SELECT player, count(*) AS n, min(score) AS least, quantile_cont(score, 0.25) AS lower_quartile,
    median(score) AS median, quantile_cont(score, 0.75) AS upper_quartile, max(score) AS most
FROM played WHERE player IN {_TOP}
GROUP BY player ORDER BY median(score) DESC, player"""

WHEN_MADE: Final = """SELECT yaku, count(*) AS n, min(action) AS earliest, quantile_cont(action, 0.25) AS lower_quartile,
    median(action) AS median, quantile_cont(action, 0.75) AS upper_quartile, max(action) AS latest
FROM made
WHERE action IS NOT NULL
GROUP BY yaku ORDER BY median(action), yaku"""

_FIRST: Final = ", ".join(str(1 << CODES.index(code)) for code in CODES)
"""By card: the bit that stands for its code in a mask of codes."""

OVERLOOKED: Final = f""", turns AS (
    SELECT a.record, a.round, a.seat, a.played, a.played_takes | a.drawn_takes AS takes, lead(a.seat) OVER following AS next_seat,
        lead(a.played_takes | a.drawn_takes) OVER following AS next_takes
    FROM actions a JOIN chosen c ON c.number = a.record
    WHERE a.played IS NOT NULL OR a.drawn IS NOT NULL
    WINDOW following AS (PARTITION BY a.record, a.round ORDER BY a.action)
), gifts AS (
    SELECT record, round, seat, count(*) AS n FROM turns
    WHERE seat <> next_seat AND takes & ([{_FIRST}]::UBIGINT[])[played + 1] = 0 AND next_takes & ([{_FIRST}]::UBIGINT[])[played + 1] <> 0
    GROUP BY record, round, seat
), misses AS (
    SELECT a.record, a.round, a.seat, count(*) AS n
    FROM findings f JOIN chosen c ON c.number = f.record
    JOIN actions a ON a.record = f.record AND a.round = f.round AND a.action = f.action
    WHERE f.code = 'must-capture'
    GROUP BY a.record, a.round, a.seat
)
SELECT player, count(*) AS n, 100 * avg(coalesce(misses.n, 0)) AS missed, 100 * avg(coalesce(gifts.n, 0)) AS gifted
FROM played
JOIN rounds known ON known.record = played.number AND known.round = played.round AND known.level IN ('full', 'moves')
LEFT JOIN gifts ON gifts.record = played.number AND gifts.round = played.round AND gifts.seat = played.seat
LEFT JOIN misses ON misses.record = played.number AND misses.round = played.round AND misses.seat = played.seat
WHERE player IN {_TOP}
GROUP BY player ORDER BY gifted + missed DESC, player"""
"""A miss is what the engine found (CP-4). A gift is a card from the hand that stayed on the field and went to another seat in the very next
turn; no rule is asked for that."""

CHARTS: Final[Mapping[str, str]] = {
    "running": RUNNING,
    "by-place": BY_PLACE,
    "places": PLACES,
    "yaku": YAKU,
    "short": SHORT,
    "pairs": PAIRS,
    "spread": SPREAD,
    "overlooked": OVERLOOKED,
    "lightning": LIGHTNING_USE,
    "when-made": WHEN_MADE,
    # These read the same words over the relations of this file, with no summary behind them.
    **{name: statistics.CHARTS[name].sql for name in ("sources", "captures", "causes", "hand-and-draw", "calendar", "disputes")},
}


def answer(connection: duckdb.DuckDBPyConnection, name: str, where: str, parameters: Sequence[object], role: str) -> list[tuple[Any, ...]]:
    """The rows of a chart."""
    within = "({0}.record, {0}.round, {0}.{1}) IN (SELECT number, round, {1} FROM played)"
    common = COMMON.format(
        where=where,
        players="shown_players",
        role=ROLES[role] if role else "true",
        made=within.format("y", "side") if role else "true",
        plays=within.format("a", "seat") if role else "true",
    )
    return connection.execute(common + CHARTS[name], list(parameters)).fetchall()
