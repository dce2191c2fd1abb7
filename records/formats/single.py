"""One document that holds one record: which form it has, and its record."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from records.errors import ReadError, RecordErrors
from records.formats.decode import MARK, decode, faults, shown, text_of
from records.formats.fast import read_fast_json
from records.formats.fast_text import read_fast_text
from records.formats.koikoi_log import is_log, read_log
from records.formats.limits import LIMITS, Limits
from records.formats.schema import load
from records.formats.sheets import is_sheet, read_sheet
from records.formats.text import read_text
from records.formats.watch_log import is_watch_log, read_watch_log
from records.record import Record

_TEXT: Final = re.compile(r"\s*(?:\[\s*[A-Za-z]|;)")
_SECOND: Final = re.compile(r"^[ \t]*\[[ \t]*Format\b", re.MULTILINE)


def read_record(data: bytes | str | Mapping[str, Any], *, limits: Limits = LIMITS) -> Record:
    """The record of a document that holds exactly one: JSON, text, a log that is known or a score sheet that says its game, as bytes or
    characters, or plain values.

    Raises RecordErrors with everything that is wrong.
    """
    if isinstance(data, bytes | bytearray | memoryview):
        return read_bytes(bytes(data), limits)
    if isinstance(data, str):
        text = _checked(data, limits)
        if text.startswith("{") and text.isascii():
            return read_bytes(text.encode(), limits)
        if text.startswith("["):
            return _of_text(text, limits)
        return read_sheet(text.encode(), limits=limits) if is_sheet(text.encode("utf-8", "replace")) else _of_text(text, limits)
    return _of_values(data, limits)


def _of_text(text: str, limits: Limits) -> Record:
    return read_fast_text(text.encode("utf-8", "surrogatepass"), limits) or _of_characters(text, limits)


def read_bytes(data: bytes, limits: Limits, first_line: int = 1) -> Record:
    """The record of one document's bytes; its first line has that number in its file. Raises RecordErrors."""
    if record := read_fast_json(data, limits) if data.startswith(b"{") else read_fast_text(data, limits) if data.startswith(b"[") else None:
        return record
    if is_sheet(data):
        try:
            return read_sheet(data, limits=limits)
        except RecordErrors as error:
            raise RecordErrors(moved(error.errors, first_line)) from None
    try:
        text = text_of(data, limits)
    except RecordErrors as error:
        raise RecordErrors(moved(error.errors, first_line)) from None
    return _of_characters(text, limits, first_line)


def _of_characters(text: str, limits: Limits, first_line: int = 1) -> Record:
    if is_watch_log(text):
        return read_watch_log(text, limits)
    records = list(_SECOND.finditer(text)) if _TEXT.match(text) else []
    if len(records) > 1:
        line = text.count("\n", 0, records[1].start()) + first_line
        detail = f"There are {len(records)} records."
        raise RecordErrors([ReadError("several-records", detail, line=line, column=1, expected="one record")])
    if _TEXT.match(text):
        return read_text(text, limits, first_line)
    try:
        start = text.lstrip()[:1]
        if start and start not in '{["':
            raise RecordErrors([_not_a_record(text)])
        document, wrong = decode(text, limits)
        if isinstance(document, Mapping) and is_log(document) and not wrong:
            return read_log(document, limits)
        return load(document, wrong, limits)
    except RecordErrors as error:
        if first_line == 1:
            raise
        raise RecordErrors(moved(error.errors, first_line)) from None


def moved(errors: Sequence[ReadError], first_line: int) -> list[ReadError]:
    """Errors of a document whose first line has that number in its file."""
    return [replace(error, line=error.line + first_line - 1) if error.line is not None else error for error in errors]


def _checked(text: str, limits: Limits) -> str:
    """Characters as they came, where they are not too many; half characters are told later, at their place."""
    if len(text) > limits.record:
        text_of(text.encode("utf-8", "surrogatepass"), limits)
    return text.removeprefix(MARK.decode())


def _of_values(document: Mapping[str, Any], limits: Limits) -> Record:
    if is_log(document) and not list(faults(document, limits)):
        return read_log(document, limits)
    return load(document, None, limits)


def _not_a_record(text: str) -> ReadError:
    before = text[: len(text) - len(text.lstrip())]
    line = before.count("\n") + 1
    column = len(before) - (before.rfind("\n") + 1) + 1
    token = text.lstrip().split("\n")[0].strip()
    detail = "This is neither a JSON object nor text that begins with a tag."
    expected = '`{`, `[Format "hanafuda-record/1"]` or, in a score sheet, a line `# variant: …`'
    return ReadError("not-a-record", detail, line=line, column=column, token=shown(token), expected=expected)
