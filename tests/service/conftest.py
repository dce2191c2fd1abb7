"""A store, a desk, an application and a client of it; and small records to send."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.app import create_app
from service.config import Settings
from service.desk import Desk
from service.imports import Imports
from service.store import Store
from tests.servers import servers

Start = Callable[..., "tuple[subprocess.Popen[str], str]"]
"""Serves a store's file with some more arguments: the process, and the address that it answers at."""


class Sheet(Protocol):
    """Makes the score sheet of one koi-koi round as JSON; players and whatever else is given differ from the usual."""

    def __call__(self, *scores: int, **changes: Any) -> bytes: ...


@pytest.fixture
def sheet() -> Sheet:
    """Two players, scores 4 and -4 where none are given, totals that are their sum."""

    def make(*scores: int, **changes: Any) -> bytes:
        points = list(scores) or [4, -4]
        record = {
            "format": "hanafuda-record/1",
            "variant": "koi-koi",
            "event": {"name": "Tuesday table", "date": "2026-11-24"},
            "players": [{"name": "Leilani"}, {"name": "Kimo"}],
            "rounds": [{"dealer": 1, "claims": {"scores": points}}],
            "claims": {"totals": points},
        }
        return json.dumps(record | changes).encode()

    return make


class BrokenOff(Protocol):
    """Makes the record of a koi-koi round that was broken off, as JSON; nothing is claimed of it, so it is lawful."""

    def __call__(self, **changes: Any) -> bytes: ...


@pytest.fixture
def broken_off(sheet: Sheet) -> BrokenOff:
    """As `sheet`, without scores."""

    def make(**changes: Any) -> bytes:
        return sheet(**{"rounds": [{"dealer": 1, "actions": ["abandoned"]}], "claims": {}} | changes)

    return make


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a store with nothing in it, made once."""
    path = tmp_path_factory.mktemp("empty") / "store.duckdb"
    Store(path).close()
    return path


@pytest.fixture
def store(tmp_path: Path, empty_store: Path) -> Iterator[Store]:
    with Store(Path(shutil.copy(empty_store, tmp_path / "store.duckdb"))) as opened:
        yield opened


@pytest.fixture
def desk(store: Store) -> Desk:
    return Desk(store)


@pytest.fixture
def imports(desk: Desk) -> Iterator[Imports]:
    with closing(Imports(desk)) as running:
        yield running


@pytest.fixture
def app(desk: Desk, imports: Imports) -> Flask:
    return create_app(Settings(max_record=100_000), desk, imports)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts servers on free ports; gives the process and its address. They are stopped behind the test."""
    with servers(tmp_path / "server.log", lambda: os.environ | {"HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"}) as begin:
        yield lambda db, *arguments: begin("--db", str(db), *arguments)
