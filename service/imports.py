"""Imports: many records in one stream, taken in by a thread of their own, a batch a commit.

A batch and the count of what was read are one transaction. So an import that was cut off, by `kill -9` too, goes on behind the last batch
that is in the store: nothing is lost, nothing is taken twice, and the counts stay right. The stream is kept in the scratch folder until
the import is done.
"""

import io
import logging
import os
import secrets
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import islice
from pathlib import Path
from typing import IO, Any, Final

import duckdb
import numpy as np
import orjson

from records.formats import documents
from service.batches import Taken, gathered, take
from service.desk import Desk, now
from service.errors import StoreBroken, StoreError
from service.jsons import dumps
from service.rows import insert, objects

WAITING: Final = 100
"""Imports that may wait; more are refused."""
WAITING_OF_ONE: Final = 3
"""Of one account."""
PIECE: Final = 1 << 20
AGAIN: Final = 10.0
"""Seconds until a store is asked again that could not say what waits."""

_log = logging.getLogger("hanafu.imports")


class TooManyImports(Exception):
    """As many imports wait as may."""


@dataclass(frozen=True, slots=True)
class Job:
    """How far an import has got."""

    id: str
    name: str
    bytes: int
    state: str
    """``queued``, ``running``, ``done``, ``cancelled`` or ``failed``."""
    reason: str | None
    read: int
    stored: int
    known: int
    rejected: int
    step: int
    account: str | None = None
    """Who sent it, where there are accounts."""
    progress: float | None = None
    """The share of the stream that was read, 0 to 1; None while it does not run."""
    seconds_left: float | None = None

    @property
    def total(self) -> int | None:
        """Records in all; known when all are read."""
        return self.read if self.state == "done" else None


@dataclass(slots=True)
class _Running:
    """The import that the thread is at."""

    id: str
    size: int
    began: float = field(default_factory=time.monotonic)
    at: int = 0
    """Bytes of the stream read."""
    first: int = 0
    """Bytes of the stream read before the first new record."""
    stop: str = ""
    """The state to leave it in: ``cancelled`` or ``queued``; empty: go on."""


class _Stopped(Exception):
    """The import is to be left."""


class _Stream(io.FileIO):
    """The stream of an import, which ends the reading when that is to stop, however long no record comes out of it."""

    def __init__(self, path: Path, running: _Running) -> None:
        super().__init__(path)
        self._running = running

    def readinto(self, buffer: Any, /) -> int:
        if self._running.stop:
            raise _Stopped
        return super().readinto(buffer)


