"""What a game is: data, and the few functions that settle it.

A `Game` is what people read (cards, yaku, options with the source of each value, rule points) and what the engine runs on. `Rules` are one
game at one table: options chosen, seats and sides known. A new game is one module in `records.games` and one line in its tuple.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from librt.vecs import vec
from mypy_extensions import i64

from records.cards import CARDS, CODES, FULL_DECK, UNKNOWN, cards_in
from records.native import numbers
from records.rules.known import Known, known_of
from records.rules.settlement import Ending, Settlement, Yaku

OptionValue = str | bool | int | float
Options = Mapping[str, OptionValue]
Sides = tuple[tuple[int, ...], ...]
"""Seats by side, from 0."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of an option, in our words, with the text it comes from."""

    value: OptionValue
    text: str
    source: str


@dataclass(frozen=True, slots=True)
class Option:
    """A decision that the rules leave open (rules.md, 9). The first choice is the default."""

    id: str
    rule: str
    """Id of the rule point that names it."""
    text: str
    choices: tuple[Choice, ...]
    has_object: Callable[[int, Sides, Options], bool] = lambda seats, sides, options: True
    """Whether it can have an effect at a table (seats, sides, all effective options); else it is dropped in the normalised form."""
    settles: bool = False
    """It changes only how a finished round is settled: the same play ends alike under each of its values."""

    @property
    def default(self) -> OptionValue:
        """The letter of the game's own text."""
        return self.choices[0].value

    @property
    def values(self) -> tuple[OptionValue, ...]:
        """All values, the default first."""
        return tuple(choice.value for choice in self.choices)


@dataclass(frozen=True, slots=True)
class YakuRule:
    """A combination that a player can make, as people read it; the game's `yaku_of` finds it."""

    id: str
    name: str
    kanji: str
    romaji: str
    points: int
    rule: str
    cards: str
    """Codes of the cards that can serve, e.g. ``1B 3B 8B``."""
    need: int
    """How many of `cards` make it."""
    text: str
    """What makes it, in words."""


def whole(yaku: Sequence[YakuRule]) -> frozenset[str]:
    """Of some yaku, the ids of those that take all of their cards."""
    return frozenset(rule.id for rule in yaku if rule.need == len(rule.cards.split()))


@dataclass(frozen=True, slots=True)
class Point:
    """One rule point, in our words."""

    id: str
    text: str
    source: str


@dataclass(frozen=True, slots=True)
class SheetRules:
    """What piles and score sheets can be held against where play is not recorded (AU-1, AU-2), and the rule points behind claims."""

    points_rule: str = "AU-4"
    """The rule point of card points."""
    yaku_rule: str = "AU-4"
    negated_rule: str = ""
    """The rule point by which yaku are made and yet not paid; empty: there are none such."""
    scores_rule: str = "AU-4"
    zero_sum: str = ""
    """The rule point by which the scores add up to zero; empty: they need not."""
    points_range: Callable[["Rules"], tuple[float, float, float]] | None = None
    """Least and most that all card points together can be, and most where they may be rounded; None: the game counts none."""
    step: float = 1
    """Card points of a side are a multiple of this."""
    follows: bool = True
    """Scores follow from card points and paid yaku."""
    next_dealer: Callable[["Rules", int, Sequence[float] | None, Sequence[float] | None], int] = lambda rules, dealer, points, scores: -1
    """(rules, dealer, card points, scores) → the seat that deals next as far as these alone tell, -1 where they do not. From 0."""
    complete: bool = False
    """At the end the piles hold the whole deck (BK-9, HN-6)."""
    chaff_aside: bool = False
    """Cards worth nothing are laid aside and may be left out of piles (HG-5)."""
    lightning: bool = False
    """What the Lightning captured as a wild card decides points (BK-11)."""


class Worth(ABC):
    """What piles are worth where a call depends on it (KK-2). A class, for a function kept as a value takes objects when compiled, and this
    is asked at each capture."""

    @abstractmethod
    def of(self, rules: "Rules", pile: i64, calls: i64) -> i64:
        """Worth of the yaku that a pile makes, its seat having made so many calls."""


