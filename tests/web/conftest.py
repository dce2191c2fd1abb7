"""The whole product on a free port over a store of its own, and a browser that fetches nothing from outside.

A page that is opened, reloaded or navigated to is there once its `load` event has fired: its module scripts ran before that, so it
listens. What an action changes may come later; tests wait for it with `expect` or `wait_for_function`. `HANAFU_SLOW_BROWSER=6` runs the
pages at a sixth of the speed, which shows the tests that do not.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.serving import make_server

from service.app import create_app
from service.config import Settings
from service.desk import Desk
from service.imports import Imports
from service.store import Store

from . import logs
from .recorder import PHONE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

SLOWER = float(os.environ.get("HANAFU_SLOW_BROWSER", "1"))
"""How many times slower than this machine the pages run."""

PATIENCE = 30_000 * max(1.0, SLOWER / 2)
"""How long a test waits for what it expects, in ms: long, for a machine that does much else; only a failing test waits to the end."""

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-quic",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """An application over a new store that holds the records of `logs`."""
    with Store(tmp_path_factory.mktemp("site") / "store.duckdb") as store:
        desk = Desk(store)
        with closing(Imports(desk)) as imports:
            for log in (logs.UNLAWFUL, logs.DISPUTED, logs.AGREED):
                desk.add(log.encode(), "text/plain", sample=log is logs.AGREED)
            yield create_app(Settings(), desk, imports)


@pytest.fixture(scope="session")
def ids(site: Flask) -> dict[str, str]:
    """The ids of the records of `logs` by verdict, whatever other tests have sent by now."""
    desk = site.extensions["hanafu"]
    kept = {"unlawful": logs.UNLAWFUL, "disputed": logs.DISPUTED, "incomplete": logs.AGREED}
    return {verdict: desk.add(log.encode(), "text/plain").id for verdict, log in kept.items()}


@pytest.fixture
def client(site: Flask) -> FlaskClient:
    return site.test_client()


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[FlaskClient]:
    """A client of a product without any record."""
    with Store(tmp_path / "store.duckdb") as store:
        desk = Desk(store)
        with closing(Imports(desk)) as imports:
            yield create_app(Settings(), desk, imports).test_client()


@contextmanager
def listening(app: Flask) -> Iterator[int]:
    """The port of this machine on which an application answers: one that is free. What it still answers at the end is waited for: pages
    ask by themselves, and a store is not closed meanwhile."""
    answering, free = [0], threading.Condition()

    def counted(environ: Any, start: Any) -> Any:
        with free:
            answering[0] += 1
        try:
            return app(environ, start)
        finally:
            with free:
                answering[0] -= 1
                free.notify_all()

    server = make_server("127.0.0.1", 0, counted, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join()
    server.server_close()
    with free:
        free.wait_for(lambda: answering[0] == 0)


@pytest.fixture(scope="session")
def address(site: Flask) -> Iterator[str]:
    """Where the product answers."""
    with listening(site) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="session")
def browser(chromium: Path) -> Iterator["Browser"]:
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE / 2)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield opened
        opened.close()


EXPECTED = ("status of 422", "status of 404", "ERR_INTERNET_DISCONNECTED")
"""What a browser says of answers that tests ask for: refused, not there, no network."""


@pytest.fixture
def visitor(browser: "Browser") -> Iterator[Callable[..., "BrowserContext"]]:
    """Makes visitors of a site by its address; the rest is as Playwright names it. Fails where a page says an error on its console or
    asks anything of another site."""
    contexts: list[BrowserContext] = []
    wrong: list[str] = []

    def said(text: str) -> None:
        if not any(each in text for each in EXPECTED):
            wrong.append(text)

    def slow(page: "Page") -> None:
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})

    def come(site: str, **screen: Any) -> "BrowserContext":
        context = browser.new_context(**{"base_url": site, "locale": "en-GB", "reduced_motion": "reduce", **screen})
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        context.on("weberror", lambda error: said(str(error.error)))
        context.on("console", lambda each: said(f"{each.location['url']}: {each.text}") if each.type == "error" else None)
        context.on("request", lambda sent: None if sent.url.startswith((site, "data:", "blob:")) else wrong.append(sent.url))
        if SLOWER != 1:
            context.on("page", slow)
        return context

    yield come
    for context in contexts:
        context.close()
    assert wrong == []


@pytest.fixture
def opened(visitor: Callable[..., "BrowserContext"], address: str) -> Callable[..., "Page"]:
    """Opens a page of the product; `width`, `height` and `scheme` make the visitor's screen."""

    def open_page(path: str, width: int = 1280, scheme: str = "light", height: int = 800) -> "Page":
        page = visitor(address, viewport={"width": width, "height": height}, color_scheme=scheme).new_page()
        page.goto(path)
        return page

    return open_page


@pytest.fixture
def phones(visitor: Callable[..., "BrowserContext"], address: str) -> Callable[[], "BrowserContext"]:
    """Makes phones: each a device of its own."""
    return lambda: visitor(address, **PHONE, accept_downloads=True)


@pytest.fixture
def phone(phones: Callable[[], "BrowserContext"]) -> "BrowserContext":
    """One phone."""
    return phones()
