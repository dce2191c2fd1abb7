"""A record's RFC 8785 form, written straight down: its identity is the hash of these bytes.

A record's keys are ASCII and its numbers are whole or halves below 2^53: compact JSON with sorted keys is all there is to it. What is None
is left out. Compiled, for every record comes by. A test holds it against `records.formats.written` and a writer of RFC 8785 that is not
ours.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from librt.strings import BytesWriter
from msgspec.json import Encoder
from msgspec.structs import astuple
from mypy_extensions import i64

from records.native import INTERPRETED
from records.notation import unpack, write_action, write_cards
from records.packed import THROWN_IN, actions_of
from records.packing import MOST_MET
from records.record import FORMAT, Claims, Deal, Event, Match, Number, OptionValue, Record, Round

_ENCODER: Final = Encoder(order="sorted")
_FORMAT: Final = f'"format":"{FORMAT}",'.encode()
_EVENT: Final[list[tuple[bytes, int]]] = [
    (f'"{name}":'.encode(), Event.__struct_fields__.index(name)) for name in sorted(Event.__struct_fields__)
]
"""The members of an event, and where each stands among its fields."""
_THROWN_IN: Final = bytes((THROWN_IN,))
_SMALL: Final[list[bytes]] = [str(number).encode() for number in range(1000)]
_COMMA: Final = 0x2C
_HYPHEN: Final = 0x2D
_BRACE: Final = 0x7D


def encoded(record: Record) -> bytes:
    """A record that is normalised, in UTF-8; `x_` keys are no part of it."""
    to = BytesWriter()
    to.write(b"{")
    parts: tuple[Any, ...] = astuple(record)  # of an object that is not compiled, one by one they take several times as long
    variant: str = parts[0]
    players: tuple[str, ...] = parts[1]
    rounds: tuple[Round, ...] = parts[2]
    options: Mapping[str, OptionValue] = parts[3]
    sides: tuple[tuple[int, ...], ...] | None = parts[4]
    match: Match | None = parts[5]
    event: Event = parts[6]
    totals: tuple[Number, ...] | None = parts[7]
    winner: int | None = parts[8]
    if totals is not None or winner is not None:
        to.write(b'"claims":{')
        if totals is not None:
            to.write(b'"totals":')
            _numbers(totals, to)
        if winner is not None:
            to.write(b'"winner":' if totals is None else b',"winner":')
            _number(winner, to)
        to.write(b"},")
    _event(event, to)
    to.write(_FORMAT)
    if match is not None:
        to.write(b'"match":')
        _match(match, to)
        to.append(_COMMA)
    if options:
        to.write(b'"options":')
        to.write(_ENCODER.encode(options))
        to.append(_COMMA)
    start = b'"players":[{"name":'
    for name in players:
        to.write(start)
        to.write(_ENCODER.encode(name))
        start = b'},{"name":'
    start = b'}],"rounds":['
    for round_ in rounds:
        to.write(start)
        _round(round_, to)
        start = b","
    to.write(b"],")
    if sides is not None:
        to.write(b'"sides":')
        to.write(_ENCODER.encode(sides))
        to.append(_COMMA)
    to.write(b'"variant":')
    to.write(_ENCODER.encode(variant))
    to.append(_BRACE)
    return to.getvalue()


def _member(start: bytes, key: bytes, to: BytesWriter) -> bytes:
    """The key of a member, behind what stands before it; what stands before the next one."""
    to.write(start)
    to.write(key)
    return b","


def _event(event: Event, to: BytesWriter) -> None:
    parts: tuple[Any, ...] = astuple(event)
    start = b'"event":{'
    for key, place in _EVENT:
        value: str | None = parts[place]
        if value is not None:
            start = _member(start, key, to)
            to.write(_ENCODER.encode(value))
    if start == b",":
        to.write(b"},")


def _match(match: Match, to: BytesWriter) -> None:
    members: dict[str, object] = {"type": match.type, "points" if match.type == "target" else "rounds": match.length}
    if match.start is not None:
        members["start"] = match.start
    to.write(_ENCODER.encode(members))


def _round(round_: Round, to: BytesWriter) -> None:
    """Of the members only the dealer is always there: each before it brings its own comma behind it, each after it one before it."""
    parts: tuple[Any, ...] = astuple(round_)
    dealer: int = parts[0]
    deal: Deal | None = parts[1]
    play: bytes = parts[2]
    piles: tuple[bytes, ...] | None = parts[3]
    claims: Claims | None = parts[4]
    facts: tuple[Any, ...] = astuple(parts[5])
    lightning: str | None = facts[0]
    first_great: str | None = facts[1]
    stopped: int | None = facts[2]
    calls: tuple[int, ...] | None = facts[3]
    adjust: tuple[Number, ...] | None = parts[6]
    notes: Mapping[int, str] = parts[7]
    to.write(b"{")
    if play:
        to.write(b'"actions":[')
        _play(play, to)
        to.write(b"],")
    if adjust is not None:
        to.write(b'"adjust":')
        _numbers(adjust, to)
        to.append(_COMMA)
    if calls is not None:
        to.write(b'"calls":')
        _numbers(calls, to)
        to.append(_COMMA)
    if claims is not None:
        _claims(claims, to)
    if deal is not None:
        _deal(deal, to)
    to.write(b'"dealer":')
    _number(dealer, to)
    if first_great is not None:
        to.write(b',"first_great":' + _ENCODER.encode(first_great))
    if lightning is not None:
        to.write(b',"lightning":' + _ENCODER.encode(lightning))
    if notes:
        to.write(b',"notes":')
        _notes(notes, to)
    if piles is not None:
        to.write(b',"piles":[')
        _lists(piles, to)
        to.write(b"]")
    if stopped is not None:
        to.write(b',"stopped":')
        _number(stopped, to)
    to.append(_BRACE)


def _play(play: bytes, to: BytesWriter) -> None:
    if play.find(_THROWN_IN) >= 0:  # its reason may hold what JSON writes in another way
        to.write(b",".join([_ENCODER.encode(unpack(action)) for action in actions_of(play)]))
        return
    if INTERPRETED:
        to.write(b",".join(map(_action, actions_of(play))))
        return
    start = b'"'
    at: i64 = 0
    end = len(play)
    while at < end:
        to.write(start)
        at = write_action(play, at, to) + 1
        start = b'","'
    to.write(b'"')


@lru_cache(maxsize=MOST_MET)
def _action(action: bytes) -> bytes:
    """One of which no part is a reason, as a string: most are met again."""
    return _ENCODER.encode(unpack(action))


def _claims(claims: Claims, to: BytesWriter) -> None:
    parts: tuple[Any, ...] = astuple(claims)
    points: tuple[Number, ...] | None = parts[0]
    yaku: tuple[tuple[str, ...], ...] | None = parts[1]
    scores: tuple[Number, ...] | None = parts[2]
    start = b'"claims":{'
    if points is not None:
        start = _member(start, b'"points":', to)
        _numbers(points, to)
    if scores is not None:
        start = _member(start, b'"scores":', to)
        _numbers(scores, to)
    if yaku is not None:
        start = _member(start, b'"yaku":', to)
        to.write(_ENCODER.encode(yaku))
    if start == b",":
        to.write(b"},")


def _deal(deal: Deal, to: BytesWriter) -> None:
    parts: tuple[Any, ...] = astuple(deal)
    field: bytes | None = parts[0]
    hands: tuple[bytes | None, ...] | None = parts[1]
    draw_pile: bytes | None = parts[2]
    start = b'"deal":{'
    if draw_pile is not None:
        start = _member(start, b'"draw_pile":', to)
        _cards(draw_pile, to)
    if field is not None:
        start = _member(start, b'"field":', to)
        _cards(field, to)
    if hands is not None:
        start = _member(start, b'"hands":[', to)
        _lists(hands, to)
        to.write(b"]")
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
