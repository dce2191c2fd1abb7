"""One thread that writes: everything that wants to change the store hands its change over and waits.

DuckDB refuses concurrent inserts of one key even with ON CONFLICT, and a commit costs the same for one row and for a thousand. So
the changes that wait together are committed together, and each caller hears of its own only when it is durable.
"""

import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, Generic, TypeVar

import duckdb

from service.errors import StoreBroken, StoreError

T = TypeVar("T")
R = TypeVar("R")

Apply = Callable[[duckdb.DuckDBPyConnection, Sequence[T]], Sequence[R]]
"""Makes some changes of one kind inside a transaction that is open, and returns what each caller is told."""

GROUP: Final = 256
"""Changes in one commit, at most."""
WAITING: Final = 2048
"""Changes that may wait; who brings more waits to hand over."""


@dataclass(frozen=True, slots=True)
class _Change(Generic[T, R]):
    apply: Apply[T, R]
    item: T
    done: "Future[R]"


class Writer:
    """Alone writes."""

    def __init__(self, transaction: Callable[[], AbstractContextManager[duckdb.DuckDBPyConnection]]) -> None:
        self._transaction = transaction
        self.commits = 0
        """Commits so far: as long as it stays the same so does what is in the store."""
        self._queue: queue.Queue[_Change[Any, Any] | None] = queue.Queue(WAITING)
        self._lock = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="hanafu-writer", daemon=True)
        self._thread.start()

    def submit(self, apply: Apply[T, R], item: T) -> "Future[R]":
        """Hands a change over. The future is done when the change is durable, or carries why it was not made; then nothing of it
        is in the store. Changes of one kind that stand next to each other are applied by one call. Raises StoreError when closed."""
        done: Future[R] = Future()
        with self._lock:
            if self._closed:
                raise StoreError("the store is closed")
            self._queue.put(_Change(apply, item, done))
        return done

    def close(self) -> None:
        """Writes what waits, then ends the thread."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        going = True
        while going:
            group = []
            change = self._queue.get()
            while change is not None:
                group.append(change)
                if len(group) == GROUP:
                    break
                try:
                    change = self._queue.get_nowait()
                except queue.Empty:
                    break
            going = change is not None
            if group:
                self._commit(group)
            del change, group  # what is stored is let go while nothing waits

    def _commit(self, group: list[_Change[Any, Any]]) -> None:
        """All in one transaction; where that fails each in its own, so that one faulty change does not take others with it."""
        results: list[Any] = []
        try:
            with self._transaction() as connection:
                for apply, run in groupby(group, key=lambda change: change.apply):
                    results += apply(connection, [change.item for change in run])
            self.commits += 1
        except Exception as error:
            if len(group) == 1 or isinstance(error, StoreError):  # The latter is not a change's fault.
                for change in group:
                    change.done.set_exception(_said(error))
            else:
                for change in group:
                    self._commit([change])
        else:
            for change, result in zip(group, results, strict=True):
                change.done.set_result(result)


FAILURES: Final = (duckdb.IOException, duckdb.FatalException, duckdb.OutOfMemoryException, duckdb.TransactionException)
"""What DuckDB raises over a disk that is full or broken; the last where it is the commit that fails."""


def _said(error: Exception) -> Exception:
    """What the caller is told: DuckDB's failures of disk and file become ours, everything else stays as it is."""
    if isinstance(error, FAILURES):
        broken = StoreBroken(f"the store could not be written, and nothing was stored: {error}")
        broken.__cause__ = error
        return broken
    return error
