"""Random games that are lawful, with right claims: for tests, for benches, for trying out a store.

What is lawful is asked of the engine: every play is one that `records.rules.capture.judge` finds nothing wrong with, positions, calls and
results are those of a `records.table.Table`. The generator of random numbers is handed in and only its ``random()`` is used: the same
seed gives the same records on any machine.

Rare things come by a `Style` that deals and chooses with a purpose: `analysis.scenarios` has one for each, `analysis.planting` one for each
fault.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Final

from analysis.match import Standing
from records import packed
from records.cards import CARDS, LIGHTNING, cards_in
from records.engine import Outcome, conclude
from records.position import full_months
from records.record import Claims, Deal, Match, OptionValue, Record, Round, replace
from records.rules.capture import judge
from records.rules.game import Rules
from records.rules.settlement import Settlement
from records.table import Table

Play = tuple[bytes, int, bool]
"""A lawful play of one card: its half of the action (`records.packed`), the field cards it takes, whether the card goes to the pile."""

NO_CARD: Final = bytes((packed.NONE,))
NO_CHOICE: Final = 64
"""In place of a card: any may be played."""
LONGEST: Final = 200
"""Rounds in a record whose match does not end by itself; a reader's default limit is 500."""


@dataclass
class Style:
    """How the seats of a round deal and choose. By itself: at random."""

    lucky: float = 0.5
    """How often Kan reveals a lucky hand (BK-4)."""
    keep: float = 0.25
    """How often a dealer leaves the four of a month that it may take (HG-3)."""
    hiki: float = 0.5
    """How often a seat takes a hiki that it has (HG-16)."""
    announce: float = 0.25
    """How often an opponent announces a hiki before a seat that holds a wild card (HG-16)."""

    chooses = False
    """Whether `choose` is asked; otherwise cards are chosen at random."""

    def deal(self, table: "Simulator", dealer: int) -> Deal:
        """The cards of a round. `dealer`: a seat from 0."""
        return table.shuffled(dealer)

    def choose(self, table: Table, seat: int, from_hand: bool, plays: Sequence[Play]) -> int:
        """Which of the lawful plays: a place in the list. Asked only where `chooses`."""
        return 0

    def goes_on(self, table: Table, seat: int, pile: int, chance: float) -> bool:
        """Whether a seat that may stop calls koi-koi (KK-2). `pile`: what it has captured now; `chance`: a random number below 1."""
        return chance < 0.5

    def kan_plays(self, table: Table, chance: float) -> bool:
        """Whether Kan plays the Lightning now that it may (BK-7)."""
        return chance < 0.25

    def interfere(self, table: Table, actions: Sequence[bytes], lawful: bytes) -> tuple[bytes, bool] | None:
        """Something else to write in place of a lawful action, and whether it is carried out (else the lawful one is, out of sight)."""
        return None

    def happened(self, made: "Made") -> bool:
        """Whether the round came out as it was meant to."""
        return True


@dataclass(slots=True)
class Made:
    """A round that was made up, and what it came to."""

    round: Round
    outcome: Outcome


def simulate(
    rules: Rules,
    rng: Random,
    *,
    rounds: int = 1,
    match: Match | None = None,
    players: Sequence[str] | None = None,
    claims: bool = True,
    piles: bool = False,
    scenario: str | None = None,
    faults: float = 0.0,
) -> Iterator[Record]:
    """Records without end, each made when it is asked for.

    A record has `rounds` rounds, or as many as its `match` takes. With `claims` it claims the points, yaku, scores, totals and the winner
    that the engine finds, with `piles` also what each seat had at the end. `scenario`: every round is one of that kind
    (`analysis.scenarios.SCENARIOS`). `faults`: this share of the records has one planted fault each, named in its key ``x_fault`` with its
    code, round and action (0 the deal, None: at no action).

    Raises ValueError for a scenario that the game or its options do not have, and for rounds, players or a share out of range.
    """
    from analysis.planting import plant
    from analysis.scenarios import scenario_of

    if not 0 <= faults <= 1:
        raise ValueError(f"a share lies between 0 and 1: {faults}")
    if rounds < 1:
        raise ValueError(f"a record has at least one round: {rounds}")
    names = tuple(players) if players is not None else tuple(f"Seat {seat + 1}" for seat in range(rules.seats))
    if len(names) != rules.seats:
        raise ValueError(f"{rules.seats} seats need as many players: {len(names)}")
    simulator = Simulator(rules, rng, names, rounds, match, claims, piles)
    style = Style() if scenario is None else scenario_of(rules, scenario)
    while True:
        if faults and rng.random() < faults:
            yield plant(simulator)
        else:
            yield simulator.record(style)


