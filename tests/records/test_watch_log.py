"""Watch logs of open-hanafuda-ai, read as records of koi-koi. The logs are simulated games, written as that program writes its own."""

import io
from pathlib import Path
from random import Random
from typing import Any

import pytest

from analysis.audit import audit
from analysis.simulate import simulate
from records.formats import read_many, read_record, to_json
from records.games import game
from records.normal import normalise
from records.record import OptionValue
from records.rules.game import Rules
from tests.records.sheets import errors

Json = dict[str, Any]

KINDS = ["CCRB", "CCRA", "CCRB", "CCRA", "CCRA", "CCRA", "CCRA", "CCAB", "CCRA", "CCRA", "CRAB", "CCCB"]
CODES = [f"{month}{kind}" for month, kinds in enumerate(KINDS, start=1) for kind in kinds]
HOUSE: dict[str, OptionValue] = {"exhausted": "none", "viewing": "five", "calls": "double_if_opponent_called"}
NAMES = ("P1", "CPU")


def played(seed: int) -> Json:
    """A simulated match under the program's house rules, without the rounds that were thrown in: the program shuffles again."""
    rules = Rules(game("koi-koi"), HOUSE, 2, None)
    record = to_json(normalise(next(simulate(rules, Random(seed), rounds=6))))
    record["rounds"] = [each for each in record["rounds"] if each["actions"] != ["misdeal"]]
    return record


def numbers(codes: list[str]) -> str:
    """Cards as the program numbers them; each of twins gets a number of its own."""
    free: dict[str, list[int]] = {}
    for number, code in enumerate(CODES):
        free.setdefault(code, []).append(number)
    return ",".join(str(free[code].pop(0)) for code in codes)


def half(name: str, said: tuple[str, str], written: str) -> list[str]:
    card, _, taken = written.partition("x")
    cards = numbers([card, *taken.split("+")]) if taken else "n/a"
    return [f"[{name}] {said[0]}: {numbers([card])} seed=1 (Env: P1=1, CPU=2)", f"[{name}] {said[1]}: {cards} (Env: P1=1, CPU=2)"]


def log_of(record: Json) -> str:
    """The watch log of a match, with some of the program's thoughts. It doubles seven points or more."""
    lines = ["Watch Start: P1=Normal CPU=Hard rounds=6 seed=1", "[CARD-INDEX] Jan: 0=KASU 1=KASU 2=TAN 3=GOKOU"]
    totals = [0, 0]
    report = audit(read_record(record))
    for round_, told in zip(record["rounds"], report["rounds"], strict=True):
        number, deal, seat = told["round"], round_["deal"], round_["dealer"] - 1
        cards = " ".join([*deal["hands"], deal["field"], deal["draw_pile"]]).split()
        lines += ["[Round Start]", f"[Initial] Round {number}", f"Floor: {numbers(cards)}", f"Deck: {numbers(cards[16:24])}"]
        for action in round_["actions"]:
            first, second, *call = action.split()
            lines += ["Thinking...", "drop[0] card=38 value=4770", *half(NAMES[seat], ("think drop", "drop take"), first)]
            lines += ["[CPU] think select: 5 seed=1", *half(NAMES[seat], ("floor open", "floor take"), second)]
            if call == ["koi"]:
                lines.append(f"[Round {number}] {NAMES[seat]} chooses KOIKOI (base=1, own_win_requires>1, opponent_win_x2=ON)")
            seat = 1 - seat
        if not told["winner"]:
            lines.append(f"[Round {number}] Draw")
            continue
        winner = told["winner"] - 1
        base = sum(each["points"] for each in told["yaku"][winner])
        paid = told["scores"][winner] * (2 if base >= 7 else 1)
        totals[winner] += paid
        sums = f"Total P1={totals[0]} CPU={totals[1]}"
        lines.append(f"[Round {number}] Winner={NAMES[winner]} base={base} x{paid // base} => +{paid} (reason=none, {sums})")
    return "\n".join([*lines, "Game Finished: rounds=6", f"Final Score: P1={totals[0]} CPU={totals[1]}", "Winner: CPU <Hard>", ""])


