"""What a reader takes at most (record-format.md, 1): the defaults, all configurable."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, eq=False)
class Limits:
    """Limits of one reader. Sizes in bytes, lengths in characters.

    None equals another: what was met before under some is looked up by them.
    """

    record: int = 1_000_000
    """Bytes of one record."""
    rounds: int = 500
    actions: int = 200
    """Actions of one round."""
    name: int = 200
    """Characters of a player's name or of a part of `event`."""
    nesting: int = 32
    """Objects and lists inside each other, the record's own object counted."""
    number: int = 1_000_000_000
    """The largest amount that can be claimed, either sign."""
    errors: int = 1_000
    """Errors that are listed of one record; beyond, it is only said that there are more."""
    ratio: int = 100
    """An entry of a zip unpacks to at most so many times its size in there."""
    entries: int = 100_000
    """Entries of one zip."""


LIMITS: Final = Limits()
"""The defaults."""
