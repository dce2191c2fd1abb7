"""What an audit can find: stable codes, how grave each is, and its English wording (record-format.md, 3).

Nothing is judged here. Faults of play come from the engine with their arguments; claims are compared in `analysis.claims`. A code has
several wordings where a fault is known in more or less detail: the first whose arguments are all there is used.
"""

import string
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

UNLAWFUL: Final = "unlawful"
DISPUTE: Final = "dispute"
INCOMPLETE: Final = "incomplete"


@dataclass(frozen=True, slots=True)
class Kind:
    """A finding code."""

    severity: str
    title: str
    """What it means, in a few words."""
    wordings: tuple[str, ...]
    """Templates in the arguments of the finding, the most exact first; the last needs none."""
    rule: str = "AU-3"
    """The rule point where the finding brings none of its own."""


KINDS: Final[Mapping[str, Kind]] = {
    # The deal
    "deal-counts": Kind(
        UNLAWFUL,
        "wrong number of cards dealt",
        ("A wrong number of cards was dealt: {parts}.", "A wrong number of cards was dealt."),
        "CP-9",
    ),
    "deal-duplicate": Kind(
        UNLAWFUL,
        "a card dealt twice",
        ("{card} is dealt more often than the deck has it.", "A card is dealt more often than the deck has it."),
        "CP-9",
    ),
    "card-not-in-deck": Kind(
        UNLAWFUL,
        "a card that this game does not use",
        ("{card} is not in the deck of this game.", "A card is not in the deck of this game."),
        "CP-9",
    ),
    "misdeal-not-declared": Kind(
        UNLAWFUL, "a misdeal was due and play went on", ("A misdeal was due at the deal, and play went on.",), "CP-10"
    ),
    "misdeal-unfounded": Kind(
        UNLAWFUL, "a misdeal that no rule gives", ("The cards were thrown in by a rule, but no rule says so here.",), "CP-10"
    ),
    "lucky-unfounded": Kind(UNLAWFUL, "a lucky hand that is none", ("A lucky hand is revealed where there is none.",), "BK-4"),
    # Cards that are not where the record says
    "card-not-in-hand": Kind(
        UNLAWFUL,
        "a card played that was not in the hand",
        (
            "Seat {seat} plays {card}, which is not in its hand.",
            "{card} is played, which is not in the hand.",
            "A card is played that is not in the hand.",
        ),
        "CP-3",
    ),
    "card-not-on-field": Kind(
        UNLAWFUL,
        "a card captured that was not on the field",
        ("{card} is said to capture {taken}, which the field does not hold.", "A card is captured that is not on the field."),
        "CP-4",
    ),
    "card-not-top-of-pile": Kind(
        UNLAWFUL,
        "a card turned up that was not on top of the draw pile",
        (
            "{card} is turned up, but {expected} lay on top of the draw pile.",
            "{card} is turned up, which was not on top of the draw pile.",
            "A card is turned up that was not on top of the draw pile.",
        ),
        "CP-3",
    ),
    # Captures
    "joker-protected": Kind(
        UNLAWFUL,
        "a joker captured by something else than a joker",
        ("{card} captures {taken}, which only the other joker can capture.", "A joker is captured by something else than a joker."),
        "HG-12",
    ),
    "wild-not-allowed": Kind(
        UNLAWFUL,
        "a wild use that is not allowed",
        ("{card} captures {taken} as a wild card, which is not allowed here.", "A card is used as a wild card where that is not allowed."),
        "CP-6",
    ),
    "wrong-month": Kind(
        UNLAWFUL,
        "a card of another month captured",
        ("{card} captures {taken}, which is of another month.", "A card of another month is captured."),
        "CP-4",
    ),
    "must-take-one": Kind(
        UNLAWFUL,
        "more cards taken than one",
        ("{card} takes {taken}; it may take one card only.", "More cards are taken than one."),
        "CP-4",
    ),
    "must-take-three": Kind(
        UNLAWFUL,
        "not all three cards taken",
        (
            "{card} takes {taken}, but three cards of its month lie there: it takes all three.",
            "Three cards of a month lie there, and not all are taken.",
        ),
        "CP-4",
    ),
    "must-capture": Kind(
        UNLAWFUL,
        "a match refused",
        (
            "{card} takes nothing, though the field holds {field}: it must capture.",
            "{card} takes nothing, though a card of its month lies on the field: it must capture.",
            "Nothing is taken, though something must be.",
        ),
        "CP-4",
    ),
    "capture-ambiguous": Kind(
        UNLAWFUL,
        "a bare x where the rules leave a choice",
        (
            "{card} captures, and the record does not say what: the rules leave a choice.",
            "The record does not say what is captured: the rules leave a choice.",
        ),
        "CP-4",
    ),
    # Turns
    "out-of-turn": Kind(
        UNLAWFUL,
        "an act out of turn",
        ("Seat {seat} acts, but it is seat {expected}'s turn.", "Seat {seat} acts out of turn.", "A seat acts out of turn."),
        "CP-1",
    ),
    "kan-may-not-play": Kind(
        UNLAWFUL,
        "an act that Kan may not do",
        ("Kan plays {card}, which Kan may not play now.", "Kan acts where Kan may not."),
        "BK-7",
    ),
    "hiki-unfounded": Kind(
        UNLAWFUL,
        "a hiki without all four cards",
        ("Month {month} is taken by hiki, which is not allowed here.", "A hiki is not allowed here."),
        "HG-16",
    ),
    "play-missing": Kind(
        UNLAWFUL,
        "no card played from the hand",
        ("Seat {seat} plays no card from its hand, though it has some.", "No card is played from the hand, though there are some."),
        "CP-3",
    ),
    "draw-missing": Kind(
        UNLAWFUL,
        "no card turned up",
        ("Seat {seat} turns up no card, though the draw pile has some.", "No card is turned up, though the draw pile has some."),
        "CP-3",
    ),
    "draw-forbidden": Kind(
        UNLAWFUL,
        "a card turned up that may not be",
        ("{card} is turned up, but no card may be turned up here.", "A card is turned up where none may be."),
        "CP-3",
    ),
    "call-missing": Kind(
        UNLAWFUL,
        "neither koi nor stop called",
        ("Seat {seat} has made a yaku and calls neither koi nor stop.", "A yaku is made, and neither koi nor stop is called."),
        "KK-2",
    ),
    "call-unfounded": Kind(
        UNLAWFUL,
        "a call that is not due",
        ("Seat {seat} calls {call}, which it may not here.", "A call is made that is not allowed here."),
        "KK-2",
    ),
    # The round, the match
    "round-unfinished": Kind(INCOMPLETE, "the actions end before the round", ("The actions end before the round does.",), "AU-3"),
    "action-after-end": Kind(UNLAWFUL, "an action after the end of the round", ("The round is over, and the record goes on.",), "AU-3"),
    "wrong-dealer": Kind(
        UNLAWFUL,
        "the wrong seat deals",
        ("Seat {actual} deals, but seat {expected} is the next dealer.", "The wrong seat deals."),
        "CP-2",
    ),
    "match-over": Kind(
        UNLAWFUL,
        "a round after the end of the match",
        ("The match had ended with round {after}.", "The match had ended before this round."),
        "HG-15",
    ),
    # Piles and claims
    "piles-contradict": Kind(
        DISPUTE,
        "piles or facts that contradict each other",
        (
            "{card} lies in the piles more often than the deck has it.",
            "It is recorded that {fact}, which the piles contradict.",
            "The piles contradict each other.",
        ),
        "AU-2",
    ),
    "claim-points": Kind(
        DISPUTE,
        "claimed card points differ",
        (
            "Side {side} claims {actual} card points; its cards make {expected}.",
            "Side {side} claims {actual} card points in a round that counts none.",
            "The claimed card points agree with no possible outcome.",
        ),
        "AU-4",
    ),
    "claim-yaku": Kind(
        DISPUTE,
        "claimed yaku differ",
        (
            "Side {side} claims the yaku {actual}; negated, and so not paid: {negated}.",
            "Side {side} claims the yaku {actual}; its cards make {expected}.",
            "Side {side} claims no yaku; its cards make {expected}.",
            "Side {side} claims the yaku {actual}; its cards make none.",
            "The claimed yaku agree with no possible outcome.",
        ),
        "AU-4",
    ),
    "claim-scores": Kind(
        DISPUTE,
        "a claimed score differs",
        ("Side {side} claims a score of {actual}; it comes to {expected}.", "The claimed scores agree with no possible outcome."),
        "AU-4",
    ),
    "claim-piles": Kind(
        DISPUTE,
        "a claimed pile differs",
        (
            "The recorded pile of {owner} holds {more}, which it did not capture, and lacks {less}.",
            "The recorded pile of {owner} holds {more}, which it did not capture.",
            "The recorded pile of {owner} lacks {less}.",
            "A recorded pile differs from what was played.",
        ),
        "AU-4",
    ),
    "claim-sum": Kind(
        DISPUTE,
        "claims that cannot add up",
        (
            "Side {side} claims {actual} card points, which no cards make.",
            "The claimed card points add up to {actual}; the deck makes {least} to {most}.",
            "The claimed scores add up to {actual}; they must add up to {expected}.",
            "The claims do not add up.",
        ),
        "AU-1",
    ),
    "claim-totals": Kind(
        DISPUTE,
        "a claimed total differs",
        ("Side {side} claims a total of {actual}; it comes to {expected}.", "A claimed total differs."),
        "AU-4",
    ),
    "claim-winner": Kind(
        DISPUTE,
        "a claimed winner differs",
        ("{claimed} is claimed to have won; in fact {found} did.", "The claimed winner differs."),
        "AU-4",
    ),
}
"""Every code, in the order of record-format.md, 3, by what it is about."""


