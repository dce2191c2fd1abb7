"""At which action a yaku was completed."""

from typing import Final

from records.engine import Table
from records.rules.settlement import Settlement, Yaku

MadeAt = dict[tuple[int, str], int]
"""The action at which a yaku was completed, by seat from 0 (with shared piles: the side's first) and id."""

NOTHING: Final[MadeAt] = {}


def made_at(table: Table, settled: Settlement) -> MadeAt:
    """At which action each yaku of a round was completed, 0 the deal; one that what falls at the end completes is not among them.

    Raises ValueError for a table that was played without a trail.
    """
    found: MadeAt = {}
    for side in settled.yaku or ():
        for yaku in side:
            action = completed(table, yaku)
            if action >= 0:
                found[owner(yaku), yaku.id] = action
    return found


def owner(yaku: Yaku) -> int:
    """Whose pile makes it, as `MadeAt` says it."""
    return yaku.seat if yaku.seat >= 0 else yaku.side


def completed(table: Table, yaku: Yaku) -> int:
    """The action that completed a yaku, 0 the deal, -1: none did."""
    trail = table.trail
    if trail is None:
        raise ValueError("the round was played without a trail")
    rules = table.rules
    seats = [yaku.seat] if yaku.seat >= 0 else list(rules.sides[yaku.side])
    owners = 0
    for seat in seats:
        owners |= 1 << seat
    wanted = yaku.cards
    pile = 0
    actions: list[int] = []
    piles: list[int] = []
    for at in range(0, len(trail), 2):
        if owners >> (trail[at] & 7) & 1:
            gained = trail[at + 1]
            pile |= gained
            if gained & wanted:  # no other card can complete it
                actions.append(trail[at] >> 3)
                piles.append(pile)
    place = (seats[0] - table.dealer) % rules.seats
    # Piles only grow, and a yaku that is there at the end was there from some action on: most often the last that brought a card of it.
    found = len(piles)
    for seat in seats:
        pile ^= table.piles[seat]
    if pile == 0:  # nothing fell to them at the end
        found -= 1
    while found > 0 and _is_among(yaku.id, rules.game.yaku_of(rules, piles[found - 1], place, 0)):
        found -= 1
    return actions[found] if 0 <= found < len(actions) else -1


def _is_among(id: str, made: list[Yaku]) -> bool:
    for yaku in made:  # noqa: SIM110  # compiled, quicker than `any`
        if yaku.id == id:
            return True
    return False
