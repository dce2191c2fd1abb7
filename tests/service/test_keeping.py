"""What stands between the store and its data: a full disk, a clock set back, files of earlier versions."""

import errno
import gzip
import io
import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from analysis.summaries import SUMMARIES
from records.cards import CODES, cards_in
from service import acts, casefile
from service import desk as module
from service.accounts.people import People
from service.checking import check, strays
from service.cli import main
from service.client import Client
from service.clock import behind
from service.desk import Desk
from service.imports import Imports
from service.store import Store, migrations
from tests.service.conftest import Sheet, Start

KEPT = Path(__file__).parent.parent / "data" / "stores"

FILL = """
import resource, signal, sys
from pathlib import Path
from service.desk import Desk
from service.errors import StoreBroken
from service.store import Store

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
path, sheet = Path(sys.argv[1]), sys.argv[2]
store = Store(path)
desk = Desk(store)
limit = path.stat().st_size + 300_000
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
for number in range(1, 200):
    try:
        added = desk.add(sheet.replace("4", str(number)).replace("notes", "n" * 20_000 + str(number)).encode())
    except StoreBroken as error:
        print("refused", error, flush=True)
        break
    print(added.id, flush=True)
"""
"""Stores records until files may grow no more, as on a disk that is full."""


def test_a_full_disk_is_told_and_loses_nothing_that_was_acknowledged(tmp_path: Path, sheet: Sheet, empty_store: Path) -> None:
    db = tmp_path / "store.duckdb"
    db.write_bytes(empty_store.read_bytes())
    text = sheet(x_more="notes").decode()
    run = subprocess.run([sys.executable, "-c", FILL, str(db), text], capture_output=True, text=True, check=False)
    *acknowledged, last = run.stdout.splitlines()
    assert last.startswith("refused the store could not be written, and nothing was stored"), run.stdout + run.stderr
    assert acknowledged
    with Store(db) as store:
        assert {id.hex() for (id,) in store.read("SELECT id FROM records")} == set(acknowledged)
        assert [checked.fault for checked in check(store)] == [None] * len(acknowledged)
        assert strays(store) == []
        assert Desk(store).add(sheet(500, -500)).new


LIMITED = """
import resource, signal, sys
from service.cli import main

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
main()
"""
"""A command while files may grow no more than so."""


