"""How a command reaches records: through the server that holds the store, or by opening the file; either way the same three acts."""

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol, TypeVar

import click

from records.formats import Document, documents, files_in
from service.batches import SHARED, Taken, gathered, joined, packed, take, take_packed
from service.client import PIECE, Client, Refused
from service.commands.asking import client_of, failures
from service.commands.reading import label
from service.config import Settings, load
from service.desk import Desk, now
from service.errors import StoreBroken
from service.exports import TABLES, backup, place
from service.opening import holder, opened
from service.store import Store
from service.workers import HERE, Crew, Workers

T = TypeVar("T")

ALONE: Final = Crew()

A_PAGE: Final = 200

A_LOOK: Final = 0.3
"""Seconds between two looks at a job."""

Complain = Callable[[str, str, list[Mapping[str, Any]]], None]
"""Told of each rejected record: the file's name, the position in it, all errors."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What became of records that were sent."""

    stored: int = 0
    known: int = 0
    rejected: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.stored + other.stored, self.known + other.known, self.rejected + other.rejected)

    def __str__(self) -> str:
        return f"{self.stored:,} stored, {self.known:,} known, {self.rejected:,} rejected"


class Records(Protocol):
    """What a command does with records."""

    def take(self, name: str, complain: Complain) -> Iterator[tuple[Counts, float | None]]:
        """Stores all records of a file (``-``: standard input, or a folder); now and then the counts so far and the share that is done."""
        ...

    def ids(self, filters: Mapping[str, str]) -> Iterator[str]:
        """The ids of all records that the filters leave, in the order of arrival."""
        ...

    def fetch(self, id: str, form: str) -> bytes:
        """A record as ``json``, ``text`` or ``sent``."""
        ...

    def table(self, table: str, form: str, filters: Mapping[str, str], target: BinaryIO) -> None:
        """Writes a table as ``csv`` or ``parquet``."""
        ...


class Local:
    """Records in a store that this process has opened."""

    def __init__(self, desk: Desk, workers: Workers = HERE) -> None:
        self._desk = desk
        self._workers = workers

    def take(self, name: str, complain: Complain) -> Iterator[tuple[Counts, float | None]]:
        """Some thousands in one commit."""
        counts = Counts()
        file = _opened(name)
        with file or nullcontext():
            size = os.fstat(file.fileno()).st_size if file is not None else 0
            source: BinaryIO | Path = file or (sys.stdin.buffer if name == "-" else Path(name))
            stored = self._stored(name, self._taken(documents(source, name=label(name))), complain)
            for batch in stored:
                counts += batch
                yield counts, min(1.0, file.tell() / size) if file is not None and size else None

    def _taken(self, found: Iterator[Document]) -> Iterator[Taken]:
        if self._workers is HERE:
            return (take(batch, now()) for batch in gathered(found))
        return joined(self._workers.each(take_packed, ((packed(batch), now()) for batch in gathered(found, SHARED))))

    def _stored(self, name: str, found: Iterator[Taken], complain: Complain) -> Iterator[Counts]:
        """What became of each batch. While one is being stored the next one is judged."""
        waiting: tuple[int, int, Future[int]] | None = None
        for taken in found:
            for reject in taken.rejects:
                complain(name, reject.position, reject.errors)
            if waiting is not None:
                yield _counts(*waiting)
                waiting = None
            if taken.batch is None:
                yield Counts(rejected=taken.size)
            else:
                waiting = taken.batch.size, len(taken.rejects), self._desk.putting(taken.batch)
            del taken  # what is stored is let go while the next is judged
        if waiting is not None:
            yield _counts(*waiting)

    def ids(self, filters: Mapping[str, str]) -> Iterator[str]:
        """Page by page."""
        cursor: str | None = None
        while True:
            page = self._desk.records(filters, "sent", cursor, A_PAGE)
            yield from (row.id for row in page.items)
            cursor = page.next
            if cursor is None:
                return

    def fetch(self, id: str, form: str) -> bytes:
        """Straight from the store."""
        found = self._desk.form(id, form)
        if found is None:
            raise click.ClickException(f"there is no record {id}")
        return found[0]

    def table(self, table: str, form: str, filters: Mapping[str, str], target: BinaryIO) -> None:
        """By way of a file of the store's own."""
        if table not in TABLES:
            raise click.ClickException(f"there is no table {table!r}; there are {', '.join(TABLES)}")
        path = self._desk.export(table, form, filters)
        try:
            with path.open("rb") as file:
                shutil.copyfileobj(file, target)
        finally:
            path.unlink()


def _counts(size: int, rejected: int, new: "Future[int]") -> Counts:
    """Of a batch, once it is stored."""
    stored = new.result()
    return Counts(stored, size - stored, rejected)


def _opened(name: str) -> BinaryIO | None:
    """A file of which it can be told how much was read; None for a folder, standard input, and what cannot be opened."""
    try:
        return open(name, "rb") if name != "-" and Path(name).is_file() else None
    except OSError:
        return None  # opening it again will say why


