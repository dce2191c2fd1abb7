"""Sakura by its rule points. Expected values are worked out by hand from the rules."""

import pytest

from records.cards import LIGHTNING
from records.games import higobana
from records.games.sakura import GAME
from records.rules.settlement import Ending

from .rounds import PAIRS, THREE_PAIRS, TRIOS, names, paid, played, settle, table

TWO = table("sakura", 2)


@pytest.mark.parametrize(
    ("seats", "hand", "field", "pile"),
    [(2, 8, 8, 24), (3, 7, 6, 21), (4, 5, 8, 20), (5, 4, 8, 20), (6, 3, 12, 18), (7, 3, 6, 21)],
)
def test_hg_1_deal(seats: int, hand: int, field: int, pile: int) -> None:
    rules = table("sakura", seats)
    assert (rules.hand_sizes, rules.field_size, rules.pile_size) == ([hand] * seats, field, pile)


def test_hg_1_hand_two() -> None:
    assert table("sakura", 2, hand_two=10).hand_sizes == [10, 10]


def test_hg_2_team_pile() -> None:
    own = played(table("sakura", 4, PAIRS), "1B", "8B", "3B 2A", "1C")
    assert (own.points, own.scores) == ([45, 20], [45, 20])
    shared = played(table("sakura", 4, PAIRS, team_pile="shared"), "1B 3B 2A", "8B")
    assert (shared.points, shared.scores) == ([45, 20], [45, -30])
    assert GAME.partitions == {4: (PAIRS,), 6: (THREE_PAIRS, TRIOS)}


@pytest.mark.parametrize("value", ["dealer_takes", "misdeal", "leave"])
def test_hg_3_four_on_field(value: str) -> None:
    assert table("sakura", 2, four_on_field=value).four_on_field == value
    assert TWO.keep_allowed


def test_hg_8_cards_are_higobanas() -> None:
    assert GAME.card_values(TWO) == higobana.GAME.card_values(table("higobana", 2))


@pytest.mark.parametrize(
    ("id", "cards"),
    [
        ("1", "1B 3B 2A"),
        ("2", "8B 3B 9A"),
        ("3", "6A 10A 9A"),
        ("4", "7A 10A 8A"),
        ("5", "7A 4A 5A"),
        ("poetry", "1R 2R 3R"),
        ("red", "4R 5R 7R"),
        ("blue", "6R 9R 10R"),
    ],
)
def test_hg_9_yaku(id: str, cards: str) -> None:
    assert names(TWO, cards) == [id]
    assert played(TWO, cards, "12Y").scores[1] == 10 - 50


def test_hg_16_hiki() -> None:
    assert table("sakura", 2, hiki=True).hiki
    assert not TWO.hiki


def test_sk_1_wild_from_draw() -> None:
    assert TWO.wild_from_hand == TWO.wild_from_draw == 1 << LIGHTNING
    assert table("sakura", 2, wild_from_draw=False).wild_from_draw == 0


@pytest.mark.parametrize("value", ["claim", "claim_strict", "leftovers", "mate", "all", "none"])
def test_sk_2_gaji_rest(value: str) -> None:
    assert table("sakura", 2, gaji_rest=value).rest == value
    assert TWO.rest == "claim"


def test_sk_3_play_out() -> None:
    assert TWO.ends == "either"
    assert table("sakura", 2, play_out=True).ends == "all"


def test_sk_4_total_less_50_for_each_yaku_of_each_other_side() -> None:
    settled = played(table("sakura", 3), "1R 2R 3R", "6R 9R 10R", "1B 3B 2A 8B 9A")
    assert paid(settled) == [["poetry"], ["blue"], ["1", "2"]]
    assert settled.points == [30, 30, 70]
    assert settled.scores == [30 - 150, 30 - 150, 70 - 100]
    assert {entry.rule for entry in settled.ledger} == {"HG-8", "SK-4"}


@pytest.mark.parametrize(
    ("value", "two", "four"),
    [
        ("deduct", [45, -10], [45, -10, -40, -40]),
        ("by_table", [45, -10], [95, 40, 10, 10]),
        ("add", [95, 40], [95, 40, 10, 10]),
    ],
)
def test_sk_4_yaku_scoring(value: str, two: list[int], four: list[int]) -> None:
    assert played(table("sakura", 2, yaku_scoring=value), "1B 3B 2A", "8B 12B").scores == two
    assert played(table("sakura", 4, yaku_scoring=value), "1B 3B 2A", "8B 12B", "4R", "5R").scores == four


def test_sk_4_no_doubles() -> None:
    assert played(TWO, "1B 3B 8B 12B 1R 2R", "1C").scores == [100, 0]


def test_sk_4_no_jokers() -> None:
    assert TWO.deck.bit_count() == 48
    with pytest.raises(KeyError):
        GAME.option("jokers")


@pytest.mark.parametrize(("dealer", "following"), [(0, 1), (1, 1), (2, 3), (3, 3)])
def test_sk_5_winner_and_next_dealer(dealer: int, following: int) -> None:
    settled = played(table("sakura", 4, PAIRS), "1B", "8B 4A", "1C", "3B", dealer=dealer)
    assert (settled.winner, settled.next_dealer) == (1, following)


def test_sk_5_tie() -> None:
    settled = played(table("sakura", 3), "1B", "4A", "8B", dealer=1)
    assert (settled.winner, settled.next_dealer) == (-1, 2)


def test_cp_10_misdeal() -> None:
    settled = settle(TWO, Ending(1, [0, 0], "misdeal"))
    assert (settled.scores, settled.winner, settled.next_dealer, settled.points) == ([0, 0], -1, 1, None)
