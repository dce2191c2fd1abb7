"""Whole rounds printed for people: the record at the top, then every position with what led to it and the rule behind it. Of a position
only the lines that are not as they were before; at the end of a round all of them.

A file in `tests/data/playthroughs` is a record as text, a line of dashes, and what `printed` makes of it.
`tests/records/test_playthroughs.py` says how to write one anew.
"""

from collections.abc import Iterator

from records.cards import CODES, UNKNOWN
from records.engine import rules_of
from records.events import Event
from records.formats import read_record, to_text
from records.notation import unpack
from records.record import Record
from records.replay import Step, replay
from records.rules.game import Rules
from records.rules.settlement import Settlement
from records.table import Table

LINE = "-" * 100


def split(text: str) -> tuple[Record, str]:
    """The record of a playthrough and what is printed below it."""
    above, _, below = text.partition(f"{LINE}\n")
    return read_record(above), below


def joined(record: Record) -> str:
    """A whole playthrough."""
    return f"{to_text(record).rstrip()}\n\n{LINE}\n{printed(record)}"


def printed(record: Record) -> str:
    """Every position of every round of a record."""
    rules = rules_of(record)
    options = " ".join(f"{name}={value}" for name, value in rules.options.items())
    sides = " ".join("+".join(str(seat + 1) for seat in side) for side in rules.sides) if rules.teams else "each for itself"
    lines = [f"{rules.game.name}, {rules.seats} seats, {sides}", f"options: {options}"]
    for number, round_ in enumerate(record.rounds, start=1):
        lines += ["", f"ROUND {number}, seat {round_.dealer} deals"]
        position: list[str] = []
        for step in replay(rules, round_):
            lines += ["", *_told(rules, step, round_.actions)]
            now = list(_position(rules, step.table))
            lines += [f"  {line}" for line in now if step.part == "end" or line not in position]
            position = now
            if step.outcome is not None and step.outcome.settlement is not None:
                lines += [f"  {line}" for line in _settlement(rules, step.outcome.settlement)]
    return "\n".join(lines) + "\n"


def _told(rules: Rules, step: Step, actions: tuple[bytes, ...]) -> Iterator[str]:
    if step.part == "deal":
        yield "DEAL"
    elif step.part == "end":
        yield "END"
    else:
        yield f"{step.action}. {unpack(actions[step.action - 1])}  ({step.part}{f', seat {step.seat}' if step.seat else ''})"
    for event in step.events:
        yield f"    {_event(rules, event)}"


def _event(rules: Rules, event: Event) -> str:
    who = f"seat {event.seat} " if event.seat else ""
    cards = " ".join(CODES[rules.codes[card]] for card in event.cards)
    args = ", ".join(f"{name} {value}" for name, value in event.args.items())
    return f"{who}{event.kind}{f' {cards}' if cards else ''}{f' ({args})' if args else ''}{f' [{event.rule}]' if event.rule else ''}"


def _position(rules: Rules, table: Table) -> Iterator[str]:
    pile = [CODES[rules.codes[card]] if card != UNKNOWN else "?" for card in reversed(table.draw_pile)]
    yield "hands      " + " | ".join(" ".join(rules.codes_in(hand)) or "-" for hand in table.hands)
    yield "field      " + (" ".join(rules.codes_in(table.field)) or "-")
    yield f"draw pile  {len(pile)}: " + (" ".join(pile) or "-")
    yield "piles      " + " | ".join(" ".join(rules.codes_in(captured)) or "-" for captured in table.piles)
    for name, seats in (("owners", table.owner), ("claims", table.claims)):
        if max(seats) >= 0:
            yield f"{name}     " + ", ".join(f"month {month + 1} seat {seat + 1}" for month, seat in enumerate(seats) if seat >= 0)
    if any(table.calls):
        yield "koi-koi    " + " | ".join(map(str, table.calls))


def _settlement(rules: Rules, settlement: Settlement) -> Iterator[str]:
    yield "points     " + ("-" if settlement.points is None else " | ".join(map(str, settlement.points)))
    if settlement.rounded is not None:
        yield "rounded    " + " | ".join(map(str, settlement.rounded))
    if settlement.yaku is not None:
        yield "yaku       " + " | ".join(
            " ".join(one.id + (" (negated)" if one.negated else "") for one in side) or "-" for side in settlement.yaku
        )
    yield "scores     " + " | ".join(map(str, settlement.scores))
    yield f"winner     {settlement.winner + 1 or 'nobody'}"
    yield f"next       seat {settlement.next_dealer + 1} deals"
    for entry in settlement.ledger:
        payer = f" from side {entry.payer + 1}" if entry.payer is not None else ""
        yield f"ledger     side {entry.side + 1}  {entry.amount:+}{payer}  {entry.why} [{entry.rule}]"
