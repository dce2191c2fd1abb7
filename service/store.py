"""The store: one DuckDB file, owned by one process.

One root connection opens the file; each thread reads through a cursor of its own (`read`), and all changes go through the one writer
(`write`). A fork would inherit a handle that loses rows without a word, so every use checks the process. After `open` nothing outside
the file and the scratch folder can be reached from SQL, whatever a query says.
"""

import os
import re
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import partial
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Self, TypeVar

import duckdb

from service.config import MEMORY
from service.earlier import complete
from service.errors import StoreBroken, StoreBusy, StoreError, StoreNewer
from service.places import place, place_all, waiting
from service.seen import Seen
from service.writer import FAILURES, Apply, Writer

T = TypeVar("T")
R = TypeVar("R")

THREADS: Final = 2
CHECKPOINT: Final = "128MB"
"""Of the write-ahead log, after which it is folded into the file. Each time the last block of rows of every table is packed anew, which
with DuckDB's own 16 MB costs a large import twice what all the rest of its inserting does, and leaves the file a third larger."""
STORAGE: Final = "v1.5.0"
"""The form of the file: every release of DuckDB that we take reads and writes it."""
ROW_GROUP: Final = 16_384
"""Rows that are packed together. Of every table the last ones that do not fill a group are packed anew when the log is folded into the
file, and those that fill groups in one commit go straight to their place; with DuckDB's own 122,880 inserting costs half as much again."""
FILES_ONLY: Final = "-- Files only."
"""How the SQL of a migration begins that is nothing to a lake."""
_NAME: Final = "store"
"""By which SQL knows the file."""

if duckdb.__version__.startswith("1.") and find_spec("pandas") is None:
    # These releases look for pandas anew at every value of a column of objects, a hundred times slower than the insert itself. A None
    # here says at once that it is not there.
    sys.modules["pandas"] = None  # type: ignore[assignment]  # documented: None stops an import


