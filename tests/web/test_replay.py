"""The replay in a browser: by keyboard alone, by address, by pointer."""

from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

from . import logs

if TYPE_CHECKING:
    from playwright.sync_api import Page

    Open = Callable[..., Page]

pytestmark = [pytest.mark.browser, pytest.mark.requires("chromium")]


def shows(page: "Page", **state: str) -> None:
    """Waits until the address says so: it follows the page a little later."""
    page.wait_for_function(
        "state => Object.entries(state).every(([name, value]) => (new URLSearchParams(location.search).get(name) ?? '') === value)",
        arg=state,
    )


def at(page: "Page") -> int:
    """The step that is shown."""
    return int(page.locator("[data-scrubber]").input_value())


def said(page: "Page") -> str:
    return page.locator("[data-says]").inner_text()


def cards(page: "Page", within: str) -> list[str]:
    """The names of the pictures inside an element."""
    return [
        name or ""
        for name in page.locator(f"{within} svg[role=img]").evaluate_all("all => all.map(each => each.getAttribute('aria-label'))")
    ]


def test_a_log_is_sent_its_verdict_read_and_its_fault_reached_by_keyboard_alone(opened: "Open") -> None:
    page = opened("/")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # the link that skips to the content
    while page.evaluate("document.activeElement.id") != "text":
        page.keyboard.press("Tab")
    page.keyboard.insert_text(logs.UNLAWFUL)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/records/*")
    assert page.locator("#verdict .word").inner_text() == "Unlawful"

    while page.evaluate("document.activeElement.textContent.trim()") != "Action 2":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/replay?*")
    shows(page, step="3")
    assert said(page).startswith("Kimo plays Paulownia, bright: phoenix.") and "Unlawful" in said(page)

    again = opened(page.url)
    assert said(again) == said(page)
    assert again.locator("[data-mat]").inner_html() == page.locator("[data-mat]").inner_html()


def test_each_key_of_a_step_does_what_the_list_says(opened: "Open", ids: dict[str, str]) -> None:
    page = opened(f"/records/{ids['unlawful']}/replay?round=1&step=0&seat=1&reveal=seen")
    for key, step in (
        ("ArrowRight", 1),
        ("j", 2),
        ("k", 1),
        ("ArrowLeft", 0),
        ("ArrowDown", 1),
        ("ArrowDown", 3),
        ("ArrowUp", 1),
        ("End", 10),
        (",", 3),
        ("Home", 0),
        (".", 3),
    ):
        page.keyboard.press(key)
        shows(page, step=str(step))
    for key, name, value in (("h", "reveal", "open"), ("h", "reveal", "seen"), ("u", "reveal", "all"), ("2", "seat", "2")):
        page.keyboard.press(key)
        shows(page, **{name: value})


def test_keys_that_lead_somewhere_move_the_focus(opened: "Open", ids: dict[str, str]) -> None:
    page = opened(f"/records/{ids['unlawful']}/replay")
    for key, selector in (("y", "[data-yaku-panel]"), ("c", "[data-notes-panel]"), ("/", "[data-search]")):
        page.keyboard.press(key)
        assert page.locator(selector).evaluate("each => each === document.activeElement"), key
    page.keyboard.type("j")  # typed, not stepped
    assert at(page) == 0
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert page.locator("dialog[data-keys]").is_visible()


def test_keys_do_nothing_with_a_modifier_or_turned_off(opened: "Open", ids: dict[str, str]) -> None:
    page = opened(f"/records/{ids['unlawful']}/replay")
    page.keyboard.press("Alt+j")
    assert at(page) == 0
    page.keyboard.press("?")
    page.locator("[data-keys-on]").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    assert at(page) == 0


def test_hands_are_hidden_until_asked_for(opened: "Open", ids: dict[str, str]) -> None:
    page = opened(f"/records/{ids['unlawful']}/replay")
    kimo = '[data-seat-number="2"] .hand'
    assert cards(page, kimo) == [] and "8 cards, hidden" in page.locator(kimo).inner_text()
    assert len(cards(page, '[data-seat-number="1"] .hand')) == 8
    page.keyboard.press("h")
    assert "Paulownia, bright: phoenix" in cards(page, kimo)
    assert cards(page, "[data-draw]") == []
    page.keyboard.press("u")
    assert cards(page, "[data-draw]")[:2] == ["Wisteria, animal: cuckoo", "Peony, ribbon: blue ribbon"]


def test_cp_4_the_unlawful_card_is_hatched_and_its_rule_named(opened: "Open", ids: dict[str, str]) -> None:
    page = opened(f"/records/{ids['unlawful']}/replay?step=3")
    assert page.locator("[data-doing] use[href$='#card-hatch']").count() == 1
    assert page.locator("[data-doing] a.rule-id").get_attribute("href") == "/rules/koi-koi#CP-4"
    page.keyboard.press("j")
    assert "After an unlawful act" in page.locator("[data-doing]").inner_text()


def test_the_field_and_the_piles_are_those_of_the_step(opened: "Open", ids: dict[str, str]) -> None:
    page = opened(f"/records/{ids['unlawful']}/replay")
    page.keyboard.press("End")
    assert sorted(cards(page, "[data-field]")) == sorted(
        [
            "Plum blossom, ribbon: poetry ribbon",
            "Iris, animal: eight-plank bridge",
            "Susuki grass, chaff",
            "Chrysanthemum, ribbon: blue ribbon",
            "Paulownia, bright: phoenix",
            "Paulownia, chaff",
        ]
    )
    assert len(cards(page, '[data-seat-number="1"] .pile')) == 6
    assert len(cards(page, '[data-seat-number="2"] .pile')) == 4


def test_the_scrubber_and_the_chart_are_dragged(opened: "Open", ids: dict[str, str]) -> None:
    page = opened(f"/records/{ids['unlawful']}/replay")
    for selector in ("[data-scrubber]", "[data-chart]"):
        box = page.locator(selector).bounding_box()
        assert box is not None
        middle = box["y"] + box["height"] / 2
        page.mouse.move(box["x"] + 12, middle)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] / 2, middle, steps=5)
        page.mouse.up()
        shows(page, step="5")
        page.locator("h1").click()
        page.keyboard.press("Home")


def test_a_move_leads_to_its_step_and_the_search_finds_it(opened: "Open", ids: dict[str, str]) -> None:
    page = opened(f"/records/{ids['unlawful']}/replay")
    page.locator("[data-search]").fill("phoenix")
    assert page.locator(".move:visible").count() == 1
    page.locator(".move:visible .move-part").first.click()
    shows(page, step="3")


def test_the_result_stays_hidden_on_wish(opened: "Open", ids: dict[str, str]) -> None:
    page = opened(f"/records/{ids['unlawful']}/replay?step=1&result=hidden")
    assert not page.locator("[data-result]").is_visible()
    assert not page.locator('[data-moves] [data-to="3"]').is_visible()
    page.locator("[data-hide-result]").uncheck()
    assert page.locator("[data-result]").is_visible()
    shows(page, result="")


def test_it_plays_by_itself_to_the_end(opened: "Open", ids: dict[str, str]) -> None:
    page = opened(f"/records/{ids['unlawful']}/replay?step=8")
    for _ in range(3):
        page.keyboard.press("+")
    page.keyboard.press(" ")
    shows(page, step="10")
    assert page.locator('[data-do="play"]').get_attribute("aria-pressed") == "false"


def test_the_live_region_says_the_step_politely(opened: "Open", ids: dict[str, str]) -> None:
    page = opened(f"/records/{ids['unlawful']}/replay")
    assert page.locator("[data-says]").get_attribute("aria-live") == "polite"
    page.keyboard.press("j")
    assert said(page) == "Leilani plays Cherry blossom, bright: curtain. It captures Cherry blossom, chaff."


def test_the_link_is_copied(opened: "Open", ids: dict[str, str]) -> None:
    page = opened(f"/records/{ids['unlawful']}/replay")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.keyboard.press("j")
    page.keyboard.press("s")
    page.locator("[data-toast]").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert parse_qs(urlsplit(copied).query)["step"] == ["1"]
