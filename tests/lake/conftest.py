"""A PostgreSQL of the tests' own, a lake in it, and servers of the lake.

These tests run in the environment of requirements.lock in this folder (`make test-lake`), where DuckDB is of the release for which its
lake can be had; elsewhere they are left out.
"""

import contextlib
import importlib.util
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from service.lake.store import LakeStore
from tests.lake.objects import BUCKET, Door, Objects, object_store
from tests.servers import servers
from tests.service.conftest import BrokenOff, Sheet, broken_off, sheet

__all__ = ["BrokenOff", "Sheet", "broken_off", "sheet"]

collect_ignore_glob = [] if importlib.util.find_spec("duckdb_extension_ducklake") else ["test_*.py"]


@dataclass(frozen=True, slots=True)
class Lake:
    """A database of its own, nothing in it yet, a folder, and a place for the lake's files."""

    name: str
    """Of the database."""
    where: str
    """As libpq reads it."""
    folder: Path
    run: Callable[..., str]
    """Runs one of PostgreSQL's programs on the database; what it printed."""
    data: str
    """For the lake's files."""

    @property
    def environ(self) -> dict[str, str]:
        """For commands that are to find the lake."""
        return os.environ | {
            "HANAFU_LAKE": self.where,
            "HANAFU_LAKE_DATA": self.data,
            "HANAFU_DB": str(self.folder / "store.duckdb"),
            "HOME": str(self.folder),
            "PYTHONUNBUFFERED": "1",
        }

    def open(self, name: str = "here", *, serving: bool = False) -> LakeStore:
        """The lake, in this process."""
        return LakeStore(self.where, self.data, self.folder / name, memory_limit="256MB", serving=serving)

    def hanafu(self, *arguments: str, status: int = 0) -> str:
        """A command; what it printed."""
        command = [sys.executable, "-m", "service.cli", *arguments]
        run = subprocess.run(command, env=self.environ, capture_output=True, text=True, check=False)
        assert run.returncode == status, run.stdout + run.stderr
        return run.stdout


@pytest.fixture(scope="session")
def postgres(requires: Callable[..., None]) -> Iterator[tuple[Path, int]]:
    """The folder of PostgreSQL's programs, and the port that a server of its own listens on."""
    requires("postgres")
    programs = Path(shutil.which("initdb") or max(Path("/usr/lib/postgresql").glob("*/bin/initdb"))).resolve().parent
    with socket.socket() as probe, tempfile.TemporaryDirectory(prefix="hanafu-", ignore_cleanup_errors=True) as folder:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        user = group = None
        if os.getuid() == 0:  # PostgreSQL does not run as root
            found = pwd.getpwnam("postgres")
            user, group = found.pw_uid, found.pw_gid
            os.chown(folder, user, group)
        data = f"{folder}/data"
        made = ["-D", data, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]
        subprocess.run([str(programs / "initdb"), *made], check=True, capture_output=True, cwd=folder, user=user, group=group)
        probe.close()
        settings = [f"port={port}", "listen_addresses=127.0.0.1", f"unix_socket_directories={folder}", "fsync=off"]
        arguments = [part for setting in settings for part in ("-c", setting)]
        with (Path(folder) / "log").open("wb") as log:
            command = [str(programs / "postgres"), "-D", data, *arguments]
            server = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder, user=user, group=group)
        try:
            ready = [str(programs / "pg_isready"), "-h", "127.0.0.1", "-p", str(port), "-q"]
            while subprocess.run(ready, check=False).returncode:
                assert server.poll() is None, (Path(folder) / "log").read_text()
            yield programs, port
        finally:
            server.send_signal(signal.SIGINT)  # waits for no connection that a test has left
            with contextlib.suppress(subprocess.TimeoutExpired):
                server.wait(10)
            server.kill()
            server.wait()


@pytest.fixture
def lake(postgres: tuple[Path, int], tmp_path: Path) -> Lake:
    programs, port = postgres
    name = re.sub(r"\W", "_", tmp_path.name)
    place = ["-h", "127.0.0.1", "-p", str(port), "-U", "postgres"]

    def run(program: str, *arguments: str) -> str:
        made = subprocess.run([programs / program, *place, *arguments], check=False, capture_output=True, text=True)
        assert made.returncode == 0, made.stderr
        return made.stdout

    run("createdb", name)
    return Lake(name, f"host=127.0.0.1 port={port} user=postgres dbname={name}", tmp_path, run, f"{tmp_path}/data")


@pytest.fixture(scope="session")
def object_server() -> Iterator[Objects]:
    with object_store() as store:
        yield store


@pytest.fixture
def objects(object_server: Objects, monkeypatch: pytest.MonkeyPatch) -> Iterator[Objects]:
    """The object store behind a door of the test's own. This process and those that it starts know how to reach it."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    door = Door(object_server.door.target)
    door.open()
    store = replace(object_server, door=door)
    for name, value in store.environ().items():
        monkeypatch.setenv(name, value)
    yield store
    door.shut()


@pytest.fixture
def bucket_lake(lake: Lake, objects: Objects) -> Lake:
    """A lake with its files in the object store."""
    return replace(lake, data=f"s3://{BUCKET}/{lake.name}")


Serve = Callable[..., "tuple[subprocess.Popen[str], str]"]
"""Starts a server of the lake with some more arguments: the process, and the address that it answers at."""


@pytest.fixture
def serve(lake: Lake) -> Iterator[Serve]:
    with servers(lake.folder / "server.log", lambda: lake.environ) as begin:
        yield begin
