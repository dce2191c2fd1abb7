"""Bakabana (rules.md, 3): four seats, of which the last watches, gathers what is left, and may play one card."""

from collections.abc import Sequence
from math import ceil

from records.cards import CODES, LIGHTNING, mask
from records.rules.common import PLAY, WILD
from records.rules.game import Choice, Game, Option, Point, Rules, SheetRules, YakuRule
from records.rules.payments import collect, misdeal, pay, pay_yaku
from records.rules.settlement import FROM_CARDS, FROM_OTHER, Book, Ending, Entry, Number, Settlement, Yaku, winner_of
from records.rules.values import card_values, claimed_entry, give, half_points, in_points, points_entry

_SILENT = "Hanafu's reading: the text is silent"

POINTS = (
    Point(
        "BK-1",
        "Four people play. The dealer comes first, then child 1 and child 2; the seat before the dealer is Kan, who mostly watches.",
        "Bakabana text, The Deal",
    ),
    Point(
        "BK-2",
        "Nine cards lie open on the field. Dealer and children hold six cards each, Kan three; eighteen form the draw pile.",
        "Bakabana text, The Deal",
    ),
    Point(
        "BK-3",
        "What happens when a whole month is dealt to the field is an option. By default the four stay there: only a "
        "Lightning played wild can take one of them, and Kan gathers what remains.",
        _SILENT,
    ),
    Point(
        "BK-4",
        "Three dealt cards of one month are Kan's lucky hand. Kan may show them before anybody plays: each other seat "
        "then pays 20, the round is over without any other scoring, and the dealer deals once more.",
        "Bakabana text, Lucky Hands",
    ),
    Point(
        "BK-5",
        "Dealer, child 1 and child 2 take six turns each, in that order. Kan takes none, apart from a Lightning.",
        "Bakabana text, Gameplay",
    ),
    Point(
        "BK-6",
        "A Lightning that the dealer or a child plays from the hand may be wild. On the field it is a plain willow "
        "card, and so it is when it comes from the draw pile, unless an option says otherwise.",
        "Bakabana text, Wild Card",
    ),
    Point(
        "BK-7",
        "With the Lightning in hand, Kan may play it once, directly after one of child 2's turns, wild or plain. Kan "
        "turns up no card for it and never plays any other card.",
        "Bakabana text, Kan's Lightning",
    ),
    Point(
        "BK-8",
        "Once dealer and children have played all their cards the draw pile is used up as well. Kan still has the "
        "chance after child 2's last turn; then the round is over.",
        "Bakabana text, End of Round",
    ),
    Point("BK-9", "Kan gathers every card still on the field and every card still in Kan's hand.", "Bakabana text, End of Round"),
    Point(
        "BK-10",
        "Crane and Full moon are worth 3 each, Curtain and Phoenix 2, a ribbon 1, an animal or the Rain man a half. "
        "Chaff is worth nothing, or a half in the paulownia by option. That makes 25 in all, or 26.5.",
        "Bakabana text, Card Values; the card tables of Hanafu's rules",
    ),
    Point(
        "BK-11",
        "A Lightning that took a card of another month is worth what that card is worth. Otherwise it is worth nothing, wherever it ends.",
        "Bakabana text, Card Values",
    ),
    Point(
        "BK-12",
        "A seat's card points are added up first; a half that is left in the sum then counts as one.",
        "Bakabana text, End of Round",
    ),
    Point(
        "BK-13",
        "A dealer or child with no more than 2 card points, or Kan with none, has dandruff (fuke): the round is void, "
        "nothing else is paid, and that seat gets 10 from each other one. Two such seats owe each other nothing. The "
        "dealer deals once more.",
        "Bakabana text, Dandruff; for two such seats the text is silent",
    ),
    Point(
        "BK-14",
        "Dealer and children settle card points two by two: who has fewer pays the difference. Kan is not compared; "
        "each of the three pays Kan's points to Kan.",
        "Bakabana text, End of Round",
    ),
    Point(
        "BK-15",
        "Every yaku earns 10 from each other seat, Kan included on both sides. Dealer and children need its three "
        "cards. Kan needs two of them, and has it twice with all three.",
        "Bakabana text, Yaku",
    ),
    Point("BK-16", "What some seats win the others lose: the four scores add up to zero.", "Bakabana text, End of Round"),
    Point(
        "BK-17",
        "The deal passes to the next seat in turn order. After a lucky hand, a void round or a misdeal the dealer keeps it.",
        "Bakabana text, Setup, Lucky Hands and Dandruff",
    ),
)

