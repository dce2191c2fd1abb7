"""The log of a case: entries chained by hash, so that none can be changed, taken out or put in without a trace.

An entry's hash is the SHA-256 of the RFC 8785 form of ``[previous, content]``; before the first entry stands the hash of the record itself.
Content holds hashes and numbers, never a name and never a word that anybody wrote.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import rfc8785

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a log. Hashes as 64 hex digits."""

    previous: str
    hash: str
    content: Json


def canonical(value: Any) -> bytes:
    """A value's RFC 8785 form; of whole numbers past 2^53, which it does not know, all digits."""
    try:
        return rfc8785.dumps(value)
    except rfc8785.IntegerDomainError:
        return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def digest(value: Any) -> str:
    """The SHA-256 of a value's RFC 8785 form, as 64 hex digits."""
    return hashlib.sha256(canonical(value)).hexdigest()


def linked(previous: str, content: Json) -> Entry:
    """The entry that follows a hash."""
    return Entry(previous, digest([previous, content]), content)


def broken(start: str, entries: Sequence[Entry]) -> int | None:
    """The place, from 1, of the first entry that does not follow from the one before it; None where all do. `start`: the record's hash."""
    previous = start
    for place, entry in enumerate(entries, start=1):
        if entry != linked(previous, entry.content) or entry.content.get("entry") != place:
            return place
        previous = entry.hash
    return None
