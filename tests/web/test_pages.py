"""The pages as a server gives them, without a browser."""

import csv
import html
import io
import json
import re
from importlib import resources
from pathlib import Path
from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient

from . import logs

PATHS = ("/", "/records", "/dashboard", "/rules", "/cards", "/format", "/api")
OF_A_RECORD = ("/records/{id}", "/records/{id}/replay", "/records/{id}/transcript", "/embed/records/{id}")


@pytest.mark.parametrize("path", PATHS)
def test_each_page_answers_with_a_title_and_a_policy(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert "<title>" in answer.text
    assert "script-src" not in answer.headers["Content-Security-Policy"]  # so default-src 'self' holds for scripts
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("path", PATHS)
def test_each_page_answers_in_an_empty_store(empty: FlaskClient, path: str) -> None:
    assert empty.get(path).status_code == 200


@pytest.mark.parametrize("verdict", ["unlawful", "disputed", "incomplete"])
@pytest.mark.parametrize("path", OF_A_RECORD)
def test_each_page_of_a_record_answers(client: FlaskClient, ids: dict[str, str], path: str, verdict: str) -> None:
    assert client.get(path.format(id=ids[verdict])).status_code == 200


@pytest.mark.parametrize("game", ["bakabana", "hon-bana", "higobana", "sakura", "koi-koi"])
def test_each_game_has_its_rules_with_an_anchor_a_point(client: FlaskClient, game: str) -> None:
    from analysis.variants import describe

    text = client.get(f"/rules/{game}").text
    told = describe(game)
    for point in told["rules"]:
        assert f'id="{point["id"]}"' in text
    for option in told["options"]:
        assert f'id="option-{option["id"]}"' in text


def test_what_a_rule_quotes_of_a_record_is_set_as_code(client: FlaskClient, ids: dict[str, str]) -> None:
    page = client.get("/rules/higobana").text
    assert "unless the record says <code>keep</code>." in page and "under <code>gaji_rest</code> = <code>all</code>." in page
    assert "unless the record says keep." in client.get("/records?variant=higobana").text  # a choice of a list
    assert "`keep`" not in page + client.get("/records?variant=higobana").text + client.get("/record").text


def test_pages_ask_nothing_of_other_sites(client: FlaskClient, ids: dict[str, str]) -> None:
    for path in (*PATHS, *(each.format(id=ids["unlawful"]) for each in OF_A_RECORD)):
        for link in re.findall(r"""(?:src|href|action)=["']([^"']+)""", client.get(path).text):
            assert not re.match(r"(https?:)?//", link), f"{path}: {link}"


def test_a_sent_log_leads_to_its_audit(client: FlaskClient, ids: dict[str, str]) -> None:
    answer = client.post("/", data={"text": logs.UNLAWFUL})
    assert answer.status_code == 303
    assert answer.headers["Location"] == f"/records/{ids['unlawful']}?known=1"
    assert "here already" in client.get(answer.headers["Location"]).text


def test_a_file_is_taken_as_a_text_is(client: FlaskClient, ids: dict[str, str]) -> None:
    answer = client.post("/", data={"file": (io.BytesIO(logs.DISPUTED.encode()), "game.hrn")})
    assert answer.headers["Location"].startswith(f"/records/{ids['disputed']}")


def test_all_errors_of_a_log_stand_in_the_page_with_line_and_column(client: FlaskClient) -> None:
    answer = client.post("/", data={"text": logs.BROKEN})
    assert answer.status_code == 422
    assert "8, column 15" in answer.text and "10, column 6" in answer.text
    assert "99C" in answer.text.split("<textarea", 1)[1].split("</textarea>", 1)[0]


def test_what_cannot_be_read_is_not_stored(empty: FlaskClient) -> None:
    for text in (logs.BROKEN, "{", '{"format": "hanafuda-record/1"}', "[" * 5000):
        assert empty.post("/", data={"text": text}).status_code == 422
    assert "No records yet" in empty.get("/records").text


def test_scripts_get_the_outcome_as_json(client: FlaskClient) -> None:
    answer = client.post("/", data={"text": logs.BROKEN}, headers={"Accept": "application/json"})
    (outcome,) = answer.get_json()["outcomes"]
    assert answer.status_code == 422 and outcome["href"] is None
    assert [(error["line"], error["column"]) for error in outcome["errors"]] == [(8, 15), (10, 6)]


def test_nothing_sent_is_said(client: FlaskClient) -> None:
    answer = client.post("/", data={"text": "  "})
    assert answer.status_code == 422 and "Choose a file or paste a log first." in answer.text


def test_another_site_cannot_send_a_log(client: FlaskClient) -> None:
    assert client.post("/", data={"text": logs.BROKEN}, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403


def test_an_unknown_record_and_game_are_not_found_with_a_way_back(client: FlaskClient) -> None:
    for path in (f"/records/{'0' * 64}", "/records/no-such-id/replay", "/rules/whist", "/no/such/page"):
        answer = client.get(path, headers={"Accept": "text/html,*/*;q=0.8"})
        assert answer.status_code == 404 and 'href="/records"' in answer.text
        assert client.get(path).get_json()["status"] == 404


def test_the_api_answers_for_its_own_addresses(client: FlaskClient) -> None:
    assert client.get("/api/v1/no-such-call").mimetype == "application/problem+json"


@pytest.mark.parametrize("query", ["round=0", "round=2", "round=x", "seat=3", "step=-1", "reveal=none"])
def test_an_address_that_means_nothing_is_refused(client: FlaskClient, ids: dict[str, str], query: str) -> None:
    assert client.get(f"/records/{ids['unlawful']}/replay?{query}").status_code == 400


def test_an_action_leads_to_the_step_of_its_finding(client: FlaskClient, ids: dict[str, str]) -> None:
    answer = client.get(f"/records/{ids['unlawful']}/replay?round=1&action=2&seat=2")
    assert answer.status_code == 302
    assert answer.headers["Location"] == f"/records/{ids['unlawful']}/replay?round=1&step=3&seat=2"


def test_cp_4_the_audit_says_the_rule_beside_the_finding(client: FlaskClient, ids: dict[str, str]) -> None:
    text = client.get(f"/records/{ids['unlawful']}").text
    assert "Unlawful" in text and "must-capture" in text
    assert 'href="/rules/koi-koi#CP-4"' in text
    assert f"/records/{ids['unlawful']}/replay?round=1&amp;action=2" in text


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        (
            "en",
            [
                "A wrong number of cards was dealt: field, hand 2.",
                "field: 7, hand 2: 9",
                "Side 2 is claimed to have won",
                "Kimo",
                "Leilani",
            ],
        ),
        ("pt", ["número errado de cartas: mesa, mão 2.", "mesa: 7, mão 2: 9", "Vencedor declarado: lado 2", "Kimo", "Leilani"]),
        ("ja", ["枚数が違います：場札, 席2の手札。", "場札: 7, 席2の手札: 9", "勝者の申告は組2", "Kimo", "Leilani"]),
    ],
)
def test_findings_say_what_was_recorded_and_who_is_meant(empty: FlaskClient, lang: str, words: list[str]) -> None:
    """The pine bright lies in Kimo's hand instead of on the field. In the other log Leilani leads by 5, and Kimo is said to have won."""
    miscounted = logs.UNLAWFUL.replace("1B 2R 3C", "2R 3C").replace("12B 2A 2C", "12B 1B 2A 2C")
    won = logs.DISPUTED.replace("Malia", "Leilani").replace("Pua", "Kimo").replace("6 -6", "5 -5") + '[Winner "2"]\n'
    pages = [
        empty.get(f"/records/{empty.application.extensions['hanafu'].add(log.encode()).id}?lang={lang}").text for log in (miscounted, won)
    ]
    found = "".join("".join(re.findall(r'<article class="finding.*?</article>', page, re.S)) for page in pages)
    assert [each for each in words if each not in found] == []


