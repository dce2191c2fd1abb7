"""Who looks goes first: a page is waited for by a person, a record that is sent by a program, and the interpreter runs one thread."""

import threading
import time
from typing import Final

PATIENCE: Final = 0.02
"""Seconds that those who send wait at most, so that many who look do not keep records out."""


class Courtesy:
    """Lets those who send wait a moment for those who look. Safe to use from many threads."""

    def __init__(self) -> None:
        self._looking = 0
        self._until = 0.0
        self._lock = threading.Lock()

    def enter(self) -> None:
        """Somebody looks."""
        with self._lock:
            self._looking += 1

    def leave(self) -> None:
        """And has seen."""
        with self._lock:
            self._looking -= 1

    def patience(self) -> float:
        """For how long those who send should still wait. Asked again and again by the one thread in which they are."""
        if not self._looking:
            self._until = 0.0
            return 0.0
        now = time.monotonic()
        if not self._until:
            self._until = now + PATIENCE
        left = self._until - now
        if left <= 0:
            self._until = 0.0
        return max(0.0, left)
