"""Shared generators of tables and rounds played at them, lawful or with something unlawful in them, for hypothesis.

`tests.strategies` draws what can be written; here is what can be played: the simulator (`analysis.simulate`) plays, hypothesis chooses the
game, seats, sides, options and the seed.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from analysis.simulate import Made, Simulator, Style
from records.cards import UNKNOWN
from records.games import GAMES
from records.packed import play_of
from records.record import Deal, OptionValue, Round, replace
from records.rules.game import Game, Rules, Sides
from tests.strategies import actions

Draw = Callable[[st.SearchStrategy[Any]], Any]

LONG = os.environ.get("HANAFU_LONG") == "1"
"""Laws are then held against many more games: minutes instead of seconds."""


def examples(short: int) -> settings:
    """How many games a law is held against; with HANAFU_LONG=1 forty times as many."""
    return settings(max_examples=short * 40 if LONG else short, deadline=None)


@dataclass(frozen=True)
class Where:
    """A table as a test shows it when a law fails there."""

    game: str
    seats: int
    sides: Sides | None
    options: tuple[tuple[str, OptionValue], ...]
    seed: int

    @property
    def rules(self) -> Rules:
        """Its rules."""
        game = next(game for game in GAMES if game.id == self.game)
        return Rules(game, dict(self.options), self.seats, self.sides)

    def simulator(self) -> Simulator:
        """What plays there, always the same."""
        return Simulator(self.rules, Random(self.seed), tuple(f"P{seat + 1}" for seat in range(self.seats)))

    def played(self, style: Style | None = None) -> Made:
        """A round that is played there."""
        simulator = self.simulator()
        return simulator.round(self.seed % self.seats, style or Style())


@st.composite
def tables(draw: Draw, games: tuple[Game, ...] = GAMES) -> Where:
    """Any game, number of seats, sides and options."""
    game: Game = draw(st.sampled_from(games))
    seats: int = draw(st.sampled_from(game.seats))
    sides: Sides | None = draw(st.sampled_from([None, *game.partitions.get(seats, ())]))
    options = tuple((option.id, draw(st.sampled_from(option.values))) for option in game.options)
    return Where(game.id, seats, sides, options, draw(st.integers(0, 1 << 20)))


def rare_tables(wanted: Callable[[Rules], bool]) -> st.SearchStrategy[Where]:
    """Tables whose rules have a property."""
    return tables().filter(lambda where: wanted(where.rules))


@st.composite
def nonsense(draw: Draw) -> tuple[Where, Round]:
    """A round on a real deal, of which some cards may be unknown, some counts wrong, and some actions replaced by anything that can be
    written."""
    where: Where = draw(tables())
    rules = where.rules
    made = where.played()
    written = list(made.round.actions)
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, len(written)))
        action = draw(actions(rules.merge_yellow, where.seats, place == 0, place >= len(written) - 1))
        kind = draw(st.integers(0, 3))
        if kind == 0:
            written.insert(place, action)
        elif kind == 1 and place < len(written):
            written[place] = action
        elif kind == 2 and place < len(written):
            del written[place]
        elif place + 1 < len(written):
            written[place], written[place + 1] = written[place + 1], written[place]
    deal = made.round.deal
    assert deal is not None
    return where, replace(made.round, deal=draw(less_known(deal)), play=play_of(written))


@st.composite
def less_known(draw: Draw, deal: Deal) -> Deal:
    """The same deal, or one of which less is known, or with a card too many or too few."""
    assert deal.hands is not None and deal.draw_pile is not None
    hands = list(deal.hands)
    pile: bytes | None = deal.draw_pile
    kind = draw(st.integers(0, 7))
    seat = draw(st.integers(0, len(hands) - 1))
    if kind == 1:
        hands[seat] = None
    elif kind == 2:
        pile = None
    elif kind == 3:
        return Deal(deal.field, None, None)
    elif kind == 4:
        hand = hands[seat] or b""
        hands[seat] = hand[1:] + bytes((UNKNOWN,))
        pile = deal.draw_pile[:-2] + bytes((UNKNOWN, UNKNOWN))
    elif kind == 5:
        hands[seat] = (hands[seat] or b"")[1:]
    elif kind == 6:
        hands[seat] = (hands[seat] or b"") + deal.draw_pile[:1]
        pile = deal.draw_pile[1:]
    return Deal(deal.field, tuple(hands), pile)
