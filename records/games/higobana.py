"""Higobana (rules.md, 5): two to seven seats or teams, yaku of 50, doubles, jokers. Sakura builds on it."""

from collections.abc import Sequence
from typing import Final

from mypy_extensions import i64

from records.cards import BASA, CHU, FULL_DECK, JOKERS, LIGHTNING, mask
from records.rules.common import PLAY, WILD
from records.rules.game import Choice, Game, Option, Point, Rules, SheetRules, Sides, YakuRule, whole
from records.rules.payments import first_from, misdeal, told
from records.rules.settlement import (
    FROM_OTHER,
    FROM_YAKU,
    PAID_YAKU,
    Book,
    Ending,
    Entry,
    Number,
    Settlement,
    Yaku,
    two_highest,
    winner_of,
)
from records.rules.values import card_values, claimed_entry, give, half_points, in_points, points_entry

_TEXT = "Higo Bana text (Portuguese)"
_WIDER = "Wider literature on Hawaiian play; the two texts are silent"

POINTS = (
    Point(
        "HG-1",
        "Seats, cards in a hand, cards on the field: 2, 8, 8 · 3, 7, 6 · 4, 5, 8 · 5, 4, 8 · 6, 3, 12 · 7, 3, 6. The "
        "others are the draw pile. Two seats may agree on ten cards each.",
        f"{_TEXT}, Distribuição; Sakura text, Dealing the cards",
    ),
    Point(
        "HG-2",
        "Everybody plays alone, or four sit as two pairs of opposite seats, six as three such pairs or as two trios "
        "of every other seat. A side's points and yaku are those of its members together. By default the cards of one "
        "member must make a yaku; by option the partners gather one pile.",
        f"{_TEXT}, Adaptando para de 3 a 7 jogadores",
    ),
    Point(
        "HG-3",
        "A whole month dealt to the field may be captured by the dealer before anybody plays. A record that does not "
        "say otherwise is read so; `keep` as its first action leaves the cards. Options make it a misdeal or leave "
        "them always.",
        f"{_TEXT}, Distribuição",
    ),
    Point(
        "HG-4",
        "The Gaji (Lightning) played from a hand may be wild. Whether it may be when turned up is an option, for the jokers as well.",
        f"{_TEXT}, Gaji",
    ),
    Point(
        "HG-5",
        "Captured cards without points are put away at the table; a record counts them with the seat that captured them.",
        f"{_TEXT}, Virar a carta",
    ),
    Point(
        "HG-6",
        "Play goes on until no hand and no draw pile is left. Seats without cards then only turn cards up.",
        f"{_TEXT}, before Gaji",
    ),
    Point(
        "HG-7",
        "A wild capture makes its player the owner of what remains of the captured card's month; with the Gaji, of "
        "the willow as well. A later owner replaces an earlier one, partner or not. Cards on the field at the end go "
        "to their month's owner, and nobody counts those of a month without one. A Gaji used as a willow card makes "
        "no owner; what was never turned up is nobody's. What is done with the rest is the rule on which tables "
        "differ most: see the option.",
        f"{_TEXT}, Gaji",
    ),
    Point(
        "HG-8",
        "Crane, Curtain, Full moon and Phoenix are worth 20; the ten ribbons and the yellow chaff 10; the nine "
        "animals and the Rain man 5; everything else nothing. Together 240.",
        "Sakura text, Scoring Cards; the card tables of Hanafu's rules",
    ),
    Point(
        "HG-9",
        "Eight yaku of three cards, worth 50 each. They do not exclude each other, and one card may serve in several.",
        "Sakura text, Scoring Yaku",
    ),
    Point(
        "HG-10",
        "Two seats alone, or two pairs of four: every yaku takes 50 from the opposing side's total. At other tables "
        "it gives 50 to the side that has it. Options choose one of the two for every table.",
        f"{_TEXT}, Yaku and Adaptando",
    ),
    Point(
        "HG-11",
        "A total that is 100 or more above that of the best other side counts double.",
        f"{_TEXT}, Yaku; for more than two sides Hanafu's reading",
    ),
    Point(
        "HG-12",
        "Two jokers, Basa and Chu, may be added. From the hand they are wild. They are a month of two: only the one "
        "captures the other from the field, and it has to unless it is played wild on another card. Neither makes "
        "anybody an owner of jokers. With both on the field the deal is void. A side has the joker that is in its "
        "pile at the end. System 1: Basa doubles, Chu doubles with a lead of 50. System 2: Chu doubles, Basa triples. "
        "All factors multiply, and leads are measured before any of them.",
        f"{_TEXT}, Curingas",
    ),
    Point("HG-13", "A total below zero is multiplied as well, unless an option spares it.", "Hanafu's reading: the texts are silent"),
    Point(
        "HG-14",
        "The highest final total wins the round, and its player deals next: in a team the member who is first in turn "
        "order from the dealer, dealer included. With equal totals nobody wins, and of all tied seats the first in "
        "that order deals.",
        f"{_TEXT}, before Gaji; for teams and ties the text is silent",
    ),
    Point(
        "HG-15",
        "A match is one round, or the best of an odd number such as seven: whoever first wins more than half of them. "
        "Ties win nothing and there may be any number of rounds. Many tables add up totals over rounds instead.",
        f"{_TEXT}, Fim de Jogo",
    ),
    Point(
        "HG-16",
        "By option, whoever sees a whole month divided between the own hand and the field may take all four at once "
        "in place of a card played, and turns one up as always (hiki). An opponent's wild card may still take one of "
        "the four from the field, unless the hiki is announced just before. That costs no turn, turns nothing up and "
        "leaves the order of play alone.",
        _WIDER,
    ),
)

