"""Hon-bana by its rule points. Expected values are worked out by hand from the rules."""

import pytest

from records.cards import cards_in, codes_in, mask
from records.games.hon_bana import GAME
from records.rules.settlement import Ending, Sheet, Yaku

from .rounds import names, paid, played, settle, table

HON_BANA = table("hon-bana", 3)

MESSENGER = "9R 10R 6R"
"""15 points."""
BRIGHTS = "1B 3B 12B 8B"
"""120 points."""
PLUMS = "2A 2R 2C 2C"
"""25 points."""


def test_hn_1_deck_of_45() -> None:
    assert HON_BANA.deck.bit_count() == 45
    assert not HON_BANA.deck & mask("12Y 12C 12C")


def test_hn_2_deal() -> None:
    assert (HON_BANA.hand_sizes, HON_BANA.field_size, HON_BANA.pile_size) == ([6, 6, 6], 9, 18)


def test_hn_3_phoenix_has_a_pile_of_its_own() -> None:
    assert codes_in(HON_BANA.own_pile) == ["12B"]


@pytest.mark.parametrize("value", ["dealer_takes", "misdeal", "leave"])
def test_hn_4_four_on_field(value: str) -> None:
    assert table("hon-bana", 3, four_on_field=value).four_on_field == value
    assert HON_BANA.four_on_field == "dealer_takes"
    assert not HON_BANA.keep_allowed


def test_hn_5_no_wild_card() -> None:
    assert (HON_BANA.wild_from_hand, HON_BANA.wild_from_draw) == (0, 0)


def test_hn_6_plays_out_and_the_rest_is_nobodys() -> None:
    assert (HON_BANA.ends, HON_BANA.rest) == ("all", "none")


def test_hn_7_card_points() -> None:
    values = GAME.card_values(HON_BANA)
    by_value = {value: {code for code in values if values[code] == value} for value in (30, 20, 10, 5)}
    assert by_value[30] == {"1B", "3B", "8B", "12B"}
    assert by_value[20] == {"5A", "10A", "2A"}
    assert by_value[10] == {"4A", "7A", "8A", "9A", "11B", "11A", "6A"}
    assert by_value[5] == {"1R", "2R", "3R", "4R", "5R", "6R", "7R", "9R", "10R", "11R"}
    assert values["11C"] == 0
    assert sum(HON_BANA.values[card] for card in cards_in(HON_BANA.deck)) == 2 * 300


def test_hn_8_most_points_get_two_from_each_and_deal_next() -> None:
    settled = played(HON_BANA, "1B", "5A", "10A 4A 6R", dealer=0)
    assert settled.points == [30, 20, 35]
    assert settled.scores == [-2, -2, 4]
    assert (settled.winner, settled.next_dealer) == (2, 2)


@pytest.mark.parametrize(("dealer", "following"), [(0, 1), (1, 1), (2, 2)])
def test_hn_8_tie_option_none(dealer: int, following: int) -> None:
    settled = played(HON_BANA, "5A", "1B", "3B", dealer=dealer)
    assert settled.scores == [0, 0, 0]
    assert (settled.winner, settled.next_dealer) == (-1, following)


@pytest.mark.parametrize(("dealer", "scores"), [(0, [-2, 4, -2]), (1, [-2, 4, -2]), (2, [-2, -2, 4])])
def test_hn_8_tie_option_earliest(dealer: int, scores: list[int]) -> None:
    settled = played(table("hon-bana", 3, tie="earliest"), "5A", "1B", "3B", dealer=dealer)
    assert settled.scores == scores
    assert settled.next_dealer == scores.index(4)


YAKU = {
    "matsushima": ("1B 1R 1C 1C", 1),
    "sakurashima": ("3B 3R 3C 3C", 1),
    "umeshima": (PLUMS, 1),
    "ippai": ("9A 8B", 1),
    "nihai": ("9A 8B 12B", 2),
    "omote-goroju": ("5A 12B 10A", 3),
    "ura-goroju": ("5R 12B 10R", 3),
    "omote-sanko": ("1B 3B 2A", 3),
    "ura-sanko": ("1R 3R 2R", 3),
    "chokushi": (MESSENGER, 5),
    "shiko": (BRIGHTS, 6),
}


