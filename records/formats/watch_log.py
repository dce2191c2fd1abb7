"""Watch logs of the program open-hanafuda-ai, read as records of koi-koi.

The form is that of its public repository (suzukiplan/open-hanafuda-ai): a line ``Watch Start: …``; for each round ``[Initial] Round N``,
the 48 cards as ``Floor:`` (8 to P1, 8 to CPU, 8 on the field, then the draw pile from its top), a line each for a card played, taken and
turned up, the call, who won and how much; ``Final Score:``. All other lines are the program's thoughts. Who acts first is the dealer.

Its rules are koi-koi with three house rules, and one that koi-koi does not have: seven points or more are doubled. What that adds is
written as an adjustment, so that totals are right and scores can be audited; a dealt hand that is paid at once is thrown in and adjusted
likewise. That the deal passes on after a drawn round is no rule of koi-koi either: the audit finds it.
"""

import re
from dataclasses import dataclass, field
from typing import Any, Final

from records.errors import ReadError, RecordErrors
from records.formats.decode import listed
from records.formats.koikoi_log import of_the_record
from records.formats.limits import LIMITS, Limits
from records.formats.schema import judge
from records.record import FORMAT, Record

BEGINNING: Final = "Watch Start: P1="
KINDS: Final = ["CCRB", "CCRA", "CCRB", "CCRA", "CCRA", "CCRA", "CCRA", "CCAB", "CCRA", "CCRA", "CRAB", "CCCB"]
"""By month: the letters of its four numbers."""
SEATS: Final = {"P1": 1, "CPU": 2}
DOUBLED_FROM: Final = 7
DEALT: Final = 8
"""Cards to each hand and to the field."""

_START: Final = re.compile(r"Watch Start: P1=(\S+) CPU=(\S+) rounds=([0-9]{1,3})\b(.*)")
_MOVE: Final = re.compile(r"\[(P1|CPU)\] (think drop|drop take|floor open|floor take): (\S+)")
_CALL: Final = re.compile(r"\[Round [0-9]+\] (?:P1|CPU) chooses KOIKOI")
_WON: Final = re.compile(r"\[Round [0-9]+\] Winner=(P1|CPU) base=([0-9]{1,4}) x[0-9]+ => \+([0-9]{1,5}) ")
_DRAWN: Final = re.compile(r"\[Round [0-9]+\] Draw\b")
_FINAL: Final = re.compile(r"Final Score: P1=([0-9]{1,6}) CPU=([0-9]{1,6})")


@dataclass(slots=True)
class _Turn:
    seat: int
    halves: list[tuple[str, list[str]]]
    """The card from the hand and the one turned up, each with what it took."""
    call: str = ""

    def written(self) -> str:
        halves = (f"{card}x{'+'.join(taken)}" if taken else card for card, taken in self.halves)
        return f"{self.seat}: {' '.join(halves)}{self.call}"


@dataclass(slots=True)
class _Round:
    line: int
    cards: list[str] = field(default_factory=list)
    turns: list[_Turn] = field(default_factory=list)
    score: int | None = None
    """What P1 gets; None: the round was not played to its end."""
    doubling: int = 0
    """What the program adds to that for seven points or more."""


def is_watch_log(text: str) -> bool:
    """Whether a text is such a log."""
    return text.startswith(BEGINNING)


def read_watch_log(text: str, limits: Limits = LIMITS) -> Record:
    """The record that a watch log tells. Raises RecordErrors with lines of the log."""
    log = _Log()
    for number, line in enumerate(text.splitlines(), start=1):
        log.take(number, line)
    if not log.rounds:
        log.wrong(1, "missing-key", "There is no round.", None, "[Initial] Round 1")
    for round_ in log.rounds:
        if len(round_.cards) != 48:
            log.wrong(round_.line, "wrong-length", f"The list has {len(round_.cards)} entries.", None, "Floor: 48 × 0–47")
    if log.errors:
        raise RecordErrors(log.errors[: limits.errors])
    record, found = judge(log.record(), limits)
    if record is None:
        raise RecordErrors([of_the_record(error) for error in listed(found, limits)])
    return record