def test_a_finding_shows_the_cards_that_it_speaks_of(client: FlaskClient, ids: dict[str, str]) -> None:
    finding = re.search(r'<article class="finding.*?</article>', client.get(f"/records/{ids['unlawful']}").text, re.S)
    assert finding is not None
    assert re.findall(r'aria-label="([^"]*)"', finding[0]) == ["Paulownia, bright: phoenix", "Paulownia, chaff"]


def test_kk_4_the_audit_sets_claimed_beside_recomputed(client: FlaskClient, ids: dict[str, str]) -> None:
    text = client.get(f"/records/{ids['disputed']}").text
    rows = re.findall(r"<tr><th scope=\"row\">(Malia|Pua).*?</tr>", text, re.S)
    assert rows.count("Malia") >= 2
    first = re.search(r"<tr><th scope=\"row\">Malia.*?</tr>", text, re.S)
    assert first is not None
    assert re.findall(r"<td class=\"num\">(?:<span class=\"diff\">)?([^<\s]+)", first[0]) == ["6", "5", "+1"]


def test_bk_12_points_that_are_claimed_rounded_agree(empty: FlaskClient) -> None:
    """Points of 12½, 5½, 6½ and 1½, claimed as 13, 6, 7 and 2: confirmed, so no difference is shown."""
    sample = resources.files("service.samples.disputes") / "worked-1-piles.json"
    sent = empty.post("/api/v1/records", json=json.loads(sample.read_text(encoding="utf-8"))["record"])
    assert sent.get_json()["verdict"] == "confirmed"
    page = empty.get(sent.headers["Location"].removeprefix("/api/v1")).get_data(as_text=True)
    assert "12½" in page
    assert 'class="diff"' not in page


