"""How long charts and lists take over an archive: the first time, on a store just opened, and again."""

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Final

from analysis.statistics import CHARTS
from records.formats import documents
from service.batches import gathered, take
from service.bench.archive import archive
from service.desk import Desk, now
from service.store import Store

AGAIN: Final = 3
"""How often a question is asked anew."""
A_PAGE: Final = 50
FILTERS: Final[tuple[Mapping[str, str], ...]] = ({"variant": "koi-koi"}, {"variant": "koi-koi", "player": "Player 7"})


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and how long the answer took by the clock, in seconds."""

    name: str
    cold: float
    warm: float


@contextmanager
def stored(records: int, seed: int) -> Iterator[Path]:
    """A store that holds an archive; it is taken away again."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "store.duckdb")
        with Store(path) as store:
            desk = Desk(store)
            for batch in gathered(documents(archive(records, seed, "json"))):
                taken = take(batch, now())
                assert taken.batch is not None
                desk.put(taken.batch)
        yield path


def questions() -> Iterator[tuple[str, Callable[[Desk], object]]]:
    """Every chart and list, each for some filters."""
    for filters in FILTERS:
        words = ", ".join(filters.values())
        for name in CHARTS:
            yield f"chart {name}: {words}", partial(_chart, name, filters)
    for sort in ("-sent", "date", "-rounds", "-findings"):
        for filters in ({}, *FILTERS, {"yaku": "goko"}):
            words = ", ".join(filters.values()) or "all"
            yield f"list by {sort}: {words}", partial(_list, sort, filters)
    yield "count: all", lambda desk: desk.count({})


def _chart(name: str, filters: Mapping[str, str], desk: Desk) -> None:
    desk.stats(name, filters)


def _list(sort: str, filters: Mapping[str, str], desk: Desk) -> None:
    desk.records(filters, sort, None, A_PAGE)


def measure(records: int, seed: int) -> list[Asked]:
    """Asks everything of a store that holds so many records."""
    found = []
    with stored(records, seed) as path:
        for name, ask in questions():
            with Store(path) as store:
                desk = Desk(store)
                cold = _seconds(ask, desk)
                found.append(Asked(name, cold, median(_seconds(ask, desk) for _ in range(AGAIN))))
    return found


def _seconds(ask: Callable[[Desk], object], desk: Desk) -> float:
    start = time.perf_counter()
    ask(desk)
    return time.perf_counter() - start


def as_dict(asked: Asked) -> dict[str, Any]:
    """For programs; seconds by the clock."""
    return {"name": asked.name, "cold": asked.cold, "warm": asked.warm}
