"""What is in a lake after a turn: all of it once, whenever the process was killed, and never anything half."""

import io
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pytest

from records.formats import read_record
from service import acts, imports
from service.accounts import custody
from service.accounts.people import People
from service.batches import Taken
from service.checking import check, strays
from service.desk import Desk, now
from service.errors import StoreBroken, StoreBusy, StoreNewer
from service.imports import Imports, Job
from service.lake.store import LakeStore
from service.store import Store
from tests.lake.conftest import Lake, Sheet

CUT_OFF = """
import os, sys
from pathlib import Path
from service.places import claim
from service.desk import Desk
from service.lake import turn
from service.lake.store import LakeStore

where, data, path, at, sheet = sys.argv[1:]
desk = Desk(LakeStore(where, data, Path(path), memory_limit="256MB"))


class Fatal:
    "A connection, and the end of the process at one of its acts."

    def __init__(self, connection, act):
        self.connection, self.act = connection, act

    def commit(self):
        if self.act == "before":
            os._exit(9)
        self.connection.commit()
        if self.act == "after":
            os._exit(9)

    def __getattr__(self, name):
        return getattr(self.connection, name)


made = turn.Turn.__init__


def fatal(self, lake, keyed):
    made(self, lake, keyed)
    self._lake = Fatal(lake, {"lake": "after"}.get(at))
    self._keyed = Fatal(keyed, {"claimed": "before", "decided": "after"}.get(at))


turn.Turn.__init__ = fatal
desk.add(sheet.encode())
"""
"""Stores a record and ends at once: with its id claimed, with the turn decided, or with it in the lake."""


def test_a_process_that_is_killed_in_its_turn_leaves_all_of_it_or_nothing(lake: Lake, sheet: Sheet) -> None:
    with lake.open() as store:
        desk = Desk(store)
        for place, (at, kept) in enumerate((("claimed", False), ("decided", True), ("lake", True))):
            cut_off = sheet(10 + place, -10 - place)
            arguments = [lake.where, str(lake.data), str(lake.folder / "other"), at, cut_off.decode()]
            killed = subprocess.run([sys.executable, "-c", CUT_OFF, *arguments], capture_output=True, text=True, check=False)
            assert killed.returncode == 9, killed.stderr
            assert desk.add(sheet(20 + place, -20 - place)).new
            assert desk.count({}) == 2 * place + 1 + kept, at
            assert desk.add(cut_off).new is not kept
            assert desk.count({}) == 2 * place + 2
        some = [(read_record(raw), raw) for raw in (sheet(10, -10), sheet(30, -30), sheet(20, -20), sheet(31, -31))]
        assert [added.new for added in desk.add_read(some)] == [False, True, False, True]
        whole(store, 8)


def whole(store: Store, records: int) -> None:
    """Every record of a store is there once, with all its rows, and nothing else."""
    assert [checked.fault for checked in check(store)] == [None] * records
    assert (strays(store), store.faults(), acts.faults(store)) == ([], [], [])


class Late:
    """A connection to the lake that commits late: something else happens first."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, first: Callable[[], None]) -> None:
        self._connection = connection
        self._first = first

    def commit(self) -> None:
        self._first()
        self._connection.commit()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


def test_a_turn_that_another_process_has_brought_in_meanwhile_is_not_brought_in_twice(
    lake: Lake, sheet: Sheet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a process stood still for so long that PostgreSQL took it for gone, and then goes on."""
    with lake.open() as store, lake.open("other") as other:

        def overtake() -> None:
            lake.run("psql", "-c", "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'", lake.name)
            assert Desk(other).add(sheet(2, -2)).new

        monkeypatch.setattr(store, "_lake", Late(store._lake, overtake))
        assert Desk(store).add(sheet(1, -1)).new
        monkeypatch.undo()
        assert Desk(store).add(sheet(3, -3)).new
        whole(other, 3)


def test_a_lake_reaches_its_own_folders_and_nothing_else(lake: Lake) -> None:
    outside = lake.folder / "outside.csv"
    outside.write_text("secret\n1\n")
    with lake.open() as store:
        for sql in (
            f"COPY (SELECT 1) TO '{outside}'",
            f"SELECT * FROM read_csv('{outside}')",
            f"ATTACH '{lake.folder}/more.duckdb' AS more",
            f"ATTACH '{lake.where}' AS more (TYPE postgres)",
            "SET enable_external_access = true",
        ):
            with pytest.raises(duckdb.Error):
                store.cursor().execute(sql).fetchall()
    assert outside.read_text() == "secret\n1\n"


