"""``hanafu show``: says who sees a record."""

from pathlib import Path

import click

from service.commands.access import either
from service.commands.asking import server_option


@click.command("show")
@click.argument("id")
@click.argument("visibility", type=click.Choice(["private", "event", "public"]))
@click.option("--db", type=click.Path(path_type=Path), help="File of the store.")
@server_option
def command(id: str, visibility: str, db: Path | None, server: str | None) -> None:
    """Say who sees a record where there are accounts: whoever sent it, members of its event too, or everybody."""
    from service.accounts import custody
    from service.desk import Desk, now, read_id
    from service.store import Store

    def local(store: Store) -> None:
        key = read_id(id)
        if key is None or not Desk(store).sees(id):
            raise KeyError(id)
        custody.show(store, key, visibility, None, now())

    either(
        db,
        server,
        lambda client: client.ask("PUT", f"/records/{id}/visibility", {"visibility": visibility}),
        local,
        f"there is no record {id}",
    )
    click.echo(f"{id}: {visibility}")
