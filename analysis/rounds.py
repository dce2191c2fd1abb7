"""One round judged: how far it can be followed, what is wrong with its play and its claims, what it comes to (AU-1 to AU-4)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from analysis import possible
from analysis.claims import agree, check_sums, claimed_anything, compare, compare_piles, compare_possible
from analysis.findings import DISPUTE, INCOMPLETE, UNLAWFUL, Finding
from analysis.levels import head_of, level_of
from analysis.possible import Possibility, Way, gather
from records import packed
from records.cards import CODES, known
from records.engine import Outcome, verify
from records.faults import Fault
from records.record import Round, replace
from records.rules.game import Rules
from records.rules.settlement import Ending, Number, Settlement, winner_of

VERDICTS: Final = ("unlawful", "disputed", "incomplete", "lawful", "confirmed")
"""Worst first."""


@dataclass(slots=True)
class Judged:
    """What an audit makes of a round. Sides and seats from 0 within settlements, from 1 elsewhere."""

    number: int
    """From 1."""
    level: str
    """``full``, ``moves``, ``piles`` or ``scores`` (AU-1)."""
    end: str = "played"
    """``played``, ``lucky``, ``misdeal`` or ``abandoned``."""
    findings: list[Finding] = field(default_factory=list)
    settled: Settlement | None = None
    """None where the results are not known."""
    possible: list[Possibility] = field(default_factory=list)
    """Several outcomes, where what decides between them is not recorded (AU-2)."""
    claimed: bool = False
    """The round claims something."""
    decided: bool = True
    """What is recorded decides the round."""
    next_dealer: int | None = None
    """Seat from 1, None where it is not known."""
    as_claimed: bool = False
    """Of a score sheet from which no scores follow: points, yaku and scores are the claimed ones."""
    outcome: Outcome | None = None
    """What the engine said, where there was play to follow."""

    @property
    def verdict(self) -> str:
        """The round's verdict."""
        return verdict(self.findings, self.claimed, self.decided)


def verdict(findings: Sequence[Finding], claimed: bool, decided: bool) -> str:
    """The verdict on something with these findings (record-format.md, 3)."""
    severities = {finding.severity for finding in findings}
    if UNLAWFUL in severities:
        return "unlawful"
    if DISPUTE in severities:
        return "disputed"
    if INCOMPLETE in severities or not decided:
        return "incomplete"
    return "confirmed" if claimed else "lawful"


def judge(rules: Rules, round_: Round, number: int, ledger: bool = True, outcome: Outcome | None = None, trial: bool = False) -> Judged:
    """Judges a round by itself; its dealer and its place in the match are judged with the record.

    `outcome`: what play came to, where that is known already. `trial`: it is only asked whether the round is right; one of which not every
    possible outcome agrees with the claims is given up as undecided.
    """
    if round_.piles is not None and all(known(pile) is None for pile in round_.piles):
        round_ = replace(round_, piles=None)  # piles of unknown cards only say nothing: the normalised form has none either
    judged = Judged(number, level_of(round_))
    judged.claimed = claimed_anything(round_.claims)
    piles = _fitting(rules, round_.piles)
    if round_.piles is not None and piles is None:
        judged.claimed, judged.decided = True, False
        return judged
    if piles is not round_.piles:
        round_ = replace(round_, piles=piles)
    judged.outcome = outcome
    if outcome is None and round_.deal is not None and round_.deal.field is not None:
        judged.outcome = verify(rules, round_, ledger, trail=True)
    if judged.level in ("full", "moves"):
        _judge_play(rules, round_, judged)
    else:
        _judge_gap(rules, round_, judged, ledger, trial)
    if judged.settled is not None and judged.next_dealer is None and not judged.as_claimed:
        judged.next_dealer = judged.settled.next_dealer + 1
    return judged


def _fitting(rules: Rules, piles: tuple[bytes, ...] | None) -> tuple[bytes, ...] | None:
    """Piles as these rules count them: those of partners whose piles are one are put together; None where they cannot be told apart."""
    owners = rules.sides if rules.shared_piles else [(seat,) for seat in range(rules.seats)]
    if piles is None or len(piles) == len(owners):
        return piles
    if len(piles) == rules.seats:
        return tuple(b"".join(piles[seat] for seat in side) for side in owners)
    return None


def _judge_play(rules: Rules, round_: Round, judged: Judged) -> None:
    """Play that can be followed to its end."""
    outcome = judged.outcome
    assert outcome is not None
    table = outcome.table
    judged.findings += [_finding(rules, fault, judged.number) for fault in table.faults]
    judged.end = table.ended if table.ended and not table.broken else "abandoned"
    judged.settled = outcome.settlement
    judged.claimed = judged.claimed or round_.piles is not None
    if outcome.settlement is None:
        judged.decided = not judged.claimed
        return
    judged.decided = not table.unchecked
    judged.findings += compare(rules, judged.number, round_.claims, outcome.settlement)
    if round_.piles is not None and judged.end == "played":
        judged.findings += compare_piles(rules, judged.number, round_.piles, table.ending().piles)


