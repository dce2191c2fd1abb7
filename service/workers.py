"""One function over many batches: in this process, in several of this machine, or on a Dask cluster; the same results in the same order.

The function is given a batch and gives a result, and does nothing else, so that a batch whose worker was killed is worked off once more
elsewhere. Only so many batches are on their way at a time, however slowly results are taken: memory stays flat. (`joblib.Parallel`, which
works ahead of whoever takes its results, does not bound it; its pool of processes is taken instead.)

Workers are to be there before a store is opened (`Crew.start`): then none of them can have any part of it.
"""

import logging
import mmap
import os
import pickle
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import Any, Final, Protocol, TypeVar

from records import __version__
from service.errors import WorkError

T = TypeVar("T")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)

MOST: Final = 256
"""Processes that may be asked for."""
AHEAD: Final = 2
"""Batches on their way, for each that is worked at."""
ROOM: Final = 32 << 20
"""Bytes of memory in which a batch goes to a worker, and what it made of it comes back; what is larger goes through a pipe. Only what is
used is taken of the system."""
A_LOOK: Final = 1.0
"""Seconds between two looks of a worker whether who started it is still there."""
BEHIND: Final = 5
"""By how much workers stand behind the process that started them, where all want the processor: it alone reads, and stores what they make.
Where cores are few they would otherwise work ahead of it and then wait."""
PATIENCE: Final = 20
"""Seconds in which a cluster must answer, and have a worker."""


class Promise(Protocol[R_co]):
    """A result that will be there."""

    def done(self) -> bool:
        """Whether it is there."""
        ...

    def result(self) -> R_co:
        """Waits for it; raises what went wrong."""
        ...


Submit = Callable[[Callable[[Any], Any], Any], Promise[Any]]


@dataclass(frozen=True, slots=True)
class Workers:
    """Where batches are worked off."""

    submit: Submit
    width: int = 0
    """How many batches are worked at together; 0: each here, when it is handed over."""
    said: Callable[[Exception], str] = lambda error: ""
    """What an error says that comes of the workers and not of the work; empty for one of the work."""

    def each(self, work: Callable[[T], R], batches: Iterable[T]) -> Iterator[R]:
        """The result of each batch, in order. Raises what `work` raises, WorkError where workers are gone."""
        waiting: deque[Promise[R]] = deque()
        for batch in batches:
            waiting.append(self._tried(partial(self.submit, work, batch)))
            while waiting and (len(waiting) >= AHEAD * self.width or waiting[0].done()):
                yield self._tried(waiting.popleft().result)
        while waiting:
            yield self._tried(waiting.popleft().result)

    def _tried(self, call: Callable[[], T]) -> T:
        try:
            return call()
        except Exception as error:
            if said := self.said(error):
                raise WorkError(said) from error
            raise


@dataclass(frozen=True, slots=True)
class _Done:
    """A result that is there."""

    value: Any

    def done(self) -> bool:
        return True

    def result(self) -> Any:
        return self.value


HERE: Final = Workers(lambda work, batch: _Done(work(batch)))
"""This process alone."""


@dataclass(frozen=True, slots=True)
class Crew:
    """Who is to share the work."""

    processes: int = 1
    """Of this machine; 1: this one does it alone."""
    dask: str | None = None
    """The address of a Dask cluster's scheduler; its workers share it then."""

    @property
    def alone(self) -> bool:
        """Whether nobody else has a part in it."""
        return self.dask is None and self.processes == 1

    def start(self) -> AbstractContextManager[Workers]:
        """The workers; they end with the block. Raises WorkError where they cannot be had."""
        if self.dask is not None:
            return _cluster(self.dask)
        return nullcontext(HERE) if self.alone else _processes(self.processes)


