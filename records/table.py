"""A round being played: the one implementation of play (rules.md, 2 to 7) for every game and every reader.

A `Table` takes actions (`act`). Lawful or not, what is physically possible is carried out and the position is as it really was (AU-3); what
is wrong becomes a `Fault`. With `log` it also tells what happens (`records.replay` reads that); without, it allocates next to nothing while
play is lawful. With a `trail` it remembers who gained what at which action, so that a play need not be repeated to know the pile of a seat
in the middle of it. Inside, seats and sides count from 0; events and faults count seats from 1.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from records import packed
from records.captures import Captures
from records.cards import CODES, LIGHTNING, cards_in
from records.events import Event
from records.faults import Fault
from records.native import BITS, numbers
from records.packed import NONE
from records.position import full_months
from records.rules.call import fault_of_call
from records.rules.capture import judge
from records.rules.game import Rules
from records.rules.settlement import Ending

NOTHING: Final = b""
NOBODY: Final = -1


class Table(Captures):
    """A round from the deal to its end."""

    started: bool = False
    """What the rules move before the first turn has been moved."""
    kept: bool = False
    """The dealer leaves the four of a month (HG-3)."""
    stopped: int = -1
    """The seat that stopped (KK-2)."""
    ended: str = ""
    """``played``, ``lucky``, ``misdeal``, ``abandoned``; empty while the round goes on."""
    unchecked: str = ""
    """``misdeal`` or ``lucky``: declared, and the hands that would show it are not recorded (AU-1)."""
    over_told: bool = False
    """That an action came after the end is said once."""
    announced: tuple[tuple[int, int], ...] = ()
    """Action and seat of each hiki announced out of turn that still waits for the wild card it answers (HG-16)."""
    rewritten: dict[int, bytes] | None = None
    """By number, the actions that are not as they were written: without an unneeded seat, with bare captures resolved."""
    kan_window: bool = False
    """Child 2 has just had a turn (BK-7)."""
    announcing: bool = False
    """The action in hand is a hiki out of turn: it costs no turn."""
    normal: bytes = NOTHING
    """The action in hand, as far as it is normalised."""
    first: bytes = NOTHING
    """Of the turn in hand: what came from the hand, what was turned up, the call."""
    second: bytes = NOTHING
    call: int = 0
    in_order: bool = True
    """Every action so far was a turn of the seat whose turn it was."""
    reached: int = 0
    """How many actions were carried out or at least understood."""

    def __init__(self, rules: Rules, dealer: int, log: list[Event] | None = None) -> None:
        super().__init__(rules, dealer, log)
        self.next_seat: int = dealer
        self.following: vec[i64] = rules.following
        """The seat that follows each; Kan is passed over (CP-1, BK-5)."""
        if self.kan >= 0:
            self.following = numbers(list(rules.following))
            self.following[self.kan - 1] = dealer
        self.turns: list[int] = [0] * rules.seats
        """Turns taken by seat."""
        self.worths: list[int] = [0] * rules.seats if rules.calls else rules.none
        """Worth of what each seat's pile made when it last changed, where calls depend on it (KK-2)."""

    # -- actions

    def run(self, play: bytes) -> None:
        """Carry out all actions of a play, as far as the replay can go."""
        at: i64 = 0
        end: i64 = len(play)
        while at < end and not self.halted:
            reached = self._run_plain(play, at)
            if reached == at:
                reached = play.index(packed.ENDED, at) + 1
                self.act(play[at : reached - 1])
            at = reached

    def _run_plain(self, play: bytes, start: i64) -> i64:
        """Carry out plain turns, from the action at `start` on, as long as they last; where the first action begins that was not.

        A plain turn says nothing that has to be looked at twice: the seat in order, a card that is in its hand (CP-8: none, the hand is
        empty), the top of the draw pile, captures that `judge` has found lawful before for the same field. It is a short cut to what `act`
        does with such a turn, and it decides nothing by itself: a turn with which something may come to its end is closed by `_close`.
        """
        rules = self.rules
        if self.log is not None or self.ended or self.announced or self.misdeal_due:
            return start
        if not self.started:
            if play[start] > NONE:
                return start
            self._start(False)
        known = rules.known
        listed = known.looked_up(play, start)
        takes = known.takes
        same, codes = known.same, known.codes
        awaited: i64 = self.awaited
        watched: i64 = rules.watched | awaited
        worth = rules.game.worth if rules.calls else None
        early = rules.ends != "all"
        following = self.following
        hands, piles, draw_pile = self.hands, self.piles, self.draw_pile
        trail = self.trail
        traced: i64 = self.traced if len(trail) else -1
        action: i64 = self.action + 1
        field: i64 = self.field
        seat: i64 = self.next_seat
        left: i64 = len(draw_pile)
        end: i64 = len(play)
        reached = start
        turns: i64 = 0
        closes = False
        call: i64 = 0
        while reached < end:
            card, way, second, second_way, call, length = listed[turns] if listed is not None else known.turn(play, reached)
            hand = hands[seat]
            after = field
            played: i64 = 0
            gained: i64 = 0
            if card < NONE:
                month = card & 60
                played = hand & same[card]
                taken = takes[way + (field >> month & 15)]
                if not played or taken < 0:
                    break
                played &= -played
                if taken:
                    taken <<= month
                    gained = played | taken
                    after ^= taken
                else:
                    after |= played
            elif card != NONE or hand or self.hidden[seat]:
                break
            rest = left
            if second < NONE:
                if not left:
                    break
                rest -= 1
                top: i64 = draw_pile[rest]
                month = second & 60
                taken = takes[second_way + (after >> month & 15)]
                if taken < 0 or codes[top] != second:
                    break
                if taken:
                    taken <<= month
                    gained |= BITS[top] | taken
                    after ^= taken
                elif BITS[top] & awaited:
                    break
                else:
                    after |= BITS[top]
            elif left:
                break
            if gained:
                if gained & watched:
                    break
                pile = piles[seat] | gained
                piles[seat] = pile
                if traced >= 0:
                    trail[traced] = (action + turns) << 3 | seat
                    trail[traced + 1] = gained
                    traced += 2
                if worth is not None:
                    closes = worth.of(rules, pile, self.calls[seat]) != self.worths[seat]
            hands[seat] = hand ^ played
            field = after
            left = rest
            reached += length
            if closes or call or not left or (early and hand == played):
                closes = True
                break
            turns += 1
            seat = following[seat]
        del draw_pile[left:]
        self.field = field
        if traced > 0:
            self.traced = traced
        self._ran(turns, seat)
        if closes:
            self.reached += 1
            self.action += 1
            self.seat = seat
            self.call = call
            self._close()
        return reached

    def _ran(self, turns: i64, next_seat: i64) -> None:
        """After so many plain turns, not counting one that `_close` is to see to."""
        rules = self.rules
        self.announcing = False
        if not turns:
            return
        self.reached += turns
        self.action += turns
        seat = self.next_seat
        active: i64 = rules.seats - rules.idle
        for place in range(active):  # whoever is first among them has had any turn that is more than a full round
            self.turns[seat] += (turns + active - 1 - place) // active
            seat = self.following[seat]
        self.next_seat = next_seat
        self.kan_window = rules.kan_lightning and next_seat == self.dealer

    def act(self, action: bytes) -> None:
        """Carry out one action."""
        if self.begin(action):
            if self.first:
                self.play_first()
            if self.second and not self.halted:
                self.play_second()
            if not self.halted:
                self.close_turn()

    def begin(self, action: bytes) -> bool:
        """Read an action and whose it is. True where it is a turn to be played; specials are done at once."""
        rules = self.rules
        self.normal = action
        head = action[0]
        written = -1
        if head > packed.SEAT and head != packed.BARE:
            written = head - packed.SEAT - 1
            action = action[1:]
            head = action[0]
        if not self.started:
            self._start(head == packed.KEEP)
        self.action += 1
        self.reached += 1
        if packed.KEEP <= head <= packed.ABANDONED:
            if written >= 0:
                self._rewrite(action)
            self.in_order = False
            self.seat = NOBODY
            self._special(head)
            return False
        self._split(action)
        seat = self.next_seat if written < 0 else written
        self.seat = seat
        if written == self.next_seat:
            self._rewrite(action)
        elif seat != self.next_seat:
            self.in_order = False
        if self.ended and not self._kan_closes(seat):
            self._after_end()
            return False
        self._misdeal_passed()
        self.announcing = seat != self.next_seat and packed.HIKI < head <= packed.HIKI + 12
        if self.announced and not self.announcing:
            self._answered()
        if seat == self.kan:
            # a turn that nobody recorded may have been the Lightning's
            if not (head in (LIGHTNING, packed.UNSEEN) and rules.kan_lightning and self.kan_window):
                self._fault("kan-may-not-play", "BK-7", cards=self.first[:1])
        elif self.announcing:
            self._announce()
        elif seat != self.next_seat:
            self._fault("out-of-turn", "CP-1", cards=self.first[:1])
        return True

    def _rewrite(self, action: bytes) -> None:
        """The action in hand is another one in its normalised form."""
        if self.rewritten is None:
            self.rewritten = {}
        self.normal = self.rewritten[self.action] = action

    def _start(self, keep: bool) -> None:
        """Before the first turn: what the rules move, unless a misdeal is due (CP-10)."""
        self.started = True
        self.kept = keep
        if not self.misdeal_due:
            self._move_dealt(keep)

    def _move_dealt(self, keep: bool) -> None:
        """A dealer's four of a month and the phoenix go to the dealer's pile (HG-3, HN-3, HN-4)."""
        rules = self.rules
        gained = 0
        if rules.four_on_field == "dealer_takes" and not (keep and rules.keep_allowed):
            for month in full_months(self.field):
                gained |= 15 << (4 * month)
            if gained:
                self._move(gained, self.dealer, rules.cite("misdeal", "HG-3"))
        phoenix = self.field & rules.own_pile & ~gained
        if phoenix:
            self._move(phoenix, self.dealer, rules.cite("own_pile", "HN-3"))

    def _split(self, action: bytes) -> None:
        """The halves and the call of a turn."""
        end = len(action)
        last = action[end - 1]
        self.call = 0
        if last == packed.KOI or last == packed.STOP:
            self.call = last
            end -= 1
        cut = packed.half_length(action, 0)
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
                hand: int = self.hands[self.kan]
                lowest = (hand & -hand).bit_length() - 1
                founded = not hand or hand & ~(15 << (lowest & ~3)) == 0
                if founded and self.hidden[self.kan]:
                    self.unchecked = "lucky"
            if not founded:
                self._fault("lucky-unfounded", "BK-4")
            if rules.lucky:
                self._end("lucky", "BK-4")

    def _misdeal_passed(self) -> None:
        """Play goes on though a misdeal was due: what was dealt moves as if none had been (CP-10, AU-3)."""
        if self.misdeal_due:
            self.misdeal_due = False
            self._fault("misdeal-not-declared", self.rules.cite("misdeal", "CP-10"), action=0)
            action, self.action = self.action, 0
            self._move_dealt(self.kept)
            self.action = action

    def _after_end(self) -> None:
        if not self.over_told:
            self.over_told = True
            self._fault("action-after-end", self.rules.cite("end", "CP-8"))

    def _kan_closes(self, seat: int) -> bool:
        """Kan's last chance, after child 2's sixth turn: the round is not over before it (BK-8), whatever Kan does with it."""
        return seat == self.kan and self.ended == "played" and self.kan_window

    def _announce(self) -> None:
        """A hiki announced against a wild card (HG-16): lawful if it is an opponent's and the next action plays a wild card."""
        rules = self.rules
        if not rules.hiki:
            return  # `_take_hiki` says so
        if rules.side_of[self.seat] != rules.side_of[self.next_seat]:
            self.announced += ((self.action, self.seat),)
        else:
            self._fault("out-of-turn", "HG-16")

    def _answered(self) -> None:
        """The action after an announced hiki: it must play a wild card, or there was nothing to announce."""
        wild = self.rules.wild_from_hand | self.rules.wild_from_draw
        plays = [half[0] for half in (self.first, self.second) if half and half[0] < packed.NONE]
        if not any(wild >> card & 1 for card in plays):
            self.faults += tuple([Fault("out-of-turn", action, "HG-16", seat + 1) for action, seat in self.announced])
        self.announced = ()

    # -- the halves of a turn

    def play_first(self) -> None:
        """The card from the hand, or what stands in its place (CP-3, CP-8, HG-16)."""
        head = self.first[0]
        seat = self.seat
        if head < packed.NONE:
            bit = self._from_hand(head)
            if bit:
                if self.log is not None:
                    self.log.append(Event("played", self.action, seat + 1, (bit.bit_length() - 1,), "CP-3"))
                self._play(bit, self.first, True)
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
        head = self.second[0]
        if head == packed.UNSEEN:
            self._unrecorded()
            return
        bit = self._from_draw_pile(head)
        if not bit:
            return
        if self.seat == self.kan or self.announcing:
            self._fault("draw-forbidden", "BK-7" if self.seat == self.kan else "HG-16", cards=(head,))
        if self.log is not None:
            self.log.append(Event("turned_up", self.action, self.seat + 1, (bit.bit_length() - 1,), "CP-3"))
        self._play(bit, self.second, False)

    def _unrecorded(self) -> None:
        self.unrecorded = self.action
        self.reached -= 1
        if self.rewritten is not None:
            self.rewritten.pop(self.action, None)

    def _play(self, bit: int, half: bytes, from_hand: bool) -> None:
        """A card meets the field and takes what the record says (CP-4 to CP-7)."""
        answer = judge(self.rules, from_hand, half, self.field)
        if answer.code:
            cards = half[:1] if half[1] == packed.BARE else half[:1] + half[2:]
            args: dict[str, object] = {}
            if answer.code == "must-capture":
                args["field"] = [CODES[self.rules.codes[card]] for card in cards_in(self.field & 15 << (half[0] & ~3))]
            self._fault(answer.code, answer.rule, cards, answer.impossible, args=args)
            if answer.impossible:
                return
        elif half[1] == packed.BARE:
            self._resolve(from_hand, answer.taken)
        elif not answer.wild and answer.to_pile == (answer.taken != 0):
            self.rules.known.keep(half, self.field, answer.taken)
        self.field &= ~answer.taken
        if answer.to_pile:
            self._took(bit, answer.taken, answer, half, from_hand)
        else:
            self._lay(bit, from_hand)

    def _resolve(self, from_hand: bool, taken: int) -> None:
        """Write a bare capture out in the normalised action."""
        cards = bytes(self.rules.codes[card] for card in cards_in(taken))
        action = self.normal
        start = 1 if action[0] > packed.SEAT else 0
        if not from_hand:
            start += packed.half_length(action, start)
        self._rewrite(action[: start + 1] + bytes((len(cards),)) + cards + action[start + 2 :])

    # -- the end of a turn, and of the round

    def close_turn(self) -> None:
        """After the halves of a turn: the draw that was due, and what `_close` sees to."""
        if not self.second and self.draw_pile and self.seat != self.kan and not self.announcing:
            self._fault("draw-missing", "CP-3")
        self._close()

    def _close(self) -> None:
        """The end of a turn: the call, whose turn is next, and whether the round is over."""
        rules = self.rules
        seat = self.seat
        if seat != self.kan and not self.announcing:
            self.turns[seat] += 1
        if rules.calls or self.call:
            self._close_call()
        if seat == self.kan:
            self.kan_window = False
        elif not self.announcing:
            self.next_seat = self.following[seat]
            self.kan_window = rules.kan_lightning and self.next_seat == self.dealer
        if not self.ended and self._is_over():
            self._end("played", rules.cite("end", "CP-8"))

    def _close_call(self) -> None:
        rules = self.rules
        seat = self.seat
        call = self.call
        worth = self._worth(seat)
        wrong = fault_of_call(rules, call, worth > self.worths[seat], self.turns[seat])
        if wrong:
            self._fault(wrong, "KK-2", args={"call": "koi" if call == packed.KOI else "stop"} if call else None)
        if not rules.calls:
            return
        self.worths[seat] = worth
        if not call:
            return
        if call == packed.KOI:
            self.calls = self.calls.copy()
            self.calls[seat] += 1
            self.worths[seat] = self._worth(seat)
        else:
            self.stopped = seat
        if self.log is not None:
            self.log.append(Event("called", self.action, seat + 1, (), "KK-2", {"call": "koi" if call == packed.KOI else "stop"}))
        if call == packed.STOP:
            self._end("played", "KK-2")

    def _worth(self, seat: int) -> int:
        """What a seat's pile is worth, where calls depend on it (KK-2)."""
        worth = self.rules.game.worth
        return worth.of(self.rules, self.piles[seat], self.calls[seat]) if worth is not None else 0

    def _is_over(self) -> bool:
        held = False
        for seat, hand in enumerate(self.hands):
            if (hand or self.hidden[seat]) and seat != self.kan:
                held = True
                break
        return self.rules.is_over(held, len(self.draw_pile) > 0)

    def _end(self, end: str, rule: str) -> None:
        self.ended = end
        if self.log is not None:
            self.log.append(Event("ended", self.action, 0, (), rule, {"end": end}))

    def finish(self) -> None:
        """After the last action: the rest is handed out, or the round is unfinished."""
        self.action = -1
        if self.halted:
            return
        if not self.ended:
            self._fault("round-unfinished", "AU-3")
        elif self.ended == "played":
            self._hand_out_rest()

    def ending(self) -> Ending:
        """What settlement needs, once the round has ended."""
        rules = self.rules
        piles = [self.pile_of(side[0]) for side in rules.sides] if rules.shared_piles else list(self.piles)
        return Ending(self.dealer, piles, self.ended, self.lightning, self.first_great, self.stopped, self.calls)