@pytest.mark.parametrize("id", YAKU)
def test_hn_9_yaku(id: str) -> None:
    cards, worth = YAKU[id]
    settled = played(HON_BANA, "6C", cards, "6C")
    assert paid(settled) == [[], [id], []]
    # The seat with the yaku also has the most points: 2, and the worth of the yaku, from each of two.
    assert settled.scores == [-2 - worth, 2 * (2 + worth), -2 - worth]
    codes = cards.split()
    for left_out in range(len(codes)):
        assert id not in names(HON_BANA, " ".join(codes[:left_out] + codes[left_out + 1 :]))


def test_hn_9_yaku_are_listed_completely() -> None:
    assert {rule.id: rule.points for rule in GAME.yaku} == {id: worth for id, (_, worth) in YAKU.items()}


@pytest.mark.parametrize("bright", ["1B", "3B", "8B", "12B"])
def test_hn_9_one_drink_takes_any_card_of_30(bright: str) -> None:
    assert names(HON_BANA, f"9A {bright}") == ["ippai"]


def test_hn_9_drinks_exclusive_and_stacked() -> None:
    stacked = table("hon-bana", 3, drinks="stacked")
    assert names(HON_BANA, "9A 1B 8B 12B") == ["nihai"]
    assert names(stacked, "9A 1B 8B 12B") == ["ippai", "nihai"]
    assert names(stacked, "9A 1B") == ["ippai"]
    assert played(HON_BANA, "9A 1B 8B", "6C", "6C").scores == [8, -4, -4]
    assert played(stacked, "9A 1B 8B", "6C", "6C").scores == [10, -5, -5]


def test_hn_10_a_first_great_negates_the_second() -> None:
    # 25, 15 and 120 points: the third seat gets 2 from each. The dealer's plums stand whatever is great.
    settled = played(HON_BANA, PLUMS, MESSENGER, BRIGHTS, first_great="chokushi")
    assert paid(settled) == [["umeshima"], ["chokushi"], []]
    assert settled.scores == [-2 - 5 + 2, -2 + 10 - 1, 4 - 5 - 1]
    settled = played(HON_BANA, PLUMS, MESSENGER, BRIGHTS, first_great="shiko")
    assert paid(settled) == [["umeshima"], [], ["shiko"]]
    assert settled.scores == [-2 - 6 + 2, -2 - 6 - 1, 4 + 12 - 1]


def test_hn_10_a_the_second_great_negates_nothing() -> None:
    # Seat 0's brights came second: they are negated, and only the messenger of the dealer negates.
    settled = played(HON_BANA, BRIGHTS, MESSENGER, "5A", dealer=1, first_great="chokushi")
    assert paid(settled) == [[], ["chokushi"], []]
    assert settled.scores == [4 - 5, -2 + 10, -2 - 5]


def test_hn_10_a_who_was_first_has_to_be_known() -> None:
    with pytest.raises(ValueError, match="first"):
        played(HON_BANA, PLUMS, MESSENGER, BRIGHTS)


def test_hn_10_b_a_great_yaku_negates_the_other_seats_yaku() -> None:
    # 15, 25 and 35 points; the dealer is seat 0 and has the great yaku.
    settled = played(HON_BANA, MESSENGER, PLUMS, "1B 1R 1C 1C")
    assert paid(settled) == [["chokushi"], [], []]
    assert settled.scores == [-2 + 10, -2 - 5, 4 - 5]
    assert settled.yaku is not None
    assert [made.id for side in settled.yaku for made in side if made.negated] == ["umeshima", "matsushima"]


def test_hn_10_b_the_dealers_yaku_survive() -> None:
    settled = played(HON_BANA, MESSENGER, PLUMS, "1B 1R 1C 1C", dealer=1)
    assert paid(settled) == [["chokushi"], ["umeshima"], []]
    assert settled.scores == [-2 + 10 - 1, -2 - 5 + 2, 4 - 5 - 1]


def test_hn_10_c_one_seat_keeps_both() -> None:
    settled = played(HON_BANA, "5A", f"{MESSENGER} {BRIGHTS}", PLUMS, dealer=0)
    assert paid(settled) == [[], ["chokushi", "shiko"], []]
    assert settled.scores == [-2 - 11, 4 + 22, -2 - 11]


