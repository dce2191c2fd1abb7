"""A record's RFC 8785 form, written straight down: its identity is the hash of these bytes.

A record's keys are ASCII and its numbers are whole or halves below 2^53: compact JSON with sorted keys is all there is to it. What is None
is left out. Compiled, for every record comes by. A test holds it against `records.formats.written` and a writer of RFC 8785 that is not
ours.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.json import Encoder

from records.notation import unpack, unpack_cards
from records.record import FORMAT, Claims, Deal, Event, Match, Number, Record, Round

_ENCODER: Final = Encoder(order="sorted")
_NO_EVENT: Final = Event()
_ACTIONS: Final[dict[bytes, str]] = {}
"""Actions met before, in quotation marks: most are met again."""
MOST_ACTIONS: Final = 40_000
"""So many are kept."""
LONGEST: Final = 12
"""Bytes of an action that is worth keeping."""


def encoded(record: Record) -> bytes:
    """A record that is normalised, in UTF-8; `x_` keys are no part of it."""
    parts = ["{"]
    if record.totals is not None or record.winner is not None:
        totals = None if record.totals is None else f'"totals":[{_numbers(record.totals)}]'
        parts.append(f'"claims":{{{_joined(totals, _whole("winner", record.winner))}}},')
    if record.event != _NO_EVENT:
        parts.append(f'"event":{{{_event(record.event)}}},')
    parts.append(f'"format":"{FORMAT}",')
    if record.match is not None:
        parts.append(f'"match":{{{_match(record.match)}}},')
    if record.options:
        parts.append(f'"options":{_json(record.options)},')
    players = ",".join([f'{{"name":{_json(name)}}}' for name in record.players])
    parts.append(f'"players":[{players}],"rounds":[')
    parts.append(",".join([_round(each) for each in record.rounds]))
    sides = "" if record.sides is None else f'"sides":{_json(record.sides)},'
    parts.append(f'],{sides}"variant":{_json(record.variant)}}}')
    return "".join(parts).encode()


def _json(value: object) -> str:
    return _ENCODER.encode(value).decode()


def _joined(*members: str | None) -> str:
    """The members of an object that are there."""
    return ",".join([member for member in members if member is not None])


def _text(key: str, value: str | None) -> str | None:
    return None if value is None else f'"{key}":{_json(value)}'


def _whole(key: str, value: int | None) -> str | None:
    return None if value is None else f'"{key}":{value}'


def _numbers(numbers: Sequence[Number]) -> str:
    return ",".join([str(int(number)) if number == int(number) else str(number) for number in numbers])


def _event(event: Event) -> str:
    return _joined(
        _text("date", event.date),
        _text("name", event.name),
        _text("recorder", event.recorder),
        _text("site", event.site),
        _text("table", event.table),
    )


def _match(match: Match) -> str:
    length = _whole("points" if match.type == "target" else "rounds", match.length)
    return _joined(length, _whole("start", match.start), _text("type", match.type))


def _round(round_: Round) -> str:
    """Of the members only the dealer is always there: each before it brings its own comma behind it, each after it one before it."""
    text = "{"
    actions = round_.actions
    if actions:
        text += f'"actions":[{",".join([_ACTIONS.get(action) or _action(action) for action in actions])}],'
    if round_.adjust is not None:
        text += f'"adjust":[{_numbers(round_.adjust)}],'
    facts = round_.facts
    if facts.calls is not None:
        text += f'"calls":[{_numbers(facts.calls)}],'
    if round_.claims is not None and (claims := _claims(round_.claims)):
        text += f'"claims":{{{claims}}},'
    if round_.deal is not None and (deal := _deal(round_.deal)):
        text += f'"deal":{{{deal}}},'
    text += f'"dealer":{round_.dealer}'
    if facts.first_great is not None:
        text += f',"first_great":{_json(facts.first_great)}'
    if facts.lightning is not None:
        text += f',"lightning":{_json(facts.lightning)}'
    if round_.notes:
        text += f',"notes":{_notes(round_.notes)}'
    if round_.piles is not None:
        text += f',"piles":[{",".join([_cards(pile) for pile in round_.piles])}]'
    if facts.stopped is not None:
        text += f',"stopped":{facts.stopped}'
    return text + "}"


def _action(action: bytes) -> str:
    """An action that was not met before."""
    text = _json(unpack(action))
    if len(action) <= LONGEST:
        if len(_ACTIONS) >= MOST_ACTIONS:
            _ACTIONS.clear()
        _ACTIONS[action] = text
    return text


def _claims(claims: Claims) -> str:
    return _joined(
        None if claims.points is None else f'"points":[{_numbers(claims.points)}]',
        None if claims.scores is None else f'"scores":[{_numbers(claims.scores)}]',
        None if claims.yaku is None else f'"yaku":{_json(claims.yaku)}',
    )


def _deal(deal: Deal) -> str:
    return _joined(
        None if deal.draw_pile is None else f'"draw_pile":{_cards(deal.draw_pile)}',
        None if deal.field is None else f'"field":{_cards(deal.field)}',
        None if deal.hands is None else f'"hands":[{",".join(["null" if hand is None else _cards(hand) for hand in deal.hands])}]',
    )


def _cards(cards: bytes) -> str:
    return f'"{unpack_cards(cards)}"'


def _notes(notes: Mapping[int, str]) -> str:
    return _json({str(number): note for number, note in notes.items()})
