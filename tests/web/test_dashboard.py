"""The dashboard: charts that are asked for when somebody looks at them."""

import csv
import io
import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from analysis import statistics
from service.desk import Desk

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    Open = Callable[..., Page]


def test_the_dashboard_itself_asks_for_no_chart(site: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(*_: object) -> None:
        raise AssertionError("a chart was asked for")

    monkeypatch.setattr(Desk, "stats", asked)
    text = client.get("/dashboard?variant=koi-koi&player=Kimo").text
    for name in statistics.CHARTS:
        assert f'href="/dashboard/{name}?variant=koi-koi&amp;player=Kimo"' in text


@pytest.mark.parametrize("name", statistics.CHARTS)
def test_each_chart_has_a_page_and_a_card_of_its_own(client: FlaskClient, name: str) -> None:
    page = client.get(f"/dashboard/{name}?variant=koi-koi")
    assert page.status_code == 200 and "<title>" in page.text and f'id="{name}"' in page.text
    card = client.get(f"/dashboard/{name}?variant=koi-koi&part=1")
    assert card.status_code == 200 and "<title>" not in card.text and f'id="{name}"' in card.text
    assert (">SELECT" in card.text or "WITH chosen" in card.text) is ("data-empty" not in card.text)


def test_the_rows_of_a_card_stand_in_its_table_its_figure_and_its_csv(client: FlaskClient) -> None:
    card = client.get("/dashboard/causes?variant=koi-koi&part=1").text
    rows = list(csv.DictReader(io.StringIO(client.get("/dashboard/causes.csv?variant=koi-koi").text)))
    told = re.search(r"<script[^>]*data-figure>(.*?)</script>", card, re.DOTALL)
    assert told
    figure: Any = json.loads(told[1])["figure"]
    assert [row["code"] for row in rows] == figure["data"][0]["x"]
    assert all(f">{row['code']}: " in card for row in rows)
    assert ">claim-totals: a claimed total differs</a>" in card and ">The commonest finding: a claimed " in card


def test_a_sample_says_what_was_done_in_place_of_a_query(client: FlaskClient) -> None:
    card = client.get("/dashboard/options?variant=koi-koi&part=1").text
    # Of the three records only the one with piles comes to a score by itself: Malia's, who stopped with Three Brights.
    assert "n\u00a0=\u00a01 round, 3 of 3 records" in card
    assert "No query can tell" in card and "ORDER BY id LIMIT 2000" in card
    assert "/rules/koi-koi#option-" in card
    assert "data-more" not in card  # all of it was taken in


def test_what_is_no_chart_or_no_game_is_not_there(client: FlaskClient, empty: FlaskClient) -> None:
    for address in (
        "/dashboard/nothing",
        "/dashboard/nothing.csv",
        "/dashboard/running?variant=poker",
        "/dashboard/running?variant=koi-koi,sakura",
    ):
        assert client.get(address).status_code == 404, address
    assert client.get("/dashboard/running?variant=koi-koi&role=nobody").status_code == 400
    assert client.get("/dashboard?variant=koi-koi&options=viewing=six").status_code == 400
    assert empty.get("/dashboard/running").status_code == 404


@pytest.mark.browser
@pytest.mark.requires("chromium")
def test_a_chart_is_fetched_when_it_comes_into_view(opened: "Open") -> None:
    from playwright.sync_api import expect

    page = opened("/dashboard?variant=koi-koi", width=360, height=640)
    shells = page.locator("[data-shell]")
    page.locator("[data-chart]").first.wait_for()
    expect(page.locator("#disputes[data-shell]")).to_have_count(1)  # far below: nobody has asked for it
    for _ in statistics.CHARTS:
        before = shells.count()
        if not before:
            break
        page.evaluate("document.querySelector('[data-shell]')?.scrollIntoView()")
        page.wait_for_function("before => document.querySelectorAll('[data-shell]').length < before", arg=before)
    expect(shells).to_have_count(0)
    # Nobody has opened a dispute: that chart is only named.
    expect(page.locator("#disputes")).to_have_count(0)
    expect(page.locator("[data-nothing] li", has_text="Disputes by what they are about")).to_have_count(1)


@pytest.mark.browser
@pytest.mark.requires("chromium")
@pytest.mark.parametrize("filters", ["", "&player=Kimo&role=dealer&from=2026-11-01"])
def test_on_a_phone_the_first_chart_is_seen_below_the_folded_filters(opened: "Open", filters: str) -> None:
    from playwright.sync_api import expect

    page = opened(f"/dashboard?variant=koi-koi{filters}", width=360, height=740)
    summary = page.locator(".filters > summary")
    expect(summary).to_have_text(re.compile("Koi-koi · Kimo · 2026-11-01 · the dealers$" if filters else "Koi-koi$"))
    page.locator("[data-plot] .main-svg").first.wait_for()
    box = page.locator("[data-plot]").first.bounding_box()
    assert box and box["y"] + box["height"] / 2 < 740
    expect(page.locator("#d-player")).to_be_hidden()
    expect(page.locator(".chip")).to_have_count(3 if filters else 0)
    summary.press("Enter")
    for each in (page.locator("#d-player"), *page.locator(".chip").all()):
        expect(each).to_be_visible()


@pytest.mark.browser
@pytest.mark.requires("chromium")
def test_where_there_is_room_the_filters_stand_open(opened: "Open") -> None:
    from playwright.sync_api import expect

    page = opened("/dashboard?variant=koi-koi&player=Kimo", width=1280)
    expect(page.locator(".filters > summary")).to_be_hidden()
    expect(page.locator(".chip")).to_be_visible()
    page.get_by_label("Player").fill("Malia")
    page.keyboard.press("Enter")
    page.wait_for_url("**/dashboard?*player=Malia*")


@pytest.mark.browser
@pytest.mark.requires("chromium")
def test_a_chart_has_its_table_first_and_its_query(opened: "Open") -> None:
    from playwright.sync_api import expect

    page = opened("/dashboard/causes?variant=koi-koi")
    card = page.locator("#causes")
    card.locator(".js-plotly-plot").wait_for()
    card.get_by_role("tab", name="Table").click()
    expect(card.locator("tbody tr")).not_to_have_count(0)
    expect(card).to_contain_text("few")
    card.get_by_role("tab", name="Table").press("ArrowRight")
    expect(card.locator("pre")).to_contain_text("SELECT code")


@pytest.mark.browser
@pytest.mark.requires("chromium")
@pytest.mark.parametrize("width", [360, 1280])
def test_each_mark_of_the_calendar_has_its_day_and_none_is_cut_off(opened: "Open", width: int) -> None:
    page = opened("/dashboard/calendar?variant=koi-koi", width=width)
    page.locator("#calendar .js-plotly-plot").wait_for()
    marks = page.locator("#calendar .xtick path, #calendar path.xtick").count()
    inside = page.evaluate(
        """[...document.querySelectorAll("#calendar .xtick text")].filter((day) => {
            const [told, drawn] = [day, day.closest(".main-svg")].map((each) => each.getBoundingClientRect());
            return told.width && told.left >= drawn.left && told.right <= drawn.right && told.bottom <= drawn.bottom;
        }).length"""
    )
    assert inside == marks >= 2


@pytest.mark.browser
@pytest.mark.requires("chromium")
@pytest.mark.parametrize("width", [360, 1280])
def test_what_colours_mean_stands_above_them_and_no_number_is_too_small(opened: "Open", width: int) -> None:
    from playwright.sync_api import expect

    page = opened("/dashboard/captures?variant=koi-koi", width=width)
    page.locator("#captures .cbtitle text").wait_for()
    title, colours = page.evaluate(
        """[".cbtitle text", ".cbfills, .cbfill"].map((each) => document.querySelector(`#captures ${each}`).getBoundingClientRect())
            .map(({ top, bottom }) => [top, bottom])"""
    )
    assert title[1] <= colours[0]
    if width < 400:
        page.goto(page.url.replace("captures", "pairs"))
        page.locator("#pairs .heatmap-label").first.wait_for()
        page.evaluate("document.querySelector('#pairs [data-plot]').style.width = '60px'")
        page.emulate_media(color_scheme="dark")  # it is drawn anew
        expect(page.locator("#pairs .heatmap-label")).to_have_count(0)


@pytest.mark.browser
@pytest.mark.requires("chromium")
def test_without_scripts_each_chart_is_a_link_to_its_table(browser: "Browser", address: str) -> None:
    from playwright.sync_api import expect

    context = browser.new_context(java_script_enabled=False, base_url=address, locale="en-GB")
    try:
        page = context.new_page()
        page.goto("/dashboard?variant=koi-koi")
        page.get_by_role("link", name="Findings by cause").click()
        page.locator("#causes tbody").wait_for()
        expect(page.locator("#causes tbody tr")).not_to_have_count(0)
        expect(page.locator("#causes pre")).to_contain_text("SELECT code")
        expect(page.get_by_role("link", name="CSV")).to_be_visible()
        page.get_by_role("link", name="All charts").click()
        expect(page).to_have_url(re.compile(r"/dashboard\?variant=koi-koi#causes$"))
    finally:
        context.close()


@pytest.mark.browser
@pytest.mark.requires("chromium")
def test_a_chart_that_cannot_be_fetched_says_so_and_stays_a_link(opened: "Open") -> None:
    from playwright.sync_api import expect

    page = opened("/cards")
    page.route("**/dashboard/running*", lambda route: route.fulfill(status=404, body="gone"))
    page.goto("/dashboard?variant=koi-koi")
    page.locator("#running [data-failed]").wait_for()
    expect(page.locator("#running a")).to_have_attribute("href", "/dashboard/running?variant=koi-koi")
