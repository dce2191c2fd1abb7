"""`hanafu serve` as a process: it answers, commands reach it, it stops gracefully, and what it acknowledged is there after `kill -9`."""

import io
import itertools
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest

from service import acts
from service.client import Client, Refused, Unreachable
from service.holder import holder_of, note_of
from service.store import Store
from tests.service.conftest import Sheet, Start


def _hanafu(*arguments: str | Path, input: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "service.cli", *map(str, arguments)]
    return subprocess.run(command, input=input, capture_output=True, text=True, check=False)


def test_it_answers_and_stops_without_a_log_left(start: Start, tmp_path: Path, sheet: Sheet) -> None:
    db = tmp_path / "store.duckdb"
    process, address = start(db)
    with Client(address) as client:
        assert client.health()["status"] == "ok"
        assert client.send(sheet())["new"] is True
    with urllib.request.urlopen(f"{address}/", timeout=30) as page:
        assert page.status == 200
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 0
    assert not Path(f"{db}.wal").exists()
    assert not note_of(db).exists()
    with Store(db) as store:
        assert store.read("SELECT count(*) FROM records") == [(1,)]


def test_the_note_beside_the_store_is_for_its_owner_alone(start: Start, tmp_path: Path) -> None:
    db = tmp_path / "store.duckdb"
    process, address = start(db)
    note = note_of(db)
    assert stat.S_IMODE(note.stat().st_mode) == 0o600
    holder = holder_of(db)
    assert holder is not None
    assert (holder.address, holder.pid) == (address, process.pid)
    with Client(address) as client, pytest.raises(Refused) as refusal, (tmp_path / "copy").open("wb") as file:
        client.backup(file)
    assert refusal.value.status == 401


def test_commands_reach_the_server_that_holds_the_store(start: Start, tmp_path: Path, sheet: Sheet) -> None:
    db = tmp_path / "store.duckdb"
    _, address = start(db)
    lines = f"{sheet(1, -1).decode()}\nnonsense\n{sheet(2, -3).decode()}\n"
    first = _hanafu("import", "--db", db, input=lines)
    assert (first.returncode, first.stdout) == (2, "2 stored, 0 known, 1 rejected\n"), first.stderr
    assert "line 2" in first.stderr
    again = _hanafu("import", "--server", address, input=lines)
    assert again.stdout == "0 stored, 2 known, 1 rejected\n"
    exported = _hanafu("export", "--db", db, "--verdict", "disputed")
    assert [json.loads(line)["claims"]["totals"] for line in exported.stdout.splitlines()] == [[2, -3]]
    table = _hanafu("export", "--server", address, "--table", "players", "--as", "csv")
    assert table.stdout.splitlines()[0].startswith("record,seat,side,name,total")
    assert len(table.stdout.splitlines()) == 5
    copy = tmp_path / "backups" / "copy.duckdb"
    assert _hanafu("backup", copy, "--db", db).returncode == 0
    with Store(copy) as store:
        assert store.read("SELECT count(*) FROM records") == [(2,)]
    assert _hanafu("check", "--db", db).stdout == "2 records, 0 faults\n"
    assert "held by the server" in _hanafu("restore", copy, "--db", db).stderr


def test_a_second_server_on_one_file_is_refused(start: Start, tmp_path: Path) -> None:
    db = tmp_path / "store.duckdb"
    process, _ = start(db)
    second = _hanafu("serve", "--port", "0", "--db", db)
    assert second.returncode == 1
    assert f"is held by process {process.pid}" in second.stderr
    assert note_of(db).exists()


def test_a_port_that_is_taken_is_told(start: Start, tmp_path: Path) -> None:
    _, address = start(tmp_path / "a.duckdb")
    second = _hanafu("serve", "--port", address.rpartition(":")[2], "--db", tmp_path / "b.duckdb")
    assert second.returncode == 1
    assert "cannot listen on 127.0.0.1:" in second.stderr


@pytest.mark.parametrize(
    ("request_", "status", "detail"),
    [
        (b"GET / HTTP/1.1\r\nContent-Length: no\r\n\r\n", 400, "Content-Length is invalid."),
        (b"GET /\xff HTTP/1.1\r\n\r\n", 400, "Bad URI."),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", 501, "Transfer-Encoding requested is not supported."),
    ],
)
def test_what_is_no_request_is_refused_by_a_problem_document(
    start: Start, tmp_path: Path, request_: bytes, status: int, detail: str
) -> None:
    _, address = start(tmp_path / "store.duckdb")
    with socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2])), 30) as connection:
        connection.sendall(request_)
        with connection.makefile("rb") as answer:
            head, _, body = answer.read().partition(b"\r\n\r\n")
    assert b"content-type: application/problem+json" in head.lower()
    document = json.loads(body)
    assert (document["status"], document["detail"]) == (status, detail)


