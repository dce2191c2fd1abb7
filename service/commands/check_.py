"""``hanafu check``: whether a store is what it says."""

from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from service.commands.access import open_copy

FAULTY = 1


@click.command("check")
@click.option("--db", type=click.Path(path_type=Path), help="File of the store.")
@click.option("--lake", metavar="DATABASE", help="A lake instead of a file: its PostgreSQL (dbname=hanafu).")
@click.pass_context
def command(context: click.Context, db: Path | None, lake: str | None) -> None:
    """Check a store: every hash worked out anew, every report derived again.

    Of a store that a server holds a copy is checked; a lake as it is at one moment. Exit status 0: all as it should be; 1: not, and what.
    """
    from service import acts
    from service.checking import check, count, strays

    faults = others = 0
    console = Console(stderr=True)
    with open_copy(db, lake) as store, Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        total = count(store)
        for checked in progress.track(check(store), total=total, description="records"):
            others += checked.other_engine
            if checked.fault:
                faults += 1
                click.echo(f"sha256:{checked.id}: {checked.fault}")
        for stray in (*strays(store), *store.faults(), *acts.faults(store)):
            faults += 1
            click.echo(stray)
    click.echo(f"{total:,} records, {faults:,} faults" + (f", {others:,} judged by another engine" if others else ""))
    context.exit(FAULTY if faults else 0)
