"""The quick way in for texts (`records.formats.fast`).

It takes what `records.formats.text` writes, without notes: a line a tag, an empty line before each round and before the sums. Compiled,
it goes from byte to byte, with no object a tag, a card or a turn; interpreted, it cuts a text at empty lines, and what is between two at
quotation marks.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, Final

from mypy_extensions import i64

from records.formats.fast import (
    NO_EVENT,
    NO_FACTS,
    NO_NOTES,
    NO_OPTIONS,
    Odd,
    Table,
    are_too_many,
    event_of,
    facts_of,
    kind_of,
    match_of,
    names_of,
    numbers_of,
    table_of,
    whole,
    yaku_of,
)
from records.formats.limits import Limits
from records.formats.schema import LENGTHS
from records.formats.shapes import WrittenMatch
from records.formats.text import EVENT
from records.native import BITS, INTERPRETED
from records.packing import PADDING, cards_at, pack_cards, pack_lines, pack_lists, play_at
from records.record import FORMAT, Claims, Deal, Event, Facts, Match, Number, OptionValue, Record, Round

_NEWLINE: Final = 0x0A
_BLANK: Final = 0x20
_QUOTE: Final = 0x22
_HYPHEN: Final = 0x2D
_ZERO: Final = 0x30
_NINE: Final = 0x39
_OPEN: Final = 0x5B
_CLOSE: Final = 0x5D

_ROUND: Final = 0
_DEALER: Final = 1
_FIELD: Final = 2
_DRAW_PILE: Final = 3
_POINTS: Final = 4
_YAKU: Final = 5
_SCORES: Final = 6
_ADJUST: Final = 7
_LIGHTNING: Final = 8
_FIRST_GREAT: Final = 9
_STOPPED: Final = 10
_CALLS: Final = 11
_HAND: Final = 16
"""Plus the seat, 1 to 7."""
_PILE: Final = 24
"""Plus the number, 1 to 7."""
_OF_ROUND: Final[dict[bytes, int]] = {
    b"Round": _ROUND,
    b"Dealer": _DEALER,
    b"Field": _FIELD,
    b"DrawPile": _DRAW_PILE,
    b"Points": _POINTS,
    b"Yaku": _YAKU,
    b"Scores": _SCORES,
    b"Adjust": _ADJUST,
    b"Lightning": _LIGHTNING,
    b"FirstGreat": _FIRST_GREAT,
    b"Stopped": _STOPPED,
    b"Calls": _CALLS,
    **{f"Hand{seat}".encode(): _HAND + seat for seat in range(1, 8)},
    **{f"Pile{number}".encode(): _PILE + number for number in range(1, 8)},
}
"""The tags of a round."""
_FORMAT: Final = 0
_VARIANT: Final = 1
_OPTIONS: Final = 2
_SIDES: Final = 3
_MATCH: Final = 4
_EVENT: Final = 8
"""Plus the place among the parts of an event."""
_PLAYER: Final = 16
"""Plus the seat, 1 to 7."""
_OF_HEAD: Final[dict[bytes, int]] = {
    b"Format": _FORMAT,
    b"Variant": _VARIANT,
    b"Options": _OPTIONS,
    b"Sides": _SIDES,
    b"Match": _MATCH,
    **{name.encode(): tag for tag, name in enumerate(EVENT, _EVENT)},
    **{f"Player{seat}".encode(): _PLAYER + seat for seat in range(1, 8)},
}
"""The tags before the first round."""
_WRITTEN_FORMAT: Final = FORMAT.encode()
_TOTALS: Final = b'[Totals "'
_WINNER: Final = b'[Winner "'
_NUMBER: Final = re.compile(r"-?[0-9]{1,10}(?:\.5)?")
_COUNT: Final = re.compile(r"[0-9]{1,9}")
MOST_MET: Final = 4000
"""So many ways to claim yaku are kept for each kind of table, and so many lists of amounts."""
LONGEST_MET: Final = 1000
"""Bytes of claimed yaku that are kept, at most: a claim may be as long as a record."""
_MOST_BEGINNINGS: Final = 256
"""So many heads are kept, and so many ways in which the tags of a round follow one another."""

Head = tuple[str, tuple[str, ...], Mapping[str, OptionValue], tuple[tuple[int, ...], ...] | None, Match | None, Event, Table]
Getter = Callable[[list[Any]], tuple[Any, ...]]


def _before(tags: dict[bytes, int], first: bytes) -> dict[bytes, int]:
    """The tags by what stands before their values, from the quotation mark behind the value of the tag before."""
    return {b"]\n[" + name + b" ": tag for name, tag in tags.items()} | {b"[" + first + b" ": tags[first]}


_BEFORE_IN_HEAD: Final = _before(_OF_HEAD, b"Format")
_BEFORE_IN_ROUND: Final = _before(_OF_ROUND, b"Round")
_DIGITS: Final = {str(digit).encode(): digit for digit in range(8)}


def read_fast_text(text: bytes, limits: Limits) -> Record | None:
    """The record of a text in UTF-8, or None where the judge must look."""
    if len(text) > limits.record:
        return None
    try:
        return _split(text, limits) if INTERPRETED else _record(text + PADDING, len(text), limits)
    except (KeyError, ValueError, Odd):
        return None


def _record(text: bytes, end: int, limits: Limits) -> Record:
    variant = ""
    names: list[str] = []
    said: list[str | None] | None = None
    more: dict[int, str] | None = None
    at: i64 = 0
    seen: i64 = 0
    while text[at] == _OPEN:
        tag, start = _tag(text, at, _OF_HEAD, seen)
        seen |= BITS[tag]
        at = _end_of_value(text, start)
        if tag >= _EVENT:
            value = text[start:at].decode()
            if "\\" in value:
                raise Odd
            if tag < _PLAYER:
                if said is None:
                    said = [None] * len(EVENT)
                said[tag - _EVENT] = value
            elif tag == _PLAYER + len(names) + 1:
                names.append(value)
            else:
                raise Odd
        elif tag == _FORMAT:
            if text[start:at] != _WRITTEN_FORMAT:
                raise Odd
        elif tag == _VARIANT:
            variant = text[start:at].decode()
        else:
            if more is None:
                more = {}
            more[tag] = text[start:at].decode()
        at = _end_of_tag(text, at)
    if not seen & 1:
        raise Odd
    chosen, teams, match = (NO_OPTIONS, None, None) if more is None else _more(variant, more, limits)
    event = NO_EVENT if said is None else event_of(tuple(said), limits)
    table = table_of(variant, len(names), teams, teams is not None and chosen.get("team_pile") == "shared")
    rounds: list[Round] = []
    while text[at] == _NEWLINE and at < end and text[at + 2 : at + 7] == b"Round":
        round_, at = _round(text, at + 1, len(rounds) + 1, table, limits)
        rounds.append(round_)
    totals: tuple[Number, ...] | None = None
    winner: int | None = None
    if at < end and text[at] == _NEWLINE:
        at += 1
        if text[at : at + len(_TOTALS)] == _TOTALS:
            totals, at = _numbers_at(text, at + len(_TOTALS), table.sides, limits)
            at = _end_of_tag(text, at)
        if text[at : at + len(_WINNER)] == _WINNER:
            winner = text[at + len(_WINNER)] - _ZERO
            if not 0 <= winner <= table.sides:
                raise Odd
            at = _end_of_tag(text, at + len(_WINNER) + 1)
    if at < end or not 0 < len(rounds) <= limits.rounds:
        raise Odd
    return Record(variant, names_of(names, limits), tuple(rounds), chosen, teams, match, event, totals, winner, {})


def _split(text: bytes, limits: Limits) -> Record:
    """The same where modules are interpreted."""
    head, *blocks = text.removesuffix(b"\n").split(b"\n\n")
    variant, names, chosen, teams, match, event, table = _head(head, limits)
    totals: tuple[Number, ...] | None = None
    winner: int | None = None
    if blocks and not blocks[-1].startswith(b"[Round "):
        totals, winner = _sums(blocks.pop(), table, limits)
    if not 0 < len(blocks) <= limits.rounds:
        raise Odd
    rounds = [_split_round(block, number, table, limits) for number, block in enumerate(blocks, 1)]
    return Record(variant, names, tuple(rounds), chosen, teams, match, event, totals, winner, {})


@lru_cache(maxsize=_MOST_BEGINNINGS)
def _head(text: bytes, limits: Limits) -> Head:
    """What stands before the rounds: in most files many records begin alike."""
    *parts, rest = text.split(b'"')
    values = dict(zip(_in_turn(parts[::2], _BEFORE_IN_HEAD, _PLAYER), parts[1::2], strict=True))
    if values[_FORMAT] != _WRITTEN_FORMAT or rest != b"]" or b"\\" in text:
        raise Odd
    more = {tag: value.decode() for tag, value in values.items()}
    variant = more[_VARIANT]
    names = names_of([name for tag, name in more.items() if tag > _PLAYER], limits)
    event = event_of(tuple([more.get(tag) for tag in range(_EVENT, _EVENT + len(EVENT))]), limits)
    chosen, teams, match = _more(variant, more, limits)
    table = table_of(variant, len(names), teams, teams is not None and chosen.get("team_pile") == "shared")
    return variant, names, chosen, teams, match, event, table


def _split_round(block: bytes, number: int, table: Table, limits: Limits) -> Round:
    parts: list[Any] = block.split(b'"')
    rest = parts.pop()
    lists, others, more = _places(tuple(parts[::2]), table.seats)
    if len(parts) % 2:
        raise Odd
    parts.append(None)
    written, dealt_by, points, yaku, scores = others(parts)
    merge = table.kind.merge
    dealer = _DIGITS[dealt_by]
    if written != str(number).encode() or not 0 < dealer <= table.seats:
        raise Odd
    field, *hands, draw_pile = pack_lists(lists(parts), merge)
    seen = hands.count(None) < table.seats
    claims: Claims | None = None
    if points is not None or yaku is not None or scores is not None:
        claims = Claims(
            None if points is None else _numbers(points, table.sides, limits),
            None if yaku is None else table.claimed.get(yaku) or _yaku(yaku, table),
            None if scores is None else _numbers(scores, table.sides, limits),
        )
    piles, facts, adjust = _beside({tag: parts[place] for tag, place in more}, table, limits) if more else (None, NO_FACTS, None)
    play = b""
    if rest != b"]":
        if rest[:2] != b"]\n":
            raise Odd
        play = pack_lines(rest[2:], merge, table.seats)
        if are_too_many(play, limits):
            raise Odd
    return Round(
        dealer,
        Deal(field, tuple(hands) if seen else None, draw_pile) if seen or field is not None or draw_pile is not None else None,
        play,
        piles,
        claims,
        facts,
        adjust,
        NO_NOTES,
    )


@lru_cache(maxsize=_MOST_BEGINNINGS)
def _places(before: tuple[bytes, ...], seats: int) -> tuple[Getter, Getter, list[tuple[int, int]]]:
    """Where the values of a round's tags stand among its parts, by what stands before each: the lists of its deal, what else most rounds
    have, and the tags that few have. What is missing stands behind the parts."""
    tags = _in_turn(before, _BEFORE_IN_ROUND, _PILE)
    places = {tag: 2 * number + 1 for number, tag in enumerate(tags)}
    none = 2 * len(tags)
    return (
        itemgetter(*[places.pop(tag, none) for tag in (_FIELD, *range(_HAND + 1, _HAND + seats + 1), _DRAW_PILE)]),
        itemgetter(*[places.pop(tag, none) for tag in (_ROUND, _DEALER, _POINTS, _YAKU, _SCORES)]),
        list(places.items()),
    )


def _in_turn(before: Sequence[bytes], tags: dict[bytes, int], numbered: int) -> list[int]:
    """The tags of a block by what stands before the value of each. Those above `numbered` stand as they are counted."""
    found = [tags[each] for each in before]
    counted = [tag for tag in found if tag > numbered]
    if not before or before[0][:1] != b"[" or len(set(found)) < len(found):
        raise Odd
    if counted != list(range(numbered + 1, numbered + 1 + len(counted))):
        raise Odd
    return found


def _beside(more: dict[int, bytes], table: Table, limits: Limits) -> tuple[tuple[bytes, ...] | None, Facts, tuple[Number, ...] | None]:
    """What few rounds have: piles, what these do not tell, an adjustment."""
    piles = [more.pop(tag) for tag in range(_PILE + 1, _PILE + 1 + table.piles)] if _PILE + 1 in more else None
    adjust = more.pop(_ADJUST, None)
    if more and max(more) > _CALLS:
        raise Odd
    return (
        None if piles is None else tuple([pack_cards(pile, table.kind.merge) for pile in piles]),
        _facts({tag: value.decode() for tag, value in more.items()}, table, limits),
        None if adjust is None else _numbers(adjust, table.sides, limits),
    )


def _sums(block: bytes, table: Table, limits: Limits) -> tuple[tuple[Number, ...] | None, int | None]:
    """Totals and winner."""
    match block.split(b'"'):
        case [b"[Totals ", totals, b"]\n[Winner ", winner, b"]"]:
            return _numbers(totals, table.sides, limits), whole(_DIGITS[winner], 0, table.sides)
        case [b"[Totals ", totals, b"]"]:
            return _numbers(totals, table.sides, limits), None
        case [b"[Winner ", winner, b"]"]:
            return None, whole(_DIGITS[winner], 0, table.sides)
    raise Odd


def _tag(text: bytes, at: i64, tags: dict[bytes, int], seen: i64) -> tuple[i64, i64]:
    """The number of the tag whose bracket stands at a place, and where its value begins. `seen`: a bit for each that stood before it."""
    start = at + 1
    while text[at] > _BLANK:
        at += 1
    if text[at] != _BLANK or text[at + 1] != _QUOTE:
        raise Odd
    tag = tags[text[start:at]]
    if seen >> tag & 1:
        raise Odd
    return tag, at + 2


def _end_of_tag(text: bytes, at: i64) -> i64:
    if text[at] != _QUOTE or text[at + 1] != _CLOSE or text[at + 2] != _NEWLINE:
        raise Odd
    return at + 3


def _end_of_value(text: bytes, at: i64) -> i64:
    """The quotation mark behind a value that begins at a place."""
    while text[at] != _QUOTE:
        if text[at] == _NEWLINE:
            raise Odd
        at += 1
    return at


def _more(
    variant: str, tags: dict[int, str], limits: Limits
) -> tuple[Mapping[str, OptionValue], tuple[tuple[int, ...], ...] | None, Match | None]:
    """What most heads do not have: options, sides, match."""
    options, sides, match = tags.get(_OPTIONS), tags.get(_SIDES), tags.get(_MATCH)
    return (
        NO_OPTIONS if options is None else _options(variant, options),
        None if sides is None else tuple([tuple(map(_counted, side.split("+"))) for side in sides.split(" ")]),
        None if match is None else _match(match, limits),
    )


def _round(text: bytes, at: i64, number: int, table: Table, limits: Limits) -> tuple[Round, i64]:
    """The round whose first tag begins at a place, and where it ends."""
    seats = table.seats
    merge = table.kind.merge
    dealer = 0
    field: bytes | None = None
    draw_pile: bytes | None = None
    hands: list[bytes | None] | None = None
    piles: list[bytes] | None = None
    points: tuple[Number, ...] | None = None
    yaku: tuple[tuple[str, ...], ...] | None = None
    scores: tuple[Number, ...] | None = None
    adjust: tuple[Number, ...] | None = None
    facts: dict[int, str] | None = None
    seen: i64 = 0
    while text[at] == _OPEN:
        tag, at = _tag(text, at, _OF_ROUND, seen)
        seen |= BITS[tag]
        if tag == _FIELD:
            field, at = cards_at(text, at, merge)
        elif tag == _DRAW_PILE:
            draw_pile, at = cards_at(text, at, merge)
        elif tag > _PILE:
            if piles is None:
                piles = []
            if tag != _PILE + len(piles) + 1:
                raise Odd
            pile, at = cards_at(text, at, merge)
            piles.append(pile)
        elif tag > _HAND:
            if tag > _HAND + seats:
                raise Odd
            if hands is None:
                hands = [None] * seats
            hands[tag - _HAND - 1], at = cards_at(text, at, merge)
        elif tag == _POINTS:
            points, at = _numbers_at(text, at, table.sides, limits)
        elif tag == _SCORES:
            scores, at = _numbers_at(text, at, table.sides, limits)
        elif tag == _ADJUST:
            adjust, at = _numbers_at(text, at, table.sides, limits)
        elif tag == _YAKU:
            start = at
            at = _end_of_value(text, at)
            yaku = table.claimed.get(text[start:at]) or _yaku(text[start:at], table)
        elif tag <= _DEALER:
            value = text[at] - _ZERO
            at += 1
            if tag == _DEALER:
                dealer = value
                if not 0 < dealer <= seats:
                    raise Odd
            else:
                while text[at] != _QUOTE:
                    if not 0 < value < limits.rounds or not _ZERO <= text[at] <= _NINE:
                        raise Odd
                    value = 10 * value + text[at] - _ZERO
                    at += 1
                if value != number:
                    raise Odd
        else:
            start = at
            at = _end_of_value(text, at)
            if facts is None:
                facts = {}
            facts[tag] = text[start:at].decode()
        at = _end_of_tag(text, at)
    if not dealer or not seen & 1 or (piles is not None and len(piles) != table.piles):
        raise Odd
    play = b""
    if text[at] != _NEWLINE:
        play, at = play_at(text, at, merge, seats)
        if are_too_many(play, limits):
            raise Odd
    dealt = field is not None or hands is not None or draw_pile is not None
    claimed = points is not None or yaku is not None or scores is not None
    round_ = Round(
        dealer,
        Deal(field, None if hands is None else tuple(hands), draw_pile) if dealt else None,
        play,
        None if piles is None else tuple(piles),
        Claims(points, yaku, scores) if claimed else None,
        NO_FACTS if facts is None else _facts(facts, table, limits),
        adjust,
        NO_NOTES,
    )
    return round_, at


def _numbers_at(text: bytes, at: i64, length: int, limits: Limits) -> tuple[tuple[Number, ...] | None, i64]:
    """Amounts with a blank between two, and the place behind them."""
    start = at
    found: list[int | float] = []
    while True:
        negative = text[at] == _HYPHEN
        if negative:
            at += 1
        digits = at
        number = 0
        while _ZERO <= text[at] <= _NINE and at < digits + 10:  # a number may be as long as a record
            number = 10 * number + text[at] - _ZERO
            at += 1
        if not digits < at < digits + 10 or (text[at] != _BLANK and text[at] != _QUOTE):
            at = text.index(b'"', start)
            return _numbers(text[start:at], length, limits), at
        found.append(-number if negative else number)
        if text[at] == _QUOTE:
            return numbers_of(found, length, limits), at
        at += 1


def _yaku(text: bytes, table: Table) -> tuple[tuple[str, ...], ...]:
    """Yaku claimed in a way that was not met before."""
    listed = [[] if side == "-" else side.split(",") for side in text.decode().split(" | ")]
    claimed = yaku_of(listed, table)
    if len(text) <= LONGEST_MET:
        if len(table.claimed) >= MOST_MET:
            table.claimed.clear()
        table.claimed[text] = claimed
    return claimed


def _options(variant: str, text: str) -> dict[str, OptionValue]:
    known = kind_of(variant).written
    words = [word.partition("=") for word in text.split(" ")]
    found = {key: known[key, value] for key, _, value in words}
    if len(found) != len(words):
        raise Odd
    return found


def _counted(word: str) -> int:
    if not _COUNT.fullmatch(word):
        raise Odd
    return int(word)


@lru_cache(maxsize=MOST_MET)
def _numbers(text: bytes, length: int, limits: Limits) -> tuple[Number, ...] | None:
    found: list[int | float] = []
    for word in text.decode().split(" "):
        if not _NUMBER.fullmatch(word):
            raise Odd
        found.append(float(word) if "." in word else int(word))
    return numbers_of(found, length, limits)


def _facts(facts: dict[int, str], table: Table, limits: Limits) -> Facts:
    stopped, calls = facts.get(_STOPPED), facts.get(_CALLS)
    counts = None if calls is None else [_counted(word) for word in calls.split(" ")]
    return facts_of(facts.get(_LIGHTNING), facts.get(_FIRST_GREAT), None if stopped is None else _counted(stopped), counts, table, limits)


def _match(text: str, limits: Limits) -> Match:
    words = text.split(" ")
    if len(words) not in (2, 4) or (len(words) == 4 and words[2] != "start"):
        raise Odd
    start = _counted(words[3]) if len(words) == 4 else None
    length = _counted(words[1])
    if LENGTHS[words[0]] == "rounds":
        return match_of(WrittenMatch(words[0], rounds=length, start=start), limits)
    return match_of(WrittenMatch(words[0], points=length, start=start), limits)
