"""What rulings come to: the rounds, totals and later dealers of a match as the rules give them, and as an arbiter has ruled.

A ruling never changes the report. It lies over a round: the round counts as the engine scores it under certain options, with scores that
the arbiter gives, not at all, or for nobody. Everything that follows from that (totals, winner, who was to deal the next round, when the
match was over) is worked out by the same `put_together` that makes the report.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from analysis.audit import effective_options
from analysis.examine import put_together
from analysis.rounds import Judged, judge
from records.engine import rules_of
from records.games import game
from records.record import OptionValue, Record
from records.rules.game import Rules
from records.rules.settlement import Number, Settlement, number, winner_of

Json = dict[str, Any]

UPHELD: Final = "upheld"
"""The round stands as the rules give it, under the options that the ruling rests on."""
CORRECTED: Final = "corrected"
"""The record was wrong: another one takes its place, whole."""
ADJUSTED: Final = "adjusted"
"""The round counts with scores that the arbiter gives."""
REPLAYED: Final = "replayed"
"""The round does not count and is dealt again, by the same dealer."""
VOID: Final = "void"
"""The round counts as one of the match, with nothing for anybody."""
NOTE: Final = "note"
"""Nothing changes; the ruling says why."""
OUTCOMES: Final = (UPHELD, CORRECTED, ADJUSTED, REPLAYED, VOID, NOTE)


@dataclass(frozen=True, slots=True)
class Decision:
    """What a ruling says, as far as standings depend on it."""

    outcome: str
    round: int | None = None
    """From 1; None: the record as a whole, which can only be upheld, corrected or noted."""
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    """Beside the record's own."""
    scores: tuple[Number, ...] | None = None
    """By side, where the outcome is ``adjusted``."""
    record: Record | None = None
    """The record that takes the place of this one, where the outcome is ``corrected``."""
    decisions: "tuple[Decision, ...]" = ()
    """The rulings on that record."""


def check(record: Record, decision: Decision) -> dict[str, str]:
    """What is wrong with a decision on this record, by the name of its part; empty where nothing is."""
    faults: dict[str, str] = {}
    if decision.round is not None and not 1 <= decision.round <= len(record.rounds):
        faults["round"] = f"the record has rounds 1 to {len(record.rounds)}"
    if decision.round is None and decision.outcome in (ADJUSTED, REPLAYED, VOID):
        faults["outcome"] = f"{decision.outcome} needs a round; on the record as a whole there is {UPHELD}, {CORRECTED} or {NOTE}"
    known = {option.id: option.values for option in game(record.variant).options}
    for id, value in decision.options.items():
        if id not in known:
            faults["options"] = f"{record.variant} has no option {id!r}; it has {', '.join(known)}"
        elif value not in known[id] or isinstance(value, bool) != isinstance(known[id][0], bool):
            faults["options"] = f"{id} cannot be {value!r}; it can be {', '.join(str(other) for other in known[id])}"
    sides = len(rules_of(record).sides)
    if decision.outcome == ADJUSTED and (decision.scores is None or len(decision.scores) != sides):
        faults["scores"] = f"a score is needed for each of the {sides} sides"
    if decision.outcome != ADJUSTED and decision.scores is not None:
        faults["scores"] = f"scores belong to the outcome {ADJUSTED} only"
    if decision.outcome == CORRECTED and decision.record is None:
        faults["record"] = "the record that takes the place of this one is needed"
    if decision.outcome != CORRECTED and decision.record is not None:
        faults["record"] = f"a record belongs to the outcome {CORRECTED} only"
    if decision.record is not None and (decision.record.variant, len(decision.record.players), decision.record.sides) != (
        record.variant,
        len(record.players),
        record.sides,
    ):
        faults["record"] = "a corrected record is of the same game, with as many seats and the same sides"
    return faults


def standing(record: Record, decisions: Sequence[Decision] = ()) -> Json:
    """The match under some decisions, later ones over earlier: `rounds` (dealer, who was due to deal, scores, winner, next dealer, and
    whether the round counts), `totals` and `winner`. None where something is not known. Seats and sides from 1."""
    for decision in reversed(decisions):
        if decision.record is not None:
            return standing(decision.record, decision.decisions)
    rules = rules_of(record)
    judged = [_ruled(record, rules, place, decisions) for place in range(len(record.rounds))]
    examined = put_together(record, rules, judged)
    rounds: list[Json] = []
    due: int | None = None
    for round_, each in zip(record.rounds, judged, strict=True):
        settled = each.settled
        rounds.append(
            {
                "round": each.number,
                "dealer": round_.dealer,
                "due": due,
                "scores": None if settled is None else [number(score) for score in settled.scores],
                "winner": None if settled is None else settled.winner + 1,
                "next_dealer": each.next_dealer,
                "counts": each.end != "misdeal" and not any(finding.code == "match-over" for finding in each.findings),
            }
        )
        due = each.next_dealer
    return {"rounds": rounds, "totals": examined.totals, "winner": examined.winner}


