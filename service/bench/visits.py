"""Many clients of a server in one thread: each has a connection of its own and asks the next thing when the last one is answered.

The client must cost little beside the server, so nothing of an answer is looked at but its status and its length.
"""

import selectors
import socket
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

PATIENCE: Final = 60.0
"""Seconds that an answer may take; then it is an error."""
PIECE: Final = 1 << 16

Request = tuple[str, bytes]
"""What it is called in the result, and its bytes."""


@dataclass(slots=True)
class Told:
    """What came of some visits."""

    seconds: float = 0.0
    """From the first request to the last answer."""
    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """Seconds that each answer took, by what was asked."""
    statuses: Counter[tuple[str, int]] = field(default_factory=Counter)
    """How many answers of each status; 0: none came, or one that broke off."""

    def errors(self, name: str) -> int:
        """Answers to something that were none, or no success."""
        return sum(count for (asked, status), count in self.statuses.items() if asked == name and not 200 <= status < 300)


class Visitor:
    """One client: what it asks, in turn, and how long it waits between two requests."""

    def __init__(self, requests: Iterator[Request], pause: float = 0.0) -> None:
        self.requests = requests
        self.pause = pause
        self.name = ""
        self.since = 0.0
        """When the request was sent that is not answered yet."""
        self.due = 0.0
        """When the next one is sent."""
        self.waits = False
        self.left = b""
        self.received = bytearray()
        self.socket: socket.socket | None = None


def visit(address: tuple[str, int], visitors: Sequence[Visitor], seconds: float) -> Told:
    """Lets the visitors ask for so long, and hears the last answers. A visitor whose connection breaks comes no more."""
    told = Told()
    began = time.perf_counter()
    end = began + seconds
    with selectors.DefaultSelector() as selector:
        for visitor in visitors:
            visitor.socket = socket.create_connection(address, PATIENCE)
            visitor.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            visitor.socket.setblocking(False)
            visitor.due, visitor.waits = began, False
            selector.register(visitor.socket, selectors.EVENT_READ, visitor)
        try:
            _hear(selector, visitors, told, end)
        finally:
            for visitor in visitors:
                if visitor.socket is not None:
                    visitor.socket.close()
                    visitor.socket = None
    told.seconds = time.perf_counter() - began
    return told


def _hear(selector: selectors.BaseSelector, visitors: Sequence[Visitor], told: Told, end: float) -> None:
    idle = set(visitors)
    busy: set[Visitor] = set()
    while True:
        now = time.perf_counter()
        if now < end:
            for visitor in [each for each in idle if each.due <= now]:
                idle.discard(visitor)
                if _ask(selector, visitor, told):
                    busy.add(visitor)
        elif not busy:
            return
        for visitor in [each for each in busy if now - each.since > PATIENCE]:
            busy.discard(visitor)
            _give_up(selector, visitor, told)
        soonest = min((each.due for each in idle), default=end)
        for key, events in selector.select(max(0.0, min(soonest, end) - now) if now < end else 0.1):
            visitor = key.data
            if events & selectors.EVENT_WRITE:
                _send(selector, visitor)
            if events & selectors.EVENT_READ and visitor.socket is not None:
                state = _receive(selector, visitor, told)
                if state is not None:
                    busy.discard(visitor)
                    if state:
                        idle.add(visitor)
        if not idle and not busy:
            return


def _ask(selector: selectors.BaseSelector, visitor: Visitor, told: Told) -> bool:
    """Sends the next request; False where there is none any more."""
    found = next(visitor.requests, None)
    if found is None:
        return False
    visitor.name, visitor.left = found
    visitor.since = time.perf_counter()
    _send(selector, visitor)
    return True


def _send(selector: selectors.BaseSelector, visitor: Visitor) -> None:
    assert visitor.socket is not None
    try:
        sent = visitor.socket.send(visitor.left)
    except (BlockingIOError, ConnectionError):
        sent = 0  # a connection that broke is told by the next reading
    visitor.left = visitor.left[sent:]
    waits = bool(visitor.left)
    if waits != visitor.waits:
        visitor.waits = waits
        selector.modify(visitor.socket, selectors.EVENT_READ | (selectors.EVENT_WRITE if waits else 0), visitor)


def _receive(selector: selectors.BaseSelector, visitor: Visitor, told: Told) -> bool | None:
    """Takes what has come: True where an answer is whole, False where none comes any more, None where it goes on."""
    assert visitor.socket is not None
    try:
        piece = visitor.socket.recv(PIECE)
    except BlockingIOError:
        return None
    except ConnectionError:
        piece = b""
    if not piece:
        _give_up(selector, visitor, told)
        return False
    visitor.received += piece
    head = visitor.received.find(b"\r\n\r\n")
    if head < 0 or len(visitor.received) < head + 4 + _length(bytes(visitor.received[:head])):
        return None
    now = time.perf_counter()
    told.times[visitor.name].append(now - visitor.since)
    told.statuses[visitor.name, int(visitor.received[9:12])] += 1
    visitor.received.clear()
    visitor.due = now + visitor.pause
    return True


def _length(head: bytes) -> int:
    """Bytes of the body. Raises ValueError for an answer that does not say."""
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    raise ValueError(f"an answer does not say how long it is: {head!r}")


def _give_up(selector: selectors.BaseSelector, visitor: Visitor, told: Told) -> None:
    assert visitor.socket is not None
    told.statuses[visitor.name, 0] += 1
    selector.unregister(visitor.socket)
    visitor.socket.close()
    visitor.socket = None
