"""Accounts: who may call what, who sees which record, passwords, sessions, tokens; disputes by accounts."""

import re
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flask import Flask
from werkzeug.routing import Rule

from service.accounts import people as module
from service.accounts.people import People
from service.accounts.permissions import ACTS, ALLOWED, OPEN, OWNER, READ, ROLES, ROUTES, SCOPES, SELF, VISITOR, Viewer
from service.app import create_app
from service.cli import main
from service.config import Settings
from service.desk import Desk, now
from service.disputes import Disputes
from service.imports import Imports
from service.places import claim
from service.store import Store
from tests.service.conftest import Sheet
from tests.service.public import OURS, PASSWORD, Person, csrf, serving, sign_in
from web.cases import Actor

API = "/api/v1"
NO_RECORD = "0" * 64


@pytest.fixture
def app(store: Store) -> Iterator[Flask]:
    with serving(store) as app:
        yield app


def rules(app: Flask) -> list[Rule]:
    return list(app.url_map.iter_rules())


def test_every_route_stands_in_the_table_of_permissions(app: Flask) -> None:
    assert {rule.endpoint for rule in rules(app)} == set(ROUTES)
    assert set(ROUTES.values()) <= set(ACTS)


def test_every_role_may_what_the_one_before_may() -> None:
    for less, more in zip((VISITOR, *ROLES), ROLES, strict=False):
        assert ALLOWED[less] < ALLOWED[more]
    assert all(OWNER not in ALLOWED[role] for role in (VISITOR, *ROLES))
    assert ALLOWED[VISITOR] == {OPEN, READ}


def filled(rule: Rule) -> str:
    parts = {"number": 1, "id": NO_RECORD, "table": "players", "form": "csv", "name": "running", "variant": "koi-koi", "chart": "running"}
    parts["key"] = "0" * 32
    if rule.endpoint in ("pages.static", "pages.nothing"):
        parts |= {"filename": "favicon.svg", "address": "nowhere"}
    if rule.endpoint == "people.change_account":
        parts["name"] = "nobody"
    built = rule.build({name: parts[name] for name in rule.arguments}, append_unknown=False)
    assert built
    return built[1]


@pytest.mark.parametrize("role", [VISITOR, *ROLES])
def test_every_route_with_every_role_answers_as_the_table_says(app: Flask, role: str) -> None:
    asks = Person(app, "" if role == VISITOR else "somebody", role)
    for rule in rules(app):
        act = ROUTES[rule.endpoint]
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            if act == SELF and role != VISITOR:
                continue  # by cookie: below
            with asks.ask(method, filled(rule), headers={"Accept": "application/json"}) as answer:
                status = answer.status_code
            place = f"{method} {rule.rule} as {role}: {status}"
            if act in ALLOWED[role]:
                # Without a form's token nothing is signed in or out.
                assert status not in (401, 403) or rule.endpoint in ("accounts.sign_in", "accounts.sign_out"), place
            elif role == VISITOR:
                assert status == (303 if method == "GET" and rule.endpoint.startswith(("pages.", "accounts.")) else 401), place
            else:
                assert status == 403, place


def test_no_token_reaches_its_own_account(app: Flask) -> None:
    admin = Person(app, "admin", "admin")
    for method, path in (("GET", "/account"), ("GET", f"{API}/tokens"), ("POST", f"{API}/tokens")):
        assert admin.ask(method, path).status_code == 403
    assert SELF not in SCOPES
    assert sign_in(app, "admin").get("/account", base_url=OURS).status_code == 200


@pytest.mark.parametrize("scope", SCOPES)
def test_a_token_is_for_its_scopes_alone(app: Flask, scope: str) -> None:
    asks = Person(app, "somebody", "admin", (scope,))
    calls = {"read": ("GET", "/records"), "audit": ("POST", "/audits"), "send": ("POST", "/records"), "admin": ("GET", "/accounts")}
    calls |= {"dispute": ("POST", f"/records/{NO_RECORD}/disputes"), "rule": ("PATCH", f"/records/{NO_RECORD}/disputes/1")}
    for each, (method, path) in calls.items():
        assert (asks.ask(method, API + path).status_code != 403) == (each == scope), each


