"""Records as rows: the columns of a batch, and how they go into the store.

A batch names its records by their place in it; the store gives the numbers. What is told of play (rounds, seats, actions, yaku, findings)
comes from `analysis.tables`; here are only the rows that say what was sent, by whom, and how it was judged.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import duckdb
import numpy as np
import orjson
from msgspec import Struct
from numpy.typing import NDArray

from analysis import clean, summaries, tables
from analysis.audit import ENGINE, assess
from analysis.gathered import RECORDS, Gathered
from records.engine import Outcome
from records.normal import canonical_of_normal, digest, normalise
from records.record import Record
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

_CALLS: Final = f"[{', '.join('NULL' if word is None else repr(word) for word in tables.CALLS)}]"
"""As a list of SQL."""


class Prepared(Struct, frozen=True, gc=False):
    """A record read and judged, ready to be stored."""

    id: bytes
    """SHA-256 of the normalised form."""
    normal: Record
    canonical: bytes
    raw: bytes
    report: dict[str, Any]
    outcomes: tuple[Outcome | None, ...] | None = None
    """Of the rounds, where they are known."""


def kind_of(raw: bytes) -> str:
    """The content type under which the bytes of a readable record are kept and given back."""
    return JSON if raw[:1] == b"{" or raw.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{") else TEXT


def prepare(record: Record, raw: bytes, report: dict[str, Any]) -> Prepared:
    """A record with what the store keeps beside it."""
    normal = normalise(record)
    form = canonical_of_normal(normal)
    return Prepared(digest(form), normal, form, raw, report)


def prepare_read(read: Sequence[tuple[Record, bytes]]) -> list[Prepared]:
    """Records that were read from these bytes, audited, each with its report."""
    return [_assessed(record, raw) for record, raw in read]


def _assessed(record: Record, raw: bytes) -> Prepared:
    found = assess(record)
    return Prepared(digest(found.canonical), found.normal, found.canonical, raw, found.report, found.outcomes)


class Judged:
    """What is stored of some records: their rows, and of each its id, its normalised form and what was sent."""

    def __init__(self) -> None:
        self.gathered = Gathered()
        self.ids: list[bytes] = []
        self.forms: list[bytes] = []
        self.raws: list[bytes] = []
        self.reports: dict[int, dict[str, Any]] = {}
        """By place, of those that have one written."""

    def add(self, id: bytes, form: bytes, raw: bytes) -> None:
        """A record whose rows are gathered."""
        self.ids.append(id)
        self.forms.append(raw if raw == form else form)  # once in memory
        self.raws.append(raw)

    def add_prepared(self, prepared: Prepared) -> None:
        """A record that has a report."""
        self.reports[len(self.ids)] = prepared.report
        self.add(prepared.id, prepared.canonical, prepared.raw)
        tables.gather(self.gathered, prepared.normal, prepared.report, prepared.outcomes)


def judge_many(read: Iterable[tuple[Record, bytes]]) -> Judged:
    """Records of which most are right: these have no report written, for the store keeps none.

    Nothing is kept of a record but its rows: to hold thousands costs time, too.
    """
    judged = Judged()
    for record, raw in read:
        normal = clean.judge(record, judged.gathered)
        if normal is None:
            judged.add_prepared(_assessed(record, raw))
        else:
            form = canonical_of_normal(normal)
            judged.add(digest(form), form, raw)
    return judged


@dataclass(frozen=True, slots=True)
class Batch:
    """Records as columns. ``record`` in a child table is the place in the batch, from 0."""

    size: int
    records: Columns
    children: dict[str, Columns]

    @classmethod
    def of_prepared(cls, prepared: Iterable[Prepared], sent_at: datetime | Sequence[datetime], sample: bool = False) -> "Batch":
        """The columns of some records that have reports. `sent_at`: of all or of each, UTC, without a zone."""
        judged = Judged()
        for each in prepared:
            judged.add_prepared(each)
        return cls.of(judged, sent_at, sample)

    @classmethod
    def of(cls, judged: Judged, sent_at: datetime | Sequence[datetime], sample: bool = False) -> "Batch":
        """The columns of some records. `sent_at`: of all or of each, UTC, without a zone."""
        gathered = judged.gathered
        count = len(judged.ids)
        told = tables.numbers_of(gathered.records, RECORDS)
        first = gathered.first
        table = told["table"]
        seats = np.array([len(record.players) for record in first], dtype=np.uint8)[table]
        engine = np.full(count, ENGINE, dtype=object)
        for place, report in judged.reports.items():
            engine[place] = report["engine"]
        records: Columns = {
            "id": objects(judged.ids),
            "variant": objects([record.variant for record in first])[table],
            "options": objects([_options_text(record) for record in first])[table],
            "seats": seats,
            "sides": objects([_sides_text(record.sides) if record.sides else None for record in first])[table],
            "rounds": told["rounds"].astype(np.uint16),
            "event": objects(gathered.events),
            "site": objects(gathered.sites),
            "date": objects(gathered.dates),
            "verdict": tables.words_of(gathered)[told["verdict"]],
            "winner": tables.unless_negative(told["winner"], np.uint8),
            "findings": told["found"].astype(np.uint32),
            "engine": engine,
            "sent_at": np.full(count, sent_at, dtype="datetime64[us]"),
            "sample": np.full(count, sample),
            "raw_type": objects([kind_of(raw) for raw in judged.raws]),
            "raw": objects([None if raw is form else raw for raw, form in zip(judged.raws, judged.forms, strict=True)]),
            "canonical": objects([form.decode() for form in judged.forms]),
        }
        children: dict[str, Columns] = {
            "reports": _kept_reports(judged.reports),
            "players": _players(gathered, seats, table),
            **tables.columns_of(gathered),
        }
        children |= summaries.columns(seats, children)
        return cls(count, records, children)


def insert_batch(connection: duckdb.DuckDBPyConnection, batch: Batch, first: int, seen: Seen | None) -> NDArray[np.bool_]:
    """Inserts the records that are not there yet and were not withdrawn, numbered from `first` by their place, with their children.

    Says for each place whether it is new. Of the same record twice in the batch the first counts. `seen`: the store's, of which this is the
    only writer; None where others write too, and a key outside of this database decides.
    """
    ids: list[bytes] = batch.records["id"].tolist()
    leads = np.ones(batch.size, dtype=np.bool_)
    if len(set(ids)) < batch.size:
        leads[:] = False
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
            elif (table, name) == ("actions", "call"):
                chosen.append(f'{_CALLS}["{name}" + 1]')
            else:
                chosen.append(f'"{name}"')
        names = ", ".join(f'"{name}"' for name in columns)
        return self._connection.execute(f'INSERT INTO "{table}" ({names}) SELECT {", ".join(chosen)} FROM arriving {ending}').fetchall()


def insert(connection: duckdb.DuckDBPyConnection, table: str, columns: Columns) -> None:
    """Rows into one table (`Arriving.insert`)."""
    Arriving(connection).insert(table, columns)


def _kept_reports(reports: Mapping[int, dict[str, Any]]) -> Columns:
    kept = [(place, report) for place, report in reports.items() if report["verdict"] not in CLEAN]
    return {
        "record": np.array([place for place, _ in kept], dtype=np.int64),
        "revision": np.ones(len(kept), dtype=np.uint32),
        "engine": objects([report["engine"] for _, report in kept]),
        "explained": np.array(["explanations" in report for _, report in kept], dtype=np.bool_),
        "report": objects([dumps(report).decode() for _, report in kept]),
    }


def _players(gathered: Gathered, seats: Column, table: Column) -> Columns:
    """`seats`: how many there are at each record's table; `table`: which that is."""
    place = np.repeat(np.arange(len(seats), dtype=np.int64), seats)
    seat = np.arange(len(place)) - (np.cumsum(seats, dtype=np.int64) - seats)[place]
    return {
        "record": place,
        "seat": (seat + 1).astype(np.uint8),
        "side": tables.sides_of(gathered)[table[place], seat],
        "name": objects(gathered.names),
        "total": tables.unless_nan(np.frombuffer(gathered.totals.getvalue(), dtype="<f8")),
    }


def _sides_text(sides: Sequence[Sequence[int]]) -> str:
    return " ".join("+".join(map(str, side)) for side in sides)


def _options_text(record: Record) -> str:
    return orjson.dumps(record.options, option=orjson.OPT_SORT_KEYS).decode() if record.options else "{}"


def objects(values: Sequence[object]) -> Column:
    """Values of any kind as a column; None is NULL."""
    return np.fromiter(values, dtype=object, count=len(values)).view(_Objects)


def concatenated(parts: Sequence[Column]) -> Column:
    """The columns of several batches, one behind the other."""
    if any(isinstance(part, np.ma.MaskedArray) for part in parts):
        return np.ma.concatenate(parts)  # type: ignore[no-any-return,no-untyped-call]  # it says none
    whole = np.concatenate(parts)
    return whole.view(_Objects) if whole.dtype == object else whole


class _Objects(np.ndarray[Any, Any]):
    """A column that can be asked what DuckDB before 2.0 asks where all that it has looked at is None: of what kind the others are."""

    def first_valid_index(self) -> int | None:
        """The place of the first value that is not None; None where there is none."""
        return next((place for place, value in enumerate(self) if value is not None), None)
