"""How every command reads its files and says what is wrong with them."""

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from pathlib import Path
from typing import Any

import click

from records.errors import ReadError
from records.formats import Item, SheetChoices, read_many
from records.formats.sheets import DELIMITERS, ENCODINGS, NO_CHOICES
from records.rules.game import OptionValue
from service.options import read_options

UNREADABLE = 2
"""Exit status where something could not be read."""


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
    for name in files or ("-",):
        source = sys.stdin.buffer if name == "-" else Path(name)
        try:
            for item in read_many(source, name=label(name), choices=choices):
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
