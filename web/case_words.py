"""The words of disputes, rulings and comparisons for what is named by code."""

from collections.abc import Mapping
from typing import Any

from records.record import Record, option_word
from web import words
from web.contexts import Json
from web.language import _, _l

ROLES = {"player": _l("player"), "director": _l("director"), "arbiter": _l("arbiter")}

CLAIMS = {
    "scores": _l("the scores"),
    "points": _l("the card points"),
    "yaku": _l("the yaku"),
    "piles": _l("the captured cards"),
    "play": _l("the play"),
    "dealer": _l("who dealt"),
    "totals": _l("the totals"),
    "winner": _l("the winner"),
}
"""What a dispute is about."""

OUTCOMES = {
    "upheld": _l("Upheld"),
    "corrected": _l("Record corrected"),
    "adjusted": _l("Score adjusted"),
    "replayed": _l("Round replayed"),
    "void": _l("Void"),
    "note": _l("Note only"),
}

MEANINGS = {
    "upheld": _l("The round stands as the rules give it, under the options named below."),
    "corrected": _l("The record was wrong: a corrected one takes its place."),
    "adjusted": _l("The round counts with the scores that the arbiter gives."),
    "replayed": _l("The round does not count; the same dealer deals it again."),
    "void": _l("The round counts as one of the match, with nothing for anybody."),
    "note": _l("Nothing changes; the reasons are kept."),
}
"""What each outcome does."""

ENTRIES = {
    "opened": _l("dispute opened"),
    "answered": _l("answer"),
    "ruled": _l("ruling"),
    "reaudited": _l("audited by another engine"),
}
"""Kinds of entries of the log."""

KINDS = {"contradicts": _l("They contradict each other"), "only-a": _l("Only A says it"), "only-b": _l("Only B says it")}

AT = {
    "dealer": _l("Dealer"),
    "field": _l("Dealt field"),
    "hands": _l("Dealt hands"),
    "draw_pile": _l("Draw pile"),
    "actions": _l("Actions"),
    "piles": _l("Captured cards"),
    "lightning": _l("What the Lightning took"),
    "first_great": _l("First great yaku"),
    "stopped": _l("Who stopped"),
    "calls": _l("Koi-koi calls"),
    "points": _l("Claimed card points"),
    "yaku": _l("Claimed yaku"),
    "scores": _l("Claimed scores"),
    "adjust": _l("Adjustment"),
    "round": _l("The round"),
    "players": _l("Players"),
    "sides": _l("Sides"),
    "options": _l("Options"),
    "match": _l("Match"),
    "event": _l("Event"),
    "claims": _l("Claims of the record"),
}
"""What differs between two sheets."""

CHANGED = {
    "verdict": _l("verdict"),
    "level": _l("level"),
    "end": _l("end"),
    "winner": _l("winner"),
    "next_dealer": _l("next dealer"),
    "points": _l("card points"),
    "yaku": _l("yaku"),
    "scores": _l("score"),
    "totals": _l("total"),
    "findings": _l("findings"),
}
"""What differs between two reports."""


def about(round: int | None, claim: str) -> str:
    """What a dispute is about, in a few words."""
    return _("Round %(number)s: %(claim)s", number=round, claim=CLAIMS[claim]) if round else _("Record: %(claim)s", claim=CLAIMS[claim])


def difference(each: Json) -> str:
    """What of a sheet differs."""
    if each["at"] == "notes":
        return _("Note on action %(number)s", number=each["action"]) if each["action"] else _("Note on the deal")
    if each["action"] is not None:
        return _("Action %(number)s", number=each["action"])
    return str(AT.get(each["what"], each["what"]))


def on_sheet(what: str, said: Any, record: Record) -> str:
    """What one of two sheets says of something in which they differ: seats and sides by the names of their players."""
    if what in ("dealer", "stopped") and said is not None:
        return words.seat_name(record.players, said)
    if what == "claims" and said is not None:
        named = dict(said)
        if "winner" in named:
            named["winner"] = words.side_name(record.players, record.sides, named["winner"])
        return "; ".join(f"{CHANGED[key]}: {value(each)}" for key, each in named.items())
    return value(said)


def value(said: Any) -> str:
    """What a sheet says, in words: a list, options, an action."""
    if said is None:
        return "–"
    if isinstance(said, Mapping):
        return ", ".join(f"{key}: {value(each)}" for key, each in said.items())
    if isinstance(said, list) and any(isinstance(each, list | Mapping) for each in said):
        return " | ".join(value(each) for each in said)
    return words.several(said)


def option(chosen: Any) -> str:
    """An option's value as a record writes it."""
    return option_word(chosen)
