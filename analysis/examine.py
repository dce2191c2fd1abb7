"""A whole record judged: its rounds, who deals them, when the match is over, what the record itself claims (AU-4, CP-10, HG-15)."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from analysis.findings import Finding
from analysis.match import Standing
from analysis.rounds import Judged, judge, verdict, worst
from records.engine import rules_of
from records.record import Record
from records.rules.game import Rules
from records.rules.settlement import Number


@dataclass(slots=True)
class Examined:
    """What an audit makes of a record."""

    rules: Rules
    rounds: list[Judged]
    totals: list[Number] | None
    """By side, None where they are not known."""
    winner: int | None
    """Side from 1, 0 for a tie, None where it is not known."""
    findings: list[Finding] = field(default_factory=list)
    """The record's own."""
    claimed: bool = False
    """The record itself claims something."""
    decided: bool = True
    """What it claims can be judged."""

    @property
    def verdict(self) -> str:
        """The worst of the rounds' and, where it claims something, the record's own."""
        verdicts = [judged.verdict for judged in self.rounds]
        if self.claimed or self.findings:
            verdicts.append(verdict(self.findings, self.claimed, self.decided))
        return worst(iter(verdicts))


def examine(record: Record, ledger: bool = True) -> Examined:
    """Judges a record."""
    rules = rules_of(record)
    return put_together(record, rules, [judge(rules, round_, number, ledger) for number, round_ in enumerate(record.rounds, start=1)])


def put_together(record: Record, rules: Rules, rounds: list[Judged]) -> Examined:
    """The record as a whole, its rounds judged by themselves before: they get the findings that concern the match."""
    standing = Standing(record.match, len(rules.sides))
    dealer: int | None = None
    for round_, judged in zip(record.rounds, rounds, strict=True):
        judged.findings += in_the_match(rules, judged, round_.dealer, dealer, standing)
        settled = judged.settled
        standing.count(
            None if settled is None else settled.scores,
            None if settled is None else settled.winner,
            judged.end == "misdeal",
            round_.adjust,
        )
        dealer = judged.next_dealer
    winner = standing.winner
    examined = Examined(rules, rounds, standing.totals, None if winner is None else winner + 1)
    examined.claimed = record.totals is not None or record.winner is not None
    examined.findings += own_claims(rules, record, examined)
    examined.decided = (record.totals is None or examined.totals is not None) and (record.winner is None or winner is not None)
    return examined


def in_the_match(rules: Rules, judged: Judged, dealer: int, due: int | None, standing: Standing) -> Iterator[Finding]:
    """What is wrong with a round as one of a match: `due` is who was to deal, None where that is not known."""
    number = judged.number
    if due is not None and dealer != due:
        args: dict[str, object] = {"dealer": dealer, "due": due}
        yield Finding("wrong-dealer", number, None, f"/rounds/{number - 1}/dealer", rules.cite("dealer", "CP-2"), args, due, dealer)
    if standing.over:
        yield Finding("match-over", number, None, f"/rounds/{number - 1}", rules.cite("match", "HG-15"), {"after": standing.over})


def own_claims(rules: Rules, record: Record, examined: Examined) -> Iterator[Finding]:
    """Claimed totals and winner that differ."""
    rule = rules.cite("match", "HG-15")
    if record.totals is not None and examined.totals is not None:
        for side, (right, claimed) in enumerate(zip(examined.totals, record.totals, strict=True)):
            if right != claimed:
                yield Finding("claim-totals", None, None, f"/claims/totals/{side}", rule, {"side": side + 1}, right, claimed)
    if record.winner is not None and examined.winner is not None and record.winner != examined.winner:
        args: dict[str, object] = {"claimed": _side(record.winner), "found": _side(examined.winner)}
        yield Finding("claim-winner", None, None, "/claims/winner", rule, args, examined.winner, record.winner)


def _side(side: int) -> str:
    return f"side {side}" if side else "nobody"
