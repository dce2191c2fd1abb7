"""JSON bytes to plain values, with everything wrong told that decoders differ on.

Keys that stand twice, NaN, numbers too large, lone surrogates, nesting and bytes that are no UTF-8: each is an error with its
place, whatever the decoder would have made of it.
"""

import json
import math
import re
from collections.abc import Iterator
from json import JSONDecodeError
from typing import Final

from records.errors import Problem, ReadError, RecordErrors
from records.formats.limits import Limits

Path = tuple[str | int, ...]
"""Keys and indexes from the document to a value."""
Found = list[tuple[Path, Problem]]

LARGEST: Final = 2**53 - 1
"""Beyond it a number is not the same in every decoder (RFC 8785)."""
LONGEST_NUMBER: Final = 400
"""Digits that are looked at at all."""
MARK: Final = b"\xef\xbb\xbf"

_BRACKETS: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"|[\[\]{}]', re.DOTALL)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


class _Repeating(dict[str, object]):
    """An object of which some key stands twice; the last one counts."""

    repeated: tuple[str, ...] = ()


class BadNumber:
    """Stands where a number cannot be kept."""

    def __init__(self, token: str) -> None:
        self.token = token


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    plain = dict(pairs)
    if len(plain) == len(pairs):
        return plain
    seen: set[str] = set()
    repeated = [key for key, _ in pairs if key in seen or seen.add(key)]  # type: ignore[func-returns-value]  # the idiom
    found = _Repeating(plain)
    found.repeated = tuple(dict.fromkeys(repeated))
    return found


def _integer(token: str) -> object:
    return int(token) if len(token) <= LONGEST_NUMBER else BadNumber(token)


def _float(token: str) -> object:
    value = float(token)
    return value if math.isfinite(value) else BadNumber(token)


def text_of(data: bytes, limits: Limits) -> str:
    """The characters of a document without its byte-order mark. Raises RecordErrors: too large, not UTF-8."""
    if len(data) > limits.record:
        detail = f"The record is larger than {limits.record} bytes."
        raise RecordErrors([ReadError("too-large", detail, pointer="", expected=f"at most {limits.record} bytes")])
    data = data.removeprefix(MARK)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start].decode()
        line = before.count("\n") + 1
        column = len(before) - (before.rfind("\n") + 1) + 1
        token = " ".join(f"{byte:02x}" for byte in data[error.start : error.end])
        detail = f"Byte {error.start + 1} is not UTF-8."
        wrong = ReadError("not-utf8", detail, line=line, column=column, token=token, expected="text in UTF-8")
        raise RecordErrors([wrong]) from None


def decode(text: str, limits: Limits) -> tuple[object, Found]:
    """The value of a JSON text, and what is wrong in it. Raises RecordErrors where there is no value."""
    deep = _too_deep(text, limits.nesting)
    if deep is not None:
        detail = f"Objects and lists are nested deeper than {limits.nesting}."
        raise RecordErrors([ReadError("too-deep", detail, line=deep[0], column=deep[1], token=deep[2])])
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_int=_integer, parse_float=_float, parse_constant=BadNumber)
    except JSONDecodeError as error:
        raise RecordErrors([_broken(text, error)]) from None
    return value, list(faults(value, limits))


def _too_deep(text: str, nesting: int) -> tuple[int, int, str] | None:
    """Line, column and bracket where nesting goes too deep. The decoder itself must never be led there."""
    if text.count("{") + text.count("[") <= nesting:
        return None
    depth = 0
    for match in _BRACKETS.finditer(text):
        token = match.group()
        if token in "[{":
            depth += 1
            if depth > nesting:
                at = match.start()
                return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at), token
        elif token in "]}":
            depth -= 1
    return None


def _broken(text: str, error: JSONDecodeError) -> ReadError:
    if not text.strip():
        return ReadError("empty", "There is nothing to read.", line=1, column=1, expected="a record")
    token = text[error.pos : error.pos + 20].split("\n")[0] or None
    if error.msg == "Extra data":
        detail = "Something follows the record's object."
        return ReadError("several-records", detail, line=error.lineno, column=error.colno, token=token, expected="the end")
    said = error.msg.removesuffix(" at").removesuffix(" starting")  # the place is told beside it
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        detail = f"The JSON ends in the middle: {said[0].lower()}{said[1:]}."
        return ReadError("truncated", detail, line=error.lineno, column=error.colno, token=token)
    return ReadError("not-json", f"The JSON is broken: {said}.", line=error.lineno, column=error.colno, token=token)


def faults(value: object, limits: Limits, path: Path = ()) -> Iterator[tuple[Path, Problem]]:
    """What is wrong with plain values whatever they mean: keys twice, numbers, half characters, nesting."""
    if isinstance(value, str):
        if _SURROGATE.search(value):
            yield path, Problem("lone-surrogate", "A string holds half of a character.", value)
    elif isinstance(value, dict):
        if len(path) >= limits.nesting:
            yield path, Problem("too-deep", f"Objects and lists are nested deeper than {limits.nesting}.")
            return
        if isinstance(value, _Repeating):
            for key in value.repeated:
                yield (*path, key), Problem("duplicate-key", f"`{key}` stands twice in this object.", key)
        for key, each in value.items():
            if isinstance(key, str) and _SURROGATE.search(key):
                yield (*path, key), Problem("lone-surrogate", "A key holds half of a character.", key)
            yield from faults(each, limits, (*path, str(key)))
    elif isinstance(value, list | tuple):
        if len(path) >= limits.nesting:
            yield path, Problem("too-deep", f"Objects and lists are nested deeper than {limits.nesting}.")
            return
        for index, each in enumerate(value):
            yield from faults(each, limits, (*path, index))
    elif isinstance(value, BadNumber):
        yield path, Problem("bad-number", "The number is not finite or far too long.", value.token, "a finite number")
    elif isinstance(value, float):
        if not math.isfinite(value):
            yield path, Problem("bad-number", "The number is not finite.", str(value), "a finite number")
    elif isinstance(value, int) and abs(value) > LARGEST and not any(str(key).startswith("x_") for key in path):
        yield path, Problem("bad-number", "The number is too large.", str(value)[:40], f"at most {LARGEST}")


def pointer(path: Path) -> str:
    """The JSON pointer of a path (RFC 6901)."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


def whole(text: str) -> str:
    """Text that any encoding can carry: halves of characters are written out."""
    return _SURROGATE.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def shown(token: str | None) -> str | None:
    """A token as an error shows it: whole, and short."""
    if token is None:
        return None
    token = whole(token)
    return token if len(token) <= 80 else token[:79] + "…"


def error_of(problem: Problem, place: str | None, line: int | None = None, column: int | None = None) -> ReadError:
    """A problem with its place: a pointer, or a line and a column."""
    return ReadError(
        problem.code,
        whole(problem.detail),
        None if place is None else whole(place),
        line,
        column,
        shown(problem.token),
        problem.expected,
        shown(problem.near()),
    )


def listed(problems: Found, limits: Limits) -> list[ReadError]:
    """Problems of a JSON document as errors with pointers; beyond the limit only that there are more."""
    errors = [error_of(problem, pointer(path + problem.inside)) for path, problem in problems[: limits.errors]]
    if len(problems) > limits.errors:
        errors.append(ReadError("too-many", f"There are more than {limits.errors} errors.", pointer=""))
    return errors
