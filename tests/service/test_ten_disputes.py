"""The ten disputes that come with the product, and the tour of the desk that is built on them (web/docs/desk.md).

What each must end with is worked out by hand from the rules; the arithmetic stands beside it.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import web
from analysis.audit import audit
from analysis.variants import describe
from records.formats import read_record
from service.samples.disputes import Sample, samples

Json = dict[str, Any]
TOUR = (Path(web.__file__).parent / "docs" / "desk.md").read_text(encoding="utf-8")
SAMPLES = {sample.name: sample for sample in samples()}

Findings = list[tuple[str, int | None, str | None]]
"""Code, action and rule of each."""


def scores(*sides: int, rule: str) -> Findings:
    return [("claim-scores", None, rule)] * len(sides)


POINTS: Findings = [("claim-points", None, "BK-10")]

EXPECTED: dict[str, tuple[str, list[float] | None, list[float], Findings, list[Json]]] = {
    # 9, 6½ → 7, 6, 3½ → 4 (BK-12). Aiko 2+3−4, Botan −2+1−4, Chika −3−1−4, Kan 3·4. With paulownia at ½ Botan has 8.
    "01-rounding": (
        "disputed",
        [9, 6.5, 6, 3.5],
        [1, -5, -8, 12],
        POINTS + scores(1, 2, 3, rule="BK-14"),
        [{"paulownia_chaff": 0.5}],
    ),
    # 9, 6, 6, 4: 3+3−4 = 2, −3−4 = −7 twice, 12; Kan's yaku 10 from each: −8, −17, −17, 42 (BK-15).
    "02-kans-yaku-of-two": (
        "disputed",
        [9, 6, 6, 4],
        [-8, -17, -17, 42],
        [("claim-yaku", None, "BK-15"), *scores(1, 2, 3, 4, rule="BK-15")],
        [],
    ),
    # 10, 6, 6, 3: 4+4−3 = 5, −4−3 = −7 twice, 9. The Lightning is worth 0 on a willow (BK-11).
    "03-lightning-on-a-willow": ("disputed", [10, 6, 6, 3], [5, -7, -7, 9], POINTS + scores(1, 2, 3, rule="BK-14"), []),
    # Botan has most points, 120: 2 from each (HN-8), and Four Brights, 6 from each: 16, −8, −8. The second great yaku falls (HN-10a).
    "04-second-great-yaku": (
        "disputed",
        [110, 120, 70],
        [-8, 16, -8],
        [("claim-yaku", None, "HN-10"), *scores(1, 2, 3, rule="HN-10")],
        [{"dealer_great": "stands"}],
    ),
    # Botan has most, 115: −2, 4, −2; Aiko's Two Drinks, 2 from each: 2, 2, −4.
    "05-one-drink-or-two": (
        "disputed",
        [105, 115, 80],
        [2, 2, -4],
        [("claim-yaku", None, "HN-9"), *scores(1, 2, 3, rule="HN-9")],
        [{"drinks": "stacked"}],
    ),
    # Leilani captured 110 and gets the warbler (5) and the willow's ribbon (10) that are left: 125; Kimo's red ribbons take 50 off: 75.
    "06-odd-card-after-the-gaji": (
        "disputed",
        [115, 125],
        [115, 75],
        [("claim-points", None, "HG-8"), *scores(2, rule="HG-10")],
        [{"gaji_rest": "mate"}],
    ),
    # 80 and a yaku of 50, added at three seats (HG-10).
    "07-yaku-at-three-seats": (
        "disputed",
        [80, 90, 70],
        [130, 90, 70],
        scores(1, 2, 3, rule="HG-10"),
        [{"yaku_scoring": "deduct"}],
    ),
    # 150 is 100 above 50: doubled for the lead (HG-11) and for Chu (HG-12), 600. Botan's Basa doubles 50.
    "08-doubling-with-jokers": (
        "disputed",
        [150, 50, 40],
        [600, 100, 40],
        scores(1, rule="HG-12"),
        [{"chu_lead": "instead"}],
    ),
    # Rainy Four Brights, 7 (KK-4). The chrysanthemum of action 5 must capture (CP-4).
    "09-refused-match": ("unlawful", None, [7, -7], [("must-capture", 5, "CP-4")], []),
    "10-sheet-that-does-not-sum": ("disputed", None, [-8, -11, 21, -1], [("claim-sum", None, "BK-16")], []),
}


def reported(sample: Sample) -> Json:
    return audit(read_record(json.dumps(sample.record)), explain=True)


def test_there_are_ten_disputes_and_the_worked_examples() -> None:
    assert sorted(SAMPLES) == sorted([*EXPECTED, *(f"worked-{number}-{kind}" for number in (1, 2) for kind in ("piles", "sheet"))])


@pytest.mark.parametrize("name", EXPECTED)
def test_each_dispute_ends_as_a_referee_would_have_it(name: str) -> None:
    verdict, points, result, findings, explanations = EXPECTED[name]
    sample = SAMPLES[name]
    told = reported(sample)
    round_ = told["rounds"][sample.round - 1]
    assert told["verdict"] == round_["verdict"] == verdict
    assert (round_["points"], round_["scores"]) == (points, result)
    assert [(each["code"], each["action"], each["rule"]) for each in round_["findings"]] == findings
    assert [each["options"] for each in told["explanations"]] == explanations


@pytest.mark.parametrize("name", EXPECTED)
def test_each_dispute_is_opened_by_one_and_answered_by_another(name: str) -> None:
    said = [by.name for by, _ in SAMPLES[name].statements]
    assert len(said) == len(set(said)) == 2
    assert set(said) <= {player["name"] for player in SAMPLES[name].record["players"]}


@pytest.mark.parametrize("kind", ["sheet", "piles"])
@pytest.mark.parametrize(("number", "rounded", "result"), [(1, [13, 6, 7, 2], [11, -10, -7, 6]), (2, [10, 9, 6, 3], [-8, -11, 20, -1])])
def test_bk_14_bk_15_the_worked_examples_are_confirmed(kind: str, number: int, rounded: list[int], result: list[int]) -> None:
    told = reported(SAMPLES[f"worked-{number}-{kind}"])
    assert told["verdict"] == "confirmed"
    assert (told["rounds"][0]["rounded"], told["rounds"][0]["scores"]) == (rounded, result)
    assert told["rounds"][0]["level"] == ("scores" if kind == "sheet" else "piles")


def sections() -> dict[str, dict[str, str]]:
    """The facts of the tour, by sample: each line ``- key: value``."""
    found = {}
    for part in re.split(r"^### ", TOUR, flags=re.M)[1:]:
        facts = dict(re.findall(r"^- (.+?): (.+)$", part, re.M))
        if "sample" in facts:
            found[facts["sample"].strip("`")] = facts
    return found


def numbers(text: str) -> list[int]:
    return [int(each) for each in text.replace("−", "-").split(", ")]


def cited(told: Json, round_: Json) -> set[str]:
    """The rule points that the report names for a round: by findings, by the ledger, by the options under which it would be right."""
    sources = {option["id"]: option["rule"] for option in describe(told["variant"])["options"]}
    house = {sources[id] for each in told["explanations"] for id in each["options"]}
    return {each["rule"] for each in (*round_["findings"], *round_["ledger"])} | house


def test_the_tour_shows_all_ten_in_order() -> None:
    assert list(sections()) == list(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_every_line_of_the_tour_is_what_the_report_says(name: str) -> None:
    facts, sample = sections()[name], SAMPLES[name]
    told = reported(sample)
    round_ = told["rounds"][sample.round - 1]
    assert numbers(facts["claimed"]) == sample.record["rounds"][sample.round - 1]["claims"]["scores"]
    if facts["by the rules"] == "a sum of 0":
        assert (round_["findings"][0]["expected"], sum(numbers(facts["claimed"]))) == (0, 1)
    else:
        assert numbers(facts["by the rules"]) == round_["scores"]
    assert set(facts["rules"].split(", ")) <= cited(told, round_)
    assert facts["right"] in {player["name"] for player in sample.record["players"]}
    (other,) = (value for key, value in facts.items() if key.endswith("would be right under"))
    house = {f"{id} = {value}" for each in told["explanations"] for id, value in each["options"].items()}
    assert set(re.findall(r"`(.+?)`", other)) == house
    assert house or other == "no house rule that the product knows"


def test_the_tour_tells_the_worked_examples() -> None:
    for number, result in ((1, "11, −10, −7, 6"), (2, "−8, −11, 20, −1")):
        told = reported(SAMPLES[f"worked-{number}-piles"])["rounds"][0]["scores"]
        assert numbers(result) == told and result in re.sub(r"\s+", " ", TOUR)
