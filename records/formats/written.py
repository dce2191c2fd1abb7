"""A record as plain values, ready for JSON (record-format.md, 1)."""

from typing import Any

from records.notation import unpack, unpack_cards
from records.record import FORMAT, Claims, Deal, Event, Match, Number, Record, Round


def to_json(record: Record) -> dict[str, Any]:
    """The record in its written form; what it does not say is absent. `x_` keys stand where they stood."""
    written: dict[str, Any] = {"format": FORMAT, "variant": record.variant}
    if record.options:
        written["options"] = dict(record.options)
    if event := event_json(record.event):
        written["event"] = event
    written["players"] = [{"name": name} for name in record.players]
    if record.sides is not None:
        written["sides"] = [list(side) for side in record.sides]
    if record.match is not None:
        written["match"] = match_json(record.match)
    written["rounds"] = [round_json(each) for each in record.rounds]
    claims: dict[str, Any] = {}
    if record.totals is not None:
        claims["totals"] = numbers_json(record.totals)
    if record.winner is not None:
        claims["winner"] = record.winner
    if claims:
        written["claims"] = claims
    for place, keys in record.extra.items():
        target = _at(written, place)
        if target is not None:
            target.update(keys)
    return written


def event_json(event: Event) -> dict[str, str]:
    """`event`: the parts that are there."""
    parts = (
        ("name", event.name),
        ("site", event.site),
        ("date", event.date),
        ("table", event.table),
        ("recorder", event.recorder),
    )
    return {key: part for key, part in parts if part is not None}


def match_json(match: Match) -> dict[str, str | int]:
    """`match`."""
    written: dict[str, str | int] = {"type": match.type, "points" if match.type == "target" else "rounds": match.length}
    if match.start is not None:
        written["start"] = match.start
    return written


def round_json(round_: Round) -> dict[str, Any]:
    """One of `rounds`."""
    written: dict[str, Any] = {"dealer": round_.dealer}
    if round_.deal is not None and (deal := deal_json(round_.deal)):
        written["deal"] = deal
    if round_.play:
        written["actions"] = [unpack(action) for action in round_.actions]
    if round_.piles is not None:
        written["piles"] = [unpack_cards(pile) for pile in round_.piles]
    facts = round_.facts
    if facts.lightning is not None:
        written["lightning"] = facts.lightning
    if facts.first_great is not None:
        written["first_great"] = facts.first_great
    if facts.stopped is not None:
        written["stopped"] = facts.stopped
    if facts.calls is not None:
        written["calls"] = list(facts.calls)
    if round_.claims is not None and (claims := claims_json(round_.claims)):
        written["claims"] = claims
    if round_.adjust is not None:
        written["adjust"] = numbers_json(round_.adjust)
    if round_.notes:
        written["notes"] = {str(number): note for number, note in sorted(round_.notes.items())}
    return written


def deal_json(deal: Deal) -> dict[str, Any]:
    """A round's `deal`."""
    written: dict[str, Any] = {}
    if deal.field is not None:
        written["field"] = unpack_cards(deal.field)
    if deal.hands is not None:
        written["hands"] = [None if hand is None else unpack_cards(hand) for hand in deal.hands]
    if deal.draw_pile is not None:
        written["draw_pile"] = unpack_cards(deal.draw_pile)
    return written


def claims_json(claims: Claims) -> dict[str, Any]:
    """A round's `claims`."""
    written: dict[str, Any] = {}
    if claims.points is not None:
        written["points"] = numbers_json(claims.points)
    if claims.yaku is not None:
        written["yaku"] = [list(side) for side in claims.yaku]
    if claims.scores is not None:
        written["scores"] = numbers_json(claims.scores)
    return written


def numbers_json(numbers: tuple[Number, ...]) -> list[Number]:
    """Whole numbers without a point, halves with one."""
    return [int(number) if number == int(number) else number for number in numbers]


def _at(written: dict[str, Any], place: str) -> dict[str, Any] | None:
    """The object of a JSON pointer, made where an empty one was left out; None where there is none."""
    value: Any = written
    for part in place.split("/")[1:]:
        part = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list):
            value = value[int(part)] if part.isdigit() and int(part) < len(value) else None
        elif isinstance(value, dict):
            value = value.setdefault(part, {})
        else:
            return None
    return value if isinstance(value, dict) else None
