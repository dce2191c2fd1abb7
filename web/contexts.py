"""What the pages need from the service: one protocol, and the plain values that cross it.

`web` knows no SQL and works out no score; whatever it shows comes through a `Desk`. The application hands one over as
``current_app.extensions["hanafu"]``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, cast

from flask import current_app

from records.record import Record

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RecordRow:
    """One line of the list of records."""

    id: str
    """64 hex digits, without the prefix."""
    variant: str
    players: tuple[str, ...]
    verdict: str
    rounds: int
    event: str | None = None
    date: str | None = None
    """As written in the record's event (ISO 8601)."""
    totals: tuple[float, ...] | None = None
    """Recomputed totals by side, None where they are not known."""
    winner: int | None = None
    """A side from 1, 0 for a tie, None where not known."""
    findings: int = 0
    sample: bool = False
    sent_at: datetime | None = None
    sides: tuple[tuple[int, ...], ...] | None = None
    """Seats from 1 by side; None: each seat for itself."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the list of records; `next` is the cursor of the one after it, None at the end."""

    items: Sequence[RecordRow]
    next: str | None = None
    total: int | None = None
    """How many records the filters leave in all, None where it was not counted."""


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A record as the store keeps it."""

    id: str
    record: Record
    """Normalised."""
    raw: bytes
    """As sent."""
    raw_type: str
    """Content type of `raw`."""
    report: Json
    """The audit report (record-format.md, 3)."""
    sent_at: datetime | None = None
    sample: bool = False


@dataclass(frozen=True, slots=True)
class Added:
    """What became of a log that was sent: `new` is false where the same record was there before."""

    id: str
    new: bool
    report: Json


@dataclass(frozen=True, slots=True)
class Sample:
    """Of how many records numbers were made that not all could be asked for."""

    audited: int
    """So far."""
    picked: int
    """Records of the sample."""
    chosen: int
    """Records that the sample stands for."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers behind a chart, and the query that made them."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    sql: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    sample: Sample | None = None
    """Where the query only picked records, which were then played again."""


class Desk(Protocol):
    """The service as the pages see it. Ids are 64 hex digits; the prefix ``sha256:`` is accepted everywhere."""

    def records(self, filters: Mapping[str, str], sort: str, cursor: str | None, limit: int) -> Page:
        """Records that all filters leave (``variant``, ``player``, ``verdict``, ``event``, ``from``, ``to``, ``finding``, ``yaku``,
        ``sample``), newest first by default (`sort` = ``-sent``). Raises ValueError for a cursor that is none."""
        ...

    def count(self, filters: Mapping[str, str]) -> int:
        """How many records all filters leave."""
        ...

    def record(self, id: str) -> StoredRecord | None:
        """A record, None where there is none of that id."""
        ...

    def add(self, raw: bytes, content_type: str) -> Added:
        """Reads, audits and stores one record. Raises records.errors.RecordErrors with every fault; then nothing is stored."""
        ...

    def audit(self, raw: bytes, content_type: str) -> Json:
        """The report of one record, nothing stored. Raises as `add` does."""
        ...

    def reaudit(self, id: str, options: Mapping[str, Any]) -> Json:
        """The report that a record would have under other options. Raises KeyError for an id that is not there."""
        ...

    def positions(self, id: str, round: int | None = None) -> Json:
        """The position after each step (analysis.positions), of one round (from 1) or of all.

        Raises KeyError for an id that is not there.
        """
        ...

    def stats(self, name: str, filters: Mapping[str, str], seconds: float = 0.0) -> Numbers:
        """The numbers behind a chart of analysis.statistics, for the records that the filters leave. A chart that rests on a sample takes
        in more of it for so many seconds.

        Raises KeyError for an unknown name, ValueError for a filter that is none.
        """
        ...

    def players(self) -> list[Json]:
        """Who is in the records: ``player``, ``records``, ``games``, ``last`` (a date), by the names that are shown."""
        ...

    def player(self, name: str) -> tuple[list[Json], list[Json]]:
        """A player's results by game and role, and the yaku made (`analysis.players`)."""
        ...

    def remove_samples(self) -> int:
        """Removes the records that came with the product; returns how many."""
        ...


def desk() -> Desk:
    """The desk of the application that answers this request."""
    return cast(Desk, current_app.extensions["hanafu"])
