"""The quick way to a settlement (`records.courses`) comes to what a table comes to, and knows nothing that no table found lawful."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from analysis.planting import ACTS, Planted
from analysis.simulate import Style, simulate
from records import courses
from records.cards import CARDS, LIGHTNING, PHOENIX, UNKNOWN, cards_in
from records.courses import keep_courses, settled
from records.engine import normal_play, settlement_of, verify
from records.games import game
from records.packed import BARE, KOI, NONE, STOP, half_length, play_of
from records.record import Deal, OptionValue, Round, replace
from records.rules.game import Rules
from records.rules.settlement import Settlement
from tests.tables import Where, examples, nonsense, tables

QUICK = ("hon-bana", "higobana", "sakura", "koi-koi")
"""Games without a seat that takes no turns."""


def known(rules: Rules, round_: Round) -> Settlement | None:
    """What a table comes to, having kept what it found lawful; None where there was a fault or no end."""
    outcome = verify(rules, round_)
    if outcome.table.faults:
        return None
    keep_courses(outcome.table, round_)
    return outcome.settlement


def told(rules: Rules, settlement: Settlement | None) -> object:
    """All that a settlement says; of cards with one code either may stand for the other."""
    if settlement is None:
        return None
    yaku = [
        [(made.id, made.points, made.seat, made.side, made.negated, rules.codes_in(made.cards)) for made in side]
        for side in settlement.yaku or ()
    ]
    money = settlement.points, settlement.scores, settlement.sources, settlement.rounded, settlement.void
    return yaku, money, settlement.winner, settlement.next_dealer


def rounds_of(rules: Rules, number: int, seed: int = 1) -> list[Round]:
    """Lawful rounds, one a record."""
    return [record.rounds[0] for record in islice(simulate(rules, Random(seed)), number)]


@given(tables())
@examples(150)
def test_a_known_round_comes_to_what_its_table_comes_to(where: Where) -> None:
    rules, round_ = where.rules, where.played().round
    right = known(rules, round_)
    quick = settled(rules, round_)
    assert quick is None or told(rules, quick) == told(rules, right)
    assert told(rules, settlement_of(rules, round_)) == told(rules, right)
    assert normal_play(rules, round_) == verify(rules, round_).normal_play


@given(tables(), st.sampled_from(sorted(ACTS)))
@examples(150)
def test_au_3_a_round_with_an_unlawful_act_is_never_known(where: Where, kind: str) -> None:
    simulator = where.simulator()
    assume(not kind.startswith(("kan", "draw-forbidden")) or simulator.rules.idle)
    lawful = where.played().round
    known(where.rules, lawful)
    style = Planted(ACTS[kind][0], simulator, Style())
    written = simulator.round(where.seed % where.seats, style).round
    assume(style.place >= 0)
    assert settled(where.rules, written) is None
    assert settlement_of(where.rules, written) is None


@given(nonsense())
@examples(200)
def test_au_3_nonsense_is_known_only_where_a_table_finds_it_lawful(drawn: tuple[Where, Round]) -> None:
    where, written = drawn
    known(where.rules, where.played().round)
    quick = settled(where.rules, written)
    assert quick is None or told(where.rules, quick) == told(where.rules, known(where.rules, written))


# -- tables that have met some hundred rounds


TAUGHT: dict[str, tuple[str, int, dict[str, OptionValue]]] = {
    "hon-bana": ("hon-bana", 3, {}),
    "higobana for two": ("higobana", 2, {}),
    "higobana for two, all the rest": ("higobana", 2, {"gaji_rest": "all", "hand_two": 10, "play_out": False}),
    "higobana for three, a mate": ("higobana", 3, {"gaji_rest": "mate", "wild_from_draw": True}),
    "higobana in pairs": ("higobana", 4, {}),
    "higobana in pairs with one pile each": ("higobana", 4, {"team_pile": "shared"}),
    "sakura for two": ("sakura", 2, {}),
    "sakura for two, all the rest": ("sakura", 2, {"gaji_rest": "all"}),
    "koi-koi": ("koi-koi", 2, {}),
    "koi-koi, no misdeal": ("koi-koi", 2, {"four_dealt": "play"}),
}


def table(id: str, seats: int, options: Mapping[str, OptionValue]) -> Rules:
    """Rules with sides where four play."""
    return Rules(game(id), options, seats, ((0, 2), (1, 3)) if seats == 4 else None)


@pytest.fixture
def fresh() -> Iterator[None]:
    """Nothing is kept, before and after."""
    courses._layout.cache_clear()
    courses._KEPT.clear()
    yield
    courses._layout.cache_clear()
    courses._KEPT.clear()


@cache
def taught(rules: Rules, number: int) -> list[Round]:
    """So many lawful rounds, which were kept."""
    rounds = rounds_of(rules, number)
    for round_ in rounds:
        known(rules, round_)
    return rounds


def with_deal(round_: Round, lists: Sequence[Sequence[int]]) -> Round:
    """The round with the cards of field, hands and draw pile."""
    field, *hands, pile = map(bytes, lists)
    return replace(round_, deal=Deal(field, tuple(hands), pile))


def lists_of(round_: Round) -> list[list[int]]:
    """The cards of field, hands and draw pile."""
    assert round_.deal is not None and round_.deal.hands is not None
    return [list(each or b"") for each in (round_.deal.field, *round_.deal.hands, round_.deal.draw_pile)]


def changes(rng: Random, rules: Rules, round_: Round) -> Iterator[Round]:
    """Rounds in whose deal or play two things changed places, one stands twice, is another one or is away."""
    cards = sorted({rules.codes[card] for card in cards_in(rules.deck)})
    for _ in range(3):
        lists = lists_of(round_)
        one, other = rng.choice(lists), rng.choice(lists)
        if one and other:
            place, there = rng.randrange(len(one)), rng.randrange(len(other))
            one[place], other[there] = other[there], one[place]
            yield with_deal(round_, lists)
    for card in (rng.choice(cards), UNKNOWN, CARDS["JB"]):
        lists = lists_of(round_)
        one = rng.choice([each for each in lists if each])
        one[rng.randrange(len(one))] = card
        yield with_deal(round_, lists)
    lists = lists_of(round_)
    hand = rng.choice(lists[1:-1])
    if hand:  # a card too few in a hand, and too many in the draw pile: one that is not played, if there is one
        played = [action[0] for action in round_.actions]
        lists[-1].append(hand.pop(next((place for place, card in enumerate(hand) if card not in played), 0)))
        yield with_deal(round_, lists)
    actions = list(round_.actions)
    first, second = rng.randrange(len(actions)), rng.randrange(len(actions))
    bare = actions[first]
    if bare[0] < NONE and bare[1] == 1:
        yield replace(round_, play=play_of([*actions[:first], bare[:1] + bytes((BARE,)) + bare[3:], *actions[first + 1 :]]))
    if bare[0] < NONE:
        cut = half_length(bare, 0)
        yield replace(round_, play=play_of([*actions[:first], bytes((NONE,)) + bare[cut:], *actions[first + 1 :]]))
    yield replace(round_, play=play_of([*actions, bytes((NONE,))]))
    yield replace(round_, play=play_of([*actions[:first], *actions[first + 1 :]]))
    yield replace(round_, play=play_of([*actions[:first], actions[second], *actions[first + 1 :]]))
    actions[first], actions[second] = actions[second], actions[first]
    yield replace(round_, play=play_of(actions))
    yield replace(round_, dealer=round_.dealer % rules.seats + 1)
    deal = round_.deal
    assert deal is not None and deal.hands is not None
    yield replace(round_, deal=Deal(deal.field, (None, *deal.hands[1:]), deal.draw_pile))
    yield replace(round_, deal=Deal(deal.field, None, deal.draw_pile))


@pytest.mark.parametrize("name", TAUGHT)
def test_cp_3_cp_9_what_is_known_is_what_tables_find(name: str) -> None:
    rules, rng = table(*TAUGHT[name]), Random(7)
    quick = again = 0
    for round_ in taught(rules, 400):
        settlement = settled(rules, round_)
        if settlement is not None:
            quick += 1
            assert told(rules, settlement) == told(rules, known(rules, round_))
            for other in changes(rng, rules, round_) if quick <= 120 else ():
                settlement = settled(rules, other)
                again += settlement is not None
                assert settlement is None or told(rules, settlement) == told(rules, known(rules, other))
    assert quick >= 120
    assert again  # where the change comes to the same, as of twins that changed places


def test_kk_1_four_in_a_hand_are_left_to_a_table_where_they_are_a_misdeal() -> None:
    played, misdealt = (Rules(game("koi-koi"), {"four_dealt": value}, 2, None) for value in ("play", "misdeal"))
    four = [round_ for round_ in taught(played, 1500) if any(four_of_a_month(hand) for hand in lists_of(round_)[1:-1])]
    assert [settled(misdealt, round_) for round_ in four] == [None] * len(four)
    assert [round_ for round_ in four if settled(played, round_) is not None]


def four_of_a_month(cards: Sequence[int]) -> bool:
    """Whether cards hold all four of a month."""
    months = [card >> 2 for card in cards]
    return any(months.count(month) == 4 for month in months)


def test_hn_10_who_was_first_with_a_great_yaku_is_left_to_a_table() -> None:
    rules = Rules(game("hon-bana"), {}, 3, None)
    taught(rules, 400)
    both = [record.rounds[0] for record in islice(simulate(rules, Random(3), scenario="both-great"), 12)]
    for round_ in both:
        assert known(rules, round_) is not None
    assert [settled(rules, round_) for round_ in both] == [None] * len(both)


@pytest.mark.parametrize("rest", ["claim", "claim_strict"])
def test_sk_2_a_round_with_a_claim_is_neither_kept_nor_known(fresh: None, rest: str) -> None:
    rules = Rules(game("sakura"), {"gaji_rest": rest}, 2, None)
    claimed = [round_ for round_ in rounds_of(rules, 300) if verify(rules, round_).table.claimed]
    assert len(claimed) > 20
    for round_ in claimed:
        known(rules, round_)
    assert not kept(rules).lawful
    taught(rules, 400)
    taught(Rules(game("sakura"), {"gaji_rest": "none"}, 2, None), 400)  # which shares its courses
    assert [settled(rules, round_) for round_ in claimed] == [None] * len(claimed)


@pytest.mark.parametrize("id, value", [("hon-bana", "leave"), ("higobana", "dealer_takes"), ("koi-koi", "play")])
def test_hg_3_hn_4_a_round_with_four_on_the_field_is_not_kept(fresh: None, id: str, value: str) -> None:
    name = "four_dealt" if id == "koi-koi" else "four_on_field"
    rules = Rules(game(id), {name: value}, game(id).seats[0], None)
    for record in islice(simulate(rules, Random(5), scenario="four-on-field"), 20):
        assert known(rules, record.rounds[0]) is not None
    assert not kept(rules).lawful


def test_hn_3_a_round_whose_phoenix_moved_as_it_was_dealt_is_not_kept(fresh: None) -> None:
    rules = Rules(game("hon-bana"), {}, 3, None)
    moved = [round_ for round_ in rounds_of(rules, 60) if PHOENIX in lists_of(round_)[0]]
    assert len(moved) > 5
    for round_ in moved:
        assert known(rules, round_) is not None
    assert not kept(rules).lawful


def test_au_1_a_round_with_an_unknown_card_on_the_field_is_not_kept(fresh: None) -> None:
    rules = Rules(game("higobana"), {}, 4, None)
    for round_ in rounds_of(rules, 20):
        lists = lists_of(round_)
        lists[0][0] = UNKNOWN
        known(rules, with_deal(round_, lists))
    assert not kept(rules).lawful


def test_what_is_no_card_of_a_month_stands_in_every_course() -> None:
    counting = courses.Courses(Rules(game("higobana"), {}, 2, None))
    for card in (UNKNOWN, CARDS["JB"], CARDS["JC"]):
        assert all(courses.ODD in course for course in counting.of(bytes((card,)), b""))


def test_cp_4_captures_left_to_the_rules_are_left_to_a_table(fresh: None) -> None:
    rules = Rules(game("higobana"), {}, 2, None)
    lawful = 0
    for round_ in rounds_of(rules, 60):
        bare = [one[:1] + bytes((BARE,)) + one[3:] if one[0] < LIGHTNING and one[1] == 1 else one for one in round_.actions]
        other = replace(round_, play=play_of(bare))
        if other != round_ and known(rules, other) is not None:
            lawful += 1
            assert settled(rules, other) is None
            assert normal_play(rules, other) == round_.play
    assert lawful > 5


def test_hg_12_rounds_with_jokers_are_left_to_a_table(fresh: None) -> None:
    rules = Rules(game("higobana"), {"jokers": "system_1", "play_out": False}, 2, None)
    assert [settled(rules, round_) for round_ in taught(rules, 40)] == [None] * 40
    assert not courses._KEPT


def test_the_second_number_of_twins_stands_for_their_code(fresh: None) -> None:
    rules = Rules(game("higobana"), {}, 4, None)
    compared = 0
    for round_ in taught(rules, 120):
        lists = lists_of(round_)
        twins = [place for place, card in enumerate(lists[0]) if rules.codes.count(card) == 2]
        for place in twins:
            written = [card + (at == place) for at, card in enumerate(lists[0])]
            right = known(rules, with_deal(round_, [written, *lists[1:]]))
            quick = settled(rules, with_deal(round_, [written, *lists[1:]]))
            assert quick is None or told(rules, quick) == told(rules, right)
            for wrong in (UNKNOWN, CARDS["JB"], (lists[0][place] + 4) % 48):
                other = with_deal(round_, [[*lists[0][:place], wrong, *lists[0][place + 1 :]], *lists[1:]])
                compared += 1
                assert settled(rules, other) is None
    assert compared > 100


def kept(rules: Rules) -> courses.Courses:
    """What is kept for tables with these rules."""
    layout = courses._layout(rules)
    assert layout is not None
    return layout.courses


# -- calls


def called(round_: Round, place: int, word: str) -> Round:
    """A round in which the turn at a place has that call, or none."""
    actions = list(round_.actions)
    actions[place] = actions[place].rstrip(bytes((KOI, STOP))) + {"koi": bytes((KOI,)), "stop": bytes((STOP,)), "": b""}[word]
    return replace(round_, play=play_of(actions))


def test_kk_2_a_call_that_is_missing_or_unfounded_is_not_known() -> None:
    rules = Rules(game("koi-koi"), {}, 2, None)
    stopped = [round_ for round_ in taught(rules, 400) if round_.actions and round_.actions[-1][-1] == STOP][:60]
    quick = [round_ for round_ in stopped if settled(rules, round_) is not None]
    assert len(quick) > 20
    for round_ in quick:
        last = len(round_.actions) - 1
        assert settled(rules, called(round_, last, "")) is None
        assert settled(rules, called(round_, last, "koi")) is None  # the round has no end
        for place, action in enumerate(round_.actions[:-1]):
            if action[-1] == KOI:
                assert settled(rules, called(round_, place, "")) is None
                assert settled(rules, called(round_, place, "stop")) is None  # play goes on after it
            else:
                assert settled(rules, called(round_, place, "koi")) is None
                assert settled(rules, called(round_, place, "stop")) is None


def test_kk_2_a_call_in_another_game_is_not_known() -> None:
    rules = Rules(game("higobana"), {}, 2, None)
    for round_ in rounds_of(rules, 20):
        known(rules, round_)
        if settled(rules, round_) is not None:
            assert settled(rules, called(round_, len(round_.actions) - 1, "stop")) is None
            return
    pytest.fail("no round was known")


# -- counted cards


@pytest.mark.parametrize("id", QUICK)
def test_cards_are_counted_and_become_a_set_again(id: str) -> None:
    rules = Rules(game(id), {}, game(id).seats[0], None)
    counting = courses.Courses(rules)
    assert counting.set_of(counting.deck) == rules.deck
    for card in cards_in(rules.deck):
        same = [other for other in cards_in(rules.deck) if rules.codes[other] == rules.codes[card]]
        for number in range(1, len(same) + 1):
            some = counting.set_of(counting.sum_of(bytes([rules.codes[card]] * number)))
            assert (some & ~rules.same[card], some.bit_count()) == (0, number)


def test_four_of_a_month_in_a_hand_are_seen() -> None:
    counting = courses.Courses(Rules(game("koi-koi"), {}, 2, None))
    for month in range(12):
        four = bytes(range(4 * month, 4 * month + 4))
        rest = bytes(card for card in (0, 5, 10, 21, 26, 31, 36, 47) if card >> 2 != month)
        assert counting.has_four(counting.sum_of(four + rest[:4]))
        for without in four:
            three = bytes(card for card in four if card != without)
            assert not counting.has_four(counting.sum_of(three + rest[:5]))


# -- what is kept


def test_no_more_is_kept_than_the_limits_say(fresh: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(courses, "MOST_TURNS", 30)
    monkeypatch.setattr(courses, "MOST_COURSES", 50)
    rules = Rules(game("higobana"), {}, 2, None)
    most_turns = most_courses = 0
    for round_ in rounds_of(rules, 40):
        right = known(rules, round_)
        quick = settled(rules, round_)
        assert quick is None or told(rules, quick) == told(rules, right)
        most_turns, most_courses = max(most_turns, len(kept(rules).met)), max(most_courses, len(kept(rules).lawful))
    assert 30 < most_turns <= 30 + 24 and 50 < most_courses <= 50 + 12
