"""The three languages: catalogues whole, the visitor's choice, numbers and days by locale, and no text on any page that is not translated.

For the last, a pseudo language sets ⟦ ⟧ around every text that the catalogues know, and a walker looks for words outside.
"""

import json
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from babel.support import NullTranslations
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import expect

from analysis import findings
from analysis.simulate import simulate
from records.formats import to_text
from records.games import GAMES, game
from records.record import replace
from records.rules.game import Rules
from service.store import Store
from tests.service import public
from web import captions, cards, deck, extract, language, words
from web.cards.catalogue import CODES

from . import logs

if TYPE_CHECKING:
    from playwright.sync_api import Page

TRANSLATED = [lang for lang in language.LANGUAGES if lang != language.SOURCE]
GAP = re.compile(r"%\(\w+\)s|\{\w+\}")
PAGES = (
    "/",
    "/records",
    "/records?player=nobody",
    "/record",
    "/record/sheet",
    "/record/sheet?blank=a4",
    "/guide",
    "/dashboard",
    "/rules",
    "/cards",
    "/format",
    "/api",
    "/standings",
    "/changed",
    "/players",
    "/players/Kimo",
    "/compare",
)
OF_A_RECORD = ("", "/replay", "/transcript", "/print", "/disputes/new")


@pytest.fixture(scope="module")
def template() -> Catalog:
    return extract.template()


@pytest.fixture(scope="module", params=TRANSLATED)
def catalogue(request: pytest.FixtureRequest) -> Catalog:
    with language.po_file(request.param).open("rb") as source:
        return read_po(source, locale=request.param)


def forms(text: object) -> list[str]:
    """A text, or the forms of one with a number."""
    return [str(form) for form in text] if isinstance(text, list | tuple) else [str(text or "")]


def test_every_text_is_in_the_catalogue_and_translated(template: Catalog, catalogue: Catalog) -> None:
    wanted = {(each.context, each.id) for each in template if each.id}
    kept = {(each.context, each.id) for each in catalogue if each.id}
    assert kept == wanted, "run `make translations` and translate what is new"
    assert not [each.id for each in catalogue if each.id and not all(forms(each.string))]


def test_every_translation_has_the_gaps_of_its_text(catalogue: Catalog) -> None:
    for each in catalogue:
        if not each.id:
            continue
        sources = forms(each.id)
        for text in forms(each.string):
            assert sorted(GAP.findall(text)) in [sorted(GAP.findall(source)) for source in sources], (each.id, text)
            assert text.count("`") == sources[0].count("`") or each.context != language.TOLD, (each.id, text)


def test_the_japanese_catalogue_is_japanese_and_the_portuguese_one_is_not() -> None:
    japanese = re.compile(r"[぀-ヿ一-鿿]")
    for lang, expected in (("ja", 0.95), ("pt", 0.0)):
        with language.po_file(lang).open("rb") as source:
            texts = [str(each.string) for each in read_po(source, locale=lang) if each.id and re.search(r"[a-z]{4}", str(each.id))]
        share = sum(bool(japanese.search(text)) for text in texts) / len(texts)
        assert share >= expected if expected else share == 0


@pytest.mark.parametrize(
    ("accepts", "lang"),
    [("pt-BR,pt;q=0.9,en;q=0.5", "pt"), ("ja", "ja"), ("de,ja;q=0.4", "ja"), ("en-GB,ja;q=0.4", "en"), ("de", "en"), ("", "en")],
)
def test_the_browsers_language_comes_first(client: FlaskClient, accepts: str, lang: str) -> None:
    answer = client.get("/rules", headers={"Accept-Language": accepts})
    assert f'<html lang="{lang}">' in answer.text
    assert "Accept-Language" in answer.headers["Vary"]


def test_a_choice_is_kept_and_outweighs_the_browser(client: FlaskClient) -> None:
    client.get("/rules?lang=ja", headers={"Accept-Language": "pt"})
    kept = client.get_cookie(language.COOKIE)
    assert kept is not None
    assert kept.value == "ja"
    assert '<html lang="ja">' in client.get("/records", headers={"Accept-Language": "pt"}).text
    client.get("/rules?lang=pt")
    assert '<html lang="pt">' in client.get("/records").text


