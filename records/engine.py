"""A round's play carried out and settled: what every reader of rounds calls.

`records.table` plays, the game settles.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from records import packed
from records.courses import keep_courses, settled
from records.games import game
from records.native import INTERPRETED
from records.record import OptionValue, Record, Round
from records.rules.game import Rules, Sides
from records.rules.settlement import Settlement
from records.table import Table


@dataclass(init=False, slots=True)
class Outcome:
    """What a round came to."""

    table: Table
    """The final position; its `faults`, `ended`, `broken`, `unrecorded`, `unchecked` and `reached` say how it came about."""
    settlement: Settlement | None
    """None where the round did not end, or was broken off, or an impossible act ended the replay."""
    normal_play: bytes
    """All actions, the reached ones normalised; the others stay as written."""

    def __init__(self, table: Table, settlement: Settlement | None, normal_play: bytes) -> None:
        self.table = table
        self.settlement = settlement
        self.normal_play = normal_play


@lru_cache(maxsize=1024)
def _rules(variant: str, options: tuple[tuple[str, OptionValue], ...], seats: int, sides: Sides | None) -> Rules:
    return Rules(game(variant), dict(options), seats, sides)


def rules_of(record: Record, options: Mapping[str, OptionValue] | None = None) -> Rules:
    """The rules of a record's table; with `options` instead of the record's own. One object for equal tables: it keeps answers."""
    chosen = record.options if options is None else options
    sides = None if record.sides is None else tuple(tuple(seat - 1 for seat in side) for side in record.sides)
    # True and 1, 8 and 8.0 are equal keys and equal values, so the cache may mix them up
    return _rules(record.variant, tuple(sorted(chosen.items())) if chosen else (), len(record.players), sides)


def verify(rules: Rules, round_: Round, ledger: bool = False, trail: bool = False) -> Outcome:
    """Play a round to its end, without events. `trail`: the outcome's table has the gains by action."""
    table = Table(rules, round_.dealer - 1)
    if trail:
        table.trace()
    if round_.deal is not None:
        table.open(round_.deal)
    else:
        table.unrecorded = 0
    table.run(round_.play)
    return conclude(table, round_, ledger)


def settlement_of(rules: Rules, round_: Round) -> Settlement | None:
    """What a round comes to that was lawful to its end, None where it was not: the quickest way to a verdict. Interpreted, nothing is
    played where the courses of all months are known."""
    if INTERPRETED:
        settlement = settled(rules, round_)
        if settlement is not None:
            return settlement
    outcome = _verify_and_keep(rules, round_)
    return None if outcome.table.faults else outcome.settlement


def normal_play(rules: Rules, round_: Round) -> bytes:
    """All actions of a round, the reached ones normalised, the others as they are written. Plain ones, of which alone courses are known,
    are normalised as they stand."""
    if INTERPRETED and settled(rules, round_) is not None:
        return round_.play
    return _verify_and_keep(rules, round_).normal_play


def _verify_and_keep(rules: Rules, round_: Round) -> Outcome:
    outcome = verify(rules, round_)
    if INTERPRETED:
        keep_courses(outcome.table, round_)
    return outcome


def conclude(table: Table, round_: Round, ledger: bool = False) -> Outcome:
    """Settle a table at which all of a round's actions were played."""
    table.finish()
    settlement = None
    if not table.halted and table.ended in ("played", "lucky", "misdeal"):
        settlement = table.rules.game.settle(table.rules, table.ending(), ledger)
    return Outcome(table, settlement, _normal_play(table, round_.play))


def _normal_play(table: Table, play: bytes) -> bytes:
    """The actions as they were written, but for those that the table had to write anew."""
    if table.rewritten is None:
        return play
    actions = list(packed.actions_of(play))
    for number, action in table.rewritten.items():
        actions[number - 1] = action
    return packed.play_of(actions)
