"""A large store in little time: some thousand records taken in as always, and their rows written again and again by DuckDB.

Each copy is a record of its own: under another number and id, another day, event and players. Its normalised form, which no chart and no
list reads, is that of the record it was copied from.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import duckdb

from records.formats import documents
from service.batches import gathered, take
from service.bench.archive import A_DAY, DIFFERENT, FIRST_DAY, PLAYERS, archive
from service.desk import Desk, now
from service.rows import CHILDREN
from service.store import Store

AT_A_TIME: Final = 20
"""Copies that are written in one commit."""

_FIRST_DAY: Final = f"DATE '0001-01-01' + {FIRST_DAY - 1}"
_PLAYER: Final = (
    f"'Player ' || CASE WHEN seat = 1 THEN (record + copy * {{size}}) % {PLAYERS} + 1 "
    f"ELSE ((record + copy * {{size}}) % {PLAYERS} + 1 + (record + copy * {{size}}) // {PLAYERS} % ({PLAYERS} - 1)) % {PLAYERS} + 1 END"
)
_ANOTHER: Final = {
    "id": "unhex(sha256(concat(hex(id), ' ', copy)))",
    "event": f"'Evening ' || ((number + copy * {{size}}) // {A_DAY} + 1)",
    "date": f"strftime({_FIRST_DAY} + ((number + copy * {{size}}) // {A_DAY})::INTEGER, '%Y-%m-%d')",
    **dict.fromkeys(("name", "player"), _PLAYER),
}
"""By column: what a copy has in it; every other column is copied as it is."""


def fill(path: Path, records: int, seed: int, faults: float = 0.0) -> None:
    """Makes a store with so many records, of two seats each. `faults`: the share of them that has one planted."""
    with Store(path) as store:
        desk = Desk(store)
        different = min(records, DIFFERENT)
        for batch in gathered(documents(archive(different, seed, "json", faults))):
            taken = take(batch, now())
            assert taken.batch is not None
            desk.put(taken.batch)
        for copies in _spans(records, different):
            store.write(_copy, (different, records, copies)).result()


def _spans(records: int, size: int) -> Iterator[range]:
    """The copies from 1 that are written together; the last may be more than is left, and is cut off."""
    copies = -(-records // size) - 1
    for first in range(1, copies + 1, AT_A_TIME):
        yield range(first, min(first + AT_A_TIME, copies + 1))


def _copy(connection: duckdb.DuckDBPyConnection, asked: Sequence[tuple[int, int, range]]) -> list[None]:
    for size, records, copies in asked:
        for table in ("records", *CHILDREN):
            number = "number" if table == "records" else "record"
            columns = [name for name, *_ in connection.execute(f"SELECT * FROM {table} LIMIT 0").description or ()]
            chosen = [
                f"{number} + copy * {size}" if name == number else _ANOTHER.get(name, f'"{name}"').format(size=size) for name in columns
            ]
            connection.execute(
                f"INSERT INTO {table} ({', '.join(map(_quoted, columns))}) SELECT {', '.join(chosen)} "
                f"FROM (SELECT unnest(range({copies.start}, {copies.stop})) AS copy) "
                f"CROSS JOIN (SELECT * FROM {table} WHERE {number} <= {size}) "
                f"WHERE {number} + copy * {size} <= {records} ORDER BY copy, {number}"
            )
    return [None] * len(asked)


def _quoted(name: str) -> str:
    return f'"{name}"'
