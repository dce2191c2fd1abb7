"""Disputes, answers and rulings over the API: what may be done and by whom, versions, previews, standings, the log, samples.

`sheet` has two rounds, the worked examples of bakabana (BK-14, BK-15): scores 11 −10 −7 6 for seats 1 to 4, then, dealt by seat 2, whose
Kan is seat 1, −1 −8 −11 20; totals 10 −18 −18 26.
"""

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.desk import Desk
from service.samples.disputes import load_disputes
from service.store import Store

Json = dict[str, Any]
Opened = Callable[..., str]

PLAYER = {"name": "Leilani", "role": "player"}
ARBITER = {"name": "Ema", "role": "arbiter"}
REPLAYED = {**ARBITER, "outcome": "replayed", "reasons": "The deck was short of a card."}


def sheet(**changes: Any) -> Json:
    """Two rounds of bakabana as a score sheet, right in every number."""
    return {
        "format": "hanafuda-record/1",
        "variant": "bakabana",
        "event": {"name": "Autumn"},
        "players": [{"name": name} for name in ("Aiko", "Botan", "Chika", "Daigo")],
        "rounds": [
            {"dealer": 1, "claims": {"points": [13, 6, 7, 2], "yaku": [[], [], [], []], "scores": [11, -10, -7, 6]}},
            {"dealer": 2, "claims": {"points": [3, 10, 9, 6], "yaku": [[], [], [], ["aotan"]], "scores": [-1, -8, -11, 20]}},
        ],
        "claims": {"totals": [10, -18, -18, 26]},
    } | changes


@pytest.fixture
def record(client: FlaskClient) -> str:
    """The address of a kept record."""
    return str(client.post("/api/v1/records", json=sheet()).headers["Location"])


@pytest.fixture
def dispute(client: FlaskClient, record: str) -> str:
    """The address of a dispute over the scores of its first round."""
    sent = {**PLAYER, "round": 1, "claim": "scores", "statement": "Kan got seven from us."}
    answer = client.post(f"{record}/disputes", json=sent)
    assert answer.status_code == 201
    return str(answer.headers["Location"])


def pointers(answer: Any) -> set[str]:
    assert answer.content_type == "application/problem+json"
    return {fault["pointer"] for fault in answer.get_json()["errors"]}


def test_a_player_opens_others_answer_and_all_is_read_back(client: FlaskClient, record: str, dispute: str) -> None:
    assert client.post(f"{dispute}/answers", json={"name": "Kimo", "role": "director", "statement": " Six. "}).status_code == 201
    found = client.get(dispute).get_json()
    assert found == client.get(f"{record}/disputes").get_json()["items"][0]
    assert (found["number"], found["round"], found["claim"], found["rulings"]) == (1, 1, "scores", [])
    assert found["opened"]["by"] == {"name": "Leilani", "role": "player", "verified": False}
    assert [each["text"] for each in (found["opened"], *found["answers"])] == ["Kan got seven from us.", "Six."]


def test_the_report_stays_whatever_is_ruled(client: FlaskClient, record: str, dispute: str) -> None:
    before = client.get(f"{record}/audit").data
    assert client.patch(dispute, json=REPLAYED).status_code == 200
    assert client.get(f"{record}/audit").data == before


def test_rulings_are_versions_and_none_is_overwritten(client: FlaskClient, dispute: str) -> None:
    adjusted = {**ARBITER, "outcome": "adjusted", "reasons": "One was miscounted.", "scores": [10, -10, -7, 7], "rules": ["BK-16"]}
    client.patch(dispute, json=adjusted)
    rulings = client.patch(dispute, json=REPLAYED).get_json()["rulings"]
    assert [(each["version"], each["outcome"]) for each in rulings] == [(1, "adjusted"), (2, "replayed")]
    assert rulings[0]["scores"] == [10, -10, -7, 7] and rulings[0]["rules"] == ["BK-16"]
    assert rulings[1]["scores"] is None


