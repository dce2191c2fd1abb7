"""What must not happen: forms of other sites, foreign hosts, too much at once, text that becomes markup, SQL, a path, a formula or a
line of a log; names under pseudonyms and records that were withdrawn. `web/docs/threat-model.md` names these tests, a line each."""

import csv
import io
import json
import logging
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flask import Flask

from service.accounts import custody, pseudonyms
from service.accounts.limits import Buckets, Limit
from service.accounts.pseudonyms import Pseudonyms
from service.app import create_app
from service.casefile import OK, check
from service.checking import check as check_store
from service.checking import strays
from service.cli import main
from service.config import Settings
from service.desk import Desk, now
from service.disputes import Disputes
from service.exports import backup
from service.imports import Imports
from service.logs import Lines
from service.store import Store
from tests.service.conftest import Sheet
from tests.service.public import OURS, PASSWORD, Person, csrf, serving, sign_in
from web.cases import Actor

API = "/api/v1"
ROOT = Path(__file__).parents[2]

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'; DROP TABLE records; --",
    "../../../../etc/passwd",
    "=HYPERLINK(1)",
    "+1+1",
    "@SUM(A1)",
    "-2+3",
    "two\nlines: 200 OK",
    "\u202egnp.exe",
    "{{ 7 * 7 }}",
)


@pytest.fixture
def app(store: Store) -> Iterator[Flask]:
    with serving(store) as app:
        yield app


@pytest.fixture
def local(desk: Desk, imports: Imports) -> Flask:
    return create_app(Settings(), desk, imports)


def hostile(sheet: Sheet, word: str) -> bytes:
    """A record with a word in every text that a record has; a reader may refuse it, and then nothing is there to show."""
    event = {"name": word, "site": word, "table": word, "recorder": word}
    rounds = [{"dealer": 1, "claims": {"scores": [4, -4]}, "notes": {"0": word}, "x_more": word}]
    return sheet(event=event, players=[{"name": word}, {"name": "Kimo"}], rounds=rounds, x_more={"deep": [word]})


@pytest.mark.parametrize("word", HOSTILE)
def test_uploaded_text_stays_text_in_pages(local: Flask, sheet: Sheet, word: str) -> None:
    client = local.test_client()
    answer = client.post(f"{API}/records", data=hostile(sheet, word), content_type="application/json")
    if answer.status_code == 422:
        return
    id = answer.headers["Location"].rsplit("/", 1)[1]
    client.post(f"{API}/records/{id}/disputes", json={"name": "x", "role": "player", "claim": "scores", "round": 1, "statement": word})
    plain = client.post(f"{API}/records", data=sheet(), content_type="application/json").headers["Location"].rsplit("/", 1)[1]
    for rest in ("", "/print", "/replay", "/transcript"):
        page = client.get(f"/records/{id}{rest}", headers={"Accept": "text/html"}).text
        other = client.get(f"/records/{plain}{rest}", headers={"Accept": "text/html"}).text
        assert page.count("<script") == other.count("<script"), rest
        assert not re.search(r"<img src=x|<script>alert", page), rest
        assert "49" not in re.findall(r"<title>(.*?)</title>", page)[0]
    for path in ("/records", f"/records?player={word}", "/", f"/nowhere/{word.replace('/', '')}"):
        page = client.get(path, headers={"Accept": "text/html"}).text
        assert not re.search(r"<img src=x|<script>alert", page), path


@pytest.mark.parametrize("word", HOSTILE)
def test_uploaded_text_stays_text_in_queries(local: Flask, store: Store, sheet: Sheet, word: str) -> None:
    client = local.test_client()
    taken = client.post(f"{API}/records", data=hostile(sheet, word), content_type="application/json").status_code == 201
    for name in ("player", "event", "yaku"):
        found: Any = client.get(f"{API}/records", query_string={name: word}).json
        assert len(found["items"]) == (taken and name != "yaku")
    for path in (f"{API}/records", f"{API}/stats/running", f"{API}/export/players.csv", f"{API}/standings"):
        assert client.get(path, query_string={"sort": word, "cursor": word, "player": word}).status_code in (200, 422)
    assert store.read("SELECT count(*) FROM records") == [(int(taken),)]


