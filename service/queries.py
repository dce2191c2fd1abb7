"""Lists of records: filters and cursors as SQL. Every value a person sends is a parameter, never part of the text."""

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from records.games import GAMES, game
from service.options import read_options
from service.store import Store
from web.contexts import Page, RecordRow

_MANY: Final = "IN (SELECT unnest(?))"

FILTERS: Final[Mapping[str, str]] = {
    "variant": f"r.variant {_MANY}",
    "verdict": f"r.verdict {_MANY}",
    "event": "lower(r.event) = lower(?)",
    "player": "r.number IN (SELECT record FROM shown_players WHERE lower(name) = lower(?))",
    "opponent": "r.number IN (SELECT record FROM shown_players WHERE lower(name) = lower(?))",
    "options": "",
    "from": "r.date >= ?",
    "to": "left(r.date, length(?)) <= ?",
    "finding": f"r.number IN (SELECT record FROM findings WHERE code {_MANY})",
    "yaku": f"r.number IN (SELECT record FROM yaku WHERE yaku {_MANY})",
    "dispute": f"r.id IN (SELECT record FROM acts WHERE kind = 'opened' AND json_extract_string(body, '$.claim') {_MANY})",
    "sample": "r.sample = ?",
}
"""What each filter asks of a record. `variant`, `verdict`, `finding`, `yaku` and `dispute` (what it is about) take several, divided by
commas; names are compared whole, in any case; a record without a date is in no span of dates. A span's ends may be years or months:
``to=2026-11`` takes in the whole month. An `opponent` sits on another side than the `player`, where one is named. `options` are of one
game: ``option=value``, divided by commas."""

_OPPOSED: Final = (
    "r.number IN (SELECT p.record FROM shown_players p JOIN shown_players o ON o.record = p.record AND o.side <> p.side "
    "WHERE lower(p.name) = lower(?) AND lower(o.name) = lower(?))"
)

SORTS: Final[Mapping[str, str]] = {
    "sent": "r.number",
    "date": "coalesce(r.date, '')",
    "rounds": "r.rounds",
    "findings": "r.findings",
}
"""What a list can be sorted by; with a minus before it downwards. Equal ones stand in the order of arrival."""

NEWEST: Final = "-sent"


@dataclass(frozen=True, slots=True)
class Condition:
    """A WHERE clause over ``records AS r`` and its parameters."""

    sql: str
    parameters: tuple[object, ...] = ()

    def __and__(self, other: "Condition") -> "Condition":
        return Condition(f"{self.sql} AND {other.sql}", self.parameters + other.parameters)


ALL: Final = Condition("true")
"""Every record."""


def condition(filters: Mapping[str, str]) -> Condition:
    """Records that all filters leave. An empty value is no filter. Raises ValueError for a filter that there is not."""
    found = ALL
    for name, value in filters.items():
        if name not in FILTERS:
            raise ValueError(f"there is no filter {name!r}; there are {', '.join(FILTERS)}")
        if not value:
            continue
        if name == "options":
            found &= _under(filters.get("variant", ""), value)
            continue
        if name == "opponent" and filters.get("player"):
            found &= Condition(_OPPOSED, (filters["player"], value))
            continue
        sql = FILTERS[name]
        parameter: object = value
        if _MANY in sql:
            parameter = [part.strip() for part in value.split(",")]
        elif name == "sample":
            parameter = value.lower() in ("1", "true", "yes")
        found &= Condition(sql, (parameter,) * sql.count("?"))
    return found


def _under(variant: str, text: str) -> Condition:
    """Records that were played under these options; a record states those that are not the default."""
    if variant not in {each.id for each in GAMES}:
        raise ValueError("options belong to one game: choose it first")
    defaults = {option.id: option.default for option in game(variant).options}
    found = ALL
    for id, value in read_options(variant, text).items():
        stated = "json_extract_string(r.options, ?)"
        path = f'$."{id}"'
        if value == defaults[id]:
            found &= Condition(f"{stated} IS NULL", (path,))
        else:
            found &= Condition(f"{stated} = ?", (path, str(value).lower()))
    return found


def count(store: Store, filters: Mapping[str, str], within: Condition = ALL) -> int:
    """How many records the filters leave."""
    where = condition(filters) & within
    return int(store.read(f"SELECT count(*) FROM records r WHERE {where.sql}", where.parameters)[0][0])