def test_a_language_that_is_none_is_passed_over(client: FlaskClient) -> None:
    answer = client.get("/rules?lang=tlh", headers={"Accept-Language": "pt"})
    assert '<html lang="pt">' in answer.text
    assert client.get_cookie(language.COOKIE) is None


def test_the_menu_names_each_language_in_its_own_words_and_keeps_the_address(client: FlaskClient) -> None:
    page = client.get("/records?verdict=disputed").text
    for code, name in language.LANGUAGES.items():
        assert f'href="/records?verdict=disputed&amp;lang={code}" hreflang="{code}" lang="{code}"' in page
        assert f">{name}</a>" in page


@pytest.mark.parametrize(
    ("lang", "day", "number", "half"),
    [
        ("en", "Nov 24, 2026", "12,345", "1,234½"),
        ("pt", "24 de nov. de 2026", "12.345", "1.234½"),
        ("ja", "2026/11/24", "12,345", "1,234½"),
    ],
)
def test_days_and_numbers_are_written_as_the_language_does(site: Flask, lang: str, day: str, number: str, half: str) -> None:
    with site.test_request_context(f"/?lang={lang}"):
        assert language.day("2026-11-24") == day
        assert language.day("2026-11") == "2026-11"
        assert language.day(None) == ""
        assert words.number(12345) == number
        assert words.number(-1234.5) == f"−{half}"
        assert language.decimal(-0.25) == ("−0,2" if lang == "pt" else "−0.2")


def test_a_busiest_day_with_one_record_has_no_records(site: Flask) -> None:
    told = {"en": ("1 record", "2 records"), "pt": ("1 registro", "2 registros"), "ja": ("1件", "2件")}
    for lang, ends in told.items():
        with site.test_request_context(f"/?lang={lang}"):
            for number, end in enumerate(ends, 1):
                assert captions.headline("calendar-busiest", {"day": "2026-11-24", "n": number}, "koi-koi").endswith(end)


def test_every_finding_is_worded_in_every_language_by_its_own_sentence(site: Flask, catalogue: Catalog) -> None:
    lang = str(catalogue.locale)
    for kind in findings.KINDS.values():
        for wording in kind.wordings:
            names = re.findall(r"\{(\w+)\}", wording)
            values = {name: f"<{name}>" for name in names}
            with site.test_request_context(f"/?lang={lang}"):
                told = language.told(wording.format(**values))
            message = catalogue.get(wording, context=language.TOLD)
            assert message is not None
            assert told == str(message.string).format(**values)


@pytest.mark.parametrize("lang", language.LANGUAGES)
def test_findings_write_numbers_below_zero_as_the_tables_do(empty: FlaskClient, lang: str) -> None:
    """Pua, side 2, has −5, and claims −6, in another sheet −7; for programs a report keeps its hyphen."""
    desk = empty.application.extensions["hanafu"]
    six, seven = (desk.add(log.encode()).id for log in (logs.DISPUTED, logs.DISPUTED.replace("6 -6", "7 -7")))
    pages = (f"/records/{six}?", f"/records/{six}/print?", f"/compare?a={six}&b={seven}&")
    for page in pages:
        told = re.findall(r'<p class="(?:message|finding)">(.*?)</p>', empty.get(f"{page}lang={lang}").text)
        sides = [each for each in told if "5" in each and "2" in each]
        assert len(sides) >= 2 and all("−5" in each and ("−6" in each or "−7" in each) for each in sides), page
    report = empty.get(f"/api/v1/records/{six}/audit").text
    assert "Side 2 claims a score of -6; it comes to -5." in report


