"""The API: what it takes, what it answers, and how it refuses."""

import hashlib
import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.store import Store
from tests.service.conftest import Sheet

RECORDS = "/api/v1/records"


def _send(client: FlaskClient, raw: bytes, kind: str = "application/json") -> TestResponse:
    return client.post(RECORDS, data=raw, content_type=kind)


def _problem(answer: TestResponse, status: int) -> dict[str, Any]:
    assert answer.status_code == status
    assert answer.content_type == "application/problem+json"
    document: dict[str, Any] = json.loads(answer.data)
    assert document["status"] == status
    assert document["type"] == "about:blank"
    assert document["title"]
    for fault in document.get("errors", []):
        assert fault["code"] and fault["detail"]
        assert "pointer" in fault or ("line" in fault and "column" in fault)
    return document


def test_a_record_that_is_sent_is_stored_and_answered_with_its_report(client: FlaskClient, sheet: Sheet) -> None:
    answer = _send(client, sheet())
    assert answer.status_code == 201
    report = answer.get_json()
    assert report["variant"] == "koi-koi"
    assert report["totals"] == [4, -4]
    id = report["record"].removeprefix("sha256:")
    assert answer.headers["Location"] == f"{RECORDS}/{id}"
    canonical = client.get(answer.headers["Location"])
    assert canonical.content_type == "application/json"
    assert hashlib.sha256(canonical.data).hexdigest() == id


def test_the_same_sheet_twice_is_one_record_as_json_or_as_text(client: FlaskClient, store: Store, sheet: Sheet) -> None:
    first = _send(client, sheet())
    text = client.get(first.headers["Location"], query_string={"as": "text"}).data
    again = _send(client, text, "text/plain")
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.headers["Location"] == first.headers["Location"]
    assert again.get_json() == first.get_json()
    assert store.read("SELECT count(*) FROM records") == [(1,)]
    assert store.read("SELECT count(*) FROM players") == [(2,)]


def test_the_bytes_as_sent_are_given_back(client: FlaskClient, sheet: Sheet) -> None:
    raw = json.dumps(json.loads(sheet()), indent=3).encode() + b"\n\n"
    location = _send(client, raw).headers["Location"]
    assert client.get(location, query_string={"as": "sent"}).data == raw
    octets = client.get(location, headers={"Accept": "application/octet-stream"})
    assert (octets.content_type, octets.data) == ("application/octet-stream", raw)
    canonical = client.get(location).data
    assert _send(client, canonical).status_code == 200
    assert client.get(location, query_string={"as": "sent"}).data == raw


def test_the_form_of_a_record_is_negotiated(client: FlaskClient, sheet: Sheet) -> None:
    location = _send(client, sheet()).headers["Location"]
    text = client.get(location, headers={"Accept": "text/plain"})
    assert text.content_type == "text/plain; charset=utf-8"
    assert text.data.startswith(b'[Format "hanafuda-record/1"]')
    assert client.get(location, headers={"Accept": "text/plain"}, query_string={"as": "json"}).get_json()["variant"] == "koi-koi"
    _problem(client.get(location, headers={"Accept": "image/png"}), 406)
    unchanged = client.get(location, headers={"If-None-Match": client.get(location).headers["ETag"]})
    assert (unchanged.status_code, unchanged.data) == (304, b"")
    _problem(client.get(location, headers={"If-Match": '"another"'}), 412)
    prefixed = location.replace(RECORDS + "/", f"{RECORDS}/sha256:")
    assert client.get(prefixed).data == client.get(location).data


def test_a_record_that_cannot_be_read_is_refused_with_all_its_errors(client: FlaskClient, store: Store, sheet: Sheet) -> None:
    broken = json.loads(sheet()) | {"variant": "koikoi", "players": [{"name": ""}, {"nam": "Kimo"}]}
    document = _problem(_send(client, json.dumps(broken).encode()), 422)
    assert {"/variant", "/players/0/name"} <= {fault["pointer"] for fault in document["errors"]}
    assert len(document["errors"]) >= 3
    assert store.read("SELECT count(*) FROM records") == [(0,)]
    text = _problem(_send(client, b'[Format "hanafuda-record/1"]\n[Variant "koi-koi"]\n[Plaier1 "K"]\n', "text/plain"), 422)
    assert any(fault.get("line") == 3 for fault in text["errors"])


