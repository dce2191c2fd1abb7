"""Disputes, rulings, two sheets side by side and the printed ledger, as people see and use them, on a site with the ten disputes."""

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import expect

from service.app import create_app
from service.config import Settings
from service.desk import Desk
from service.imports import Imports
from service.samples.disputes import load_disputes
from service.store import Store

from . import logs
from .conftest import listening
from .looks import SCREENS, look

if TYPE_CHECKING:
    from playwright.sync_api import Page

    Open = Callable[..., Page]

PAGES = {
    "audit": "/records/{drinks}",
    "new": "/records/{drinks}/disputes/new",
    "rule": "/records/{drinks}/disputes/1/rule",
    "print": "/records/{drinks}/print",
    "compare-form": "/compare",
    "compare": "/compare?a={took}&b={left}",
    "standings": "/standings?event=Ten+disputes",
    "changed": "/changed",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """An application over a new store with the ten disputes, and two sheets of one game."""
    with Store(tmp_path_factory.mktemp("court") / "store.duckdb") as store:
        desk = Desk(store)
        load_disputes(desk)
        for log in (logs.UNLAWFUL, LAWFUL):
            desk.add(log.encode())
        with closing(Imports(desk)) as imports:
            yield create_app(Settings(), desk, imports)


LAWFUL = logs.UNLAWFUL.replace("12B 6R {Kimo leaves the phoenix beside the chaff}", "12Bx12C 6R")
"""The other sheet of the same game: Kimo's phoenix took the chaff. 12B and 12C lie in his pile then, not on the field."""


@pytest.fixture(scope="module")
def address(site: Flask) -> Iterator[str]:
    with listening(site) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="module")
def named(site: Flask) -> dict[str, str]:
    """The ids of the records that the tests look at."""
    desk: Desk = site.extensions["hanafu"]
    rows = desk.records({}, "sent", None, 50).items
    (drinks,) = (row.id for row in rows if row.variant == "hon-bana" and row.winner == 0)
    (matched,) = (row.id for row in rows if row.event == "Ten disputes" and row.verdict == "unlawful")
    left, took = (row.id for row in rows if row.event == "Tuesday table")
    return {"drinks": drinks, "match": matched, "left": left, "took": took}


@pytest.fixture
def client(site: Flask) -> FlaskClient:
    return site.test_client()


@pytest.fixture
def fresh(empty: FlaskClient) -> tuple[FlaskClient, str]:
    """A site with one record, whose claimed scores are 6 and −6 and should be 5 and −5; and the record's address."""
    added = empty.application.extensions["hanafu"].add(logs.DISPUTED.encode())
    return empty, f"/records/{added.id}"


RULING = {"name": "Ema", "outcome": "adjusted", "reasons": "Miscounted.", "score-1": "6", "score-2": "-6"}
DISPUTE = {"name": "Malia", "role": "player", "claim": "scores", "round": "1", "statement": "Six it was."}


def test_a_dispute_is_opened_answered_and_shown(fresh: tuple[FlaskClient, str]) -> None:
    client, record = fresh
    answer = client.post(f"{record}/disputes", data=DISPUTE)
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{record}#dispute-1")
    client.post(f"{record}/disputes/1/answers", data={"name": "Pua", "role": "player", "statement": "Five."})
    page = client.get(record).text
    assert "Six it was." in page and "Five." in page and page.count("unverified") == 2


def test_standings_of_one_game_are_of_its_players(client: FlaskClient, site: Flask) -> None:
    page = client.get("/standings").text
    assert re.search('<select id="variant".*<option value="bakabana" >', page)
    rows = site.extensions["hanafu"].records({}, "sent", None, 50).items
    for variant in ("bakabana", "hon-bana"):
        page = client.get(f"/standings?variant={variant}&event=").text
        assert f'<option value="{variant}" selected>' in page
        told = set(re.findall(r'<th scope="row"><a [^>]*>([^<]+)</a>', page))
        assert told == {player for row in rows if row.variant == variant for player in row.players}


