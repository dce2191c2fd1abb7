"""Bakabana by its rule points. Expected values are worked out by hand from the rules."""

import pytest

from records.cards import LIGHTNING
from records.games.bakabana import GAME
from records.rules.settlement import Ending, Sheet, Yaku

from .rounds import names, paid, played, settle, table

BAKABANA = table("bakabana", 4)

# Dealer 13 (the Lightning took the crane), child 1 6, child 2 7, Kan 2: nobody has a yaku.
FIRST = ("11C 1B 12B 3B 1R 4R 2A 4A", "8B 2R 5R 6R", "3R 7R 10R 11R 7A 8A 9A 10A 11A 11B", "9R 5A 6A")
# Dealer 10 (the Lightning took the moon), child 1 9, child 2 6 with Blue Ribbons, Kan 3.
SECOND = ("11C 8B 12B 1R 4R", "1B 2R 5R 7R 11R 5A 6A 7A 8A", "6R 9R 10R 3B 2A 4A", "3R 9A 10A 11A 11B")


def test_bk_1_four_seats_only() -> None:
    assert GAME.seats == (4,)
    assert GAME.partitions == {}


def test_bk_2_deal() -> None:
    assert BAKABANA.hand_sizes == [6, 6, 6, 3]
    assert BAKABANA.field_size == 9
    assert BAKABANA.pile_size == 18


@pytest.mark.parametrize("value", ["leave", "misdeal", "dealer_takes"])
def test_bk_3_four_on_field(value: str) -> None:
    assert table("bakabana", 4, four_on_field=value).four_on_field == value
    assert not BAKABANA.keep_allowed


def test_bk_4_lucky_hand() -> None:
    settled = settle(BAKABANA, Ending(1, [0, 0, 0, 0], "lucky"))
    assert settled.scores == [60, -20, -20, -20]
    assert settled.points is None
    assert settled.yaku is None
    assert settled.winner == 0
    assert settled.next_dealer == 1
    assert {entry.rule for entry in settled.ledger} == {"BK-4"}


def test_bk_5_kan_takes_no_turns() -> None:
    assert BAKABANA.idle == 1
    assert BAKABANA.kan_lightning
    assert BAKABANA.ends == "hands"


def test_bk_6_wild_from_draw() -> None:
    assert BAKABANA.wild_from_hand == 1 << LIGHTNING
    assert BAKABANA.wild_from_draw == 0
    assert table("bakabana", 4, wild_from_draw=True).wild_from_draw == 1 << LIGHTNING


def test_bk_9_the_rest_is_kans() -> None:
    assert BAKABANA.rest == "kan"


def test_bk_10_card_points() -> None:
    values = GAME.card_values(BAKABANA)
    assert (values["1B"], values["8B"], values["3B"], values["12B"]) == (3, 3, 2, 2)
    assert {code for code, value in values.items() if value == 1} == {"1R", "2R", "3R", "4R", "5R", "6R", "7R", "9R", "10R", "11R"}
    assert {code for code, value in values.items() if value == 0.5} == {"2A", "4A", "5A", "6A", "7A", "8A", "9A", "10A", "11A", "11B"}
    assert "12Y" not in values
    everything = played(BAKABANA, "1B 8B 3B 12B", "1R 2R 3R 4R 5R", "6R 7R 9R 10R 11R 2A", "4A 5A 6A 7A 8A 9A 10A 11A 11B 12Y 12C 12C")
    assert everything.points == [10, 5, 5.5, 4.5]


def test_bk_10_paulownia_chaff() -> None:
    half = table("bakabana", 4, paulownia_chaff=0.5)
    piles = ("1B 8B 3B 12B", "1R 2R 3R 4R 5R", "6R 7R 9R 10R 11R 2A", "4A 5A 6A 7A 8A 9A 10A 11A 11B 12Y 12C 12C")
    assert played(half, *piles).points == [10, 5, 5.5, 6]
    assert GAME.card_values(half)["12C"] == 0.5
    assert GAME.card_values(BAKABANA)["12C"] == 0