def test_copies_for_which_there_is_no_room_are_told_and_leave_nothing(tmp_path: Path, sheet: Sheet) -> None:
    db = tmp_path / "store.duckdb"
    with Store(db) as store:
        for number in range(1, 4):
            Desk(store).add(sheet(number, -number, x_more=Random(number).randbytes(200_000).hex()))
    for arguments in (("backup", tmp_path / "copy", "--db", db), ("restore", db, "--db", tmp_path / "restored")):
        command = [sys.executable, "-c", LIMITED, *map(str, arguments)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        assert run.returncode == 1
        assert re.match("Error: .*(could not|cannot) be written: .*File too large", run.stderr), run.stderr
        assert sorted(path.name for path in tmp_path.iterdir()) == ["store.duckdb", "store.duckdb.scratch"]
        assert list(store.scratch.iterdir()) == []
    with Store(db) as store:
        assert [checked.fault for checked in check(store)] == [None] * 3


def test_a_stream_for_which_there_is_no_room_is_told_and_leaves_nothing(
    client: FlaskClient, store: Store, sheet: Sheet, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr("service.imports.os.fsync", full)
        answer = client.post("/api/v1/imports", data=sheet(), content_type="application/json")
    assert (answer.status_code, answer.content_type) == (503, "application/problem+json")
    assert list((store.scratch / "imports").iterdir()) == []
    assert client.post("/api/v1/imports", data=sheet(), content_type="application/json").status_code == 202


READ_ONLY = """
import os, sys
from pathlib import Path
from service import holder
from service.store import Store, migrations

path = Path(sys.argv[1])
migrations()  # whatever of Python is needed for it is read while it may be
if os.getuid() == 0:
    os.setuid(65534)  # to whom everything may be forbidden
try:
    with Store(path):
        holder.announce(path, "http://127.0.0.1:8000")
except Exception as error:
    print(type(error).__name__, error)
"""
"""Opens a store as a server does, as somebody who is not root."""


@pytest.mark.parametrize(
    ("folder", "file", "said"),
    [
        (0o555, None, "StoreBroken {db} cannot be opened as a store: .*Permission denied"),
        (0o777, 0o444, "StoreBroken {db} cannot be opened as a store: .*Permission denied"),
        (0o555, 0o666, "StoreBroken the folder of {db} cannot be written"),
    ],
)
def test_what_is_read_only_is_told_and_stays_as_it_is(empty_store: Path, folder: int, file: int | None, said: str) -> None:
    with tempfile.TemporaryDirectory() as above:  # pytest's own are for this user alone
        os.chmod(above, 0o755)
        db = Path(above) / "folder" / "store.duckdb"
        db.parent.mkdir()
        if file is not None:
            db.write_bytes(empty_store.read_bytes())
            db.chmod(file)
            (scratch := db.with_name(db.name + ".scratch")).mkdir()
            scratch.chmod(0o777)
        db.parent.chmod(folder)
        before = sorted(db.parent.iterdir())
        run = subprocess.run([sys.executable, "-c", READ_ONLY, str(db)], capture_output=True, text=True, check=False)
        assert re.match(said.format(db=re.escape(str(db))), run.stdout), run.stdout + run.stderr
        assert sorted(db.parent.iterdir()) == before
        if file is not None:
            assert db.read_bytes() == empty_store.read_bytes()
        db.parent.chmod(0o755)


def test_a_store_moved_without_its_log_is_not_replaced(start: Start, tmp_path: Path, sheet: Sheet) -> None:
    db, moved, copy = (tmp_path / f"{name}.duckdb" for name in ("store", "moved", "copy"))
    log = db.with_name("store.duckdb.wal")
    process, address = start(db)
    with Client(address) as client:
        client.send(sheet())
        assert CliRunner().invoke(main, ["backup", str(copy), "--db", str(db)]).exit_code == 0
        client.send(sheet(2, -2))
    process.kill()
    process.wait()
    db.rename(moved)
    for command in (("restore", copy), ("import", tmp_path), ("backup", tmp_path / "new.duckdb")):
        told = CliRunner().invoke(main, [*map(str, command), "--db", str(db)])
        assert (told.exit_code, told.stderr.partition(" belongs")[0]) == (1, f"Error: {log}")
        assert not db.exists()
    log.rename(tmp_path / "moved.duckdb.wal")
    assert CliRunner().invoke(main, ["check", "--db", str(moved)]).stdout == "2 records, 0 faults\n"
    assert CliRunner().invoke(main, ["restore", str(copy), "--db", str(db)]).stdout == f"{db}: 1 records\n"


def test_a_backup_of_a_newer_version_is_not_restored(tmp_path: Path) -> None:
    db, target = tmp_path / "newer.duckdb", tmp_path / "store.duckdb"
    with Store(db) as store:
        store.write(lambda c, items: [c.execute("INSERT INTO migrations (number, name) VALUES (99, 'later')")], None).result()
    for command in ("restore", "export"):
        arguments = [str(db), "--db", str(target)] if command == "restore" else ["--db", str(db)]
        run = CliRunner().invoke(main, [command, *arguments])
        assert run.exit_code == 1
        assert "was written by a newer version (its tables are at step 99" in run.stderr
    assert not target.exists()


def test_a_clock_set_back_changes_no_order(client: FlaskClient, sheet: Sheet, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([datetime(2026, 11, 30) - timedelta(days=days) for days in range(5)])
    monkeypatch.setattr(module, "now", lambda: next(times))
    ids = [
        client.post("/api/v1/records", data=sheet(number, -number), content_type="application/json").get_json()["record"]
        for number in range(1, 6)
    ]
    listed: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        page = client.get("/api/v1/records", query_string={"sort": "sent", "limit": 2, **({"cursor": cursor} if cursor else {})})
        listed += [item["id"] for item in page.get_json()["items"]]
        cursor = page.get_json()["next"]
    assert listed == ids


def test_a_clock_set_back_breaks_no_log_and_changes_no_order_of_what_was_said(
    client: FlaskClient, store: Store, sheet: Sheet, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = client.post("/api/v1/records", data=sheet(), content_type="application/json").headers["Location"]
    times = iter([datetime(2026, 11, 30) - timedelta(days=days) for days in range(5)])
    monkeypatch.setattr("service.disputes.now", lambda: next(times))
    player, by = {"name": "Leilani", "role": "player"}, {"name": "Ema", "role": "arbiter"}
    dispute = client.post(f"{record}/disputes", json={**player, "round": 1, "claim": "scores", "statement": "first"}).headers["Location"]
    for said in ("second", "third"):
        assert client.post(f"{dispute}/answers", json={**player, "statement": said}).status_code == 201
    for reasons in ("fourth", "fifth"):
        assert client.patch(dispute, json={**by, "outcome": "replayed", "reasons": reasons}).status_code == 200
    found = client.get(dispute).get_json()
    assert [each["text"] for each in (found["opened"], *found["answers"])] == ["first", "second", "third"]
    assert [each["reasons"] for each in found["rulings"]] == ["fourth", "fifth"]
    assert found["rulings"][1]["at"].startswith("2026-11-26")  # as the clock said
    assert acts.faults(store) == []
    assert {answer.state for answer in casefile.check(client.get(f"{record}/case.zip").data)} == {casefile.OK}


def test_a_clock_set_back_leaves_imports_in_their_order(desk: Desk, sheet: Sheet, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([datetime(2026, 11, 30) - timedelta(days=days) for days in range(2000)])
    monkeypatch.setattr("service.imports.now", lambda: next(times))
    with closing(Imports(desk)) as imports:
        sent = [imports.submit(io.BytesIO(sheet(number, -number)), f"n{number}").name for number in (1, 2, 3)]
        assert [job.name for job in imports.jobs()] == sent[::-1]
        for _ in range(3000):
            if all(job.state == "done" for job in imports.jobs()):
                break
            time.sleep(0.02)
    assert [job.stored for job in imports.jobs()] == [1, 1, 1]
    assert desk.store.read("SELECT r.number, p.total FROM records r JOIN players p ON p.record = r.number AND p.seat = 1 ORDER BY 1") == [
        (1, 1.0),
        (2, 2.0),
        (3, 3.0),
    ]


def test_a_clock_set_back_revives_no_session_and_no_token(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [datetime(2026, 11, 30)]
    monkeypatch.setattr("service.accounts.people.now", lambda: clock[0])
    people = People(store)
    people.add("kimo", "player", "plum blossom curtain")
    session = people.sign_in("kimo")
    token, _ = people.add_token("kimo", "test", ["read"], 3)
    year, _ = people.add_token("kimo", "long", ["read"], 366)
    clock[0] += timedelta(days=2)
    assert people.by_session(session) and people.by_token(token)
    clock[0] += timedelta(days=6)
    assert people.by_session(session) is None and people.by_token(token) is None
    clock[0] -= timedelta(days=6)
    assert people.by_session(session) is None and people.by_token(token) is None
    # Whoever signs in meanwhile is signed in, and not for longer than a session lasts.
    again = people.sign_in("kimo")
    assert people.by_session(again)
    # A clock that was years ahead is put right, and the server starts anew: nothing is good for years.
    clock[0] += timedelta(days=3650)
    ahead = people.sign_in("kimo")
    far, _ = people.add_token("kimo", "far", ["read"], 366)
    clock[0] -= timedelta(days=3650)
    anew = People(store)
    assert anew.by_session(ahead) is None and anew.by_token(far) is None
    assert anew.by_token(year)
    assert anew.by_session(anew.sign_in("kimo"))


def test_a_server_says_that_the_clock_is_behind_its_store(
    start: Start, tmp_path: Path, sheet: Sheet, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = tmp_path / "store.duckdb"
    with Store(db) as store:
        Desk(store).add(sheet())
        assert behind(store, module.now()) == ""
    with Store(db) as store:
        monkeypatch.setattr(module, "now", lambda: datetime(2099, 1, 2, 3, 4))
        Desk(store).add(sheet(5, -5))
        monkeypatch.undo()
    _, address = start(db)
    assert "and the store holds something of 2099-01-02 03:04" in (tmp_path / "server.log").read_text()
    with Client(address) as client:
        assert [record["sent_at"][:4] for record in client.records(sort="sent")][1] == "2099"
        assert client.send(sheet(6, -6))["new"]


@pytest.mark.parametrize("file", sorted(KEPT.glob("*.duckdb.gz")), ids=lambda file: file.name)
def test_a_store_of_an_earlier_version_is_brought_up_and_whole(file: Path, tmp_path: Path, sheet: Sheet) -> None:
    db = tmp_path / "store.duckdb"
    db.write_bytes(gzip.decompress(file.read_bytes()))
    with Store(db) as store:
        assert store.read("SELECT max(number) FROM migrations") == [(migrations()[-1][0],)]
        found = list(check(store))
        assert len(found) == 3
        assert [(checked.fault, checked.other_engine) for checked in found] == [(None, True)] * 3
        assert (strays(store), store.faults()) == ([], [])
        assert store.read("SELECT table_name FROM duckdb_constraints() WHERE constraint_type = 'PRIMARY KEY'") == []  # since step 8
        desk = Desk(store)
        assert desk.count({}) == 3
        assert desk.add(sheet(123, -123)).new


def _by_codes(names: list[str], row: tuple[Any, ...]) -> dict[str, Any]:
    """A row by its columns, piles by their codes: which of twins one holds is nobody's to see, and another engine may see it otherwise."""
    told = dict(zip(names, row, strict=True))
    if told.get("pile") is not None:
        told["pile"] = sorted(CODES[card] for card in cards_in(told["pile"]))
    return told


@pytest.mark.parametrize("file", sorted(KEPT.glob("*.duckdb.gz")), ids=lambda file: file.name)
def test_an_earlier_version_has_the_summaries_that_its_records_would_have_now(file: Path, tmp_path: Path) -> None:
    db = tmp_path / "store.duckdb"
    db.write_bytes(gzip.decompress(file.read_bytes()))
    with Store(db) as store, Store(tmp_path / "anew.duckdb") as anew:
        for (raw,) in store.read("SELECT coalesce(raw, encode(canonical)) FROM records ORDER BY number"):
            Desk(anew).add(raw)
        for table, columns in SUMMARIES.items():
            told = ["id", *(column for column in columns if column != "record")]
            of = ", ".join(f"t.{column}" for column in told[1:])
            sql = f"SELECT r.id, {of} FROM {table} t JOIN records r ON r.number = t.record ORDER BY r.id, t.round, t.seat"
            assert [_by_codes(told, row) for row in store.read(sql)] == [_by_codes(told, row) for row in anew.read(sql)]
        assert store.read("SELECT count(*) > 0 FROM results") == [(True,)]


def test_a_store_of_an_earlier_version_is_kept() -> None:
    """tests/data/stores says when one more is put there."""
    steps = [int(file.name.split(".")[0]) for file in KEPT.glob("*.duckdb.gz")]
    assert 3 in steps
    assert max(steps) <= migrations()[-1][0]
