"""What does not happen in every round, written down on a phone: each begins where it happens, in a game that the browser kept."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from records.formats import read_record, to_json
from records.normal import identity

from .recorder import CALLED, Hand, desk_of, game_of, go_on, known, made, so_far, store

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

pytestmark = [pytest.mark.browser, pytest.mark.requires("chromium")]

KOI = {"format": "hanafuda-record/1", "variant": CALLED.id, "players": [{"name": "Noa"}, {"name": "Kimo"}]}
FIELD = "1B 2R 3C 5A 7R 8C 9R 12C"


def with_an_action(game: Any, like: str, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], int]:
    """A record out of the simulator in which an action is like that, and the action's place."""
    for seed in range(400):
        sheet = to_json(made(game, f"turns {seed}", options))
        actions = sheet["rounds"][0]["actions"]
        for place, action in enumerate(actions):
            if re.search(like, action):
                return sheet, place
    raise AssertionError(f"no action like {like}")


def begun(*actions: str, **deal: Any) -> dict[str, Any]:
    """A round of koi-koi of which the field is known, and what was done so far."""
    return KOI | {"rounds": [{"dealer": 1, "deal": {"field": FIELD} | deal, "actions": list(actions)}]}


def says(hand: Hand) -> Any:
    return hand.page.locator("[data-says]")


def test_bk_7_kan_plays_the_lightning_out_of_turn(phone: "BrowserContext") -> None:
    sheet, place = with_an_action(known("bakabana"), "^4: 11Cx")
    action = sheet["rounds"][0]["actions"][place]
    hand = go_on(phone, game_of(so_far(sheet, place), "lightning"))
    hand.turn(action)
    assert hand.actions()[place] == action
    assert hand.taps[-1] <= 2


def test_bk_4_a_lucky_hand_ends_the_round_and_is_paid(phone: "BrowserContext") -> None:
    sheet = {
        "format": "hanafuda-record/1",
        "variant": "bakabana",
        "players": [{"name": name} for name in ("Aoi", "Chiyo", "Itsuki", "Ren")],
        "rounds": [{"dealer": 1, "deal": {"field": "1B 2A 2R 5A 7A 7C 8A 9A 10A", "hands": [None, None, None, "3B 3R 3C"]}}],
    }
    hand = go_on(phone, game_of(sheet, "lucky"))
    hand.tap('[data-choices] [data-say="lucky"]')
    expect(says(hand)).to_contain_text("The round is over")
    hand.tap("[data-choices] [data-finish]")
    found = hand.page.locator("[data-dialog] [data-found]").all_inner_texts()
    # Kan gets 20 from each of the three others.
    assert [f"the engine says {score}" for score in ("−20", "−20", "−20", "60")] == found[-8:-4] == found[-4:]


@pytest.mark.parametrize("announced", [False, True])
def test_hg_16_a_hiki_in_turn_and_one_announced(phone: "BrowserContext", announced: bool) -> None:
    sheet, place = with_an_action(known("higobana"), ": #" if announced else "^#", {"hiki": True})
    actions = sheet["rounds"][0]["actions"]
    hand = go_on(phone, game_of(so_far(sheet, place), f"hiki {announced}"))
    if announced:
        hand.tap(f'[data-other-hiki="{actions[place]}"]')
    else:
        hand.turn(actions[place])
    assert hand.actions() == actions[: place + 1]


def test_hg_2_pairs_choose_their_sides_and_each_side_has_its_points(phone: "BrowserContext") -> None:
    log = made(known("higobana"), "pairs", seats=4, sides=((0, 2), (1, 3)))
    sheet = to_json(log)
    actions = sheet["rounds"][0]["actions"]
    game = game_of(so_far(sheet, len(actions) - 1), "pairs")
    del game["record"]["sides"]
    hand = go_on(phone, game)
    hand.tap("[data-more]")
    hand.page.locator("[data-settings]").click()
    hand.page.locator("[data-settings-form] [data-sides]").select_option(label="P1 + P3 : P2 + P4")
    hand.page.locator("[data-save-settings]").click()
    hand.idle()
    expect(hand.page.locator("[data-seat]").first).to_contain_text("points")
    assert hand.page.locator("[data-seat]", has_text="points").count() == 2  # of a side, beside its first seat
    hand.turn(actions[-1])
    assert store(hand, True) == identity(log)