def test_an_audit_stores_nothing(client: FlaskClient, store: Store, sheet: Sheet) -> None:
    answer = client.post("/api/v1/audits", data=sheet(), content_type="application/json")
    assert answer.status_code == 200
    assert answer.get_json()["totals"] == [4, -4]
    assert store.read("SELECT count(*) FROM records") == [(0,)]


_PLAYERS = b'"format": "hanafuda-record/1", "variant": "koi-koi", "players": [{"name": "\\ud800"}, {"name": "b"}]'
ODD = [
    b"",
    b"\xff\xfe\x00",
    b'{"format": "hanafuda-record/1"',
    b'{"format": "\\ud800"}',
    b"[" * 5000 + b"]" * 5000,
    b'{"a":' * 5000 + b"1" + b"}" * 5000,
    b'{"format": ' + b"9" * 5000 + b"}",
    b"{" + _PLAYERS + b', "rounds": [{"dealer": 1e400}]}',
    b'{"format": NaN}',
    b'{"a": 1, "a": 2}',
    b'{"format": "hanafuda-record/1", "variant": "sakura", "players": [{"name": "a"}, {"name": "b"}], '
    b'"rounds": [{"dealer": 1, "claims": {"yaku": [null, [null]]}}], "claims": {"totals": [null, null]}}',
    b"null",
    b'"text"',
    b"[]",
    b"\x00" * 100,
    '[Format "hanafuda-record/1"]\n[Variant "\u202e"]\n{'.encode(),
]


@pytest.mark.parametrize("address", ["records", "audits"])
@pytest.mark.parametrize("kind", ["application/json", "text/plain"])
def test_odd_input_is_refused_and_never_an_error_of_ours(client: FlaskClient, store: Store, kind: str, address: str) -> None:
    for raw in ODD:
        assert _problem(client.post(f"/api/v1/{address}", data=raw, content_type=kind), 422)["errors"]
    assert store.read("SELECT count(*) FROM records") == [(0,)]


def test_numbers_past_every_size_are_refused(client: FlaskClient, sheet: Sheet) -> None:
    for number in (10**30, 1 << 63, 10**400):
        record = json.loads(sheet()) | {"claims": {"totals": [number, 0]}}
        assert _send(client, json.dumps(record).encode()).status_code in (201, 422)


def test_other_content_types_are_refused_with_what_is_taken(client: FlaskClient, sheet: Sheet) -> None:
    for kind in ("application/xml", "multipart/form-data", "text/plain; charset=utf-16", ""):
        answer = client.post(RECORDS, data=sheet(), content_type=kind)
        _problem(answer, 415)
        assert answer.headers["Accept-Post"] == "application/json, text/plain"
    packed = client.post(RECORDS, data=sheet(), content_type="application/json", headers={"Content-Encoding": "gzip"})
    _problem(packed, 415)


def test_a_body_that_is_too_large_is_refused(client: FlaskClient, sheet: Sheet) -> None:
    assert "100000 bytes" in _problem(_send(client, sheet(x_more="x" * 100_001)), 413)["detail"]


def test_what_is_not_there_is_told(client: FlaskClient) -> None:
    for path in (f"{RECORDS}/{'0' * 64}", f"{RECORDS}/nonsense", f"{RECORDS}/{'0' * 64}/audit", f"{RECORDS}/{'0' * 64}/replay"):
        _problem(client.get(path), 404)
    for path in ("/api/v1/variants/poker", "/api/v1/nothing", "/nothing"):
        _problem(client.get(path), 404)


def test_a_method_that_there_is_not_comes_with_those_that_there_are(client: FlaskClient) -> None:
    answer = client.delete(RECORDS)
    _problem(answer, 405)
    assert {"GET", "POST"} <= set(answer.headers["Allow"].split(", "))


def test_an_error_of_ours_is_a_problem_document_too(client: FlaskClient, monkeypatch: pytest.MonkeyPatch, sheet: Sheet) -> None:
    from service import desk as module

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(module, "read_record", fail)
    answer = _send(client, sheet())
    assert "secret" not in json.dumps(_problem(answer, 500))
    assert answer.headers["X-Request-Id"]


def test_a_store_that_fails_is_told_by_503(client: FlaskClient, store: Store, sheet: Sheet) -> None:
    assert client.get("/healthz").get_json()["status"] == "ok"
    store.close()
    answer = _send(client, sheet())
    _problem(answer, 503)
    assert answer.headers["Retry-After"]
    failing = client.get("/healthz")
    assert (failing.status_code, failing.get_json()["status"]) == (503, "failing")


