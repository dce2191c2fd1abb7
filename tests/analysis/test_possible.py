"""AU-2: piles, the facts beside them, and every score that they leave possible."""

from typing import Any

import pytest

from tests.analysis.sheets import codes, one

# Bakabana, dealer seat 1, Kan seat 4. Card points without the Lightning: 10, 9, 3 and 3 (BK-10); the rest of the deck is chaff.
LIGHTNING = "11C"
BAKABANA = [
    f"1B 8B 3B 1R 2R {LIGHTNING} 1C 1C 2C 2C",  # 3 + 3 + 2 + 1 + 1 = 10, and the Great Yaku
    "12B 3R 4R 6R 9R 10R 5R 7R 3C 3C 4C 4C",  # 2 + 7 = 9, blue and red ribbons
    "2A 4A 5A 6A 7A 8A 5C 5C 6C 6C 7C 7C",  # 3
    "11R 9A 10A 11A 11B 8C 8C 9C 9C 10C 10C 12C 12C 12C",  # 1 + 2 = 3
]

# Hon-bana, 45 cards: seat 2 has Four Brights, seat 3 Imperial Messenger.
HON = [
    "2A 2R 2C 2C 4A 4R 4C 4C 5A 5R 5C 5C 6A 6C 6C",
    "1B 1R 1C 1C 3B 3R 3C 3C 8B 8A 8C 8C 12B 7A 7R",
    "6R 7C 7C 9A 9R 9C 9C 10A 10R 10C 10C 11B 11A 11R 11C",
]


def scores(told: dict[str, Any]) -> list[list[int]]:
    return sorted(possible["scores"] for possible in told["possible"])


def test_au_2_bk_11_the_lightning_said_to_be_plain_leaves_one_score() -> None:
    told = one("bakabana", {"dealer": 1, "piles": BAKABANA, "lightning": "plain"})
    assert (told["level"], told["verdict"], told["points"], told["possible"]) == ("piles", "lawful", [10, 9, 3, 3], [])


def test_au_2_bk_11_the_lightning_is_worth_what_it_is_said_to_have_taken() -> None:
    assert one("bakabana", {"dealer": 1, "piles": BAKABANA, "lightning": "8B"})["points"] == [13, 9, 3, 3]


def test_au_2_bk_11_without_a_word_it_may_have_taken_any_card_of_another_month_in_its_pile() -> None:
    told = one("bakabana", {"dealer": 1, "piles": BAKABANA, "claims": {"points": [10, 9, 3, 3]}})
    by_points = {possible["points"][0]: possible["args"]["any"] for possible in told["possible"]}
    assert by_points == {
        10: [{"lightning": ["plain", "1C", "2C"]}],
        11: [{"lightning": ["1R", "2R"]}],
        12: [{"lightning": ["3B"]}],
        13: [{"lightning": ["1B", "8B"]}],
    }
    assert (told["verdict"], told["points"], told["scores"], told["yaku"], told["winner"]) == ("incomplete", None, None, None, None)
    assert told["next_dealer"] == 2  # in every case


def test_au_2_where_no_outcome_agrees_there_is_one_finding_for_the_round() -> None:
    claims = {"points": [9, 9, 3, 3], "scores": [0, 0, 0, 0]}
    told = one("bakabana", {"dealer": 1, "piles": BAKABANA, "claims": claims})
    (finding,) = told["findings"]
    assert (finding["code"], finding["actual"], finding["pointer"]) == ("claim-scores", [0, 0, 0, 0], "/rounds/0/claims/scores")
    assert sorted(finding["expected"]) == scores(told)
    assert told["verdict"] == "disputed"


def test_au_2_without_claimed_scores_the_finding_is_about_yaku_then_points() -> None:
    told = one("bakabana", {"dealer": 1, "piles": BAKABANA, "claims": {"points": [10, 9, 3, 3], "yaku": [[], [], [], []]}})
    assert codes(told) == [("claim-yaku", None)]
    told = one("bakabana", {"dealer": 1, "piles": BAKABANA, "claims": {"points": [9, 9, 3, 3]}})
    assert codes(told) == [("claim-points", None)]


