"""Who sent a record, who sees it, and how it is withdrawn.

Who sends a record first decides about it; whoever sends the same later has it too, and sees it. Withdrawing erases the bytes, the
normalised form, the report, what was made of it and what was said about it; the id, the date and an entry in the log stay, and the same
record is not taken again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import duckdb

from service.acts import append_entry, written
from service.rows import CHILDREN
from service.store import Store

VISIBILITIES: Final = ("private", "event", "public")
WITHDRAWN: Final = "withdrawn"


@dataclass(frozen=True, slots=True)
class Held:
    """Who decides about a record (None: the store's owner), and who sees it (None: as the settings have it)."""

    account: str | None
    visibility: str | None


def held(store: Store, record: bytes) -> Held:
    """Of one record."""
    first = store.read("SELECT account FROM holders WHERE record = ? AND place = 1", (record,))
    said = store.read("SELECT visibility FROM visibility WHERE record = ? ORDER BY step DESC LIMIT 1", (record,))
    return Held(first[0][0] if first else None, said[0][0] if said else None)


def records_of(store: Store, account: str) -> list[tuple[str, Held, str | None, str]]:
    """The records that an account decides about, the latest first: id, custody, event and game."""
    rows = store.read(
        "SELECT r.id, v.visibility, r.event, r.variant FROM holders h JOIN records r ON r.id = h.record "
        "LEFT JOIN (SELECT record, arg_max(visibility, step) AS visibility FROM visibility GROUP BY record) v ON v.record = h.record "
        "WHERE h.account = ? AND h.place = 1 ORDER BY r.number DESC LIMIT 200",
        (account,),
    )
    return [(id.hex(), Held(account, visibility), event, variant) for id, visibility, event, variant in rows]


def show(store: Store, record: bytes, visibility: str, account: str | None, at: datetime) -> None:
    """Says who sees a record. Raises ValueError for what is no visibility."""
    if visibility not in VISIBILITIES:
        raise ValueError(f"{visibility!r} is none of {', '.join(VISIBILITIES)}")
    store.write(_show, (record, visibility, account, at)).result()


def inherit(store: Store, record: bytes, other: bytes, at: datetime) -> None:
    """Hands a record to whoever has another one, and shows it to whoever sees that."""
    store.write(_inherit, (record, other, at)).result()


def withdraw(store: Store, record: bytes, at: datetime) -> None:
    """Erases a record. Raises KeyError where there is none of that id."""
    if not store.write(_withdraw, (record, at)).result():
        raise KeyError(record.hex())


def withdrawn(store: Store, record: bytes) -> datetime | None:
    """When a record was withdrawn, in UTC; None where it was not."""
    rows = store.read("SELECT withdrawn_at FROM withdrawals WHERE record = ?", (record,))
    return rows[0][0] if rows else None


def _show(connection: duckdb.DuckDBPyConnection, said: Sequence[tuple[bytes, str, str | None, datetime]]) -> Sequence[None]:
    for record, visibility, account, at in said:
        connection.execute(
            "INSERT INTO visibility (record, step, visibility, account, changed_at) "
            "SELECT ?, coalesce(max(step), 0) + 1, ?, ?, ? FROM visibility WHERE record = ?",
            (record, visibility, account, at, record),
        )
    return [None] * len(said)


def _inherit(connection: duckdb.DuckDBPyConnection, pairs: Sequence[tuple[bytes, bytes, datetime]]) -> Sequence[None]:
    for record, other, at in pairs:
        connection.execute("DELETE FROM holders WHERE record = ?", (record,))
        connection.execute(
            "INSERT INTO holders (record, place, account) SELECT ?, place, account FROM holders WHERE record = ?", (record, other)
        )
        found = connection.execute("SELECT visibility FROM visibility WHERE record = ? ORDER BY step DESC LIMIT 1", (other,)).fetchone()
        if found:
            _show(connection, [(record, found[0], None, at)])
    return [None] * len(pairs)


def _withdraw(connection: duckdb.DuckDBPyConnection, asked: Sequence[tuple[bytes, datetime]]) -> Sequence[bool]:
    done = []
    for record, at in asked:
        found = connection.execute("SELECT number FROM records WHERE id = ?", (record,)).fetchone()
        if found:
            for table in CHILDREN:
                connection.execute(f"DELETE FROM {table} WHERE record = ?", found)
            for table in ("acts", "holders", "visibility"):
                connection.execute(f"DELETE FROM {table} WHERE record = ?", (record,))
            connection.execute("DELETE FROM records WHERE id = ?", (record,))
            connection.execute("INSERT INTO withdrawals (record, withdrawn_at) VALUES (?, ?)", (record, at))
            append_entry(connection, record, {"kind": WITHDRAWN, "at": written(at)})
        done.append(bool(found))
    return done
