"""AU-5: the smallest sets of house rules under which a record is right."""

import pytest

from analysis.audit import audit
from analysis.examine import examine
from analysis.explain import explain
from tests.analysis.sheets import DRINKS, deal, record, report, viewing


def test_au_5_nothing_is_explained_where_nothing_is_wrong() -> None:
    assert "explanations" not in report("koi-koi", [viewing(claims={"scores": [1, -1]})], explain=True)


def test_au_5_only_when_asked() -> None:
    assert "explanations" not in report("koi-koi", [viewing(claims={"scores": [5, -5]})])


def test_au_5_kk_4_a_claim_that_another_option_makes_right() -> None:
    told = report("koi-koi", [viewing(claims={"scores": [5, -5]})], explain=True)
    assert told["explanations"] == [{"options": {"viewing": "five"}, "changes": 1}]


def test_au_5_all_smallest_sets_are_named() -> None:
    sheet = {"dealer": 1, "claims": {"points": [90, 80, 70], "yaku": [["1"], [], []], "scores": [140, 80, 70]}}
    told = report("sakura", [sheet], 3, explain=True)
    assert told["explanations"] == [
        {"options": {"yaku_scoring": "by_table"}, "changes": 1},
        {"options": {"yaku_scoring": "add"}, "changes": 1},
    ]


def test_au_5_hn_9_one_change() -> None:
    lawful = report("hon-bana", [{"dealer": 1, "piles": DRINKS}])["rounds"][0]
    assert (lawful["points"], lawful["scores"]) == ([110, 105, 85], [8, -4, -4])
    stacked = {"dealer": 1, "piles": DRINKS, "claims": {"scores": [10, -5, -5], "yaku": [["ippai", "nihai"], [], []]}}
    told = report("hon-bana", [stacked], explain=True)
    assert told["explanations"] == [{"options": {"drinks": "stacked"}, "changes": 1}]


def test_au_5_hn_8_hn_9_two_changes() -> None:
    tied = [DRINKS[0], DRINKS[1].replace("6C 6C", "6C 3R"), DRINKS[2].replace("3R", "6C")]  # 110, 110, 80
    by_default = report("hon-bana", [{"dealer": 1, "piles": tied}])["rounds"][0]
    assert (by_default["points"], by_default["scores"]) == ([110, 110, 80], [4, -2, -2])
    told = report("hon-bana", [{"dealer": 1, "piles": tied, "claims": {"scores": [10, -5, -5]}}], explain=True)
    assert told["explanations"] == [{"options": {"tie": "earliest", "drinks": "stacked"}, "changes": 2}]


def test_au_5_hg_10_hg_11_deducted_and_doubled() -> None:
    # Three seats: 210 and a yaku, 20, 10. By default 260, doubled; where a yaku is deducted from the others 210, doubled, -30 and -40.
    sheet = {"dealer": 1, "claims": {"points": [210, 20, 10], "yaku": [["1"], [], []], "scores": [420, -30, -40]}}
    told = report("higobana", [sheet], 3, explain=True)
    assert told["explanations"] == [{"options": {"yaku_scoring": "deduct"}, "changes": 1}]


def test_au_5_an_act_that_another_option_allows() -> None:
    dealt = deal("higobana", "1B 3R 4C 5C 6C 7C 8C 9C", ("2C",), "11C")
    told = report("higobana", [{"dealer": 1, "deal": dealt, "actions": ["2C 11Cx1B", "abandoned"]}], explain=True)
    assert told["verdict"] == "unlawful"
    assert told["explanations"] == [{"options": {"wild_from_draw": True}, "changes": 1}]


def test_au_5_one_set_for_the_whole_record() -> None:
    five, one_point = viewing(claims={"scores": [5, -5]}), viewing(claims={"scores": [1, -1]})
    assert report("koi-koi", [five, five], explain=True)["explanations"] == [{"options": {"viewing": "five"}, "changes": 1}]
    assert report("koi-koi", [five, one_point], explain=True)["explanations"] == []


def test_au_5_the_records_own_options_are_where_the_search_begins() -> None:
    told = report("koi-koi", [viewing(claims={"scores": [1, -1]})], explain=True, options={"viewing": "five"})
    assert told["explanations"] == [{"options": {"viewing": "one_then_three"}, "changes": 1}]


def test_au_5_no_more_than_three_changes_are_tried() -> None:
    told = report("koi-koi", [viewing(claims={"scores": [77, -77]})], explain=True)
    assert told["explanations"] == []


def test_other_options_by_hand() -> None:
    sheet = record("koi-koi", [viewing(claims={"scores": [5, -5]})])
    told = audit(sheet, options={"viewing": "five"})
    assert (told["verdict"], told["options"]["viewing"], told["record"]) == ("confirmed", "five", audit(sheet)["record"])


@pytest.mark.parametrize(
    ("options", "word"), [({"viewing": "six"}, "viewing cannot be 'six'"), ({"tie": "none"}, "koi-koi has no option 'tie'")]
)
def test_other_options_must_be_the_games_own(options: dict[str, str], word: str) -> None:
    with pytest.raises(ValueError, match=word):
        audit(record("koi-koi", [viewing()]), options=options)


def test_au_5_hg_12_a_deal_of_48_cards_was_played_without_jokers() -> None:
    dealt = deal("higobana", "1B 3R 4C 5C 6C 7C 8C 9C", ("2C",), "11C")
    sheet = record("higobana", [{"dealer": 1, "deal": dealt, "actions": ["2C 11Cx1B", "abandoned"]}], options={"wild_from_draw": False})
    assert all("jokers" not in explanation["options"] for explanation in audit(sheet, explain=True)["explanations"])


def test_au_5_a_search_that_would_take_too_long_names_nothing() -> None:
    sheet = record("koi-koi", [viewing(claims={"scores": [5, -5]})])
    examined = examine(sheet)
    assert explain(sheet, examined) == [{"options": {"viewing": "five"}, "changes": 1}]
    assert explain(sheet, examined, most=2) == []
