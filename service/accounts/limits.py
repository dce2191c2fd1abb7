"""How much one address, and one account, may ask: requests, bytes, failed sign-ins, imports. Held in memory: a restart forgives.

Each limit is a bucket that fills steadily; who empties it waits until there is enough again.
"""

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

MOST: Final = 10_000
"""Buckets of one limit; the one that was used longest ago is forgotten first."""


@dataclass(frozen=True, slots=True)
class Limit:
    """So much in so many seconds."""

    amount: float
    seconds: float

    @property
    def rate(self) -> float:
        """What comes back in a second."""
        return self.amount / self.seconds


class Buckets:
    """One limit, for many addresses and accounts."""

    def __init__(self, limit: Limit) -> None:
        self.limit = limit
        self._lock = threading.Lock()
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str, amount: float = 1.0, at: float | None = None) -> float:
        """Takes from a bucket; the seconds to wait where there is too little in it, and then nothing is taken. What is more than the
        whole bucket waits for a full one and overdraws it."""
        at = time.monotonic() if at is None else at
        with self._lock:
            left, since = self._left.pop(key, (self.limit.amount, at))
            left = min(self.limit.amount, left + (at - since) * self.limit.rate)
            need = min(amount, self.limit.amount)
            wait = 0.0 if left >= need else (need - left) / self.limit.rate
            self._left[key] = (left if wait else left - amount, at)
            if len(self._left) > MOST:
                self._left.popitem(last=False)
        return wait
