"""A comparison of two sheets as text for a terminal."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from records.record import Record

_KINDS: Final = {"contradicts": "they contradict", "only-a": "only A says it", "only-b": "only B says it"}
MOST: Final = 12
"""Differences of a round that are written out."""


def readable(compared: Mapping[str, Any], record: Record) -> str:
    """A comparison for people, ending with a line break. `record`: either sheet, for names."""
    return "\n".join(_lines(compared, record)) + "\n"


def _lines(compared: Mapping[str, Any], record: Record) -> Iterator[str]:
    yield f"A {compared['a']}: {compared['verdict']['a']}"
    yield f"B {compared['b']}: {compared['verdict']['b']}"
    if compared["same"]:
        yield "They are the same sheet."
        return
    for each in compared["head"]:
        yield from _difference(each, "  ")
    first = compared["first"]
    yield f"They differ first in round {first['round']}:" if first is not None else "Their rounds are the same."
    if first is not None:
        yield from _difference(first, "  ")
        yield from _follows(first)
    for round_ in compared["rounds"]:
        if round_["differences"]:
            yield from _round(round_)
    yield f"Lawful: {_names(compared['lawful'])}. Nothing wrong: {_names(compared['right'])}."


def _round(round_: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    yield f"Round {round_['round']}: {len(round_['differences'])} differences; lawful: {_names(round_['lawful'])}"
    for each in round_["differences"][:MOST]:
        yield from _difference(each, "  ")
    if len(round_["differences"]) > MOST:
        yield f"  and {len(round_['differences']) - MOST} more"
    for name in "ab":
        told = round_[name]
        if told is not None:
            yield f"  {name.upper()}: {told['verdict']}, scores {_several(told['scores'])}, next dealer {_several(told['next_dealer'])}"
            for finding in told["findings"]:
                yield f"    ! {finding['code']} [{finding['rule']}]: {finding['message']}"


def _difference(each: Mapping[str, Any], indent: str) -> Iterator[str]:
    place = f"action {each['action']}" if each["action"] is not None else each["what"]
    what = f"note on {place}" if each["at"] == "notes" else place
    yield f"{indent}{what}: {_KINDS[each['kind']]}"
    for name in "ab":
        if each[name] is not None:
            yield f"{indent}  {name.upper()}: {_several(each[name])}"


def _follows(first: Mapping[str, Any]) -> Iterator[str]:
    for name in "ab":
        after = (first["follows"] or {}).get(name)
        if after is not None:
            found = f"; {', '.join(after['findings'])}" if after["findings"] else ""
            yield f"  after it, by {name.upper()}, the field is {after['field'] or 'empty'}{found}"


def _several(value: object) -> str:
    if value is None:
        return "not known"
    if isinstance(value, Mapping):
        return ", ".join(f"{key}={_several(each)}" for key, each in value.items())
    return " | ".join(_several(each) for each in value) if isinstance(value, list | tuple) else str(value)


def _names(sheets: list[str]) -> str:
    return {0: "neither", 1: "".join(sheets).upper(), 2: "both"}[len(sheets)]