def test_standings_say_the_places_and_equal_totals_share_one(empty: FlaskClient) -> None:
    """Malia has 5 and Pua −5; Noa and Kimo, broken off, have none that is known; Leilani takes as much from Pua as Malia."""
    for log in (logs.DISPUTED, logs.DISPUTED.replace("Malia", "Leilani"), logs.AGREED):
        empty.application.extensions["hanafu"].add(log.encode())
    page = empty.get("/standings").text
    places = re.findall(r'<td class="num">([^<]*)</td><th scope="row"><a [^>]*>([^<]+)</a>', page)
    assert places == [("1", "Leilani"), ("1", "Malia"), ("3", "Pua"), ("–", "Kimo"), ("–", "Noa")]


def test_what_is_wrong_in_a_form_stands_beside_it_and_nothing_typed_is_lost(fresh: tuple[FlaskClient, str]) -> None:
    client, record = fresh
    answer = client.post(f"{record}/disputes", data=DISPUTE | {"name": " ", "statement": "Typed at length"})
    assert answer.status_code == 422
    assert 'id="fault-name"' in answer.text and "Typed at length" in answer.text
    client.post(f"{record}/disputes", data=DISPUTE)
    answer = client.post(f"{record}/disputes/1/rule", data=RULING | {"rules": "HN-9", "do": "save", "reasons": "Kept words"})
    assert answer.status_code == 422 and 'id="fault-rules"' in answer.text and "Kept words" in answer.text
    answer = client.post(f"{record}/disputes/1/rule", data=RULING | {"score-2": "x", "do": "save"})
    assert answer.status_code == 422 and 'id="fault-scores"' in answer.text
    answer = client.post(f"{record}/disputes/1/rule", data=RULING | {"outcome": "corrected", "text": "[Format", "do": "save"})
    assert answer.status_code == 422 and 'id="fault-text"' in answer.text
    assert "in force" not in client.get(record).text


def test_a_ruling_that_changes_the_match_is_not_saved_before_it_was_shown(fresh: tuple[FlaskClient, str]) -> None:
    client, record = fresh
    client.post(f"{record}/disputes", data=DISPUTE)
    shown = client.post(f"{record}/disputes/1/rule", data=RULING | {"do": "save"})
    assert shown.status_code == 200 and "This ruling changes the match" in shown.text
    assert "Malia 5, Pua −5" in shown.text and "Malia 6, Pua −6" in shown.text
    (seen,) = re.findall(r'name="seen" value="(\w+)"', shown.text)
    other = client.post(f"{record}/disputes/1/rule", data=RULING | {"do": "save", "seen": seen, "score-1": "7"})
    assert other.status_code == 200  # not what was shown: it is shown first
    assert "in force" not in client.get(record).text
    assert client.post(f"{record}/disputes/1/rule", data=RULING | {"do": "save", "seen": seen}).status_code == 303
    page = client.get(record).text
    assert "ruling 1, in force" in page and "Under the rulings" in page
    assert "Miscounted. · Malia +6, Pua −6" in client.get(f"{record}/print").text


def test_a_ruling_that_changes_nothing_is_saved_at_once(fresh: tuple[FlaskClient, str]) -> None:
    client, record = fresh
    client.post(f"{record}/disputes", data=DISPUTE)
    note = {"name": "Ema", "outcome": "note", "reasons": "Settled between them.", "do": "save"}
    assert client.post(f"{record}/disputes/1/rule", data=note).status_code == 303
    assert client.post(f"{record}/disputes/1/rule", data=note | {"reasons": "Again."}).status_code == 303
    page = client.get(record).text
    assert "ruling 2, in force" in page and "ruling 1, replaced" in page
    assert "Under the rulings" not in page


