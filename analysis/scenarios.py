"""Rare things on wish: for each a style that deals and chooses so that it comes about, and that says whether it did.

Deals are built, not searched for: the cards that matter lie where they are needed and the seats choose towards the end that is wanted. What
still depends on luck is tried again (`Simulator.wanted`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from analysis.simulate import Made, Play, Simulator, Style
from records import packed
from records.cards import BASA, CHU, CODES, LIGHTNING, cards_in, mask
from records.record import Deal
from records.rules.game import Rules, YakuRule
from records.table import Table

KAN_TURNS = 6
"""Windows in which Kan may play the Lightning: after each of child 2's turns (BK-7)."""


def scenarios(rules: Rules) -> dict[str, Callable[[], Style]]:
    """Name and style of every scenario that a table has; what its options rule out is missing."""
    found: dict[str, Callable[[], Style]] = {"four-on-field": FourOnField, "three-on-field": ThreeOnField}
    if rules.lucky:
        found["lucky-hand"] = LuckyHand
    if rules.idle:
        found["dandruff"] = Dandruff
    if rules.kan_lightning:
        for window in range(1, KAN_TURNS + 1):
            found[f"kan-lightning-window-{window}"] = partial(KanWindow, window)
    if rules.own_pile:
        found["phoenix-dealt"] = PhoenixDealt
    if rules.track_great:
        found["both-great"] = BothGreat
    if rules.wild_from_hand >> LIGHTNING & 1:
        found["gaji-on-three"] = GajiOnThree
        found["gaji-takes-three"] = GajiTakesThree
    if rules.wild_from_draw:
        found["wild-from-draw"] = WildFromDraw
    if rules.joker_system:
        found["joker-takes-joker"] = JokerTakesJoker
        found["both-jokers-on-field"] = BothJokersOnField
    if rules.hiki:
        found["hiki"] = Hiki
        found["announced-hiki"] = AnnouncedHiki
    if rules.rest.startswith("claim"):
        found["claim-open"] = partial(Claim, open_at_end=True)
        found["claim-ended"] = partial(Claim, open_at_end=False)
    if rules.yaku_deducted:
        found["negative-total"] = NegativeTotal
    if rules.double_lead:
        found["doubled"] = Doubled
    if rules.calls:
        found |= {"four-dealt": FourDealt, "exhausted": Exhausted, "stop-at-eighth": StopAtEighth, "four-calls": FourCalls}
    if not rules.idle and (not rules.calls or rules.options.get("exhausted") == "none"):
        found["tie"] = Tie
    for rule in rules.game.yaku:
        if rule.id not in ("hanami", "tsukimi") or rules.viewing[0]:
            found[f"yaku-{rule.id}"] = partial(OneYaku, rule)
    return found


def scenario_of(rules: Rules, name: str) -> Style:
    """The style of a scenario. Raises ValueError where the table has none of that name; it lists those that it has."""
    found = scenarios(rules)
    if name not in found:
        raise ValueError(f"{rules.game.id} with these options has no scenario {name!r}, but {', '.join(sorted(found))}")
    return found[name]()


# -- what several need


def month_of_four(simulator: Simulator, months: Iterable[int] = range(12)) -> tuple[int, list[str]]:
    """A random month that the deck holds whole, from 0, and its codes."""
    rules = simulator.rules
    whole = [month for month in months if rules.deck >> (4 * month) & 15 == 15]
    month = whole[int(simulator.rng.random() * len(whole))]
    return month, rules.codes_in(15 << (4 * month))


def shuffled(simulator: Simulator, things: Iterable[str]) -> list[str]:
    """Some things in random order."""
    return sorted(things, key=lambda thing: simulator.rng.random())


def takes(play: Play, cards: int) -> bool:
    """Whether a play takes one of these cards."""
    return play[1] & cards != 0


def worth_of(rules: Rules, play: Play) -> int:
    """Half points that a play brings to the pile."""
    half, taken, to_pile = play
    return sum(rules.values[card] for card in cards_in(taken)) + (rules.values[half[0]] if to_pile else 0)