def test_au_5_the_audit_says_that_no_house_rule_would_make_it_right(empty: FlaskClient) -> None:
    sample = resources.files("service.samples.disputes") / "02-kans-yaku-of-two.json"
    sent = empty.post("/api/v1/records", json=json.loads(sample.read_text(encoding="utf-8"))["record"])
    page = empty.get(sent.headers["Location"].removeprefix("/api/v1")).get_data(as_text=True)
    assert "No house rules of this game" in page


def test_au_2_possible_scores_say_which_are_claimed_on_the_page_and_on_paper(empty: FlaskClient) -> None:
    """Without what the Lightning took there are four outcomes; two of them come to the claimed scores."""
    sample = resources.files("service.samples.disputes") / "03-lightning-on-a-willow.json"
    record = json.loads(sample.read_text(encoding="utf-8"))["record"]
    del record["rounds"][0]["lightning"]
    record["rounds"][0]["claims"] = {"scores": [4, -5, -8, 9]}
    address = empty.post("/api/v1/records", json=record).headers["Location"].removeprefix("/api/v1")
    assert empty.get(address).get_data(as_text=True).count("as claimed") == 2
    assert empty.get(f"{address}/print").get_data(as_text=True).count("Possible ·") == 4


def test_the_ledger_as_csv_adds_up_to_the_scores(client: FlaskClient, ids: dict[str, str]) -> None:
    lines = list(csv.DictReader(client.get(f"/records/{ids['disputed']}/ledger.csv").text.splitlines()))
    assert list(lines[0]) == ["round", "side", "amount", "from", "rule", "why", "cards", "args"]
    sums = [(line["side"], line["amount"]) for line in lines if line["why"] == "sum"]
    assert sums == [("1", "5"), ("2", "-5")]
    assert sum(int(line["amount"]) for line in lines if line["side"] == "1" and line["why"] != "sum") == 5


