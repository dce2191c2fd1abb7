"""The score sheet: typed or tapped, checked meanwhile, stored, and printed."""

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import expect

from .looks import jumped
from .recorder import desk_of, worker_controls

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

pytestmark = [pytest.mark.browser, pytest.mark.requires("chromium")]

PAPERS = {"a4": "A4", "letter": "Letter"}


@pytest.fixture
def page(phone: "BrowserContext") -> "Page":
    """An empty sheet; whether to begin another one is answered with yes."""
    page = phone.new_page()
    page.on("dialog", lambda asked: asked.accept())
    page.goto("/record/sheet")
    return page


def begin(page: "Page", game: str, level: str = "scores", seats: int = 0, sides: str = "") -> None:
    """Another sheet."""
    page.locator("[data-variant]").select_option(game)
    if seats:
        page.locator("[data-seats]").select_option(str(seats))
    if sides:
        page.locator("[data-sides]").select_option(label=sides)
    page.locator("[data-level]").select_option(level)


def claim(page: "Page", kind: str, values: list[int], round: int = 1) -> None:
    """Types a number a side."""
    for side, value in enumerate(values, 1):
        page.locator(f'[data-claim="{kind} {round} {side}"]').fill(str(value))


def yaku(page: "Page", sides: list[list[str]]) -> None:
    """Says of each side which yaku it made in round 1."""
    for side, ids in enumerate(sides, 1):
        page.locator(f'[data-yaku-of="1 {side}"]').click()
        for id in ids:
            page.locator(f'[data-dialog] [data-yaku="{id}"]').check()
        page.keyboard.press("Escape")
        expect(page.locator("[data-dialog]")).to_be_hidden()


def verdict(page: "Page", word: str) -> None:
    expect(page.locator(f'[data-check] [data-verdict="{word}"]')).to_be_visible()


def said(page: "Page", kind: str, values: list[str]) -> None:
    """The engine says so, a side each."""
    for side, value in enumerate(values):
        expect(page.locator(f'[data-found="{kind} 0 {side}"]')).to_have_text(f"the engine says {value}")


def stored(page: "Page", site: Flask) -> Any:
    page.locator("[data-store]").click()
    expect(page.locator("[data-audit]")).to_be_in_viewport()
    link = page.locator("[data-audit]").get_attribute("href") or ""
    return desk_of(site).record(link.rsplit("/", 1)[1])


def test_bk_14_payments_sums_and_the_next_dealer_stand_beside_what_is_typed(page: "Page", site: Flask) -> None:
    """The worked example of the rules: dealer 13, child 1 6, child 2 7, Kan 2."""
    begin(page, "bakabana")
    claim(page, "scores", [11, -10, -7, 5])
    verdict(page, "disputed")  # the scores do not sum to zero
    claim(page, "points", [13, 6, 7, 2])
    yaku(page, [[], [], [], []])
    said(page, "scores", ["11", "−10", "−7", "6"])
    page.locator('[data-claim="scores 1 4"]').fill("6")
    verdict(page, "confirmed")
    page.locator('[data-claim="totals 1"]').fill("12")
    for side, total in enumerate((-10, -7, 6), 2):
        page.locator(f'[data-claim="totals {side}"]').fill(str(total))
    verdict(page, "disputed")
    expect(page.locator('[data-total="0"]')).to_have_text("the engine says 11")
    page.locator('[data-claim="totals 1"]').fill("11")
    verdict(page, "confirmed")
    expect(page.locator('[data-result="0"] [data-next]')).to_have_text("Player 2")
    page.locator("[data-payments] summary").click()
    expect(page.locator("[data-payments] li")).to_have_text(
        [
            "Player 2 pays Player 1 7 (BK-14)",
            "Player 3 pays Player 1 6 (BK-14)",
            "Player 2 pays Player 3 1 (BK-14)",
            "Player 1 pays Player 4 2 (BK-14)",
            "Player 2 pays Player 4 2 (BK-14)",
            "Player 3 pays Player 4 2 (BK-14)",
        ]
    )
    page.locator("[data-add]").click()
    expect(page.locator('[data-round="2"] select').first).to_have_value("2")
    page.reload()
    expect(page.locator('[data-claim="scores 1 1"]')).to_have_value("11")
    kept = stored(page, site)
    assert kept.report["rounds"][0]["level"] == "scores" and kept.report["verdict"] == "confirmed"
    assert len(kept.record.rounds) == 1 and kept.record.rounds[0].claims.points == (13, 6, 7, 2)


