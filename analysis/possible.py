"""Rounds of which only the piles, or only a score sheet, are known: every outcome that the record allows (AU-1, AU-2).

Scores come from the game's own `settle`. Here it is asked once for each way in which what is not recorded may have been.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from analysis.claims import paid
from records.cards import BASA, CODES, JOKERS, LIGHTNING, UNKNOWN, cards_in, month_of
from records.record import Claims, Facts, Round
from records.rules.game import Rules
from records.rules.settlement import Ending, Settlement, Sheet, Yaku
from records.table import Table

NOBODY = -1
MOST_CALLS = 7
"""Koi-koi calls of one seat in one round: at its eighth turn it can only stop (KK-2)."""


Circumstances = dict[str, str | int | bool]
"""What is not recorded, and how it may have been: ``lightning`` (the code it took, or ``plain``), ``first_great``, ``stopped`` (a seat, 0),
``calls`` (of that seat), ``other_called``, ``JB`` and ``JC`` (a side, 0). Numbers from 1."""


@dataclass(slots=True)
class Possibility:
    """One outcome, and all circumstances under which it comes about."""

    ways: list[Circumstances]
    settled: Settlement


@dataclass(slots=True)
class Piles:
    """Piles as sets of cards, and what is wrong with them."""

    cards: list[int]
    contradiction: dict[str, object] | None = None
    """Arguments of ``piles-contradict``."""
    pointer: str = ""
    """Where, below the round."""
    lacking: bool = False
    """A card is missing where none may be left out."""


def read_piles(rules: Rules, round_: Round) -> Piles:
    """The piles of a round and whether they, with the facts beside them, can be true (AU-2)."""
    assert round_.piles is not None
    read = Piles([0] * len(round_.piles))
    used = 0
    unknown = False
    for place, pile in enumerate(round_.piles):
        for card in pile:
            if card == UNKNOWN:
                unknown = True
                continue
            free = rules.same[card] & rules.deck & ~used
            if not free:
                read.contradiction, read.pointer = {"card": CODES[rules.codes[card]]}, f"/piles/{place}"
                return read
            bit = free & -free
            used |= bit
            read.cards[place] |= bit
    read.lacking = unknown or (rules.game.sheet.complete and _lacks(rules, rules.deck & ~used))
    _check_facts(rules, round_.facts, read)
    return read


def _lacks(rules: Rules, missing: int) -> bool:
    """Whether cards are missing that must be there: four of a month that nobody took may be, where they count for nobody."""
    if rules.rest == "none" and rules.four_on_field == "leave":
        for month in range(12):
            four = 15 << (4 * month)
            if missing & four == four:
                missing &= ~four
    return missing != 0


def _check_facts(rules: Rules, facts: Facts, read: Piles) -> None:
    """A fact beside the piles that they contradict."""
    fact, pointer = "", ""
    if facts.lightning is not None and facts.lightning != "plain":
        pile = next((pile for pile in read.cards if pile >> LIGHTNING & 1), 0)
        if facts.lightning not in [code for code, _ in _catches(rules, pile)]:
            fact, pointer = f"the Lightning took {facts.lightning} as a wild card", "/lightning"
    if facts.first_great is not None and facts.first_great not in [id for id, _ in _greats(rules, read.cards)]:
        fact, pointer = f"{facts.first_great} was completed first", "/first_great"
    if facts.stopped and not _can_stop(rules, read.cards, facts.stopped - 1):
        fact, pointer = f"seat {facts.stopped} stopped", "/stopped"
    for seat, calls in enumerate(facts.calls or ()):
        if calls and not _can_stop(rules, read.cards, seat):
            fact, pointer = f"seat {seat + 1} called koi-koi", f"/calls/{seat}"
            break
    if fact:
        read.contradiction, read.pointer = {"fact": fact}, pointer


def _catches(rules: Rules, pile: int) -> list[tuple[str, int]]:
    """Codes and cards that the Lightning of a pile may have captured as a wild card: any of another month in it."""
    found: dict[str, int] = {}
    for card in cards_in(pile):
        if month_of(card) != month_of(LIGHTNING):
            found.setdefault(CODES[rules.codes[card]], card)
    return list(found.items())


def _greats(rules: Rules, piles: Sequence[int]) -> list[tuple[str, int]]:
    """Ids of the great yaku that were made, and the pile of each."""
    found = []
    for id, cards in zip(rules.game.great, rules.great_masks, strict=True):
        found += [(id, place) for place, pile in enumerate(piles) if pile & cards == cards]
    return found


def _can_stop(rules: Rules, piles: Sequence[int], seat: int) -> bool:
    """A seat whose yaku are worth nothing cannot have stopped, nor called koi-koi (KK-2): piles only grow."""
    worth = rules.game.worth
    return worth is not None and worth.of(rules, piles[seat], 0) > 0


Way = tuple[Circumstances, Settlement]
"""One way in which a round may have been, and what it comes to."""


def from_piles(rules: Rules, round_: Round, piles: Sequence[int], seen: Table | None, ledger: bool) -> Iterator[Way]:
    """Every way that the piles and the facts beside them allow; `seen`: what was played before play is unknown."""
    dealer = round_.dealer - 1
    for lightning, of_lightning in _lightnings(rules, round_.facts, piles, seen):
        for great, of_great in _firsts(rules, round_.facts, piles, seen):
            for stopped, calls, of_stop in _stops(rules, round_.facts, piles, seen):
                for jokers, of_jokers in _joker_holders(rules, piles):
                    cards = [pile | joker for pile, joker in zip(piles, jokers, strict=True)]
                    ending = Ending(dealer, cards, "played", lightning, great, stopped, calls)
                    yield of_lightning | of_great | of_stop | of_jokers, rules.game.settle(rules, ending, ledger)


def from_sheet(rules: Rules, round_: Round, ledger: bool) -> Iterator[Way]:
    """Every way that claimed points and yaku allow: more than one where the holder of a joker may decide. None where nothing follows from
    them: the game's scores depend on more, or not both are claimed."""
    claims = round_.claims
    if claims is None or claims.points is None or claims.yaku is None or not rules.game.sheet.follows:
        return
    sheet = Sheet([int(2 * points) for points in claims.points], claimed_yaku(rules, claims))
    none = [0] * (len(rules.sides) if rules.shared_piles else rules.seats)
    for jokers, of_jokers in _joker_holders(rules, none):
        ending = Ending(round_.dealer - 1, jokers, sheet=sheet)
        yield of_jokers, rules.game.settle(rules, ending, ledger)