@pytest.mark.parametrize(("taken", "points"), [("1B", 13), ("3B", 12), ("9R", 11), ("7A", 10.5), ("5C", 10)])
def test_bk_11_lightning_is_worth_what_it_took(taken: str, points: float) -> None:
    settled = played(BAKABANA, "11C 8B 12B 1R 4R 5R 9R 7A 5A", "1B 3B", "6R 2R 3R", "10R", lightning=taken)
    assert settled.points is not None
    assert settled.points[0] == points


def test_bk_11_lightning_on_paulownia_chaff_by_option() -> None:
    half = table("bakabana", 4, paulownia_chaff=0.5)
    settled = played(half, "11C 12C 1B", "3B 8B", "1R 2R 3R", "4R", lightning="12C")
    assert settled.points == [4, 5, 3, 1]


def test_bk_11_lightning_used_plainly_is_worth_nothing() -> None:
    assert played(BAKABANA, "11C 11R 1B", "3B 8B", "1R 2R 3R", "4R").points == [4, 5, 3, 1]


def test_bk_12_only_the_sum_is_rounded() -> None:
    settled = played(BAKABANA, "2A 4A 5A 1B", "6A 3B 1R", "8B", "7A 8A")
    assert settled.points == [4.5, 3.5, 3, 1]
    assert settled.rounded == [5, 4, 3, 1]


def test_bk_13_dandruff_voids_the_round() -> None:
    # Child 1 (seat 2) has 2 points; the dealer's three brights pay nothing.
    settled = played(BAKABANA, "4R 5R", "1B 3B 8B", "6A 7A 9R", "9A 10A 11A 3R", dealer=1)
    assert settled.void
    assert settled.scores == [-10, -10, 30, -10]
    assert settled.points == [2, 8, 2, 2.5]
    assert settled.next_dealer == 1


def test_bk_13_void_round_lists_points_and_no_yaku() -> None:
    settled = played(BAKABANA, "1B 3B 8B", "6R 9R", "1R 2R 3R", "4A")
    assert settled.points == [8, 2, 3, 0.5]
    assert paid(settled) == [[], [], [], []]
    assert settled.rounded == [8, 2, 3, 1]


def test_bk_13_kan_has_dandruff_with_nothing() -> None:
    assert played(BAKABANA, "1B", "8B", "1R 2R 4R", "1C 12Y").scores == [-10, -10, -10, 30]
    assert not played(BAKABANA, "1B", "8B", "1R 2R 4R", "4A").void


def test_bk_13_two_with_dandruff_owe_each_other_nothing() -> None:
    assert played(BAKABANA, "1R", "1B 3B", "2R", "4A 5A").scores == [20, -20, 20, -20]


def test_bk_13_just_above_two_is_none() -> None:
    assert not played(BAKABANA, "1R 2R 4A", "1B", "8B", "5A").void


def test_bk_14_first_worked_example() -> None:
    settled = played(BAKABANA, *FIRST, lightning="1B")
    assert settled.rounded == [13, 6, 7, 2]
    assert settled.scores == [11, -10, -7, 6]
    assert settled.winner == 0


def test_bk_14_second_worked_example() -> None:
    settled = played(BAKABANA, *SECOND, lightning="8B")
    assert settled.rounded == [10, 9, 6, 3]
    assert paid(settled) == [[], [], ["aotan"], []]
    assert settled.scores == [-8, -11, 20, -1]
    assert settled.winner == 2


def test_bk_14_kan_is_found_by_the_dealer() -> None:
    # The same piles a seat further on: the dealer sits at seat 1, Kan at seat 0.
    turned = (FIRST[3], FIRST[0], FIRST[1], FIRST[2])
    assert played(BAKABANA, *turned, dealer=1, lightning="1B").scores == [6, 11, -10, -7]


YAKU = {"oyaku": "1B 3B 8B", "kozanko": "1R 2R 3R", "aotan": "6R 9R 10R", "akatan": "4R 5R 7R"}


@pytest.mark.parametrize("id", YAKU)
def test_bk_15_yaku_of_dealer_and_children(id: str) -> None:
    first, second, third = YAKU[id].split()
    for place in range(3):
        assert names(BAKABANA, YAKU[id], place) == [id]
        for two in (f"{first} {second}", f"{first} {third}", f"{second} {third}"):
            assert names(BAKABANA, two, place) == []


