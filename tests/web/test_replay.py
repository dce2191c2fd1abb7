"""The replay in a browser: by keyboard alone, by address, by pointer."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from . import logs
from .looks import jumped

if TYPE_CHECKING:
    from playwright.sync_api import Page

    Open = Callable[..., Page]

pytestmark = [pytest.mark.browser, pytest.mark.requires("chromium")]


def shows(page: "Page", **state: str) -> None:
    """Waits until the address says so: it follows what is drawn a little later."""
    page.wait_for_function(
        "state => Object.entries(state).every(([name, value]) => (new URLSearchParams(location.search).get(name) ?? '') === value)",
        arg=state,
    )


def at(page: "Page", step: int) -> None:
    """Waits until this step is shown."""
    expect(page.locator("[data-scrubber]")).to_have_value(str(step))


def tab_to(page: "Page", what: str, wanted: str) -> None:
    """Presses Tab until something of the focused element is what is wanted."""
    for _ in range(200):
        if page.evaluate(f"document.activeElement.{what}") == wanted:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {wanted}")


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
    tab_to(page, "id", "text")
    page.keyboard.insert_text(logs.UNLAWFUL)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/records/*")
    expect(page.locator("#verdict .word")).to_have_text("Unlawful")

    tab_to(page, "textContent.trim()", "Action 2")
    page.keyboard.press("Enter")
    page.wait_for_url("**/replay?*")
    shows(page, step="3")
    says = page.locator("[data-says]")
    expect(says).to_have_text(re.compile("^Kimo plays Paulownia, bright: phoenix\\..*Unlawful"))

    again = opened(page.url)
    expect(again.locator("[data-says]")).to_have_text(says.inner_text())
    assert again.locator("[data-mat]").inner_html() == page.locator("[data-mat]").inner_html()


@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_jumps_while_the_table_is_drawn(opened: "Open", ids: dict[str, str], width: int) -> None:
    page = opened(f"/records/{ids['unlawful']}/replay?step=3", width=width)
    expect(page.locator("[data-mat] svg.card").first).to_be_visible()
    assert jumped(page) < 0.01


def test_one_point_and_half_a_point_are_told_as_one(opened: "Open", ids: dict[str, str]) -> None:
    page = opened(f"/records/{ids['unlawful']}/replay")
    told = page.evaluate("import('/assets/js/replay/dom.js').then(dom => [1, -1, 0.5, 0, 1.5, 2].map(dom.pointWord))")
    assert told == ["point", "point", "point", "points", "points", "points"]


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
        expect(page.locator(selector), key).to_be_focused()
    page.keyboard.type("j")  # typed, not stepped
    expect(page.locator("[data-search]")).to_have_value("j")
    at(page, 0)
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.locator("dialog[data-keys]")).to_be_visible()


def test_keys_do_nothing_with_a_modifier_or_turned_off(opened: "Open", ids: dict[str, str]) -> None:
    page = opened(f"/records/{ids['unlawful']}/replay")
    page.keyboard.press("Alt+j")
    at(page, 0)
    page.keyboard.press("?")
    page.locator("[data-keys-on]").uncheck()
    page.keyboard.press("Escape")
    expect(page.locator("dialog[data-keys]")).to_be_hidden()
    page.keyboard.press("j")
    page.locator('[data-do="on"]').click()  # one step, so the key before it was none
    shows(page, step="1")


def test_hands_are_hidden_until_asked_for(opened: "Open", ids: dict[str, str]) -> None:
    page = opened(f"/records/{ids['unlawful']}/replay")
    kimo = '[data-seat-number="2"] .hand'
    assert cards(page, kimo) == [] and "8 cards, hidden" in page.locator(kimo).inner_text()
    assert len(cards(page, '[data-seat-number="1"] .hand')) == 8
    page.keyboard.press("h")
    shows(page, reveal="open")
    assert "Paulownia, bright: phoenix" in cards(page, kimo)
    assert cards(page, "[data-draw]") == []
    page.keyboard.press("u")
    shows(page, reveal="all")
    assert cards(page, "[data-draw]")[:2] == ["Wisteria, animal: cuckoo", "Peony, ribbon: blue ribbon"]


def test_cp_4_the_unlawful_card_is_hatched_and_its_rule_named(opened: "Open", ids: dict[str, str]) -> None:
    page = opened(f"/records/{ids['unlawful']}/replay?step=3")
    expect(page.locator("[data-doing] use[href$='#card-hatch']")).to_have_count(1)
    expect(page.locator("[data-doing] a.rule-id")).to_have_attribute("href", "/rules/koi-koi#CP-4")
    page.keyboard.press("j")
    expect(page.locator("[data-doing]")).to_contain_text("After an unlawful act")


def test_the_field_and_the_piles_are_those_of_the_step(opened: "Open", ids: dict[str, str]) -> None:
    page = opened(f"/records/{ids['unlawful']}/replay")
    page.keyboard.press("End")
    shows(page, step="10")
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
        shows(page, step="0")


def test_a_move_leads_to_its_step_and_the_search_finds_it(opened: "Open", ids: dict[str, str]) -> None:
    page = opened(f"/records/{ids['unlawful']}/replay")
    page.locator("[data-search]").fill("phoenix")
    expect(page.locator(".move:visible")).to_have_count(1)
    page.locator(".move:visible .move-part").first.click()
    shows(page, step="3")


def test_the_result_stays_hidden_on_wish(opened: "Open", ids: dict[str, str]) -> None:
    page = opened(f"/records/{ids['unlawful']}/replay?step=1&result=hidden")
    expect(page.locator("[data-result]")).to_be_hidden()
    expect(page.locator('[data-moves] [data-to="3"]')).to_be_hidden()
    page.locator("[data-hide-result]").uncheck()
    expect(page.locator("[data-result]")).to_be_visible()
    expect(page.locator('[data-moves] [data-to="3"]')).to_be_visible()
    shows(page, result="")


def test_it_plays_by_itself_to_the_end(opened: "Open", ids: dict[str, str]) -> None:
    page = opened(f"/records/{ids['unlawful']}/replay?step=8")
    for _ in range(3):
        page.keyboard.press("+")
    page.keyboard.press(" ")
    shows(page, step="10")
    expect(page.locator('[data-do="play"]')).to_have_attribute("aria-pressed", "false")


def test_the_live_region_says_the_step_politely(opened: "Open", ids: dict[str, str]) -> None:
    page = opened(f"/records/{ids['unlawful']}/replay")
    expect(page.locator("[data-says]")).to_have_attribute("aria-live", "polite")
    page.keyboard.press("j")
    expect(page.locator("[data-says]")).to_have_text("Leilani plays Cherry blossom, bright: curtain. It captures Cherry blossom, chaff.")


def test_the_link_is_copied(opened: "Open", ids: dict[str, str]) -> None:
    page = opened(f"/records/{ids['unlawful']}/replay")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.keyboard.press("j")
    page.keyboard.press("s")
    page.locator("[data-toast]").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert parse_qs(urlsplit(copied).query)["step"] == ["1"]
