"""The recorder on a phone: whole rounds by touch and by keyboard, through a reload, an undo and a stretch without a network."""

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask
from playwright.sync_api import expect

from analysis.simulate import simulate
from records.formats import read_record, to_json
from records.games import GAMES
from records.normal import identity
from records.record import Record, replace
from records.rules.game import Rules

from .looks import look

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

pytestmark = [pytest.mark.browser, pytest.mark.requires("chromium")]

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 700}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
MOST_TAPS = 3


@pytest.fixture
def phone(visitor: Callable[..., "BrowserContext"], address: str) -> "BrowserContext":
    """A phone that asks nothing of another site and has no error on its pages."""
    return visitor(address, **PHONE, accept_downloads=True)


@dataclass
class Hand:
    """Somebody with a phone in one hand, who counts the taps of each turn."""

    page: "Page"
    keyboard: bool = False
    taps: list[int] = field(default_factory=list)
    count: int = 0

    def idle(self) -> None:
        self.page.evaluate("recorderIdle")

    def tap(self, selector: str) -> None:
        found = self.page.locator(selector).first
        found.press("Enter") if self.keyboard else found.tap()
        self.count += 1
        self.idle()

    def card(self, code: str) -> None:
        """A card of the grid: of twins one that is not seen yet."""
        self.tap(f'[data-grid] [data-card="{code}"]:not(.gone, .on)')

    def half(self, half: str) -> None:
        """A card, and where there is a choice what it takes."""
        self.card(half.split("x")[0])
        if self.page.locator("[data-choices] [data-half]").count() and self.page.locator("[data-grid]").is_hidden():
            self.tap(f'[data-choices] [data-half="{half}"]')

    def lay(self, record: dict[str, Any]) -> None:
        """Lays out the deal: the field by taps, the rest by typing."""
        deal = record["rounds"][0]["deal"]
        for code in deal["field"].split():
            self.card(code)
        for place, cards in [*((str(seat + 1), hand) for seat, hand in enumerate(deal["hands"])), ("pile", deal["draw_pile"])]:
            self.tap(f'[data-lay="{place}"]')
            self.page.locator("[data-typed]").fill(cards)
            self.page.locator("[data-typed]").press("Enter")
            self.idle()
        self.tap("[data-play]")

    def turn(self, action: str) -> None:
        """One action, as taps."""
        self.count = 0
        words = action.split()
        if words[0].endswith(":"):
            self.tap(f'[data-other="{words[0][:-1]}"]')
            if self.page.locator("[data-choices] [data-half]").count():
                self.tap(f'[data-choices] [data-half="{words[1]}"]')
        elif words[0] in ("lucky", "misdeal", "keep", "abandoned"):
            self.tap(f'[data-choices] [data-say="{words[0]}"]')
        else:
            for word in words:
                if word in ("koi", "stop"):
                    self.tap(f'[data-call="{word}"]')
                elif word.startswith("#"):
                    self.tap(f'[data-half="{word}"]')
                elif word != "-":
                    self.half(word)
        self.taps.append(self.count)

    def kept(self) -> dict[str, Any]:
        """The game as the browser keeps it."""
        text = self.page.evaluate("Object.entries(localStorage).find(([key]) => key.startsWith('hanafu-recorder:'))[1]")
        kept: dict[str, Any] = json.loads(text)
        return kept

    def actions(self) -> list[str]:
        found: list[str] = self.kept()["record"]["rounds"][0].get("actions", [])
        return found


def begin(page: "Page", record: dict[str, Any], keyboard: bool = False) -> Hand:
    """Chooses game, players, dealer and match, and lays out the deal."""
    page.goto("/record")
    page.evaluate("recorderIdle")
    page.locator("[data-variant]").select_option(record["variant"])
    if page.locator("[data-seats]").count():
        page.locator("[data-seats]").select_option(str(len(record["players"])))
    for seat, player in enumerate(record["players"], 1):
        page.locator(f'[data-player="{seat}"]').fill(player["name"])
    page.locator("[data-dealer]").select_option(str(record["rounds"][0]["dealer"]))
    if match := record.get("match"):
        page.get_by_text("Match", exact=True).first.click()
        page.locator("[data-match]").select_option(match["type"])
        page.locator("[data-length]").fill(str(match.get("rounds", match.get("points"))))
        if "start" in match:
            page.locator("[data-start]").fill(str(match["start"]))
    if event := record.get("event"):
        page.get_by_text("Where and when").click()
        for name, value in event.items():
            page.locator(f'[data-event="{name}"]').fill(value)
    page.get_by_role("button", name="Lay out the field").tap()
    hand = Hand(page, keyboard)
    hand.idle()
    hand.lay(record)
    return hand


