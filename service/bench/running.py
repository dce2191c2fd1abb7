"""`hanafu import` as somebody starts it: a process of its own, with its workers, watched from outside."""

import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

from service.bench.processes import family, processor_of, proportional_set

A_LOOK: Final = 0.1
"""Seconds between two looks: memory has short peaks, a batch long."""
CENSUS: Final = 10
"""Looks after which it is asked anew which processes there are: that costs more than the look."""
TENTHS: Final = 10


@dataclass(frozen=True, slots=True)
class Run:
    """An archive taken in by the command, into a store of its own."""

    workers: int
    seconds: float
    """By the clock, from the start of the command to its end."""
    processor: float | None
    """Seconds of the processor, of all its processes; None where the system does not tell."""
    stored: int
    """Bytes of the store's file."""
    memory: tuple[int, ...]
    """Bytes of the proportional set of all its processes, at most, by tenths of the time; empty where the system does not tell."""


def run(archive: Path, workers: int) -> Run:
    """Takes an archive in, with so many processes. Raises CalledProcessError where that does not succeed."""
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder, "store.duckdb")
        command = [sys.executable, "-m", "service.cli", "import", str(archive), "--db", str(db), "--workers", str(workers)]
        looks: list[int] = []
        processor: dict[int, float] = {}
        start = time.perf_counter()
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
            while process.poll() is None:
                if len(looks) < CENSUS or len(looks) % CENSUS == 0:
                    members = family(process.pid)
                looks.append(sum(proportional_set(each) or 0 for each in members))
                processor |= {each: used for each in members if (used := processor_of(each)) is not None}
                time.sleep(A_LOOK)
        seconds = time.perf_counter() - start
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command)
        memory = _by_tenths(looks) if any(looks) else ()
        return Run(workers, seconds, sum(processor.values()) if processor else None, db.stat().st_size, memory)


def _by_tenths(looks: list[int]) -> tuple[int, ...]:
    cuts = [len(looks) * tenth // TENTHS for tenth in range(TENTHS + 1)]
    return tuple(max(looks[first:end] or looks[first : first + 1]) for first, end in pairwise(cuts))
