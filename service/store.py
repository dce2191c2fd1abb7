"""The store: one DuckDB file, owned by one process.

One root connection opens the file; each thread reads through a cursor of its own (`read`), and all changes go through the one writer
(`write`). A fork would inherit a handle that loses rows without a word, so every use checks the process. After `open` nothing outside
the file and the scratch folder can be reached from SQL, whatever a query says.
"""

import os
import re
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, TypeVar

import duckdb

from service.errors import StoreBroken, StoreBusy, StoreError, StoreNewer
from service.writer import FAILURES, Apply, Writer

T = TypeVar("T")
R = TypeVar("R")

MEMORY_LIMIT: Final = "256MB"
CHECKPOINT: Final = "128MB"
"""Of the write-ahead log, after which it is folded into the file. Each time the last block of rows of every table is packed anew, which
with DuckDB's own 16 MB costs a large import twice what all the rest of its inserting does, and leaves the file a third larger."""
STORAGE: Final = "v1.5.0"
"""The form of the file: every release of DuckDB that we take reads and writes it."""

if duckdb.__version__.startswith("1.") and find_spec("pandas") is None:
    # These releases look for pandas anew at every value of a column of objects, a hundred times slower than the insert itself. A None
    # here says at once that it is not there.
    sys.modules["pandas"] = None  # type: ignore[assignment]  # documented: None stops an import


