"""The shared records with the right answers: every key that an expectation has is compared (shared/vectors/README.md)."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from analysis.audit import audit
from records.formats import read_record

Json = Mapping[str, Any]

NOT_AUDITED = {"identity.jsonl", "text.jsonl", "read-errors.jsonl"}
OF_A_RECORD = ("verdict", "totals", "winner")
OF_A_ROUND = ("level", "end", "verdict", "points", "rounded", "scores", "winner", "next_dealer")


@pytest.mark.parametrize("variant", ["bakabana", "hon-bana", "higobana", "sakura", "koi-koi"])
def test_shared_records_get_the_right_report(shared: Path, variant: str) -> None:
    wrong = []
    for file in sorted((shared / "vectors").glob(f"{variant}*.jsonl")):
        assert file.name not in NOT_AUDITED
        for line in file.read_text(encoding="utf-8").splitlines():
            vector = json.loads(line)
            told = audit(read_record(json.dumps(vector["record"])), explain="explanations" in vector["expect"])
            wrong += [f"{vector['name']} {vector['rule']}: {difference}" for difference in differences(vector["expect"], told)]
    assert wrong == []


def differences(expect: Json, told: Json) -> Iterator[str]:
    """What a report says otherwise than expected."""
    for key in OF_A_RECORD:
        if key in expect and expect[key] != told[key]:
            yield f"{key} {told[key]}, not {expect[key]}"
    if "findings" in expect and codes(expect["findings"]) != codes(told["findings"]):
        yield f"findings {codes(told['findings'])}, not {codes(expect['findings'])}"
    if "explanations" in expect and options(expect["explanations"]) != options(told.get("explanations", [])):
        yield f"explanations {told.get('explanations')}, not {expect['explanations']}"
    for number, (wanted, round_) in enumerate(zip(expect.get("rounds", told["rounds"]), told["rounds"], strict=True), start=1):
        if wanted is not round_:
            for difference in round_differences(wanted, round_):
                yield f"round {number}: {difference}"


def round_differences(expect: Json, told: Json) -> Iterator[str]:
    for key in OF_A_ROUND:
        if key in expect and expect[key] != told[key]:
            yield f"{key} {told[key]}, not {expect[key]}"
    if "yaku" in expect and expect["yaku"] != paid(told["yaku"]):
        yield f"yaku {paid(told['yaku'])}, not {expect['yaku']}"
    if "findings" in expect and (codes(expect["findings"]) != codes(told["findings"]) or lacking(expect["findings"], told["findings"])):
        yield f"findings {told['findings']}, not {expect['findings']}"
    if "findings_include" in expect and lacking(expect["findings_include"], told["findings"]):
        yield f"findings lack {lacking(expect['findings_include'], told['findings'])}"
    if "possible" in expect:
        wanted = sorted(json.dumps(outcome) for outcome in expect["possible"])
        found = sorted(json.dumps([outcome["points"], paid(outcome["yaku"]), outcome["scores"]]) for outcome in told["possible"])
        if wanted != found:
            yield f"possible {found}, not {wanted}"


def codes(findings: list[Json]) -> Counter[str]:
    return Counter(finding["code"] for finding in findings)


def lacking(expect: list[Json], told: list[Json]) -> Counter[tuple[str, int | None]]:
    """Expected findings that are not there; one without an action is compared by its code."""
    named = Counter((finding["code"], finding["action"]) for finding in expect if "action" in finding)
    missing = named - Counter((finding["code"], finding["action"]) for finding in told)
    return missing + Counter({(code, None): count for code, count in (codes(expect) - codes(told)).items()})


def options(explanations: list[Json]) -> list[str]:
    return sorted(json.dumps(explanation, sort_keys=True) for explanation in explanations)


def paid(yaku: list[list[Json]] | None) -> list[list[str]] | None:
    return None if yaku is None else [sorted(made["id"] for made in side if not made["negated"]) for side in yaku]