def test_kk_2_a_call_is_made_undone_made_otherwise_and_left_out(phone: "BrowserContext") -> None:
    sheet, place = with_an_action(CALLED, " koi$")
    actions = sheet["rounds"][0]["actions"]
    hand = go_on(phone, game_of(so_far(sheet, place), "calls"))
    hand.turn(actions[place])
    assert hand.actions() == actions[: place + 1]
    hand.tap("[data-undo]")
    cards = actions[place].removesuffix(" koi")
    hand.turn(f"{cards} stop")
    assert hand.actions()[-1] == f"{cards} stop"
    expect(says(hand)).to_contain_text("The round is over")
    hand.tap("[data-undo]")
    hand.turn(cards)
    expect(says(hand)).to_contain_text("calls")
    hand.page.get_by_role("button", name="No call was made").tap()
    hand.idle()
    assert hand.actions()[-1] == cards
    expect(hand.page.locator(".rec-fault")).to_contain_text("KK-2")


def test_kk_1_a_misdeal_by_the_rules_and_one_for_another_reason(phone: "BrowserContext", tmp_path: Path) -> None:
    sheet = KOI | {"rounds": [{"dealer": 1, "deal": {"field": "3B 3R 3C 3C 7R 8C 9R 12C"}}]}
    hand = go_on(phone, game_of(sheet, "misdeal"))
    hand.tap('[data-choices] [data-say="misdeal"]')
    assert hand.actions() == ["misdeal"]
    expect(says(hand)).to_contain_text("The round is over")
    hand.tap("[data-undo]")
    hand.tap("[data-more]")
    hand.page.locator("[data-reason]").fill("a card {shown}; twice")
    hand.page.get_by_role("button", name="Thrown in for another reason").tap()
    expect(says(hand)).to_contain_text("The round is over")
    assert hand.actions() == ["misdeal: a card {shown}; twice"]
    hand.tap("[data-more]")
    for form in ("hrn", "json"):
        with hand.page.expect_download() as waited:
            hand.page.locator(f'[data-export="{form}"]').click()
        exported = read_record(Path(waited.value.path()).read_bytes())
        assert to_json(exported)["rounds"][0]["actions"] == ["misdeal: a card {shown}; twice"]


def test_a_card_that_nobody_saw_and_a_round_that_is_broken_off(phone: "BrowserContext", site: Any) -> None:
    hand = go_on(phone, game_of(begun(), "broken off"))
    hand.card("3B")
    hand.tap("[data-unseen-card]")
    assert hand.actions() == ["3Bx3C ?"]
    expect(says(hand)).to_contain_text("cannot follow")
    hand.tap("[data-more]")
    hand.page.locator('[data-dialog] [data-say="abandoned"]').tap()
    expect(hand.page.locator('[data-turn="2"]')).to_have_text("abandoned")
    assert hand.actions() == ["3Bx3C ?", "abandoned"]
    id = store_without_end(hand)
    assert desk_of(site).record(id).report["rounds"][0]["end"] == "abandoned"


def store_without_end(hand: Hand) -> str:
    """Stores a game whose round does not end by itself."""
    hand.tap("[data-more]")
    hand.page.locator("[data-dialog] [data-finish]").click()
    hand.page.locator("[data-dialog] [data-store]").click()
    expect(hand.page.locator("[data-audit]")).to_be_visible()
    stored: str = hand.kept()["stored"]
    return stored


def test_cp_4_an_unlawful_capture_is_written_down_after_a_question(phone: "BrowserContext") -> None:
    hand = go_on(phone, game_of(begun(), "unlawful"))
    hand.tap("[data-unusual]")
    hand.card("7A")
    hand.tap("[data-stays]")
    expect(says(hand)).to_contain_text("against the rules")
    expect(hand.page.locator("[data-choices]")).to_contain_text("CP-4")
    hand.page.get_by_role("button", name="Take it back").tap()
    hand.idle()
    assert hand.kept()["turn"] == ""
    hand.tap("[data-unusual]")
    hand.card("7A")
    hand.tap("[data-stays]")
    hand.tap("[data-admit]")
    hand.half("1Rx1B")
    assert hand.actions() == ["7A 1Rx1B"]
    expect(hand.page.locator(".rec-fault")).to_contain_text("CP-4")