def effect(record: Record, before: Sequence[Decision], after: Sequence[Decision]) -> Json:
    """What changes from some decisions to others: scores of `rounds`, `dealers` that would have been others, `totals`, `winner`.

    `changes`: whether a total, the winner or a later dealer is another one. A dealer is told with the round it is about; `dealer` is who
    did deal it, None for the round that would come next.
    """
    was, now = standing(record, before), standing(record, after)
    rounds = [
        {"round": place + 1, "before": _result(was, place), "after": _result(now, place)}
        for place in range(max(len(was["rounds"]), len(now["rounds"])))
        if _result(was, place) != _result(now, place)
    ]
    dealers = []
    for place in range(1, max(len(was["rounds"]), len(now["rounds"])) + 1):
        one, other = _due(was, place), _due(now, place)
        if one != other:
            dealt = record.rounds[place].dealer if place < len(record.rounds) else None
            dealers.append({"round": place + 1, "dealer": dealt, "before": one, "after": other})
    told = {
        "rounds": rounds,
        "dealers": dealers,
        "totals": {"before": was["totals"], "after": now["totals"]},
        "winner": {"before": was["winner"], "after": now["winner"]},
    }
    changed = bool(dealers) or was["totals"] != now["totals"] or was["winner"] != now["winner"]
    return told | {"changes": changed}


def claims_right(record: Record, decision: Decision) -> bool | None:
    """Whether every claim of the round (of all rounds) is right and its play lawful under the decision's options; None where nothing is
    claimed or it cannot be decided."""
    rules = rules_of(record, _options(record, decision))
    rounds = [judge(rules, round_, place) for place, round_ in enumerate(record.rounds, start=1) if decision.round in (None, place)]
    verdicts = {each.verdict for each in rounds}
    if verdicts & {"unlawful", "disputed"}:
        return False
    return True if verdicts == {"confirmed"} else None


def _ruled(record: Record, rules: Rules, place: int, decisions: Sequence[Decision]) -> Judged:
    """A round as the last decision that says something of it has it; `place` from 0."""
    round_ = record.rounds[place]
    decision = next(
        (each for each in reversed(decisions) if each.outcome != NOTE and each.round in (None, place + 1)),
        Decision(NOTE),
    )
    options = _options(record, decision) if decision.outcome == UPHELD else None
    judged = judge(rules if options is None else rules_of(record, options), round_, place + 1)
    if decision.outcome == ADJUSTED and decision.scores is not None:
        scores = list(decision.scores)
        points = None if judged.settled is None else judged.settled.points
        seat = rules.game.sheet.next_dealer(rules, round_.dealer - 1, points, scores)
        judged.settled = Settlement(points, None, scores, winner_of(scores), seat)
        judged.next_dealer = seat + 1 if seat >= 0 else judged.next_dealer
        judged.end = "played"
    elif decision.outcome == REPLAYED:
        judged.settled = Settlement(None, None, [0] * len(rules.sides), -1, round_.dealer - 1)
        judged.next_dealer = round_.dealer
        judged.end = "misdeal"
    elif decision.outcome == VOID:
        judged.settled = Settlement(None, None, [0] * len(rules.sides), -1, (judged.next_dealer or 0) - 1)
        judged.end = "played"
    return judged


def _options(record: Record, decision: Decision) -> dict[str, OptionValue]:
    return effective_options(rules_of(record)) | dict(decision.options)


def _result(standing: Json, place: int) -> Json | None:
    """Scores, winner and whether it counts, of the round at this place; None where there is none."""
    if place >= len(standing["rounds"]):
        return None
    return {key: standing["rounds"][place][key] for key in ("scores", "winner", "counts")}


def _due(standing: Json, place: int) -> int | None:
    """Who was to deal the round at this place, also the one after the last."""
    rounds = standing["rounds"]
    if place < len(rounds):
        seat: int | None = rounds[place]["due"]
        return seat
    return rounds[-1]["next_dealer"] if place == len(rounds) else None