OPTIONS = (
    Option(
        "four_on_field",
        "BK-3",
        "Four cards of one month lie on the field after the deal.",
        (
            Choice("leave", "They stay on the field like any other cards; what nobody takes falls to Kan.", _SILENT),
            Choice("misdeal", "The cards are thrown in and the dealer deals again.", "House rule; the text is silent"),
            Choice(
                "dealer_takes",
                "The dealer has captured them before the first turn.",
                "After the Portuguese Higo Bana text; the Bakabana text is silent",
            ),
        ),
    ),
    Option(
        "wild_from_draw",
        "BK-6",
        "The Lightning may be wild when it comes from the draw pile.",
        (
            Choice(False, "Only a Lightning played from a hand may be wild.", "Bakabana text, Wild Card"),
            Choice(
                True,
                "A Lightning turned up may take a card of another month too.",
                "After the Sakura text; the Bakabana text speaks of a hand only",
            ),
        ),
    ),
    Option(
        "paulownia_chaff",
        "BK-10",
        "Worth of each of the three paulownia chaff.",
        (
            Choice(0, "Nothing, like all chaff.", "Bakabana text, Card Values"),
            Choice(0.5, "Half a point each; the deck is then worth 26.5.", "A later revision of the Bakabana text"),
        ),
        settles=True,
    ),
)

YAKU = (
    YakuRule("oyaku", "Great Yaku", "大役", "ōyaku", 10, "BK-15", "1B 3B 8B", 3, "Crane, Curtain and Full moon."),
    YakuRule("kozanko", "Small Three", "小三個", "kozanko", 10, "BK-15", "1R 2R 3R", 3, "The three poetry ribbons."),
    YakuRule("aotan", "Blue Ribbons", "青短冊", "aotan", 10, "BK-15", "6R 9R 10R", 3, "The three blue ribbons."),
    YakuRule(
        "akatan", "Red Ribbons", "赤短冊", "akatan", 10, "BK-15", "4R 5R 7R", 3, "The plain ribbons of Wisteria, Iris and Bush clover."
    ),
)

_MADE_OF = tuple((rule.id, rule.points, mask(rule.cards)) for rule in YAKU)
_SEATS = 4
_KAN = 3
"""Kan's place from the dealer."""


def setup(rules: Rules) -> None:
    """BK-2, BK-3, BK-5 to BK-11."""
    lightning = 1 << LIGHTNING
    rules.merge_yellow = True
    rules.hand_sizes = [6, 6, 6, 3]
    rules.field_size = 9
    rules.ends = "hands"
    rules.idle = 1
    rules.kan_lightning = True
    rules.lucky = True
    rules.rest = "kan"
    rules.citations = {"deal": "BK-2", "misdeal": "BK-3", "wild": "BK-6", "end": "BK-8", "rest": "BK-9", "dealer": "BK-17"}
    rules.wild_from_hand = lightning
    rules.wild_from_draw = lightning if rules.options["wild_from_draw"] else 0
    rules.four_on_field = str(rules.options["four_on_field"])
    give(rules, 6, "1B 8B")
    give(rules, 4, "3B 12B")
    give(rules, 2, "1R 2R 3R 4R 5R 6R 7R 9R 10R 11R")
    give(rules, 1, "2A 4A 5A 6A 7A 8A 9A 10A 11A 11B")
    give(rules, int(2 * float(rules.options["paulownia_chaff"])), "12Y 12C 12C")


def yaku_of(rules: Rules, pile: int, place: int, calls: int) -> list[Yaku]:
    """BK-15: Kan needs two cards of the three, and has a yaku twice with all."""
    found = []
    for id, points, cards in _MADE_OF:
        have = pile & cards
        if have == cards:
            found.append(Yaku(id, points, cards=have))
            if place == _KAN:
                found.append(Yaku(id, points, cards=have))
        elif place == _KAN and have.bit_count() == 2:
            found.append(Yaku(id, points, cards=have))
    return found


def settle(rules: Rules, ending: Ending, ledger: bool) -> Settlement:
    """BK-4 and BK-10 to BK-17."""
    dealer = ending.dealer
    if ending.end == "misdeal":
        return misdeal(rules, dealer)
    kan = (dealer + _KAN) % _SEATS
    scores: list[Number] = [0] * _SEATS
    book = Book(_SEATS, ledger)
    if ending.end == "lucky":
        collect(scores, book, FROM_OTHER, kan, 20, "BK-4", "lucky hand", {})
        return Settlement(None, None, scores, kan, dealer, book=book)

    sheet = ending.sheet
    halves = [half_points(rules, pile) for pile in ending.piles] if sheet is None else sheet.halves.copy()
    if ending.lightning >= 0:
        for seat in range(_SEATS):
            if ending.piles[seat] >> LIGHTNING & 1:
                halves[seat] += rules.values[ending.lightning]
    rounded = [(half + 1) >> 1 for half in halves]
    for seat in range(_SEATS):
        book.count(seat, 0, FROM_CARDS)
    if book.lines is not None:
        _list_points(rules, ending, book.lines, rounded)

    yaku: list[list[Yaku]] = [[], [], [], []]
    dandruff = _dandruff(rounded, kan)
    if dandruff:
        for seat in dandruff:
            collect(scores, book, FROM_OTHER, seat, 10, "BK-13", "dandruff", {"points": in_points(halves[seat])}, spared=dandruff)
    else:
        for place in range(_KAN):
            for further in range(place + 1, _KAN):
                _compare(scores, book, rounded, (dealer + place) % _SEATS, (dealer + further) % _SEATS)
        collect(scores, book, FROM_CARDS, kan, rounded[kan], "BK-14", "Kan's card points", {"points": rounded[kan]})
        for seat in range(_SEATS):
            yaku[seat] = yaku_of(rules, ending.piles[seat], (seat - dealer) % _SEATS, 0) if sheet is None else sheet.yaku[seat]
            for made in yaku[seat]:
                made.seat = made.side = seat
                pay_yaku(rules, scores, book, made, range(_SEATS), "BK-15")
    return Settlement(
        points=[in_points(half) for half in halves],
        yaku=yaku,
        scores=scores,
        winner=winner_of(scores),
        next_dealer=_next_dealer(dealer, dandruff),
        rounded=rounded,
        void=bool(dandruff),
        book=book,
    )


