"""``hanafu audit``: a report a record. Needs no server and no store."""

import click

from records.formats import SheetChoices
from service.commands.reading import UNREADABLE, complain, items, sheet_options

CLEAN = ("lawful", "confirmed")
OTHER = 1
"""Exit status where a verdict is neither lawful nor confirmed."""


@click.command("audit")
@click.argument("files", nargs=-1, metavar="FILE…")
@click.option("--json", "as_json", is_flag=True, help="Write one report a line, as JSON.")
@click.option(
    "--explain/--no-explain", default=True, help="Look for the house rules under which a faulty record would be right (on by default)."
)
@click.option("--options", "options", multiple=True, metavar="KEY=VALUE", help="Audit under other options; several divided by commas.")
@sheet_options
@click.pass_context
def command(
    context: click.Context, choices: SheetChoices, files: tuple[str, ...], as_json: bool, explain: bool, options: tuple[str, ...]
) -> None:
    """Audit records: were they lawful, are their claims right?

    FILE is JSON, text, lines of JSON, a folder, gzip or zip; - is standard input. A report a record, in the order of input. Exit status:
    0 all lawful or confirmed; 1 some other verdict; 2 something could not be read (the rest is audited).
    """
    from analysis.audit import audit
    from analysis.report_text import readable
    from service.jsons import dumps
    from service.options import read_options

    status = 0
    for name, item in items(files, choices):
        if item.record is None:
            complain(name, item.position, [error.as_dict() for error in item.errors])
            status = UNREADABLE
            continue
        try:
            tried = read_options(item.record.variant, ",".join(options)) if options else None
        except ValueError as error:
            raise click.BadParameter(str(error), context, param_hint="--options") from error
        report = audit(item.record, explain=explain, options=tried)
        if as_json:
            click.echo(dumps(report))
        else:
            click.echo(readable(report, item.record))
        if report["verdict"] not in CLEAN:
            status = max(status, OTHER)
    context.exit(status)
