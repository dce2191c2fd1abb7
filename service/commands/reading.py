"""How every command reads its files and says what is wrong with them."""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from records.errors import ReadError
from records.formats import Item, read_many

UNREADABLE = 2
"""Exit status where something could not be read."""


def items(files: tuple[str, ...]) -> Iterator[tuple[str, Item]]:
    """Every record of every file in order, with the file's name; ``-`` is standard input."""
    for name in files or ("-",):
        source = sys.stdin.buffer if name == "-" else Path(name)
        try:
            for item in read_many(source, name=label(name)):
                yield name, item
        except OSError as error:
            yield name, Item("", b"", None, [ReadError("cannot-open", f"the file cannot be read: {error.strerror or error}")])


def complain(name: str, position: str, errors: list[Mapping[str, Any]]) -> None:
    """All errors of what could not be read, a line each, on standard error."""
    place = position if position.startswith(label(name)) else f"{label(name)}: {position}" if position else label(name)
    for error in errors:
        click.echo(f"{place}: {_told(error)}", err=True)


def label(name: str) -> str:
    """What a file is called in messages."""
    return "standard input" if name == "-" else name


def _told(error: Mapping[str, Any]) -> str:
    told = f"{error['detail']} [{error['code']}]"
    if error.get("line") is not None:
        told = f"line {error['line']}, column {error.get('column', 1)}: {told}"
    elif error.get("pointer"):
        told = f"{error['pointer']}: {told}"
    if error.get("expected"):
        told += f" Expected {error['expected']}."
    if error.get("meant"):
        told += f" Did you mean {error['meant']}?"
    return told
