"""``hanafu reaudit``: every report of another engine, derived anew."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from service.commands.access import client_or_store


@click.command("reaudit")
@click.option("--db", type=click.Path(path_type=Path), help="File of the store.")
def command(db: Path | None) -> None:
    """Audit anew what another version of the engine judged.

    Old reports stay beside the new ones; the list of records whose verdict changed is at /changed. While a server holds the store it does
    the work. What is done stays done: after an interruption the next run goes on.
    """
    from service.client import Client
    from service.reaudits import reaudit

    audited = changed = 0
    with client_or_store(db) as where:
        cursor: int | None = -1
        while cursor is not None:
            done: dict[str, Any] = where.reaudit(cursor) if isinstance(where, Client) else asdict(reaudit(where, cursor))
            audited, changed, cursor = audited + done["audited"], changed + done["changed"], done["next"]
    click.echo(f"{audited:,} audited anew, {changed:,} judged otherwise")
