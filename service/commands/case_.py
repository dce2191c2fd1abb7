"""``hanafu case``: all that belongs to a record's case, as one file that `hanafu verify` checks."""

from pathlib import Path

import click

from service.commands.access import client_or_store
from service.commands.asking import server_option


@click.command("case")
@click.argument("id")
@click.option("--db", type=click.Path(path_type=Path), help="File of the store.")
@server_option
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File to write  [default: hanafu-case-ID.zip here]")
def command(id: str, db: Path | None, server: str | None, output: Path | None) -> None:
    """Write a record's case: record as sent, normalised, report, rulings and log in one zip.

    An existing file is not written over.
    """
    from service.client import Client
    from service.desk import Desk
    from service.disputes import Disputes

    target = output or Path(f"hanafu-case-{id.removeprefix('sha256:')[:12].lower()}.zip")
    with client_or_store(db, server) as where:
        try:
            content = where.case(id) if isinstance(where, Client) else Disputes(Desk(where)).case(id)
        except KeyError:
            raise click.ClickException(f"there is no record {id}") from None
        try:
            with target.open("xb") as file:
                file.write(content)
        except FileExistsError:
            raise click.ClickException(f"{target} is there already; nothing was written over") from None
    click.echo(f"{target}: {len(content):,} bytes")
