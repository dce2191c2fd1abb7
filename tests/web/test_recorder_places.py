"""One game, one place to write it; and what is written without a network is stored once when the server is back."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask
from playwright.sync_api import expect

from records.formats import read_record, to_json
from records.games import GAMES
from records.normal import identity
from service.store import Store
from tests.service.public import PASSWORD, serving

from .conftest import listening
from .recorder import CALLED, Hand, desk_of, game_of, go_on, keeping, made, so_far, worker_controls

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = [pytest.mark.browser, pytest.mark.requires("chromium")]

FIELD = "1B 2R 3C 5A 7R 8C 9R 12C"


def begun(*actions: str) -> dict[str, Any]:
    players = [{"name": "Noa"}, {"name": "Kimo"}]
    rounds = [{"dealer": 1, "deal": {"field": FIELD}, "actions": list(actions)}]
    return {"format": "hanafuda-record/1", "variant": CALLED.id, "players": players, "rounds": rounds}


def holding(page: "Page") -> Any:
    """What is said of who writes the game."""
    return page.locator("[data-holding]")


def turns(page: "Page", count: int) -> None:
    """So many turns are shown."""
    expect(page.locator("[data-log] [data-turn]")).to_have_count(count)


def test_a_second_tab_looks_on_until_it_takes_over(phone: "BrowserContext") -> None:
    first = go_on(phone, game_of(begun(), "tabs"))
    second = phone.new_page()
    second.goto(first.page.url)
    expect(holding(second)).to_contain_text("open in another tab")
    expect(second.locator("[data-sheet]")).to_be_hidden()
    first.half("3Bx3C")
    first.half("4A")
    turns(second, 1)  # as it is written there
    expect(second.locator("[data-log] button")).to_have_count(0)

    second.locator("[data-take]").tap()
    expect(holding(first.page)).to_contain_text("has taken this game over")
    expect(first.page.locator("[data-sheet]")).to_be_hidden()
    expect(holding(second)).to_be_hidden()
    hand = Hand(second)
    hand.idle()
    hand.half("2Ax2R")
    hand.half("6C")
    turns(first.page, 2)
    assert hand.actions() == ["3Bx3C 4A", "2Ax2R 6C"]


def test_a_second_device_is_told_looks_on_and_takes_over(phones: Callable[[], "BrowserContext"]) -> None:
    one, other = phones(), phones()
    first = go_on(one, game_of(begun(), "devices"))
    first.half("3Bx3C")
    first.half("4A")
    first.tap("[data-more]")
    address = first.page.locator("[data-share]").input_value()
    first.page.keyboard.press("Escape")
    expect(first.page.locator("[data-dialog]")).to_be_hidden()

    page = other.new_page()
    page.goto(address)
    expect(holding(page)).to_contain_text("Another device writes this game")
    expect(page.locator("[data-sheet]")).to_be_hidden()
    turns(page, 1)
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('hanafu-recorder:'))") == []
    page.locator("[data-take]").tap()
    expect(holding(page)).to_be_hidden()
    expect(holding(first.page)).to_contain_text("Another device has taken this game over")
    expect(first.page.locator("[data-sheet]")).to_be_hidden()
    second = Hand(page)
    second.idle()
    second.half("2Ax2R")
    second.half("6C")
    turns(first.page, 2)

    # While the second is cut off, the first takes the game back; nothing of either is lost.
    other.set_offline(True)
    second.card("7A")
    second.tap("[data-unseen-card]")
    assert second.actions()[2:] == ["7Ax7R ?"]
    first.page.locator("[data-take]").tap()
    expect(first.page.locator("[data-sheet]")).to_be_visible()
    first.idle()
    assert first.actions() == ["3Bx3C 4A", "2Ax2R 6C"]
    other.set_offline(False)
    expect(holding(page)).to_contain_text("Another device has taken this game over")
    turns(page, 2)
    page.locator("[data-take]").tap()
    expect(page.locator("[data-notice]")).to_contain_text("kept as a game of its own")
    kept = page.evaluate("Object.entries(localStorage).filter(([key]) => key.startsWith('hanafu-recorder:')).map(([, game]) => game)")
    lengths = sorted(len(json.loads(each)["record"]["rounds"][0]["actions"]) for each in kept)
    assert lengths == [2, 3]


def test_an_address_that_nobody_has_open_says_so(phone: "BrowserContext") -> None:
    page = phone.new_page()
    page.goto(f"/record#game={'f' * 64}")
    expect(page.locator("[data-notice]")).to_contain_text("not in this browser")
    expect(page.locator("[data-new]")).to_be_visible()


def test_a_game_that_ends_offline_is_exported_and_stored_once_when_the_server_is_back(phone: "BrowserContext", site: Flask) -> None:
    log = made(CALLED, "offline end")
    sheet = to_json(log)
    actions = sheet["rounds"][0]["actions"]
    answers: list[int] = []
    phone.on("response", lambda answer: answers.append(answer.status) if answer.url.endswith("/api/v1/records") else None)
    hand = go_on(phone, game_of(so_far(sheet, len(actions) - 1), "offline end"))
    page = hand.page
    worker_controls(page)
    phone.set_offline(True)
    page.reload()
    hand.idle()
    expect(page.locator("[data-state]")).to_contain_text("No server")
    page.locator("[data-typed]").fill(actions[-1])
    page.locator("[data-typed]").press("Enter")
    hand.idle()
    assert hand.actions() == actions
    hand.tap("[data-more]")
    page.locator("[data-dialog] [data-finish]").click()
    claims = sheet["rounds"][0]["claims"]
    for side, score in enumerate(claims["scores"], 1):
        page.locator(f'[data-claim="scores {side}"]').fill(str(score))
    for side, ids in enumerate(claims["yaku"], 1):
        page.locator("[data-dialog] details > summary").nth(side - 1).click()
        for id in ids:
            page.locator(f'[data-yaku="{side} {id}"]').check()
    for side, total in enumerate(sheet["claims"]["totals"], 1):
        page.locator(f'[data-claim="totals {side}"]').fill(str(total))
    page.locator('[data-claim="winner"]').select_option(str(sheet["claims"]["winner"]))
    page.locator("[data-dialog] [data-store]").click()
    expect(page.locator("[data-notice]")).to_contain_text("as soon as the server is back")

    hand.tap("[data-more]")
    for form in ("hrn", "json"):
        with page.expect_download() as waited:
            page.locator(f'[data-export="{form}"]').click()
        exported = Path(waited.value.path()).read_bytes()
        assert (form == "json") == exported.startswith(b"{") and identity(read_record(exported)) == identity(log)
    page.reload()
    hand.idle()
    assert hand.kept()["pending"] is True and answers == []

    phone.set_offline(False)
    expect(page.locator("[data-audit]")).to_be_visible()
    id = hand.kept()["stored"]
    assert f"sha256:{id}" == identity(log) and answers == [201]
    page.reload()
    hand.idle()
    expect(page.locator("[data-state].on")).to_be_visible()
    assert answers == [201] and hand.kept()["pending"] is False
    assert [row.id for row in desk_of(site).records({}, "-sent", None, 50).items].count(id) == 1


def test_what_waits_is_stored_also_where_no_game_is_open(phone: "BrowserContext", site: Flask) -> None:
    log = made(GAMES[0], "waiting")
    page = phone.new_page()
    page.add_init_script(keeping(game_of(to_json(log), "waiting", pending=True)))
    page.goto("/record")
    expect(page.locator(".rec-kept")).to_contain_text("stored")
    assert desk_of(site).record(identity(log)) is not None


@pytest.fixture
def guarded(tmp_path: Path, browser: "Browser") -> Iterator["Page"]:
    """A page of a product with accounts; the browser takes this machine for safe. That it is refused at first stands on its console."""
    with Store(tmp_path / "store.duckdb") as store, serving(store) as app:
        app.extensions["hanafu-people"].add("leilani", "player", PASSWORD)
        with listening(app) as port:
            context = browser.new_context(base_url=f"http://localhost:{port}", locale="en-GB")
            yield context.new_page()
            context.close()


def sign_in(page: "Page") -> None:
    """Signs in, which makes a session of its own: what pages were given for another session is refused from then on."""
    page.goto("/login?next=/record")
    page.get_by_label("Account").fill("leilani")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"//[^/]+/record$"))


@pytest.mark.parametrize("late", [False, True], ids=["both at once", "one when the other has been sent again"])
def test_two_requests_that_are_refused_for_an_old_token_are_both_sent_again(guarded: "Page", late: bool) -> None:
    sign_in(guarded)
    guarded.evaluate("recorderIdle")
    sign_in(guarded.context.new_page())
    answers: list[int] = []
    guarded.on("response", lambda answer: answers.append(answer.status) if answer.request.method == "POST" else None)
    told = guarded.evaluate(
        """async ([game, late]) => {
            const {send} = await import("/assets/js/recorder/hints.js");
            const {hints} = JSON.parse(document.querySelector("[data-payload]").textContent);
            const real = self.fetch;
            let first;
            self.fetch = async (address, more) => {
                const answer = await real(address, more);
                if (late && address.endsWith("second")) await first;
                return answer;
            };
            first = send(`${hints}?turn=`, game);
            const both = await Promise.all([first, send(`${hints}?turn=#second`, game)]);
            self.fetch = real;
            return both.map((each) => each?.status);
        }""",
        [json.dumps(begun()), late],
    )
    assert told == [200, 200]
    assert sorted(answers) == [200, 200, 403, 403]


def test_with_accounts_the_recorder_goes_on_unsigned_and_stores_after_signing_in(guarded: "Page") -> None:
    log = made(CALLED, "accounts")
    sheet = to_json(log)
    actions = sheet["rounds"][0]["actions"]
    game = game_of(sheet | {"rounds": [sheet["rounds"][0] | {"actions": actions[:-1]}]}, "accounts")
    page = guarded
    page.add_init_script(keeping(game))
    page.goto(f"/record#game={game['id']}")
    expect(page.locator("[data-state]")).to_contain_text("who asks")
    hand = Hand(page, keyboard=True)
    page.locator("[data-typed]").fill(actions[-1])
    page.locator("[data-typed]").press("Enter")
    hand.idle()
    assert hand.actions() == actions
    hand.tap("[data-more]")
    page.locator("[data-dialog] [data-store]").click()
    expect(page.locator("[data-notice]")).to_contain_text("as soon as the server is back")

    sign_in(page.context.new_page())  # meanwhile, in another tab
    expect(page.locator("[data-audit]")).to_be_visible()
    expect(page.locator("[data-state].on")).to_be_visible()
    assert f"sha256:{hand.kept()['stored']}" == identity(log)
