"""What captures bring: piles, great yaku in order, the points of a wild card, months owned and claimed, the rest at the end.

`Captures` is the position plus all that happens to a card once it has met the field (BK-9, BK-11, HN-10, HG-7, HG-12, HG-16, SK-2).
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from records import packed
from records.cards import BASA, CHU, FULL_DECK, JOKER_MONTH, LIGHTNING, cards_in
from records.events import Event
from records.native import count, zeros
from records.position import Position
from records.rules.capture import Capture
from records.rules.game import Rules

_NOBODYS: Final[list[int]] = [-1] * 13
"""What nobody has, at any table: a table at which a card was wild has lists of its own (`Captures.took_wild`)."""


NO_TRAIL: Final = zeros(0)
_NOTHING: Final[list[list[str]]] = []


class Captures(Position):
    """A position whose piles grow."""

    claimed: bool = False
    """Some claim was opened in this round."""
    awaited: int = 0
    """The cards with points of each month on which a claim is open (SK-2)."""
    last_wild: int = -1
    """The seat that last played a wild card as such."""
    lightning: int = -1
    """The card that the Lightning took as a wild card (BK-11)."""
    first_great: str = ""
    """The great yaku that was completed first (HN-10)."""
    fallen: int = 0
    """Cards that fell to somebody at the end."""
    traced: int = 0
    """How much of the trail is written."""

    def __init__(self, rules: Rules, dealer: int, log: list[Event] | None = None) -> None:
        super().__init__(rules, dealer, log)
        self.calls: list[int] = rules.none
        """Koi-koi calls by seat."""
        self.owner: list[int] = _NOBODYS
        """By month, from 0: the seat that owns what is left of it (HG-7)."""
        self.claims: list[int] = _NOBODYS
        """By month, from 0: the seat whose claim on it is open (SK-2)."""
        self.joker_takers: list[int] = _NOBODYS
        """The seat that last made a wild capture with Basa, with Chu (HG-12)."""
        self.trail: vec[i64] = NO_TRAIL
        """Where one is wanted (`trace`): of each gain, in order, eight times its action (0: the deal) plus the seat, and then the cards;
        but for what falls at the end."""
        self.yaku_told: list[list[str]] = _NOTHING if log is None else [[] for _ in range(rules.seats)]
        """With a log: ids of the yaku that each pile has made."""

    def trace(self) -> None:
        """Remember all gains from here on. A card is gained once (CP-9), so that there is room for them."""
        self.trail = zeros(2 * self.rules.deck_size)

    def _move(self, cards: int, seat: int, rule: str) -> None:
        """A rule takes cards from the field to a pile."""
        self.field &= ~cards
        if self.log is not None:
            self.log.append(Event("moved", self.action, seat + 1, tuple(cards_in(cards)), rule, {"frm": "field", "to": "pile"}))
        self._gain(seat, cards)

    def _lay(self, bit: int, from_hand: bool) -> None:
        """A card that captured nothing stays on the field, unless a claim takes it as it is turned up (SK-2)."""
        if bit & self.awaited and not from_hand:
            month = (bit.bit_length() - 1) >> 2
            self._give(bit, self.seat, self._served(month), month, "field")
            return
        self.field |= bit
        if self.log is not None:
            self.log.append(Event("stayed", self.action, self.seat + 1, (bit.bit_length() - 1,), "CP-4"))

    def _took(self, bit: int, taken: int, answer: Capture, half: bytes, from_hand: bool) -> None:
        """A card goes to the pile with what it captured; then what a wild capture brings (CP-4, CP-6, HG-7, SK-2)."""
        seat = self.seat
        wild = answer.wild
        if self.log is not None:
            cards = (bit.bit_length() - 1, *cards_in(taken))
            rule = "CP-6" if wild else self.rules.cite("own_pile", "HN-3") if bit & self.rules.own_pile else "CP-4"
            self.log.append(Event("captured", self.action, seat + 1, cards, rule, {"wild": wild != 0}))
        if self.awaited & (bit | taken):
            named = b"" if half[1] == packed.BARE else half[2:]
            order = [card for number in named for card in cards_in(self.rules.same[number] & taken)]
            self._captured(seat, bit, taken, order, from_hand)
        else:
            self._gain(seat, bit | taken)
        if wild:
            self.took_wild(bit.bit_length() - 1, wild, answer.first_wild)

    def took_wild(self, card: int, wild: int, first: int) -> None:
        """What a capture by a wild card brings: its points, the rest of the month, a claim (BK-11, HG-7, SK-2)."""
        seat = self.seat
        rest = self.rules.rest
        self.last_wild = seat
        if card == LIGHTNING:
            self.lightning = first
        elif card in (BASA, CHU):
            self.joker_takers = self.joker_takers.copy()
            self.joker_takers[card - BASA] = seat
        months = sorted({taken >> 2 for taken in cards_in(wild & FULL_DECK)})
        if rest == "leftovers" or rest == "mate":
            if card == LIGHTNING and rest == "leftovers":
                months.append(LIGHTNING >> 2)
            self.owner = self.owner.copy()
            for month in months:
                self.owner[month] = seat
        elif rest == "claim" or rest == "claim_strict":
            months = [first >> 2] if first >> 2 != JOKER_MONTH else []
            self.claims = self.claims.copy()
            for month in months:
                self.claims[month] = seat
                self.awaited |= self.rules.worth_points & 15 << (4 * month)
            self.claimed = True
        else:
            months = []
        if self.log is not None and months:
            kind = "claim" if rest.startswith("claim") else "owner"
            for month in months:
                args: dict[str, object] = {"month": month + 1, "open": True}
                self.log.append(Event(kind, self.action, seat + 1, (), self.rules.cite("rest", "HG-7"), args))

    def _captured(self, seat: int, bit: int, taken: int, order: list[int], from_hand: bool) -> None:
        """Cards captured by a seat, less the one of each claimed month that goes to its claimant (SK-2).

        `bit` is the played card (0: a hiki), `order` the captured ones as the record names them.
        """
        gained = bit | taken
        played = bit.bit_length() - 1
        given: list[tuple[int, int, int]] = []
        for month in range(12):
            worth = self.awaited & gained & 15 << (4 * month)
            if not worth:
                continue
            claimant = self._served(month)
            if claimant == seat:
                continue
            turned_up = bit & worth and not from_hand
            best = bit if turned_up else self._dearest(worth, [played, *order] if bit else order)
            given.append((best, claimant, month))
        for best, _, _ in given:
            gained &= ~best
        self._gain(seat, gained)
        for best, claimant, month in given:
            self._give(best, seat, claimant, month, "pile")

    def _served(self, month: int) -> int:
        """The claim on a month is over: whose it was."""
        claimant = self.claims[month]
        self.claims[month] = -1
        self.awaited &= ~(15 << (4 * month))
        return claimant

    def _dearest(self, cards: int, order: list[int]) -> int:
        """The dearest of some cards, of equals the first in `order`."""
        values = self.rules.values
        best = -1
        for card in [*order, *cards_in(cards)]:
            if cards >> card & 1 and (best < 0 or values[card] > values[best]):
                best = card
        return 1 << best

    def _give(self, bit: int, seat: int, claimant: int, month: int, frm: str) -> None:
        if self.log is not None:
            rule = self.rules.cite("rest", "SK-2")
            args: dict[str, object] = {"frm": frm, "to": "pile", "from_seat": seat + 1, "month": month + 1}
            self.log.append(Event("moved", self.action, claimant + 1, (bit.bit_length() - 1,), rule, args))
            self.log.append(Event("claim", self.action, claimant + 1, (), rule, {"month": month + 1, "open": False}))
        self._gain(claimant, bit)

    def _take_hiki(self, month: int) -> None:
        """All four cards of a month from hand and field together (HG-16)."""
        rules = self.rules
        seat = self.seat
        four = 15 << (4 * month)
        from_hand = self.hands[seat] & four
        missing = four & ~from_hand & ~self.field
        if missing and missing & ~self.unseen == 0 and count(missing) <= self.hidden[seat]:
            self.unseen ^= missing
            self.hidden[seat] -= count(missing)
            self.hands[seat] |= missing
            from_hand |= missing
            missing = 0
        if missing:
            self._fault("hiki-unfounded", "HG-16", hard=True, args={"month": month + 1})
            return
        if not rules.hiki or not from_hand:
            self._fault("hiki-unfounded", "HG-16", args={"month": month + 1})
        self.hands[seat] ^= from_hand
        self.field &= ~four
        cards = tuple(cards_in(four))
        if self.log is not None:
            self.log.append(Event("hiki", self.action, seat + 1, cards, "HG-16", {"month": month + 1}))
        self._captured(seat, 0, four, list(cards), True)

    def _gain(self, seat: int, cards: int) -> None:
        """Cards fall to a seat's pile; great yaku are noticed in the order in which they are made (HN-10)."""
        rules = self.rules
        pile = self.piles[seat] | cards
        self.piles[seat] = pile
        if self.action < 0:
            self.fallen |= cards
        elif cards and len(self.trail):
            self.trail[self.traced] = self.action << 3 | seat
            self.trail[self.traced + 1] = cards
            self.traced += 2
        if rules.track_great and not self.first_great:
            for number, great in enumerate(rules.great_masks):
                if cards & great and pile & great == great:
                    self.first_great = rules.game.great[number]
                    break
        if self.log is not None:
            self._tell_yaku(seat)

    def _tell_yaku(self, seat: int) -> None:
        rules = self.rules
        owner = rules.side_of[seat] if rules.shared_piles else seat
        before = self.yaku_told[owner]
        made = rules.game.yaku_of(rules, self.pile_of(seat), (seat - self.dealer) % rules.seats, self.calls[seat])
        for yaku in made:
            if yaku.id not in before and self.log is not None:
                args: dict[str, object] = {"id": yaku.id, "points": yaku.points}
                self.log.append(Event("yaku", self.action, seat + 1, tuple(cards_in(yaku.cards)), "", args))
        self.yaku_told[owner] = [yaku.id for yaku in made]

    def pile_of(self, seat: int) -> int:
        """The pile whose yaku count for a seat: its own, or its side's where partners' piles are one (HG-2)."""
        if not self.rules.shared_piles:
            return self.piles[seat]
        pile = 0
        for partner in self.rules.sides[self.rules.side_of[seat]]:
            pile |= self.piles[partner]
        return pile

    def _hand_out_rest(self) -> None:
        """At the end: what is left falls to whom the rules give it (BK-9, HG-7, HG-12, SK-2)."""
        rest = self.rules.rest
        if rest != "kan" and (not self.field or (self.last_wild < 0 and self.log is None)):
            return  # nothing is left, or nobody's wild card has a say in it
        rule = self.rules.cite("rest", "HG-7")
        if rest == "kan":
            hand = self.hands[self.kan]
            if self.hidden[self.kan] == self.unseen.bit_count():
                hand |= self.unseen
                self.unseen = 0
            self.hands[self.kan] = 0
            self._hide(self.kan, 0)
            self.field |= hand
            self._move(self.field, self.kan, rule)
        elif rest == "leftovers" or rest == "mate":
            for month, owner in enumerate(self.owner):
                if owner >= 0:
                    left = self.field & 15 << (4 * month)
                    if left:
                        self._move(left, owner, rule)
        elif rest == "all":
            if self.field and self.last_wild >= 0:
                self._move(self.field, self.last_wild, rule)
        elif rest == "claim":
            for month in range(12):
                worth = self.awaited & self.field & 15 << (4 * month)
                if worth:
                    self._move(self._dearest(worth, []), self.claims[month], rule)
        if self.rules.joker_rest:
            for joker in (BASA, CHU):
                taker = self.joker_takers[CHU - joker]
                if self.field >> joker & 1 and taker >= 0:
                    self._move(1 << joker, taker, "HG-12")
        if self.log is not None and self.field:
            self.log.append(Event("left", -1, 0, tuple(cards_in(self.field)), rule))
