"""The 201 real games of koi-koi: confirmed as they are, and a card, a call or a score that is changed in any of them is found."""

import copy
import json
import random
import zipfile
from pathlib import Path
from typing import Any

import pytest

from analysis.audit import audit
from records.formats import read_record

Json = dict[str, Any]

GAMES = 201
BROKEN_OFF = 201
RANKS = ["BRCC", "ARCC", "BRCC", "ARCC", "ARCC", "ARCC", "ARCC", "BACC", "ARCC", "ARCC", "BARC", "BCCC"]
"""By month, the kinds of its four cards: two of one kind are the same to every rule."""


@pytest.fixture(scope="module")
def logs(shared: Path) -> list[Json]:
    """The logs by their number, from 1."""
    with zipfile.ZipFile(shared / "data" / "koi-koi" / "records.zip") as packed:
        return [json.loads(packed.read(f"gamerecords_dataset/{number}.json")) for number in range(1, GAMES + 1)]


def test_the_real_games_are_confirmed_with_their_totals(logs: list[Json]) -> None:
    rounds = 0
    for number, log in enumerate(logs, start=1):
        told = audit(read_record(log))
        if number == BROKEN_OFF:
            assert (told["verdict"], told["totals"]) == ("lawful", None)
            continue
        assert told["verdict"] == "confirmed", number
        assert told["totals"] == [log["result"][f"player{seat}EndPts"] for seat in (1, 2)]
        rounds += len(told["rounds"])
    assert rounds == 1579


@pytest.mark.parametrize("kind", ["card", "call", "score", "total"])
def test_one_change_in_any_real_game_is_found_with_its_round_action_and_rule(logs: list[Json], kind: str) -> None:
    """Each game is changed in one way: a quarter of them in each of the four."""
    for number, log in enumerate(logs[:-1]):
        if number % 4 != ["card", "call", "score", "total"].index(kind):
            continue
        chance = random.Random(number)
        changed = copy.deepcopy(log)
        round_ = chance.randrange(len(log["record"])) + 1
        where: int | None = round_
        actions: set[int | None] = {None}
        part = changed["record"][f"round{round_}"]
        turns = range(1, len(part))  # `basic` is no turn
        if kind == "card":
            turn = chance.choice(turns)
            change_card(part[f"turn{turn}"], chance)
            actions = {turn}
        elif kind == "call":
            turn = chance.choice([turn for turn in turns if part[f"turn{turn}"]["isKoiKoi"] is not None] or [0])
            if not turn:
                continue  # an exhausted round in which nothing was to be called
            part[f"turn{turn}"]["isKoiKoi"] ^= True
            # stopped where it went on: there are turns after the end; gone on where it stopped: the turns that follow are missing
            actions = {turn, turn + 1, None}
        elif kind == "score":
            part["basic"]["player1RoundPts"] += chance.choice((-1, 1, 5))
        else:
            changed["result"]["player2EndPts"] -= 1
            where = None
        told = audit(read_record(changed))
        findings = told["findings"] if where is None else told["rounds"][where - 1]["findings"]
        assert findings, (number, where, actions)
        assert (findings[0]["round"], findings[0]["action"] in actions, bool(findings[0]["rule"])) == (where, True, True), findings[0]


def change_card(turn: Json, chance: random.Random) -> None:
    """Another card in place of one that was played, turned up or taken."""
    places: list[tuple[Any, Any]] = [(turn, key) for key in ("discardCard", "drawCard")]
    places += [(turn[key], place) for key in ("collectCard", "collectCard2") for place in range(len(turn[key]))]
    holder, place = chance.choice(places)
    month, rank = holder[place]
    others = [[m, r] for m in range(1, 13) for r in range(1, 5) if m != month or RANKS[m - 1][r - 1] != RANKS[month - 1][rank - 1]]
    holder[place] = chance.choice(others)
