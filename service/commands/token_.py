"""``hanafu token``: tokens with which programs ask a server that has accounts."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from service.commands.access import either
from service.commands.asking import server_option

if TYPE_CHECKING:
    from service.accounts.people import People, Token
    from service.store import Store

_db = click.option("--db", type=click.Path(path_type=Path), help="File of the store.")


@click.group("token")
def command() -> None:
    """Make and revoke tokens for programs. A program sends ``Authorization: Bearer TOKEN``."""


@command.command("add")
@click.argument("account")
@click.option("--label", required=True, help="What it is for.")
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    default=["read"],
    show_default=True,
    help="What it may: read, audit, send, dispute, rule, admin; repeatable.",
)
@click.option("--days", type=int, default=30, show_default=True, help="For how long it is good.")
@_db
@server_option
def add(account: str, label: str, scopes: tuple[str, ...], days: int, db: Path | None, server: str | None) -> None:
    """Make a token of an account. It is printed this once; the store keeps its hash."""
    sent = {"account": account, "label": label, "scopes": list(scopes), "days": days}

    def local(store: "Store") -> str:
        secret, _ = _people(store).add_token(account, label, scopes, days)
        return secret

    click.echo(
        either(db, server, lambda client: str(client.ask("POST", "/tokens", sent)["token"]), local, f"there is no account {account!r}")
    )


@command.command("list")
@_db
@server_option
def listing(db: Path | None, server: str | None) -> None:
    """List tokens: id, account, until when, scopes, what for."""
    found = either(
        db,
        server,
        lambda client: list(client.ask("GET", "/tokens")["items"]),
        lambda store: [_shown(each) for each in _people(store).tokens()],
    )
    for each in found:
        click.echo("\t".join([each["id"], each["account"], each["expires_at"][:10], " ".join(each["scopes"]), each["label"]]))


@command.command("revoke")
@click.argument("id")
@_db
@server_option
def revoke(id: str, db: Path | None, server: str | None) -> None:
    """End a token, by its id in the list."""
    either(
        db,
        server,
        lambda client: client.ask("DELETE", f"/tokens/{id}"),
        lambda store: _people(store).revoke(id),
        f"there is no token {id!r}",
    )
    click.echo(f"{id}: revoked")


def _shown(token: "Token") -> dict[str, Any]:
    return {
        "id": token.id,
        "account": token.account,
        "expires_at": token.expires_at.isoformat(),
        "scopes": list(token.scopes),
        "label": token.label,
    }


def _people(store: "Store") -> "People":
    from service.accounts.people import People

    return People(store)
