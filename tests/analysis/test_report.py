"""The report as a whole (record-format.md, 3), its ledger as CSV, and the report for a terminal."""

import csv
import io
import json
from typing import Any

import pytest

from analysis import ledger
from analysis.audit import audit
from analysis.report_text import VERDICTS, readable
from analysis.rounds import VERDICTS as ORDER
from records import __version__
from records.formats import read_record, to_json
from records.normal import normalise
from tests.analysis.sheets import codes, record, report, viewing

Json = dict[str, Any]

RIGHT = {"scores": [1, -1], "yaku": [["hanami"], []]}
SHEET = {"dealer": 1, "claims": {"points": [10, 9, 6, 3], "yaku": [[], [], ["aotan"], []], "scores": [-8, -11, 20, -1]}}


def test_the_report_names_its_parts_in_order() -> None:
    told = report("koi-koi", [viewing(claims=RIGHT)], claims={"totals": [1, -1], "winner": 1})
    assert list(told) == ["record", "variant", "options", "engine", "verdict", "rounds", "totals", "winner", "findings"]
    assert told["options"] == {
        "four_dealt": "misdeal",
        "exhausted": "dealer_one",
        "viewing": "one_then_three",
        "calls": "add_then_multiply",
    }
    assert (told["engine"], told["record"][:7], len(told["record"])) == (__version__, "sha256:", 71)
    assert json.loads(json.dumps(told)) == told


def test_a_yaku_names_the_action_that_completed_it() -> None:
    (round_,) = report("koi-koi", [viewing()])["rounds"]
    assert round_["yaku"][0] == [{"id": "hanami", "points": 1, "action": 1, "seat": 1, "negated": False}]


def test_hn_10_negated_yaku_are_listed_and_paid_nothing() -> None:
    piles = [
        "6R 9R 10R 2A 2R 2C 2C 4A 4R 4C 4C 5A 5R 5C 5C",
        "1B 1R 1C 1C 3B 3R 3C 3C 8B 8A 8C 8C 12B 7A 7R",
        "6A 6C 6C 7C 7C 9A 9C 9C 10A 10C 10C 11B 11A 11R 11C",
    ]
    (round_,) = report("hon-bana", [{"dealer": 3, "piles": piles, "first_great": "chokushi"}])["rounds"]
    assert {made["id"] for made in round_["yaku"][1] if made["negated"]} == {"shiko", "matsushima", "sakurashima"}
    entries = [entry for entry in round_["ledger"] if entry["rule"] == "HN-10"]
    assert {entry["amount"] for entry in entries} == {0}


def test_the_amounts_of_the_ledger_add_up_to_the_scores() -> None:
    for told in (report("bakabana", [SHEET]), report("koi-koi", [viewing()])):
        for round_ in told["rounds"]:
            assert ledger.sums(round_["ledger"], len(round_["scores"])) == round_["scores"]


def test_payments_carry_who_pays() -> None:
    (round_,) = report("koi-koi", [viewing()])["rounds"]
    assert [(entry["side"], entry["amount"], entry["from"], entry["rule"]) for entry in round_["ledger"]] == [
        (1, 1, 2, "KK-4"),
        (2, -1, 2, "KK-4"),
    ]
    assert round_["ledger"][0]["args"]["cards"] == ["3B", "9A"]


def test_au_4_the_readable_report_shows_the_ledger_where_something_is_wrong() -> None:
    """13, 6, 7 and 2 without yaku: the dealer gets 7 and 6 from the children and pays Kan 2 (BK-14)."""
    claims = {"points": [13, 6, 7, 2], "yaku": [[], [], [], []], "scores": [12, -10, -7, 6]}
    sheet = record("bakabana", [{"dealer": 1, "claims": claims}])
    lines = readable(audit(sheet), sheet).splitlines()
    at = next(place for place, line in enumerate(lines) if line.endswith(" 11, because"))
    assert [line.split("]")[0].split() for line in lines[at + 1 : at + 5]] == [
        ["+0", "[BK-10"],
        ["+7", "[BK-14"],
        ["+6", "[BK-14"],
        ["-2", "[BK-14"],
    ]
    right = record("bakabana", [{"dealer": 1, "claims": claims | {"scores": [11, -10, -7, 6]}}])
    assert "because" not in readable(audit(right), right)


