"""AU-4: claims against what comes out, one finding a side; and the verdicts that follow."""

from typing import Any

import pytest

from tests.analysis.sheets import codes, one, report, viewing

RIGHT = {"scores": [1, -1], "yaku": [["hanami"], []]}


def test_au_4_one_finding_a_side_with_both_values() -> None:
    told = one("koi-koi", viewing(claims={"scores": [3, -3], "yaku": [["hanami"], []]}))
    assert [(f["code"], f["severity"], f["action"], f["pointer"], f["rule"], f["expected"], f["actual"]) for f in told["findings"]] == [
        ("claim-scores", "dispute", None, "/rounds/0/claims/scores/0", "KK-3", 1, 3),
        ("claim-scores", "dispute", None, "/rounds/0/claims/scores/1", "KK-3", -1, -3),
    ]
    assert told["verdict"] == "disputed"


def test_au_4_yaku_are_claimed_by_their_ids_in_any_order() -> None:
    told = one("koi-koi", viewing(claims={"yaku": [["tsukimi", "hanami"], []]}))
    (finding,) = told["findings"]
    assert (finding["code"], finding["pointer"], finding["expected"], finding["actual"]) == (
        "claim-yaku", "/rounds/0/claims/yaku/0", ["hanami"], ["hanami", "tsukimi"],
    )  # fmt: skip


def test_au_4_an_empty_list_is_a_claim() -> None:
    assert codes(one("koi-koi", viewing(claims={"yaku": [[], []]}))) == [("claim-yaku", None)]


def test_au_4_nothing_claimed_and_nothing_wrong_is_lawful() -> None:
    assert one("koi-koi", viewing())["verdict"] == "lawful"


def test_au_4_piles_beside_play_are_a_claim() -> None:
    assert one("koi-koi", viewing(piles=["3C 3B 9C 9A", ""]))["verdict"] == "confirmed"
    told = one("koi-koi", viewing(piles=["3C 3B 9C", "9A"]))
    assert codes(told) == [("claim-piles", None), ("claim-piles", None)]
    assert told["findings"][0]["args"] == {"side": 1, "more": [], "less": ["9A"]}
    assert told["findings"][1]["args"] == {"side": 2, "more": ["9A"], "less": []}
    assert told["scores"] == [1, -1]


def test_au_4_an_unknown_card_in_a_claimed_pile_may_be_any() -> None:
    assert one("koi-koi", viewing(piles=["3C 3B 9C ?", ""]))["verdict"] == "confirmed"


BAKABANA = [
    "1B 8B 3B 1R 2R 11C 1C 1C 2C 2C",
    "12B 3R 4R 6R 9R 10R 5R 7R 3C 3C 4C 4C",
    "2A 4A 5A 6A 7A 8A 5C 5C 6C 6C 7C 7C 9A",  # seven animals: 3.5
    "11R 10A 11A 11B 8C 8C 9C 9C 10C 10C 12C 12C 12C",  # 2.5
]


@pytest.mark.parametrize("points", [[10, 9, 3.5, 2.5], [10, 9, 4, 3], [10, 9, 4, 2.5]])
def test_au_4_bk_12_points_are_right_rounded_or_not_each_side_for_itself(points: list[float]) -> None:
    told = one("bakabana", {"dealer": 1, "piles": BAKABANA, "lightning": "plain", "claims": {"points": points}})
    assert (told["verdict"], told["points"], told["rounded"]) == ("confirmed", [10, 9, 3.5, 2.5], [10, 9, 4, 3])


def test_au_4_bk_12_rounded_down_is_wrong() -> None:
    told = one("bakabana", {"dealer": 1, "piles": BAKABANA, "lightning": "plain", "claims": {"points": [10, 9, 3, 2.5]}})
    assert codes(told) == [("claim-points", None)]
    assert told["findings"][0]["args"] == {"side": 3, "rounded": 4}


def test_au_4_claims_of_a_round_that_was_broken_off_cannot_be_judged() -> None:
    told = one("koi-koi", viewing(actions=["2Ax2R 9Cx9A", "abandoned"], claims={"scores": [0, 0]}))
    assert (told["end"], told["verdict"], told["scores"], told["findings"]) == ("abandoned", "incomplete", None, [])
    assert one("koi-koi", viewing(actions=["2Ax2R 9Cx9A", "abandoned"], piles=["", ""]))["verdict"] == "incomplete"
    assert one("koi-koi", viewing(actions=["2Ax2R 9Cx9A", "abandoned"]))["verdict"] == "lawful"