YAKU = (
    YakuRule("1", "Yaku 1", "", "", 50, "HG-9", "1B 3B 2A", 3, "Crane, Curtain and Bush warbler."),
    YakuRule("2", "Yaku 2", "", "", 50, "HG-9", "8B 3B 9A", 3, "Full moon, Curtain and Sake cup."),
    YakuRule("3", "Yaku 3", "", "", 50, "HG-9", "6A 10A 9A", 3, "Butterflies, Deer and Sake cup."),
    YakuRule("4", "Yaku 4", "", "", 50, "HG-9", "7A 10A 8A", 3, "Boar, Deer and Geese."),
    YakuRule("5", "Yaku 5", "", "", 50, "HG-9", "7A 4A 5A", 3, "Boar, Cuckoo and Bridge."),
    YakuRule("poetry", "Three Poetry Ribbons", "", "", 50, "HG-9", "1R 2R 3R", 3, "The ribbons of Pine, Plum blossom and Cherry blossom."),
    YakuRule(
        "red", "Three Red Ribbons", "", "", 50, "HG-9", "4R 5R 7R", 3, "The ribbons of Wisteria, Iris and Bush clover, not the Willow's."
    ),
    YakuRule("blue", "Three Blue Ribbons", "", "", 50, "HG-9", "6R 9R 10R", 3, "The ribbons of Peony, Chrysanthemum and Maple."),
)

PARTITIONS: dict[int, tuple[Sides, ...]] = {
    4: (((0, 2), (1, 3)),),
    6: (((0, 3), (1, 4), (2, 5)), ((0, 2, 4), (1, 3, 5))),
}

HAND_TWO = Option(
    "hand_two",
    "HG-1",
    "Cards in each hand where two play.",
    (
        Choice(8, "Eight each.", f"{_TEXT}, Distribuição"),
        Choice(10, "Ten each; the draw pile has four cards less.", "House rule; the texts deal eight"),
    ),
    has_object=lambda seats, sides, options: seats == 2,
)
TEAM_PILE = Option(
    "team_pile",
    "HG-2",
    "Whose cards make a yaku in team play.",
    (
        Choice("own", "Those of one member; the side then has it.", f"{_TEXT}, Yaku: the player who made it"),
        Choice("shared", "Those of all members: partners gather one pile.", "House rule, and what most tables play"),
    ),
    has_object=lambda seats, sides, options: any(len(side) > 1 for side in sides),
)
FOUR_ON_FIELD = Option(
    "four_on_field",
    "HG-3",
    "Four cards of one month lie on the field after the deal.",
    (
        Choice(
            "dealer_takes",
            "The dealer may take them, and is taken to have done so unless the record says `keep`.",
            f"{_TEXT}, Distribuição",
        ),
        Choice("misdeal", "The cards are thrown in and the dealer deals again.", "House rule; the text lets the dealer take them"),
        Choice("leave", "They stay on the field.", "House rule; the text lets the dealer take them"),
    ),
)
HIKI = Option(
    "hiki",
    "HG-16",
    "A player who holds and sees a whole month may capture it at once.",
    (
        Choice(False, "There is no hiki.", f"{_TEXT} and Sakura text, which have none"),
        Choice(True, "There is.", _WIDER),
    ),
)

