"""The position after each step, as the replay page reads it."""

import json
from typing import Any

import pytest

from analysis.positions import positions
from tests.analysis.sheets import deal, record, viewing

Json = dict[str, Any]


def steps(variant: str, round_: Json, seats: int = 0, **keys: Any) -> list[Json]:
    (told,) = positions(record(variant, [round_], seats, **keys))["rounds"]
    found: list[Json] = told["steps"]
    return found


def test_a_turn_is_taken_apart() -> None:
    told = steps("koi-koi", viewing(notes={"1": "well played"}))
    assert [(step["step"], step["action"], step["turn"], step["part"], step["seat"]) for step in told] == [
        (0, 0, 0, "deal", None),
        (1, 1, 1, "hand", 1),
        (2, 1, 1, "draw", 1),
        (3, 1, 1, "call", 1),
        (4, 1, 1, "end", None),
    ]
    assert [[event["kind"] for event in step["events"]] for step in told] == [
        ["dealt"],
        ["played", "captured"],
        ["turned_up", "captured", "yaku"],
        ["called", "ended"],
        ["left"],
    ]
    assert told[1]["events"][1]["cards"] == ["3C", "3B"]


def test_cp_9_every_card_is_somewhere_at_each_step() -> None:
    for step in steps("koi-koi", viewing()):
        cards = " ".join([step["field"], step["draw_pile"]["cards"], *step["hands"], *step["piles"]]).split()
        assert len(cards) == 48
        assert step["draw_pile"]["count"] == len(step["draw_pile"]["cards"].split())
        assert step["hand_counts"] == [len(hand.split()) for hand in step["hands"]]


def test_yaku_made_and_still_possible() -> None:
    told = steps("koi-koi", viewing())
    assert told[2]["yaku"] == [[{"id": "hanami", "points": 1, "seat": 1, "cards": "3B 9A"}], []]
    possible = {entry["id"]: entry for entry in told[1]["possible_yaku"][0]}
    assert possible["hanami"] == {"id": "hanami", "seat": 1, "have": "3B", "need": "9A"}
    assert possible["sanko"] == {"id": "sanko", "seat": 1, "have": "3B", "need": "1B 8B 12B"}
    assert "hanami" not in {entry["id"] for entry in told[2]["possible_yaku"][0]}
    assert told[1]["possible_yaku"][1] == []


def test_bk_15_kan_needs_two_cards_only() -> None:
    dealt = deal("bakabana", "6R 9R 1C 2C 3C 4C 5C 7C 12C", ("9C", "8A", "3R", "11C"), "8C 10C 11A")
    told = steps("bakabana", {"dealer": 1, "deal": dealt, "actions": ["9Cx9R 8C", "8Ax8C 10C", "3Rx3C 11A", "4: 11Cx6R"]})
    last = told[-1]["possible_yaku"]
    assert [entry for entry in last[3] if entry["id"] == "aotan"] == [{"id": "aotan", "seat": 4, "have": "6R", "need": "10R"}]
    assert "aotan" not in [entry["id"] for entry in last[0]]  # seat 1 has 9R and would need all three


def test_running_points_are_those_of_the_game() -> None:
    dealt = deal("sakura", "3B 2R 4C 5C 6C 7C 8C 10C", ("3C",), "2C")
    told = steps("sakura", {"dealer": 1, "deal": dealt, "actions": ["3Cx3B 2Cx2R"]})
    assert [step["points"] for step in told] == [[0, 0], [20, 0], [30, 0], [30, 0]]
    assert told[2]["next"] == 1
    assert told[3]["next"] == 2
    assert {step["points"] for step in steps("koi-koi", viewing()) if step["points"] is not None} == set()


def test_au_3_what_follows_an_unlawful_act_is_conditional() -> None:
    told = steps("koi-koi", viewing(actions=["3C 9Cx9A", "1Cx1R 10C"]))
    assert [(step["part"], step["findings"], step["conditional"]) for step in told] == [
        ("deal", [], False),
        ("hand", ["must-capture"], False),
        ("draw", [], True),
        ("hand", [], True),
        ("draw", [], True),
        ("end", ["round-unfinished"], True),
    ]


def test_findings_of_claims_stand_at_the_end_those_of_the_deal_at_the_deal() -> None:
    assert steps("koi-koi", viewing(claims={"scores": [5, -5]}))[-1]["findings"] == ["claim-scores", "claim-scores"]
    fours = deal("koi-koi", "7A 7R 7C 7C 1R 2R 4C 5C", ("1C",), "9C")
    told = steps("koi-koi", {"dealer": 1, "deal": fours, "actions": ["1Cx1R 9C"]})
    assert "misdeal-not-declared" in told[0]["findings"]


def test_au_1_hands_that_were_not_dealt_in_writing_are_what_was_played() -> None:
    round_ = viewing()
    del round_["deal"]["hands"]
    told = steps("koi-koi", round_)
    assert told[0]["hands"] == ["3C ? ? ? ? ? ? ?", None]
    assert told[1]["hands"] == [None, None]
    assert told[1]["hand_counts"] == [7, 8]


def test_au_1_a_draw_pile_that_was_not_written_down_is_what_was_turned_up() -> None:
    round_ = viewing()
    del round_["deal"]["draw_pile"]
    told = steps("koi-koi", round_)
    assert told[0]["draw_pile"] == {"count": 24, "cards": "9C " + " ".join(["?"] * 23)}
    assert told[2]["draw_pile"] == {"count": 23, "cards": None}


def test_piles_alone_are_shown_for_what_they_are() -> None:
    told = steps("koi-koi", {"dealer": 1, "piles": ["9A 3B", "1C"], "stopped": 1})
    assert [step["part"] for step in told] == ["deal", "end"]
    assert (told[-1]["piles"], told[-1]["hands"], told[-1]["draw_pile"]["cards"]) == (["3B 9A", "1C"], [None, None], None)


def test_hg_2_piles_of_a_side_lie_with_its_first_seat() -> None:
    keys: Json = {"sides": [[1, 3], [2, 4]], "options": {"team_pile": "shared"}}
    assert steps("sakura", {"dealer": 1, "piles": ["1B", "2A"]}, 4, **keys)[-1]["piles"] == ["1B", "2A", "", ""]


def test_one_round_or_all() -> None:
    sheet = record("koi-koi", [viewing(), viewing()])
    assert [round_["round"] for round_ in positions(sheet)["rounds"]] == [1, 2]
    assert [round_["round"] for round_ in positions(sheet, 2)["rounds"]] == [2]
    with pytest.raises(IndexError):
        positions(sheet, 3)


def test_it_is_json_and_says_whose_record_it_is() -> None:
    told = positions(record("koi-koi", [viewing()]))
    assert json.loads(json.dumps(told)) == told
    assert (told["variant"], told["players"], told["sides"], told["options"]["viewing"]) == (
        "koi-koi",
        ["P1", "P2"],
        None,
        "one_then_three",
    )
    assert told["rounds"][0]["notes"] == {}
