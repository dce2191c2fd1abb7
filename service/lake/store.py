"""The store in a lake. Several processes have it open at a time, each with readers and one writer; the writers take turns."""

import fcntl
import logging
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from math import inf
from pathlib import Path
from typing import Any, Final, cast

import duckdb

from service.errors import StoreBroken, StoreBusy
from service.lake.files import Files, files_at
from service.lake.tables import CATALOGUE, PATH, SCHEMA, load, migrate, postgres, views
from service.lake.turn import Turn, settle
from service.store import Store, limit, make_scratch, quoted, shut

PATIENCE: Final = 60
"""Seconds to wait for a turn."""
INLINE: Final = 1000
"""Rows of a table in one commit that still go into the catalogue; more become a file. Tidying makes files of them."""
TIDY: Final = 200
"""Turns of this process between two tidyings."""
GRACE: Final = "1 hour"
"""For so long the files stay that tidying has replaced: a query may still read them, a backup may still copy them."""
_LOCK: Final = int.from_bytes(b"hanafu")
"""Who holds this advisory lock of the database has the turn; PostgreSQL takes it back when the process is gone."""
_REMOVED: Final = f"{CATALOGUE}.ducklake_files_scheduled_for_deletion"
_NO_FILE: Final = 1 << 62
"""Above the number of every file that the catalogue has known."""

_log = logging.getLogger("hanafu.lake")


