"""How every command reads its files and says what is wrong with them."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from records.errors import ReadError
from records.formats import Document, Item, SheetChoices, documents, read_item
from records.formats.sheets import DELIMITERS, ENCODINGS, NO_CHOICES
from records.rules.game import OptionValue
from service.options import read_options
from service.workers import MOST, Crew

T = TypeVar("T")

UNREADABLE = 2
"""Exit status where something could not be read."""
HEAVY: Final = 4 << 20
"""Bytes as sent after which a batch is full, so that large records do not fill the memory."""


def sheet_options(command: Callable[..., None]) -> Callable[..., None]:
    """What can be said of score sheets, for every command that reads files; comes as one ``choices``."""

    @click.option("--encoding", type=click.Choice(ENCODINGS), help="Of score sheets (CSV); else it is guessed and told.")
    @click.option("--delimiter", type=click.Choice([name for name in DELIMITERS if name.isalpha()]), help="Between a sheet's columns.")
    @click.option("--variant", help="The game of a sheet that does not say it.")
    @click.option("--option", "sheet_option", multiple=True, metavar="KEY=VALUE", help="A house rule of a sheet; as often as needed.")
    @click.option("--dealer", type=click.IntRange(1, 7), help="The seat that dealt a sheet's first round.")
    @wraps(command)
    def with_choices(
        encoding: str | None,
        delimiter: str | None,
        variant: str | None,
        sheet_option: tuple[str, ...],
        dealer: int | None,
        **rest: object,
    ) -> None:
        options: Mapping[str, OptionValue] = {}
        if sheet_option:
            if variant is None:
                raise click.UsageError("--option is about a sheet's game: say --variant too")
            try:
                options = read_options(variant, ",".join(sheet_option))
            except (KeyError, ValueError) as error:
                raise click.BadParameter(str(error), param_hint="--option") from error
        command(choices=SheetChoices(encoding, delimiter, variant, options, dealer), **rest)

    return with_choices


def items(files: tuple[str, ...], choices: SheetChoices = NO_CHOICES) -> Iterator[tuple[str, Item]]:
    """Every record of every file in order, with the file's name; ``-`` is standard input. `choices`: of score sheets."""
    return ((name, read_item(document, choices=choices)) for name, document in found_in(files))


def found_in(files: tuple[str, ...]) -> Iterator[tuple[str, Document]]:
    """The same, each not yet read."""
    for name in files or ("-",):
        source = sys.stdin.buffer if name == "-" else Path(name)
        try:
            for document in documents(source, name=label(name)):
                yield name, document
        except OSError as error:
            yield name, Document("", b"", errors=[ReadError("cannot-open", f"the file cannot be read: {error.strerror or error}")])


def worker_options(command: Callable[..., None]) -> Callable[..., None]:
    """Who shares the work, for the commands that take many records; comes as one ``crew``."""

    @click.option(
        "--workers", type=click.IntRange(1, MOST), default=1, show_default=True, help="Processes of this machine that share the work."
    )
    @click.option("--dask", metavar="ADDRESS", help="Scheduler of a Dask cluster that shares it, such as tcp://127.0.0.1:8786.")
    @wraps(command)
    def with_crew(workers: int, dask: str | None, **rest: object) -> None:
        if dask is not None and workers != 1:
            raise click.UsageError("--workers is about this machine, --dask about a cluster: give one of them")
        command(crew=Crew(workers, dask), **rest)

    return with_crew


def batches(found: Iterator[T], size_of: Callable[[T], int], most: int) -> Iterator[list[T]]:
    """What a worker is given at a time: so many, and not many more bytes than HEAVY."""
    batch: list[T] = []
    size = 0
    for each in found:
        batch.append(each)
        size += size_of(each)
        if len(batch) >= most or size >= HEAVY:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def complain(name: str, position: str, errors: Sequence[Mapping[str, Any]]) -> None:
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