def test_filters_stand_as_chips_each_with_the_address_without_it(client: FlaskClient) -> None:
    text = client.get("/records?verdict=unlawful&player=Kimo").text
    assert "Leilani" in text and "Malia" not in text
    assert 'class="chip on" href="/records?player=Kimo"' in text
    assert 'class="chip on" href="/records?verdict=unlawful"' in text


def test_an_empty_list_names_the_filter_that_excludes_most(empty: FlaskClient) -> None:
    for log in (logs.UNLAWFUL, logs.DISPUTED, logs.AGREED):
        empty.post("/", data={"text": log})
    text = empty.get("/records?player=Kimo&verdict=confirmed").text
    assert "The filter that excludes most is “Verdict”: without it there would be 2." in text


def test_every_filter_can_be_typed_and_shows_what_the_address_asks_for(client: FlaskClient) -> None:
    form = client.get(
        "/records?variant=koi-koi&verdict=unlawful&player=Leilani&opponent=Kimo&options=viewing%3Dnone&event=Tuesday+table"
        "&from=2026-11&to=2026-12&finding=must-capture&yaku=goko&dispute=play&results=hidden&sort=date"
    ).text
    form = form.split('<form method="get" action="/records">')[1].split("</form>")[0]
    fields = re.findall(r'<label for="f-(\w+)">[^<]+</label><(?:input|select) id="f-\1" (?:type="date" )?name="(\w+)"', form)
    wanted = ["variant", "verdict", "player", "opponent", "event", "options", "finding", "yaku", "dispute", "from", "to", "sort"]
    assert fields == [(name, name) for name in wanted]
    for value in ("Leilani", "Kimo", "viewing=none", "Tuesday table", "must-capture", "goko", "2026-11", "2026-12", "hidden"):
        assert f'value="{value}"' in form
    for value in ("koi-koi", "unlawful", "play", "date"):
        assert f'value="{value}" selected' in form


def test_records_are_found_by_opponent_options_and_dispute(client: FlaskClient, empty: FlaskClient) -> None:
    def found(query: str, site: FlaskClient = client) -> bool:
        answer = site.get(f"/records?{query}")
        assert answer.status_code == 200
        return "<table" in answer.text

    assert found("player=Leilani&opponent=Kimo") and not found("player=Leilani&opponent=Malia")
    assert found("variant=koi-koi&player=Malia&options=viewing%3Done_then_three")  # the default, which a record does not state
    assert not found("variant=koi-koi&player=Malia&options=viewing%3Dnone")
    sent = empty.application.extensions["hanafu"].add(logs.DISPUTED.encode(), "text/plain")
    dispute = {"name": "Malia", "role": "player", "claim": "scores", "round": "1", "statement": "Six it was."}
    assert empty.post(f"/records/{sent.id}/disputes", data=dispute).status_code == 303
    assert found("dispute=scores", empty) and not found("dispute=yaku", empty)


def test_filters_stay_in_the_links_to_further_records(empty: FlaskClient) -> None:
    desk = empty.application.extensions["hanafu"]
    for day in range(1, 28):
        desk.add(logs.AGREED.replace("2026-11-23", f"2026-10-{day:02}").encode(), "text/plain")
    address = "/records?variant=koi-koi&opponent=Noa&sort=date&results=hidden"
    first = html.unescape(empty.get(address).text)
    further = re.search(r'rel="next" href="([^"]+)"', first)
    assert further is not None
    for part in ("variant=koi-koi", "opponent=Noa", "sort=date", "results=hidden", "cursor="):
        assert part in further[1]
    second = html.unescape(empty.get(further[1]).text)
    assert second.count("<tr class") == 2 and 'href="/records?variant=koi-koi&opponent=Noa&sort=date&results=hidden"' in second


def test_options_leave_with_their_game(client: FlaskClient) -> None:
    text = html.unescape(client.get("/records?variant=koi-koi&options=viewing%3Dnone&player=nobody").text)
    assert '<a class="chip on" href="/records?player=nobody">' in text