GAJI_REST = {
    "leftovers": Choice(
        "leftovers",
        "The captured card's month, and the willow after a Gaji, have an owner: what is left of them on the field at "
        "the end is the owner's.",
        f"{_TEXT}, Gaji",
    ),
    "claim": Choice(
        "claim",
        "The next card of the captured card's month that is worth points goes to the claimant, at the latest from the "
        "field at the end (SK-2).",
        "Sakura text, Game play; a claim open at the end is Hanafu's reading",
    ),
    "claim_strict": Choice(
        "claim_strict", "As a claim, but one still open at the end takes nothing.", "Sakura text, Game play, to the letter"
    ),
    "mate": Choice("mate", "Only the captured card's month has an owner, the willow has none.", _WIDER),
    "all": Choice("all", "Everything on the field at the end is for whoever made the last wild capture.", _WIDER),
    "none": Choice("none", "What is left counts for nobody.", _WIDER),
}
PLAY_OUT = {
    True: Choice(True, "When nobody holds a card any more and the draw pile is used up.", f"{_TEXT}, before Gaji"),
    False: Choice(False, "After the turn that leaves either no hand or no draw pile (SK-3).", "Sakura text, Game play"),
}
YAKU_SCORING = {
    "by_table": Choice(
        "by_table", "Deducted between two seats and between two pairs of four, added elsewhere.", f"{_TEXT}, Yaku and Adaptando"
    ),
    "deduct": Choice("deduct", "It takes 50 off the total of every opposing side.", "Sakura text, Scoring Overview"),
    "add": Choice("add", "It adds 50 to its own side's total.", f"{_TEXT}, Adaptando, for all tables"),
}
WILD_FROM_DRAW = {
    False: Choice(False, "A wild card has to come from a hand.", f"{_TEXT}, Gaji: the player who holds it"),
    True: Choice(True, "It may be used so from the draw pile too.", "Sakura text, Game play: when playing the Lightning"),
}


OPTIONS = (
    HAND_TWO,
    TEAM_PILE,
    FOUR_ON_FIELD,
    Option(
        "wild_from_draw",
        "HG-4",
        "The Gaji and the jokers may be wild when they come from the draw pile.",
        (WILD_FROM_DRAW[False], WILD_FROM_DRAW[True]),
    ),
    Option("gaji_rest", "HG-7", "What a wild capture means for the other cards of a month.", tuple(GAJI_REST.values())),
    Option("play_out", "HG-6", "When the round ends.", (PLAY_OUT[True], PLAY_OUT[False])),
    Option("yaku_scoring", "HG-10", "What a yaku does to the totals.", tuple(YAKU_SCORING.values()), settles=True),
    Option(
        "jokers",
        "HG-12",
        "Two jokers are added to the deck.",
        (
            Choice("none", "No; 48 cards are played with.", f"{_TEXT}: some players add them"),
            Choice("system_1", "Basa doubles a total; Chu doubles one that leads by 50.", f"{_TEXT}, Curingas, 1"),
            Choice("system_2", "Chu doubles a total, Basa triples it.", f"{_TEXT}, Curingas, 2"),
        ),
    ),
    Option(
        "joker_rest",
        "HG-12",
        "A joker is left on the field at the end.",
        (
            Choice(
                "none",
                "It is nobody's, save with the rest under `gaji_rest` = `all`.",
                f"{_TEXT}, Curingas, which gives only unpaired cards of a month",
            ),
            Choice("player", "It is for whoever made the last wild capture with the other one.", "House rule; the text is silent"),
        ),
        has_object=lambda seats, sides, options: options["jokers"] != "none",
    ),
    Option(
        "chu_lead",
        "HG-12",
        "What Chu does in system 1.",
        (
            Choice("extra", "It is a doubling of its own, for a lead of 50.", f"{_TEXT}, Curingas, 1: doublings are cumulative"),
            Choice(
                "instead",
                "It lowers the lead that doubles from 100 to 50 and doubles nothing more.",
                f"{_TEXT}, Curingas, 1: 50 instead of 100",
            ),
        ),
        has_object=lambda seats, sides, options: options["jokers"] == "system_1",
        settles=True,
    ),
    Option(
        "multiply_negative",
        "HG-13",
        "A total below zero is to be multiplied.",
        (
            Choice(True, "It is multiplied like any other.", "Hanafu's reading: the text is silent"),
            Choice(False, "It stays as it is.", "House rule; the text is silent"),
        ),
        settles=True,
    ),
    HIKI,
)