@pytest.mark.parametrize("lang", language.LANGUAGES)
def test_findings_write_halves_as_the_tables_do(empty: FlaskClient, lang: str) -> None:
    """Half a point more than the first seat of bakabana has (BK-10): one of the two numbers is no whole one."""
    rules = Rules(game("bakabana"), {}, 4, None)
    record = next(record for record in simulate(rules, Random(2), piles=True) if record.rounds[0].claims and record.rounds[0].claims.points)
    claims = record.rounds[0].claims
    assert claims is not None and claims.points is not None
    wrong = replace(claims, points=(claims.points[0] + 0.5, *claims.points[1:]))
    text = to_text(replace(record, rounds=(replace(record.rounds[0], claims=wrong),)))
    id = empty.application.extensions["hanafu"].add(text.encode()).id
    told = re.findall(r'<p class="message">(.*?)</p>', empty.get(f"/records/{id}?lang={lang}").text)
    assert any("½" in each for each in told) and not any(".5" in each for each in told)
    assert ".5" in empty.get(f"/api/v1/records/{id}/audit").text


def test_errors_of_the_reader_come_in_the_visitors_language(client: FlaskClient) -> None:
    answer = client.post("/?lang=ja", data={"text": logs.AGREED.replace('"koi-koi"', '"kabufuda"')})
    assert answer.status_code == 422
    error = re.search(r'<p class="what">(.*?)</p>', answer.text)
    assert error is not None
    assert re.search(r"[぀-ヿ一-鿿]", error.group(1)), error.group(1)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_yaku_have_their_names_in_all_three_with_the_romaji(client: FlaskClient, game: object) -> None:
    for lang in language.LANGUAGES:
        page = client.get(f"/rules/{game.id}?lang={lang}").text  # type: ignore[attr-defined]  # a Game
        for yaku in game.yaku:  # type: ignore[attr-defined]  # a Game
            assert yaku.kanji in page
            assert yaku.romaji in page


class Words(HTMLParser):
    """The words that a page shows or says: texts and labels, but for code, what is in a language of its own, and what is not shown."""

    SILENT = ("script", "style", "code", "pre", "kbd", "template", "textarea", "title")
    VOID = ("meta", "link", "input", "img", "br", "use", "path", "circle", "col", "rect")

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.stack: list[bool] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        names = (given.get("class") or "").split()
        silent = tag in self.SILENT or ("lang" in given and tag != "html") or "mono" in names or "rule-id" in names
        if tag not in self.VOID:
            self.stack.append(silent or bool(self.stack and self.stack[-1]))
        for name in ("aria-label", "title", "placeholder", "alt", "aria-valuetext"):
            if given.get(name):
                self.found.append(str(given[name]))

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID and self.stack:
            self.stack.pop()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_data(self, data: str) -> None:
        if not (self.stack and self.stack[-1]) and data.strip():
            self.found.append(data.strip())


class Pseudo(NullTranslations):
    """Every text that the catalogues know, marked."""

    def __init__(self, known: Catalog) -> None:
        super().__init__()
        self.known = {(each.context, each.id if isinstance(each.id, str) else each.id[0]) for each in known if each.id}
        self._catalog = {f"{context}\x04{text}": text for context, text in self.known if context}

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧" if (None, message) in self.known else message

    ugettext = gettext

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1)

    def pgettext(self, context: str, message: str) -> str:
        return f"⟦{message}⟧" if (context, message) in self.known else message


def outside(text: str) -> str:
    """What stands outside of all marks."""
    while "⟦" in text:
        shorter = re.sub(r"⟦[^⟦⟧]*⟧", " ", text)
        if shorter == text:
            break
        text = shorter
    return text


@pytest.fixture
def pseudo(client: FlaskClient, template: Catalog, monkeypatch: pytest.MonkeyPatch) -> Iterator[FlaskClient]:
    """A visitor whose language marks every text; cards and days are written as in Portuguese."""
    marked = Pseudo(template)
    monkeypatch.setattr(language, "catalogue", lambda lang: marked)
    language._patterns.cache_clear()
    client.set_cookie(language.COOKIE, "pt")
    yield client
    language._patterns.cache_clear()