def best(rules: Rules, plays: Sequence[Play], least: bool = False) -> int:
    """The play that brings the most half points, or the least."""
    sign = -1 if least else 1
    return max(range(len(plays)), key=lambda place: sign * worth_of(rules, plays[place]))


def first_that(plays: Sequence[Play], wanted: Callable[[Play], bool]) -> int:
    """The first play that is wanted, else the last one."""
    return next((place for place, play in enumerate(plays) if wanted(play)), len(plays) - 1)


def halves_of(made: Made) -> Iterable[bytes]:
    """The actions of a round as written, for looking into."""
    return made.round.actions


# -- deals


class FourOnField(Style):
    """A whole month lies on the field (BK-3, HN-4, HG-3, KK-1)."""

    def deal(self, simulator: Simulator, dealer: int) -> Deal:
        """The month on the field, all else at random."""
        _, codes = month_of_four(simulator)
        return simulator.arranged(dealer, field=" ".join(codes))


class ThreeOnField(Style):
    """Three of a month lie on the field, and the dealer has the fourth (CP-4)."""

    chooses = True

    def __init__(self) -> None:
        super().__init__(hiki=0, announce=0)

    def deal(self, simulator: Simulator, dealer: int) -> Deal:
        """The fourth in the dealer's hand."""
        _, codes = month_of_four(simulator)
        codes = shuffled(simulator, codes)
        return simulator.arranged(dealer, field=" ".join(codes[:3]), hands={dealer: codes[3]})

    def choose(self, table: Table, seat: int, from_hand: bool, plays: Sequence[Play]) -> int:
        """All three at once, where that is to be had."""
        return first_that(plays, lambda play: play[1].bit_count() == 3)

    def happened(self, made: Made) -> bool:
        """Three were taken at the first turn."""
        return made.round.actions[0][1:2] == bytes((3,))


class FourDealt(Style):
    """Four of a month in one hand or on the field (KK-1)."""

    def deal(self, simulator: Simulator, dealer: int) -> Deal:
        """As often on the field as in each hand."""
        _, codes = month_of_four(simulator)
        place = int(simulator.rng.random() * 3)
        cards = " ".join(codes)
        return simulator.arranged(dealer, field=cards) if place == 2 else simulator.arranged(dealer, hands={place: cards})


class LuckyHand(Style):
    """Kan's three cards are of one month, and Kan reveals them (BK-4)."""

    def __init__(self) -> None:
        super().__init__(lucky=1)

    def deal(self, simulator: Simulator, dealer: int) -> Deal:
        """Three of a month in Kan's hand."""
        _, codes = month_of_four(simulator)
        kan = (dealer - 1) % simulator.rules.seats
        return simulator.arranged(dealer, hands={kan: " ".join(shuffled(simulator, codes)[:3])})

    def happened(self, made: Made) -> bool:
        """Not where a misdeal came first."""
        return made.outcome.table.ended == "lucky"


class PhoenixDealt(Style):
    """The phoenix lies on the field at the deal (HN-3)."""

    def deal(self, simulator: Simulator, dealer: int) -> Deal:
        """It alone is put there."""
        return simulator.arranged(dealer, field=" ".join(simulator.rules.codes_in(simulator.rules.own_pile)))


class BothJokersOnField(Style):
    """Both jokers on the field at the deal: a misdeal (HG-12)."""

    def deal(self, simulator: Simulator, dealer: int) -> Deal:
        """They alone are put there."""
        return simulator.arranged(dealer, field="JB JC")


# -- single cards


class KanWindow(Style):
    """Kan plays the Lightning after a certain turn of child 2 (BK-7)."""

    def __init__(self, window: int) -> None:
        super().__init__(lucky=0)
        self.window = window

    def deal(self, simulator: Simulator, dealer: int) -> Deal:
        """The Lightning in Kan's hand."""
        return simulator.arranged(dealer, hands={(dealer - 1) % simulator.rules.seats: CODES[LIGHTNING]})

    def kan_plays(self, table: Table, chance: float) -> bool:
        """In that window alone."""
        return table.turns[table.dealer] == self.window

    def happened(self, made: Made) -> bool:
        """Not where the round was a misdeal."""
        return any(action[0] > packed.SEAT for action in halves_of(made))


