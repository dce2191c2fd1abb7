"""The rules as data, held against the specification's own tables."""

import pytest

from analysis.variants import describe, list_variants
from records.games import GAMES

IDS = [game.id for game in GAMES]


def test_every_game_is_listed_once() -> None:
    assert sorted(each["id"] for each in list_variants()) == ["bakabana", "higobana", "hon-bana", "koi-koi", "sakura"]


@pytest.mark.parametrize("id", IDS)
def test_every_finding_can_cite_what_is_told(id: str) -> None:
    told = describe(id)
    points = {point["id"] for point in told["rules"]}
    assert {option["rule"] for option in told["options"]} | {yaku["rule"] for yaku in told["yaku"]} <= points
    assert all(value["source"] for option in told["options"] for value in option["values"])
    assert all(option["default"] == option["values"][0]["value"] for option in told["options"])


@pytest.mark.parametrize(
    ("id", "rule", "total"), [("bakabana", "BK-10", 25), ("hon-bana", "HN-7", 300), ("higobana", "HG-8", 240), ("sakura", "HG-8", 240)]
)
def test_bk_10_hn_7_hg_8_card_points_come_to_what_the_rules_say(id: str, rule: str, total: int) -> None:
    assert sum(card["count"] * (card["value"] or 0) for card in describe(id)["cards"]) == total


@pytest.mark.parametrize(("id", "cards"), [("bakabana", 48), ("hon-bana", 45), ("higobana", 48), ("sakura", 48), ("koi-koi", 48)])
def test_hn_1_the_deck_has_as_many_cards_as_it_must(id: str, cards: int) -> None:
    assert sum(card["count"] for card in describe(id)["cards"]) == cards


def test_hg_1_the_deal_is_that_of_the_table() -> None:
    table = {deal["seats"]: (deal["hands"][0], deal["field"], deal["draw_pile"]) for deal in describe("higobana")["deals"]}
    assert table == {2: (8, 8, 24), 3: (7, 6, 21), 4: (5, 8, 20), 5: (4, 8, 20), 6: (3, 12, 18), 7: (3, 6, 21)}


def test_hg_2_teams_are_the_partitions_of_four_and_six() -> None:
    teams = describe("higobana")["teams"]
    assert teams["4"] == [[[1, 3], [2, 4]]]
    assert sorted(teams["6"]) == [[[1, 3, 5], [2, 4, 6]], [[1, 4], [2, 5], [3, 6]]]


def test_bk_2_kan_is_dealt_three() -> None:
    assert describe("bakabana")["deals"] == [{"seats": 4, "hands": [6, 6, 6, 3], "field": 9, "draw_pile": 18}]


def test_an_unknown_game_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        describe("whist")
