"""What plain plays met before took, so that play by the thousand need not be judged anew (`records.engine`).

It decides nothing: `records.rules.capture.judge` has found each answer kept here, of a lawful half that took nothing as a wild card. Such
an answer depends on the cards of the half's own month on the field and on nothing else that differs between tables of one `Known`.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from records.cards import CODES

NEW: Final = -1
"""Nothing is kept of this half at such a field: it was not played to one before, or names cards in a way of which nothing is kept."""
ONE: Final = 16
"""One card of its own month: plus 16 times the card's place in the month, 0 to 3."""
OTHERS: Final = 80
"""The three others, named in the record's order."""
ANSWERS: Final = 96
"""Of each card: 16 for each way to take, by the cards of the month on the field. The first way is to take nothing."""


class Known:
    """What is known at tables where the same cards share codes and go to the player's own pile. Months are four bits here: a card each."""

    def __init__(self, codes: list[int], same: list[int]) -> None:
        """`codes`: by card, the card that stands for its code; `same`: the set of all cards with its code."""
        self.takes: vec[i64] = vec[i64]([NEW] * (ANSWERS * len(CODES)))
        """The cards of its month that a half takes, 0: it stays on the field; `NEW` where it is not known. By the card and the way in which
        it takes what it names, plus the cards of its month on the field."""
        self.same: vec[i64] = vec[i64](same)
        self.others: list[bytes] = [_others(card, codes) for card in range(len(CODES))]
        """By card: the three others of its month, by the cards that stand for their codes."""

    def taken(self, play: bytes, at: i64, field: i64) -> i64:
        """The field cards that the half at a place takes, as `judge` found before; `NEW` where that is not known."""
        place = self._place(play, at, field)
        if place < 0:
            return NEW
        taken: i64 = self.takes[place]
        if taken <= 0:
            return taken
        month: i64 = play[at]
        return taken << (month & 60)

    def keep(self, half: bytes, field: int, taken: int) -> None:
        """Remember what a half took from a field."""
        place = self._place(half, 0, field)
        if place >= 0:
            self.takes[place] = taken >> (half[0] & 60)

    def _place(self, play: bytes, at: i64, field: i64) -> i64:
        """The place of what the half at a place takes from a field; -1 where nothing is kept of such a half."""
        card: i64 = play[at]
        count: i64 = play[at + 1]
        way = card * ANSWERS
        if count:
            first: i64 = play[at + 2]
            if count == 1 and first ^ card < 4:
                way += ONE + 16 * (first & 3)
            elif count == 3 and play[at + 2 : at + 5] == self.others[card]:
                way += OTHERS
            else:
                return -1
        return way + (field >> (card & 60) & 15)


def _others(card: int, codes: list[int]) -> bytes:
    month = codes[card & 60 : (card & 60) + 4]
    month.remove(codes[card])
    return bytes(sorted(month))


_OF: Final[dict[tuple[bool, int], Known]] = {}


def known_of(merge_yellow: bool, own_pile: int, codes: list[int], same: list[int]) -> Known:
    """What is known at tables where the same cards share codes and go to the player's own pile: all else is the same at every table.
    `codes`: by card, the card that stands for its code; `same`: the set of all cards with its code."""
    found = _OF.get((merge_yellow, own_pile))
    if found is None:
        found = _OF[merge_yellow, own_pile] = Known(codes, same)
    return found