def test_a_parameter_that_comes_twice_is_refused(client: FlaskClient) -> None:
    document = _problem(client.get(f"{RECORDS}?verdict=lawful&limit=5&verdict=disputed"), 422)
    assert [fault["pointer"] for fault in document["errors"]] == ["/query/verdict"]
    assert client.get(f"{RECORDS}?verdict=lawful,disputed&limit=5").status_code == 200


def test_the_list_is_filtered_by_each_filter(client: FlaskClient, sheet: Sheet) -> None:
    _send(client, sheet())
    _send(client, sheet(3, -3, players=[{"name": "Kimo"}, {"name": "Nani"}], event={"name": "Hilo Open", "date": "2026-12-01"}))
    _send(client, sheet(5, -4))

    def found(**filters: str) -> list[list[str]]:
        answer = client.get(RECORDS, query_string={"sort": "sent", **filters})
        assert answer.status_code == 200, answer.data
        return [item["players"] for item in answer.get_json()["items"]]

    ours, theirs = ["Leilani", "Kimo"], ["Kimo", "Nani"]
    assert found() == [ours, theirs, ours]
    assert found(player="nani") == [theirs]
    assert found(player="Nan") == []
    assert found(event="hilo open") == [theirs]
    assert found(variant="koi-koi") == [ours, theirs, ours]
    assert found(variant="higobana,sakura") == []
    assert found(verdict="disputed") == [ours]
    assert found(finding="claim-sum") == [ours]
    assert found(**{"from": "2026-12"}) == [theirs]
    assert found(to="2026-11") == [ours, ours]
    assert found(**{"from": "2026-11-24", "to": "2026-11-24"}) == [ours, ours]
    assert found(yaku="kasu") == []
    assert found(sample="true") == []
    assert found(player="Kimo", verdict="disputed", to="2026-11-30") == [ours]
    assert found(opponent="leilani") == [ours, ours]
    assert found(player="Kimo", opponent="nani") == [theirs]
    assert found(player="Kimo", opponent="kimo") == []
    _send(client, sheet(options={"exhausted": "none"}))
    assert found(variant="koi-koi", options="exhausted=none") == [ours]
    assert found(variant="koi-koi", options="exhausted=dealer_one, viewing=one_then_three") == [ours, theirs, ours]


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ({"verdict": "disputd"}, "/query/verdict"),
        ({"finding": "claim-skores"}, "/query/finding"),
        ({"variant": "poker"}, "/query/variant"),
        ({"limit": "0"}, "/query/limit"),
        ({"limit": "many"}, "/query/limit"),
        ({"sort": "beauty"}, "/query/sort"),
        ({"cursor": "nonsense"}, "/query/cursor"),
        ({"cursor": "WyItc2VudCIsIDEsIDFd", "sort": "sent"}, "/query/cursor"),
        ({"cursor": "WyItc2VudCIsIDk5OTk5OTk5OTk5OTk5OTk5OTk5LCAxXQ"}, "/query/cursor"),
        ({"from": "yesterday"}, "/query/from"),
        ({"filters": "all"}, "/query/filters"),
        ({"options": "wild=true"}, "/query/options"),
        ({"options": "weather=fine", "variant": "koi-koi"}, "/query/options"),
    ],
)
def test_a_query_that_cannot_be_answered_names_its_parameter(client: FlaskClient, query: dict[str, str], pointer: str) -> None:
    document = _problem(client.get(RECORDS, query_string=query), 422)
    assert [fault["pointer"] for fault in document["errors"]] == [pointer]


@pytest.mark.parametrize("sort", ["sent", "-sent", "date", "-date", "rounds", "-findings"])
def test_paging_stays_right_while_records_arrive(client: FlaskClient, sheet: Sheet, sort: str) -> None:
    def send(number: int) -> str:
        date = f"2026-{1 + number % 12:02}-01"
        answer = _send(client, sheet(number, -number, event={"name": "x", "date": date} if number % 3 else {"name": "x"}))
        assert answer.status_code == 201
        return str(answer.get_json()["record"])

    before = {send(number) for number in range(1, 12)}
    seen: list[str] = []
    cursor, arriving = "", 100
    while cursor is not None:
        page = client.get(RECORDS, query_string={"sort": sort, "limit": 3, **({"cursor": cursor} if cursor else {})}).get_json()
        seen += [item["id"] for item in page["items"]]
        cursor = page["next"]
        if arriving < 104:
            send(arriving)
            arriving += 1
    assert len(seen) == len(set(seen))
    assert before <= set(seen)


