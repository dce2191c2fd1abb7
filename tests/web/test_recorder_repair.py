"""A stored record is opened, corrected and stored anew: it names the one it replaces, and the audit shows both."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import expect

from records.formats import read_record, to_json
from records.games import GAMES
from records.normal import identity

from .recorder import CALLED, Hand, desk_of, known, made

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

pytestmark = [pytest.mark.browser, pytest.mark.requires("chromium")]

SAMPLES = Path(__file__).resolve().parents[2] / "service" / "samples"
TEAMS = {
    "format": "hanafuda-record/1",
    "variant": "higobana",
    "players": [{"name": name} for name in ("P1", "P2", "P3", "P4")],
    "sides": [[1, 3], [2, 4]],
    "rounds": [{"dealer": 1, "claims": {"points": [130, 110], "yaku": [["2"], []], "scores": [130, 60]}}],
}


def keep(site: Flask, sheet: dict[str, Any]) -> str:
    added = site.extensions["hanafu"].add(json.dumps(sheet).encode(), "application/json")
    id: str = added.id
    return id


def stored(page: "Page", but: str = "-") -> str:
    """Stores what is open, from behind More; the id under which it is kept, which is none that was there before."""
    page.locator("[data-more]").click()
    page.locator("[data-dialog] [data-store]").click()
    link = page.locator(f'[data-audit]:not([href$="{but}"])')
    expect(link).to_be_visible()
    address = link.get_attribute("href")
    assert address
    return address.rsplit("/", 1)[1]


def test_a_record_is_repaired_with_its_notes_and_the_keys_of_others(phone: "BrowserContext", site: Flask) -> None:
    sheet = to_json(made(CALLED, "repair"))
    sheet["x_club"] = {"room": 2}
    sheet["players"][1]["x_member"] = "17"
    sheet["rounds"][0] |= {"x_photo": "p1.jpg", "notes": {"0": "late", "2": "taken back"}}
    old = keep(site, sheet)
    page = phone.new_page()
    page.goto(f"/records/{old}")
    page.get_by_role("link", name="Correct it").tap()
    hand = Hand(page)
    expect(page.locator("[data-log] [data-turn]")).to_have_count(len(sheet["rounds"][0]["actions"]))
    expect(page.locator("[data-notice]")).to_contain_text("replaces a stored record")
    hand.tap('[data-turn="1"]')
    page.locator("[data-dialog] [data-note]").fill("mended")
    page.keyboard.press("Escape")
    expect(page.locator("[data-dialog]")).to_be_hidden()
    hand.tap("[data-more]")
    page.locator("[data-settings]").click()
    page.locator('[data-dialog] [data-player="2"]').fill("Kimo")
    page.locator("[data-save-settings]").click()
    hand.idle()

    hand.tap("[data-more]")
    with page.expect_download() as waited:
        page.locator('[data-export="hrn"]').click()
    page.keyboard.press("Escape")
    exported = read_record(Path(waited.value.path()).read_bytes())
    assert exported.extra[""]["x_club"] == {"room": 2} and exported.extra["/rounds/0"]["x_photo"] == "p1.jpg"

    new = stored(page)
    kept = desk_of(site).record(new)
    said = json.loads(kept.raw)
    assert said.pop("x_replaces") == f"sha256:{old}" and new != old
    sheet["players"][1]["name"] = "Kimo"
    sheet["rounds"][0]["notes"]["1"] = "mended"
    assert said == sheet and identity(exported) == f"sha256:{new}"

    page.locator("[data-audit]").tap()
    expect(page.get_by_text("This record replaces an earlier one")).to_be_visible()
    page.get_by_role("link", name="Compare the two").tap()
    page.wait_for_url("**/compare?*")
    expect(page.get_by_role("row", name="Players")).to_contain_text("Kimo")
    notes = page.get_by_role("row", name="Note on action 1").last
    expect(notes).to_contain_text("mended")
    # The old one is as it was, and opens as it was.
    assert json.loads(desk_of(site).record(old).raw)["players"][1]["name"] == "P2"


def test_what_is_stored_twice_by_one_game_names_the_first(phone: "BrowserContext", site: Flask) -> None:
    sheet = to_json(made(CALLED, "twice"))
    old = keep(site, sheet)
    page = phone.new_page()
    page.goto(f"/record#repair={old}")
    Hand(page).idle()
    first = stored(page)
    assert first == old  # nothing was changed: it is the same record
    page.locator('[data-turn="1"]').tap()
    page.locator("[data-dialog] [data-note]").fill("then")
    page.keyboard.press("Escape")
    expect(page.locator("[data-dialog]")).to_be_hidden()
    second = stored(page, first)
    assert json.loads(desk_of(site).record(second).raw)["x_replaces"] == f"sha256:{old}"


def test_a_score_sheet_is_repaired_as_a_score_sheet(phone: "BrowserContext", site: Flask) -> None:
    old = keep(site, TEAMS | {"x_club": 1})
    page = phone.new_page()
    page.goto(f"/record#repair={old}")
    page.wait_for_url("**/record/sheet#repair=*")
    scores = page.locator('[data-claim="scores 1 2"]')
    expect(scores).to_have_value("60")
    scores.fill("70")
    expect(page.locator('[data-check] [data-verdict="disputed"]')).to_be_visible()
    page.locator("[data-store]").click()
    expect(page.locator("[data-compare]")).to_be_visible()
    link = page.locator("[data-audit]").get_attribute("href") or ""
    said = json.loads(desk_of(site).record(link.rsplit("/", 1)[1]).raw)
    assert said.pop("x_replaces") == f"sha256:{old}"
    claims = {"points": [130, 110], "yaku": [["2"], []], "scores": [130, 70]}
    assert said == TEAMS | {"x_club": 1, "rounds": [{"dealer": 1, "claims": claims}]}


def test_every_kind_of_record_is_written_back_as_it_was(phone: "BrowserContext", empty: FlaskClient) -> None:
    """The samples of the five games, one without hands, one with cards nobody saw, pairs, a score sheet: as JSON and as text."""
    sheets = [json.loads(path.read_text()) for path in sorted(SAMPLES.glob("*.json"))]
    moves = to_json(made(known("sakura"), "moves", seats=7))
    del moves["rounds"][0]["deal"]["hands"], moves["rounds"][0]["deal"]["draw_pile"]
    unseen = to_json(made(CALLED, "unseen"))
    unseen["rounds"][0]["actions"][3:] = ["?", "? 8B", "misdeal: a {card}; shown"]
    unseen["rounds"][0]["notes"] = {"0": "two\n[Format lines", "2": "\\ }"}
    unseen["event"] = {"name": 'the "first" \\', "date": "in May"}
    pairs = to_json(made(known("higobana"), "pairs kept", {"yaku_scoring": "add", "hiki": True}, 4, ((0, 2), (1, 3))))
    piles = {"dealer": 1, "piles": ["3B 9A", "1C 2C"], "stopped": 1, "calls": [2, 0], "adjust": [0, -1], "x_seen": [True, None]}
    shown = to_json(made(CALLED, "piles")) | {"rounds": [piles], "match": {"type": "rounds", "rounds": 8, "start": 30}}
    sheets += [moves, unseen, pairs, shown, TEAMS]
    assert {sheet["variant"] for sheet in sheets} == {game.id for game in GAMES}
    ids = [keep(empty.application, sheet) for sheet in sheets]
    opened = [empty.get(f"/records/{id}/written.json").get_json() for id in ids]
    page = phone.new_page()
    page.goto("/record")
    written = page.evaluate(
        """async (opened) => {
            const { reopen, text, written } = await import("/assets/js/recorder/record.js");
            return opened.map((each) => written(reopen(each, "0"))).map((said) => [JSON.stringify(said), text(said)]);
        }""",
        opened,
    )
    for id, sheet, forms in zip(ids, sheets, written, strict=True):
        for form in forms:
            read = read_record(form.encode())
            assert identity(read) == f"sha256:{id}", form
            assert read.extra.get("/rounds/0", {}).get("x_seen") == sheet["rounds"][0].get("x_seen")


def test_a_record_without_hands_opens_where_it_ended(phone: "BrowserContext", site: Flask) -> None:
    sheet = to_json(made(known("sakura"), "opens", seats=7))
    del sheet["rounds"][0]["deal"]["hands"], sheet["rounds"][0]["deal"]["draw_pile"]
    page = phone.new_page()
    page.goto(f"/record#repair={keep(site, sheet)}")
    expect(page.locator("[data-log] [data-turn]")).to_have_count(len(sheet["rounds"][0]["actions"]))
    expect(page.locator("[data-says]")).to_contain_text("The round is over")
    expect(page.locator("[data-seat]")).to_have_count(7)


def test_a_record_to_be_written_on_is_canonical_with_the_keys_of_others(client: FlaskClient, site: Flask) -> None:
    sheet = TEAMS | {"x_club": [1], "rounds": [{"dealer": 1, "x_table": "b", "claims": {"scores": [130, 60]}}]}
    id = keep(site, sheet)
    told = client.get(f"/records/{id}/written.json").get_json()
    assert told == sheet
    assert client.get(f"/records/{'0' * 64}/written.json").status_code == 404
