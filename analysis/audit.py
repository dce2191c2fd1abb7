"""The audit report of a record (record-format.md, 3; rules.md, 8)."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from analysis.completed import NOTHING, MadeAt, made_at, owner
from analysis.examine import Examined, examine
from analysis.explain import explain as explanations
from analysis.explain import needed
from analysis.ledger import entries
from analysis.possible import Possibility, claimed_yaku, described
from analysis.rounds import Judged
from records import __version__
from records.engine import Outcome
from records.formats.sheets import KEY as SHEET
from records.games import game
from records.normal import canonical_of_normal, identity, normalise
from records.record import OptionValue, Record, Round, replace
from records.rules.game import Rules
from records.rules.settlement import Settlement, Yaku, number

ENGINE: Final = __version__
"""The version that a report names: another engine may judge otherwise."""


@dataclass(frozen=True, slots=True)
class Assessed:
    """A record audited, with what was worked out on the way and a store needs too."""

    report: dict[str, Any]
    canonical: bytes
    """The normalised form, RFC 8785."""
    normal: Record
    outcomes: tuple[Outcome | None, ...]
    """What the engine said of each round; None where there was no play to follow."""


def audit(record: Record, *, explain: bool = False, options: Mapping[str, OptionValue] | None = None) -> dict[str, Any]:
    """The report of a record, ready for JSON.

    `explain`: look for options under which it would be right, where it is not (AU-5). `options`: judge it under these beside its own.
    Raises ValueError for an option or a value that the game does not have.
    """
    if not options:
        return assess(record, explain=explain).report
    under = replace(record, options=_checked(record, options))
    return _report(under, examine(under), identity(record), explain)


def assess(record: Record, *, explain: bool = False) -> Assessed:
    """A record audited; what was played for the audit is not played again for its identity and its tables."""
    examined = examine(record)
    outcomes = tuple(judged.outcome for judged in examined.rounds)
    known = [outcome for outcome in outcomes if outcome is not None]
    normal = normalise(record, known if len(known) == len(outcomes) else None)
    canonical = canonical_of_normal(normal)
    id = "sha256:" + hashlib.sha256(canonical).hexdigest()
    return Assessed(_report(record, examined, id, explain), canonical, normal, outcomes)


def _report(record: Record, examined: Examined, id: str, explain: bool) -> dict[str, Any]:
    report: dict[str, Any] = {
        "record": id,
        "variant": record.variant,
        "options": effective_options(examined.rules),
        "engine": ENGINE,
        "verdict": examined.verdict,
        "rounds": [_round(examined.rules, round_, judged) for round_, judged in zip(record.rounds, examined.rounds, strict=True)],
        "totals": examined.totals,
        "winner": examined.winner,
        "findings": [finding.as_dict() for finding in examined.findings],
    }
    if SHEET in record.extra.get("", {}):
        report["reading"] = record.extra[""][SHEET]  # how a score sheet was read, guesses and oddities
    if explain and needed(examined):
        report["explanations"] = explanations(record, examined)
    return report


def effective_options(rules: Rules) -> dict[str, OptionValue]:
    """All options with the values that hold, each as the game writes it; one without an object at this table has its default."""
    found = {}
    for option in rules.game.options:
        value = rules.options[option.id] if option.has_object(rules.seats, rules.sides, rules.options) else option.default
        found[option.id] = next(choice.value for choice in option.choices if choice.value == value)
    return found


def _checked(record: Record, options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """The record's options with others in their place."""
    known = {option.id: option.values for option in game(record.variant).options}
    for id, value in options.items():
        if id not in known:
            raise ValueError(f"{record.variant} has no option {id!r}; it has {', '.join(known)}")
        if value not in known[id]:
            raise ValueError(f"{id} cannot be {value!r}; it can be {', '.join(str(other) for other in known[id])}")
    return dict(record.options) | dict(options)


def _round(rules: Rules, round_: Round, judged: Judged) -> dict[str, Any]:
    """A round of the report."""
    settled = judged.settled
    report: dict[str, Any] = {
        "round": judged.number,
        "level": judged.level,
        "end": judged.end,
        "verdict": judged.verdict,
        "points": None,
        "yaku": None,
        "scores": None,
        "winner": None,
        "next_dealer": judged.next_dealer,
        "ledger": [],
        "findings": [finding.as_dict() for finding in judged.findings],
        "possible": _possible(rules, judged.possible),
    }
    if settled is not None:
        played = judged.outcome if judged.level in ("full", "moves") else None
        report |= _results(settled, NOTHING if played is None else made_at(played.table, settled))
        report["winner"] = settled.winner + 1
        report["ledger"] = entries(settled)
    elif judged.as_claimed and round_.claims is not None:
        claims = round_.claims
        report["points"] = None if claims.points is None else list(claims.points)
        report["yaku"] = None if claims.yaku is None else [[_yaku(yaku, NOTHING) for yaku in side] for side in claimed_yaku(rules, claims)]
    return report


def _results(settled: Settlement, completed: MadeAt) -> dict[str, Any]:
    """Points, yaku and scores of a settlement."""
    results: dict[str, Any] = {
        "points": settled.points,
        "yaku": None if settled.yaku is None else [[_yaku(yaku, completed) for yaku in side] for side in settled.yaku],
        "scores": [number(score) for score in settled.scores],
    }
    if settled.rounded is not None:
        results["rounded"] = settled.rounded
    return results


def _yaku(yaku: Yaku, completed: MadeAt) -> dict[str, Any]:
    return {
        "id": yaku.id,
        "points": yaku.points,
        "action": completed.get((owner(yaku), yaku.id)),
        "seat": yaku.seat + 1 if yaku.seat >= 0 else None,
        "negated": yaku.negated,
    }


def _possible(rules: Rules, found: Sequence[Possibility]) -> list[dict[str, Any]]:
    return [
        {"if": text, "args": {"any": ways}} | _results(possibility.settled, NOTHING)
        for possibility, (text, ways) in zip(found, described(found), strict=True)
    ]
