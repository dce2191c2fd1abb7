"""Records that are sent one by one: durable at once, in their places before anybody looks."""

import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from records.formats import read_record
from service import arrivals
from service.accounts import custody
from service.arrivals import Arrival, Arrivals
from service.checking import check, strays
from service.courtesy import Courtesy
from service.desk import Desk, now
from service.rows import prepare_read
from service.store import Store
from tests.service.conftest import Sheet

API = "/api/v1/records"


def _waiting(store: Store) -> int:
    return int(store.read("SELECT count(*) FROM arrivals")[0][0])


def _send(client: FlaskClient, sheet: bytes) -> int:
    return client.post(API, data=sheet, content_type="application/json").status_code


def _arrival(raw: bytes, account: str | None = None) -> Arrival:
    (prepared,) = prepare_read([(read_record(raw), raw)])
    return Arrival(prepared, account, now())


def test_whoever_looks_finds_what_was_acknowledged_in_the_order_of_arrival(client: FlaskClient, store: Store, sheet: Sheet) -> None:
    assert [_send(client, sheet(score, -score)) for score in (1, 2, 3)] == [201, 201, 201]
    assert _waiting(store) == 3
    assert store.read("SELECT count(*) FROM records") == [(0,)]
    items = client.get(API).get_json()["items"]
    assert _waiting(store) == 0
    found = store.read("SELECT r.id, p.total FROM records r JOIN players p ON p.record = r.number WHERE p.seat = 1 ORDER BY r.number")
    assert [total for _, total in found] == [1, 2, 3]
    assert [item["id"] for item in items] == [f"sha256:{id.hex()}" for id, _ in reversed(found)]
    assert strays(store) == []
    assert [checked.fault for checked in check(store)] == [None] * 3


def test_what_waits_is_known_and_so_is_what_was_placed(client: FlaskClient, store: Store, sheet: Sheet) -> None:
    assert [_send(client, sheet()), _send(client, sheet())] == [201, 200]
    assert _waiting(store) == 1
    client.get(API)
    assert _send(client, sheet()) == 200
    assert _waiting(store) == 0
    assert store.read("SELECT count(*) FROM records") == [(1,)]


def test_the_same_record_of_many_at_a_time_is_new_once(desk: Desk, store: Store, sheet: Sheet) -> None:
    with ThreadPoolExecutor(8) as threads:
        added = list(threads.map(desk.receive, [sheet(score, -score) for score in (1, 2, 3)] * 8))
    assert sum(each.new for each in added) == 3
    desk.catch_up()
    assert store.read("SELECT count(*), count(DISTINCT id) FROM records") == [(3, 3)]


def test_what_is_stored_by_other_ways_finds_what_waits(desk: Desk, store: Store, sheet: Sheet) -> None:
    assert desk.receive(sheet()).new
    assert not desk.add(sheet()).new
    assert store.read("SELECT count(*) FROM records") == [(1,)]


def test_records_that_have_become_many_take_their_places_though_nobody_looks(
    desk: Desk, store: Store, sheet: Sheet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrivals, "MANY", 2 * len(sheet()))
    for score in (1, 2, 3):
        desk.receive(sheet(score, -score))
    assert store.read("SELECT count(*) FROM records") == [(2,)]
    assert _waiting(store) == 1


def test_what_a_killed_server_left_takes_its_places_as_the_store_is_opened(tmp_path: Path, sheet: Sheet) -> None:
    with Store(tmp_path / "store.duckdb") as store:
        arrival = _arrival(sheet(), "aya")
        Arrivals(store).keep(arrival)
    with Store(tmp_path / "store.duckdb") as store:
        assert _waiting(store) == 0
        assert store.read("SELECT id, sent_at FROM records") == [(arrival.prepared.id, arrival.at)]
        assert custody.held(store, arrival.prepared.id).account == "aya"
        assert Desk(store).add(sheet()).new is False