def test_an_earlier_turn_is_corrected_and_what_follows_is_shown(phone: "BrowserContext") -> None:
    hand = go_on(phone, game_of(begun("3Bx3C 4A", "2Ax2R 4Cx4A", "7Ax7R 6C"), "correct"))
    assert hand.page.locator(".rec-fault").count() == 0
    hand.tap('[data-turn="1"]')
    hand.page.locator("[data-dialog] [data-note]").fill("a note } with a bracket")
    hand.page.locator("[data-correct]").click()
    expect(says(hand)).to_contain_text("Turn 1 is being corrected")
    hand.half("8Bx8C")
    hand.half("4A")
    assert hand.actions() == ["8Bx8C 4A", "2Ax2R 4Cx4A", "7Ax7R 6C"]
    assert hand.page.locator(".rec-fault").count() == 0  # nothing that follows speaks against it

    hand.tap('[data-turn="1"]')
    hand.page.locator("[data-correct]").click()
    hand.idle()
    hand.half("8Bx8C")
    hand.half("6A")
    # Now no wisteria lies there to be taken in turn 2.
    expect(hand.page.locator("li.wrong", has=hand.page.locator('[data-turn="2"]'))).to_be_visible()

    hand.tap('[data-turn="2"]')
    hand.page.locator("[data-back-to]").click()
    expect(hand.page.locator('[data-turn="2"]')).to_have_count(0)
    assert hand.actions() == ["8Bx8C 6A"]
    assert hand.kept()["record"]["rounds"][0]["notes"] == {"1": "a note } with a bracket"}
    for form in ("hrn", "json"):
        hand.tap("[data-more]")
        with hand.page.expect_download() as waited:
            hand.page.locator(f'[data-export="{form}"]').click()
        assert read_record(Path(waited.value.path()).read_bytes()).rounds[0].notes == {1: "a note } with a bracket"}
        hand.page.keyboard.press("Escape")


def test_without_hints_all_of_it_is_written_down_and_judged_later(phone: "BrowserContext") -> None:
    hand = go_on(phone, game_of(begun("3Bx3C 4A", "2Ax2R 4Cx4A"), "no hints"))
    phone.set_offline(True)
    expect(hand.page.locator("[data-state]")).to_contain_text("No server")
    hand.tap('[data-turn="1"]')
    hand.page.locator("[data-correct]").click()
    hand.idle()
    for card, taken in (("8B", "8C"), ("6A", "")):
        hand.card(card)
        if taken:
            hand.tap(f'[data-grid] [data-card="{taken}"]:not(.on)')
        hand.tap("[data-these]" if taken else "[data-stays]")
    hand.card("7A")
    hand.tap("[data-must]")
    hand.tap("[data-unseen-card]")
    assert hand.actions() == ["8Bx8C 6A", "2Ax2R 4Cx4A", "7Ax ?"]
    hand.tap("[data-more]")
    hand.page.get_by_role("button", name="+ Koi-koi").tap()
    hand.idle()
    assert hand.actions()[-1] == "7Ax ? koi"
    hand.tap("[data-undo]")
    assert hand.page.locator(".rec-fault").count() == 0
    phone.set_offline(False)
    expect(hand.page.locator("li.wrong", has=hand.page.locator('[data-turn="2"]'))).to_be_visible()
    assert hand.actions() == ["8Bx8C 6A", "2Ax2R 4Cx4A"]


def test_by_keyboard_alone_cards_choices_notes_and_dialogs(phone: "BrowserContext") -> None:
    hand = go_on(phone, game_of(begun(), "keys"), keyboard=True)
    page = hand.page
    hand.card("3B")
    expect(says(hand)).to_contain_text("turned up")
    hand.card("9C")
    assert hand.actions() == ["3Bx3C 9Cx9R"]
    # The button that was pressed keeps the focus, or the first of what is asked.
    assert page.evaluate("document.activeElement.matches('[data-grid] [data-card]')")
    page.locator('[data-turn="1"]').press("Enter")
    page.locator("[data-dialog] [data-note]").fill("by keys")
    page.keyboard.press("Escape")
    expect(page.locator("[data-dialog]")).to_be_hidden()
    assert hand.kept()["record"]["rounds"][0]["notes"] == {"1": "by keys"}
    page.locator("[data-typed]").fill("bush warbler")
    page.keyboard.press("Enter")
    hand.idle()
    page.locator("[data-typed]").fill("6C")
    page.keyboard.press("Enter")
    hand.idle()
    assert hand.actions()[1:] == ["2Ax2R 6C"]
    page.locator("[data-typed]").fill("99Z 1C")
    page.keyboard.press("Enter")
    expect(page.locator("[data-notice]")).to_contain_text("99Z")
    assert len(hand.actions()) == 2