@pytest.mark.parametrize("path", ["../../etc/passwd", "..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/etc/passwd", "x\\..\\..", "x%00"])
def test_uploaded_text_is_never_a_path(local: Flask, store: Store, sheet: Sheet, path: str) -> None:
    client = local.test_client()
    for base in ("/assets/", f"{API}/records/", f"{API}/export/", f"{API}/imports/", "/rules/", "/records/"):
        assert client.get(f"{base}{path}").status_code in (404, 405, 308), base
    job: Any = client.post(f"{API}/imports", query_string={"name": path}, data=sheet(), content_type="application/x-ndjson").json
    assert job["name"] == path
    inside = {each.resolve() for each in store.path.parent.rglob("*")}
    assert not [each for each in inside if "passwd" in each.name or ".." in each.name]


def test_a_header_names_files_by_hashes_alone(local: Flask, sheet: Sheet) -> None:
    client = local.test_client()
    answer = client.post(f"{API}/records", data=hostile(sheet, HOSTILE[1]), content_type="application/json")
    id = answer.headers["Location"].rsplit("/", 1)[1]
    for rest in ("/case.zip", "/ledger.csv"):
        named = client.get(f"/records/{id}{rest}").headers["Content-Disposition"]
        assert re.fullmatch(r'attachment; filename="?[a-z0-9.-]+"?', named), named
    named = client.get(f"{API}/records/{id}?as=sent").headers["Content-Disposition"]
    assert re.fullmatch(r"attachment; filename=[a-f0-9]{12}\.json", named), named


@pytest.mark.parametrize("word", HOSTILE)
def test_a_cell_of_a_spreadsheet_is_no_formula(local: Flask, sheet: Sheet, word: str) -> None:
    client = local.test_client()
    client.post(f"{API}/records", data=hostile(sheet, word), content_type="application/json")
    for path in (f"{API}/export/players.csv", f"{API}/export/records.csv", "/dashboard/running.csv?variant=koi-koi"):
        for row in csv.reader(io.StringIO(client.get(path).text)):
            for cell in row:
                assert not cell.lstrip().startswith(("=", "+", "@")), (path, cell)
                assert not cell.lstrip().startswith("-") or re.fullmatch(r"-\d+(\.\d+)?", cell), (path, cell)


