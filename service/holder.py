"""The note beside a store that says which server holds it: its address, its process, and a token that only the owner can read.

Commands read it and go to that server; without a note, or where its server is gone, they open the file themselves.
"""

import json
import os
import secrets
import socket
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from service.errors import StoreBroken

REACHED: Final = 5.0
"""Seconds within which a server that is there takes a connection."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A server that holds a store."""

    address: str
    """Such as ``http://127.0.0.1:8000``."""
    token: str
    """Whoever has it acts as the store's owner."""
    pid: int


def note_of(store: Path) -> Path:
    """Where the note about a store lies."""
    return store.with_name(store.name + ".server")


def announce(store: Path, address: str) -> Holder:
    """Writes the note, for the owner's eyes only, whole or not at all. Raises StoreBroken where the folder cannot be written."""
    holder = Holder(address, secrets.token_urlsafe(32), os.getpid())
    draft = note_of(store).with_name(f"{store.name}.server.{os.getpid()}")
    try:
        draft.unlink(missing_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump(asdict(holder), file)
        draft.replace(note_of(store))
    except OSError as error:
        raise StoreBroken(f"the folder of {store} cannot be written, and a server keeps a note there: {error.strerror}") from error
    return holder


def withdraw(store: Path) -> None:
    """Takes the note of this process away."""
    found = _noted(store)
    if found and found.pid == os.getpid():
        note_of(store).unlink(missing_ok=True)


def holder_of(store: Path) -> Holder | None:
    """The server that holds a store; None where there is no note, or nobody listens there any more: who has its number now, after a
    restart of the machine, is another process."""
    holder = _noted(store)
    try:
        if holder is None:
            return None
        os.kill(holder.pid, 0)
        parts = urlsplit(holder.address)
        socket.create_connection((parts.hostname or "", parts.port or 0), REACHED).close()
    except (OSError, ValueError):
        return None
    return holder


def _noted(store: Path) -> Holder | None:
    try:
        return Holder(**json.loads(note_of(store).read_text()))
    except (OSError, ValueError, TypeError):
        return None
