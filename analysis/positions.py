"""The position after each step of a record, as the replay page and `GET /records/{id}/replay` read it.

A reader of `records.replay`: it takes what happened and where the cards are, and asks the game for yaku and points. Nothing is judged here.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from analysis.audit import effective_options
from analysis.examine import examine
from analysis.rounds import Judged
from records.cards import CODES, UNKNOWN, mask
from records.events import Event
from records.normal import identity
from records.record import Record, Round
from records.replay import Step, replay
from records.rules.game import Rules, YakuRule
from records.rules.settlement import Yaku
from records.table import Table

Json = dict[str, Any]


def positions(record: Record, round: int | None = None) -> Json:
    """All steps of all rounds, or of one (from 1). Raises IndexError for a round that is not there.

    Each round has `steps`. A step says which action it belongs to and which `part` of it it is (``deal``, ``hand``, ``draw``, ``special``,
    ``call``, ``end``), what happened (`events`), and the position after it: `hands`, `field`, `draw_pile` and `piles` as codes, what is not
    known as ``?`` or None; `points`, `yaku` and `possible_yaku` by side; whether it comes after an unlawful act (`conditional`); the codes
    of its `findings`.
    """
    if round is not None and not 1 <= round <= len(record.rounds):
        raise IndexError(f"there is no round {round}")
    examined = examine(record, ledger=False)
    chosen = zip(record.rounds, examined.rounds, strict=True)
    return {
        "record": identity(record),
        "variant": record.variant,
        "players": list(record.players),
        "sides": None if record.sides is None else [list(side) for side in record.sides],
        "options": effective_options(examined.rules),
        "rounds": [_round(examined.rules, round_, judged) for round_, judged in chosen if round in (None, judged.number)],
    }


def _round(rules: Rules, round_: Round, judged: Judged) -> Json:
    steps = list(_steps(rules, round_))
    if judged.level == "piles" and round_.piles is not None:
        steps[-1] |= _recorded_piles(rules, round_.piles)
    _place_findings(steps, judged)
    return {
        "round": judged.number,
        "dealer": round_.dealer,
        "level": judged.level,
        "end": judged.end,
        "verdict": judged.verdict,
        "notes": {str(action): note for action, note in round_.notes.items()},
        "steps": steps,
    }


def _steps(rules: Rules, round_: Round) -> Iterator[Json]:
    """The steps of a round. Where the replay cannot begin, the deal and the end alone."""
    later = _Later(rules, round_)
    turn, last = 0, -1
    for number, step in enumerate(replay(rules, round_)):
        later.pass_by(step.events)
        if step.part in ("hand", "draw") and step.action != last:
            turn, last = turn + 1, step.action
        yield _step(rules, step, number, turn, later)


def _step(rules: Rules, step: Step, number: int, turn: int, later: "_Later") -> Json:
    table = step.table
    return {
        "step": number,
        "action": step.action,
        "turn": turn,
        "part": step.part,
        "seat": step.seat or None,
        "next": None if table.ended or table.halted else table.next_seat + 1,
        "events": [_event(rules, event) for event in step.events],
        "hands": [_hand(rules, table, seat, later) for seat in range(rules.seats)],
        "hand_counts": [int(table.hands[seat]).bit_count() + table.hidden[seat] for seat in range(rules.seats)],
        "field": " ".join(rules.codes_in(table.field)),
        "draw_pile": {"count": len(table.draw_pile), "cards": _draw_pile(rules, table, later)},
        "piles": [" ".join(rules.codes_in(pile)) for pile in table.piles],
        **tally(rules, table),
        "conditional": False,
        "findings": [],
    }


def tally(rules: Rules, table: Table) -> Json:
    """What the piles of a table come to now, by side: `points`, `yaku` and `possible_yaku`."""
    return {
        "points": _points(rules, table),
        "yaku": [[_yaku(rules, made) for made in side] for side in _made(rules, table)],
        "possible_yaku": _still_possible(rules, table),
    }


def _event(rules: Rules, event: Event) -> Json:
    cards = [_code(rules, card) for card in event.cards]
    return {"kind": event.kind, "seat": event.seat, "cards": cards, "rule": event.rule, "args": event.args}


def _code(rules: Rules, card: int) -> str:
    return CODES[rules.codes[card]] if card < len(CODES) else "?"


class _Later:
    """What is still to come of cards that the deal does not name: a card that a seat plays was in its hand, what is turned up lay in the
    draw pile (AU-1)."""

    def __init__(self, rules: Rules, round_: Round) -> None:
        self.played: list[list[int]] = [[] for _ in range(rules.seats)]
        """By seat, cards to be played, first to last."""
        self.turned_up: list[int] = []
        for step in replay(rules, round_):
            for event in step.events:
                if event.kind == "played":
                    self.played[event.seat - 1].append(event.cards[0])
                elif event.kind == "turned_up":
                    self.turned_up.append(event.cards[0])

    def pass_by(self, events: Sequence[Event]) -> None:
        """These have happened."""
        for event in events:
            if event.kind == "played":
                del self.played[event.seat - 1][0]
            elif event.kind == "turned_up":
                del self.turned_up[0]


def _hand(rules: Rules, table: Table, seat: int, later: _Later) -> str | None:
    """The cards of a hand, None where none of them is known."""
    if table.unrecorded == 0:
        return None
    hand = cards = int(table.hands[seat])
    for card in later.played[seat] if table.hidden[seat] else ():
        cards |= 1 << card
    unknown = hand.bit_count() + table.hidden[seat] - cards.bit_count()
    if not cards and unknown:
        return None
    return " ".join([*rules.codes_in(cards), *["?"] * unknown])


def _draw_pile(rules: Rules, table: Table, later: _Later) -> str | None:
    """The draw pile, the next card first, None where none of it is known."""
    if table.unrecorded == 0:
        return None
    cards = table.draw_pile[::-1]
    for place, card in enumerate(later.turned_up[: len(cards)]):
        if cards[place] == UNKNOWN:
            cards[place] = card
    if cards and all(card == UNKNOWN for card in cards):
        return None
    return " ".join(_code(rules, card) for card in cards)


def _points(rules: Rules, table: Table) -> list[int | float] | None:
    """Card points by side if the round ended now, None where the game counts none or its cards are not known."""
    if table.unrecorded == 0:
        return None
    ending = table.ending()
    ending.end = "played"
    return rules.game.settle(rules, ending, False).points


def _made(rules: Rules, table: Table) -> list[list[Yaku]]:
    """The yaku that lie in the piles now, by side."""
    return [[made for seat in _owners(rules, side) for made in _of(rules, table, seat, table.pile_of(seat))] for side in rules.sides]


def _owners(rules: Rules, side: tuple[int, ...]) -> tuple[int, ...]:
    """The seats of a side whose piles make yaku by themselves (HG-2)."""
    return side[:1] if rules.shared_piles else side


def _of(rules: Rules, table: Table, seat: int, pile: int) -> list[Yaku]:
    """What a pile makes, if it is this seat's."""
    made = rules.game.yaku_of(rules, pile, (seat - table.dealer) % rules.seats, table.calls[seat])
    for yaku in made:
        yaku.seat = seat
    return made


