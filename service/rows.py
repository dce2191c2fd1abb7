"""Records as rows: the columns of a batch, and how they go into the store.

A batch names its records by their place in it; the store gives the numbers. What is told of play (rounds, seats, actions, yaku, findings)
comes from `analysis.tables`; here are only the rows that say what was sent, by whom, and how it was judged.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import duckdb
import numpy as np
import orjson
from numpy.typing import NDArray

from analysis import clean, tables
from analysis.audit import ENGINE, Assessed, assess
from analysis.clean import Clean
from analysis.tables import Told
from records.normal import canonical_of_normal, normalise
from records.record import Record
from service.jsons import dumps

Column = NDArray[Any]
Columns = dict[str, Column]

JSON: Final = "application/json"
TEXT: Final = "text/plain"

CLEAN: Final = clean.VERDICTS
"""Verdicts whose reports are not kept: they come out of the record again."""
CHILDREN: Final = ("reports", "players", "rounds", "seats", "actions", "yaku", "findings", "changes")
"""Tables whose rows name a record by its number."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A record read and audited, ready to be stored."""

    id: bytes
    """SHA-256 of the normalised form."""
    normal: Record
    canonical: bytes
    raw: bytes
    raw_type: str
    told: Told
    report: dict[str, Any] | None
    """None: nothing was found, and none was written."""
    sent_at: datetime
    """UTC, without a zone."""
    sample: bool = False


def kind_of(raw: bytes) -> str:
    """The content type under which the bytes of a readable record are kept and given back."""
    return JSON if raw[:1] == b"{" or raw.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{") else TEXT


def prepare(record: Record, raw: bytes, raw_type: str, report: dict[str, Any], sent_at: datetime, sample: bool = False) -> Prepared:
    """A record with what the store keeps beside it."""
    normal = normalise(record)
    form = canonical_of_normal(normal)
    return Prepared(hashlib.sha256(form).digest(), normal, form, raw, raw_type, tables.of_report(record, report), report, sent_at, sample)


def prepare_read(read: Sequence[tuple[Record, bytes]], sent_at: datetime, sample: bool = False) -> list[Prepared]:
    """Records that were read from these bytes, audited, each with its report."""
    return [_assessed(record, raw, assess(record), sent_at, sample) for record, raw in read]


def prepare_many(read: Sequence[tuple[Record, bytes]], sent_at: datetime) -> list[Prepared]:
    """The same for many at a time, of which most are right: these have no report written, for the store keeps none."""
    prepared = []
    for record, raw in read:
        found = clean.judge(record)
        if isinstance(found, Clean):
            id = hashlib.sha256(found.canonical).digest()
            prepared.append(Prepared(id, found.normal, found.canonical, raw, kind_of(raw), found.told, None, sent_at))
        else:
            prepared.append(_assessed(record, raw, assess(record, examined=found), sent_at, False))
    return prepared


def _assessed(record: Record, raw: bytes, found: Assessed, sent_at: datetime, sample: bool) -> Prepared:
    id = hashlib.sha256(found.canonical).digest()
    told = tables.of_report(record, found.report, found.outcomes)
    return Prepared(id, found.normal, found.canonical, raw, kind_of(raw), told, found.report, sent_at, sample)


@dataclass(frozen=True, slots=True)
class Batch:
    """Records as columns. ``record`` in a child table is the place in the batch, from 0."""

    size: int
    records: Columns
    children: dict[str, Columns]

    @classmethod
    def of(cls, prepared: Sequence[Prepared]) -> "Batch":
        """The columns of some records."""
        normal = [p.normal for p in prepared]
        told = [p.told for p in prepared]
        records: Columns = {
            "id": objects(p.id for p in prepared),
            "variant": objects(record.variant for record in normal),
            "options": objects(_options_text(record) for record in normal),
            "seats": np.array([len(record.players) for record in normal], dtype=np.uint8),
            "sides": objects(_sides_text(record.sides) for record in normal),
            "rounds": np.array([len(record.rounds) for record in normal], dtype=np.uint16),
            "event": objects(record.event.name for record in normal),
            "site": objects(record.event.site for record in normal),
            "date": objects(record.event.date for record in normal),
            "verdict": objects(each.verdict for each in told),
            "winner": _numbers([each.winner for each in told], np.uint8),
            "findings": np.array([_count(each) for each in told], dtype=np.uint32),
            "engine": objects(p.report["engine"] if p.report is not None else ENGINE for p in prepared),
            "sent_at": np.array([p.sent_at for p in prepared], dtype="datetime64[us]"),
            "sample": np.array([p.sample for p in prepared], dtype=np.bool_),
            "raw_type": objects(p.raw_type for p in prepared),
            "raw": objects(None if p.raw == p.canonical else p.raw for p in prepared),
            "canonical": objects(p.canonical.decode() for p in prepared),
        }
        children: dict[str, Columns] = {
            "reports": _kept_reports([p.report for p in prepared]),
            "players": _players(normal, told),
            **tables.columns_of(told),
        }
        return cls(len(prepared), records, children)


def insert_batch(connection: duckdb.DuckDBPyConnection, batch: Batch, first: int) -> NDArray[np.bool_]:
    """Inserts the records that are not there yet and were not withdrawn, numbered from `first` by their place, with their children.

    Says for each place whether it is new. Of the same record twice in the batch the first counts.
    """
    ids: list[bytes] = batch.records["id"].tolist()
    leads = np.zeros(batch.size, dtype=np.bool_)
    leads[list({id: place for place, id in reversed(list(enumerate(ids)))}.values())] = True
    if withdrawn := {id for (id,) in connection.execute("SELECT record FROM withdrawals").fetchall()}:
        leads &= np.array([id not in withdrawn for id in ids], dtype=np.bool_)
    numbers = np.arange(first, first + batch.size, dtype=np.int64)
    rows = {"number": numbers, **batch.records}
    if not leads.all():
        rows = {name: values[leads] for name, values in rows.items()}
    arriving = Arriving(connection)
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
        "engine": objects(report["engine"] for _, report in kept),
        "explained": np.array(["explanations" in report for _, report in kept], dtype=np.bool_),
        "report": objects(dumps(report).decode() for _, report in kept),
    }


