"""Pseudonyms: a mapping of names, applied wherever names leave the store. The store itself keeps what was sent.

A player's name is replaced as a whole, in any case; the recorder's too. In notes, statements and other free text the name is replaced
wherever it stands as a word of its own. What comes out is a record of its own identity. The names of events and places are left alone.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import duckdb

from records.record import Record, replace
from service.store import Store

LONGEST: Final = 200
"""Characters of a name and of a pseudonym."""
_IN_FORCE: Final = "SELECT name, arg_max(pseudonym, step) AS pseudonym FROM pseudonyms GROUP BY name HAVING pseudonym <> '' ORDER BY name"


@dataclass(frozen=True)
class Pseudonyms:
    """The pseudonyms in force, by name in small letters."""

    by_name: Mapping[str, str] = field(default_factory=dict)

    def name(self, name: str) -> str:
        """A whole name as it is shown."""
        return self.by_name.get(name.lower(), name)

    def text(self, text: str) -> str:
        """A text without the names."""
        return text if self._words is None else self._words.sub(lambda found: self.name(found[0]), text)

    def value(self, value: Any) -> Any:
        """The same for every text in a JSON value; keys stay."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {key: self.value(each) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [self.value(each) for each in value]
        return value

    def record(self, record: Record) -> Record:
        """A record as it is shown; the very same where no name of it has a pseudonym."""
        if not self.by_name:
            return record
        recorder = record.event.recorder
        shown = replace(
            record,
            players=tuple(map(self.name, record.players)),
            event=replace(record.event, recorder=None if recorder is None else self.text(self.name(recorder))),
            rounds=tuple(
                replace(each, notes={place: self.text(note) for place, note in each.notes.items()}) if each.notes else each
                for each in record.rounds
            ),
            extra={place: self.value(keys) for place, keys in record.extra.items()},
        )
        return record if shown == record else shown

    @cached_property
    def _words(self) -> "re.Pattern[str] | None":
        if not self.by_name:
            return None
        longest_first = sorted(self.by_name, key=lambda name: (-len(name), name))
        return re.compile("|".join(map(_as_word, longest_first)), re.IGNORECASE)


def _as_word(name: str) -> str:
    """A name where it is not part of a longer word; Japanese puts no blank between words."""
    before, after = ("" if _wide(name[at]) else sign for at, sign in ((0, r"(?<!\w)"), (-1, r"(?!\w)")))
    return before + re.escape(name) + after


def _wide(letter: str) -> bool:
    return unicodedata.east_asian_width(letter) in "WF"


def in_force(store: Store) -> Pseudonyms:
    """The pseudonyms of a store."""
    return Pseudonyms(dict(store.read(_IN_FORCE)))


def give(store: Store, name: str, pseudonym: str) -> None:
    """From now on a name is shown as this; where it is empty, as itself. Raises ValueError, with every fault, for what cannot be."""
    name, pseudonym = name.strip(), pseudonym.strip()
    faults = [] if name else ["name: a name is needed"]
    for part, text in (("name", name), ("pseudonym", pseudonym)):
        if len(text) > LONGEST or not all(letter.isprintable() for letter in text):
            faults.append(f"{part}: at most {LONGEST} characters, and no control characters")
    if pseudonym and pseudonym.lower() == name.lower():
        faults.append("pseudonym: that is the name")
    if faults:
        raise ValueError("\n".join(faults))
    if not store.write(_give, (name, pseudonym)).result():
        raise ValueError("pseudonym: somebody else has it already")


def _give(connection: duckdb.DuckDBPyConnection, given: Sequence[tuple[str, str]]) -> Sequence[bool]:
    done = []
    for name, pseudonym in given:
        key = name.lower()
        taken = connection.execute(
            f"SELECT 1 FROM ({_IN_FORCE}) WHERE lower(pseudonym) = lower(?) AND name <> ?", (pseudonym, key)
        ).fetchall()
        if taken and pseudonym:
            done.append(False)
            continue
        connection.execute(
            "INSERT INTO pseudonyms (name, step, pseudonym) SELECT ?, coalesce(max(step), 0) + 1, ? FROM pseudonyms WHERE name = ?",
            (key, pseudonym, key),
        )
        done.append(True)
    return done
