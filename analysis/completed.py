"""At which action a yaku was completed."""

from bisect import bisect_left
from typing import Final

from records.engine import Table
from records.events import Event
from records.record import Round
from records.rules.game import Rules
from records.rules.settlement import Settlement

MadeAt = dict[tuple[int, str], int]
"""The action at which a yaku was completed, by seat from 0 (with shared piles: the side's first) and id."""

NOTHING: Final[MadeAt] = {}


def made_at(rules: Rules, round_: Round, settled: Settlement) -> MadeAt:
    """At which action each yaku was completed, 0 the deal; one that what falls at the end completes is not among them.

    Raises ValueError where the deal is not recorded.
    """
    made = [yaku for side in settled.yaku or () for yaku in side]
    if not made:
        return NOTHING
    piles = _Piles(rules, round_)
    actions = range(len(round_.actions) + 1)
    found: MadeAt = {}
    for yaku in made:
        seats = (yaku.seat,) if yaku.seat >= 0 else rules.sides[yaku.side]
        place = (seats[0] - round_.dealer + 1) % rules.seats

        def there(action: int, id: str = yaku.id, seats: tuple[int, ...] = seats, place: int = place) -> bool:
            pile = 0
            for seat in seats:
                pile |= piles.after(action)[seat]
            return any(other.id == id for other in rules.game.yaku_of(rules, pile, place, 0))

        # Piles only grow, and a yaku that is there at the end was there from some action on.
        action = bisect_left(actions, True, key=there)
        if action < len(actions):
            found[seats[0] if yaku.seat >= 0 else yaku.side, yaku.id] = action
    return found


class _Piles:
    """The piles by seat after each action, played as far as they are asked for: a few plays from the deal on are shorter than one that
    stops at every action."""

    def __init__(self, rules: Rules, round_: Round) -> None:
        if round_.deal is None:
            raise ValueError("a round without a deal cannot be played")
        self._rules = rules
        self._round = round_
        self._deal = round_.deal
        self._known: dict[int, list[int]] = {}

    def after(self, action: int) -> list[int]:
        """After so many actions; 0: after the deal."""
        piles = self._known.get(action)
        if piles is None:
            piles = self._known[action] = self._dealt() if action == 0 else self._table(action, None).piles
        return piles

    def _table(self, actions: int, log: list[Event] | None) -> Table:
        table = Table(self._rules, self._round.dealer - 1, log)
        table.open(self._deal)
        table.run(self._round.actions[:actions])
        return table

    def _dealt(self) -> list[int]:
        """What the rules move before the first turn; whether they do depends on the first action."""
        log: list[Event] = []
        self._table(1, log)
        dealt = [0] * self._rules.seats
        for event in log:
            if event.kind == "moved" and event.action == 0:
                for card in event.cards:
                    dealt[event.seat - 1] |= 1 << card
        return dealt
