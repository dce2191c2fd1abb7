"""The words of the dashboard: what a chart found, what it shows, what its columns are called."""

from collections.abc import Callable
from typing import Any

from web import cards, language
from web.case_words import CLAIMS
from web.contexts import Sample
from web.language import _, _l, _n
from web.sentences import finding_title, yaku_names
from web.words import SEVERITIES, number

ABOUT = {
    "running": _l("Running total of each player over all rounds, in order of play"),
    "by-place": _l("Mean score a round by place from the dealer, with 95 % intervals (mean ± 1.96 standard errors)"),
    "sources": _l("Where a player's points come from, mean of a round"),
    "places": _l("How often each player comes first, second … in a round; a tie shares the place"),
    "yaku": _l("Yaku made in 100 rounds, by all players together"),
    "short": _l("How often a pile makes a yaku, lacks a single card of it, or sees another side make it"),
    "captures": _l("Share of each card that the dealer takes, against an equal share"),
    "lightning": _l("What the Lightning takes as a wild card, by turn"),
    "pairs": _l("Mean lead in a round over each opponent at the same table"),
    "spread": _l("Scores of a round: median, quartiles, least and most"),
    "causes": _l("Findings by cause, with their share together"),
    "hand-and-draw": _l("Card points captured with cards from the hand and with cards turned up, mean of a round"),
    "when-made": _l("At which action of a round each yaku is completed: median, quartiles, earliest and latest"),
    "overlooked": _l(
        "Captures that the rules called for and that were not made, and cards laid that the very next turn took, in 100 rounds"
    ),
    "options": _l("What the same rounds would score with one option changed, in a sample of the records"),
    "calendar": _l("Records by day of play"),
    "disputes": _l("Disputes by what they are about: opened, ruled, and the median time from opening to first ruling"),
}
"""By chart: what it shows."""

COLUMNS = {
    "player": _l("Player"),
    "opponent": _l("Opponent"),
    "nth": _l("Round of the player"),
    "total": _l("Total"),
    "score": _l("Score"),
    "round": _l("Round"),
    "seats": _l("Seats"),
    "place": _l("Place"),
    "n": _l("n"),
    "mean": _l("Mean"),
    "low": _l("Interval from"),
    "high": _l("to"),
    "won": _l("Rounds won, %"),
    "cards": _l("Cards"),
    "yaku_made": _l("Yaku made"),
    "yaku_paid": _l("Yaku paid"),
    "other": _l("Bonus and other"),
    "share": _l("Share, %"),
    "yaku": _l("Yaku"),
    "made": _l("Made"),
    "rounds": _l("Rounds"),
    "per_100": _l("In 100 rounds"),
    "negated": _l("Negated"),
    "one_short": _l("One card short, %"),
    "conceded": _l("Conceded, %"),
    "missed": _l("Missed in 100 rounds"),
    "gifted": _l("Gifted in 100 rounds"),
    "claim": _l("About"),
    "ruled": _l("Ruled"),
    "median_hours": _l("Median hours to the ruling"),
    "card": _l("Card"),
    "expected": _l("Equal share, %"),
    "turn": _l("Turn"),
    "ahead": _l("Mean lead"),
    "better": _l("Rounds ahead, %"),
    "least": _l("Least"),
    "lower_quartile": _l("Lower quartile"),
    "median": _l("Median"),
    "upper_quartile": _l("Upper quartile"),
    "most": _l("Most"),
    "code": _l("Finding"),
    "severity": _l("Severity"),
    "together": _l("Together, %"),
    "from_hand": _l("From the hand"),
    "from_draw": _l("Turned up"),
    "earliest": _l("Earliest"),
    "latest": _l("Latest"),
    "day": _l("Day"),
    "option": _l("Option"),
    "value": _l("Value"),
    "changed": _l("Rounds with other scores, %"),
    "other_winner": _l("Rounds with another winner, %"),
    "shift": _l("Points that a score moves, mean"),
    "not_possible": _l("Not possible, %"),
}
"""By column of a query: its heading."""


def figure_words(variant: str) -> dict[str, str]:
    """What the figures write: axes, legends, and the yaku's names."""
    return {
        "round": _("Round"),
        "total": _("Total"),
        "mean": _("Mean score of a round"),
        "dealer": _("dealer, {seats} seats"),
        "after": _("{place} after, {seats} seats"),
        "cards": _("Cards"),
        "yaku_made": _("Yaku made"),
        "yaku_paid": _("Yaku paid"),
        "other": _("Bonus and other"),
        "per_round": _("Points a round"),
        "share": _("Share of rounds"),
        "nth": _("Place {n}"),
        "per_100": _("Made in 100 rounds"),
        "made": _("Made"),
        "one_short": _("One card short"),
        "conceded": _("Conceded"),
        "missed": _("Missed"),
        "gifted": _("Gifted"),
        "in_100": _("In 100 rounds"),
        "changed": _("Other scores"),
        "other_winner": _("Another winner"),
        "in_rounds": _("Share of rounds"),
        "opened": _("Opened"),
        "ruled": _("Ruled"),
        "within": _("median {hours} h").format(hours="%{text:.1f}"),
        "disputes": _("Disputes"),
        "piles": _("Share of piles"),
        "above": _("Above equal share"),
        "month": _("Month"),
        "turn": _("Turn"),
        "took": _("Card taken"),
        "ahead": _("Lead"),
        "player": _("Player"),
        "opponent": _("Opponent"),
        "score": _("Score of a round"),
        "count": _("Findings"),
        "together": _("Together"),
        "from_hand": _("From the hand"),
        "from_draw": _("Turned up"),
        "action": _("Action"),
        "records": _("Records"),
        **{f"claim:{id}": str(name) for id, name in CLAIMS.items()},
        **{f"yaku:{id}": names["name"] for id, names in yaku_names(variant).items()},
    }


