"""A turn: what one process writes while no other does, into PostgreSQL and the lake, as a whole or not at all.

Two databases have two commits. The first one, PostgreSQL's, decides: with the rows that have keys it stores the statements that are still
to be done in the lake, under the turn's number. Then the lake commits, and with its rows the number of the turn. Who takes the next turn
finds what was left in between by a process that was killed, and does it, unless the lake has that turn's number already. Should two ever
do so at a time, both change the one row with the number, and the lake refuses the second.
"""

import logging
import re
import zlib
from collections.abc import Sequence
from typing import Any, Final

import duckdb
import msgspec
import numpy as np

from service.lake.tables import LAKE, SCHEMA, postgres
from service.rows import Columns, objects

_WRITES: Final = re.compile(r'\s*(INSERT INTO|DELETE FROM|UPDATE) "?(\w+)"?')
_READS_LAKE: Final = re.compile(rf'\b(?:FROM|JOIN) "?(?:{"|".join(LAKE)})\b')
_ONCE: Final = "ON CONFLICT DO NOTHING RETURNING number"
"""How records come in: those whose id is not there yet. Here PostgreSQL's key decides."""

_log = logging.getLogger("hanafu.lake")


class Turn:
    """Stands where the writer's connection stands, and takes the same statements.

    A statement goes to the database that it writes to, or, where it reads, to the lake if a table of the lake is named. It sees what was
    written before it there; of the other database it sees what was there when the turn began.
    """

    def __init__(self, lake: duckdb.DuckDBPyConnection, keyed: duckdb.DuckDBPyConnection) -> None:
        """Two connections that nobody else uses meanwhile."""
        self._lake = lake
        self._keyed = keyed
        self._arriving: Columns = {}
        self._work: list[tuple[str, Sequence[object], dict[str, tuple[str, Any]] | None]] = []
        self.erased = False
        """Whether records were taken out."""
        lake.begin()
        keyed.begin()
        ((self._number, self._next),) = keyed.execute(f"SELECT number + 1, next FROM keyed.{SCHEMA}.turns").fetchall()

    def numbers(self, size: int) -> int:
        """The first of so many numbers that no record has had."""
        first: int = self._next
        self._next += size
        return first

    def register(self, name: str, columns: Columns) -> None:
        """What ``arriving`` means in statements; what stands in the columns may change in between."""
        assert name == "arriving", name
        self._arriving = columns

    def execute(self, sql: str, parameters: Sequence[object] = ()) -> duckdb.DuckDBPyConnection:
        """As a connection does."""
        written = _WRITES.match(sql)
        if written is None:
            return (self._lake if _READS_LAKE.search(sql) else self._keyed).execute(sql, parameters)
        if written[2] not in LAKE:
            if "FROM arriving" in sql:
                self._keyed.register("arriving", self._arriving)
            return self._keyed.execute(sql, parameters)
        if sql.rstrip().endswith(_ONCE):
            return self._insert_once(sql.rstrip().removesuffix(_ONCE))
        if written[1] == "DELETE FROM" and written[2] == "records":
            self._release(sql, parameters)
        return self._write(sql, parameters, self._arriving)

    def commit(self) -> None:
        """Ends the turn. When this returns, what was written is durable. Where it raises, nothing is there."""
        postgres(self._keyed, f"UPDATE {SCHEMA}.turns SET number = {self._number}, next = {self._next}")
        if self.erased:
            postgres(self._keyed, f"INSERT INTO {SCHEMA}.erasures (turn) VALUES ({self._number})")
        if self._work:
            self._keyed.execute(
                f"INSERT INTO keyed.{SCHEMA}.unfinished (turn, work) VALUES (?, ?)", [self._number, zlib.compress(_pack(self._work), 1)]
            )
            self._lake.execute("UPDATE lake.main.applied SET turn = ?", [self._number])
        self._keyed.commit()
        if not self._work:
            self._lake.rollback()
            return
        try:
            self._lake.commit()
            postgres(self._keyed, f"DELETE FROM {SCHEMA}.unfinished WHERE turn = {self._number}")
        except duckdb.Error:  # It is decided, and kept: the next turn brings it into the lake, whoever takes it.
            _log.warning("turn %d is left to the next", self._number, exc_info=True)

    def roll_back(self) -> None:
        """Nothing was written."""
        for connection in (self._lake, self._keyed):
            try:
                connection.rollback()
            except duckdb.Error:  # A commit that failed has ended its transaction already.
                continue

    def _write(self, sql: str, parameters: Sequence[object], arriving: Columns) -> duckdb.DuckDBPyConnection:
        columns = None
        if "FROM arriving" in sql:
            self._lake.register("arriving", arriving)
            columns = {name: _plain(column) for name, column in arriving.items()}
        self._work.append((sql, parameters, columns))
        return self._lake.execute(sql, parameters)

    def _insert_once(self, sql: str) -> duckdb.DuckDBPyConnection:
        """Claims ids, then inserts the records that were not claimed by anybody before; answers with their numbers."""
        columns = self._arriving
        ids = ",".join(f'"\\\\x{id.hex()}"' for id in columns["id"])
        first = int(columns["number"].min())
        numbers = ",".join(map(str, columns["number"].tolist()))
        postgres(
            self._keyed,
            f"INSERT INTO {SCHEMA}.claims (id, number) SELECT id, number FROM unnest('{{{ids}}}'::bytea[], '{{{numbers}}}'::bigint[]) "
            "AS arriving (id, number) ON CONFLICT (id) DO NOTHING",
        )
        mine = self._keyed.execute(
            "SELECT number FROM postgres_query('keyed', ?)", [f"SELECT number FROM {SCHEMA}.claims WHERE number >= {first}"]
        ).fetchall()
        claimed = np.isin(columns["number"], np.array(mine, dtype=np.int64).ravel())
        if claimed.any():
            self._write(sql, (), {name: column[claimed] for name, column in columns.items()})
        return self._keyed.execute("SELECT unnest(?::BIGINT[])", [columns["number"][claimed].tolist()])

    def _release(self, sql: str, parameters: Sequence[object]) -> None:
        """Gives up the claims of records that are taken out."""
        self.erased = True
        gone = self._lake.execute(sql.replace("DELETE", "SELECT number", 1), parameters).fetchall()
        if gone:
            postgres(self._keyed, f"DELETE FROM {SCHEMA}.claims WHERE number IN ({','.join(str(number) for (number,) in gone)})")


