"""Higobana by its rule points. Expected values are worked out by hand from the rules."""

import pytest

from records.cards import JOKERS, LIGHTNING, cards_in, codes_in
from records.games.higobana import GAME
from records.rules.settlement import Ending, Sheet, Yaku

from .rounds import PAIRS, THREE_PAIRS, TRIOS, names, paid, played, settle, table

TWO = table("higobana", 2)
HUNDRED = "1B 3B 8B 12B 1R 2R"
"""100 points and no yaku."""
SIXTY = "1B 3B 8B"


@pytest.mark.parametrize(
    ("seats", "hand", "field", "pile"),
    [(2, 8, 8, 24), (3, 7, 6, 21), (4, 5, 8, 20), (5, 4, 8, 20), (6, 3, 12, 18), (7, 3, 6, 21)],
)
def test_hg_1_deal(seats: int, hand: int, field: int, pile: int) -> None:
    rules = table("higobana", seats)
    assert (rules.hand_sizes, rules.field_size, rules.pile_size) == ([hand] * seats, field, pile)
    assert table("higobana", seats, jokers="system_1").pile_size == pile + 2


def test_hg_1_hand_two() -> None:
    ten = table("higobana", 2, hand_two=10)
    assert (ten.hand_sizes, ten.field_size, ten.pile_size) == ([10, 10], 8, 20)
    assert table("higobana", 3, hand_two=10).hand_sizes == [7, 7, 7]
    assert [GAME.option("hand_two").has_object(seats, (), {}) for seats in (2, 3, 7)] == [True, False, False]


def test_hg_2_partitions() -> None:
    assert GAME.partitions == {4: (PAIRS,), 6: (THREE_PAIRS, TRIOS)}


def test_hg_2_team_pile() -> None:
    # The partners 1 and 3 have yaku 1 between them: 20 and 25 points; the others 20.
    own = played(table("higobana", 4, PAIRS), "1B", "8B", "3B 2A", "1C")
    assert own.points == [45, 20]
    assert paid(own) == [[], []]
    assert own.scores == [45, 20]
    shared = played(table("higobana", 4, PAIRS, team_pile="shared"), "1B 3B 2A", "8B")
    assert paid(shared) == [["1"], []]
    assert shared.scores == [45, 20 - 50]


def test_hg_2_a_side_sums_points_and_yaku_of_its_members() -> None:
    settled = played(table("higobana", 6, TRIOS), "1R 2R 3R", "8B", "4R 5R 7R", "12B", "3B", "1C")
    assert settled.points == [80, 40]
    assert paid(settled) == [["poetry", "red"], []]
    assert settled.yaku is not None
    assert [(made.seat, made.side) for made in settled.yaku[0]] == [(0, 0), (2, 0)]


def test_hg_2_team_pile_needs_teams() -> None:
    option = GAME.option("team_pile")
    assert option.has_object(4, PAIRS, {})
    assert not option.has_object(4, ((0,), (1,), (2,), (3,)), {})
    assert not table("higobana", 4, team_pile="shared").shared_piles


@pytest.mark.parametrize(("value", "keep"), [("dealer_takes", True), ("misdeal", False), ("leave", False)])
def test_hg_3_four_on_field(value: str, keep: bool) -> None:
    rules = table("higobana", 2, four_on_field=value)
    assert (rules.four_on_field, rules.keep_allowed) == (value, keep)


def test_hg_4_wild_from_draw() -> None:
    assert codes_in(TWO.wild_from_hand) == ["11C"]
    assert TWO.wild_from_draw == 0
    assert table("higobana", 2, wild_from_draw=True).wild_from_draw == 1 << LIGHTNING
    assert table("higobana", 2, wild_from_draw=True, jokers="system_2").wild_from_draw == 1 << LIGHTNING | JOKERS


def test_hg_6_play_out() -> None:
    assert TWO.ends == "all"
    assert table("higobana", 2, play_out=False).ends == "either"


