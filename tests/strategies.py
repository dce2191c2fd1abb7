"""Shared generators of records for hypothesis: any record that can be written, lawful or not.

`records()` draws what a reader may meet: all games, seats and partitions, deals with unknown cards, actions of every form, claims,
facts, notes. Play in them is mostly nonsense; what the engine makes of it is for other tests.
"""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from records.cards import CARDS, CODES, UNKNOWN
from records.formats.schema import traits
from records.games import GAMES
from records.packed import ABANDONED, BARE, HIKI, KEEP, KOI, LUCKY, MISDEAL, NONE, SEAT, STOP, THROWN_IN, UNSEEN, play_of
from records.record import Claims, Deal, Event, Facts, Match, Record, Round
from records.rules.game import Game

Draw = Callable[[st.SearchStrategy[Any]], Any]

CONTROL = "".join(map(chr, [*range(32), *range(127, 160)]))


def texts(most: int = 30, least: int = 0) -> st.SearchStrategy[str]:
    """Any characters that a name or a part of `event` may hold."""
    return st.text(st.characters(exclude_categories=["Cs"], exclude_characters=CONTROL), min_size=least, max_size=most)


def names() -> st.SearchStrategy[str]:
    """Players' names: not empty, not blank."""
    return texts(20, 1).filter(lambda name: bool(name.strip()))


def notes() -> st.SearchStrategy[str]:
    """Notes: anything at all, and what the text form must take care of."""
    tricky = st.sampled_from(["{", "}", "\\", "\\}", '"', ";", '\n[Format "hanafuda-record/1"]', "\r\n", "\n  [Format ", "]"])
    anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)
    return st.lists(st.one_of(tricky, anything), max_size=5).map("".join)


def stands_for(merge_yellow: bool) -> list[int]:
    """The cards that stand for their codes; where the yellow chaff is a plain one it does not."""
    return sorted({CARDS[code] for code in CODES} - ({CARDS["12Y"]} if merge_yellow else set()))


def card_lists(merge_yellow: bool, most: int = 12) -> st.SearchStrategy[bytes]:
    """A card list, unknown cards among them."""
    known = [*stands_for(merge_yellow), UNKNOWN]
    return st.binary(max_size=most).map(lambda drawn: bytes(known[each % len(known)] for each in drawn))


def halves(merge_yellow: bool) -> st.SearchStrategy[bytes]:
    """A card, with what it takes: nothing, what it must, or the cards named."""
    known = stands_for(merge_yellow)

    def half(drawn: bytes) -> bytes:
        card, *taken = [known[each % len(known)] for each in drawn]
        return bytes([card, BARE]) if len(taken) == 5 else bytes([card, len(taken), *taken])

    return st.binary(min_size=1, max_size=6).map(half)


def reasons() -> st.SearchStrategy[str]:
    """Reasons of a misdeal: one line without blanks at its ends, digits plain."""
    letters = st.characters(exclude_categories=["Cs"], exclude_characters=CONTROL + "０１２３４５６７８９")
    tricky = st.sampled_from([";", "{", "}", "\\", "\\;", '"', "a card was shown"])
    whole = st.lists(st.one_of(tricky, st.text(letters, max_size=8)), min_size=1, max_size=4).map("".join)
    return whole.map(str.strip).filter(bool)


@st.composite
def actions(draw: Draw, merge_yellow: bool, seats: int, first: bool, last: bool) -> bytes:
    """One packed action."""
    start: bytes = draw(st.sampled_from([b"", b"", *[bytes([SEAT + seat]) for seat in range(1, seats + 1)]]))
    special = draw(st.integers(0, 14))
    if special == 0 and (first or last):
        return start + bytes([KEEP if first else ABANDONED])
    if special == 1:
        return start + bytes([draw(st.sampled_from([LUCKY, MISDEAL]))])
    if special == 2:
        reason: str = draw(reasons())
        return start + bytes([THROWN_IN]) + reason.encode()
    words = [bytes([word]) for word in (NONE, UNSEEN, *range(HIKI + 1, HIKI + 13))]
    head: bytes = draw(st.one_of(halves(merge_yellow), st.sampled_from(words)))
    second: bytes = draw(st.one_of(st.sampled_from([b"", bytes([UNSEEN])]), halves(merge_yellow)))
    call: bytes = draw(st.sampled_from([b"", b"", b"", bytes([KOI]), bytes([STOP])]))
    return start + head + second + call


