"""Records that are sent one by one are stored at once and take their places later, many together.

The rows of a record go into ten tables, and what that costs is the tables: a commit of one record takes as long as one of fifty. So whoever
sends a record is told that it is stored when its bytes are durable in one table. Their places in the others records take together: before
anybody looks (`Desk.catch_up`), when they have become many, and where a server was killed in between, as the store is opened.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final

import duckdb

from service.lane import wait
from service.places import claim, place, place_all
from service.rows import Prepared
from service.store import Store

MANY: Final = 1 << 18
"""Bytes as sent of the records that wait: some two hundred of two rounds. What was made of them is several times that in memory."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A record that is sent."""

    prepared: Prepared
    account: str | None
    at: datetime
    """UTC, without a zone."""


class Arrivals:
    """Those of one store. Safe to use from many threads."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._made: dict[bytes, Prepared] = {}
        """By id: what may still wait. The table is the truth; this spares judging again."""
        self._many = False
        """Whether so much waits that it takes its places, though nobody looks."""
        self._filling = threading.Lock()

    def keep(self, arrival: Arrival) -> bool:
        """Stores a record; when this returns, it is durable. Says whether it is new."""
        new = wait(self._store.write(self._keep, arrival))
        if self._many and self._filling.acquire(blocking=False):
            try:
                self.place()
            finally:
                self._filling.release()
        return new

    def waits(self, id: bytes) -> bool:
        """Whether a record may not have taken its places yet."""
        return id in self._made

    def place(self) -> None:
        """Every record that was kept before this was called takes its places. Costs nothing where none waits."""
        if ids := list(self._made):
            place_all(ids, lambda some: wait(self._store.write(self._place, some)))
            for id in ids:  # Only now: whoever finds none that waits may look.
                self._made.pop(id, None)
            self._many = False

    def _place(self, connection: duckdb.DuckDBPyConnection, asked: Sequence[Sequence[bytes]]) -> Sequence[None]:
        place(connection, [id for ids in asked for id in ids], partial(self._store.numbers, connection), self._made, self._store.seen)
        return [None] * len(asked)

    def _keep(self, connection: duckdb.DuckDBPyConnection, arrivals: Sequence[Arrival]) -> list[bool]:
        seen = self._store.seen
        assert seen is not None  # this is the only writer (`Desk.receive`)
        ids = [arrival.prepared.id for arrival in arrivals]
        maybe = {*seen.maybe(connection, ids), *(id for id in ids if id in self._made)}
        known = _known(connection, list(maybe)) if maybe else set()
        new = []
        rows: list[object] = []
        again = []
        for arrival in arrivals:
            id, raw = arrival.prepared.id, arrival.prepared.raw
            new.append(id not in known)
            if id not in known:
                known.add(id)
                rows += (id, arrival.account, arrival.at, raw)
                self._made[id] = arrival.prepared
            elif arrival.account is not None:
                again.append(([id], arrival.account))
        if rows:
            several = ", ".join(["(?, ?, ?, ?)"] * (len(rows) // 4))
            connection.execute(f"INSERT INTO arrivals (id, account, sent_at, raw) VALUES {several}", rows)
            self._many = sum(len(prepared.raw) for prepared in list(self._made.values())) >= MANY
        if again:  # Who sent a record first decides about it, and has to have it first.
            self._place(connection, [list(self._made)])
            claim(connection, again)
        return new


def _known(connection: duckdb.DuckDBPyConnection, ids: Sequence[bytes]) -> set[bytes]:
    """Those of some ids whose records were stored before, or withdrawn."""
    several = ", ".join(f"${place}" for place in range(1, len(ids) + 1))
    tables = (("id", "records"), ("id", "arrivals"), ("record", "withdrawals"))
    sql = " UNION ALL ".join(f"SELECT {name} FROM {table} WHERE {name} IN ({several})" for name, table in tables)
    return {id for (id,) in connection.execute(sql, ids).fetchall()}
