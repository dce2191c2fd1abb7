"""A store in which records are only taken in: opened anew now and then, it is the same store."""

import io
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from records.formats import documents
from service import intake
from service.batches import take
from service.desk import Desk
from service.errors import StoreBusy
from service.intake import Intake
from service.rows import Batch
from service.store import Store
from tests.service.conftest import Sheet


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is opened anew behind every three records."""
    monkeypatch.setattr(intake, "RENEWED", 3)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.duckdb"


class Counted(Intake):
    """An intake that counts how often it let its file go."""

    times = 0

    def _let_go(self) -> None:
        super()._let_go()
        self.times += 1


def _batch(sheet: Sheet, *scores: int) -> Batch:
    """Records that are told from each other by a score."""
    lines = b"\n".join(sheet(score, -score) for score in scores)
    batch = take(list(documents(io.BytesIO(lines))), datetime(2026, 11, 30)).batch
    assert batch is not None
    return batch


def _numbers(path: Path) -> list[tuple[int, int]]:
    """Number and score of each record."""
    with Store(path) as store:
        return store.read("SELECT r.number, s.score FROM records r JOIN seats s ON s.record = r.number AND s.seat = 1 ORDER BY ALL")


def test_opened_anew_between_batches_it_goes_on_where_it_was(path: Path, sheet: Sheet) -> None:
    with Counted(path) as store:
        desk = Desk(store)
        assert [desk.put(_batch(sheet, *scores)) for scores in ((1, 2), (3, 4), (5,), (6, 1), (7, 5))] == [2, 2, 1, 1, 1]
        assert store.read("SELECT count(*) FROM records") == [(7,)]
        assert store.times == 2  # behind 4 and behind 7
    assert not path.with_name("store.duckdb.wal").exists()
    assert _numbers(path) == [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 7)]


def test_opened_anew_it_keeps_its_limits_and_its_doors_shut(path: Path, sheet: Sheet) -> None:
    names = "('memory_limit', 'threads', 'enable_external_access', 'lock_configuration')"
    asked = f"SELECT name, value FROM duckdb_settings() WHERE name IN {names}"
    with Counted(path) as store:
        before = store.read(asked)
        Desk(store).put(_batch(sheet, 1, 2, 3))
        Desk(store).put(_batch(sheet, 4))
        assert store.times == 1
        assert store.read(asked) == before
        assert dict(before) == {
            "memory_limit": "61.0 MiB",
            "threads": "1",
            "enable_external_access": "false",
            "lock_configuration": "true",
        }


def test_what_another_process_stored_meanwhile_is_known(path: Path, sheet: Sheet, tmp_path: Path) -> None:
    more = tmp_path / "more.jsonl"
    more.write_bytes(sheet(4, -4) + b"\n" + sheet(5, -5) + b"\n")

    class Lent(Counted):
        def _let_go(self) -> None:
            super()._let_go()
            subprocess.run(
                [sys.executable, "-m", "service.cli", "import", str(more), "--db", str(path)], check=True, stdout=subprocess.DEVNULL
            )

    with Lent(path) as store:
        desk = Desk(store)
        assert [desk.put(_batch(sheet, *scores)) for scores in ((1, 2, 3), (5, 6))] == [3, 1]
        assert store.times == 1
    assert _numbers(path) == [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (7, 6)]


@pytest.fixture
def held(path: Path) -> Iterator[list["subprocess.Popen[bytes]"]]:
    """Processes that hold the file; they end with the test."""
    found: list[subprocess.Popen[bytes]] = []
    yield found
    for process in found:
        process.communicate(b"\n")


def test_where_another_process_keeps_the_file_it_says_so_and_what_was_stored_is_there(
    path: Path, sheet: Sheet, held: list["subprocess.Popen[bytes]"], monkeypatch: pytest.MonkeyPatch
) -> None:
    script = f"from pathlib import Path; from service.store import Store\nwith Store(Path({str(path)!r})): print(flush=True); input()"
    monkeypatch.setattr(intake, "PATIENCE", 0.0)

    class Taken(Counted):
        def _let_go(self) -> None:
            super()._let_go()
            held.append(subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE))
            assert held[-1].stdout is not None
            held[-1].stdout.readline()

    with Taken(path) as store:
        desk = Desk(store)
        assert desk.put(_batch(sheet, 1, 2, 3)) == 3
        for _ in range(2):
            with pytest.raises(StoreBusy, match="is held by process"):
                desk.put(_batch(sheet, 4))
        held.pop().communicate(b"\n")
        assert desk.put(_batch(sheet, 4)) == 1
        assert store.times == 1
    assert _numbers(path) == [(1, 1), (2, 2), (3, 3), (4, 4)]
    with Taken(path) as store:
        desk = Desk(store)
        desk.put(_batch(sheet, 5, 6, 7))
        with pytest.raises(StoreBusy):
            desk.put(_batch(sheet, 8))
    held.pop().communicate(b"\n")
    assert [score for _, score in _numbers(path)] == [1, 2, 3, 4, 5, 6, 7]
