"""What the tables say of many records, as plain numbers: `analysis.tables` makes columns of them. Compiled, for it sees every round.

Rounds and seats come in order, those of one record behind those of the one before it. Numbers stand in rows, written as they lie in memory,
for an object each would be most of the work. A number that is not known is -1, one that may be a half is NaN.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from librt.strings import BytesWriter, write_f64_le, write_i64_le
from msgspec.structs import astuple

from records.engine import Outcome
from records.native import count_of
from records.packed import END, actions_of, play_of
from records.record import Event, Record, Round
from records.rules.game import Rules
from records.rules.settlement import FROM_CARDS, FROM_OTHER, FROM_YAKU, PAID_YAKU, SOURCES, Number

UNKNOWN: Final = float("nan")

RECORDS: Final = ("table", "rounds", "verdict", "winner", "found")
"""Of a record: which of `tables`, how many rounds, a word, a side from 1 or 0 for a tie, how many findings."""
ROUNDS: Final = ("record", "number", "table", "dealer", "next_dealer", "level", "end", "verdict", "winner", "written", "reached")
"""Of a round: the place of the record, from 1, which of `tables`, two seats, three words, a side or 0, how many actions the record has, and
how many of them can be followed, -1: play cannot be followed at all."""
SEATS: Final = ("points", "score", *(f"source{number}" for number in range(SOURCES)))
"""Of a seat of a round, halves among them: points, score and sources of its side."""
YAKU: Final = ("of_round", "side", "seat", "points", "action", "negated")
"""Of a yaku: the round's place in all, side, seat or 0, points, action, whether it is negated."""


class Gathered:
    """The rows of some records."""

    def __init__(self) -> None:
        self.words: dict[str, int] = {}
        """Words that a row names by number."""
        self.tables: dict[Rules, int] = {}
        """Where records were played: the rules, by number."""
        self.first: list[Record] = []
        """Of each table the first record, normalised: game, options, seats and sides are those of all."""

        self.size = 0
        """Records begun."""
        self.names: list[str] = []
        """By record, by seat."""
        self.events: list[str | None] = []
        self.sites: list[str | None] = []
        self.dates: list[str | None] = []
        self.records = BytesWriter()
        """`RECORDS`, in whole numbers of 64 bits; so are `rounds`, `piles` and `yaku`."""
        self.totals = BytesWriter()
        """By seat of each record, that of its side, in floats of 64 bits; so are `seats`."""
        self.findings: list[tuple[Any, ...]] = []
        """Record, round from 1 or 0, action, code, severity, rule, pointer."""

        self.count = 0
        """Rounds of all records."""
        self.rounds = BytesWriter()
        """`ROUNDS`."""
        self.plays: list[bytes] = []
        """The actions of all rounds that can be followed, normalised."""
        self.out_of_order: dict[int, Round] = {}
        """Rounds of which the place of an action does not tell whose it is, by their place in all."""
        self.seats = BytesWriter()
        """`SEATS`."""
        self.piles = BytesWriter()
        """By seat of each round, at the end."""
        self.yaku = BytesWriter()
        """`YAKU`."""
        self.yaku_ids: list[str] = []

        self._rules: Rules | None = None
        self._table = 0
        self._found = 0
        """Of the record in hand: its rules, which of `tables` it was played at, how many findings."""

    def begin(self, rules: Rules, record: Record) -> None:
        """The next record, normalised; its rounds follow."""
        if rules is not self._rules:
            self._rules = rules
            self._table = self.tables.setdefault(rules, len(self.tables))
            if self._table == len(self.first):
                self.first.append(record)
        self.size += 1
        self.names.extend(record.players)
        event: Event = record.event
        parts: tuple[Any, ...] = astuple(event)
        name: str | None = parts[0]
        site: str | None = parts[1]
        date: str | None = parts[2]
        self.events.append(name)
        self.sites.append(site)
        self.dates.append(date)
        self._found = 0

    def end(self, verdict: str, winner: int, totals: Sequence[Number] | None, rounds: int) -> None:
        """What is said of the record as a whole, behind its rounds."""
        to = self.records
        write_i64_le(to, self._table)
        write_i64_le(to, rounds)
        write_i64_le(to, self._word(verdict))
        write_i64_le(to, winner)
        write_i64_le(to, self._found)
        rules = self._rules
        assert rules is not None
        for side in rules.side_of:
            write_f64_le(self.totals, UNKNOWN if totals is None else _amount(totals[side]))

    def _word(self, word: str) -> int:
        return self.words.setdefault(word, len(self.words))

    def finding(self, number: int, action: int | None, code: str, severity: str, rule: str, pointer: str) -> None:
        """A finding of the record's round of that number, 0: its own."""
        self._found += 1
        self.findings.append((self.size - 1, number, action, code, severity, rule, pointer))

    def made(self, side: int, seat: int, id: str, points: int, action: int, negated: bool) -> None:
        """A yaku of the round that was added last."""
        to = self.yaku
        write_i64_le(to, self.count - 1)
        write_i64_le(to, side)
        write_i64_le(to, seat)
        write_i64_le(to, points)
        write_i64_le(to, action)
        write_i64_le(to, negated)
        self.yaku_ids.append(id)

    def round(
        self,
        round_: Round,
        number: int,
        level: str,
        end: str,
        verdict: str,
        winner: int,
        next_dealer: int,
        outcome: Outcome | None,
    ) -> None:
        """A round of the record; its seats follow. `outcome`: None where play cannot be followed at all."""
        written = count_of(round_.play, END)
        reached = -1 if outcome is None else outcome.table.reached
        to = self.rounds
        write_i64_le(to, self.size - 1)
        write_i64_le(to, number)
        write_i64_le(to, self._table)
        write_i64_le(to, round_.dealer)
        write_i64_le(to, next_dealer)
        write_i64_le(to, self._word(level))
        write_i64_le(to, self._word(end))
        write_i64_le(to, self._word(verdict))
        write_i64_le(to, winner)
        write_i64_le(to, written)
        write_i64_le(to, reached)
        if outcome is not None and reached > 0:
            play = outcome.normal_play
            self.plays.append(play if reached == written else play_of(actions_of(play)[:reached]))
            if not outcome.table.in_order:
                self.out_of_order[self.count] = round_
        self.count += 1

    def results(
        self,
        points: Sequence[Number] | None,
        scores: Sequence[Number] | None,
        sources: Sequence[Number] | None,
        piles: Sequence[int] | None,
    ) -> None:
        """What each seat of the round had in the end; what belongs to sides is given by side, `sources` four to a side."""
        rules = self._rules
        assert rules is not None
        to = self.seats
        for side in rules.side_of:
            write_f64_le(to, UNKNOWN if points is None else _amount(points[side]))
            write_f64_le(to, UNKNOWN if scores is None else _amount(scores[side]))
            for place in range(SOURCES * side, SOURCES * side + SOURCES):
                write_f64_le(to, UNKNOWN if sources is None else _amount(sources[place]))
        for seat in range(rules.seats):
            write_i64_le(self.piles, -1 if piles is None else piles[seat])


def _amount(number: Number) -> float:
    return number if isinstance(number, float) else float(number)


def source(amount: Number, why: str, args: Mapping[str, object]) -> int:
    """Where a line of a report's ledger comes from: its place among a side's sources."""
    if "yaku" in args:
        return FROM_YAKU if amount > 0 else PAID_YAKU
    return FROM_CARDS if "points" in args and "dandruff" not in why else FROM_OTHER
