"""Records of which nothing is to be said but that they are right: judged without a report, for stores that take in many.

`judge` takes nothing that `analysis.audit` would find anything in, and tells the same of what it takes; it is a short cut, and leaves
whatever is in the least unusual to the audit. A test holds both against each other, table by table.
"""

from typing import Final

from analysis.claims import agree, claimed_anything
from analysis.completed import completed
from analysis.gathered import Gathered
from analysis.levels import all_seen
from analysis.match import Standing
from records.cards import UNKNOWN
from records.engine import Outcome, rules_of, verify
from records.normal import normalise
from records.record import Record, Round
from records.rules.game import Rules

VERDICTS: Final = frozenset({"lawful", "confirmed"})
"""Of clean records: their reports come out of them again."""


def judge(record: Record, gathered: Gathered) -> Record | None:
    """The normalised form of a record that is right, and its rows; None, and no rows, where the audit must look."""
    rules = rules_of(record)
    standing = Standing(record.match, len(rules.sides))
    outcomes: list[Outcome] = []
    dealer = 0
    rounds = record.rounds
    for round_ in rounds:
        outcome = _played(rules, round_)
        if outcome is None or (dealer and round_.dealer != dealer) or standing.over:
            return None
        settled = outcome.settlement
        assert settled is not None
        standing.count(settled.scores, settled.winner, outcome.table.ended == "misdeal", round_.adjust)
        dealer = settled.next_dealer + 1
        outcomes.append(outcome)
    winner, totals = standing.winner, standing.totals
    if totals is None or winner is None:
        return None
    claimed_totals, claimed_winner = record.totals, record.winner
    if (claimed_totals is not None and list(claimed_totals) != totals) or (claimed_winner is not None and claimed_winner != winner + 1):
        return None
    normal = normalise(record, outcomes)
    gathered.begin(rules, normal)
    verdict = "confirmed"
    for at, outcome in enumerate(outcomes):
        if not _gather(gathered, rounds[at], at + 1, outcome):
            verdict = "lawful"
    gathered.end(verdict, winner + 1, totals, len(outcomes))
    return normal


def _played(rules: Rules, round_: Round) -> Outcome | None:
    """What a round came to that was played to its end as it should, with claims that are right."""
    deal = round_.deal
    field = None if deal is None else deal.field
    if field is None or UNKNOWN in field or round_.piles is not None or not round_.play:
        return None
    outcome = verify(rules, round_, False, True)
    settled = outcome.settlement
    if settled is None or outcome.table.faults or outcome.table.unchecked or not agree(round_.claims, settled):
        return None
    return outcome


def _gather(gathered: Gathered, round_: Round, number: int, outcome: Outcome) -> bool:
    """The rows of a round; whether it claims anything."""
    settled, deal = outcome.settlement, round_.deal
    assert settled is not None and deal is not None
    table = outcome.table
    level = "full" if all_seen(deal) else "moves"
    claimed = claimed_anything(round_.claims)
    verdict = "confirmed" if claimed else "lawful"
    winner, next_dealer = settled.winner + 1, settled.next_dealer + 1
    gathered.round(round_, number, level, table.ended, verdict, winner, next_dealer, outcome)
    gathered.results(settled.points, settled.scores, settled.sources, list(table.piles))
    for side, of_side in enumerate(settled.yaku or ()):
        for made in of_side:
            gathered.made(side + 1, made.seat + 1, made.id, made.points, completed(table, made), made.negated)
    return claimed