class Store:
    """An open store. Use it as a context manager, or call `close`: that leaves no write-ahead log behind."""

    shared = False
    """Whether other processes have it open too."""

    def __init__(self, path: Path, *, memory_limit: str = MEMORY, threads: int = THREADS) -> None:
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
        self.seen: Seen | None = Seen()
        """What the writer knows of the records that are there; None where others write, too."""
        self._next: int | None = None
        """The number of the next record; the writer alone counts on."""
        with _OPEN_LOCK:
            if self.path in _OPEN:
                raise StoreBusy(f"{self.path} is already open in this process")
            self._root = self._connect()
            try:
                self._open(memory_limit, threads)
            except BaseException as error:
                self._root.close()
                if isinstance(error, duckdb.Error | OSError):
                    raise StoreBroken(f"{self} cannot be used as a store: {error}") from error
                raise
            _OPEN.add(self.path)
        self._writer = Writer(self.transaction)

    def __str__(self) -> str:
        return str(self.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """This thread's own connection, for reading. Raises StoreError when closed or in another process."""
        self._check()
        cursor: duckdb.DuckDBPyConnection | None = getattr(self._local, "cursor", None)
        if cursor is None:
            with self._lock:
                cursor = self._local.cursor = self._cursor()
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

    def probe(self) -> None:
        """Raises StoreError where nothing can be read."""
        self.read("SELECT max(number) FROM migrations")

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
            self._fold()
        finally:
            self._root.close()
            with _OPEN_LOCK:
                _OPEN.discard(self.path)

    @contextmanager
    def transaction(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """The writer's: what is done inside is there as a whole when it ends, or, where it raises, not at all."""
        self._root.begin()
        try:
            yield self._root
            self._root.commit()
        except BaseException:
            with suppress(duckdb.Error):  # A commit that failed has ended its transaction already.
                self._root.rollback()
            raise

    def numbers(self, connection: duckdb.DuckDBPyConnection, size: int) -> int:
        """A step of the writer's: the first of so many numbers that no record has had."""
        if self._next is None:
            ((self._next,),) = connection.execute("SELECT coalesce(max(number), 0) + 1 FROM records").fetchall()
        first: int = self._next
        self._next += size
        if self.seen is not None:
            self.seen.given = self._next - 1
        return first

    def size(self) -> int:
        """Bytes on the disk."""
        return self.path.stat().st_size

    def faults(self) -> list[str]:
        """What is wrong with the keys that the tables themselves do not keep, in words."""
        ((more,),) = self.read("SELECT count(*) - count(DISTINCT id) FROM records")
        return [f"records that are there more than once: {more}"] if more else []

    def copy_to(self, path: Path, name: str) -> None:
        """Copies the store as it is at this moment into a new file of the scratch folder, which is attached as `name` meanwhile."""
        cursor = self.cursor()
        ((own,),) = cursor.execute("SELECT current_database()").fetchall()
        cursor.execute(f"ATTACH {quoted(str(path))} AS {name} (STORAGE_VERSION '{STORAGE}')")
        try:
            cursor.execute(f'COPY FROM DATABASE "{own}" TO {name}')
        finally:
            cursor.execute(f"DETACH {name}")

    @contextmanager
    def at_rest(self) -> Iterator["Store"]:
        """The store as it is at one moment, for this thread, while others go on writing. One process owns this one: nobody does."""
        yield self

    def _connect(self) -> duckdb.DuckDBPyConnection:
        return _connect(self.path)

    def _open(self, memory_limit: str, threads: int) -> None:
        """Shuts the doors, and brings the tables up to this version."""
        make_scratch(self.scratch)
        limit(self._root, self.scratch, memory_limit, threads)
        shut(self._root, self.scratch)
        migrate(self._root, self.path)
        complete(self._root)
        if left := waiting(self._root):  # by a server that was killed
            place_all(left, self._place)

    def _place(self, ids: Sequence[bytes]) -> None:
        with self.transaction() as connection:
            place(connection, ids, partial(self.numbers, connection), {}, self.seen)

    def _cursor(self) -> duckdb.DuckDBPyConnection:
        cursor = self._root.cursor()
        cursor.execute(f"USE {_NAME}")
        return cursor

    def _fold(self) -> None:
        self._root.execute("CHECKPOINT")

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
        spare_log(path)
        return attach(path)
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


def spare_log(path: Path) -> None:
    """Raises StoreBroken where a store was moved away without its write-ahead log: what is made in its place would do away with that."""
    log = path.with_name(path.name + ".wal")
    if log.exists() and not path.exists():
        raise StoreBroken(f"{log} belongs to a store that was moved and holds what was stored there last: move it beside that store first")


def attach(path: Path) -> duckdb.DuckDBPyConnection:
    """A connection to a file with a store's tables, or with none yet."""
    connection = duckdb.connect(config={"storage_compatibility_version": STORAGE})
    try:
        connection.execute(f"ATTACH {quoted(str(path))} AS {_NAME} (ROW_GROUP_SIZE {ROW_GROUP})")
        connection.execute(f"USE {_NAME}")
    except BaseException:
        connection.close()
        raise
    return connection


def make_scratch(scratch: Path) -> None:
    """The folder, and in it no exports or backups that were cut off."""
    scratch.mkdir(mode=0o700, exist_ok=True)
    for left in scratch.iterdir():
        if left.is_file():
            left.unlink()


def limit(connection: duckdb.DuckDBPyConnection, scratch: Path, memory_limit: str, threads: int) -> None:
    """How much queries may use, and where what does not fit goes."""
    connection.execute(f"SET memory_limit = {quoted(memory_limit)}")
    connection.execute(f"SET threads = {int(threads)}")
    connection.execute(f"SET checkpoint_threshold = {quoted(CHECKPOINT)}")
    connection.execute(f"SET temp_directory = {quoted(str(scratch))}")


def shut(connection: duckdb.DuckDBPyConnection, *folders: object) -> None:
    """Shuts the doors: from now on SQL reaches these folders alone. In the one order that DuckDB allows."""
    connection.execute(f"SET allowed_directories = [{', '.join(quoted(str(folder)) for folder in folders)}]")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def quoted(text: str) -> str:
    """A text as SQL writes it."""
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