def test_scores_of_the_other_games_follow_from_points_and_yaku(page: "Page") -> None:
    # Most points gets 2 from each other seat (HN-8).
    begin(page, "hon-bana")
    claim(page, "points", [120, 90, 90])
    yaku(page, [[], [], []])
    said(page, "scores", ["4", "−2", "−2"])
    # In pairs a yaku takes 50 off the other side (HG-10).
    begin(page, "higobana", seats=4, sides="Player 1 + Player 3 : Player 2 + Player 4")
    claim(page, "points", [130, 110])
    yaku(page, [["2"], []])
    said(page, "scores", ["130", "60"])
    expect(page.locator('[data-yaku-of="1 1"]')).to_have_text("Yaku 2")
    # A yaku takes 50 off each other side (SK-4), under the other option it adds to its own.
    begin(page, "sakura", seats=3)
    claim(page, "points", [100, 80, 60])
    yaku(page, [["red"], [], []])
    said(page, "scores", ["100", "30", "10"])
    page.locator("[data-settings]").click()
    page.locator("[data-dialog] summary", has_text="Rules of the table").click()
    page.locator('[data-dialog] [data-option="yaku_scoring"]').select_option('"add"')
    page.locator("[data-save-settings]").click()
    said(page, "scores", ["150", "80", "60"])
    # Without card points: what the one gets the other pays.
    begin(page, "koi-koi")
    claim(page, "scores", [6, -5])
    verdict(page, "disputed")
    claim(page, "scores", [6, -6])
    verdict(page, "incomplete")


def test_au_1_captured_cards_are_tapped_together_and_points_follow(page: "Page", site: Flask) -> None:
    begin(page, "koi-koi", "piles")
    page.locator('[data-pile="1 1"]').tap()
    for code in ("3B", "9A", "1B"):
        page.locator(f'[data-dialog] [data-card="{code}"]').tap()
    page.keyboard.press("Escape")
    expect(page.locator('[data-pile="1 1"]')).to_have_text("Captured cards (3)")
    expect(page.locator("[data-possible] summary")).to_be_visible()  # who stopped is not said
    page.locator('[data-stopped="1"]').select_option("1")
    page.locator('[data-calls="1"]').fill("0 0")
    expect(page.locator('[data-result="0"] [data-scores]')).to_have_text("Player 1 1, Player 2 −1")
    expect(page.locator("[data-rows]")).to_contain_text("Player 1: Flower Viewing")
    kept = stored(page, site)
    assert kept.report["rounds"][0]["level"] == "piles" and kept.report["rounds"][0]["scores"] == [1, -1]


def test_au_1_captured_cards_of_the_other_games(page: "Page") -> None:
    chaff = " ".join(f"{month}C {month}C" for month in range(1, 11)) + " 11C 12C 12C 12C"
    piles = ["1B 3B 8B 12B " + chaff, "1R 2R 4R 6R 7R", "3R 5R 9R 10R 11R", "11B 2A 4A 5A 6A 7A 8A 9A 10A 11A"]

    def fill(cards: list[str]) -> None:
        for place, pile in enumerate(cards, 1):
            page.locator(f'[data-pile="1 {place}"]').click()
            page.locator("[data-dialog] [data-typed]").fill(pile)
            page.keyboard.press("Escape")
            expect(page.locator("[data-dialog]")).to_be_hidden()
            expect(page.locator(f'[data-pile="1 {place}"]')).to_have_text(f"Captured cards ({len(pile.split())})")

    # 10, 5, 5 and Kan 5: the dealer gets 5 from each child, each pays Kan 5; the Great Yaku is 10 from each (BK-14, BK-15).
    begin(page, "bakabana", "piles")
    fill(piles)
    page.locator('[data-lightning="1"]').fill("plain")
    expect(page.locator('[data-result="0"] [data-scores]')).to_have_text("Player 1 35, Player 2 −20, Player 3 −20, Player 4 5")
    # The same cards at a table of pairs with one pile a side: 80 and 12Y's ten, 50; 50, 50. Blank for what is worth nothing (HG-8).
    begin(page, "higobana", "piles", seats=4, sides="Player 1 + Player 3 : Player 2 + Player 4")
    page.locator("[data-settings]").click()
    page.locator("[data-dialog] summary", has_text="Rules of the table").click()
    page.locator('[data-dialog] [data-option="team_pile"]').select_option('"shared"')
    page.locator("[data-save-settings]").click()
    expect(page.locator("[data-pile]")).to_have_count(2)
    fill(["1B 3B 8B 12B 12Y 3R 5R 9R 10R 11R", "11B 2A 4A 5A 6A 7A 8A 9A 10A 11A 1R 2R 4R 6R 7R"])
    # 90 + 50 = 140 and 50 + 50 = 100; yaku 3 (6A 10A 9A), 4 (7A 10A 8A), 5 (7A 4A 5A) take 150 off the first side.
    expect(page.locator('[data-result="0"] [data-scores]')).to_contain_text("Player 2 + Player 4 200")
    expect(page.locator('[data-result="0"] [data-scores]')).to_contain_text("Player 1 + Player 3 −10")