@pytest.mark.parametrize("word", HOSTILE)
@pytest.mark.parametrize("as_json", [True, False])
def test_uploaded_text_is_never_a_line_of_the_log(
    local: Flask, sheet: Sheet, word: str, as_json: bool, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    client = local.test_client()
    client.post(f"{API}/records", data=hostile(sheet, word), content_type="application/json")
    client.get("/records", query_string={"player": word}, headers={"User-Agent": "x", "X-Request-Id": word.replace("\n", " ")})
    logging.getLogger("hanafu.requests").error("%s", word, extra={"said": word})
    lines = [Lines(as_json).format(record) for record in caplog.records if record.exc_info is None]
    assert lines
    assert all("\n" not in line and "\u202e" not in line for line in lines)
    assert not [line for line in lines[:-1] if word in line]


def test_a_form_of_another_site_is_refused_with_accounts(app: Flask, sheet: Sheet) -> None:
    Person(app, "leilani")
    browser = sign_in(app, "leilani")
    token = csrf(browser, "/account")
    paste = {"text": sheet().decode()}
    good = {"data": paste | {"csrf_token": token}, "base_url": OURS}
    assert browser.post("/", data=paste, base_url=OURS).status_code == 403
    assert browser.post("/", data=paste | {"csrf_token": "0" * 64}, base_url=OURS).status_code == 403
    for headers in (
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ):
        assert browser.post("/", **good, headers=headers).status_code == 403, headers
    assert browser.post("/", **good, headers={"Origin": OURS, "Sec-Fetch-Site": "same-origin"}).status_code == 303
    json_call = {"data": sheet(5, -5), "content_type": "application/json", "base_url": OURS}
    assert browser.post(f"{API}/records", **json_call).status_code == 403
    assert browser.post(f"{API}/records", **json_call, headers={"X-CSRF-Token": token}).status_code == 201
    other = sign_in(app, "leilani")
    assert other.post("/", **good).status_code == 403  # the token of another session


def test_every_form_that_changes_something_bears_its_token(app: Flask) -> None:
    templates = ROOT / "web" / "templates"
    forms = [
        (path.name, form)
        for path in templates.glob("*.html")
        for form in re.findall(r'<form[^>]*method="post".*?</form>', path.read_text(encoding="utf-8"), re.DOTALL)
    ]
    assert len(forms) >= 10
    assert [name for name, form in forms if "forms.token()" not in form] == []


def test_a_form_of_another_site_is_refused_on_ones_own_machine(local: Flask, store: Store, sheet: Sheet) -> None:
    client = local.test_client()
    for headers in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}):
        for path, kind in ((f"{API}/records", "text/plain"), (f"{API}/imports", "text/plain"), ("/", "application/x-www-form-urlencoded")):
            assert client.post(path, data=sheet(), content_type=kind, headers=headers).status_code == 403
    assert store.read("SELECT count(*) FROM records") == [(0,)]


def test_a_foreign_host_is_refused(desk: Desk, imports: Imports) -> None:
    def answers(asked: str, **settings: Any) -> bool:
        client = create_app(Settings(**settings), desk, imports).test_client()
        return client.get("/records", base_url=f"http://{asked}").status_code == 200

    assert [answers(asked) for asked in ("localhost", "127.0.0.1:8000", "[::1]:8000")] == [True] * 3
    assert [answers(asked) for asked in ("evil.example", "127.0.0.1.evil.example", "10.0.0.1")] == [False] * 3
    assert answers("club.example", hosts="club.example, other.example")
    assert answers("10.0.0.1:8000", host="0.0.0.0")
    assert not answers("evil.example", host="0.0.0.0")


def test_headers_forbid_what_pages_do_not_need(app: Flask, local: Flask) -> None:
    for each in (app, local):
        for path in ("/", "/rules", f"{API}/records", "/nowhere", "/healthz", "/cards.svg", f"{API}/docs"):
            answer = each.test_client().get(path, base_url=OURS, headers={"Accept": "text/html"})
            policy = dict(part.strip().split(" ", 1) for part in answer.headers["Content-Security-Policy"].split(";"))
            assert policy["default-src"] in ("'self'", "'none'"), path
            for name, sources in policy.items():
                allowed = {"'self'", "'none'", "data:", "blob:"} | ({"'unsafe-inline'"} if name == "style-src" else set())
                assert {source for source in sources.split() if not source.startswith("'nonce-")} <= allowed, (path, name, sources)
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Referrer-Policy"] == "same-origin"
            assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
            assert ("Strict-Transport-Security" in answer.headers) == (each is app)
    assert "no-store" in app.test_client().get("/records", base_url=OURS).headers["Cache-Control"]


def test_nothing_in_the_pages_comes_from_another_site() -> None:
    for path in (*(ROOT / "web" / "templates").glob("*.html"), *(ROOT / "web" / "static" / "css").glob("*.css")):
        found = re.findall(r"(?:src|href|action)=[\"']?(https?:)?//|url\([\"']?https?:|@import", path.read_text(encoding="utf-8"))
        assert found == [], path


