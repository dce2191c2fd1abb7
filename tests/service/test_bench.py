"""``hanafu bench``: what it prints, and what it says where a library is missing. No time is asserted."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from service.bench import engine, rivals, table
from service.cli import main
from service.compile import CLONE

SHORT = ["bench", "engine", "--passes", "2", "--rounds", "8"]


def test_engine_measures_our_ways_and_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(rivals, "import_module", missing)
    done = CliRunner().invoke(main, [*SHORT, "--json"])
    assert done.exit_code == 0, done.output
    result = json.loads(done.stdout)
    assert result["engine"] in ("compiled", "interpreted")
    assert [way["name"] for way in result["ways"]] == [
        f"{variant}, {way}" for variant in engine.GAMES for way in ("text → verdict", "JSON → verdict", "JSON, orjson.loads")
    ]
    assert all(way["per_second"] > 0 and way["passes"] == 2 for way in result["ways"])
    assert [ratio["name"] for ratio in result["ratios"]] == [f"{variant}, JSON : orjson.loads" for variant in engine.GAMES]
    assert len(result["notes"]) == 2
    assert all("pip install 'hanafu[bench]'" in word for word in result["notes"])


@pytest.mark.requires("bench")
def test_engine_prints_the_ratios_to_other_libraries() -> None:
    done = CliRunner().invoke(main, SHORT)
    assert done.exit_code == 0, done.output
    for variant in engine.GAMES:
        for rival in ("python-chess", "PokerKit"):
            assert f"{variant}, text : {rival}" in done.stdout


def test_card_plays_of_an_action_are_counted() -> None:
    # 3Bx3C 8Bx8C, - 8B, 2: #5 8A, 4A 1R koi, misdeal: 2, 1, 1, 2 and 0 cards
    actions = [bytes((8, 1, 10, 28, 1, 30)), bytes((64, 28, 0)), bytes((98, 85, 29, 0)), bytes((12, 0, 1, 0, 66)), bytes((70,))]
    assert [engine._plays(action) for action in actions] == [2, 1, 1, 2, 0]


def test_a_ratio_is_the_median_of_runs_that_stood_side_by_side() -> None:
    ours = table.Way("ours", "card plays", 1, lambda: None, times=[1.0, 2.0, 10.0])
    theirs = table.Way("theirs", "plies", 1, lambda: None, times=[3.0, 8.0, 20.0])
    assert table.times_faster(ours, theirs) == 3.0


def test_the_page_on_speed_names_the_command() -> None:
    page = (Path(CLONE) / "web" / "docs" / "speed.md").read_text()
    assert "hanafu bench engine" in page
    for variant in engine.GAMES:
        assert variant in page