class Imports:
    """All imports of one store, and the thread that works them off in turn."""

    def __init__(self, desk: Desk) -> None:
        """Imports that were cut off are queued again."""
        self._desk = desk
        self._store = desk.store
        self._folder = desk.store.scratch / "imports"
        self._folder.mkdir(mode=0o700, exist_ok=True)
        self._lock = threading.Condition()
        self._running: _Running | None = None
        self._closed = False
        for job in self.jobs():
            if job.state == "running" and self._ours(job):
                self._step(job, "queued")
        self._thread = threading.Thread(target=self._work, name="hanafu-imports", daemon=True)
        self._thread.start()

    def submit(self, stream: IO[bytes], name: str) -> Job:
        """Takes a stream in and queues it. The stream is on disk and the import in the store when this returns. Raises
        TooManyImports where enough wait already, StoreBroken where the disk takes no more."""
        waiting = [job.account for job in self._jobs("", ()) if job.state in ("queued", "running")]
        account = self._desk.guard.account()
        if len(waiting) >= WAITING or (account is not None and waiting.count(account) >= WAITING_OF_ONE):
            raise TooManyImports
        id = secrets.token_hex(8)
        size = 0
        draft = self._folder / f"{id}.part"
        try:
            with draft.open("wb") as file:
                while piece := stream.read(PIECE):
                    size += file.write(piece)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(self._stream(id))
        except OSError as error:
            raise StoreBroken(f"the stream could not be kept, and nothing of it was stored: {error.strerror or error}") from error
        finally:
            draft.unlink(missing_ok=True)
        self._store.write(_begin, (id, name[:200], size, account)).result()
        with self._lock:
            self._lock.notify_all()
        return self.job(id)

    def job(self, id: str) -> Job:
        """How far an import has got. Raises KeyError for an id that is none."""
        found = self._jobs("WHERE i.id = ?", (id,))
        if not found or not self._desk.guard.sees_import(found[0].account):
            raise KeyError(id)
        return found[0]

    def jobs(self) -> list[Job]:
        """All imports, the latest first."""
        return [job for job in self._jobs("", ()) if self._desk.guard.sees_import(job.account)]

    def rejects(self, id: str, after: int, limit: int) -> list[dict[str, Any]]:
        """What was refused, behind a place in the import: place, position and all errors of each."""
        rows = self._store.read(
            "SELECT place, position, errors FROM import_rejects WHERE import = ? AND place > ? ORDER BY place LIMIT ?",
            (id, after, limit),
        )
        return [{"place": place, "position": position, "errors": orjson.loads(errors)} for place, position, errors in rows]

    def cancel(self, id: str) -> Job:
        """Stops an import that waits or runs; what it has stored stays. Raises KeyError."""
        with self._lock:
            if self._running and self._running.id == id:
                self._running.stop = "cancelled"
                self._lock.wait_for(lambda: self._running is None or self._running.id != id)
        job = self.job(id)
        return self._step(job, "cancelled") if job.state == "queued" and self._ours(job) else job

    def resume(self, id: str) -> Job:
        """Queues an import again that was cancelled or failed; it goes on where it was. Raises KeyError."""
        job = self.job(id)
        if job.state in ("cancelled", "failed") and self._ours(job):
            job = self._step(job, "queued")
            with self._lock:
                self._lock.notify_all()
        return job

    def close(self) -> None:
        """Stops behind the batch that is being stored; the import goes on at the next start."""
        with self._lock:
            self._closed = True
            if self._running:
                self._running.stop = "queued"
            self._lock.notify_all()
        self._thread.join()

    def _stream(self, id: str) -> Path:
        return self._folder / id

    def _ours(self, job: Job) -> bool:
        """Whether it is this process that works it off: of several it is the one that took the stream in."""
        return not self._store.shared or self._stream(job.id).is_file()

    def _jobs(self, where: str, parameters: Sequence[object]) -> list[Job]:
        rows = self._store.read(
            "SELECT i.id, i.name, i.bytes, s.state, s.reason, s.read, s.stored, s.known, s.rejected, s.step, h.account "
            f"FROM imports i JOIN import_steps s ON s.import = i.id LEFT JOIN import_holders h ON h.import = i.id {where} "
            "QUALIFY row_number() OVER (PARTITION BY i.id ORDER BY s.step DESC) = 1 ORDER BY i.sent_at DESC, i.id",
            parameters,
        )
        return [self._with_progress(Job(*row)) for row in rows]

    def _with_progress(self, job: Job) -> Job:
        running = self._running
        if running is None or running.id != job.id or job.state != "running" or not running.size:
            return job
        share = min(1.0, running.at / running.size)
        gone = running.at - running.first
        left = (running.size - running.at) * (time.monotonic() - running.began) / gone if gone > 0 else None
        return replace(job, progress=round(share, 4), seconds_left=None if left is None else round(left, 1))

    def _step(self, job: Job, state: str, reason: str | None = None) -> Job:
        """The next row of an import that changes its state and nothing else."""
        after = replace(job, state=state, reason=reason, step=job.step + 1, progress=None, seconds_left=None)
        self._store.write(_note, after).result()
        return after

    def _work(self) -> None:
        while True:
            with self._lock:
                while not self._closed and (job := self._next()) is None:
                    self._lock.wait(AGAIN)
                if self._closed:
                    return
                assert job is not None
                self._running = _Running(job.id, job.bytes)
            try:
                self._run(job, self._running)
            except Exception as error:
                _log.exception("import %s failed", job.id)
                reason = str(error) if isinstance(error, StoreError) else "An error of ours; the log of the server tells more."
                with suppress(StoreError):  # A store that takes nothing any more: the import goes on when it does again.
                    self._step(self.job(job.id), "failed", reason)
            finally:
                with self._lock:
                    self._running = None
                    self._lock.notify_all()

    def _next(self) -> Job | None:
        """The one that waits the longest. While none is at work one that is called running was left so, by a store that was away."""
        try:
            waiting = [job for job in self.jobs() if job.state in ("queued", "running") and self._ours(job)]
        except StoreError:
            return None
        return waiting[-1] if waiting else None

    def _run(self, job: Job, running: _Running) -> None:
        path = self._stream(job.id)
        if not path.is_file():
            self._step(job, "failed", "The stream is not there any more.")
            return
        job = self._step(job, "running")
        with io.BufferedReader(_Stream(path, running)) as file:
            found = documents(file, name=job.name)
            try:
                for _ in islice(found, job.read):
                    pass
                running.at = running.first = file.tell()
                running.began = time.monotonic()
                for batch in gathered(found):
                    job = self._take(job, take(batch, now()))
                    running.at = file.tell()
                    if running.stop:
                        raise _Stopped
            except _Stopped:
                self._step(job, running.stop)
                return
        self._step(job, "done")
        path.unlink()

    def _take(self, job: Job, taken: Taken) -> Job:
        """Stores a batch with its count, in one transaction."""
        self._desk.catch_up()
        after = replace(job, step=job.step + 1, read=job.read + taken.size, rejected=job.rejected + len(taken.rejects))
        return self._store.write(_store_batch, _Change(self._desk, taken, job.read + 1, after)).result()


