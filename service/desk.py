"""The desk: what pages, API and commands ask of the product, over one open store. Implements `web.contexts.Desk`.

Reading, judging and showing are asked of `records` and `analysis`; here records come in, are kept, and are found again.
"""

import re
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import orjson
from numpy.typing import NDArray

from analysis import players
from analysis.audit import audit
from analysis.positions import positions
from analysis.variants import describe, list_variants
from records import normal
from records.formats import read_record, to_text
from records.normal import identity
from records.record import Record
from service import queries
from service.accounts.pseudonyms import Pseudonyms, in_force
from service.answers import Answers
from service.arrivals import Arrival, Arrivals
from service.charts import Charts
from service.courtesy import Courtesy
from service.exports import export
from service.jsons import dumps
from service.places import claim
from service.queries import Condition
from service.rows import CHILDREN, CLEAN, JSON, TEXT, Batch, Prepared, insert_batch, prepare_read
from service.store import Store
from web.contexts import Added, Json, Numbers, Page, StoredRecord


class Guard:
    """Who sees what, and whose is what is sent. This one, of a store without accounts, lets everybody see everything."""

    def scope(self) -> Condition:
        """The records that whoever asks may see."""
        return queries.ALL

    def account(self) -> str | None:
        """Whose is what is sent now; None: the store's owner's."""
        return None

    def sees_import(self, account: str | None) -> bool:
        """Whether whoever asks may see an import of this account's."""
        return True


