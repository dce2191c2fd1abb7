"""What players claim, held against what comes out (AU-1, AU-4). One finding a side; both values beside it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import astuple

from analysis.findings import Finding
from records.cards import CODES, UNKNOWN, cards_in
from records.engine import rules_of, settlement_of
from records.record import Claims, Record
from records.rules.game import Rules
from records.rules.settlement import Number, Settlement, Yaku, number


def paid(side: Sequence[Yaku]) -> list[str]:
    """The ids of the yaku of a side that are paid, sorted; an id that is paid twice stands twice."""
    return sorted(yaku.id for yaku in side if not yaku.negated)


def claimed_anything(claims: Claims | None) -> bool:
    """Whether a round claims points, yaku or scores; an empty list is a claim too."""
    return claims is not None and not (claims.points is None and claims.yaku is None and claims.scores is None)


def points_agree(claimed: Number, settled: Settlement, side: int) -> bool:
    """Bakabana's are right rounded or not. Where no points are counted (CP-10, BK-4) nothing may be claimed but zero."""
    if settled.points is None:
        return claimed == 0
    return claimed == settled.points[side] or (settled.rounded is not None and claimed == settled.rounded[side])


def yaku_agree(claimed: Sequence[str], settled: Settlement, side: int) -> bool:
    """Those that are paid, in any order."""
    return sorted(claimed) == (paid(settled.yaku[side]) if settled.yaku is not None else [])


def agree(claims: Claims | None, settled: Settlement) -> bool:
    """Whether every claim of a round is right."""
    if claims is None:
        return True
    parts: tuple[Any, ...] = astuple(claims)
    points: tuple[Number, ...] | None = parts[0]
    yaku: tuple[tuple[str, ...], ...] | None = parts[1]
    scores: tuple[Number, ...] | None = parts[2]
    if scores is not None and list(scores) != settled.scores:
        return False
    # Nothing claimed and nothing made, or the same numbers: most claims need no closer look.
    if yaku is not None:
        made = settled.yaku
        for side, ids in enumerate(yaku):
            if (ids or made is None or made[side]) and not yaku_agree(ids, settled, side):
                return False
    if points is not None and list(points) != settled.points:
        for side, claimed in enumerate(points):
            if not points_agree(claimed, settled, side):
                return False
    return True


def confirmed(record: Record) -> bool:
    """Whether every round was lawful to its end, and what is claimed of it right. What the record claims as a whole is not looked at."""
    rules = rules_of(record)
    for round_ in record.rounds:
        settlement = settlement_of(rules, round_)
        if settlement is None or not agree(round_.claims, settlement):
            return False
    return True


def compare(rules: Rules, number: int, claims: Claims | None, settled: Settlement) -> Iterator[Finding]:
    """The claims of a round that differ, side by side. `number`: the round's, from 1.

    A score is cited by what it follows from: yaku that differ, else the rule that it leaves out, else the rule of scores.
    """
    if claims is None:
        return
    at = f"/rounds/{number - 1}/claims"
    cited = rules.game.sheet
    because = ""
    if claims.points is not None:
        for side, points in enumerate(claims.points):
            if not points_agree(points, settled, side):
                right = None if settled.points is None else settled.points[side]
                args: dict[str, object] = {"side": side + 1}
                if settled.rounded is not None:
                    args["rounded"] = settled.rounded[side]
                because = cited.scores_rule
                yield Finding("claim-points", number, None, f"{at}/points/{side}", cited.points_rule, args, right, points)
    if claims.yaku is not None:
        for side, ids in enumerate(claims.yaku):
            if not yaku_agree(ids, settled, side):
                right_ids = paid(settled.yaku[side]) if settled.yaku is not None else []
                unpaid = _negated(settled, side, ids)
                because = cited.negated_rule if unpaid else cited.yaku_rule
                args = {"side": side + 1} | ({"negated": unpaid} if unpaid else {})
                yield Finding("claim-yaku", number, None, f"{at}/yaku/{side}", because, args, right_ids, sorted(ids))
    if claims.scores is not None:
        for side, score in enumerate(claims.scores):
            if score != settled.scores[side]:
                rule = because or _left_out(settled, side, score, cited.points_rule) or cited.scores_rule
                yield Finding("claim-scores", number, None, f"{at}/scores/{side}", rule, {"side": side + 1}, settled.scores[side], score)


def _negated(settled: Settlement, side: int, ids: Sequence[str]) -> list[str]:
    """Those of the claimed yaku that the side made and that another's negates."""
    return sorted({made.id for made in settled.yaku[side] if made.negated and made.id in ids}) if settled.yaku is not None else []


