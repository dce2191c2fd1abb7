"""Two reports on the same record, held against each other: what another engine, or other options, judge otherwise."""

from collections.abc import Iterator, Mapping
from typing import Any

Json = dict[str, Any]

OF_ROUND = ("verdict", "level", "end", "winner", "next_dealer")
BY_SIDE = ("points", "yaku", "scores")


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Json]:
    """What differs, in order: `round` (from 1, None: the record), `what`, `side` (from 1, None: no side's), `before` and `after`.

    Findings are compared by code and action; wordings, ledgers and explanations are not.
    """
    return list(_differences(before, after))


def _differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Json]:
    yield from _plain(None, ("verdict", "winner"), before, after)
    yield from _by_side(None, "totals", before.get("totals"), after.get("totals"))
    yield from _findings(None, before, after)
    for one, other in zip(before["rounds"], after["rounds"], strict=True):
        number = one["round"]
        yield from _plain(number, OF_ROUND, one, other)
        for what in BY_SIDE:
            values = [_paid(each.get(what)) if what == "yaku" else each.get(what) for each in (one, other)]
            yield from _by_side(number, what, *values)
        yield from _findings(number, one, other)


def _plain(round: int | None, keys: tuple[str, ...], one: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[Json]:
    for key in keys:
        if one.get(key) != other.get(key):
            yield {"round": round, "what": key, "side": None, "before": one.get(key), "after": other.get(key)}


def _by_side(round: int | None, what: str, one: list[Any] | None, other: list[Any] | None) -> Iterator[Json]:
    if one is None or other is None or len(one) != len(other):
        if one != other:
            yield {"round": round, "what": what, "side": None, "before": one, "after": other}
        return
    for side, (was, now) in enumerate(zip(one, other, strict=True), start=1):
        if was != now:
            yield {"round": round, "what": what, "side": side, "before": was, "after": now}


def _findings(round: int | None, one: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[Json]:
    was, now = (sorted((each["code"], each["action"] or 0) for each in report["findings"]) for report in (one, other))
    if was != now:
        yield {"round": round, "what": "findings", "side": None, "before": _codes(was), "after": _codes(now)}


def _codes(findings: list[tuple[str, int]]) -> list[str]:
    return [f"{code} at action {action}" if action else code for code, action in findings]


def _paid(yaku: list[list[Mapping[str, Any]]] | None) -> list[list[str]] | None:
    return None if yaku is None else [sorted(each["id"] for each in side if not each["negated"]) for side in yaku]