@pytest.mark.parametrize("seed", range(12))
def test_a_log_tells_what_was_played(seed: int) -> None:
    record = played(seed)
    read = read_record(log_of(record))
    assert (read.players, dict(read.options)) == (("P1 (Normal)", "CPU (Hard)"), HOUSE)
    told = to_json(normalise(read))["rounds"]
    for mine, other in zip(record["rounds"], told, strict=True):
        assert [mine[key] for key in ("dealer", "deal", "actions")] == [other[key] for key in ("dealer", "deal", "actions")]
        assert mine["claims"]["scores"] == other["claims"]["scores"]
    assert {finding["code"] for each in audit(read)["rounds"] for finding in each["findings"]} <= {"wrong-dealer"}
    assert audit(read)["findings"] == []  # totals and winner, with what the doubling adds as adjustments


def test_kk_3_what_the_program_doubles_is_an_adjustment() -> None:
    adjusted = [each for seed in range(12) for each in to_json(read_record(log_of(played(seed))))["rounds"] if "adjust" in each]
    assert adjusted
    for each in adjusted:
        assert each["adjust"] == each["claims"]["scores"] and max(each["adjust"]) >= 7


def test_kk_4_without_the_cup_no_viewing_counts() -> None:
    log = log_of(played(1)).replace("rounds=6 seed=1", "rounds=6 no_sake=1", 1)
    assert read_record(log).options["viewing"] == "none"


def test_a_log_that_breaks_off_is_abandoned_and_claims_no_total() -> None:
    log = log_of(played(1))
    record = to_json(read_record(log[: log.rindex("[Round ")]))
    assert record["rounds"][-1]["actions"][-1] == "abandoned"
    assert "claims" not in record and "claims" not in record["rounds"][-1]


def test_a_dealt_hand_that_is_paid_at_once_is_thrown_in() -> None:
    lines = log_of(played(1)).splitlines()
    paid = [*lines[:5], "[Round 1] Winner=CPU base=6 x1 => +6 (reason=none, Total P1=0 CPU=6)", "Final Score: P1=0 CPU=6"]
    record = read_record("\n".join(paid))
    (round_,) = to_json(record)["rounds"]
    assert (round_["actions"][0][:8], round_["adjust"]) == ("misdeal:", [-6, 6])
    assert audit(record)["totals"] == [-6, 6]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("Watch Start: P1=Normal CPU=Hard rounds=6", "Watch Start: P1=Normal", "not-a-record"),
        ("Floor: ", "Floor: 48,", "unknown-card"),
        ("Floor: ", "Floor: 1,", "wrong-length"),
        ("Floor: ", "Flor: ", "wrong-length"),
        ("think drop: ", "think drop: x", "unknown-card"),
        ("[Initial]", "[Later]", "missing-key"),
    ],
)
def test_what_is_wrong_with_a_log_is_told_at_its_line(old: str, new: str, code: str) -> None:
    log = log_of(played(1)).replace(old, new)
    line = next(number for number, line in enumerate(log.splitlines(), start=1) if code == "missing-key" or new in line)
    found = errors(log)
    assert code in [error.code for error in found]
    assert all(error.line is not None and error.line >= line - 1 for error in found)


def test_logs_lie_in_folders_and_streams(tmp_path: Path) -> None:
    log = log_of(played(1))
    (tmp_path / "watch_1.log").write_text(log, encoding="utf-8", newline="\r\n")
    (tmp_path / "notes.txt").write_text("Watch out", encoding="utf-8")
    (item,) = read_many(tmp_path)
    assert item.record == read_record(log)
    (streamed,) = read_many(io.BytesIO(log.encode()))
    assert streamed.record == item.record
