"""Everything that reading can refuse: the whole tree.

RecordsError
├── CannotRead           what was sent is no record
│   ├── RecordErrors     all errors of one document, each with its place
│   └── UnknownCard      a word names no card
└── UnclearWhich         what was sent can mean several things
    └── AmbiguousCard    a word names several cards

What cannot have happened at a table is no exception: a record that says so is read, and the audit tells it
(`records.faults`). What goes wrong between the product and its machine is told by the service's own errors.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

CODES: Final[dict[str, str]] = {
    # the document
    "empty": "There is nothing to read.",
    "not-utf8": "The bytes are not UTF-8.",
    "not-json": "The JSON is broken.",
    "truncated": "The document ends in the middle.",
    "not-a-record": "It is neither a JSON object nor text that begins with a tag.",
    "several-records": "There is more than one record where one is expected.",
    "duplicate-key": "A key stands twice in one object.",
    "bad-number": "A number is not finite, too large or too long.",
    "lone-surrogate": "A string holds half of a character (a lone surrogate).",
    "too-large": "The record is larger than the limit.",
    "too-deep": "Objects and lists are nested deeper than the limit.",
    "too-many": "There are more rounds, actions or errors than the limit.",
    "too-long": "A name or value is longer than the limit.",
    # its shape
    "wrong-type": "A value is of the wrong kind.",
    "missing-key": "A key that must be there is not.",
    "unknown-key": "There is no such key here.",
    "wrong-format": "The format's name is not hanafuda-record/1.",
    "unknown-variant": "There is no such game.",
    "unknown-option": "The game has no such option.",
    "unknown-value": "The value is not one of those that can stand here.",
    "wrong-seats": "The game is not played at that many seats.",
    "wrong-sides": "The sides are no partition that the rules know.",
    "wrong-length": "A list is not as long as it must be.",
    "out-of-range": "A number is outside its range.",
    "not-half": "A number is neither whole nor a half.",
    "empty-name": "A name is empty.",
    "control-character": "A name or value holds a control character.",
    "unknown-yaku": "The game has no such yaku.",
    "no-such-action": "A note belongs to an action that is not there.",
    # cards and actions
    "unknown-card": "A word names no card.",
    "ambiguous-card": "A word names several cards.",
    "empty-action": "An action is empty.",
    "bad-action": "A word is no part of an action.",
    "too-many-cards": "A turn has at most two cards, a capture at most a deck.",
    "misplaced": "A word stands where it cannot: a call before the end, a special action beside others, two calls.",
    "no-such-seat": "There is no such seat.",
    "no-such-month": "There is no such month.",
    "missing-reason": "A reason must follow `misdeal:`.",
    "keep-not-first": "`keep` stands later than first.",
    "abandoned-not-last": "`abandoned` is not the last action.",
    # text
    "unclosed-tag": "A tag's bracket is not closed on its line.",
    "unclosed-note": "A note's brace is not closed.",
    "bad-tag": "A tag is not of the form [Name \"value\"].",
    "unknown-tag": "There is no such tag.",
    "duplicate-tag": "A tag stands twice.",
    "misplaced-tag": "A tag stands where it cannot.",
    "misplaced-action": "An action or note stands before any round or after the last one.",
    # files
    "cannot-open": "The file cannot be opened or read.",
    "bad-archive": "The archive is damaged or encrypted.",
    "nested-archive": "An archive lies in an archive.",
    "archive-ratio": "An entry unpacks to more than the limit allows.",
    "archive-entries": "The archive has more entries than the limit.",
}  # fmt: skip
"""The stable codes of `ReadError`, with what each means."""


class RecordsError(Exception):
    """Something that `records` refuses."""


class CannotRead(RecordsError):
    """What was sent is no record."""


class RecordErrors(CannotRead):
    """All errors of one document, in the document's order."""

    def __init__(self, errors: "Sequence[ReadError]") -> None:
        super().__init__("; ".join(map(str, errors[:3])) + (f"; and {len(errors) - 3} more" if len(errors) > 3 else ""))
        self.errors: list[ReadError] = list(errors)


class UnknownCard(CannotRead):
    """A word names no card."""


class UnclearWhich(RecordsError):
    """What was sent can mean several things."""


class AmbiguousCard(UnclearWhich):
    """A word names several cards; `cards` are their numbers."""

    def __init__(self, word: str, cards: tuple[int, ...]) -> None:
        super().__init__(word)
        self.cards = cards


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a value, before its place in the document is known."""

    code: str
    """One of `CODES`."""
    detail: str
    """A sentence for people."""
    token: str | None = None
    """The offending part as written."""
    expected: str | None = None
    meant: str | Callable[[], str | None] | None = None
    """The near miss: what was probably meant; or how to find it, which is slow and done for errors that are listed."""
    offset: int | None = None
    """Where the token begins in the value, characters from 0; None: the whole value."""
    inside: tuple[str | int, ...] = ()
    """Path from the value that was checked to the one that is wrong."""

    def near(self) -> str | None:
        """What was probably meant."""
        return self.meant() if callable(self.meant) else self.meant


@dataclass(frozen=True, slots=True)
class ReadError:
    """One error of a document: where, what, what was expected, what was probably meant."""

    code: str
    """One of `CODES`."""
    detail: str
    """A sentence for people."""
    pointer: str | None = None
    """JSON pointer (RFC 6901); None where there is a line."""
    line: int | None = None
    """From 1."""
    column: int | None = None
    """Characters from 1; a byte-order mark is not counted."""
    token: str | None = None
    expected: str | None = None
    meant: str | None = None

    def as_dict(self) -> dict[str, str | int]:
        """For JSON: the parts that are there."""
        parts: dict[str, str | int | None] = {
            "code": self.code,
            "detail": self.detail,
            "pointer": self.pointer,
            "line": self.line,
            "column": self.column,
            "token": self.token,
            "expected": self.expected,
            "meant": self.meant,
        }
        return {name: part for name, part in parts.items() if part is not None}

    def __str__(self) -> str:
        if self.line is not None:
            place = f"line {self.line}, column {self.column}: " if self.column is not None else f"line {self.line}: "
        else:
            place = f"{self.pointer}: " if self.pointer else ""
        more = f" Expected {self.expected}." if self.expected else ""
        near = f" Did you mean {self.meant}?" if self.meant else ""
        return f"{place}{self.detail}{more}{near}"
