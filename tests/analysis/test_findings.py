"""Every finding code, planted once; severities, messages, pointers."""

import re
import string
from pathlib import Path
from typing import Any

import pytest

from analysis.findings import DISPUTE, INCOMPLETE, KINDS, UNLAWFUL, Finding, worded
from tests.analysis.sheets import codes, deal, one, report, viewing

Json = dict[str, Any]


def higobana(actions: list[str], field: str, first: str, draw: str, dealer: int = 1, **options: Any) -> Json:
    """A higobana round of two seats that begins with these cards on the field, in the dealer's hand and on the draw pile."""
    hands = (first, "") if dealer == 1 else ("", first)
    dealt = deal("higobana", field, hands, draw, dealer, options=options)
    return one("higobana", {"dealer": dealer, "deal": dealt, "actions": actions}, options=options)


def bakabana(actions: list[str], field: str = "", hands: tuple[str, ...] = (), draw: str = "", **options: Any) -> Json:
    """A bakabana round that seat 1 deals: seats 2 and 3 are the children, seat 4 is Kan."""
    dealt = deal("bakabana", field, hands, draw, options=options)
    return one("bakabana", {"dealer": 1, "deal": dealt, "actions": actions}, options=options)


def changed(part: str, cards: str) -> Json:
    """The koi-koi round of one turn with another field or draw pile."""
    round_ = viewing()
    round_["deal"][part] = cards
    return round_


THREE = "5A 5R 5C 1C 2C 3C 4C 8C"
TWO = "5A 5R 1C 2C 3C 4C 7C 8C"
HON = deal("hon-bana", "1B 2R 3R 4C 5C 6C 7C 8C 10C", ("11C",), "9C")

PLANTED: list[tuple[str, int | None, Json]] = [
    ("deal-counts", 0, one("koi-koi", changed("draw_pile", " ".join(viewing()["deal"]["draw_pile"].split()[:-1])))),
    ("deal-duplicate", 0, one("koi-koi", changed("field", "3B 9A 1R 1R 4C 5C 6C 7C"))),
    ("card-not-in-deck", 0, one("koi-koi", changed("field", "3B 9A JB 2R 4C 5C 6C 7C"))),
    ("card-not-in-deck", 1, one("koi-koi", viewing(actions=["JBx3B 9Cx9A stop"]))),
    ("misdeal-not-declared", 0, bakabana(["1Cx1R 2C"], "7A 7R 7C 7C 1R", ("1C",), "2C", four_on_field="misdeal")),
    ("misdeal-unfounded", 1, one("koi-koi", viewing(actions=["misdeal"]))),
    ("lucky-unfounded", 1, bakabana(["lucky"], hands=("", "", "", "1B 2A 3C"))),
    ("lucky-unfounded", 1, one("koi-koi", viewing(actions=["lucky"]))),
    ("card-not-in-hand", 1, one("koi-koi", viewing(actions=["8Bx3B 9Cx9A stop"]))),
    ("card-not-on-field", 1, one("koi-koi", viewing(actions=["3Cx3R 9Cx9A stop"]))),
    ("card-not-top-of-pile", 1, one("koi-koi", viewing(actions=["2Ax2R 10C"]))),
    ("joker-protected", 1, higobana(["11CxJB 1B"], "JB 2A 3R 4C 5C 6C 7C 8C", "11C", "1B", jokers="system_1")),
    ("wild-not-allowed", 1, higobana(["2C 11Cx1B"], "1B 3R 4C 5C 6C 7C 8C 9C", "2C", "11C")),
    ("wrong-month", 1, one("koi-koi", viewing(actions=["3Cx2R 9Cx9A"]))),
    ("wrong-month", 1, one("hon-bana", {"dealer": 1, "deal": HON, "actions": ["11Cx1B 9C"]})),
    ("must-take-one", 1, higobana(["5Cx5A+5R 9C"], TWO, "5C", "9C")),
    ("must-take-three", 1, higobana(["5Cx5A 9C"], THREE, "5C", "9C")),
    ("must-capture", 1, higobana(["5C 9C"], THREE, "5C", "9C")),
    ("capture-ambiguous", 1, higobana(["5Cx 9C"], TWO, "5C", "9C")),
    ("out-of-turn", 1, one("koi-koi", viewing(actions=["2: 1Cx1R 9Cx9A"]))),
    ("kan-may-not-play", 1, bakabana(["4: 1C"], "2R 3R 4C 5C 6C 7C 8C 9C 10C", ("", "", "", "1C"))),
    ("draw-forbidden", 4, bakabana(
        ["1Cx1R 2C", "3Cx3R 4C", "5Cx5R 6C", "4: 11C 7C"],
        "1R 3R 5R 8B 9A 10A 12B 8C 9C",
        ("1C", "3C", "5C", "11C"),
        "2C 4C 6C 7C",
    )),
    ("hiki-unfounded", 1, higobana(["#5 9C"], THREE, "5C", "9C")),
    ("hiki-unfounded", 1, higobana(["#5 9C"], TWO, "5C", "9C", hiki=True)),
    ("play-missing", 1, higobana(["- 9C"], TWO, "5C", "9C")),
    ("draw-missing", 1, one("koi-koi", viewing(actions=["2Ax2R"]))),
    ("call-missing", 1, one("koi-koi", viewing(actions=["3Cx3B 9Cx9A"]))),
    ("call-unfounded", 1, one("koi-koi", viewing(actions=["2Ax2R 9Cx9A stop"]))),
    ("call-unfounded", 1, higobana(["5Cx5A 9C koi"], TWO, "5C", "9C")),
    ("round-unfinished", None, one("koi-koi", viewing(actions=["2Ax2R 9Cx9A"]))),
    ("action-after-end", 2, one("koi-koi", viewing(actions=["3Cx3B 9Cx9A stop", "1Cx1R 10C"]))),
    ("wrong-dealer", None, report("koi-koi", [viewing(), {**viewing(actions=["abandoned"]), "dealer": 2}])["rounds"][1]),
    ("match-over", None, report("koi-koi", [viewing(), viewing()], match={"type": "rounds", "rounds": 1})["rounds"][1]),
    ("piles-contradict", None, one("koi-koi", {"dealer": 1, "piles": ["1B", "1B"]})),
    ("claim-points", None, one("sakura", {"dealer": 1, "piles": ["1B", "3B"], "claims": {"points": [25, 20]}})),
    ("claim-yaku", None, one("koi-koi", viewing(claims={"yaku": [[], []]}))),
    ("claim-scores", None, one("koi-koi", viewing(claims={"scores": [2, -1]}))),
    ("claim-piles", None, one("koi-koi", viewing(piles=["3C 3B 9C", ""]))),
    ("claim-sum", None, one("koi-koi", {"dealer": 1, "claims": {"scores": [2, -1]}})),
    ("claim-totals", None, report("koi-koi", [viewing()], claims={"totals": [2, -1]})),
    ("claim-winner", None, report("koi-koi", [viewing()], claims={"winner": 2})),
]  # fmt: skip