class GajiOnThree(Style):
    """The dealer's Gaji takes one of three cards of another month that lie on the field (CP-6)."""

    chooses = True

    def __init__(self) -> None:
        super().__init__(hiki=0, announce=0)
        self.three = 0

    def deal(self, simulator: Simulator, dealer: int) -> Deal:
        """The fourth of that month is turned up last, if at all."""
        month, codes = month_of_four(simulator, [month for month in range(12) if month != LIGHTNING >> 2])
        codes = shuffled(simulator, codes)
        self.three = 15 << (4 * month)
        return simulator.arranged(dealer, field=" ".join(codes[:3]), hands={dealer: CODES[LIGHTNING]}, bottom=codes[3])

    def choose(self, table: Table, seat: int, from_hand: bool, plays: Sequence[Play]) -> int:
        """The Gaji on one of the three; else anything."""
        return first_that(plays, lambda play: play[0][0] == LIGHTNING and takes(play, self.three))

    def happened(self, made: Made) -> bool:
        """The first action took one of the three."""
        first = made.round.actions[0]
        return first[0] == LIGHTNING and first[1] == 1 and self.three >> first[2] & 1 == 1


class GajiTakesThree(Style):
    """The Gaji takes the three other willow cards, as any card of its month would (CP-6)."""

    chooses = True

    def __init__(self) -> None:
        super().__init__(hiki=0, announce=0)

    def deal(self, simulator: Simulator, dealer: int) -> Deal:
        """The willow on the field, the Gaji in the dealer's hand."""
        return simulator.arranged(dealer, field="11B 11A 11R", hands={dealer: CODES[LIGHTNING]})

    def choose(self, table: Table, seat: int, from_hand: bool, plays: Sequence[Play]) -> int:
        """The Gaji on its own month."""
        return first_that(plays, lambda play: play[0][0] == LIGHTNING and play[1].bit_count() == 3)

    def happened(self, made: Made) -> bool:
        """The first action took all three."""
        return made.round.actions[0][:2] == bytes((LIGHTNING, 3))


class WildFromDraw(Style):
    """A wild card that is turned up takes a card of another month (BK-6, HG-4, SK-1)."""

    chooses = True

    def deal(self, simulator: Simulator, dealer: int) -> Deal:
        """The Gaji is turned up first."""
        return simulator.arranged(dealer, top=CODES[LIGHTNING])

    def choose(self, table: Table, seat: int, from_hand: bool, plays: Sequence[Play]) -> int:
        """Wild where it can be."""
        return first_that(plays, lambda play: play[0][0] == LIGHTNING and takes(play, ~(15 << (LIGHTNING & ~3))))

    def happened(self, made: Made) -> bool:
        """It was wild."""
        return made.outcome.table.last_wild >= 0


class JokerTakesJoker(Style):
    """A joker takes the other one from the field (HG-12)."""

    chooses = True

    def deal(self, simulator: Simulator, dealer: int) -> Deal:
        """One on the field, one in the dealer's hand."""
        field, hand = shuffled(simulator, ("JB", "JC"))
        return simulator.arranged(dealer, field=field, hands={dealer: hand})

    def choose(self, table: Table, seat: int, from_hand: bool, plays: Sequence[Play]) -> int:
        """At once."""
        return first_that(plays, lambda play: takes(play, 1 << BASA | 1 << CHU))

    def happened(self, made: Made) -> bool:
        """At the first turn."""
        return made.round.actions[0][:3] in (bytes((BASA, 1, CHU)), bytes((CHU, 1, BASA)))


