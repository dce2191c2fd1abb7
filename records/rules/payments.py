"""What settlements of several games share: a round that does not count, payments between sides, who comes first."""

from collections.abc import Container, Iterable
from typing import Final

from records.cards import CODES, cards_in
from records.rules.game import Rules
from records.rules.settlement import FROM_YAKU, PAID_YAKU, Book, Entry, Number, Settlement, Yaku

NOTHING: Final[dict[str, object]] = {}


def misdeal(rules: Rules, dealer: int) -> Settlement:
    """Nobody scores, nobody wins, the same dealer deals again (CP-10)."""
    return Settlement(points=None, yaku=None, scores=[0] * len(rules.sides), winner=-1, next_dealer=dealer)


def first_from(dealer: int, seats: int, candidates: list[int]) -> int:
    """Of some seats the one that comes first in turn order from the dealer, the dealer itself included."""
    return candidates[0] if len(candidates) == 1 else min(candidates, key=lambda seat: (seat - dealer) % seats)


def collect(
    scores: list[Number],
    book: Book,
    source: int,
    side: int,
    amount: int,
    rule: str,
    why: str,
    args: dict[str, object],
    spared: Container[int] = (),
) -> None:
    """One side gets an amount from each other side that is not spared."""
    for payer in range(len(scores)):
        if payer != side and payer not in spared:
            pay(scores, book, source, side, payer, amount, rule, why, args)


def pay(
    scores: list[Number], book: Book, source: int, side: int, payer: int, amount: int, rule: str, why: str, args: dict[str, object]
) -> None:
    """Moves an amount from one side's score to another's.

    It is booked twice, for who gets it and for who pays it: each side's amounts then add up to its score. Both lines carry the payer, and
    in ``args`` the side that is paid as ``to``, from 1.
    """
    scores[side] += amount
    scores[payer] -= amount
    book.count(side, amount, source)
    book.count(payer, -amount, PAID_YAKU if source == FROM_YAKU else source)
    if book.lines is not None:
        both = args | {"to": side + 1}
        book.lines.append(Entry(side, amount, rule, why, payer, both))
        book.lines.append(Entry(payer, -amount, rule, why, payer, both))


def pay_yaku(rules: Rules, scores: list[Number], book: Book, made: Yaku, payers: Iterable[int], rule: str) -> None:
    """The side that made a yaku gets what it is worth from each of some sides, if it is not among them."""
    why, args = (f"yaku {made.id}", told(rules, made)) if book.lines is not None else ("", NOTHING)
    for payer in payers:
        if payer != made.side:
            pay(scores, book, FROM_YAKU, made.side, payer, made.points, rule, why, args)


def told(rules: Rules, yaku: Yaku) -> dict[str, object]:
    """A yaku as ``args`` of a ledger's entry: id, its side and seat from 1, the cards that make it."""
    args: dict[str, object] = {"yaku": yaku.id, "of": yaku.side + 1, "cards": [CODES[rules.codes[card]] for card in cards_in(yaku.cards)]}
    if yaku.seat >= 0:
        args["seat"] = yaku.seat + 1
    return args
