"""The lane: requests that mostly wait for a commit take turns in one thread, that which listens.

A thread for each would do little but be woken, stand in line for the interpreter, which runs one thread, and wait again. In the lane a
request that waits (`wait`) makes way for the next, and goes on when what it waits for is done: sixteen clients that send records are one
thread's work, and their records come to the writer together.
"""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Final, TypeVar

from greenlet import getcurrent, greenlet

R = TypeVar("R")

BATCH: Final = 16
"""Tasks that begin before the thread looks after its connections again."""


def wait(done: "Future[R]") -> R:
    """What a future comes to. In the lane others have their turns meanwhile."""
    turn = getcurrent()
    if isinstance(turn, _Turn) and not done.done():
        done.add_done_callback(turn.go_on)
        turn.lane.switch()
    return done.result()


class Lane:
    """Tasks that take turns. A task must not fail, and must not wait otherwise than by `wait`."""

    def __init__(self, wake: Callable[[], object]) -> None:
        """`wake`: called by any thread when there is something to be done."""
        self._wake = wake
        self._going: deque[_Turn] = deque()
        """Who has begun and can go on."""
        self._tasks: deque[Callable[[], object]] = deque()
        """What is to begin."""
        self._begun = 0
        """Turns that are not at their end."""

    def add(self, task: Callable[[], object]) -> None:
        """A task is in line. Called by any thread."""
        self._tasks.append(task)
        self._wake()

    def go_on(self, turn: "_Turn") -> None:
        """A turn is in line again. Called by any thread."""
        self._going.append(turn)
        self._wake()

    @property
    def due(self) -> bool:
        """Whether something can be done."""
        return bool(self._going or self._tasks)

    @property
    def at_rest(self) -> bool:
        """Whether all that was added is at its end."""
        return not self._begun and not self._tasks

    def run(self, begin: bool) -> None:
        """Gives turns. `begin`: to such as have not begun, too."""
        while self._going:  # what is all but done comes first
            self._switch(self._going.popleft())
        for _ in range(min(BATCH, len(self._tasks)) if begin else 0):
            self._begun += 1
            self._switch(_Turn(self._tasks.popleft(), self))

    def _switch(self, turn: "_Turn") -> None:
        turn.switch()
        self._begun -= turn.dead


class _Turn(greenlet):  # type: ignore[misc]  # greenlet comes without types
    """A task that has begun. It has context variables of its own."""

    def __init__(self, task: Callable[[], object], lane: Lane) -> None:
        super().__init__(task)
        self.lane = getcurrent()
        self._line = lane

    def go_on(self, _done: "Future[Any]") -> None:
        self._line.go_on(self)
