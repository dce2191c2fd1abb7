"""The page on how to add a game: done as it says, in a copy of the packages, the new game is played, audited and described."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from records.games import GAMES

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "web" / "docs" / "adding-a-game.md"
Hanafu = Callable[..., "subprocess.CompletedProcess[str]"]


def blocks() -> list[str]:
    return re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture(scope="module")
def hanafu(tmp_path_factory: pytest.TempPathFactory) -> Hanafu:
    """The command in a copy of the packages that has the page's module and its line. Interpreted: the copy leaves compiled modules out."""
    tree = tmp_path_factory.mktemp("hanafu")
    for package in ("records", "analysis", "service", "web"):
        shutil.copytree(ROOT / package, tree / package, ignore=shutil.ignore_patterns("*.so", "__pycache__", "static"))
    module, line = blocks()
    (tree / "records/games/hana_awase.py").write_text(module, encoding="utf-8")
    games = tree / "records/games/__init__.py"
    text = games.read_text(encoding="utf-8")
    imported, listed = (part for part in line.split("\n") if part)
    text = re.sub(r"^GAMES: .*$", listed, text, flags=re.MULTILINE)
    games.write_text(text.replace("from records.rules.common", f"{imported}\nfrom records.rules.common", 1), encoding="utf-8")

    def run(*words: str, sent: str = "") -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "service.cli", *words]
        return subprocess.run(command, cwd=tree, input=sent, capture_output=True, text=True, check=False)

    return run


def reports(hanafu: Hanafu, sent: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in hanafu("audit", "--json", "-", sent=sent).stdout.splitlines()]


@pytest.fixture(scope="module")
def games(hanafu: Hanafu) -> str:
    made = hanafu("simulate", "--variant", "hana-awase", "--seats", "3", "--games", "20", "--rounds", "3", "--seed", "4")
    assert made.returncode == 0, made.stderr
    return made.stdout


def test_the_line_of_the_page_is_the_tuple_with_one_more() -> None:
    names = re.findall(r"[A-Z_]{3,}", blocks()[1].split("=", 1)[1])
    assert names[-1] == "HANA_AWASE"
    assert len(names) == len(GAMES) + 1


def test_ha_3_random_games_are_lawful_and_sum_to_zero(hanafu: Hanafu, games: str) -> None:
    found = reports(hanafu, games)
    assert [report["verdict"] for report in found] == ["confirmed"] * 20
    played = [round_ for report in found for round_ in report["rounds"] if round_["end"] == "played"]
    assert len(played) > 50
    for round_ in played:
        assert sum(round_["scores"]) == 0
        assert sum(entry["amount"] for entry in round_["ledger"]) == 0


def test_ha_2_what_nobody_leaves_behind_is_worth_264(hanafu: Hanafu, games: str) -> None:
    assert {sum(round_["points"]) for report in reports(hanafu, games) for round_ in report["rounds"] if round_["points"]} == {264}


def test_ha_1_the_option_changes_what_is_lawful(hanafu: Hanafu) -> None:
    """Four of a month on the field: a misdeal by default, play goes on under the other value."""
    record: dict[str, Any] = {
        "format": "hanafuda-record/1",
        "variant": "hana-awase",
        "players": [{"name": name} for name in ("Ai", "Bo", "Chi")],
        "rounds": [{"dealer": 1, "deal": {"field": "1B 1R 1C 1C 2A 3B"}, "actions": ["misdeal"]}],
    }
    house = record | {"options": {"four_on_field": "leave"}}
    by_default, by_house = reports(hanafu, json.dumps(record) + "\n" + json.dumps(house))
    assert by_default["verdict"] == "lawful"
    assert [finding["code"] for finding in by_house["rounds"][0]["findings"]] == ["misdeal-unfounded"]
    assert by_house["rounds"][0]["findings"][0]["rule"] == "HA-1"


def test_a_wrong_claim_is_found_in_the_new_game_too(hanafu: Hanafu, games: str) -> None:
    record = json.loads(games.splitlines()[0])
    played = next(number for number, round_ in enumerate(record["rounds"]) if round_["actions"] != ["misdeal"])
    record["rounds"][played]["claims"]["scores"][0] += 1
    (report,) = reports(hanafu, json.dumps(record))
    assert report["verdict"] == "disputed"
    assert report["rounds"][played]["findings"][0]["code"] == "claim-scores"
