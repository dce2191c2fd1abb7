"""What rulings come to: totals, winner and later dealers, worked out by the engine from what an arbiter says."""

from typing import Any

import pytest

from analysis.differences import differences
from analysis.rulings import Decision, check, claims_right, effect, standing
from records.record import Record
from tests.analysis.sheets import record, report

Json = dict[str, Any]


def bakabana(*rounds: Json, **keys: Any) -> Record:
    return record("bakabana", rounds, **keys)


ONE: Json = {"dealer": 1, "claims": {"points": [13, 6, 7, 2], "yaku": [[], [], [], []], "scores": [11, -10, -7, 6]}}
"""BK-14, worked: +11, −10, −7, +6."""
TWO: Json = {"dealer": 2, "claims": {"points": [2, 13, 6, 7], "yaku": [[], [], [], []], "scores": [6, 11, -10, -7]}}


def higobana(*points: int) -> Json:
    """A round of three seats as a sheet without yaku: scores are points (HG-8)."""
    return {"dealer": 1, "claims": {"points": list(points), "yaku": [[], [], []], "scores": list(points)}}


def test_without_rulings_it_is_the_report() -> None:
    told = standing(bakabana(ONE, TWO))
    assert told["totals"] == [17, 1, -17, -1] and told["winner"] == 1
    assert [(each["due"], each["next_dealer"]) for each in told["rounds"]] == [(None, 2), (2, 3)]


def test_cp_10_a_replayed_round_does_not_count_and_its_dealer_deals_again() -> None:
    game = bakabana(ONE, TWO, match={"type": "rounds", "rounds": 2})
    told = effect(game, [], [Decision("replayed", 1)])
    assert told["totals"]["after"] == [6, 11, -10, -7]
    assert told["dealers"] == [{"round": 2, "dealer": 2, "before": 2, "after": 1}]
    assert told["winner"] == {"before": 1, "after": 2}
    assert told["rounds"][0]["after"] == {"scores": [0, 0, 0, 0], "winner": 0, "counts": False}


def test_a_replayed_round_lengthens_the_match() -> None:
    """Of a match of one round the second came after its end (HG-15); if the first is replayed, the second is the one that counts."""
    game = record("higobana", [higobana(100, 80, 60), higobana(70, 90, 80)], 3, match={"type": "rounds", "rounds": 1})
    assert standing(game)["totals"] == [100, 80, 60]
    after = standing(game, [Decision("replayed", 1)])
    assert after["totals"] == [70, 90, 80]
    assert [each["counts"] for each in after["rounds"]] == [False, True]


def test_a_void_round_counts_as_one_with_nothing_for_anybody() -> None:
    game = record("higobana", [higobana(100, 80, 60), higobana(70, 90, 80)], 3, match={"type": "rounds", "rounds": 1})
    after = standing(game, [Decision("void", 1)])
    assert after["totals"] == [0, 0, 0] and after["winner"] == 0
    assert [each["counts"] for each in after["rounds"]] == [True, False]


def test_hg_14_adjusted_scores_make_another_winner_who_deals_next() -> None:
    game = record("higobana", [higobana(100, 80, 60), {**higobana(70, 90, 80), "dealer": 1}], 3)
    told = effect(game, [], [Decision("adjusted", 1, scores=(70, 80, 60))])
    assert told["totals"] == {"before": [170, 170, 140], "after": [140, 170, 140]}
    assert told["winner"] == {"before": 0, "after": 2}
    assert told["dealers"] == [{"round": 2, "dealer": 1, "before": 1, "after": 2}]


def test_bk_17_adjusted_scores_do_not_turn_the_deal() -> None:
    told = effect(bakabana(ONE, TWO), [], [Decision("adjusted", 1, scores=(0, 0, 0, 0))])
    assert told["dealers"] == [] and told["changes"] is True


