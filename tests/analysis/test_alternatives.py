"""What the same rounds would score with one option changed."""

import pytest

from analysis.alternatives import COLUMNS, Comparison
from records.record import Record
from tests.analysis.sheets import DRINKS, record, viewing


def compared(*records: Record) -> Comparison:
    found = Comparison()
    found.go_on(records, lambda: True)
    return found


def rows(found: Comparison) -> dict[str, dict[str, object]]:
    """By option and value."""
    return {f"{row[0]}={row[1]}": dict(zip(COLUMNS, row, strict=True)) for row in found.rows()}


def test_hn_9_scores_move_where_the_option_bears_on_them() -> None:
    # Two drinks: 8, -4, -4 where the dearer alone is paid, 10, -5, -5 where both are. Nobody is tied.
    found = rows(compared(record("hon-bana", [{"dealer": 1, "piles": DRINKS}])))
    stacked = found["drinks=stacked"]
    assert (stacked["n"], stacked["changed"], stacked["other_winner"], stacked["not_possible"]) == (1, 100, 0, 0)
    assert stacked["shift"] == pytest.approx((2 + 1 + 1) / 3)
    assert (found["tie=earliest"]["changed"], found["tie=earliest"]["shift"]) == (0, 0)
    assert "drinks=exclusive" not in found  # that is how it was played


def test_a_value_that_the_record_was_played_under_is_no_alternative_to_it() -> None:
    sheet = [{"dealer": 1, "piles": DRINKS}]
    found = compared(record("hon-bana", sheet), record("hon-bana", sheet, options={"drinks": "stacked"}))
    assert (rows(found)["drinks=stacked"]["n"], rows(found)["drinks=exclusive"]["n"], rows(found)["tie=earliest"]["n"]) == (1, 1, 2)


def test_kk_4_a_round_that_could_not_be_played_so_is_counted_apart() -> None:
    # A viewing yaku is worth 1 by default and 5 by option; where it is none, nobody could have stopped with it.
    found = compared(record("koi-koi", [viewing()]))
    assert rows(found)["viewing=five"]["shift"] == 4
    assert "viewing=none" not in rows(found)
    assert found.tallies["viewing", "none"].not_possible == 1


def test_the_value_that_changes_most_comes_first() -> None:
    found = compared(record("hon-bana", [{"dealer": 1, "piles": DRINKS}]))
    assert found.rows()[0][:2] == ("drinks", "stacked")


def test_what_is_only_claimed_says_nothing_of_other_rules() -> None:
    sheet = {"dealer": 1, "claims": {"scores": [4, -4]}}
    assert compared(record("koi-koi", [sheet])).rows() == []


def test_a_round_that_was_not_lawful_to_begin_with_is_left_out() -> None:
    assert compared(record("koi-koi", [viewing(actions=["3C 9Cx9A stop"])])).tallies == {}  # 3C had to take 3B


def test_it_goes_on_where_it_stopped() -> None:
    games = [record("hon-bana", [{"dealer": 1, "piles": DRINKS}])] * 3
    found = Comparison()
    found.go_on(games, lambda: False)
    assert (found.records, rows(found)["drinks=stacked"]["n"]) == (1, 1)
    found.go_on(games[found.records :], lambda: True)
    assert (found.records, rows(found)["drinks=stacked"]["n"]) == (3, 3)