def test_only_an_arbiter_rules_and_an_arbiter_opens_nothing(client: FlaskClient, record: str, dispute: str) -> None:
    assert pointers(client.patch(dispute, json=REPLAYED | {"role": "player"})) == {"/role"}
    assert pointers(client.post(f"{record}/disputes", json={**ARBITER, "round": 1, "claim": "yaku", "statement": "?"})) == {"/role"}
    assert client.get(dispute).get_json()["rulings"] == []


def test_every_fault_of_what_is_sent_is_told_at_once_and_nothing_stored(client: FlaskClient, record: str, dispute: str) -> None:
    assert pointers(client.post(f"{record}/disputes", json={})) == {"/name", "/role", "/claim", "/statement"}
    wrong = {**ARBITER, "outcome": "upheld", "reasons": "r", "rules": ["HG-1"], "options": {"drinks": "stacked"}, "scores": [1]}
    assert pointers(client.patch(dispute, json=wrong)) == {"/rules", "/options", "/scores"}
    thirds = {**ARBITER, "outcome": "adjusted", "reasons": "r", "scores": [0.3, 0, 0, 0]}
    assert pointers(client.patch(dispute, json=thirds)) == {"/scores/0"}
    assert pointers(client.post(f"{record}/disputes", json={**PLAYER, "round": 3, "claim": "scores", "statement": "x"})) == {"/round"}
    assert pointers(client.post(f"{record}/disputes", json={**PLAYER, "round": 1, "claim": "totals", "statement": "x"})) == {"/round"}
    assert pointers(client.post(f"{record}/disputes", json={**PLAYER, "round": 1, "claim": "scores", "statement": " \n"})) == {"/statement"}
    assert len(client.get(f"{record}/disputes").get_json()["items"]) == 1
    assert client.get(dispute).get_json()["rulings"] == []


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"x"', b"[" * 100_000, b'{"name": "\\ud800"}', b'{"round": NaN}'])
def test_what_is_no_json_object_is_refused(client: FlaskClient, record: str, body: bytes) -> None:
    answer = client.post(f"{record}/disputes", data=body, content_type="application/json")
    assert answer.status_code == 422
    assert client.post(f"{record}/disputes", data=b"{}", content_type="text/plain").status_code == 415


def test_what_is_not_there_is_not_found(client: FlaskClient, record: str) -> None:
    nobody = "/api/v1/records/" + "0" * 64
    for address in (f"{nobody}/disputes", f"{nobody}/standings", f"{nobody}/case.zip", f"{record}/disputes/1"):
        assert client.get(address).status_code == 404
    assert client.patch(f"{record}/disputes/1", json=REPLAYED).status_code == 404
    assert client.post(f"{record}/disputes/1/answers", json={**PLAYER, "statement": "x"}).status_code == 404


def test_bk_17_a_preview_shows_later_dealer_and_totals_and_stores_nothing(client: FlaskClient, dispute: str) -> None:
    shown = client.patch(f"{dispute}?preview=1", json=REPLAYED).get_json()
    assert shown["changes"] is True
    assert shown["totals"] == {"before": [10, -18, -18, 26], "after": [-1, -8, -11, 20]}
    # Replayed, the same dealer deals again (CP-10): seat 1 was to deal the second round, which seat 2 dealt.
    assert shown["dealers"] == [{"round": 2, "dealer": 2, "before": 2, "after": 1}]
    assert shown["winner"] == {"before": 4, "after": 4}
    assert client.get(dispute).get_json()["rulings"] == []


def test_standings_show_both(client: FlaskClient, record: str, dispute: str) -> None:
    void = {**ARBITER, "outcome": "void", "reasons": "A card was shown."}
    client.patch(dispute, json=void)
    both = client.get(f"{record}/standings").get_json()
    assert both["differ"] is True
    assert both["report"]["totals"] == [10, -18, -18, 26]
    assert both["rulings"]["totals"] == [-1, -8, -11, 20]
    assert [each["due"] for each in both["rulings"]["rounds"]] == [None, 2]
    assert [each["counts"] for each in both["rulings"]["rounds"]] == [True, True]
    event = client.get("/api/v1/standings?event=autumn").get_json()["items"]
    assert event[0] == {"player": "Daigo", "records": 1, "report": 26, "rulings": 20}