class Desk:
    """One store at work. Safe to use from many threads."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.guard = Guard()
        """Whose requests these are, and what they may see; accounts put theirs here (`service.accounts.guard`)."""
        self._answers = Answers(store)
        self._charts = Charts(store, self._answers)
        self._arrivals = Arrivals(store)
        self.courtesy = Courtesy()
        """Requests that look say so here."""
        self._turn = threading.Lock()
        """One thread judges what came on pages: the interpreter runs one anyway, and who looks at a page then has one rival for it."""

    def records(self, filters: Mapping[str, str], sort: str, cursor: str | None, limit: int) -> Page:
        """A page of the list (`service.queries`). Raises ValueError for a filter, a sort or a cursor that is none."""
        scope = self.guard.scope()
        question = ("records", _asked(filters), sort, cursor, limit, _asked(scope))
        return self._answers.of(
            question, lambda: queries.page(self.store, filters, sort, cursor, limit, scope), lambda page: 1 + len(page.items)
        )

    def count(self, filters: Mapping[str, str]) -> int:
        """How many records the filters leave. Raises ValueError for a filter that is none."""
        scope = self.guard.scope()
        return self._answers.of(("count", _asked(filters), _asked(scope)), lambda: queries.count(self.store, filters, scope))

    def record(self, id: str) -> StoredRecord | None:
        """A record as it leaves the store, under pseudonyms where there are any, with its report, explanations looked for; None where
        there is none of that id. Its address stays the id of what was sent."""
        found = self.original(id)
        names = self.pseudonyms()
        if found is None or (shown := names.record(found.record)) is found.record:
            return found
        report = names.value(found.report) | {"record": identity(shown)}
        return StoredRecord(found.id, shown, normal.canonical(shown), JSON, report, found.sent_at, found.sample)

    def original(self, id: str) -> StoredRecord | None:
        """A record as it was sent, whatever pseudonyms there are: not to be shown."""
        if (key := read_id(id)) is None or (found := queries.sent(self.store, key, self.guard.scope())) is None:
            return None
        number, raw, raw_type, sent_at, sample, canonical = found
        record = read_record(canonical)
        return StoredRecord(key.hex(), record, raw, raw_type, self._report(number, record), sent_at, sample)

    def pseudonyms(self) -> Pseudonyms:
        """By which names players are shown."""
        return in_force(self.store)

    def sees(self, id: str) -> bool:
        """Whether there is a record of that id for whoever asks."""
        return (key := read_id(id)) is not None and queries.sent(self.store, key, self.guard.scope()) is not None

    def form(self, id: str, form: str) -> tuple[bytes, str] | None:
        """A record in a form, and its content type: canonical ``json`` (whose SHA-256 is the id), ``text``, or ``sent``, the bytes as they
        came. None where there is none of that id."""
        key = read_id(id)
        if key is None or (found := queries.sent(self.store, key, self.guard.scope())) is None:
            return None
        _, raw, raw_type, _, _, canonical = found
        names = self.pseudonyms()
        if names.by_name and (shown := names.record(record := read_record(canonical))) is not record:
            canonical = normal.canonical(shown).decode()
            raw, raw_type = canonical.encode(), JSON
        if form == "sent":
            return raw, raw_type
        if form == "text":
            return to_text(read_record(canonical)).encode(), TEXT
        return canonical.encode(), JSON

    def add(self, raw: bytes, content_type: str = "", sample: bool = False) -> Added:
        """Reads, audits and stores one record. Raises RecordErrors with every fault; then nothing is stored."""
        return self.add_read([(read_record(raw), raw)], sample)[0]

    def receive(self, raw: bytes) -> Added:
        """As `add`, for many who each send one: durable when this returns, and there for whoever catches up first. In the lane
        (`service.lane`) others have their turns meanwhile."""
        if self.store.shared:
            return self.add(raw)
        (prepared,) = prepare_read([(read_record(raw), raw)])
        new = self._arrivals.keep(Arrival(prepared, self.guard.account(), now()))
        return Added(prepared.id.hex(), new, prepared.report)

    def catch_up(self, id: str | None = None) -> None:
        """Behind this everything is to be seen that was received before it, or this record, if it was."""
        if id is None or ((key := read_id(id)) is not None and self._arrivals.waits(key)):
            self._arrivals.place()

    def add_read(self, read: Sequence[tuple[Record, bytes]], sample: bool = False) -> list[Added]:
        """Audits and stores records that were read from these bytes, in one commit: all or none."""
        if not read:
            return []
        self.catch_up()
        with self._turn:
            prepared = prepare_read(read)
        new = self.store.write(self._insert_groups, (prepared, sample, self.guard.account())).result()
        return [Added(p.id.hex(), bool(is_new), p.report) for p, is_new in zip(prepared, new, strict=True)]

    def put(self, batch: Batch) -> int:
        """Stores the records of a batch that are not there yet, in one commit (`service.batches`); returns how many were new."""
        return self.putting(batch).result()

    def putting(self, batch: Batch) -> "Future[int]":
        """As `put`, for who has something else to do meanwhile."""
        self.catch_up()
        return self.store.write(self._put, (batch, self.guard.account()))

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

    def stats(self, name: str, filters: Mapping[str, str], seconds: float = 0.0) -> Numbers:
        """The numbers behind a chart (`service.charts`). Raises KeyError for a name that is none, ValueError for a filter or a role."""
        return self._charts.numbers(name, filters, self.guard.scope(), seconds)

    def players(self) -> list[Json]:
        """Who is in the records (`analysis.players`), by the names that are shown."""
        where = self.guard.scope()

        def ask() -> list[Json]:
            return players.listed(self.store.cursor(), where.sql, where.parameters, "shown_players").named()

        return self._answers.of(("players", _asked(where)), ask, len)

    def player(self, name: str) -> tuple[list[Json], list[Json]]:
        """A player's results by game and role, and the yaku made."""
        where = self.guard.scope()

        def ask() -> tuple[list[Json], list[Json]]:
            asked = (name, where.sql, where.parameters, self._charts.results())
            return players.results(self.store.cursor(), *asked).named(), players.yaku(self.store.cursor(), *asked).named()

        return self._answers.of(("player", name, _asked(where)), ask, lambda found: sum(map(len, found)))

    def export(self, table: str, form: str, filters: Mapping[str, str]) -> Path:
        """A table as a file (`service.exports`)."""
        return export(self.store, table, form, filters, self.guard.scope())

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

    def insert(self, connection: duckdb.DuckDBPyConnection, batch: Batch, account: str | None = None) -> NDArray[np.bool_]:
        """A step of the writer's, inside its transaction: the records of a batch that are not there yet. Says of each whether it is new.
        `account`: who sent them, where somebody says so."""
        if account is not None:
            claim(connection, [(batch.records["id"].tolist(), account)])
        return insert_batch(connection, batch, self.store.numbers(connection, batch.size), self.store.seen)

    def _put(self, connection: duckdb.DuckDBPyConnection, sent: Sequence[tuple[Batch, str | None]]) -> list[int]:
        return [int(self.insert(connection, batch, account).sum()) for batch, account in sent]

    def _insert_groups(
        self, connection: duckdb.DuckDBPyConnection, groups: Sequence[tuple[Sequence[Prepared], bool, str | None]]
    ) -> list[NDArray[np.bool_]]:
        """The same for all that wait together, samples or not, whoever sent them, as one batch: its columns cost hardly more than those of
        one record."""
        claim(connection, [([one.id for one in prepared], account) for prepared, _, account in groups if account is not None])
        new: list[NDArray[np.bool_]] = []
        for sample, run in groupby(groups, key=lambda group: group[1]):
            together = [prepared for prepared, _, _ in run]
            found = self.insert(connection, Batch.of_prepared([one for prepared in together for one in prepared], now(), sample))
            new += np.split(found, np.cumsum([len(prepared) for prepared in together])[:-1])
        return new


def _asked(asked: Mapping[str, str] | Condition) -> str:
    """What bears on an answer, as part of a question (`service.answers`)."""
    return repr(sorted(asked.items()) if isinstance(asked, Mapping) else asked)


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
    ((removed,),) = connection.execute("SELECT count(*) FROM records WHERE sample").fetchall()
    connection.execute("DELETE FROM records WHERE sample")
    return [removed] + [0] * (len(calls) - 1)
