"""Rule points that no single game owns: common play (rules.md, 2) and what an auditor asks (rules.md, 8)."""

from records.rules.game import Point

_SISTERS = "Bakabana, Hon-bana, Higo Bana and Sakura texts"
_FOUR_TEXTS = "Bakabana text, Gameplay; Higo Bana text, Jogar uma carta; Hon-bana and Sakura texts are silent on two or three"
_OURS = "Hanafu's own rule for records"

PLAY = (
    Point("CP-1", "Seats are numbered in the order in which they play; after the last one comes the first again.", _SISTERS),
    Point(
        "CP-2",
        "The dealer plays first in every round.",
        "Bakabana text, Gameplay; Hon-bana text, Gameplay; for Higobana and Sakura, whose texts are silent, Hanafu's reading",
    ),
    Point(
        "CP-3",
        "A turn has two halves. First a card leaves the hand, after that the draw pile gives its top card; each meets "
        "the field in the same way.",
        _SISTERS,
    ),
    Point(
        "CP-4",
        "A card played meets the cards of its month on the field. With none it stays there. One it has to capture. Of "
        "two it captures the one that its player chooses. Three it captures all. What it took lies in the player's "
        "pile from then on, and so does the card itself.",
        _FOUR_TEXTS,
    ),
    Point("CP-5", "Nobody has to play a card that matches; any card of the hand will do.", "Higo Bana text, Jogar uma carta"),
    Point(
        "CP-8",
        "A seat with an empty hand turns up a card and plays it when its turn comes, for as long as the round lasts.",
        "Higo Bana text, before Gaji: play goes on until the draw pile is empty",
    ),
    Point("CP-9", "Hands, field, draw pile and piles together hold every card of the deck once, at any moment.", _OURS),
    Point(
        "CP-10",
        "A misdeal scores 0 for everybody, has no winner and does not count in the match; the same dealer deals "
        "again. All other rounds count. A misdeal that the rules demand comes before anything else.",
        "Bakabana text, Lucky Hands, for the deal that is kept; for the rest Hanafu's reading",
    ),
    Point(
        "CP-11",
        "Any seat may be the first dealer. What a dealer gains by the deal itself is not dealt anew.",
        "Bakabana and Hon-bana texts, Setup; Higo Bana text, Distribuição",
    ),
)

WILD = (
    Point(
        "CP-6",
        "A wild card may capture one field card of another month, even out of three. Nobody has to use it so. With "
        "its own month it follows the common rule, three cards included, and if its month is not on the field it may "
        "simply be laid down.",
        "Bakabana text, Wild Card; Higo Bana text, Gaji; Sakura text, Game play",
    ),
    Point("CP-7", "A wild card that lies on the field is a plain card of its month.", "Bakabana text, Wild Card"),
)

AUDIT = (
    Point(
        "AU-1",
        "How far a record can be checked depends on what it states: deal and all actions (full); actions and the "
        "dealt field (moves); what each seat had captured (piles); a score sheet (scores). Each round is checked as "
        "far as it goes, and its report says how far.",
        _OURS,
    ),
    Point(
        "AU-2",
        "If something that was not written down decides a score, every outcome that it allows is listed with what it "
        "depends on. Claims are right if all outcomes agree with them and wrong if none does; otherwise the matter "
        "stays open.",
        _OURS,
    ),
    Point(
        "AU-3",
        "An unlawful act that could happen on a table is reported, and play goes on from the position that it left. "
        "After an act that could not happen the round cannot be followed any further.",
        _OURS,
    ),
    Point(
        "AU-4",
        "A claim that is not what the audit works out is reported, with both numbers and the lines that lead to the right one.",
        _OURS,
    ),
    Point(
        "AU-5",
        "Where a claim differs or play was unlawful, the audit looks for the fewest changed options, three at most, "
        "under which the record is lawful and all its claims are right.",
        _OURS,
    ),
)
