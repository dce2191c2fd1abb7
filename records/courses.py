"""Whole rounds of plain turns at a glance, month by month: the quick way to a settlement where modules are interpreted.

What a play may take depends on the cards of its own month on the field and on nothing else (CP-4, CP-5; `records.rules.capture`). So the
captures of a round are lawful if they are in each month by itself, in its *course*: what of it was dealt to the field and then, in order,
each of its cards that was played, with what it took. A card that the Lightning takes as a wild card is told in the courses of both months
(CP-6). There are few courses of a month; those of rounds that a `Table` found lawful are kept. Where all twelve of a round are among them,
it is left to see whose cards they were and what each seat gained, which are sums.

Nothing is decided here: what is not known, or out of the ordinary, is left to a `Table`. So are rounds in which something else has a say in
what lies on the field: what moves as it is dealt (HG-3, HN-3), an open claim (SK-2).
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from records import packed
from records.cards import FULL_DECK, LIGHTNING, UNKNOWN, cards_in
from records.position import full_months
from records.record import Round
from records.rules.call import fault_of_call
from records.rules.capture import judge
from records.rules.game import Rules
from records.rules.settlement import Ending, Settlement
from records.table import Table

TURN: Final = 4
"""Bytes that a turn is told in: the half from the hand, the card that it took as a wild card, the half turned up, the call."""
NOTHING: Final = 255
"""Tells that there is none of these."""
ODD: Final = 254
"""Tells of what is no card of the twelve months, and stands in the course of each: no such course is ever kept."""
MOST_TURNS: Final = 40_000
"""So many turns are kept, and those of one round more: about as many as can be written of two plain halves."""
MOST_COURSES: Final = 100_000
"""So many courses are kept, and those of one round more."""
_PLAYED: Final = 64
"""So many bits above what a turn gains stands the card that it played from the hand."""
_GAINED: Final = (1 << _PLAYED) - 1
_CALLED: Final = ODD - 1 - packed.STOP
"""So much more than in a play is the byte that tells of a call."""
_DECK: Final = 48
_NO_CARD: Final = UNKNOWN - 1
"""Neither a card nor `?`, so that it is equal to nothing in a draw pile."""
_NONE: Final = bytes((_NO_CARD,)) * _DECK
_NO_CALLS: Final = bytes((NOTHING,)) * _DECK
_FIRSTS: Final = sum(1 << card for card in range(0, _DECK, 4))
_AS_IT_IS: Final = (None,) * (_DECK // 4)


class Courses:
    """What is kept for tables with one deck, where the same cards share codes, go to the player's own pile and may be wild.

    Cards are *counted* here: in a number with a digit for each code, which tells how many cards of that code there are and stands at the
    place of the code's card. Digits of codes that several cards have are two bits long, the others one, so that counted cards can be added
    and taken away as long as there are no more of a code than the deck has.
    """

    def __init__(self, rules: Rules) -> None:
        codes = rules.codes[:_DECK]
        self.rules = rules
        """Those of one of these tables: what a half brings is the same at all."""
        self.counted: list[int] = [1 << code for code in codes] + [0] * (UNKNOWN + 1 - _DECK)
        """By card: it alone, counted."""
        self.digits: int = sum(1 << code for code in set(codes)) | 1 << _DECK
        """Where digits begin."""
        self.twice: int = sum(1 << code for code in set(codes) if codes.count(code) > 1)
        """Where the digits begin that are two bits long."""
        self.thrice: int = sum(1 << code for code in set(codes) if codes.count(code) > 2)
        """The one of them that may be 3: the yellow chaff's number is below its code's (`Rules.merge_yellow`)."""
        self.deck: int = self.sum_of(bytes(cards_in(rules.deck)))
        self.met: dict[bytes, tuple[bytes, int]] = {}
        """Turns met before: how each is told here; what it gains and, `_PLAYED` bits higher, the card from the hand, both counted."""
        self.lawful: set[bytes] = set()
        """Courses of lawful rounds."""
        self.halves: dict[bytes, int] = {}
        """The byte that tells of each plain half (`records.packed`)."""
        self.taken_wild: dict[int, int] = {}
        """By card: the byte that tells that a wild card of another month took it."""
        self.went_wild: int = 0
        """The byte that tells that the Lightning did."""
        cards = bytearray((_NO_CARD,)) * 256
        dealt = bytearray((ODD,)) * 256
        months = bytearray((_NO_CARD,)) * 256
        number = 0
        for code in sorted(set(codes)):
            others = rules.known.others[code]
            for half in ((code, 0), *((code, 1, other) for other in sorted(set(others))), (code, 3, *others)):
                self.halves[bytes(half)] = number
                months[number], cards[number] = code >> 2, code
                number += 1
            self.taken_wild[code] = number + 1
            for card in cards_in(rules.same[code] & FULL_DECK):
                dealt[card] = number
            months[number] = months[number + 1] = code >> 2
            number += 2
        self.went_wild = number
        months[number], cards[number] = LIGHTNING >> 2, LIGHTNING
        self.card_of = bytes(cards)
        """By the byte that tells of a half: its card."""
        self.dealt = bytes(dealt)
        """By card: the byte that tells that it was dealt to the field."""
        self.not_of: list[bytes] = [
            bytes(byte for byte in range(256) if months[byte] != month and byte != ODD) for month in range(_DECK // 4)
        ]
        """By month: the bytes that do not tell of it."""

    def sum_of(self, cards: bytes) -> int:
        """A list of cards, counted."""
        return sum(map(self.counted.__getitem__, cards))

    def set_of(self, counted: int) -> int:
        """The set of counted cards; of those with one code the first ones."""
        return counted | counted >> 1 & self.twice | (counted & counted >> 1 & self.thrice) >> 1

    def has_four(self, counted: int) -> bool:
        """Whether counted cards hold all four of a month; one that the deck has not counts as held."""
        lacking = self.deck ^ counted  # four bits a month: the highest of one is set by taking one from it, if it was 0
        return lacking - _FIRSTS & ~lacking & _FIRSTS << 3 != 0

    def of(self, field: bytes, play: bytes) -> list[bytes]:
        """The course of each month, from the dealt field and the turns as they are told."""
        told = field.translate(self.dealt) + play
        return list(map(told.translate, _AS_IT_IS, self.not_of))

    def tell(self, actions: list[bytes]) -> tuple[bytes, tuple[int, ...]] | None:
        """The turns of a round as they are told here, and what each moves; None where not all of them are plain, or there are none."""
        met = self.met  # not looked up again: another thread may begin with an empty one
        try:
            told, moved = zip(*map(met.__getitem__, actions), strict=True)
        except KeyError:
            if len(met) > MOST_TURNS:
                met = self.met = {}
            for action in actions:
                if action not in met:
                    turn = self._turn(action)
                    if turn is None:
                        return None
                    met[action] = turn
            told, moved = zip(*map(met.__getitem__, actions), strict=True)
        except ValueError:
            return None
        return b"".join(told), moved

    def keep(self, told: list[bytes]) -> None:
        """Keep lawful courses."""
        if len(self.lawful) > MOST_COURSES:
            self.lawful = set()
        self.lawful.update(told)

    def _turn(self, action: bytes) -> tuple[bytes, int] | None:
        """What is kept of a turn; None where it is not plain."""
        end = len(action)
        call = NOTHING
        if action[end - 1 : end] in (_KOI, _STOP):
            call = action[end - 1] + _CALLED
            end -= 1
        cut = packed.half_length(action, 0)
        told = bytes((*self._first(action[:cut]), self._second(action[cut:end]), call))
        if ODD in told:
            return None
        played = 0 if action[0] == packed.NONE else self.counted[action[0]]
        return told, played << _PLAYED | self._gain(action[:cut]) + self._gain(action[cut:end])

    def _first(self, half: bytes) -> tuple[int, int]:
        if half[0] == packed.NONE:
            return NOTHING, NOTHING
        if half[0] == LIGHTNING and len(half) == 3 and half[2] ^ LIGHTNING > 3:
            return self.went_wild, self.taken_wild.get(half[2], ODD)
        return self.halves.get(half, ODD), NOTHING

    def _second(self, half: bytes) -> int:
        return self.halves.get(half, ODD) if half else NOTHING

    def _gain(self, half: bytes) -> int:
        """The cards that a half brings to a pile, counted."""
        if len(half) < 2:
            return 0
        taken = self.sum_of(half[2:])
        return taken + self.counted[half[0]] if judge(self.rules, True, half, self.set_of(taken)).to_pile else 0


_CALL: Final = re.compile(rb"[^\xff]")
_KOI: Final = bytes((packed.KOI,))
_STOP: Final = bytes((packed.STOP,))
_KEPT: Final[dict[tuple[bool, int, int, int], Courses]] = {}


@dataclass(frozen=True, slots=True)
class _Layout:
    """What the rounds of a table have in common."""

    courses: Courses
    sizes: list[int]
    """Cards on the field, in the draw pile, in the hand of each seat."""
    in_hands: int
    """Cards in all hands."""
    most: int
    """Turns of a round that nobody stops."""
    plays_all: bool
    """In these turns every card of the deck is played."""


@lru_cache(maxsize=1024)
def _layout(rules: Rules) -> _Layout | None:
    """None at tables with jokers, whose place is no month, with a seat that takes no turns, and where a hand lasts longer than another."""
    if rules.deck >> _DECK or rules.idle or len(set(rules.hand_sizes)) > 1:
        return None
    key = rules.merge_yellow, rules.own_pile, rules.wild_from_hand, rules.deck
    if key not in _KEPT:
        _KEPT[key] = Courses(rules)
    in_hands = sum(rules.hand_sizes)
    pile = rules.pile_size
    most = next(turns for turns in range(1, _DECK + 1) if rules.is_over(turns < in_hands, turns < pile))
    return _Layout(_KEPT[key], [rules.field_size, pile, *rules.hand_sizes], in_hands, most, most == max(in_hands, pile) and not rules.calls)


def settled(rules: Rules, round_: Round) -> Settlement | None:
    """What a round comes to that was lawful to its end, if its courses are known; None: ask a `Table`."""
    layout = _layout(rules)
    deal = round_.deal
    if layout is None or deal is None:
        return None
    field, hands, pile = deal.field, deal.hands, deal.draw_pile
    if field is None or hands is None or None in hands or pile is None:
        return None
    dealt: Any = hands
    courses, dealer, seats = layout.courses, round_.dealer - 1, rules.seats
    actions = round_.play.split(packed.ENDED)
    actions.pop()
    turns = len(actions)
    found = courses.tell(actions)
    if found is None:
        return None
    play, moved = found
    # captures (CP-4), a card from each hand that has one (CP-8), the top of the draw pile turned up (CP-3)
    if (
        turns > layout.most
        or not courses.lawful.issuperset(courses.of(field, play))
        or play[::TURN].find(NOTHING, 0, layout.in_hands) >= 0
        or play[2::TURN].translate(courses.card_of) != (pile + _NONE)[:turns]
        or list(map(len, (field, pile, *dealt))) != layout.sizes
    ):
        return None
    # Each card was dealt once (CP-9). Where all are played, each is in a course, and no course has one more often than the deck. Else their
    # sum tells: no other cards than the deck's, as many as these, come to the same number.
    in_hand = list(map(courses.sum_of, dealt))
    left = 0 if layout.plays_all else courses.sum_of(pile[turns:])
    if not layout.plays_all and courses.sum_of(field + pile[:turns]) + sum(in_hand) + left != courses.deck:
        return None
    if rules.four_in_hand and any(map(courses.has_four, in_hand)):
        return None
    # each seat played from its hand (CP-3)
    piles = [0] * seats
    gained = seen = 0
    for seat, hand in enumerate(in_hand):
        total = sum(moved[(seat - dealer) % seats :: seats])
        played = total >> _PLAYED
        if hand != played:
            left += hand - played
            if (hand ^ played ^ hand - played) & courses.digits:  # a digit would have to be borrowed from
                return None
        gained += total & _GAINED
        now = courses.set_of(gained)
        piles[seat] = now ^ seen  # of twins each falls to one seat
        seen = now
    ending = Ending(dealer, piles)
    calls = play[3::TURN]
    if rules.calls:
        if not _call(rules, courses, ending, moved, calls):
            return None
    elif calls != _NO_CALLS[:turns]:
        return None
    if turns < layout.most and ending.stopped < 0:
        return None
    wild = play.find(courses.went_wild)
    if wild >= 0 and rules.rest.startswith("claim"):
        return None
    if wild >= 0 or rules.shared_piles:
        ending = _ended(rules, ending, courses.set_of(courses.deck - left) ^ seen, actions, wild // TURN)
    if rules.great_masks and sum([any(mine & great == great for great in rules.great_masks) for mine in ending.piles]) > 1:
        return None  # which was completed first, the order of turns would tell (HN-10)
    return rules.game.settle(rules, ending, False)


def _call(rules: Rules, courses: Courses, ending: Ending, moved: tuple[int, ...], calls: bytes) -> bool:
    """Tells an ending who called and who stopped; False where a call is wrong or missing, and where play went on after a stop (KK-2).

    A pile is never worth less than it was, so that no call was due between two turns where its worth is the same.
    """
    worth = rules.game.worth
    assert worth is not None
    seats, dealer, piles = rules.seats, ending.dealer, ending.piles
    last = len(calls) - 1
    before = [0] * seats
    ending.calls = called = [0] * seats
    for at in (*[met.start() for met in _CALL.finditer(calls, 0, last)], last):
        seat = (dealer + at) % seats
        gained = sum(moved[at % seats : at : seats]) & _GAINED
        if worth.of(rules, courses.set_of(gained), called[seat]) != before[seat]:
            return False
        pile = courses.set_of(gained + (moved[at] & _GAINED))
        call = 0 if calls[at] == NOTHING else calls[at] - _CALLED
        if fault_of_call(rules, call, worth.of(rules, pile, called[seat]) > before[seat], at // seats + 1):
            return False
        if call == packed.KOI:
            called[seat] += 1
            before[seat] = worth.of(rules, pile, called[seat])
        elif call == packed.STOP:
            ending.stopped = seat
            if at < last:
                return False
    for other in range(seats):  # noqa: SIM110  # a generator would take longer
        if other != seat and worth.of(rules, piles[other], called[other]) != before[other]:
            return False
    return True


def _ended(rules: Rules, ending: Ending, field: int, actions: list[bytes], wild: int) -> Ending:
    """An ending with what is left on the field handed out, after the turn at a place, if at any, that took a card as a wild one."""
    table = Table(rules, ending.dealer)
    table.field = field
    for seat, pile in enumerate(ending.piles):
        table.piles[seat] = pile
    if wild >= 0:
        taken = actions[wild][2]
        table.seat = (ending.dealer + wild) % rules.seats
        table.took_wild(LIGHTNING, 1 << taken, taken)
    table.ended = "played"
    table.finish()
    return table.ending()


def keep_courses(table: Table, round_: Round) -> None:
    """Keep the courses of a round that was played turn by turn and came to its end, if all of it was lawful and plain."""
    layout = _layout(table.rules)
    deal = round_.deal
    if layout is None or deal is None or deal.field is None or table.faults or table.claimed or table.ended != "played":
        return
    courses = layout.courses
    dealt = courses.set_of(courses.sum_of(deal.field))
    if full_months(dealt) or dealt & table.rules.own_pile:  # some of it lies there no longer when play begins (HG-3, HN-3)
        return
    found = courses.tell(round_.play.split(packed.ENDED)[:-1])
    if found is not None:
        courses.keep(courses.of(deal.field, found[0]))
