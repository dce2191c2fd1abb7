"""``hanafu import``: many records into the store."""

import gc
import sys
import time
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from service.commands.access import Counts, records
from service.commands.asking import server_option
from service.commands.reading import UNREADABLE, complain, worker_options
from service.workers import Crew

A_TURN: Final = 0.0005
"""Seconds for which the interpreter stays with one thread. The one that stores needs it for a moment over and over, and with
Python's 5 ms it waits for the one that judges longer than it works."""


@click.command("import")
@click.argument("files", nargs=-1, metavar="FILE…")
@click.option("--db", type=click.Path(path_type=Path), help="File of the store; a server that holds it is asked to take the records.")
@click.option("--lake", metavar="DATABASE", help="A lake instead of a file: its PostgreSQL (dbname=hanafu).")
@server_option
@worker_options
@click.pass_context
def command(context: click.Context, crew: Crew, files: tuple[str, ...], db: Path | None, lake: str | None, server: str | None) -> None:
    """Store records.

    FILE is whatever `hanafu audit` reads. A record that cannot be read does not stop the others: its errors go to standard error, and the
    exit status is 2. A record that is there already is known again, so an import that was cut off is simply called again.
    """
    gc.freeze()  # what is loaded stays loaded: the collector need not look through it again with every few thousand records
    sys.setswitchinterval(A_TURN)
    whole = Counts()
    console = Console(stderr=True)
    columns = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn()
    bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    with records(db, server, crew, lake, taking_in=True) as store, bar as progress:
        for name in files or ("-",):
            task = progress.add_task(name, total=None)
            before = whole
            began = time.monotonic()
            for counts, share in store.take(name, complain):
                whole = before + counts
                progress.update(
                    task,
                    description=f"{name}: {whole}, {_rate(counts, began)} a second",
                    total=None if share is None else 1.0,
                    completed=share or 0.0,
                )
            progress.remove_task(task)
    click.echo(str(whole))
    context.exit(UNREADABLE if whole.rejected else 0)


def _rate(counts: Counts, began: float) -> str:
    """Records of a file a second."""
    return f"{(counts.stored + counts.known + counts.rejected) / max(time.monotonic() - began, 0.001):,.0f}"
