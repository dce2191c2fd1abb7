"""``hanafu convert``: the same records as JSON or as text."""

import click

from records.formats import SheetChoices
from service.commands.reading import UNREADABLE, complain, items, sheet_options


@click.command("convert")
@click.argument("files", nargs=-1, metavar="FILE…")
@click.option("--to", "form", type=click.Choice(["json", "text"]), default="json", show_default=True, help="The form to write.")
@click.option("--normal", is_flag=True, help="Write the normalised form: with --to json, the bytes whose SHA-256 is the record's id.")
@sheet_options
@click.pass_context
def command(context: click.Context, choices: SheetChoices, files: tuple[str, ...], form: str, normal: bool) -> None:
    """Write records anew, as JSON or as text.

    JSON comes as one record a line. What cannot be read is left out, its errors on standard error, and the exit status is 2.
    """
    from records.formats import to_json, to_text
    from records.normal import canonical, normalise
    from service.jsons import dumps

    status = 0
    first = True
    for name, item in items(files, choices):
        if item.record is None:
            complain(name, item.position, [error.as_dict() for error in item.errors])
            status = UNREADABLE
        elif form == "json":
            click.echo(canonical(item.record) if normal else dumps(to_json(item.record)))
        else:
            click.echo(("" if first else "\n") + to_text(normalise(item.record) if normal else item.record).rstrip("\n"))
            first = False
    context.exit(status)