OWN = sorted(
    {
        *("Hanafu", "JSON", "CSV", "SQL", "API", "UTC", "PT", "A4", "hanafu reaudit", "koi-koi", "Home", "End"),
        *("Leilani", "Kimo", "Noa", "claim-scores", "tsukimi", "nobody", "Format", "hanafuda-record/1", "Variant", "Player", "sha256"),
        *language.LANGUAGES.values(),
        *(yaku.romaji for game in GAMES for yaku in game.yaku if yaku.romaji),
        *(game.name for game in GAMES),
    },
    key=len,
    reverse=True,
)
"""Names, and what players, records and programs say."""


LOGS = [log for log in vars(logs).values() if isinstance(log, str)]
WRITTEN = sorted({part for log in LOGS for part in re.findall(r"(?<=[\"{])[^\"{}]{3,}(?=[\"}])", log)}, key=len, reverse=True)
"""What players wrote in the logs of these tests: names, events, notes."""


def strays(page: str) -> list[str]:
    """Words of a page that went past gettext."""
    walker = Words()
    while (joined := re.sub(r"(⟦[^⟦⟧<]*)<code>([^<]*)</code>", r"\1\2", page)) != page:
        page = joined  # what is set as code within a text is part of it
    walker.feed(page)
    whole = {cards.title(code, "pt") for code in CODES}
    titles = sorted(whole | {part for title in whole for part in re.split(": |, ", title)} | set(deck.suits("pt")), key=len, reverse=True)
    found = []
    for text in walker.found:
        rest = outside(text)
        for known in (*titles, *WRITTEN, *OWN, *findings.KINDS):
            rest = rest.replace(known, " ")
        rest = re.sub(r"\b(?:\d+[BARCY]|J[BC]|[A-Z]{2}-\d+|[0-9a-f]{8,}…?|\d+ de \w+\. de \d+|sha256|[a-z_-]+ = [\w.-]+)", " ", rest)
        if re.search(r"[^\W\d_]{2}", rest):
            found.append(text)
    return found


@pytest.mark.parametrize("address", PAGES)
def test_no_page_has_a_text_that_is_not_translated(pseudo: FlaskClient, address: str) -> None:
    answer = pseudo.get(address)
    assert answer.status_code == 200
    assert "⟦" in answer.text
    assert strays(answer.text) == []


@pytest.mark.parametrize("game", [game.id for game in GAMES])
def test_no_rule_has_a_text_that_is_not_translated(pseudo: FlaskClient, game: str) -> None:
    assert strays(pseudo.get(f"/rules/{game}").text) == []


@pytest.mark.parametrize("address", OF_A_RECORD)
@pytest.mark.parametrize("verdict", ["unlawful", "disputed", "incomplete"])
def test_no_page_of_a_record_has_a_text_that_is_not_translated(
    pseudo: FlaskClient, ids: dict[str, str], verdict: str, address: str
) -> None:
    answer = pseudo.get(f"/records/{ids[verdict]}{address}")
    assert answer.status_code == 200
    assert strays(answer.text) == []


def test_no_form_of_a_dispute_and_its_ruling_has_a_text_that_is_not_translated(pseudo: FlaskClient, empty: FlaskClient) -> None:
    empty.set_cookie(language.COOKIE, "pt")
    record = f"/records/{empty.application.extensions['hanafu'].add(logs.DISPUTED.encode(), 'text/plain').id}"
    dispute = {"name": "Malia", "role": "player", "claim": "scores", "round": "1", "statement": "Malia"}
    ruling = {"name": "Malia", "outcome": "adjusted", "reasons": "Malia", "score-1": "5", "score-2": "-5"}
    answers = [
        empty.post(f"{record}/disputes", data=dispute | {"name": "", "statement": "", "round": "9"}),
        empty.post(f"{record}/disputes", data=dispute, follow_redirects=True),
        empty.get(f"{record}/disputes/1/rule"),
        empty.post(f"{record}/disputes/1/rule", data={"do": "preview", "name": "", "outcome": "adjusted", "rules": "XX-1"}),
        empty.post(f"{record}/disputes/1/rule", data=ruling | {"do": "preview"}),
        empty.post(f"{record}/disputes/1/rule", data=ruling | {"outcome": "note", "do": "save"}, follow_redirects=True),
        empty.post(f"{record}/disputes/1/answers", data={"name": "", "statement": ""}),
    ]
    assert [answer.status_code for answer in answers] == [422, 200, 200, 422, 200, 200, 422]
    for answer in answers:
        assert "⟦" in answer.text
        assert strays(answer.text) == []


