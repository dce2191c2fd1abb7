"""``hanafu audit``: a report a record. Needs no server and no store."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import click

from records.formats import Document, SheetChoices, read_item
from service.commands.reading import UNREADABLE, batches, complain, found_in, sheet_options, worker_options
from service.errors import ServiceError
from service.options import read_options
from service.workers import HERE, Workers

CLEAN = ("lawful", "confirmed")
OTHER = 1
"""Exit status where a verdict is neither lawful nor confirmed."""
TOGETHER: Final = 200
"""Records that a worker is given at a time; this process alone tells of each as it is read."""


@dataclass(frozen=True, slots=True)
class _Wish:
    """What is asked of every record."""

    choices: SheetChoices
    as_json: bool
    explain: bool
    options: str


@dataclass(frozen=True, slots=True)
class _Told:
    """What there is to say of a record."""

    name: str
    position: str
    text: str | bytes = ""
    verdict: str = ""
    errors: Sequence[Mapping[str, Any]] = ()
    """Why it cannot be read."""
    unfit: str = ""
    """Why it cannot be judged under the options that were asked for."""


@click.command("audit")
@click.argument("files", nargs=-1, metavar="FILE…")
@click.option("--json", "as_json", is_flag=True, help="Write one report a line, as JSON.")
@click.option(
    "--explain/--no-explain", default=True, help="Look for the house rules under which a faulty record would be right (on by default)."
)
@click.option("--options", "options", multiple=True, metavar="KEY=VALUE", help="Audit under other options; several divided by commas.")
@worker_options
@sheet_options
@click.pass_context
def command(
    context: click.Context,
    choices: SheetChoices,
    crew: AbstractContextManager[Workers],
    files: tuple[str, ...],
    as_json: bool,
    explain: bool,
    options: tuple[str, ...],
) -> None:
    """Audit records: were they lawful, are their claims right?

    FILE is JSON, text, lines of JSON, a folder, gzip or zip; - is standard input. A report a record, in the order of input. Exit status:
    0 all lawful or confirmed; 1 some other verdict; 2 something could not be read (the rest is audited).
    """
    work = partial(_audit, _Wish(choices, as_json, explain, ",".join(options)))
    status = 0
    try:
        with crew as workers:
            found = batches(found_in(files), lambda each: len(each[1].raw), 1 if workers is HERE else TOGETHER)
            for batch in workers.each(work, found):
                for told in batch:
                    if told.unfit:
                        raise click.BadParameter(told.unfit, context, param_hint="--options")
                    if told.errors:
                        complain(told.name, told.position, told.errors)
                        status = UNREADABLE
                        continue
                    click.echo(told.text)
                    if told.verdict not in CLEAN:
                        status = max(status, OTHER)
    except ServiceError as error:
        raise click.ClickException(str(error)) from error
    context.exit(status)


def _audit(wish: _Wish, batch: Sequence[tuple[str, Document]]) -> list[_Told]:
    """Reads and audits some records; this is what workers are given to do."""
    return [_told(wish, name, document) for name, document in batch]


def _told(wish: _Wish, name: str, document: Document) -> _Told:
    from analysis.audit import audit
    from analysis.report_text import readable
    from service.jsons import dumps

    item = read_item(document, choices=wish.choices)
    if item.record is None:
        return _Told(name, item.position, errors=[error.as_dict() for error in item.errors])
    try:
        tried = read_options(item.record.variant, wish.options) if wish.options else None
    except ValueError as error:
        return _Told(name, item.position, unfit=str(error))
    report = audit(item.record, explain=wish.explain, options=tried)
    return _Told(name, item.position, dumps(report) if wish.as_json else readable(report, item.record), report["verdict"])
