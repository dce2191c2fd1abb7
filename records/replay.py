"""A round step by step, for people: the same play as `records.engine.verify`, told as it happens."""

from collections.abc import Iterator
from dataclasses import dataclass

from records.engine import Outcome, conclude
from records.events import Event
from records.record import Round
from records.rules.game import Rules
from records.table import Table


@dataclass(slots=True)
class Step:
    """One look at the table."""

    action: int
    """Number of the action, 0 the deal; at the end the number of the last one."""
    part: str
    """``deal``, ``hand``, ``draw``, ``call`` (what closes a turn), ``special`` (a word instead of a turn), ``end`` (what is left)."""
    seat: int
    """From 1; 0: nobody's."""
    events: list[Event]
    """What happened since the step before."""
    table: Table
    """The position as it is now. It is live: take from it what you need before the next step."""
    outcome: Outcome | None = None
    """With the last step."""


def replay(rules: Rules, round_: Round) -> Iterator[Step]:
    """The steps of a round, worked out as they are asked for. A prefix of the actions gives a prefix of the steps, but for the last one."""
    log: list[Event] = []
    table = Table(rules, round_.dealer - 1, log)

    def step(part: str, action: int, seat: int) -> Step:
        told = log.copy()
        log.clear()
        return Step(action, part, seat, told, table)

    if round_.deal is not None:
        table.open(round_.deal)
    else:
        table.unrecorded = 0
    yield step("deal", 0, 0)
    for number, action in enumerate(round_.actions, start=1):
        if table.halted:
            break
        if not table.begin(action):
            yield step("special", number, 0)
            continue
        if table.first:
            table.play_first()
            yield step("hand", number, table.seat + 1)
        if table.second and not table.halted:
            table.play_second()
            yield step("draw", number, table.seat + 1)
        if not table.halted:
            table.close_turn()
            if log:
                yield step("call", number, table.seat + 1)
    outcome = conclude(table, round_, ledger=True)
    last = step("end", table.reached, 0)
    last.outcome = outcome
    yield last
