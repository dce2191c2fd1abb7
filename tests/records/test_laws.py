"""Laws that hold for every game at every table under every option set (CP-9, AU-3, and the sums of each game).

With HANAFU_LONG=1 each is held against forty times as many games.
"""

from collections.abc import Mapping, Sequence

from hypothesis import assume, given
from hypothesis import strategies as st

from analysis.planting import ACTS, Planted
from analysis.simulate import Style, claims_of
from records.cards import CODES, LIGHTNING, UNKNOWN, cards_in
from records.engine import Outcome, verify
from records.events import Event
from records.games import game
from records.packed import actions_of, play_of
from records.record import Round
from records.replay import Step, replay
from records.rules.game import Rules
from records.rules.settlement import SOURCES
from records.table import Table
from tests.tables import Where, examples, nonsense, tables

BAKABANA = {
    **dict.fromkeys(["1B", "8B"], 3),
    **dict.fromkeys(["3B", "12B"], 2),
    **dict.fromkeys(["1R", "2R", "3R", "4R", "5R", "6R", "7R", "9R", "10R", "11R"], 1),
    **dict.fromkeys(["2A", "4A", "5A", "6A", "7A", "8A", "9A", "10A", "11A", "11B"], 0.5),
}
"""BK-10."""
HON_BANA = {
    **dict.fromkeys(["1B", "3B", "8B", "12B"], 30),
    **dict.fromkeys(["5A", "10A", "2A"], 20),
    **dict.fromkeys(["4A", "7A", "8A", "9A", "11B", "11A", "6A"], 10),
    **dict.fromkeys(["1R", "2R", "3R", "4R", "5R", "6R", "7R", "9R", "10R", "11R"], 5),
}
"""HN-7."""
HIGOBANA = {
    **dict.fromkeys(["1B", "3B", "8B", "12B"], 20),
    **dict.fromkeys(["1R", "2R", "3R", "4R", "5R", "6R", "7R", "9R", "10R", "11R", "12Y"], 10),
    **dict.fromkeys(["2A", "4A", "5A", "6A", "7A", "8A", "9A", "10A", "11A", "11B"], 5),
}
"""HG-8."""


def worth(values: Mapping[str, float], cards: Sequence[int]) -> float:
    """What some cards are worth by a table of codes."""
    return sum(values.get(CODES[card], 0) for card in cards)


def each_card_once(table: Table) -> None:
    """CP-9, also where some places are not known."""
    known = [*table.hands, table.field, *table.piles, table.unseen]
    known += [1 << card for card in table.draw_pile if card != UNKNOWN]
    seen = 0
    for cards in known:
        assert seen & cards == 0, [CODES[card] for card in cards_in(seen & cards)]
        seen |= cards
    assert seen == table.rules.deck


def same_faults(one: Table, other: Table) -> None:
    """Both ways through the engine find the same."""
    assert [(fault.code, fault.action, fault.rule, fault.seat, fault.cards) for fault in one.faults] == [
        (fault.code, fault.action, fault.rule, fault.seat, fault.cards) for fault in other.faults
    ]


def same_outcome(one: Outcome, other: Outcome) -> None:
    """Position, end, faults and settlement (the ledger apart) are the same."""
    same_faults(one.table, other.table)
    for name in ("hands", "field", "draw_pile", "piles", "ended", "broken", "unrecorded", "unchecked", "calls", "stopped", "first_great"):
        assert getattr(one.table, name) == getattr(other.table, name), name
    assert one.table.reached == other.table.reached
    assert one.normal_play == other.normal_play
    assert (one.settlement is None) == (other.settlement is None)
    if one.settlement is not None and other.settlement is not None:
        assert claims_of(one.settlement) == claims_of(other.settlement)
        assert (one.settlement.winner, one.settlement.next_dealer) == (other.settlement.winner, other.settlement.next_dealer)


def ends(steps: Sequence[Step]) -> Outcome:
    """What the last step comes to."""
    outcome = steps[-1].outcome
    assert outcome is not None
    return outcome


