"""One fault in an otherwise lawful game, its code and place known: what an auditor has to find.

A fault of play is planted into one turn; play then goes on lawfully from the position as it really is (AU-3), and the claims are those of
what was played. Whether an act breaks the rule that it is meant to break is asked of the engine. What is impossible is written but not
done: the replay of the round ends there.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import Final

from analysis.match import Standing
from analysis.scenarios import scenarios
from analysis.simulate import LONGEST, Made, Simulator, Style, claims_of, hikis, marked
from records import packed
from records.cards import CARDS, LIGHTNING, cards_in
from records.engine import Outcome, verify
from records.record import Claims, Deal, Match, Record, Round, replace
from records.rules.capture import judge
from records.rules.game import Rules
from records.rules.settlement import Number
from records.table import Table

Act = tuple[bytes, bool]
"""An action to write, and whether it is possible and is carried out."""

TRIES: Final = 100
"""Deals in which a fault may find no place before another kind is planted."""


class Planted(Style):
    """Does something unlawful once, at a random turn from which on it finds a place; before and after it plays as another style does."""

    def __init__(self, find: "Finder", simulator: Simulator, like: Style) -> None:
        super().__init__(like.lucky, like.keep, like.hiki, like.announce)
        self.chooses = like.chooses
        self.find = find
        self.simulator = simulator
        self.like = like
        self.after = 0
        """Actions before the first that may be the fault."""
        self.place = -1
        """Number of the action that is the fault; -1: none yet."""

    def deal(self, simulator: Simulator, dealer: int) -> Deal:
        """As the style does that brings about what the fault needs: there at the first turn, else anywhere."""
        turns = sum(simulator.rules.hand_sizes)
        self.after = int(simulator.rng.random() * turns) if type(self.like) is Style else 0
        self.place = -1
        return self.like.deal(simulator, dealer)

    def choose(self, table: Table, seat: int, from_hand: bool, plays: Sequence[tuple[bytes, int, bool]]) -> int:
        """As that style does."""
        return self.like.choose(table, seat, from_hand, plays)

    def kan_plays(self, table: Table, chance: float) -> bool:
        """Not before the fault."""
        return self.place >= 0 and chance < 0.25

    def interfere(self, table: Table, actions: Sequence[bytes], lawful: bytes) -> tuple[bytes, bool] | None:
        """The fault, once, where there is one; not in place of the wild card that an announced hiki waits for (HG-16)."""
        if self.place >= 0 or len(actions) < self.after or table.announced:
            return None
        acts = sorted(self.find(self.simulator, table, lawful))
        if not acts:
            return None
        self.place = len(actions) + 1
        return acts[int(self.simulator.rng.random() * len(acts))]


# -- faults of single acts: what may be written instead of a lawful turn


def _turn(lawful: bytes) -> bool:
    return lawful[0] <= packed.NONE or lawful[0] > packed.HIKI


def _split(lawful: bytes) -> tuple[bytes, bytes, bytes]:
    """First half, second half, call of a turn as the simulator writes it."""
    end = len(lawful) - (lawful[-1] in (packed.KOI, packed.STOP) and len(lawful) > 1)
    cut = 2 + lawful[1] if lawful[0] < packed.NONE else 1
    return lawful[:cut], lawful[cut:end], lawful[end:]


def _of_judge(code: str) -> Callable[[Simulator, Table, bytes], Iterator[Act]]:
    """Plays of the card from the hand in which the engine finds that fault; the draw is left as it fits."""

    def find(simulator: Simulator, table: Table, lawful: bytes) -> Iterator[Act]:
        if not _turn(lawful) or lawful[0] >= packed.NONE:
            return
        rules = simulator.rules
        first, second, _ = _split(lawful)
        for card in {rules.codes[one] for one in cards_in(table.hands[table.next_seat])}:
            for taken in _captures(simulator, table, card):
                half = bytes((card, len(taken))) + taken if taken is not None else bytes((card, packed.BARE))
                answer = judge(rules, True, half, simulator.field(table))
                if answer.code != code:
                    continue
                if answer.impossible:
                    yield half + second, False
                    continue
                bit = table.hands[table.next_seat] & rules.same[card]
                field = simulator.field(table) & ~answer.taken | (0 if answer.to_pile else bit & -bit)
                yield from ((half + drawn, True) for drawn in _draws(simulator, table, field))
        if second and code != "capture-ambiguous":
            answer = judge(rules, True, first, simulator.field(table))
            bit = table.hands[table.next_seat] & rules.same[first[0]]
            field = simulator.field(table) & ~answer.taken | (0 if answer.to_pile else bit & -bit)
            for taken in _captures(simulator, table, second[0], field):
                if taken is not None:
                    half = bytes((second[0], len(taken))) + taken
                    answer = judge(rules, False, half, field)
                    if answer.code == code:
                        yield first + half, not answer.impossible

    return find


def _captures(simulator: Simulator, table: Table, card: int, field: int = -1) -> Iterator[bytes | None]:
    """What a card might be said to take: nothing, some of its month, one or two of others, one that is not there; None: a bare `x`."""
    rules = simulator.rules
    lying = simulator.field(table) if field < 0 else field
    own = cards_in(lying & 15 << (card & ~3))
    for n in range(len(own) + 1):
        for some in combinations(own, n):
            yield bytes(rules.codes[one] for one in some)
    others = cards_in(lying & ~(15 << (card & ~3)))
    for other in others:
        yield bytes((rules.codes[other],))
    yield from (bytes((rules.codes[one], rules.codes[other])) for one, other in pairwise(others))
    away = [one for one in cards_in(rules.deck & 15 << (card & ~3)) if not rules.same[one] & (lying | 1 << card)]
    yield from (bytes((rules.codes[one],)) for one in away)
    yield None


def _draws(simulator: Simulator, table: Table, field: int) -> Iterator[bytes]:
    """The lawful ways to play the card that is turned up next; an empty one where there is none."""
    if not table.draw_pile:
        yield b""
        return
    for half, _, _ in simulator.moves.of(simulator.rules.codes[table.draw_pile[-1]], field, False):
        yield half


def _draw_missing(simulator: Simulator, table: Table, lawful: bytes) -> Iterator[Act]:
    first, second, call = _split(lawful)
    if _turn(lawful) and second and not call:
        yield first, True


def _play_missing(simulator: Simulator, table: Table, lawful: bytes) -> Iterator[Act]:
    if _turn(lawful) and table.hands[table.next_seat] and not _split(lawful)[2]:
        yield from ((bytes((packed.NONE,)) + drawn, True) for drawn in _draws(simulator, table, simulator.field(table)))


def _deeper(simulator: Simulator, table: Table, lawful: bytes) -> Iterator[Act]:
    rules = simulator.rules
    first, second, call = _split(lawful)
    if not (_turn(lawful) and second) or call or lawful[0] >= packed.NONE:
        return
    answer = judge(rules, True, first, simulator.field(table))
    bit = table.hands[table.next_seat] & rules.same[first[0]]
    field = simulator.field(table) & ~answer.taken | (0 if answer.to_pile else bit & -bit)
    for card in {rules.codes[one] for one in table.draw_pile} - {second[0]}:
        yield from ((first + half, True) for half, _, _ in simulator.moves.of(card, field, False))


def _not_drawn(simulator: Simulator, table: Table, lawful: bytes) -> Iterator[Act]:
    first, second, _ = _split(lawful)
    if _turn(lawful) and second:
        there = {simulator.rules.codes[one] for one in table.draw_pile}
        yield from ((first + bytes((card, 0)), False) for card in set(simulator.cards) - there)


def _not_in_hand(simulator: Simulator, table: Table, lawful: bytes) -> Iterator[Act]:
    if _turn(lawful) and lawful[0] < packed.NONE:
        held = {simulator.rules.codes[one] for one in cards_in(table.hands[table.next_seat])}
        yield from ((bytes((card, 0)) + _split(lawful)[1], False) for card in set(simulator.cards) - held)


def _not_in_deck(simulator: Simulator, table: Table, lawful: bytes) -> Iterator[Act]:
    if _turn(lawful) and lawful[0] < packed.NONE:
        foreign = set(CARDS.values()) - {one for card in simulator.cards for one in cards_in(simulator.rules.same[card])}
        yield from ((bytes((card, 0)) + _split(lawful)[1], False) for card in foreign)


def _out_of_turn(simulator: Simulator, table: Table, lawful: bytes) -> Iterator[Act]:
    rules = simulator.rules
    if not _turn(lawful) or table.announced:
        return
    for seat in range(rules.seats):
        if seat in (table.next_seat, table.kan) or not table.hands[seat]:
            continue
        for card in {rules.codes[one] for one in cards_in(table.hands[seat])}:
            for half, taken, to_pile in simulator.moves.of(card, simulator.field(table), True)[:1]:
                bit = table.hands[seat] & rules.same[card]
                field = simulator.field(table) & ~taken | (0 if to_pile else bit & -bit)
                yield from ((bytes((packed.SEAT + seat + 1,)) + half + drawn, True) for drawn in _draws(simulator, table, field))


def _kan(simulator: Simulator, table: Table, lawful: bytes) -> Iterator[Act]:
    rules = simulator.rules
    if _turn(lawful):
        for card in {rules.codes[one] for one in cards_in(table.hands[table.kan])} - {LIGHTNING}:
            yield from (
                (bytes((packed.SEAT + table.kan + 1,)) + half, True)
                for half, _, _ in simulator.moves.of(card, simulator.field(table), True)
            )


def _kan_draws(simulator: Simulator, table: Table, lawful: bytes) -> Iterator[Act]:
    if not (_turn(lawful) and table.kan_window and table.hands[table.kan] >> LIGHTNING & 1 and table.draw_pile):
        return
    bit = 1 << LIGHTNING
    for half, taken, to_pile in simulator.moves.of(LIGHTNING, simulator.field(table), True):
        field = simulator.field(table) & ~taken | (0 if to_pile else bit)
        yield from ((bytes((packed.SEAT + table.kan + 1,)) + half + drawn, True) for drawn in _draws(simulator, table, field))


def _no_hiki(simulator: Simulator, table: Table, lawful: bytes) -> Iterator[Act]:
    if not _turn(lawful) or table.announced or _split(lawful)[2]:
        return
    there = hikis(table.hands[table.next_seat], simulator.field(table))
    second = _split(lawful)[1]
    for month in range(12):
        if month not in there:
            yield bytes((packed.HIKI + month + 1,)) + second, False
        elif not simulator.rules.hiki:
            field = simulator.field(table) & ~(15 << (4 * month))
            yield from ((bytes((packed.HIKI + month + 1,)) + drawn, True) for drawn in _draws(simulator, table, field))


def _call_missing(simulator: Simulator, table: Table, lawful: bytes) -> Iterator[Act]:
    first, second, call = _split(lawful)
    if _turn(lawful) and call:
        yield first + second, True


def _call_unfounded(simulator: Simulator, table: Table, lawful: bytes) -> Iterator[Act]:
    call = _split(lawful)[2]
    if _turn(lawful) and not call:
        yield lawful + bytes((packed.KOI,)), True
        yield lawful + bytes((packed.STOP,)), True
    elif _turn(lawful) and table.turns[table.next_seat] + 1 == simulator.rules.hand_sizes[0]:
        yield lawful[:-1] + bytes((packed.KOI,)), True


def _misdeal(simulator: Simulator, table: Table, lawful: bytes) -> Iterator[Act]:
    if lawful[0] != packed.MISDEAL:
        yield bytes((packed.MISDEAL,)), True


def _lucky(simulator: Simulator, table: Table, lawful: bytes) -> Iterator[Act]:
    if lawful[0] not in (packed.MISDEAL, packed.LUCKY) and not (table.action == 0 and _one_month(table.hands[table.kan])):
        yield bytes((packed.LUCKY,)), True


def _one_month(hand: int) -> bool:
    return len({card >> 2 for card in cards_in(hand)}) == 1


def _played_on(simulator: Simulator, table: Table, lawful: bytes) -> Iterator[Act]:
    """The first turn after a deal that was a misdeal."""
    if lawful[0] == packed.MISDEAL:
        seat = table.next_seat
        card = simulator.rules.codes[cards_in(table.hands[seat])[0]]
        half, taken, to_pile = simulator.moves.of(card, simulator.field(table), True)[0]
        field = simulator.field(table) & ~taken | (0 if to_pile else table.hands[seat] & -table.hands[seat])
        yield from ((half + drawn, True) for drawn in _draws(simulator, table, field))


Finder = Callable[[Simulator, Table, bytes], Iterator[Act]]
ACTS: Final[dict[str, tuple[Finder, str]]] = {
    "must-capture": (_of_judge("must-capture"), ""),
    "wrong-month": (_of_judge("wrong-month"), ""),
    "must-take-one": (_of_judge("must-take-one"), ""),
    "must-take-three": (_of_judge("must-take-three"), "three-on-field"),
    "wild-not-allowed": (_of_judge("wild-not-allowed"), ""),
    "joker-protected": (_of_judge("joker-protected"), "joker-takes-joker"),
    "card-not-on-field": (_of_judge("card-not-on-field"), ""),
    "capture-ambiguous": (_of_judge("capture-ambiguous"), ""),
    "draw-missing": (_draw_missing, ""),
    "play-missing": (_play_missing, ""),
    "card-not-top-of-pile": (_deeper, ""),
    "card-not-top-of-pile (not in it)": (_not_drawn, ""),
    "card-not-in-hand": (_not_in_hand, ""),
    "card-not-in-deck": (_not_in_deck, ""),
    "out-of-turn": (_out_of_turn, ""),
    "kan-may-not-play": (_kan, ""),
    "draw-forbidden": (_kan_draws, "kan-lightning-window-3"),
    "hiki-unfounded": (_no_hiki, ""),
    "call-missing": (_call_missing, ""),
    "call-unfounded": (_call_unfounded, ""),
    "misdeal-unfounded": (_misdeal, ""),
    "lucky-unfounded": (_lucky, ""),
    "misdeal-not-declared": (_played_on, "four-dealt both-jokers-on-field four-on-field"),
}


# -- faults of a round that is played already


class Miscounted(Style):
    """One card is dealt to the wrong place."""

    def deal(self, simulator: Simulator, dealer: int) -> Deal:
        """The last card of the draw pile lies on the field or in a hand."""
        deal = simulator.shuffled(dealer)
        assert deal.field is not None and deal.hands is not None and deal.draw_pile is not None
        place = int(simulator.rng.random() * (simulator.rules.seats + 1))
        pile, card = deal.draw_pile[:-1], deal.draw_pile[-1:]
        if place == simulator.rules.seats:
            return Deal(bytes(sorted(deal.field + card)), deal.hands, pile)
        hands = [bytes(sorted((hand or b"") + card)) if seat == place else hand for seat, hand in enumerate(deal.hands)]
        return Deal(deal.field, tuple(hands), pile)


Change = Callable[[Simulator, Made], Round | None]
"""A fault in a round that is lawful so far; None where the round has no place for it."""


def _after_end(simulator: Simulator, made: Made) -> Round | None:
    return replace(made.round, play=made.round.play + bytes((packed.NONE, packed.END)))


def _cut(simulator: Simulator, made: Made) -> Round | None:
    if made.outcome.table.ended != "played":
        return None
    last = max(1, len(made.round.actions) - 1 - int(simulator.rng.random() * 5))
    return replace(made.round, play=packed.play_of(made.round.actions[:last]), claims=None, piles=None)


def _redealt(card: Callable[[Simulator, bytes], int]) -> Change:
    """The last card of the draw pile is another."""

    def change(simulator: Simulator, made: Made) -> Round | None:
        deal = made.round.deal
        assert deal is not None and deal.draw_pile is not None and deal.field is not None
        wrong = card(simulator, deal.field)
        if wrong < 0:
            return None
        return replace(made.round, deal=replace(deal, draw_pile=deal.draw_pile[:-1] + bytes((wrong,))), claims=None, piles=None)

    return change


def _twice(simulator: Simulator, field: bytes) -> int:
    single = [card for card in field if simulator.cards.count(card) == 1]
    return single[0] if single else -1


def _foreign(simulator: Simulator, field: bytes) -> int:
    codes = simulator.rules.codes
    return min((codes[card] for card in CARDS.values() if codes[card] not in simulator.cards), default=-1)


def _claim(change: Callable[[Simulator, Made, Claims, int], Claims | None]) -> Change:
    """A claim about one side, at random, is wrong."""

    def changed(simulator: Simulator, made: Made) -> Round | None:
        settlement = made.outcome.settlement
        if settlement is None or made.outcome.table.ended != "played":
            return None
        side = int(simulator.rng.random() * len(simulator.rules.sides))
        wrong = change(simulator, made, claims_of(settlement), side)
        return None if wrong is None else replace(made.round, claims=wrong)

    return changed


def _off(values: Sequence[Number], side: int, by: Number) -> tuple[Number, ...]:
    return tuple(value + by if place == side else value for place, value in enumerate(values))


def _wrong_points(simulator: Simulator, made: Made, claims: Claims, side: int) -> Claims | None:
    return None if claims.points is None else replace(claims, points=_off(claims.points, side, 5))


def _wrong_yaku(simulator: Simulator, made: Made, claims: Claims, side: int) -> Claims | None:
    if claims.yaku is None or made.outcome.settlement is None or made.outcome.settlement.void:
        return None
    ids = list(claims.yaku[side])
    others = [rule.id for rule in simulator.rules.game.yaku if rule.id not in ids]
    changed = ids[1:] if ids and simulator.rng.random() < 0.5 else sorted([*ids, others[int(simulator.rng.random() * len(others))]])
    return replace(claims, yaku=tuple(tuple(changed) if place == side else one for place, one in enumerate(claims.yaku)))


def _wrong_scores(simulator: Simulator, made: Made, claims: Claims, side: int) -> Claims | None:
    assert claims.scores is not None
    return replace(claims, scores=_off(claims.scores, side, 10))


def _wrong_piles(simulator: Simulator, made: Made) -> Round | None:
    if made.outcome.table.ended != "played":
        return None
    worth = simulator.rules.worth_points
    piles = [list(pile) for pile in simulator.piles_of(made.outcome.table)]
    movable = [(place, card) for place, pile in enumerate(piles) for card in pile if not worth or worth >> card & 1]
    if len(piles) < 2 or not movable:
        return None
    place, card = movable[int(simulator.rng.random() * len(movable))]
    piles[place].remove(card)
    piles[(place + 1) % len(piles)].append(card)
    return replace(made.round, piles=tuple(bytes(sorted(pile)) for pile in piles))


def _contradicting(simulator: Simulator, made: Made) -> Round | None:
    """Only piles are recorded, and two of them hold the same card."""
    if made.outcome.table.ended != "played":
        return None
    piles = list(simulator.piles_of(made.outcome.table))
    single = [card for card in piles[0] if simulator.cards.count(card) == 1]
    if not single:
        return None
    piles[1] = bytes(sorted(piles[1] + bytes(single[:1])))
    return Round(made.round.dealer, piles=tuple(piles))


def _wrong_sum(simulator: Simulator, made: Made) -> Round | None:
    """Only a score sheet is there, and its sum cannot be."""
    settlement = made.outcome.settlement
    sheet = simulator.rules.game.sheet
    if settlement is None or made.outcome.table.ended != "played":
        return None
    if sheet.zero_sum:
        best = settlement.scores.index(max(settlement.scores))
        return Round(made.round.dealer, claims=Claims(scores=_off(settlement.scores, best, 1)))
    if sheet.points_range is None or settlement.points is None:
        return None
    most = sheet.points_range(simulator.rules)[1]
    return Round(made.round.dealer, claims=Claims(points=_off(settlement.points, 0, int(most) - sum(settlement.points) + 5)))


CHANGES: Final[dict[str, Change]] = {
    "action-after-end": _after_end,
    "round-unfinished": _cut,
    "deal-duplicate": _redealt(_twice),
    "card-not-in-deck (dealt)": _redealt(_foreign),
    "claim-points": _claim(_wrong_points),
    "claim-yaku": _claim(_wrong_yaku),
    "claim-scores": _claim(_wrong_scores),
    "claim-piles": _wrong_piles,
    "piles-contradict": _contradicting,
    "claim-sum": _wrong_sum,
}
"""By code, and what else tells it from another of that code."""

RECORD: Final = ("wrong-dealer", "match-over", "claim-totals", "claim-winner")
"""Faults of the record as a whole."""


def kinds(rules: Rules) -> list[str]:
    """All kinds of fault that may be planted at a table; where one never finds a place there, another kind takes its turn."""
    left_out = set() if rules.calls else {"call-missing"}
    if not rules.idle:
        left_out |= {"kan-may-not-play", "draw-forbidden"}
    if not rules.joker_system:
        left_out |= {"joker-protected"}
    return [kind for kind in (*ACTS, *CHANGES, "deal-counts", *RECORD) if kind not in left_out]


def plant(simulator: Simulator) -> Record:
    """A record with one fault, of a random kind, named in its key ``x_fault``."""
    possible = [kind for kind in kinds(simulator.rules) if kind not in simulator.barren]
    while possible:
        kind = possible.pop(int(simulator.rng.random() * len(possible)))
        record = planted(simulator, kind)
        if record is not None:
            return record
        simulator.barren.add(kind)
    raise RuntimeError(f"no fault finds a place in {simulator.rules.game.id}")


def planted(simulator: Simulator, kind: str) -> Record | None:
    """A record with one fault of that kind (a member of `kinds`); None where it found no place in `TRIES` deals."""
    code = kind.split()[0]
    if kind in RECORD:
        return _record_with(simulator, code)
    at = 0 if simulator.match is not None else int(simulator.rng.random() * simulator.rounds)
    made: list[Made] = []
    standing = Standing(simulator.match, len(simulator.rules.sides))
    dealer = int(simulator.rng.random() * simulator.rules.seats)
    action: int | None = None
    while len(made) < (LONGEST if simulator.match is not None else simulator.rounds) and not standing.over:
        if len(made) == at:
            found = _round_with(simulator, dealer, kind, code)
            if found is None:
                return None
            one, action = found
        else:
            one = simulator.round(dealer, Style())
        made.append(one)
        dealer = simulator.count(standing, one)
    record = simulator.written(made, standing)
    if code in ("claim-sum", "piles-contradict"):
        record = replace(record, totals=None, winner=None)
    return marked(record, code=code, round=at + 1, action=action)


def _round_with(simulator: Simulator, dealer: int, kind: str, code: str) -> tuple[Made, int | None] | None:
    """A round with that fault and no other, and its action."""
    for _ in range(TRIES):
        action: int | None = None
        if kind in ACTS:
            find, scenario = ACTS[kind]
            style = Planted(find, simulator, _like(simulator, scenario))
            written = simulator.round(dealer, style).round
            if style.place < 0:
                continue
            action = 0 if code == "misdeal-not-declared" else style.place
        elif kind in CHANGES:
            lawful = simulator.round(dealer, Style())
            changed = CHANGES[kind](simulator, lawful)
            if changed is None:
                continue
            if changed.deal is None:  # nothing but piles or a sheet is written; the deal goes on as it would have
                return Made(changed, lawful.outcome), None
            written = changed
            if code in ("action-after-end", "deal-duplicate", "card-not-in-deck"):
                action = len(written.actions) if code == "action-after-end" else 0
        else:
            written = simulator.round(dealer, Miscounted()).round
            action = 0
        outcome = verify(simulator.rules, written)
        faults = [(fault.code, fault.action) for fault in outcome.table.faults]
        expected = [] if code.startswith("claim-") else [(code, -1 if action is None else action)]
        if faults == expected:
            return Made(_honest(simulator, written, outcome), outcome), action
    return None


def _honest(simulator: Simulator, written: Round, outcome: Outcome) -> Round:
    """The round without claims where it has no result any more."""
    return written if outcome.settlement is not None else replace(written, claims=None, piles=None)


def _like(simulator: Simulator, scenario: str) -> Style:
    """The style of the first scenario that the table has of those, divided by blanks; a plain one where it has none."""
    there = scenarios(simulator.rules)
    return next((there[name]() for name in scenario.split() if name in there), Style())


def _record_with(simulator: Simulator, code: str) -> Record | None:
    rounds = max(2, simulator.rounds)
    match = simulator.match
    if code == "match-over" and match is None:
        match = Match("rounds", simulator.rounds)
    standing = Standing(match, len(simulator.rules.sides))
    seats = simulator.rules.seats
    dealer = int(simulator.rng.random() * seats)
    made: list[Made] = []
    while not standing.over and len(made) < (LONGEST if match is not None else rounds):
        one = simulator.round(dealer, Style())
        made.append(one)
        due = simulator.count(standing, one)
        dealer = due
        if code == "wrong-dealer" and len(made) == 1:
            dealer = (due + 1 + int(simulator.rng.random() * (seats - 1))) % seats
    if code == "wrong-dealer" and len(made) < 2:
        return None
    if code == "match-over":
        if not standing.over:
            return None
        made.append(simulator.round(dealer, Style()))
    record = replace(simulator.written(made, standing), match=match)
    if code == "claim-totals":
        totals = standing.totals
        record = replace(record, totals=None if totals is None else _off(totals, 0, 10), winner=None)
    elif code == "claim-winner":
        winner = standing.winner
        record = replace(record, winner=None if winner is None else (winner + 2) % (len(simulator.rules.sides) + 1))
    at = {"wrong-dealer": 2, "match-over": len(made)}.get(code)
    return marked(record, code=code, round=at, action=None)
