"""What the recorder may offer: every lawful action of simulated games is among it, and nothing that the engine finds wrong."""

from random import Random
from typing import Any

import pytest

from analysis.hints import hints
from analysis.simulate import simulate
from records.engine import rules_of
from records.errors import RecordErrors
from records.games import GAMES
from records.notation import unpack
from records.packed import play_of
from records.record import Deal, Record, Round, replace
from records.rules.game import Rules
from tests.analysis.sheets import deal, record

Json = dict[str, Any]


def asked(whole: Record, count: int, turn: str = "", hidden: bool = False) -> Json:
    """Hints after so many of the first round's actions; `hidden`: only the field is recorded."""
    (round_, *_) = whole.rounds
    dealt = round_.deal
    assert dealt is not None
    so_far = Round(round_.dealer, Deal(dealt.field) if hidden else dealt, play_of(round_.actions[:count]))
    return hints(replace(whole, rounds=(so_far,)), None, turn)


def halves(told: Json, code: str) -> list[str]:
    return [play["half"] for card in told["cards"] if card["code"] == code for play in card["plays"]]


@pytest.mark.parametrize("hidden", [False, True], ids=["hands known", "hands not recorded"])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.id))
def test_cp_3_every_lawful_turn_is_offered_half_by_half(game: Any, hidden: bool) -> None:
    rules = Rules(game, {}, game.seats[0], None)
    records = simulate(rules, Random(f"hints {game.id}"), claims=False)
    for whole in (next(records) for _ in range(2)):
        for count, action in enumerate(whole.rounds[0].actions):
            words = unpack(action).split()
            told = asked(whole, count, hidden=hidden)
            assert told["faults"] == []
            if words[0] in ("lucky", "misdeal", "keep"):
                assert words[0] in told["openings"]
                continue
            if words[0].endswith(":"):
                (other,) = [each for each in told["others"] if f"{each['seat']}:" == words[0]]
                assert words[1] in halves(other, "11C")
                continue
            turn = ""
            if words[0] == "-":
                assert (told["part"], told["turn"]) == ("draw", "-")
            else:
                assert told["part"] == "hand" and words[0] in halves(told, words[0].split("x")[0])
                turn = words.pop(0)
                told = asked(whole, count, turn, hidden)
            if words and words[0] not in ("koi", "stop"):
                if words[0] == "-":
                    words.pop(0)
                    turn = "-"
                assert told["part"] == "draw" and words[0] in halves(told, words[0].split("x")[0])
                turn = f"{turn} {words.pop(0)}"
                told = asked(whole, count, turn, hidden)
            if words:
                assert told["part"] == "call" and words[0] in told["calls"]
            else:
                assert told["part"] == "done" and told["turn_faults"] == []
        last = asked(whole, len(whole.rounds[0].actions), hidden=hidden)
        assert (last["part"], last["next"]) == ("over", None)


def test_cp_4_a_forced_capture_is_the_only_play_and_a_choice_is_two() -> None:
    dealt = deal("koi-koi", "1B 2R 3C 5A 7R 7C 8C 12C", ("3B 7A", "2A"), "")
    told = hints(record("koi-koi", [{"dealer": 1, "deal": {"field": dealt["field"]}}]))
    assert (told["part"], told["next"], told["hand_counts"], told["draw_count"]) == ("hand", 1, [8, 8], 24)
    assert halves(told, "3B") == ["3Bx3C"]
    assert sorted(halves(told, "7A")) == ["7Ax7C", "7Ax7R"]
    assert halves(told, "11B") == ["11B"]
    assert halves(told, "1B") == []  # it lies on the field


def test_kk_2_a_call_is_asked_for_where_it_is_due() -> None:
    dealt = deal("koi-koi", "3C 9C 1B 2R 5A 7R 8C 12C", ("3B",), "9A")
    sheet = [{"dealer": 1, "deal": dealt}]
    told = hints(record("koi-koi", sheet), None, "3Bx3C 9Ax9C")
    assert (told["part"], told["calls"], told["turn_faults"]) == ("call", ["koi", "stop"], [])
    assert hints(record("koi-koi", sheet), None, "3Bx3C 9Ax9C stop")["ended"] == "played"
    assert [yaku["id"] for yaku in told["yaku"][0]] == ["hanami"]


def test_cp_4_what_is_unlawful_is_named_and_play_goes_on() -> None:
    dealt = deal("koi-koi", "1B 2R 3C 5A 7R 8C 9R 12C", ("3B",), "4A")
    told = hints(record("koi-koi", [{"dealer": 1, "deal": dealt}]), None, "3B")
    assert told["part"] == "draw"
    assert [(fault["code"], fault["rule"]) for fault in told["turn_faults"]] == [("must-capture", "CP-4")]


def test_cp_9_cards_unseen_are_those_neither_on_the_field_nor_in_a_pile() -> None:
    dealt = deal("koi-koi", "1B 2R 3C 5A 7R 8C 9R 12C", ("3B",), "4A")
    told = hints(record("koi-koi", [{"dealer": 1, "deal": dealt, "actions": ["3Bx3C 4A"]}]))
    assert len(told["unseen"].split()) == 48 - 10  # 8 dealt, 2 played
    assert not {"3B", "4A", "1B"} & set(told["unseen"].split())


def test_a_field_that_is_not_whole_says_what_is_dealt() -> None:
    told = hints(record("koi-koi", [{"dealer": 1, "deal": {"field": "1B ? ? ? ? ? ? ?"}}]))
    assert told["part"] == "deal"
    assert (told["table"]["field"], told["table"]["hands"], told["table"]["draw_pile"]) == (8, [8, 8], 24)
    assert len(told["table"]["deck"].split()) == 48


def test_a_turn_that_cannot_be_read_and_a_round_that_is_not_there() -> None:
    sheet = record("koi-koi", [{"dealer": 1}])
    with pytest.raises(RecordErrors) as raised:
        hints(sheet, None, "99Z")
    assert raised.value.errors[0].token == "99Z"
    with pytest.raises(IndexError):
        hints(sheet, 2)


def test_au_1_a_card_that_nobody_saw_ends_what_can_be_said() -> None:
    dealt = deal("koi-koi", "1B 2R 3C 5A 7R 8C 9R 12C", (), "")
    told = hints(record("koi-koi", [{"dealer": 1, "deal": dealt, "actions": ["? 4A"]}]))
    assert told["part"] == "halted" and told["next"] is None
    assert rules_of(record("koi-koi", [{"dealer": 1}])).deck_size == 48
