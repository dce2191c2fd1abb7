"""What people did in disputes, as rows: appended with their entries in the log, and read back as disputes.

An act's body holds names and words and lies in `acts`; the log holds its hash. Each body carries a salt, so that nobody finds a name by
hashing guesses.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

import duckdb
import orjson

from service.chain import Entry, broken, canonical, digest, linked
from service.store import Store
from web.cases import Actor, Dispute, Ruling, Statement

Json = dict[str, Any]

OPENED: Final = "opened"
ANSWERED: Final = "answered"
RULED: Final = "ruled"
REAUDITED: Final = "reaudited"
"""No act of anybody's: another engine gave another report."""


@dataclass(frozen=True, slots=True)
class Act:
    """An act that is to be appended."""

    record: bytes
    kind: str
    by: Actor
    at: datetime
    """UTC, without a zone."""
    said: Mapping[str, Any]
    evidence: Mapping[str, Any]
    """What the log holds besides: hashes of the report and of the bytes as sent, the engine."""
    dispute: int | None = None
    """None: a new one."""


@dataclass(frozen=True, slots=True)
class Kept:
    """An act as it is kept."""

    entry: int
    kind: str
    dispute: int
    at: datetime
    account: str | None
    body: Json


def append(connection: duckdb.DuckDBPyConnection, acts: Sequence[Act]) -> Sequence[int]:
    """The writer's step: each act with its entry in the log; the number of each one's dispute."""
    return [_append(connection, act) for act in acts]


def append_entry(connection: duckdb.DuckDBPyConnection, record: bytes, content: Mapping[str, Any]) -> int:
    """Adds an entry to a record's log inside a transaction that is open; its place, from 1."""
    last = connection.execute("SELECT entry, hash FROM log WHERE record = ? ORDER BY entry DESC LIMIT 1", (record,)).fetchone()
    place, previous = (last[0] + 1, last[1]) if last else (1, record)
    entry = linked(previous.hex(), {"record": f"sha256:{record.hex()}", "entry": place, **content})
    connection.execute(
        "INSERT INTO log (record, entry, previous, hash, content) VALUES (?, ?, ?, ?, ?)",
        (record, place, previous, bytes.fromhex(entry.hash), canonical(entry.content).decode()),
    )
    return place


def _append(connection: duckdb.DuckDBPyConnection, act: Act) -> int:
    dispute = act.dispute
    if dispute is None:
        row = connection.execute("SELECT coalesce(max(dispute), 0) + 1 FROM acts WHERE record = ?", (act.record,)).fetchone()
        assert row is not None
        dispute = int(row[0])
    body: Json = {
        "kind": act.kind,
        "dispute": dispute,
        "at": written(act.at),
        "name": act.by.name,
        "role": act.by.role,
        "verified": act.by.verified,
        **act.said,
        "salt": secrets.token_hex(16),
    }
    content = {"kind": act.kind, "at": written(act.at), "dispute": dispute, "act": f"sha256:{digest(body)}", **act.evidence}
    place = append_entry(connection, act.record, content)
    target = act.said.get("record")
    connection.execute(
        "INSERT INTO acts (record, entry, kind, dispute, acted_at, account, target, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            act.record,
            place,
            act.kind,
            dispute,
            act.at,
            act.by.account,
            bytes.fromhex(str(target).removeprefix("sha256:")) if target else None,
            canonical(body).decode(),
        ),
    )
    return dispute


def kept(store: Store, record: bytes) -> list[Kept]:
    """All acts on a record, in order."""
    rows = store.read("SELECT entry, kind, dispute, acted_at, account, body FROM acts WHERE record = ? ORDER BY entry", (record,))
    return [Kept(entry, kind, dispute, at, account, orjson.loads(body)) for entry, kind, dispute, at, account, body in rows]


def log(store: Store, record: bytes) -> list[Entry]:
    """The log of a record."""
    rows = store.read("SELECT previous, hash, content FROM log WHERE record = ? ORDER BY entry", (record,))
    return [Entry(previous.hex(), hash.hex(), orjson.loads(content)) for previous, hash, content in rows]


def faults(store: Store) -> list[str]:
    """What is wrong with the logs of all records and with what they are about, in words, a line a record."""
    found = []
    for (record,) in store.read("SELECT DISTINCT record FROM log UNION SELECT DISTINCT record FROM acts ORDER BY 1"):
        entries = log(store, record)
        logged = [entry.content["act"] for entry in entries if "act" in entry.content]
        if (place := broken(record.hex(), entries)) is not None:
            found.append(f"sha256:{record.hex()}: entry {place} of its log does not follow from the one before it")
        elif logged != [f"sha256:{digest(act.body)}" for act in kept(store, record)]:
            found.append(f"sha256:{record.hex()}: what was said and ruled is not what its log knows")
    return found


def disputes(acts: Sequence[Kept]) -> list[Dispute]:
    """What the acts come to: the disputes of a record, by number."""
    found: dict[int, Dispute] = {}
    answers: dict[int, list[Statement]] = {}
    rulings: dict[int, list[Ruling]] = {}
    for act in acts:
        body, number = act.body, act.dispute
        by = Actor(body["name"], body["role"], act.account)
        if act.kind == OPENED:
            answers[number], rulings[number] = [], []
            opened = Statement(by, act.at, body["statement"])
            found[number] = Dispute(number, body["round"], body["claim"], opened, answers[number], rulings[number])
        elif act.kind == ANSWERED:
            answers[number].append(Statement(by, act.at, body["statement"]))
        else:
            replaces = body["record"]
            rulings[number].append(
                Ruling(
                    len(rulings[number]) + 1,
                    by,
                    act.at,
                    body["outcome"],
                    body["reasons"],
                    body["rules"],
                    body["options"],
                    body["scores"],
                    replaces.removeprefix("sha256:") if replaces else None,
                )
            )
    return [found[number] for number in sorted(found)]


def written(at: datetime) -> str:
    """A time as ISO 8601 in UTC."""
    return at.replace(tzinfo=UTC).isoformat().replace("+00:00", "Z")
