"""``hanafu user``: the accounts of a store, held by a server or not."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from service.commands.access import either
from service.commands.asking import server_option

if TYPE_CHECKING:
    from service.accounts.people import People
    from service.store import Store

ROLE = click.Choice(["reader", "player", "arbiter", "admin"])
_db = click.option("--db", type=click.Path(path_type=Path), help="File of the store.")
_stdin = click.option("--password-stdin", is_flag=True, help="Read the password from standard input, without asking.")


@click.group("user")
def command() -> None:
    """Add and change accounts, which `hanafu serve --public` asks for.

    A reader sees records, a player sends and disputes them, an arbiter rules, an admin does everything.
    """


@command.command("add")
@click.argument("name")
@click.option("--role", type=ROLE, default="player", show_default=True)
@_stdin
@_db
@server_option
def add(name: str, role: str, password_stdin: bool, db: Path | None, server: str | None) -> None:
    """Make an account; its password is asked for."""
    sent = {"name": name, "role": role, "password": _password(password_stdin)}
    either(db, server, lambda client: client.ask("POST", "/accounts", sent), lambda store: _people(store).add(**sent))
    click.echo(f"{name}: {role}")


@command.command("list")
@_db
@server_option
def listing(db: Path | None, server: str | None) -> None:
    """List accounts, with the events that they are members of."""
    found = either(
        db,
        server,
        lambda client: client.ask("GET", "/accounts")["items"],
        lambda store: [asdict(account) for account in _people(store).accounts()],
    )
    for each in found:
        state = " (disabled)" if each["disabled"] else ""
        click.echo("\t".join([each["name"], each["role"] + state, ", ".join(each["events"])]).rstrip())


@command.command("role")
@click.argument("name")
@click.argument("role", type=ROLE)
@_db
@server_option
def role(name: str, role: str, db: Path | None, server: str | None) -> None:
    """Give an account another role."""
    _change(db, server, name, {"role": role})
    click.echo(f"{name}: {role}")


@command.command("password")
@click.argument("name")
@_stdin
@_db
@server_option
def password(name: str, password_stdin: bool, db: Path | None, server: str | None) -> None:
    """Give an account another password; its sessions end."""
    _change(db, server, name, {"password": _password(password_stdin)})
    click.echo(f"{name}: the password is changed")


@command.command("disable")
@click.argument("name")
@_db
@server_option
def disable(name: str, db: Path | None, server: str | None) -> None:
    """Close an account: its sessions and tokens end. What it did stays."""
    _change(db, server, name, {"disabled": True})
    click.echo(f"{name}: disabled")


@command.command("enable")
@click.argument("name")
@_db
@server_option
def enable(name: str, db: Path | None, server: str | None) -> None:
    """Open a disabled account again."""
    _change(db, server, name, {"disabled": False})
    click.echo(f"{name}: enabled")


@command.command("events")
@click.argument("name")
@click.argument("events", nargs=-1)
@_db
@server_option
def events(name: str, events: tuple[str, ...], db: Path | None, server: str | None) -> None:
    """Make an account a member of these events, and of no others: it sees the records that are shown to members."""
    _change(db, server, name, {"events": list(events)})
    click.echo(f"{name}: {', '.join(events) or 'member of no event'}")


def _password(from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    found: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    return found


def _change(db: Path | None, server: str | None, name: str, sent: dict[str, Any]) -> None:
    either(
        db,
        server,
        lambda client: client.ask("PATCH", f"/accounts/{name}", sent),
        lambda store: _people(store).change(name, **sent),
        f"there is no account {name!r}",
    )


def _people(store: "Store") -> "People":
    from service.accounts.people import People

    return People(store)
