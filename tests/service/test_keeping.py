"""What stands between the store and its data: a full disk, a clock set back, files of earlier versions."""

import gzip
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from service import desk as module
from service.checking import check, strays
from service.desk import Desk
from service.store import Store, migrations
from tests.service.conftest import Sheet

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


@pytest.mark.parametrize("file", sorted(KEPT.glob("*.duckdb.gz")), ids=lambda file: file.name)
def test_a_store_of_an_earlier_version_is_brought_up_and_whole(file: Path, tmp_path: Path, sheet: Sheet) -> None:
    db = tmp_path / "store.duckdb"
    db.write_bytes(gzip.decompress(file.read_bytes()))
    with Store(db) as store:
        assert store.read("SELECT max(number) FROM migrations") == [(migrations()[-1][0],)]
        found = list(check(store))
        assert len(found) == 3
        assert [(checked.fault, checked.other_engine) for checked in found] == [(None, True)] * 3
        assert strays(store) == []
        desk = Desk(store)
        assert desk.count({}) == 3
        assert desk.add(sheet(123, -123)).new


def test_a_store_of_an_earlier_version_is_kept() -> None:
    """tests/data/stores says when one more is put there."""
    steps = [int(file.name.split(".")[0]) for file in KEPT.glob("*.duckdb.gz")]
    assert 3 in steps
    assert max(steps) <= migrations()[-1][0]
