"""Hon-bana (rules.md, 4): three seats, 45 cards, most card points and yaku paid, great yaku that negate others."""

from collections.abc import Sequence

from records.cards import FULL_DECK, PHOENIX, mask
from records.rules.common import PLAY
from records.rules.game import Choice, Game, Option, Point, Rules, SheetRules, YakuRule, whole
from records.rules.payments import collect, first_from, misdeal, pay_yaku, told
from records.rules.settlement import FROM_CARDS, Book, Ending, Entry, Number, Settlement, Yaku, winner_of
from records.rules.values import card_values, claimed_entry, give, half_points, in_points, points_entry

_SILENT = "Hanafu's reading: the text is silent"

POINTS = (
    Point("HN-1", "Three cards stay out, the chaff of the paulownia; 45 are played with.", "Hon-bana text, Setup"),
    Point(
        "HN-2",
        "Nine cards lie open on the field, each seat holds six, eighteen form the draw pile. At the table everybody "
        "has two stacks of six to choose a hand from, and the stacks not chosen make the draw pile; a record states "
        "what came of it.",
        "Hon-bana text, Setup",
    ),
    Point(
        "HN-3",
        "The Phoenix never meets the field. Played or turned up it goes to that seat's pile and was the card of the "
        "turn; dealt to the field it is the dealer's before anybody plays.",
        "Hon-bana text, Gameplay",
    ),
    Point(
        "HN-4",
        "A whole month dealt to the field is an option. By default it is the dealer's at once, like the only card of the paulownia.",
        _SILENT,
    ),
    Point("HN-5", "No card is wild. The Lightning is chaff of the willow and nothing more.", "Hon-bana text, which names no wild card"),
    Point(
        "HN-6",
        "Eighteen turns use up hands and draw pile, and lawful play leaves nothing on the field. A card that lies "
        "there all the same is counted for nobody.",
        "Hon-bana text, Scoring; for cards left over the text is silent",
    ),
    Point(
        "HN-7",
        "Crane, Curtain, Full moon and Phoenix are worth 30, Bridge, Deer and Bush warbler 20, the other animals and "
        "the Rain man 10, ribbons 5, chaff nothing: 300 in all.",
        "Hon-bana text, Card Values; the card tables of Hanafu's rules",
    ),
    Point(
        "HN-8",
        "Both others pay 2 to the seat that leads in card points, and that seat is the next dealer. Whether anybody "
        "is paid on a tie is an option; the deal then goes to the tied seat that is first in turn order, counted from "
        "the dealer and with the dealer.",
        "Hon-bana text, Scoring; for ties the text is silent",
    ),
    Point("HN-9", "Each yaku is paid by both other seats, at the worth that the list of yaku gives.", "Hon-bana text, Scoring and Yaku"),
    Point(
        "HN-10",
        "Imperial Messenger and Four Brights are great. If different seats make them, the one completed later is "
        "negated and has no effect. A great yaku that stands negates every yaku of the other seats, except the "
        "dealer's. A seat with both keeps both. The order is that of play: what the deal gives, then each turn's card "
        "from the hand before its draw. A dealer's great yaku that comes second falls too, unless an option lets it "
        "stand. What is negated is neither paid nor claimed; the points for most cards are never touched.",
        "Hon-bana text, Scoring; the dealer's second great yaku is Hanafu's reading",
    ),
    Point("HN-11", "All payments are between seats: the three scores add up to zero.", "Hon-bana text, Scoring"),
    Point(
        "HN-12",
        "Around Nagoya the months are counted Pine, Willow, Cherry, Wisteria, Iris, Paulownia, Bush clover, Susuki, "
        "Chrysanthemum, Maple, Peony, Plum. That order decides nothing in play.",
        "Hon-bana text, which speaks of another suit order; the card tables of Hanafu's rules",
    ),
)

OPTIONS = (
    Option(
        "four_on_field",
        "HN-4",
        "Four cards of one month lie on the field after the deal.",
        (
            Choice(
                "dealer_takes",
                "The dealer has captured them before the first turn.",
                "After the Hon-bana text on the Phoenix; on four cards it is silent",
            ),
            Choice("misdeal", "The cards are thrown in and the dealer deals again.", "House rule; the text is silent"),
            Choice("leave", "They lie there to the end and count for nobody.", "House rule; the text is silent"),
        ),
    ),
    Option(
        "tie",
        "HN-8",
        "Several seats have the most card points.",
        (
            Choice("none", "Nobody is paid for the most points.", _SILENT),
            Choice("earliest", "The tied seat that plays soonest, counted from the dealer on, is paid.", "House rule; the text is silent"),
        ),
        settles=True,
    ),
    Option(
        "drinks",
        "HN-9",
        "A seat has the Sake cup and two or more cards of 30 points.",
        (
            Choice("exclusive", "It has Two Drinks alone.", "Hon-bana text, Yaku, read as a list of which the better line counts"),
            Choice("stacked", "It has One Drink as well, 3 together.", "Hon-bana text, Yaku, read line by line"),
        ),
        settles=True,
    ),
    Option(
        "dealer_great",
        "HN-10",
        "The dealer completes a great yaku after another seat completed the other one.",
        (
            Choice("falls", "The dealer's is negated like anybody's.", "Hon-bana text, Scoring: the first negates the second"),
            Choice(
                "stands",
                "The dealer is paid for it; only the first negates others.",
                "Hon-bana text, Scoring: only yaku of non-dealers are negated",
            ),
        ),
        settles=True,
    ),
)

