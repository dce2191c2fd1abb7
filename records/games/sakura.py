"""Sakura (rules.md, 6): higobana's cards, yaku and tables, with claims on families, an early end, no doubles and no jokers."""

from records.games.higobana import (
    FOUR_ON_FIELD,
    GAJI_REST,
    HAND_TWO,
    HIKI,
    PARTITIONS,
    PLAY_OUT,
    TEAM_PILE,
    WILD_FROM_DRAW,
    YAKU,
    YAKU_SCORING,
    deal,
    dealer_from,
    points_range,
    settle,
    yaku_of,
)
from records.games.higobana import POINTS as HIGOBANA
from records.rules.common import PLAY, WILD
from records.rules.game import Game, Option, Point, Rules, SheetRules, whole
from records.rules.values import card_values

_TAKEN = ("HG-1", "HG-2", "HG-3", "HG-5", "HG-8", "HG-9", "HG-14", "HG-15", "HG-16")
"""Rule points of higobana that hold here too."""

POINTS = (
    Point(
        "SK-1",
        "From a hand and from the draw pile alike, the Gaji (Lightning) may be wild. An option limits that to the hand.",
        "Sakura text, Game play",
    ),
    Point(
        "SK-2",
        "A wild capture gives a claim on the captured card's month. Its next card with points is the claimant's, if "
        "another seat captures it or if it is turned up by whomever; then the claim is over. It is over too when the "
        "claimant captures such a card. Of several cards with points that are captured from a hand, the dearest goes. "
        "A card with points that is turned up captures first and then goes itself, while its captures stay where they "
        "are; one that takes nothing goes at once. A card without points that is turned up gives the dearest that it "
        "took, if another seat turned it up. A later wild capture on the month first serves the older claim, if it "
        "takes a card with points, then opens its own; otherwise it replaces the older one. If no such card came, the "
        "claimant gets the dearest one of the month that lies on the field when the round is over. Equal cards: the "
        "one named first.",
        "Sakura text, Game play; the choice among several, the turned-up card and the end are Hanafu's reading",
    ),
    Point(
        "SK-3",
        "The turn that empties the last hand or the draw pile is the last one. Two players leave eight cards unseen.",
        "Sakura text, Game play",
    ),
    Point(
        "SK-4",
        "Of its card points a side loses 50 by every yaku that an opposing side has made; the remainder is its total.",
        "Sakura text, Scoring Overview",
    ),
    Point(
        "SK-5",
        "Winner and next dealer are found as in HG-14. A game has as many rounds as agreed, and their totals are added up.",
        "Hanafu's reading: after the Higo Bana text; the Sakura text is silent",
    ),
)

OPTIONS = (
    HAND_TWO,
    TEAM_PILE,
    FOUR_ON_FIELD,
    Option(
        "wild_from_draw", "SK-1", "The Gaji may be wild when it comes from the draw pile.", (WILD_FROM_DRAW[True], WILD_FROM_DRAW[False])
    ),
    Option(
        "gaji_rest",
        "SK-2",
        "What a wild capture means for the other cards of a month.",
        tuple(GAJI_REST[value] for value in ("claim", "claim_strict", "leftovers", "mate", "all", "none")),
    ),
    Option("play_out", "SK-3", "When the round ends.", (PLAY_OUT[False], PLAY_OUT[True])),
    Option(
        "yaku_scoring",
        "SK-4",
        "What a yaku does to the totals.",
        tuple(YAKU_SCORING[value] for value in ("deduct", "by_table", "add")),
        settles=True,
    ),
    HIKI,
)


def setup(rules: Rules) -> None:
    """SK-1 to SK-4; no jokers, no doubles."""
    deal(rules)
    if rules.options["wild_from_draw"]:
        rules.wild_from_draw = rules.wild_from_hand
    rules.citations |= {"wild": "SK-1", "yaku": "SK-4", "dealer": "SK-5"}


GAME = Game(
    id="sakura",
    name="Sakura",
    kanji="桜",
    seats=(2, 3, 4, 5, 6, 7),
    text=(
        "The game of Hawaii by the English text, for two to seven or for teams: a wild card claims a family, "
        "and every yaku costs the others 50."
    ),
    points=(*PLAY, *WILD, *(point for point in HIGOBANA if point.id in _TAKEN), *POINTS),
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
        scores_rule="SK-4",
        points_range=points_range,
        step=5,
        next_dealer=dealer_from,
        chaff_aside=True,
    ),
)