def test_a_record_is_seen_by_whom_its_visibility_says(app: Flask, sheet: Sheet) -> None:
    sender, other, member = Person(app, "sender"), Person(app, "other"), Person(app, "member", events=("Tuesday table",))
    arbiter, admin, visitor = Person(app, "arbiter", "arbiter"), Person(app, "admin", "admin"), Person(app)
    id = sender.send(sheet())
    everybody = (sender, other, member, arbiter, admin, visitor)

    def sees(asks: Person) -> bool:
        """Whether somebody sees the record: in every way the same."""
        found = [asks.get(f"{API}/records/{id}{rest}").status_code == 200 for rest in ("", "/audit", "/replay", "/case.zip", "/standings")]
        found += [asks.get(f"/records/{id}{rest}").status_code == 200 for rest in ("", "/print", "/ledger.csv", "/transcript")]
        found += [id in asks.get(f"{API}/records").text, id in asks.get(f"{API}/export/players.csv").text, id in asks.get("/records").text]
        found += [id in asks.get(f"{API}/export/records.csv").text, "Leilani" in asks.get(f"{API}/standings").text]
        found += [asks.get(f"{API}/stats/running?variant=koi-koi").json["n"] > 0]  # type: ignore[index]
        assert len(set(found)) == 1, (asks.name, found)
        return found[0]

    assert [sees(each) for each in everybody] == [True, False, False, False, True, False]  # private is the default
    assert sender.show(id, "event").status_code == 200
    assert [sees(each) for each in everybody] == [True, False, True, True, True, False]
    assert sender.show(id, "public").status_code == 200
    assert [sees(each) for each in everybody] == [True] * 6
    assert admin.show(id, "private").status_code == 200
    assert [other.show(id, "public").status_code, arbiter.show(id, "public").status_code] == [404, 404]
    assert [sees(each) for each in everybody] == [True, False, False, False, True, False]


def test_who_sends_the_same_record_later_sees_it_and_does_not_decide(app: Flask, sheet: Sheet) -> None:
    first, second = Person(app, "first"), Person(app, "second")
    id = first.send(sheet())
    assert second.send(sheet()) == id
    assert second.get(f"{API}/records/{id}").status_code == 200
    assert second.show(id, "public").status_code == 403
    assert second.ask("DELETE", f"{API}/records/{id}").status_code == 403


def test_a_record_from_before_there_were_accounts_is_as_the_settings_say(store: Store, sheet: Sheet) -> None:
    id = Desk(store).add(sheet()).id
    for default, seen in (("private", False), ("event", False), ("public", True)):
        with serving(store, visibility=default) as app:
            assert (Person(app).get(f"{API}/records/{id}").status_code == 200) == seen


def test_a_dispute_lets_an_arbiter_see_a_private_record_and_binds_who_acts(app: Flask, sheet: Sheet) -> None:
    player, arbiter = Person(app, "leilani"), Person(app, "ana", "arbiter")
    id = player.send(sheet())
    typed = {"name": "Somebody Else", "role": "director", "claim": "scores", "round": 1, "statement": "It was 5."}
    opened = player.ask("POST", f"{API}/records/{id}/disputes", json=typed)
    assert opened.status_code == 201, opened.text
    assert opened.json is not None
    assert opened.json["opened"]["by"] == {"name": "leilani", "role": "player", "verified": True}
    ruling = {"name": "x", "role": "arbiter", "outcome": "upheld", "reasons": "It stands."}
    assert player.ask("PATCH", f"{API}/records/{id}/disputes/1", json=ruling).status_code == 403
    ruled = arbiter.ask("PATCH", f"{API}/records/{id}/disputes/1", json=ruling)
    assert ruled.status_code == 200, ruled.text
    assert ruled.json is not None
    assert ruled.json["rulings"][0]["by"] == {"name": "ana", "role": "arbiter", "verified": True}


def test_names_typed_before_there_were_accounts_stay_unverified(store: Store, sheet: Sheet) -> None:
    desk = Desk(store)
    id = desk.add(sheet()).id
    Disputes(desk).open(id, Actor("ana", "player"), 1, "scores", "It was 5.")
    with serving(store) as app:
        found: Any = Person(app, "ana", "arbiter").get(f"{API}/records/{id}/disputes").json
        assert found["items"][0]["opened"]["by"] == {"name": "ana", "role": "player", "verified": False}


