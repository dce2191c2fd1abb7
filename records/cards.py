"""The deck: 48 cards and two jokers, one bit a card (rules.md, 1).

A *card* is a number 0..49; its bit in a mask is ``1 << card``. A month's four cards stand together, in the order in which the
normalised record sorts them (B A R Y C), so ``card >> 2`` is the month (0 = pine … 11 = paulownia, 12 = the jokers).
Twin chaff share a code: the code's card is the first of the two bits, and a set holds either or both.
"""

from typing import Final

CODES: Final[tuple[str, ...]] = (
    *("1B", "1R", "1C", "1C"),
    *("2A", "2R", "2C", "2C"),
    *("3B", "3R", "3C", "3C"),
    *("4A", "4R", "4C", "4C"),
    *("5A", "5R", "5C", "5C"),
    *("6A", "6R", "6C", "6C"),
    *("7A", "7R", "7C", "7C"),
    *("8B", "8A", "8C", "8C"),
    *("9A", "9R", "9C", "9C"),
    *("10A", "10R", "10C", "10C"),
    *("11B", "11A", "11R", "11C"),
    *("12B", "12Y", "12C", "12C"),
    *("JB", "JC"),
)
"""The code of each card, by its number."""

CARDS: Final[dict[str, int]] = {code: number for number, code in reversed(list(enumerate(CODES)))}
"""The card of each code: the first of twins."""

UNKNOWN: Final = 63
"""A card that nobody saw, ``?`` in a list; sorts after the jokers."""

LIGHTNING: Final = CARDS["11C"]
PHOENIX: Final = CARDS["12B"]
BASA: Final = CARDS["JB"]
CHU: Final = CARDS["JC"]
JOKER_MONTH: Final = 12

FULL_DECK: Final = (1 << 48) - 1
JOKERS: Final = 1 << BASA | 1 << CHU


def mask(codes: str) -> int:
    """The set of cards that a list of codes names, twins as often as they stand there.

    Raises KeyError for a code that no card has and ValueError for one that stands too often.
    """
    found = 0
    for code in codes.split():
        card = 1 << CARDS[code]
        while found & card:
            if card >= 1 << 49 or CODES[card.bit_length()] != code:
                raise ValueError(f"{code} stands too often in {codes!r}")
            card <<= 1
        found |= card
    return found


def known(cards: bytes | None) -> bytes | None:
    """A card list, None where it says nothing: a list of unknown cards only."""
    if cards is None or not cards or cards[0] != UNKNOWN:
        return cards
    for card in cards:
        if card != UNKNOWN:
            return cards
    return None


def cards_in(cards: int) -> list[int]:
    """The cards of a set, in the record's order. Of twins each has its own number."""
    found = []
    while cards:
        lowest = cards & -cards
        found.append(lowest.bit_length() - 1)
        cards ^= lowest
    return found


def codes_in(cards: int) -> list[str]:
    """The codes of a set of cards, in the record's order."""
    return [CODES[card] for card in cards_in(cards)]


def month_of(card: int) -> int:
    """The month of a card as the record counts it, 1..12, and 13 for a joker."""
    return (card >> 2) + 1