def test_a_record_that_cannot_take_its_place_keeps_no_other_from_it(tmp_path: Path, sheet: Sheet, caplog: pytest.LogCaptureFixture) -> None:
    """By a fault of ours, for what was acknowledged can be read: here by bytes that are no record."""
    with Store(tmp_path / "store.duckdb") as store:
        Arrivals(store).keep(_arrival(sheet()))
        row = (b"x" * 32, now(), b"nonsense")
        store.write(lambda c, rows: [c.execute("INSERT INTO arrivals (id, sent_at, raw) VALUES (?, ?, ?)", rows[0])], row).result()
    with caplog.at_level(logging.ERROR), Store(tmp_path / "store.duckdb") as store:
        assert store.read("SELECT count(*) FROM records") == [(1,)]
        assert strays(store) == ["arrivals: 1 records that could not take their places"]
    assert [record.getMessage() for record in caplog.records] == [f"record {(b'x' * 32).hex()} is kept, but cannot take its place"]


def test_who_sent_a_record_first_decides_though_it_waits(store: Store, sheet: Sheet) -> None:
    here = Arrivals(store)
    assert [here.keep(_arrival(sheet(), account)) for account in ("aya", "ben", "aya")] == [True, False, False]
    id = _arrival(sheet()).prepared.id
    assert store.read("SELECT account FROM holders WHERE record = ? ORDER BY place", (id,)) == [("aya",), ("ben",)]


def test_a_record_from_before_there_were_accounts_stays_nobodys_though_it_waits(store: Store, sheet: Sheet) -> None:
    here = Arrivals(store)
    assert [here.keep(_arrival(sheet(), account)) for account in (None, "ben")] == [True, False]
    assert store.read("SELECT place, account FROM holders") == [(2, "ben")]


def test_a_record_that_was_withdrawn_is_not_taken_again(desk: Desk, store: Store, sheet: Sheet) -> None:
    added = desk.receive(sheet())
    desk.catch_up()
    custody.withdraw(store, bytes.fromhex(added.id), now())
    assert not desk.receive(sheet()).new
    assert _waiting(store) == 0


def test_a_record_that_has_its_places_is_shown_without_those_that_wait(client: FlaskClient, store: Store, sheet: Sheet) -> None:
    sent = [client.post(API, data=sheet(score, -score), content_type="application/json") for score in (1, 2)]
    first, second = (answer.headers["Location"].rsplit("/", 1)[1] for answer in sent)
    assert client.get(f"{API}/{first}").status_code == 200
    assert _waiting(store) == 0
    client.post(API, data=sheet(3, -3), content_type="application/json")
    assert client.get(f"{API}/sha256:{second.upper()}").status_code == 200
    assert _waiting(store) == 1


def test_who_sends_waits_for_who_looks_but_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([10.0, 10.01, 10.03, 10.04, 10.1])
    monkeypatch.setattr("service.courtesy.time.monotonic", lambda: next(clock))
    courtesy = Courtesy()
    assert courtesy.patience() == 0
    courtesy.enter()
    assert courtesy.patience() == pytest.approx(0.02)
    assert courtesy.patience() == pytest.approx(0.01)
    assert courtesy.patience() == 0  # a batch goes on its way
    assert courtesy.patience() == pytest.approx(0.02)
    courtesy.leave()
    assert courtesy.patience() == 0
    courtesy.enter()
    assert courtesy.patience() == pytest.approx(0.02)


def test_whoever_has_looked_is_waited_for_no_longer_whatever_came_of_it(
    client: FlaskClient, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    left: list[None] = []
    entered: list[None] = []
    monkeypatch.setattr(desk.courtesy, "enter", lambda: entered.append(None))
    monkeypatch.setattr(desk.courtesy, "leave", lambda: left.append(None))
    assert client.get(API).status_code == 200
    assert client.get(f"{API}/nothing").status_code == 404
    monkeypatch.setattr(desk, "records", fail)
    assert client.get(API).status_code == 500
    assert len(entered) == len(left) == 3
