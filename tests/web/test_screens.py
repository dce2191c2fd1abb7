"""Every page on small and large screens, light and dark: nothing cut off, nothing that axe-core finds."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from . import logs

if TYPE_CHECKING:
    from playwright.sync_api import Page

    Open = Callable[..., Page]

pytestmark = [pytest.mark.browser, pytest.mark.requires("chromium", "fonts")]

PAGES = {
    "upload": "/",
    "records": "/records",
    "audit-unlawful": "/records/{unlawful}",
    "audit-disputed": "/records/{disputed}",
    "replay": "/records/{unlawful}/replay?step=3",
    "transcript": "/records/{unlawful}/transcript",
    "embed": "/embed/records/{unlawful}?step=5&reveal=all",
    "dashboard": "/dashboard",
    "chart": "/dashboard/causes?variant=koi-koi",
    "rules": "/rules",
    "game": "/rules/higobana",
    "cards": "/cards",
    "format": "/format",
    "api": "/api",
}
SCREENS = [(360, "light"), (1024, "dark"), (1920, "light")]


def shot(page: "Page", name: str) -> None:
    """Keeps a picture where HANAFU_SCREENSHOTS names a folder."""
    if folder := os.environ.get("HANAFU_SCREENSHOTS"):
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


@pytest.mark.parametrize(("width", "scheme"), SCREENS)
@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_wider_than_the_screen(opened: "Open", ids: dict[str, str], name: str, width: int, scheme: str) -> None:
    page = opened(PAGES[name].format(**ids), width=width, scheme=scheme)
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    shot(page, f"{name}-{width}-{scheme}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(opened: "Open", ids: dict[str, str], name: str, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = opened(PAGES[name].format(**ids), scheme=scheme)
    page.wait_for_load_state("networkidle")
    found = Axe().run(page).response["violations"]
    assert [(each["id"], [node["target"] for node in each["nodes"]][:5]) for each in found] == []


@pytest.mark.parametrize("name", PAGES)
def test_targets_are_large_enough_to_touch(opened: "Open", ids: dict[str, str], name: str) -> None:
    page = opened(PAGES[name].format(**ids), width=360)
    page.wait_for_load_state("networkidle")
    small = page.evaluate(
        """() => [...document.querySelectorAll("button, select, summary, input:not([type=hidden]), a.button, a.chip, nav a")]
            .filter(each => each.checkVisibility() && !each.closest(".visually-hidden, .skip, label"))
            .filter(each => { const box = each.getBoundingClientRect(); return box.width && (box.height < 43.5 || box.width < 43.5); })
            .map(each => `${each.tagName} ${each.className} ${each.textContent.trim().slice(0, 20)}`)"""
    )
    assert small == []


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
