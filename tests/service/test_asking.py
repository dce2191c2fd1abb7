"""Commands that ask a server by its address (`--server`): what they print is what they print over the file, as far as one may."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from service import client as module
from service.accounts.people import People
from service.cli import main
from service.client import Client, Refused
from service.desk import Desk
from service.store import Store
from tests.service.conftest import Sheet, Start

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """`hanafu` in this process, with a data folder of its own."""

    def call(*arguments: str | Path, input: bytes = b"", token: str | None = None) -> Result:
        environ = {"XDG_DATA_HOME": str(tmp_path / "data"), "HOME": str(tmp_path), "HANAFU_CONFIG": None, "HANAFU_TOKEN": token}
        return CliRunner(env=environ).invoke(main, [str(argument) for argument in arguments], input=input)

    return call


def test_a_server_audits_as_this_machine_does(start: Start, run: Run, tmp_path: Path, sheet: Sheet) -> None:
    _, address = start(tmp_path / "store.duckdb")
    (tmp_path / "sheet.csv").write_text("round,Leilani,Kimo\n1,3,-3\n")
    for arguments in ((), ("--json",), ("--json", "--no-explain")):
        for input in (sheet(5, -4) + b"\n{broken\n" + sheet() + b"\n", b""):
            given = ("--variant", "koi-koi", tmp_path / "sheet.csv") if not input else ()
            here, there = (run("audit", *arguments, *where, *given, input=input) for where in ((), ("--server", address)))
            assert (there.exit_code, there.stdout, there.stderr) == (here.exit_code, here.stdout, here.stderr)
            assert there.stdout
    refused = run("audit", "--server", address, "--workers", "2", input=sheet())
    assert refused.exit_code == 2
    assert "a server audits by itself" in refused.stderr
    with Client(address) as client:
        assert list(client.records()) == []


def test_commands_ask_the_server_that_is_named(start: Start, run: Run, tmp_path: Path, sheet: Sheet) -> None:
    _, address = start(tmp_path / "store.duckdb")
    server = ("--server", address)
    assert run("import", *server, input=sheet(1, -1) + b"\n" + sheet(2, -3)).stdout == "2 stored, 0 known, 0 rejected\n"
    records = [json.loads(line) for line in run("audit", "--json", input=run("export", *server).stdout.encode()).stdout.splitlines()]
    id = records[1]["record"]
    case = tmp_path / "case.zip"
    assert run("case", id, *server, "-o", case).exit_code == 0
    assert run("verify", case).exit_code == 0
    assert run("show", id, "public", *server).stdout == f"{id}: public\n"
    assert run("pseudonym", "set", "Kimo", "K.", *server).exit_code == 0
    assert run("pseudonym", "list", *server).stdout == "kimo\tK.\n"
    assert run("user", "add", "nani", "--password-stdin", *server, input=b"plum blossom curtain\n").stdout == "nani: player\n"
    assert run("user", "list", *server).stdout == "nani\tplayer\n"
    token = run("token", "add", "nani", "--label", "club", *server).stdout
    assert token.startswith("hanafu_")
    assert run("token", "list", *server).stdout.rstrip().endswith("\tclub")
    assert run("withdraw", id, "--yes", *server).stdout == f"{id}: withdrawn\n"
    gone = run("case", id, *server, "-o", tmp_path / "gone.zip")
    assert gone.exit_code == 1
    assert "withdrawn on" in gone.stderr
    assert not (tmp_path / "data").exists()


def test_a_server_with_accounts_is_asked_with_the_token_of_the_environment(start: Start, run: Run, tmp_path: Path, sheet: Sheet) -> None:
    db = tmp_path / "store.duckdb"
    with Store(db) as store:
        Desk(store).add(sheet())
        people = People(store)
        people.add("kimo", "player", "plum blossom curtain")
        token, _ = people.add_token("kimo", "test", ["read", "send"], 1)
    _, address = start(db, "--public", "--behind-proxy")
    unknown = run("import", "--server", address, input=sheet(3, -3))
    assert unknown.exit_code == 1
    assert "This needs an account" in unknown.stderr
    assert run("import", "--server", address, input=sheet(3, -3), token=token).stdout == "1 stored, 0 known, 0 rejected\n"
    seen = run("export", "--server", address, token=token).stdout.splitlines()
    assert [json.loads(line)["claims"]["totals"] for line in seen] == [[3, -3]]
    assert "needs 'audit'" in run("audit", "--server", address, input=sheet(), token=token).stderr


def test_a_server_is_sent_of_a_folder_what_a_store_takes(start: Start, run: Run, tmp_path: Path, sheet: Sheet) -> None:
    folder = tmp_path / "club"
    for name in ("evening 10.json", "evening 9.json", ".draft.json", ".git/old.json"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(sheet(len(name), -len(name)))
    (folder / "notes.txt").write_text("tea")
    (folder / "bad.jsonl").write_bytes(sheet() + b"\n{broken\n")
    (tmp_path / "none").mkdir()
    _, address = start(tmp_path / "store.duckdb")
    given = folder, tmp_path / "none", tmp_path / "nofile", folder / "evening 9.json"
    here, there = (run("import", *where, *given) for where in (("--db", tmp_path / "other.duckdb"), ("--server", address)))
    assert here.stdout == "3 stored, 1 known, 3 rejected\n"
    assert (there.exit_code, there.stdout, there.stderr) == (here.exit_code, here.stdout, here.stderr)


def test_a_file_and_a_server_are_not_both_meant(run: Run, tmp_path: Path) -> None:
    refused = run("export", "--db", tmp_path / "a.duckdb", "--server", "http://127.0.0.1:9")
    assert refused.exit_code == 2
    assert "give one of them" in refused.stderr
    assert "is not the address of a server" in run("export", "--server", "127.0.0.1:9").stderr


def test_who_asks_too_often_waits_as_long_as_the_server_says(start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []

    def wait(seconds: float) -> None:
        waited.append(seconds)
        monkeypatch.setattr(module, "PATIENCE", 0)  # the second time it gives up

    monkeypatch.setattr("time.sleep", wait)
    monkeypatch.setenv("HANAFU_RATE", "3")
    _, address = start(tmp_path / "store.duckdb", "--public", "--behind-proxy", "--hosts", "127.0.0.1")
    with Client(address) as client, pytest.raises(Refused) as refusal:
        for _ in range(10):
            client.variants()
    assert refusal.value.status == 429
    assert len(waited) == 1 and 1 <= waited[0] <= 60
