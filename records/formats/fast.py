"""The quick way in for records as programs write them, by the hundred thousand.

It accepts nothing that `schema.judge` would refuse, and makes the same record of it; whatever is in the least unusual it leaves
to the judge by answering None. So there are no errors here, and no leniency.
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import astuple

from records.cards import CODES
from records.formats.limits import Limits
from records.formats.schema import LENGTHS, traits
from records.formats.shapes import DECODER, NotJson, WrittenClaims, WrittenEvent, WrittenMatch, WrittenRecord, WrittenRound
from records.formats.text import EVENT
from records.games import GAMES
from records.notation import pack, pack_cards
from records.record import FORMAT, Claims, Deal, Event, Facts, Match, Number, OptionValue, Record, Round, option_word

NO_EVENT: Final = Event()
NO_FACTS: Final = Facts()
NO_OPTIONS: Final[Mapping[str, OptionValue]] = {}
NO_NOTES: Final[Mapping[int, str]] = {}


class _Odd(Exception):
    """Something unusual: the judge shall look at it."""


class _Table:
    """What the record as a whole says of each round's lists."""

    def __init__(self, variant: str, seats: int, sides: tuple[tuple[int, ...], ...] | None, shared: bool) -> None:
        kind = _kinds().get(variant)
        if kind is None or seats not in kind.seats:
            raise _Odd
        if sides is not None and tuple(sorted(sides)) not in kind.partitions.get(seats, ()):
            raise _Odd
        self.kind = kind
        self.seats = seats
        self.sides = seats if sides is None else len(sides)
        self.piles = _numbered("Pile", self.sides if shared else seats)
        """The tags of a round's piles in a text."""
        self.hands = _numbered("Hand", seats)
        self.tags = frozenset((*_OF_ROUND, *self.hands))
        """The tags that a round without piles can have in a text."""


@lru_cache(maxsize=256)
def _table(variant: str, seats: int, sides: tuple[tuple[int, ...], ...] | None, shared: bool) -> _Table:
    return _Table(variant, seats, sides, shared)


def _numbered(kind: str, count: int) -> list[str]:
    return [f"{kind}{number}" for number in range(1, count + 1)]


class _Kind:
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
def _kinds() -> dict[str, _Kind]:
    return {game.id: _Kind(number) for number, game in enumerate(GAMES)}


def read_fast_json(data: bytes, limits: Limits) -> Record | None:
    """The record of JSON bytes, or None where the judge must look."""
    if len(data) > limits.record:
        return None
    try:
        written = DECODER.decode(data)
        if written.format != FORMAT or _repeats(written, data):
            return None
        return _record(written, limits)
    except (NotJson, KeyError, _Odd, UnicodeDecodeError):
        return None


def _repeats(written: WrittenRecord, data: bytes) -> bool:
    """Whether a key may stand twice in some object: the decoder takes the last one and says nothing."""
    keys = _keys(written)
    if data.count(b":") == keys:
        return False
    # There are colons in strings. Those of keys follow a quotation mark, unless a blank stands between.
    return data.count(b'":') != keys or b" :" in data or b"\n" in data or b"\r" in data or b"\t" in data


def _keys(written: WrittenRecord) -> int:
    """How many keys the objects have that were read."""
    count = _stated(written) + len(written.players)
    if written.options is not None:
        count += len(written.options)
    if written.event is not None:
        count += _stated(written.event)
    if written.match is not None:
        count += _stated(written.match)
    if written.claims is not None:
        count += _stated(written.claims)
    for round_ in written.rounds:
        count += _stated(round_)
        if round_.deal is not None:
            count += _stated(round_.deal)
        if round_.claims is not None:
            count += _stated(round_.claims)
        if round_.notes is not None:
            count += len(round_.notes)
    return count


def _stated(part: Struct) -> int:
    """How many keys of an object are there."""
    parts = astuple(part)
    return len(parts) - parts.count(None)


