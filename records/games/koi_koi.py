"""Koi-koi (rules.md, 7): two seats, and whoever makes a yaku stops or dares to go on."""

from collections.abc import Sequence
from typing import Final

from mypy_extensions import i64

from records.cards import mask
from records.native import INTERPRETED, count
from records.rules.common import PLAY
from records.rules.game import Choice, Game, Option, Point, Rules, SheetRules, Worth, YakuRule, whole
from records.rules.payments import collect, misdeal, pay, pay_yaku
from records.rules.settlement import FROM_OTHER, Book, Ending, Number, Settlement, Yaku, winner_of
from records.rules.values import card_values

_PLAY = "Koi-koi as most widely played; it reproduces the scores of published records"
_HOUSE = "House rule"

POINTS = (
    Point(
        "KK-1",
        "Two play, with eight cards each, eight on the field and 24 in the draw pile. A whole month dealt to one hand "
        "or to the field voids the deal, unless an option plays it.",
        _PLAY,
    ),
    Point(
        "KK-2",
        "A seat whose yaku are worth more after its turn than before has to call: stop ends the round, koi-koi goes "
        "on. What earlier calls alone add to a viewing yaku raises nothing. After its eighth turn a seat can only "
        "stop.",
        _PLAY,
    ),
    Point(
        "KK-3",
        "Who stops gets the worth of the own yaku from the other. If sixteen turns pass and nobody stops, eight cards "
        "stay unseen and the dealer gets 1, or by option nobody gets anything.",
        _PLAY,
    ),
    Point(
        "KK-4",
        "Of the bright yaku the best one counts; all others count side by side. Animals and ribbons pay from five, "
        "chaff from ten, and 1 more for each further card. The Sake cup is an animal and chaff at once. A viewing "
        "yaku is worth 1, and 3 once its seat has called koi-koi in the round; options make it 5 or nothing.",
        _PLAY,
    ),
    Point(
        "KK-5",
        "Up to three calls of the paid seat add 1 each to the worth; from the fourth on the worth is multiplied "
        "instead, by the number of calls less 2. By option calls change nothing, or the other's calls double once.",
        _PLAY,
    ),
    Point("KK-6", "Who was paid deals next. After sixteen turns without a stop the dealer deals again.", _PLAY),
    Point(
        "KK-7",
        "Both start with 30 points. The match ends after eight rounds, or when a seat has nothing left, and the higher total wins.",
        _PLAY,
    ),
)

OPTIONS = (
    Option(
        "four_dealt",
        "KK-1",
        "Four cards of one month lie in a hand or on the field after the deal.",
        (
            Choice("misdeal", "The cards are thrown in and the dealer deals again.", _PLAY),
            Choice("play", "The round is played as it was dealt.", _HOUSE),
        ),
    ),
    Option(
        "exhausted",
        "KK-3",
        "Both hands are empty and nobody stopped.",
        (
            Choice("dealer_one", "The dealer gets 1 from the other seat.", _PLAY),
            Choice("none", "Nobody is paid.", _HOUSE),
        ),
        settles=True,
    ),
    Option(
        "viewing",
        "KK-4",
        "Worth of Flower Viewing and Moon Viewing.",
        (
            Choice("one_then_three", "1 each at first; 3 each for a seat with a call of koi-koi behind it.", _PLAY),
            Choice("five", "5 each.", _HOUSE),
            Choice("none", "They are no yaku.", _HOUSE),
        ),
    ),
    Option(
        "calls",
        "KK-5",
        "What calls of koi-koi do to the payment.",
        (
            Choice(
                "add_then_multiply", "Up to three calls of the paid seat add 1 each; k of them, from four on, multiply by k less 2.", _PLAY
            ),
            Choice("none", "Nothing.", _HOUSE),
            Choice("double_if_opponent_called", "If the other seat has called, the payment is doubled, once.", _HOUSE),
        ),
        settles=True,
    ),
)

_ANIMALS = "2A 4A 5A 6A 7A 8A 9A 10A 11A"
_RIBBONS = "1R 2R 3R 4R 5R 6R 7R 9R 10R 11R"
_CHAFF = "1C 1C 2C 2C 3C 3C 4C 4C 5C 5C 6C 6C 7C 7C 8C 8C 9A 9C 9C 10C 10C 11C 12Y 12C 12C"

