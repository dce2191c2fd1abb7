"""What plain plays met before took, so that play by the thousand need not be judged anew (`records.engine`).

It decides nothing: `records.rules.capture.judge` has found each answer kept here, of a lawful half that took nothing as a wild card. Such
an answer depends on the cards of the half's own month on the field and on nothing else that differs between tables of one `Known`.
"""

from typing import Final

from records.cards import CODES

NEW: Final = -1
"""This half was not played to such a field before."""
ODD: Final = -1
"""A half takes cards in a way of which nothing is kept."""
ONE: Final = 16
"""One card of its own month: plus 16 times the card's place in the month, 0 to 3."""
OTHERS: Final = 80
"""The three others, named in the record's order."""
ANSWERS: Final = 96
"""Of each card: 16 for each way to take, by the cards of the month on the field. The first way is to take nothing."""


class Known:
    """What is known at tables where the same cards share codes and go to the player's own pile. Months are four bits here: a card each."""

    def __init__(self, codes: list[int]) -> None:
        """`codes`: by card, the card that stands for its code."""
        self.takes: list[int] = [NEW] * (ANSWERS * len(CODES))
        """The cards of its month that a half takes, 0: it stays on the field; `NEW` where it is not known. By `way` plus the cards of its
        month on the field."""
        self.others: list[bytes] = [_others(card, codes) for card in range(len(CODES))]
        """By card: the three others of its month, by the cards that stand for their codes."""

    def way(self, play: bytes, at: int) -> int:
        """Where the answers begin for the half that stands at a place: by its card and the way in which it takes what it names. `ODD` where
        nothing is kept of such a half."""
        card = play[at]
        count = play[at + 1]
        if count == 0:
            return card * ANSWERS
        first = play[at + 2]
        if count == 1 and first ^ card < 4:
            return card * ANSWERS + ONE + 16 * (first & 3)
        if count == 3 and play[at + 2 : at + 5] == self.others[card]:
            return card * ANSWERS + OTHERS
        return ODD

    def keep(self, half: bytes, field: int, taken: int) -> None:
        """Remember what a half took from a field."""
        way = self.way(half, 0)
        if way != ODD:
            month = half[0] & 60
            self.takes[way + (field >> month & 15)] = taken >> month


def _others(card: int, codes: list[int]) -> bytes:
    month = codes[card & 60 : (card & 60) + 4]
    month.remove(codes[card])
    return bytes(sorted(month))


_OF: Final[dict[tuple[bool, int], Known]] = {}


def known_of(merge_yellow: bool, own_pile: int, codes: list[int]) -> Known:
    """What is known at tables where the same cards share codes and go to the player's own pile: all else is the same at every table.
    `codes`: by card, the card that stands for its code."""
    found = _OF.get((merge_yellow, own_pile))
    if found is None:
        found = _OF[merge_yellow, own_pile] = Known(codes)
    return found