def test_an_import_that_is_too_large_is_refused_in_words(start: Start, tmp_path: Path) -> None:
    (tmp_path / "hanafu.toml").write_text("max_import = 1000")
    _, address = start(tmp_path / "store.duckdb", "--config", tmp_path / "hanafu.toml")
    said = "More than 1000 bytes were sent, the most that is taken here. Nothing was stored."
    for size in (1001, 20_000_000):
        sent = _hanafu("import", "--server", address, input=" " * size)
        assert (sent.returncode, sent.stderr) == (1, f"Error: {said}\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_a_full_disk_is_not_the_servers_fault(start: Start, tmp_path: Path, sheet: Sheet) -> None:
    _, address = start(tmp_path / "store.duckdb")
    with Client(address) as client, open("/dev/full", "wb", buffering=0) as full:
        client.send(sheet())
        with pytest.raises(OSError, match="No space left"):
            client.export("records", "csv", full)


def test_no_server_is_told(tmp_path: Path) -> None:
    run = _hanafu("export", "--server", "http://127.0.0.1:9")
    assert run.returncode == 1
    assert "does not answer" in run.stderr


def test_a_note_of_a_server_that_is_gone_is_passed_over(start: Start, tmp_path: Path, sheet: Sheet) -> None:
    db = tmp_path / "store.duckdb"
    process, _ = start(db)
    process.kill()
    process.wait()
    assert note_of(db).exists()
    note = json.loads(note_of(db).read_text())
    for pid in (note["pid"], os.getpid()):  # after a restart of the machine another process has its number
        note_of(db).write_text(json.dumps(note | {"pid": pid}))
        assert "0 rejected" in _hanafu("import", "--db", db, input=sheet().decode()).stdout


@dataclass
class _Acknowledged:
    """What servers have said that they hold."""

    records: set[str] = field(default_factory=set)
    rulings: set[tuple[str, str]] = field(default_factory=set)
    """Record and reasons."""
    imports: dict[str, int] = field(default_factory=dict)
    """Records of each, by the job's id."""

    def enough(self) -> tuple[bool, ...]:
        """Of each kind what a server should have said before it is killed."""
        return len(self.records) > 12, len(self.rulings) > 2, len(self.imports) > 0


def _crash_under_load(start: Start, db: Path, sheet: Sheet, first: int) -> _Acknowledged:
    """Posts records from four threads, disputes some of them and rules, imports others; and kills the server in the middle."""
    process, address = start(db)
    said = _Acknowledged()
    enough = threading.Event()

    def until_killed(work: Callable[[Client], Iterator[None]]) -> threading.Thread:
        def run() -> None:
            with Client(address) as client, suppress(Unreachable, Refused):
                for _ in work(client):
                    if all(said.enough()):
                        enough.set()

        thread = threading.Thread(target=run)
        thread.start()
        return thread

    def post(number: int, client: Client) -> Iterator[None]:
        while True:
            said.records.add(client.send(sheet(number, -number))["record"])
            number += 4
            yield

    def rule(client: Client) -> Iterator[None]:
        for number in itertools.count(first + 500):
            record = client.send(sheet(number, -number))["record"]
            opened = {"name": "Leilani", "role": "player", "round": 1, "claim": "scores", "statement": "Once more."}
            dispute = client.ask("POST", f"/records/{record}/disputes", opened)["number"]
            ruling = {"name": "Ema", "role": "arbiter", "outcome": "replayed", "reasons": f"It is {number}."}
            client.ask("PATCH", f"/records/{record}/disputes/{dispute}", ruling)
            said.rulings.add((record, ruling["reasons"]))
            yield

    def take_in(client: Client) -> Iterator[None]:
        for number in itertools.count(first + 700, 100):
            lines = b"".join(sheet(each, -each) + b"\n" for each in range(number, number + 100))
            said.imports[client.start_import(io.BytesIO(lines))["id"]] = 100
            yield
            time.sleep(0.3)

    threads = [until_killed(partial(post, first + offset)) for offset in range(4)]
    threads += [until_killed(rule), until_killed(take_in)]
    assert enough.wait(120)
    os.kill(process.pid, signal.SIGKILL)
    for thread in threads:
        thread.join()
    process.wait()
    return said


def test_kill_9_loses_nothing_that_was_acknowledged(start: Start, tmp_path: Path, sheet: Sheet) -> None:
    """Three crashes; HANAFU_CRASHES=20 for more."""
    db = tmp_path / "store.duckdb"
    rounds: list[_Acknowledged] = []
    for number in range(int(os.environ.get("HANAFU_CRASHES", "3"))):
        rounds.append(_crash_under_load(start, db, sheet, 1 + number * 100_000))
        with Store(db) as store:
            kept = {f"sha256:{id.hex()}" for (id,) in store.read("SELECT id FROM records")}
            assert set().union(*(said.records for said in rounds)) <= kept
            assert store.read("SELECT count(*) FROM players") == [(2 * len(kept),)]
            for record, reasons in set().union(*(said.rulings for said in rounds)):
                (dispute,) = acts.disputes(acts.kept(store, bytes.fromhex(record.removeprefix("sha256:"))))
                assert [ruling.reasons for ruling in dispute.rulings] == [reasons]
    _, address = start(db)
    with Client(address) as client:
        for id, count in {id: count for said in rounds for id, count in said.imports.items()}.items():
            while (job := client.job(id))["state"] in ("queued", "running"):
                time.sleep(0.1)
            assert (job["state"], job["read"], job["stored"] + job["known"]) == ("done", count, count)
    checked = _hanafu("check", "--db", db)
    assert checked.returncode == 0, checked.stdout