def store(hand: Hand, address: str, claimed: bool) -> str:
    """Ends the round, says what the engine says, stores it; the id under which it is kept."""
    hand.tap("[data-choices] [data-finish]")
    if claimed:
        hand.page.locator("[data-same]").click()
    hand.page.locator("[data-store]").click()
    hand.page.locator("[data-audit]").wait_for()
    link = hand.page.locator("[data-audit]").get_attribute("href")
    assert link
    return f"sha256:{link.rsplit('/', 1)[1]}"


def made(game: Any, seed: str) -> Record:
    rules = Rules(game, {}, game.seats[0], None)
    return next(simulate(rules, Random(seed), players=[f"P{seat + 1}" for seat in range(game.seats[0])]))


@pytest.mark.parametrize("game", [game for game in GAMES if not game.worth], ids=lambda game: str(game.id))
def test_a_round_by_touch_is_the_record_made_from_the_log(phone: "BrowserContext", address: str, game: Any) -> None:
    log = made(game, f"recorder {game.id}")
    sheet = to_json(log)
    hand = begin(phone.new_page(), sheet)
    actions = sheet["rounds"][0]["actions"]
    for number, action in enumerate(actions):
        hand.turn(action)
        assert hand.actions() == actions[: number + 1]
    assert median(hand.taps) <= MOST_TAPS
    print(f"{game.id}: taps a turn {median(hand.taps)}, most {max(hand.taps)}")
    assert store(hand, address, True) == identity(log)


def test_kk_2_a_real_game_of_koi_koi_with_reload_undo_and_an_offline_stretch(phone: "BrowserContext", address: str, shared: Path) -> None:
    with zipfile.ZipFile(shared / "data" / "koi-koi" / "records.zip") as packed:
        whole = read_record(io.BytesIO(packed.read("gamerecords_dataset/1.json")).getvalue())
    log = replace(whole, rounds=whole.rounds[:1], totals=None, winner=None, extra={})
    sheet = to_json(log)
    page = phone.new_page()
    hand = begin(page, sheet)
    actions = sheet["rounds"][0]["actions"]
    assert len(actions) > 6
    for action in actions[:2]:
        hand.turn(action)

    hand.half(actions[2].split()[0])  # half a turn, then the phone is locked
    page.reload()
    hand.idle()
    assert hand.kept()["turn"] == actions[2].split()[0] and hand.actions() == actions[:2]
    hand.tap("[data-undo]")
    hand.turn(actions[2])
    hand.tap("[data-undo]")
    assert hand.actions() == actions[:2]
    quiet = [action.split()[-1] not in ("koi", "stop") for action in actions]
    start = next(at for at in range(3, len(actions)) if quiet[at] and quiet[at + 1])
    for action in actions[2:start]:
        hand.turn(action)

    page.wait_for_function("navigator.serviceWorker.controller !== null")
    phone.set_offline(True)
    page.reload()
    hand.idle()
    expect(page.locator("[data-state]")).to_contain_text("No server")
    for action in actions[start : start + 2]:
        for word in action.split():
            card, _, taken = word.partition("x")
            hand.card(card)
            for code in taken.split("+") if taken else []:
                hand.tap(f'[data-grid] [data-card="{code}"]:not(.on)')
            hand.tap("[data-these]" if taken else "[data-stays]")
    assert hand.actions() == actions[: start + 2]
    phone.set_offline(False)
    page.wait_for_function("document.querySelector('[data-state]').classList.contains('on')")
    hand.idle()
    for action in actions[start + 2 :]:
        hand.turn(action)
    assert hand.actions() == actions
    assert median(hand.taps) <= MOST_TAPS
    print(f"koi-koi: taps a turn {median(hand.taps)}, most {max(hand.taps)}")
    hand.tap("[data-choices] [data-finish]")
    claims = sheet["rounds"][0].get("claims", {})
    for side, score in enumerate(claims.get("scores", []), 1):
        page.locator(f'[data-claim="scores {side}"]').fill(str(score))
    page.locator("[data-store]").click()
    page.locator("[data-audit]").wait_for()
    assert f"sha256:{hand.kept()['stored']}" == identity(log)


