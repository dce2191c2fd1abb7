"""Records as rows: the columns of a batch, and how they go into the store.

A batch names its records by their place in it; the store gives the numbers. What is told of play (rounds, seats, actions, yaku, findings)
comes from `analysis.tables`; here are only the rows that say what was sent, by whom, and how it was judged.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any, Final

import duckdb
import numpy as np
import orjson
from msgspec import Struct
from numpy.typing import NDArray

from analysis import clean, summaries, tables
from analysis.audit import ENGINE, assess
from analysis.gathered import Gathered
from records.engine import Outcome
from records.normal import canonical_of_normal, digest, normalise
from records.record import Number, Record
from service.jsons import dumps
from service.seen import Seen

Column = NDArray[Any]
Columns = dict[str, Column]

JSON: Final = "application/json"
TEXT: Final = "text/plain"

CLEAN: Final = clean.VERDICTS
"""Verdicts whose reports are not kept: they come out of the record again."""
CHILDREN: Final = ("reports", "players", "rounds", "seats", "actions", "yaku", "findings", "changes", *summaries.SUMMARIES)
"""Tables whose rows name a record by its number."""


class Prepared(Struct, frozen=True, gc=False):
    """A record read and judged, ready to be stored."""

    id: bytes
    """SHA-256 of the normalised form."""
    record: Record
    """As read; where its rows are made already, as normalised."""
    normal: Record
    canonical: bytes
    raw: bytes
    report: dict[str, Any] | None = None
    """None: nothing was found, and none was written."""
    outcomes: tuple[Outcome | None, ...] | None = None
    """Of the rounds, where they are known."""


def kind_of(raw: bytes) -> str:
    """The content type under which the bytes of a readable record are kept and given back."""
    return JSON if raw[:1] == b"{" or raw.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{") else TEXT


def prepare(record: Record, raw: bytes, report: dict[str, Any]) -> Prepared:
    """A record with what the store keeps beside it."""
    normal = normalise(record)
    form = canonical_of_normal(normal)
    return Prepared(digest(form), record, normal, form, raw, report)


def prepare_read(read: Sequence[tuple[Record, bytes]]) -> list[Prepared]:
    """Records that were read from these bytes, audited, each with its report."""
    return [_assessed(record, raw) for record, raw in read]


def _assessed(record: Record, raw: bytes) -> Prepared:
    found = assess(record)
    return Prepared(digest(found.canonical), record, found.normal, found.canonical, raw, found.report, found.outcomes)


def judge_many(read: Iterable[tuple[Record, bytes]]) -> tuple[list[Prepared], Gathered]:
    """Records of which most are right: these have no report written, for the store keeps none. With the rows of all.

    Nothing is kept of a record but what its rows need: to hold thousands costs time, too.
    """
    prepared = []
    gathered = Gathered()
    for record, raw in read:
        normal = clean.judge(record, gathered)
        if normal is None:
            one = _assessed(record, raw)
            assert one.report is not None
            tables.gather(gathered, record, one.report, one.outcomes)
            # The rows are made: positions and everything else that the audit came upon need not wait for the end of the batch.
            prepared.append(Prepared(one.id, one.normal, one.normal, one.canonical, raw, one.report))
        else:
            form = canonical_of_normal(normal)
            prepared.append(Prepared(digest(form), normal, normal, form, raw))
    return prepared, gathered


@dataclass(frozen=True, slots=True)
class Batch:
    """Records as columns. ``record`` in a child table is the place in the batch, from 0."""

    size: int
    records: Columns
    children: dict[str, Columns]

    @classmethod
    def of(
        cls, prepared: Sequence[Prepared], sent_at: datetime | Sequence[datetime], sample: bool = False, gathered: Gathered | None = None
    ) -> "Batch":
        """The columns of some records. `sent_at`: of all or of each, UTC, without a zone. `gathered`: their rows, where those are there
        already; else they are made from the reports."""
        if gathered is None:
            gathered = Gathered()
            for p in prepared:
                assert p.report is not None
                tables.gather(gathered, p.record, p.report, p.outcomes)
        count = len(prepared)
        normal = [p.normal for p in prepared]
        records: Columns = {
            "id": objects([p.id for p in prepared]),
            "variant": objects([record.variant for record in normal]),
            "options": objects([_options_text(record) for record in normal]),
            "seats": np.array([len(record.players) for record in normal], dtype=np.uint8),
            "sides": objects([_sides_text(record.sides) if record.sides else None for record in normal]),
            "rounds": np.array([len(record.rounds) for record in normal], dtype=np.uint16),
            "event": objects([record.event.name for record in normal]),
            "site": objects([record.event.site for record in normal]),
            "date": objects([record.event.date for record in normal]),
            "verdict": objects(gathered.verdicts),
            "winner": _numbers([None if winner < 0 else winner for winner in gathered.winners], np.uint8),
            "findings": np.array(gathered.found, dtype=np.uint32),
            "engine": objects([ENGINE if p.report is None else p.report["engine"] for p in prepared]),
            "sent_at": np.full(count, sent_at, dtype="datetime64[us]"),
            "sample": np.full(count, sample),
            "raw_type": objects([kind_of(p.raw) for p in prepared]),
            "raw": objects([None if p.raw == p.canonical else p.raw for p in prepared]),
            "canonical": objects([p.canonical.decode() for p in prepared]),
        }
        children: dict[str, Columns] = {
            "reports": _kept_reports([p.report for p in prepared]),
            "players": _players(normal, gathered.totals),
            **tables.columns_of(gathered),
        }
        children |= summaries.columns(records["seats"], children)
        return cls(count, records, children)


def insert_batch(connection: duckdb.DuckDBPyConnection, batch: Batch, first: int, seen: Seen | None) -> NDArray[np.bool_]:
    """Inserts the records that are not there yet and were not withdrawn, numbered from `first` by their place, with their children.

    Says for each place whether it is new. Of the same record twice in the batch the first counts. `seen`: the store's, of which this is the
    only writer; None where others write too, and a key outside of this database decides.
    """
    ids: list[bytes] = batch.records["id"].tolist()
    leads = np.zeros(batch.size, dtype=np.bool_)
    leads[list({id: place for place, id in reversed(list(enumerate(ids)))}.values())] = True
    if withdrawn := {id for (id,) in connection.execute("SELECT record FROM withdrawals").fetchall()}:
        leads &= np.array([id not in withdrawn for id in ids], dtype=np.bool_)
    if seen is not None and (known := seen.known(connection, ids)):
        leads &= np.array([id not in known for id in ids], dtype=np.bool_)
    numbers = np.arange(first, first + batch.size, dtype=np.int64)
    rows = {"number": numbers, **batch.records}
    if not leads.all():
        rows = {name: values[leads] for name, values in rows.items()}
    arriving = Arriving(connection)
    new = leads
    if seen is not None:
        arriving.insert("records", rows)
    else:
        stored = arriving.insert("records", rows, "ON CONFLICT DO NOTHING RETURNING number")
        new = np.zeros(batch.size, dtype=np.bool_)
        new[[number - first for (number,) in stored]] = True
    if not new.any():
        return new
    for table, columns in batch.children.items():
        places = columns["record"]
        if not new.all():
            kept = new[places]
            columns = {name: values[kept] for name, values in columns.items()}
        arriving.insert(table, {**columns, "record": columns["record"] + first})
    return new


class Arriving:
    """Columns on their way into tables. SQL knows them by one name, and to register that costs as much as an insert: it is registered once,
    and what stands behind it changes from table to table. Good for one transaction, with which the name may go."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        self._columns: Columns = {"": np.zeros(0)}
        connection.register("arriving", self._columns)

    def insert(self, table: str, columns: Columns, ending: str = "") -> list[tuple[Any, ...]]:
        """Rows in, columns named; nothing is done for none. Masked values become NULL on every release of DuckDB that we take."""
        if not len(next(iter(columns.values()))):
            return []
        self._columns.clear()
        chosen = []
        for name, values in columns.items():
            self._columns[name] = np.ma.getdata(values)
            if np.ma.is_masked(values):
                self._columns[name + " null"] = np.ma.getmaskarray(values)
                chosen.append(f'CASE WHEN "{name} null" THEN NULL ELSE "{name}" END')
            else:
                chosen.append(f'"{name}"')
        names = ", ".join(f'"{name}"' for name in columns)
        return self._connection.execute(f'INSERT INTO "{table}" ({names}) SELECT {", ".join(chosen)} FROM arriving {ending}').fetchall()


