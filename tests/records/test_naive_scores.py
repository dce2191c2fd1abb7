"""Rounds of every table and option set come to what the rules' text gives, worked out twice (rules.md, 2 to 7)."""

from hypothesis import assume, given
from hypothesis import strategies as st

from analysis.planting import ACTS, Planted
from analysis.scenarios import scenarios
from analysis.simulate import Made, Style, claims_of
from records.cards import CODES
from records.notation import unpack
from tests.naive_scores import Scorer
from tests.tables import Where, examples, tables


def same(where: Where, made: Made) -> None:
    """The engine and the naive scorer agree on a round that was played."""
    deal, settlement = made.round.deal, made.outcome.settlement
    assert settlement is not None
    assert deal is not None and deal.field is not None and deal.hands is not None and deal.draw_pile is not None
    rules = where.rules
    scorer = Scorer(
        where.game,
        rules.options,
        rules.sides,
        made.round.dealer - 1,
        [CODES[card] for card in deal.field],
        [[CODES[card] for card in hand or b""] for hand in deal.hands],
        [CODES[card] for card in deal.draw_pile],
    )
    scorer.run([unpack(action) for action in made.round.actions])
    points, yaku, scores, next_dealer = scorer.result()
    claims = claims_of(settlement)
    assert (None if claims.points is None else list(claims.points)) == points
    assert [list(ids) for ids in claims.yaku or ()] == yaku
    assert list(claims.scores or ()) == scores
    assert settlement.next_dealer == next_dealer


@given(tables())
@examples(150)
def test_random_rounds_come_to_what_the_text_gives(where: Where) -> None:
    made = where.played()
    assume(made.outcome.table.ended == "played")
    same(where, made)


@given(tables(), st.data())
@examples(60)
def test_rare_rounds_come_to_what_the_text_gives(where: Where, data: st.DataObject) -> None:
    there = scenarios(where.rules)
    name = data.draw(st.sampled_from(sorted(there)))
    made = where.played(there[name]())
    assume(made.outcome.table.ended == "played")
    same(where, made)


@given(tables(), st.sampled_from(sorted(ACTS)))
@examples(150)
def test_au_3_what_was_unlawful_counts_as_done(where: Where, kind: str) -> None:
    simulator = where.simulator()
    assume(not kind.startswith(("kan", "draw-forbidden")) or simulator.rules.idle)
    style = Planted(ACTS[kind][0], simulator, Style())
    made = simulator.round(where.seed % where.seats, style)
    assume(style.place >= 0 and made.outcome.table.faults and made.outcome.table.ended == "played" and not made.outcome.table.broken)
    same(where, made)