def test_a_correction_is_a_record_of_its_own_that_names_the_first(fresh: tuple[FlaskClient, str]) -> None:
    client, record = fresh
    client.post(f"{record}/disputes", data=DISPUTE)
    text = logs.DISPUTED.replace("6 -6", "5 -5")
    sent = {"name": "Ema", "outcome": "corrected", "reasons": "Five.", "text": text}
    shown = client.post(f"{record}/disputes/1/rule", data=sent | {"do": "preview"})
    desk: Desk = client.application.extensions["hanafu"]
    assert desk.count({}) == 1  # looking stores nothing
    seen = re.findall(r'name="seen" value="(\w+)"', shown.text)[0]
    assert client.post(f"{record}/disputes/1/rule", data=sent | {"do": "save", "seen": seen}).status_code == 303
    assert [row.verdict for row in desk.records({}, "sent", None, 5).items] == ["disputed", "confirmed"]
    corrected = desk.records({"verdict": "confirmed"}, "sent", None, 5).items[0].id
    assert f"sha256:{record.removeprefix('/records/')}".encode() in client.get(f"/api/v1/records/{corrected}?as=sent").data
    page = client.get(record).text
    assert page.index(f'href="/records/{corrected}"') < page.index('id="verdict"')  # seen before anything else
    assert f'href="/records/{corrected}"' in client.get(f"{record}/disputes/1/rule").text
    assert f'href="{record}"' in client.get(f"/records/{corrected}").text


def test_words_of_people_never_become_markup(fresh: tuple[FlaskClient, str]) -> None:
    client, record = fresh
    evil = "<script>alert(1)</script>\"'>"
    client.post(f"{record}/disputes", data=DISPUTE | {"name": evil, "statement": evil})
    for path in (record, f"{record}/disputes/1/rule", f"{record}/print"):
        page = client.get(path).text
        assert "<script>alert" not in page and "&lt;script&gt;alert" in page


