"""Two sheets of one game laid side by side."""

from typing import Any

import pytest

from analysis.compare import NotOneGame, compare
from analysis.compare_text import readable
from records.record import Record
from tests.analysis.sheets import deal, record, viewing

Json = dict[str, Any]


def koi_koi(*rounds: Json, **keys: Any) -> Record:
    return record("koi-koi", rounds, **keys)


def test_the_same_sheet_has_no_differences() -> None:
    one = koi_koi(viewing())
    told = compare(one, koi_koi(viewing(), event={}))
    assert told["same"] and told["first"] is None and told["head"] == []
    assert told["rounds"][0]["differences"] == []
    assert told["lawful"] == told["right"] == ["a", "b"]
    assert "same sheet" in readable(told, one)


def test_cp_4_they_part_at_an_action_and_one_of_them_is_lawful() -> None:
    """A writes that 3C takes the Curtain, B that it took nothing though the Curtain lay there (CP-4)."""
    table = deal("koi-koi", "3B 9A 1R 2R 4C 5C 6C 7C", ("3C 1B 2A 4A 5A 6A 7A 8A", "1C 2C 4R 5R 6R 7R 8B 9R"), "9C 10C 11C")
    a = koi_koi(viewing())
    b = koi_koi({"dealer": 1, "deal": table, "actions": ["3C 9Cx9A", "abandoned"]})
    told = compare(a, b)
    first = told["first"]
    assert (first["round"], first["at"], first["action"], first["kind"]) == (1, "action", 1, "contradicts")
    assert (first["a"], first["b"]) == ("3Cx3B 9Cx9A stop", "3C 9Cx9A")
    assert told["lawful"] == ["a"] and told["right"] == ["a"]
    assert told["verdict"] == {"a": "lawful", "b": "unlawful"}
    # What follows from each: by A the Curtain and the Sake cup lie in seat 1's pile, by B the Curtain still on the field.
    follows = first["follows"]
    assert set(follows["a"]["piles"][0].split()) == {"3B", "3C", "9A", "9C"}
    assert set(follows["b"]["piles"][0].split()) == {"9A", "9C"}
    assert "3B" in follows["b"]["field"].split() and "3B" not in follows["a"]["field"].split()
    assert follows["b"]["findings"] == ["must-capture"]
    text = readable(told, a)
    assert "They differ first in round 1:" in text and "Lawful: A" in text and "must-capture" in text


def test_a_sheet_that_says_less_contradicts_nothing() -> None:
    """The score sheet of a game that another sheet has whole: only-a, and the scores are the same."""
    a = koi_koi(viewing(claims={"scores": [1, -1]}))
    b = koi_koi({"dealer": 1, "claims": {"scores": [1, -1]}})
    told = compare(a, b)
    assert {each["kind"] for each in told["rounds"][0]["differences"]} == {"only-a"}
    assert {each["what"] for each in told["rounds"][0]["differences"]} == {"field", "hands", "draw_pile", "actions"}
    assert told["rounds"][0]["b"]["level"] == "scores"
    assert told["lawful"] == ["a", "b"] and told["right"] == ["a"]


def test_what_contradicts_comes_before_what_one_sheet_leaves_out() -> None:
    a = koi_koi(viewing(claims={"scores": [1, -1]}))
    b = koi_koi({"dealer": 1, "claims": {"scores": [2, -2]}})
    first = compare(a, b)["first"]
    assert (first["what"], first["a"], first["b"], first["kind"]) == ("scores", [1, -1], [2, -2], "contradicts")


def test_head_and_rounds_that_one_lacks_are_told() -> None:
    one = {"dealer": 1, "claims": {"scores": [4, -4]}}
    a = koi_koi(one, one, event={"recorder": "Kimo"})
    b = koi_koi(one, event={"recorder": "Nani"}, options={"viewing": "five"})
    told = compare(a, b)
    assert {each["what"]: each["kind"] for each in told["head"]} == {"options": "only-b", "event": "contradicts"}
    assert told["rounds"][0]["first"] is None
    assert told["rounds"][1]["first"]["kind"] == "only-a" and told["rounds"][1]["b"] is None
    assert told["first"]["round"] == 2


def test_the_way_of_writing_is_no_difference() -> None:
    """Identity resolves unneeded seats and bare captures; so does the comparison."""
    whole = viewing()
    other = viewing(actions=["1: 3Cx 9Cx9A stop"])
    assert compare(koi_koi(whole), koi_koi(other))["same"]


def test_different_games_are_no_two_sheets_of_one() -> None:
    with pytest.raises(NotOneGame, match="koi-koi"):
        compare(koi_koi({"dealer": 1}), record("hon-bana", [{"dealer": 1}]))
    with pytest.raises(NotOneGame, match="2 seats, the other 3"):
        compare(record("sakura", [{"dealer": 1}], 2), record("sakura", [{"dealer": 1}], 3))


def test_notes_that_differ_are_listed_and_no_play_parts_there() -> None:
    one = koi_koi(viewing(notes={"0": "late", "1": "a"}))
    other = koi_koi(viewing(notes={"1": "b"}, dealer=2))
    told = compare(one, other)
    notes = [each for each in told["rounds"][0]["differences"] if each["at"] == "notes"]
    assert [(each["action"], each["kind"], each["a"], each["b"]) for each in notes] == [
        (0, "only-a", "late", None),
        (1, "contradicts", "a", "b"),
    ]
    assert told["first"]["what"] == "dealer"  # what was played comes before what was noted
    alone = compare(one, koi_koi(viewing(notes={"0": "late"})))
    assert (alone["first"]["what"], alone["first"]["follows"]) == ("note", None)
    assert "late" in readable(told, one)