def test_a_round_by_keyboard_alone(phone: "BrowserContext", address: str) -> None:
    (game,) = [game for game in GAMES if game.worth]
    log = made(game, "keyboard")
    sheet = to_json(log)
    hand = begin(phone.new_page(), sheet, keyboard=True)
    for number, action in enumerate(sheet["rounds"][0]["actions"]):
        if number % 2:
            hand.page.locator("[data-typed]").fill(action)
            hand.page.locator("[data-typed]").press("Enter")
            hand.idle()
        else:
            hand.turn(action)
    assert hand.actions() == sheet["rounds"][0]["actions"]
    assert store(hand, address, True) == identity(log)


def test_cp_4_an_unlawful_capture_is_written_down_after_a_question(phone: "BrowserContext") -> None:
    (game,) = [game for game in GAMES if game.worth]
    sheet = to_json(made(game, "unlawful"))
    deal = sheet["rounds"][0]["deal"]
    hand = begin(phone.new_page(), sheet)
    hands = deal["hands"][sheet["rounds"][0]["dealer"] - 1].split()
    months = {code[:-1] for code in deal["field"].split()}
    card = next(code for code in hands if code[:-1] in months)
    hand.tap("[data-unusual]")
    hand.card(card)
    hand.tap("[data-stays]")
    expect(hand.page.locator("[data-says]")).to_contain_text("against the rules")
    expect(hand.page.locator("[data-choices]")).to_contain_text("CP-4")
    hand.tap("[data-admit]")
    top = deal["draw_pile"].split()[0]
    hand.card(top)
    if hand.page.locator("[data-choices] [data-half]").count():
        hand.tap("[data-choices] [data-half]")
    (action,) = hand.actions()
    assert action.startswith(f"{card} {top}")
    expect(hand.page.locator(".rec-fault")).to_contain_text("CP-4")


def test_an_earlier_turn_is_corrected_a_note_written_and_both_exported(phone: "BrowserContext") -> None:
    (game,) = [game for game in GAMES if game.worth]
    sheet = to_json(made(game, "export"))
    actions = sheet["rounds"][0]["actions"]
    hand = begin(phone.new_page(), sheet)
    for action in actions[:2]:
        hand.turn(action)
    hand.tap('[data-turn="1"]')
    hand.page.locator("[data-dialog] [data-note]").fill("a note } with a bracket")
    hand.page.locator("[data-correct]").click()
    hand.idle()
    expect(hand.page.locator("[data-says]")).to_contain_text("Turn 1 is being corrected")
    hand.turn(actions[0])
    assert hand.actions() == actions[:2]
    exported = {}
    hand.tap("[data-more]")
    for form in ("hrn", "json"):
        with hand.page.expect_download() as waited:
            hand.page.locator(f'[data-export="{form}"]').click()
        exported[form] = read_record(Path(waited.value.path()).read_bytes())
    assert identity(exported["hrn"]) == identity(exported["json"])
    assert exported["json"].rounds[0].notes == {1: "a note } with a bracket"}


def test_a_second_tab_on_one_game_is_told(phone: "BrowserContext") -> None:
    (game,) = [game for game in GAMES if game.worth]
    hand = begin(phone.new_page(), to_json(made(game, "tabs")))
    second = phone.new_page()
    second.goto(hand.page.url)
    second.get_by_text("open in another tab").wait_for()
    second.get_by_role("button", name="Take over and write here").tap()
    hand.page.get_by_text("has taken this game over").wait_for()


