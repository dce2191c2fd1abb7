"""What plain plays met before took, so that play by the thousand need not be judged anew (`records.table`).

It decides nothing: `records.rules.capture.judge` has found each answer kept here, of a lawful half that took nothing as a wild card. Such
an answer depends on the cards of the half's own month on the field and on nothing else that differs between tables of one `Known`.
"""

from typing import Final

from mypy_extensions import i64

from records import packed
from records.cards import CODES, UNKNOWN
from records.native import INTERPRETED, numbers

NEW: Final = -1
"""What a half takes is not known."""
ONE: Final = 16
"""One card of its own month: plus 16 times the card's place in the month, 0 to 3."""
OTHERS: Final = 80
"""The three others, named in the record's order."""
ANSWERS: Final = 96
"""Of each card: 16 for each way to take, by the cards of the month on the field. The first way is to take nothing."""
ODD: Final = ANSWERS * len(CODES)
"""The way of halves of which nothing is kept: 16 that stay `NEW`."""
MOST_MET: Final = 40_000
"""So many turns are kept, interpreted."""

Turn = tuple[i64, i64, i64, i64, i64, i64]
"""A turn as the short cut looks at it: the card from the hand and the way in which it takes what it names, the card turned up and its way
(`packed.NONE`: there is no card), the call or 0, and how long it is in a play."""


class Known:
    """What is known at tables where the same cards share codes and go to the player's own pile. Months are four bits here: a card each."""

    def __init__(self, codes: list[int], same: list[int]) -> None:
        """`codes`: by card, the card that stands for its code; `same`: the set of all cards with its code."""
        self.takes = numbers([NEW] * (ODD + 16))
        """The cards of its month that a half takes, 0: it stays on the field; `NEW` where it is not known. By its way plus the cards of its
        month on the field."""
        self.same = numbers(same)
        self.codes = numbers([*codes, *range(len(codes), UNKNOWN + 1)])
        self.others: list[bytes] = [_others(card, codes) for card in range(len(CODES))]
        """By card: the three others of its month, by the cards that stand for their codes."""
        self.met: dict[bytes, Turn] = {}
        """Interpreted: turns met before, by their bytes."""

    def keep(self, half: bytes, field: int, taken: int) -> None:
        """Remember what a half took from a field."""
        way = self.way(half, 0)
        if way != ODD:
            month = half[0] & 60
            self.takes[way + (field >> month & 15)] = taken >> month

    def way(self, play: bytes, at: i64) -> i64:
        """Where the answers begin for the half that stands at a place: by its card and the way in which it takes what it names."""
        card: i64 = play[at]
        count: i64 = play[at + 1]
        if count == 0:
            return card * ANSWERS
        first: i64 = play[at + 2]
        if count == 1 and first ^ card < 4:
            return card * ANSWERS + ONE + 16 * (first & 3)
        if count == 3 and play[at + 2 : at + 5] == self.others[card]:
            return card * ANSWERS + OTHERS
        return ODD

    def turn(self, play: bytes, at: i64) -> Turn:
        """The turn that begins at a place; one whose card from the hand is `packed.END` is none of those of which something is kept."""
        start = at
        first: i64 = play[at]
        second: i64 = packed.NONE
        way: i64 = ODD
        second_way: i64 = ODD
        if first < packed.NONE:
            way = self.way(play, at)
            if way == ODD:
                return _odd()
            at += 2 + play[at + 1]
        elif first == packed.NONE:
            at += 1
        else:
            return _odd()
        card: i64 = play[at]
        if card < packed.NONE:
            second = card
            second_way = self.way(play, at)
            if second_way == ODD:
                return _odd()
            at += 2 + play[at + 1]
        call: i64 = play[at]
        if call == packed.END:
            call = 0
        elif call == packed.KOI or call == packed.STOP:
            at += 1
        else:
            return _odd()
        return first, way, second, second_way, call, at + 1 - start

    def looked_up(self, play: bytes, at: i64) -> list[Turn] | None:
        """All turns from a place on where reading them byte by byte would take long, None where it does not: there `turn`."""
        if not INTERPRETED:
            return None
        actions = play[at:].split(packed.ENDED)[:-1]
        met = self.met  # not looked up again: another thread may begin with an empty one
        try:
            return list(map(met.__getitem__, actions))
        except KeyError:
            if len(met) >= MOST_MET:
                met = self.met = {}
            met.update((action, self.turn(action + packed.ENDED, 0)) for action in actions)
            return list(map(met.__getitem__, actions))


def _odd() -> Turn:
    """What stands for a turn of which nothing is kept."""
    return packed.END, ODD, packed.NONE, ODD, 0, 0


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
