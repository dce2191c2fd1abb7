"""How records that wait in the table of arrivals take their places in the other tables (`service.arrivals` says why they wait)."""

import logging
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final

import duckdb

from records.formats import read_record
from service.errors import StoreError
from service.rows import Batch, Prepared, insert_batch, prepare_read
from service.seen import Seen
from service.writer import FAILURES

_log: Final = logging.getLogger("hanafu.arrivals")


def place(
    connection: duckdb.DuckDBPyConnection,
    ids: Sequence[bytes],
    numbers: Callable[[int], int],
    made: Mapping[bytes, Prepared],
    seen: Seen | None,
) -> None:
    """The writer's step: those of these records that wait leave for their places, in the order of arrival. `numbers`: the first of so many
    that no record has had. `made`: what was made of the records, where that is known; else they are judged again. `seen`: the store's."""
    chosen = set(ids)
    rows = [row for row in connection.execute("SELECT id, account, sent_at FROM arrivals ORDER BY rowid").fetchall() if row[0] in chosen]
    if not rows:
        return
    prepared = [made.get(id) or _made_again(connection, id) for id, _, _ in rows]
    claim(connection, [([id], account) for id, account, _ in rows if account is not None])
    insert_batch(connection, Batch.of_prepared(prepared, [at for _, _, at in rows]), numbers(len(rows)), seen)
    connection.execute("DELETE FROM arrivals WHERE id IN (SELECT unnest(?::BLOB[]))", [[id for id, _, _ in rows]])


def place_all(ids: Sequence[bytes], attempt: Callable[[Sequence[bytes]], object]) -> None:
    """Attempts to place records in a transaction. One that cannot take its place, which is a fault of ours, keeps no other from it: it
    stays where it is, the log says so, and a later version may do better. Raises what says that the store cannot be written."""
    try:
        attempt(ids)
    except (StoreError, *FAILURES):
        raise
    except Exception:
        if len(ids) == 1:
            _log.exception("record %s is kept, but cannot take its place", ids[0].hex())
            return
        for id in ids:
            place_all([id], attempt)


def waiting(connection: duckdb.DuckDBPyConnection) -> list[bytes]:
    """Ids of the records that wait."""
    return [id for (id,) in connection.execute("SELECT id FROM arrivals").fetchall()]


def claim(connection: duckdb.DuckDBPyConnection, claims: Sequence[tuple[Sequence[bytes], str]]) -> Sequence[None]:
    """The writer's step: an account sends these records. The first one decides; a record that was here before accounts were has none."""
    for account, run in groupby(claims, key=itemgetter(1)):
        ids = [id for sent, _ in run for id in sent]
        connection.execute(
            "INSERT INTO holders (record, place, account) "
            "SELECT i.id, coalesce((SELECT max(place) FROM holders h WHERE h.record = i.id), "
            "CASE WHEN i.id IN (SELECT id FROM records) THEN 1 ELSE 0 END) + 1, ? FROM (SELECT DISTINCT unnest(?::BLOB[]) AS id) i "
            "WHERE NOT EXISTS (SELECT 1 FROM holders h WHERE h.record = i.id AND h.account = ?)",
            (account, ids, account),
        )
    return [None] * len(claims)


def _made_again(connection: duckdb.DuckDBPyConnection, id: bytes) -> Prepared:
    ((raw,),) = connection.execute("SELECT raw FROM arrivals WHERE id = ?", (id,)).fetchall()
    return prepare_read([(read_record(raw), raw)])[0]
