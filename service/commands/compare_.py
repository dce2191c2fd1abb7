"""``hanafu compare``: two sheets of one game side by side. Needs no server and no store."""

import click

from service.commands.reading import UNREADABLE, complain, items

DIFFER = 1
"""Exit status where the sheets differ."""


@click.command("compare")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("--json", "as_json", is_flag=True, help="Write the whole comparison as JSON.")
@click.pass_context
def command(context: click.Context, a: str, b: str, as_json: bool) -> None:
    """Lay two sheets of one game side by side.

    Where they differ first, what follows from each, and which of the two is lawful. A and B are files with one record each. Exit status: 0
    the same sheet; 1 they differ; 2 a file cannot be read, or they are no two sheets of one game.
    """
    from analysis.compare import NotOneGame, compare
    from analysis.compare_text import readable
    from service.jsons import dumps

    records = []
    for file in (a, b):
        found = list(items((file,)))
        for name, item in found:
            if item.record is None:
                complain(name, item.position, [error.as_dict() for error in item.errors])
        read = [item.record for _, item in found if item.record is not None]
        if len(read) != 1 or len(found) != 1:
            if len(read) == len(found):
                click.echo(f"{file}: one record is expected, there are {len(read)}", err=True)
            context.exit(UNREADABLE)
        records += read
    try:
        compared = compare(records[0], records[1])
    except NotOneGame as error:
        click.echo(f"These are no two sheets of one game: {error}", err=True)
        context.exit(UNREADABLE)
    click.echo(dumps(compared) if as_json else readable(compared, records[0]).rstrip("\n"))
    context.exit(0 if compared["same"] else DIFFER)