def test_options_without_a_game_are_refused_with_all_that_was_typed(client: FlaskClient) -> None:
    answer = client.get("/records?player=Leilani&options=viewing%3Dnone")
    assert answer.status_code == 400
    alert = re.search(r'role="alert"[^>]*>([^<]+)<', answer.text)
    assert alert is not None and alert[1] == "options belong to one game: choose it first"
    assert 'value="Leilani"' in answer.text and 'value="viewing=none"' in answer.text


@pytest.mark.parametrize("query", ["sort=best", "cursor=nonsense"])
def test_a_list_that_means_nothing_is_refused(client: FlaskClient, query: str) -> None:
    assert client.get(f"/records?{query}").status_code == 400


def test_results_can_stay_hidden(client: FlaskClient) -> None:
    shown, hidden = client.get("/records").text, client.get("/records?results=hidden").text
    assert "not known" in shown and "not known" not in hidden


def test_the_transcript_tells_every_step(client: FlaskClient, ids: dict[str, str]) -> None:
    text = client.get(f"/records/{ids['unlawful']}/transcript").text
    assert "Kimo plays Paulownia, bright: phoenix. It stays on the field." in text
    assert "Kimo leaves the phoenix beside the chaff" in text
    assert "Leilani turns up Bush clover, chaff. It captures Bush clover, ribbon: plain ribbon." in text


def test_a_frame_may_stand_in_other_sites_and_a_page_may_not(client: FlaskClient, ids: dict[str, str]) -> None:
    frame = client.get(f"/embed/records/{ids['unlawful']}").headers["Content-Security-Policy"]
    page = client.get(f"/records/{ids['unlawful']}/replay").headers["Content-Security-Policy"]
    assert "frame-ancestors *" in frame and "frame-ancestors 'self'" in page


def test_the_picture_of_a_position_shows_what_the_view_may_see(client: FlaskClient, ids: dict[str, str]) -> None:
    address = f"/records/{ids['unlawful']}/position.svg?round=1&step=0&seat=1&reveal="
    seen, opened = client.get(address + "seen"), client.get(address + "open")
    for answer in (seen, opened):
        assert answer.mimetype == "image/svg+xml"
        assert ElementTree.fromstring(answer.text).tag == "{http://www.w3.org/2000/svg}svg"
    assert 'href="#card-3B"' in seen.text and 'href="#card-12B"' not in seen.text
    assert 'href="#card-12B"' in opened.text


def test_cards_come_as_one_file_that_is_kept(client: FlaskClient) -> None:
    first = client.get("/cards.svg")
    assert first.mimetype == "image/svg+xml" and 'id="card-1B"' in first.text
    again = client.get("/cards.svg", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304


def test_the_samples_go_and_nothing_else(empty: FlaskClient) -> None:
    desk = empty.application.extensions["hanafu"]
    desk.add(logs.UNLAWFUL.encode(), "text/plain", sample=True)
    desk.add(logs.DISPUTED.encode(), "text/plain")
    answer = empty.post("/samples/remove")
    assert answer.status_code == 303
    text = empty.get(answer.headers["Location"]).text
    assert "1 sample was removed." in text and "Malia" in text and "Leilani" not in text.split("Latest records")[1]


def test_every_address_that_the_readme_names_answers(client: FlaskClient) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"`(/[\w/.]*)`", readme)
    assert len(named) >= 5
    assert {address: client.get(address).status_code for address in named} == dict.fromkeys(named, 200)


def test_no_link_of_a_page_leads_nowhere(client: FlaskClient) -> None:
    pages = ("/", "/records", "/dashboard", "/players", "/rules", "/rules/higobana", "/format", "/guide", "/api", "/record")
    found = {link for page in pages for link in re.findall(r'href="(/[^"#]*)', client.get(page).text)}
    assert len(found) >= 30
    nowhere = []
    for link in sorted(found):
        with client.get(html.unescape(link)) as answer:
            nowhere += [link] * (answer.status_code >= 400)
    assert nowhere == []
