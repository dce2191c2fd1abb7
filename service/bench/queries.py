"""How long charts and lists take over an archive: the first time, on a store just opened, and when they were asked before.

The clock says what somebody waits; the processor's time, over all threads, what it would be at least on a machine with nothing else to do
and one core.
"""

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import median
from threading import Event, Thread
from typing import Any, Final

from analysis.statistics import CHARTS
from records.formats import documents
from service.batches import gathered, take
from service.bench.archive import archive
from service.bench.many import fill
from service.desk import Desk, now
from service.store import Store

AGAIN: Final = 3
"""How often a question is asked anew."""
A_PAGE: Final = 50
GAME: Final = {"variant": "koi-koi"}
FILTERS: Final[Mapping[str, Mapping[str, str]]] = {
    "all records": {},
    "a game": GAME,
    "another game": {"variant": "higobana"},
    "a player": GAME | {"player": "Player 7"},
    "two players": GAME | {"player": "Player 7", "opponent": "Player 9"},
    "options": {"variant": "higobana", "options": "yaku_scoring=by_table"},
    "an event": GAME | {"event": "Evening 3"},
    "a span": GAME | {"from": "2020-01-10", "to": "2024-06"},
    "a verdict": GAME | {"verdict": "confirmed,lawful"},
    "dealers": GAME | {"role": "dealer"},
    "the others": {"role": "others"},
}
"""Of charts, by what they are called."""
LISTS: Final[Mapping[str, Mapping[str, str]]] = {
    **{name: filters for name, filters in FILTERS.items() if "role" not in filters},
    "a yaku": {"yaku": "goko"},
    "a finding": {"finding": "must-capture"},
}
SORTS: Final = ("-sent", "date", "-rounds", "-findings")
FAULTS: Final = 0.05
"""The share of records that has a fault planted."""
IMPORTED: Final = 4_000
"""Records that are taken in, again and again, beside the questions."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and how long the answer took, in seconds."""

    kind: str
    """``chart``, ``list``, ``count`` or ``players``."""
    name: str
    filters: str
    cold: float
    """The first time, by the clock."""
    cold_processor: float
    warm: float
    """Asked again, by the clock."""
    beside: float | None = None
    """The first time while an import runs, by the clock."""
    beside_again: float | None = None


Question = tuple[str, str, str, Callable[[Desk], object]]


@contextmanager
def stored(records: int, seed: int) -> Iterator[Path]:
    """A store with so many records (`service.bench.many`); it is taken away again."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "store.duckdb")
        fill(path, records, seed, FAULTS)
        yield path


def questions() -> Iterator[Question]:
    """Every chart, list and count, each with every filter."""
    for words, filters in FILTERS.items():
        for name in CHARTS:
            yield "chart", name, words, partial(_chart, name, filters)
    for words, filters in LISTS.items():
        for sort in SORTS:
            yield "list", f"by {sort}", words, partial(_list, sort, filters)
        yield "count", "records", words, partial(_count, filters)
    yield "players", "list", "all records", _players
    yield "players", "one", "all records", _player


def _chart(name: str, filters: Mapping[str, str], desk: Desk) -> None:
    desk.stats(name, filters)


def _list(sort: str, filters: Mapping[str, str], desk: Desk) -> None:
    desk.records(filters, sort, None, A_PAGE)


def _count(filters: Mapping[str, str], desk: Desk) -> None:
    desk.count(filters)


def _players(desk: Desk) -> None:
    desk.players()


def _player(desk: Desk) -> None:
    desk.player("Player 7")


def measure(records: int, seed: int, beside: bool = False) -> list[Asked]:
    """Asks everything of a store that holds so many records; with `beside` once more while others are taken in."""
    with stored(records, seed) as path:
        found = [_measured(path, question) for question in questions()]
        if not beside:
            return found
        with Store(path) as store, _importing(desk := Desk(store), seed):
            return [_beside(desk, asked, question[-1]) for asked, question in zip(found, questions(), strict=True)]


def _measured(path: Path, question: Question) -> Asked:
    kind, name, words, ask = question
    with Store(path) as store:
        desk = Desk(store)
        cold, processor = _seconds(ask, desk)
        return Asked(kind, name, words, cold, processor, median(_seconds(ask, desk)[0] for _ in range(AGAIN)))


def _beside(desk: Desk, asked: Asked, ask: Callable[[Desk], object]) -> Asked:
    (first, _), (again, _) = _seconds(ask, desk), _seconds(ask, desk)
    return Asked(asked.kind, asked.name, asked.filters, asked.cold, asked.cold_processor, asked.warm, first, again)


@contextmanager
def _importing(desk: Desk, seed: int) -> Iterator[None]:
    """Takes records in, in a thread of its own: every time others, so that each commit changes what there is."""
    done = Event()

    def run() -> None:
        another = seed
        while not done.is_set():
            another += 1
            for batch in gathered(documents(archive(IMPORTED, another, "json"))):
                if done.is_set():
                    return
                taken = take(batch, now())
                if taken.batch is not None:
                    desk.put(taken.batch)

    thread = Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _seconds(ask: Callable[[Desk], object], desk: Desk) -> tuple[float, float]:
    processor, start = time.process_time(), time.perf_counter()
    ask(desk)
    return time.perf_counter() - start, time.process_time() - processor


def as_dict(asked: Asked) -> dict[str, Any]:
    """For programs; seconds."""
    return asdict(asked)


def lines(asked: list[Asked]) -> list[tuple[str, ...]]:
    """For people: a line a chart or list, in milliseconds; over all records, and at most with any filter."""
    found = []
    for key in dict.fromkeys((each.kind, each.name) for each in asked):
        same = [each for each in asked if (each.kind, each.name) == key]
        slowest = max(same, key=lambda each: each.cold)
        cells = [*(_shown(same[0].cold), _shown(same[0].cold_processor)), *(_shown(slowest.cold), slowest.filters)]
        cells.append(_shown(max(each.warm for each in same)))
        if same[0].beside is not None:
            cells += [_shown(max(each.beside or 0 for each in same)), _shown(max(each.beside_again or 0 for each in same))]
        found.append((" ".join(key), *cells))
    return found


def _shown(seconds: float) -> str:
    return f"{seconds * 1e3:,.1f}"
