"""A round being played: the one implementation of play (rules.md, 2 to 7) for every game and every reader.

A `Table` holds the position as bit masks and takes actions (`act`). Lawful or not, what is physically possible is carried out and the
position is as it really was (AU-3); what is wrong becomes a `Fault`. With `log` it also tells what happens (`records.replay` reads that);
without, it allocates next to nothing while play is lawful. Inside, seats and sides count from 0; events and faults count seats from 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from records import packed
from records.cards import BASA, CHU, JOKER_MONTH, JOKERS, LIGHTNING, UNKNOWN, cards_in
from records.events import Event
from records.faults import Fault
from records.games import game
from records.record import Deal, OptionValue, Record, Round
from records.rules.capture import Capture, judge
from records.rules.game import Rules, Sides
from records.rules.settlement import Ending, Settlement

NOTHING: Final = b""


class Table:
    """The position of a round, from the deal to its end."""

    def __init__(self, rules: Rules, dealer: int, log: list[Event] | None = None) -> None:
        seats = rules.seats
        self.rules = rules
        self.dealer = dealer
        self.log = log
        self.kan = (dealer - 1) % seats if rules.idle else -1
        """The seat that takes no turns, -1: there is none (BK-1)."""
        self.hands: list[int] = [0] * seats
        """Known cards in each hand."""
        self.hidden: list[int] = [0] * seats
        """How many more each hand holds that nobody recorded."""
        self.unseen: int = 0
        """Cards of the deck whose place is not known."""
        self.field: int = 0
        self.draw_pile: list[int] = []
        """Cards still to be turned up, the next one LAST; `UNKNOWN` where not recorded."""
        self.piles: list[int] = [0] * seats
        """Captured cards by seat."""
        self.next_seat: int = dealer
        self.turns: list[int] = [0] * seats
        """Turns taken by seat."""
        self.calls: list[int] = [0] * seats
        self.stopped: int = -1
        self.faults: list[Fault] = []
        self.ended: str = ""
        """``played``, ``lucky``, ``misdeal``, ``abandoned``; empty while the round goes on."""
        self.broken: bool = False
        """An impossible act ended the replay (AU-3)."""
        self.unrecorded: int = -1
        """The action with a card that nobody recorded: the replay ends before its `?` (AU-1)."""
        self.unchecked: str = ""
        """``misdeal`` or ``lucky``: declared, and the hands that would show it are not recorded (AU-1)."""
        self.action: int = 0
        """Number of the action in hand, 0 the deal."""
        self.misdeal_due: bool = False
        self.kept: bool = False
        self.over_told: bool = False
        self.kan_window: bool = False
        self.owner: list[int] = [-1] * 13
        """By month, from 0: the seat that owns what is left of it (HG-7)."""
        self.claims: list[int] = [-1] * 13
        """By month, from 0: the seat whose claim on it is open (SK-2)."""
        self.last_wild: int = -1
        """The seat that last played a wild card as such."""
        self.joker_takers: list[int] = [-1, -1]
        """The seat that last made a wild capture with Basa, with Chu (HG-12)."""
        self.lightning: int = -1
        """The card that the Lightning took as a wild card (BK-11)."""
        self.first_great: str = ""
        self.yaku_seen: list[list[str]] = [[] for _ in rules.sides] if rules.shared_piles else [[] for _ in range(seats)]
        self.announcing: bool = False
        """The action in hand is a hiki out of turn: it costs no turn."""
        self.announced: int = -1
        """The action of a hiki announced out of turn that still waits for the wild card it answers (HG-16)."""
        self.announcer: int = -1
        # the turn in hand
        self.seat: int = dealer
        self.first: bytes = NOTHING
        self.second: bytes = NOTHING
        self.call: int = 0
        self.worth_before: int = 0
        self.normal: list[bytes] = []
        """The actions reached, without unneeded seats and with every bare capture resolved."""

    # -- the deal

    def open(self, deal: Deal) -> None:
        """Lay out the deal (CP-9). Wrong counts are a fault, a card that stands twice or is not in the deck ends the replay."""
        rules = self.rules
        if deal.field is None or UNKNOWN in deal.field:
            self.unrecorded = 0
            return
        used = 0
        field = 0
        same = rules.same
        deck = rules.deck
        for card in deal.field:
            bit = same[card] & deck & ~used
            bit &= -bit
            if not bit:
                self._not_dealt(card)
                return
            used |= bit
            field |= bit
        self.field = field
        miscounted: list[str] = []
        if len(deal.field) != rules.field_size:
            miscounted.append("field")
        hands = deal.hands
        for seat in range(rules.seats):
            size = rules.hand_sizes[(seat - self.dealer) % rules.seats]
            cards = hands[seat] if hands is not None else None
            if cards is None:
                self.hidden[seat] = size
                continue
            if len(cards) != size:
                miscounted.append(f"hand {seat + 1}")
            hand = 0
            for card in cards:
                if card == UNKNOWN:
                    self.hidden[seat] += 1
                    continue
                bit = same[card] & deck & ~used
                bit &= -bit
                if not bit:
                    self._not_dealt(card)
                    return
                used |= bit
                hand |= bit
            self.hands[seat] = hand
        if deal.draw_pile is None:
            self.draw_pile = [UNKNOWN] * rules.pile_size
        else:
            if len(deal.draw_pile) != rules.pile_size:
                miscounted.append("draw pile")
            pile: list[int] = []
            for card in deal.draw_pile:
                if card != UNKNOWN:
                    bit = same[card] & deck & ~used
                    bit &= -bit
                    if not bit:
                        self._not_dealt(card)
                        return
                    used |= bit
                    card = bit.bit_length() - 1
                pile.append(card)
            pile.reverse()
            self.draw_pile = pile
        self.unseen = deck & ~used
        if miscounted:
            self._fault("deal-counts", rules.cite("deal", "CP-9"), args={"parts": list(miscounted)})
        elif self.unseen:
            self._infer_hand()
        self.misdeal_due = self._four_of_a_month_is_misdeal()
        if self.log is not None:
            self.log.append(Event("dealt", 0, self.dealer + 1, (), rules.cite("deal", "CP-9")))

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

    def _four_of_a_month_is_misdeal(self) -> bool:
        rules = self.rules
        if self.field & JOKERS == JOKERS:
            return True
        if rules.four_on_field == "misdeal" and _full_months(self.field):
            return True
        return rules.four_in_hand and any(_full_months(hand) for hand in self.hands)

    def _start(self, keep: bool) -> None:
        """What the rules move before the first turn: a dealer's four of a month and the phoenix (HG-3, HN-3, HN-4)."""
        rules = self.rules
        if self.misdeal_due:
            return
        gained = 0
        if rules.four_on_field == "dealer_takes" and not (keep and rules.keep_allowed):
            for month in _full_months(self.field):
                gained |= 15 << (4 * month)
            if gained:
                self._move(gained, self.dealer, rules.cite("misdeal", "HG-3"))
        phoenix = self.field & rules.own_pile & ~gained
        if phoenix:
            self._move(phoenix, self.dealer, rules.cite("own_pile", "HN-3"))

    def _move(self, cards: int, seat: int, rule: str) -> None:
        """A rule takes cards from the field to a pile."""
        self.field &= ~cards
        if self.log is not None:
            self.log.append(Event("moved", self.action, seat + 1, tuple(cards_in(cards)), rule, {"frm": "field", "to": "pile"}))
        self._gain(seat, cards)

    # -- an action

    def act(self, action: bytes) -> None:
        """Carry out one action."""
        if self.begin(action):
            if self.first:
                self.play_first()
            if self.second and not self.halted:
                self.play_second()
            if not self.halted:
                self.close_turn()

    @property
    def halted(self) -> bool:
        """The replay goes no further: an impossible act, or a card that nobody recorded."""
        return self.broken or self.unrecorded >= 0

    def begin(self, action: bytes) -> bool:
        """Read an action and whose it is. True where it is a turn to be played; specials are done at once."""
        rules = self.rules
        head = action[0]
        written = -1
        if head > packed.SEAT and head != packed.BARE:
            written = head - packed.SEAT - 1
            action = action[1:]
            head = action[0]
        if self.action == 0:
            self._start(head == packed.KEEP)
        self.action += 1
        if packed.KEEP <= head <= packed.ABANDONED:
            self.normal.append(action)
            self._special(head)
            return False
        self._split(action)
        seat = self.next_seat if written < 0 else written
        self.seat = seat
        self.normal.append(action if seat == self.next_seat else bytes((packed.SEAT + seat + 1,)) + action)
        if self.ended and not self._kan_closes(seat):
            self._after_end()
            return False
        self._misdeal_passed()
        if self.announced >= 0:
            self._answered()
        self.announcing = seat != self.next_seat and packed.HIKI < head <= packed.HIKI + 12
        if seat == self.kan:
            if not (head == LIGHTNING and rules.kan_lightning and self.kan_window):
                self._fault("kan-may-not-play", "BK-7", cards=self.first[:1])
        elif self.announcing:
            self._announce()
        elif seat != self.next_seat:
            self._fault("out-of-turn", "CP-1", cards=self.first[:1])
        self.worth_before = self._worth(seat) if rules.calls else 0
        return True

    def _split(self, action: bytes) -> None:
        """The halves and the call of a turn."""
        end = len(action)
        last = action[end - 1]
        self.call = 0
        if last == packed.KOI or last == packed.STOP:
            self.call = last
            end -= 1
        cut = _half_length(action, 0)
        self.first = action[:cut]
        self.second = action[cut:end]

    def _special(self, head: int) -> None:
        rules = self.rules
        if self.ended:
            self._after_end()
        elif head == packed.KEEP:
            return
        elif head == packed.ABANDONED:
            self._end("abandoned", "AU-3")
        elif head == packed.THROWN_IN:
            self._end("misdeal", "CP-10")
        elif head == packed.MISDEAL:
            if self.action != 1 or not self.misdeal_due:
                if self.action == 1 and rules.four_in_hand and any(self.hidden):
                    self.unchecked = "misdeal"
                else:
                    self._fault("misdeal-unfounded", rules.cite("misdeal", "CP-10"))
            self._end("misdeal", "CP-10")
        else:
            self._misdeal_passed()
            founded = False
            if rules.lucky and self.action == 1:
                if self.hidden[self.kan]:
                    self.unchecked = "lucky"
                    founded = True
                else:
                    hand = self.hands[self.kan]
                    lowest = (hand & -hand).bit_length() - 1
                    founded = hand != 0 and hand & ~(15 << (lowest & ~3)) == 0
            if not founded:
                self._fault("lucky-unfounded", "BK-4")
            if rules.lucky:
                self._end("lucky", "BK-4")

    def _misdeal_passed(self) -> None:
        """Play goes on though a misdeal was due (CP-10)."""
        if self.misdeal_due:
            self.misdeal_due = False
            self._fault("misdeal-not-declared", self.rules.cite("misdeal", "CP-10"), action=0)

    def _after_end(self) -> None:
        if not self.over_told:
            self.over_told = True
            self._fault("action-after-end", self.rules.cite("end", "CP-8"))

    def _kan_closes(self, seat: int) -> bool:
        """Kan's last chance, after child 2's sixth turn (BK-8)."""
        return seat == self.kan and self.ended == "played" and self.kan_window and self.first[0] == LIGHTNING

    def _announce(self) -> None:
        """A hiki announced against a wild card (HG-16): lawful if it is an opponent's and the next action plays a wild card."""
        rules = self.rules
        if not rules.hiki:
            return  # `_take_hiki` says so
        if rules.side_of[self.seat] != rules.side_of[self.next_seat]:
            self.announced = self.action
            self.announcer = self.seat
        else:
            self._fault("out-of-turn", "HG-16")

    def _answered(self) -> None:
        """The action after an announced hiki: it must play a wild card, or there was nothing to announce."""
        wild = self.rules.wild_from_hand | self.rules.wild_from_draw
        plays = [half[0] for half in (self.first, self.second) if half and half[0] < packed.NONE]
        if not any(wild >> card & 1 for card in plays):
            self.faults.append(Fault("out-of-turn", self.announced, "HG-16", self.announcer + 1))
        self.announced = -1

    # -- the halves of a turn

    def play_first(self) -> None:
        """The card from the hand, or what stands in its place (CP-3, CP-8, HG-16)."""
        first = self.first
        head = first[0]
        seat = self.seat
        if head < packed.NONE:
            same = self.rules.same[head] if head < len(self.rules.same) else 0
            bit = self.hands[seat] & same
            if bit:
                bit &= -bit
                self.hands[seat] ^= bit
            else:
                bit = self.unseen & same
                if not bit or not self.hidden[seat]:
                    in_deck = same & self.rules.deck
                    self._fault("card-not-in-hand" if in_deck else "card-not-in-deck", "CP-3", cards=(head,), hard=True)
                    return
                bit &= -bit
                self.unseen ^= bit
                self.hidden[seat] -= 1
            if self.log is not None:
                self.log.append(Event("played", self.action, seat + 1, (bit.bit_length() - 1,), "CP-3"))
            self._play(bit, first, True)
        elif head == packed.NONE:
            if (self.hands[seat] or self.hidden[seat]) and seat != self.kan:
                self._fault("play-missing", "CP-3")
            if self.log is not None:
                self.log.append(Event("passed", self.action, seat + 1, (), "CP-8"))
        elif head == packed.UNSEEN:
            self._unrecorded()
        else:
            self._take_hiki(head - packed.HIKI - 1)

    def play_second(self) -> None:
        """The card turned up (CP-3)."""
        second = self.second
        head = second[0]
        if head == packed.UNSEEN:
            self._unrecorded()
            return
        pile = self.draw_pile
        codes = self.rules.codes
        same = self.rules.same[head] if head < len(self.rules.same) else 0
        bit = 0
        if pile:
            top = pile[-1]
            if top != UNKNOWN:
                if same >> top & 1:
                    pile.pop()
                    bit = 1 << top
            elif self.unseen & same:
                pile.pop()
                bit = self._take_unseen(same)
        if not bit:
            bit = self._take_deeper(same)
            if not bit:
                in_deck = same & self.rules.deck
                self._fault("card-not-top-of-pile" if in_deck else "card-not-in-deck", "CP-3", cards=(head,), hard=True)
                return
            top_code = codes[pile[-1]] if pile and pile[-1] != UNKNOWN else UNKNOWN
            self._fault("card-not-top-of-pile", "CP-3", cards=(head, top_code) if top_code != UNKNOWN else (head,))
        if self.seat == self.kan or self.announcing:
            self._fault("draw-forbidden", "BK-7" if self.seat == self.kan else "HG-16", cards=(head,))
        if self.log is not None:
            self.log.append(Event("turned_up", self.action, self.seat + 1, (bit.bit_length() - 1,), "CP-3"))
        self._play(bit, second, False)

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

    def _unrecorded(self) -> None:
        self.unrecorded = self.action
        self.normal.pop()

    def _take_hiki(self, month: int) -> None:
        """All four cards of a month from hand and field together (HG-16)."""
        rules = self.rules
        seat = self.seat
        four = 15 << (4 * month)
        from_hand = self.hands[seat] & four
        missing = four & ~from_hand & ~self.field
        if missing and missing & ~self.unseen == 0 and missing.bit_count() <= self.hidden[seat]:
            self.unseen ^= missing
            self.hidden[seat] -= missing.bit_count()
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

    def _play(self, bit: int, half: bytes, from_hand: bool) -> None:
        """A card meets the field and takes what the record says (CP-4 to CP-7)."""
        shift = (bit.bit_length() - 1) & ~3
        nibble = self.field >> shift & 15
        memo = self.rules.answers[nibble + 16 if from_hand else nibble]
        known = memo.get(half)
        if known is not None:
            taken, to_pile = known
            self.field ^= taken
            if to_pile:
                self._took(bit, taken, None, half, from_hand)
            else:
                self._lay(bit, from_hand)
            return
        answer = judge(self.rules, from_hand, half, self.field)
        if answer.code:
            cards = half[:1] if half[1] == packed.BARE else half[:1] + half[2:]
            self._fault(answer.code, answer.rule, cards, answer.impossible)
            if answer.impossible:
                return
        elif half[1] == packed.BARE:
            self._resolve(from_hand, answer.taken)
        elif not answer.taken & ~(15 << shift):
            memo[half] = (answer.taken, answer.to_pile)
        self.field &= ~answer.taken
        if answer.to_pile:
            self._took(bit, answer.taken, answer, half, from_hand)
        else:
            self._lay(bit, from_hand)

    def _resolve(self, from_hand: bool, taken: int) -> None:
        """Write a bare capture out in the normalised action."""
        cards = bytes(self.rules.codes[card] for card in cards_in(taken))
        action = self.normal[-1]
        start = 1 if action[0] > packed.SEAT else 0
        if not from_hand:
            start += _half_length(action, start)
        self.normal[-1] = action[: start + 1] + bytes((len(cards),)) + cards + action[start + 2 :]

    def _lay(self, bit: int, from_hand: bool) -> None:
        """A card that captured nothing stays on the field, unless a claim takes it as it is turned up (SK-2)."""
        month = (bit.bit_length() - 1) >> 2
        if not from_hand and self.claims[month] >= 0 and self._worth_points(bit):
            claimant = self.claims[month]
            self.claims[month] = -1
            self._give(bit, self.seat, claimant, month, "field")
            return
        self.field |= bit
        if self.log is not None:
            self.log.append(Event("stayed", self.action, self.seat + 1, (bit.bit_length() - 1,), "CP-4"))

    def _took(self, bit: int, taken: int, answer: Capture | None, half: bytes, from_hand: bool) -> None:
        """A card goes to the pile with what it captured; then what a wild capture brings (CP-4, CP-6, HG-7, SK-2)."""
        seat = self.seat
        wild = answer.wild if answer is not None else 0
        if self.log is not None:
            cards = (bit.bit_length() - 1, *cards_in(taken))
            self.log.append(Event("captured", self.action, seat + 1, cards, "CP-6" if wild else "CP-4", {"wild": wild != 0}))
        if self.rules.rest == "claim" or self.rules.rest == "claim_strict":
            named = NOTHING if half[1] == packed.BARE else half[2:]
            order = [card for number in named for card in cards_in(self.rules.same[number] & taken)]
            self._captured(seat, bit, taken, order, from_hand)
        else:
            self._gain(seat, bit | taken)
        if wild and answer is not None:
            self._wild(bit.bit_length() - 1, wild, answer.first_wild)

    def _wild(self, card: int, wild: int, first: int) -> None:
        """What a capture by a wild card brings: its points, the rest of the month, a claim (BK-11, HG-7, SK-2)."""
        seat = self.seat
        rest = self.rules.rest
        self.last_wild = seat
        if card == LIGHTNING:
            self.lightning = first
        elif card in (BASA, CHU):
            self.joker_takers[card - BASA] = seat
        months = [month for month in range(12) if wild >> (4 * month) & 15]
        if rest == "leftovers" or rest == "mate":
            if card == LIGHTNING and rest == "leftovers":
                months.append(LIGHTNING >> 2)
            for month in months:
                self.owner[month] = seat
        elif rest == "claim" or rest == "claim_strict":
            months = [first >> 2] if first >> 2 != JOKER_MONTH else []
            for month in months:
                self.claims[month] = seat
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
            claimant = self.claims[month]
            if claimant < 0:
                continue
            worth = self._worth_points(gained & 15 << (4 * month))
            if not worth:
                continue
            self.claims[month] = -1
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

    def _worth_points(self, cards: int) -> int:
        """Of a set of cards, those that are worth points."""
        return sum(1 << card for card in cards_in(cards) if self.rules.values[card])

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

    def _gain(self, seat: int, cards: int) -> None:
        """Cards fall to a seat's pile; great yaku are noticed in the order in which they are made (HN-10)."""
        rules = self.rules
        pile = self.piles[seat] | cards
        self.piles[seat] = pile
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
        before = self.yaku_seen[owner]
        made = rules.game.yaku_of(rules, self.pile_of(seat), (seat - self.dealer) % rules.seats, self.calls[seat])
        for yaku in made:
            if yaku.id not in before and self.log is not None:
                args: dict[str, object] = {"id": yaku.id, "points": yaku.points}
                self.log.append(Event("yaku", self.action, seat + 1, tuple(cards_in(yaku.cards)), "", args))
        self.yaku_seen[owner] = [yaku.id for yaku in made]

    def pile_of(self, seat: int) -> int:
        """The pile whose yaku count for a seat: its own, or its side's where partners' piles are one (HG-2)."""
        if not self.rules.shared_piles:
            return self.piles[seat]
        pile = 0
        for partner in self.rules.sides[self.rules.side_of[seat]]:
            pile |= self.piles[partner]
        return pile

    # -- the end of a turn

    def close_turn(self) -> None:
        """The draw that was due, the call, whose turn is next, and whether the round is over."""
        rules = self.rules
        seat = self.seat
        if seat != self.kan and not self.announcing:
            if not self.second and self.draw_pile:
                self._fault("draw-missing", "CP-3")
            self.turns[seat] += 1
        if rules.calls or self.call:
            self._close_call()
        if seat == self.kan:
            self.kan_window = False
        elif not self.announcing:
            following = (seat + 1) % rules.seats
            if following == self.kan:
                following = self.dealer
            self.kan_window = rules.kan_lightning and following == self.dealer
            self.next_seat = following
        if not self.ended and self._is_over():
            self._end("played", rules.cite("end", "CP-8"))

    def _close_call(self) -> None:
        rules = self.rules
        seat = self.seat
        call = self.call
        risen = rules.calls and self._worth(seat) > self.worth_before
        if not rules.calls:
            self._fault("call-unfounded", "KK-2", args={"call": "koi" if call == packed.KOI else "stop"})
            return
        if not call:
            if risen:
                self._fault("call-missing", "KK-2")
            return
        if not risen or (call == packed.KOI and self.turns[seat] >= rules.hand_sizes[0]):
            self._fault("call-unfounded", "KK-2", args={"call": "koi" if call == packed.KOI else "stop"})
        if call == packed.KOI:
            self.calls[seat] += 1
        else:
            self.stopped = seat
        if self.log is not None:
            self.log.append(Event("called", self.action, seat + 1, (), "KK-2", {"call": "koi" if call == packed.KOI else "stop"}))
        if call == packed.STOP:
            self._end("played", "KK-2")

    def _worth(self, seat: int) -> int:
        worth = self.rules.game.worth
        return worth(self.rules, self.piles[seat], self.calls[seat]) if worth is not None else 0

    def _is_over(self) -> bool:
        ends = self.rules.ends
        if not self.draw_pile and ends == "either":
            return True
        if self.draw_pile and ends == "all":
            return False
        return not any((self.hands[seat] or self.hidden[seat]) and seat != self.kan for seat in range(self.rules.seats))

    def _end(self, end: str, rule: str) -> None:
        self.ended = end
        if self.log is not None:
            self.log.append(Event("ended", self.action, 0, (), rule, {"end": end}))

    # -- after the last action

    def finish(self) -> None:
        """After the last action: what is left falls to whom the rules give it (BK-9, HG-7, HG-12, SK-2)."""
        if self.halted or self.ended != "played":
            if not self.ended and not self.halted:
                self.action = -1
                self._fault("round-unfinished", "AU-3")
            return
        rest = self.rules.rest
        rule = self.rules.cite("rest", "HG-7")
        self.action = -1
        if rest == "kan":
            hand = self.hands[self.kan]
            if self.hidden[self.kan] == self.unseen.bit_count():
                hand |= self.unseen
            self.hands[self.kan] = 0
            self.hidden[self.kan] = 0
            self.field |= hand
            self._move(self.field, self.kan, rule)
        elif rest == "leftovers" or rest == "mate":
            for month in range(12):
                left = self.field & 15 << (4 * month)
                if left and self.owner[month] >= 0:
                    self._move(left, self.owner[month], rule)
        elif rest == "all":
            if self.field and self.last_wild >= 0:
                self._move(self.field, self.last_wild, rule)
        elif rest == "claim":
            for month in range(12):
                worth = self._worth_points(self.field & 15 << (4 * month))
                if self.claims[month] >= 0 and worth:
                    self._move(self._dearest(worth, []), self.claims[month], rule)
        if self.rules.joker_rest:
            for joker in (BASA, CHU):
                taker = self.joker_takers[CHU - joker]
                if self.field >> joker & 1 and taker >= 0:
                    self._move(1 << joker, taker, "HG-12")
        if self.log is not None and self.field:
            self.log.append(Event("left", -1, 0, tuple(cards_in(self.field)), rule))

    def ending(self) -> Ending:
        """What settlement needs, once the round has ended."""
        rules = self.rules
        piles = [self.pile_of(side[0]) for side in rules.sides] if rules.shared_piles else list(self.piles)
        return Ending(self.dealer, piles, self.ended, self.lightning, self.first_great, self.stopped, list(self.calls))

    def _fault(
        self,
        code: str,
        rule: str,
        cards: tuple[int, ...] | bytes = (),
        hard: bool = False,
        action: int = -2,
        args: dict[str, object] | None = None,
    ) -> None:
        number = self.action if action == -2 else action
        seat = self.seat + 1 if number > 0 else 0
        self.faults.append(Fault(code, number, rule, seat, tuple(card for card in cards if card < packed.NONE), hard, args or {}))
        if hard:
            self.broken = True
        if self.log is not None:
            self.log.append(Event("fault", max(number, 0), seat, tuple(cards), rule, {"code": code}))