@dataclass(frozen=True, slots=True)
class _Change:
    """A batch to store and the row that counts it."""

    desk: Desk
    taken: Taken
    first: int
    """The place of the batch's first record in the import, from 1."""
    after: Job


def _begin(connection: duckdb.DuckDBPyConnection, sent: Sequence[tuple[str, str, int, str | None]]) -> Sequence[None]:
    for id, name, size, account in sent:
        if account is not None:
            connection.execute("INSERT INTO import_holders (import, account) VALUES (?, ?)", (id, account))
        # Jobs are worked off by this date: behind all before it, whatever the clock says.
        ((last,),) = connection.execute("SELECT max(sent_at) FROM imports").fetchall()
        at = now() if last is None else max(now(), last + timedelta(microseconds=1))
        connection.execute("INSERT INTO imports (id, name, bytes, sent_at) VALUES (?, ?, ?, ?)", (id, name, size, at))
        _note(connection, [Job(id, name, size, "queued", None, 0, 0, 0, 0, 1)])
    return [None] * len(sent)


def _note(connection: duckdb.DuckDBPyConnection, jobs: Sequence[Job]) -> Sequence[None]:
    for job in jobs:
        connection.execute(
            "INSERT INTO import_steps (import, step, state, reason, read, stored, known, rejected) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (job.id, job.step, job.state, job.reason, job.read, job.stored, job.known, job.rejected),
        )
    return [None] * len(jobs)


def _store_batch(connection: duckdb.DuckDBPyConnection, changes: Sequence[_Change]) -> Sequence[Job]:
    done = []
    for change in changes:
        job = change.after
        batch, rejects = change.taken.batch, change.taken.rejects
        if batch is not None:
            stored = int(change.desk.insert(connection, batch, job.account).sum())
            job = replace(job, stored=job.stored + stored, known=job.known + batch.size - stored)
        insert(
            connection,
            "import_rejects",
            {
                "import": objects([job.id for _ in rejects]),
                "place": np.array([change.first + reject.place for reject in rejects], dtype=np.uint64),
                "position": objects([reject.position for reject in rejects]),
                "errors": objects([dumps(reject.errors).decode() for reject in rejects]),
            },
        )
        _note(connection, [job])
        done.append(job)
    return done