def test_au_2_all_outcomes_right_is_confirmed() -> None:
    claims = {"yaku": [["oyaku"], ["akatan", "aotan"], [], []]}
    told = one("bakabana", {"dealer": 1, "piles": BAKABANA, "claims": claims})
    assert (told["verdict"], told["scores"], len(told["possible"])) == ("confirmed", None, 4)


@pytest.mark.parametrize("fact", ["12B", "11R"])
def test_au_2_the_lightning_cannot_have_taken_a_card_that_is_not_with_it_or_of_its_month(fact: str) -> None:
    told = one("bakabana", {"dealer": 1, "piles": BAKABANA, "lightning": fact, "claims": {"scores": [1, 1, 1, 1]}})
    assert codes(told) == [("piles-contradict", None)]
    assert (told["findings"][0]["pointer"], told["verdict"], told["scores"]) == ("/rounds/0/lightning", "disputed", None)


@pytest.mark.parametrize(("variant", "piles"), [("bakabana", BAKABANA), ("hon-bana", HON)])
def test_au_2_a_card_that_is_missing_leaves_the_round_incomplete(variant: str, piles: list[str]) -> None:
    lacking = [piles[0].rsplit(" ", 1)[0], *piles[1:]]
    told = one(variant, {"dealer": 1, "piles": lacking, "claims": {"scores": [0] * len(piles)}})
    assert (told["verdict"], told["scores"], told["findings"], told["possible"]) == ("incomplete", None, [], [])


def test_au_2_hn_4_four_of_a_month_that_nobody_took_may_be_missing() -> None:
    piles = [HON[0].replace("4A 4R 4C 4C ", ""), *HON[1:]]
    assert one("hon-bana", {"dealer": 1, "piles": piles}, options={"four_on_field": "leave"})["possible"] != []
    assert one("hon-bana", {"dealer": 1, "piles": piles})["possible"] == []


def test_au_2_piles_with_a_card_twice_contradict_each_other() -> None:
    told = one("sakura", {"dealer": 1, "piles": ["1B 2A", "1B"], "claims": {"points": [25, 20]}})
    assert (codes(told), told["findings"][0]["args"], told["points"]) == ([("piles-contradict", None)], {"card": "1B"}, None)
    assert codes(one("sakura", {"dealer": 1, "piles": ["7C 7C", "7C"]})) == [("piles-contradict", None)]


def test_au_2_cards_worth_nothing_may_be_left_out_of_higobana_piles() -> None:
    told = one("higobana", {"dealer": 1, "piles": ["1B 2A 1R", "3B"], "claims": {"points": [35, 20], "scores": [35, 20]}})
    assert told["verdict"] == "confirmed"


def test_au_2_hn_10_each_of_two_great_yaku_may_have_been_first() -> None:
    told = one("hon-bana", {"dealer": 1, "piles": HON})
    assert sorted(possible["args"]["any"][0]["first_great"] for possible in told["possible"]) == [["chokushi"], ["shiko"]]
    assert told["verdict"] == "incomplete"
    said = one("hon-bana", {"dealer": 1, "piles": HON, "first_great": "shiko"})
    assert [made["id"] for made in said["yaku"][2] if not made["negated"]] == []
    assert "shiko" in [made["id"] for made in said["yaku"][1] if not made["negated"]]


def test_au_2_hn_10_a_great_yaku_that_nobody_made_cannot_have_been_first() -> None:
    piles = [HON[0] + " 6R", HON[1], HON[2].removeprefix("6R ")]
    assert codes(one("hon-bana", {"dealer": 1, "piles": piles, "first_great": "chokushi"})) == [("piles-contradict", None)]


def test_au_2_kk_3_who_stopped_and_after_how_many_calls() -> None:
    told = one("koi-koi", {"dealer": 1, "piles": ["3B 8B 1B", "1C"]})  # Three Brights, 5; the other has nothing
    # nobody: the dealer gets 1. Seat 1: 5, with 1 to 3 calls 6, 7, 8, with 4 to 7 calls 10, 15, 20, 25 (KK-5).
    assert scores(told) == [[value, -value] for value in (1, 5, 6, 7, 8, 10, 15, 20, 25)]
    assert told["possible"][0]["if"] == "nobody stopped"
    assert told["possible"][2]["if"] == "seat 1 stopped after 1 koi-koi call"


