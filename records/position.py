"""Where the cards are: hands, field, draw pile and piles, as bit masks (CP-9).

A `Position` lays out a deal and takes cards from where the record says they come from. What is wrong becomes a `Fault`; with `log` it also
tells what happens. Seats and sides count from 0 inside; events and faults count seats from 1.
"""

from typing import Final

from records import packed
from records.cards import JOKER_MONTH, JOKERS, UNKNOWN, cards_in
from records.events import Event
from records.faults import Fault
from records.record import Deal
from records.rules.game import Rules

THIS_ACTION: Final = -2
FIRST_OF_MONTHS: Final = sum(1 << 4 * month for month in range(JOKER_MONTH))


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

    def __init__(self, rules: Rules, dealer: int, log: list[Event] | None = None) -> None:
        seats = rules.seats
        self.rules = rules
        self.dealer = dealer
        self.log = log
        self.kan: int = (dealer - 1) % seats if rules.idle else -1
        """The seat that takes no turns, -1: there is none (BK-1)."""
        self.hands: list[int] = [0] * seats
        """Known cards in each hand."""
        self.hidden: list[int] = [0] * seats
        """How many more each hand holds that nobody recorded."""
        self.draw_pile: list[int] = []
        """Cards still to be turned up, the next one LAST; `UNKNOWN` where not recorded."""
        self.piles: list[int] = [0] * seats
        """Captured cards by seat."""
        self.faults: list[Fault] = []
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
        if deal.field is None or UNKNOWN in deal.field:
            self.unrecorded = 0
            return
        if not self._lay_out_whole(deal):
            self._lay_out(deal)
        if self.broken:
            return
        self.misdeal_due = self._is_misdeal()
        if self.log is not None:
            self.log.append(Event("dealt", 0, self.dealer + 1, (), rules.cite("deal", "CP-9")))

    def _lay_out_whole(self, deal: Deal) -> bool:
        """Lay out a deal that is wholly known and right, the common one, by whole lists; False: it is not, and nothing was done.

        As many cards as the deck has, one bit each, make the deck: then each card stands once.
        """
        rules = self.rules
        hands = deal.hands
        draw_pile = deal.draw_pile
        if deal.field is None or hands is None or draw_pile is None or None in hands or len(deal.field) != rules.field_size:
            return False
        whole = bytearray(deal.field)
        for seat, cards in enumerate(hands):
            if cards is None or len(cards) != rules.hand_sizes[seat - self.dealer]:
                return False
            whole += cards
        dealt = len(whole)
        whole += draw_pile
        if len(whole) != rules.deck_size:
            return False
        for code, card in rules.twins:
            # The places are those that `_place` gives: of twins the first is the lower card.
            at = whole.rfind(code) if card > code else whole.find(code)
            if at < 0:
                return False
            whole[at] = card
        lying = bytes(whole)
        end = rules.field_size
        field = total = _mask(lying[:end])
        masks: list[int] = []
        for seat in range(rules.seats):
            start, end = end, end + rules.hand_sizes[seat - self.dealer]
            masks.append(_mask(lying[start:end]))
            total |= masks[seat]
        if total | _mask(lying[dealt:]) != rules.deck:
            return False
        self.field = field
        self.hands = masks
        self.draw_pile = list(lying[: dealt - 1 : -1])
        return True

    def _lay_out(self, deal: Deal) -> None:
        """Lay out any other deal, card by card, and tell what is wrong with it."""
        rules = self.rules
        hands = None if deal.hands is None else tuple([_known(hand) for hand in deal.hands])
        deal = Deal(deal.field, hands, _known(deal.draw_pile))
        assert deal.field is not None
        if hands is None:
            hands = (None,) * rules.seats
        self.unseen = rules.deck
        self.field = self._place(deal.field)
        for seat, cards in enumerate(hands):
            if cards is None:
                self.hidden[seat] = rules.hand_sizes[(seat - self.dealer) % rules.seats]
            elif not self.broken:
                self.hands[seat] = self._place(cards)
                self.hidden[seat] = cards.count(UNKNOWN)
        if deal.draw_pile is None:
            self.draw_pile = [UNKNOWN] * rules.pile_size
        elif not self.broken:
            self.draw_pile = self._place_in_order(deal.draw_pile)
        if self.broken:
            return
        miscounted = self._miscounted(deal, hands)
        if miscounted:
            self._fault("deal-counts", rules.cite("deal", "CP-9"), args={"parts": miscounted})
        elif self.unseen:
            self._infer_hand()

    def _place(self, cards: bytes) -> int:
        """Give each card of a list its bit; of twins the first that is still free."""
        same = self.rules.same
        free = self.unseen
        placed = 0
        for card in cards:
            if card == UNKNOWN:
                continue
            bit = same[card] & free
            if not bit:
                self._not_dealt(card)
                break
            bit &= -bit
            free ^= bit
            placed |= bit
        self.unseen = free
        return placed

    def _place_in_order(self, cards: bytes) -> list[int]:
        """The draw pile as a list, the first card last."""
        same = self.rules.same
        free = self.unseen
        pile = list(cards)
        pile.reverse()
        for place, card in enumerate(pile):
            if card == UNKNOWN:
                continue
            bit = same[card] & free
            if not bit:
                self._not_dealt(card)
                break
            bit &= -bit
            free ^= bit
            pile[place] = bit.bit_length() - 1
        self.unseen = free
        return pile

    def _miscounted(self, deal: Deal, hands: tuple[bytes | None, ...]) -> list[str]:
        """The parts of the deal that have too few or too many cards."""
        rules = self.rules
        found: list[str] = []
        if deal.field is not None and len(deal.field) != rules.field_size:
            found.append("field")
        for seat, cards in enumerate(hands):
            if cards is not None and len(cards) != rules.hand_sizes[(seat - self.dealer) % rules.seats]:
                found.append(f"hand {seat + 1}")
        if deal.draw_pile is not None and len(deal.draw_pile) != rules.pile_size:
            found.append("draw pile")
        return found

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
        if rules.four_on_field == "misdeal" and full_months(self.field):
            return True
        return rules.four_in_hand and any(full_months(hand) for hand in self.hands)

    # -- taking cards

    def _from_hand(self, code: int) -> int:
        """Take a card out of the hand of the seat whose action it is: its bit, 0 where it cannot be there (a fault)."""
        same = self.rules.same[code] if code < len(self.rules.same) else 0
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
        same = self.rules.same[code] if code < len(self.rules.same) else 0
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
        in_deck = card < len(self.rules.same) and self.rules.same[card] & self.rules.deck
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
        self.faults.append(Fault(code, number, rule, seat, tuple(card for card in cards if card < packed.NONE), hard, args or {}))
        if hard:
            self.broken = True
        if self.log is not None:
            self.log.append(Event("fault", max(number, 0), seat, tuple(cards), rule, {"code": code}))


def _known(cards: bytes | None) -> bytes | None:
    """A list of unknown cards only says nothing, however long it is: it is as good as none."""
    return None if cards is not None and cards and cards.count(UNKNOWN) == len(cards) else cards


def _mask(cards: bytes) -> int:
    found = 0
    for card in cards:
        found |= 1 << card
    return found


def full_months(cards: int) -> list[int]:
    """The months, from 0, of which a set holds all four cards."""
    full = cards & cards >> 1 & cards >> 2 & cards >> 3 & FIRST_OF_MONTHS
    return [card >> 2 for card in cards_in(full)] if full else []
