"""The words of the pages for what the record and the report name by code. Every text goes through gettext."""

import re
from collections.abc import Sequence
from typing import Any, Final

from web.contexts import Json
from web.language import _, _l, decimal, told, whole

_POINTS: Final = re.compile(r"(?<![A-Za-z0-9_=.])(?:-[0-9]+(?:\.5)?|[0-9]+\.5)(?!\.?[A-Za-z0-9_])")
"""A number below zero or with a half; a rule's id, a date, a range or the value of an option has something else before it."""

VERDICTS = {
    "confirmed": _l("Confirmed"),
    "lawful": _l("Lawful"),
    "disputed": _l("Disputed"),
    "unlawful": _l("Unlawful"),
    "incomplete": _l("Incomplete"),
}
"""A verdict in a word."""

VERDICT_SENTENCES = {
    "confirmed": _l("Nothing is wrong, and everything that was claimed is right."),
    "lawful": _l("Nothing is wrong. Nothing was claimed that could be compared."),
    "disputed": _l("The play is lawful, but a claim differs from what the rules give."),
    "unlawful": _l("A rule of play was broken."),
    "incomplete": _l("It cannot be decided from what is recorded."),
}

SEVERITIES = {"unlawful": _l("Unlawful play"), "dispute": _l("Dispute"), "incomplete": _l("Could not be checked")}

LEVELS = {
    "full": _l("Full record: deal and all actions"),
    "moves": _l("Moves only: some hand or the draw pile is not recorded"),
    "piles": _l("Piles only: what each had captured at the end, not how it was played"),
    "scores": _l("Score sheet only: no cards are recorded"),
}

LEVEL_NAMES = {"full": _l("everything"), "moves": _l("moves"), "piles": _l("piles"), "scores": _l("scores")}
"""A level in a word."""

CHECKED = {
    "full": (_l("Each card of the deck stands in one place"), _l("Turn order and every capture"), _l("Card points, yaku and sums")),
    "moves": (_l("Every card that was shown, once"), _l("Turn order and every capture"), _l("Card points, yaku and sums")),
    "piles": (_l("Each captured card once"), _l("Card points, yaku and sums")),
    "scores": (_l("Sums of the claimed scores"), _l("Rotation of the deal")),
}
"""By level: what could be checked."""

UNCHECKED = {
    "full": (),
    "moves": (_l("Cards that were never shown"),),
    "piles": (_l("The play, turn by turn"),),
    "scores": (_l("The play, turn by turn"), _l("The captured cards")),
}
"""By level: what could not be checked, as the record does not say it."""

ENDS = {
    "played": _l("Played to its end"),
    "lucky": _l("Ended by a lucky hand"),
    "misdeal": _l("Misdeal"),
    "abandoned": _l("Broken off"),
    "": _l("Not finished"),
}

KINDS = {"B": _l("Brights"), "A": _l("Animals"), "R": _l("Ribbons"), "C": _l("Chaff")}
"""Kinds of cards by the letter of their codes, for the piles; the yellow chaff lies with the chaff."""

PARTS = {
    "deal": _l("Deal"),
    "hand": _l("From the hand"),
    "draw": _l("Turned up"),
    "special": _l("Called out"),
    "call": _l("Call"),
    "end": _l("End"),
}
"""The part of a turn that a step shows."""


FAILURES = {
    "Bad Request": _l("This cannot be read"),
    "Unauthorized": _l("Sign in first"),
    "Forbidden": _l("Not allowed"),
    "Not Found": _l("Not found"),
    "Method Not Allowed": _l("This address takes no such call"),
    "Request Entity Too Large": _l("Too large"),
    "Content Too Large": _l("Too large"),
    "Too Many Requests": _l("Too many calls"),
    "Internal Server Error": _l("Something went wrong here"),
    "Service Unavailable": _l("Not to be had just now"),
}
"""What an error of HTTP is called here, by its name there."""


def failure(error: Any) -> str:
    """What went wrong, as the page says it; of an error that has only HTTP's own words, ours."""
    if error.description == type(error).description:
        return _("The way back stands below.")
    return told(str(error.description))


def seat_name(players: Sequence[str], seat: int | None) -> str:
    """The name of the player on a seat (from 1), or words for nobody."""
    if not seat:
        return _("nobody")
    return players[seat - 1] if seat <= len(players) else _("seat %(seat)s", seat=seat)


def side_name(players: Sequence[str], sides: Sequence[Sequence[int]] | None, side: int) -> str:
    """The names of a side's players (side from 1), or words for nobody."""
    if sides is None or not side:
        return seat_name(players, side)
    return " + ".join(seat_name(players, seat) for seat in sides[side - 1])


SEAT_ROLES = {"dealer": _l("the dealers"), "others": _l("all but the dealers")}
"""Whose results a chart shows."""


def number(value: float | int | None) -> str:
    """A number of points as people write it: halves as ½, a true minus sign, an en dash for none."""
    if value is None:
        return "–"
    sign = "−" if value < 0 else ""
    full, rest = divmod(abs(value), 1)
    if rest == 0.5:
        return f"{sign}{whole(int(full)) if full else ''}½"
    return f"{sign}{decimal(abs(value))}" if rest else f"{sign}{whole(int(full))}"


def signed(value: float | int | None) -> str:
    """The same with a plus before what is above zero."""
    return f"+{number(value)}" if value is not None and value > 0 else number(value)


def finding(found: Json) -> str:
    """What a finding says, in the visitor's language, its numbers as in the tables beside it; reports write them for programs."""
    message = str(found["message"])
    if parts := found["args"].get("parts"):
        message = message.replace(", ".join(parts), ", ".join(told(part) for part in parts))
    return _POINTS.sub(lambda met: number(float(met[0])), told(message))


def several(values: object) -> str:
    """A claimed or recomputed value of any shape, in words: a number, a list of yaku, a list of cards."""
    if isinstance(values, bool) or values is None:
        return _("nothing") if values is None else str(values)
    if isinstance(values, (int, float)):
        return number(values)
    if isinstance(values, str):
        return told(values) or _("nothing")
    if isinstance(values, Sequence):
        return ", ".join(several(value) for value in values) or _("none")
    return str(values)


KIND_NAMES = {"bright": _l("Brights"), "animal": _l("Animals"), "ribbon": _l("Ribbons"), "chaff": _l("Chaff")}
"""Kinds of cards by their names in the rules as data."""
