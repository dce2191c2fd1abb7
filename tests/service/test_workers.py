"""Work shared among processes and among the workers of a Dask cluster: the same results in the same order, and nothing left running."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner, Result

from analysis.simulate import simulate
from records.errors import ReadError
from records.formats import Document, documents, to_json
from records.formats.streams import BLOCK
from records.games import game
from records.rules.game import Rules
from service import workers
from service.batches import joined, packed, take, take_packed
from service.cli import main
from service.commands.audit_ import TOGETHER
from service.errors import WorkError
from service.jsons import dumps
from service.rows import CHILDREN
from service.store import Store
from service.workers import AHEAD, Crew, Workers
from tests.service.conftest import BrokenOff, Sheet

HANAFU = [sys.executable, "-m", "service.cli"]


@pytest.fixture
def many(sheet: Sheet, broken_off: BrokenOff) -> bytes:
    """Lines for several batches: right and wrong sheets, and here and there what cannot be read."""
    lines = []
    for number in range(1, 3 * TOGETHER):
        lines.append(sheet(number, -number) if number % 3 else sheet(number, 1 - number))
        if number % 150 == 0:
            lines += [broken_off(event={"name": f"evening {number}"}), b"{broken", b'{"format": "hanafuda-record/1"}']
    return b"\n".join(lines) + b"\n"


def _hanafu(*arguments: str | Path, input: bytes = b"") -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=input)


# -- results in order, and only so many on their way ----------------------------------------------------------------------


@dataclass
class _Lazy:
    """Promises that are worked off when they are waited for, as slowly as can be."""

    handed: list[int] = field(default_factory=list)

    def submit(self, work: Callable[[int], int], batch: int) -> Any:
        self.handed.append(batch)
        return _LazyPromise(partial(work, batch))


class _LazyPromise(NamedTuple):
    result: Callable[[], int]

    def done(self) -> bool:
        return False


def test_only_so_many_batches_are_on_their_way_and_they_come_back_in_order() -> None:
    lazy = _Lazy()
    crew = Workers(lazy.submit, 3)
    taken = 0
    for result in crew.each(lambda batch: batch * batch, iter(range(100))):
        assert result == taken * taken
        taken += 1
        assert len(lazy.handed) - taken < AHEAD * 3
    assert (taken, lazy.handed) == (100, list(range(100)))


def test_one_process_works_off_each_batch_before_it_takes_the_next() -> None:
    taken: list[int] = []

    def batches() -> Iterator[int]:
        for number in range(3):
            assert taken == list(range(number))
            yield number

    with Crew().start() as crew:
        for result in crew.each(int, batches()):
            taken.append(result)
    assert taken == [0, 1, 2]


def test_what_the_work_raises_stays_as_it_is_and_a_worker_that_ends_is_told() -> None:
    with Crew(2).start() as crew:
        assert list(crew.each(int, ["5", "3", "4"])) == [5, 3, 4]
        with pytest.raises(ValueError, match="invalid literal"):
            list(crew.each(int, ["5", "x"]))
        with pytest.raises(WorkError, match="a worker process ended"):
            list(crew.each(os._exit, [3]))


def test_what_is_too_large_for_shared_memory_goes_through_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "ROOM", 4096)
    with Crew(2).start() as crew:
        for _ in range(3):
            assert list(crew.each(len, [b"x" * 10, b"x" * 5000, b"x" * 100])) == [10, 5000, 100]
            assert list(crew.each(bytes, [10, 5000, 100])) == [bytes(10), bytes(5000), bytes(100)]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems share no memory with their workers")
def test_every_batch_finds_room_in_shared_memory_behind_those_that_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    put = workers._put

    def noted(*given: Any) -> bool:
        found.append(put(*given))
        return found[-1]

    monkeypatch.setattr(workers, "_put", noted)
    with Crew(2).start() as crew:
        for _ in range(3 * AHEAD):
            with pytest.raises(ValueError, match="invalid literal"):
                list(crew.each(int, ["x"]))
        assert list(crew.each(int, map(str, range(20)))) == list(range(20))
    assert found == [True] * (3 * AHEAD + 20)


# -- hanafu audit ---------------------------------------------------------------------------------------------------------


def test_audit_with_two_workers_says_the_same_in_the_same_order(many: bytes) -> None:
    alone = _hanafu("audit", "--json", "--no-explain", input=many)
    shared = _hanafu("audit", "--json", "--no-explain", "--workers", "2", input=many)
    assert (shared.exit_code, shared.stderr) == (2, alone.stderr)
    assert shared.stdout == alone.stdout
    totals = [json.loads(line)["totals"] for line in shared.stdout.splitlines()]
    assert totals[:3] == [[1, -1], [2, -2], [3, -2]]
    assert len(totals) == 3 * TOGETHER - 1 + 3
    assert len(shared.stderr.splitlines()) >= 6


def test_options_and_the_readable_form_are_the_same_too(tmp_path: Path, sheet: Sheet) -> None:
    (tmp_path / "a.json").write_bytes(sheet())
    (tmp_path / "b.csv").write_text("round,Leilani,Kimo\n1,3,-3\n")
    for options in ((), ("--options", "nonsense=1")):
        alone, shared = (
            _hanafu("audit", "--variant", "koi-koi", *options, *more, tmp_path / "a.json", tmp_path / "b.csv")
            for more in ((), ("--workers", "2"))
        )
        assert (shared.exit_code, shared.stdout, shared.stderr) == (alone.exit_code, alone.stdout, alone.stderr)
        assert shared.exit_code == (2 if options else 1)


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_ctrl_c_and_even_kill_9_leave_no_worker_behind(sheet: Sheet, tmp_path: Path, sent: signal.Signals) -> None:
    many = tmp_path / "many.jsonl"
    many.write_bytes((sheet() + b"\n") * 20 * TOGETHER)
    command = [*HANAFU, "audit", "--json", "--workers", "2", str(many)]
    kept = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has what it runs in the background ignore it
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    finally:
        signal.signal(signal.SIGINT, kept)
    with process:
        assert process.stdout
        assert json.loads(process.stdout.readline())["verdict"] == "incomplete"
        group = _group(process.pid)
        assert len(group) >= 3
        # A terminal sends Ctrl-C to all of them.
        os.killpg(process.pid, sent) if sent == signal.SIGINT else process.kill()
        _, errors = process.communicate()
        _until(lambda: not _group(process.pid))
    if sent == signal.SIGINT:
        assert (process.returncode, errors) == (1, b"\nAborted!\n")


def _group(leader: int) -> list[int]:
    """The processes of a session that are still running."""
    listed = subprocess.run(["ps", "-o", "pid=,stat=", "--sid", str(leader)], capture_output=True, text=True, check=False).stdout
    return [int(pid) for pid, state in map(str.split, listed.splitlines()) if not state.startswith("Z")]


def _until(reached: Callable[[], bool]) -> None:
    for _ in range(1200):
        if reached():
            return
        time.sleep(0.05)
    raise AssertionError("it does not come to that")


# -- hanafu import --------------------------------------------------------------------------------------------------------


def _stored(db: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every table of records, but for the time of arrival."""
    with Store(db) as store:
        columns = "* EXCLUDE (sent_at)"
        kept = {"records": store.read(f"SELECT {columns} FROM records ORDER BY number")}
        return kept | {table: store.read(f"SELECT * FROM {table} ORDER BY ALL") for table in CHILDREN}