def _left_out(settled: Settlement, side: int, claimed: Number, points_rule: str) -> str | None:
    """The rule whose lines of the ledger are all that a claimed score is without, card points aside; None where it is no one rule."""
    by_rule: dict[str, Number] = {}
    for entry in settled.ledger:
        if entry.side == side:
            by_rule[entry.rule] = by_rule.get(entry.rule, 0) + entry.amount
    found = [rule for rule, amount in by_rule.items() if amount and rule != points_rule and settled.scores[side] - amount == claimed]
    return found[0] if len(found) == 1 else None


def compare_possible(rules: Rules, number: int, claims: Claims, possible: Sequence[Settlement]) -> Finding:
    """The one finding where no possible outcome agrees with the claims (AU-2): the first of scores, yaku and points that none has."""
    cited = rules.game.sheet
    differ: list[tuple[Claims, str, str, str, list[object], object]] = []
    if claims.scores is not None:
        values: list[object] = [settled.scores for settled in possible]
        differ.append((Claims(scores=claims.scores), "claim-scores", "scores", cited.scores_rule, values, list(claims.scores)))
    if claims.yaku is not None:
        values = [[paid(side) for side in settled.yaku] if settled.yaku is not None else None for settled in possible]
        differ.append((Claims(yaku=claims.yaku), "claim-yaku", "yaku", cited.yaku_rule, values, [sorted(ids) for ids in claims.yaku]))
    if claims.points is not None:
        values = [settled.points for settled in possible]
        differ.append((Claims(points=claims.points), "claim-points", "points", cited.points_rule, values, list(claims.points)))
    wrong = (one for one in differ if not any(agree(one[0], settled) for settled in possible))
    _, code, key, rule, values, actual = next(wrong, differ[0])
    different: list[object] = []
    for value in values:
        if value not in different:
            different.append(value)
    return Finding(code, number, None, f"/rounds/{number - 1}/claims/{key}", rule, {}, different, actual)


def compare_piles(rules: Rules, number: int, claimed: Sequence[bytes], piles: Sequence[int]) -> Iterator[Finding]:
    """Piles recorded beside play, held against what was played. Cards worth nothing may be left out where the game lays them aside (HG-5);
    an unknown card stands for any."""
    for place, (pile, played) in enumerate(zip(claimed, piles, strict=True)):
        said = Counter(rules.codes[card] for card in pile if card != UNKNOWN)
        true = Counter(rules.codes[card] for card in cards_in(played))
        more = said - true
        less = true - said
        if rules.game.sheet.chaff_aside:
            less = Counter({card: count for card, count in less.items() if rules.values[card]})
        if not more and less.total() <= pile.count(UNKNOWN):
            continue
        who = "side" if rules.shared_piles or not rules.teams else "seat"
        args: dict[str, object] = {who: place + 1, "more": _codes(more), "less": _codes(less)}
        yield Finding(
            "claim-piles", number, None, f"/rounds/{number - 1}/piles/{place}", "", args, " ".join(_codes(true)), " ".join(_codes(said))
        )


def check_sums(rules: Rules, number: int, claims: Claims | None) -> Iterator[Finding]:
    """What a score sheet alone must satisfy: points that the deck can make, scores that add up to zero in a game of payments."""
    if claims is None:
        return
    sheet = rules.game.sheet
    at = f"/rounds/{number - 1}/claims"
    if claims.points is not None and sheet.points_range is not None:
        yield from _check_points(rules, number, claims.points)
    if claims.scores is not None and sheet.zero_sum and sum(claims.scores) != 0:
        yield Finding("claim-sum", number, None, f"{at}/scores", sheet.zero_sum, {"of": "scores"}, 0, _sum(claims.scores))


def _check_points(rules: Rules, place: int, points: Sequence[Number]) -> Iterator[Finding]:
    sheet = rules.game.sheet
    assert sheet.points_range is not None
    least, most, most_rounded = sheet.points_range(rules)
    if all(value == int(value) for value in points):
        most = most_rounded
    at = f"/rounds/{place - 1}/claims/points"
    if not least <= sum(points) <= most:
        args: dict[str, object] = {"of": "points", "least": number(least), "most": number(most)}
        expected: object = number(least) if least == most else [number(least), number(most)]
        yield Finding("claim-sum", place, None, at, sheet.points_rule, args, expected, _sum(points))
        return
    for side, value in enumerate(points):
        if value < 0 or value % sheet.step:
            args = {"of": "points", "side": side + 1, "step": number(sheet.step)}
            yield Finding("claim-sum", place, None, f"{at}/{side}", sheet.points_rule, args, None, value)


def _sum(values: Sequence[Number]) -> Number:
    return number(sum(values))


def _codes(cards: Counter[int]) -> list[str]:
    return [CODES[card] for card in sorted(cards.elements())]