_CUP = mask("9A")
_THIRTIES = mask("1B 3B 8B 12B")

YAKU = (
    YakuRule("matsushima", "Four Pines", "松島", "matsushima", 1, "HN-9", "1B 1R 1C 1C", 4, "The whole Pine."),
    YakuRule("sakurashima", "Four Cherry Blossoms", "桜島", "sakurashima", 1, "HN-9", "3B 3R 3C 3C", 4, "The whole Cherry blossom."),
    YakuRule("umeshima", "Four Plum Blossoms", "梅島", "umeshima", 1, "HN-9", "2A 2R 2C 2C", 4, "The whole Plum blossom."),
    YakuRule("ippai", "One Drink", "一杯呑", "ippai nomi", 1, "HN-9", "9A 1B 3B 8B 12B", 2, "The Sake cup and a card of 30 points."),
    YakuRule(
        "nihai", "Two Drinks", "二杯呑", "nihai nomi", 2, "HN-9", "9A 1B 3B 8B 12B", 3, "The Sake cup and at least two cards of 30 points."
    ),
    YakuRule("omote-goroju", "Front Elder", "表御老中", "omote gorōjū", 3, "HN-9", "5A 12B 10A", 3, "Bridge, Phoenix and Deer."),
    YakuRule(
        "ura-goroju", "Back Elder", "裏御老中", "ura gorōjū", 3, "HN-9", "5R 12B 10R", 3, "Phoenix and the ribbons of Iris and Maple."
    ),
    YakuRule("omote-sanko", "Front Three Brights", "表三光", "omote sanko", 3, "HN-9", "1B 3B 2A", 3, "Crane, Curtain and Bush warbler."),
    YakuRule("ura-sanko", "Back Three Brights", "裏三光", "ura sanko", 3, "HN-9", "1R 3R 2R", 3, "The three poetry ribbons."),
    YakuRule("chokushi", "Imperial Messenger", "勅使", "chokushi", 5, "HN-9", "9R 10R 6R", 3, "The three blue ribbons."),
    YakuRule("shiko", "Four Brights", "四光", "shiko", 6, "HN-9", "1B 3B 12B 8B", 4, "Crane, Curtain, Phoenix and Full moon."),
)

_GREAT = ("chokushi", "shiko")
_MADE_OF = {mask(rule.cards): rule for rule in YAKU if not rule.cards.startswith("9A")}
"""All but the drinks."""
_DRINK = {rule.id: rule.points for rule in YAKU if rule.cards.startswith("9A")}
_SEATS = 3
_MOST = 2
"""What each other seat pays for the most card points."""


def setup(rules: Rules) -> None:
    """HN-1 to HN-7."""
    rules.deck = FULL_DECK & ~mask("12Y 12C 12C")
    rules.hand_sizes = [6, 6, 6]
    rules.field_size = 9
    rules.citations = {
        "deal": "HN-2",
        "misdeal": "HN-4",
        "own_pile": "HN-3",
        "no_wild": "HN-5",
        "end": "HN-6",
        "rest": "HN-6",
        "dealer": "HN-8",
    }
    rules.own_pile = 1 << PHOENIX
    rules.four_on_field = str(rules.options["four_on_field"])
    rules.track_great = True
    rules.great_masks = [mask(rule.cards) for id in _GREAT for rule in YAKU if rule.id == id]
    give(rules, 60, "1B 3B 8B 12B")
    give(rules, 40, "5A 10A 2A")
    give(rules, 20, "4A 7A 8A 9A 11B 11A 6A")
    give(rules, 10, "1R 2R 3R 4R 5R 6R 7R 9R 10R 11R")