class Store:
    """An open store. Use it as a context manager, or call `close`: that leaves no write-ahead log behind."""

    def __init__(self, path: Path, *, memory_limit: str = MEMORY_LIMIT, threads: int = 2) -> None:
        """Opens the file, or makes it, and brings it up to this version.

        Raises StoreBusy, StoreNewer or StoreBroken, and then the file is as it was.
        """
        self.path = path.absolute()
        self.scratch = self.path.with_name(self.path.name + ".scratch")
        """The one folder that SQL may read and write: exports, backups, what does not fit in memory."""
        self._pid = os.getpid()
        self._local = threading.local()
        self._cursors: list[duckdb.DuckDBPyConnection] = []
        self._lock = threading.Lock()
        self._closed = False
        with _OPEN_LOCK:
            if self.path in _OPEN:
                raise StoreBusy(f"{self.path} is already open in this process")
            self._root = _connect(self.path)
            try:
                _set_up(self._root, self.scratch, memory_limit, threads)
                migrate(self._root, self.path)
            except BaseException as error:
                self._root.close()
                if isinstance(error, duckdb.Error | OSError):
                    raise StoreBroken(f"{self.path} cannot be used as a store: {error}") from error
                raise
            _OPEN.add(self.path)
        self._writer = Writer(self._root)

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """This thread's own connection, for reading. Raises StoreError when closed or in another process."""
        self._check()
        cursor: duckdb.DuckDBPyConnection | None = getattr(self._local, "cursor", None)
        if cursor is None:
            with self._lock:
                cursor = self._local.cursor = self._root.cursor()
                self._cursors.append(cursor)
        return cursor

    @property
    def state(self) -> int:
        """A number that rises with every commit: as long as it is the same, so is the answer to every question."""
        return self._writer.commits

    def read(self, sql: str, parameters: Sequence[object] | dict[str, object] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query. Raises StoreBroken where the disk or the memory fails."""
        try:
            return self.cursor().execute(sql, parameters).fetchall()
        except FAILURES as error:
            raise StoreBroken(f"the store could not be read: {error}") from error

    def write(self, apply: Apply[T, R], item: T) -> "Future[R]":
        """Hands a change to the writer (`Writer.submit`)."""
        self._check()
        return self._writer.submit(apply, item)

    def close(self) -> None:
        """Writes what waits, folds the write-ahead log into the file, and lets it go. A second call does nothing."""
        if self._closed:
            return
        self._check()
        self._closed = True
        self._writer.close()
        try:
            for cursor in self._cursors:
                cursor.close()
            self._root.execute("CHECKPOINT")
        finally:
            self._root.close()
            with _OPEN_LOCK:
                _OPEN.discard(self.path)

    def _check(self) -> None:
        if os.getpid() != self._pid:
            raise StoreError(f"{self.path} was opened by process {self._pid}; process {os.getpid()} must not use it")
        if self._closed:
            raise StoreError(f"{self.path} is closed")


_OPEN: Final[set[Path]] = set()
"""Stores open in this process: DuckDB itself would hand out the same database twice, with two writers."""
_OPEN_LOCK: Final = threading.Lock()


def _connect(path: Path) -> duckdb.DuckDBPyConnection:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return duckdb.connect(str(path), config={"storage_compatibility_version": STORAGE})
    except OSError as error:
        raise StoreBroken(f"the folder of {path} cannot be made: {error.strerror}") from error
    except duckdb.Error as error:
        text = str(error)
        if "lock on file" in text:
            holder = re.search(r"PID (\d+)", text)
            by = f"process {holder[1]}" if holder else "another process"
            raise StoreBusy(f"{path} is held by {by}; one process owns a store: stop that one, or give another file with --db") from error
        if "newer version" in text or "version number" in text:
            raise StoreNewer(f"{path} was written by a newer version of DuckDB than {duckdb.__version__}; it was not touched") from error
        raise StoreBroken(f"{path} cannot be opened as a store: {text}") from error


def _set_up(connection: duckdb.DuckDBPyConnection, scratch: Path, memory_limit: str, threads: int) -> None:
    """Limits first; then the doors are shut, in the one order that DuckDB allows."""
    scratch.mkdir(mode=0o700, exist_ok=True)
    for left in scratch.iterdir():  # of exports and backups that were cut off
        if left.is_file():
            left.unlink()
    connection.execute(f"SET memory_limit = {_quoted(memory_limit)}")
    connection.execute(f"SET threads = {int(threads)}")
    connection.execute(f"SET checkpoint_threshold = {_quoted(CHECKPOINT)}")
    connection.execute(f"SET temp_directory = {_quoted(str(scratch))}")
    connection.execute(f"SET allowed_directories = [{_quoted(str(scratch))}]")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def migrations() -> list[tuple[int, str, str]]:
    """Number, name and SQL of each migration, in order. They are never changed once released."""
    found = []
    for file in resources.files("service").joinpath("migrations").iterdir():
        if file.name.endswith(".sql"):
            number, _, name = file.name.removesuffix(".sql").partition("_")
            found.append((int(number), name, file.read_text(encoding="utf-8")))
    return sorted(found)


def migrate(connection: duckdb.DuckDBPyConnection, path: Path) -> int:
    """Brings the tables up to this version, each step a transaction of its own. Returns how many steps were taken.

    Raises StoreNewer where the store knows steps that this version does not, StoreBroken where the file holds somebody else's tables.
    """
    known = migrations()
    tables = {name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    if tables and "migrations" not in tables:
        raise StoreBroken(
            f"{path} is a database, but not a store of this product (it holds {', '.join(sorted(tables)[:3])}); it was not touched"
        )
    connection.execute("CREATE TABLE IF NOT EXISTS migrations (number INTEGER NOT NULL, name VARCHAR NOT NULL)")
    row = connection.execute("SELECT coalesce(max(number), 0) FROM migrations").fetchone()
    done: int = row[0] if row else 0
    if done > known[-1][0]:
        raise StoreNewer(
            f"{path} was written by a newer version (its tables are at step {done}, this version knows {known[-1][0]}); it was not touched"
        )
    steps = [step for step in known if step[0] > done]
    for number, name, sql in steps:
        connection.begin()
        try:
            connection.execute(sql)
            connection.execute("INSERT INTO migrations (number, name) VALUES (?, ?)", [number, name])
            connection.commit()
        except BaseException:
            connection.rollback()
            raise
        connection.execute("CHECKPOINT")
    return len(steps)