def test_the_ledger_as_csv_has_a_sum_a_side() -> None:
    rows = list(csv.reader(io.StringIO(ledger.as_csv(report("koi-koi", [viewing()])), newline="")))
    assert rows[0] == list(ledger.COLUMNS)
    assert rows[1][:7] == ["1", "1", "1", "2", "KK-4", "yaku hanami", "3B 9A"]
    assert [row[:6] for row in rows[3:]] == [["1", "1", "1", "", "", "sum"], ["1", "2", "-1", "", "", "sum"]]


def test_a_round_without_results_has_no_ledger() -> None:
    told = report("koi-koi", [viewing(actions=["abandoned"])])
    assert (told["rounds"][0]["ledger"], len(ledger.as_csv(told).splitlines())) == ([], 1)


@pytest.mark.parametrize(
    ("round_", "words"),
    [
        (viewing(claims=RIGHT), ["CONFIRMED", "P1 hanami | P2 -", "P1 1 | P2 -1", "seat 1 deals next"]),
        (viewing(claims={"scores": [5, -5]}), ["DISPUTED", "scores claimed", "! claim-scores [KK-3]", "Right under: viewing=five"]),
        (viewing(actions=["3C 9Cx9A"]), ["UNLAWFUL", "! must-capture at action 1 (3C 9Cx9A) [CP-4]"]),
        (viewing(actions=["3Cx3B 9Cx9A stop"], adjust=[0, -10]), ["adjusted", "P1 0 | P2 -10", "Totals: P1 1 | P2 -11"]),
        (
            {"dealer": 1, "piles": ["3B 8B 1B", ""]},
            ["INCOMPLETE", "9 possible outcomes", "P1 1 | P2 -1: if nobody stopped", "Totals: not known"],
        ),
        ({"dealer": 1}, ["INCOMPLETE", "Round 1 (scores, played)"]),
    ],
)
def test_a_report_for_people(round_: Json, words: list[str]) -> None:
    text = readable(report("koi-koi", [round_], explain=True), record("koi-koi", [round_]))
    for word in words:
        assert word in text
    assert text.endswith("\n") and text.isprintable() is False and "\x1b" not in text


def test_partners_are_named_together_and_house_rules_told() -> None:
    keys: Json = {"sides": [[1, 3], [2, 4]], "options": {"team_pile": "shared"}, "event": {"name": "Tuesday", "date": "2026-11-24"}}
    rounds = [{"dealer": 1, "claims": {"scores": [130, 60]}}]
    text = readable(report("sakura", rounds, 4, **keys), record("sakura", rounds, 4, **keys))
    assert "Sakura: P1 & P3 – P2 & P4" in text and "house rules: team_pile=shared" in text and "Tuesday, 2026-11-24" in text


def test_every_verdict_has_words() -> None:
    assert set(VERDICTS) == set(ORDER)


def test_au_3_an_impossible_act_leaves_the_other_rounds_audited_save_for_their_dealer() -> None:
    told = report("koi-koi", [viewing(actions=["8Bx3B"], claims={"scores": [9, -9]}), {**viewing(claims=RIGHT), "dealer": 1}])
    assert [codes(round_) for round_ in told["rounds"]] == [[("card-not-in-hand", 1)], []]
    assert [round_["verdict"] for round_ in told["rounds"]] == ["unlawful", "confirmed"]
    assert (told["totals"], told["winner"]) == (None, None)


def test_an_option_without_an_object_is_told_as_its_default() -> None:
    sheet: Json = {"dealer": 1, "claims": {"scores": [1, 2, 3]}}
    told = report("higobana", [sheet], 3, options={"hand_two": 10, "joker_rest": "player", "play_out": False})
    assert (told["options"]["hand_two"], told["options"]["joker_rest"], told["options"]["play_out"]) == (8, "none", False)


def test_a_record_and_its_normalised_form_have_the_same_report() -> None:
    round_ = viewing(actions=["1: 3cx 9Cx9A stop"], claims={"yaku": [["tsukimi", "hanami"], []]}, notes={})
    sheet = record("koi-koi", [round_], options={"viewing": "one_then_three"})
    assert audit(sheet) == audit(read_record(json.dumps(to_json(normalise(sheet)))))