YAKU = (
    YakuRule("goko", "Five Brights", "五光", "gokō", 10, "KK-4", "1B 3B 8B 11B 12B", 5, "All five brights."),
    YakuRule("shiko", "Four Brights", "四光", "shikō", 8, "KK-4", "1B 3B 8B 12B", 4, "The four brights without the Rain man."),
    YakuRule(
        "ame-shiko", "Rainy Four Brights", "雨四光", "ame-shikō", 7, "KK-4", "1B 3B 8B 11B 12B", 4, "The Rain man and three other brights."
    ),
    YakuRule("sanko", "Three Brights", "三光", "sankō", 5, "KK-4", "1B 3B 8B 12B", 3, "Three brights, none of them the Rain man."),
    YakuRule("inoshikacho", "Boar, Deer, Butterflies", "猪鹿蝶", "inoshikachō", 5, "KK-4", "7A 10A 6A", 3, "Boar, Deer and Butterflies."),
    YakuRule(
        "hanami",
        "Flower Viewing",
        "花見酒",
        "hanami-zake",
        1,
        "KK-4",
        "3B 9A",
        2,
        "Curtain and Sake cup; 3 after a call of the seat's own.",
    ),
    YakuRule(
        "tsukimi",
        "Moon Viewing",
        "月見酒",
        "tsukimi-zake",
        1,
        "KK-4",
        "8B 9A",
        2,
        "Full moon and Sake cup; 3 after a call of the seat's own.",
    ),
    YakuRule("akatan", "Red Poetry Ribbons", "赤短", "akatan", 5, "KK-4", "1R 2R 3R", 3, "The three poetry ribbons."),
    YakuRule("aotan", "Blue Ribbons", "青短", "aotan", 5, "KK-4", "6R 9R 10R", 3, "The three blue ribbons."),
    YakuRule(
        "akatan-aotan",
        "Red and Blue Ribbons",
        "赤短・青短",
        "akatan, aotan",
        10,
        "KK-4",
        "1R 2R 3R 6R 9R 10R",
        6,
        "Both sets of ribbons; paid besides them.",
    ),
    YakuRule("tane", "Animals", "タネ", "tane", 1, "KK-4", _ANIMALS, 5, "Five animals, and 1 more for each further one."),
    YakuRule("tan", "Ribbons", "タン", "tan", 1, "KK-4", _RIBBONS, 5, "Five ribbons, and 1 more for each further one."),
    YakuRule(
        "kasu", "Chaff", "カス", "kasu", 1, "KK-4", _CHAFF, 10, "Ten chaff, the Sake cup among them, and 1 more for each further one."
    ),
)

_PAID: Final = {rule.id: (rule.id, rule.points) for rule in YAKU}
_CARDS: Final = {rule.id: mask(rule.cards) for rule in YAKU}
_BRIGHTS: Final[i64] = _CARDS["goko"]
_RAIN_MAN: Final[i64] = mask("11B")
_CUP: Final[i64] = mask("9A")
_CURTAIN: Final[i64] = mask("3B")
_MOON: Final[i64] = mask("8B")
_FORESTERS: Final[i64] = _CARDS["inoshikacho"]
_RED: Final[i64] = _CARDS["akatan"]
_BLUE: Final[i64] = _CARDS["aotan"]
_TANE: Final[i64] = _CARDS["tane"]
_TAN: Final[i64] = _CARDS["tan"]
_KASU: Final[i64] = _CARDS["kasu"]
_CHAFF_NEEDED: Final = 10
_VIEWING = {"one_then_three": (1, 3), "five": (5, 5), "none": (0, 0)}
"""Worth before a call of the seat's own, and after one."""


def setup(rules: Rules) -> None:
    """KK-1 to KK-3."""
    four_dealt = rules.options["four_dealt"] == "misdeal"
    rules.merge_yellow = True
    rules.hand_sizes = [8, 8]
    rules.field_size = 8
    rules.ends = "hands"
    rules.citations = {"deal": "KK-1", "misdeal": "KK-1", "end": "KK-3", "dealer": "KK-6", "match": "KK-7"}
    rules.calls = True
    rules.viewing = _VIEWING[str(rules.options["viewing"])]
    rules.four_in_hand = four_dealt
    rules.four_on_field = "misdeal" if four_dealt else "leave"


def made_by(rules: Rules, pile: i64, calls: i64) -> list[tuple[str, int]]:
    """Ids and worth of the yaku that a pile makes, its seat having made so many calls before (KK-4)."""
    found: list[tuple[str, int]] = []
    brights = pile & _BRIGHTS
    number = count(brights)
    if number >= 3:
        rainy = brights & _RAIN_MAN
        if number == 5:
            found.append(_PAID["goko"])
        elif number == 4:
            found.append(_PAID["ame-shiko" if rainy else "shiko"])
        elif not rainy:
            found.append(_PAID["sanko"])
    number = count(pile & _TANE)
    if number >= 3 and pile & _FORESTERS == _FORESTERS:
        found.append(_PAID["inoshikacho"])
    if pile & _CUP and brights:
        viewing = rules.viewing[1 if calls else 0]
        if viewing:
            if brights & _CURTAIN:
                found.append(("hanami", viewing))
            if brights & _MOON:
                found.append(("tsukimi", viewing))
    if number >= 5:
        found.append(("tane", number - 4))
    number = count(pile & _TAN)
    if number >= 3:
        red, blue = pile & _RED == _RED, pile & _BLUE == _BLUE
        if red:
            found.append(_PAID["akatan"])
        if blue:
            found.append(_PAID["aotan"])
            if red:
                found.append(_PAID["akatan-aotan"])
        if number >= 5:
            found.append(("tan", number - 4))
    number = count(pile & _KASU)
    if number >= _CHAFF_NEEDED:
        found.append(("kasu", number - _CHAFF_NEEDED + 1))
    return found


