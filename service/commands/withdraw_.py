"""``hanafu withdraw``: erases a record."""

from pathlib import Path

import click

from service.commands.access import either
from service.commands.asking import server_option


@click.command("withdraw")
@click.argument("id")
@click.option("--db", type=click.Path(path_type=Path), help="File of the store.")
@server_option
@click.option("--yes", is_flag=True, help="Do not ask.")
def command(id: str, db: Path | None, server: str | None, yes: bool) -> None:
    """Erase a record: its bytes, its normalised form, its report, its disputes.

    Its id, the date and an entry in the log stay, and it is not taken in again. What DuckDB has freed in the file it writes over in time;
    a backup made afterwards (`hanafu backup`) holds nothing of it.
    """
    from service.accounts import custody
    from service.desk import now, read_id
    from service.store import Store

    if not yes:
        click.confirm(f"Erase {id} for good?", abort=True)

    def local(store: Store) -> None:
        key = read_id(id)
        if key is None:
            raise KeyError(id)
        custody.withdraw(store, key, now())

    either(db, server, lambda client: client.ask("DELETE", f"/records/{id}"), local, f"there is no record {id}")
    click.echo(f"{id}: withdrawn")