class _Log:
    """A log, read line by line."""

    def __init__(self) -> None:
        self.rounds: list[_Round] = []
        self.errors: list[ReadError] = []
        self.start: re.Match[str] | None = None
        self.final: tuple[int, int] | None = None

    def take(self, number: int, line: str) -> None:
        """What a line says, if anything."""
        if number == 1:
            self.start = _START.match(line)
            if self.start is None:
                expected = f"{BEGINNING}… CPU=… rounds=…"
                self.wrong(1, "not-a-record", "This is neither a JSON object nor text that begins with a tag.", line[:80], expected)
        elif line.startswith("[Initial] Round "):
            self.rounds.append(_Round(number))
        elif found := _FINAL.match(line):
            self.final = int(found[1]), int(found[2])
        elif self.rounds:
            self._of_a_round(number, line, self.rounds[-1])

    def _of_a_round(self, number: int, line: str, round_: _Round) -> None:
        turn = round_.turns[-1] if round_.turns else None
        if line.startswith("Floor: "):
            round_.cards = self._cards(number, line.removeprefix("Floor: ").strip())
        elif found := _MOVE.match(line):
            cards = self._cards(number, found[3])
            if found[2] == "think drop":
                round_.turns += [_Turn(SEATS[found[1]], [(card, [])]) for card in cards]
            elif turn is not None and found[2] == "floor open":
                turn.halves += [(card, []) for card in cards]
            elif turn is not None and cards:
                card = turn.halves[-1][0]
                if card in cards:
                    cards.remove(card)
                turn.halves[-1] = card, cards
        elif _CALL.match(line) and turn is not None:
            turn.call = " koi"
        elif found := _WON.match(line):
            score = int(found[3])
            round_.doubling = score - score // 2 if int(found[2]) >= DOUBLED_FROM else 0
            sign = 1 if found[1] == "P1" else -1
            round_.score, round_.doubling = sign * (score - round_.doubling), sign * round_.doubling
            if turn is not None:
                turn.call = " stop"
        elif _DRAWN.match(line):
            round_.score = 0

    def _cards(self, number: int, written: str) -> list[str]:
        if written == "n/a":
            return []
        found = []
        for each in written.split(","):
            if not re.fullmatch(r"[0-9]{1,2}", each) or int(each) > 47:
                self.wrong(number, "unknown-card", "This is no card.", each, "0–47")
            else:
                found.append(f"{int(each) // 4 + 1}{KINDS[int(each) // 4][int(each) % 4]}")
        return found

    def record(self) -> dict[str, Any]:
        """The record as JSON has it."""
        assert self.start is not None
        written: dict[str, Any] = {
            "format": FORMAT,
            "variant": "koi-koi",
            "options": {
                "exhausted": "none",
                "viewing": "none" if "no_sake=1" in self.start[4] else "five",
                "calls": "double_if_opponent_called",
            },
            "event": {"recorder": "open-hanafuda-ai"},
            "players": [{"name": f"P1 ({self.start[1]})"}, {"name": f"CPU ({self.start[2]})"}],
            "match": {"type": "rounds", "rounds": int(self.start[3])},
            "rounds": [self._round(each) for each in self.rounds],
        }
        if self.final is not None:
            one, other = self.final
            written["claims"] = {"totals": [one - other, other - one], "winner": (one > other) + 2 * (one < other)}
        return written

    def _round(self, round_: _Round) -> dict[str, Any]:
        cards = round_.cards
        deal = [" ".join(cards[at : at + DEALT]) for at in range(0, 3 * DEALT, DEALT)]
        written: dict[str, Any] = {
            "dealer": round_.turns[0].seat if round_.turns else 1,
            "deal": {"field": deal[2], "hands": deal[:2], "draw_pile": " ".join(cards[3 * DEALT :])},
            "actions": [turn.written() for turn in round_.turns],
        }
        if round_.score is None:
            written["actions"].append("abandoned")
        elif not round_.turns:
            paid = round_.score + round_.doubling
            written |= {"actions": ["misdeal: a dealt hand that is paid at once"], "adjust": [paid, -paid]}
        else:
            written["claims"] = {"scores": [round_.score, -round_.score]}
            if round_.doubling:
                written["adjust"] = [round_.doubling, -round_.doubling]
        return written

    def wrong(self, line: int, code: str, detail: str, token: str | None, expected: str) -> None:
        """Notes an error of the log."""
        self.errors.append(ReadError(code, detail, line=line, column=1, token=token, expected=expected))
