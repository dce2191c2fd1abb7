"""What the recorder's page may offer while a game is written down: whose turn it is, which card takes what, what is due.

Every answer is the engine's: a `Table` is played as far as the record goes, and what might come next is tried on it. No rule stands here.
"""

import re
from typing import Any, Final

from analysis.positions import tally
from analysis.simulate import NO_CARD, Moves
from records import packed
from records.cards import CODES, LIGHTNING, UNKNOWN, cards_in
from records.engine import rules_of
from records.errors import ReadError, RecordErrors
from records.faults import Fault
from records.notation import read_action, unpack
from records.record import Deal, Record, Round
from records.rules.game import Rules
from records.table import Table

Json = dict[str, Any]

_SEAT_ALONE: Final = re.compile(r"\s*([1-7])\s*:\s*")
_CALLS: Final = {"koi": packed.KOI, "stop": packed.STOP}
_OPENINGS: Final = {"keep": packed.KEEP, "lucky": packed.LUCKY, "misdeal": packed.MISDEAL}
_MONTHS: Final = range(1, 13)


def hints(record: Record, round: int | None = None, turn: str = "") -> Json:
    """What comes next in a round (from 1; None: the last) whose actions are followed by a `turn` that is only begun.

    `turn` is empty, a seat (``4:``), a first half (``3Bx3C``), or all but the call. `part` says what it still needs: ``deal`` (the
    field is not whole), ``hand``, ``draw``, ``call``, ``done`` (it is whole), ``over`` (the round has ended), ``halted`` (the replay goes
    no further).
    `cards` are those that may be played or turned up now, each with its lawful `plays`; `faults` all that is wrong so far, `turn_faults`
    what the turn adds. Raises IndexError for a round that is not there, RecordErrors for a turn that cannot be read.
    """
    number = len(record.rounds) if round is None else round
    if not 1 <= number <= len(record.rounds):
        raise IndexError(f"there is no round {number}")
    return _Asked(rules_of(record), record.rounds[number - 1], turn).answer() | {"round": number}


class _Asked:
    """One question: a table, a round so far, a turn begun."""

    def __init__(self, rules: Rules, round_: Round, turn: str) -> None:
        self.rules = rules
        self.round = round_
        self.begun, self.halves = _read_turn(turn, rules)
        self.so_far = self._table()
        """After the whole actions."""

    def answer(self) -> Json:
        before = self.so_far
        told: Json = {"table": _sizes(self.rules, self.round.dealer - 1), "turn": ""}
        told |= {name: [] for name in ("cards", "calls", "openings", "others", "hiki")}
        if not _whole_field(self.rules, self.round.deal):
            return told | {"part": "deal", "next": self.round.dealer, **self._position(before)}
        if before.halted:
            return told | {"part": "halted", "next": None, **self._position(before)}
        if before.ended and not self.begun:
            return told | {"part": "over", "next": None, "others": self._others(), **self._position(before)}
        return told | self._turn()

    # -- the turn in hand

    def _turn(self) -> Json:
        action = self.begun
        if not self.halves:
            # Nothing is taken yet: what the rules move before the first turn is moved, and the seat is known.
            table = self._table()
            table.begin(action + NO_CARD)
            seat = table.seat
            if not table.hands[seat] and not table.hidden[seat] and table.draw_pile:
                action, self.halves = action + NO_CARD, 1
            else:
                told: Json = {"part": "hand", "next": seat + 1, "turn": _text(action), "cards": self._from_hand(table, seat)}
                if not self.round.play:
                    told["openings"] = self._openings(table.field)
                return told | {"hiki": self._hikis(action), "others": self._others()} | self._position(table, self.so_far)
        if self.halves == 1:
            table = self._table()
            if table.begin(action):
                table.play_first()
            if not table.halted and not table.ended and table.draw_pile and table.seat != table.kan and not table.announcing:
                told = {"part": "draw", "next": table.seat + 1, "turn": _text(action), "cards": self._from_draw_pile(table)}
                return told | self._position(table)
        return self._closed(action)

    def _closed(self, action: bytes) -> Json:
        """All cards of the turn are named: is a call due?"""
        table = self._table(action)
        known = len(self.so_far.faults)
        told: Json = {"part": "halted" if table.halted else "done", "next": None, "turn": _text(action)}
        if any(fault.code == "call-missing" for fault in table.faults[known:]):
            calls = [call for call, byte in _CALLS.items() if not self._faults_of(action + bytes((byte,)))]
            # A call that may still be made is not missing yet.
            table.faults = table.faults[:known] + tuple(fault for fault in table.faults[known:] if fault.code != "call-missing")
            told |= {"part": "call", "calls": calls, "next": table.seat + 1}
        elif not table.ended and not table.halted:
            told["next"] = table.next_seat + 1
        return told | self._position(table)

    # -- what might come

    def _from_hand(self, table: Table, seat: int) -> list[Json]:
        cards = table.hands[seat] | (table.unseen if table.hidden[seat] else 0)
        return self._plays(cards, table.field, True)

    def _from_draw_pile(self, table: Table) -> list[Json]:
        top = table.draw_pile[-1]
        return self._plays(table.unseen if top == UNKNOWN else 1 << top, table.field, False)

    def _plays(self, cards: int, field: int, from_hand: bool) -> list[Json]:
        """Each code among some cards once, with its lawful plays."""
        moves = Moves(self.rules)
        codes = list(dict.fromkeys(self.rules.codes[card] for card in cards_in(cards)))
        return [
            {
                "code": CODES[code],
                "plays": [
                    {"half": unpack(half), "takes": " ".join(self.rules.codes_in(taken)), "stays": not to_pile}
                    for half, taken, to_pile in moves.of(code, field, from_hand)
                ],
            }
            for code in codes
        ]

    def _openings(self, field: int) -> list[str]:
        """What may lawfully be said before the first turn. To keep is offered where it keeps something."""
        found = [word for word, byte in _OPENINGS.items() if word != "keep" and not self._faults_of(bytes((byte,)))]
        table = self._table(bytes((packed.KEEP,)))
        table.begin(NO_CARD)
        return ["keep", *found] if table.field != field else found

    def _hikis(self, seat: bytes) -> list[str]:
        if not self.rules.hiki:
            return []
        return [f"#{month}" for month in _MONTHS if not self._faults_of(seat + bytes((packed.HIKI + month,)), "draw-missing")]

    def _others(self) -> list[Json]:
        """What seats out of turn may do: Kan's Lightning, an announced hiki."""
        found: list[Json] = []
        for seat in range(self.rules.seats):
            start = bytes((packed.SEAT + seat + 1,))
            if self.so_far.kan == seat and self.so_far.kan_window:
                plays = self._plays(1 << LIGHTNING, self.so_far.field, True)
                if plays and not self._faults_of(start + _half(plays[0]["plays"][0]["half"], self.rules)):
                    found.append({"seat": seat + 1, "cards": plays, "hiki": []})
            elif self.rules.hiki and not self.so_far.ended and seat != self.so_far.next_seat and (hiki := self._hikis(start)):
                found.append({"seat": seat + 1, "cards": [], "hiki": hiki})
        return found

    # -- asking the engine

    def _table(self, *more: bytes) -> Table:
        table = Table(self.rules, self.round.dealer - 1)
        if self.round.deal is not None:
            table.open(self.round.deal)
        else:
            table.unrecorded = 0
        table.run(self.round.play + packed.play_of(more))
        return table

    def _faults_of(self, action: bytes, but: str = "") -> list[str]:
        """What an action would be guilty of."""
        known = len(self.so_far.faults)
        return [fault.code for fault in self._table(action).faults[known:] if fault.code != but]

    def _position(self, table: Table, judged: Table | None = None) -> Json:
        """Where the cards are and what they make; faults are those of `judged`, the table itself where there is no other."""
        judged = judged or table
        rules = self.rules
        seen = table.field
        for pile in table.piles:
            seen |= pile
        known = len(self.so_far.faults)
        return {
            "ended": judged.ended,
            "field": " ".join(rules.codes_in(table.field)),
            "hands": [" ".join(rules.codes_in(hand)) for hand in table.hands],
            "hand_counts": [int(hand).bit_count() + hidden for hand, hidden in zip(table.hands, table.hidden, strict=True)],
            "draw_count": len(table.draw_pile),
            "piles": [" ".join(rules.codes_in(pile)) for pile in table.piles],
            "unseen": " ".join(rules.codes_in(rules.deck & ~seen)),
            **tally(rules, table),
            "faults": [_fault(rules, fault) for fault in judged.faults],
            "turn_faults": [_fault(rules, fault) for fault in judged.faults[known:]],
        }


