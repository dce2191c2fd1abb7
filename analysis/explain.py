"""House rules under which a record would be right (AU-5): all smallest sets of changed options, up to three.

Every set is tried on the record itself, the rounds that are wrong under its own options first, and is given up at the first round
that is not right. A round is played once for all sets that differ only in how it is settled.
"""

from collections.abc import Iterator
from itertools import combinations, product
from typing import Final

from analysis.examine import Examined, put_together
from analysis.levels import replayable
from analysis.rounds import Judged, judge
from records.engine import Outcome, rules_of, verify
from records.record import OptionValue, Record, Round
from records.rules.game import Option, Rules
from records.rules.settlement import Settlement
from records.table import Table

MOST_CHANGES: Final = 3
MOST_TRIED: Final = 20_000
"""Rounds that are judged for one record, over all sets of options. A record that would take more has none named: a list that is cut off
would not be all of the smallest sets."""

_RIGHT: Final = ("lawful", "confirmed")

Change = dict[str, OptionValue]


def needed(examined: Examined) -> bool:
    """Whether there is something to explain: unlawful play or a claim that differs."""
    return examined.verdict in ("unlawful", "disputed")


def explain(record: Record, examined: Examined, most: int = MOST_TRIED) -> list[dict[str, object]]:
    """The smallest sets of changed options under which the record is lawful and every claim right, as the report lists them."""
    trial = _Trial(record, examined)
    for count in range(1, MOST_CHANGES + 1):
        changes = list(_changes(examined.rules, count))
        right = []
        for place in sorted(range(len(changes)), key=lambda place: trial.key(changes[place])):
            if trial.right(changes[place]):
                right.append(place)
            if trial.tried > most:
                return []
        if right:
            return [{"options": changes[place], "changes": count} for place in sorted(right)]
    return []


def _changes(rules: Rules, count: int) -> Iterator[Change]:
    """Every way to change so many options that can have an effect at this table."""
    for chosen in combinations(rules.game.options, count):
        for values in product(*(_others(option, rules.options[option.id]) for option in chosen)):
            change = {option.id: value for option, value in zip(chosen, values, strict=True)}
            effective = rules.options | change
            if all(option.has_object(rules.seats, rules.sides, effective) for option in chosen):
                yield change


def _others(option: Option, value: OptionValue) -> list[OptionValue]:
    return [other for other in option.values if other != value]


class _Trial:
    """A record under other options than its own."""

    def __init__(self, record: Record, examined: Examined) -> None:
        self.record = record
        self.options = examined.rules.options
        self.order = sorted(range(len(record.rounds)), key=lambda place: examined.rounds[place].verdict in _RIGHT)
        """The places of the rounds, those first that are wrong under the record's own options."""
        self.playing = [option.id for option in examined.rules.game.options if not option.settles]
        self.played_under = ""
        self.played: dict[int, Table | None] = {}
        """By place, the final position under the options that play depends on; None where play is not lawful under them."""
        self.tried = 0
        """Rounds judged so far."""

    def key(self, change: Change) -> str:
        """What play depends on: changes with the same key end every round alike."""
        return repr([change.get(id, self.options[id]) for id in self.playing])

    def right(self, change: Change) -> bool:
        """Whether the record is lawful and every claim right with these options changed."""
        key = self.key(change)
        if key != self.played_under:
            self.played_under, self.played = key, {}
        rules = rules_of(self.record, dict(self.options) | change)
        rounds: dict[int, Judged] = {}
        for place in self.order:
            self.tried += 1
            judged = self._judge(rules, place)
            if judged is None or judged.verdict not in _RIGHT:
                return False
            rounds[place] = judged
        return put_together(self.record, rules, [rounds[place] for place in range(len(rounds))]).verdict in _RIGHT

    def _judge(self, rules: Rules, place: int) -> Judged | None:
        """A round under other rules, None where its play is not lawful under them."""
        round_ = self.record.rounds[place]
        if not replayable(round_):
            return judge(rules, round_, place + 1, ledger=False, trial=True)
        if place not in self.played:
            self.played[place] = play(rules, round_)
        table = self.played[place]
        if table is None:
            return None
        settled = settle(rules, table)
        return judge(rules, round_, place + 1, ledger=False, outcome=Outcome(table, settled, round_.play))


def play(rules: Rules, round_: Round) -> Table | None:
    """The final position of a round that is `replayable`, None where there is a fault. A deal of another deck, or of other hands, shows at
    once."""
    assert round_.deal is not None
    table = Table(rules, round_.dealer - 1)
    table.open(round_.deal)
    if table.faults:
        return None
    table = verify(rules, round_).table
    return None if table.faults else table


def settle(rules: Rules, table: Table) -> Settlement | None:
    """What a final position comes to; None where the round did not end."""
    return rules.game.settle(rules, table.ending(), False) if table.ended in ("played", "lucky", "misdeal") else None
