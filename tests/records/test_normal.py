"""The normalised form and the identity (record-format.md, 1, Identity). Expected forms are written by hand."""

import hashlib
import json
from typing import Any

import pytest

from records.formats import read_record, to_json, to_text
from records.normal import canonical, identity, normalise
from tests.records.sheets import HIGOBANA, sheet

KOI_KOI: dict[str, Any] = {
    "format": "hanafuda-record/1",
    "variant": "koi-koi",
    "players": [{"name": "A"}, {"name": "B"}],
    "rounds": [
        {
            "dealer": 1,
            "deal": {
                "field": "1B 2A 2R 2C 4A 5A 6A 7A",
                "hands": ["1R 2C 3C 4R 5R 6R 7R 8C", "1C 3B 4C 5C 6C 7C 8B 9A"],
                "draw_pile": "9R 10A 10R 10C 11B 11A 11R 11C 12B 12C 12C 12C 1C 3R 3C 4C 5C 6C 7C 8A 8C 9C 9C 10C",
            },
            "actions": ["1Rx1B 9R", "9Ax9R 10A"],
        }
    ],
}


def normal(data: object) -> dict[str, Any]:
    return to_json(normalise(read_record(data)))  # type: ignore[arg-type]  # plain values


def same(one: object, other: object) -> bool:
    return identity(read_record(one)) == identity(read_record(other))  # type: ignore[arg-type]  # plain values


def test_the_identity_is_the_hash_of_the_canonical_bytes() -> None:
    record = read_record(HIGOBANA)
    assert canonical(record) == json.dumps(normal(HIGOBANA), sort_keys=True, separators=(",", ":")).encode()
    assert identity(record) == "sha256:" + hashlib.sha256(canonical(record)).hexdigest()


def test_lists_are_sorted_but_the_draw_pile() -> None:
    mixed = sheet(
        rounds__0__deal={"field": "JC 12C ? 12Y 8A 8B 11A JB 1C 11C 1B", "hands": ["3C 2A", "?"], "draw_pile": "9C 1B"},
        rounds__0__piles=["10A 2R ? 1C", "3B"], rounds__0__claims__yaku=[["red", "2", "blue", "2"], []],
    )  # fmt: skip
    written = normal(mixed)["rounds"][0]
    assert written["deal"] == {
        "field": "1B 1C 8B 8A 11A 11C 12Y 12C JB JC ?",
        "hands": ["2A 3C", None],
        "draw_pile": "9C 1B",
    }
    assert written["piles"] == ["1C 2R 10A ?", "3B"]
    assert written["claims"]["yaku"] == [["2", "2", "blue", "red"], []]


def test_unneeded_seats_and_bare_captures_are_resolved() -> None:
    written = sheet(KOI_KOI, rounds__0__actions=["1: 1Rx 9R", "2: 9Ax 10A"])
    assert same(written, KOI_KOI)
    assert normal(written)["rounds"][0]["actions"] == ["1Rx1B 9R", "9Ax9R 10A"]


def test_a_bare_capture_of_three_in_sorted_order_and_named_ones_in_their_own() -> None:
    bare = sheet(KOI_KOI, rounds__0__actions=["2Cx 9R"])
    named = sheet(KOI_KOI, rounds__0__actions=["2Cx2C+2A+2R 9R"])
    assert normal(bare)["rounds"][0]["actions"] == ["2Cx2A+2R+2C 9R"]
    assert normal(named)["rounds"][0]["actions"] == ["2Cx2C+2A+2R 9R"]


def test_a_seat_out_of_turn_stays() -> None:
    assert normal(sheet(KOI_KOI, rounds__0__actions=["2: 9A 9R", "1: 1Rx1B 10A"]))["rounds"][0]["actions"] == [
        "2: 9A 9R",
        "1Rx1B 10A",
    ]


def test_words_that_stand_alone_need_no_seat() -> None:
    for word in ("misdeal", "abandoned", "lucky", "keep"):
        assert normal(sheet(KOI_KOI, rounds__0__actions=[f"1: {word}"]))["rounds"][0]["actions"] == [word]