class Hiki(Style):
    """The dealer takes a month that hand and field hold together (HG-16)."""

    def __init__(self) -> None:
        super().__init__(hiki=1, announce=0)

    def deal(self, simulator: Simulator, dealer: int) -> Deal:
        """One to three of the month in the hand."""
        _, codes = month_of_four(simulator)
        codes = shuffled(simulator, codes)
        held = 1 + int(simulator.rng.random() * 3)
        return simulator.arranged(dealer, field=" ".join(codes[held:]), hands={dealer: " ".join(codes[:held])})

    def happened(self, made: Made) -> bool:
        """At the first turn."""
        return made.round.actions[0][0] > packed.HIKI


class AnnouncedHiki(Style):
    """An opponent announces a hiki before the dealer's Gaji can break it (HG-16)."""

    def __init__(self) -> None:
        super().__init__(announce=1)

    def deal(self, simulator: Simulator, dealer: int) -> Deal:
        """The opponent is the seat after the dealer."""
        _, codes = month_of_four(simulator, [month for month in range(12) if month != LIGHTNING >> 2])
        codes = shuffled(simulator, codes)
        held = 1 + int(simulator.rng.random() * 3)
        opponent = (dealer + 1) % simulator.rules.seats
        hands = {dealer: CODES[LIGHTNING], opponent: " ".join(codes[:held])}
        return simulator.arranged(dealer, field=" ".join(codes[held:]), hands=hands)

    def happened(self, made: Made) -> bool:
        """Before the first turn."""
        first = made.round.actions[0]
        return first[0] > packed.SEAT and first[1] > packed.HIKI


@dataclass
class Claim(Style):
    """The dealer's Gaji opens a claim that is still open at the end, or that has ended by then (SK-2)."""

    open_at_end: bool = False
    chooses = True

    def deal(self, simulator: Simulator, dealer: int) -> Deal:
        """The Gaji in the dealer's hand, some other month's card on the field."""
        return simulator.arranged(dealer, hands={dealer: CODES[LIGHTNING]})

    def choose(self, table: Table, seat: int, from_hand: bool, plays: Sequence[Play]) -> int:
        """The Gaji wild at the first turn; then anything, by a place that changes from turn to turn."""
        if from_hand and not table.action:
            return first_that(plays, lambda play: play[0][0] == LIGHTNING and takes(play, ~(15 << (LIGHTNING & ~3))))
        return sum(table.turns) % len(plays)

    def happened(self, made: Made) -> bool:
        """As wanted."""
        table = made.outcome.table
        return table.claimed and (max(table.claims) >= 0) == self.open_at_end


# -- results


class Dandruff(Style):
    """Child 1 captures next to nothing (BK-13)."""

    chooses = True

    def deal(self, simulator: Simulator, dealer: int) -> Deal:
        """Chaff in the hand of child 1."""
        chaff = shuffled(simulator, [f"{month}C" for month in range(1, 11)])
        return simulator.arranged(dealer, hands={(dealer + 1) % simulator.rules.seats: " ".join(chaff[:6])})

    def choose(self, table: Table, seat: int, from_hand: bool, plays: Sequence[Play]) -> int:
        """Child 1 the least, the others the most."""
        return best(table.rules, plays, least=seat == (table.dealer + 1) % table.rules.seats)

    def happened(self, made: Made) -> bool:
        """The round is void."""
        return made.outcome.settlement is not None and made.outcome.settlement.void


class Lopsided(Style):
    """The dealer's side takes the most it can, the others the least."""

    chooses = True

    def choose(self, table: Table, seat: int, from_hand: bool, plays: Sequence[Play]) -> int:
        """By side."""
        side_of = table.rules.side_of
        return best(table.rules, plays, least=side_of[seat] != side_of[table.dealer])


class NegativeTotal(Lopsided):
    """A side's total is below zero (HG-13)."""

    def deal(self, simulator: Simulator, dealer: int) -> Deal:
        """Two yaku within the dealer's reach, in three turns."""
        return reach(simulator, dealer, dealer, "1B 1R 2A 2R 3B 3R")

    def happened(self, made: Made) -> bool:
        """Some score is below zero."""
        settlement = made.outcome.settlement
        return settlement is not None and min(settlement.scores) < 0


