"""The quick way in for records as programs write them, by the hundred thousand.

It accepts nothing that `schema.judge` would refuse, and makes the same record of it; whatever is in the least unusual it leaves
to the judge by answering None. So there are no errors here, and no leniency. Here for JSON, and what both forms share;
`records.formats.fast_text` for text.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, Final

from msgspec import Raw
from msgspec.structs import astuple

from records.cards import CODES
from records.formats.limits import Limits
from records.formats.schema import LENGTHS, traits
from records.formats.shapes import (
    ACTIONS,
    DECODER,
    NotJson,
    WrittenClaims,
    WrittenDeal,
    WrittenEvent,
    WrittenMatch,
    WrittenPlayer,
    WrittenRecord,
    WrittenRound,
    WrittenSums,
)
from records.games import GAMES
from records.native import INTERPRETED, count_of
from records.packed import ENDED
from records.packing import pack_actions, pack_cards, pack_list, pack_lists
from records.record import FORMAT, Claims, Deal, Event, Facts, Match, Number, OptionValue, Record, Round, option_word

NO_EVENT: Final = Event()
NO_FACTS: Final = Facts()
NO_OPTIONS: Final[Mapping[str, OptionValue]] = {}
NO_NOTES: Final[Mapping[int, str]] = {}
_COLON: Final = 0x3A
_OPEN_LIST: Final = 0x5B
_CLOSE_LIST: Final = 0x5D
_OPEN: Final = 0x7B
_CLOSE: Final = 0x7D
_NO_FACTS: Final = (None, None, None, None)


class Odd(Exception):
    """Something unusual: the judge shall look at it."""


class Table:
    """What the record as a whole says of each round's lists."""

    def __init__(self, variant: str, seats: int, sides: tuple[tuple[int, ...], ...] | None, shared: bool) -> None:
        kind = kind_of(variant)
        if seats not in kind.seats:
            raise Odd
        if sides is not None and tuple(sorted(sides)) not in kind.partitions.get(seats, ()):
            raise Odd
        self.kind = kind
        self.seats = seats
        self.sides = seats if sides is None else len(sides)
        self.piles = self.sides if shared else seats
        """How many piles a round has."""
        self.claimed: dict[bytes, tuple[tuple[str, ...], ...]] = {}
        """Yaku as they were claimed in texts that were met before."""


@lru_cache(maxsize=256)
def table_of(variant: str, seats: int, sides: tuple[tuple[int, ...], ...] | None, shared: bool) -> Table:
    """One object for equal tables. Raises Odd, or KeyError for no game's name."""
    return Table(variant, seats, sides, shared)


class Kind:
    """What the games say that a reader must know."""

    def __init__(self, number: int) -> None:
        game = GAMES[number]
        self.merge, facts = traits(game.id)
        self.facts = facts
        self.seats = frozenset(game.seats)
        self.yaku = frozenset(rule.id for rule in game.yaku)
        self.great = frozenset(game.great)
        self.codes = frozenset(CODES) - {"12Y" if self.merge else ""}
        self.options = {option.id: option.values for option in game.options}
        self.written: dict[tuple[str, str], OptionValue] = {
            (option.id, option_word(value)): value for option in game.options for value in option.values
        }
        """The option's value by its id and its word in a text."""
        self.partitions = {
            seats: frozenset(tuple(sorted(tuple(seat + 1 for seat in side) for side in each)) for each in allowed)
            for seats, allowed in game.partitions.items()
        }


@cache
def _kinds() -> dict[str, Kind]:
    return {game.id: Kind(number) for number, game in enumerate(GAMES)}


def kind_of(variant: str) -> Kind:
    """What a reader must know of a game. Raises KeyError."""
    return _kinds()[variant]


def is_balanced(line: bytes) -> bool:
    """Whether as many brackets open as close: then a line is an object, unless a string is there to mislead."""
    return count_of(line, _OPEN) == count_of(line, _CLOSE) and count_of(line, _OPEN_LIST) == count_of(line, _CLOSE_LIST)


def read_fast_json(data: bytes, limits: Limits) -> Record | None:
    """The record of JSON bytes, or None where the judge must look."""
    if len(data) > limits.record:
        return None
    try:
        record, keys = _record(DECODER.decode(data), limits)
    except (NotJson, KeyError, ValueError, RecursionError, Odd):  # the decoder goes as deep as what it passes over
        return None
    return None if _repeats(data, keys) else record