def _dandruff(rounded: list[int], kan: int) -> list[int]:
    """The seats whose points void the round (BK-13). Rounding up changes nothing here: the limits are whole."""
    return [seat for seat in range(_SEATS) if rounded[seat] <= (0 if seat == kan else 2)]


def _next_dealer(dealer: int, dandruff: list[int]) -> int:
    """Of a round that was played out (BK-17)."""
    return dealer if dandruff else (dealer + 1) % _SEATS


def _dealer_from(rules: Rules, dealer: int, points: Sequence[Number] | None, scores: Sequence[Number] | None) -> int:
    """The next dealer as far as a sheet tells: card points decide; without them, scores that only a round played out can have."""
    if points is not None:
        return _next_dealer(dealer, _dandruff([ceil(value) for value in points], (dealer + _KAN) % _SEATS))
    if scores is None or sum(scores) != 0:
        return -1
    paid = sum(score > 0 for score in scores)
    lucky = sorted(scores) == [-20, -20, -20, 60]
    void = all(score == (10 * (_SEATS - paid) if score > 0 else -10 * paid) for score in scores)
    return -1 if lucky or void else _next_dealer(dealer, [])


def _points_range(rules: Rules) -> tuple[float, float, float]:
    """All cards are somebody's (BK-9). The Lightning adds up to 3 (BK-11); rounding up to a half a seat (BK-12)."""
    return (26.5, 29.5, 31) if rules.options["paulownia_chaff"] else (25, 28, 30)


def _compare(scores: list[Number], book: Book, rounded: list[int], one: int, other: int) -> None:
    """The seat with fewer rounded points pays the difference (BK-14)."""
    higher, lower = (one, other) if rounded[one] >= rounded[other] else (other, one)
    difference = rounded[higher] - rounded[lower]
    if difference:
        args: dict[str, object] = {"points": rounded[higher], "against": rounded[lower]}
        pay(scores, book, FROM_CARDS, higher, lower, difference, "BK-14", "difference of card points", args)


def _list_points(rules: Rules, ending: Ending, book: list[Entry], rounded: list[int]) -> None:
    """The card points that are compared, as lines that pay nothing: rounded by BK-12, the Lightning's by BK-11."""
    for seat, pile in enumerate(ending.piles):
        if ending.sheet is not None:
            entry = claimed_entry(seat, 0, "BK-10", ending.sheet.halves[seat])
        else:
            entry = points_entry(rules, seat, 0, "BK-10", pile)
        entry.args["rounded"] = rounded[seat]
        book.append(entry)
        if entry.args["points"] != rounded[seat]:
            told: dict[str, object] = {"points": entry.args["points"], "rounded": rounded[seat]}
            book.append(Entry(seat, 0, "BK-12", f"rounded up to {rounded[seat]}", None, told))
        if pile >> LIGHTNING & 1:
            args: dict[str, object] = {"cards": [CODES[LIGHTNING]], "points": 0}
            if ending.lightning >= 0:
                args["taken"] = CODES[rules.codes[ending.lightning]]
                args["points"] = in_points(rules.values[ending.lightning])
            why = "the Lightning's points" if ending.lightning >= 0 else "the Lightning, ordinary: no points"
            book.append(Entry(seat, 0, "BK-11", why, None, args))


GAME = Game(
    id="bakabana",
    name="Bakabana",
    kanji="馬鹿花",
    seats=(4,),
    text=(
        "A game of four from Ōita in which three play and the fourth, Kan, gathers what is left; points "
        "change hands until they add up to zero."
    ),
    points=(*PLAY, *WILD, *POINTS),
    options=OPTIONS,
    yaku=YAKU,
    card_values=card_values,
    partitions={},
    setup=setup,
    settle=settle,
    yaku_of=yaku_of,
    sheet=SheetRules(
        points_rule="BK-10",
        yaku_rule="BK-15",
        scores_rule="BK-14",
        zero_sum="BK-16",
        points_range=_points_range,
        step=0.5,
        next_dealer=_dealer_from,
        complete=True,
        lightning=True,
    ),
)