class Simulator:
    """Makes up deals, rounds and records of one table."""

    def __init__(
        self,
        rules: Rules,
        rng: Random,
        players: tuple[str, ...],
        rounds: int = 1,
        match: Match | None = None,
        claims: bool = True,
        piles: bool = False,
    ) -> None:
        self.rules = rules
        self.rng = rng
        self.players = players
        self.rounds = rounds
        self.match = match
        self.claims = claims
        self.piles = piles
        self.cards = [rules.codes[card] for card in cards_in(rules.deck)]
        """The deck, each card as its code's card."""
        self.options: dict[str, OptionValue] = {
            option.id: rules.options[option.id]
            for option in rules.game.options
            if rules.options[option.id] != option.default and option.has_object(rules.seats, rules.sides, rules.options)
        }
        """Those that a record states."""
        self.moves = Moves(rules)
        self.barren: set[str] = set()
        """Kinds of fault that found no place at this table (`analysis.planting`)."""

    # -- records

    def record(self, style: Style) -> Record:
        """A record of rounds in that style."""
        made: list[Made] = []
        standing = Standing(self.match, len(self.rules.sides))
        dealer = int(self.rng.random() * self.rules.seats)
        while len(made) < (LONGEST if self.match is not None else self.rounds) and not standing.over:
            one = self.wanted(dealer, style)
            made.append(one)
            dealer = self.count(standing, one)
        return self.written(made, standing)

    def count(self, standing: Standing, made: Made) -> int:
        """Adds a round to the standing; the seat that deals next. A round without results leaves the deal where it was."""
        settlement = made.outcome.settlement
        if settlement is None:
            standing.count(None, None, False, made.round.adjust)
            return made.round.dealer - 1
        standing.count(settlement.scores, settlement.winner, made.outcome.table.ended == "misdeal", made.round.adjust)
        return settlement.next_dealer

    def written(self, made: Sequence[Made], standing: Standing) -> Record:
        """The record of some rounds."""
        claimed = self.claims and standing.totals is not None
        winner = standing.winner
        return Record(
            variant=self.rules.game.id,
            players=self.players,
            rounds=tuple(one.round for one in made),
            options=self.options,
            sides=tuple(tuple(seat + 1 for seat in side) for side in self.rules.sides) if self.rules.teams else None,
            match=self.match,
            totals=tuple(standing.totals) if claimed and standing.totals is not None else None,
            winner=winner + 1 if claimed and winner is not None else None,
        )

    # -- rounds

    def wanted(self, dealer: int, style: Style) -> Made:
        """A round that came out as its style meant it; deals that did not are thrown away.

        Raises RuntimeError where that does not succeed in ten thousand deals.
        """
        for _ in range(10_000):
            made = self.round(dealer, style)
            if style.happened(made):
                return made
        raise RuntimeError(f"{type(style).__name__} did not come about in ten thousand deals")

    def round(self, dealer: int, style: Style) -> Made:
        """One round, played to its end. `dealer`: a seat from 0."""
        deal = style.deal(self, dealer)
        table = Table(self.rules, dealer)
        table.open(deal)
        actions = self.play(table, style)
        outcome = conclude(table, Round(dealer + 1, play=packed.play_of(actions)))
        return Made(self.told(dealer, deal, actions, outcome), outcome)

    def told(self, dealer: int, deal: Deal, actions: Sequence[bytes], outcome: Outcome) -> Round:
        """A round as written, with what is claimed of it."""
        claims = piles = None
        if outcome.settlement is not None:
            if self.claims:
                claims = claims_of(outcome.settlement)
            if self.piles and outcome.table.ended == "played":
                piles = self.piles_of(outcome.table)
        return Round(dealer + 1, deal, packed.play_of(actions), piles, claims)

    def piles_of(self, table: Table) -> tuple[bytes, ...]:
        """What each seat had at the end; with shared piles each side."""
        codes = self.rules.codes
        return tuple(bytes(sorted(codes[card] for card in cards_in(pile))) for pile in table.ending().piles)

    def shuffled(self, dealer: int) -> Deal:
        """A random deal."""
        cards = self.cards.copy()
        random = self.rng.random
        cards.sort(key=lambda card: random())
        return self.dealt(dealer, cards)

    def arranged(self, dealer: int, field: str = "", hands: Mapping[int, str] | None = None, top: str = "", bottom: str = "") -> Deal:
        """A random deal with some cards where they are wanted: lists of codes for the field, hands by seat, both ends of the draw pile.

        Raises ValueError for a card that is not in the deck so often, or where there is no room.
        """
        rest = self.cards.copy()
        codes = self.rules.codes

        def take(wanted: str) -> list[int]:
            found = [codes[CARDS[code]] for code in wanted.split()]
            for card in found:
                rest.remove(card)
            return found

        given = hands or {}
        sizes = [self.rules.field_size, *(self.rules.hand_sizes[(seat - dealer) % self.rules.seats] for seat in range(self.rules.seats))]
        fixed = [take(field), *(take(given.get(seat, "")) for seat in range(self.rules.seats))]
        first, last = take(top), take(bottom)
        random = self.rng.random
        rest.sort(key=lambda card: random())
        cards: list[int] = []
        for size, wanted in zip(sizes, fixed, strict=True):
            room = size - len(wanted)
            if room < 0:
                raise ValueError(f"no room for {len(wanted)} cards among {size}")
            cards += wanted + rest[:room]
            del rest[:room]
        return self.dealt(dealer, cards + first + rest + last)

    def dealt(self, dealer: int, cards: Sequence[int]) -> Deal:
        """The whole deck laid out in order: field, hands by seat, draw pile. Lists of which the order says nothing are sorted."""
        rules = self.rules
        at = rules.field_size
        field = bytes(sorted(cards[:at]))
        hands = []
        for seat in range(rules.seats):
            size = rules.hand_sizes[(seat - dealer) % rules.seats]
            hands.append(bytes(sorted(cards[at : at + size])))
            at += size
        return Deal(field, tuple(hands), bytes(cards[at:]))

    # -- play

    def play(self, table: Table, style: Style) -> list[bytes]:
        """Plays a table to its end; the actions."""
        rules = self.rules
        actions: list[bytes] = []
        if self._opening(table, style, actions):
            return actions
        interferes = type(style).interfere is not Style.interfere
        plainly = not (interferes or style.chooses or rules.hiki)
        kan = table.kan if rules.kan_lightning and table.hands[table.kan] >> LIGHTNING & 1 else -1
        must = -1
        while not table.ended and not table.halted:
            if plainly and must < 0 and not table.claimed:
                stretch, must = self._stretch(table, style, kan)
                table.run(packed.play_of(stretch))
                actions += stretch
            else:
                if rules.hiki:
                    must = self._announced(table, style, actions)
                action = self.turn(table, style, must)
                must = -1
                if interferes:
                    self._interfered(table, style, actions, action)
                else:
                    table.act(action)
                    actions.append(action)
            held = kan >= 0 and table.hands[kan] >> LIGHTNING & 1
            if held and table.kan_window and must < 0 and style.kan_plays(table, self.rng.random()):
                half = self._pick(table, kan, style, self.moves.of(LIGHTNING, table.field, True), True)[0]
                action = bytes((packed.SEAT + kan + 1,)) + half
                table.act(action)
                actions.append(action)
        return actions

    def _stretch(self, table: Table, style: Style, kan: int) -> tuple[list[bytes], int]:
        """Random turns in a row, as far as nothing but captures of the own month can happen and the round cannot have ended; what `turn`
        would do, only faster. With them the wild card that comes next from the hand; -1: none does.
        """
        rules, random, own = self.rules, self.rng.random, self.moves.own
        wild_from_hand, wild_from_draw = rules.wild_from_hand, rules.wild_from_draw
        worth = rules.game.worth if rules.calls else None
        hands = [[] if seat == table.kan else cards_in(hand) for seat, hand in enumerate(table.hands)]
        piles = list(table.piles)
        draw_pile = table.draw_pile
        depth = len(draw_pile)
        field = self.field(table)
        seat, following = table.next_seat, table.following
        held = sum(map(len, hands))
        actions: list[bytes] = []
        for _ in range(min(held, depth) if held and depth else held or depth):
            hand = hands[seat]
            gained = 0
            if hand:
                place = int(random() * len(hand))
                card = hand[place]
                if wild_from_hand >> card & 1:
                    return actions, card
                plays = own.get(card << 5 | (field >> (card & 60) & 15) << 1 | 1) or self.moves.of(card, field, True)
                action, taken, to_pile = plays[0] if len(plays) == 1 else plays[int(random() * len(plays))]
                after = field ^ taken
                if to_pile:
                    gained = 1 << card | taken
                else:
                    after |= 1 << card
            else:
                place, action, after = -1, NO_CARD, field
            if depth:
                card = draw_pile[depth - 1]
                if wild_from_draw >> card & 1:
                    return actions, hand[place] if hand else NO_CHOICE
                plays = own.get(card << 5 | (after >> (card & 60) & 15) << 1) or self.moves.of(card, after, False)
                half, taken, to_pile = plays[0] if len(plays) == 1 else plays[int(random() * len(plays))]
                action += half
                after ^= taken
                if to_pile:
                    gained |= 1 << card | taken
                else:
                    after |= 1 << card
                depth -= 1
            if place >= 0:
                del hand[place]
            field = after
            if worth is not None and gained:
                call = self._call(table, seat, piles[seat], gained, bool(hand), style)
                if call:
                    actions.append(action + call)
                    break
            piles[seat] |= gained
            actions.append(action)
            seat = following[seat]
            if kan >= 0 and seat == table.dealer:
                break
        return actions, -1

    def _opening(self, table: Table, style: Style, actions: list[bytes]) -> bool:
        """What comes before the first turn. True where it ends the round."""
        rules = self.rules
        if table.misdeal_due:
            actions.append(bytes((packed.MISDEAL,)))
        elif rules.lucky and len({card >> 2 for card in cards_in(table.hands[table.kan])}) == 1 and self.rng.random() < style.lucky:
            actions.append(bytes((packed.LUCKY,)))
        elif rules.keep_allowed and full_months(table.field) and self.rng.random() < style.keep:
            actions.append(bytes((packed.KEEP,)))
        if not actions:
            return False
        lawful = actions.pop()
        self._interfered(table, style, actions, lawful)
        return table.ended != ""

    def _interfered(self, table: Table, style: Style, actions: list[bytes], lawful: bytes) -> None:
        """Writes and carries out the action that the style wants, or the lawful one."""
        instead = style.interfere(table, actions, lawful)
        table.act(lawful if instead is None or not instead[1] else instead[0])
        actions.append(lawful if instead is None else instead[0])

    def turn(self, table: Table, style: Style, must: int = -1) -> bytes:
        """A lawful turn of the seat whose it is. `must`: the card that it has to play from the hand."""
        rules = self.rules
        seat = table.next_seat
        hand = table.hands[seat]
        field = self.field(table)
        gained = 0
        hiki = self._hiki(table, seat, field, style) if rules.hiki and must < 0 else 0
        if hiki:
            action = bytes((packed.HIKI + hiki,))
            field &= ~(15 << (4 * (hiki - 1)))
            hand &= ~(15 << (4 * (hiki - 1)))
        elif hand:
            plays: Sequence[Play]
            if 0 <= must < NO_CHOICE:
                plays = self.moves.of(must, field, True)
            elif style.chooses:
                plays = [play for card in cards_in(hand) for play in self.moves.of(card, field, True)]
            else:
                cards = cards_in(hand)
                plays = self.moves.of(cards[int(self.rng.random() * len(cards))], field, True)
            action, taken, to_pile = self._pick(table, seat, style, plays, True)
            bit = hand & rules.same[action[0]]
            bit &= -bit
            hand ^= bit
            if to_pile:
                field ^= taken
                gained = bit | taken
            else:
                field |= bit
        else:
            action = NO_CARD
        if table.draw_pile:
            top = table.draw_pile[-1]
            half, taken, to_pile = self._pick(table, seat, style, self.moves.of(top, field, False), False)
            action += half
            if to_pile:
                gained |= 1 << top | taken
        if rules.calls and gained:
            action += self._call(table, seat, table.piles[seat], gained, hand != 0, style)
        return action

    def _pick(self, table: Table, seat: int, style: Style, plays: Sequence[Play], from_hand: bool) -> Play:
        if len(plays) == 1:
            return plays[0]
        if style.chooses:
            return plays[style.choose(table, seat, from_hand, plays)]
        return plays[int(self.rng.random() * len(plays))]

    def _call(self, table: Table, seat: int, pile: int, gained: int, more: bool, style: Style) -> bytes:
        """The call that is due at the end of a turn that captures those cards, if one is (KK-2). `more`: the seat has cards left."""
        rules = self.rules
        worth = rules.game.worth
        assert worth is not None
        calls = table.calls[seat]
        if worth.of(rules, pile | gained, calls) <= worth.of(rules, pile, calls):
            return b""
        may_go_on = more and table.turns[seat] + 1 < rules.hand_sizes[0]
        return bytes((packed.KOI if may_go_on and style.goes_on(table, seat, pile | gained, self.rng.random()) else packed.STOP,))

    def field(self, table: Table) -> int:
        """The field as the next turn finds it: before the first one the rules move what they move of it (HN-3, HG-3)."""
        if table.action or (not full_months(table.field) and not table.field & self.rules.own_pile):
            return table.field
        codes = self.rules.codes
        scratch = Table(self.rules, table.dealer)
        scratch.open(Deal(bytes(codes[card] for card in cards_in(table.field))))
        scratch.act(bytes((packed.NONE,)))
        return scratch.field

    def _hiki(self, table: Table, seat: int, field: int, style: Style) -> int:
        """The month, from 1, of a hiki that the seat takes now; 0: none."""
        for month in hikis(table.hands[seat], field):
            if self.rng.random() < style.hiki:
                return month + 1
        return 0

    def _announced(self, table: Table, style: Style, actions: list[bytes]) -> int:
        """Lets an opponent announce a hiki before a seat that holds a wild card: that card, which has to be played now; -1: nobody did."""
        rules = self.rules
        seat = table.next_seat
        field = self.field(table)
        wild = cards_in(table.hands[seat] & rules.wild_from_hand)
        if not wild:
            return -1
        for other in range(rules.seats):
            months = hikis(table.hands[other], field) if rules.side_of[other] != rules.side_of[seat] else []
            if months and self.rng.random() < style.announce:
                action = bytes((packed.SEAT + other + 1, packed.HIKI + months[0] + 1))
                table.act(action)
                actions.append(action)
                return wild[0]
        return -1