@pytest.mark.parametrize("id", YAKU)
def test_bk_15_yaku_of_kan(id: str) -> None:
    first, second, third = YAKU[id].split()
    for two in (f"{first} {second}", f"{first} {third}", f"{second} {third}"):
        assert names(BAKABANA, two, 3) == [id]
    assert names(BAKABANA, YAKU[id], 3) == [id, id]
    assert names(BAKABANA, first, 3) == []


def test_bk_15_yaku_are_listed_completely() -> None:
    assert {rule.id: rule.cards for rule in GAME.yaku} == YAKU
    assert {rule.points for rule in GAME.yaku} == {10}


def test_bk_15_kan_is_paid_twice_for_all_three() -> None:
    # 3 points each for the three, 3 for Kan: only Kan's points and the yaku twice are paid.
    settled = played(BAKABANA, "1B", "8B", "4R 5R 11R", "6R 9R 10R")
    assert paid(settled) == [[], [], [], ["aotan", "aotan"]]
    assert settled.scores == [-23, -23, -23, 69]


@pytest.mark.parametrize(("piles", "lightning"), [(FIRST, "1B"), (SECOND, "8B"), (FIRST, ""), (SECOND, "3R")])
@pytest.mark.parametrize("dealer", range(4))
def test_bk_16_scores_sum_to_zero(piles: tuple[str, ...], lightning: str, dealer: int) -> None:
    assert sum(played(BAKABANA, *piles, dealer=dealer, lightning=lightning).scores) == 0


@pytest.mark.parametrize(("dealer", "following"), [(0, 1), (1, 2), (2, 3), (3, 0)])
def test_bk_17_next_dealer(dealer: int, following: int) -> None:
    even = ("1B 1R 2A", "8B 2R 4A", "3B 12B 3R", "4R 5R 11R")
    assert played(BAKABANA, *even, dealer=dealer).next_dealer == following


def test_cp_10_misdeal() -> None:
    settled = settle(BAKABANA, Ending(2, [0, 0, 0, 0], "misdeal"))
    assert (settled.scores, settled.winner, settled.next_dealer) == ([0, 0, 0, 0], -1, 2)
    assert (settled.points, settled.yaku, settled.ledger) == (None, None, [])


def test_au_1_sheet_is_settled_by_claimed_points_and_yaku() -> None:
    sheet = Sheet([20, 18, 12, 6], [[], [], [Yaku("aotan", 10, 2, 2)], []])
    assert settle(BAKABANA, Ending(0, [0, 0, 0, 0], sheet=sheet)).scores == [-8, -11, 20, -1]


@pytest.mark.parametrize(
    ("points", "scores", "dealer"),
    [
        ([13, 6, 7, 2], None, 1),
        ([13, 6, 2, 2], None, 0),
        ([13, 6, 7, 0], None, 0),
        (None, [11, -10, -7, 6], 1),
        (None, [-20, -20, -20, 60], -1),
        (None, [30, -10, -10, -10], -1),
        (None, [20, -20, 20, -20], -1),
        (None, [0, 0, 0, 0], -1),
        (None, None, -1),
    ],
)
def test_bk_17_next_dealer_of_a_sheet(points: list[int] | None, scores: list[int] | None, dealer: int) -> None:
    assert GAME.sheet.next_dealer(BAKABANA, 0, points, scores) == dealer


def test_bk_10_lightning_and_points_are_in_the_ledger() -> None:
    ledger = played(BAKABANA, *FIRST, lightning="1B").ledger
    first = ledger[0]
    assert (first.rule, first.amount, first.args["rounded"]) == ("BK-10", 0, 13)
    assert first.args["cards"] == ["1B", "1R", "2A", "3B", "4A", "4R", "12B"]
    assert first.args["values"] == [3, 1, 0.5, 2, 0.5, 1, 2]
    assert [entry.args["taken"] for entry in ledger if entry.rule == "BK-11"] == ["1B"]
    to_dealer = [entry for entry in ledger if entry.rule == "BK-14" and entry.side == 0]
    assert [(entry.amount, entry.payer) for entry in to_dealer] == [(7, 1), (6, 2), (-2, 0)]
