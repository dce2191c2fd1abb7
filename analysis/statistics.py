"""The numbers behind each chart: one query a chart over the store's tables, and what its rows say in a sentence.

A connection is handed in, and with it which records are asked about: a condition over ``records AS r`` with its
parameters. The tables are those of `analysis.tables` and `analysis.summaries`, with ``records`` beside them. Points are in the
unit of the game; scores of different games are not comparable, so a caller asks about one game at a time.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import duckdb

from analysis.alternatives import MOST
from records.cards import CODES, mask
from records.games import GAMES

FEW: Final = 30
"""Below so many observations a chart is marked as resting on few."""
PLAYERS: Final = 12
"""Players shown at most, those with the most rounds."""

Row = Mapping[str, Any]
Headline = tuple[str, dict[str, Any]]
"""Which sentence a chart's rows make, and what stands in it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The rows of a chart's query."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    sql: str

    def named(self) -> list[dict[str, Any]]:
        """Each row by its columns' names."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


@dataclass(frozen=True, slots=True)
class Chart:
    """One chart: its query, and how its rows are read."""

    id: str
    sql: str
    """Over the relations ``chosen`` (the records asked about), ``seated`` (their results), and, of the seats in the role asked for alone,
    ``played`` (results), ``made`` (yaku) and ``struck`` (what the Lightning took). What belongs to a table as a whole (its captures,
    findings, disputes, days) is the same for every role."""
    unit: str
    """What is counted: ``results`` (one a seat and round), ``rounds``, ``captures``, ``findings``, ``yaku``,
    ``records`` or ``disputes``."""
    count: Callable[[Sequence[Row]], int]
    """How many of them the rows rest on."""
    headline: Callable[[Sequence[Row]], Headline]
    sampled: bool = False
    """The query only picks records: a row each, with how many were chosen. `analysis.alternatives` plays them again for the chart's own
    rows."""


COMMON: Final = """WITH chosen AS (
    SELECT r.number, r.id, r.date, r.variant FROM records r WHERE {where}
), seated AS (
    SELECT s.*, c.variant, c.date, {role} AS asked FROM {results} s JOIN chosen c ON c.number = s.record
), played AS (
    SELECT * FROM seated WHERE asked
), made AS (
    SELECT y.* FROM yaku y JOIN chosen c ON c.number = y.record WHERE {made}
), struck AS (
    SELECT l.* FROM lightning l JOIN chosen c ON c.number = l.record WHERE {struck}
)
"""

ROLES: Final[Mapping[str, str]] = {"dealer": "s.place = 0", "others": "s.place > 0"}
"""Whose results can be asked for alone: those of the dealers, or of all others."""

_TOP: Final = f"(SELECT player FROM played GROUP BY player ORDER BY count(*) DESC, player LIMIT {PLAYERS})"

RUNNING: Final = """SELECT player, nth, total, score, lower(hex(id)) AS record, round FROM (
    SELECT mine.*, row_number() OVER w AS nth, sum(score) OVER w AS total FROM (
        SELECT p.record, p.round, p.player, p.score, p.date, top.n
        FROM played p
        JOIN (SELECT player, count(*) AS n FROM played GROUP BY player ORDER BY n DESC, player LIMIT 7) top ON top.player = p.player
    ) mine
    WINDOW w AS (PARTITION BY player ORDER BY date NULLS FIRST, record, round)
) run JOIN chosen ON chosen.number = run.record
WHERE nth % greatest(1, n // 400) = 0 OR nth = n
ORDER BY player, nth"""

BY_PLACE: Final = """SELECT seats, place, count(*) AS n, avg(score) AS mean,
    avg(score) - 1.96 * stddev_samp(score) / sqrt(count(*)) AS low,
    avg(score) + 1.96 * stddev_samp(score) / sqrt(count(*)) AS high,
    100 * avg(CASE WHEN won THEN 1 ELSE 0 END) AS won
FROM played
GROUP BY seats, place ORDER BY seats, place"""

SOURCES: Final = f"""SELECT player, count(*) AS n, avg(from_cards) AS cards, avg(from_yaku) AS yaku_made, avg(paid_yaku) AS yaku_paid,
    avg(from_other) AS other
FROM played WHERE from_cards IS NOT NULL AND player IN {_TOP}
GROUP BY player ORDER BY avg(score) DESC, player"""

PLACES: Final = f"""SELECT player, finish AS place, count(*) AS n, 100 * count(*) / sum(count(*)) OVER (PARTITION BY player) AS share
FROM played WHERE player IN {_TOP}
GROUP BY player, finish ORDER BY player, finish"""

YAKU: Final = """SELECT y.yaku, count(*) AS made, total.n AS rounds, 100 * count(*) / total.n AS per_100,
    sum(CASE WHEN y.negated THEN 1 ELSE 0 END) AS negated
FROM made y, (SELECT count(*) AS n FROM seated WHERE place = 0) total
GROUP BY y.yaku, total.n ORDER BY made DESC, y.yaku"""
"""A round has one dealer."""

_SETS: Final = {
    game.id: [
        (yaku.id, f"{mask(yaku.cards)}::UBIGINT", yaku.need)
        for yaku in game.yaku
        if yaku.need == len(yaku.cards.split()) == len(set(yaku.cards.split()))
    ]
    for game in GAMES
}
"""By game the yaku that are a fixed set of cards, all different: of these one can say that a pile lacks one card."""


def _by_set(game_id: str, count: str) -> str:
    """A list of counts, one a set of cards of a game; `count` with ``{cards}`` and how many they are, ``{need}``."""
    return f"[{', '.join(count.format(cards=cards, need=need) for _, cards, need in _SETS[game_id])}]"


_SETS_OF_A_GAME: Final = " UNION ALL ".join(
    f"""SELECT count_if(asked) AS n, unnest({[id for id, _, _ in sets]}) AS yaku,
        unnest({_by_set(game_id, "count_if(asked AND pile & {cards} = {cards})")}) AS made,
        unnest({_by_set(game_id, "count_if(asked AND bit_count(pile & {cards}) = {need} - 1)")}) AS one_short,
        unnest({_by_set(game_id, "sum(CASE WHEN pile & {cards} = {cards} THEN rivals_asked ELSE 0 END)")}) AS conceded
    FROM piles WHERE variant = '{game_id}'
    """
    for game_id, sets in _SETS.items()
    if sets
)

SHORT: Final = f""", piles AS (
    SELECT variant, asked, pile, {{rivals}} AS rivals_asked FROM seated WHERE pile IS NOT NULL
)
SELECT yaku, sum(n)::BIGINT AS n, 100 * sum(made) / sum(n) AS made, 100 * sum(one_short) / sum(n) AS one_short,
    100 * sum(conceded) / sum(n) AS conceded
FROM (
    {_SETS_OF_A_GAME.rstrip()}
)
WHERE n > 0
GROUP BY yaku ORDER BY one_short DESC, yaku"""
"""Conceded: a pile of another side makes it. The cards of a set are all different, so that a round has one maker at most."""

_CARDS: Final = [card for card, code in enumerate(CODES[:48]) if CODES.index(code) == card]
"""The first card of each code: a pile names codes (`analysis.tables`)."""
_LIST: Final = ", ".join(f"'{CODES[card]}'" for card in _CARDS)
_BITS: Final = [f"{1 << card}::UBIGINT" for card in _CARDS]
_TAKEN: Final = ", ".join(f"count_if(pile & {bit} <> 0)" for bit in _BITS)

CAPTURES: Final = f"""SELECT card, sum(taken)::BIGINT AS n, 100 * sum(CASE WHEN dealer THEN taken ELSE 0 END) / sum(taken) AS share,
    100 * sum(taken / seats) / sum(taken) AS expected
FROM (
    SELECT dealer, seats, unnest([{_LIST}]) AS card, unnest([{_TAKEN}]) AS taken
    FROM (SELECT place = 0 AS dealer, seats, pile FROM seated WHERE pile IS NOT NULL)
    GROUP BY dealer, seats
)
GROUP BY card HAVING sum(taken) > 0
ORDER BY list_position([{_LIST}], card)"""

_TAKES: Final = ", ".join(f"count_if(takes & {bit} <> 0)" for bit in _BITS)

LIGHTNING_USE: Final = f"""SELECT card, turn, taken AS n FROM (
    SELECT turn, unnest([{_LIST}]) AS card, unnest([{_TAKES}]) AS taken FROM struck GROUP BY turn
)
WHERE taken > 0 ORDER BY list_position([{_LIST}], card), turn"""

_MET: Final = _TOP.replace("FROM played", "FROM seated")
"""The same players whatever role is asked for."""

PAIRS: Final = f"""SELECT a.player, b.player AS opponent, count(*) AS n, avg(a.score - b.score) AS ahead,
    100 * avg(CASE WHEN a.score > b.score THEN 1 ELSE 0 END) AS better
FROM played a JOIN seated b ON a.record = b.record AND a.round = b.round AND a.side <> b.side AND a.player <> b.player
WHERE a.player IN {_MET} AND b.player IN {_MET}
GROUP BY a.player, b.player ORDER BY a.player, b.player"""

SPREAD: Final = f"""SELECT player, n, least, quartiles[1] AS lower_quartile, quartiles[2] AS median, quartiles[3] AS upper_quartile, most
FROM (
    SELECT player, count(*) AS n, min(score) AS least, quantile_cont(score, [0.25, 0.5, 0.75]) AS quartiles, max(score) AS most
    FROM played WHERE player IN {_TOP}
    GROUP BY player
)
ORDER BY quartiles[2] DESC, player"""

CAUSES: Final = """SELECT code, any_value(severity) AS severity, count(*) AS n,
    100 * sum(count(*)) OVER (ORDER BY count(*) DESC, code) / sum(count(*)) OVER () AS together
FROM findings f JOIN chosen c ON c.number = f.record
GROUP BY code ORDER BY n DESC, code"""

HAND_AND_DRAW: Final = f"""SELECT player, count(*) AS n, avg(hand_points) AS from_hand, avg(draw_points) AS from_draw
FROM played WHERE hand_points IS NOT NULL AND hand_points + draw_points > 0 AND player IN {_TOP}
GROUP BY player ORDER BY avg(hand_points + draw_points) DESC, player"""

WHEN_MADE: Final = """SELECT yaku, n, earliest, quartiles[1] AS lower_quartile, quartiles[2] AS median, quartiles[3] AS upper_quartile,
    latest
FROM (
    SELECT yaku, count(*) AS n, min(action) AS earliest, quantile_cont(action, [0.25, 0.5, 0.75]) AS quartiles, max(action) AS latest
    FROM made WHERE action IS NOT NULL
    GROUP BY yaku
)
ORDER BY quartiles[2], yaku"""

OVERLOOKED: Final = f"""SELECT player, count(*) AS n, 100 * avg(misses) AS missed, 100 * avg(gifts) AS gifted
FROM played WHERE followed AND player IN {_TOP}
GROUP BY player ORDER BY gifted + missed DESC, player"""
"""A miss is what the engine found (CP-4). A gift is a card from the hand that stayed on the field and went to another seat in the very next
turn; no rule is asked for that."""

DISPUTES: Final = """SELECT claim, count(*) AS n, count(ruled_at) AS ruled,
    median(epoch(ruled_at - opened_at)) / 3600 AS median_hours
FROM (
    SELECT any_value(json_extract_string(a.body, '$.claim')) FILTER (WHERE a.kind = 'opened') AS claim,
        min(a.acted_at) FILTER (WHERE a.kind = 'opened') AS opened_at, min(a.acted_at) FILTER (WHERE a.kind = 'ruled') AS ruled_at
    FROM acts a JOIN chosen c ON c.id = a.record
    GROUP BY a.record, a.dispute
)
GROUP BY claim ORDER BY n DESC, claim"""

CALENDAR: Final = """SELECT date AS day, count(*) AS n FROM chosen WHERE length(date) = 10 GROUP BY date ORDER BY date"""

SAMPLE: Final = f"""SELECT number, (SELECT count(*) FROM chosen) AS chosen FROM chosen ORDER BY id LIMIT {MOST}"""
"""An id is a hash: the first ones are as good as drawn by lot, and the same next time."""


def _rounds(rows: Sequence[Row]) -> int:
    return sum(row["n"] for row in rows)


def _often(rows: Sequence[Row]) -> Sequence[Row]:
    """Those rows that rest on more than a few, or all where none does: a headline is not made of a single lucky round."""
    return [row for row in rows if row["n"] >= FEW] or rows


def _all_rounds(rows: Sequence[Row]) -> int:
    return sum({row["player"]: row["nth"] for row in rows}.values())


def _leader(rows: Sequence[Row]) -> Headline:
    last = {row["player"]: row for row in rows}
    best = max(last.values(), key=lambda row: row["total"])
    return "running-leader", {"player": best["player"], "total": best["total"], "rounds": best["nth"]}


def _dealer(rows: Sequence[Row]) -> Headline:
    seats = max({row["seats"] for row in rows}, key=lambda each: sum(row["n"] for row in rows if row["seats"] == each))
    table = [row for row in rows if row["seats"] == seats]
    dealer = next((row for row in table if row["place"] == 0), None)
    mean = sum(row["mean"] * row["n"] for row in table) / sum(row["n"] for row in table)
    if dealer is None or dealer["low"] is None or dealer["low"] <= mean <= dealer["high"]:
        return "place-unclear", {"seats": seats}
    key = "place-dealer-better" if dealer["mean"] > mean else "place-dealer-worse"
    return key, {"seats": seats, "points": abs(dealer["mean"] - mean)}


def _sources(rows: Sequence[Row]) -> Headline:
    gained = {name: sum(max(0.0, row[name] or 0.0) * row["n"] for row in rows) for name in ("cards", "yaku_made", "other")}
    together = sum(gained.values())
    if not together:
        return "sources-none", {}
    name = max(gained, key=lambda each: gained[each])
    return f"sources-{name}", {"share": 100 * gained[name] / together}


def _first(rows: Sequence[Row]) -> Headline:
    played = {row["player"]: sum(other["n"] for other in rows if other["player"] == row["player"]) for row in rows}
    often = {player for player, n in played.items() if n >= FEW} or set(played)
    firsts = [row for row in rows if row["place"] == 1 and row["player"] in often]
    if not firsts:
        return "places-none", {}
    best = max(firsts, key=lambda row: row["share"])
    return "places-first", {"player": best["player"], "share": best["share"]}


def _commonest_yaku(rows: Sequence[Row]) -> Headline:
    return "yaku-commonest", {"yaku": rows[0]["yaku"], "per_100": rows[0]["per_100"]}


def _nearest(rows: Sequence[Row]) -> Headline:
    return "short-most", {"yaku": rows[0]["yaku"], "one_short": rows[0]["one_short"], "made": rows[0]["made"]}


def _favourite(rows: Sequence[Row]) -> Headline:
    best = max(_often(rows), key=lambda row: row["share"] - row["expected"])
    return "captures-dealer", {"card": best["card"], "share": best["share"], "expected": best["expected"]}


def _struck(rows: Sequence[Row]) -> Headline:
    taken = {card: sum(row["n"] for row in rows if row["card"] == card) for card in {row["card"] for row in rows}}
    best = max(sorted(taken), key=lambda card: taken[card])
    return "lightning-most", {"card": best, "share": 100 * taken[best] / sum(taken.values())}


def _widest_pair(rows: Sequence[Row]) -> Headline:
    best = max(_often(rows), key=lambda row: row["ahead"])
    return "pairs-ahead", {"player": best["player"], "opponent": best["opponent"], "points": best["ahead"]}


def _middle(rows: Sequence[Row]) -> Headline:
    best = _often(rows)[0]
    return "spread-middle", {"player": best["player"], "low": best["lower_quartile"], "high": best["upper_quartile"]}


def _commonest_cause(rows: Sequence[Row]) -> Headline:
    return "causes-commonest", {"code": rows[0]["code"], "n": rows[0]["n"], "all": _rounds(rows)}


def _draw_share(rows: Sequence[Row]) -> Headline:
    hand = sum(row["from_hand"] * row["n"] for row in rows)
    draw = sum(row["from_draw"] * row["n"] for row in rows)
    return "draw-share", {"share": 100 * draw / (hand + draw)}


def _earliest(rows: Sequence[Row]) -> Headline:
    first = _often(rows)[0]
    return "when-earliest", {"yaku": first["yaku"], "action": first["median"]}


def _giver(rows: Sequence[Row]) -> Headline:
    most = max(_often(rows), key=lambda row: row["gifted"])
    return "overlooked-most", {"player": most["player"], "gifted": most["gifted"], "missed": most["missed"]}


def _disputed(rows: Sequence[Row]) -> Headline:
    return "disputes-most", {"claim": rows[0]["claim"], "n": _rounds(rows), "ruled": sum(row["ruled"] for row in rows)}


def _busiest(rows: Sequence[Row]) -> Headline:
    best = max(rows, key=lambda row: row["n"])
    return "calendar-busiest", {"day": best["day"], "n": best["n"]}


def _most_changing(rows: Sequence[Row]) -> Headline:
    if not rows[0]["changed"]:
        return "options-none", {}
    return "options-most", {"option": rows[0]["option"], "value": rows[0]["value"], "share": rows[0]["changed"]}


CHARTS: Final[Mapping[str, Chart]] = {
    chart.id: chart
    for chart in (
        Chart("running", RUNNING, "results", _all_rounds, _leader),
        Chart("by-place", BY_PLACE, "results", _rounds, _dealer),
        Chart("sources", SOURCES, "results", _rounds, _sources),
        Chart("places", PLACES, "results", _rounds, _first),
        Chart("yaku", YAKU, "rounds", lambda rows: int(rows[0]["rounds"]), _commonest_yaku),
        Chart("short", SHORT, "results", lambda rows: int(max(row["n"] for row in rows)), _nearest),
        Chart("pairs", PAIRS, "results", _rounds, _widest_pair),
        Chart("captures", CAPTURES, "captures", _rounds, _favourite),
        Chart("spread", SPREAD, "results", _rounds, _middle),
        Chart("causes", CAUSES, "findings", _rounds, _commonest_cause),
        Chart("overlooked", OVERLOOKED, "results", _rounds, _giver),
        Chart("hand-and-draw", HAND_AND_DRAW, "results", _rounds, _draw_share),
        Chart("lightning", LIGHTNING_USE, "captures", _rounds, _struck),
        Chart("when-made", WHEN_MADE, "yaku", _rounds, _earliest),
        Chart("options", SAMPLE, "rounds", lambda rows: int(max(row["n"] for row in rows)), _most_changing, sampled=True),
        Chart("calendar", CALENDAR, "records", _rounds, _busiest),
        Chart("disputes", DISPUTES, "disputes", _rounds, _disputed),
    )
}
"""Every chart, in the order in which they are shown."""


def answer(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    where: str = "true",
    parameters: Sequence[object] = (),
    results: str = "results",
    role: str = "",
) -> Answer:
    """Asks a chart's query about the records that `where` (over ``records AS r``) leaves; `results` is the relation of results with the
    names to show, `role` one of `ROLES`, or nothing for all. Raises KeyError for an unknown name or role."""
    rivals = {"": "rivals", "dealer": "rival_dealer::INTEGER", "others": "rivals - rival_dealer::INTEGER"}[role]
    return ask(connection, CHARTS[name].sql.replace("{rivals}", rivals), where, parameters, results, role)


def ask(
    connection: duckdb.DuckDBPyConnection, query: str, where: str, parameters: Sequence[object], results: str, role: str = ""
) -> Answer:
    """Asks a query over the relations of `Chart.sql`."""
    within = "({0}.record, {0}.round, {0}.{1}) IN (SELECT record, round, {1} FROM played)"
    common = COMMON.format(
        where=where,
        results=results,
        role=ROLES[role] if role else "true",
        made=within.format("y", "side") if role else "true",
        struck=within.format("l", "seat") if role else "true",
    )
    found = connection.execute(common + query, list(parameters))
    columns = tuple(column[0] for column in found.description or ())
    return Answer(columns, found.fetchall(), common + query)


def headline(name: str, rows: Sequence[Row]) -> Headline:
    """Which sentence the rows of a chart make; ``none`` where there are none. Raises KeyError for an unknown name."""
    return CHARTS[name].headline(rows) if rows else ("none", {})


def count(name: str, rows: Sequence[Row]) -> int:
    """How many observations the rows rest on."""
    return CHARTS[name].count(rows) if rows else 0