def _players(records: Sequence[Record], told: Sequence[Told]) -> Columns:
    rows = [
        (place, seat, side, name, totals[side - 1] if totals else None)
        for place, (record, totals) in enumerate(zip(records, (each.totals for each in told), strict=True))
        for seat, name in enumerate(record.players, 1)
        for side in (_side_of(seat, record.sides),)
    ]
    return {
        "record": np.array([row[0] for row in rows], dtype=np.int64),
        "seat": np.array([row[1] for row in rows], dtype=np.uint8),
        "side": np.array([row[2] for row in rows], dtype=np.uint8),
        "name": objects(row[3] for row in rows),
        "total": _numbers([row[4] for row in rows], np.float64),
    }


def _side_of(seat: int, sides: Sequence[Sequence[int]] | None) -> int:
    return seat if sides is None else next(number for number, side in enumerate(sides, 1) if seat in side)


def _sides_text(sides: Sequence[Sequence[int]] | None) -> str | None:
    return " ".join("+".join(map(str, side)) for side in sides) if sides else None


def _options_text(record: Record) -> str:
    return orjson.dumps(record.options, option=orjson.OPT_SORT_KEYS).decode() if record.options else "{}"


def _count(told: Told) -> int:
    return len(told.findings) + sum(len(each.findings) for each in told.rounds)


def objects(values: Iterable[object]) -> Column:
    """Values of any kind as a column; None is NULL."""
    return np.fromiter(values, dtype=object)


def _numbers(values: Sequence[int | float | None], kind: type[np.generic]) -> Column:
    """Numbers of which some are not known."""
    return np.ma.masked_array(
        np.array([0 if value is None else value for value in values], dtype=kind),
        mask=np.array([value is None for value in values], dtype=np.bool_),
    )