def test_other_options_are_tried_and_refused_with_the_near_miss(client: FlaskClient, sheet: Sheet) -> None:
    location = _send(client, sheet()).headers["Location"]
    variant = client.get("/api/v1/variants/koi-koi").get_json()
    option = next(each for each in variant["options"] if len(each["values"]) > 1)
    other = str(option["values"][1]["value"])
    tried = client.get(f"{location}/audit", query_string={"options": f"{option['id']}={other}"})
    assert tried.status_code == 200
    assert str(tried.get_json()["options"][option["id"]]) == other
    document = _problem(client.get(f"{location}/audit", query_string={"options": "nonsense=1,other=2"}), 422)
    assert len(document["errors"]) == 2


def test_the_games_are_served_as_data(client: FlaskClient) -> None:
    games = client.get("/api/v1/variants").get_json()
    assert [game["id"] for game in games["items"]] == ["bakabana", "hon-bana", "higobana", "sakura", "koi-koi"]
    assert games["next"] is None
    for game in games["items"]:
        assert client.get(f"/api/v1/variants/{game['id']}").get_json()["id"] == game["id"]


def test_the_schema_and_the_openapi_document_are_served(client: FlaskClient) -> None:
    schema = client.get("/api/v1/schema/record.json")
    assert schema.content_type == "application/schema+json"
    assert schema.get_json()["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    document = client.get("/api/v1/openapi.json").get_json()
    assert document["openapi"] == "3.1.0"
    assert {"/api/v1/records", "/api/v1/records/{id}", "/api/v1/audits", "/api/v1/variants"} <= set(document["paths"])
    assert "Record" in document["components"]["schemas"]


def _references(node: object) -> list[str]:
    if isinstance(node, dict):
        own = [node["$ref"]] if isinstance(node.get("$ref"), str) else []
        return own + [ref for value in node.values() for ref in _references(value)]
    return [ref for value in node for ref in _references(value)] if isinstance(node, list) else []


def test_every_reference_of_the_openapi_document_leads_somewhere(client: FlaskClient) -> None:
    document = client.get("/api/v1/openapi.json").get_json()
    references = _references(document)
    assert references
    for reference in references:
        node: Any = document
        assert reference.startswith("#/")
        for part in reference[2:].split("/"):
            node = node[part]


def test_the_documentation_needs_nothing_from_outside(client: FlaskClient) -> None:
    page = client.get("/api/v1/docs")
    assert page.status_code == 200
    text = page.get_data(as_text=True)
    assert "http://" not in text and "https://" not in text
    policy = page.headers["Content-Security-Policy"]
    nonce = policy.split("'nonce-")[1].split("'")[0]
    assert f'<script nonce="{nonce}">' in text
    assert client.get("/api/v1/docs").headers["Content-Security-Policy"] != policy
    for address in ("swagger-ui.css", "swagger-ui-bundle.js"):
        link = next(part for part in text.split('"') if part.endswith(address))
        with client.get(link) as file:
            assert file.status_code == 200


def test_every_answer_carries_the_headers_that_guard_it(client: FlaskClient) -> None:
    for path in ("/healthz", RECORDS, "/api/v1/nothing"):
        headers = client.get(path, headers={"X-Request-Id": "trace-1"}).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "default-src 'self'" in headers["Content-Security-Policy"]
        assert headers["X-Request-Id"] == "trace-1"
    forged = client.get("/healthz", headers={"X-Request-Id": "a b<script>"})
    assert forged.headers["X-Request-Id"] != "a b<script>"


def test_samples_are_marked_and_removed_together(client: FlaskClient, store: Store, sheet: Sheet) -> None:
    from service.desk import Desk

    desk: Desk = client.application.extensions["hanafu"]
    desk.add(sheet(7, -7), sample=True)
    _send(client, sheet())
    assert [item["sample"] for item in client.get(RECORDS).get_json()["items"]] == [False, True]
    assert desk.remove_samples() == 1
    assert [item["sample"] for item in client.get(RECORDS).get_json()["items"]] == [False]
    assert store.read("SELECT count(*) FROM players") == [(2,)]
    assert _send(client, sheet(7, -7)).status_code == 201
