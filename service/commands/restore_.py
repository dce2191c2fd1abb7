"""``hanafu restore``: a backup becomes the store."""

from pathlib import Path

import click

from service.config import load
from service.errors import ServiceError


@click.command("restore")
@click.argument("source", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--db", type=click.Path(path_type=Path), help="File of the store; it must not be there yet.")
def command(source: Path, db: Path | None) -> None:
    """Make the backup SOURCE the store. Nothing is written over: move a store that is there away first."""
    from service.exports import place
    from service.holder import holder_of
    from service.store import Store

    try:
        settings = load({"db": db}).settings
        if settings.lake:
            raise ServiceError("a lake is not restored from a file: PostgreSQL's pg_restore and a copy of its files do that")
        target = settings.db
        if holder := holder_of(target):
            raise ServiceError(f"{target} is held by the server at {holder.address}; stop it first")
        place(source, target)
        try:
            with Store(target) as store:
                count = store.read("SELECT count(*) FROM records")[0][0]
        except ServiceError as error:
            target.unlink()
            raise ServiceError(f"{source} is no backup that can be restored: {error}") from error
    except ServiceError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{target}: {count:,} records")