def yaku_of(rules: Rules, pile: int, place: int, calls: int) -> list[Yaku]:
    """HN-9."""
    lacking = pile ^ FULL_DECK
    found = [Yaku(_MADE_OF[cards].id, _MADE_OF[cards].points, cards=cards) for cards in _MADE_OF if not cards & lacking]
    thirties = pile & _THIRTIES
    if pile & _CUP and thirties:
        drinks = thirties.bit_count()
        if drinks == 1 or rules.options["drinks"] == "stacked":
            found.append(Yaku("ippai", _DRINK["ippai"], cards=_CUP | thirties))
        if drinks > 1:
            found.append(Yaku("nihai", _DRINK["nihai"], cards=_CUP | thirties))
    return found


def settle(rules: Rules, ending: Ending, ledger: bool) -> Settlement:
    """HN-7 to HN-11.

    Raises ValueError where two seats have a great yaku each and `Ending.first_great` does not say which was first.
    """
    dealer = ending.dealer
    if ending.end == "misdeal":
        return misdeal(rules, dealer)
    scores: list[Number] = [0] * _SEATS
    book = Book(_SEATS, ledger)
    sheet = ending.sheet
    if sheet is None:
        points: list[Number] = [half_points(rules, pile) >> 1 for pile in ending.piles]
        yaku = [yaku_of(rules, pile, 0, 0) for pile in ending.piles]
    else:
        points = [in_points(halves) for halves in sheet.halves]
        yaku = sheet.yaku
    for seat in range(_SEATS):
        book.count(seat, 0, FROM_CARDS)
    lines = book.lines
    if lines is not None:
        for seat, pile in enumerate(ending.piles):
            lines.append(
                points_entry(rules, seat, 0, "HN-7", pile) if sheet is None else claimed_entry(seat, 0, "HN-7", sheet.halves[seat])
            )

    top = _top(points)
    first = first_from(dealer, _SEATS, top)
    if len(top) == 1 or rules.options["tie"] == "earliest":
        collect(scores, book, FROM_CARDS, first, _MOST, "HN-8", "most card points", {"points": points[first]})

    for seat in range(_SEATS):
        for made in yaku[seat]:
            made.seat = made.side = seat
    if sheet is None:
        _negate(rules, ending, yaku)
    for made in yaku[0] + yaku[1] + yaku[2]:
        if not made.negated:
            pay_yaku(rules, scores, book, made, range(_SEATS), "HN-9")
        elif lines is not None:
            lines.append(Entry(made.side, 0, "HN-10", f"yaku {made.id} negated", None, told(rules, made)))
    return Settlement(points, yaku, scores, winner_of(scores), first, book=book)


def _top(points: Sequence[Number]) -> list[int]:
    """The seats with the most card points (HN-8)."""
    most = max(points)
    return [seat for seat in range(_SEATS) if points[seat] == most]


def _dealer_from(rules: Rules, dealer: int, points: Sequence[Number] | None, scores: Sequence[Number] | None) -> int:
    """The next dealer as far as claimed card points tell (HN-8)."""
    return -1 if points is None else first_from(dealer, _SEATS, _top(points))


def _points_range(rules: Rules) -> tuple[float, float, float]:
    """All 300, but for months that lie on the field to the end (HN-4, HN-6)."""
    return (0 if rules.four_on_field == "leave" else 300, 300, 300)


def _negate(rules: Rules, ending: Ending, yaku: list[list[Yaku]]) -> None:
    """Marks what the great yaku negate (HN-10)."""
    great = [made for side in yaku for made in side if made.id in _GREAT]
    if not great:
        return
    standing = great[0]
    if len(great) == 2 and great[0].seat != great[1].seat:
        if ending.first_great not in _GREAT:
            raise ValueError("two seats have a great yaku each: which was completed first?")
        standing, second = great if great[0].id == ending.first_great else reversed(great)
        second.negated = second.seat != ending.dealer or rules.options["dealer_great"] == "falls"
    for seat in range(_SEATS):
        if seat != standing.seat and seat != ending.dealer:
            for made in yaku[seat]:
                made.negated = True


GAME = Game(
    id="hon-bana",
    name="Hon-bana",
    kanji="本花",
    seats=(_SEATS,),
    text="A game of three from Nagoya with a deck of 45: most card points are paid, and yaku, unless a great yaku negates them.",
    points=(*PLAY, *POINTS),
    options=OPTIONS,
    yaku=YAKU,
    card_values=card_values,
    partitions={},
    setup=setup,
    settle=settle,
    yaku_of=yaku_of,
    whole=whole(YAKU),
    great=_GREAT,
    sheet=SheetRules(
        points_rule="HN-7",
        yaku_rule="HN-9",
        negated_rule="HN-10",
        scores_rule="HN-9",
        zero_sum="HN-11",
        points_range=_points_range,
        step=5,
        next_dealer=_dealer_from,
        complete=True,
    ),
)
