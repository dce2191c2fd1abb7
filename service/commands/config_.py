"""``hanafu config``: every setting, its value, and where that came from."""

from dataclasses import fields
from pathlib import Path

import click

from service.config import Settings, load
from service.errors import ServiceError


@click.command("config")
@click.option("--config", "file", type=click.Path(path_type=Path), help="File with settings (TOML).")
def command(file: Path | None) -> None:
    """Print all settings as TOML, each with where its value comes from.

    A setting is given on the command line of the command that uses it, else by the environment (HANAFU_ and its name in capitals), else by
    a file.
    """
    try:
        found = load(file=file)
    except ServiceError as error:
        raise click.ClickException(str(error)) from error
    for setting in fields(Settings):
        value = getattr(found.settings, setting.name)
        click.echo(f"# {setting.metadata['text']} ({found.sources[setting.name]})")
        click.echo(f"{setting.name} = {_toml(value)}")


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int) else "'''" + str(value) + "'''" if "\\" in str(value) else f'"{value}"'
