"""Plain plays met before, so that play by the thousand need not be judged anew (`records.engine`).

It decides nothing: `records.rules.capture.judge` has found each answer kept here, of a lawful half that took nothing as a wild card. Such
an answer depends on the cards of the half's own month on the field and on nothing else that differs between tables of one `Known`.
"""

from typing import Final

from records import packed

NEW: Final = -1
"""A field that this half was not played to before."""
MOST_TURNS: Final = 100_000
"""Turns that are kept apart; all that two ordinary halves can be are fewer."""

Turn = tuple[int, int, list[int], int, int, list[int]]
"""A plain turn taken apart, of each half: the cards it can be (0: there is none), the place of its month in a mask, the field cards it
takes by those of its month that lie there (`NEW`: not known)."""

_NEVER: Final[list[int]] = [NEW] * 16
NOT_PLAIN: Final[Turn] = (-1, 0, _NEVER, 0, 0, _NEVER)
_NO_HALF: Final = (0, 0, _NEVER)


class Known:
    """What is known of turns, for all tables whose cards have the same codes and the same way to the piles."""

    def __init__(self, same: list[int]) -> None:
        self.same = same
        self.halves: dict[bytes, list[int]] = {}
        """By half: the field cards it takes, by the four of its month, 16 answers."""
        self.turns: dict[bytes, Turn] = {}

    def keep(self, half: bytes, meets: int, taken: int) -> None:
        """Keep that a half takes these of the cards of its month (0..15) on the field; nothing: it stays there."""
        self._answers(half)[meets] = taken

    def take_apart(self, action: bytes) -> Turn:
        """A turn as `Turn`, kept; `NOT_PLAIN` where it has a seat, a call, a word or an unresolved capture."""
        turn = NOT_PLAIN
        if action[0] <= packed.NONE:
            cut = packed.half_length(action, 0)
            first = self._half(action[:cut], True)
            second = self._half(action[cut:], False)
            if first is not None and second is not None:
                turn = (*first, *second)
        if len(self.turns) >= MOST_TURNS:
            self.turns.clear()
            self.halves.clear()
        self.turns[action] = turn
        return turn

    def _half(self, half: bytes, from_hand: bool) -> tuple[int, int, list[int]] | None:
        if not half or (from_hand and half[0] == packed.NONE):
            return _NO_HALF
        if half[0] < len(self.same) and half[1] != packed.BARE and len(half) == 2 + half[1]:
            return self.same[half[0]], half[0] & 60, self._answers(half)
        return None

    def _answers(self, half: bytes) -> list[int]:
        answers = self.halves.get(half)
        if answers is None:
            answers = [NEW] * 16
            self.halves[half] = answers
        return answers


_OF: Final[dict[tuple[bool, int], Known]] = {}


def known_of(merge_yellow: bool, own_pile: int, same: list[int]) -> Known:
    """What is known at tables where these cards share codes and those go to the player's own pile: all else is the same at every table."""
    key = (merge_yellow, own_pile)
    if key not in _OF:
        _OF[key] = Known(same)
    return _OF[key]