def test_too_many_requests_wait(store: Store) -> None:
    with serving(store, rate=5) as app:
        Person(app, "leilani")
        one, two = Person(app), Person(app, "kimo")
        answers = [one.get(f"{API}/records") for _ in range(6)]
        assert [answer.status_code for answer in answers] == [200] * 5 + [429]
        last: Any = answers[-1].json
        assert answers[-1].content_type == "application/problem+json"
        assert last["status"] == 429
        assert 1 <= int(answers[-1].headers["Retry-After"]) <= 60
        assert one.get("/records", headers={"Accept": "text/html"}).headers["Retry-After"]
        assert one.get(f"{API}/records", environ_base={"REMOTE_ADDR": "192.0.2.7"}).status_code == 200
        assert two.get(f"{API}/records").status_code == 200  # an account has its own


def test_too_many_attempts_to_sign_in_wait(app: Flask) -> None:
    app.extensions["hanafu-people"].add("leilani", "player", PASSWORD)
    client = app.test_client()
    token = csrf(client)
    sent = {"csrf_token": token, "name": "leilani", "password": "wrong password"}
    found = [client.post("/login", data=sent, base_url=OURS).status_code for _ in range(11)]
    assert found == [422] * 10 + [429]
    elsewhere = {"REMOTE_ADDR": "192.0.2.7"}  # the account waits wherever somebody asks from
    assert client.post("/login", data=sent | {"password": PASSWORD}, base_url=OURS, environ_base=elsewhere).status_code == 429


def test_too_much_and_too_many_jobs_wait(app: Flask, sheet: Sheet) -> None:
    asks = Person(app, "leilani")
    imports = app.extensions["hanafu-imports"]
    imports.close()  # they stay queued
    sent = {"data": sheet(), "content_type": "application/x-ndjson"}
    found = [asks.ask("POST", f"{API}/imports", **sent) for _ in range(4)]
    assert [answer.status_code for answer in found] == [202, 202, 202, 429]
    assert found[-1].headers["Retry-After"]
    too_large = asks.ask("POST", f"{API}/records", data=b"{" * 1_000_001, content_type="application/json")
    assert too_large.status_code == 413


def test_a_bucket_fills_steadily_and_remembers_no_more_than_it_may() -> None:
    buckets = Buckets(Limit(4, 8))
    assert [buckets.take("a", at=0) for _ in range(5)] == [0, 0, 0, 0, 2]
    assert [buckets.take("a", at=2), buckets.take("a", at=2), buckets.take("b", at=2)] == [0, 2, 0]
    assert [buckets.take("c", 100, at=0), buckets.take("c", at=8)] == [0, (1 + 92) / 0.5 - 0]


NAMES = {"leilani": "Player A", "花子": "甲"}


def test_a_pseudonym_stands_for_whole_words_in_any_case() -> None:
    names = Pseudonyms(NAMES)
    assert names.text("LEILANI took it; Leilanis did not.") == "Player A took it; Leilanis did not."
    assert names.text("花子さんは勝った") == "甲さんは勝った"
    assert Pseudonyms({"a.c": "B"}).text("abc a.c") == "abc B"