@dataclass(slots=True)
class Outcome:
    """What a round came to."""

    table: Table
    """The final position; its `faults`, `ended`, `broken`, `unrecorded` and `unchecked` say how it came about."""
    settlement: Settlement | None
    """None where the round did not end, or was broken off, or an impossible act ended the replay."""
    reached: int
    """How many of the actions were carried out or at least understood; the others stay as written."""
    normal_actions: tuple[bytes, ...]
    """All actions, the reached ones normalised."""


@lru_cache(maxsize=1024)
def _rules(variant: str, options: tuple[tuple[str, OptionValue], ...], seats: int, sides: Sides | None) -> Rules:
    return Rules(game(variant), dict(options), seats, sides)


def rules_of(record: Record, options: Mapping[str, OptionValue] | None = None) -> Rules:
    """The rules of a record's table; with `options` instead of the record's own. One object for equal tables: it keeps answers."""
    chosen = record.options if options is None else options
    sides = None if record.sides is None else tuple(tuple(seat - 1 for seat in side) for side in record.sides)
    # True and 1, 8 and 8.0 are equal keys and equal values, so the cache may mix them up
    return _rules(record.variant, tuple(sorted(chosen.items())), len(record.players), sides)


def verify(rules: Rules, round_: Round, ledger: bool = False) -> Outcome:
    """Play a round to its end, without events."""
    table = Table(rules, round_.dealer - 1)
    if round_.deal is not None:
        table.open(round_.deal)
    else:
        table.unrecorded = 0
    for action in round_.actions:
        if table.halted:
            break
        table.act(action)
    return conclude(table, round_, ledger)


def conclude(table: Table, round_: Round, ledger: bool = False) -> Outcome:
    """Settle a table at which all of a round's actions were played."""
    table.finish()
    settlement = None
    if not table.halted and table.ended in ("played", "lucky", "misdeal"):
        settlement = table.rules.game.settle(table.rules, table.ending(), ledger)
    reached = len(table.normal)
    return Outcome(table, settlement, reached, (*table.normal, *round_.actions[reached:]))


def _half_length(action: bytes, start: int) -> int:
    """How many bytes the half at `start` has."""
    if action[start] >= packed.NONE:
        return 1
    count = action[start + 1]
    return 2 if count == packed.BARE else 2 + count


def _full_months(cards: int) -> list[int]:
    """The months, from 0, of which a set holds all four cards."""
    return [month for month in range(JOKER_MONTH) if cards >> (4 * month) & 15 == 15]
