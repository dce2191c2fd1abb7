"""When the engine changes: every report derived anew, the old one kept beside it, and a list of what it changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import duckdb
import orjson

from analysis.audit import ENGINE, audit
from analysis.differences import differences
from analysis.summaries import SUMMARIES
from records.formats import read_record
from records.record import Record
from service.acts import REAUDITED, append_entry, written
from service.chain import digest
from service.desk import now
from service.jsons import dumps
from service.rows import CLEAN, Batch, insert, prepare
from service.store import Store
from web.cases import Change
from web.contexts import StoredRecord

Json = dict[str, Any]

A_BATCH: Final = 200
_LAST_OF: Final = "SELECT report FROM reports WHERE record = ? AND engine = ? AND revision <= ? ORDER BY revision DESC LIMIT 1"
_REPLACED: Final = ("rounds", "seats", "actions", "yaku", "findings", "players", *SUMMARIES)
"""Tables whose rows say what the report says; those of a record that is judged otherwise are written anew."""


@dataclass(frozen=True, slots=True)
class Reaudited:
    """How far a run has got."""

    audited: int
    changed: int
    next: int | None
    """The number to go on behind; None at the end."""


@dataclass(frozen=True, slots=True)
class _Anew:
    """A record that was audited anew."""

    number: int
    record: Record
    before: Json
    after: Json
    changed: bool
    verdict_changed: bool


def reaudit(store: Store, after: int = -1, limit: int = A_BATCH) -> Reaudited:
    """Audits anew the next records, behind the number `after`, whose report is another engine's. What was done stays done."""
    rows = store.read(
        "SELECT number, canonical, engine, verdict FROM records WHERE number > ? AND engine <> ? ORDER BY number LIMIT ?",
        (after, ENGINE, limit),
    )
    anew = [_audited(store, number, read_record(form), engine, verdict) for number, form, engine, verdict in rows]
    if anew:
        store.write(_keep, anew).result()
    return Reaudited(len(anew), sum(each.changed for each in anew), rows[-1][0] if len(rows) == limit else None)


def change(store: Store, id: bytes) -> Change | None:
    """The last change of a record's report, with both reports held against each other; None where there was none."""
    found = _changes(store, "r.id = ?", (id,), "c.revision DESC")
    return found[0] if found else None


def changed(store: Store) -> list[Change]:
    """Every record whose verdict another engine changed, the latest first."""
    return _changes(store, "c.verdict_before <> c.verdict", (), "c.changed_at DESC, c.record DESC")


def note(store: Store, kept: StoredRecord) -> None:
    """Writes into a case's log that its report is another engine's than the last entry knows; where nothing was ever logged, nothing."""
    store.write(_note, (bytes.fromhex(kept.id), f"sha256:{digest(kept.report)}", str(kept.report["engine"]))).result()


def _changes(store: Store, where: str, parameters: Sequence[object], order: str) -> list[Change]:
    rows = store.read(
        "SELECT r.id, c.record, c.changed_at, c.engine_before, c.engine, c.verdict_before, c.verdict, c.revision FROM changes c "
        f"JOIN records r ON r.number = c.record WHERE {where} ORDER BY {order}",
        parameters,
    )
    found = []
    for id, number, at, engine_before, engine, verdict_before, verdict, revision in rows:
        before, after = (orjson.loads(store.read(_LAST_OF, (number, by, revision))[0][0]) for by in (engine_before, engine))
        found.append(Change(id.hex(), at, engine_before, engine, verdict_before, verdict, differences(before, after)))
    return found


def _audited(store: Store, number: int, record: Record, engine: str, verdict: str) -> _Anew:
    kept = store.read("SELECT report FROM reports WHERE record = ? AND engine = ? ORDER BY revision DESC LIMIT 1", (number, engine))
    after = audit(record, explain=True)
    before: Json = orjson.loads(kept[0][0]) if kept else _remembered(store, number, engine, verdict)
    if not kept:  # The tables do not tell no yaku from yaku that are not counted.
        for was, is_now in zip(before["rounds"], after["rounds"], strict=True):
            was["yaku"] = None if is_now["yaku"] is None and not any(was["yaku"]) else was["yaku"]
    return _Anew(number, record, before, after, bool(differences(before, after)), before["verdict"] != after["verdict"])