@pytest.mark.parametrize(("code", "action", "told"), PLANTED, ids=[f"{code}-{n}" for n, (code, _, _) in enumerate(PLANTED)])
def test_au_3_a_planted_fault_is_found(code: str, action: int | None, told: Json) -> None:
    assert (code, action) in codes(told)
    others = {found for found, _ in codes(told)} - {code}
    assert others <= {"round-unfinished", "deal-counts"}


def test_cp_4_a_refused_match_names_the_cards_that_lie_there() -> None:
    (finding,) = higobana(["5C 9C"], THREE, "5C", "9C")["findings"][:1]
    assert (finding["code"], finding["args"]["field"]) == ("must-capture", ["5A", "5R", "5C"])
    assert finding["message"] == "5C takes nothing, though the field holds 5A, 5R, 5C: it must capture."


def test_every_code_is_planted_once() -> None:
    assert {code for code, _, _ in PLANTED} == set(KINDS)


def test_severities() -> None:
    by_severity = {
        severity: {code for code, kind in KINDS.items() if kind.severity == severity} for severity in (UNLAWFUL, DISPUTE, INCOMPLETE)
    }
    assert by_severity[INCOMPLETE] == {"round-unfinished"}
    assert by_severity[DISPUTE] == {code for code in KINDS if code.startswith("claim-")} | {"piles-contradict"}


def test_every_finding_has_what_the_report_promises() -> None:
    for code, _, told in PLANTED:
        for finding in told["findings"]:
            assert list(finding) == [
                "code", "severity", "round", "action", "pointer", "rule", "message", "args", "expected", "actual",
            ]  # fmt: skip
            assert re.fullmatch(r"(BK|HN|HG|SK|KK|CP|AU)-\d+", finding["rule"]), code
            assert finding["message"][0] not in string.ascii_lowercase and finding["message"].endswith(".")
            assert finding["pointer"].startswith(("/rounds/", "/claims/"))


def test_the_last_wording_of_a_code_needs_no_arguments() -> None:
    for code, kind in KINDS.items():
        bare = Finding(code, 1, None, "/rounds/0")
        assert worded(bare) == kind.wordings[-1]


def test_codes_are_documented_with_an_example_each() -> None:
    text = (Path(__file__).parents[2] / "web/docs/findings.md").read_text(encoding="utf-8")
    parts = re.split(r"^### `([a-z-]+)`$", text, flags=re.M)
    assert set(parts[1::2]) == set(KINDS)
    for code, part in zip(parts[1::2], parts[2::2], strict=True):
        assert "Example:" in part, code
