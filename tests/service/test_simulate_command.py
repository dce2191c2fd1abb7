"""``hanafu simulate``: what it writes is what ``hanafu audit`` reads, and what there is not is refused."""

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner, Result

from service.cli import main


def hanafu(*arguments: str, given: bytes = b"") -> Result:
    """The command, in this process."""
    return CliRunner().invoke(main, arguments, input=given)


@pytest.mark.parametrize("form", ["json", "text"])
def test_what_it_writes_is_audited_clean(form: str) -> None:
    made = hanafu("simulate", "--variant", "higobana", "--sides", "1+3 2+4", "--games", "2", "--rounds", "2", "--format", form)
    assert made.exit_code == 0, made.output
    audited = hanafu("audit", "--json", "-", given=made.stdout_bytes)
    assert audited.exit_code == 0, audited.output
    assert [json.loads(line)["verdict"] for line in audited.stdout.splitlines()] == ["confirmed"] * 2


def test_the_same_seed_writes_the_same_bytes_in_any_process() -> None:
    arguments = ("simulate", "--variant", "sakura", "--seats", "5", "--games", "6", "--faults", "0.4", "--option", "hiki=true", "--seed")
    one, other = hanafu(*arguments, "4"), hanafu(*arguments, "5")
    again = subprocess.run([sys.executable, "-m", "service.cli", *arguments, "4"], capture_output=True, check=True)
    assert one.stdout_bytes == again.stdout != other.stdout_bytes
    assert len(one.stdout.splitlines()) == 6


def test_faults_are_marked_and_found() -> None:
    made = hanafu("simulate", "--variant", "koi-koi", "--games", "5", "--faults", "1")
    marked = [json.loads(line)["x_fault"] for line in made.stdout.splitlines()]
    audited = hanafu("audit", "--json", "-", given=made.stdout_bytes)
    assert audited.exit_code == 1
    for fault, report in zip(marked, map(json.loads, audited.stdout.splitlines()), strict=True):
        findings = [finding for round_ in report["rounds"] for finding in round_["findings"]] + report["findings"]
        assert {(finding["code"], finding["round"], finding["action"]) for finding in findings} == {
            (fault["code"], fault["round"], fault["action"])
        }


def test_a_scenario_and_no_claims() -> None:
    made = hanafu("simulate", "--variant", "bakabana", "--scenario", "lucky-hand", "--no-claims")
    record = json.loads(made.stdout)
    assert record["rounds"][0]["actions"] == ["lucky"]
    assert "claims" not in record and "claims" not in record["rounds"][0]


def test_the_scenarios_of_a_table_are_listed() -> None:
    listed = hanafu("simulate", "--variant", "hon-bana", "--scenario", "list").stdout.split()
    assert "both-great" in listed and "phoenix-dealt" in listed


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--variant", "higobna"], "did you mean 'higobana'?"),
        (["--variant", "koi-koi", "--seats", "3"], "koi-koi is played with 2 seats"),
        (["--variant", "sakura", "--option", "hiki=maybe"], "option hiki has no value 'maybe'"),
        (["--variant", "sakura", "--sides", "1+2 3+4"], "'1+2 3+4' is none of 1+3 2+4"),
        (["--variant", "sakura", "--scenario", "hiki"], "'hiki' is none of"),
        (["--variant", "sakura", "--match", "rounds four"], "is not like 'rounds 4'"),
        (["--variant", "sakura", "--faults", "2"], "2.0 is not in the range"),
    ],
)
def test_what_there_is_not_is_refused_by_name(arguments: list[str], word: str) -> None:
    refused = hanafu("simulate", *arguments)
    assert refused.exit_code == 2
    assert word in refused.stderr
    assert not refused.stdout
