"""Two sheets of one game side by side: where they differ first, what follows from each, and which of the two is lawful.

A reader of reports and positions: nothing is judged here that the audit does not say of each sheet alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from analysis.audit import audit
from analysis.positions import positions
from records.formats import to_json
from records.normal import normalise
from records.record import Record

Json = dict[str, Any]

CONTRADICTS: Final = "contradicts"
"""Both say something, and not the same."""
SILENT: Final = {"a": "only-b", "b": "only-a"}
"""By the sheet that says nothing of it."""

RIGHT: Final = ("lawful", "confirmed")
_DEAL: Final = ("field", "hands", "draw_pile")
_END: Final = ("piles", "lightning", "first_great", "stopped", "calls")
_CLAIMS: Final = ("points", "yaku", "scores")


class NotOneGame(ValueError):
    """Sheets of different games, or of tables with different numbers of seats: nothing of them can be laid side by side."""


def compare(a: Record, b: Record, reports: tuple[Json, Json] | None = None) -> Json:
    """Both sheets compared. `reports`: their reports, where they are known. Raises NotOneGame.

    `head`: what differs about the game as a whole; `rounds`: each round with its `differences` in the order of play, the `first` of them
    beside what follows from each sheet; `first`: the first of all; `lawful`: the sheets whose play is lawful; `right`: those at which
    nothing is wrong. A difference: `at` (``dealer``, ``deal``, ``action``, ``end``, ``claims``, ``adjust``, ``notes``, ``round``), `what`,
    `action` (from 1; of a note also 0, the deal), `kind` (``contradicts``, ``only-a``, ``only-b``), and what `a` and `b` say, as written.
    """
    if a.variant != b.variant:
        raise NotOneGame(f"one is a sheet of {a.variant}, the other of {b.variant}")
    if len(a.players) != len(b.players):
        raise NotOneGame(f"one has {len(a.players)} seats, the other {len(b.players)}")
    one, other = to_json(normalise(a)), to_json(normalise(b))
    told = reports or (audit(a), audit(b))
    rounds = [_round(place, (a, b), (one, other), told) for place in range(max(len(a.rounds), len(b.rounds)))]
    head = list(_head(one, other))
    first = next(({"round": each["round"], **each["first"]} for each in rounds if each["first"] is not None), None)
    return {
        "a": told[0]["record"],
        "b": told[1]["record"],
        "variant": a.variant,
        "same": told[0]["record"] == told[1]["record"],
        "head": head,
        "first": first,
        "rounds": rounds,
        "verdict": {"a": told[0]["verdict"], "b": told[1]["verdict"]},
        "totals": {"a": told[0]["totals"], "b": told[1]["totals"]},
        "winner": {"a": told[0]["winner"], "b": told[1]["winner"]},
        "lawful": _those(told, lambda report: report["verdict"] != "unlawful"),
        "right": _those(told, lambda report: report["verdict"] in RIGHT),
    }


def _those(reports: Sequence[Mapping[str, Any] | None], wanted: Any) -> list[str]:
    return [name for name, report in zip("ab", reports, strict=True) if report is not None and wanted(report)]


def _head(one: Json, other: Json) -> Iterator[Json]:
    for what in ("players", "sides", "options", "match", "event", "claims"):
        if (difference := _differs(what, one.get(what), other.get(what))) is not None:
            yield difference


def _differs(what: str, a: Any, b: Any, at: str = "head", action: int | None = None) -> Json | None:
    if a == b:
        return None
    kind = SILENT["a"] if a is None else SILENT["b"] if b is None else CONTRADICTS
    return {"at": at, "what": what, "action": action, "kind": kind, "a": a, "b": b}


def _round(place: int, records: tuple[Record, Record], written: tuple[Json, Json], reports: tuple[Json, Json]) -> Json:
    """One round of both; `place` from 0."""
    there = [place < len(record.rounds) for record in records]
    told = [report["rounds"][place] if known else None for report, known in zip(reports, there, strict=True)]
    if all(there):
        found = list(_differences(written[0]["rounds"][place], written[1]["rounds"][place]))
    else:
        found = [{"at": "round", "what": "round", "action": None, "kind": SILENT["b" if there[0] else "a"], "a": None, "b": None}]
    played = [each for each in found if each["at"] != "notes"] or found
    first = next((each for each in played if each["kind"] == CONTRADICTS), played[0] if played else None)
    return {
        "round": place + 1,
        "first": None if first is None else first | {"follows": _follows(place, records, first)},
        "differences": found,
        "a": _summary(told[0]),
        "b": _summary(told[1]),
        "lawful": _those(told, lambda round_: round_["verdict"] != "unlawful"),
        "right": _those(told, lambda round_: round_["verdict"] in RIGHT),
    }


def _differences(a: Json, b: Json) -> Iterator[Json]:
    """In the order of play."""
    yield from _present(_differs("dealer", a["dealer"], b["dealer"], "dealer"))
    deals = a.get("deal", {}), b.get("deal", {})
    for what in _DEAL:
        yield from _present(_differs(what, deals[0].get(what), deals[1].get(what), "deal"))
    yield from _actions(a.get("actions", []), b.get("actions", []))
    for what in _END:
        yield from _present(_differs(what, a.get(what), b.get(what), "end"))
    claims = a.get("claims", {}), b.get("claims", {})
    for what in _CLAIMS:
        yield from _present(_differs(what, claims[0].get(what), claims[1].get(what), "claims"))
    yield from _present(_differs("adjust", a.get("adjust"), b.get("adjust"), "adjust"))
    yield from _notes(a.get("notes", {}), b.get("notes", {}))


def _present(difference: Json | None) -> Iterator[Json]:
    if difference is not None:
        yield difference


def _actions(a: Sequence[str], b: Sequence[str]) -> Iterator[Json]:
    """Each action that differs; where one sheet has none at all, one difference for all of them."""
    if not a or not b:
        yield from _present(_differs("actions", list(a) or None, list(b) or None, "action"))
        return
    for place in range(max(len(a), len(b))):
        one, other = (side[place] if place < len(side) else None for side in (a, b))
        yield from _present(_differs("action", one, other, "action", place + 1))


def _notes(a: Json, b: Json) -> Iterator[Json]:
    """Each note that differs; 0: on the deal."""
    for number in sorted({int(each) for each in (*a, *b)}):
        yield from _present(_differs("note", a.get(str(number)), b.get(str(number)), "notes", number))


def _summary(told: Mapping[str, Any] | None) -> Json | None:
    """What the report says of a round, in short."""
    if told is None:
        return None
    kept = ("verdict", "level", "end", "points", "scores", "winner", "next_dealer", "findings")
    yaku = None if told["yaku"] is None else [[each["id"] for each in side if not each["negated"]] for side in told["yaku"]]
    return {key: told[key] for key in kept} | {"yaku": yaku}


def _follows(place: int, records: tuple[Record, Record], first: Json) -> Json | None:
    """By sheet, the position after the action at which they part: where play goes on from. None where they part elsewhere."""
    if first["at"] != "action" or first["action"] is None:
        return None
    return {name: _after(record, place, first["action"]) for name, record in zip("ab", records, strict=True)}


def _after(record: Record, place: int, action: int) -> Json | None:
    """The position after an action, with what happened in it; None where the replay never reached it."""
    steps = positions(record, place + 1)["rounds"][0]["steps"]
    mine = [step for step in steps if step["action"] == action]
    if not mine:
        return None
    last = mine[-1]
    return {
        "step": mine[0]["step"],
        "events": [event for step in mine for event in step["events"]],
        "findings": [code for step in mine for code in step["findings"]],
        **{key: last[key] for key in ("field", "piles", "points", "next", "conditional")},
    }