def gather(ways: Iterable[Way]) -> list[Possibility]:
    """The different outcomes, each with all the ways to it: those with equal points, yaku and scores are one."""
    found: dict[str, Possibility] = {}
    for way, settled in ways:
        result = repr((settled.points, None if settled.yaku is None else [paid(side) for side in settled.yaku], settled.scores))
        if result in found:
            found[result].ways.append(way)
        else:
            found[result] = Possibility([way], settled)
    return list(found.values())


def claimed_yaku(rules: Rules, claims: Claims) -> list[list[Yaku]]:
    assert claims.yaku is not None
    points = {rule.id: rule.points for rule in rules.game.yaku}
    return [[Yaku(id, points[id], -1 if rules.teams else side, side) for id in sorted(ids)] for side, ids in enumerate(claims.yaku)]


def _lightnings(rules: Rules, facts: Facts, piles: Sequence[int], seen: Table | None) -> Iterator[tuple[int, Circumstances]]:
    """What the Lightning may have captured as a wild card (BK-11), NOBODY: nothing."""
    pile = next((pile for pile in piles if pile >> LIGHTNING & 1), 0)
    catches = _catches(rules, pile)
    known = facts.lightning
    if known is None and seen is not None:
        if seen.lightning >= 0:
            known = CODES[rules.codes[seen.lightning]]
        elif any(taken >> LIGHTNING & 1 for taken in seen.piles):
            known = "plain"
    if not rules.game.sheet.lightning or not pile or known == "plain":
        yield NOBODY, {}
    elif known is not None:
        yield dict(catches).get(known, NOBODY), {}
    else:
        yield NOBODY, {"lightning": "plain"}
        for code, card in catches:
            yield card, {"lightning": code}


def _firsts(rules: Rules, facts: Facts, piles: Sequence[int], seen: Table | None) -> Iterator[tuple[str, Circumstances]]:
    """Which great yaku may have been completed first (HN-10)."""
    greats = _greats(rules, piles)
    known = facts.first_great or (seen.first_great if seen is not None else "")
    if known:
        yield known, {}
    elif len({place for _, place in greats}) < 2:
        yield "", {}
    else:
        for id, _ in greats:
            yield id, {"first_great": id}