def points() -> st.SearchStrategy[int | float]:
    """Whole or a half, as a record holds it."""
    return st.integers(-2000, 2000).map(lambda twice: twice // 2 if twice % 2 == 0 else twice / 2)


def _per(length: int) -> st.SearchStrategy[tuple[int | float, ...] | None]:
    return st.one_of(st.none(), st.tuples(*[points()] * length))


@st.composite
def deals(draw: Draw, merge_yellow: bool, seats: int) -> Deal | None:
    """What is known of a deal; None where nothing is said."""
    hand = st.one_of(st.none(), card_lists(merge_yellow))
    deal = Deal(
        draw(st.one_of(st.none(), card_lists(merge_yellow))),
        draw(st.one_of(st.none(), st.tuples(*[hand] * seats).filter(lambda hands: any(each is not None for each in hands)))),
        draw(st.one_of(st.none(), card_lists(merge_yellow, 30))),
    )
    return deal if deal != Deal() else None


@st.composite
def rounds(draw: Draw, game: Game, seats: int, sides: int, piles: int) -> Round:
    """One round at a table with so many seats, sides and piles."""
    merge, has = traits(game.id)
    count = draw(st.integers(0, 4))
    played = tuple(draw(actions(merge, seats, at == 0, at == count - 1)) for at in range(count))
    yaku = st.lists(st.sampled_from([rule.id for rule in game.yaku]), max_size=3).map(tuple)
    claims = Claims(draw(_per(sides)), draw(st.one_of(st.none(), st.tuples(*[yaku] * sides))), draw(_per(sides)))
    codes = sorted(set(CODES) - ({"12Y"} if merge else set()))
    facts = Facts(
        draw(st.one_of(st.none(), st.sampled_from(["plain", *codes]))) if "lightning" in has else None,
        draw(st.one_of(st.none(), st.sampled_from(game.great))) if "first_great" in has else None,
        draw(st.one_of(st.none(), st.integers(0, seats))) if "stopped" in has else None,
        draw(st.one_of(st.none(), st.tuples(*[st.integers(0, 9)] * seats))) if "calls" in has else None,
    )
    return Round(
        dealer=draw(st.integers(1, seats)),
        deal=draw(deals(merge, seats)),
        play=play_of(played),
        piles=draw(st.one_of(st.none(), st.tuples(*[card_lists(merge)] * piles))),
        claims=claims if claims != Claims() else None,
        facts=facts,
        adjust=draw(_per(sides)),
        notes=draw(st.dictionaries(st.integers(0, count), notes(), max_size=3)),
    )


def matches() -> st.SearchStrategy[Match | None]:
    """How long the match is."""
    start = st.one_of(st.none(), st.integers(-50, 500))
    return st.one_of(st.none(), st.builds(Match, st.sampled_from(["rounds", "best_of", "target"]), st.integers(1, 500), start))


@st.composite
def records(draw: Draw) -> Record:
    """Any record without `x_` keys, as a reader would give it."""
    game = draw(st.sampled_from(GAMES))
    seats = draw(st.sampled_from(game.seats))
    options = {option.id: draw(st.sampled_from(option.values)) for option in game.options if draw(st.integers(0, 3)) == 0}
    partitions = game.partitions.get(seats, ())
    sides = None
    if partitions and draw(st.booleans()):
        chosen = draw(st.sampled_from(partitions))
        sides = tuple(draw(st.permutations([tuple(seat + 1 for seat in side) for side in chosen])))
    count = len(sides) if sides is not None else seats
    piles = count if sides is not None and options.get("team_pile") == "shared" else seats
    event = st.one_of(st.none(), texts())
    return Record(
        variant=game.id,
        players=tuple(draw(names()) for _ in range(seats)),
        rounds=tuple(draw(rounds(game, seats, count, piles)) for _ in range(draw(st.integers(1, 2)))),
        options=options,
        sides=sides,
        match=draw(matches()),
        event=Event(*[draw(event) for _ in range(5)]) if draw(st.booleans()) else Event(),
        totals=draw(_per(count)),
        winner=draw(st.one_of(st.none(), st.integers(0, count))),
    )
