"""What every game must have: each of its yaku is made and paid in a round that is played, and every scenario of its tables comes about.

The rest stands beside what it is about and fails for a game without: a playthrough in `test_playthroughs.py`, counted sequences in
`test_perft.py`, a source for every value of an option in `games/test_games.py`.
"""

from random import Random

import pytest

from analysis.audit import audit
from analysis.scenarios import OneYaku, scenarios
from analysis.simulate import Simulator, claims_of
from records.games import GAMES
from records.rules.game import Game, OptionValue, Rules, Sides, YakuRule

YAKU = [(game, rule) for game in GAMES for rule in game.yaku]
TABLES: list[tuple[str, int, Sides | None, dict[str, OptionValue]]] = [
    ("bakabana", 4, None, {}),
    ("bakabana", 4, None, {"wild_from_draw": True, "four_on_field": "dealer_takes", "paulownia_chaff": 0.5}),
    ("hon-bana", 3, None, {}),
    ("higobana", 2, None, {"jokers": "system_1", "hiki": True}),
    ("higobana", 4, ((0, 2), (1, 3)), {"jokers": "system_2", "gaji_rest": "claim", "wild_from_draw": True}),
    ("sakura", 2, None, {"hand_two": 10}),
    ("sakura", 3, None, {"hiki": True}),
    ("koi-koi", 2, None, {}),
    ("koi-koi", 2, None, {"exhausted": "none", "four_dealt": "play"}),
]
"""Tables whose scenarios are brought about."""


@pytest.mark.parametrize(("game", "rule"), YAKU, ids=[f"{game.id}-{rule.id}" for game, rule in YAKU])
@pytest.mark.parametrize("fewest", [True, False], ids=["fewest seats", "most seats"])
def test_a_yaku_is_paid_in_a_round_that_is_played(game: Game, rule: YakuRule, fewest: bool) -> None:
    rules = Rules(game, {}, game.seats[0 if fewest else -1], None)
    simulator = Simulator(rules, Random(7), tuple(f"P{seat}" for seat in range(rules.seats)))
    made = simulator.wanted(0, OneYaku(rule))
    assert not made.outcome.table.faults
    assert made.outcome.settlement is not None
    claimed = claims_of(made.outcome.settlement).yaku
    assert claimed is not None and any(rule.id in ids for ids in claimed)


@pytest.mark.parametrize(("id", "seats", "sides", "options"), TABLES, ids=[f"{id} {seats} {options}" for id, seats, _, options in TABLES])
def test_every_scenario_of_a_table_comes_about_and_is_confirmed(
    id: str, seats: int, sides: Sides | None, options: dict[str, OptionValue]
) -> None:
    rules = Rules(next(game for game in GAMES if game.id == id), options, seats, sides)
    simulator = Simulator(rules, Random(11), tuple(f"P{seat}" for seat in range(seats)))
    for name, make in scenarios(rules).items():
        record = simulator.record(make())
        assert audit(record)["verdict"] == "confirmed", name
