"""Every page on small and large screens, light and dark: nothing cut off, nothing that axe-core finds."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from . import logs
from .looks import SCREENS, look

if TYPE_CHECKING:
    from playwright.sync_api import Page

    Open = Callable[..., Page]

pytestmark = [pytest.mark.browser, pytest.mark.requires("chromium", "fonts")]

PAGES = {
    "upload": "/",
    "records": "/records",
    "records-empty": "/records?player=Kimo&verdict=confirmed",
    "audit-unlawful": "/records/{unlawful}",
    "audit-disputed": "/records/{disputed}",
    "options": "/records/{unlawful}/options?viewing=five",
    "replay": "/records/{unlawful}/replay?step=3",
    "transcript": "/records/{unlawful}/transcript",
    "embed": "/embed/records/{unlawful}?step=5&reveal=all",
    "dashboard": "/dashboard",
    "chart": "/dashboard/causes?variant=koi-koi",
    "record": "/record",
    "sheet": "/record/sheet",
    "players": "/players",
    "player": "/players/Kimo",
    "rules": "/rules",
    "game": "/rules/higobana",
    "cards": "/cards",
    "format": "/format",
    "guides": "/guide",
    "guide": "/guide/desk",
    "api": "/api",
    "nothing": "/no/such/page",
}
DRAWN_LATER = ("dashboard", "chart", "api", "record", "sheet")
"""Pages whose scripts ask the server for something before they are whole."""


@pytest.mark.parametrize(("width", "scheme"), SCREENS)
@pytest.mark.parametrize("name", PAGES)
def test_every_page_fits_every_screen_and_passes_axe(opened: "Open", ids: dict[str, str], name: str, width: int, scheme: str) -> None:
    page = opened(PAGES[name].format(**ids), width=width, scheme=scheme)
    if name in DRAWN_LATER:
        page.wait_for_load_state("networkidle")
    look(page, name, width, scheme)


def test_light_and_dark_are_the_systems_until_chosen(opened: "Open") -> None:
    page = opened("/", scheme="dark")
    paper = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(paper)
    page.locator("[data-theme-toggle]").click()
    page.wait_for_function(f"dark => {paper} !== dark", arg=dark)
    light = page.evaluate(paper)
    page.reload()
    assert page.evaluate(paper) == light


def test_without_motion_every_change_shows_at_once(opened: "Open") -> None:
    page = opened("/", scheme="light")
    moving = "[...document.querySelectorAll('*')].filter(each => /[1-9]/.test(getComputedStyle(each).transitionDuration)).length"
    assert page.evaluate(moving) == 0
    page.emulate_media(reduced_motion="no-preference")
    page.wait_for_function(f"{moving} > 0")


def test_all_errors_are_shown_at_once_and_lead_into_the_text(opened: "Open") -> None:
    page = opened("/")
    page.locator("#text").fill(logs.BROKEN)
    page.get_by_role("button", name="Check it").click()
    expect(page.locator(".errors li")).to_have_count(2)
    page.get_by_role("button", name="Show in the text").last.click()
    page.wait_for_function("(text => text.value.slice(text.selectionStart, text.selectionEnd))(document.querySelector('#text')) === '99C'")
    mended = page.locator("#text").input_value().replace("3Q", "3C").replace("12Bx 99C", "4A 6R").replace("Kimo", "Nalu")
    page.locator("#text").fill(mended)
    page.get_by_role("button", name="Check it").click()
    page.wait_for_url("**/records/*")


def test_a_file_that_cannot_be_read_comes_into_the_text_to_be_mended(opened: "Open") -> None:
    page = opened("/")
    page.locator("#file").set_input_files({"name": "game.hrn", "mimeType": "text/plain", "buffer": logs.BROKEN.encode()})
    page.get_by_role("button", name="Check it").click()
    expect(page.locator("[data-outcomes]")).to_contain_text("game.hrn: 2 things cannot be read")
    expect(page.locator("#text")).to_have_value(logs.BROKEN)


def test_what_is_rejected_of_many_records_is_said_on_the_page(opened: "Open") -> None:
    page = opened("/", width=360)
    wrong = "".join(f'{{"format":"hanafuda-record/1","variant":"poker{number}"}}\n' for number in range(6))
    page.set_input_files("input[type=file]", {"name": "evening.jsonl", "mimeType": "application/x-ndjson", "buffer": wrong.encode()})
    page.get_by_role("button", name="Check it").click()
    expect(page.locator(".errors .finding")).to_have_count(5)
    expect(page.locator(".errors .finding").first).to_contain_text("poker0")
    expect(page.locator(".outcome")).to_contain_text("… and 1 more.")
    expect(page.locator("[data-stage]").first).to_have_class("stopped")
    expect(page.locator(".outcome")).to_be_in_viewport()


def test_on_paper_it_is_light_whatever_the_screen_was(opened: "Open", ids: dict[str, str]) -> None:
    page = opened(f"/records/{ids['unlawful']}", scheme="light")
    soft = "getComputedStyle(document.querySelector('.verdict-head')).backgroundColor"
    light = page.evaluate(soft)
    page.locator("[data-theme-toggle]").click()
    page.wait_for_function(f"light => {soft} !== light", arg=light)
    page.emulate_media(media="print", color_scheme="dark")
    page.wait_for_function(f"light => {soft} === light", arg=light)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
