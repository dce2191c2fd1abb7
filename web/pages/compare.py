"""Two sheets of one game, laid side by side."""

from typing import Any

from flask import abort, render_template, request, url_for

from analysis.compare import NotOneGame, compare
from web import language, sentences, words
from web.contexts import Json, StoredRecord
from web.language import _, told
from web.pages import blueprint
from web.pages.audit import stored


@blueprint.get("/compare")
def compare_sheets() -> str:
    """Both sheets; without two ids in the address, the form that asks for them."""
    asked = {name: request.args.get(name, "").strip() for name in "ab"}
    if not all(asked.values()):
        return render_template("compare.html", asked=asked, compared=None)
    kept = {name: stored(id) for name, id in asked.items()}
    try:
        compared = compare(kept["a"].record, kept["b"].record, (kept["a"].report, kept["b"].report))
    except NotOneGame as error:
        abort(400, _("These are no two sheets of one game: %(why)s.", why=told(str(error))))
    first = compared["first"]
    return render_template(
        "compare.html",
        asked=asked,
        kept=kept,
        compared=compared,
        first=first,
        follows=_follows(kept, first),
        sides={name: _sides(each) for name, each in kept.items()},
        yaku=sentences.yaku_names(compared["variant"]),
        title=sentences.finding_title,
    )


def _sides(kept: StoredRecord) -> list[str]:
    count = len(kept.record.sides) if kept.record.sides else len(kept.record.players)
    return [words.side_name(kept.record.players, kept.record.sides, side) for side in range(1, count + 1)]


def _follows(kept: dict[str, StoredRecord], first: Json | None) -> dict[str, Any]:
    """By sheet: what happened at the action where they part, in words, and the way to its step."""
    told: dict[str, Any] = {}
    for name, after in ((first or {}).get("follows") or {}).items():
        if after is None or first is None:
            continue
        record = kept[name].record
        tell = sentences.Teller(record.variant, record.players)
        told[name] = {
            "says": language.text_of(text for event in after["events"] if (text := tell.event(event))),
            "address": url_for("pages.replay", id=kept[name].id, round=first["round"], step=after["step"]),
            "field": after["field"].split(),
            "piles": [
                {"name": words.seat_name(record.players, seat), "cards": pile.split()} for seat, pile in enumerate(after["piles"], start=1)
            ],
            "findings": after["findings"],
        }
    return told