class LakeStore(Store):
    """An open lake. `Store` says how it is used."""

    shared = True

    def __init__(self, lake: str, data: str, path: Path, *, memory_limit: str, threads: int = 2, serving: bool = False) -> None:
        """Opens a lake or makes it: `lake` says to libpq where the database is, `data` where the files of a new lake are to be, a folder or
        ``s3://BUCKET/PREFIX``; empty: it is not new. What this process alone needs, imports that wait among it, lies in a folder beside
        `path`, a file that it locks. `serving`: what others had still to erase is erased at once, not only when something is written.

        Raises StoreBusy where another process has that one, StoreNewer, StoreBroken, or ConfigError where a key is needed and not given.
        """
        self._where = lake
        self._serving = serving
        self._data = data
        self._turns = 0
        self._owed = inf
        """When to try again to erase what was taken out, by the monotonic clock."""
        super().__init__(path, memory_limit=memory_limit, threads=threads)
        self.seen = None

    def __str__(self) -> str:
        return f"the lake at {self._where}"

    @property
    def state(self) -> int:
        """Goes up with every turn of any process, when it is decided and when it is in the lake."""
        ((number,),) = self.read("SELECT (SELECT number FROM turns) + (SELECT turn FROM applied)")
        return int(number)

    def read(self, sql: str, parameters: Sequence[object] | dict[str, object] = ()) -> list[tuple[Any, ...]]:
        """As `Store` does; once more where it failed, for the files to be read may have just been replaced, the connection closed."""
        try:
            return self._read(sql, parameters)
        except StoreBroken:
            self._probe_files()
            return self._read(sql, parameters)

    def probe(self) -> None:
        """As `Store` does; the files, too, which many a question needs no look at."""
        super().probe()
        self._probe_files()

    def close(self) -> None:
        """As `Store` does."""
        try:
            super().close()
        finally:
            self._mine.close()

    @contextmanager
    def transaction(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """The writer's turn."""
        with self._turn():
            turn = Turn(self._lake, self._keyed)
            try:
                yield cast(duckdb.DuckDBPyConnection, turn)
                try:
                    turn.commit()
                except duckdb.Error as error:
                    raise StoreBroken(f"{self} could not be written: {error}") from error
            except BaseException as error:
                turn.roll_back()
                if isinstance(error, duckdb.IOException):
                    raise StoreBroken(f"{self} could not be written, and nothing was stored: {error}") from error
                raise
            self._turns += 1
            if turn.erased or self._turns % TIDY == 0 or time.monotonic() > self._owed:
                self._tidy()

    def numbers(self, connection: duckdb.DuckDBPyConnection, size: int) -> int:
        """Counted for all processes together."""
        return cast(Turn, connection).numbers(size)

    def size(self) -> int:
        """Bytes of the files that are in use, without the database."""
        return int(self.read("SELECT coalesce(sum(file_size_bytes), 0) FROM ducklake_table_info('lake')")[0][0])

    def faults(self) -> list[str]:
        """Whether each record is there once, under the number that its id was claimed with."""
        found = []
        for words, sql in (
            ("records that are there more than once", "SELECT count(*) - count(DISTINCT id) FROM records"),
            ("records whose id nobody claimed", "SELECT count(*) FROM records ANTI JOIN claims USING (id, number)"),
            ("ids that were claimed, without a record", "SELECT count(*) FROM claims ANTI JOIN records USING (id, number)"),
        ):
            ((number,),) = self.read(sql)
            if number:
                found.append(f"{number} {words}")
        return found

    def copy_to(self, path: Path, name: str) -> None:
        """As `Store` does: a lake's copy is a store in one file."""
        with Store(path) as empty:
            pass
        empty.scratch.rmdir()
        cursor = self.cursor()
        cursor.execute(f"ATTACH {quoted(str(path))} AS {name}")
        try:
            columns = cursor.execute(
                "SELECT table_name, string_agg('\"' || column_name || '\"', ', ' ORDER BY column_index) FROM duckdb_columns() "
                "WHERE database_name = ? AND table_name IN (SELECT table_name FROM duckdb_tables() WHERE database_name = ?) "
                "AND table_name <> 'migrations' GROUP BY table_name",
                [name, name],
            ).fetchall()
            with self.at_rest():
                for table, names in columns:
                    cursor.execute(f"INSERT INTO {name}.main.{table} ({names}) SELECT {names} FROM {table}")
        finally:
            cursor.execute(f"DETACH {name}")

    @contextmanager
    def at_rest(self) -> Iterator[Store]:
        """Both databases as they are between two turns."""
        cursor = self.cursor()
        with self._turn():
            cursor.begin()
            cursor.execute("SELECT turn FROM applied").fetchall()
            cursor.execute("SELECT number FROM turns").fetchall()
        try:
            yield self
            cursor.commit()
        except BaseException:
            with suppress(duckdb.Error):
                cursor.rollback()
            raise

    def _probe_files(self) -> None:
        with self._lock:
            cursor = self._root.cursor()
        with closing(cursor):
            self._files.probe(cursor)

    def _read(self, sql: str, parameters: Sequence[object] | dict[str, object]) -> list[tuple[Any, ...]]:
        try:
            return super().read(sql, parameters)
        except duckdb.Error as error:
            if isinstance(error, duckdb.ProgrammingError):
                raise
            raise StoreBroken(f"{self} could not be read: {error}") from error

    def _connect(self) -> duckdb.DuckDBPyConnection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        return duckdb.connect(":memory:")

    def _open(self, memory_limit: str, threads: int) -> None:
        load(self._root, "ducklake", "postgres_scanner")
        self._mine = self.path.open("w")
        try:
            try:
                fcntl.flock(self._mine, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise StoreBusy(f"{self.path} is held by another process") from error
            self._attach(memory_limit, threads)
        except BaseException:
            self._mine.close()
            raise

    def _attach(self, memory_limit: str, threads: int) -> None:
        """Both databases, with their tables as this version has them; then shuts the doors."""
        make_scratch(self.scratch)
        limit(self._root, self.scratch, memory_limit, threads)
        self._root.execute(f"ATTACH {quoted(self._where)} AS keyed (TYPE postgres)")
        with self._turn(new=True):
            self._files, new = self._found()
            self._files.reach(self._root, new)
            if new:
                self._claim()
            self._root.execute(
                f"ATTACH {quoted('ducklake:postgres:' + self._where)} AS lake "
                f"(DATA_PATH {quoted(f'{self._files}/')}, METADATA_SCHEMA '{CATALOGUE}', DATA_INLINING_ROW_LIMIT {INLINE})"
            )
            migrate(self._root)
            self._root.execute(f"SET search_path = '{PATH}'")
            views(self._root)
        self._lake, self._keyed = self._cursor(), self._cursor()
        # Used by whoever has the turn, and by nobody else.
        shut(self._root, self.scratch, f"{self._files}/")
        if self._keyed.execute(f"SELECT turn FROM keyed.{SCHEMA}.erasures").fetchall():
            self._owed = 0.0
            if self._serving:
                with self._turn():
                    self._tidy()

    def _found(self) -> tuple[Files, bool]:
        """Where the lake's files are, and whether it is a new lake. Raises StoreBroken where that is not known, or known otherwise."""
        found = self._root.execute(
            "SELECT known FROM postgres_query('keyed', ?)", [f"SELECT to_regclass('{CATALOGUE}.ducklake_metadata') IS NOT NULL AS known"]
        ).fetchall()
        given = files_at(self._data) if self._data else None
        if found == [(True,)]:
            ((kept,),) = self._root.execute(
                "SELECT value FROM postgres_query('keyed', ?)",
                [f"SELECT value FROM {CATALOGUE}.ducklake_metadata WHERE key = 'data_path'"],
            ).fetchall()
            if given not in (None, files_at(kept)):
                raise StoreBroken(f"{self} has its files in {files_at(kept)}, not in {given}")
            return files_at(kept), False
        if given is None:
            raise StoreBroken(f"{self} is not there yet; --lake-data names the folder, or s3://BUCKET/PREFIX, for the files of a new one")
        return given, True

    def _claim(self) -> None:
        """Raises StoreBroken where another lake has its files already: each removes what is none of its own."""
        if self._root.execute(f"SELECT 1 FROM glob({quoted(f'{self._files}/main/*/*.parquet')}) LIMIT 1").fetchall():
            raise StoreBroken(f"{self._files} holds files of another lake already; a new one needs a place of its own")

    def _cursor(self) -> duckdb.DuckDBPyConnection:
        cursor = self._root.cursor()
        cursor.execute(f"SET search_path = '{PATH}'")
        return cursor

    @contextmanager
    def _turn(self, new: bool = False) -> Iterator[None]:
        """Waits until no other process writes, and does what was left undone; `new`: there may be no tables yet."""
        lock = self._root.cursor()
        lock.begin()
        try:
            try:
                postgres(lock, f"SET LOCAL lock_timeout = '{PATIENCE}s'; SELECT pg_advisory_xact_lock({_LOCK})")
                if not new:
                    settle(self._lake, self._keyed)
            except duckdb.Error as error:
                raise StoreBroken(f"{self} could not be written, and nothing was stored: {error}") from error
            yield
        finally:
            with suppress(duckdb.Error):  # A connection that broke has no transaction any more.
                lock.rollback()
            lock.close()

    def _fold(self) -> None:
        if self._turns:
            with self._turn():
                self._tidy()

    def _give_up(self, which: str) -> None:
        """Has files removed that no transaction has left in the catalogue. DuckLake could do so itself, but would take with them what lies
        there of somebody else, another lake in a folder below for one."""
        found = self._lake.execute(f"SELECT path FROM ducklake_delete_orphaned_files('lake', dry_run => true, {which})").fetchall()
        own = re.compile(re.escape(f"{self._files}/main/") + r"\w+/ducklake-[^/]+\.parquet")
        for (path,) in found:
            if own.fullmatch(path):
                postgres(
                    self._keyed,
                    f"INSERT INTO {_REMOVED} (data_file_id, path, path_is_relative, schedule_start) "
                    f"SELECT greatest(max(data_file_id), {_NO_FILE}) + 1, {quoted(path)}, false, now() FROM {_REMOVED}",
                )

    def _tidy(self) -> None:
        """Makes few large files of many small ones, and removes those that were replaced a while ago, or that a process was killed over:
        all at once where records were taken out, of which nothing is to be left in any file."""
        lake = self._lake
        self._owed = inf
        try:
            ((erasing, unfinished),) = self._keyed.execute(
                f"SELECT (SELECT count(*) FROM keyed.{SCHEMA}.erasures), (SELECT count(*) FROM keyed.{SCHEMA}.unfinished)"
            ).fetchall()
            if erasing:
                self._owed = time.monotonic() + PATIENCE
            if unfinished:
                return
            old = f"older_than => now() - INTERVAL '{'0 seconds' if erasing else GRACE}'"
            gone = "cleanup_all => true" if erasing else old  # whatever the clock of an object store says
            lake.execute("CALL ducklake_flush_inlined_data('lake')")
            lake.execute("CALL ducklake_merge_adjacent_files('lake')")
            lake.execute("CALL ducklake_rewrite_data_files('lake', delete_threshold => ?)", [0.0 if erasing else 0.5])
            lake.execute(f"CALL ducklake_expire_snapshots('lake', {old})")
            self._give_up(gone)
            lake.execute(f"CALL ducklake_cleanup_old_files('lake', {gone})")
            if erasing:
                postgres(self._keyed, f"DELETE FROM {SCHEMA}.erasures")
                self._owed = inf
        except duckdb.Error:  # Nothing is lost by it, and it is done again.
            _log.warning("%s could not be tidied", self, exc_info=True)