def _record(written: WrittenRecord, limits: Limits) -> Record:
    sides = tuple([tuple(side) for side in written.sides]) if written.sides is not None else None
    options = written.options
    shared = sides is not None and options is not None and options.get("team_pile") == "shared"
    table = _table(written.variant, len(written.players), sides, shared)
    rounds = written.rounds
    if not 0 < len(rounds) <= limits.rounds:
        raise _Odd
    event = written.event
    sums = written.claims
    totals = winner = None
    if sums is not None:
        totals = _numbers(sums.totals, table.sides, limits)
        winner = _whole(sums.winner, 0, table.sides)
    return Record(
        written.variant,
        _names([player.name for player in written.players], limits),
        tuple([_round(each, table, limits) for each in rounds]),
        _options(options, table.kind) if options else NO_OPTIONS,
        sides,
        _match(written.match, limits) if written.match is not None else None,
        NO_EVENT if event is None else _event(event, limits),
        totals,
        winner,
        {},
    )


def _names(names: list[str], limits: Limits) -> tuple[str, ...]:
    for name in names:
        if not name.isprintable() or not name.strip() or len(name) > limits.name:
            raise _Odd
    return tuple(names)


def _options(written: dict[str, str | bool | int | float], kind: _Kind) -> dict[str, OptionValue]:
    found: dict[str, OptionValue] = {}
    for key, value in written.items():
        for allowed in kind.options[key]:
            if type(allowed) is type(value) and allowed == value:
                found[key] = allowed
                break
        else:
            raise _Odd
    return found


def _event(event: WrittenEvent, limits: Limits) -> Event:
    parts = (event.name, event.site, event.date, event.table, event.recorder)
    for part in parts:
        if part is not None and (not part.isprintable() or len(part) > limits.name):
            raise _Odd
    return Event(*parts)


def _match(match: WrittenMatch, limits: Limits) -> Match:
    key = LENGTHS[match.type]
    length, other = (match.rounds, match.points) if key == "rounds" else (match.points, match.rounds)
    if length is None or other is not None or not 1 <= length <= limits.number:
        raise _Odd
    return Match(match.type, length, _whole(match.start, -limits.number, limits.number))


def _round(written: WrittenRound, table: _Table, limits: Limits) -> Round:
    kind = table.kind
    seats = table.seats
    if not 1 <= written.dealer <= seats or written.notes:
        raise _Odd
    deal = written.deal
    actions = written.actions
    if actions and len(actions) > limits.actions:
        raise _Odd
    claims = written.claims
    piles = written.piles
    if piles is not None and len(piles) != len(table.piles):
        raise _Odd
    return Round(
        written.dealer,
        None if deal is None else _deal(deal.field, deal.hands, deal.draw_pile, kind.merge, seats),
        pack(actions, kind.merge, seats) if actions else (),
        None if piles is None else tuple([pack_cards(pile, kind.merge) for pile in piles]),
        None if claims is None else _claims(claims, table, limits),
        _facts(written.lightning, written.first_great, written.stopped, written.calls, table, limits),
        _numbers(written.adjust, table.sides, limits),
        NO_NOTES,
    )


def _deal(field: str | None, hands: list[str | None] | None, draw_pile: str | None, merge: bool, seats: int) -> Deal | None:
    if hands is not None and len(hands) != seats:
        raise _Odd
    if field is None and hands is None and draw_pile is None:
        return None
    return Deal(
        None if field is None else pack_cards(field, merge),
        None if hands is None else tuple([None if hand is None else pack_cards(hand, merge) for hand in hands]),
        None if draw_pile is None else pack_cards(draw_pile, merge),
    )


def _claims(written: WrittenClaims, table: _Table, limits: Limits) -> Claims | None:
    points, yaku, scores = written.points, written.yaku, written.scores
    if points is None and yaku is None and scores is None:
        return None
    return Claims(
        _numbers(points, table.sides, limits), None if yaku is None else _yaku(yaku, table), _numbers(scores, table.sides, limits)
    )


def _yaku(written: list[list[str]], table: _Table) -> tuple[tuple[str, ...], ...]:
    if len(written) != table.sides:
        raise _Odd
    for side in written:
        if side and not table.kind.yaku.issuperset(side):
            raise _Odd
    return tuple([tuple(side) for side in written])