def _yaku(rules: Rules, yaku: Yaku) -> Json:
    return {"id": yaku.id, "points": yaku.points, "seat": yaku.seat + 1, "cards": " ".join(rules.codes_in(yaku.cards))}


def _still_possible(rules: Rules, table: Table) -> list[list[Json]]:
    """By side: yaku of which a pile has a card and which nobody has made impossible, with the cards it has and those it can still get."""
    taken = 0
    for pile in table.piles:
        taken |= pile
    found: list[list[Json]] = []
    for side in rules.sides:
        found.append([])
        for seat in _owners(rules, side):
            pile = table.pile_of(seat)
            made = {yaku.id for yaku in _of(rules, table, seat, pile)}
            for rule in rules.game.yaku:
                if rule.id not in made and (possible := _possible(rules, table, seat, pile, rules.deck & ~taken, rule)):
                    found[-1].append(possible)
    return found


def _possible(rules: Rules, table: Table, seat: int, pile: int, free: int, rule: YakuRule) -> Json | None:
    cards = mask(rule.cards)
    have, need = pile & cards, free & cards
    if not have or not need:
        return None
    enough = (have | need).bit_count() >= rule.need
    if not enough and rule.id not in {yaku.id for yaku in _of(rules, table, seat, pile | need)}:
        return None
    return {
        "id": rule.id,
        "seat": seat + 1,
        "have": " ".join(rules.codes_in(have)),
        "need": " ".join(rules.codes_in(need)),
    }


def _recorded_piles(rules: Rules, piles: Sequence[bytes]) -> Json:
    """The piles as the record states them, where play does not tell. Where partners' piles are one it lies with the side's first seat."""
    codes = [" ".join(_code(rules, card) for card in sorted(pile)) for pile in piles]
    if len(piles) == rules.seats:
        return {"piles": codes}
    return {"piles": [codes[side] if rules.sides[side][0] == seat else "" for seat, side in enumerate(rules.side_of)]}


def _place_findings(steps: list[Json], judged: Judged) -> None:
    """Each finding goes to its step: where the engine tells of it, else the first of its action; what belongs to no action to the end."""
    for finding in judged.findings:
        if finding.action is None:
            place = len(steps) - 1
        else:
            of_action = [place for place, step in enumerate(steps) if step["action"] == finding.action] or [len(steps) - 1]
            place = next((place for place in of_action if _tells(steps[place], finding.code)), of_action[0])
        steps[place]["findings"].append(finding.code)
    unlawful = False
    for step in steps:
        step["conditional"] = unlawful
        unlawful = unlawful or any(event["kind"] == "fault" for event in step["events"])


def _tells(step: Json, code: str) -> bool:
    return any(event["kind"] == "fault" and event["args"].get("code") == code for event in step["events"])