@pytest.mark.parametrize("path", ["/disputes", "/disputes/1/answers", "/disputes/1/rule"])
def test_forms_are_not_taken_from_another_site(client: FlaskClient, named: dict[str, str], path: str) -> None:
    answer = client.post(f"/records/{named['drinks']}{path}", data=DISPUTE, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403


def test_pages_of_what_is_not_there(client: FlaskClient, named: dict[str, str]) -> None:
    nobody = "0" * 64
    for path in (f"/records/{nobody}/print", f"/records/{named['drinks']}/disputes/9/rule", f"/compare?a={nobody}&b={nobody}"):
        assert client.get(path).status_code == 404
    assert client.get(f"/compare?a={named['drinks']}&b={named['match']}").status_code == 400
    assert client.get(f"/records/{named['drinks']}/print?paper=a3").status_code == 400


def test_cp_4_two_sheets_part_where_one_refuses_a_match(client: FlaskClient, named: dict[str, str]) -> None:
    page = client.get(f"/compare?a={named['took']}&b={named['left']}").text
    assert "They part in round 1: Action 2" in page
    assert "Play is lawful on:</p>" not in page and re.search(r"Play is lawful on: <strong>A</strong>", re.sub(r"\s+", " ", page))
    assert "must-capture" in page


def test_two_sheets_name_who_dealt_and_who_won(empty: FlaskClient) -> None:
    """Two logs of one evening: one says that Noa dealt and lost by 4, the other that Kimo dealt and Noa won by 4."""
    first = logs.AGREED + '\n[Totals "-4 4"]\n[Winner "2"]\n'
    second = logs.AGREED.replace('[Dealer "1"]', '[Dealer "2"]') + '\n[Totals "4 -4"]\n[Winner "1"]\n'
    a, b = (empty.application.extensions["hanafu"].add(log.encode()).id for log in (first, second))
    cells = re.findall(r'<td class="mono">(.*?)</td>', empty.get(f"/compare?a={a}&b={b}").text)
    assert cells[:2] == ["total: −4, 4; winner: Kimo", "total: 4, −4; winner: Noa"]
    assert ["Noa", "Kimo"] in [cells[at : at + 2] for at in range(2, len(cells), 2)]


def test_the_ledger_as_json_has_every_sum_and_the_text_of_every_rule(client: FlaskClient, named: dict[str, str]) -> None:
    told = client.get(f"/records/{named['drinks']}/ledger.json").get_json()
    (round_,) = told["rounds"]
    assert round_["sums"] == round_["scores"] == [2, 2, -4]
    assert set(told["rules"]) == {entry["rule"] for entry in round_["ledger"]} == {"HN-7", "HN-8", "HN-9"}


def test_the_printed_ledger_shows_each_sum_each_rule_and_a_line_to_sign(client: FlaskClient, named: dict[str, str]) -> None:
    page = client.get(f"/records/{named['drinks']}/print").text
    assert re.findall(r'class="sum".*?class="num">([^<]+)<', page) == ["2", "2", "−4"]
    for text in ("HN-7", "HN-8", "HN-9", "1B&nbsp;30", "Arbiter", "Right under:", "drinks = stacked", named["drinks"]):
        assert text in page


# In a browser ---------------------------------------------------------------------------------------------------------


@pytest.mark.browser
@pytest.mark.requires("chromium", "fonts")
def test_a_dispute_goes_its_whole_way_by_keyboard_alone(opened: "Open", named: dict[str, str]) -> None:
    page = opened(f"/records/{named['match']}")

    def go(role: str, name: str) -> None:
        page.get_by_role(role, name=name, exact=True).first.focus()  # type: ignore[arg-type]  # one of Playwright's words
        page.keyboard.press("Enter")

    def write(label: str, text: str) -> None:
        page.get_by_label(label, exact=True).first.focus()
        page.keyboard.type(text)

    go("link", "Dispute a claim")
    page.wait_for_url("**/disputes/new")
    write("Your name", "Kimo")
    page.get_by_label("What is wrong").focus()
    page.keyboard.press("End")  # the winner: a claim of the record as a whole
    write("Statement", "Is it mine?")
    go("button", "Open the dispute")
    page.wait_for_url("**#dispute-2")
    expect(page.locator("#dispute-2")).to_contain_text("the winner")
    expect(page.locator("#dispute-2")).to_contain_text("open")
    page.locator("#dispute-1").get_by_role("link", name="Rule on it").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/disputes/1/rule")
    write("Your name", "Ema")
    page.get_by_role("radio").first.focus()
    for _ in range(4):
        page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="Void")).to_be_checked()
    write("Reasons", "Who refuses a match shall not")
    go("button", "Show what it changes")
    page.get_by_role("button", name="Save the ruling").wait_for()
    expect(page.locator(".effect")).to_contain_text("Kimo 7, Leilani −7")
    go("button", "Save the ruling")
    page.wait_for_url("**#dispute-1")
    expect(page.locator("#dispute-1")).to_contain_text("ruling 1, in force")
    expect(page.locator("#standings tbody tr").first.locator("th, td")).to_have_text(["Kimo", "7", "0"])


@pytest.mark.browser
@pytest.mark.requires("chromium", "fonts")
@pytest.mark.parametrize(("width", "scheme"), SCREENS)
@pytest.mark.parametrize("name", PAGES)
def test_every_page_fits_every_screen_and_passes_axe(opened: "Open", named: dict[str, str], name: str, width: int, scheme: str) -> None:
    look(opened(PAGES[name].format(**named), width=width, scheme=scheme), f"case-{name}", width, scheme)


@pytest.mark.browser
@pytest.mark.requires("chromium", "fonts")
@pytest.mark.parametrize(("paper", "size"), [("a4", (595, 842)), ("letter", (612, 792))])
def test_the_ledger_prints_on_its_paper_in_black_and_white(
    opened: "Open", named: dict[str, str], paper: str, size: tuple[int, int]
) -> None:
    page = opened(f"/records/{named['drinks']}/print?paper={paper}")
    page.emulate_media(media="print")
    expect(page.locator(".screen")).to_be_hidden()
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", page.pdf(prefer_css_page_size=True))
    assert boxes and {(round(float(width)), round(float(height))) for width, height in boxes} == {size}
    colours = page.evaluate(
        "[...new Set([...document.querySelectorAll('body, body *')].flatMap(each => { const style = getComputedStyle(each);"
        " return [style.color, style.backgroundColor, style.borderTopColor, style.borderBottomColor] }))]"
    )
    assert set(colours) <= {"rgb(0, 0, 0)", "rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"}
