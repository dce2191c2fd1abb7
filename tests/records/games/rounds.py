"""Rounds by their piles: what the tests of all games ask of a game's `settle`."""

from records.cards import mask
from records.games import game
from records.rules.game import OptionValue, Rules, Sides
from records.rules.settlement import Ending, Settlement

PAIRS: Sides = ((0, 2), (1, 3))
THREE_PAIRS: Sides = ((0, 3), (1, 4), (2, 5))
TRIOS: Sides = ((0, 2, 4), (1, 3, 5))


def table(id: str, seats: int, sides: Sides | None = None, /, **options: OptionValue) -> Rules:
    """A game's rules at a table, with the options that differ from the default."""
    return Rules(game(id), options, seats, sides)


def settle(rules: Rules, ending: Ending) -> Settlement:
    """Settled with the ledger, which must add up to the scores, and without, which must give the same."""
    settled = rules.game.settle(rules, ending, True)
    plain = rules.game.settle(rules, ending, False)
    assert not plain.ledger
    assert (plain.points, plain.scores, plain.yaku, plain.winner, plain.next_dealer, plain.rounded, plain.void) == (
        settled.points,
        settled.scores,
        settled.yaku,
        settled.winner,
        settled.next_dealer,
        settled.rounded,
        settled.void,
    )
    booked: list[int | float] = [0] * len(settled.scores)
    for entry in settled.ledger:
        booked[entry.side] += entry.amount
        assert entry.rule
        assert entry.why
    assert booked == settled.scores
    return settled


def played(rules: Rules, *piles: str, dealer: int = 0, lightning: str = "", first_great: str = "") -> Settlement:
    """A round played out, by its piles (seats and sides from 0)."""
    took = mask(lightning).bit_length() - 1
    return settle(rules, Ending(dealer, [mask(pile) for pile in piles], "played", took, first_great))


def paid(settled: Settlement) -> list[list[str]]:
    """Ids of the yaku that are paid, by side, sorted."""
    assert settled.yaku is not None
    return [sorted(made.id for made in side if not made.negated) for side in settled.yaku]


def names(rules: Rules, pile: str, place: int = 0, calls: int = 0) -> list[str]:
    """Ids of the yaku that one pile makes, sorted."""
    return sorted(made.id for made in rules.game.yaku_of(rules, mask(pile), place, calls))
