"""The head of every page: one line where there is room, a menu where there is none, and all of it by keyboard."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from web import language

if TYPE_CHECKING:
    from playwright.sync_api import Page

    Open = Callable[..., Page]

IN_LINE = ["Upload", "Records", "Write down", "Dashboard", "Players", "Rules"]
UNDER_MORE = ["Cards", "Format", "Guides", "Standings", "Compare", "API"]


def test_where_one_is_stands_in_the_navigation(client: FlaskClient, ids: dict[str, str]) -> None:
    for path, mark in (
        ("/", '<a href="/" aria-current="page">'),
        ("/records", '<a href="/records" aria-current="page">'),
        (f"/records/{ids['unlawful']}", '<a href="/records" aria-current="true">'),
        ("/record", '<a href="/record" aria-current="page">'),
        ("/rules/koi-koi", '<a href="/rules" aria-current="true">'),
        ("/cards", '<a href="/cards" aria-current="page">'),
    ):
        head = client.get(path).text.split("</header>")[0].split("<nav")[1].split("</nav>")[0]
        assert mark in head and head.count("aria-current") == 1, path


@pytest.mark.browser
@pytest.mark.requires("chromium", "fonts")
@pytest.mark.parametrize("lang", language.LANGUAGES)
def test_the_head_is_one_line_from_1024_pixels_on(opened: "Open", lang: str) -> None:
    page = opened(f"/rules?lang={lang}", width=1024)
    tops = page.locator(".masthead-inner").evaluate(
        "head => [...head.querySelectorAll('.wordmark, nav > a, .more-button, .masthead-inner > .button')]"
        ".filter(each => each.checkVisibility()).map(each => each.getBoundingClientRect())"
        ".map(box => Math.round(box.top + box.height / 2))"
    )
    assert len(tops) == len(IN_LINE) + 4  # the name of the product, More, the language, light and dark
    assert max(tops) - min(tops) <= 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 1024


@pytest.mark.browser
@pytest.mark.requires("chromium")
def test_more_opens_by_keyboard_and_leads_on(opened: "Open") -> None:
    page = opened("/rules", width=1024)
    more = page.locator("#more-nav")
    expect(more).to_be_hidden()
    page.get_by_role("button", name="More").press("Enter")
    expect(more.get_by_role("link")).to_have_text(UNDER_MORE)
    page.keyboard.press("Escape")
    expect(more).to_be_hidden()
    page.keyboard.press("Enter")
    expect(more).to_be_visible()
    page.keyboard.press("Tab")
    expect(more.get_by_role("link", name="Cards")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/cards")
    expect(page.get_by_role("heading", level=1)).to_be_visible()


@pytest.mark.browser
@pytest.mark.requires("chromium")
def test_a_small_screen_has_all_pages_in_one_menu(opened: "Open") -> None:
    page = opened("/rules", width=360, height=640)
    links = page.locator("#site-nav a")
    expect(links.first).to_be_hidden()
    page.get_by_role("button", name="Menu").press("Enter")
    expect(links).to_have_text(IN_LINE + UNDER_MORE)
    expect(page.get_by_role("button", name="More")).to_be_hidden()
    for _ in IN_LINE + UNDER_MORE:
        page.keyboard.press("Tab")
    expect(links.last).to_be_focused()
    expect(links.last).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(links.first).to_be_hidden()