@pytest.fixture
def played(many: bytes) -> bytes:
    """Lines for several batches, some of them with play and faults in it."""
    made = simulate(Rules(game("higobana"), {}, 3, None), Random(3), rounds=2, faults=0.4)
    games = [dumps(to_json(next(made))) for _ in range(40)]
    return b"\n".join([*games[:20], many, *games[20:], games[0]]) + b"\n"


def test_import_with_two_workers_stores_the_same_in_the_same_order(played: bytes, tmp_path: Path) -> None:
    alone = _hanafu("import", "--db", tmp_path / "alone.duckdb", input=played)
    shared = _hanafu("import", "--db", tmp_path / "shared.duckdb", "--workers", "2", input=played)
    assert (shared.exit_code, shared.stdout, shared.stderr) == (2, alone.stdout, alone.stderr)
    assert shared.stdout == f"{40 + 3 * TOGETHER - 1 + 3} stored, 1 known, 6 rejected\n"
    ours, theirs = _stored(tmp_path / "shared.duckdb"), _stored(tmp_path / "alone.duckdb")
    for table, rows in theirs.items():
        assert ours[table] == rows, table
    for table in ("records", "reports", "players", "rounds", "seats", "actions", "yaku", "findings"):
        assert ours[table], table


def test_documents_arrive_at_a_worker_as_they_were() -> None:
    cut = ReadError("bad-archive", "The entry is damaged.", "/x", 3, 4, "é", expected="a record", meant="b")
    sent = [Document("a.zip/1.json", b"{}", 7), Document("b.csv", b"round,A,B", sheet=True), Document("c", b"", errors=[cut])]
    sent_at = datetime(2026, 11, 29, 12, 0)
    taken = take(sent, sent_at)
    assert [reject.position for reject in taken.rejects] == ["a.zip/1.json", "b.csv", "c"]
    assert take_packed((packed(sent), sent_at)) == taken