_WORTH: Final[dict[int, dict[int, int]]] = {viewing: {} for pair in _VIEWING.values() for viewing in pair}
"""Interpreted: under each worth of a viewing yaku, what some sets of cards are worth together, which were asked for before."""
_BRIGHT_PART: Final = _BRIGHTS | _CUP


class OfYaku(Worth):
    """KK-2."""

    def of(self, rules: Rules, pile: i64, calls: i64) -> i64:
        """What the yaku of a pile are worth together.

        No yaku but chaff needs cards of two of bright cards with the cup, animals, and ribbons: a pile is worth what these parts are worth,
        and there are few different ones of each. Interpreted, to look three parts up is quicker than to count.
        """
        if not INTERPRETED:
            return _sum(rules, pile, calls)
        known = _WORTH[rules.viewing[1 if calls else 0]]
        parts = (pile & _BRIGHT_PART, pile & _TANE, pile & _TAN)
        try:
            total = sum(map(known.__getitem__, parts))
        except KeyError:
            known.update((cards, _sum(rules, cards, calls)) for cards in parts)
            total = sum(map(known.__getitem__, parts))
        chaff = pile & _KASU
        return total + _sum(rules, chaff, calls) if count(chaff) >= _CHAFF_NEEDED else total


def _sum(rules: Rules, cards: i64, calls: i64) -> i64:
    total: i64 = 0
    for _, points in made_by(rules, cards, calls):
        total += points
    return total


def yaku_of(rules: Rules, pile: int, place: int, calls: int) -> list[Yaku]:
    """KK-4."""
    return [Yaku(id, points, cards=pile & _CARDS[id]) for id, points in made_by(rules, pile, calls)]


def settle(rules: Rules, ending: Ending, ledger: bool) -> Settlement:
    """KK-3 to KK-6. Yaku are listed for the seat that is paid for them."""
    dealer, seat = ending.dealer, ending.stopped
    if ending.end == "misdeal":
        return misdeal(rules, dealer)
    scores: list[Number] = [0, 0]
    yaku: list[list[Yaku]] = [[], []]
    book = Book(2, ledger)
    next_dealer = dealer
    if seat < 0:
        if rules.options["exhausted"] == "dealer_one":
            collect(scores, book, FROM_OTHER, dealer, 1, "KK-3", "nobody stopped", {})
    else:
        calls = ending.calls or [0, 0]
        made = yaku_of(rules, ending.piles[seat], 0, calls[seat])
        if made:
            next_dealer = seat
            yaku[seat] = made
            total = 0
            for one in made:
                one.seat = one.side = seat
                total += one.points
                pay_yaku(rules, scores, book, one, (1 - seat,), "KK-4")
            extra = _for_calls(rules, total, calls[seat], calls[1 - seat])
            if extra:
                counted: dict[str, object] = {"calls": calls[seat], "other_calls": calls[1 - seat], "worth": total}
                pay(scores, book, FROM_OTHER, seat, 1 - seat, extra, "KK-5", "calls of koi-koi", counted)
    return Settlement(None, yaku, scores, winner_of(scores), next_dealer, book=book)


def _dealer_from(rules: Rules, dealer: int, points: Sequence[Number] | None, scores: Sequence[Number] | None) -> int:
    """The next dealer as far as claimed scores tell: who was paid, else the dealer (KK-6). -1: no scores."""
    if scores is None:
        return -1
    return scores.index(max(scores)) if max(scores) > 0 else dealer


def _for_calls(rules: Rules, total: int, own: int, other: int) -> int:
    """What calls add to the worth of the yaku (KK-5)."""
    rule = rules.options["calls"]
    if rule == "add_then_multiply":
        return own if own <= 3 else total * (own - 3)
    return total if rule == "double_if_opponent_called" and other else 0


GAME = Game(
    id="koi-koi",
    name="Koi-koi",
    kanji="こいこい",
    seats=(2,),
    text="The most widely played game of flowers: two seats, and whoever makes a yaku stops, or calls koi-koi and risks it for more.",
    points=(*PLAY, *POINTS),
    options=OPTIONS,
    yaku=YAKU,
    card_values=card_values,
    partitions={},
    setup=setup,
    settle=settle,
    yaku_of=yaku_of,
    whole=whole(YAKU),
    worth=OfYaku(),
    sheet=SheetRules(yaku_rule="KK-4", scores_rule="KK-3", zero_sum="KK-3", step=1, follows=False, next_dealer=_dealer_from),
)
