"""``hanafu export``: records or tables out of the store."""

from pathlib import Path
from typing import BinaryIO

import click

from service.commands.access import records
from service.commands.asking import server_option


@click.command("export")
@click.option("--db", type=click.Path(path_type=Path), help="File of the store.")
@server_option
@click.option("--to", "form", type=click.Choice(["json", "text"]), default="json", show_default=True, help="The form of records.")
@click.option("--table", metavar="NAME", help="A table instead: records, players, rounds, seats, actions, yaku or findings.")
@click.option("--as", "table_form", type=click.Choice(["csv", "parquet"]), default="csv", show_default=True, help="The form of a table.")
@click.option("--variant", default="", help="Only these games, divided by commas.")
@click.option("--player", default="", help="Only records with this player.")
@click.option("--event", default="", help="Only records of this event.")
@click.option("--verdict", default="", help="Only records with these verdicts, divided by commas.")
@click.option("--finding", default="", help="Only records with one of these findings, divided by commas.")
@click.option("--from", "from_", default="", help="Only records from this date on.")
@click.option("--until", "to", default="", help="Only records up to this date.")
@click.option("-o", "--output", type=click.File("wb"), default="-", help="Where to write; standard output where absent.")
def command(db: Path | None, server: str | None, form: str, table: str | None, table_form: str, output: BinaryIO, **filters: str) -> None:
    """Write stored records out, in the order in which they came.

    JSON comes as one canonical record a line, text with a blank line between records: `hanafu import` reads both.
    """
    chosen = {name.rstrip("_"): value for name, value in filters.items() if value}
    with records(db, server) as store:
        if table:
            store.table(table, table_form, chosen, output)
            return
        for id in store.ids(chosen):
            output.write(store.fetch(id, form).rstrip(b"\n") + (b"\n" if form == "json" else b"\n\n"))
