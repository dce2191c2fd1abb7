"""One record judged under other house rules by hand, beside its own (AU-5): what would differ."""

from collections.abc import Mapping
from typing import Any

from flask import abort, render_template, request

from web import words
from web.contexts import Json, desk
from web.language import _
from web.pages import blueprint
from web.pages.audit import stored
from web.rulebook import describe
from web.sentences import yaku_names

Values = dict[str, str | bool | int | float]


@blueprint.get("/records/<id>/options")
def trial(id: str) -> str:
    """The options to choose from and, where some are chosen, what they would change."""
    kept = stored(id)
    game = describe(kept.record.variant)
    tried = _chosen(game)
    report = desk().reaudit(kept.id, tried) if tried else kept.report
    record = kept.record
    count = len(record.sides) if record.sides else len(record.players)
    return render_template(
        "trial.html",
        kept=kept,
        game=game,
        holds={**kept.report["options"], **tried},
        sides=[words.side_name(record.players, record.sides, side) for side in range(1, count + 1)],
        tried=tried,
        own=kept.report,
        other=report,
        differences=_differences(kept.report, report),
    )


def _chosen(game: Json) -> Values:
    """The options in the address, values in the type that the game gives them. 400 for one that it does not have."""
    known = {option["id"]: {str(each["value"]).lower(): each["value"] for each in option["values"]} for option in game["options"]}
    asked = {name: written for name, written in request.args.items() if name in known}
    for part in filter(None, request.args.get("options", "").split(",")):
        name, _sign, written = part.partition("=")
        if name not in known:
            abort(400, _("%(game)s has no option %(name)s.", game=game["name"], name=name))
        asked[name] = written
    found: Values = {}
    for name, written in asked.items():
        if written.lower() not in known[name]:
            abort(400, _("The option %(name)s has no value %(value)s.", name=name, value=written))
        found[name] = known[name][written.lower()]
    return found


def _differences(own: Json, other: Json) -> list[dict[str, Any]]:
    """The rounds that two reports of one record tell differently, with what each says."""
    found = []
    names = yaku_names(own["variant"])
    for mine, theirs in zip(own["rounds"], other["rounds"], strict=True):
        told = [_told(each, names) for each in (mine, theirs)]
        if told[0] != told[1]:
            found.append({"round": mine["round"], "own": told[0], "other": told[1]})
    return found


def _told(round: Json, names: Mapping[str, Json]) -> dict[str, Any]:
    yaku = round["yaku"]
    return {
        "verdict": round["verdict"],
        "points": round["points"],
        "yaku": None if yaku is None else [[names[each["id"]]["name"] for each in side if not each["negated"]] for side in yaku],
        "scores": round["scores"],
        "findings": len(round["findings"]),
    }