def test_neither_sign_in_nor_account_has_a_text_that_is_not_translated(pseudo: FlaskClient, tmp_path: Path) -> None:
    with Store(tmp_path / "store.duckdb") as store, public.serving(store) as app:
        people = app.extensions["hanafu-people"]
        people.add("nobody", "player", public.PASSWORD)
        visitor = app.test_client()
        visitor.set_cookie(language.COOKIE, "pt", domain="localhost")
        wrong = {"csrf_token": public.csrf(visitor), "name": "nobody", "password": "not mine"}
        pages = [visitor.get("/login", base_url=public.OURS), visitor.post("/login", data=wrong, base_url=public.OURS)]
        player = public.sign_in(app, "nobody")
        player.set_cookie(language.COOKIE, "pt", domain="localhost")
        token = {"csrf_token": public.csrf(player, "/account")}
        sent = player.post("/", data=token | {"text": logs.AGREED}, base_url=public.OURS)
        assert sent.status_code == 303
        pages += [
            player.get("/account", base_url=public.OURS),
            player.post("/account/tokens", data=token | {"label": "", "days": "99"}, base_url=public.OURS),
            player.post("/account/tokens", data=token | {"label": "Malia", "scope": "read", "days": "30"}, base_url=public.OURS),
            player.post("/account/password", data=token | {"old": "not mine", "new": "short"}, base_url=public.OURS),
            player.get("/account?changed=1&withdrawn=1", base_url=public.OURS),
            player.get(sent.headers["Location"], base_url=public.OURS),
            player.get("/", base_url=public.OURS),
        ]
    assert [page.status_code for page in pages] == [200, 422, 200, 422, 200, 422, 200, 200, 200]
    for page in pages:
        assert "⟦" in page.text
        assert strays(page.text) == []


@pytest.mark.parametrize("verdict", ["unlawful", "incomplete"])
def test_what_the_scripts_write_is_translated(pseudo: FlaskClient, ids: dict[str, str], verdict: str) -> None:
    page = pseudo.get(f"/records/{ids[verdict]}/replay").text
    payload = json.loads(page.split("data-payload>")[1].split("</script>")[0])
    for part in ("words", "parts", "kinds", "levels", "findings", "rules"):
        assert all(outside(text).strip() == "" for text in payload[part].values()), part
    upload = json.loads(pseudo.get("/").text.split("data-words>")[1].split("</script>")[0])
    assert all(outside(text).strip() == "" for text in upload.values())


@pytest.mark.parametrize("verdict", ["unlawful", "disputed", "incomplete"])
def test_every_step_is_told_in_translated_sentences(pseudo: FlaskClient, ids: dict[str, str], verdict: str) -> None:
    for step in pseudo.get(f"/records/{ids[verdict]}/positions").json["steps"]:  # type: ignore[index]  # an object
        assert strays(f"<p>{step['says']}</p>") == []


def test_the_walker_finds_a_text_that_is_not_translated() -> None:
    assert strays('<p>⟦Read⟧ Leilani <b>Hello there</b></p><a aria-label="Go on">⟦x⟧</a>') == ["Hello there", "Go on"]
    assert strays("<p>⟦By ⟦seat 1⟧ of Kimo⟧ 3B, CP-4</p>") == []


