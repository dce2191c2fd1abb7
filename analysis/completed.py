"""At which action a yaku was completed."""

from typing import Final

from mypy_extensions import i64

from records.rules.settlement import Settlement, Yaku
from records.table import Table

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
    if not len(trail):
        raise ValueError("the round was played without a trail")
    rules = table.rules
    seats = [yaku.seat] if yaku.seat >= 0 else list(rules.sides[yaku.side])
    pile: i64 = 0
    for seat in seats:
        pile |= table.piles[seat]
    wanted: i64 = yaku.cards
    fallen: i64 = table.fallen
    late = pile & fallen & wanted
    pile &= ~fallen
    place = (seats[0] - table.dealer) % rules.seats
    if late and not _is_among(yaku.id, rules.game.yaku_of(rules, pile, place, 0)):
        return -1
    # Piles only grow, and a yaku that is there at the end was there from some action on: most often the last that brought a card of it.
    whole = yaku.id in rules.game.whole
    for at in range(table.traced - 2, -1, -2):
        gained = trail[at + 1]
        if gained & wanted:  # no other card can complete it
            pile &= ~gained
            if whole or not _is_among(yaku.id, rules.game.yaku_of(rules, pile, place, 0)):
                return trail[at] >> 3
    return -1


def _is_among(id: str, made: list[Yaku]) -> bool:
    for yaku in made:  # noqa: SIM110  # compiled, quicker than `any`
        if yaku.id == id:
            return True
    return False