def page(store: Store, filters: Mapping[str, str], sort: str, cursor: str | None, limit: int, within: Condition = ALL) -> Page:
    """A page of the list, of those records that `within` leaves. A page goes on behind the last record of the one before, so that
    records which arrive in between neither push one out nor show one twice.

    Raises ValueError for a filter, a sort or a cursor that is none.
    """
    key, down = sort.removeprefix("-"), sort.startswith("-")
    if key not in SORTS:
        raise ValueError(f"there is no sort {sort!r}; there are {', '.join(SORTS)}, each with a minus before it downwards")
    where = condition(filters) & within
    if cursor:
        beyond = "<" if down else ">"
        where &= Condition(f"({SORTS[key]}, r.number) {beyond} (?, ?)", _read_cursor(cursor, sort))
    order = "DESC" if down else "ASC"
    rows = store.read(
        f"SELECT {SORTS[key]}, r.number, {_COLUMNS} FROM records r WHERE {where.sql} "
        f"ORDER BY {SORTS[key]} {order}, r.number {order} LIMIT ?",
        (*where.parameters, limit + 1),
    )
    more = len(rows) > limit
    rows = rows[:limit]
    names = _names(store, [row[1] for row in rows])
    return Page([_row(row[1], row[2:], names) for row in rows], _write_cursor(sort, *rows[-1][:2]) if more else None)


_COLUMNS: Final = "r.id, r.variant, r.verdict, r.rounds, r.event, r.date, r.winner, r.findings, r.sample, r.sent_at, r.sides"


def _row(number: int, row: tuple[Any, ...], names: Mapping[int, list[tuple[str, int, float | None]]]) -> RecordRow:
    id, variant, verdict, rounds, event, date, winner, findings, sample, sent_at, sides = row
    seated = names[number]
    totals = {side: total for _, side, total in seated}
    known = [total for _, total in sorted(totals.items()) if total is not None]
    return RecordRow(
        id=id.hex(),
        variant=variant,
        players=tuple(name for name, _, _ in seated),
        verdict=verdict,
        rounds=rounds,
        event=event,
        date=date,
        totals=tuple(int(t) if t == int(t) else t for t in known) if len(known) == len(totals) else None,
        winner=winner,
        findings=findings,
        sample=sample,
        sent_at=sent_at,
        sides=None if sides is None else tuple(tuple(map(int, side.split("+"))) for side in sides.split()),
    )


def _names(store: Store, numbers: list[int]) -> dict[int, list[tuple[str, int, float | None]]]:
    """Name, side and total of each seat, by record."""
    found: dict[int, list[tuple[str, int, float | None]]] = {number: [] for number in numbers}
    if numbers:
        for number, name, side, total in store.read(
            f"SELECT record, name, side, total FROM shown_players WHERE record {_MANY} ORDER BY record, seat", (numbers,)
        ):
            found[number].append((name, side, total))
    return found


def _write_cursor(sort: str, key: object, number: int) -> str:
    return base64.urlsafe_b64encode(json.dumps([sort, key, number]).encode()).decode().rstrip("=")


def _read_cursor(cursor: str, sort: str) -> tuple[object, int]:
    try:
        found = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        its_sort, key, number = found
        fits = isinstance(key, str) if sort.removeprefix("-") == "date" else _fits(key)
        if its_sort == sort and fits and _fits(number):
            return key, number
    except (ValueError, TypeError, binascii.Error, RecursionError):
        pass
    raise ValueError("this cursor is not of this list: take the one that the page before gave as next")


def _fits(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and abs(number) < 1 << 63


def sent(store: Store, id: bytes, within: Condition = ALL) -> tuple[int, bytes, str, datetime, bool, str] | None:
    """Number, bytes as sent, their content type, when they came, whether they are a sample, and the canonical form of a record."""
    rows = store.read(
        "SELECT r.number, coalesce(r.raw, encode(r.canonical)), r.raw_type, r.sent_at, r.sample, r.canonical FROM records r "
        f"WHERE r.id = ? AND {within.sql}",
        (id, *within.parameters),
    )
    return rows[0] if rows else None