def _repeats(data: bytes, keys: int) -> bool:
    """Whether a key may stand twice in some object: the decoder takes the last one and says nothing. `keys`: how many were read."""
    if count_of(data, _COLON) == keys:
        return False
    # There are colons in strings. Those of keys follow a quotation mark, unless a blank stands between.
    return data.count(b'":') != keys or b" :" in data or b"\n" in data or b"\r" in data or b"\t" in data


def _record(written: WrittenRecord, limits: Limits) -> tuple[Record, int]:
    """The record, and how many keys all objects have that were read."""
    parts = astuple(written)
    format: str = parts[0]
    variant: str = parts[1]
    players: list[WrittenPlayer] = parts[2]
    rounds: list[WrittenRound] = parts[3]
    options: dict[str, OptionValue] | None = parts[4]
    event: WrittenEvent | None = parts[5]
    teams: list[list[int]] | None = parts[6]
    match: WrittenMatch | None = parts[7]
    sums: WrittenSums | None = parts[8]
    keys = _given(parts) + len(players)
    if format != FORMAT or not 0 < len(rounds) <= limits.rounds:
        raise Odd
    sides = tuple([tuple(side) for side in teams]) if teams is not None else None
    table = table_of(variant, len(players), sides, sides is not None and options is not None and options.get("team_pile") == "shared")
    if options is not None:
        keys += len(options)
    when = NO_EVENT
    if event is not None:
        said: tuple[str | None, ...] = astuple(event)
        keys += _given(said)
        when = event_of(said, limits)
    if match is not None:
        keys += _given(astuple(match))
    totals: tuple[Number, ...] | None = None
    winner: int | None = None
    if sums is not None:
        summed = astuple(sums)
        keys += _given(summed)
        totals = numbers_of(summed[0], table.sides, limits)
        winner = whole(summed[1], 0, table.sides)
    read: list[Round] = []
    for each in rounds:
        round_, more = _round(each, table, limits)
        read.append(round_)
        keys += more
    record = Record(
        variant,
        names_of([player.name for player in players], limits),
        tuple(read),
        _options(options, table.kind) if options else NO_OPTIONS,
        sides,
        match_of(match, limits) if match is not None else None,
        when,
        totals,
        winner,
        {},
    )
    return record, keys


def _given(parts: tuple[Any, ...]) -> int:
    """How many of them are there."""
    if INTERPRETED:
        return len(parts) - parts.count(None)
    count = 0
    for part in parts:
        if part is not None:
            count += 1
    return count


def names_of(names: list[str], limits: Limits) -> tuple[str, ...]:
    most = limits.name
    for name in names:
        if not name.isprintable() or not name.strip() or len(name) > most:
            raise Odd
    return tuple(names)


def _options(written: dict[str, str | bool | int | float], kind: Kind) -> dict[str, OptionValue]:
    found: dict[str, OptionValue] = {}
    for key, value in written.items():
        for allowed in kind.options[key]:
            if type(allowed) is type(value) and allowed == value:
                found[key] = allowed
                break
        else:
            raise Odd
    return found


def event_of(parts: tuple[str | None, ...], limits: Limits) -> Event:
    """An event of its fields."""
    most = limits.name
    for part in parts:
        if part is not None and (not part.isprintable() or len(part) > most):
            raise Odd
    return Event(*parts)


def match_of(match: WrittenMatch, limits: Limits) -> Match:
    key = LENGTHS[match.type]
    length, other = (match.rounds, match.points) if key == "rounds" else (match.points, match.rounds)
    if length is None or other is not None or not 1 <= length <= limits.number:
        raise Odd
    return Match(match.type, length, whole(match.start, -limits.number, limits.number))