@dataclass(slots=True)
class Finding:
    """Something wrong, or missing, in a record."""

    code: str
    round: int | None
    """From 1; None: the record's own."""
    action: int | None
    """As the record counts them, 0 the deal; None: of no action."""
    pointer: str
    """JSON pointer into the record."""
    rule: str = ""
    args: dict[str, object] = field(default_factory=dict)
    expected: object = None
    """The recomputed value."""
    actual: object = None
    """The recorded value."""

    @property
    def severity(self) -> str:
        """``unlawful``, ``dispute`` or ``incomplete``."""
        return KINDS[self.code].severity

    def as_dict(self) -> dict[str, object]:
        """The finding as the report holds it."""
        kind = KINDS[self.code]
        return {
            "code": self.code,
            "severity": kind.severity,
            "round": self.round,
            "action": self.action,
            "pointer": self.pointer,
            "rule": self.rule or kind.rule,
            "message": worded(self),
            "args": self.args,
            "expected": self.expected,
            "actual": self.actual,
        }


def worded(finding: Finding) -> str:
    """The finding in English, by the most exact wording that its arguments fill."""
    args = finding.args
    known = {"expected": finding.expected, "actual": finding.actual} | args
    if "owner" not in known:
        known["owner"] = f"side {args['side']}" if "side" in args else f"seat {args.get('seat')}"
    words = {key: _in_words(value) for key, value in known.items() if value is not None and value != []}
    for wording in KINDS[finding.code].wordings:
        if all(name is None or name in words for _, name, _, _ in string.Formatter().parse(wording)):
            message = wording.format_map(words)
            return message[0].upper() + message[1:]
    raise KeyError(finding.code)


def _in_words(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(str(item) for item in value)
    return str(value)