def test_a_pseudonym_stands_for_the_name_wherever_names_leave(local: Flask, store: Store, desk: Desk, sheet: Sheet) -> None:
    client = local.test_client()
    rounds = [{"dealer": 1, "claims": {"scores": [4, -4]}, "notes": {"0": "Kapualani dealt"}}]
    event = {"name": "Tuesday table", "date": "2026-11-24", "recorder": "Kapualani"}
    sent = sheet(players=[{"name": "Kapualani"}, {"name": "Kimo"}], rounds=rounds, event=event, x_note="KAPUALANI was late")
    id = desk.add(sent).id
    Disputes(desk).open(id, Actor("Kapualani", "player"), 1, "scores", "Kapualani had 5.")
    known = {"If-None-Match": client.get(f"{API}/records/{id}").headers["ETag"]}
    pseudonyms.give(store, "Kapualani", "Player A")
    paths = [f"/records/{id}{rest}" for rest in ("", "/print", "/replay", "/transcript", "/ledger.csv", "/ledger.json", "/disputes/new")]
    paths += ["/", "/records", "/standings", "/dashboard?variant=koi-koi", "/dashboard/running.csv?variant=koi-koi"]
    paths += [f"{API}/records/{id}{rest}" for rest in ("", "?as=text", "?as=sent", "/audit", "/replay", "/disputes", "/disputes/1")]
    paths += [f"{API}/records", f"{API}/standings", f"{API}/stats/running?variant=koi-koi", f"{API}/export/players.csv"]
    paths += [f"{API}/records?player=Kapualani", f"{API}/export/records.csv", f"{API}/compare?a={id}&b={id}"]
    for path in paths:
        answer = client.get(path, headers=known)
        assert answer.status_code == 200, path
        assert "kapualani" not in answer.text.replace("player=Kapualani", "").lower(), path
    for path in (f"/records/{id}", "/records", f"{API}/export/players.csv", f"{API}/stats/running?variant=koi-koi"):
        assert "Player A" in client.get(path).text, path
    assert client.get(f"{API}/records?player=Kapualani").json == {"items": [], "next": None}
    assert len(client.get(f"{API}/records?player=player a").json["items"]) == 1  # type: ignore[index]
    parquet = client.get(f"{API}/export/players.parquet").data
    assert b"Kapualani" not in parquet
    pseudonyms.give(store, "kapualani", "")
    assert "Kapualani" in client.get(f"/records/{id}").text


def test_a_case_under_a_pseudonym_verifies_by_itself(store: Store, desk: Desk, sheet: Sheet) -> None:
    id = desk.add(sheet(5, -5)).id
    cases = Disputes(desk)
    cases.open(id, Actor("Leilani", "player"), 1, "scores", "Leilani had 4.")
    ema = Actor("Ema", "arbiter")
    corrected = json.loads(sheet())
    cases.rule(id, 1, ema, {"outcome": "corrected", "reasons": "Leilani is right.", "text": json.dumps(corrected)})
    plain = cases.case(id)
    pseudonyms.give(store, "Leilani", "Player A")
    under = cases.case(id)
    pseudonyms.give(store, "Leilani", "")
    assert cases.case(id) == plain
    for content in (plain, under):
        assert {answer.part: answer.state for answer in check(content) if answer.state != OK} == {}
    with zipfile.ZipFile(io.BytesIO(under)) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    told = json.loads(parts["case.json"])
    assert told["record"] != f"sha256:{id}"
    assert json.loads(parts["report.json"])["record"] == told["record"]
    assert [name for name, text in parts.items() if "leilani" in text.lower() or id in text] == []
    assert len(json.loads(parts["log.json"])) == 2


def test_the_log_holds_hashes_and_never_names(store: Store, desk: Desk, sheet: Sheet) -> None:
    id = desk.add(sheet()).id
    Disputes(desk).open(id, Actor("Leilani", "player"), 1, "scores", "Kimo had 5.")
    custody.withdraw(store, bytes.fromhex(id), now())
    (first, second) = [json.loads(content) for (content,) in store.read("SELECT content FROM log ORDER BY entry")]
    assert [first["kind"], second["kind"]] == ["opened", "withdrawn"]
    assert set(second) == {"kind", "at", "entry", "record"}
    assert not re.search("leilani|kimo|tuesday", repr(store.read("SELECT * FROM log")).lower())


def test_of_records_alone_it_is_said_that_they_were_withdrawn(local: Flask, store: Store, desk: Desk, sheet: Sheet) -> None:
    id = desk.add(sheet()).id
    custody.withdraw(store, bytes.fromhex(id), now())
    client = local.test_client()
    assert client.get(f"{API}/records/{id}/audit").status_code == 410
    for method, path in (("DELETE", f"tokens/{id}"), ("GET", f"imports/{id}"), ("GET", f"variants/{id}")):
        assert client.open(f"{API}/{path}", method=method).status_code == 404, path