def _remembered(store: Store, number: int, engine: str, verdict: str) -> Json:
    """The report of a clean record, of which only the tables were kept: all but ledger and wordings."""
    sides = store.read("SELECT side, any_value(total) FROM players WHERE record = ? GROUP BY side ORDER BY side", (number,))
    totals = [_number(total) for _, total in sides]
    rounds = []
    for round_, level, end, judged, winner, next_dealer in store.read(
        'SELECT round, level, "end", verdict, winner, next_dealer FROM rounds WHERE record = ? ORDER BY round', (number,)
    ):
        by_side = store.read(
            "SELECT any_value(points), any_value(score) FROM seats WHERE record = ? AND round = ? GROUP BY side ORDER BY side",
            (number, round_),
        )
        yaku: list[list[Json]] = [[] for _ in by_side]
        for side, seat, id, worth, action, negated in store.read(
            "SELECT side, seat, yaku, points, action, negated FROM yaku WHERE record = ? AND round = ? ORDER BY side", (number, round_)
        ):
            yaku[side - 1].append({"id": id, "points": worth, "action": action, "seat": seat, "negated": negated})
        points = [_number(each) for each, _ in by_side]
        scores = [_number(each) for _, each in by_side]
        rounds.append(
            {
                "round": round_,
                "level": level,
                "end": end,
                "verdict": judged,
                "points": None if None in points else points,
                "yaku": yaku,
                "scores": None if None in scores else scores,
                "winner": winner,
                "next_dealer": next_dealer,
                "ledger": [],
                "findings": [],
                "possible": [],
            }
        )
    ((winner,),) = store.read("SELECT winner FROM records WHERE number = ?", (number,))
    known = None if None in totals else totals
    return {"engine": engine, "verdict": verdict, "rounds": rounds, "totals": known, "winner": winner, "findings": []}


def _number(value: float | None) -> int | float | None:
    return int(value) if value is not None and value == int(value) else value


def _keep(connection: duckdb.DuckDBPyConnection, batches: Sequence[Sequence[_Anew]]) -> Sequence[None]:
    for each in (each for batch in batches for each in batch):
        if each.changed:
            _keep_changed(connection, each)
        elif each.after["verdict"] not in CLEAN:
            _keep_report(connection, each.number, each.after)
        connection.execute(
            "UPDATE records SET engine = ?, verdict = ?, winner = ?, findings = ? WHERE number = ?",
            (ENGINE, each.after["verdict"], each.after["winner"], _count(each.after), each.number),
        )
    return [None] * len(batches)


def _keep_changed(connection: duckdb.DuckDBPyConnection, each: _Anew) -> None:
    """Both reports, what changed, and the tables as the new report has them."""
    engine = each.before["engine"]
    if not connection.execute("SELECT 1 FROM reports WHERE record = ? AND engine = ?", (each.number, engine)).fetchall():
        _keep_report(connection, each.number, each.before, explained=False)
    revision = _keep_report(connection, each.number, each.after)
    connection.execute(
        "INSERT INTO changes (record, changed_at, revision, engine_before, engine, verdict_before, verdict) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (each.number, now(), revision, engine, ENGINE, each.before["verdict"], each.after["verdict"]),
    )
    batch = Batch.of_prepared([prepare(each.record, b"", each.after)], now())
    for table in _REPLACED:
        connection.execute(f"DELETE FROM {table} WHERE record = ?", (each.number,))
        columns = batch.children[table]
        insert(connection, table, {**columns, "record": columns["record"] + each.number})
    (id,) = connection.execute("SELECT id FROM records WHERE number = ?", (each.number,)).fetchall()[0]
    _note(connection, [(id, f"sha256:{digest(each.after)}", ENGINE)])


def _keep_report(connection: duckdb.DuckDBPyConnection, number: int, report: Json, explained: bool = True) -> int:
    ((revision,),) = connection.execute("SELECT coalesce(max(revision), 0) + 1 FROM reports WHERE record = ?", (number,)).fetchall()
    connection.execute(
        "INSERT INTO reports (record, revision, engine, explained, report) VALUES (?, ?, ?, ?, ?)",
        (number, revision, report["engine"], explained, dumps(report).decode()),
    )
    return int(revision)


def _note(connection: duckdb.DuckDBPyConnection, reports: Sequence[tuple[bytes, str, str]]) -> Sequence[None]:
    for id, report, engine in reports:
        last = connection.execute("SELECT content FROM log WHERE record = ? ORDER BY entry DESC LIMIT 1", (id,)).fetchone()
        known = orjson.loads(last[0]) if last else None
        if known is not None and known["report"] != report:
            evidence = {"sent": known["sent"], "report": report, "engine": engine}
            append_entry(connection, id, {"kind": REAUDITED, "at": written(now()), **evidence})
    return [None] * len(reports)


def _count(report: Json) -> int:
    return len(report["findings"]) + sum(len(each["findings"]) for each in report["rounds"])