@dataclass(frozen=True, slots=True)
class Game:
    """A variant as data and functions."""

    id: str
    name: str
    kanji: str
    seats: tuple[int, ...]
    """Numbers of seats at which it is played."""
    text: str
    """What it is, in a sentence or two."""
    points: tuple[Point, ...]
    options: tuple[Option, ...]
    yaku: tuple[YakuRule, ...]
    card_values: Callable[["Rules"], Mapping[str, float]]
    """Card points by code, for codes of the deck; empty where cards have none."""
    partitions: Mapping[int, tuple[Sides, ...]]
    """Team partitions by number of seats, seats from 0; empty where there are no teams."""
    setup: Callable[["Rules"], None]
    """Fills in the fields of `Rules` from its options, seats and sides."""
    settle: Callable[["Rules", Ending, bool], Settlement]
    """Scores of a round from what its end left; True: with the ledger."""
    yaku_of: Callable[["Rules", int, int, int], list[Yaku]]
    """(rules, pile, position from the dealer of its seat, its koi-koi calls) → the yaku that the pile makes, unpaid and unnegated."""
    worth: Worth | None = None
    """None: no call depends on it."""
    whole: frozenset[str] = frozenset()
    """Ids of yaku that nothing less than all of their cards makes, at any place."""
    great: tuple[str, ...] = ()
    """Ids of yaku of which the first made matters (HN-10)."""
    sheet: SheetRules = SheetRules()
    """For rounds whose play is not recorded."""

    def option(self, id: str) -> Option:
        """The option of that id. Raises KeyError."""
        for option in self.options:
            if option.id == id:
                return option
        raise KeyError(id)


def _twins(merge_yellow: bool) -> tuple[list[int], list[int]]:
    """By card: the card that stands for its code, and the set of all cards with that code, none for what is no card (`UNKNOWN`)."""
    first: dict[str, int] = {}
    codes = [first.setdefault(code, card) for card, code in enumerate(CODES)]
    if merge_yellow:
        codes[CARDS["12Y"]] = CARDS["12C"]
    same = [sum(1 << other for other, code in enumerate(codes) if code == codes[card]) for card in range(len(codes))]
    return codes, same + [0] * (UNKNOWN + 1 - len(codes))


_CODES = {merge_yellow: _twins(merge_yellow) for merge_yellow in (False, True)}