class Doubled(Lopsided):
    """A total is doubled for its lead (HG-11)."""

    def deal(self, simulator: Simulator, dealer: int) -> Deal:
        """Two yaku within the dealer's reach, in three turns."""
        return reach(simulator, dealer, dealer, "1B 1R 2A 2R 3B 3R")

    def happened(self, made: Made) -> bool:
        """The best side leads by as much before it is doubled."""
        settlement, rules = made.outcome.settlement, made.outcome.table.rules
        if settlement is None or settlement.winner < 0 or made.outcome.table.ended != "played":
            return False
        ranked = sorted(settlement.scores)
        return ranked[-1] / 2 - ranked[-2] >= rules.double_lead


class Tie(Style):
    """The best sides are even: in card points where these decide (HN-8), else in scores (HG-14, KK-3)."""

    def happened(self, made: Made) -> bool:
        """No side is ahead."""
        settlement = made.outcome.settlement
        if settlement is None or made.outcome.table.ended != "played":
            return False
        counted = settlement.points if "tie" in made.outcome.table.rules.options else settlement.scores
        return counted is not None and list(counted).count(max(counted)) > 1


class Exhausted(Style):
    """Nobody stops (KK-3)."""

    def goes_on(self, table: Table, seat: int, pile: int, chance: float) -> bool:
        """Always."""
        return True

    def happened(self, made: Made) -> bool:
        """Both hands ran out."""
        return made.outcome.table.ended == "played" and made.outcome.table.stopped < 0


class StopAtEighth(Exhausted):
    """A seat's eighth turn makes a yaku: it can only stop (KK-2)."""

    def happened(self, made: Made) -> bool:
        """It stopped with its last card."""
        table = made.outcome.table
        return table.stopped >= 0 and table.turns[table.stopped] == table.rules.hand_sizes[0]


class FourCalls(Lopsided):
    """A seat that called koi-koi at least four times is paid (KK-5)."""

    def choose(self, table: Table, seat: int, from_hand: bool, plays: Sequence[Play]) -> int:
        """The dealer takes the most cards, the other the fewest."""
        sign = 1 if seat == table.dealer else -1
        return max(range(len(plays)), key=lambda place: sign * plays[place][1].bit_count())

    def goes_on(self, table: Table, seat: int, pile: int, chance: float) -> bool:
        """Until it has called often enough."""
        return seat != table.dealer or table.calls[seat] < 4

    def happened(self, made: Made) -> bool:
        """The seat that stopped had called four times."""
        table = made.outcome.table
        return table.stopped >= 0 and table.calls[table.stopped] >= 4


class BothGreat(Style):
    """Two seats make a great yaku each (HN-10)."""

    chooses = True
    wanted: dict[int, int]

    def deal(self, simulator: Simulator, dealer: int) -> Deal:
        """One within the reach of each of two seats."""
        rules = simulator.rules
        one, other = (int(seat) for seat in shuffled(simulator, map(str, range(rules.seats)))[:2])
        greats = [" ".join(rules.codes_in(cards)) for cards in rules.great_masks]
        self.wanted = dict(zip((one, other), rules.great_masks, strict=True))
        return reach(simulator, dealer, one, greats[0], (other, greats[1]))

    def choose(self, table: Table, seat: int, from_hand: bool, plays: Sequence[Play]) -> int:
        """The own great yaku's cards first, never the other's."""
        return towards(self.wanted, table, seat, plays)

    def happened(self, made: Made) -> bool:
        """Both were made, by different seats."""
        settlement, great = made.outcome.settlement, made.outcome.table.rules.game.great
        yaku = settlement.yaku if settlement is not None else None
        return yaku is not None and len({one.seat for side in yaku for one in side if one.id in great}) == len(great)