def test_imports_are_their_senders_and_so_are_their_records(app: Flask, sheet: Sheet) -> None:
    sender, other = Person(app, "sender"), Person(app, "other")
    job: Any = sender.ask("POST", f"{API}/imports", data=sheet(), content_type="application/x-ndjson").json
    until = time.monotonic() + 60
    while job["state"] in ("queued", "running") and time.monotonic() < until:
        time.sleep(0.05)
        job = sender.get(f"{API}/imports/{job['id']}").json
    assert (job["state"], job["stored"]) == ("done", 1)
    for rest in ("", "/errors", "/errors.jsonl"):
        assert other.get(f"{API}/imports/{job['id']}{rest}").status_code == 404
    assert other.ask("POST", f"{API}/imports/{job['id']}/cancel").status_code == 404
    assert other.get(f"{API}/imports").json == {"items": [], "next": None}
    assert [len(each.get(f"{API}/records").json["items"]) for each in (sender, other)] == [1, 0]  # type: ignore[index]


def test_passwords_sessions_and_tokens_are_kept_as_hashes(app: Flask, store: Store) -> None:
    asks = Person(app, "leilani")
    browser = sign_in(app, "leilani")
    cookie = browser.get_cookie("__Host-hanafu")
    assert cookie is not None
    kept = repr([store.read(f"SELECT * FROM {table}") for table in ("accounts", "sessions", "tokens")])
    secret = asks._headers["Authorization"].removeprefix("Bearer ")
    assert not [word for word in (PASSWORD, cookie.value, secret) if word in kept]
    assert store.read("SELECT password FROM accounts")[0][0].startswith("$argon2id$")
    assert (cookie.secure, cookie.http_only, cookie.same_site, cookie.path, cookie.domain) == (True, True, "Lax", "/", "localhost")


