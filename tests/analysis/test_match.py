"""The end of a match, totals and winner: HG-15, KK-7, CP-10 and `match`, `adjust` of the record format."""

from typing import Any

from tests.analysis.sheets import codes, report

Json = dict[str, Any]


def sakura(*scores: list[int], **keys: Any) -> Json:
    """The report of a sakura record of two seats, a score sheet a round; each dealer is who won the round before."""
    rounds, dealer = [], 1
    for pair in scores:
        rounds.append({"dealer": dealer, "claims": {"scores": pair}})
        if pair[0] != pair[1]:
            dealer = 1 if pair[0] > pair[1] else 2
    return report("sakura", rounds, **keys)


def over(told: Json) -> list[int]:
    """The rounds that come after the end of the match."""
    return [round_["round"] for round_ in told["rounds"] if ("match-over", None) in codes(round_)]


def test_hg_15_best_of_seven_ends_with_the_fourth_win() -> None:
    told = sakura(*[[100, 90]] * 5, match={"type": "best_of", "rounds": 7})
    assert (over(told), told["totals"], told["winner"]) == ([5], [400, 360], 1)
    assert told["rounds"][4]["findings"][0]["args"] == {"after": 4}
    assert told["rounds"][4]["scores"] == [100, 90]  # audited, not counted


def test_hg_15_ties_win_nothing_and_there_is_no_limit_on_rounds() -> None:
    told = sakura([100, 100], [100, 100], [100, 100], [100, 90], match={"type": "best_of", "rounds": 3})
    assert (over(told), told["winner"]) == ([], 1)


def test_hg_15_the_winner_of_best_of_is_by_rounds_won_not_by_points() -> None:
    told = sakura([100, 90], [100, 90], match={"type": "best_of", "rounds": 3})
    assert (told["winner"], told["totals"]) == (1, [200, 180])
    told = sakura([100, 90], [10, 200], match={"type": "best_of", "rounds": 3})
    assert (told["winner"], told["totals"]) == (0, [110, 290])


def test_rounds_end_the_match_when_they_are_played() -> None:
    assert over(sakura(*[[100, 90]] * 3, match={"type": "rounds", "rounds": 2})) == [3]
    assert over(sakura(*[[100, 90]] * 3)) == []


def test_a_target_ends_the_match_when_a_side_has_it() -> None:
    told = sakura([120, 90], [120, 90], [120, 90], match={"type": "target", "points": 240})
    assert (over(told), told["totals"]) == ([3], [240, 180])


def test_kk_7_each_starts_with_thirty_and_is_out_with_nothing() -> None:
    rounds = [{"dealer": 1, "claims": {"scores": pair}} for pair in ([20, -20], [10, -10], [5, -5])]
    told = report("koi-koi", rounds, match={"type": "rounds", "rounds": 8, "start": 30})
    assert (over(told), told["totals"], told["winner"]) == ([3], [60, 0], 1)
    assert told["rounds"][2]["findings"][0]["rule"] == "KK-7"


def test_without_a_start_nobody_is_out() -> None:
    rounds = [{"dealer": 1, "claims": {"scores": [20, -20]}} for _ in range(3)]
    assert over(report("koi-koi", rounds, match={"type": "rounds", "rounds": 8})) == []


def test_cp_10_a_misdeal_does_not_count_in_the_match_and_the_same_dealer_deals() -> None:
    misdeal = {"dealer": 1, "actions": ["misdeal: a card was shown"]}
    played = {"dealer": 1, "claims": {"scores": [100, 90]}}
    told = report("sakura", [played, misdeal, played], match={"type": "rounds", "rounds": 2})
    assert (over(told), [codes(round_) for round_ in told["rounds"]], told["totals"]) == ([], [[], [], []], [200, 180])


def test_cp_10_every_other_round_counts_also_one_broken_off() -> None:
    played = {"dealer": 1, "claims": {"scores": [100, 90]}}
    told = report("sakura", [played, {"dealer": 1, "actions": ["abandoned"]}, played], match={"type": "rounds", "rounds": 2})
    assert (over(told), told["totals"]) == ([3], None)


def test_adjust_is_added_before_the_end_is_judged_a_misdeals_too() -> None:
    misdeal = {"dealer": 1, "actions": ["misdeal: a card was shown"], "adjust": [-30, 0]}
    played = {"dealer": 1, "claims": {"scores": [1, -1]}}
    told = report("koi-koi", [misdeal, played], match={"type": "rounds", "rounds": 8, "start": 30})
    assert (over(told), told["totals"]) == ([2], [0, 30])


def test_adjust_after_the_end_is_not_counted_and_changes_no_rounds_won() -> None:
    rounds = [{"dealer": 1, "claims": {"scores": [100, 90]}, "adjust": [-50, 0]} for _ in range(2)]
    told = report("sakura", rounds, match={"type": "best_of", "rounds": 1})
    assert (told["totals"], told["winner"], over(told)) == ([50, 90], 1, [2])


def test_adjust_may_be_halves() -> None:
    told = report("sakura", [{"dealer": 1, "claims": {"scores": [100, 90]}, "adjust": [0.5, -0.5]}])
    assert told["totals"] == [100.5, 89.5]


def test_wrong_dealer_is_not_judged_where_the_next_dealer_is_not_known() -> None:
    rounds = [{"dealer": 1, "actions": ["abandoned"]}, {"dealer": 2, "claims": {"scores": [100, 90]}}]
    assert codes(report("sakura", rounds)["rounds"][1]) == []


def test_the_first_dealer_may_be_any_seat() -> None:
    assert codes(report("sakura", [{"dealer": 2, "claims": {"scores": [100, 90]}}])["rounds"][0]) == []
