"""A turn as bytes: what the engine reads and what a record holds.

An action is ``[SEAT + s] first [second] [call]`` or ``[SEAT + s] special``:

* a *half* (``first`` from the hand, ``second`` turned up) is a card's number, then how many cards it takes, then their numbers;
  ``BARE`` instead of the count is a capture that the record leaves to the rules (``3Bx``);
* ``NONE`` is a first half without a card (``-``), ``UNSEEN`` a half that nobody recorded (``?``), ``HIKI + m`` a first half that
  takes all four cards of month m = 1..12 (13: the jokers' place is not used);
* ``KOI`` and ``STOP`` are koi-koi's calls;
* the specials are ``KEEP``, ``LUCKY``, ``MISDEAL``, ``ABANDONED`` and ``THROWN_IN``, a misdeal for another reason, which the reason
  follows in UTF-8 to the end of the action.

Cards are numbers below 64 (``cards.UNKNOWN`` is 63 and never stands in an action). No byte of an action but of a reason is a
byte of UTF-8 above 127, save ``BARE`` and ``END``, which UTF-8 never uses. A *play* is all actions of a round, each followed by ``END``.
"""

from collections.abc import Iterable
from typing import Final

NONE: Final = 64
UNSEEN: Final = 65
KOI: Final = 66
STOP: Final = 67
KEEP: Final = 68
LUCKY: Final = 69
MISDEAL: Final = 70
THROWN_IN: Final = 71
ABANDONED: Final = 72
HIKI: Final = 80
"""Plus the month, 1..12."""
SEAT: Final = 96
"""Plus the seat, 1..7."""
BARE: Final = 0xFE
END: Final = 0xFF
ENDED: Final = bytes((END,))


def half_length(action: bytes, start: int) -> int:
    """How many bytes the half at `start` has."""
    if action[start] >= NONE:
        return 1
    count = action[start + 1]
    return 2 if count == BARE else 2 + count


def play_of(actions: Iterable[bytes]) -> bytes:
    """Some actions as one play."""
    return b"".join([action + ENDED for action in actions])


def actions_of(play: bytes) -> tuple[bytes, ...]:
    """The actions of a play."""
    return tuple(play.split(ENDED)[:-1])