def _read_turn(turn: str, rules: Rules) -> tuple[bytes, int]:
    """A turn begun, as bytes, and how many halves it has. Raises RecordErrors."""
    if not turn.strip():
        return b"", 0
    alone = _SEAT_ALONE.fullmatch(turn)
    if alone and int(alone[1]) <= rules.seats:
        return bytes((packed.SEAT + int(alone[1]),)), 0
    action, problems = read_action(turn, rules.merge_yellow, rules.seats)
    if problems:
        raise RecordErrors(
            [ReadError(each.code, each.detail, token=each.token, expected=each.expected, meant=each.near()) for each in problems]
        )
    at = 1 if action[0] > packed.SEAT else 0
    if packed.KOI <= action[at] <= packed.ABANDONED:
        return action, 2
    return action, 1 if at + packed.half_length(action, at) >= len(action) else 2


def _half(text: str, rules: Rules) -> bytes:
    return read_action(text, rules.merge_yellow, rules.seats)[0]


def _text(action: bytes) -> str:
    """An action begun as people write it, a seat alone too."""
    if len(action) == 1 and packed.SEAT < action[0] <= packed.SEAT + 7:
        return f"{action[0] - packed.SEAT}:"
    return unpack(action) if action else ""


def _whole_field(rules: Rules, deal: Deal | None) -> bool:
    return deal is not None and deal.field is not None and UNKNOWN not in deal.field and len(deal.field) >= rules.field_size


def _sizes(rules: Rules, dealer: int) -> Json:
    """What is dealt at this table, and the deck: each code as often as it is there."""
    return {
        "field": rules.field_size,
        "hands": [rules.hand_sizes[(seat - dealer) % rules.seats] for seat in range(rules.seats)],
        "draw_pile": rules.pile_size,
        "deck": " ".join(rules.codes_in(rules.deck)),
    }


def _fault(rules: Rules, fault: Fault) -> Json:
    cards = [CODES[rules.codes[card]] for card in fault.cards if card < len(CODES)]
    return {"code": fault.code, "action": max(fault.action, 0), "rule": fault.rule, "seat": fault.seat, "cards": cards, "hard": fault.hard}