def test_withdrawing_erases_all_but_id_date_and_log(local: Flask, store: Store, desk: Desk, sheet: Sheet, tmp_path: Path) -> None:
    client = local.test_client()
    stays = desk.add(sheet(7, -7)).id
    name = "Kapualani of the long name"
    sent = sheet(5, -4, players=[{"name": name}, {"name": "Kimo"}])
    id = desk.add(sent).id
    Disputes(desk).open(id, Actor(name, "player"), 1, "scores", "It was 4.")
    assert client.delete(f"{API}/records/{id}").status_code == 204
    for path in (f"{API}/records/{id}", f"{API}/records/{id}/audit", f"{API}/records/{id}/case.zip", f"/records/{id}"):
        answer = client.get(path)
        assert answer.status_code == 410, path
        assert f"{now():%Y-%m-%d}" in answer.text
    tables = [table for (table,) in store.read("SELECT table_name FROM duckdb_tables()")]
    assert not [table for table in tables if "Kapualani" in repr(store.read(f'SELECT * FROM "{table}"'))]
    assert store.read("SELECT record FROM withdrawals") == [(bytes.fromhex(id),)]
    assert [row.id for row in desk.records({}, "sent", None, 10).items] == [stays]
    assert (strays(store), [each.fault for each in check_store(store)]) == ([], [None])
    assert not desk.add(sent).new  # and it is not taken in again
    assert desk.record(id) is None
    assert client.delete(f"{API}/records/{id}").status_code == 410
    assert b"Kapualani" not in backup(store).read_bytes()


def test_whoever_decides_withdraws_and_nobody_else(app: Flask, sheet: Sheet) -> None:
    sender, other, admin = Person(app, "sender"), Person(app, "other"), Person(app, "admin", "admin")
    one, two = sender.send(sheet(6, -6)), sender.send(sheet(8, -8))
    sender.show(one, "public")
    assert other.ask("DELETE", f"{API}/records/{one}").status_code == 403
    assert other.ask("DELETE", f"{API}/records/{two}").status_code == 404
    assert sender.ask("DELETE", f"{API}/records/{one}").status_code == 204
    assert admin.ask("DELETE", f"{API}/records/{two}").status_code == 204


def test_signing_in_leads_to_our_own_pages_alone(app: Flask) -> None:
    app.extensions["hanafu-people"].add("leilani", "player", PASSWORD)
    for target in ("https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "/\nSet-Cookie: x=1"):
        client = app.test_client()
        sent = {"csrf_token": csrf(client), "name": "leilani", "password": PASSWORD, "next": target}
        answer = client.post("/login", data=sent, base_url=OURS, environ_base={"REMOTE_ADDR": f"192.0.2.{len(target)}"})
        assert answer.headers["Location"] == "/", target


def test_the_withdraw_command_asks_first(tmp_path: Path, sheet: Sheet) -> None:
    db = tmp_path / "store.duckdb"
    with Store(db) as store:
        id = Desk(store).add(sheet()).id
    assert CliRunner().invoke(main, ["withdraw", id, "--db", str(db)], input="n\n").exit_code == 1
    done = CliRunner().invoke(main, ["withdraw", id, "--db", str(db), "--yes"])
    assert done.output == f"{id}: withdrawn\n", done.exception
    assert "there is no record" in CliRunner().invoke(main, ["withdraw", id, "--db", str(db), "--yes"]).output


def test_every_line_of_the_threat_model_names_its_test() -> None:
    page = (ROOT / "web" / "docs" / "threat-model.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("|")][2:]
    known = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert len(rows) >= 15
    for row in rows:
        named = re.findall(r"`(test_\w+)`", row.rsplit("|", 2)[1])
        assert named, row
        assert set(named) <= known, row
    own = set(re.findall(r"^def (test_\w+)", Path(__file__).read_text(encoding="utf-8"), re.MULTILINE))
    assert own - set(re.findall(r"`(test_\w+)`", page)) <= {"test_every_line_of_the_threat_model_names_its_test"}