@pytest.mark.browser
@pytest.mark.requires("chromium", "fonts")
@pytest.mark.parametrize("lang", TRANSLATED)
def test_no_page_is_wider_than_a_small_screen(opened: Callable[..., "Page"], ids: dict[str, str], lang: str) -> None:
    record = f"/records/{ids['unlawful']}"
    page = opened("/", width=360)
    for address in ("/", "/records", "/dashboard", "/rules", "/rules/higobana", "/cards", "/format", record, f"{record}/replay"):
        page.goto(f"{address}?lang={lang}")
        expect(page.locator("html")).to_have_attribute("lang", lang)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, address


@pytest.mark.browser
@pytest.mark.requires("chromium", "fonts")
@pytest.mark.parametrize("lang", language.LANGUAGES)
def test_no_table_is_cut_off_on_a_small_screen_and_no_word_broken(opened: Callable[..., "Page"], ids: dict[str, str], lang: str) -> None:
    page = opened("/", width=360)
    for address in ("/players", "/api", "/rules/higobana", "/cards", f"/records/{ids['unlawful']}"):
        page.goto(f"{address}?lang={lang}")
        page.add_style_tag(content=".deck-cards * { overflow-wrap: normal !important }")
        cut = page.evaluate(
            "[...document.querySelectorAll('.scroll-x, .deck-cards p')].filter(each => each.checkVisibility())"
            ".filter(each => each.scrollWidth > each.clientWidth).map(each => each.textContent.trim().slice(0, 40))"
        )
        assert cut == [], address


def test_a_claim_is_disputed_by_a_word_for_doing_so(client: FlaskClient, ids: dict[str, str]) -> None:
    for lang, word in (("en", "Dispute"), ("pt", "Contestar"), ("ja", "異議を申し立てる")):
        head = client.get(f"/records/{ids['disputed']}?lang={lang}").text.split('id="round-1"')[1].split("</header>")[0]
        assert f"{word}</a>" in head


def test_portuguese_tells_a_turn_from_whose_turn_it_is() -> None:
    """What a seat does is a `turno`; what comes to it, and what it acts out of, is its `vez`."""
    catalogue = language.catalogue("pt")
    assert catalogue.gettext("Turn") == "Turno"
    assert "fora da vez" in str(catalogue.pgettext(language.TOLD, "A seat acts out of turn."))
    with language.po_file("pt").open("rb") as source:
        texts = " ".join(form for each in read_po(source, locale="pt") for form in forms(each.string))
    assert not re.search("fora do turno|[oà] seu turno|turno do lugar|vez seguinte|vez anterior", texts)


def test_to_begin_a_game_is_no_word_for_playing_a_film(client: FlaskClient) -> None:
    for lang, word in (("en", "Play"), ("pt", "Jogar"), ("ja", "打ち始める")):
        page = client.get(f"/record?lang={lang}").text
        assert json.loads(page.split("data-payload>")[1].split("</script>")[0])["words"]["play"] == word


def test_japanese_sentences_follow_each_other_without_a_blank(client: FlaskClient, ids: dict[str, str]) -> None:
    client.set_cookie(language.COOKIE, "ja")
    told = [step["says"] for step in client.get(f"/records/{ids['unlawful']}/positions").json["steps"]]  # type: ignore[index]  # an object
    assert any(each.count("。") > 1 for each in told)
    assert not any("。 " in each for each in (*told, client.get(f"/records/{ids['unlawful']}").text))


@pytest.mark.browser
@pytest.mark.requires("chromium")
def test_the_language_is_chosen_by_keyboard_and_stays(opened: Callable[..., "Page"], ids: dict[str, str]) -> None:
    page = opened(f"/records/{ids['unlawful']}/replay?step=2")
    page.locator("[data-replay]").wait_for()
    button = page.locator("[popovertarget=languages]")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#languages")).to_be_visible()
    for _ in range(3):
        page.keyboard.press("Tab")
    expect(page.locator("#languages [lang=ja]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    assert "step=2" in page.url
    page.goto("/rules")
    expect(page.locator("html")).to_have_attribute("lang", "ja")