class Rules:
    """One game at one table: what the engine looks at while a round is played. Seats and sides from 0.

    The fields say what differs between games, so that the engine asks for a property and never for a game's name.
    """

    def __init__(self, game: Game, options: Options, seats: int, sides: Sides | None) -> None:
        self.game = game
        self.seats = seats
        self.teams = sides is not None
        self.sides: Sides = sides if sides is not None else tuple((seat,) for seat in range(seats))
        self.options: dict[str, OptionValue] = {o.id: options.get(o.id, o.default) for o in game.options}
        """All effective options."""
        self.side_of: list[int] = [0] * seats
        for number, side in enumerate(self.sides):
            for seat in side:
                self.side_of[seat] = number

        self.none: list[int] = [0] * seats
        """What a table has while no seat has any: nobody changes it."""
        self.following: vec[i64] = numbers([*range(1, seats), 0])
        """The seat that follows each."""

        self.deck: int = FULL_DECK
        self.codes: list[int] = []
        """The card that stands for each card's code (twins, and the yellow chaff where it has no value of its own)."""
        self.same: list[int] = []
        """By card: the set of all cards with its code; also for numbers below 64 that no card has: none."""
        self.merge_yellow: bool = False
        """The yellow chaff is a third plain chaff of its month (rules.md, 1)."""
        self.hand_sizes: list[int] = []
        """Cards dealt, by place from the dealer."""
        self.field_size: int = 0
        self.idle: int = 0
        """Places at the end of the order that take no turns (Kan, BK-5)."""
        self.kan_lightning: bool = False
        """The idle seat may play the Lightning once, after the last child's turn (BK-7)."""
        self.wild_from_hand: int = 0
        """Cards that may be wild when played from the hand (CP-6)."""
        self.wild_from_draw: int = 0
        """Cards that may be wild when turned up."""
        self.own_pile: int = 0
        """Cards that go to the player's pile without meeting the field (HN-3)."""
        self.four_on_field: str = "leave"
        """``leave``, ``misdeal`` or ``dealer_takes``."""
        self.keep_allowed: bool = False
        """The dealer may leave the four (HG-3)."""
        self.four_in_hand: bool = False
        """Four of a month in a hand is a misdeal too (KK-1)."""
        self.lucky: bool = False
        """The idle seat's lucky hand ends the round (BK-4)."""
        self.hiki: bool = False
        self.ends: str = "all"
        """When the round ends: ``all`` hands and the draw pile are empty (HN-6, HG-6), all ``hands`` of those who take turns are (BK-8,
        KK-3), ``either`` all hands or the draw pile are (SK-3)."""
        self.rest: str = "none"
        """What becomes of cards left on the field: ``none``, ``kan``, ``leftovers``, ``mate``, ``all``, ``claim``, ``claim_strict``."""
        self.joker_rest: bool = False
        """A joker left on the field goes to the seat that last captured wild with the other (HG-12)."""
        self.shared_piles: bool = False
        """Partners' piles are one (HG-2)."""
        self.calls: bool = False
        """Koi-koi and stop are called (KK-2)."""
        self.viewing: tuple[int, int] = (0, 0)
        """Worth of a viewing yaku before a call of its seat, and after one (KK-4)."""
        self.values: list[int] = [0] * len(CODES)
        """Card points by card, in half points."""
        self.tiers: list[tuple[int, int]] = []
        """Half points and the cards that are worth so many, dearest first: `values` the other way round."""
        self.yaku_deducted: bool = False
        """A yaku takes its points off every opposing side's total; else it adds them to its own (HG-10)."""
        self.double_lead: int = 0
        """A total so far above the best other one is doubled; 0: there are no doubles (HG-11)."""
        self.joker_system: int = 0
        """1 or 2: how jokers multiply a total; 0: they are not played (HG-12)."""
        self.chu_instead: bool = False
        """System 1's Chu lowers the lead that doubles and doubles nothing by itself (HG-12)."""
        self.multiply_negative: bool = True
        """Negative totals are multiplied too (HG-13)."""
        self.citations: dict[str, str] = {}
        """The game's own point for what the engine finds: ``deal``, ``misdeal``, ``wild``, ``no_wild``, ``own_pile``, ``end``, ``rest``,
        ``yaku`` (in totals)."""
        self.track_great: bool = False
        """Which great yaku is completed first is recorded (HN-10)."""
        self.great_masks: list[int] = []
        """The cards of each of the game's `great` yaku."""
        game.setup(self)
        self.watched: int = 0
        """Cards whose capture may complete a great yaku."""
        for great in self.great_masks:
            self.watched |= great
        self.worth_points: int = sum(1 << card for card, value in enumerate(self.values) if value)
        """The cards that are worth points."""
        for halves in sorted(set(self.values), reverse=True):
            if halves:
                self.tiers.append((halves, sum(1 << card for card, value in enumerate(self.values) if value == halves)))
        self.codes, self.same = _CODES[self.merge_yellow]
        self.deck_size: int = self.deck.bit_count()
        """Cards in the deck."""
        self.pile_size: int = self.deck_size - self.field_size - sum(self.hand_sizes)
        """Cards in the draw pile after the deal."""
        self.known: Known = known_of(self.merge_yellow, self.own_pile, self.codes, self.same)

    def is_over(self, held: bool, pile: bool) -> bool:
        """Whether a round is over while cards are held by those who take turns, while the draw pile has cards (`ends`)."""
        if self.ends == "all":
            return not held and not pile
        return not held or (not pile and self.ends == "either")

    def cite(self, what: str, otherwise: str) -> str:
        """The game's own rule point for something, or the common one."""
        return self.citations.get(what, otherwise)

    def codes_in(self, cards: int) -> list[str]:
        """The codes of a set of cards as this game writes them, in the record's order."""
        return [CODES[self.codes[card]] for card in cards_in(cards)]
