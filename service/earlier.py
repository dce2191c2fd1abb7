"""What a store of an earlier version lacks: summaries of the records that are in it."""

from typing import Final

import duckdb
import numpy as np

from analysis.summaries import READ, SUMMARIES, columns
from service.rows import Columns, insert

A_SPAN: Final = 20_000
"""Records that are summarised at a time."""
_ORDER: Final = {"players": "seat", "rounds": "round", "seats": "round, seat", "actions": "round, action", "findings": "round"}


def complete(connection: duckdb.DuckDBPyConnection) -> None:
    """Fills the tables of summaries where records are and summaries are not: a migration made or emptied them. All or nothing."""
    there = "SELECT EXISTS (SELECT 1 FROM results) OR NOT EXISTS (SELECT 1 FROM seats WHERE score IS NOT NULL)"
    if connection.execute(there).fetchall() == [(True,)]:
        return
    ((least, most),) = connection.execute("SELECT min(number), max(number) FROM records").fetchall()
    connection.begin()
    try:
        for table in SUMMARIES:
            connection.execute(f"DELETE FROM {table}")
        for first in range(least, most + 1, A_SPAN):
            _fill(connection, first, first + A_SPAN)
        connection.commit()
    except BaseException:
        connection.rollback()
        raise


def _fill(connection: duckdb.DuckDBPyConnection, first: int, end: int) -> None:
    """Those of the records with numbers from `first` to before `end`."""
    seats = np.ones(end - first, dtype=np.int64)
    for number, count in connection.execute("SELECT number, seats FROM records WHERE number >= ? AND number < ?", (first, end)).fetchall():
        seats[number - first] = count
    tables: dict[str, Columns] = {}
    for table, names in READ.items():
        sql = f"SELECT {', '.join(names)} FROM {table} WHERE record >= ? AND record < ? ORDER BY record, {_ORDER[table]}"
        tables[table] = connection.execute(sql, (first, end)).fetchnumpy()
        tables[table]["record"] = np.asarray(tables[table]["record"]) - first
    for table, found in columns(seats, tables).items():
        insert(connection, table, found | {"record": found["record"] + first})
