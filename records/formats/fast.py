"""The quick way in for records as programs write them, by the hundred thousand.

It accepts nothing that `schema.judge` would refuse, and makes the same record of it; whatever is in the least unusual it leaves
to the judge by answering None. So there are no errors here, and no leniency.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from records.cards import CODES
from records.formats.limits import Limits
from records.formats.schema import LENGTHS, traits
from records.formats.shapes import DECODER, NotJson, WrittenClaims, WrittenEvent, WrittenMatch, WrittenRecord, WrittenRound, WrittenSums
from records.formats.text import EVENT
from records.games import GAMES
from records.notation import pack, pack_cards
from records.record import FORMAT, Claims, Deal, Event, Facts, Match, Number, OptionValue, Record, Round

NO_EVENT: Final = Event()
NO_FACTS: Final = Facts()
NO_OPTIONS: Final[Mapping[str, OptionValue]] = {}


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
        self.piles = self.sides if shared else seats


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
            (option.id, str(value).lower() if isinstance(value, bool) else str(value)): value
            for option in game.options
            for value in option.values
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
    event, match, sums = written.event, written.match, written.claims
    count = len(written.players) + 4
    if written.options is not None:
        count += 1 + len(written.options)
    if written.sides is not None:
        count += 1
    if event is not None:
        count += 1 + _stated(event)
    if match is not None:
        count += 1 + _stated(match)
    if sums is not None:
        count += 1 + _stated(sums)
    for round_ in written.rounds:
        deal, claims = round_.deal, round_.claims
        count += 1
        if deal is not None:
            count += 1 + (deal.field is not None) + (deal.hands is not None) + (deal.draw_pile is not None)
        if claims is not None:
            count += 1 + (claims.points is not None) + (claims.yaku is not None) + (claims.scores is not None)
        count += (
            (round_.actions is not None)
            + (round_.piles is not None)
            + (round_.lightning is not None)
            + (round_.first_great is not None)
            + (round_.stopped is not None)
            + (round_.calls is not None)
            + (round_.adjust is not None)
        )
        if round_.notes is not None:
            count += 1 + len(round_.notes)
    return count


def _stated(part: WrittenEvent | WrittenMatch | WrittenSums) -> int:
    return sum([getattr(part, name) is not None for name in part.__struct_fields__])


def _record(written: WrittenRecord, limits: Limits) -> Record:
    sides = tuple([tuple(side) for side in written.sides]) if written.sides is not None else None
    options = written.options
    shared = sides is not None and options is not None and options.get("team_pile") == "shared"
    table = _Table(written.variant, len(written.players), sides, shared)
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
    if piles is not None and len(piles) != table.piles:
        raise _Odd
    return Round(
        written.dealer,
        None if deal is None else _deal(deal.field, deal.hands, deal.draw_pile, kind.merge, seats),
        pack(actions, kind.merge, seats) if actions else (),
        None if piles is None else tuple([pack_cards(pile, kind.merge) for pile in piles]),
        None if claims is None else _claims(claims, table, limits),
        _facts(written.lightning, written.first_great, written.stopped, written.calls, table, limits),
        _numbers(written.adjust, table.sides, limits),
        {},
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
    points = _numbers(written.points, table.sides, limits)
    scores = _numbers(written.scores, table.sides, limits)
    yaku = None
    if written.yaku is not None:
        if len(written.yaku) != table.sides:
            raise _Odd
        for side in written.yaku:
            if not table.kind.yaku.issuperset(side):
                raise _Odd
        yaku = tuple([tuple(side) for side in written.yaku])
    return Claims(points, yaku, scores) if (points, yaku, scores) != (None, None, None) else None


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


def _tag(name: str) -> str:
    return rf'\[{name} "([^"\\\r\n]*)"\]\n'


def _maybe(name: str) -> str:
    return rf"(?:{_tag(name)})?"


_HEAD: Final = re.compile(
    rf'\[Format "{re.escape(FORMAT)}"\]\n'
    + _tag("Variant")
    + "".join(map(_maybe, ("Options", *EVENT)))
    + r'((?:\[Player[1-7] "[^"\\\r\n]*"\]\n)+)'
    + "".join(map(_maybe, ("Sides", "Match")))
    + r"\n*"
)
_ROUND: Final = re.compile(
    r'\[Round "([1-9][0-9]*)"\]\n\[Dealer "([1-7])"\]\n'
    + _maybe("Field")
    + r'((?:\[Hand[1-7] "[^"\\\r\n]*"\]\n)*)'
    + _maybe("DrawPile")
    + r'((?:\[Pile[1-7] "[^"\\\r\n]*"\]\n)*)'
    + "".join(map(_maybe, ("Points", "Yaku", "Scores", "Adjust", "Lightning", "FirstGreat", "Stopped", "Calls")))
    + r"((?:[^\[{;\\\s][^\[{;\\\r\n]*\n)*)\n*"
)
_TAIL: Final = re.compile(_maybe("Totals") + _maybe("Winner") + r"\n*")
_SEATED: Final = re.compile(r'\[[A-Z][a-z]+([1-7]) "([^"]*)"\]\n')
_NUMBER: Final = re.compile(r"-?[0-9]{1,10}(?:\.5)?")
_COUNT: Final = re.compile(r"[0-9]{1,9}")


def read_fast_text(text: str, limits: Limits) -> Record | None:
    """The record of a text as writers write it, without notes, or None where the judge must look."""
    head = _HEAD.match(text)
    if head is None:
        return None
    try:
        return _text(text, head, limits)
    except (KeyError, ValueError, _Odd):
        return None


def _text(text: str, head: re.Match[str], limits: Limits) -> Record:
    variant, options, name, site, date, table_name, recorder, players, sides, match = head.groups()
    names = _seated(players)
    chosen = NO_OPTIONS if options is None else _text_options(variant, options)
    teams = None if sides is None else tuple([tuple(map(_counted, side.split("+"))) for side in sides.split(" ")])
    table = _Table(variant, len(names), teams, teams is not None and chosen.get("team_pile") == "shared")
    kind = table.kind
    merge = kind.merge
    seats = table.seats
    rounds: list[Round] = []
    at = head.end()
    while True:
        found = _ROUND.match(text, at)
        if found is None:
            break
        at = found.end()
        (number, dealer, field, hands, draw, piles, points, yaku, scores, adjust, lightning, great, stopped, calls,
         turns) = found.groups()  # fmt: skip
        rounds.append(
            Round(
                _within(int(dealer), seats),
                _deal(field, _hands(hands, seats), draw, merge, seats),
                pack(turns[:-1].split("\n"), merge, seats) if turns else (),
                None if not piles else _piles(piles, table),
                _text_claims(points, yaku, scores, table, limits),
                _text_facts(lightning, great, stopped, calls, table, limits),
                _text_numbers(adjust, table.sides, limits),
                {},
            )
        )
        if int(number) != len(rounds) or len(rounds[-1].actions) > limits.actions:
            raise _Odd
    tail = _TAIL.match(text, at)
    if tail is None or tail.end() != len(text) or not 0 < len(rounds) <= limits.rounds:
        raise _Odd
    totals, winner = tail.groups()
    event = (name, site, date, table_name, recorder)
    return Record(
        variant,
        _names(names, limits),
        tuple(rounds),
        chosen,
        teams,
        None if match is None else _text_match(match, limits),
        NO_EVENT if event == (None,) * 5 else _event(WrittenEvent(*event), limits),
        _text_numbers(totals, table.sides, limits),
        None if winner is None else _whole(_counted(winner), 0, table.sides),
        {},
    )


def _within(dealer: int, seats: int) -> int:
    if dealer > seats:
        raise _Odd
    return dealer


def _seated(block: str) -> list[str]:
    """The values of tags that are numbered from 1."""
    found = _SEATED.findall(block)
    if [seat for seat, _ in found] != [str(seat) for seat in range(1, len(found) + 1)]:
        raise _Odd
    return [value for _, value in found]


def _text_options(variant: str, text: str) -> dict[str, OptionValue]:
    known = _kinds()[variant].written
    words = [word.partition("=") for word in text.split(" ")]
    found = {key: known[key, value] for key, _, value in words}
    if len(found) != len(words):
        raise _Odd
    return found


def _hands(block: str, seats: int) -> list[str | None] | None:
    if not block:
        return None
    hands: list[str | None] = [None] * seats
    for seat, cards in _SEATED.findall(block):
        at = int(seat) - 1
        if at >= seats or hands[at] is not None:
            raise _Odd
        hands[at] = cards
    return hands


def _piles(block: str, table: _Table) -> tuple[bytes, ...]:
    piles = _seated(block)
    if len(piles) != table.piles:
        raise _Odd
    return tuple([pack_cards(pile, table.kind.merge) for pile in piles])


def _counted(word: str) -> int:
    if not _COUNT.fullmatch(word):
        raise _Odd
    return int(word)


def _text_numbers(text: str | None, length: int, limits: Limits) -> tuple[Number, ...] | None:
    if text is None:
        return None
    words = text.split(" ")
    if not all(map(_NUMBER.fullmatch, words)):
        raise _Odd
    return _numbers([float(word) if "." in word else int(word) for word in words], length, limits)


def _text_claims(points: str | None, yaku: str | None, scores: str | None, table: _Table, limits: Limits) -> Claims | None:
    if points is None and yaku is None and scores is None:
        return None
    listed = None if yaku is None else [[] if side == "-" else side.split(",") for side in yaku.split(" | ")]
    made = _claims(WrittenClaims(None, listed, None), table, limits)
    return Claims(
        _text_numbers(points, table.sides, limits),
        None if made is None else made.yaku,
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