def test_a_note_changes_nothing_and_the_last_ruling_on_a_round_holds(client: FlaskClient, record: str, dispute: str) -> None:
    second = client.post(f"{record}/disputes", json={**PLAYER, "round": 1, "claim": "points", "statement": "Thirteen?"}).headers["Location"]
    client.patch(second, json={**ARBITER, "outcome": "adjusted", "reasons": "r", "scores": [0, 0, 0, 0]})
    client.patch(dispute, json={**ARBITER, "outcome": "adjusted", "reasons": "r", "scores": [1, 0, 0, -1]})
    client.patch(second, json={**ARBITER, "outcome": "note", "reasons": "It is the other one that counts."})
    assert client.get(f"{record}/standings").get_json()["rulings"]["rounds"][0]["scores"] == [1, 0, 0, -1]


def test_a_ruling_under_options_is_worked_out_by_the_engine(client: FlaskClient) -> None:
    """Hon-bana with 9A and two bright cards: Two Drinks alone, 2 from each (HN-9); stacked One Drink besides, 1 more from each."""
    from service.samples.disputes import samples

    drinks = next(each for each in samples() if each.name == "05-one-drink-or-two")
    record = client.post("/api/v1/records", json=drinks.record).headers["Location"]
    dispute = client.post(f"{record}/disputes", json={**PLAYER, "round": 1, "claim": "yaku", "statement": "Both."}).headers["Location"]
    ruling = {**ARBITER, "outcome": "upheld", "reasons": "The table agreed.", "rules": ["HN-9"], "options": {"drinks": "stacked"}}
    shown = client.patch(f"{dispute}?preview=true", json=ruling).get_json()
    assert shown["rounds"][0]["before"]["scores"] == [2, 2, -4]
    assert shown["rounds"][0]["after"]["scores"] == [4, 1, -5]
    assert shown["claims_right"] is True
    without = client.patch(f"{dispute}?preview=true", json={**ruling, "options": {}}).get_json()
    assert (without["changes"], without["claims_right"]) == (False, False)


def test_a_corrected_record_takes_the_place_and_the_first_one_stays(client: FlaskClient, record: str, dispute: str) -> None:
    id = client.get(f"{record}/audit").get_json()["record"]
    rounds = sheet()["rounds"]
    rounds[1] = {**rounds[1], "claims": {**rounds[1]["claims"], "points": [3, 9, 10, 6], "scores": [-1, -11, -8, 20]}}
    other = client.post("/api/v1/records", json=sheet(rounds=rounds, claims={}, x_replaces=id)).get_json()["record"]
    ruling = {**ARBITER, "outcome": "corrected", "reasons": "Two lines were swapped.", "record": other}
    assert client.patch(f"{dispute}?preview=1", json=ruling).get_json()["totals"]["after"] == [10, -21, -15, 26]
    assert client.patch(dispute, json=ruling).get_json()["rulings"][0]["record"] == other
    both = client.get(f"{record}/standings").get_json()
    assert (both["replaced_by"], both["rulings"]["totals"]) == (other, [10, -21, -15, 26])
    assert client.get(f"/api/v1/records/{other}/standings").get_json()["replaces"] == [id]
    # It counts once in the event: the report's totals are the first record's, the rulings' those of the corrected one.
    assert {
        line["player"]: (line["records"], line["report"], line["rulings"]) for line in client.get("/api/v1/standings").get_json()["items"]
    } == {
        "Aiko": (1, 10, 10),
        "Botan": (1, -18, -21),
        "Chika": (1, -18, -15),
        "Daigo": (1, 26, 26),
    }
    assert client.get(record).status_code == 200


