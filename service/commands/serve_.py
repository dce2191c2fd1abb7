"""``hanafu serve``: pages and API, one process, until it is told to stop."""

import logging
import signal
from contextlib import ExitStack, closing
from pathlib import Path
from types import FrameType

import click

from service.config import DEFAULT, load
from service.errors import ServiceError


@click.command("serve")
@click.option("--host", help="Address to listen on  [default: 127.0.0.1]")
@click.option("--port", help="Port to listen on; 0: any that is free  [default: 8000]")
@click.option("--db", type=click.Path(path_type=Path), help="File of the store  [default: in your data folder]")
@click.option("--lake", metavar="DATABASE", help="A lake instead of a file, which several servers share: its PostgreSQL (dbname=hanafu).")
@click.option("--lake-data", metavar="PLACE", help="Folder, or s3://BUCKET/PREFIX, for the files of a new lake.")
@click.option("--samples", is_flag=True, default=None, help="Load the sample records first.")
@click.option("--public", is_flag=True, default=None, help="Ask for accounts; needs --behind-proxy or --host.")
@click.option("--behind-proxy", is_flag=True, default=None, help="A proxy before it does TLS and says who asks.")
@click.option("--hosts", help="Names of this server, divided by commas, that requests may ask for.")
@click.option("--config", "file", type=click.Path(path_type=Path), help="File with settings (TOML).")
def command(file: Path | None, **flags: object) -> None:
    """Serve pages and API.

    On 127.0.0.1 no account is needed. With --public it is (`hanafu user add`); it then listens on 127.0.0.1 still, behind a proxy that
    does TLS, or where --host says.

    One process owns the store, unless it is a lake. SIGTERM and Ctrl-C finish what is being answered, close the store, and end.
    """
    from service import holder
    from service.app import create_app, in_lane
    from service.clock import behind
    from service.desk import Desk, now
    from service.imports import Imports
    from service.listening import Listener
    from service.logs import set_up
    from service.opening import opened
    from service.samples import load_samples
    from service.samples.disputes import load_disputes

    try:
        settings, sources = (loaded := load(flags, file=file)).settings, loaded.sources
        if settings.public and not settings.behind_proxy and sources["host"] == DEFAULT:
            raise ServiceError("--public needs --behind-proxy (a proxy on this machine does TLS) or --host (the address to listen on)")
        set_up(settings.log)
        signal.signal(signal.SIGTERM, _stop)
        with ExitStack() as stack:
            store = stack.enter_context(opened(settings, serving=True))
            desk = Desk(store)
            stack.callback(desk.catch_up)
            if said := behind(store, now()):
                logging.getLogger("hanafu").warning(said)
            if settings.samples:
                load_samples(desk)
                load_disputes(desk)
            imports = stack.enter_context(closing(Imports(desk)))
            app = create_app(settings, desk, imports)
            try:
                server = Listener(app, settings, in_lane(desk), desk.courtesy)
            except (OSError, ValueError) as error:
                said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
                raise ServiceError(f"cannot listen on {settings.host}:{settings.port}: {said}") from error
            address = f"http://{_bracketed(settings.host)}:{server.port}"
            app.extensions["hanafu-owner"] = holder.announce(store.path, address).token
            try:
                click.echo(f"Hanafu serves {address}/ from {store}")
                for each in (signal.SIGTERM, signal.SIGINT):
                    signal.signal(each, lambda _signal, _frame: server.stop())
                server.run()
            finally:
                holder.withdraw(store.path)
                server.close()
    except ServiceError as error:
        raise click.ClickException(str(error)) from error


def _stop(signal: int, frame: FrameType | None) -> None:
    raise SystemExit(0)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
