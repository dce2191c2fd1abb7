"""How many records a second a server takes, and how long its pages take meanwhile: server and clients are processes of their own.

Records have two rounds, each record is one of its own, and an answer is counted when it says that the record is stored. At the end the
server is asked how many it holds: one that was acknowledged and is not there ends the bench.
"""

import json
import os
import random
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count, cycle, islice
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from analysis.simulate import simulate
from analysis.statistics import CHARTS
from records.formats import to_json
from records.games import GAMES
from records.record import Event, replace
from records.rules.game import Rules
from service.bench.processes import processor_of, proportional_set
from service.bench.queries import stored
from service.bench.visits import Request, Told, Visitor, visit
from service.jsons import dumps

CLIENTS: Final = (1, 16, 64)
TOGETHER: Final = 16
"""Clients that post while pages are asked for."""
ROUNDS: Final = 2
DIFFERENT: Final = 300
"""Games that are played out; they are sent again and again, each time as another table's."""
PAUSE: Final = 0.05
"""Seconds between two pages that somebody asks for."""
PAGES: Final = ("list", "audit", "replay")
STOPPING: Final = 60.0
"""Seconds that a server may take to start, and to stop."""


@dataclass(frozen=True, slots=True)
class Phase:
    """A stretch of time in which some clients asked some things."""

    name: str
    clients: int
    """Who post; 0: nobody."""
    told: Told
    seconds: float | None
    """Of the server's processor time; None where the system does not tell."""


@dataclass(slots=True)
class Result:
    """All that was measured."""

    stored: int
    phases: list[Phase] = field(default_factory=list)
    memory: dict[str, int | None] = field(default_factory=dict)
    """Bytes of the server's proportional set, by moment."""


class Lost(Exception):
    """The server holds less than it has acknowledged."""


def measure(records: int, seed: int, seconds: float, arguments: Sequence[str] = ()) -> Result:
    """Fills a store with so many records, serves it, and asks for so long each. `arguments`: more of them for `hanafu serve`.

    Raises Lost where an acknowledged record is not there.
    """
    result = Result(records)
    with stored(records, seed) as db, serving(db, arguments) as (process, address):
        ids = [item["id"] for item in _fetch(address, "/api/v1/records?limit=200")["items"]]
        sheets = requests_of(seed)
        visit(address, [Visitor(islice(_pages(ids, seed), len(PAGES)))], seconds)  # whose templates are read when they are first asked for
        result.memory["at the start"] = proportional_set(process.pid)

        def phase(name: str, clients: int, *others: Iterator[Request]) -> None:
            visitors = [Visitor(sheets) for _ in range(clients)] + [Visitor(each, PAUSE) for each in others]
            before = processor_of(process.pid)
            told = visit(address, visitors, seconds)
            after = processor_of(process.pid)
            result.phases.append(Phase(name, clients, told, None if before is None or after is None else after - before))

        phase("pages", 0, _pages(ids, seed))
        phase("statistics", 0, _statistics())
        for clients in CLIENTS:
            phase(f"{clients} posting", clients)
        phase(f"{TOGETHER} posting, and pages", TOGETHER, _pages(ids, seed))
        phase(f"{TOGETHER} posting, and statistics", TOGETHER, _statistics())
        result.memory["at the end"] = proportional_set(process.pid)
        known = _fetch(address, "/healthz")["records"]
        acknowledged = records + sum(each.told.statuses["post", 201] for each in result.phases)
        if known != acknowledged:
            raise Lost(f"the server holds {known:,} records and has acknowledged {acknowledged:,}")
    return result


@contextmanager
def serving(db: Path, arguments: Sequence[str] = ()) -> Iterator[tuple[subprocess.Popen[str], tuple[str, int]]]:
    """`hanafu serve` over a store on 127.0.0.1, and where it listens. Behind it it is stopped as an operator would stop it."""
    command = [sys.executable, "-m", "service.cli", "serve", "--host", "127.0.0.1", "--port", "0", "--db", str(db), *arguments]
    with db.with_name("log").open("w") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"})
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+?(?=/ )", process.stdout.readline())
        if found is None:
            raise OSError(f"the server did not start: {db.with_name('log').read_text()}")
        parts = urlsplit(found[0])
        assert parts.hostname is not None
        assert parts.port is not None
        yield process, (parts.hostname, parts.port)
        process.send_signal(signal.SIGTERM)
        process.wait(STOPPING)
    finally:
        process.kill()
        process.communicate()


def requests_of(seed: int) -> Iterator[Request]:
    """Records to be posted, without end, each one of its own."""
    rng = random.Random(seed)
    tables = [simulate(Rules(game, {}, 2, None), rng, rounds=ROUNDS) for game in GAMES if 2 in game.seats]
    pool = [dumps(to_json(replace(next(tables[place % len(tables)]), event=Event(name="Bench", table="@@")))) for place in range(DIFFERENT)]
    for number, sheet in zip(count(1), cycle(pool), strict=False):
        body = sheet.replace(b"@@", b"%d" % number, 1)
        yield (
            "post",
            b"POST /api/v1/records HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b"
            % (
                len(body),
                body,
            ),
        )


def _pages(ids: Sequence[str], seed: int) -> Iterator[Request]:
    rng = random.Random(seed)
    for name in cycle(PAGES):
        id = rng.choice(ids).removeprefix("sha256:")
        yield name, _get({"list": "/records", "audit": f"/records/{id}", "replay": f"/records/{id}/replay"}[name], "text/html")


def _statistics() -> Iterator[Request]:
    for chart in cycle(CHARTS):
        yield "statistics", _get(f"/api/v1/stats/{chart}?variant=koi-koi", "application/json")


def _get(path: str, accept: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: {accept}\r\n\r\n".encode()


def _fetch(address: tuple[str, int], path: str) -> Any:
    host, port = address
    with urllib.request.urlopen(f"http://{host}:{port}{path}", timeout=STOPPING) as answer:
        return json.load(answer)


def part(times: Sequence[float], share: float) -> float:
    """The time within which this share of the answers came. Raises ValueError where there is none."""
    if not times:
        raise ValueError("there is no time")
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def as_dict(result: Result) -> dict[str, Any]:
    """For programs; seconds by the clock, but `server_seconds`, which are of the server's processor time."""
    return {
        "stored": result.stored,
        "phases": [
            {
                "name": phase.name,
                "clients": phase.clients,
                "seconds": phase.told.seconds,
                "server_seconds": phase.seconds,
                "asked": {
                    name: {
                        "answers": len(times),
                        "errors": phase.told.errors(name),
                        "per_second": len(times) / phase.told.seconds,
                        "p50": part(times, 0.5),
                        "p99": part(times, 0.99),
                        "most": max(times),
                    }
                    for name, times in phase.told.times.items()
                },
            }
            for phase in result.phases
        ],
        "memory": result.memory,
    }


def lines(result: Result) -> list[tuple[str, ...]]:
    """For people: a line for each thing that was asked in each phase."""
    rows: list[tuple[str, ...]] = [("", "asked", "a second", "p50 ms", "p99 ms", "most ms", "errors", "server ms each")]
    for phase in result.phases:
        for name, times in phase.told.times.items():
            spent = f"{phase.seconds / len(times) * 1e3:.2f}" if phase.seconds is not None and len(phase.told.times) == 1 else ""
            measured = [f"{value * 1e3:,.1f}" for value in (part(times, 0.5), part(times, 0.99), max(times))]
            rows.append((phase.name, name, f"{len(times) / phase.told.seconds:,.0f}", *measured, f"{phase.told.errors(name):,}", spent))
    return rows