@contextmanager
def _processes(count: int) -> Iterator[Workers]:
    from joblib.externals.loky import ProcessPoolExecutor
    from joblib.externals.loky.process_executor import BrokenProcessPool

    # Where the system allows it they come out of this process as it is, all modules loaded: it has neither a store nor a thread of its own.
    # Then they share memory with it, too, in which batches and results lie.
    forked = sys.platform == "linux"
    rooms = [mmap.mmap(-1, ROOM) for _ in range(AHEAD * count)] if forked else []
    pool = ProcessPoolExecutor(count, context=get_context("fork") if forked else None, initializer=_begin, initargs=(os.getpid(), rooms))
    free = list(range(len(rooms)))

    def begun() -> Any:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # inherited: Ctrl-C is for this process, which ends the others
        try:
            return pool.submit(os.getpid)  # all of them are started now, and not with the first batches
        finally:
            signal.signal(signal.SIGINT, before)

    def submit(work: Callable[[T], R], batch: T) -> Promise[R]:
        if free and _put(rooms[free[-1]], batch):
            number = free.pop()
            return _InARoom(pool.submit(_work_in, number, work), rooms[number], partial(free.append, number))
        promise: Promise[R] = pool.submit(work, batch)
        return promise

    def said(error: Exception) -> str:
        return "a worker process ended in the middle of its work, killed or out of memory" if isinstance(error, BrokenProcessPool) else ""

    try:
        begun().result()
        yield Workers(submit, count, said)
    finally:
        pool.shutdown(kill_workers=True)


@dataclass(frozen=True, slots=True)
class _InARoom:
    """A result that will lie in memory that the worker shares."""

    told: Promise[tuple[Any] | None]
    """None where the result lies there; else the result, which found no room."""
    room: mmap.mmap
    leave: Callable[[], None]

    def done(self) -> bool:
        return self.told.done()

    def result(self) -> Any:
        try:
            told = self.told.result()
            return _got(self.room) if told is None else told[0]
        finally:
            self.leave()


def _put(room: mmap.mmap, value: object) -> bool:
    """Writes a value into shared memory; whether there is room for it."""
    room.seek(0)
    try:
        pickle.dump(value, room, pickle.HIGHEST_PROTOCOL)
    except ValueError:
        return False
    return True


def _got(room: mmap.mmap) -> Any:
    room.seek(0)
    return pickle.load(room)


_rooms: Sequence[mmap.mmap] = ()
"""In a worker process: memory that it shares with who started it."""


def _begin(parent: int, rooms: Sequence[mmap.mmap]) -> None:
    """A worker process at its start: it does not outlive who started it."""
    global _rooms
    _rooms = rooms
    if sys.platform != "win32":
        os.nice(BEHIND)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _work_in(number: int, work: Callable[[Any], Any]) -> tuple[Any] | None:
    """In a worker process: the batch lies in shared memory, and what comes of it goes there."""
    result = work(_got(_rooms[number]))
    return None if _put(_rooms[number], result) else (result,)


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(A_LOOK)
    os._exit(1)


@contextmanager
def _cluster(address: str) -> Iterator[Workers]:
    try:
        from distributed import Client, Future
    except ImportError as error:
        raise WorkError("--dask needs the extra [dask], which is not installed here: pip install 'hanafu[dask]'") from error

    def submit(work: Callable[[T], R], batch: T) -> "Future[R]":
        return client.submit(_checked, __version__, work, batch, pure=False)

    for name in ("distributed", "distributed.client"):  # that a worker is gone, and what it had is done anew, troubles nobody
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call]  # it says no types
    except (OSError, ValueError) as error:
        raise WorkError(f"no Dask scheduler answers at {address}: {error}") from error
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError as error:
            raise WorkError(f"the Dask scheduler at {address} has no workers") from error
        threads: dict[str, int] = client.nthreads()  # type: ignore[no-untyped-call]  # the same
        yield Workers(submit, sum(threads.values()), partial(_said_of_cluster, address))


def _said_of_cluster(address: str, error: Exception) -> str:
    from distributed import CancelledError
    from distributed.scheduler import KilledWorker

    if isinstance(error, KilledWorker):
        return f"the workers of {address} end over and over at the same records, killed or out of memory"
    if isinstance(error, CancelledError):
        return f"the Dask scheduler at {address} is gone"
    for each in (error, error.__cause__):  # a worker says it itself, the scheduler as a cause
        if isinstance(each, ModuleNotFoundError):
            return (
                f"the cluster of {address} lacks a package ({each}): hanafu {__version__} has to be installed at its scheduler and workers"
            )
    return ""


def _checked(version: str, work: Callable[[T], R], batch: T) -> R:
    """A batch on a cluster: another version might judge otherwise, or speak of other columns."""
    if version != __version__:
        raise WorkError(f"a worker has hanafu {__version__}, this is {version}; all need the same")
    return work(batch)
