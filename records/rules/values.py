"""Card points: given to cards by code at setup, counted in a pile at the end. Counted in half points, so that numbers stay whole."""

from collections.abc import Mapping

from mypy_extensions import i64

from records.cards import CODES, cards_in, mask
from records.native import count
from records.rules.game import Rules
from records.rules.settlement import Entry, Number, number


def give(rules: Rules, halves: int, codes: str) -> None:
    """Makes each card of a list of codes worth so many half points."""
    for card in cards_in(mask(codes)):
        rules.values[card] = halves


def half_points(rules: Rules, cards: i64) -> i64:
    """What a set of cards is worth, in half points."""
    total: i64 = 0
    for halves, worth_it in rules.tiers:
        total += halves * count(cards & worth_it)
    return total


def in_points(halves: int) -> Number:
    """Half points as points: whole where they are whole."""
    return halves / 2 if halves & 1 else halves >> 1


def card_values(rules: Rules) -> Mapping[str, float]:
    """Points of each code of the deck; nothing where no card has any."""
    if not rules.tiers:
        return {}
    return {CODES[rules.codes[card]]: number(rules.values[card] / 2) for card in cards_in(rules.deck)}


def valued(rules: Rules, cards: int) -> dict[str, object]:
    """The cards of a set that are worth something, with their points: ``args`` of a ledger's entry."""
    worth_it = sum(tier for _, tier in rules.tiers) & cards
    return {
        "cards": [CODES[rules.codes[card]] for card in cards_in(worth_it)],
        "values": [in_points(rules.values[card]) for card in cards_in(worth_it)],
    }


def claimed_entry(side: int, amount: Number, rule: str, halves: int) -> Entry:
    """The ledger's line for card points of which only the sum is known, from a score sheet (AU-1)."""
    return Entry(side, amount, rule, "card points as claimed", None, {"points": in_points(halves)})


def points_entry(rules: Rules, side: int, amount: Number, rule: str, cards: int) -> Entry:
    """The ledger's line for the card points of one pile. `amount` is what the score gets of them: 0 where they are only compared."""
    return Entry(side, amount, rule, "card points", None, valued(rules, cards) | {"points": in_points(half_points(rules, cards))})
