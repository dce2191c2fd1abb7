"""`hanafu case`, `compare` and `check` on what was said and ruled; the server does it while it holds the store."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from service import casefile
from service.cli import main
from service.desk import Desk
from service.disputes import Disputes
from service.store import Store
from tests.service.conftest import Sheet
from web.cases import Actor

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def call(*arguments: str | Path) -> Result:
        environ = {"HOME": str(tmp_path), "HANAFU_CONFIG": None}
        return CliRunner(env=environ).invoke(main, [str(argument) for argument in arguments])

    return call


@pytest.fixture
def disputed(tmp_path: Path, sheet: Sheet) -> tuple[Path, str]:
    """A store with a record that is disputed and ruled on, and the record's id."""
    db = tmp_path / "store.duckdb"
    with Store(db) as store:
        desk = Desk(store)
        id = desk.add(sheet()).id
        cases = Disputes(desk)
        cases.open(id, Actor("Kimo", "player"), 1, "scores", "Four?")
        cases.rule(id, 1, Actor("Ema", "arbiter"), {"outcome": "note", "reasons": "Four."})
    return db, id


def test_a_case_is_written_once_and_verifies(run: Run, tmp_path: Path, disputed: tuple[Path, str]) -> None:
    db, id = disputed
    target = tmp_path / "case.zip"
    assert run("case", id, "--db", db, "-o", target).exit_code == 0
    assert {answer.state for answer in casefile.check(target.read_bytes())} == {casefile.OK}
    assert run("verify", target).exit_code == 0
    assert run("case", id, "--db", db, "-o", target).exit_code == 1
    nobody = run("case", "0" * 64, "--db", db, "-o", tmp_path / "none.zip")
    assert nobody.exit_code == 1 and "there is no record" in nobody.stderr


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        ("UPDATE acts SET body = replace(body, 'Four?', 'Five?')", "is not what its log knows"),
        ("DELETE FROM acts WHERE entry = 2", "is not what its log knows"),
        ("UPDATE log SET content = replace(content, 'ruled', 'riled')", "entry 2 of its log"),
        ("DELETE FROM log WHERE entry = 1", "entry 1 of its log"),
    ],
)
def test_check_finds_a_log_that_was_tampered_with(run: Run, disputed: tuple[Path, str], harm: str, said: str) -> None:
    db, _ = disputed
    assert run("check", "--db", db).exit_code == 0
    with Store(db) as store:
        store.write(lambda connection, items: [connection.execute(harm)], None).result()
    found = run("check", "--db", db)
    assert found.exit_code == 1 and said in found.stdout


def test_compare_reads_two_files_and_says_by_its_status_whether_they_differ(run: Run, tmp_path: Path, sheet: Sheet) -> None:
    a, b, many, broken, other = (tmp_path / name for name in ("a.json", "b.json", "many.jsonl", "broken.json", "other.json"))
    a.write_bytes(sheet())
    b.write_bytes(sheet(5, -5))
    many.write_bytes(sheet() + b"\n" + sheet(5, -5))
    broken.write_bytes(b"{")
    other.write_bytes(json.dumps(json.loads(sheet()) | {"variant": "sakura"}).encode())
    assert run("compare", a, a).exit_code == 0
    differing = run("compare", a, b)
    assert differing.exit_code == 1
    assert "They differ first in round 1:" in differing.stdout and "4 | -4" in differing.stdout
    told = json.loads(run("compare", "--json", a, b).stdout)
    assert (told["first"]["what"], told["first"]["a"], told["first"]["b"]) == ("scores", [4, -4], [5, -5])
    assert [run("compare", a, each).exit_code for each in (many, broken, other, tmp_path / "none")] == [2, 2, 2, 2]
