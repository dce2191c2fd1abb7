"""How fast an archive is taken in: what each stage costs a game, beside what no import can do without.

Stages are those of an import, a batch after the other; times are of the processor, over all threads. In the same run and batch by batch
the bytes are decoded by `orjson.loads` alone, and DuckDB inserts the same rows alone, into tables of the same kind.
"""

import gc
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeVar

import duckdb
import numpy as np
import orjson

from records.formats import Item
from records.formats.streams import Document, documents, read_item
from records.record import Record
from service.batches import TOGETHER
from service.bench.archive import archive
from service.desk import Desk, now
from service.rows import Batch, insert, judge_many
from service.store import CHECKPOINT, MEMORY_LIMIT, Store, migrations

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
    wall: float = 0.0
    """Seconds by the clock for the stages, the floors left out."""
    stored: int = 0
    """Bytes of the store's file."""
    memory: int | None = None
    """Bytes of the proportional set size of this process at most, both databases in it; None where the system does not tell."""
    seconds: dict[str, float] = field(default_factory=dict)
    """By stage, and by floor."""

    @property
    def whole(self) -> float:
        """Seconds of all stages."""
        return sum(self.seconds[stage] for stage in STAGES)


def measure(records: int, seed: int, form: str, faults: float = 0.0, together: int = TOGETHER) -> Result:
    """Makes the archive, takes it into a new store, and inserts the same rows into another database."""
    path = archive(records, seed, form, faults)
    result = Result(form)
    with tempfile.TemporaryDirectory() as folder:
        with Store(Path(folder, "store.duckdb")) as store, duckdb.connect(str(Path(folder, "floor.duckdb"))) as floor:
            floor.execute(f"SET memory_limit = '{MEMORY_LIMIT}'")
            floor.execute("SET threads = 2")
            floor.execute(f"SET checkpoint_threshold = '{CHECKPOINT}'")
            for _, _, sql in migrations():
                floor.execute(sql)
            gc.freeze()  # as `hanafu import` does
            _take(path, store, floor, result, together)
            gc.unfreeze()
            start = time.process_time()
            floor.execute("CHECKPOINT")
            _add(result, ROWS, time.process_time() - start)
            start, wall = time.process_time(), time.perf_counter()
            store.close()
            _add(result, "insert", time.process_time() - start)
            result.wall += time.perf_counter() - wall
        result.stored = Path(folder, "store.duckdb").stat().st_size
    return result


def _take(path: Path, store: Store, floor: duckdb.DuckDBPyConnection, result: Result, together: int) -> None:
    desk = Desk(store)
    found = documents(path)
    first = 1
    while batch := _timed(result, "read", partial(_some, found, together)):
        items = _timed(result, "decode", partial(_decoded, batch))
        read: list[tuple[Record, bytes]] = [(item.record, item.raw) for item in items if item.record is not None]
        prepared, gathered = _timed(result, "verify", partial(judge_many, read))
        columns = _timed(result, "columns", partial(Batch.of, prepared, now(), gathered=gathered))
        _timed(result, "insert", partial(_stored, store, desk, columns))
        result.records += len(read)
        result.rounds += sum(len(record.rounds) for record, _ in read)
        result.sent += sum(len(raw) for _, raw in read)
        result.slow += sum(each.report is not None for each in prepared)
        start = time.process_time()
        if result.form == "json":
            for _, raw in read:
                orjson.loads(raw)
            _add(result, LOADS, time.process_time() - start)
        start = time.process_time()
        _insert_alone(floor, columns, first)
        _add(result, ROWS, time.process_time() - start)
        first += columns.size
        if (used := proportional_set()) is not None:
            result.memory = max(result.memory or 0, used)


def _some(found: Iterator[Document], together: int) -> list[Document]:
    return list(islice(found, together))


def _decoded(batch: list[Document]) -> list[Item]:
    return [read_item(document) for document in batch]


def _stored(store: Store, desk: Desk, columns: Batch) -> None:
    store.write(_insert, (desk, columns)).result()


def _timed(result: Result, stage: str, run: Callable[[], T]) -> T:
    start, wall = time.process_time(), time.perf_counter()
    made = run()
    _add(result, stage, time.process_time() - start)
    result.wall += time.perf_counter() - wall
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


def proportional_set(process: int | str = "self") -> int | None:
    """Bytes of memory of a process, what it shares counted in shares; None where the system does not tell."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), None)


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
        "rounds_per_second_by_the_clock": round(result.rounds / result.wall, 1),
        "bytes_sent": result.sent,
        "bytes_stored": result.stored,
        "peak_pss": result.memory,
        "ratio_to_rows": round(result.whole / result.seconds[ROWS], 3),
    }


def lines(result: Result) -> list[tuple[str, str, str]]:
    """The result for people: what, how much, of what."""
    each = 1e6 / result.records
    rows = [(stage, f"{result.seconds[stage] * each:,.1f}", "µs a record") for stage in STAGES]
    rows.append(("whole", f"{result.whole * each:,.1f}", "µs a record"))
    rows += [(name, f"{result.seconds[name] * each:,.1f}", "µs a record") for name in (LOADS, ROWS) if name in result.seconds]
    rows.append(("whole : DuckDB alone", f"{result.whole / result.seconds[ROWS]:.2f}", "times"))
    rows.append(
        ("rounds", f"{result.rounds / result.whole:,.0f}", f"a second of the processor, {result.rounds / result.wall:,.0f} by the clock")
    )
    rows.append(("on disk", f"{result.stored / result.records:,.0f}", f"bytes a record, of {result.sent / result.records:,.0f} sent"))
    if result.memory is not None:
        rows.append(("memory", f"{result.memory / 1e6:,.0f}", "MB at most (PSS, both databases)"))
    return rows
