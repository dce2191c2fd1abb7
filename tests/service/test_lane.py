"""Requests that wait for a commit take turns in one thread; and how a server hands them to it."""

import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

import pytest
from flask import Flask, request

from service.config import Settings
from service.courtesy import Courtesy
from service.lane import BATCH, Lane, wait
from service.listening import SHORT, Listener
from tests.service.conftest import Sheet, Start


def test_who_waits_makes_way_and_goes_on_before_others_begin() -> None:
    lane = Lane(lambda: None)
    order: list[str] = []
    waits: dict[str, Future[str]] = {name: Future() for name in "ab"}

    def task(name: str) -> None:
        order.append(f"{name} begins")
        order.append(wait(waits[name]))

    lane.add(lambda: task("a"))
    lane.add(lambda: task("b"))
    lane.run(begin=True)
    assert order == ["a begins", "b begins"]
    assert not lane.due
    assert not lane.at_rest
    lane.add(lambda: order.append("c"))
    waits["b"].set_result("b ends")
    lane.run(begin=False)
    assert order[2:] == ["b ends"]
    waits["a"].set_result("a ends")
    assert lane.due
    lane.run(begin=True)
    assert order[3:] == ["a ends", "c"]
    assert lane.at_rest


def test_what_a_future_raises_is_raised_where_it_is_waited_for() -> None:
    lane = Lane(lambda: None)
    broken: Future[None] = Future()
    seen: list[str] = []

    def task() -> None:
        with pytest.raises(ValueError, match="no room") as error:
            wait(broken)
        seen.append(str(error.value))

    lane.add(task)
    lane.run(begin=True)
    broken.set_exception(ValueError("no room"))
    lane.run(begin=True)
    assert seen == ["no room"]


def test_outside_the_lane_one_simply_waits() -> None:
    done: Future[int] = Future()
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(wait, done)
        done.set_result(7)
        assert waiting.result() == 7


def test_each_turn_has_context_variables_of_its_own() -> None:
    lane = Lane(lambda: None)
    who: ContextVar[str] = ContextVar("who", default="nobody")
    goes_on: Future[None] = Future()
    seen: list[str] = []

    def task(name: str) -> None:
        seen.append(who.get())
        who.set(name)
        wait(goes_on)
        seen.append(who.get())

    for name in ("a", "b"):
        lane.add(lambda name=name: task(name))  # type: ignore[misc]
    lane.run(begin=True)
    goes_on.set_result(None)
    lane.run(begin=True)
    assert seen == ["nobody", "nobody", "a", "b"]
    assert who.get() == "nobody"


def test_connections_are_looked_after_between_batches_and_whoever_adds_wakes() -> None:
    woken: list[None] = []
    lane = Lane(lambda: woken.append(None))
    ran: list[int] = []
    for number in range(BATCH + 1):
        lane.add(lambda number=number: ran.append(number))  # type: ignore[misc]
    assert len(woken) == BATCH + 1
    lane.run(begin=True)
    assert ran == list(range(BATCH))
    assert lane.due


@contextmanager
def _listening(app: Flask) -> Iterator[tuple[Listener, int]]:
    """A server whose lane takes what is posted to /lane."""
    listener = Listener(app, Settings(port=0, threads=2), lambda method, path: (method, path) == ("POST", "/lane"), Courtesy())
    thread = threading.Thread(target=listener.run, name="listening")
    thread.start()
    try:
        yield listener, listener.port
    finally:
        listener.stop()
        thread.join()
        listener.close()


def _post(path: str, body: bytes) -> bytes:
    return b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%b" % (path.encode(), len(body), body)


def _answer(connection: socket.socket) -> bytes:
    """The body of the next answer, with its head in one piece."""
    piece = connection.recv(1 << 16)
    head, _, body = piece.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 ")
    assert f"Content-Length: {len(body)}".encode() in head
    return body


def _telling() -> Flask:
    """Answers in which thread it does, and what was sent."""
    app = Flask("telling")
    app.add_url_rule(
        "/<place>", view_func=lambda place: f"{threading.current_thread().name} {len(request.data)} {place}", methods=["GET", "POST"]
    )
    return app


def test_short_ones_are_answered_by_the_thread_that_listens_others_by_threads() -> None:
    with _listening(_telling()) as (_, port), socket.create_connection(("127.0.0.1", port)) as connection:

        def ask(sent: bytes) -> str:
            connection.sendall(sent)
            return _answer(connection).decode()

        assert ask(_post("/lane", b"x" * SHORT)).startswith("listening ")
        assert ask(_post("/lane", b"x" * (SHORT + 1))).startswith("waitress-")
        assert ask(_post("/page", b"x")).startswith("waitress-")
        assert ask(b"GET /lane HTTP/1.1\r\nHost: localhost\r\n\r\n").startswith("waitress-")
        chunk = b"%x\r\n%b\r\n" % (SHORT + 1, b"x" * (SHORT + 1))
        chunked = b"POST /lane HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk + b"0\r\n\r\n"
        assert ask(chunked).startswith("waitress-")


def test_answers_keep_the_order_of_what_was_sent_on_a_connection() -> None:
    with _listening(_telling()) as (_, port), socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(_post("/lane", b"1") + _post("/page", b"22") + _post("/lane", b"333"))
        received = b""
        while received.count(b"HTTP/1.1 200 ") < 3 or not received.endswith(b"lane"):
            received += connection.recv(1 << 16)
        assert [int(body.split()[1]) for body in received.split(b"\r\n\r\n")[1:]] == [1, 2, 3]


def test_what_has_begun_is_finished_when_it_is_to_stop() -> None:
    app = Flask("waiting")
    commit: Future[str] = Future()
    begun = threading.Event()

    @app.post("/lane")
    def waiting() -> str:
        begun.set()
        return wait(commit)

    with _listening(app) as (listener, port), socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(_post("/lane", b""))
        assert begun.wait(30)
        listener.stop()
        commit.set_result("durable")
        assert _answer(connection) == b"durable"


def test_one_that_cannot_be_read_waits_for_nothing_and_takes_nobody_along(start: Start, tmp_path: Path, sheet: Sheet) -> None:
    """Many at a time, good and bad, on connections of their own."""
    _, address = start(tmp_path / "store.duckdb")
    port = int(address.rpartition(":")[2])

    def send(number: int) -> tuple[int, dict[str, object]]:
        body = sheet(number, -number) if number % 2 else b'{"format": "hanafuda-record/1"}'
        with socket.create_connection(("127.0.0.1", port)) as connection:
            head = b"POST /api/v1/records HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
            connection.sendall(b"%bContent-Length: %d\r\n\r\n%b" % (head, len(body), body))
            received = b""
            while piece := connection.recv(1 << 16):
                received += piece
        top, _, content = received.partition(b"\r\n\r\n")
        assert b"X-Request-Id: " in top
        return int(received[9:12]), json.loads(content)

    with ThreadPoolExecutor(16) as threads:
        answers = list(threads.map(send, range(1, 41)))
    assert [status for status, _ in answers] == [201, 422] * 20
    assert all(answer["errors"] for status, answer in answers if status == 422)
    assert len({answer["record"] for status, answer in answers if status == 201}) == 20
