"""Signing in and one's own account, in a browser: by keyboard, on small screens, in the dark, with axe."""

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from flask import Flask
from playwright.sync_api import expect

from service.store import Store
from tests.service.public import PASSWORD, serving

from . import logs
from .conftest import listening
from .looks import SCREENS, look

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

pytestmark = [pytest.mark.browser, pytest.mark.requires("chromium")]


@pytest.fixture
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    with Store(tmp_path_factory.mktemp("public") / "store.duckdb") as store, serving(store) as app:
        app.extensions["hanafu-people"].add("leilani", "player", PASSWORD)
        yield app


@pytest.fixture
def page(public: Flask, visitor: Callable[..., "BrowserContext"]) -> Iterator["Page"]:
    """A page of the product with accounts. The browser takes this machine for safe, so cookies that are for TLS alone reach it."""
    with listening(public) as port:
        yield visitor(f"http://localhost:{port}").new_page()


def sign_in(page: "Page") -> None:
    """By keyboard alone; the name has the focus."""
    page.goto("/login?next=/account")
    expect(page.get_by_label("Account")).to_be_focused()
    page.keyboard.type("leilani")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_role("heading", level=1, name="leilani").wait_for()


def test_sign_in_send_make_a_token_and_sign_out_by_keyboard(page: "Page") -> None:
    page.goto("/login")
    expect(page.get_by_label("Account")).to_be_focused()
    page.keyboard.type("leilani")
    page.keyboard.press("Tab")
    page.keyboard.type("not my password")
    page.keyboard.press("Enter")
    page.get_by_role("alert").wait_for()
    expect(page.locator("#password")).to_be_focused()
    sign_in(page)

    page.goto("/")
    page.get_by_label("Or paste it").focus()
    page.keyboard.insert_text(logs.AGREED)
    page.get_by_role("button", name="Check it").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/records/*")

    page.goto("/account")
    page.get_by_text("New token").focus()
    page.locator("#tokens summary").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("What it is for")).to_be_visible()
    page.get_by_label("What it is for").focus()
    page.keyboard.type("The club's robot")
    page.keyboard.press("Enter")
    expect(page.locator("#secret code")).to_have_text(re.compile("^hanafu_"))

    page.goto("/account")
    expect(page.locator("#secret")).to_have_count(0)
    page.get_by_label("Who sees it").select_option("public")
    page.get_by_role("button", name="Save").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/account#records")
    expect(page.get_by_label("Who sees it")).to_have_value("public")

    page.get_by_role("button", name="Sign out").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/login")
    page.goto("/account")
    page.get_by_role("heading", level=1, name="Sign in").wait_for()


@pytest.mark.parametrize(("width", "scheme"), [*SCREENS, (3840, "dark")])
def test_sign_in_and_account_fit_every_screen_and_pass_axe(page: "Page", width: int, scheme: str) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # one of Playwright's words
    page.goto("/login")
    look(page, "login", width, scheme)
    sign_in(page)
    page.locator("#tokens summary").click()
    expect(page.get_by_label("What it is for")).to_be_visible()
    look(page, "account", width, scheme)
