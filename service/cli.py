"""The command ``hanafu``. Each subcommand is a module of `service.commands`, imported when it is called and not before."""

import importlib
import sys
from typing import Any, Final

import click

COMMANDS: Final = {
    "audit": "Audit records: were they lawful, are their claims right?",
    "bench": "Measure how fast it is here, beside other libraries.",
    "backup": "Copy the store, while a server goes on writing.",
    "case": "Write a record's case: report, rulings and log in one file.",
    "check": "Check a store: every hash, every report.",
    "compare": "Lay two sheets of one game side by side.",
    "config": "Print all settings and where they come from.",
    "convert": "Write records anew, as JSON or as text.",
    "export": "Write stored records out.",
    "import": "Store records.",
    "pseudonym": "Show players under other names.",
    "reaudit": "Audit anew what another version of the engine judged.",
    "restore": "Make a backup the store.",
    "serve": "Serve pages and API.",
    "show": "Say who sees a record.",
    "simulate": "Write random games, lawful and rightly claimed, or with faults planted.",
    "token": "Make and revoke tokens for programs.",
    "user": "Add and change accounts.",
    "verify": "Check exported cases, without a server.",
    "withdraw": "Erase a record.",
}
"""Name and first sentence of each; module and function bear the name."""


class Lazy(click.Group):
    """A group whose commands are imported when they are needed; help needs none of them."""

    def list_commands(self, context: click.Context) -> list[str]:
        """All, in order."""
        return sorted(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """The command, imported."""
        if name not in COMMANDS:
            return None
        command = importlib.import_module(f"service.commands.{name}_").command
        assert isinstance(command, click.Command)
        return command

    def invoke(self, context: click.Context) -> Any:
        """The command; what the system refuses, on closing its file too, ends it with a sentence. Whoever reads no further needs none."""
        try:
            return super().invoke(context)
        except BrokenPipeError:
            raise
        except OSError as error:
            told = error.strerror or str(error)
            raise click.ClickException(f"{error.filename}: {told}" if error.filename else told) from error

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in the help."""
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))


def _version(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        from records import __version__
        from service.engine import kind

        click.echo(f"hanafu {__version__}, engine {kind()}")
        context.exit()


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version.")
def main() -> None:
    """Hanafuda game records, replayed, audited and explained."""


if __name__ == "__main__":
    sys.exit(main())
