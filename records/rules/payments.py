"""What settlements of several games share: a round that does not count, payments between sides, who comes first."""

from collections.abc import Container

from records.cards import CODES, cards_in
from records.rules.game import Rules
from records.rules.settlement import Entry, Number, Settlement, Yaku


def misdeal(rules: Rules, dealer: int) -> Settlement:
    """Nobody scores, nobody wins, the same dealer deals again (CP-10)."""
    return Settlement(points=None, yaku=None, scores=[0] * len(rules.sides), winner=-1, next_dealer=dealer)


def first_from(dealer: int, seats: int, candidates: list[int]) -> int:
    """Of some seats the one that comes first in turn order from the dealer, the dealer itself included."""
    return candidates[0] if len(candidates) == 1 else min(candidates, key=lambda seat: (seat - dealer) % seats)


def collect(
    scores: list[Number],
    book: list[Entry] | None,
    side: int,
    amount: int,
    rule: str,
    why: str,
    args: dict[str, object],
    spared: Container[int] = (),
) -> None:
    """One side gets an amount from each other side that is not spared; booked where there is a book."""
    for payer in range(len(scores)):
        if payer != side and payer not in spared:
            pay(scores, book, side, payer, amount, rule, why, args)


def pay(
    scores: list[Number], book: list[Entry] | None, side: int, payer: int, amount: int, rule: str, why: str, args: dict[str, object]
) -> None:
    """Moves an amount from one side's score to another's.

    It is booked twice, for who gets it and for who pays it: each side's amounts then add up to its score. Both lines carry the payer, and
    in ``args`` the side that is paid as ``to``, from 1.
    """
    scores[side] += amount
    scores[payer] -= amount
    if book is not None:
        both = args | {"to": side + 1}
        book.append(Entry(side, amount, rule, why, payer, both))
        book.append(Entry(payer, -amount, rule, why, payer, both))


def told(rules: Rules, yaku: Yaku) -> dict[str, object]:
    """A yaku as ``args`` of a ledger's entry: id, its side and seat from 1, the cards that make it."""
    args: dict[str, object] = {"yaku": yaku.id, "of": yaku.side + 1, "cards": [CODES[rules.codes[card]] for card in cards_in(yaku.cards)]}
    if yaku.seat >= 0:
        args["seat"] = yaku.seat + 1
    return args
