"""What the pages need to know of disputes, rulings and changed reports: plain values and one protocol, which the service implements.

The application hands it over as ``current_app.extensions["hanafu-cases"]``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, cast

from flask import current_app

from web.contexts import Json

ROLES = ("player", "director", "arbiter")
CLAIMS = ("scores", "points", "yaku", "piles", "play", "dealer", "totals", "winner")
"""What a dispute can be about; the last two belong to the record as a whole."""
WHOLE = ("totals", "winner")


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts: a name and a role, as typed. `account`: who that is, where an account says so."""

    name: str
    role: str
    account: str | None = None

    @property
    def verified(self) -> bool:
        """Whether an account stands behind the name."""
        return self.account is not None


@dataclass(frozen=True, slots=True)
class Statement:
    """What somebody says in a dispute."""

    by: Actor
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Ruling:
    """One version of an arbiter's ruling; the highest is in force."""

    version: int
    by: Actor
    at: datetime
    outcome: str
    reasons: str
    rules: Sequence[str] = ()
    """The rule points that it rests on."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """The options that it rests on, beside the record's own."""
    scores: Sequence[float] | None = None
    """By side, where the score is adjusted."""
    record: str | None = None
    """The record that takes the place of this one, where the record is corrected: 64 hex digits."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """A dispute over a claim of a round, or of the record as a whole."""

    number: int
    """In its record, from 1."""
    round: int | None
    claim: str
    opened: Statement
    answers: Sequence[Statement] = ()
    rulings: Sequence[Ruling] = ()

    @property
    def ruling(self) -> Ruling | None:
        """The ruling in force."""
        return self.rulings[-1] if self.rulings else None


@dataclass(frozen=True, slots=True)
class Change:
    """A report that another engine gave otherwise: both, and what differs."""

    id: str
    at: datetime
    engine_before: str
    engine: str
    verdict_before: str
    verdict: str
    differences: Sequence[Json] = ()


class Refusal(ValueError):
    """What was asked cannot be done; `faults`: by part of what was sent, why."""

    def __init__(self, faults: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{part}: {fault}" for part, fault in faults.items()))
        self.faults = dict(faults)


class Cases(Protocol):
    """Disputes and rulings as the pages see them. Ids are 64 hex digits, the prefix ``sha256:`` is accepted. Every call raises KeyError
    for a record or a dispute that is not there, and Refusal with every fault of what was sent; then nothing is stored."""

    def disputes(self, id: str) -> list[Dispute]:
        """The disputes of a record, in the order in which they were opened."""
        ...

    def open(self, id: str, by: Actor, round: int | None, claim: str, statement: str) -> Dispute:
        """Opens a dispute. A player or a director may."""
        ...

    def answer(self, id: str, number: int, by: Actor, statement: str) -> Dispute:
        """Adds a statement."""
        ...

    def preview(self, id: str, number: int, by: Actor, ruling: Mapping[str, Any]) -> Json:
        """What a ruling would change (`analysis.rulings.effect`), and ``claims_right``; nothing is stored. Raises as `rule` does."""
        ...

    def rule(self, id: str, number: int, by: Actor, ruling: Mapping[str, Any]) -> Dispute:
        """Adds a version of the ruling: ``outcome``, ``reasons``, ``rules``, ``options``, ``scores``, and for a correction ``record``, the
        id of one that is stored, or ``text``, the corrected record itself. An arbiter may. Raises records.errors.RecordErrors for a text
        that cannot be read."""
        ...

    def standings(self, id: str) -> Json:
        """The match under the report and under the rulings: `report`, `rulings`, `differ`, `replaced_by` and `replaces` (ids)."""
        ...

    def event_standings(self, filters: Mapping[str, str]) -> list[Json]:
        """By player: the totals of all records that the filters leave, under reports and under rulings."""
        ...

    def log(self, id: str) -> list[Json]:
        """The log of a case: previous, hash and content of each entry."""
        ...

    def case(self, id: str) -> bytes:
        """The whole case as one zip."""
        ...

    def change(self, id: str) -> Change | None:
        """What the newest engine changed in this record's report; None where nothing did."""
        ...

    def changed(self) -> list[Change]:
        """All records whose verdict another engine changed, the latest first."""
        ...


def cases() -> Cases:
    """The cases of the application that answers this request."""
    return cast(Cases, current_app.extensions["hanafu-cases"])
