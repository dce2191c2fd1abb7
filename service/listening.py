"""How requests reach the application: waitress, with the lane (`service.lane`) for records that are sent one by one."""

import functools
import threading
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final

from flask import Flask
from waitress import create_server, wasyncore
from waitress.channel import HTTPChannel
from waitress.task import ErrorTask, ThreadedTaskDispatcher, WSGITask

from service.api.problems import problem, too_large
from service.config import Settings
from service.courtesy import Courtesy
from service.lane import Lane

IDLE: Final = 1.0
"""Seconds between two looks at connections that are silent."""
FINISHING: Final = 5.0
"""Seconds in which what has begun is finished, when it is to stop."""
SHORT: Final = 65_536
"""Bytes of a body, at most, that is taken in the lane; who sends more has a thread, and does not hold up the others."""

_PROXY: Final = {
    "trusted_proxy": "127.0.0.1",
    "trusted_proxy_count": 1,
    "trusted_proxy_headers": {"x-forwarded-for", "x-forwarded-proto"},
}
"""A proxy is believed who asks, and over what; not for which host."""


class Listener:
    """A server. One thread looks after the connections and runs the lane; what is no task for the lane is answered in threads."""

    def __init__(self, app: Flask, settings: Settings, in_lane: Callable[[str, str], bool], courtesy: Courtesy) -> None:
        """Listens. `in_lane`: which requests, by method and path, mostly wait for a commit; `courtesy`: for whom they wait.

        Raises OSError or ValueError where it cannot.
        """
        self._lane = Lane(self._wake)
        self._courtesy = courtesy
        self._stopping = False
        self._woken = False
        """Whether the thread has been woken since it last looked what is due."""
        self._thread = 0
        self._connections: dict[int, Any] = {}
        self._dispatcher = _Dispatcher(self._lane, in_lane)
        self._dispatcher.set_thread_count(settings.threads)
        self._server = create_server(
            app,
            map=self._connections,
            _dispatcher=self._dispatcher,
            host=settings.host,
            port=settings.port,
            threads=settings.threads,
            max_request_body_size=settings.max_import,
            clear_untrusted_proxy_headers=True,
            **(_PROXY if settings.behind_proxy else {}),
            ident="hanafu",
        )
        self._server.channel_class = _Channel
        self._server.pull_trigger = self._wake
        self.port: int = self._server.effective_port

    def run(self) -> None:
        """Answers until it is told to stop; then what has begun is finished."""
        self._thread = threading.get_ident()
        while not self._stopping:
            self._woken = False
            patience = self._courtesy.patience() if self._lane.due else 0.0
            self._lane.run(begin=not patience)
            pause = patience or (0.0 if self._lane.due else IDLE)
            wasyncore.loop(pause, map=self._connections, count=1)
        end = time.monotonic() + FINISHING
        while not self._lane.at_rest and time.monotonic() < end:
            self._lane.run(begin=True)
            time.sleep(0.001)
        self._dispatcher.shutdown(timeout=max(0.1, end - time.monotonic()))

    def stop(self) -> None:
        """Tells it to stop. Called by any thread, and where a signal is handled."""
        self._stopping = True
        self._server.trigger.pull_trigger()

    def close(self) -> None:
        """Listens no longer, and lets connections go."""
        self._server.close()
        wasyncore.close_all(self._connections, ignore_all=True)

    def _wake(self) -> None:
        if not self._woken and threading.get_ident() != self._thread:
            self._woken = True
            self._server.trigger.pull_trigger()


class _Dispatcher(ThreadedTaskDispatcher):  # type: ignore[misc]  # waitress comes without types
    """Gives a connection whose request is whole to a thread, or to the lane."""

    def __init__(self, lane: Lane, in_lane: Callable[[str, str], bool]) -> None:
        super().__init__()
        self._lane = lane
        self._in_lane = in_lane

    def add_task(self, task: Any) -> None:
        """`task` is the connection."""
        request = task.requests[0]
        short = not request.error and int(request.headers.get("CONTENT_LENGTH", 0)) <= SHORT
        if short and self._in_lane(request.command, request.path):
            self._lane.add(functools.partial(self._answer, task))
        else:
            super().add_task(task)

    def _answer(self, task: Any) -> None:
        try:
            task.service()
        except BaseException:  # as in a thread
            self.logger.exception("Exception when servicing %r", task)


class _Task(WSGITask):  # type: ignore[misc]
    """Sends the head of an answer together with what comes first of its body."""

    channel: Any

    def write(self, data: bytes) -> None:
        """As its base class does, in one piece."""
        channel: Any = self.channel
        pieces = _Pieces(channel)
        self.channel = pieces
        try:
            super().write(data)
        finally:
            self.channel = channel
        channel.write_soon(b"".join(pieces.written))


class _Pieces:
    """Stands for a connection while what is written is gathered."""

    def __init__(self, channel: Any) -> None:
        self.server = channel.server
        self.written: list[bytes] = []

    def write_soon(self, data: bytes) -> int:
        """Takes what is to be sent."""
        self.written.append(data)
        return len(data)


class _Refusal(ErrorTask):  # type: ignore[misc]
    """Answers what does not reach the application, as that would."""

    def execute(self) -> None:
        """A problem document; behind it the connection ends."""
        error = self.request.error
        most = self.channel.server.adj.max_request_body_size
        said: str = too_large(most) if error.code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE else f"{error.body.rstrip('.')}."
        answer = problem(error.code, said[:1].upper() + said[1:])
        self.status = answer.status
        self.response_headers.extend(answer.headers.items())
        self.set_close_on_finish()
        body = answer.get_data()
        self.content_length = len(body)
        self.write(body)


class _Channel(HTTPChannel):  # type: ignore[misc]
    """A connection."""

    task_class = _Task
    error_task_class = _Refusal
