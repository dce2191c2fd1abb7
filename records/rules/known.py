"""Plain turns met before, so that play by the thousand need not be judged anew (`records.engine`).

It decides nothing: `records.rules.capture.judge` has found each answer kept here, of a lawful half that took nothing as a wild card. Such
an answer depends on the cards of the half's own month on the field and on nothing else that differs between tables of one `Known`.
"""

from typing import Final

from records import packed

NEW: Final = -1
"""This half was not played to such a field before."""
MOST_HALVES: Final = 10_000
"""Halves that are kept; those that can be lawful are fewer."""
MOST_TURNS: Final = 40_000
"""Turns that are kept: about as many as two plain halves can make."""


class Half:
    """One half of a turn: a card that takes none, some or all of its month."""

    __slots__ = ("month", "same", "takes")

    def __init__(self, card: int, same: int) -> None:
        self.same: int = same
        """All cards with the card's code."""
        self.month: int = card & 60
        """The first card of its month."""
        self.takes: list[int] = [NEW] * 16
        """The field cards that it takes, by the four cards of its month on the field; `NEW` where it is not known, 0: it stays there."""


class Turn:
    """A turn taken apart: what `Half` says of its halves, side by side."""

    __slots__ = ("call", "month", "plays", "same", "takes", "turns_up", "up_month", "up_same", "up_takes")

    def __init__(self, first: Half | None, second: Half | None, call: int) -> None:
        self.plays: bool = first is not None
        """A card from the hand; else there is none left (CP-8)."""
        self.turns_up: bool = second is not None
        self.call: int = call
        first = first or _NONE
        second = second or _NONE
        self.same: int = first.same
        self.month: int = first.month
        self.takes: list[int] = first.takes
        self.up_same: int = second.same
        self.up_month: int = second.month
        self.up_takes: list[int] = second.takes


_NONE: Final = Half(0, 0)


class Known:
    """What is known at tables where the same cards share codes and go to the player's own pile."""

    def __init__(self, same: list[int]) -> None:
        self._same = same
        self.halves: dict[bytes, Half] = {}
        self.turns: dict[bytes, Turn] = {}

    def half(self, half: bytes) -> Half:
        """The one object for a half that names what it takes."""
        found = self.halves.get(half)
        if found is None:
            if len(self.halves) >= MOST_HALVES:
                self.halves.clear()
            found = self.halves[half] = Half(half[0], self._same[half[0]])
        return found

    def turn(self, action: bytes) -> Turn | None:
        """The one object for a turn; None for an action that is no such turn, or leaves a capture to the rules."""
        found = self.turns.get(action)
        if found is None:
            found = self._taken_apart(action)
            if found is not None:
                if len(self.turns) >= MOST_TURNS:
                    self.turns.clear()
                self.turns[action] = found
        return found

    def _taken_apart(self, action: bytes) -> Turn | None:
        end = len(action)
        head = action[0]
        if head > packed.NONE or (head < packed.NONE and action[1] == packed.BARE):
            return None
        cut = packed.half_length(action, 0)
        first = self.half(action[:cut]) if head < packed.NONE else None
        call = action[end - 1]
        if call == packed.KOI or call == packed.STOP:
            end -= 1
        else:
            call = 0
        if cut == end:
            return Turn(first, None, call)
        if action[cut] >= packed.NONE or action[cut + 1] == packed.BARE or cut + packed.half_length(action, cut) != end:
            return None
        return Turn(first, self.half(action[cut:end]), call)


_OF: Final[dict[tuple[bool, int], Known]] = {}


def known_of(merge_yellow: bool, own_pile: int, same: list[int]) -> Known:
    """What is known at tables where the same cards share codes and go to the player's own pile: all else is the same at every table.
    `same`: by card, all cards with its code."""
    return _OF.setdefault((merge_yellow, own_pile), Known(same))
