"""AU-1: how far a record goes, and what is checked at each level."""

from random import Random
from typing import Any

import pytest

from analysis.simulate import simulate
from records.engine import rules_of, verify
from records.formats.written import to_json
from records.games import game
from records.rules.game import Rules
from tests.analysis.sheets import codes, deal, one, record, report, viewing

RIGHT = {"scores": [1, -1], "yaku": [["hanami"], []]}


def without(part: str) -> dict[str, Any]:
    """The koi-koi round of one turn, with a part of its deal not recorded."""
    round_ = viewing(claims=RIGHT)
    del round_["deal"][part]
    return round_


def test_au_1_a_whole_deal_and_all_actions_are_full() -> None:
    told = one("koi-koi", viewing(claims=RIGHT))
    assert (told["level"], told["end"], told["verdict"]) == ("full", "played", "confirmed")


@pytest.mark.parametrize("part", ["hands", "draw_pile"])
def test_au_1_without_hands_or_draw_pile_it_is_moves(part: str) -> None:
    told = one("koi-koi", without(part))
    assert (told["level"], told["verdict"], told["scores"]) == ("moves", "confirmed", [1, -1])


def test_au_1_one_unknown_card_makes_it_moves() -> None:
    round_ = viewing(claims=RIGHT)
    round_["deal"]["hands"][1] = "? " + " ".join(round_["deal"]["hands"][1].split()[1:])
    assert one("koi-koi", round_)["level"] == "moves"


def test_au_1_without_the_dealt_field_play_cannot_be_followed() -> None:
    told = one("koi-koi", without("field"))
    assert (told["level"], told["verdict"], told["scores"]) == ("scores", "incomplete", [1, -1])


def test_au_1_piles_alone() -> None:
    told = one("koi-koi", {"dealer": 1, "piles": ["3C 3B 9C 9A", ""], "stopped": 1, "calls": [0, 0], "claims": RIGHT})
    assert (told["level"], told["verdict"], told["scores"]) == ("piles", "confirmed", [1, -1])


def test_au_1_a_round_with_nothing_recorded_is_incomplete() -> None:
    told = one("koi-koi", {"dealer": 1})
    assert (told["level"], told["verdict"], told["scores"], told["points"], told["yaku"]) == ("scores", "incomplete", None, None, None)


def test_au_1_a_turn_nobody_recorded_leaves_the_piles_to_judge_by() -> None:
    round_ = viewing(actions=["3Cx3B ?"], piles=["3C 3B 9C 9A", ""], stopped=1, calls=[0, 0], claims=RIGHT)
    told = one("koi-koi", round_)
    assert (told["level"], told["verdict"]) == ("piles", "confirmed")


def test_au_1_what_was_found_before_the_gap_stands() -> None:
    told = one("koi-koi", viewing(actions=["3C 10C", "?"], claims={"scores": [1, -1]}))
    assert told["level"] == "scores"
    assert codes(told)[0] == ("must-capture", 1)
    assert told["verdict"] == "unlawful"


def test_au_1_an_impossible_act_before_the_gap_ends_the_round() -> None:
    told = one("koi-koi", viewing(actions=["12B 9Cx9A", "?"], piles=["3C 3B 9C 9A", ""], claims=RIGHT))
    assert codes(told) == [("card-not-in-hand", 1)]
    assert (told["scores"], told["end"], told["verdict"]) == (None, "abandoned", "unlawful")


def test_au_1_a_misdeal_that_no_recorded_hand_shows_is_incomplete() -> None:
    round_ = without("hands")
    told = one("koi-koi", {**round_, "actions": ["misdeal"], "claims": {"scores": [0, 0]}})
    assert (told["level"], told["end"], told["verdict"], told["scores"]) == ("moves", "misdeal", "incomplete", [0, 0])


def test_au_1_a_lucky_hand_that_is_not_recorded_is_incomplete() -> None:
    dealt = deal("bakabana", dealer=1)
    round_ = {"dealer": 1, "deal": {"field": dealt["field"]}, "actions": ["lucky"], "claims": {"scores": [-20, -20, -20, 60]}}
    told = one("bakabana", round_)
    assert (told["end"], told["verdict"], told["scores"], told["next_dealer"]) == ("lucky", "incomplete", [-20, -20, -20, 60], 1)


def test_au_1_specials_without_any_deal() -> None:
    assert one("koi-koi", {"dealer": 1, "actions": ["misdeal: a card was shown"], "claims": {"scores": [0, 0]}})["verdict"] == "confirmed"
    assert one("koi-koi", {"dealer": 1, "actions": ["misdeal"]})["verdict"] == "incomplete"
    told = one("koi-koi", {"dealer": 1, "actions": ["abandoned"]})
    assert (told["end"], told["verdict"]) == ("abandoned", "lawful")