_MADE_OF: Final[tuple[tuple[YakuRule, i64], ...]] = tuple([(rule, mask(rule.cards)) for rule in YAKU])
_ALL: Final = FULL_DECK | JOKERS
_HANDS = {2: (8, 8), 3: (7, 6), 4: (5, 8), 5: (4, 8), 6: (3, 12), 7: (3, 6)}
"""Cards in a hand and on the field by seats."""


def deal(rules: Rules) -> None:
    """What higobana and sakura have in common: HG-1 to HG-3, HG-8 to HG-10, HG-16."""
    options = rules.options
    hand, rules.field_size = _HANDS[rules.seats]
    rules.hand_sizes = [int(options["hand_two"]) if rules.seats == 2 else hand] * rules.seats
    rules.shared_piles = rules.teams and options["team_pile"] == "shared"
    rules.four_on_field = str(options["four_on_field"])
    rules.keep_allowed = rules.four_on_field == "dealer_takes"
    rules.hiki = bool(options["hiki"])
    rules.ends = "all" if options["play_out"] else "either"
    rules.rest = str(options["gaji_rest"])
    rules.citations = {
        "deal": "HG-1",
        "misdeal": "HG-3",
        "wild": "HG-4",
        "end": "HG-6" if options["play_out"] else "SK-3",
        "rest": "SK-2" if rules.rest.startswith("claim") else "HG-7",
        "yaku": "HG-10",
        "dealer": "HG-14",
    }
    rules.wild_from_hand = 1 << LIGHTNING
    scoring = options["yaku_scoring"]
    by_table = rules.seats == 2 or (rules.seats == 4 and rules.teams)
    rules.yaku_deducted = scoring == "deduct" or (scoring == "by_table" and by_table)
    give(rules, 40, "1B 3B 8B 12B")
    give(rules, 20, "1R 2R 3R 4R 5R 6R 7R 9R 10R 11R 12Y")
    give(rules, 10, "2A 4A 5A 6A 7A 8A 9A 10A 11A 11B")


def setup(rules: Rules) -> None:
    """HG-1 to HG-16."""
    deal(rules)
    options = rules.options
    if options["jokers"] != "none":
        rules.deck = FULL_DECK | JOKERS
        rules.wild_from_hand |= JOKERS
        rules.joker_rest = options["joker_rest"] == "player"
        rules.joker_system = 1 if options["jokers"] == "system_1" else 2
    if options["wild_from_draw"]:
        rules.wild_from_draw = rules.wild_from_hand
    rules.double_lead = 100
    rules.chu_instead = rules.joker_system == 1 and options["chu_lead"] == "instead"
    rules.multiply_negative = bool(options["multiply_negative"])


def yaku_of(rules: Rules, pile: int, place: int, calls: int) -> list[Yaku]:
    """HG-9."""
    lacking: i64 = pile ^ _ALL
    found: list[Yaku] = []
    for rule, cards in _MADE_OF:
        if not cards & lacking:
            found.append(Yaku(rule.id, rule.points, cards=cards))
    return found


def settle(rules: Rules, ending: Ending, ledger: bool) -> Settlement:
    """HG-8 to HG-14 by the properties of the rules; SK-4 and SK-5 where they say so."""
    if ending.end == "misdeal":
        return misdeal(rules, ending.dealer)
    own = rules.teams and not rules.shared_piles
    captured = _by_side(rules, ending.piles) if own else ending.piles
    book = Book(len(rules.sides), ledger)
    lines = book.lines
    sheet = ending.sheet
    if sheet is None:
        points: list[Number] = [half_points(rules, cards) >> 1 for cards in captured]
        yaku: list[list[Yaku]] = [[] for _ in captured]
        for index, pile in enumerate(ending.piles):
            for made in yaku_of(rules, pile, 0, 0):
                made.side = rules.side_of[index] if own else index
                made.seat = -1 if rules.shared_piles else index
                yaku[made.side].append(made)
        if lines is not None:
            lines += [points_entry(rules, side, points[side], "HG-8", cards) for side, cards in enumerate(captured)]
    else:
        points = [in_points(halves) for halves in sheet.halves]
        yaku = sheet.yaku
        if lines is not None:
            lines += [claimed_entry(side, points[side], "HG-8", halves) for side, halves in enumerate(sheet.halves)]
    book.count_cards(points)
    totals = points.copy()
    for made_by_side in yaku:
        for made in made_by_side:
            _count_yaku(rules, totals, made, book)
    scores = _multiply(rules, totals, captured, book) if rules.double_lead else totals
    winner = winner_of(scores)
    next_dealer = dealer_from(rules, ending.dealer, points, scores) if rules.teams or winner < 0 else winner
    return Settlement(points, yaku, scores, winner, next_dealer, book=book)