class OneYaku(Style):
    """A seat makes a certain yaku and is paid for it."""

    chooses = True

    def __init__(self, rule: YakuRule) -> None:
        super().__init__(lucky=0, hiki=0, announce=0)
        self.rule = rule
        self.seat = 0
        self.cards = 0

    def deal(self, simulator: Simulator, dealer: int) -> Deal:
        """Its cards within the reach of a seat."""
        rules = simulator.rules
        self.seat = int(simulator.rng.random() * rules.seats)
        if self.seat == (dealer - 1) % rules.seats and rules.idle:
            self.seat = dealer
        while True:
            some = shuffled(simulator, self.rule.cards.split())[: self.rule.need]
            self.cards = mask(" ".join(some))
            if self._made(rules, dealer, self.cards, 0):
                try:
                    return reach(simulator, dealer, self.seat, " ".join(some))
                except ValueError:
                    continue

    def _made(self, rules: Rules, dealer: int, pile: int, calls: int) -> bool:
        place = (self.seat - dealer) % rules.seats
        return any(yaku.id == self.rule.id for yaku in rules.game.yaku_of(rules, pile, place, calls))

    def choose(self, table: Table, seat: int, from_hand: bool, plays: Sequence[Play]) -> int:
        """Its cards first, and nobody else's."""
        return towards({self.seat: self.cards}, table, seat, plays)

    def goes_on(self, table: Table, seat: int, pile: int, chance: float) -> bool:
        """Until the yaku is there."""
        return seat != self.seat or not self._made(table.rules, table.dealer, pile, table.calls[seat])

    def happened(self, made: Made) -> bool:
        """It was paid."""
        settlement = made.outcome.settlement
        yaku = settlement.yaku if settlement is not None else None
        return yaku is not None and any(one.id == self.rule.id and not one.negated for side in yaku for one in side)


def reach(simulator: Simulator, dealer: int, seat: int, cards: str, *others: tuple[int, str]) -> Deal:
    """A deal in which a seat can capture certain cards in its first turns, and nobody else can before; so for `others` too.

    Of each month one of the wanted cards lies on the field (three if all four are wanted, so that one takes them all) and one card more is
    in the hand; what else there is of the month is turned up last, as are cards that could be wild.

    Raises ValueError where hand or field are too small.
    """
    rules = simulator.rules
    field: list[str] = []
    hands: dict[int, list[str]] = {}
    later: list[str] = []
    for one, wanted in ((seat, cards), *others):
        hand = hands.setdefault(one, [])
        for month in range(12):
            of_month = rules.codes_in(rules.deck & 15 << (4 * month))
            mine = [code for code in wanted.split() if code[:-1] == str(month + 1)]
            if not mine:
                continue
            for code in mine:
                of_month.remove(rules.codes_in(mask(code))[0])
            if len(mine) in (1, 3) and of_month:
                field += mine
                hand.append(of_month.pop())
            elif len(mine) == 1:
                hand += mine
            else:
                field += mine[1:]
                hand.append(mine[0])
            later += of_month
    placed = [*field, *later, *(code for hand in hands.values() for code in hand)]
    later += [code for code in rules.codes_in(rules.wild_from_hand | rules.wild_from_draw) if code not in placed]
    given = {one: " ".join(hand) for one, hand in hands.items()}
    return simulator.arranged(dealer, field=" ".join(field), hands=given, bottom=" ".join(later))


def towards(wanted: dict[int, int], table: Table, seat: int, plays: Sequence[Play]) -> int:
    """The play that takes a seat's wanted cards; else one that takes nobody's."""
    mine = wanted.get(seat, 0)
    others = sum(cards for one, cards in wanted.items() if one != seat)
    own_pile = table.rules.own_pile

    def good(play: Play) -> int:
        if takes(play, mine) or 1 << play[0][0] & mine & own_pile:
            return 2 + play[1].bit_count()
        return 0 if takes(play, others) or 1 << play[0][0] & mine else 1

    return max(range(len(plays)), key=lambda place: (good(plays[place]), place * 7919 % 31))
