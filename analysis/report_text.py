"""An audit report as text for a terminal: the verdict, each round with what was claimed and what comes out, findings, and the ledger where
something is wrong."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from records.games import game
from records.notation import unpack
from records.record import Claims, Record, Round, option_word

VERDICTS: Final[Mapping[str, str]] = {
    "unlawful": "a rule of play was broken",
    "disputed": "play was lawful, a claim differs",
    "incomplete": "what is recorded does not decide it",
    "lawful": "nothing wrong, nothing claimed",
    "confirmed": "nothing wrong, every claim right",
}
"""Each verdict in words."""

_LABEL: Final = 21
MOST_POSSIBLE: Final = 20
"""Possible outcomes of a round that are written out."""


DIVIDERS: Final = {",": "commas", ";": "semicolons", "\t": "tabs"}


def readable(report: Mapping[str, Any], record: Record) -> str:
    """The report of a record for people, ending with a line break. Plain text, no control codes."""
    return "\n".join(_lines(report, record)) + "\n"


def _lines(report: Mapping[str, Any], record: Record) -> Iterator[str]:
    sides = _sides(record)
    of_game = game(record.variant)
    yield f"{of_game.name}: {' – '.join(sides)}"
    event = [part for part in (record.event.name, record.event.site, record.event.date) if part]
    if event:
        yield "  " + ", ".join(event)
    yield f"  {report['record']}"
    if "reading" in report:
        reading = report["reading"]
        yield f"  read as a score sheet: {reading['encoding']}, columns divided by {DIVIDERS[reading['delimiter']]}"
        yield from (f"    {note}" for note in reading["notes"])
    house = {id: value for id, value in report["options"].items() if value != of_game.option(id).default}
    if house:
        yield "  house rules: " + _options(house)
    yield f"  {report['verdict'].upper()}: {VERDICTS[report['verdict']]}"
    for round_, told in zip(record.rounds, report["rounds"], strict=True):
        yield ""
        yield from _round(round_, told, sides)
    yield ""
    yield "Totals: " + (_by_side(report["totals"], sides) if report["totals"] is not None else "not known")
    if report["winner"] is not None:
        yield "Ahead: " + (sides[report["winner"] - 1] if report["winner"] else "nobody, a tie")
    for finding in report["findings"]:
        yield from _finding(finding, None)
    yield from _explanations(report)


def _round(round_: Round, told: Mapping[str, Any], sides: Sequence[str]) -> Iterator[str]:
    yield f"Round {told['round']} ({told['level']}, {told['end']}), seat {round_.dealer} deals: {told['verdict']}"
    claims = round_.claims or Claims()
    yield from _compared("card points", told["points"], claims.points, sides)
    if told.get("rounded") is not None:
        yield f"    {'rounded':{_LABEL}}" + _by_side(told["rounded"], sides)
    yaku = [_yaku(side) for side in told["yaku"]] if told["yaku"] is not None else None
    yield from _compared("yaku", yaku, None if claims.yaku is None else [", ".join(sorted(ids)) or "-" for ids in claims.yaku], sides)
    yield from _compared("scores", told["scores"], claims.scores, sides)
    if round_.adjust is not None:
        yield f"    {'adjusted':{_LABEL}}" + _by_side(round_.adjust, sides)
    for finding in told["findings"]:
        yield from _finding(finding, round_)
    if told["verdict"] in ("disputed", "unlawful") and told["scores"] is not None:
        yield from _ledger(told, sides)
    if told["possible"]:
        yield f"    {len(told['possible'])} possible outcomes:"
        for possible in told["possible"][:MOST_POSSIBLE]:
            yield f"      {_by_side(possible['scores'], sides)}: if {possible['if']}"
        if len(told["possible"]) > MOST_POSSIBLE:
            yield f"      and {len(told['possible']) - MOST_POSSIBLE} more"
    if told["next_dealer"] is not None:
        yield f"    seat {told['next_dealer']} deals next"


def _ledger(told: Mapping[str, Any], sides: Sequence[str]) -> Iterator[str]:
    """Every point of a round's scores, with its rule and cards; the sum of each side above its lines."""
    for side, (name, score) in enumerate(zip(sides, told["scores"], strict=True), start=1):
        yield f"    {name} {score}, because"
        for entry in told["ledger"]:
            if entry["side"] == side:
                other = entry["args"].get("to") if entry["from"] == side else entry["from"]
                between = "" if other is None else f", {'to' if entry['from'] == side else 'from'} {sides[other - 1]}"
                cards = "".join(f" {card}" for card in entry["args"].get("cards", ()))
                yield f"      {entry['amount']:>+6} [{entry['rule']}] {entry['why']}{between}{':' if cards else ''}{cards}"


def _compared(name: str, found: Sequence[object] | None, claimed: Sequence[object] | None, sides: Sequence[str]) -> Iterator[str]:
    """What comes out, and beneath it what was claimed where that differs."""
    if found is not None and any(value not in ("-", None) for value in found):
        yield f"    {name:{_LABEL}}" + _by_side(found, sides)
    if claimed is not None and (found is None or list(claimed) != list(found)):
        yield f"    {f'{name} claimed':{_LABEL}}" + _by_side(claimed, sides)


def _yaku(side: Sequence[Mapping[str, Any]]) -> str:
    return ", ".join(made["id"] + (" (negated)" if made["negated"] else "") for made in side) or "-"


def _finding(finding: Mapping[str, Any], round_: Round | None) -> Iterator[str]:
    where = ""
    action = finding["action"]
    if action == 0:
        where = " at the deal"
    elif action is not None and round_ is not None:
        where = f" at action {action} ({unpack(round_.actions[action - 1])})"
    yield f"  ! {finding['code']}{where} [{finding['rule']}]: {finding['message']}"


def _explanations(report: Mapping[str, Any]) -> Iterator[str]:
    if "explanations" not in report:
        return
    yield ""
    if not report["explanations"]:
        yield "No other house rules, up to three, were found to make it right."
    for explanation in report["explanations"]:
        yield "Right under: " + _options(explanation["options"])


def _options(options: Mapping[str, Any]) -> str:
    return ", ".join(f"{id}={option_word(value)}" for id, value in options.items())


def _by_side(values: Sequence[object], sides: Sequence[str]) -> str:
    return " | ".join(f"{side} {value}" for side, value in zip(sides, values, strict=True))


def _sides(record: Record) -> list[str]:
    """The players' names, partners' together."""
    if record.sides is None:
        return list(record.players)
    return [" & ".join(record.players[seat - 1] for seat in side) for side in record.sides]
