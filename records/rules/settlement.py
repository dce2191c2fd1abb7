"""What a round's end hands to a game's `settle`, and what comes back. Seats and sides from 0.

What every round makes has its `__init__` written out: compiled, it is then made seven times as fast as by that of a dataclass.
"""

from dataclasses import dataclass, field
from typing import Final

Number = int | float

SOURCES: Final = 4
FROM_CARDS: Final = 0
"""Where a score comes from: card points and payments for them, what yaku bring, what yaku of others cost, all else."""
FROM_YAKU: Final = 1
PAID_YAKU: Final = 2
FROM_OTHER: Final = 3


@dataclass(init=False, slots=True)
class Ending:
    """All that scores depend on."""

    dealer: int
    piles: list[int]
    """Captured cards a seat, with all that fell to it; one a side where partners' piles are one."""
    end: str
    """``played``, ``lucky``, ``misdeal``."""
    lightning: int
    """bakabana: the card that the Lightning captured as a wild card, -1: none (BK-11)."""
    first_great: str
    """hon-bana: id of the great yaku that was completed first; needed only where two seats have one each (HN-10)."""
    stopped: int
    """koi-koi: the seat that stopped, -1 nobody (KK-3)."""
    calls: list[int]
    """koi-koi: calls by seat (KK-5)."""
    sheet: "Sheet | None"
    """Claimed card points and yaku, in place of those of the piles (AU-1)."""

    def __init__(
        self,
        dealer: int,
        piles: list[int],
        end: str = "played",
        lightning: int = -1,
        first_great: str = "",
        stopped: int = -1,
        calls: list[int] | None = None,
        sheet: "Sheet | None" = None,
    ) -> None:
        self.dealer = dealer
        self.piles = piles
        self.end = end
        self.lightning = lightning
        self.first_great = first_great
        self.stopped = stopped
        self.calls = calls if calls is not None else []
        self.sheet = sheet


@dataclass(init=False, slots=True)
class Yaku:
    """A yaku that one pile makes. Twice the same id: paid twice (BK-15)."""

    id: str
    points: int
    seat: int
    """The seat that made it; -1 where the pile is a side's."""
    side: int
    negated: bool
    cards: int
    """The cards of the pile that make it."""

    def __init__(self, id: str, points: int, seat: int = -1, side: int = -1, negated: bool = False, cards: int = 0) -> None:
        self.id = id
        self.points = points
        self.seat = seat
        self.side = side
        self.negated = negated
        self.cards = cards


@dataclass(slots=True)
class Sheet:
    """What a score sheet says of a round, by side: all that scores depend on where nobody wrote down the cards (AU-1)."""

    halves: list[int]
    """Card points, in half points."""
    yaku: list[list[Yaku]]
    """Those that are paid."""


@dataclass(slots=True)
class Entry:
    """One line of the ledger: a side gets an amount, from a side or from nobody (None), by a rule."""

    side: int
    amount: Number
    rule: str
    why: str
    """English, short."""
    payer: int | None = None
    args: dict[str, object] = field(default_factory=dict)
    """What views need to say it in another language: ids, numbers, ``cards`` as a list of codes."""


class Book:
    """What a settlement writes down: where each side's score comes from, and line by line why, where somebody will read that."""

    def __init__(self, sides: int, ledger: bool) -> None:
        self.lines: list[Entry] | None = [] if ledger else None
        """None: nobody reads them, and none are made."""
        self.sources: list[Number] = [0] * (SOURCES * sides)
        """By side, each with its four."""
        self.used = False
        """Something was counted."""

    def count_cards(self, points: list[Number]) -> None:
        """Counts the card points of all sides at once."""
        self.used = True
        self.sources[FROM_CARDS::SOURCES] = points

    def count(self, side: int, amount: Number, source: int) -> None:
        """Counts an amount of a side's; its line, where there are lines, is the caller's to write."""
        self.used = True
        self.sources[SOURCES * side + source] += amount


@dataclass(init=False, slots=True)
class Settlement:
    """A round's result. Null parts are None (a lucky hand has no points)."""

    points: list[Number] | None
    yaku: list[list[Yaku]] | None
    """By side."""
    scores: list[Number]
    winner: int
    """The side with the highest score; -1 if several, or a misdeal."""
    next_dealer: int
    rounded: list[int] | None
    """bakabana: points rounded up (BK-12)."""
    void: bool
    """Dandruff (BK-13)."""
    ledger: list[Entry]
    """Empty where it was not asked for."""
    sources: list[Number] | None
    """Four a side (`SOURCES`), which add up to its score; None where nothing was paid or counted."""

    def __init__(
        self,
        points: list[Number] | None,
        yaku: list[list[Yaku]] | None,
        scores: list[Number],
        winner: int,
        next_dealer: int,
        rounded: list[int] | None = None,
        void: bool = False,
        book: Book | None = None,
    ) -> None:
        self.points = points
        self.yaku = yaku
        self.scores = scores
        self.winner = winner
        self.next_dealer = next_dealer
        self.rounded = rounded
        self.void = void
        self.ledger = book.lines or [] if book is not None else []
        self.sources = book.sources if book is not None and book.used else None


def number(value: Number) -> Number:
    """A number as the record writes it: whole where it is whole."""
    return int(value) if value == int(value) else value


def winner_of(scores: list[Number]) -> int:
    """The side with the highest score, -1 if several have it."""
    best, second = two_highest(scores)
    return scores.index(best) if best > second else -1


def two_highest(numbers: list[Number]) -> tuple[Number, Number]:
    """The highest of some numbers and the next one, which is as high where two of them are the highest."""
    best, second = numbers[0], numbers[1]
    if best < second:
        best, second = second, best
    for place in range(2, len(numbers)):
        number = numbers[place]
        if number > second:
            best, second = max(number, best), min(number, best)
    return best, second