@pytest.mark.parametrize("value", ["leftovers", "claim", "claim_strict", "mate", "all", "none"])
def test_hg_7_gaji_rest(value: str) -> None:
    rules = table("higobana", 2, gaji_rest=value)
    assert rules.rest == value
    assert rules.cite("rest", "") == ("SK-2" if value.startswith("claim") else "HG-7")


def test_hg_8_card_points() -> None:
    values = GAME.card_values(TWO)
    assert {code for code in values if values[code] == 20} == {"1B", "3B", "8B", "12B"}
    assert {code for code in values if values[code] == 10} == {"1R", "2R", "3R", "4R", "5R", "6R", "7R", "9R", "10R", "11R", "12Y"}
    assert {code for code in values if values[code] == 5} == {"2A", "4A", "5A", "6A", "7A", "8A", "9A", "10A", "11A", "11B"}
    assert values["12C"] == values["11C"] == 0
    assert sum(TWO.values[card] for card in cards_in(TWO.deck)) == 2 * 240
    assert GAME.card_values(table("higobana", 2, jokers="system_1"))["JB"] == 0
    assert "JB" not in values


def test_hg_8_chaff_may_be_left_out() -> None:
    assert played(TWO, "1B 1C 12Y", "8B 11C").points == played(TWO, "1B 12Y", "8B").points == [30, 20]


YAKU = {
    "1": "1B 3B 2A",
    "2": "8B 3B 9A",
    "3": "6A 10A 9A",
    "4": "7A 10A 8A",
    "5": "7A 4A 5A",
    "poetry": "1R 2R 3R",
    "red": "4R 5R 7R",
    "blue": "6R 9R 10R",
}


@pytest.mark.parametrize("id", YAKU)
def test_hg_9_yaku(id: str) -> None:
    settled = played(TWO, YAKU[id], "12Y")
    assert paid(settled) == [[id], []]
    assert settled.scores[1] == 10 - 50
    codes = YAKU[id].split()
    for left_out in codes:
        assert names(TWO, " ".join(code for code in codes if code != left_out)) == []


def test_hg_9_yaku_are_listed_completely() -> None:
    assert {rule.id: rule.cards for rule in GAME.yaku} == YAKU
    assert {rule.points for rule in GAME.yaku} == {50}


def test_hg_9_a_card_serves_in_several() -> None:
    assert names(TWO, "1B 3B 2A 8B 9A 6A 10A") == ["1", "2", "3"]


def test_hg_9_red_is_not_the_willows_ribbon() -> None:
    assert names(TWO, "4R 5R 11R") == []


@pytest.mark.parametrize(
    ("value", "two", "three"),
    [
        ("by_table", [45, 40 - 50], [45 + 50, 40, 10]),
        ("deduct", [45, 40 - 50], [45, 40 - 50, 10 - 50]),
        ("add", [45 + 50, 40], [45 + 50, 40, 10]),
    ],
)
def test_hg_10_yaku_scoring(value: str, two: list[int], three: list[int]) -> None:
    assert played(table("higobana", 2, yaku_scoring=value), YAKU["1"], "8B 12B").scores == two
    assert played(table("higobana", 3, yaku_scoring=value), YAKU["1"], "8B 12B", "4R").scores == three


def test_hg_10_by_table_for_teams() -> None:
    four = (YAKU["1"], "8B 12B", "4R", "5R")
    assert played(table("higobana", 4, PAIRS), *four).scores == [55, 50 - 50]
    assert played(table("higobana", 4), *four).scores == [45 + 50, 40, 10, 10]
    six = (*four, "6R", "9R")
    assert played(table("higobana", 6, THREE_PAIRS), *six).scores == [45 + 10 + 50, 40 + 10, 10 + 10]
    assert played(table("higobana", 6, TRIOS), *six).scores == [45 + 10 + 10 + 50, 40 + 10 + 10]


def test_hg_10_every_yaku_counts() -> None:
    settled = played(TWO, "1R 2R 3R 4R 5R 7R", "6R 9R 10R 1B 3B 8B 12B")
    assert settled.scores == [60 - 50, 110 - 100]