def insert(connection: duckdb.DuckDBPyConnection, table: str, columns: Columns) -> None:
    """Rows into one table (`Arriving.insert`)."""
    Arriving(connection).insert(table, columns)


def _kept_reports(reports: Sequence[dict[str, Any] | None]) -> Columns:
    kept = [(place, report) for place, report in enumerate(reports) if report is not None and report["verdict"] not in CLEAN]
    return {
        "record": np.array([place for place, _ in kept], dtype=np.int64),
        "revision": np.ones(len(kept), dtype=np.uint32),
        "engine": objects([report["engine"] for _, report in kept]),
        "explained": np.array(["explanations" in report for _, report in kept], dtype=np.bool_),
        "report": objects([dumps(report).decode() for _, report in kept]),
    }


def _players(records: Sequence[Record], totals: Sequence[Sequence[Number] | None]) -> Columns:
    counts = np.fromiter((len(record.players) for record in records), dtype=np.int64, count=len(records))
    firsts = np.cumsum(counts) - counts
    place = np.repeat(np.arange(len(records), dtype=np.int64), counts)
    seat = np.arange(len(place)) - firsts[place]
    side = seat.copy()
    for teams in np.flatnonzero(np.fromiter((record.sides is not None for record in records), dtype=np.bool_, count=len(records))).tolist():
        side[firsts[teams] : firsts[teams] + counts[teams]] = np.array(_sides_of(records[teams].sides or ())) - 1
    sides = np.zeros(len(records), dtype=np.int64)
    np.maximum.at(sides, place, side + 1)
    sums = [total if total is not None else (np.nan,) * count for total, count in zip(totals, sides.tolist(), strict=True)]
    known = np.fromiter(chain.from_iterable(sums), dtype=np.float64)[(np.cumsum(sides) - sides)[place] + side]
    return {
        "record": place,
        "seat": (seat + 1).astype(np.uint8),
        "side": (side + 1).astype(np.uint8),
        "name": objects([name for record in records for name in record.players]),
        "total": np.ma.masked_array(np.nan_to_num(known), mask=np.isnan(known)),
    }


