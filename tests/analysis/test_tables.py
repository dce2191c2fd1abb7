"""Records as columns for the store."""

from typing import Any

import numpy as np

from analysis.audit import assess, audit
from analysis.tables import CALLS, COLUMNS, columns
from records.cards import CARDS, codes_in, mask
from records.normal import canonical
from records.record import Record
from tests.analysis.sheets import deal, record, viewing


def tables(*records: Record) -> dict[str, list[dict[str, Any]]]:
    """The rows of each table, masked values as None."""
    found = columns(records, [audit(one) for one in records])
    return {
        table: [dict(zip(of_table, row, strict=True)) for row in zip(*(column.tolist() for column in of_table.values()), strict=True)]
        for table, of_table in found.items()
    }


def test_every_table_has_the_columns_that_are_described() -> None:
    for sheets in ([], [record("koi-koi", [viewing()])]):
        found = columns(sheets, [audit(sheet) for sheet in sheets])
        assert {table: list(of_table) for table, of_table in found.items()} == {table: list(told) for table, told in COLUMNS.items()}
        for of_table in found.values():
            assert len({len(column) for column in of_table.values()}) == 1


def test_rounds() -> None:
    (row,) = tables(record("koi-koi", [viewing(claims={"scores": [1, -1]})]))["rounds"]
    assert row == {
        "record": 0, "round": 1, "dealer": 1, "next_dealer": 1, "level": "full", "end": "played", "verdict": "confirmed", "winner": 1,
        "actions": 1,
    }  # fmt: skip
    (row,) = tables(record("koi-koi", [{"dealer": 2}]))["rounds"]
    assert (row["next_dealer"], row["winner"], row["level"]) == (None, None, "scores")


def test_actions_name_cards_and_what_they_take() -> None:
    (row,) = tables(record("koi-koi", [viewing()]))["actions"]
    assert row == {
        "record": 0, "round": 1, "action": 1, "seat": 1, "played": CARDS["3C"], "played_takes": mask("3B"), "drawn": CARDS["9C"],
        "drawn_takes": mask("9A"), "call": CALLS.index("stop"),
    }  # fmt: skip


def test_seats_in_order_from_the_dealer_and_as_written() -> None:
    dealt = deal("sakura", "3B 2R 4C 5C 6C 7C", ("1C", "2C", "3C"), "8C 9C 10C", dealer=3, seats=3)
    plain = ["3Cx3B 8C", "1C 9C", "2Cx2R 10C"]
    (rows, skipped) = (
        tables(record("sakura", [{"dealer": 3, "deal": dealt, "actions": actions}], 3))["actions"]
        for actions in (plain, ["3Cx3B 8C", "2: 2Cx2R 9C", "abandoned"])
    )
    assert [row["seat"] for row in rows] == [3, 1, 2]
    assert [(row["seat"], CALLS[row["call"]]) for row in skipped] == [(3, None), (2, None), (None, "abandoned")]


def test_bk_5_kan_is_passed_over() -> None:
    dealt = deal("bakabana", "1R 3R 5R 8B 9A 10A 12B 8C 9C", ("1C", "3C", "5C", "11C"), "2C 4C 6C 7C")
    actions = ["1Cx1R 2C", "3Cx3R 4C", "5Cx5R 6C", "4: 11Cx8B"]
    rows = tables(record("bakabana", [{"dealer": 1, "deal": dealt, "actions": actions}]))
    assert [row["seat"] for row in rows["actions"]] == [1, 2, 3, 4]
    assert (rows["actions"][3]["drawn"], rows["actions"][3]["played_takes"]) == (None, mask("8B"))
    assert [(row["turns"], row["wild"], row["hand_captures"], row["hand_points"]) for row in rows["seats"]] == [
        (1, 0, 1, 1), (1, 0, 1, 1), (1, 0, 1, 1), (1, 1, 1, 3),
    ]  # fmt: skip