@pytest.mark.parametrize(("other", "scores"), [("1C", [200, 0]), ("4A", [100, 5])])
def test_hg_11_doubled_for_a_lead_of_100(other: str, scores: list[int]) -> None:
    assert played(TWO, HUNDRED, other).scores == scores


def test_hg_11_the_lead_is_over_the_best_other_side() -> None:
    three = table("higobana", 3)
    assert played(three, HUNDRED, "1C", "4A").scores == [100, 0, 5]
    assert played(three, f"{HUNDRED} 5A", "1C", "4A").scores == [210, 0, 5]


def test_hg_11_the_lead_counts_yaku() -> None:
    # 50 points and poetry against 0: 50 and −50 are 100 apart.
    assert played(TWO, "1R 2R 3R 1B", "1C").scores == [100, -50]


def test_hg_12_jokers() -> None:
    for system in ("system_1", "system_2"):
        rules = table("higobana", 2, jokers=system)
        assert rules.deck.bit_count() == 50
        assert rules.wild_from_hand == 1 << LIGHTNING | JOKERS
    assert TWO.deck.bit_count() == 48


@pytest.mark.parametrize(
    ("pile", "other", "system_1", "system_2"),
    [
        ("1B JB", "8B", 2 * 20, 3 * 20),
        ("1B JC", "8B", 20, 2 * 20),
        (f"{SIXTY} JC", "4R", 2 * 60, 2 * 60),
        (f"{SIXTY} JC", "4R 4A", 60, 2 * 60),
        (f"{SIXTY} JB JC", "4R", 4 * 60, 6 * 60),
        (f"{HUNDRED} JB", "1C", 4 * 100, 6 * 100),
        (f"{HUNDRED} JC", "1C", 4 * 100, 4 * 100),
        (f"{HUNDRED} JB JC", "1C", 8 * 100, 12 * 100),
        (HUNDRED, "1C", 2 * 100, 2 * 100),
    ],
)
def test_hg_12_joker_systems(pile: str, other: str, system_1: int, system_2: int) -> None:
    assert played(table("higobana", 2, jokers="system_1"), pile, other).scores[0] == system_1
    assert played(table("higobana", 2, jokers="system_2"), pile, other).scores[0] == system_2


@pytest.mark.parametrize(
    ("pile", "other", "extra", "instead"),
    [
        (f"{HUNDRED} JC", "1C", 4 * 100, 2 * 100),
        (f"{SIXTY} JC", "4R", 2 * 60, 2 * 60),
        (f"{SIXTY} JC", "4R 4A", 60, 60),
        (f"{HUNDRED} JB JC", "1C", 8 * 100, 4 * 100),
        (SIXTY, "4R", 60, 60),
    ],
)
def test_hg_12_chu_lead(pile: str, other: str, extra: int, instead: int) -> None:
    assert played(table("higobana", 2, jokers="system_1"), pile, other).scores[0] == extra
    assert played(table("higobana", 2, jokers="system_1", chu_lead="instead"), pile, other).scores[0] == instead


def test_hg_12_chu_lead_is_about_system_1() -> None:
    assert played(table("higobana", 2, jokers="system_2", chu_lead="instead"), f"{HUNDRED} JC", "1C").scores[0] == 400
    option = GAME.option("chu_lead")
    assert [option.has_object(2, (), {"jokers": value}) for value in ("none", "system_1", "system_2")] == [False, True, False]


def test_hg_12_leads_are_measured_before_any_doubling() -> None:
    # 110 to 10: doubled for the lead, though Basa makes 20 of the other's 10.
    assert played(table("higobana", 2, jokers="system_1"), "1B 3B 8B 12B 1R 3R 4R", "7R JB").scores == [220, 20]


def test_hg_12_a_side_has_its_members_jokers() -> None:
    settled = played(table("higobana", 4, PAIRS, jokers="system_1"), "1B", "8B", "JB", "12B")
    assert settled.scores == [40, 40]
    assert settled.points == [20, 40]


