"""What records would score under other rules: their rounds played and settled again, one option changed at a time.

Each round stands by itself: who deals and what is played stay as recorded. A round counts under another value of an option where its play
is lawful under it too and comes to a score; where it does not it is counted as not possible. So nothing is said of how people would have
played, had they known.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from analysis.explain import play, settle
from analysis.levels import replayable
from analysis.rounds import judge
from records.engine import rules_of
from records.record import OptionValue, Record, Round, option_word
from records.rules.game import Rules
from records.rules.settlement import Settlement
from records.table import Table

MOST: Final = 2_000
"""Records of a sample, at most."""
COLUMNS: Final = ("option", "value", "n", "changed", "other_winner", "shift", "not_possible")
"""Of `Comparison.rows`: the option and the value it is given, rounds that were scored both ways, in how many of them (%) a score changes
and in how many another side wins, by how many points a side's score moves in the mean of all of them, and in how many of all rounds (%)
play was not possible under the value."""


@dataclass(slots=True)
class _Tally:
    rounds: int = 0
    changed: int = 0
    other_winner: int = 0
    sides: int = 0
    moved: float = 0.0
    """Points by which the scores of all sides moved, whichever way."""
    not_possible: int = 0


@dataclass(slots=True)
class Comparison:
    """What was found so far; `go_on` with more records as long as there is time."""

    records: int = 0
    """Looked at."""
    tallies: dict[tuple[str, OptionValue], _Tally] = field(default_factory=dict)

    def go_on(self, records: Iterable[Record], going: Callable[[], bool]) -> None:
        """Takes in record after record, until one is taken in and `going` says no."""
        for record in records:
            for round_ in record.rounds:
                self._take(record, round_)
            self.records += 1
            if not going():
                return

    def rows(self) -> list[tuple[Any, ...]]:
        """A row a value of an option under which any round could be scored, those first that change most. The columns are `COLUMNS`."""
        found = [
            (
                option,
                option_word(value),
                tally.rounds,
                100 * tally.changed / tally.rounds,
                100 * tally.other_winner / tally.rounds,
                tally.moved / tally.sides,
                100 * tally.not_possible / (tally.rounds + tally.not_possible),
            )
            for (option, value), tally in list(self.tallies.items())  # another thread may be at it
            if tally.rounds
        ]
        return sorted(found, key=lambda row: (-row[3], -row[2], row[0], row[1]))

    def _take(self, record: Record, round_: Round) -> None:
        own = rules_of(record)
        trial = _Trial(round_)
        before = trial.settled(own)
        if before is None:
            return
        for option in own.game.options:
            for value in option.values:
                changed = own.options | {option.id: value}
                if value == own.options[option.id] or not option.has_object(own.seats, own.sides, changed):
                    continue
                tally = self.tallies.setdefault((option.id, value), _Tally())
                after = trial.settled(rules_of(record, changed))
                if after is None:
                    tally.not_possible += 1
                    continue
                tally.rounds += 1
                tally.changed += after.scores != before.scores
                tally.other_winner += after.winner != before.winner
                tally.sides += len(after.scores)
                tally.moved += sum(abs(is_now - was) for is_now, was in zip(after.scores, before.scores, strict=True))


class _Trial:
    """A round under several rules; it is played once for all that differ only in how it is settled."""

    def __init__(self, round_: Round) -> None:
        self.round = round_
        self.whole = replayable(round_)
        self.played: dict[tuple[OptionValue, ...], Table | None] = {}

    def settled(self, rules: Rules) -> Settlement | None:
        """What it comes to; None where play is not lawful under these rules, or no score follows from what was recorded."""
        if not self.whole:
            judged = judge(rules, self.round, 1, ledger=False)
            return None if judged.as_claimed or judged.verdict == "unlawful" else judged.settled
        key = tuple(rules.options[option.id] for option in rules.game.options if not option.settles)
        if key not in self.played:
            self.played[key] = play(rules, self.round)
        table = self.played[key]
        return None if table is None else settle(rules, table)
