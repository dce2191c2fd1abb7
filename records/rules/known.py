"""Plain plays met before, so that play by the thousand need not be judged anew (`records.engine`).

It decides nothing: `records.rules.capture.judge` has found each answer kept here, of a lawful half that took nothing as a wild card. Such
an answer depends on the cards of the half's own month on the field and on nothing else that differs between tables of one `Known`.
"""

from typing import Final

from records import packed

NEW: Final = -1
"""This half was not played to such a field before."""
MOST: Final = 10_000
"""Halves that are kept by name; those that can be lawful are fewer."""
_NEVER: Final[list[int]] = [NEW] * 16


class Known:
    """The field cards that each half takes, by the four cards of its month: 16 answers, `NEW` where it is not known, 0: it stays."""

    def __init__(self) -> None:
        self.short: list[list[int]] = [_NEVER] * 4096
        """Of halves that take one card or none, by card and taken card: ``card << 6 | (0 or taken + 1)``."""
        self.long: dict[bytes, list[int]] = {}
        """Of the others, by their bytes."""

    def keep(self, half: bytes, meets: int, taken: int) -> None:
        """Keep that a half takes these of the cards of its month (0..15) on the field; none: it stays there."""
        if half[1] < 2:
            place = half[0] << 6 | (half[1] and half[2] + 1)
            if self.short[place] is _NEVER:
                self.short[place] = _NEVER.copy()
            self.short[place][meets] = taken
        else:
            if len(self.long) >= MOST:
                self.long.clear()
            self.long.setdefault(half, _NEVER.copy())[meets] = taken

    def of_long(self, action: bytes, start: int) -> list[int]:
        """The answers for the half at `start`, which takes more than one card."""
        return self.long.get(action[start : start + packed.half_length(action, start)], _NEVER)


_OF: Final[dict[tuple[bool, int], Known]] = {}


def known_of(merge_yellow: bool, own_pile: int) -> Known:
    """What is known at tables where the same cards share codes and go to the player's own pile: all else is the same at every table."""
    return _OF.setdefault((merge_yellow, own_pile), Known())