def test_hg_10_upheld_under_an_option_is_scored_under_it() -> None:
    """Seat 1 with 80 points and one yaku: 130 where it is added; 80, 40 and 20 where it is deducted from the others."""
    claims = {"points": [80, 90, 70], "yaku": [["1"], [], []], "scores": [80, 40, 20]}
    game = record("higobana", [{"dealer": 1, "claims": claims}], 3)
    assert standing(game)["totals"] == [130, 90, 70]
    house = Decision("upheld", 1, {"yaku_scoring": "deduct"})
    assert standing(game, [house])["totals"] == [80, 40, 20]
    assert claims_right(game, house) is True
    assert claims_right(game, Decision("upheld", 1)) is False


def test_upheld_without_options_and_a_note_change_nothing() -> None:
    game = bakabana(ONE, TWO)
    for outcome in ("upheld", "note"):
        assert effect(game, [], [Decision(outcome, 1)])["changes"] is False


def test_the_later_ruling_on_a_round_holds_and_a_note_does_not_lift_it() -> None:
    game = bakabana(ONE, TWO)
    decisions = [Decision("void", 1), Decision("adjusted", 1, scores=(1, 0, 0, -1)), Decision("note", 1)]
    assert standing(game, decisions)["rounds"][0]["scores"] == [1, 0, 0, -1]


def test_a_corrected_record_takes_the_place_whole_with_its_own_rulings() -> None:
    other = bakabana(ONE)
    game = bakabana(ONE, TWO)
    assert standing(game, [Decision("void", 1), Decision("corrected", None, record=other)])["totals"] == [11, -10, -7, 6]
    ruled = Decision("corrected", None, record=other, decisions=(Decision("void", 1),))
    assert standing(game, [ruled])["totals"] == [0, 0, 0, 0]


def test_an_unknown_score_becomes_known_by_an_adjustment() -> None:
    game = bakabana({"dealer": 1, "actions": ["abandoned"]}, TWO)
    assert standing(game)["totals"] is None
    assert standing(game, [Decision("adjusted", 1, scores=(3, -1, -1, -1))])["totals"] == [9, 10, -11, -8]


@pytest.mark.parametrize(
    ("decision", "parts"),
    [
        (Decision("upheld", 3), {"round"}),
        (Decision("void"), {"outcome"}),
        (Decision("adjusted", 1), {"scores"}),
        (Decision("adjusted", 1, scores=(1, 2)), {"scores"}),
        (Decision("note", 1, scores=(0, 0, 0, 0)), {"scores"}),
        (Decision("upheld", 1, {"drinks": "stacked"}), {"options"}),
        (Decision("upheld", 1, {"paulownia_chaff": 1}), {"options"}),
        (Decision("upheld", 1, {"wild_from_draw": 0}), {"options"}),
        (Decision("corrected", 1), {"record"}),
        (Decision("corrected", 1, record=record("hon-bana", [{"dealer": 1}])), {"record"}),
        (Decision("upheld", 1, record=record("bakabana", [{"dealer": 1}])), {"record"}),
        (Decision("upheld", 1, {"paulownia_chaff": 0.5}), set()),
        (Decision("corrected", None, record=record("bakabana", [{"dealer": 2}])), set()),
    ],
)
def test_what_a_decision_cannot_say_is_told_by_its_part(decision: Decision, parts: set[str]) -> None:
    assert set(check(bakabana(ONE, TWO), decision)) == parts


def test_differences_of_reports_name_round_side_and_both_values() -> None:
    before = report("bakabana", [ONE, TWO])
    after = report("bakabana", [{**ONE, "claims": {**ONE["claims"], "points": [12, 7, 7, 2]}}, TWO])
    found = {(each["round"], each["what"], each["side"]): (each["before"], each["after"]) for each in differences(before, after)}
    # 12 7 7 2: the dealer gets 5 and 5 and pays 2; 7 against 7 is nothing: +8, −7, −7, +6.
    assert found[None, "verdict", None] == ("confirmed", "disputed")
    assert found[None, "totals", 1] == (17, 14)
    assert found[1, "points", 2] == (6, 7)
    assert found[1, "scores", 1] == (11, 8)
    assert found[1, "scores", 2] == (-10, -7)
    assert found[1, "findings", None] == ([], ["claim-scores", "claim-scores"])
    assert not any(round == 2 for round, _, _ in found)
    assert differences(before, before) == []