def test_hn_10_dealer_great_falls_and_stands() -> None:
    # The dealer, seat 2, completes Four Brights after seat 1's messenger. The dealer's Two Drinks stand either way;
    # seat 0's plums are negated either way.
    piles = (PLUMS, MESSENGER, f"{BRIGHTS} 9A")
    falls = played(HON_BANA, *piles, dealer=2, first_great="chokushi")
    assert paid(falls) == [[], ["chokushi"], ["nihai"]]
    assert falls.scores == [-2 - 5 - 2, -2 + 10 - 2, 4 - 5 + 4]
    stands = played(table("hon-bana", 3, dealer_great="stands"), *piles, dealer=2, first_great="chokushi")
    assert paid(stands) == [[], ["chokushi"], ["nihai", "shiko"]]
    assert stands.scores == [-2 - 5 - 2 - 6, -2 + 10 - 2 - 6, 4 - 5 + 4 + 12]


def test_hn_10_dealer_great_is_about_the_dealer_alone() -> None:
    settled = played(table("hon-bana", 3, dealer_great="stands"), PLUMS, MESSENGER, BRIGHTS, first_great="chokushi")
    assert paid(settled) == [["umeshima"], ["chokushi"], []]


def test_hn_10_great_yaku_are_tracked() -> None:
    assert GAME.great == ("chokushi", "shiko")
    assert HON_BANA.track_great
    assert HON_BANA.great_masks == [mask(MESSENGER), mask(BRIGHTS)]


def test_hn_10_negated_yaku_are_in_the_ledger_and_pay_nothing() -> None:
    ledger = played(HON_BANA, MESSENGER, PLUMS, "5A").ledger
    assert [(entry.side, entry.amount, entry.args["yaku"]) for entry in ledger if entry.rule == "HN-10"] == [(1, 0, "umeshima")]


@pytest.mark.parametrize("options", [{}, {"tie": "earliest"}, {"drinks": "stacked"}, {"dealer_great": "stands"}])
@pytest.mark.parametrize("first_great", ["chokushi", "shiko"])
@pytest.mark.parametrize("dealer", range(3))
def test_hn_11_scores_sum_to_zero(options: dict[str, str], first_great: str, dealer: int) -> None:
    rules = table("hon-bana", 3, **options)
    piles = (f"{PLUMS} 9A 5A 10A", f"{MESSENGER} 1R 2C 3R", f"{BRIGHTS} 1C 1C")
    assert sum(played(rules, *piles, dealer=dealer, first_great=first_great).scores) == 0


def test_cp_10_misdeal() -> None:
    settled = settle(HON_BANA, Ending(1, [0, 0, 0], "misdeal"))
    assert (settled.scores, settled.winner, settled.next_dealer, settled.points) == ([0, 0, 0], -1, 1, None)


def test_au_1_sheet_is_settled_by_claimed_points_and_yaku() -> None:
    # Yaku on a sheet are those that are paid: none is negated any more.
    sheet = Sheet([200, 240, 160], [[], [Yaku("nihai", 2, 1, 1)], [Yaku("chokushi", 5, 2, 2)]])
    settled = settle(HON_BANA, Ending(0, [0, 0, 0], sheet=sheet))
    assert settled.scores == [-2 - 2 - 5, 4 + 4 - 5, -2 - 2 + 10]
    assert settled.next_dealer == 1


def test_hn_8_next_dealer_of_a_sheet() -> None:
    assert GAME.sheet.next_dealer(HON_BANA, 2, [100, 100, 100], None) == 2
    assert GAME.sheet.next_dealer(HON_BANA, 2, [110, 110, 80], None) == 0
    assert GAME.sheet.next_dealer(HON_BANA, 2, None, [4, -2, -2]) == -1


def test_au_1_points_of_a_sheet() -> None:
    assert GAME.sheet.points_range is not None
    assert GAME.sheet.points_range(HON_BANA) == (300, 300, 300)
    assert GAME.sheet.points_range(table("hon-bana", 3, four_on_field="leave")) == (0, 300, 300)
