"""``hanafu audit``: a report a record. Needs no server and no store."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import click

from records.formats import Document, SheetChoices, read_item, to_json
from records.record import OptionValue, Record
from service.commands.asking import client_of, failures, server_option
from service.commands.reading import UNREADABLE, batches, complain, found_in, sheet_options, worker_options
from service.options import read_options
from service.workers import Crew

if TYPE_CHECKING:
    from service.client import Client

CLEAN = ("lawful", "confirmed")
OTHER = 1
"""Exit status where a verdict is neither lawful nor confirmed."""
TOGETHER: Final = 200
"""Records that a worker is given at a time; this process alone tells of each as it is read."""


@dataclass(frozen=True, slots=True)
class _Wish:
    """What is asked of every record."""

    judge: Callable[[Record, Mapping[str, OptionValue] | None], dict[str, Any]]
    """Its report, under options beside its own."""

    choices: SheetChoices
    as_json: bool
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
@server_option
@worker_options
@sheet_options
@click.pass_context
def command(
    context: click.Context,
    choices: SheetChoices,
    crew: Crew,
    server: str | None,
    files: tuple[str, ...],
    as_json: bool,
    explain: bool,
    options: tuple[str, ...],
) -> None:
    """Audit records: were they lawful, are their claims right?

    FILE is JSON, text, lines of JSON, a score sheet (CSV), a folder, gzip or zip; - is standard input. A report a record, in the order of
    input. Exit status: 0 all lawful or confirmed; 1 some other verdict; 2 something could not be read (the rest is audited).
    """
    status = 0
    with failures(), _judge(server, crew, explain, options) as judge, crew.start() as workers:
        wish = _Wish(judge, choices, as_json, ",".join(options))
        found = batches(found_in(files), lambda each: len(each[1].raw), 1 if crew.alone else TOGETHER)
        for batch in workers.each(partial(_audit, wish), found):
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
    context.exit(status)


@contextmanager
def _judge(server: str | None, crew: Crew, explain: bool, options: Sequence[str]) -> Iterator[Any]:
    """What audits a record: the engine here, or a server."""
    if not server:
        yield partial(_here, explain)
        return
    if options or not crew.alone:
        raise click.UsageError("a server audits by itself, under the options of each record: leave --options, --workers and --dask out")
    with client_of(server) as client:
        yield partial(_there, client, explain)


def _here(explain: bool, record: Record, options: Mapping[str, OptionValue] | None) -> dict[str, Any]:
    from analysis.audit import audit

    return audit(record, explain=explain, options=options)


def _there(client: "Client", explain: bool, record: Record, options: Mapping[str, OptionValue] | None) -> dict[str, Any]:
    from service.jsons import dumps

    report = client.audit(dumps(to_json(record)))
    return {name: value for name, value in report.items() if explain or name != "explanations"}


def _audit(wish: _Wish, batch: Sequence[tuple[str, Document]]) -> list[_Told]:
    """Reads and audits some records; this is what workers are given to do."""
    return [_told(wish, name, document) for name, document in batch]


def _told(wish: _Wish, name: str, document: Document) -> _Told:
    from analysis.report_text import readable
    from service.jsons import dumps

    item = read_item(document, choices=wish.choices)
    if item.record is None:
        return _Told(name, item.position, errors=[error.as_dict() for error in item.errors])
    try:
        tried = read_options(item.record.variant, wish.options) if wish.options else None
    except ValueError as error:
        return _Told(name, item.position, unfit=str(error))
    report = wish.judge(item.record, tried)
    return _Told(name, item.position, dumps(report) if wish.as_json else readable(report, item.record), report["verdict"])