def test_a_session_ends_by_signing_out_a_new_password_disabling_and_time(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    people: People = app.extensions["hanafu-people"]
    people.add("leilani", "player", PASSWORD)

    def works(browser: Any) -> bool:
        return bool(browser.get("/account", base_url=OURS).status_code == 200)

    browser, other = sign_in(app, "leilani"), sign_in(app, "leilani")
    kept = browser.get_cookie("__Host-hanafu").value  # type: ignore[union-attr]
    browser.post("/logout", data={"csrf_token": csrf(browser, "/account")}, base_url=OURS)
    browser.set_cookie("__Host-hanafu", kept, secure=True)
    assert [works(browser), works(other)] == [False, True]
    people.change("leilani", password="willow and rain")
    assert not works(other)
    other = sign_in(app, "leilani", "willow and rain")
    people.change("leilani", disabled=True)
    assert not works(other)
    people.change("leilani", disabled=False)
    other = sign_in(app, "leilani", "willow and rain")
    monkeypatch.setattr(module, "now", lambda: now() + module.SESSION + timedelta(seconds=1))
    assert not works(other)


def test_a_token_ends_by_revoking_disabling_and_time_and_is_shown_once(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two, three = (Person(app, name) for name in ("one", "two", "three"))
    people: People = app.extensions["hanafu-people"]
    assert [each.get(f"{API}/records").status_code for each in (one, two, three)] == [200, 200, 200]
    people.revoke(one.token.id)
    people.change("two", disabled=True)
    assert [each.get(f"{API}/records").status_code for each in (one, two, three)] == [401, 401, 200]
    monkeypatch.setattr(module, "now", lambda: now() + timedelta(days=1, seconds=1))
    assert three.get(f"{API}/records").status_code == 401
    monkeypatch.undo()
    browser = sign_in(app, "one")
    sent = {"csrf_token": csrf(browser, "/account"), "label": "<b>bot</b>", "scope": "read", "days": "30"}
    page = browser.post("/account/tokens", data=sent, base_url=OURS).text
    assert page.count("hanafu_") == 1
    assert "&lt;b&gt;bot" in page
    assert "hanafu_" not in browser.get("/account", base_url=OURS).text


def test_an_accounts_list_names_a_record_by_its_event_else_by_the_name_of_its_game(app: Flask, sheet: Sheet) -> None:
    player = Person(app, "noa")
    named, bare = player.send(sheet()), player.send(sheet(event={"date": "2026-11-24"}))
    page = sign_in(app, "noa").get("/account", base_url=OURS).text
    told = re.findall(r'href="/records/(\w+)">(.*?) <code', page)
    assert told == [(bare.removeprefix("sha256:"), "Koi-koi"), (named.removeprefix("sha256:"), "Tuesday table")]


def test_a_token_may_no_more_than_its_account(app: Flask) -> None:
    people: People = app.extensions["hanafu-people"]
    people.add("reader", "reader", PASSWORD)
    with pytest.raises(ValueError, match="the role reader may not send, rule"):
        people.add_token("reader", "x", ["read", "send", "rule"], 30)
    people.change("reader", role="admin")
    secret, _ = people.add_token("reader", "x", ["admin"], 30)
    people.change("reader", role="reader")
    viewer = people.by_token(secret)
    assert isinstance(viewer, Viewer)
    assert not viewer.may("admin")


def test_a_wrong_name_and_a_wrong_password_have_one_answer(app: Flask) -> None:
    app.extensions["hanafu-people"].add("leilani", "player", PASSWORD)
    pages = []
    for name, password in (("leilani", "wrong password"), ("nobody", PASSWORD)):
        client = app.test_client()
        answer = client.post("/login", data={"csrf_token": csrf(client), "name": name, "password": password}, base_url=OURS)
        assert answer.status_code == 422
        pages.append(answer.text.replace(name, "NAME"))
        assert "__Host-hanafu=" not in str(answer.headers.getlist("Set-Cookie"))
    assert len({re.sub(r"[0-9a-f]{64}", "", page) for page in pages}) == 1


def test_without_public_no_account_is_needed_and_no_page_of_them_is_there(desk: Desk, imports: Imports, sheet: Sheet) -> None:
    client = create_app(Settings(), desk, imports).test_client()
    assert client.post(f"{API}/records", data=sheet(), content_type="application/json").status_code == 201
    assert client.get(f"{API}/me").json == {"account": None, "role": "holder", "may": list(ACTS)}
    assert client.get("/login").status_code == 404


def test_public_needs_a_proxy_or_a_host(tmp_path: Path) -> None:
    run = CliRunner().invoke(main, ["serve", "--public", "--db", str(tmp_path / "store.duckdb")])
    assert run.exit_code == 1
    assert "--public needs --behind-proxy" in run.output


def test_the_commands_change_accounts_with_a_server_and_without(tmp_path: Path, start: Any) -> None:
    db = tmp_path / "store.duckdb"

    def run(*words: str, typed: str = "") -> str:
        done = CliRunner().invoke(main, [*words, "--db", str(db)], input=typed)
        return f"{done.exit_code} {done.output}"

    def all_of_it(name: str) -> None:
        assert run("user", "add", name, "--role", "reader", "--password-stdin", typed=PASSWORD) == f"0 {name}: reader\n"
        short = run("user", "add", "short", "--password-stdin", typed="x")
        assert short.startswith("1 Error: password: ")
        assert "1000" in short
        assert "there is an account" in run("user", "add", name, "--password-stdin", typed=PASSWORD)
        assert run("user", "role", name, "player") == f"0 {name}: player\n"
        assert run("user", "events", name, "Tuesday table").startswith("0")
        assert f"{name}\tplayer\ttuesday table" in run("user", "list")
        assert run("user", "password", name, "--password-stdin", typed="another password").startswith("0")
        token = run("token", "add", name, "--label", "bot", "--scope", "read")
        assert token.startswith("0 hanafu_")
        line = next(line for line in run("token", "list").splitlines() if name in line)
        assert run("token", "revoke", line.removeprefix("0 ").split("\t")[0]).startswith("0")
        assert run("user", "disable", name).startswith("0")
        assert f"{name}\tplayer (disabled)" in run("user", "list")
        assert "there is no account" in run("user", "role", "nobody", "player")
        assert run("pseudonym", "set", name, f"the {name}").startswith("0")
        assert f"{name}\tthe {name}" in run("pseudonym", "list")

    all_of_it("one")
    start(db, "--public", "--behind-proxy")
    all_of_it("two")


def test_the_first_page_offers_what_one_may(app: Flask) -> None:
    reader, player, admin = Person(app, "reader", "reader"), Person(app, "player"), Person(app, "admin", "admin")
    for asks, sends in ((Person(app), False), (reader, False), (player, True), (admin, True)):
        assert ("data-upload" in asks.get("/").text) == sends


def test_of_records_sent_together_the_first_sender_decides_and_the_others_have_them_too(store: Store) -> None:
    first, second, third = b"1" * 32, b"2" * 32, b"3" * 32
    sent = [([first], "aya"), ([first, second], "aya"), ([second, third, third], "ben"), ([third], "aya")]
    store.write(lambda connection, calls: claim(connection, sent)[: len(calls)], None).result()
    rows = store.read("SELECT record, place, account FROM holders ORDER BY record, place")
    assert rows == [(first, 1, "aya"), (second, 1, "aya"), (second, 2, "ben"), (third, 1, "ben"), (third, 2, "aya")]