def counted(unit: str, count: int) -> str:
    """How many observations a chart rests on, in words; no line ends within "n = 30"."""
    return _counted(unit, count).replace(" = ", "\u00a0=\u00a0")


def _counted(unit: str, count: int) -> str:
    if unit == "results":
        return _n("n = %(num)s result of a seat in a round", "n = %(num)s results of a seat in a round", count)
    if unit == "rounds":
        return _n("n = %(num)s round", "n = %(num)s rounds", count)
    if unit == "findings":
        return _n("n = %(num)s finding", "n = %(num)s findings", count)
    if unit == "captures":
        return _n("n = %(num)s capture", "n = %(num)s captures", count)
    if unit == "disputes":
        return _n("n = %(num)s dispute", "n = %(num)s disputes", count)
    if unit == "yaku":
        return _n("n = %(num)s yaku", "n = %(num)s yaku", count)
    return _n("n = %(num)s record", "n = %(num)s records", count)


def sampled(sample: Sample) -> str:
    """How much of a sample of records was taken in, in words."""
    if sample.picked == sample.chosen:
        return _n("%(audited)s of %(num)s record", "%(audited)s of %(num)s records", sample.chosen, audited=number(sample.audited))
    return _n(
        "%(audited)s records of a sample of %(picked)s out of %(num)s",
        "%(audited)s records of a sample of %(picked)s out of %(num)s",
        sample.chosen,
        audited=number(sample.audited),
        picked=number(sample.picked),
    )


def shown(variant: str) -> Callable[[str, Any], str]:
    """How a value of a table is written: yaku by their names, numbers with at most one decimal."""
    names = yaku_names(variant)

    def write(column: str, value: Any) -> str:
        if value is None:
            return "–"
        if column == "yaku":
            return names[value]["name"] if value in names else str(value)
        if column == "card":
            return cards.title(str(value), language.chosen())
        if column == "place" and value == 0:
            return _("dealer")
        if isinstance(value, float):
            return language.decimal(value)
        if column == "day":
            return language.day(str(value))
        if column == "code":
            return f"{value}: {finding_title(str(value))}"
        if column == "claim":
            return str(CLAIMS.get(value, value))
        if column == "severity":
            return str(SEVERITIES.get(value, value))
        return number(value) if isinstance(value, int) else str(value)

    return write


def headline(key: str, args: dict[str, Any], variant: str) -> str:
    """What a chart found, in a sentence."""
    write = shown(variant)
    said = {name: finding_title(str(value)) if name == "code" else write(name, value) for name, value in args.items()}
    sentences: dict[str, Callable[[], str]] = {
        "none": lambda: _("Nothing to show under these filters"),
        "running-leader": lambda: _("%(player)s leads with %(total)s after %(rounds)s rounds", **said),
        "place-unclear": lambda: _("At %(seats)s seats no clear advantage or handicap for the dealer", **said),
        "place-dealer-better": lambda: _("At %(seats)s seats the dealer scores %(points)s more than average", **said),
        "place-dealer-worse": lambda: _("At %(seats)s seats the dealer scores %(points)s less than average", **said),
        "sources-none": lambda: _("Nobody has won points yet"),
        "sources-cards": lambda: _("Cards bring %(share)s %% of all points won", **said),
        "sources-yaku_made": lambda: _("Yaku bring %(share)s %% of all points won", **said),
        "sources-other": lambda: _("Bonuses bring %(share)s %% of all points won", **said),
        "places-none": lambda: _("Nobody has come first yet"),
        "places-first": lambda: _("%(player)s comes first most often: in %(share)s %% of rounds", **said),
        "yaku-commonest": lambda: _("%(yaku)s is made most often: %(per_100)s times in 100 rounds", **said),
        "short-most": lambda: _("%(yaku)s: %(made)s %% of piles make it, %(one_short)s %% lack one card", **said),
        "captures-dealer": lambda: _("The dealer takes %(card)s in %(share)s %% of cases, where %(expected)s %% would be equal", **said),
        "lightning-most": lambda: _("The Lightning takes %(card)s most often: %(share)s %% of the time", **said),
        "pairs-ahead": lambda: _("%(player)s is ahead of %(opponent)s by %(points)s a round", **said),
        "spread-middle": lambda: _("Half of %(player)s's rounds bring between %(low)s and %(high)s", **said),
        "causes-commonest": lambda: _("The commonest finding: %(code)s, %(n)s of %(all)s", **said),
        "draw-share": lambda: _("%(share)s %% of captured card points come with the card turned up", **said),
        "overlooked-most": lambda: _("%(player)s gives most away: %(gifted)s cards in 100 rounds go to the very next turn", **said),
        "disputes-most": lambda: _("%(ruled)s of %(n)s disputes are ruled; most are about %(claim)s", **said),
        "options-none": lambda: _("No option would change a score of these rounds"),
        "options-most": lambda: _("%(option)s = %(value)s would change the scores of %(share)s %% of rounds", **said),
        "when-earliest": lambda: _("%(yaku)s comes earliest: half of the times by action %(action)s", **said),
        "calendar-busiest": lambda: _n(
            "The busiest day is %(day)s with %(num)s record", "The busiest day is %(day)s with %(num)s records", args["n"], day=said["day"]
        ),
    }
    return sentences[key]()
