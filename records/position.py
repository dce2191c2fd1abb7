"""Where the cards are: hands, field, draw pile and piles, as bit masks (CP-9).

A `Position` lays out a deal and takes cards from where the record says they come from. What is wrong becomes a `Fault`; with `log` it also
tells what happens. Seats and sides count from 0 inside; events and faults count seats from 1.
"""

from typing import Final

from librt.vecs import vec
from msgspec.structs import astuple
from mypy_extensions import i64

from records import packed
from records.cards import JOKER_MONTH, JOKERS, UNKNOWN, cards_in, known
from records.events import Event
from records.faults import Fault
from records.native import BITS, count, zeros
from records.record import Deal
from records.rules.game import Rules

THIS_ACTION: Final = -2
FIRST_OF_MONTHS: Final[i64] = sum(1 << 4 * month for month in range(JOKER_MONTH))
_NO_CARDS: Final[list[int]] = []


class Position:
    """Every card's place, as far as it is known."""

    unseen: int = 0
    """Cards of the deck whose place is not known."""
    field: int = 0
    misdeal_due: bool = False
    """The deal calls for a misdeal, and nobody has played on yet (CP-10)."""
    broken: bool = False
    """An impossible act ended the replay (AU-3)."""
    unrecorded: int = -1
    """The action with a card that nobody recorded: the replay ends before its `?` (AU-1); 0: no deal to replay from."""
    action: int = 0
    """Number of the action in hand, 0 the deal, -1 after the last one."""
    draw_pile: list[int] = _NO_CARDS
    """Cards still to be turned up, the next one LAST; `UNKNOWN` where not recorded."""
    faults: tuple[Fault, ...] = ()

    def __init__(self, rules: Rules, dealer: int, log: list[Event] | None = None) -> None:
        seats = rules.seats
        self.rules = rules
        self.dealer = dealer
        self.log = log
        self.kan: int = (dealer - 1) % seats if rules.idle else -1
        """The seat that takes no turns, -1: there is none (BK-1)."""
        self.hands: vec[i64] = zeros(seats)
        """Known cards in each hand."""
        self.hidden: list[int] = rules.none
        """How many more each hand holds that nobody recorded."""
        self.piles: vec[i64] = zeros(seats)
        """Captured cards by seat."""
        self.seat: int = dealer
        """Whose action it is."""

    @property
    def halted(self) -> bool:
        """The replay goes no further: an impossible act, or a card that nobody recorded."""
        return self.broken or self.unrecorded >= 0

    # -- the deal

    def open(self, deal: Deal) -> None:
        """Lay out the deal (CP-9). Wrong counts are a fault, a card that stands twice or is not in the deck ends the replay."""
        rules = self.rules
        parts: tuple[bytes | None, tuple[bytes | None, ...] | None, bytes | None] = astuple(deal)
        field = parts[0]
        if field is None or UNKNOWN in field:
            self.unrecorded = 0
            return
        self._lay_out(field, parts[1], parts[2])
        if self.broken:
            return
        self.misdeal_due = self._is_misdeal()
        if self.log is not None:
            self.log.append(Event("dealt", 0, self.dealer + 1, (), rules.cite("deal", "CP-9")))

    def _lay_out(self, field: bytes, hands: tuple[bytes | None, ...] | None, draw_pile: bytes | None) -> None:
        """Give each card its place, and tell what is wrong with the deal."""
        rules = self.rules
        miscounted: list[str] = []
        self.unseen = rules.deck
        self.field = self._place(field)
        if len(field) != rules.field_size:
            miscounted.append("field")
        for seat in range(rules.seats):
            size = rules.hand_sizes[(seat - self.dealer) % rules.seats]
            cards = None if hands is None else known(hands[seat])
            if cards is None:
                self._hide(seat, size)
            elif not self.broken:
                hand = self._place(cards)
                self.hands[seat] = hand
                if count(hand) != len(cards):
                    self._hide(seat, cards.count(UNKNOWN))
                if len(cards) != size:
                    miscounted.append(f"hand {seat + 1}")
        pile = known(draw_pile)
        if pile is None:
            self.draw_pile = [UNKNOWN] * rules.pile_size
        elif not self.broken:
            self.draw_pile = self._place_in_order(pile)
            if len(pile) != rules.pile_size:
                miscounted.append("draw pile")
        if self.broken:
            return
        if miscounted:
            self._fault("deal-counts", rules.cite("deal", "CP-9"), args={"parts": miscounted})
        elif self.unseen:
            self._infer_hand()

    def _hide(self, seat: int, number: int) -> None:
        """So many cards of a hand are not recorded."""
        if self.hidden is self.rules.none:
            self.hidden = self.hidden.copy()
        self.hidden[seat] = number

    def _place(self, cards: bytes) -> i64:
        """Give each card of a list its bit; of twins the first that is still free."""
        same = self.rules.known.same
        free: i64 = self.unseen
        before = free
        for at in range(len(cards)):  # to go through bytes themselves would make an object of each
            card = cards[at]
            bits = same[card] & free
            if bits:
                free ^= bits & -bits
            elif card != UNKNOWN:
                self._not_dealt(card)
                break
        self.unseen = free
        return before ^ free

    def _place_in_order(self, cards: bytes) -> list[int]:
        """The draw pile as a list, the first card last."""
        same = self.rules.known.same
        free: i64 = self.unseen
        pile = list(cards)
        pile.reverse()
        for place, card in enumerate(pile):
            bit = same[card] & free
            if bit:
                bit &= -bit
                free ^= bit
                if bit != BITS[card]:  # one of twins
                    number: i64 = card & 60
                    while bit != BITS[number]:
                        number += 1
                    pile[place] = number
            elif card != UNKNOWN:
                self._not_dealt(card)
                break
        self.unseen = free
        return pile

    def _not_dealt(self, card: int) -> None:
        in_deck = self.rules.same[card] & self.rules.deck
        self._fault("deal-duplicate" if in_deck else "card-not-in-deck", "CP-9", cards=(card,), hard=True)

    def _infer_hand(self) -> None:
        """One hand alone is not recorded: it is what remains of the deck (AU-1)."""
        holders = [seat for seat in range(self.rules.seats) if self.hidden[seat]]
        if len(holders) == 1 and UNKNOWN not in self.draw_pile and self.hidden[holders[0]] == self.unseen.bit_count():
            self.hands[holders[0]] |= self.unseen
            self.hidden[holders[0]] = 0
            self.unseen = 0

    def _is_misdeal(self) -> bool:
        """Four of a month where that is a misdeal, or both jokers on the field (BK-3, HN-4, HG-3, HG-12, KK-1)."""
        rules = self.rules
        if self.field & JOKERS == JOKERS:
            return True
        if rules.four_on_field == "misdeal" and _full(self.field):
            return True
        if rules.four_in_hand:
            for hand in self.hands:
                if _full(hand):
                    return True
        return False

    # -- taking cards

    def _from_hand(self, code: int) -> int:
        """Take a card out of the hand of the seat whose action it is: its bit, 0 where it cannot be there (a fault)."""
        same = self.rules.same[code]
        bit = self.hands[self.seat] & same
        if bit:
            bit &= -bit
            self.hands[self.seat] ^= bit
            return bit
        if self.hidden[self.seat] and self.unseen & same:
            self.hidden[self.seat] -= 1
            return self._take_unseen(same)
        self._impossible("card-not-in-hand", code)
        return 0

    def _from_draw_pile(self, code: int) -> int:
        """Turn up a card: its bit, 0 where it is not in the draw pile. One from deeper down is a fault, and taken out (AU-3)."""
        same = self.rules.same[code]
        pile = self.draw_pile
        top = pile[-1] if pile else UNKNOWN
        if top != UNKNOWN and same >> top & 1:
            pile.pop()
            return 1 << top
        if pile and top == UNKNOWN and self.unseen & same:
            pile.pop()
            return self._take_unseen(same)
        bit = self._take_deeper(same)
        if bit:
            named = (code,) if top == UNKNOWN else (code, self.rules.codes[top])
            self._fault("card-not-top-of-pile", "CP-3", cards=named)
        else:
            self._impossible("card-not-top-of-pile", code)
        return bit

    def _impossible(self, code: str, card: int) -> None:
        in_deck = self.rules.same[card] & self.rules.deck
        self._fault(code if in_deck else "card-not-in-deck", "CP-3", cards=(card,), hard=True)

    def _take_unseen(self, same: int) -> int:
        bit = self.unseen & same
        bit &= -bit
        self.unseen ^= bit
        return bit

    def _take_deeper(self, same: int) -> int:
        """Take a card out of the draw pile that is not its top; 0 where it is not there (AU-3)."""
        pile = self.draw_pile
        for place in range(len(pile) - 1, -1, -1):
            if pile[place] != UNKNOWN and same >> pile[place] & 1:
                return 1 << pile.pop(place)
        for place in range(len(pile) - 1, -1, -1):
            if pile[place] == UNKNOWN and self.unseen & same:
                del pile[place]
                return self._take_unseen(same)
        return 0

    def _fault(
        self,
        code: str,
        rule: str,
        cards: tuple[int, ...] | bytes = (),
        hard: bool = False,
        action: int = THIS_ACTION,
        args: dict[str, object] | None = None,
    ) -> None:
        number = self.action if action == THIS_ACTION else action
        seat = self.seat + 1 if number > 0 else 0
        self.faults += (Fault(code, number, rule, seat, tuple(card for card in cards if card < packed.NONE), hard, args or {}),)
        if hard:
            self.broken = True
        if self.log is not None:
            self.log.append(Event("fault", max(number, 0), seat, tuple(cards), rule, {"code": code}))


def full_months(cards: int) -> list[int]:
    """The months, from 0, of which a set holds all four cards."""
    return [card >> 2 for card in cards_in(_full(cards))]


def _full(cards: i64) -> i64:
    """The first card of each of these months."""
    return cards & cards >> 1 & cards >> 2 & cards >> 3 & FIRST_OF_MONTHS