def _stops(rules: Rules, facts: Facts, piles: Sequence[int], seen: Table | None) -> Iterator[tuple[int, list[int], Circumstances]]:
    """Who may have stopped, and after how many calls (KK-2 to KK-5); calls that were seen are among them."""
    none = [0] * rules.seats
    heard = seen.calls if seen is not None else none
    if not rules.calls:
        yield NOBODY, none, {}
        return
    if facts.stopped is not None:
        seats = [facts.stopped - 1]
    else:
        seats = [NOBODY, *(seat for seat in range(rules.seats) if _can_stop(rules, piles, seat))]
    for seat in seats:
        unsaid: Circumstances = {"stopped": seat + 1} if len(seats) > 1 else {}
        if facts.calls is not None or seat == NOBODY:
            yield seat, list(facts.calls or none), unsaid
            continue
        for own in range(heard[seat], MOST_CALLS + 1):
            for others in (0, 1):
                calls = [own if place == seat else max(others, heard[place]) for place in range(rules.seats)]
                yield seat, calls, unsaid | {"calls": own, "other_called": others > 0}


def _joker_holders(rules: Rules, piles: Sequence[int]) -> Iterator[tuple[list[int], Circumstances]]:
    """Where each joker that no pile lists may be: with each side, or with nobody (HG-12)."""
    listed = 0
    for pile in piles:
        listed |= pile
    missing = cards_in(JOKERS & rules.deck & ~listed)
    holders = range(NOBODY, len(rules.sides))
    for first in holders if missing else [NOBODY]:
        for second in holders if len(missing) > 1 else [NOBODY]:
            given = [0] * len(piles)
            holder: Circumstances = {}
            for joker, side in zip(missing, (first, second), strict=False):
                holder[CODES[joker]] = side + 1
                if side != NOBODY:
                    given[side if rules.shared_piles else rules.sides[side][0]] |= 1 << joker
            yield given, holder


def described(found: Sequence[Possibility]) -> list[tuple[str, list[dict[str, list[str | int | bool]]]]]:
    """When each of all possible outcomes comes about: in English, and as sets of values, of which any set is enough.

    What makes no difference to an outcome is not said of it.
    """
    domains: dict[str, set[str | int | bool]] = {}
    for possibility in found:
        for way in possibility.ways:
            for key, value in way.items():
                domains.setdefault(key, set()).add(value)
    return [_described(possibility, domains) for possibility in found]


def _described(possibility: Possibility, domains: dict[str, set[str | int | bool]]) -> tuple[str, list[dict[str, list[str | int | bool]]]]:
    ways = _merged([{key: [value] for key, value in way.items()} for way in possibility.ways])
    told = [{key: values for key, values in way.items() if set(values) != domains[key]} for way in ways]
    return " or ".join(_in_words(way) for way in told), told


def _merged(ways: list[dict[str, list[str | int | bool]]]) -> list[dict[str, list[str | int | bool]]]:
    """Ways that differ in one respect only are one way."""
    merged: list[dict[str, list[str | int | bool]]] = []
    for way in ways:
        for known in merged:
            different = [key for key in way if known.get(key) != way[key]]
            if known.keys() == way.keys() and len(different) == 1:
                known[different[0]] = known[different[0]] + way[different[0]]
                break
        else:
            merged.append(way)
    return merged if len(merged) == len(ways) else _merged(merged)


def _in_words(way: dict[str, list[str | int | bool]]) -> str:
    parts = []
    for key, values in way.items():
        listed = " or ".join(str(value) for value in values)
        if key == "lightning":
            parts.append("the Lightning took " + listed.replace("plain", "no card of another month"))
        elif key == "first_great":
            parts.append(f"{listed} was completed first")
        elif key == "stopped":
            parts.append("nobody stopped" if values == [0] else f"seat {listed} stopped")
        elif key == "calls":
            parts.append(f"after {listed.replace('0', 'no')} koi-koi {'call' if values in ([0], [1]) else 'calls'}")
        elif key == "other_called":
            parts.append("the other seat had called koi-koi" if values == [True] else "the other seat had not called koi-koi")
        else:
            name = "Basa" if key == CODES[BASA] else "Chu"
            parts.append(f"{name} is with " + " or ".join(f"side {side}" if side else "nobody" for side in values))
    return " and ".join(parts).replace(" and after ", " after ") or "in every case"
