"""Many records out of whatever holds them: files, folders, gzip, zip, a stream; one at a time, in flat memory.

`documents` finds where each record begins and ends, `read_many` reads them too. A record that cannot be read, a damaged entry,
a file that is none: each is an `Item` with its errors, and the others go on. Nothing is ever unpacked to disk, so names in an
archive lead nowhere.
"""

import codecs
import gzip
import io
import os
import re
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

from msgspec import Struct

from records.errors import ReadError, RecordErrors
from records.formats import sheets
from records.formats.decode import MARK
from records.formats.fast import is_balanced
from records.formats.limits import LIMITS, Limits
from records.formats.sheets import NO_CHOICES, SheetChoices
from records.formats.single import read_bytes
from records.formats.watch_log import BEGINNING
from records.native import count_of
from records.record import Record

SUFFIXES: Final = (".json", ".jsonl", ".ndjson", ".hrn", ".gz", ".zip", *sheets.SUFFIXES)
"""Files in folders and archives that must be records; others are read where they look like records."""
BLOCK: Final = 1 << 18
SPOOL: Final = 1 << 23
"""Bytes of a zip that comes as a stream which are kept in memory; more go to a temporary file."""
GZIP: Final = b"\x1f\x8b"
ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")

LINE: Final = "line {0}"
LINE_OF: Final = "{0}, line {1}"
"""How the place of one record of many is told."""