def test_what_the_replay_never_reached_stays_as_written() -> None:
    unknown = sheet(KOI_KOI, rounds__0__actions=["1: 1Rx 9R", "?", "1: 4rx 11b", "2: 3Bx"])
    assert normal(unknown)["rounds"][0]["actions"] == ["1Rx1B 9R", "?", "1: 4Rx 11B", "2: 3Bx"]
    impossible = sheet(KOI_KOI, rounds__0__actions=["1: 12B 9R", "2: 9Ax 10A"])
    assert normal(impossible)["rounds"][0]["actions"][1] == "2: 9Ax 10A"


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ({"hiki": False, "jokers": "none"}, None),
        ({"hiki": True, "gaji_rest": "leftovers"}, {"hiki": True}),
        ({"team_pile": "shared", "joker_rest": "player", "chu_lead": "instead"}, None),
        ({"jokers": "system_1", "joker_rest": "player"}, {"jokers": "system_1", "joker_rest": "player"}),
        ({"jokers": "system_2", "chu_lead": "instead"}, {"jokers": "system_2"}),
        ({"hand_two": 10}, {"hand_two": 10}),
    ],
)
def test_options_without_effect_are_dropped(options: dict[str, object], kept: dict[str, object] | None) -> None:
    assert normal(sheet(options=options)).get("options") == kept


def test_options_of_two_seats_have_no_object_at_three() -> None:
    three = sheet(players=[{"name": name} for name in "ABC"], rounds=[{"dealer": 1}], options={"hand_two": 10})
    assert "options" not in normal(three)


def test_players_names_are_composed_and_nothing_else_is() -> None:
    apart = "Zoe\u0308 ２"
    record = sheet(players__0__name=apart, event={"name": apart}, rounds__0__notes={"1": apart})
    written = normal(record)
    assert written["players"][0]["name"] == "Zo\u00eb ２"
    assert written["event"]["name"] == apart
    assert written["rounds"][0]["notes"] == {"1": apart}


def test_what_says_nothing_is_dropped_and_zeros_and_empty_claims_are_kept() -> None:
    empty = {
        "format": "hanafuda-record/1",
        "variant": "koi-koi",
        "options": {},
        "event": {"name": None},
        "players": [{"name": "A", "x_id": 1}, {"name": "B"}],
        "match": {"type": "rounds", "rounds": 8, "start": 0},
        "x_app": {},
        "rounds": [
            {
                "dealer": 1,
                "deal": {"field": "? ?", "hands": ["? ?", None], "draw_pile": "?"},
                "actions": [],
                "piles": ["", ""],
                "claims": {"yaku": [[], []], "points": None},
                "calls": [0, 0],
                "stopped": 0,
                "adjust": [0, 0],
                "notes": {},
            },
            {"dealer": 2, "piles": ["? ?", "?"], "claims": {}},
        ],
        "claims": {"totals": None},
    }
    assert normal(empty) == {
        "format": "hanafuda-record/1",
        "variant": "koi-koi",
        "players": [{"name": "A"}, {"name": "B"}],
        "match": {"type": "rounds", "rounds": 8, "start": 0},
        "rounds": [
            {
                "dealer": 1,
                "piles": ["", ""],
                "claims": {"yaku": [[], []]},
                "calls": [0, 0],
                "stopped": 0,
                "adjust": [0, 0],
            },
            {"dealer": 2},
        ],
    }


def test_json_and_text_of_one_sheet_are_one_record_and_an_events_name_makes_another() -> None:
    record = read_record(HIGOBANA)
    assert identity(read_record(to_text(record))) == identity(record)
    assert not same(sheet(event={"name": "Tuesday"}), HIGOBANA)
    assert not same(sheet(event={"name": ""}), HIGOBANA)


def test_sides_stay_as_written() -> None:
    team = sheet(players=[{"name": name} for name in "ABCD"], rounds=[{"dealer": 1}], sides=[[2, 4], [1, 3]])
    assert normal(team)["sides"] == [[2, 4], [1, 3]]
    assert not same(team, sheet(team, sides=[[1, 3], [2, 4]]))