def _round(written: WrittenRound, table: Table, limits: Limits) -> tuple[Round, int]:
    """A round, and how many keys its objects have."""
    parts = astuple(written)
    dealer: int = parts[0]
    deal: WrittenDeal | None = parts[1]
    actions: Raw = parts[2]
    piles: list[str] | None = parts[3]
    claims: WrittenClaims | None = parts[8]
    adjust: list[int | float] | None = parts[9]
    kind = table.kind
    seats = table.seats
    if not 1 <= dealer <= seats or parts[10]:
        raise Odd
    if piles is not None and len(piles) != table.piles:
        raise Odd
    keys = _given(parts)
    play = b""
    raw = bytes(actions)
    if raw:
        play = _play(raw, kind.merge, seats)
        if are_too_many(play, limits):
            raise Odd
    else:
        keys -= 1
    dealt = None
    if deal is not None:
        lists = astuple(deal)
        keys += _given(lists)
        dealt = _deal(lists, kind.merge, seats)
    claimed = None
    if claims is not None:
        said = astuple(claims)
        keys += _given(said)
        claimed = _claims(said, table, limits)
    facts = NO_FACTS
    if parts[4:8] != _NO_FACTS:
        facts = facts_of(written.lightning, written.first_great, written.stopped, written.calls, table, limits)
    round_ = Round(
        dealer,
        dealt,
        play,
        None if piles is None else tuple([pack_cards(pile.encode(), kind.merge) for pile in piles]),
        claimed,
        facts,
        None if adjust is None else numbers_of(adjust, table.sides, limits),
        NO_NOTES,
    )
    return round_, keys


def _play(raw: bytes, merge: bool, seats: int) -> bytes:
    """The actions of a list as JSON has it. Most lists are nothing but strings of plain characters with a comma between two."""
    try:
        return pack_list(raw, merge, seats)
    except ValueError:  # blanks between two, or what JSON writes in another way
        return pack_actions(ACTIONS.decode(raw) or [], merge, seats)


def are_too_many(play: bytes, limits: Limits) -> bool:
    """Whether a play has more actions than are allowed."""
    return len(play) > limits.actions and play.count(ENDED) > limits.actions


def _deal(parts: tuple[Any, ...], merge: bool, seats: int) -> Deal | None:
    field: str | None = parts[0]
    hands: list[str | None] | None = parts[1]
    draw_pile: str | None = parts[2]
    if field is None and hands is None and draw_pile is None:
        return None
    if hands is not None and len(hands) != seats:
        raise Odd
    if INTERPRETED:
        lists = pack_lists([None if text is None else text.encode() for text in (field, draw_pile, *(hands or ()))], merge)
        return Deal(lists[0], None if hands is None else tuple(lists[2:]), lists[1])
    return Deal(
        None if field is None else pack_cards(field.encode(), merge),
        None if hands is None else tuple([None if hand is None else pack_cards(hand.encode(), merge) for hand in hands]),
        None if draw_pile is None else pack_cards(draw_pile.encode(), merge),
    )


def _claims(parts: tuple[Any, ...], table: Table, limits: Limits) -> Claims | None:
    points: list[int | float] | None = parts[0]
    yaku: list[list[str]] | None = parts[1]
    scores: list[int | float] | None = parts[2]
    if points is None and yaku is None and scores is None:
        return None
    return Claims(
        numbers_of(points, table.sides, limits), None if yaku is None else yaku_of(yaku, table), numbers_of(scores, table.sides, limits)
    )


def yaku_of(written: list[list[str]], table: Table) -> tuple[tuple[str, ...], ...]:
    if len(written) != table.sides:
        raise Odd
    known = table.kind.yaku
    for side in written:
        for yaku in side:
            if yaku not in known:
                raise Odd
    return tuple([tuple(side) for side in written])


def facts_of(lightning: str | None, great: str | None, stopped: int | None, calls: list[int] | None, table: Table, limits: Limits) -> Facts:
    if lightning is None and great is None and stopped is None and calls is None:
        return NO_FACTS
    facts = table.kind.facts
    for key, value in (("lightning", lightning), ("first_great", great), ("stopped", stopped), ("calls", calls)):
        if value is not None and key not in facts:
            raise Odd
    if lightning is not None and lightning != "plain" and lightning not in table.kind.codes:
        raise Odd
    if great is not None and great not in table.kind.great:
        raise Odd
    if calls is not None and (len(calls) != table.seats or not all(0 <= each <= limits.number for each in calls)):
        raise Odd
    return Facts(lightning, great, whole(stopped, 0, table.seats), None if calls is None else tuple(calls))


def whole(value: int | None, least: int, most: int) -> int | None:
    if value is not None and not least <= value <= most:
        raise Odd
    return value


def numbers_of(numbers: list[int | float] | None, length: int, limits: Limits) -> tuple[Number, ...] | None:
    if numbers is None:
        return None
    most = limits.number
    if len(numbers) != length:
        raise Odd
    for number in numbers:
        if isinstance(number, int):
            if not -most <= number <= most:
                raise Odd
        elif not -most <= number <= most or (number * 2) % 2 != 1:  # a whole number with a point is made whole by the judge
            raise Odd
    return tuple(numbers)