def test_seats_have_points_scores_piles_and_counts() -> None:
    first, second = tables(record("koi-koi", [viewing()]))["seats"]
    assert (first["side"], first["place"], first["points"], first["score"]) == (1, 0, None, 1)
    assert codes_in(first["pile"]) == ["3B", "3C", "9A", "9C"]
    assert (first["hand_captures"], first["draw_captures"], first["from_yaku"], first["paid_yaku"], first["koi"]) == (1, 1, 1, 0, 0)
    assert (second["place"], second["score"], second["turns"], second["paid_yaku"], second["pile"]) == (1, -1, 0, -1, 0)


def test_au_2_piles_with_a_card_twice_are_not_known() -> None:
    right, wrong = ({"dealer": 1, "piles": piles, "stopped": 1, "calls": [0, 0]} for piles in (["1B", "3B 8B"], ["1B 2A", "8B 1B 3B"]))
    first, second, *others = tables(record("koi-koi", [right, wrong]))["seats"]
    assert [codes_in(seat["pile"]) for seat in (first, second)] == [
        ["1B"],
        ["3B", "8B"],
    ]  # that nobody can have stopped says nothing of them
    assert [seat["pile"] for seat in others] == [None, None]


def test_the_sources_of_a_score_add_up_to_it() -> None:
    sheet = {"dealer": 1, "claims": {"points": [10, 9, 6, 3], "yaku": [[], [], ["aotan"], []], "scores": [-8, -11, 20, -1]}}
    rows = tables(record("bakabana", [sheet]))["seats"]
    assert [row["from_cards"] + row["from_yaku"] + row["paid_yaku"] + row["from_other"] for row in rows] == [-8, -11, 20, -1]
    assert [(row["from_yaku"], row["paid_yaku"]) for row in rows] == [(0, -10), (0, -10), (30, 0), (0, -10)]


def test_yaku_and_findings() -> None:
    found = tables(record("koi-koi", [viewing(claims={"scores": [5, -1]})], claims={"winner": 2}))
    assert found["yaku"] == [
        {"record": 0, "round": 1, "side": 1, "seat": 1, "yaku": "hanami", "points": 1, "action": 1, "negated": False},
    ]  # fmt: skip
    assert [(row["round"], row["action"], row["code"], row["severity"]) for row in found["findings"]] == [
        (0, None, "claim-winner", "dispute"),
        (1, None, "claim-scores", "dispute"),
    ]


def test_hg_16_a_hiki_takes_four_and_plays_no_card() -> None:
    dealt = deal("sakura", "5A 5R 1C 2C 3C 4C 6C 7C", ("5C 5C",), "8C")
    (row,) = tables(record("sakura", [{"dealer": 1, "deal": dealt, "actions": ["#5 8C"]}], options={"hiki": True}))["actions"]
    assert (row["played"], row["played_takes"], CALLS[row["call"]], row["drawn"]) == (None, mask("5A 5R 5C 5C"), "hiki", CARDS["8C"])


def test_records_are_named_by_their_place_in_the_batch() -> None:
    found = columns(
        *zip(*((one, audit(one)) for one in [record("koi-koi", [viewing()]), record("koi-koi", [viewing(), viewing()])]), strict=True)
    )
    assert found["rounds"]["record"].tolist() == [0, 1, 1]
    assert found["actions"]["record"].dtype == np.int64


def test_what_the_audit_played_is_not_played_again() -> None:
    sheets = [record("koi-koi", [viewing(), {"dealer": 1}]), record("koi-koi", [viewing(actions=["8Bx3B"])])]
    assessed = [assess(sheet) for sheet in sheets]
    reports = [one.report for one in assessed]
    again, once = columns(sheets, reports), columns(sheets, reports, [one.outcomes for one in assessed])
    assert {table: {name: column.tolist() for name, column in rows.items()} for table, rows in once.items()} == {
        table: {name: column.tolist() for name, column in rows.items()} for table, rows in again.items()
    }
    assert [one.canonical for one in assessed] == [canonical(sheet) for sheet in sheets]
    assert reports == [audit(sheet) for sheet in sheets]