class Remote:
    """Records on a server."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def take(self, name: str, complain: Complain) -> Iterator[tuple[Counts, float | None]]:
        """The stream is sent whole; the server's job is followed to its end. Of a folder each file is sent that may hold records."""
        whole = Counts()
        files = [str(file) for file in files_in(Path(name))] if name != "-" and Path(name).is_dir() else []
        for file in files or [name]:
            counts = Counts()
            for counts, share in self._job(file, complain):
                yield whole + counts, share
            whole += counts

    def _job(self, name: str, complain: Complain) -> Iterator[tuple[Counts, float | None]]:
        if (file := _opened(name)) is None and name != "-":
            for document in documents(Path(name), name=name):  # says why there is nothing to send
                complain(name, document.position, [error.as_dict() for error in document.errors])
            yield Counts(rejected=1), 1.0
            return
        called = Path(name).name
        with file or nullcontext(sys.stdin.buffer) as stream:
            job = self._client.start_import(iter(partial(stream.read, PIECE), b""), called)
        while job["state"] in ("queued", "running"):
            time.sleep(A_LOOK)
            job = self._client.job(job["id"])
            yield Counts(job["stored"], job["known"], job["rejected"]), job["progress"]
        yield Counts(job["stored"], job["known"], job["rejected"]), 1.0
        for reject in self._client.rejects(job["id"]):
            position: str = reject["position"]
            complain(name, name + position.removeprefix(called) if position.startswith(called) else position, reject["errors"])
        if job["state"] != "done":
            raise click.ClickException(f"the import of {name} is {job['state']}: {job['reason'] or 'by somebody else'}")

    def ids(self, filters: Mapping[str, str]) -> Iterator[str]:
        """Page by page."""
        return (record["id"] for record in self._client.records(**filters, sort="sent", limit=str(A_PAGE)))

    def fetch(self, id: str, form: str) -> bytes:
        """One call a record."""
        return self._client.record(id, form)

    def table(self, table: str, form: str, filters: Mapping[str, str], target: BinaryIO) -> None:
        """One call."""
        self._client.export(table, form, target, **filters)


def copy_store(db: Path | None, target: Path) -> None:
    """A copy of the store as it is at this moment, made by the server that holds it or by this process. Failures end the command."""
    with failures():
        settings = load({"db": db}).settings
        if target.exists():
            raise StoreBroken(f"{target} is there already; nothing was written over")
        if held := holder(settings):
            target.parent.mkdir(parents=True, exist_ok=True)
            with Client(held.address, held.token) as client, tempfile.TemporaryDirectory(dir=target.parent) as folder:
                part = Path(folder) / "part"
                with part.open("wb") as file:
                    client.backup(file)
                place(part, target)
            return
        with opened(settings) as store:
            copy = backup(store)
            try:
                place(copy, target)
            finally:
                copy.unlink()


@contextmanager
def open_copy(db: Path | None, lake: str | None = None) -> Iterator[Store]:
    """The store to look at: itself, or a copy of it where a server holds it. Failures end the command."""
    with failures():
        settings = load({"db": db, "lake": lake}).settings
        if not settings.lake and not settings.db.is_file():
            raise StoreBroken(f"{settings.db} is not there")
        if not holder(settings):
            with opened(settings) as store, store.at_rest():
                yield store
            return
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "copy.duckdb"
            copy_store(db, copy)
            with Store(copy, memory_limit=settings.memory) as store:
                yield store


def _client(settings: Settings, db: Path | None, server: str | None) -> Client | None:
    """The server that was named, asked with the token of the environment, or the one that holds the store, asked as its owner; None where
    the file is to be opened."""
    if server:
        if db is not None:
            raise click.UsageError("--db is a file, --server a server: give one of them")
        return client_of(server)
    held = holder(settings)
    return Client(held.address, held.token) if held else None


@contextmanager
def client_or_store(db: Path | None, server: str | None = None) -> Iterator[Client | Store]:
    """The server, asked as the store's owner where it holds the store, or else the store itself. Failures end the command."""
    with failures():
        settings = load({"db": db}).settings
        if client := _client(settings, db, server):
            with client:
                yield client
            return
        with opened(settings) as store:
            yield store


def either(
    db: Path | None,
    server: str | None,
    remote: Callable[[Client], T],
    local: Callable[[Store], T],
    missing: str = "there is no such thing",
) -> T:
    """What is asked of a server, or of the store itself. `missing` says what a KeyError means. Failures end the command, with every
    fault."""
    with client_or_store(db, server) as where:
        try:
            return remote(where) if isinstance(where, Client) else local(where)
        except KeyError as error:
            raise click.ClickException(missing) from error
        except Refused as refused:
            if refused.status == 404:
                raise click.ClickException(missing) from refused
            raise


@contextmanager
def records(db: Path | None, server: str | None, crew: Crew = ALONE, lake: str | None = None, taking_in: bool = False) -> Iterator[Records]:
    """The records of a server's store, or of a file, held by a server or not. Failures end the command with a sentence. `crew`: who shares
    the taking in; `taking_in`: it is all that is done."""
    with failures():
        settings = load({"db": db, "lake": lake}).settings
        if client := _client(settings, db, server):
            if not crew.alone:
                raise click.UsageError(f"the server at {client.server} takes the records in by itself: leave --workers and --dask out")
            with client:
                yield Remote(client)
            return
        with crew.start() as workers, opened(settings, taking_in=taking_in) as store:
            yield Local(Desk(store), workers)
