"""Who looks goes first: a page is waited for by a person, a record that is sent by a program, and the interpreter runs one thread."""

import threading
from typing import Final

PATIENCE: Final = 0.05
"""Seconds that a record waits at most, so that many who look do not keep records out."""


class Courtesy:
    """Lets those who send wait a moment for those who look. Safe to use from many threads."""

    def __init__(self) -> None:
        self._looking = 0
        self._changed = threading.Condition()

    def enter(self) -> None:
        """Somebody looks."""
        with self._changed:
            self._looking += 1

    def leave(self) -> None:
        """And has seen."""
        with self._changed:
            self._looking -= 1
            if not self._looking:
                self._changed.notify_all()

    def wait(self) -> None:
        """Returns when nobody looks, or after a moment."""
        with self._changed:
            self._changed.wait_for(lambda: not self._looking, PATIENCE)
