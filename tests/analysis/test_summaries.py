"""What is counted at arrival says what the whole tables say."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from analysis import statistics, summaries
from analysis.simulate import simulate
from records.games import game
from records.record import Event, Record, replace
from records.rules.game import Rules, Sides
from service import earlier
from service.accounts import pseudonyms
from service.desk import Desk
from service.store import Store

from . import plain

TABLES: tuple[tuple[str, int, Sides | None, dict[str, Any]], ...] = (
    ("koi-koi", 2, None, {}),
    ("higobana", 2, None, {}),
    ("higobana", 4, ((0, 2), (1, 3)), {"team_pile": "shared"}),
    ("sakura", 4, ((0, 2), (1, 3)), {}),
    ("sakura", 3, None, {}),
    ("hon-bana", 3, None, {}),
    ("bakabana", 4, None, {"wild_from_draw": True}),
)
NAMES = ("Aya", "Ben", "Chika", "Duarte", "Emiko")
FILTERS = (
    ("true", ()),
    ("r.variant = ?", ("sakura",)),
    ("r.variant = ? AND r.verdict = ?", ("higobana", "unlawful")),
    ("r.number IN (SELECT record FROM shown_players WHERE lower(name) = ?) AND r.date >= ?", ("player c", "2026-03")),
)


def records(games: int) -> Iterator[tuple[Record, bytes]]:
    """Rounds of every game, many with faults, by few players, some under pseudonyms."""
    rng = random.Random(5)
    for number, (id, seats, sides, options) in enumerate(TABLES * games):
        rules = Rules(game(id), options, seats, sides)
        record = next(simulate(rules, rng, rounds=2, players=rng.sample(NAMES, seats), faults=0.4))
        yield replace(record, event=Event(date=f"2026-{number % 12 + 1:02}-01")), b"{}"


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store(tmp_path_factory.mktemp("summaries") / "store.duckdb") as store:
        desk = Desk(store)
        desk.add_read(list(records(4)))
        pseudonyms.give(store, "Chika", "Player C")
        yield store


@pytest.mark.parametrize("role", ["", *statistics.ROLES])
@pytest.mark.parametrize("name", plain.CHARTS)
def test_each_chart_says_what_the_whole_tables_say(filled: Store, name: str, role: str) -> None:
    for where, parameters in FILTERS:
        told = statistics.answer(filled.cursor(), name, where, parameters, "shown_results", role).rows
        expected = plain.answer(filled.cursor(), name, where, parameters, role)
        assert [_rounded(row) for row in told] == [_rounded(row) for row in expected], where


def test_no_chart_is_compared_over_nothing(filled: Store) -> None:
    empty = [name for name in plain.CHARTS if not plain.answer(filled.cursor(), name, "true", (), "")]
    assert empty == ["disputes"]  # of which there are none; no summary bears on them
    assert set(plain.CHARTS) == {name for name, chart in statistics.CHARTS.items() if not chart.sampled}
    sums = filled.read("SELECT sum(gifts) > 0, sum(misses) > 0, max(rivals), bool_or(rival_dealer), min(finish), max(finish) FROM results")
    assert sums == [(True, True, 3, True, 1, 4)]


def test_summaries_of_an_earlier_store_are_those_of_records_that_arrive(filled: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def rows() -> list[list[tuple[Any, ...]]]:
        return [filled.read(f"SELECT * FROM {table} ORDER BY ALL") for table in summaries.SUMMARIES]

    arrived = rows()
    cursor = filled.cursor()
    for table in summaries.SUMMARIES:
        cursor.execute(f"DELETE FROM {table}")
    monkeypatch.setattr(earlier, "A_SPAN", 5)
    earlier.complete(cursor)
    assert rows() == arrived
    earlier.complete(cursor)  # nothing is to be done
    assert rows() == arrived


def test_the_tables_are_as_they_are_described(filled: Store) -> None:
    for table, columns in summaries.SUMMARIES.items():
        there = filled.read("SELECT column_name FROM duckdb_columns() WHERE table_name = ? ORDER BY column_index", (table,))
        assert [name for (name,) in there] == list(columns)


def _rounded(row: tuple[Any, ...]) -> list[Any]:
    """Sums of floats differ in their last digits with the order in which they are made."""
    return [round(value, 6) + 0.0 if isinstance(value, float) else value for value in row]
