"""The whole product on a free port over a store of its own, and a browser that fetches nothing from outside."""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

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
    """The ids of the kept records by verdict."""
    page = site.extensions["hanafu"].records({}, "-sent", None, 50)
    return {row.verdict: row.id for row in page.items}


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


@pytest.fixture(scope="session")
def address(site: Flask) -> Iterator[str]:
    """Where the product answers, on a free port of this machine."""
    server = make_server("127.0.0.1", 0, site, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="session")
def browser(chromium: Path) -> Iterator["Browser"]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture
def opened(browser: "Browser", address: str) -> Iterator[Callable[..., "Page"]]:
    """Opens a page of the product; `width`, `scheme` and `motion` make the visitor's screen. Fails where the page says an error on its
    console or asks anything of another site."""
    contexts: list[BrowserContext] = []
    wrong: list[str] = []

    def open_page(path: str, width: int = 1280, scheme: str = "light", height: int = 800) -> "Page":
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,  # type: ignore[arg-type]  # one of Playwright's words
            reduced_motion="reduce",
            base_url=address,
            locale="en-GB",
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(f"{path}: {error}"))
        page.on("console", lambda said: wrong.append(f"{path}: {said.text}") if said.type == "error" else None)
        page.on("request", lambda sent: wrong.append(sent.url) if not sent.url.startswith((address, "data:", "blob:")) else None)
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert [text for text in wrong if "status of 422" not in text and "status of 404" not in text] == []
