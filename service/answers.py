"""Answers that were given before, kept as long as the store is as it was.

A question is what was asked with all that bears on it: the query, its parameters, whoever may see what. Every commit makes all that is kept
worthless; so nothing has to say which change bears on which question.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Final, TypeVar

from service.store import Store

T = TypeVar("T")

ROWS: Final = 50_000
"""Rows of all kept answers together, at most: some tens of megabytes. Those go first that were not asked for longest."""


class Answers:
    """The answers kept of one store. Safe to use from many threads."""

    def __init__(self, store: Store, rows: int = ROWS) -> None:
        self._store = store
        self._most = rows
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._rows = 0
        self._state = -1

    def of(self, question: Hashable, ask: Callable[[], T], rows: Callable[[T], int] = lambda answer: 1) -> T:
        """The answer to a question; `ask` is called where none is kept of the store's state, `rows` says how large its answer is."""
        state = self._store.state  # looked at before the store is read: what is kept is never older than it says
        with self._lock:
            if state > self._state:
                self._kept.clear()
                self._rows, self._state = 0, state
            if question in self._kept:
                self._kept.move_to_end(question)
                found: T = self._kept[question][0]
                return found
        answer = ask()
        self._keep(question, answer, rows(answer), state)
        return answer

    def _keep(self, question: Hashable, answer: object, rows: int, state: int) -> None:
        with self._lock:
            if state != self._state or rows > self._most or question in self._kept:
                return
            self._kept[question] = answer, rows
            self._rows += rows
            while self._rows > self._most:
                _, (_, gone) = self._kept.popitem(last=False)
                self._rows -= gone
