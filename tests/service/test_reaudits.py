"""When the engine changes: reports derived anew, old ones kept, and a list of what changed.

An older engine is played by giving its report when the record is stored: one that took a wrong score for right.
"""

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from analysis.audit import ENGINE, Assessed, assess, audit
from records.record import Record
from service import casefile, checking, reaudits, rows
from service.cli import main
from service.desk import Desk
from service.store import Store
from tests.service.conftest import Sheet
from tests.service.test_disputes import PLAYER

Json = dict[str, Any]
OLD = "0.0.9"

WRONG = {"dealer": 1, "claims": {"yaku": [["tane"], []], "scores": [5, -5]}}
"""Five animals are worth 1 (KK-4): 1 and −1; the older engine took the claimed 5 for right."""


def believing(record: Record) -> Json:
    """The report of an engine that believes every claimed score."""
    report = copy.deepcopy(audit(record))
    for round_, told in zip(record.rounds, report["rounds"], strict=True):
        assert round_.claims is not None and round_.claims.scores is not None
        told |= {"scores": list(round_.claims.scores), "findings": [], "verdict": "confirmed", "possible": []}
    totals = [sum(scores) for scores in zip(*(told["scores"] for told in report["rounds"]), strict=True)]
    return report | {"engine": OLD, "verdict": "confirmed", "totals": totals, "findings": []}


def judged(record: Record, believes: bool) -> Assessed:
    """A record as the older engine assesses it."""
    return replace(assess(record), report=believing(record) if believes else audit(record) | {"engine": OLD})


Older = Callable[..., str]


@pytest.fixture
def older(desk: Desk, sheet: Sheet, monkeypatch: pytest.MonkeyPatch) -> Older:
    """Stores a sheet as an older engine judged it: one that believes it, or one that says what this one says; gives its id."""

    def store(believes: bool = True, **changes: Any) -> str:
        with monkeypatch.context() as patch:
            patch.setattr(rows, "assess", lambda record: judged(record, believes))
            return desk.add(sheet(**changes)).id

    return store


def wrong(**changes: Any) -> Json:
    return {"rounds": [WRONG | {"claims": {"scores": [5, -4], **changes}}], "claims": {}}


def test_a_changed_verdict_is_stored_listed_and_the_old_report_stays(desk: Desk, client: FlaskClient, store: Store, older: Older) -> None:
    id = older(**wrong())
    assert client.get("/api/v1/records?verdict=confirmed").get_json()["items"][0]["id"] == f"sha256:{id}"
    assert reaudits.reaudit(store) == reaudits.Reaudited(1, 1, None)
    kept = desk.record(id)
    assert kept is not None
    assert (kept.report["verdict"], kept.report["engine"]) == ("disputed", ENGINE)
    assert [row["id"] for row in client.get("/api/v1/records?verdict=disputed").get_json()["items"]] == [f"sha256:{id}"]
    assert client.get("/api/v1/records?verdict=confirmed").get_json()["items"] == []
    assert client.get("/api/v1/records?finding=claim-sum").get_json()["items"][0]["findings"] == 1
    reports = store.read("SELECT engine, report FROM reports ORDER BY revision")
    assert [engine for engine, _ in reports[:2]] == [OLD, ENGINE]
    assert json.loads(reports[0][1])["verdict"] == "confirmed"
    (change,) = client.get("/api/v1/changed").get_json()["items"]
    assert (change["id"], change["engine_before"], change["engine"]) == (f"sha256:{id}", OLD, ENGINE)
    assert (change["verdict_before"], change["verdict"]) == ("confirmed", "disputed")
    found = {(each["round"], each["what"]): (each["before"], each["after"]) for each in change["differences"]}
    assert found == {
        (None, "verdict"): ("confirmed", "disputed"),
        (1, "verdict"): ("confirmed", "disputed"),
        (1, "findings"): ([], ["claim-sum"]),
    }


def test_the_store_is_whole_after_it(store: Store, older: Older) -> None:
    older(**wrong())
    older(believes=False)
    reaudits.reaudit(store)
    assert [(each.fault, each.other_engine) for each in checking.check(store)] == [(None, False)] * 2
    assert checking.strays(store) == []


def test_the_page_says_so_and_shows_the_difference(client: FlaskClient, store: Store, older: Older) -> None:
    id = older(**wrong())
    assert "Another engine judges otherwise" not in client.get(f"/records/{id}").text
    reaudits.reaudit(store)
    page = client.get(f"/records/{id}").text
    assert "Another engine judges otherwise" in page and OLD in page and "claim-sum" in page
    assert f'href="/records/{id}#change"' in client.get("/changed").text


