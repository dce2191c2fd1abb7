"""A record's RFC 8785 form, written straight down: its identity is the hash of these bytes.

A record's keys are ASCII and its numbers are whole or halves below 2^53: compact JSON with sorted keys is all there is to it. What is None
is left out. Compiled, for every record comes by. A test holds it against `records.formats.written` and a writer of RFC 8785 that is not
ours.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from librt.strings import BytesWriter
from msgspec.json import Encoder

from records.cards import UNKNOWN
from records.notation import unpack, unpack_cards
from records.packed import BARE, END, ENDED, NONE
from records.record import FORMAT, Claims, Deal, Event, Match, Number, Record, Round

_ENCODER: Final = Encoder(order="sorted")
_NO_EVENT: Final = Event()
_CARDS: Final = [unpack_cards(bytes((card,))).encode() for card in range(UNKNOWN)]
_FIRST: Final = [b'"' + code for code in _CARDS]
"""By card: as an action begins with it, and so on."""
_SECOND: Final = [b" " + code for code in _CARDS]
_TAKEN: Final = [b"x" + code for code in _CARDS]
_MORE: Final = [b"+" + code for code in _CARDS]
_NONE: Final = b'"-'
_COMMA: Final = ord(",")
_QUOTE: Final = ord('"')


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
    if round_.play:
        text += f'"actions":[{_actions(round_.play)}],'
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


def _actions(play: bytes) -> str:
    """Straight from the bytes as long as they are cards; anything else is `unpack`'s. Nothing is looked up by action: there are too many
    different ones to stay in the processor's cache."""
    text = BytesWriter()
    at = 0
    end = len(play)
    while at < end:
        if at:
            text.append(_COMMA)
        first = at
        begun = len(text)
        while True:
            head = play[at]
            if head < NONE and play[at + 1] != BARE:
                text.write(_FIRST[head] if at == first else _SECOND[head])
                count = play[at + 1]
                at += 2
                for place in range(at, at + count):
                    text.write(_TAKEN[play[place]] if place == at else _MORE[play[place]])
                at += count
            elif head == NONE and at == first:
                text.write(_NONE)
                at += 1
            else:
                break
        if play[at] == END and at > first:
            text.append(_QUOTE)
        else:
            at = play.index(ENDED, at)
            text.truncate(begun)
            text.write(_ENCODER.encode(unpack(play[first:at])))
        at += 1
    return text.getvalue().decode()


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
