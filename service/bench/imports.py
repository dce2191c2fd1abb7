"""How fast an archive is taken in: what each stage costs a game, beside what no import can do without.

Stages are those of an import, a batch after the other; times are of the processor, over all threads. In the same run and batch by batch
the bytes are decoded by `orjson.loads` alone, and DuckDB inserts the same rows alone, into tables of the same kind. Then the command itself
takes the same archive in (`service.bench.running`).
"""

import gc
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeVar

import duckdb
import numpy as np
import orjson

from records.formats import Document, documents
from records.record import Record
from service.batches import AT_ONCE, TOGETHER, read, uncollected
from service.bench import running
from service.bench.archive import archive
from service.desk import Desk, now
from service.intake import TAKING_IN, Intake
from service.rows import Batch, insert, judge_many
from service.store import Store, attach, limit, migrations

T = TypeVar("T")

STAGES: Final = ("read", "decode", "verify", "columns", "insert")
LOADS: Final = "orjson.loads alone"
ROWS: Final = "DuckDB, the same rows alone"


@dataclass(slots=True)
class Result:
    """An archive taken in. Seconds are of the processor, for all records together."""

    form: str
    records: int = 0
    rounds: int = 0
    sent: int = 0
    """Bytes of the records as sent."""
    slow: int = 0
    """Records that were not right, so that a report was written for them."""
    stored: int = 0
    """Bytes of the store's file."""
    seconds: dict[str, float] = field(default_factory=dict)
    """By stage, and by floor."""
    runs: list[running.Run] = field(default_factory=list)
    """Of the command."""

    @property
    def whole(self) -> float:
        """Seconds of all stages."""
        return sum(self.seconds[stage] for stage in STAGES)


def measure(records: int, seed: int, form: str, faults: float = 0.0, workers: Sequence[int] = (), together: int = TOGETHER) -> Result:
    """Makes the archive, takes it into a new store, and inserts the same rows into another database; then the command takes it in, with
    each number of processes."""
    path = archive(records, seed, form, faults)
    result = Result(form)
    with tempfile.TemporaryDirectory() as folder:
        with Intake(Path(folder, "store.duckdb")) as store, attach(Path(folder, "floor.duckdb")) as floor:
            limit(floor, Path(folder, "scratch"), *TAKING_IN)
            for _, _, sql in migrations():
                floor.execute(sql)
            gc.freeze()  # as `hanafu import` does
            with uncollected():
                _take(path, store, floor, result, together)
            gc.unfreeze()
            start = time.process_time()
            floor.execute("CHECKPOINT")
            _add(result, ROWS, time.process_time() - start)
            _timed(result, "insert", store.close)
        result.stored = Path(folder, "store.duckdb").stat().st_size
    result.runs += [running.run(path, each) for each in workers]
    return result


def _take(path: Path, store: Store, floor: duckdb.DuckDBPyConnection, result: Result, together: int) -> None:
    desk = Desk(store)
    found = documents(path)
    first = 1
    while batch := _timed(result, "read", partial(_some, found, together)):
        start, decoding = time.process_time(), result.seconds.get("decode", 0.0)
        judged = judge_many(_decoded(batch, result))
        _add(result, "verify", time.process_time() - start - (result.seconds["decode"] - decoding))
        columns = _timed(result, "columns", partial(Batch.of, judged, now()))
        _timed(result, "insert", partial(_stored, store, desk, columns))
        result.records += columns.size
        result.rounds += judged.gathered.count
        result.sent += sum(map(len, judged.raws))
        result.slow += len(judged.reports)
        start = time.process_time()
        if result.form == "json":
            for raw in judged.raws:
                orjson.loads(raw)
            _add(result, LOADS, time.process_time() - start)
        start = time.process_time()
        _insert_alone(floor, columns, first)
        _add(result, ROWS, time.process_time() - start)
        first += columns.size


def _some(found: Iterator[Document], together: int) -> list[Document]:
    return list(islice(found, together))


def _decoded(batch: Sequence[Document], result: Result) -> Iterator[tuple[Record, bytes]]:
    for first in range(0, len(batch), AT_ONCE):
        yield from _timed(result, "decode", partial(_read, batch[first : first + AT_ONCE]))


def _read(documents: Sequence[Document]) -> list[tuple[Record, bytes]]:
    return list(read(documents, []))


def _stored(store: Store, desk: Desk, columns: Batch) -> None:
    store.write(_insert, (desk, columns)).result()


def _timed(result: Result, stage: str, work: Callable[[], T]) -> T:
    start = time.process_time()
    made = work()
    _add(result, stage, time.process_time() - start)
    return made


def _add(result: Result, name: str, seconds: float) -> None:
    result.seconds[name] = result.seconds.get(name, 0.0) + seconds


def _insert(connection: duckdb.DuckDBPyConnection, batches: Sequence[tuple[Desk, Batch]]) -> list[None]:
    for desk, batch in batches:
        desk.insert(connection, batch)
    return [None] * len(batches)


def _insert_alone(floor: duckdb.DuckDBPyConnection, batch: Batch, first: int) -> None:
    """All columns of a batch, into tables of which nothing is asked."""
    floor.begin()
    insert(floor, "records", {"number": np.arange(first, first + batch.size, dtype=np.int64), **batch.records})
    for table, columns in batch.children.items():
        insert(floor, table, {**columns, "record": columns["record"] + first})
    floor.commit()


def as_dict(result: Result) -> dict[str, Any]:
    """The result for programs; times in seconds of processor time a record."""
    return {
        "form": result.form,
        "records": result.records,
        "rounds": result.rounds,
        "with_report": result.slow,
        "seconds": {name: seconds / result.records for name, seconds in result.seconds.items()},
        "whole": result.whole / result.records,
        "rounds_per_second": round(result.rounds / result.whole, 1),
        "bytes_sent": result.sent,
        "bytes_stored": result.stored,
        "ratio_to_rows": round(result.whole / result.seconds[ROWS], 3),
        "runs": [asdict(run) | {"rounds_per_second": round(result.rounds / run.seconds, 1)} for run in result.runs],
    }


def lines(result: Result) -> list[tuple[str, str, str]]:
    """The result for people: what, how much, of what."""
    each = 1e6 / result.records
    rows = [(stage, f"{result.seconds[stage] * each:,.1f}", "µs a record") for stage in STAGES]
    rows.append(("whole", f"{result.whole * each:,.1f}", "µs a record"))
    rows += [(name, f"{result.seconds[name] * each:,.1f}", "µs a record") for name in (LOADS, ROWS) if name in result.seconds]
    rows.append(("whole : DuckDB alone", f"{result.whole / result.seconds[ROWS]:.2f}", "times"))
    rows.append(("rounds", f"{result.rounds / result.whole:,.0f}", "a second of the processor"))
    rows.append(("on disk", f"{result.stored / result.records:,.0f}", f"bytes a record, of {result.sent / result.records:,.0f} sent"))
    for run in result.runs:
        name = f"hanafu import --workers {run.workers}"
        rows.append((name, f"{result.rounds / run.seconds:,.0f}", f"rounds a second by the clock, in {run.seconds:,.1f} s"))
        if run.processor is not None:
            rows.append(("", f"{run.processor * each:,.1f}", "µs of the processor a record, all processes, start and end"))
        if run.memory:
            by_tenths = " ".join(f"{used / 1e6:,.0f}" for used in run.memory)
            rows.append(("", f"{max(run.memory) / 1e6:,.0f}", f"MB at most (PSS, all processes); by tenths of the time {by_tenths}"))
    return rows
