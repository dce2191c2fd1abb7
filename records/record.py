"""One record: one game at one table, some rounds in order (record-format.md, 1).

Cards are numbers (``records.cards``), card lists are bytes, actions are packed (``records.packed``). Seats and sides are numbered from 1 as
in the written record. A part of a record is made much faster than a dataclass and, having no way back to what holds it, is none of the
garbage collector's business; `replace` is what `dataclasses.replace` is to those.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from records.packed import actions_of

__all__ = ["FORMAT", "Claims", "Deal", "Event", "Facts", "Match", "Number", "OptionValue", "Record", "Round", "option_word", "replace"]

FORMAT: Final = "hanafuda-record/1"

Number = int | float
"""A whole number, or a half as float (bakabana's points)."""
OptionValue = str | bool | int | float


def option_word(value: OptionValue) -> str:
    """An option's value as a word: in a text, in an address, on a page."""
    return str(value).lower() if isinstance(value, bool) else str(value)


class Event(Struct, frozen=True, gc=False):
    """Where and when the game was played; every part may be absent."""

    name: str | None = None
    site: str | None = None
    date: str | None = None
    table: str | None = None
    recorder: str | None = None


class Match(Struct, frozen=True, gc=False):
    """How many rounds make the match: ``rounds`` or ``best_of`` with ``length`` rounds, ``target`` with ``length`` points."""

    type: str
    length: int
    start: int | None = None
    """Each side's total before the first round, as written (absent: 0)."""


class Deal(Struct, frozen=True, gc=False):
    """Cards as dealt; ``cards.UNKNOWN`` stands for a card that nobody saw, None for a list that is not there."""

    field: bytes | None = None
    hands: tuple[bytes | None, ...] | None = None
    """By seat."""
    draw_pile: bytes | None = None
    """The first card is turned up first."""


class Claims(Struct, frozen=True, gc=False):
    """What the players say of a round, a side each; None: not claimed, an empty tuple: claimed empty."""

    points: tuple[Number, ...] | None = None
    yaku: tuple[tuple[str, ...], ...] | None = None
    scores: tuple[Number, ...] | None = None


class Facts(Struct, frozen=True, gc=False):
    """What piles alone do not tell (AU-2); None: not recorded."""

    lightning: str | None = None
    """bakabana: ``plain``, or the code of the card that the Lightning captured as a wild card."""
    first_great: str | None = None
    """hon-bana: id of the great yaku that was completed first."""
    stopped: int | None = None
    """koi-koi: the seat that stopped, 0 for nobody."""
    calls: tuple[int, ...] | None = None
    """koi-koi: koi-koi calls by seat."""


class Round(Struct, frozen=True, gc=False):
    """One round as written."""

    dealer: int
    deal: Deal | None = None
    play: bytes = b""
    """All actions, each followed by ``packed.END``."""
    piles: tuple[bytes, ...] | None = None
    """By seat; under ``team_pile`` = ``shared`` by side."""
    claims: Claims | None = None
    facts: Facts = Facts()
    adjust: tuple[Number, ...] | None = None
    notes: Mapping[int, str] = field(default_factory=dict)
    """By action number, 0 the deal."""

    @property
    def actions(self) -> tuple[bytes, ...]:
        """The actions one by one."""
        return actions_of(self.play)


class Record(Struct, frozen=True, gc=False):
    """A record as read: names and codes resolved, nothing judged. ``records.normal`` makes the normalised form."""

    variant: str
    players: tuple[str, ...]
    rounds: tuple[Round, ...]
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    """As written: those that the record states."""
    sides: tuple[tuple[int, ...], ...] | None = None
    """Partition of the seats, as written; None: each seat for itself."""
    match: Match | None = None
    event: Event = Event()
    totals: tuple[Number, ...] | None = None
    """Claimed."""
    winner: int | None = None
    """Claimed: a side, 0 for a tie."""
    extra: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """``x_`` keys, by the JSON pointer of the object that holds them ('' the record itself)."""