def test_au_4_a_misdeal_counts_no_points_but_zero_may_be_claimed() -> None:
    round_: dict[str, Any] = {"dealer": 1, "actions": ["misdeal: a wrong count"]}
    told = one("sakura", {**round_, "claims": {"points": [0, 0], "yaku": [[], []], "scores": [0, 0]}})
    assert (told["verdict"], told["points"], told["yaku"], told["winner"]) == ("confirmed", None, None, 0)
    told = one("sakura", {**round_, "claims": {"points": [20, 0]}})
    assert (codes(told), told["findings"][0]["message"]) == (
        [("claim-points", None)],
        "Side 1 claims 20 card points in a round that counts none.",
    )


def test_au_4_claims_of_the_record() -> None:
    told = report("koi-koi", [viewing(claims=RIGHT)], claims={"totals": [2, -1], "winner": 2})
    assert [(f["code"], f["round"], f["pointer"], f["expected"], f["actual"]) for f in told["findings"]] == [
        ("claim-totals", None, "/claims/totals/0", 1, 2),
        ("claim-winner", None, "/claims/winner", 1, 2),
    ]
    assert (told["verdict"], told["totals"], told["winner"]) == ("disputed", [1, -1], 1)


def test_the_verdict_of_a_record_is_the_worst_of_its_rounds_and_its_own() -> None:
    again = viewing(claims={"scores": [1, -1]})
    assert report("koi-koi", [again, again], claims={"totals": [2, -2], "winner": 1})["verdict"] == "confirmed"
    assert report("koi-koi", [again, viewing()], claims={"totals": [2, -2]})["verdict"] == "lawful"
    assert report("koi-koi", [again, viewing(actions=["3Cx3B 9Cx9A"])])["verdict"] == "unlawful"  # no call
    assert report("koi-koi", [again], claims={"winner": 0})["verdict"] == "disputed"


def test_the_winner_of_a_record_is_null_where_it_is_not_known() -> None:
    told = report("koi-koi", [viewing(), viewing(actions=["abandoned"])], claims={"totals": [1, -1]})
    assert (told["totals"], told["winner"], told["verdict"]) == (None, None, "incomplete")


def test_hn_10_a_claimed_yaku_that_is_negated_is_told_as_such() -> None:
    """Seat 2's Four Brights came first (HN-10a): the dealer's Imperial Messenger is made, and not paid."""
    piles = [
        "1C 1C 2A 2C 2C 3R 3C 3C 4A 4C 5A 6R 7A 8A 9R 10A 10R",
        "1B 3B 4C 5C 5C 6C 6C 7C 7C 8B 12B",
        "1R 2R 4R 5R 6A 7R 8C 8C 9A 9C 9C 10C 10C 11B 11A 11R 11C",
    ]
    claims = {"yaku": [["chokushi"], ["shiko"], []], "scores": [2, 11, -13]}
    told = one("hon-bana", {"dealer": 1, "piles": piles, "first_great": "shiko", "claims": claims})
    assert {finding["rule"] for finding in told["findings"]} == {"HN-10"}
    assert told["findings"][0]["args"] == {"side": 1, "negated": ["chokushi"]}
    assert told["findings"][0]["message"] == "Side 1 claims the yaku chokushi; negated, and so not paid: chokushi."


def test_au_4_yaku_that_are_not_claimed_or_not_made_are_told_in_plain_words() -> None:
    (unclaimed,) = one("koi-koi", viewing(claims={"yaku": [[], []]}))["findings"]
    assert unclaimed["message"] == "Side 1 claims no yaku; its cards make hanami."
    (unmade,) = one("koi-koi", viewing(claims={"yaku": [["hanami"], ["tane"]]}))["findings"]
    assert unmade["message"] == "Side 2 claims the yaku tane; its cards make none."


@pytest.mark.parametrize(
    ("scores", "rules"),
    [
        ([300, 100, 40], ["HG-12"]),  # without Chu's doubling
        ([600, 50, 40], ["HG-12"]),  # without Basa's
        ([150, 100, 40], ["HG-10"]),  # without both doublings: no one rule
        ([600, 100, 30], ["HG-10"]),  # a slip of the pen
    ],
)
def test_hg_11_hg_12_a_score_cites_the_one_rule_that_it_leaves_out(scores: list[int], rules: list[str]) -> None:
    """150 with Chu is 100 above 50: doubled for the lead and for Chu, 600. Basa doubles 50."""
    piles = ["1B 1R 2R 4R 5R 6A 6R 7A 8B 9R 11R 12B 12Y JC", "2A 3B 3R 4A 7R JB", "5A 8A 9A 10A 10R 11B 11A"]
    told = one("higobana", {"dealer": 1, "piles": piles, "claims": {"scores": scores}}, seats=3, options={"jokers": "system_1"})
    assert [finding["rule"] for finding in told["findings"]] == rules
