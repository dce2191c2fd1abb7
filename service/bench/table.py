"""What all benches share: ways measured in turn, in one run on one core, and their ratios in a table or as JSON.

A machine has better and worse moments, so a number by itself says little. Ways are therefore run by turns, and a ratio is the median of
the ratios of runs that stood side by side.
"""

import gc
import os
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import click

from service.engine import kind


@dataclass(slots=True)
class Way:
    """One way of doing something: a pass over its material, and how many units that pass has."""

    name: str
    unit: str
    """What is counted, in the plural: ``card plays``."""
    count: int
    """Units a pass."""
    run: Callable[[], None]
    first: float = 0.0
    """Seconds of processor time a unit, in the first pass of all, when nothing is remembered."""
    times: list[float] = field(default_factory=list)
    """The same for each pass after it."""

    def measure(self) -> float:
        """Run a pass: seconds of processor time a unit."""
        start = time.process_time()
        self.run()
        return (time.process_time() - start) / self.count

    @property
    def seconds(self) -> float:
        """Seconds a unit, the median of all passes but the first."""
        return median(self.times)


@dataclass(slots=True)
class Ratio:
    """Two ways held against each other."""

    name: str
    value: float
    meaning: str


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process on one core, where the system lets it."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def run(ways: Sequence[Way], passes: int) -> None:
    """Run all ways once to warm up and then by turns, so many passes each."""
    with one_core():
        for way in ways:
            way.first = way.measure()
        gc.collect()
        gc.freeze()  # what is there stays there: the collector need not look at it in the middle of a pass
        try:
            for _ in range(passes):
                for way in ways:
                    way.times.append(way.measure())
        finally:
            gc.unfreeze()


def times_faster(way: Way, other: Way) -> float:
    """How many units the one does in the time in which the other does one of its own."""
    return median(theirs / ours for ours, theirs in zip(way.times, other.times, strict=True))


def as_json(bench: str, ways: Sequence[Way], ratios: Sequence[Ratio], words: Sequence[str]) -> dict[str, Any]:
    """The result for programs. Times in seconds of processor time."""
    return {
        "bench": bench,
        "engine": kind(),
        "python": platform.python_version(),
        "ways": [
            {
                "name": way.name,
                "unit": way.unit,
                "per_second": round(1 / way.seconds, 1),
                "seconds": way.seconds,
                "first_seconds": way.first,
                "passes": len(way.times),
                "units_a_pass": way.count,
            }
            for way in ways
        ],
        "ratios": [{"name": ratio.name, "ratio": round(ratio.value, 3), "meaning": ratio.meaning} for ratio in ratios],
        "notes": list(words),
    }


def show(bench: str, ways: Sequence[Way], ratios: Sequence[Ratio], words: Sequence[str]) -> None:
    """The result for people."""
    click.echo(f"hanafu bench {bench}: engine {kind()}, Python {platform.python_version()}, one core\n")
    rows = [(way.name, f"{1 / way.seconds:,.0f}", f"{way.unit} a second", f"{way.seconds * 1e6:,.2f} µs each") for way in ways]
    columns(rows, "<><>")
    click.echo()
    columns([(ratio.name, f"{ratio.value:.1f}", ratio.meaning) for ratio in ratios], "<><")
    for word in words:
        click.echo(f"\n{word}")


def columns(rows: Sequence[Sequence[str]], sides: str) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        click.echo("  ".join(f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, widths, strict=True)).rstrip())
