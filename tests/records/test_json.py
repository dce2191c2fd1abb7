"""The record as JSON (record-format.md, 1): what is read alike, and where `x_` keys may stand."""

import json

import jsonschema_rs
import pytest

from records.cards import CARDS, UNKNOWN
from records.errors import RecordErrors
from records.formats import Limits, json_schema, read_record, to_json
from records.games import GAMES
from records.record import Claims, Deal, Facts, Match
from tests.records.sheets import HIGOBANA, errors, sheet

VALIDATOR = jsonschema_rs.validator_for(json_schema())


def test_a_record_as_read() -> None:
    record = read_record(json.dumps(HIGOBANA))
    assert record.variant == "higobana"
    assert record.players == ("Leilani", "Kimo")
    (round_,) = record.rounds
    assert round_.dealer == 1
    assert round_.deal == Deal(
        bytes([CARDS["1B"], CARDS["2R"], CARDS["3C"]]),
        (bytes([CARDS["1C"], CARDS["3B"]]), bytes([CARDS["2A"], CARDS["2C"]])),
        bytes([CARDS["8B"], CARDS["1R"]]),
    )
    assert round_.claims == Claims((130, 110), (("2",), ()), (180, 110))
    assert round_.facts == Facts()
    assert (record.options, record.sides, record.match, record.totals, record.winner) == ({}, None, None, None, None)


def test_whole_numbers_with_a_point_are_whole() -> None:
    record = read_record(
        sheet(rounds__0__dealer=1.0, rounds__0__claims__scores=[180.0, 1e2], match={"type": "target", "points": 300.0},
              options={"hand_two": 10.0}, claims={"totals": [2.5, -0.0], "winner": 1.0})
    )  # fmt: skip
    assert to_json(record)["claims"] == {"totals": [2.5, 0], "winner": 1}
    assert json.dumps(to_json(record)["rounds"][0]["claims"]["scores"]) == "[180, 100]"
    assert record.match == Match("target", 300)
    assert [type(value) for value in (record.rounds[0].dealer, record.winner, record.options["hand_two"])] == [int] * 3


@pytest.mark.parametrize(
    "same",
    [
        sheet(options={}, event={}, claims={}, rounds__0__notes={}),
        sheet(options={"hiki": None}, event={"name": None}, rounds__0__piles=None),
        HIGOBANA | {"match": None, "sides": None, "claims": None},
        sheet(rounds__0__deal__hands=["1c2 curtain", "2a 2C1"]),
    ],
)
def test_absent_empty_and_null_are_alike(same: dict[str, object]) -> None:
    assert read_record(same) == read_record(HIGOBANA)
    assert VALIDATOR.is_valid(same)


def test_unknown_cards_and_hands() -> None:
    record = read_record(sheet(rounds__0__deal={"field": "? 1B", "hands": [None, ""], "draw_pile": None}))
    assert record.rounds[0].deal == Deal(bytes([UNKNOWN, CARDS["1B"]]), (None, b""), None)


def test_sides_in_any_order_and_piles_by_side_where_partners_share() -> None:
    team = sheet(
        players=[{"name": name} for name in "ABCD"], sides=[[2, 4], [1, 3]], rounds__0__deal=None, rounds__0__piles=["1B", ""],
        options={"team_pile": "shared"},
    )  # fmt: skip
    assert read_record(team).sides == ((2, 4), (1, 3))
    assert [error.pointer for error in errors(sheet(team, options=None))] == ["/rounds/0/piles"]
    assert [error.pointer for error in errors(sheet(team, sides=[[4, 2], [1, 3]]))] == ["/sides"]


def test_x_keys_are_kept_where_they_may_stand() -> None:
    marked = sheet(x_app=1, players__0__x_id=2, event={"x_e": 3}, match={"type": "rounds", "rounds": 2, "x_m": [4]},
                   rounds__0__x_r=5, rounds__0__deal__x_d={"x_inner": 6}, rounds__0__notes={"x_n": 7})  # fmt: skip
    record = read_record(marked)
    assert record.extra == {
        "": {"x_app": 1},
        "/players/0": {"x_id": 2},
        "/event": {"x_e": 3},
        "/match": {"x_m": [4]},
        "/rounds/0": {"x_r": 5},
        "/rounds/0/deal": {"x_d": {"x_inner": 6}},
        "/rounds/0/notes": {"x_n": 7},
    }
    assert to_json(record) == marked
    assert VALIDATOR.is_valid(marked)
    for holder in ("options", "claims", "rounds__0__claims"):
        assert len(errors(sheet(**{f"{holder}__x_mine": 1}))) == 1