def test_batches_put_together_are_what_one_batch_of_all_would_be(played: bytes) -> None:
    found = list(documents(io.BytesIO(played)))
    sent_at = datetime(2026, 11, 29, 12, 0)
    whole = take(found, sent_at)
    parts = [take(found[first : first + 90], sent_at) for first in range(0, len(found), 90)]
    [joint] = joined(iter(parts))
    assert (joint.size, joint.rejects) == (whole.size, whole.rejects)
    assert [found[reject.place].position for reject in whole.rejects] == [reject.position for reject in whole.rejects]
    assert joint.batch is not None and whole.batch is not None and joint.batch.size == whole.batch.size
    for ours, theirs in zip(
        (joint.batch.records, *joint.batch.children.values()), (whole.batch.records, *whole.batch.children.values()), strict=True
    ):
        assert list(ours) == list(theirs)
        for name, column in theirs.items():
            assert ours[name].tolist() == column.tolist(), name


def test_a_column_in_which_nothing_stands_says_so_also_put_together(sheet: Sheet) -> None:
    """What DuckDB before 2.0 asks of a column of which all that it has seen is None."""
    found = list(documents(io.BytesIO(b"\n".join(sheet(number, -number) for number in range(1, 5)))))
    [joint] = joined(take(found[first : first + 2], datetime(2026, 11, 29)) for first in (0, 2))
    assert joint.batch is not None
    site: Any = joint.batch.records["site"]
    date: Any = joint.batch.records["date"]
    assert (site.tolist(), site.first_valid_index()) == ([None] * 4, None)
    assert (date.tolist(), date.first_valid_index()) == (["2026-11-24"] * 4, 0)


def test_a_server_takes_records_in_by_itself(sheet: Sheet) -> None:
    run = _hanafu("import", "--server", "http://127.0.0.1:9", "--workers", "2", input=sheet())
    assert run.exit_code == 2
    assert "takes the records in by itself: leave --workers and --dask out" in run.stderr


# -- Dask -----------------------------------------------------------------------------------------------------------------