def _by_side(rules: Rules, piles: list[int]) -> list[int]:
    """What the members of each side captured together."""
    captured = [0] * len(rules.sides)
    for seat, pile in enumerate(piles):
        captured[rules.side_of[seat]] |= pile
    return captured


def dealer_from(rules: Rules, dealer: int, points: Sequence[Number] | None, scores: Sequence[Number] | None) -> int:
    """The next dealer: of the seats of the winning side, or of all tied ones, the first in turn order (HG-14, SK-5). -1: no scores."""
    if scores is None:
        return -1
    best = max(scores)
    return first_from(dealer, rules.seats, [seat for seat, side in enumerate(rules.side_of) if scores[side] == best])


def points_range(rules: Rules) -> tuple[float, float, float]:
    """At most 240: what is nobody's in the end is not counted (HG-7, HG-8)."""
    return (0, 240, 240)


def _count_yaku(rules: Rules, totals: list[Number], made: Yaku, book: Book) -> None:
    """One yaku in the totals (HG-10, SK-4)."""
    for side in range(len(totals)):
        if (side == made.side) == rules.yaku_deducted:
            continue
        amount = -made.points if rules.yaku_deducted else made.points
        totals[side] += amount
        book.count(side, amount, PAID_YAKU if rules.yaku_deducted else FROM_YAKU)
        if book.lines is not None:
            why = f"yaku {made.id} of side {made.side + 1}" if rules.yaku_deducted else f"yaku {made.id}"
            book.lines.append(Entry(side, amount, rules.cite("yaku", "HG-10"), why, None, told(rules, made)))


def _multiply(rules: Rules, totals: list[Number], captured: list[int], book: Book) -> list[Number]:
    """The totals with all doublings; leads are those before any (HG-11 to HG-13)."""
    best, second = two_highest(totals)
    if not rules.joker_system and best - second < rules.double_lead:
        return totals
    scores = totals.copy()
    for side, total in enumerate(totals):
        lead = total - (second if total == best else best)
        chu = captured[side] >> CHU & 1
        needed = 50 if chu and rules.chu_instead else rules.double_lead
        if total < 0 and not rules.multiply_negative:
            continue
        if lead >= needed:
            cited = "HG-11" if needed == rules.double_lead else "HG-12"
            _times(2, scores, side, book, cited, f"doubled for a lead of {needed}", {"lead": lead, "needed": needed})
        if rules.joker_system:
            if chu and not rules.chu_instead and (rules.joker_system == 2 or lead >= 50):
                _times(2, scores, side, book, "HG-12", "doubled by Chu", {"cards": ["JC"], "lead": lead})
            if captured[side] >> BASA & 1:
                if rules.joker_system == 1:
                    _times(2, scores, side, book, "HG-12", "doubled by Basa", {"cards": ["JB"]})
                else:
                    _times(3, scores, side, book, "HG-12", "tripled by Basa", {"cards": ["JB"]})
    return scores


def _times(factor: int, scores: list[Number], side: int, book: Book, rule: str, why: str, args: dict[str, object]) -> None:
    """One side's total times a factor."""
    more = scores[side] * (factor - 1)
    scores[side] += more
    book.count(side, more, FROM_OTHER)
    if book.lines is not None:
        book.lines.append(Entry(side, more, rule, why, None, args | {"factor": factor}))


GAME = Game(
    id="higobana",
    name="Higobana",
    kanji="肥後花",
    seats=(2, 3, 4, 5, 6, 7),
    text=(
        "The game of Hawaii by the Portuguese text, for two to seven or for teams: captured cards, eight "
        "yaku of 50, doubled totals, jokers."
    ),
    points=(*PLAY, *WILD, *POINTS),
    options=OPTIONS,
    yaku=YAKU,
    card_values=card_values,
    partitions=PARTITIONS,
    setup=setup,
    settle=settle,
    yaku_of=yaku_of,
    whole=whole(YAKU),
    sheet=SheetRules(
        points_rule="HG-8",
        yaku_rule="HG-9",
        scores_rule="HG-10",
        points_range=points_range,
        step=5,
        next_dealer=dealer_from,
        chaff_aside=True,
    ),
)
