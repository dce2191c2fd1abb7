"""The recorder on a phone: whole rounds by touch and by keyboard, through a reload, an undo and a stretch without a network."""

import io
import zipfile
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask
from playwright.sync_api import expect

from records.formats import read_record, to_json
from records.games import GAMES
from records.normal import identity
from records.record import replace

from .looks import look
from .recorder import CALLED, begin, made, store, worker_controls

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

pytestmark = [pytest.mark.browser, pytest.mark.requires("chromium")]

MOST_TAPS = 3


@pytest.mark.parametrize("game", [game for game in GAMES if not game.worth], ids=lambda game: str(game.id))
def test_a_round_by_touch_is_the_record_made_from_the_log(phone: "BrowserContext", game: Any) -> None:
    log = made(game, f"recorder {game.id}")
    sheet = to_json(log)
    hand = begin(phone.new_page(), sheet)
    actions = sheet["rounds"][0]["actions"]
    for number, action in enumerate(actions):
        hand.turn(action)
        assert hand.actions() == actions[: number + 1]
    assert median(hand.taps) <= MOST_TAPS
    print(f"{game.id}: taps a turn {median(hand.taps)}, most {max(hand.taps)}")
    assert store(hand, True) == identity(log)


def test_kk_2_a_real_game_of_koi_koi_with_reload_undo_and_an_offline_stretch(phone: "BrowserContext", shared: Path) -> None:
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

    worker_controls(page)
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
    expect(page.locator("[data-state].on")).to_be_visible()
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
    page.locator("[data-dialog] [data-store]").click()
    expect(page.locator("[data-audit]")).to_be_visible()
    assert f"sha256:{hand.kept()['stored']}" == identity(log)


def test_a_round_by_keyboard_alone(phone: "BrowserContext") -> None:
    log = made(CALLED, "keyboard")
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
    assert store(hand, True) == identity(log)


def test_an_answer_that_breaks_off_is_no_answer(phone: "BrowserContext") -> None:
    page = phone.new_page()
    page.add_init_script(
        """const whole = self.fetch;
        self.fetch = async (address, ...more) => {
          const answer = await whole(address, ...more);
          if (String(address).includes("/hints")) answer.json = () => Promise.reject(new DOMException("cut short", "TimeoutError"));
          return answer;
        };"""
    )
    page.goto("/record")
    page.get_by_role("button", name="Lay out the field").tap()
    expect(page.locator("[data-state]")).to_contain_text("No server")
    expect(page.locator("[data-grid] [data-card]").first).to_be_visible()


@pytest.mark.parametrize("look_at", ["begin", "play"])
def test_nothing_is_too_wide_or_too_small_to_touch(phone: "BrowserContext", look_at: str) -> None:
    page = phone.new_page()
    if look_at == "play":
        begin(page, to_json(made(CALLED, "look")))
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