class Moves:
    """The lawful plays of a card, as the engine judges them; those among its own month are kept."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.own: dict[int, tuple[Play, ...]] = {}
        """By card, cards of its month on the field, and whether it comes from the hand: the plays among its own month."""

    def of(self, card: int, field: int, from_hand: bool) -> tuple[Play, ...]:
        """All lawful plays of a card on a field. There is always one."""
        key = card << 5 | (field >> (card & 60) & 15) << 1 | from_hand
        code = self.rules.codes[card]
        own = self.own.get(key)
        if own is None:
            month = field & 15 << (card & 60)
            taken = {bytes(sorted(self.rules.codes[one] for one in some)) for n in range(5) for some in combinations(cards_in(month), n)}
            own = self.own[key] = self._lawful(code, sorted(taken), month, from_hand)
        if 1 << card & (self.rules.wild_from_hand if from_hand else self.rules.wild_from_draw):
            others = sorted({self.rules.codes[one] for one in cards_in(field & ~(15 << (card & 60)))})
            return own + self._lawful(code, [bytes((one,)) for one in others], field, from_hand)
        return own

    def _lawful(self, card: int, captures: Sequence[bytes], field: int, from_hand: bool) -> tuple[Play, ...]:
        found = []
        for taken in captures:
            half = bytes((card, len(taken))) + taken
            answer = judge(self.rules, from_hand, half, field)
            if not answer.code:
                found.append((half, answer.taken, answer.to_pile))
        return tuple(found)


def hikis(hand: int, field: int) -> list[int]:
    """The months, from 0, that a seat may take as a hiki (HG-16)."""
    return [month for month in full_months(hand | field) if hand >> (4 * month) & 15]


def claims_of(settlement: Settlement) -> Claims:
    """What players who count well claim of a round; what a round does not count is not claimed."""
    yaku = settlement.yaku
    return Claims(
        points=tuple(settlement.points) if settlement.points is not None else None,
        yaku=None if yaku is None else tuple([tuple(sorted([one.id for one in side if not one.negated])) for side in yaku]),
        scores=tuple(settlement.scores),
    )


def marked(record: Record, **fault: object) -> Record:
    """The record with its planted fault named in ``x_fault``."""
    return replace(record, extra={"": {"x_fault": fault}})