def test_what_comes_out_the_same_changes_nothing_but_its_engine(client: FlaskClient, store: Store, older: Older) -> None:
    older(believes=False)
    older(believes=False, rounds=[{"dealer": 1, "actions": ["abandoned"]}], claims={})
    older(believes=False, rounds=[{"dealer": 1, "actions": ["misdeal"]}], claims={})
    older(believes=False, rounds=[{"dealer": 1, "claims": {"yaku": [["sanko"], []], "scores": [5, -5]}}], claims={})
    assert reaudits.reaudit(store) == reaudits.Reaudited(4, 0, None)
    assert client.get("/api/v1/changed").get_json()["items"] == []
    assert store.read("SELECT DISTINCT engine FROM records") == [(ENGINE,)]


def test_it_goes_on_where_it_stopped_and_does_nothing_twice(store: Store, older: Older) -> None:
    for place in range(5):
        older(event={"name": f"Table {place}"}, **wrong())
    first = reaudits.reaudit(store, limit=3)
    assert (first.audited, first.changed) == (3, 3) and first.next is not None
    assert reaudits.reaudit(store, first.next, limit=3) == reaudits.Reaudited(2, 2, None)
    assert reaudits.reaudit(store) == reaudits.Reaudited(0, 0, None)
    assert store.read("SELECT count(*) FROM changes") == [(5,)]


def test_it_survives_a_cut_off_store(tmp_path: Path, desk: Desk, store: Store, older: Older) -> None:
    """What was written lies in the log of the database only; it is there when the file is opened again."""
    id = older(**wrong())
    reaudits.reaudit(store)
    copy = tmp_path / "copy.duckdb"
    copy.write_bytes(store.path.read_bytes())
    Path(f"{copy}.wal").write_bytes(Path(f"{store.path}.wal").read_bytes())
    with Store(copy) as opened:
        kept = Desk(opened).record(id)
        assert kept is not None and kept.report["verdict"] == "disputed"
        assert [each.fault for each in checking.check(opened)] == [None]


def test_a_case_knows_of_it_and_stays_whole(client: FlaskClient, store: Store, older: Older) -> None:
    id = older(**wrong())
    sent = {**PLAYER, "round": 1, "claim": "scores", "statement": "Five?"}
    client.post(f"/api/v1/records/{id}/disputes", json=sent)
    reaudits.reaudit(store)
    data = client.get(f"/api/v1/records/{id}/case.zip").data
    assert {answer.state for answer in casefile.check(data)} == {casefile.OK}
    kinds = [json.loads(content)["kind"] for (content,) in store.read("SELECT content FROM log ORDER BY entry")]
    assert kinds[0] == "opened"


def test_the_command_audits_anew_and_says_how_many(tmp_path: Path, sheet: Sheet, monkeypatch: pytest.MonkeyPatch) -> None:
    db = tmp_path / "store.duckdb"
    with monkeypatch.context() as patch:
        patch.setattr(rows, "assess", lambda record: judged(record, True))
        with Store(db) as store:
            Desk(store).add(sheet(**wrong()))
    run = CliRunner(env={"HOME": str(tmp_path)}).invoke(main, ["reaudit", "--db", str(db)])
    assert (run.exit_code, run.output) == (0, "1 audited anew, 1 judged otherwise\n")
    run = CliRunner(env={"HOME": str(tmp_path)}).invoke(main, ["reaudit", "--db", str(db)])
    assert run.output == "0 audited anew, 0 judged otherwise\n"
    with Store(db) as store:
        (row,) = Desk(store).records({}, "sent", None, 2).items
    assert row.verdict == "disputed"


def test_only_the_owner_may_ask_a_server_for_it(client: FlaskClient) -> None:
    assert client.post("/api/v1/reaudits").status_code == 401
    client.application.extensions["hanafu-owner"] = "key"
    answer = client.post("/api/v1/reaudits", headers={"Authorization": "Bearer key"})
    assert answer.get_json() == {"audited": 0, "changed": 0, "next": None}


def test_a_page_that_was_looked_at_before_hides_no_change(client: FlaskClient, store: Store, older: Older) -> None:
    """A clean record's report is not kept but derived when asked for; what the older engine said is known from the tables all the same."""
    id = older(**wrong())
    assert client.get(f"/api/v1/records/{id}/audit").get_json()["verdict"] == "disputed"
    assert reaudits.reaudit(store) == reaudits.Reaudited(1, 1, None)
    assert client.get("/api/v1/changed").get_json()["items"][0]["verdict_before"] == "confirmed"


def test_a_kept_report_of_an_older_engine_is_named_on_the_page(client: FlaskClient, store: Store, older: Older) -> None:
    id = older(believes=False, rounds=[{"dealer": 1, "claims": {"scores": [5, -4]}}], claims={})
    store.write(lambda connection, items: [connection.execute("UPDATE reports SET explained = true")], None).result()
    assert 'id="older-engine"' in client.get(f"/records/{id}").text
    reaudits.reaudit(store)
    assert 'id="older-engine"' not in client.get(f"/records/{id}").text
