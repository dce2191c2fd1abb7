"""Servers of one lake at work at the same time, and what becomes of their records when one is killed."""

import io
import json
import signal
import threading
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import pytest

from analysis.statistics import CHARTS
from records.formats import read_record, to_json
from service.casefile import OK, check
from service.client import Client, Unreachable
from service.desk import Desk
from service.holder import holder_of
from service.jsons import dumps
from service.samples.season import season
from service.store import Store
from tests.lake.conftest import Lake, Serve, Sheet

OWN = 8
"""Records that one server alone is sent."""


def test_servers_write_at_once_and_one_is_killed(lake: Lake, serve: Serve, sheet: Sheet) -> None:
    games = [dumps(to_json(record)) for record in islice(season(), 10)]
    servers = [serve(), serve(), serve()]
    lines = [sheet(1000 + points, -1000 - points) for points in range(300)]
    fate = threading.Barrier(2)
    acknowledged: list[str] = []
    new: list[str] = []

    def send(place: int) -> None:
        own = [sheet(100 * place + points, -100 * place - points) for points in range(1, OWN + 1)]
        mixed = [raw for pair in zip(games, own, strict=False) for raw in pair]
        if place == 2:
            mixed.reverse()
        with Client(servers[place][1]) as client:
            for number, raw in enumerate(mixed):
                if place == 2 and number == 6:
                    fate.wait()  # it is killed while this one is on its way
                try:
                    report = client.send(raw)
                except Unreachable:
                    assert place == 2
                    return
                acknowledged.append(report["record"].removeprefix("sha256:"))
                if report["new"]:
                    new.append(acknowledged[-1])

    def kill() -> None:
        fate.wait()
        servers[2][0].send_signal(signal.SIGKILL)

    with Client(servers[2][1]) as client:
        job = client.start_import(iter([b"\n".join(lines)]), "club.jsonl")["id"]
    with ThreadPoolExecutor() as pool:
        for done in [pool.submit(send, place) for place in range(3)] + [pool.submit(kill)]:
            done.result()
    assert len(new) == len(set(new))

    _, address = serve()  # in the place of the one that was killed, whose import goes on
    with Client(address) as client:
        while (found := client.job(job))["state"] in ("queued", "running"):
            time.sleep(0.3)
        assert (found["state"], found["stored"], found["known"], found["rejected"]) == ("done", len(lines), 0, 0)
    with Client(servers[0][1]) as client:
        stored = [record["id"].removeprefix("sha256:") for record in client.records(sort="sent")]
        assert len(stored) == len(set(stored))
        assert set(acknowledged) <= set(stored)
    copy = lake.folder / "copy.duckdb"
    lake.hanafu("backup", str(copy))
    assert lake.hanafu("check") == f"{len(stored):,} records, 0 faults\n"
    assert lake.hanafu("check", "--lake", "", "--db", str(copy)) == f"{len(stored):,} records, 0 faults\n"

    with Client(address) as client, Store(copy) as backup, Store(lake.folder / "single.duckdb") as single:
        desk = Desk(single)
        sent = [Desk(backup).form(id, "sent") for id in stored]
        desk.add_read([(read_record(form[0]), form[0]) for form in sent if form is not None])
        for chart in (name for name, each in CHARTS.items() if not each.sampled):  # a sample goes as far as its time
            told, alone = client.ask("GET", f"/stats/{chart}")["rows"], json.loads(dumps(desk.stats(chart, {}).rows))
            assert len(told) == len(alone), chart
            for row, other in zip(told, alone, strict=True):
                assert row == pytest.approx(other), chart  # files are added up in another order


def test_two_servers_add_to_one_chain_while_commands_copy_it(lake: Lake, serve: Serve, sheet: Sheet) -> None:
    addresses = [serve()[1], serve()[1]]
    with Client(addresses[0]) as client:
        id = client.send(sheet())["record"]
    case = f"/records/{id}"

    def argue(address: str) -> None:
        with Client(address) as client:
            for part in range(2):
                opened = client.ask(
                    "POST",
                    f"{case}/disputes",
                    {"name": "Leilani", "role": "player", "claim": "scores", "round": 1, "statement": f"{address} {part}"},
                )
                ruling = {"name": "Noelani", "role": "arbiter", "outcome": "note", "reasons": "Heard."}
                client.ask("PATCH", f"{case}/disputes/{opened['number']}", ruling)

    with ThreadPoolExecutor() as pool:
        for done in [pool.submit(argue, address) for address in addresses]:
            done.result()
    for address in addresses:
        with Client(address) as client:
            disputes = client.ask("GET", f"{case}/disputes")["items"]
            packed = client.case(id)
        with zipfile.ZipFile(io.BytesIO(packed)) as parts:
            log = json.loads(parts.read("log.json"))
        assert len(log) == 8
        assert [each["previous"] for each in log] == [id, *(each["hash"] for each in log[:-1])]
        assert {each.state for each in check(packed)} == {OK}
        assert [each["number"] for each in disputes] == [1, 2, 3, 4]
        assert [len(each["rulings"]) for each in disputes] == [1] * 4

    # Meanwhile commands do their work, and so do copies.
    sheets = lake.folder / "sheets.jsonl"
    sheets.write_bytes(sheet() + b"\n" + sheet(2, -2) + b"\nnothing\n")
    assert lake.hanafu("import", str(sheets), status=2) == "1 stored, 1 known, 1 rejected\n"
    held = holder_of(lake.folder / "store.duckdb.lake-1")
    assert held is not None
    backup = lake.folder / "backup.duckdb"
    with Client(held.address, held.token) as client, backup.open("wb") as file:
        client.backup(file)
    assert lake.hanafu("check", "--lake", "", "--db", str(backup)) == "2 records, 0 faults\n"
    lake.run("pg_dump", "--format=custom", f"--file={lake.folder}/hanafu.dump", lake.name)
    lake.run("createdb", f"{lake.name}_again")
    lake.run("pg_restore", f"--dbname={lake.name}_again", f"{lake.folder}/hanafu.dump")
    assert lake.hanafu("check", "--lake", lake.where + "_again") == "2 records, 0 faults\n"
    assert lake.hanafu("restore", str(backup), status=1) == ""