@given(tables())
@examples(60)
def test_cp_9_each_card_is_in_one_place_after_every_step(where: Where) -> None:
    for step in replay(where.rules, where.played().round):
        each_card_once(step.table)


@given(tables())
@examples(60)
def test_simulated_rounds_are_lawful_and_rightly_claimed(where: Where) -> None:
    written = where.played().round
    outcome = verify(where.rules, written)
    assert not outcome.table.faults
    assert outcome.table.ended in ("played", "misdeal", "lucky")
    assert outcome.settlement is not None
    assert written.claims == claims_of(outcome.settlement)
    assert outcome.normal_play == written.play


@given(tables())
@examples(60)
def test_simulated_rounds_are_the_same_for_the_same_seed(where: Where) -> None:
    assert where.played().round == where.played().round


@given(tables((game("bakabana"), game("hon-bana"), game("koi-koi"))))
@examples(60)
def test_bk_16_hn_11_kk_3_scores_sum_to_zero(where: Where) -> None:
    settlement = where.played().outcome.settlement
    assert settlement is not None
    assert sum(settlement.scores) == 0


@given(tables((game("hon-bana"),)))
@examples(60)
def test_hn_7_points_sum_to_300_but_for_four_left_on_the_field(where: Where) -> None:
    made = where.played()
    settlement, deal = made.outcome.settlement, made.round.deal
    assert settlement is not None and deal is not None and deal.field is not None
    assume(settlement.points is not None)
    left = 0.0
    if where.rules.options["four_on_field"] == "leave":
        codes = [CODES[card] for card in deal.field]
        for month in range(1, 12):
            four = [code for code in codes if code[:-1] == str(month)]
            left += sum(HON_BANA.get(code, 0) for code in four) if len(four) == 4 else 0
    assert settlement.points is not None and sum(settlement.points) == 300 - left


@given(tables((game("bakabana"),)))
@examples(60)
def test_bk_10_bk_11_points_sum_to_25_and_what_the_lightning_took(where: Where) -> None:
    rules, made = where.rules, where.played()
    settlement = made.outcome.settlement
    assert settlement is not None
    assume(settlement.points is not None)
    values: dict[str, float] = dict(BAKABANA)
    if rules.options["paulownia_chaff"] == 0.5:
        values |= {"12C": 0.5, "12Y": 0.5}
    took = 0.0
    for step in replay(rules, made.round):
        for event in step.events:
            if event.kind == "captured" and event.cards[0] == LIGHTNING and event.cards[1] >> 2 != LIGHTNING >> 2:
                took = values.get(CODES[event.cards[1]], 0)
    assert settlement.points is not None
    assert sum(settlement.points) == (26.5 if rules.options["paulownia_chaff"] else 25) + took


@given(tables((game("higobana"), game("sakura"))))
@examples(60)
def test_hg_8_points_sum_to_240_less_what_nobody_has(where: Where) -> None:
    outcome = where.played().outcome
    assert outcome.settlement is not None
    assume(outcome.settlement.points is not None)
    nobodys = [*cards_in(outcome.table.field), *outcome.table.draw_pile]
    assert outcome.settlement.points is not None
    assert sum(outcome.settlement.points) == 240 - worth(HIGOBANA, nobodys)


@given(tables())
@examples(60)
def test_the_ledger_of_a_side_adds_up_to_its_score(where: Where) -> None:
    settlement = verify(where.rules, where.played().round, ledger=True).settlement
    assert settlement is not None
    for side, score in enumerate(settlement.scores):
        assert sum(entry.amount for entry in settlement.ledger if entry.side == side) == score


@given(tables())
@examples(60)
def test_where_scores_come_from_is_known_without_the_ledger_too(where: Where) -> None:
    written = where.played().round
    told, plain = (verify(where.rules, written, ledger=ledger).settlement for ledger in (True, False))
    assert told is not None and plain is not None
    assert plain.ledger == [] and plain.sources == told.sources
    assert (plain.sources is None) is (told.ledger == [])
    if plain.sources is not None:
        assert [sum(plain.sources[SOURCES * side :][:SOURCES]) for side in range(len(where.rules.sides))] == plain.scores