def _facts(lightning: str | None, great: str | None, stopped: int | None, calls: list[int] | None, table: _Table, limits: Limits) -> Facts:
    if lightning is None and great is None and stopped is None and calls is None:
        return NO_FACTS
    facts = table.kind.facts
    for key, value in (("lightning", lightning), ("first_great", great), ("stopped", stopped), ("calls", calls)):
        if value is not None and key not in facts:
            raise _Odd
    if lightning is not None and lightning != "plain" and lightning not in table.kind.codes:
        raise _Odd
    if great is not None and great not in table.kind.great:
        raise _Odd
    if calls is not None and (len(calls) != table.seats or not all(0 <= each <= limits.number for each in calls)):
        raise _Odd
    return Facts(lightning, great, _whole(stopped, 0, table.seats), None if calls is None else tuple(calls))


def _whole(value: int | None, least: int, most: int) -> int | None:
    if value is not None and not least <= value <= most:
        raise _Odd
    return value


def _numbers(numbers: list[int | float] | None, length: int, limits: Limits) -> tuple[Number, ...] | None:
    if numbers is None:
        return None
    most = limits.number
    if len(numbers) != length:
        raise _Odd
    for number in numbers:
        # A whole number with a point is made whole by the judge.
        if not -most <= number <= most or (type(number) is float and (number * 2) % 2 != 1):
            raise _Odd
    return tuple(numbers)


# -- text -----------------------------------------------------------------------------------------------------------------


_OF_ROUND: Final = (
    "Round",
    "Dealer",
    "Field",
    "DrawPile",
    "Points",
    "Yaku",
    "Scores",
    "Adjust",
    "Lightning",
    "FirstGreat",
    "Stopped",
    "Calls",
)
_OF_HEAD: Final = frozenset(("Format", "Variant", "Options", "Sides", "Match", *EVENT))
_OF_TAIL: Final = frozenset(("Totals", "Winner"))
_PLAYERS: Final = _numbered("Player", 7)
_SEATS: Final = {str(seat): seat for seat in range(1, 8)}
_SMALL: Final = {str(number): number for number in range(-999, 1000)}
"""Amounts as writers write them, known by sight."""
_NUMBER: Final = re.compile(r"-?[0-9]{1,10}(?:\.5)?")
_COUNT: Final = re.compile(r"[0-9]{1,9}")


def read_fast_text(text: str, limits: Limits) -> Record | None:
    """The record of a text as writers write it, without notes, or None where the judge must look."""
    try:
        return _text(text, limits)
    except (KeyError, ValueError, _Odd):
        return None


def _text(text: str, limits: Limits) -> Record:
    """An empty line stands before each round and before the sums."""
    parts = text.removesuffix("\n").split("\n\n")
    sums = _tags(parts.pop()) if parts[-1].startswith(("[Totals", "[Winner")) else {}
    head = _tags(parts[0])
    names = [head[player] for player in _PLAYERS if player in head]
    if len(names) + len(_OF_HEAD.intersection(head)) < len(head) or (names and _PLAYERS[len(names) - 1] not in head):
        raise _Odd
    if head["Format"] != FORMAT or "\\" in parts[0] or parts[0].count('"') > 2 * len(head) or not _OF_TAIL.issuperset(sums):
        raise _Odd
    options, sides, match = head.get("Options"), head.get("Sides"), head.get("Match")
    chosen = NO_OPTIONS if options is None else _text_options(head["Variant"], options)
    teams = None if sides is None else tuple([tuple(map(_counted, side.split("+"))) for side in sides.split(" ")])
    table = _table(head["Variant"], len(names), teams, teams is not None and chosen.get("team_pile") == "shared")
    event = NO_EVENT
    if not EVENT.keys().isdisjoint(head):
        event = _event(WrittenEvent(*[head.get(name) for name in EVENT]), limits)
    if not 1 < len(parts) <= limits.rounds + 1:
        raise _Odd
    return Record(
        head["Variant"],
        _names(names, limits),
        tuple([_text_round(parts[number], number, table, limits) for number in range(1, len(parts))]),
        chosen,
        teams,
        None if match is None else _text_match(match, limits),
        event,
        _text_numbers(sums.get("Totals"), table.sides, limits),
        None if "Winner" not in sums else _whole(_counted(sums["Winner"]), 0, table.sides),
        {},
    )


