"""How a command asks a server, and how it ends where something fails. Needs no store."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import click

from service.client import Client, Refused, Unreachable
from service.errors import ServiceError

TOKEN: Final = "HANAFU_TOKEN"
"""The variable that holds the token for a server that is named."""


def server_option(command: Callable[..., None]) -> Callable[..., None]:
    """A server to be asked, for every command that the API can answer; comes as ``server``."""
    return click.option("--server", metavar="URL", help=f"Ask this server; where it asks for accounts, {TOKEN} holds a token.")(command)


def client_of(server: str) -> Client:
    """The server that was named, asked with the token of the environment. Raises ValueError for what is no address."""
    return Client(server, os.environ.get(TOKEN))


@contextmanager
def failures() -> Iterator[None]:
    """What goes wrong inside ends the command with a sentence."""
    try:
        yield
    except Refused as refused:
        faults = [f"{fault.get('pointer', '').lstrip('/')}: {fault['detail']}" for fault in refused.errors]
        raise click.ClickException("\n".join(faults) or str(refused)) from refused
    except (ServiceError, Unreachable, ValueError) as error:
        raise click.ClickException(str(error)) from error
