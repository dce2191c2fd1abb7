"""The desk: what pages, API and commands ask of the product, over one open store. Implements `web.contexts.Desk`.

Reading, judging and showing are asked of `records` and `analysis`; here records come in, are kept, and are found again.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import duckdb
import numpy as np
import orjson
from numpy.typing import NDArray

from analysis import statistics
from analysis.audit import audit
from analysis.positions import positions
from analysis.variants import describe, list_variants
from records.formats import read_record, to_text
from records.record import Record
from service import queries
from service.jsons import dumps
from service.rows import CHILDREN, CLEAN, JSON, TEXT, Batch, Prepared, insert_batch, prepare_read
from service.store import Store
from web.contexts import Added, Json, Numbers, Page, StoredRecord


class Desk:
    """One store at work. Safe to use from many threads."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._next = store.read("SELECT coalesce(max(number), 0) + 1 FROM records")[0][0]
        # The writer alone counts on from here.

    def records(self, filters: Mapping[str, str], sort: str, cursor: str | None, limit: int) -> Page:
        """A page of the list (`service.queries`). Raises ValueError for a filter, a sort or a cursor that is none."""
        return queries.page(self.store, filters, sort, cursor, limit)

    def count(self, filters: Mapping[str, str]) -> int:
        """How many records the filters leave. Raises ValueError for a filter that is none."""
        return queries.count(self.store, filters)

    def record(self, id: str) -> StoredRecord | None:
        """A record with its report, explanations looked for; None where there is none of that id."""
        if (key := read_id(id)) is None or (found := queries.sent(self.store, key)) is None:
            return None
        number, raw, raw_type, sent_at, sample, canonical = found
        record = read_record(canonical)
        return StoredRecord(key.hex(), record, raw, raw_type, self._report(number, record), sent_at, sample)

    def form(self, id: str, form: str) -> tuple[bytes, str] | None:
        """A record in a form, and its content type: canonical ``json`` (whose SHA-256 is the id), ``text``, or ``sent``, the bytes as they
        came. None where there is none of that id."""
        key = read_id(id)
        if key is None or (found := queries.sent(self.store, key)) is None:
            return None
        _, raw, raw_type, _, _, canonical = found
        if form == "sent":
            return raw, raw_type
        if form == "text":
            return to_text(read_record(canonical)).encode(), TEXT
        return canonical.encode(), JSON

    def add(self, raw: bytes, content_type: str = "", sample: bool = False) -> Added:
        """Reads, audits and stores one record. Raises RecordErrors with every fault; then nothing is stored."""
        return self.add_read([(read_record(raw), raw)], sample)[0]

    def add_read(self, read: Sequence[tuple[Record, bytes]], sample: bool = False) -> list[Added]:
        """Audits and stores records that were read from these bytes, in one commit: all or none."""
        if not read:
            return []
        prepared = prepare_read(read, now(), sample)
        new = self.store.write(self._insert_groups, prepared).result()
        return [Added(p.id.hex(), bool(is_new), p.report) for p, is_new in zip(prepared, new, strict=True)]

    def audit(self, raw: bytes, content_type: str = JSON) -> Json:
        """The report of one record, explanations looked for; nothing stored. Raises as `add` does."""
        return audit(read_record(raw), explain=True)

    def reaudit(self, id: str, options: Mapping[str, Any]) -> Json:
        """The report that a record would have under other options. Raises KeyError for an id that is not there."""
        return audit(self._normalised(id), options=options)

    def positions(self, id: str, round: int | None = None) -> Json:
        """The position after each step of one round (from 1) or of all. Raises KeyError for an id that is not there, IndexError for a
        round that is not."""
        return positions(self._normalised(id), round)

    def variants(self) -> list[Json]:
        """Every game in a few words."""
        return list_variants()

    def variant(self, id: str) -> Json:
        """A game's rules as data. Raises KeyError for an id that is none."""
        return describe(id)

    def stats(self, name: str, filters: Mapping[str, str]) -> Numbers:
        """The numbers behind a chart, for the records that the filters leave. Raises KeyError for a name that is none."""
        where = queries.condition(filters)
        found = statistics.answer(self.store.cursor(), name, where.sql, where.parameters)
        parameters = {str(place): value for place, value in enumerate(where.parameters, 1)}
        return Numbers(found.columns, found.rows, found.sql, parameters)

    def remove_samples(self) -> int:
        """Removes the records that came with the product; returns how many."""
        return self.store.write(_remove_samples, None).result()

    def _normalised(self, id: str) -> Record:
        found = self.form(id, "json")
        if found is None:
            raise KeyError(id)
        return read_record(found[0])

    def _report(self, number: int, record: Record) -> Json:
        """The report in force. That of a clean record comes out of it again; explanations are worked out once and kept."""
        kept = self.store.read("SELECT revision, explained, report FROM reports WHERE record = ? ORDER BY revision DESC LIMIT 1", (number,))
        if kept and kept[0][1]:
            report: Json = orjson.loads(kept[0][2])
            return report
        report = audit(record, explain=True)
        if report["verdict"] not in CLEAN:
            row = (number, kept[0][0] + 1 if kept else 1, report["engine"], dumps(report).decode())
            self.store.write(_keep_report, row).result()
        return report

    def insert(self, connection: duckdb.DuckDBPyConnection, batch: Batch) -> NDArray[np.bool_]:
        """A step of the writer's, inside its transaction: the records of a batch that are not there yet. Says of each whether it is new."""
        new = insert_batch(connection, batch, self._next)
        self._next += batch.size
        return new

    def _insert_groups(self, connection: duckdb.DuckDBPyConnection, groups: Sequence[Sequence[Prepared]]) -> list[NDArray[np.bool_]]:
        """The same for all that wait together, as one batch: its columns cost hardly more than those of one record."""
        new = self.insert(connection, Batch.of([prepared for group in groups for prepared in group]))
        return np.split(new, np.cumsum([len(group) for group in groups])[:-1])


def read_id(text: str) -> bytes | None:
    """The hash in a record's id as people write it: 64 hex digits, with or without ``sha256:``; None where it is no id."""
    digits = text.removeprefix("sha256:")
    return bytes.fromhex(digits) if re.fullmatch(r"[0-9a-fA-F]{64}", digits) else None


def now() -> datetime:
    """UTC, without a zone, as the store keeps it."""
    return datetime.now(UTC).replace(tzinfo=None)


def _keep_report(connection: duckdb.DuckDBPyConnection, rows: Sequence[tuple[int, int, str, str]]) -> Sequence[None]:
    for row in rows:
        connection.execute("INSERT INTO reports (record, revision, engine, explained, report) VALUES (?, ?, ?, true, ?)", row)
    return [None] * len(rows)


def _remove_samples(connection: duckdb.DuckDBPyConnection, calls: Sequence[None]) -> Sequence[int]:
    for table in CHILDREN:
        connection.execute(f"DELETE FROM {table} WHERE record IN (SELECT number FROM records WHERE sample)")
    for table in ("acts", "log"):  # a sample's case goes with it
        connection.execute(f"DELETE FROM {table} WHERE record IN (SELECT id FROM records WHERE sample)")
    removed = connection.execute("DELETE FROM records WHERE sample RETURNING number").fetchall()
    return [len(removed)] + [0] * (len(calls) - 1)
