"""The file of the store: opening, refusing, closing, and the one thread that writes."""

import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import duckdb
import pytest

from analysis.tables import COLUMNS
from service.errors import StoreBroken, StoreBusy, StoreError, StoreNewer
from service.store import Store, migrations


def _note(connection: duckdb.DuckDBPyConnection, names: Sequence[str]) -> list[int]:
    """A change to write: rows of the table of migrations, which is there in every store."""
    for name in names:
        connection.execute("INSERT INTO migrations (number, name) VALUES (0, ?)", [name])
        if name == "bad":
            raise ValueError("bad")
    return [len(names)] * len(names)


def _names(store: Store) -> set[str]:
    return {name for (name,) in store.read("SELECT name FROM migrations WHERE number = 0")}


def test_a_new_store_has_all_migrations_and_opens_again(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "store.duckdb"
    for _ in range(2):
        with Store(path) as store:
            assert store.read("SELECT number, name FROM migrations ORDER BY number") == [m[:2] for m in migrations()]


def test_the_tables_of_play_are_those_that_the_analysis_makes(store: Store) -> None:
    for table, columns in COLUMNS.items():
        there = store.read("SELECT column_name FROM duckdb_columns() WHERE table_name = ? ORDER BY column_index", (table,))
        assert [name for (name,) in there] == list(columns)


def test_migrations_are_numbered_without_gaps() -> None:
    assert [number for number, _, _ in migrations()] == list(range(1, len(migrations()) + 1))


def test_closing_leaves_no_log_behind(tmp_path: Path) -> None:
    path = tmp_path / "store.duckdb"
    with Store(path) as store:
        store.write(_note, "kept").result()
        assert path.with_name("store.duckdb.wal").exists()
    assert not path.with_name("store.duckdb.wal").exists()
    with Store(path) as store:
        assert _names(store) == {"kept"}


def test_nothing_can_be_asked_of_a_closed_store(tmp_path: Path) -> None:
    store = Store(tmp_path / "store.duckdb")
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.read("SELECT 1")
    with pytest.raises(StoreError, match="closed"):
        store.write(_note, "late")


def test_a_store_of_a_newer_version_is_refused_and_untouched(tmp_path: Path) -> None:
    path = tmp_path / "store.duckdb"
    with Store(path) as store:
        store.write(lambda c, items: [c.execute("INSERT INTO migrations (number, name) VALUES (99, 'later')")], None).result()
    before = path.read_bytes()
    with pytest.raises(StoreNewer, match="at step 99"):
        Store(path)
    assert path.read_bytes() == before


def test_a_second_process_is_refused_with_the_holder_named(store: Store) -> None:
    script = f"from pathlib import Path; from service.store import Store; Store(Path({str(store.path)!r}))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert run.returncode != 0
    assert f"is held by process {os.getpid()}" in run.stderr


def test_a_second_store_on_one_file_in_one_process_is_refused(store: Store) -> None:
    with pytest.raises(StoreBusy, match="already open"):
        Store(store.path)


def test_another_process_id_is_refused(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getpid", lambda: 1)
    with pytest.raises(StoreError, match="must not use it"):
        store.read("SELECT 1")
    monkeypatch.undo()


def test_what_is_no_store_is_refused_and_untouched(tmp_path: Path) -> None:
    noise = tmp_path / "noise"
    noise.write_bytes(b"not a database" * 1000)
    with pytest.raises(StoreBroken, match="not a valid DuckDB"):
        Store(noise)
    assert noise.read_bytes() == b"not a database" * 1000
    other = tmp_path / "other.duckdb"
    with duckdb.connect(str(other)) as connection:
        connection.execute("CREATE TABLE accounts (a INTEGER)")
    with pytest.raises(StoreBroken, match=r"not a store of this product \(it holds accounts\)"):
        Store(other)


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreBroken, match="cannot be made"):
        Store(tmp_path / "file" / "store.duckdb")
    with pytest.raises(StoreBroken, match=r"cannot be (opened|made)"):
        Store(Path("/proc/store.duckdb"))


@pytest.mark.parametrize(
    "sql",
    [
        "COPY migrations TO '{outside}/stolen.csv'",
        "ATTACH '{outside}/other.duckdb' AS other",
        "SELECT * FROM read_csv('{outside}/secret.csv')",
        "SET enable_external_access = true",
        "SET allowed_directories = ['/']",
        "INSTALL httpfs",
    ],
)
def test_sql_reaches_nothing_outside(store: Store, tmp_path: Path, sql: str) -> None:
    (tmp_path / "secret.csv").write_text("a\n1\n")
    with pytest.raises(duckdb.Error):
        store.read(sql.format(outside=tmp_path))
    assert not (tmp_path / "stolen.csv").exists()


def test_sql_may_write_to_the_scratch_folder(store: Store) -> None:
    store.read(f"COPY migrations TO '{store.scratch}/out.csv'")
    assert (store.scratch / "out.csv").read_text().startswith("number,name\n1,records\n")


def test_each_thread_reads_through_its_own_connection(store: Store) -> None:
    wrong: list[object] = []

    def ask(number: int) -> None:
        for _ in range(50):
            if store.read("SELECT ?::INTEGER FROM range(20)", (number,)) != [(number,)] * 20:
                wrong.append(number)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_changes_of_many_threads_are_all_there_and_a_faulty_one_harms_no_other(store: Store) -> None:
    futures = [store.write(_note, "bad" if number % 10 == 7 else f"n{number}") for number in range(100)]
    failed = [number for number, future in enumerate(futures) if future.exception()]
    assert failed == [number for number in range(100) if number % 10 == 7]
    assert _names(store) == {f"n{number}" for number in range(100) if number % 10 != 7}


def test_changes_that_wait_together_are_committed_together(store: Store) -> None:
    entered, go = threading.Event(), threading.Event()

    def hold(connection: duckdb.DuckDBPyConnection, items: Sequence[None]) -> list[None]:
        entered.set()
        go.wait(10)
        return [None] * len(items)

    first = store.write(hold, None)
    entered.wait(10)
    waiting = [store.write(_note, f"n{number}") for number in range(20)]
    go.set()
    first.result()
    assert [future.result() for future in waiting] == [20] * 20