_WATCHED: Final = BEGINNING.encode()
_LOOKS: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\{|\[[ \t]*[A-Za-z]|;)|" + _WATCHED)
_TEXT: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\[[ \t]*[A-Za-z]|;)")
_WORD: Final = b"Format"
_USUAL: Final = b'[Format "'
_RECORD: Final = re.compile(rb"^(?:\xef\xbb\xbf)?[ \t]*\[[ \t]*Format\b", re.MULTILINE)
_OBJECT: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*\{")
_OBJECT_LATER: Final = re.compile(rb'^\{"', re.MULTILINE)
_SILENT: Final = re.compile(rb"(?:\s+|;[^\n]*|\xef\xbb\xbf)*")
_NEWLINE: Final = 0x0A
_BRACKETS: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[\[\]{}]')
_DAMAGED: Final = (OSError, EOFError, zlib.error, zipfile.BadZipFile, RuntimeError, ValueError)
"""What Python's readers raise over a damaged, encrypted or unknown archive."""


class Document(Struct, gc=False):
    """The bytes of one record, not yet read."""

    position: str
    """Where it stood: `games.zip/12.json`, `games.jsonl, line 17`, `line 17`."""
    raw: bytes
    line: int = 1
    """The number of its first line in its file."""
    errors: list[ReadError] = []
    """Why there are no bytes to read."""
    sheet: bool = False
    """A score sheet, known by its file's name."""


class Item(Struct, frozen=True, gc=False):
    """One record of many, or why it cannot be read."""

    position: str
    raw: bytes
    """As sent; empty where there was none, or too much."""
    record: Record | None
    errors: list[ReadError] = []


def read_many(source: Path | BinaryIO, *, name: str = "-", limits: Limits = LIMITS, choices: SheetChoices = NO_CHOICES) -> Iterator[Item]:
    """All records of a file, a folder or an open binary stream, in order. `name`: what positions call a stream."""
    for document in documents(source, name=name, limits=limits):
        yield read_item(document, limits=limits, choices=choices)


def read_item(document: Document, *, limits: Limits = LIMITS, choices: SheetChoices = NO_CHOICES) -> Item:
    """The record of one document."""
    if document.errors:
        return Item(document.position, document.raw, None, document.errors)
    try:
        if document.sheet:
            return Item(document.position, document.raw, sheets.read_sheet(document.raw, choices, limits))
        return Item(document.position, document.raw, read_bytes(document.raw, limits, document.line))
    except RecordErrors as error:
        return Item(document.position, document.raw, None, error.errors)


def documents(source: Path | BinaryIO, *, name: str = "-", limits: Limits = LIMITS) -> Iterator[Document]:
    """The bytes of each record, for those who read them elsewhere."""
    if not isinstance(source, Path):
        yield from _stream(source, "" if name == "-" else name, limits)
        return
    place = str(source) if name == "-" else name
    try:
        if source.is_dir():
            yield from _folder(source, place, limits)
            return
        file = source.open("rb")
    except OSError as error:
        yield _failed(place, "cannot-open", f"It cannot be opened: {error.strerror or error}.")
        return
    with file:
        yield from _stream(file, place, limits)


def _failed(position: str, code: str, detail: str, expected: str | None = None) -> Document:
    return Document(position, b"", errors=[ReadError(code, detail, expected=expected)])


def _printable(name: str) -> str:
    """A name from outside as a position shows it: no line breaks, no control characters."""
    return "".join(char if char.isprintable() else "\ufffd" for char in name)


def _joined(place: str, name: str) -> str:
    return f"{place}/{_printable(name)}" if place else _printable(name)


# -- what holds records ---------------------------------------------------------------------------------------------------


def files_in(folder: Path) -> Iterator[Path]:
    """The files of a folder that may hold records, in order."""
    for above, folders, files in os.walk(folder):
        folders[:] = sorted((each for each in folders if not each.startswith(".")), key=_natural)
        for file in sorted(files, key=_natural):
            path = Path(above, file)
            if not file.startswith(".") and path.is_file() and _wanted(path):
                yield path


def _folder(folder: Path, place: str, limits: Limits) -> Iterator[Document]:
    empty = True
    for path in files_in(folder):
        empty = False
        yield from documents(path, name=_joined(place, str(path.relative_to(folder))), limits=limits)
    if empty:
        yield _failed(place, "empty", "There is no record in the folder.", f"files such as *{' *'.join(SUFFIXES)}")


def _natural(name: str) -> list[tuple[int, int, str]]:
    """Names in the order of the numbers in them."""
    parts = re.split(r"([0-9]{1,18})", name)
    return [(0, int(part), part) if part.isascii() and part.isdigit() else (1, 0, part) for part in parts]


def _wanted(path: Path) -> bool:
    if path.name.lower().endswith(SUFFIXES):
        return True
    try:
        with path.open("rb") as file:
            return _LOOKS.match(file.read(4096)) is not None
    except OSError:
        return True  # opening it again will say why


def _stream(file: BinaryIO, place: str, limits: Limits, inside: bool = False, must: bool = True) -> Iterator[Document]:
    """The records of a stream. `inside`: an archive holds it already; `must`: it is told where it is no record."""
    try:
        reader, head = _peeked(file)
        if head.startswith((GZIP, *ZIP)):
            if inside:
                yield _failed(place or "-", "nested-archive", "An archive lies in an archive.", "records")
            elif head.startswith(GZIP):
                with gzip.GzipFile(fileobj=reader) as unpacked:
                    yield from _stream(cast(BinaryIO, unpacked), place, limits, inside=True)
            else:
                yield from _zip(reader, place, limits)
        elif place.lower().removesuffix(".gz").endswith(sheets.SUFFIXES) or sheets.is_sheet(head):
            yield Document(place, reader.read(limits.record + 1), sheet=True)
        elif head.startswith(_WATCHED):
            yield Document(place, reader.read(limits.record + 1))
        elif must or _LOOKS.match(head):
            yield from _placed(_split(reader, limits), place)
    except _DAMAGED as error:
        if inside or isinstance(error, zipfile.BadZipFile):
            yield _failed(place or "-", "bad-archive", f"The archive is damaged: {error}.")
        else:
            yield _failed(place or "-", "cannot-open", f"It cannot be read: {error}.")


class _Chained(io.RawIOBase):
    """A stream whose beginning was read already."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self.head = head
        self.rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        data = self.head[: len(buffer)] if self.head else self.rest.read(len(buffer))
        self.head = self.head[len(data) :]
        buffer[: len(data)] = data
        return len(data)


def _peeked(file: BinaryIO) -> tuple[io.BufferedReader, bytes]:
    """A reader of the whole stream, and its first bytes."""
    head = file.read(4096)
    if file.seekable():
        file.seek(-len(head), os.SEEK_CUR)
        return cast(io.BufferedReader, file), head
    return io.BufferedReader(_Chained(head, file), BLOCK), head


def _zip(file: BinaryIO, place: str, limits: Limits) -> Iterator[Document]:
    if not file.seekable():
        spool = tempfile.SpooledTemporaryFile(SPOOL)  # noqa: SIM115  # closed below, by hand: the generator may stop anywhere
        with spool:
            while block := file.read(BLOCK):
                spool.write(block)
            spool.seek(0)
            yield from _zip(cast(BinaryIO, spool), place, limits)
        return
    with zipfile.ZipFile(file) as archive:
        entries = archive.infolist()
        if len(entries) > limits.entries:
            detail = f"The archive has {len(entries)} entries."
            yield _failed(place or "-", "archive-entries", detail, f"at most {limits.entries}")
            return
        empty = True
        for entry in entries:
            parts = entry.filename.split("/")
            if entry.is_dir() or parts[-1].startswith(".") or "__MACOSX" in parts:
                continue
            for document in _entry(archive, entry, _joined(place, entry.filename), limits):
                empty = False
                yield document
        if empty:
            yield _failed(place or "-", "empty", "There is no record in the archive.", "records")


def _entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, place: str, limits: Limits) -> Iterator[Document]:
    if entry.flag_bits & 1:
        yield _failed(place, "bad-archive", "The entry is encrypted.")
        return
    if entry.file_size > limits.ratio * max(entry.compress_size, 1):
        detail = f"The entry would unpack to {entry.file_size} bytes from {entry.compress_size}."
        yield _failed(place, "archive-ratio", detail, f"at most {limits.ratio} : 1")
        return
    must = entry.filename.lower().endswith(SUFFIXES)
    try:
        with archive.open(entry) as file:
            yield from _stream(cast(BinaryIO, _Unseekable(file)), place, limits, inside=True, must=must)
    except _DAMAGED as error:
        yield _failed(place, "bad-archive", f"The entry is damaged: {error}.")


class _Unseekable(io.RawIOBase):
    """An entry read once from its start: going back in it would unpack it anew."""

    def __init__(self, file: object) -> None:
        self.file = cast(BinaryIO, file)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        data = self.file.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


# -- where records begin and end ------------------------------------------------------------------------------------------


def _placed(found: Iterator[Document], place: str) -> Iterator[Document]:
    """Documents with their positions: the file's name, and the line where a file holds more than one."""
    first = next(found, None)
    if first is None:
        yield _failed(place or "-", "empty", "There is nothing to read.", "a record")
        return
    second = next(found, None)
    if second is None and first.line == 1:
        first.position = place or "line 1"
        yield first
        return
    before = LINE_OF.format(place, "") if place else LINE.format("")
    for document in chain((first,), () if second is None else (second,), found):
        document.position = before + str(document.line)
        yield document


def _too_large(line: int, limits: Limits) -> Document:
    detail = f"The record is larger than {limits.record} bytes."
    wrong = ReadError("too-large", detail, line=line, column=1, expected=f"at most {limits.record} bytes")
    return Document("", b"", line, [wrong])


def _split(reader: BinaryIO, limits: Limits) -> Iterator[Document]:
    """The records of a stream of characters, by the form of its beginning."""
    head = reader.read(BLOCK)
    while head and not head.removeprefix(MARK).strip() and (more := reader.read(BLOCK)):
        head = head[-3:] + more if len(head) > limits.record else head + more
    if not head.removeprefix(MARK).strip():
        return
    if _TEXT.match(head):
        yield from _texts(head, reader, limits)
    elif _OBJECT.match(head) or (_OBJECT_LATER.search(head) and _is_text(head)):
        yield from _objects(io.BufferedReader(_Chained(head, reader), BLOCK), limits)
    else:
        # Noise, or some other file: one error says so, not one a line.
        yield Document("", head.decode(errors="ignore").encode() if _is_text(head) else head)


def _is_text(head: bytes) -> bool:
    """Whether a block of bytes is UTF-8, but for a character that its end may cut."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return b"\x00" not in head


def _texts(buffer: bytes, reader: BinaryIO, limits: Limits) -> Iterator[Document]:
    """Records as text: each begins with its Format tag. What silently stands before the first one is passed over."""
    line = 1
    skipping = False
    first = True
    while True:
        starts = _starts(buffer)
        if skipping and starts:
            line += buffer.count(b"\n", 0, starts[0])
            buffer = buffer[starts[0] :]
            starts = [start - starts[0] for start in starts]
            skipping = False
        if first and starts:
            before = _SILENT.match(buffer)
            if before is not None and before.end() >= starts[0] > 0:
                line += buffer.count(b"\n", 0, starts[0])
                buffer = buffer[starts[0] :]
                starts = [start - starts[0] for start in starts]
            first = False
        if starts and starts[0] > 0:
            starts.insert(0, 0)
        for start, end in pairwise(starts):
            raw = buffer[start:end]
            yield Document("", _to_its_end(raw), line) if len(raw) <= limits.record else _too_large(line, limits)
            line += count_of(raw, _NEWLINE)
        if starts:
            buffer = buffer[starts[-1] :]
        if len(buffer) > limits.record:
            if not skipping:
                yield _too_large(line, limits)
            skipping = True
            keep = buffer.rfind(b"\n") + 1 or len(buffer)
            line += buffer.count(b"\n", 0, keep)
            buffer = buffer[keep:] if len(buffer) - keep <= limits.record else b""
        block = reader.read(BLOCK)
        if not block:
            break
        buffer += block
    if not skipping and _SILENT.fullmatch(buffer) is None:
        yield Document("", _to_its_end(buffer), line)


def _starts(buffer: bytes) -> list[int]:
    """Where lines begin that are a Format tag. The word is rare, and to look for it takes a tenth of trying each line."""
    starts: list[int] = []
    at = buffer.find(_WORD)
    while at >= 0:
        line = buffer.rfind(b"\n", 0, at) + 1
        if (buffer[line : at + 8] == _USUAL or _RECORD.match(buffer, line)) and line not in starts[-1:]:
            starts.append(line)
        at = buffer.find(_WORD, at + len(_WORD))
    return starts


def _to_its_end(text: bytes) -> bytes:
    """A text without the empty lines behind it, which divide it from the next one."""
    return text[: text.find(b"\n", len(text.rstrip(b"\r\n"))) + 1] or text


def _objects(reader: io.BufferedReader, limits: Limits) -> Iterator[Document]:
    """JSON objects, one a line or over many lines. A line that begins a record ends one that was cut before it."""
    pending: list[bytes] = []
    size = depth = start = number = 0
    while raw := reader.readline(limits.record + 2):
        number += 1
        if not raw.endswith(b"\n") and len(raw) > limits.record:
            if pending:
                yield Document("", b"".join(pending), start)
            pending, size, depth = [], 0, 0
            yield _too_large(number, limits)
            while (rest := reader.readline(BLOCK)) and not rest.endswith(b"\n"):
                pass
            continue
        if pending and raw[:1] == b"{" and b'"format"' in raw:
            yield Document("", b"".join(pending), start)
            pending, size, depth = [], 0, 0
        if not pending:
            if raw.isspace():
                continue
            if is_balanced(raw) or not raw.removeprefix(MARK).lstrip().startswith(b"{"):
                yield Document("", raw.rstrip(b"\r\n"), number)
                continue
            start = number
        pending.append(raw)
        size += len(raw)
        depth += _depth(raw)
        if size > limits.record:
            yield _too_large(start, limits)
            pending, size, depth = [], 0, 0
            number += _skip(reader, limits)
        elif depth <= 0:
            yield Document("", b"".join(pending), start)
            pending, size, depth = [], 0, 0
    if pending:
        yield Document("", b"".join(pending), start)


def _depth(line: bytes) -> int:
    """How many more brackets open than close, outside of strings."""
    found = _BRACKETS.findall(line)
    return found.count(b"{") + found.count(b"[") - found.count(b"}") - found.count(b"]")


def _skip(reader: io.BufferedReader, limits: Limits) -> int:
    """Passes over lines until one may begin an object; how many there were."""
    lines = 0
    while (head := reader.peek(1)[:1]) and head != b"{":
        rest = reader.readline(BLOCK)
        lines += rest.endswith(b"\n")
    return lines
