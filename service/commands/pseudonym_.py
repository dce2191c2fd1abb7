"""``hanafu pseudonym``: under which names players are shown."""

from pathlib import Path

import click

from service.commands.access import either
from service.commands.asking import server_option

_db = click.option("--db", type=click.Path(path_type=Path), help="File of the store.")


@click.group("pseudonym")
def command() -> None:
    """Show players under other names, wherever names leave the store: pages, answers, exports, statistics, cases."""


@command.command("set")
@click.argument("name")
@click.argument("pseudonym")
@_db
@server_option
def give(name: str, pseudonym: str, db: Path | None, server: str | None) -> None:
    """Show NAME as PSEUDONYM from now on."""
    _give(db, server, name, pseudonym)
    click.echo(f"{name}: shown as {pseudonym}")


@command.command("remove")
@click.argument("name")
@_db
@server_option
def remove(name: str, db: Path | None, server: str | None) -> None:
    """Show NAME as itself again."""
    _give(db, server, name, "")
    click.echo(f"{name}: shown as it is")


@command.command("list")
@_db
@server_option
def listing(db: Path | None, server: str | None) -> None:
    """List the pseudonyms in force."""
    from service.accounts.pseudonyms import in_force

    found = either(
        db,
        server,
        lambda client: {each["name"]: each["pseudonym"] for each in client.ask("GET", "/pseudonyms")["items"]},
        lambda store: dict(in_force(store).by_name),
    )
    for name, pseudonym in found.items():
        click.echo(f"{name}\t{pseudonym}")


def _give(db: Path | None, server: str | None, name: str, pseudonym: str) -> None:
    from service.accounts.pseudonyms import give

    sent = {"name": name, "pseudonym": pseudonym}
    either(db, server, lambda client: client.ask("PUT", "/pseudonyms", sent) and None, lambda store: give(store, name, pseudonym))