# -- score sheets: the worked examples of bakabana's text (rules.md, 3)

THIRTEEN = {"points": [13, 6, 7, 2], "yaku": [[], [], [], []], "scores": [11, -10, -7, 6]}
BLUE = {"points": [10, 9, 6, 3], "yaku": [[], [], ["aotan"], []], "scores": [-8, -11, 20, -1]}


@pytest.mark.parametrize("claims", [THIRTEEN, BLUE])
def test_au_1_scores_follow_from_claimed_points_and_yaku(claims: dict[str, Any]) -> None:
    told = one("bakabana", {"dealer": 1, "claims": claims})
    assert (told["level"], told["verdict"], told["scores"], told["next_dealer"]) == ("scores", "confirmed", claims["scores"], 2)
    assert (told["points"], [[made["id"] for made in side] for side in told["yaku"]]) == (claims["points"], claims["yaku"])
    assert [sum(entry["amount"] for entry in told["ledger"] if entry["side"] == side) for side in (1, 2, 3, 4)] == claims["scores"]


def test_au_1_a_score_that_does_not_follow_is_disputed() -> None:
    told = one("bakabana", {"dealer": 1, "claims": {**BLUE, "scores": [-8, -10, 19, -1]}})
    assert [(finding["code"], finding["expected"], finding["actual"]) for finding in told["findings"]] == [
        ("claim-scores", -11, -10),
        ("claim-scores", 20, 19),
    ]
    assert told["scores"] == [-8, -11, 20, -1]


def test_au_1_without_points_or_yaku_only_sums_are_checked() -> None:
    told = one("bakabana", {"dealer": 1, "claims": {"scores": [11, -10, -7, 6]}})
    assert (told["verdict"], told["scores"], told["winner"], told["findings"], told["ledger"]) == (
        "incomplete", [11, -10, -7, 6], 1, [], [],
    )  # fmt: skip
    told = one("bakabana", {"dealer": 1, "claims": {"points": [13, 6, 7, 2]}})
    assert (told["verdict"], told["points"], told["scores"], told["next_dealer"]) == ("incomplete", [13, 6, 7, 2], None, 2)


@pytest.mark.parametrize(
    ("variant", "options", "claims", "wrong"),
    [
        ("bakabana", {}, {"points": [7.5, 7, 7, 6.5]}, False),
        ("bakabana", {}, {"points": [7.5, 7, 7, 7]}, True),
        ("bakabana", {}, {"points": [8, 8, 7, 7]}, False),
        ("bakabana", {}, {"points": [8, 8, 8, 7]}, True),
        ("bakabana", {}, {"points": [8, 8, 8, 0.5]}, True),
        ("bakabana", {"paulownia_chaff": 0.5}, {"points": [7.5, 7.5, 7.5, 7]}, False),
        ("bakabana", {"paulownia_chaff": 0.5}, {"points": [8, 8, 8, 7]}, False),
        ("bakabana", {"paulownia_chaff": 0.5}, {"points": [8, 8, 8, 8]}, True),
        ("bakabana", {"paulownia_chaff": 0.5}, {"points": [8, 8, 8, 2]}, True),
        ("hon-bana", {}, {"points": [100, 105, 95]}, False),
        ("hon-bana", {}, {"points": [100, 105, 90]}, True),
        ("hon-bana", {"four_on_field": "leave"}, {"points": [100, 105, 60]}, False),
        ("hon-bana", {"four_on_field": "leave"}, {"points": [100, 105, 100]}, True),
        ("higobana", {}, {"points": [130, 110]}, False),
        ("higobana", {}, {"points": [130, 115]}, True),
        ("higobana", {}, {"points": [128, 110]}, True),
        ("sakura", {}, {"points": [240, 5]}, True),
        ("bakabana", {}, {"scores": [5, -1, -1, -1]}, True),
        ("hon-bana", {}, {"scores": [4, -2, -2]}, False),
        ("hon-bana", {}, {"scores": [4, -2, -1]}, True),
        ("koi-koi", {}, {"scores": [5, -4]}, True),
        ("higobana", {}, {"scores": [130, 110]}, False),
    ],
)
def test_au_1_sums(variant: str, options: dict[str, Any], claims: dict[str, Any], wrong: bool) -> None:
    told = one(variant, {"dealer": 1, "claims": claims}, options=options)
    assert codes(told) == ([("claim-sum", None)] if wrong else [])
    assert told["verdict"] == ("disputed" if wrong else "incomplete")