def test_a_correction_that_fits_not_is_refused(client: FlaskClient, record: str, dispute: str) -> None:
    id = client.get(f"{record}/audit").get_json()["record"]
    ruling = {**ARBITER, "outcome": "corrected", "reasons": "r"}
    assert pointers(client.patch(dispute, json=ruling)) == {"/record"}
    assert pointers(client.patch(dispute, json=ruling | {"record": id})) == {"/record"}
    assert pointers(client.patch(dispute, json=ruling | {"record": "0" * 64})) == {"/record"}
    named = client.post("/api/v1/records", json=sheet(event={"name": "Other"}, x_replaces="sha256:" + "1" * 64)).get_json()["record"]
    assert pointers(client.patch(dispute, json=ruling | {"record": named})) == {"/record"}
    elsewhere = {"variant": "hon-bana", "players": sheet()["players"][:3], "rounds": [{"dealer": 1}], "claims": {}}
    hon_bana = client.post("/api/v1/records", json=sheet(**elsewhere)).get_json()["record"]
    assert pointers(client.patch(dispute, json=ruling | {"record": hon_bana})) == {"/record"}


def test_two_records_cannot_take_the_place_of_each_other(client: FlaskClient, record: str, dispute: str) -> None:
    id = client.get(f"{record}/audit").get_json()["record"]
    other = client.post("/api/v1/records", json=sheet(event={"name": "Again"})).get_json()["record"]
    assert client.patch(dispute, json={**ARBITER, "outcome": "corrected", "reasons": "r", "record": other}).status_code == 200
    back = f"/api/v1/records/{other}/disputes"
    client.post(back, json={**PLAYER, "round": 1, "claim": "play", "statement": "No."})
    refused = client.patch(f"{back}/1", json={**ARBITER, "outcome": "corrected", "reasons": "r", "record": id})
    assert pointers(refused) == {"/record"}


def test_the_log_is_chained_and_holds_no_name(client: FlaskClient, store: Store, dispute: str) -> None:
    client.patch(dispute, json=REPLAYED)
    rows = store.read("SELECT record, previous, hash, content FROM log ORDER BY entry")
    previous = rows[0][0]
    for _, before, own, content in rows:
        assert before == previous
        # RFC 8785 of [previous, content], written out by hand: content is canonical already.
        assert hashlib.sha256(f'["{before.hex()}",{content}]'.encode()).digest() == own
        previous = own
    assert [json.loads(content)["kind"] for *_, content in rows] == ["opened", "ruled"]
    whole = " ".join(content for *_, content in rows)
    for word in ("Leilani", "Ema", "Kan got seven", "short of a card"):
        assert word not in whole


def test_the_same_words_twice_have_different_hashes_in_the_log(client: FlaskClient, store: Store, record: str) -> None:
    for _ in range(2):
        client.post(f"{record}/disputes", json={**PLAYER, "round": 1, "claim": "scores", "statement": "The same."})
    first, second = (json.loads(content)["act"] for (content,) in store.read("SELECT content FROM log ORDER BY entry"))
    assert first != second


def test_samples_come_with_their_disputes_and_go_with_them(desk: Desk, client: FlaskClient, store: Store) -> None:
    assert load_disputes(desk) == 14
    assert load_disputes(desk) == 0
    rows = desk.records({"event": "Ten disputes"}, "sent", None, 20).items
    assert len(rows) == 10
    assert all(len(client.get(f"/api/v1/records/{row.id}/disputes").get_json()["items"]) == 1 for row in rows)
    assert desk.remove_samples() == 14
    for table in ("acts", "log", "records"):
        assert store.read(f"SELECT count(*) FROM {table}") == [(0,)]


def test_disputes_are_counted_by_what_they_are_about_and_lead_to_their_records(client: FlaskClient, record: str, dispute: str) -> None:
    numbers = client.get("/api/v1/stats/disputes").json
    assert numbers is not None
    assert numbers["rows"] == [["scores", 1, 0, None]] and numbers["n"] == 1
    for claim, expected in (("scores", 1), ("yaku", 0)):
        found = client.get("/api/v1/records", query_string={"dispute": claim}).json
        assert found is not None and len(found["items"]) == expected
    assert client.get("/api/v1/records", query_string={"dispute": "weather"}).status_code == 422