def _sides_of(sides: Sequence[Sequence[int]]) -> list[int]:
    """The side of each seat, from 1."""
    return [side for _, side in sorted((seat, side) for side, seats in enumerate(sides, 1) for seat in seats)]


def _sides_text(sides: Sequence[Sequence[int]]) -> str:
    return " ".join("+".join(map(str, side)) for side in sides)


def _options_text(record: Record) -> str:
    return orjson.dumps(record.options, option=orjson.OPT_SORT_KEYS).decode() if record.options else "{}"


def objects(values: Sequence[object]) -> Column:
    """Values of any kind as a column; None is NULL."""
    return np.fromiter(values, dtype=object, count=len(values)).view(_Objects)


class _Objects(np.ndarray[Any, Any]):
    """A column that can be asked what DuckDB before 2.0 asks where all that it has looked at is None: of what kind the others are."""

    def first_valid_index(self) -> int | None:
        """The place of the first value that is not None; None where there is none."""
        return next((place for place, value in enumerate(self) if value is not None), None)


def _numbers(values: Sequence[int | float | None], kind: type[np.generic]) -> Column:
    """Numbers of which some are not known."""
    return np.ma.masked_array(
        np.array([0 if value is None else value for value in values], dtype=kind),
        mask=np.array([value is None for value in values], dtype=np.bool_),
    )
