"""What `make bench` measures: the ways from a sent log to a verdict, over the 201 real games in ../shared.

No time is asserted anywhere: the table is for people. pytest does not collect this file by itself.
"""

from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from analysis.audit import audit
from records.engine import rules_of, verify
from records.formats import read_many, read_record, to_json, to_text
from records.record import Record
from records.replay import replay


@pytest.fixture(scope="module")
def games(shared: Path) -> list[Record]:
    """The real games of koi-koi, read."""
    return [item.record for item in read_many(shared / "data" / "koi-koi" / "records.zip") if item.record is not None]


def test_read_logs(benchmark: BenchmarkFixture, shared: Path) -> None:
    """Logs of another program in a zip file → records."""
    benchmark(lambda: list(read_many(shared / "data" / "koi-koi" / "records.zip")))


def test_read_text(benchmark: BenchmarkFixture, games: list[Record]) -> None:
    """The text form → records."""
    texts = [to_text(game) for game in games]
    benchmark(lambda: [read_record(text) for text in texts])


def test_read_json(benchmark: BenchmarkFixture, games: list[Record]) -> None:
    """JSON, decoded → records."""
    sent = [to_json(game) for game in games]
    benchmark(lambda: [read_record(value) for value in sent])


def test_verify(benchmark: BenchmarkFixture, games: list[Record]) -> None:
    """Records → outcomes, no events told."""
    benchmark(lambda: [verify(rules_of(game), round_) for game in games for round_ in game.rounds])


def test_replay(benchmark: BenchmarkFixture, games: list[Record]) -> None:
    """Records → every step and event."""
    benchmark(lambda: sum(1 for game in games for round_ in game.rounds for _ in replay(rules_of(game), round_)))


def test_audit(benchmark: BenchmarkFixture, games: list[Record]) -> None:
    """Records → reports."""
    benchmark(lambda: [audit(game) for game in games])