def settle(lake: duckdb.DuckDBPyConnection, keyed: duckdb.DuckDBPyConnection) -> None:
    """Brings into the lake what a turn that was cut off has decided."""
    for turn, work in keyed.execute(f"SELECT turn, work FROM keyed.{SCHEMA}.unfinished ORDER BY turn").fetchall():
        lake.begin()
        try:
            ((applied,),) = lake.execute("SELECT turn FROM lake.main.applied").fetchall()
            if applied < turn:
                for sql, parameters, columns in _unpack(zlib.decompress(work)):
                    if columns is not None:
                        lake.register("arriving", columns)
                    lake.execute(sql, parameters)
                lake.execute("UPDATE lake.main.applied SET turn = ?", [turn])
            lake.commit()
        except BaseException:
            lake.rollback()
            raise
        postgres(keyed, f"DELETE FROM {SCHEMA}.unfinished WHERE turn = {turn}")


def _plain(column: Any) -> tuple[str, Any]:
    """A column so that it can be packed: its type, and its bytes or its objects."""
    return column.dtype.str, column.tolist() if column.dtype == object else column.tobytes()


def _pack(work: Sequence[object]) -> bytes:
    return msgspec.msgpack.encode(work)


def _unpack(packed: bytes) -> list[tuple[str, Sequence[object], Columns | None]]:
    return [
        (sql, parameters, None if columns is None else {name: _column(*plain) for name, plain in columns.items()})
        for sql, parameters, columns in msgspec.msgpack.decode(packed)
    ]


def _column(kind: str, content: Any) -> Any:
    return objects(content) if kind == "|O" else np.frombuffer(content, dtype=kind)