def test_a_sheet_without_a_network_is_stored_when_the_server_is_back(phone: "BrowserContext", page: "Page", site: Flask) -> None:
    worker_controls(page)
    phone.set_offline(True)
    page.reload()
    expect(page.locator("[data-state]")).to_contain_text("No server")
    begin(page, "koi-koi")
    page.locator('[data-player="1"]').fill("Offline sheet")
    claim(page, "scores", [3, -3])
    page.locator("[data-store]").click()
    expect(page.locator("[data-notice]")).to_contain_text("as soon as the server is back")
    page.reload()
    expect(page.locator('[data-claim="scores 1 1"]')).to_have_value("3")
    phone.set_offline(False)
    expect(page.locator("[data-audit]")).to_be_visible()
    rows = desk_of(site).records({"player": "Offline sheet"}, "-sent", None, 50).items
    assert len(rows) == 1


@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_jumps_while_the_sheet_is_drawn(opened: Callable[..., "Page"], width: int) -> None:
    page = opened("/record/sheet", width=width)
    verdict(page, "incomplete")
    assert jumped(page) < 0.01


@pytest.mark.parametrize("paper", PAPERS)
def test_a_sheet_is_printed_on_one_page_blank_or_not(page: "Page", paper: str) -> None:
    margin: Any = dict.fromkeys(("top", "bottom", "left", "right"), "10mm")
    begin(page, "bakabana")
    yaku(page, [["aotan"], [], [], []])
    for round in range(1, 8):
        claim(page, "points", [13, 6, 7, 2], round)
        claim(page, "scores", [11, -10, -7, 6], round)
        page.locator("[data-add]").click()
        expect(page.locator(f'[data-round="{round + 1}"]')).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator('[data-yaku-of="1 1"]')).to_be_visible()  # what was made is printed
    expect(page.locator("[data-bar]")).to_be_hidden()
    assert pages(page.pdf(format=PAPERS[paper], margin=margin)) == 1
    for players in (2, 7):
        page.goto(f"/record/sheet?blank={paper}&players={players}")
        expect(page.locator("thead th")).to_have_count(players + 2)
        assert pages(page.pdf(format=PAPERS[paper], margin=margin)) == 1


def pages(printed: bytes) -> int:
    return printed.count(b"/Type /Page\n")


def test_a_blank_sheet_is_for_papers_and_players_that_there_are(client: FlaskClient) -> None:
    assert client.get("/record/sheet?blank=a5").status_code == 400
    assert client.get("/record/sheet?blank=a4&players=8").status_code == 400
    assert client.get("/record/sheet?blank=a4&players=x").status_code == 200


def test_two_tabs_on_one_sheet_show_what_was_written_last(phone: "BrowserContext", page: "Page") -> None:
    begin(page, "koi-koi")
    other = phone.new_page()
    other.goto("/record/sheet")
    claim(page, "scores", [2, -2])
    expect(other.locator('[data-claim="scores 1 2"]')).to_have_value("-2")
    other.locator('[data-claim="scores 1 1"]').fill("4")
    expect(page.locator('[data-claim="scores 1 1"]')).to_have_value("4")
    kept = json.loads(page.evaluate("localStorage.getItem('hanafu-score-sheet')"))
    assert kept["record"]["rounds"][0]["claims"]["scores"] == [4, -2]


def test_bk_14_what_is_wrong_with_a_sheet_is_said_in_the_visitors_language(page: "Page") -> None:
    """Scores of bakabana add up to zero; these make 1."""
    page.goto("/record/sheet?lang=ja")
    begin(page, "bakabana")
    claim(page, "scores", [11, -10, -7, 7])
    found = page.locator("[data-check] li")
    expect(found).to_have_count(1)
    expect(found).to_contain_text("第1局")
    expect(found).to_contain_text("記録 1")
    assert not re.search("[A-Za-z]", found.inner_text())