def _tags(lines: str) -> dict[str, str]:
    """The values of some lines that are tags and nothing else. Raises ValueError where a line is none, or is one that a tag's name or
    value makes unusual."""
    if lines[:1] != "[" or lines[-2:] != '"]':
        raise _Odd
    found = lines[1:-2].split('"]\n[')
    tags = dict([tag.split(' "') for tag in found])
    if len(tags) < len(found):
        raise _Odd
    return tags


def _text_round(lines: str, number: int, table: _Table, limits: Limits) -> Round:
    """A round: its tags, then its actions."""
    end = lines.rfind('"]') + 2
    tags = _tags(lines[:end])
    piles = None
    if not table.tags.issuperset(tags):
        piles = [tags.pop(name) for name in table.piles]
        if not table.tags.issuperset(tags):
            raise _Odd
    if tags["Round"] != str(number):
        raise _Odd
    seats = table.seats
    merge = table.kind.merge
    actions: tuple[bytes, ...] = ()
    if end < len(lines):
        turns = lines[end:].split("\n")
        if turns[0] or len(turns) > limits.actions + 1:
            raise _Odd
        actions = pack(turns[1:], merge, seats)
    hands: list[str | None] | None = [tags.get(name) for name in table.hands]
    if hands is not None and hands.count(None) == seats:
        hands = None
    return Round(
        _within(_SEATS[tags["Dealer"]], seats),
        _deal(tags.get("Field"), hands, tags.get("DrawPile"), merge, seats),
        actions,
        None if piles is None else tuple([pack_cards(pile, merge) for pile in piles]),
        _text_claims(tags.get("Points"), tags.get("Yaku"), tags.get("Scores"), table, limits),
        _text_facts(tags.get("Lightning"), tags.get("FirstGreat"), tags.get("Stopped"), tags.get("Calls"), table, limits),
        _text_numbers(tags.get("Adjust"), table.sides, limits),
        NO_NOTES,
    )


def _within(dealer: int, seats: int) -> int:
    if dealer > seats:
        raise _Odd
    return dealer


def _text_options(variant: str, text: str) -> dict[str, OptionValue]:
    known = _kinds()[variant].written
    words = [word.partition("=") for word in text.split(" ")]
    found = {key: known[key, value] for key, _, value in words}
    if len(found) != len(words):
        raise _Odd
    return found


def _counted(word: str) -> int:
    if not _COUNT.fullmatch(word):
        raise _Odd
    return int(word)


def _text_numbers(text: str | None, length: int, limits: Limits) -> tuple[Number, ...] | None:
    if text is None:
        return None
    words = text.split(" ")
    numbers: list[int | float] = []
    for word in words:
        small = _SMALL.get(word)
        if small is not None:
            numbers.append(small)
        elif _NUMBER.fullmatch(word):
            numbers.append(float(word) if "." in word else int(word))
        else:
            raise _Odd
    return _numbers(numbers, length, limits)


def _text_claims(points: str | None, yaku: str | None, scores: str | None, table: _Table, limits: Limits) -> Claims | None:
    if points is None and yaku is None and scores is None:
        return None
    listed = None if yaku is None else [[] if side == "-" else side.split(",") for side in yaku.split(" | ")]
    return Claims(
        _text_numbers(points, table.sides, limits),
        None if listed is None else _yaku(listed, table),
        _text_numbers(scores, table.sides, limits),
    )


def _text_facts(lightning: str | None, great: str | None, stopped: str | None, calls: str | None, table: _Table, limits: Limits) -> Facts:
    if lightning is None and great is None and stopped is None and calls is None:
        return NO_FACTS
    counts = None if calls is None else [_counted(word) for word in calls.split(" ")]
    return _facts(lightning, great, None if stopped is None else _counted(stopped), counts, table, limits)


def _text_match(text: str, limits: Limits) -> Match:
    words = text.split(" ")
    if len(words) not in (2, 4) or (len(words) == 4 and words[2] != "start"):
        raise _Odd
    start = _counted(words[3]) if len(words) == 4 else None
    length = _counted(words[1])
    if LENGTHS[words[0]] == "rounds":
        return _match(WrittenMatch(words[0], rounds=length, start=start), limits)
    return _match(WrittenMatch(words[0], points=length, start=start), limits)
