"""Many records at a time: where each begins and ends, what is stored together, and a batch as columns.

`take` needs no store: whatever process has the bytes of a batch can make its columns, and the one that owns the store puts them in.
"""

import gc
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

import msgspec
import numpy as np

from records.formats import Document, SheetChoices, read_item
from records.formats.sheets import NO_CHOICES
from records.record import Record
from service.rows import Batch, Columns, concatenated, judge_many
from service.store import ROW_GROUP

TOGETHER: Final = ROW_GROUP
"""Records in one commit, at most: their rows fill whole groups."""
A_WHILE: Final = 4.0
"""Seconds that a batch shall take at most, so that counts move: where one took longer, the next is smaller."""
SHARED: Final = ROW_GROUP // 8
"""Records that a worker is given at a time, at most."""
AT_ONCE: Final = 64
"""Records that are read before they are judged: many different things by turns are slower than one thing many times."""
AT_LEAST: Final = 500
"""Records in a batch, however long they take."""
HEAVY: Final = 24 << 20
"""Bytes as sent after which a batch is full, so that large records do not fill the memory."""


@dataclass(frozen=True, slots=True)
class Reject:
    """A record that cannot be read."""

    place: int
    """In the batch, from 0."""
    position: str
    errors: list[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Taken:
    """A batch as columns, and what is not among them."""

    size: int
    """Records, good and bad."""
    batch: Batch | None
    """None: no record of the batch can be read."""
    rejects: list[Reject]


def gathered(found: Iterator[Document], together: int | None = None) -> Iterator[list[Document]]:
    """What is stored together, or so many as are judged together by one worker: until it is enough, or has taken a while to come."""
    together = together or TOGETHER
    batch: list[Document] = []
    size = 0
    most = together
    began = time.monotonic()
    for document in found:
        batch.append(document)
        size += len(document.raw)
        if len(batch) >= most or size >= HEAVY or time.monotonic() - began > A_WHILE:
            given = time.monotonic()
            yield batch
            began = time.monotonic()
            most = together if began - given <= A_WHILE else min(together, max(AT_LEAST, len(batch) // 2))
            batch = []
            size = 0
    if batch:
        yield batch


def packed(documents: Sequence[Document]) -> bytes:
    """Documents on their way to another process: to pickle each costs ten times as much."""
    return _PACK(documents)


def take_packed(sent: tuple[bytes, datetime]) -> Taken:
    """What a worker is given to do: some records, and when they came."""
    packed, sent_at = sent
    return take(_UNPACK(packed), sent_at)


_PACK: Final = msgspec.msgpack.Encoder().encode
_UNPACK: Final = msgspec.msgpack.Decoder(list[Document]).decode


def take(documents: Sequence[Document], sent_at: datetime, choices: SheetChoices = NO_CHOICES) -> Taken:
    """Records read, judged and made columns. The same in any process: nothing but what is handed in decides."""
    rejects: list[Reject] = []
    with uncollected():
        judged = judge_many(read(documents, rejects, choices))
        return Taken(len(documents), Batch.of(judged, sent_at) if judged.ids else None, rejects)


@contextmanager
def uncollected() -> Iterator[None]:
    """Inside, the garbage collector rests: where records have reports it would look through the thousands of a batch over and over, for a
    tenth of the time, and all of them live until the batch ends."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def read(documents: Sequence[Document], rejects: list[Reject], choices: SheetChoices = NO_CHOICES) -> Iterator[tuple[Record, bytes]]:
    """The records of some documents with their bytes, as they are asked for; those that cannot be read go to the rejects."""
    for first in range(0, len(documents), AT_ONCE):
        items = [read_item(document, choices=choices) for document in documents[first : first + AT_ONCE]]
        for place, item in enumerate(items, first):
            if item.record is None:
                rejects.append(Reject(place, item.position, [error.as_dict() for error in item.errors]))
            else:
                yield item.record, item.raw


def joined(found: Iterator[Taken]) -> Iterator[Taken]:
    """What workers have made columns of, put together to what is stored together."""
    parts: list[Taken] = []
    began = time.monotonic()
    for taken in found:
        parts.append(taken)
        if sum(part.size for part in parts) >= TOGETHER or time.monotonic() - began > A_WHILE:
            yield _joined(parts)
            parts = []
            began = time.monotonic()
    if parts:
        yield _joined(parts)


def _joined(parts: Sequence[Taken]) -> Taken:
    batches = [part.batch for part in parts if part.batch is not None]
    rejects: list[Reject] = []
    size = 0
    for part in parts:
        rejects += [replace(reject, place=reject.place + size) for reject in part.rejects]
        size += part.size
    return Taken(size, _behind_each_other(batches) if batches else None, rejects)


def _behind_each_other(batches: Sequence[Batch]) -> Batch:
    if len(batches) == 1:
        return batches[0]
    firsts: list[int] = np.cumsum([0, *(batch.size for batch in batches)]).tolist()
    children = {
        table: _concatenated(
            [
                {**batch.children[table], "record": batch.children[table]["record"] + first}
                for batch, first in zip(batches, firsts[:-1], strict=True)
            ]
        )
        for table in batches[0].children
    }
    return Batch(firsts[-1], _concatenated([batch.records for batch in batches]), children)


def _concatenated(parts: Sequence[Columns]) -> Columns:
    return {name: concatenated([part[name] for part in parts]) for name in parts[0]}
