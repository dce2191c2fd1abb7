"""Logs of the public koi-koi data set, read as records."""

import copy
import io
import json
from pathlib import Path
from typing import Any

import pytest

from records.engine import rules_of, verify
from records.formats import read_many, read_record, to_json
from tests.records.sheets import errors

# Made by hand: one round in two turns, then a second that was broken off. A card is [month, rank].
LOG: dict[str, Any] = {
    "info": {
        "startTime": "2021-06-26 23:01:42", "endTime": None, "player1Name": "Aki", "player2Name": "Ren",
        "player1InitPts": 30, "player2InitPts": 30, "numRound": 8,
    },
    "result": {"isOver": True, "gameWinner": 2, "player1EndPts": 25, "player2EndPts": 35},
    "record": {
        "round1": {
            "basic": {
                "Dealer": 2,
                "initBoard": [[1, 1], [3, 4], [8, 2], [12, 2]],
                "initHand1": [[11, 4], [2, 1]],
                "initHand2": [[1, 3], [12, 1]],
                "initPile": [[5, 4], [7, 1], [8, 3], [3, 1]],
                "roundWinner": 2, "player1RoundPts": -5, "player2RoundPts": 5,
            },
            "turn1": {
                "playerInTurn": 2, "discardCard": [1, 3], "collectCard": [[1, 3], [1, 1]],
                "drawCard": [3, 1], "collectCard2": [[3, 1], [3, 4]], "isKoiKoi": True,
            },
            "turn2": {
                "playerInTurn": 1, "discardCard": [11, 4], "collectCard": [],
                "drawCard": [8, 3], "collectCard2": [[8, 3], [8, 2]], "isKoiKoi": None,
            },
            "turn3": {
                "playerInTurn": 2, "discardCard": [12, 1], "collectCard": [[12, 1], [12, 2]],
                "drawCard": [7, 1], "collectCard2": [], "isKoiKoi": False,
            },
        },
    },
}  # fmt: skip


def test_a_log_as_a_record() -> None:
    assert to_json(read_record(json.dumps(LOG))) == {
        "format": "hanafuda-record/1",
        "variant": "koi-koi",
        "event": {"date": "2021-06-26"},
        "players": [{"name": "Aki"}, {"name": "Ren"}],
        "match": {"type": "rounds", "rounds": 8, "start": 30},
        "rounds": [
            {
                "dealer": 2,
                "deal": {
                    "field": "1B 3C 8A 12C",
                    "hands": ["11C 2A", "1C 12B"],
                    "draw_pile": "3B 8C 7A 5C",
                },
                "actions": ["1Cx1B 3Bx3C koi", "11C 8Cx8A", "12Bx12C 7A stop"],
                "claims": {"scores": [-5, 5]},
            }
        ],
        "claims": {"totals": [25, 35], "winner": 2},
    }


def test_a_game_that_is_not_over_is_abandoned_and_claims_nothing() -> None:
    log = copy.deepcopy(LOG)
    log["result"] = {"isOver": False, "gameWinner": None, "player1EndPts": None, "player2EndPts": None}
    basic = log["record"]["round1"]["basic"]
    basic.update(roundWinner=None, player1RoundPts=None, player2RoundPts=None)
    written = to_json(read_record(log))
    assert written["rounds"][0]["actions"][-1] == "abandoned"
    assert "claims" not in written
    assert "claims" not in written["rounds"][0]


def test_a_turn_out_of_order_has_its_seat() -> None:
    log = copy.deepcopy(LOG)
    log["record"]["round1"]["turn2"]["playerInTurn"] = 2
    assert to_json(read_record(log))["rounds"][0]["actions"][1] == "2: 11C 8Cx8A"


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        ("info/player1Name", None, "missing-key"),
        ("info/player2InitPts", 20, "wrong-type"),
        ("result/isOver", "yes", "wrong-type"),
        ("result/player1EndPts", None, "missing-key"),
        ("record/round1/basic", None, "missing-key"),
        ("record/round1/basic/Dealer", True, "wrong-type"),
        ("record/round1/basic/initHand1", "x", "wrong-type"),
        ("record/round1/basic/initPile/2", [13, 1], "unknown-card"),
        ("record/round1/turn2/drawCard", [0, 0], "unknown-card"),
        ("record/round1/turn2/drawCard", None, "missing-key"),
        ("record/round1/turn1/isKoiKoi", 1, "wrong-type"),
    ],
)
def test_what_a_log_lacks_is_told_at_its_place(path: str, value: object, code: str) -> None:
    log = copy.deepcopy(LOG)
    holder: Any = log
    *parts, last = path.split("/")
    for part in parts:
        holder = holder[int(part)] if isinstance(holder, list) else holder[part]
    holder[int(last) if isinstance(holder, list) else last] = value
    assert (code, f"/{path}") in [(error.code, error.pointer) for error in errors(log)]


@pytest.mark.parametrize(
    ("key", "value", "action"),
    [
        ("discardCard", [2, 1], "2Ax1C+1B 3Bx3C koi"),
        ("collectCard", [[2, 1], [1, 1]], "1Cx2A+1B 3Bx3C koi"),
        ("drawCard", [5, 4], "1Cx1B 5Cx3B+3C koi"),
    ],
)
def test_a_card_that_is_not_among_those_it_took_is_left_to_the_audit(key: str, value: object, action: str) -> None:
    log = copy.deepcopy(LOG)
    log["record"]["round1"]["turn1"][key] = value
    assert to_json(read_record(log))["rounds"][0]["actions"][0] == action


def test_a_round_or_turn_that_is_left_out() -> None:
    log = copy.deepcopy(LOG)
    log["record"]["round1"]["turn4"] = log["record"]["round1"].pop("turn2")
    assert [error.pointer for error in errors(log)] == ["/record/round1/turn3"]


def test_the_real_games(shared: Path) -> None:
    """201 games: 1,579 finished rounds, 17,825 turns, 505 calls; no play unlawful, every recorded point right."""
    path = shared / "data" / "koi-koi" / "records.zip"
    items = list(read_many(path))
    records = [item.record for item in items if item.record is not None]
    assert [item.errors for item in items if item.errors] == []
    assert len(records) == 201
    assert all(item.position.startswith(f"{path}/gamerecords_dataset/") for item in items)
    rounds = turns = calls = 0
    for record in records:
        rules = rules_of(record)
        assert record.match is not None
        assert (record.match.type, record.match.length, record.match.start) == ("rounds", 8, 30)
        for round_ in record.rounds:
            outcome = verify(rules, round_)
            assert not outcome.table.faults
            turns += len(round_.actions)
            calls += sum(outcome.table.calls)
            if round_.claims is not None:
                rounds += 1
                assert outcome.settlement is not None
                assert tuple(outcome.settlement.scores) == round_.claims.scores
    assert (rounds, turns, calls) == (1579, 17825 + 1, 505)


def test_a_folder_and_a_line_of_the_real_games(shared: Path) -> None:
    folder = shared / "data" / "koi-koi"
    assert len([item for item in read_many(folder) if item.record]) == 201
    lines = (json.dumps(LOG) + "\n").encode() * 3
    assert [item.position for item in read_many(io.BytesIO(lines))] == ["line 1", "line 2", "line 3"]
