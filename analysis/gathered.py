"""What the tables say of many records, as plain lists: `analysis.tables` makes columns of them. Compiled, for it sees every round.

Rounds and seats come in order, those of one record behind those of the one before it. A number that is not known is -1, a score NaN.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from records.packed import ENDED, actions_of, play_of
from records.record import Round
from records.rules.game import Rules
from records.rules.settlement import FROM_CARDS, FROM_OTHER, FROM_YAKU, PAID_YAKU, SOURCES, Number

UNKNOWN: Final = float("nan")


class Gathered:
    """The rows of some records."""

    def __init__(self) -> None:
        self.verdicts: list[str] = []
        """By record."""
        self.winners: list[int] = []
        """By record: a side from 1, 0 a tie."""
        self.totals: list[Sequence[Number] | None] = []
        """By record, by side."""
        self.found: list[int] = []
        """By record: how many findings."""
        self.findings: list[tuple[Any, ...]] = []
        """Record, round from 1 or 0, action, code, severity, rule, pointer."""

        self.rounds: list[Round] = []
        self.of_record: list[int] = []
        """By round, as all that follows up to `actions`: the place of the record."""
        self.numbers: list[int] = []
        """From 1."""
        self.rules: list[int] = []
        """Which of `tables`."""
        self.tables: dict[Rules, int] = {}
        self.dealers: list[int] = []
        self.next_dealers: list[int] = []
        self.levels: list[str] = []
        self.ends: list[str] = []
        self.round_verdicts: list[str] = []
        self.round_winners: list[int] = []
        self.written: list[int] = []
        """How many actions the record has."""
        self.reached: list[int] = []
        """How many of them can be followed; -1: play cannot be followed at all."""
        self.plays: list[bytes] = []
        """The actions of all rounds that can be followed, normalised."""

        self.points: list[float] = []
        """By seat, those of its side; also `scores` and `sources`."""
        self.scores: list[float] = []
        self.sources: list[float] = []
        """Four a seat."""
        self.piles: list[int] = []
        """By seat, at the end."""

        self.yaku: list[int] = []
        """Round's place in all, side, seat or 0, points, action, whether it is negated: six numbers each."""
        self.yaku_ids: list[str] = []

    def begin(self) -> None:
        """The next record; its rounds follow."""
        self.found.append(0)

    def end(self, verdict: str, winner: int, totals: Sequence[Number] | None) -> None:
        """What is said of the record as a whole, behind its rounds."""
        self.verdicts.append(verdict)
        self.winners.append(winner)
        self.totals.append(totals)

    def finding(self, number: int, action: int | None, code: str, severity: str, rule: str, pointer: str) -> None:
        """A finding of the record's round of that number, 0: its own."""
        self.found[-1] += 1
        self.findings.append((len(self.found) - 1, number, action, code, severity, rule, pointer))

    def made(self, side: int, seat: int, id: str, points: int, action: int, negated: bool) -> None:
        """A yaku of the round that was added last."""
        self.yaku += [len(self.of_record) - 1, side, seat, points, action, negated]
        self.yaku_ids.append(id)

    def round(self, rules: Rules, round_: Round, number: int, level: str, end: str, verdict: str, winner: int, next_dealer: int) -> None:
        """A round of the record; seats and actions follow."""
        self.rounds.append(round_)
        self.of_record.append(len(self.found) - 1)
        self.numbers.append(number)
        place = self.tables.get(rules, -1)
        if place < 0:
            place = self.tables[rules] = len(self.tables)
        self.rules.append(place)
        self.dealers.append(round_.dealer)
        self.next_dealers.append(next_dealer)
        self.levels.append(level)
        self.ends.append(end)
        self.round_verdicts.append(verdict)
        self.round_winners.append(winner)
        self.written.append(round_.play.count(ENDED))

    def play(self, play: bytes, reached: int) -> None:
        """The actions of the round, normalised, and how many of them can be followed; -1: it has no play to follow."""
        self.reached.append(reached)
        if reached == self.written[-1]:
            self.plays.append(play)
        elif reached > 0:
            self.plays.append(play_of(actions_of(play)[:reached]))

    def results(
        self,
        rules: Rules,
        points: Sequence[Number] | None,
        scores: Sequence[Number] | None,
        sources: Sequence[Number] | None,
        piles: Sequence[int] | None,
    ) -> None:
        """What each seat of the round had in the end; what belongs to sides is given by side, `sources` four to a side."""
        for seat in range(rules.seats):
            side = rules.side_of[seat]
            self.points.append(UNKNOWN if points is None else float(points[side]))
            self.scores.append(UNKNOWN if scores is None else float(scores[side]))
            if sources is None:
                self.sources += (UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN)
            else:
                self.sources += sources[SOURCES * side : SOURCES * side + SOURCES]
            self.piles.append(-1 if piles is None else piles[seat])


def source(amount: Number, why: str, args: Mapping[str, object]) -> int:
    """Where a line of a report's ledger comes from: its place among a side's sources."""
    if "yaku" in args:
        return FROM_YAKU if amount > 0 else PAID_YAKU
    return FROM_CARDS if "points" in args and "dandruff" not in why else FROM_OTHER