def test_a_withdrawn_record_leaves_files_and_catalogue(lake: Lake, sheet: Sheet) -> None:
    filed, catalogued = (sheet(points, -points, players=[{"name": "Keahi"}, {"name": "Kimo"}]) for points in (1, 2))
    with lake.open() as store:
        ids = [Desk(store).add(raw).id for raw in (filed, sheet(3, -3))]
    files = f"SELECT canonical FROM read_parquet('{lake.data}/main/records/*.parquet')"
    assert len(duckdb.execute(files).fetchall()) == 2  # a store that is closed tidies up
    (file,) = Path(lake.data, "main", "records").iterdir()
    shutil.copy(file, file.with_name("ducklake-left.parquet"))  # as of a process that was killed before its commit
    with lake.open() as store:
        desk = Desk(store)
        for id in (ids[0], desk.add(catalogued).id):
            custody.withdraw(store, bytes.fromhex(id), now())
            assert desk.record(id) is None
            with pytest.raises(KeyError):
                custody.withdraw(store, bytes.fromhex(id), now())
        assert "Keahi" not in lake.run("pg_dump", lake.name)
        assert ["Keahi" in form for (form,) in duckdb.execute(files).fetchall()] == [False]
        assert not desk.add(filed).new
        whole(store, 1)


def test_accounts_are_the_same_for_all_processes(lake: Lake) -> None:
    with lake.open() as store, lake.open("other") as other:
        here, there = People(store), People(other)
        here.add("noelani", "player", "long enough")
        with pytest.raises(ValueError, match="there is an account"):
            there.add("noelani", "reader", "long enough")
        assert there.verify("noelani", "long enough") == here.account("noelani")
        cookie = there.sign_in("noelani")
        secret, token = here.add_token("noelani", "club", ["read"], 7)
        assert (here.by_session(cookie), there.by_token(secret)) == (there.by_session(cookie), here.by_token(secret))
        assert there.by_token(secret) is not None
        there.revoke(token.id)
        assert here.by_token(secret) is None
        there.change("noelani", disabled=True)
        assert here.by_session(cookie) is None


def away(lake: Lake) -> None:
    """The database answers nobody any more."""
    lake.run("psql", "-c", f"ALTER DATABASE {lake.name} ALLOW_CONNECTIONS false", "postgres")
    lake.run("psql", "-c", f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{lake.name}'", "postgres")


def back(lake: Lake) -> None:
    """It answers again."""
    lake.run("psql", "-c", f"ALTER DATABASE {lake.name} ALLOW_CONNECTIONS true", "postgres")


def test_a_database_that_is_gone_is_told_and_nothing_is_acknowledged(lake: Lake, sheet: Sheet) -> None:
    with lake.open() as store:
        desk = Desk(store)
        away(lake)
        with pytest.raises(StoreBroken, match="could not be written, and nothing was stored"):
            desk.add(sheet())
        with pytest.raises(StoreBroken, match="could not be read"):
            desk.count({})
        back(lake)
        assert desk.add(sheet()).new
        whole(store, 1)


def test_an_import_goes_on_when_the_database_is_back(lake: Lake, sheet: Sheet, monkeypatch: pytest.MonkeyPatch) -> None:
    submitted, asked = threading.Event(), threading.Event()
    following, take = Imports._next, Imports._take

    def see(some: Imports) -> Job | None:
        found = following(some)
        if found is None:
            asked.set()
        return found

    def cut_off(some: Imports, job: Job, taken: Taken) -> Job:
        monkeypatch.setattr(Imports, "_take", take)
        submitted.wait()
        away(lake)
        return take(some, job, taken)

    monkeypatch.setattr(imports, "AGAIN", 0.1)
    monkeypatch.setattr(Imports, "_next", see)
    monkeypatch.setattr(Imports, "_take", cut_off)
    with lake.open() as store, closing(Imports(Desk(store))) as some:
        job = some.submit(io.BytesIO(sheet() + b"\n" + sheet(2, -2)), "club.jsonl")
        while Imports._take is cut_off:
            time.sleep(0.01)
        asked.clear()
        submitted.set()
        assert asked.wait(30)
        back(lake)
        while (found := some.job(job.id)).state == "running":
            time.sleep(0.05)
        assert (found.state, found.stored) == ("done", 2)
        whole(store, 2)


def test_what_is_no_lake_of_ours_is_told(lake: Lake) -> None:
    with pytest.raises(StoreBroken, match="--lake-data names the folder"):
        LakeStore(lake.where, "", lake.folder / "here", memory_limit="256MB")
    lake.open().close()
    LakeStore(lake.where, "", lake.folder / "here", memory_limit="256MB").close()
    with pytest.raises(StoreBroken, match=f"has its files in {lake.data}, not in {lake.folder}/elsewhere"):
        LakeStore(lake.where, f"{lake.folder}/elsewhere", lake.folder / "here", memory_limit="256MB")
    away = Path(lake.data).rename(lake.folder / "away")
    with pytest.raises(StoreBroken, match=f"the lake's folder {lake.data} is not there"):
        lake.open()
    away.rename(lake.data)
    with lake.open(), pytest.raises(StoreBusy, match="open in this process"):
        lake.open()
    lake.run("psql", "-c", "INSERT INTO hanafu.migrations VALUES (999, 'later')", lake.name)
    with pytest.raises(StoreNewer):
        lake.open()
