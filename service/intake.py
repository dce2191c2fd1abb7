"""A store in which records are taken in and nothing else is done: it takes little memory, however many come."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import duckdb

from service.errors import StoreBusy
from service.store import ROW_GROUP, Store, limit, shut

TAKING_IN: Final = ("64MB", 1)
"""Memory and threads of the database. Of what it has written it keeps as much in memory as it may, and nobody asks for it there; a second
thread costs a third more and saves no time."""
RENEWED: Final = 8 * ROW_GROUP
"""Records after which the file is opened anew: of every group of rows that it has written DuckDB keeps a description in memory until the
file is closed, 40 MB for a million records, while of a file that is opened it reads what it needs."""
PATIENCE: Final = 10.0
"""Seconds to wait for the file to come back, where another process has taken it between closing and opening."""
_A_LOOK: Final = 0.05


class Intake(Store):
    """Only its writer works with it: a connection that another thread keeps is closed under its hands."""

    def __init__(self, path: Path, *, memory_limit: str = TAKING_IN[0], threads: int = TAKING_IN[1]) -> None:
        super().__init__(path, memory_limit=memory_limit, threads=threads)
        self._limits = memory_limit, threads
        self._since = 0
        """Records since the file was opened."""
        self._held = True

    def numbers(self, connection: duckdb.DuckDBPyConnection, size: int) -> int:
        """As `Store.numbers`; they are counted."""
        self._since += size
        return super().numbers(connection, size)

    @contextmanager
    def transaction(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """As `Store.transaction`, now and then with the file opened anew before it. Raises StoreBusy where another process took the file
        meanwhile and keeps it: then nothing of this transaction is done, and what was done before is in the file."""
        if self._since >= RENEWED or not self._held:
            self._renew()
        with super().transaction() as connection:
            yield connection

    def _renew(self) -> None:
        with self._lock:
            if self._held:
                self._let_go()
            self._root = self._taken_back()
            limit(self._root, self.scratch, *self._limits)
            shut(self._root, self.scratch)
            self._held = True
        self._since = 0
        self._next = None  # another process may have stored records meanwhile

    def _let_go(self) -> None:
        super()._fold()
        for cursor in self._cursors:
            cursor.close()
        self._cursors.clear()
        self._local = threading.local()
        self._held = False
        self._root.close()

    def _taken_back(self) -> duckdb.DuckDBPyConnection:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return self._connect()
            except StoreBusy:
                if time.monotonic() > until:
                    raise
            time.sleep(_A_LOOK)

    def _fold(self) -> None:
        if self._held:
            super()._fold()