@given(tables())
@examples(60)
def test_verify_and_replay_come_to_the_same(where: Where) -> None:
    written = where.played().round
    same_outcome(verify(where.rules, written), ends(list(replay(where.rules, written))))


@given(tables(), st.integers(0, 60))
@examples(60)
def test_a_prefix_of_a_round_replays_as_the_prefix(where: Where, length: int) -> None:
    written = where.played().round
    whole = told(where.rules, written)[:-1]
    cut = Round(written.dealer, written.deal, play_of(written.actions[:length]))
    prefix = told(where.rules, cut)[:-1]
    assert prefix == whole[: len(prefix)]
    assert all(action <= length for action, _, _, _, _ in prefix)
    if length < len(written.actions):
        assert whole[len(prefix)][0] == length + 1
    else:
        assert len(prefix) == len(whole)


def told(rules: Rules, written: Round) -> list[tuple[int, str, int, list[Event], list[int]]]:
    """What each step says, with the position after it."""
    return [
        (step.action, step.part, step.seat, step.events, [*step.table.hands, step.table.field, *step.table.piles, *step.table.draw_pile])
        for step in replay(rules, written)
    ]


@given(tables(), st.sampled_from(sorted(ACTS)))
@examples(150)
def test_au_3_an_unlawful_act_is_found_and_play_goes_on_as_it_was(where: Where, kind: str) -> None:
    """One fault is planted; whatever it is, no card is lost, and both ways through the engine say the same of it."""
    simulator = where.simulator()
    assume(not kind.startswith(("kan", "draw-forbidden")) or simulator.rules.idle)
    style = Planted(ACTS[kind][0], simulator, Style())
    written = simulator.round(where.seed % where.seats, style).round
    assume(style.place >= 0)
    steps = []
    for step in replay(where.rules, written):
        if not step.table.broken:
            each_card_once(step.table)
        steps.append(step)
    outcome = ends(steps)
    same_outcome(verify(where.rules, written), outcome)
    code = kind.split()[0]
    first = outcome.table.faults[0]
    assert (first.code, first.action) == (code, 0 if code == "misdeal-not-declared" else style.place)
    assert first.hard == outcome.table.broken
    if outcome.settlement is not None:
        assert_sums(where.rules, outcome)


def assert_sums(rules: Rules, outcome: Outcome) -> None:
    """Zero sums hold, and nobody has points that nobody played for, whatever was unlawful."""
    settlement = outcome.settlement
    assert settlement is not None
    if rules.game.sheet.zero_sum:
        assert sum(settlement.scores) == 0
    values = {"hon-bana": HON_BANA, "higobana": HIGOBANA, "sakura": HIGOBANA}.get(rules.game.id)
    if values is not None and settlement.points is not None:
        table = outcome.table
        away = [*cards_in(table.field), *(card for card in table.draw_pile if card != UNKNOWN), *cards_in(table.unseen)]
        away += [card for hand in table.hands for card in cards_in(hand)]
        assert sum(settlement.points) == sum(values.values()) - worth(values, away)


@given(nonsense())
@examples(300)
def test_au_3_nonsense_never_breaks_the_engine(drawn: tuple[Where, Round]) -> None:
    """Anything that can be written is played as far as it is possible; both ways through the engine agree, and no card is lost."""
    where, written = drawn
    rules = where.rules
    steps = []
    for step in replay(rules, written):
        if not step.table.broken and step.table.unrecorded != 0:
            each_card_once(step.table)
        steps.append(step)
    outcome = ends(steps)
    same_outcome(verify(rules, written), outcome)
    assert outcome.table.broken == any(fault.hard for fault in outcome.table.faults)
    assert len(actions_of(outcome.normal_play)) == len(written.actions)
    if outcome.settlement is not None:
        assert_sums(rules, outcome)
        again = verify(rules, Round(written.dealer, written.deal, outcome.normal_play))
        same_outcome(again, outcome)