def test_au_2_kk_5_the_other_may_have_called_where_that_doubles() -> None:
    told = one("koi-koi", {"dealer": 1, "piles": ["3B 8B 1B", ""], "stopped": 1}, options={"calls": "double_if_opponent_called"})
    assert [(possible["scores"], possible["if"]) for possible in told["possible"]] == [
        ([5, -5], "the other seat had not called koi-koi"),
        ([10, -10], "the other seat had called koi-koi"),
    ]


def test_au_2_kk_3_facts_leave_one_score() -> None:
    told = one("koi-koi", {"dealer": 2, "piles": ["3B 8B 1B", ""], "stopped": 1, "calls": [2, 0], "claims": {"scores": [7, -7]}})
    assert (told["verdict"], told["next_dealer"], told["possible"]) == ("confirmed", 1, [])
    told = one("koi-koi", {"dealer": 2, "piles": ["3B 8B 1B", ""], "stopped": 0, "claims": {"scores": [-1, 1]}})
    assert told["verdict"] == "confirmed"


def test_au_2_kk_3_a_seat_without_yaku_cannot_have_stopped() -> None:
    told = one("koi-koi", {"dealer": 1, "piles": ["3B 8B 1B", "1C"], "stopped": 2})
    assert (codes(told), told["findings"][0]["pointer"]) == ([("piles-contradict", None)], "/rounds/0/stopped")


def test_au_2_hg_12_a_joker_that_no_pile_lists_is_with_a_side_or_nobody() -> None:
    told = one("higobana", {"dealer": 1, "piles": ["1B 3B JC", "8B"]}, options={"jokers": "system_1"})
    # 40 and 20 points; Basa doubles whoever has it; Chu, with seat 1, needs a lead of 50.
    assert scores(told) == [[40, 20], [40, 40], [80, 20]]
    listed = one("higobana", {"dealer": 1, "piles": ["1B 3B JC", "8B JB"]}, options={"jokers": "system_1"})
    assert (listed["scores"], listed["possible"]) == ([40, 40], [])


def test_au_2_shared_piles_are_by_side() -> None:
    sides = [[1, 3], [2, 4]]
    told = one("sakura", {"dealer": 1, "piles": ["1B 3B 2A", "8B"]}, 4, sides=sides, options={"team_pile": "shared"})
    assert ([made["id"] for made in told["yaku"][0]], told["yaku"][0][0]["seat"], told["scores"]) == (["1"], None, [45, -30])


def test_au_2_points_rounded_agree_with_an_outcome_where_none_agrees_with_all_claims() -> None:
    """Each claim by itself is right in some outcome, and all together in none: that is the scores' matter."""
    piles = [BAKABANA[0].replace("2C 2C", "2A 2C"), BAKABANA[1], BAKABANA[2].replace("2A", "2C"), BAKABANA[3]]
    outcomes = one("bakabana", {"dealer": 1, "piles": piles})["possible"]
    plain = next(outcome for outcome in outcomes if outcome["points"] == [10.5, 9, 2.5, 3])
    other = next(outcome for outcome in outcomes if outcome["scores"] != plain["scores"])
    claims = {"points": [11, 9, 3, 3], "scores": other["scores"]}
    assert codes(one("bakabana", {"dealer": 1, "piles": piles, "claims": claims})) == [("claim-scores", None)]


def test_kk_2_a_call_of_a_seat_whose_yaku_are_worth_nothing_contradicts_the_piles() -> None:
    """Who calls has made something, and piles only grow."""
    round_ = {"dealer": 1, "piles": ["1B 3B 8B", "2A 2R"], "stopped": 1, "claims": {"scores": [5, -5]}}
    assert one("koi-koi", round_ | {"calls": [0, 0]})["verdict"] == "confirmed"
    told = one("koi-koi", round_ | {"calls": [0, 1]})
    assert (told["verdict"], told["scores"], codes(told)) == ("disputed", None, [("piles-contradict", None)])
    assert told["findings"][0]["pointer"] == "/rounds/0/calls/1"