def test_au_1_the_rotation_of_the_deal_is_checked_on_sheets() -> None:
    rounds = [{"dealer": 1, "claims": THIRTEEN}, {"dealer": 3, "claims": {"scores": [11, -10, -7, 6]}}]
    told = report("bakabana", rounds)
    assert codes(told["rounds"][1]) == [("wrong-dealer", None)]
    assert (told["rounds"][1]["findings"][0]["expected"], told["rounds"][1]["findings"][0]["actual"]) == (2, 3)


def test_au_1_the_holder_of_a_joker_leaves_several_scores() -> None:
    claims = {"points": [130, 110], "yaku": [[], []], "scores": [130, 110]}
    told = one("higobana", {"dealer": 1, "claims": claims}, options={"jokers": "system_1"})
    # Basa doubles its side, or nobody; Chu needs a lead of 50, so it decides nothing here.
    assert sorted(possible["scores"] for possible in told["possible"]) == [[130, 110], [130, 220], [260, 110]]
    assert (told["verdict"], told["scores"]) == ("incomplete", None)


def kans_round(seed: int) -> dict[str, Any]:
    """A bakabana round of 18 turns in which Kan has no Lightning; Kan's seat, and a card of Kan's."""
    made = next(simulate(Rules(game("bakabana"), {}, 4, None), Random(seed), claims=False))
    round_: dict[str, Any] = to_json(made)["rounds"][0]
    kan = (round_["dealer"] + 2) % 4 + 1
    hand = round_["deal"]["hands"][kan - 1].split()
    assert "11C" not in hand and len(round_["actions"]) == 18
    return {"round": round_, "kan": kan, "card": hand[0]}


def test_bk_8_kan_may_not_play_another_card_after_the_last_turn_either() -> None:
    """The round is over when Kan has played or passed: another card of Kan's there is no action after the end, a second one is."""
    made = kans_round(3)
    wrong = f"{made['kan']}: {made['card']}"
    told = one("bakabana", made["round"] | {"actions": [*made["round"]["actions"], wrong]})
    assert codes(told) == [("kan-may-not-play", 19)]
    assert told["scores"] == one("bakabana", made["round"])["scores"]
    told = one("bakabana", made["round"] | {"actions": [*made["round"]["actions"], wrong, f"{made['kan']}: ?"]})
    assert ("action-after-end", 20) in codes(told)


def test_bk_7_an_act_of_kans_that_nobody_recorded_is_no_fault_where_kan_may_play() -> None:
    made = kans_round(3)
    actions = made["round"]["actions"]
    for at in (3, 18):
        told = one("bakabana", made["round"] | {"actions": [*actions[:at], f"{made['kan']}: ?", *actions[at:]]})
        assert (told["level"], codes(told)) == ("scores", [])


def test_au_1_a_list_of_unknown_cards_only_is_as_good_as_none_however_long() -> None:
    """The normalised record drops it, and equal records are judged alike."""
    round_ = viewing(claims=RIGHT)
    hands = ["?", round_["deal"]["hands"][1]]
    told = one("koi-koi", round_ | {"deal": round_["deal"] | {"hands": hands, "draw_pile": "? ?"}})
    assert (told["level"], told["verdict"], codes(told)) == ("moves", "confirmed", [])
    sheet = {"dealer": 1, "claims": {"points": [130, 110], "yaku": [["2"], []], "scores": [130, 60]}}
    assert one("higobana", sheet | {"piles": ["?", "? ?"]}) == one("higobana", sheet)


def test_bk_4_a_lucky_hand_in_a_game_that_has_none_is_unfounded_without_a_deal_too() -> None:
    told = one("higobana", {"dealer": 1, "actions": ["lucky"], "claims": {"scores": [130, 60]}})
    assert (told["end"], told["scores"], codes(told)) == ("played", [130, 60], [("lucky-unfounded", 1)])


def test_hg_3_keep_holds_where_a_misdeal_was_passed_over() -> None:
    """Both jokers on the field were a misdeal (HG-12); the four that the dealer keeps stay there for all that."""
    field = "1B 1R 1C 1C JB JC 2A 3B 4A 5A 6A 7A"
    dealt = deal("higobana", field, ("8B",), seats=6, options={"jokers": "system_1"})
    actions = ["8B 8A"] if dealt["draw_pile"].startswith("8A") else ["8B"]
    taken = {}
    for first in ([], ["keep"]):
        rules = rules_of(record("higobana", [{"dealer": 1}], 6, options={"jokers": "system_1"}))
        table = verify(rules, record("higobana", [{"dealer": 1, "deal": dealt, "actions": [*first, *actions]}], 6,
                                     options={"jokers": "system_1"}).rounds[0]).table  # fmt: skip
        assert "misdeal-not-declared" in [fault.code for fault in table.faults]
        taken[bool(first)] = table.piles[0] & 15
    assert taken == {False: 15, True: 0}
