"""``hanafu backup``: a copy of the store, while a server goes on writing."""

from pathlib import Path

import click

from service.commands.access import copy_store


@click.command("backup")
@click.argument("target", type=click.Path(path_type=Path))
@click.option("--db", type=click.Path(path_type=Path), help="File of the store.")
def command(target: Path, db: Path | None) -> None:
    """Copy the store as it is at this moment to TARGET, which must not be there yet.

    A server that holds the store makes the copy and goes on serving.
    """
    copy_store(db, target)
    click.echo(f"{target}: {target.stat().st_size:,} bytes")
