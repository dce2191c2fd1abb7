"""Koi-koi by its rule points. Expected values are worked out by hand from the rules."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from records.cards import mask
from records.games.koi_koi import GAME
from records.rules.settlement import Ending, Settlement

from .rounds import names, paid, settle, table

assert GAME.worth is not None
worth = GAME.worth.of

KOI_KOI = table("koi-koi", 2)
ANIMALS = "2A 4A 5A 8A 11A"
"""Five animals, no other yaku."""
RIBBONS = "1R 2R 4R 5R 7R"
CHAFF = "1C 1C 2C 2C 3C 3C 4C 4C 5C 5C"


def stopped(pile: str, other: str = "", *, calls: tuple[int, int] = (0, 0), seat: int = 0, **options: str) -> Settlement:
    """A round that a seat stopped with a pile."""
    piles = [mask(pile), mask(other)]
    return settle(table("koi-koi", 2, **options), Ending(0, piles if seat == 0 else piles[::-1], stopped=seat, calls=list(calls)))


def test_kk_1_deal() -> None:
    assert (KOI_KOI.hand_sizes, KOI_KOI.field_size, KOI_KOI.pile_size) == ([8, 8], 8, 24)


def test_kk_1_four_dealt() -> None:
    assert (KOI_KOI.four_on_field, KOI_KOI.four_in_hand) == ("misdeal", True)
    play = table("koi-koi", 2, four_dealt="play")
    assert (play.four_on_field, play.four_in_hand) == ("leave", False)


def test_kk_2_worth_of_a_pile() -> None:
    assert KOI_KOI.calls
    assert worth(KOI_KOI, mask("1B 3B 8B"), 0) == 5
    assert worth(KOI_KOI, mask("1B 3B"), 0) == 0


@settings(deadline=None, max_examples=200)
@given(st.integers(0, (1 << 48) - 1), st.sampled_from(["one_then_three", "five", "none"]), st.integers(0, 3))
def test_kk_2_the_parts_of_a_pile_are_worth_what_its_yaku_are(pile: int, viewing: str, calls: int) -> None:
    rules = table("koi-koi", 2, viewing=viewing)
    assert worth(rules, pile, calls) == sum(yaku.points for yaku in GAME.yaku_of(rules, pile, 0, calls))


@settings(deadline=None, max_examples=200)
@given(st.integers(0, (1 << 48) - 1), st.integers(0, 47), st.sampled_from(["one_then_three", "five", "none"]), st.integers(0, 3))
def test_kk_2_a_pile_is_never_worth_less_with_one_card_more(pile: int, card: int, viewing: str, calls: int) -> None:
    rules = table("koi-koi", 2, viewing=viewing)
    assert worth(rules, pile | 1 << card, calls) >= worth(rules, pile, calls)


def test_kk_2_worth_depends_on_calls_for_viewing_yaku_alone() -> None:
    pile = mask(f"3B 9A {RIBBONS}")
    assert worth(KOI_KOI, pile, 0) == 1 + 1
    assert worth(KOI_KOI, pile, 1) == worth(KOI_KOI, pile, 5) == 3 + 1


@pytest.mark.parametrize("seat", [0, 1])
def test_kk_3_who_stops_is_paid(seat: int) -> None:
    settled = stopped("1B 3B 8B", "6A 7A 10A", seat=seat)
    assert settled.scores == ([5, -5] if seat == 0 else [-5, 5])
    assert paid(settled) == ([["sanko"], []] if seat == 0 else [[], ["sanko"]])
    assert settled.points is None
    assert settled.winner == seat


@pytest.mark.parametrize("dealer", [0, 1])
def test_kk_3_exhausted(dealer: int) -> None:
    ending = Ending(dealer, [mask("1B 3B 8B"), mask("6A 7A 10A")])
    one = settle(KOI_KOI, ending)
    assert one.scores == ([1, -1] if dealer == 0 else [-1, 1])
    assert paid(one) == [[], []]
    assert (one.winner, one.next_dealer) == (dealer, dealer)
    none = settle(table("koi-koi", 2, exhausted="none"), ending)
    assert none.scores == [0, 0]
    assert (none.winner, none.next_dealer) == (-1, dealer)


def test_kk_3_an_unfounded_stop_pays_nobody() -> None:
    settled = stopped("1B 3B", "6A 7A 10A", seat=1)
    assert (settled.scores, settled.winner, settled.next_dealer) == ([0, 0], -1, 0)


YAKU = {
    "goko": ("1B 3B 8B 11B 12B", 10),
    "shiko": ("1B 3B 8B 12B", 8),
    "ame-shiko": ("1B 3B 8B 11B", 7),
    "sanko": ("1B 3B 12B", 5),
    "inoshikacho": ("7A 10A 6A", 5),
    "hanami": ("3B 9A", 1),
    "tsukimi": ("8B 9A", 1),
    "akatan": ("1R 2R 3R", 5),
    "aotan": ("6R 9R 10R", 5),
    "tane": (ANIMALS, 1),
    "tan": (RIBBONS, 1),
    "kasu": (CHAFF, 1),
}


@pytest.mark.parametrize("id", YAKU)
def test_kk_4_yaku(id: str) -> None:
    cards, points = YAKU[id]
    settled = stopped(cards)
    assert paid(settled) == [[id], []]
    assert settled.scores == [points, -points]
    assert id not in names(KOI_KOI, cards.rpartition(" ")[0])


def test_kk_4_akatan_aotan_is_paid_besides_them() -> None:
    settled = stopped("1R 2R 3R 6R 9R 10R")
    assert paid(settled) == [["akatan", "akatan-aotan", "aotan", "tan"], []]
    assert settled.scores[0] == 5 + 5 + 10 + 2


def test_kk_4_yaku_are_listed_completely() -> None:
    assert {rule.id: rule.points for rule in GAME.yaku} == {id: points for id, (_, points) in YAKU.items()} | {"akatan-aotan": 10}


@pytest.mark.parametrize("cards", ["1B 3B 11B", "1B 11B 12B", "8B 11B"])
def test_kk_4_the_rain_man_is_none_of_three(cards: str) -> None:
    assert names(KOI_KOI, cards) == []


@pytest.mark.parametrize("cards", ["1B 3B 11B 12B", "1B 8B 11B 12B", "3B 8B 11B 12B"])
def test_kk_4_rainy_four(cards: str) -> None:
    assert names(KOI_KOI, cards) == ["ame-shiko"]


def test_kk_4_one_more_for_each_further_card() -> None:
    assert worth(KOI_KOI, mask(f"{ANIMALS} 7A 9A"), 0) == 3
    assert worth(KOI_KOI, mask(f"{RIBBONS} 11R 6R"), 0) == 3
    assert worth(KOI_KOI, mask(f"{CHAFF} 6C 6C 11C"), 0) == 4


def test_kk_4_the_sake_cup_is_animal_and_chaff() -> None:
    nine = CHAFF.removesuffix(" 5C")
    assert names(KOI_KOI, nine) == []
    assert names(KOI_KOI, f"{nine} 9A") == ["kasu"]
    assert names(KOI_KOI, "2A 4A 5A 8A 9A") == ["tane"]


def test_kk_4_yellow_chaff_is_chaff() -> None:
    assert KOI_KOI.merge_yellow
    assert names(KOI_KOI, "1C 1C 2C 2C 3C 3C 4C 12Y 12C 12C") == ["kasu"]


@pytest.mark.parametrize(("value", "before", "after"), [("one_then_three", 1, 3), ("five", 5, 5), ("none", 0, 0)])
@pytest.mark.parametrize(("id", "cards"), [("hanami", "3B 9A"), ("tsukimi", "8B 9A")])
def test_kk_4_viewing(value: str, before: int, after: int, id: str, cards: str) -> None:
    rules = table("koi-koi", 2, viewing=value)
    assert worth(rules, mask(cards), 0) == before
    assert worth(rules, mask(cards), 1) == after
    assert names(rules, cards) == ([] if value == "none" else [id])
    assert stopped(cards, viewing=value).scores == [before, -before]


def test_kk_4_both_viewing_yaku() -> None:
    assert names(KOI_KOI, "3B 8B 9A") == ["hanami", "tsukimi"]


@pytest.mark.parametrize(("calls", "score"), [(0, 5), (1, 6), (2, 7), (3, 8), (4, 10), (5, 15), (7, 25)])
def test_kk_5_calls_add_then_multiply(calls: int, score: int) -> None:
    assert stopped("1B 3B 8B", calls=(calls, 6)).scores == [score, -score]


def test_kk_5_calls_lift_viewing_yaku_first() -> None:
    assert stopped("3B 9A", calls=(1, 0)).scores == [3 + 1, -4]
    assert stopped("3B 9A", calls=(4, 0)).scores == [3 * 2, -6]


def test_kk_5_calls_none() -> None:
    rules = table("koi-koi", 2, calls="none")
    assert settle(rules, Ending(0, [mask("1B 3B 8B"), 0], stopped=0, calls=[4, 2])).scores == [5, -5]


@pytest.mark.parametrize(("own", "other", "score"), [(0, 0, 5), (4, 0, 5), (0, 1, 10), (2, 3, 10)])
def test_kk_5_double_if_opponent_called(own: int, other: int, score: int) -> None:
    rules = table("koi-koi", 2, calls="double_if_opponent_called")
    settled = settle(rules, Ending(0, [mask("1B 3B 8B"), 0], stopped=0, calls=[own, other]))
    assert settled.scores == [score, -score]


@pytest.mark.parametrize(("dealer", "seat"), [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_kk_6_who_is_paid_deals_next(dealer: int, seat: int) -> None:
    piles = [mask("1B 3B 8B"), mask("6A 7A 10A")]
    assert settle(KOI_KOI, Ending(dealer, piles, stopped=seat)).next_dealer == seat


def test_kk_6_next_dealer_of_a_sheet() -> None:
    assert GAME.sheet.next_dealer(KOI_KOI, 0, None, [-4, 4]) == 1
    assert GAME.sheet.next_dealer(KOI_KOI, 1, None, [0, 0]) == 1
    assert GAME.sheet.next_dealer(KOI_KOI, 1, None, None) == -1


def test_au_1_cards_have_no_points_and_scores_follow_from_none() -> None:
    assert GAME.card_values(KOI_KOI) == {}
    assert not GAME.sheet.follows


def test_cp_10_misdeal() -> None:
    settled = settle(KOI_KOI, Ending(1, [0, 0], "misdeal"))
    assert (settled.scores, settled.winner, settled.next_dealer) == ([0, 0], -1, 1)
    assert settled.yaku is None


def test_kk_4_and_kk_5_ledger() -> None:
    ledger = stopped("1B 3B 8B", calls=(2, 0)).ledger
    assert [(entry.side, entry.amount, entry.payer, entry.rule) for entry in ledger] == [
        (0, 5, 1, "KK-4"),
        (1, -5, 1, "KK-4"),
        (0, 2, 1, "KK-5"),
        (1, -2, 1, "KK-5"),
    ]
    assert ledger[0].args["cards"] == ["1B", "3B", "8B"]