class Cluster(NamedTuple):
    """A scheduler's address, and its two workers."""

    address: str
    workers: list[subprocess.Popen[bytes]]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """On 127.0.0.1, each a process of its own."""
    note = tmp_path / "scheduler.json"
    common = ["--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0", "--scheduler-file", str(note)]
    environ = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    started: list[subprocess.Popen[bytes]] = []

    def start(what: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *common, *arguments]
        with (tmp_path / "dask.log").open("ab") as log:
            started.append(subprocess.Popen(command, stdout=log, stderr=log, env=environ))
        return started[-1]

    try:
        start("scheduler", "--port", "0")
        _until(note.is_file)
        found = [start("worker", "--no-nanny", "--nthreads", "1", "--local-directory", str(tmp_path / name)) for name in ("a", "b")]
        address = json.loads(note.read_text())["address"]
        from distributed import Client

        with Client(address, set_as_default=False) as client:  # type: ignore[no-untyped-call]  # it says no types
            client.wait_for_workers(2, timeout=60)
        yield Cluster(address, found)
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()


@pytest.mark.slow
@pytest.mark.requires("dask")
def test_import_on_a_cluster_of_which_a_worker_is_killed_stores_the_same(
    cluster: Cluster, played: bytes, sheet: Sheet, tmp_path: Path
) -> None:
    played += b"\n".join(sheet(number, -number) for number in range(10_000, 15_000))
    alone = _hanafu("import", "--db", tmp_path / "alone.duckdb", input=played)
    command = [*HANAFU, "import", "--db", str(tmp_path / "shared.duckdb"), "--dask", cluster.address]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin
        # It reads BLOCK bytes at a time: when half of this is gone, batches are on their way, and the rest is still to come.
        half = len(played) // 2
        assert half > 2 * BLOCK
        process.stdin.write(played[:half])
        process.stdin.flush()
        cluster.workers[0].kill()
        output, errors = process.communicate(played[half:])
    assert (process.returncode, output, errors) == (2, alone.stdout_bytes, alone.stderr_bytes)
    assert _stored(tmp_path / "shared.duckdb") == _stored(tmp_path / "alone.duckdb")


@pytest.mark.slow
@pytest.mark.requires("dask")
def test_audit_on_a_cluster_of_which_a_worker_is_killed_says_the_same(cluster: Cluster, many: bytes, tmp_path: Path) -> None:
    sent = tmp_path / "many.jsonl"
    sent.write_bytes(many * 4)
    alone = _hanafu("audit", "--json", "--no-explain", sent)
    command = [*HANAFU, "audit", "--json", "--no-explain", "--dask", cluster.address, str(sent)]
    with (tmp_path / "errors").open("wb") as errors, subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors) as process:
        assert process.stdout
        # More is to come than may be on its way and lie in the pipe, so this is in the middle.
        first = process.stdout.readline()
        cluster.workers[0].kill()
        rest = process.stdout.read()
    assert process.returncode == alone.exit_code == 2
    assert first + rest == alone.stdout_bytes
    assert (tmp_path / "errors").read_bytes() == alone.stderr_bytes


@pytest.mark.requires("dask")
def test_a_cluster_that_cannot_be_had_is_told(monkeypatch: pytest.MonkeyPatch, sheet: Sheet) -> None:
    monkeypatch.setattr(workers, "PATIENCE", 1)
    run = _hanafu("audit", "--dask", "tcp://127.0.0.1:9", input=sheet())
    assert (run.exit_code, run.stdout) == (1, "")
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in run.stderr


def test_dask_that_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch, sheet: Sheet) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    run = _hanafu("audit", "--dask", "tcp://127.0.0.1:8786", input=sheet())
    assert (run.exit_code, run.stdout) == (1, "")
    assert "--dask needs the extra [dask], which is not installed here: pip install 'hanafu[dask]'" in run.stderr


def test_workers_and_dask_together_are_refused(sheet: Sheet) -> None:
    run = _hanafu("audit", "--workers", "2", "--dask", "tcp://127.0.0.1:8786", input=sheet())
    assert run.exit_code == 2
    assert "give one of them" in run.stderr