def test_hg_12_joker_rest() -> None:
    assert table("higobana", 2, jokers="system_1", joker_rest="player").joker_rest
    assert not table("higobana", 2, jokers="system_1").joker_rest
    assert not table("higobana", 2, joker_rest="player").joker_rest
    option = GAME.option("joker_rest")
    assert [option.has_object(2, (), {"jokers": value}) for value in ("none", "system_1", "system_2")] == [False, True, True]


def test_hg_13_multiply_negative() -> None:
    piles = ("1R 2R 3R", "4R JB")
    assert played(table("higobana", 2, jokers="system_1"), *piles).scores == [30, -80]
    assert played(table("higobana", 2, jokers="system_1", multiply_negative=False), *piles).scores == [30, -40]


def test_hg_13_a_negative_total_with_a_lead() -> None:
    # 105 points less three yaku, and 80 less four: −45 is 75 above −120, enough for Chu.
    piles = ("1R 2R 3R 4R 5R 7R 6R 9R 10R 7A 4A 5A JC", "1B 3B 2A 8B 9A 6A 10A")
    assert played(table("higobana", 2, jokers="system_1"), *piles).scores == [-90, -120]
    assert played(table("higobana", 2, jokers="system_1", multiply_negative=False), *piles).scores == [-45, -120]


@pytest.mark.parametrize("dealer", range(2))
def test_hg_14_winner_deals_next(dealer: int) -> None:
    settled = played(TWO, "1B", "8B 4A", dealer=dealer)
    assert (settled.winner, settled.next_dealer) == (1, 1)


@pytest.mark.parametrize(("dealer", "following"), [(0, 1), (1, 1), (2, 3), (3, 3)])
def test_hg_14_the_member_first_in_turn_order_deals(dealer: int, following: int) -> None:
    settled = played(table("higobana", 4, PAIRS), "1B", "8B 4A", "1C", "3B", dealer=dealer)
    assert (settled.winner, settled.next_dealer) == (1, following)


@pytest.mark.parametrize(("dealer", "following"), [(0, 1), (1, 1), (2, 3), (3, 3)])
def test_hg_14_tie(dealer: int, following: int) -> None:
    settled = played(table("higobana", 4), "4A", "1B", "5A", "8B", dealer=dealer)
    assert (settled.winner, settled.next_dealer) == (-1, following)


def test_hg_16_hiki() -> None:
    assert table("higobana", 2, hiki=True).hiki
    assert not TWO.hiki


def test_cp_10_misdeal() -> None:
    settled = settle(table("higobana", 6, TRIOS), Ending(4, [0] * 6, "misdeal"))
    assert (settled.scores, settled.winner, settled.next_dealer, settled.points) == ([0, 0], -1, 4, None)


def test_au_1_sheet_is_settled_by_claimed_points_and_yaku() -> None:
    sheet = Sheet([260, 220], [[Yaku("2", 50, 0, 0)], []])
    assert settle(TWO, Ending(0, [0, 0], sheet=sheet)).scores == [130, 60]


def test_hg_14_next_dealer_of_a_sheet() -> None:
    assert GAME.sheet.next_dealer(TWO, 0, None, [50, 140]) == 1
    assert GAME.sheet.next_dealer(TWO, 1, None, [50, 50]) == 1
    assert GAME.sheet.next_dealer(TWO, 1, [50, 60], None) == -1


def test_hg_8_to_hg_12_ledger() -> None:
    ledger = played(table("higobana", 2, jokers="system_1"), "1R 2R 3R 1B JB", "4A").ledger
    assert [(entry.side, entry.amount, entry.rule) for entry in ledger] == [
        (0, 50, "HG-8"),
        (1, 5, "HG-8"),
        (1, -50, "HG-10"),
        (0, 50, "HG-12"),
    ]
    assert ledger[0].args == {"cards": ["1B", "1R", "2R", "3R"], "values": [20, 10, 10, 10], "points": 50}
    assert ledger[2].why == "yaku poetry of side 1"
    assert ledger[2].args == {"yaku": "poetry", "of": 1, "cards": ["1R", "2R", "3R"], "seat": 1}
    assert ledger[3].args["factor"] == 2
