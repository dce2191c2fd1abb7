"""A record's RFC 8785 form, written straight down: its identity is the hash of these bytes.

A record's keys are ASCII and its numbers are whole or halves below 2^53: compact JSON with sorted keys is all there is to it. What is None
is left out. Compiled, for every record comes by. A test holds it against `records.formats.written` and a writer of RFC 8785 that is not
ours.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from librt.strings import BytesWriter
from msgspec.json import Encoder

from records.notation import unpack, write_action, write_cards
from records.packed import THROWN_IN, actions_of
from records.record import FORMAT, Claims, Deal, Event, Match, Number, Record, Round

_ENCODER: Final = Encoder(order="sorted")
_FORMAT: Final = f'"format":"{FORMAT}",'.encode()
_NO_EVENT: Final = Event()
_THROWN_IN: Final = bytes((THROWN_IN,))
_SMALL: Final[list[bytes]] = [str(number).encode() for number in range(1000)]
_COMMA: Final = 0x2C
_HYPHEN: Final = 0x2D
_BRACE: Final = 0x7D


def encoded(record: Record) -> bytes:
    """A record that is normalised, in UTF-8; `x_` keys are no part of it."""
    to = BytesWriter()
    to.write(b"{")
    totals, winner = record.totals, record.winner
    if totals is not None or winner is not None:
        to.write(b'"claims":{')
        if totals is not None:
            to.write(b'"totals":')
            _numbers(totals, to)
        if winner is not None:
            to.write(b'"winner":' if totals is None else b',"winner":')
            _number(winner, to)
        to.write(b"},")
    if record.event != _NO_EVENT:
        to.write(b'"event":{')
        _event(record.event, to)
        to.write(b"},")
    to.write(_FORMAT)
    if record.match is not None:
        to.write(b'"match":')
        _match(record.match, to)
        to.append(_COMMA)
    if record.options:
        to.write(b'"options":')
        to.write(_ENCODER.encode(record.options))
        to.append(_COMMA)
    start = b'"players":[{"name":'
    for name in record.players:
        to.write(start)
        to.write(_ENCODER.encode(name))
        start = b'},{"name":'
    start = b'}],"rounds":['
    for round_ in record.rounds:
        to.write(start)
        _round(round_, to)
        start = b","
    to.write(b"],")
    if record.sides is not None:
        to.write(b'"sides":')
        to.write(_ENCODER.encode(record.sides))
        to.append(_COMMA)
    to.write(b'"variant":')
    to.write(_ENCODER.encode(record.variant))
    to.append(_BRACE)
    return to.getvalue()


def _event(event: Event, to: BytesWriter) -> None:
    members = (
        (b'"date":', event.date),
        (b'"name":', event.name),
        (b'"recorder":', event.recorder),
        (b'"site":', event.site),
        (b'"table":', event.table),
    )
    there = [key + _ENCODER.encode(value) for key, value in members if value is not None]
    to.write(b",".join(there))


def _match(match: Match, to: BytesWriter) -> None:
    members: dict[str, object] = {"type": match.type, "points" if match.type == "target" else "rounds": match.length}
    if match.start is not None:
        members["start"] = match.start
    to.write(_ENCODER.encode(members))


def _round(round_: Round, to: BytesWriter) -> None:
    """Of the members only the dealer is always there: each before it brings its own comma behind it, each after it one before it."""
    to.write(b"{")
    if round_.play:
        to.write(b'"actions":[')
        _play(round_.play, to)
        to.write(b"],")
    if round_.adjust is not None:
        to.write(b'"adjust":')
        _numbers(round_.adjust, to)
        to.append(_COMMA)
    facts = round_.facts
    if facts.calls is not None:
        to.write(b'"calls":')
        _numbers(facts.calls, to)
        to.append(_COMMA)
    if round_.claims is not None:
        _claims(round_.claims, to)
    if round_.deal is not None:
        _deal(round_.deal, to)
    to.write(b'"dealer":')
    _number(round_.dealer, to)
    if facts.first_great is not None:
        to.write(b',"first_great":' + _ENCODER.encode(facts.first_great))
    if facts.lightning is not None:
        to.write(b',"lightning":' + _ENCODER.encode(facts.lightning))
    if round_.notes:
        to.write(b',"notes":')
        _notes(round_.notes, to)
    if round_.piles is not None:
        to.write(b',"piles":[')
        _lists(round_.piles, to)
        to.write(b"]")
    if facts.stopped is not None:
        to.write(b',"stopped":')
        _number(facts.stopped, to)
    to.append(_BRACE)


def _play(play: bytes, to: BytesWriter) -> None:
    if play.find(_THROWN_IN) >= 0:  # its reason may hold what JSON writes in another way
        to.write(b",".join([_ENCODER.encode(unpack(action)) for action in actions_of(play)]))
        return
    start = b'"'
    at = 0
    end = len(play)
    while at < end:
        to.write(start)
        at = write_action(play, at, to) + 1
        start = b'","'
    to.write(b'"')


def _claims(claims: Claims, to: BytesWriter) -> None:
    if claims.points is not None:
        to.write(b'"claims":{"points":')
        _numbers(claims.points, to)
    if claims.scores is not None:
        to.write(b'"claims":{"scores":' if claims.points is None else b',"scores":')
        _numbers(claims.scores, to)
    if claims.yaku is not None:
        to.write(b'"claims":{"yaku":' if claims.points is None and claims.scores is None else b',"yaku":')
        to.write(_ENCODER.encode(claims.yaku))
    if claims.points is not None or claims.scores is not None or claims.yaku is not None:
        to.write(b"},")


def _deal(deal: Deal, to: BytesWriter) -> None:
    start = b'"deal":{'
    if deal.draw_pile is not None:
        to.write(start)
        to.write(b'"draw_pile":')
        _cards(deal.draw_pile, to)
        start = b","
    if deal.field is not None:
        to.write(start)
        to.write(b'"field":')
        _cards(deal.field, to)
        start = b","
    if deal.hands is not None:
        to.write(start)
        to.write(b'"hands":[')
        _lists(deal.hands, to)
        to.write(b"]")
        start = b","
    if start == b",":
        to.write(b"},")


def _lists(lists: Sequence[bytes | None], to: BytesWriter) -> None:
    start = b""
    for cards in lists:
        to.write(start)
        if cards is None:
            to.write(b"null")
        else:
            _cards(cards, to)
        start = b","


def _cards(cards: bytes, to: BytesWriter) -> None:
    to.write(b'"')
    write_cards(cards, to)
    to.write(b'"')


def _numbers(numbers: Sequence[Number], to: BytesWriter) -> None:
    to.write(b"[")
    start = b""
    for number in numbers:
        to.write(start)
        _number(number, to)
        start = b","
    to.write(b"]")


def _number(number: Number, to: BytesWriter) -> None:
    """Whole numbers without a point, halves with one."""
    if isinstance(number, int):
        if number < 0:
            to.append(_HYPHEN)
            number = -number
        to.write(_SMALL[number] if number < len(_SMALL) else str(number).encode())
    else:
        to.write((str(int(number)) if number == int(number) else str(number)).encode())


def _notes(notes: Mapping[int, str], to: BytesWriter) -> None:
    to.write(_ENCODER.encode({str(number): note for number, note in notes.items()}))