def _judge_gap(rules: Rules, round_: Round, judged: Judged, ledger: bool, trial: bool) -> None:
    """Play that nobody recorded, or not to its end: judged by piles or claims. What was found before the gap stands."""
    outcome = judged.outcome
    if outcome is not None:
        faults = [fault for fault in outcome.table.faults if fault.code != "round-unfinished"]
        judged.findings += [_finding(rules, fault, judged.number) for fault in faults]
        if outcome.table.broken:
            judged.end = "abandoned"
            return
    if not rules.lucky and not any(finding.code == "lucky-unfounded" for finding in judged.findings):
        # no game but bakabana has a lucky hand: that needs no play to follow
        lucky = [Fault("lucky-unfounded", at, "BK-4") for at, action in enumerate(round_.actions, 1) if head_of(action) == packed.LUCKY]
        judged.findings += [_finding(rules, fault, judged.number) for fault in lucky]
    ends = range(packed.LUCKY if rules.lucky else packed.LUCKY + 1, packed.ABANDONED + 1)
    head = next((head_of(action) for action in round_.actions if head_of(action) in ends), 0)
    if head == packed.ABANDONED:
        judged.end = "abandoned"
        judged.claimed = judged.claimed or round_.piles is not None
        judged.decided = not judged.claimed
    elif head:
        judged.end = "lucky" if head == packed.LUCKY else "misdeal"
        judged.decided = head == packed.THROWN_IN
        none = [0] * (len(rules.sides) if rules.shared_piles else rules.seats)
        judged.settled = rules.game.settle(rules, Ending(round_.dealer - 1, none, judged.end), ledger)
        judged.findings += compare(rules, judged.number, round_.claims, judged.settled)
    elif judged.level == "piles":
        _judge_piles(rules, round_, judged, ledger, trial)
    else:
        _judge_sheet(rules, round_, judged, ledger, trial)


def _judge_piles(rules: Rules, round_: Round, judged: Judged, ledger: bool, trial: bool) -> None:
    """Scores from what was captured (AU-2)."""
    piles = possible.read_piles(rules, round_)
    if piles.contradiction is not None:
        pointer = f"/rounds/{judged.number - 1}{piles.pointer}"
        judged.findings.append(Finding("piles-contradict", judged.number, None, pointer, "", piles.contradiction))
    elif piles.lacking:
        judged.decided = False
    else:
        seen = judged.outcome.table if judged.outcome is not None else None
        _choose(rules, round_, judged, possible.from_piles(rules, round_, piles.cards, seen, ledger), trial)


def _judge_sheet(rules: Rules, round_: Round, judged: Judged, ledger: bool, trial: bool) -> None:
    """A score sheet: sums, and scores from claimed points and yaku where both are there (AU-1)."""
    judged.findings += check_sums(rules, judged.number, round_.claims)
    if _choose(rules, round_, judged, possible.from_sheet(rules, round_, ledger), trial):
        # Points and yaku alone, with no score beside them, are what is claimed: nothing checks them.
        judged.decided = judged.decided and round_.claims is not None and round_.claims.scores is not None
        return
    judged.decided = False
    claims = round_.claims
    if claims is None:
        return
    judged.as_claimed = True
    scores: list[Number] | None = list(claims.scores) if claims.scores is not None else None
    points: list[Number] | None = list(claims.points) if claims.points is not None else None
    yaku = None if claims.yaku is None else possible.claimed_yaku(rules, claims)
    seat = rules.game.sheet.next_dealer(rules, round_.dealer - 1, points, scores)
    judged.next_dealer = seat + 1 if seat >= 0 else None
    if scores is not None:
        judged.settled = Settlement(points, yaku, scores, winner_of(scores), seat)


def _choose(rules: Rules, round_: Round, judged: Judged, ways: Iterator[Way], trial: bool) -> bool:
    """The only outcome there can be, or all of them (AU-2). False where there is none."""
    claims = round_.claims
    tried = []
    for way in ways:
        if trial and not agree(claims, way[1]):
            judged.decided = False
            return True
        tried.append(way)
    found = gather(tried)
    if not found:
        return False
    if len(found) == 1:
        judged.settled = found[0].settled
        judged.findings += compare(rules, judged.number, claims, judged.settled)
        return True
    judged.possible = found
    settled = [possibility.settled for possibility in found]
    dealers = {one.next_dealer for one in settled}
    if len(dealers) == 1:
        judged.next_dealer = dealers.pop() + 1
    if not judged.claimed or claims is None:
        judged.decided = False
        return True
    right = [agree(claims, one) for one in settled]
    judged.decided = all(right)
    if not any(right):
        judged.findings.append(compare_possible(rules, judged.number, claims, settled))
    return True


def _finding(rules: Rules, fault: Fault, number: int) -> Finding:
    """An engine's fault as a finding."""
    action = fault.action if fault.action >= 0 else None
    at = f"/rounds/{number - 1}"
    pointer = f"{at}/deal" if action == 0 else f"{at}/actions" + ("" if action is None else f"/{action - 1}")
    args: dict[str, object] = {}
    if fault.seat:
        args["seat"] = fault.seat
    if fault.cards:
        codes = [_code(rules, card) for card in fault.cards]
        args["card"] = codes[0]
        if len(codes) > 1:
            args["taken"] = codes[1:]
    expected = None
    if fault.code == "card-not-top-of-pile" and len(fault.cards) > 1:
        expected = args.pop("taken")[0]  # type: ignore[index]  # a list of codes
    actual = args.get("card")
    return Finding(fault.code, number, action, pointer, fault.rule, args | fault.args, expected, actual)


def _code(rules: Rules, card: int) -> str:
    return CODES[rules.codes[card]] if card < len(CODES) else "?"


def worst(verdicts: Iterator[str]) -> str:
    """The worst of some verdicts."""
    return min(verdicts, key=VERDICTS.index)