def test_numbers_that_only_x_keys_may_hold() -> None:
    assert read_record(sheet(x_id=2**70)).extra[""]["x_id"] == 2**70
    assert [error.code for error in errors(sheet(claims={"winner": 2**70}))] == ["bad-number"]


def test_limits_can_be_set() -> None:
    assert read_record(sheet(players__0__name="abcdef"), limits=Limits(name=6)).players[0] == "abcdef"
    for limits, data in (
        (Limits(name=5), sheet(players__0__name="abcdef")),
        (Limits(rounds=1), sheet(rounds=[{"dealer": 1}] * 2)),
        (Limits(actions=1), HIGOBANA),
        (Limits(nesting=4), HIGOBANA | {"x_deep": [[[[]]]]}),
        (Limits(record=100), HIGOBANA),
    ):
        with pytest.raises(RecordErrors):
            read_record(json.dumps(data), limits=limits)
    schema = jsonschema_rs.validator_for(json_schema(Limits(rounds=1)))
    assert not schema.is_valid(sheet(rounds=[{"dealer": 1}] * 2))


def test_a_record_at_its_limits_is_read() -> None:
    full = sheet(players__0__name="n" * 200, rounds=[{"dealer": 1, "actions": ["-"] * 200}] * 500)
    assert 500_000 < len(json.dumps(full)) < 1_000_000
    assert len(read_record(json.dumps(full)).rounds) == 500
    deep: object = 0
    for _ in range(31):
        deep = [deep]
    assert read_record(json.dumps(sheet(x_deep=deep))).extra == {"": {"x_deep": deep}}
    assert read_record(sheet(x_deep=deep)).extra == {"": {"x_deep": deep}}
    assert [error.code for error in errors(json.dumps(sheet(x_deep=[deep])))] == ["too-deep"]
    with pytest.raises(RecordErrors):
        read_record(sheet(x_deep=[deep]))


def test_the_schema_is_a_schema_and_knows_every_game() -> None:
    jsonschema_rs.meta.validate(json_schema())
    for game in GAMES:
        for option in game.options:
            for value in option.values:
                record = sheet(variant=game.id, options={option.id: value}, players=[{"name": "A"}] * game.seats[0],
                               rounds=[{"dealer": 1}])  # fmt: skip
                assert VALIDATOR.is_valid(record), (game.id, option.id, value)
                assert read_record(record).options == {option.id: value}
            assert not VALIDATOR.is_valid(sheet(record, options={option.id: "no such value"}))


@pytest.mark.parametrize(
    "broken",
    [
        sheet(format="hanafuda-record/2"), sheet(variant="go"), sheet(options={"joker": 1}), sheet(options={"hiki": 0}),
        sheet(players=[]), sheet(rounds=[]), sheet(rounds__0__dealer=None), sheet(rounds__0__claims__points=[0.3, 1]),
        sheet(rounds__0__actions=["3Bx3C 8B 9A"]), sheet(rounds__0__actions=["13C"]), sheet(rounds__0__actions=["8B -"]),
        sheet(rounds__0__deal__field="1B 1C3"), sheet(rounds__0__stopped=1), sheet(rounds__0__claims__yaku=[["9"], []]),
        sheet(match={"type": "rounds"}), sheet(match={"type": "rounds", "rounds": 0}), sheet(match={"rounds": 3}),
        sheet(foo=1), sheet(players__0__name=""), sheet(players__0__name="a\nb"), sheet(rounds__0__notes={"-1": "x"}),
        sheet(claims={"x_mine": 1}), sheet(claims={"winner": 1.5}),
    ],
)  # fmt: skip
def test_what_the_schema_refuses_the_reader_refuses(broken: dict[str, object]) -> None:
    assert not VALIDATOR.is_valid(broken)
    assert errors(broken)


@pytest.mark.parametrize("place", ["rounds__0__claims__points", "rounds__0__claims__yaku", "rounds__0__adjust", "rounds__0__piles"])
def test_null_stands_for_a_hand_alone(place: str) -> None:
    broken = sheet(**{place: [None, None]})
    assert {error.code for error in errors(broken)} == {"wrong-type"}
    assert not VALIDATOR.is_valid(broken)