def test_a_stored_record_is_repaired_and_names_the_one_it_replaces(phone: "BrowserContext", site: Flask, address: str) -> None:
    (game,) = [game for game in GAMES if game.worth]
    log = made(game, "repair")
    added = site.extensions["hanafu"].add(json.dumps(to_json(log)).encode(), "application/json")
    page = phone.new_page()
    page.goto(f"/record#repair={added.id}")
    hand = Hand(page)
    hand.idle()
    hand.tap('[data-turn="1"]')
    page.locator("[data-dialog] [data-note]").fill("mended")
    page.keyboard.press("Escape")
    new = store(hand, address, False)
    kept = site.extensions["hanafu"].record(new)
    assert json.loads(kept.raw)["x_replaces"] == f"sha256:{added.id}" and kept.id != added.id
    page.locator("[data-audit]").tap()
    page.get_by_text("This record replaces an earlier one").wait_for()
    page.get_by_role("link", name="Compare the two").tap()
    page.wait_for_url("**/compare?*")


@pytest.mark.parametrize("look_at", ["begin", "play"])
def test_nothing_is_too_wide_or_too_small_to_touch(phone: "BrowserContext", look_at: str) -> None:
    (game,) = [game for game in GAMES if game.worth]
    page = phone.new_page()
    if look_at == "play":
        begin(page, to_json(made(game, "look")))
    else:
        page.goto("/record")
        page.locator("[data-new]").wait_for()
    look(page, f"record-{look_at}", 360, "light")


def test_the_worker_keeps_every_script_of_the_recorder(site: Flask) -> None:
    told = site.test_client().get("/record/worker.js")
    folder = Path(__file__).resolve().parents[2] / "web" / "static" / "js" / "recorder"
    for script in folder.glob("*.js"):
        assert script.name == "worker.js" or f"recorder/{script.name}" in told.text
    assert told.headers["Service-Worker-Allowed"] == "/record"


def test_au_1_a_score_sheet_is_checked_while_typing_and_stored_as_scores_or_piles(phone: "BrowserContext", site: Flask) -> None:
    page = phone.new_page()
    page.goto("/record/sheet")
    page.locator("[data-variant]").select_option("koi-koi")
    for side, score in (("1", "6"), ("2", "-5")):
        page.locator(f'[data-claim="scores 1 {side}"]').fill(score)
    page.locator('[data-check] [data-verdict="disputed"]').wait_for()  # it is no sum of zero
    page.locator('[data-claim="scores 1 2"]').fill("-6")
    page.locator("[data-check] [data-verdict]:not([data-verdict=disputed])").wait_for()
    page.reload()
    expect(page.locator('[data-claim="scores 1 1"]')).to_have_value("6")
    page.locator("[data-store]").tap()
    link = page.locator("[data-audit]").get_attribute("href")
    kept = site.extensions["hanafu"].record((link or "").rsplit("/", 1)[1])
    assert kept.report["rounds"][0]["level"] == "scores" and kept.record.rounds[0].claims.scores == (6, -6)

    page.locator("[data-level]").select_option("piles")
    page.locator('[data-pile="1 1"]').tap()
    for code in ("3B", "9A", "1B"):
        page.locator(f'[data-dialog] [data-card="{code}"]').tap()
    page.keyboard.press("Escape")
    page.locator('[data-stopped="1"]').select_option("1")
    page.locator('[data-calls="1"]').fill("0 0")
    page.locator("[data-rows]").get_by_text("Flower Viewing").wait_for()
    expect(page.locator('[data-pile="1 1"]')).to_have_text("Captured cards (3)")


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_blank_score_sheet_is_printed_on_one_page(phone: "BrowserContext", paper: str) -> None:
    page = phone.new_page()
    page.goto(f"/record/sheet?blank={paper}")
    printed = page.pdf(
        format="A4" if paper == "a4" else "Letter", margin={"top": "10mm", "bottom": "10mm", "left": "10mm", "right": "10mm"}
    )
    assert printed.count(b"/Type /Page\n") == 1
