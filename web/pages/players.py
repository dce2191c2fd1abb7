"""Players: who is in the records, and what there is of each. Names are those by which players are shown."""

from flask import abort, render_template

from web import captions
from web.contexts import desk
from web.language import _
from web.pages import blueprint
from web.rulebook import list_variants
from web.sentences import yaku_names

LATEST = 10
"""Records on a player's page."""


@blueprint.get("/players")
def players() -> str:
    """All players, those with the most records first."""
    return render_template("players.html", lines=desk().players())


@blueprint.get("/players/<path:name>")
def player(name: str) -> str:
    """Results by game and role, yaku made, the latest records."""
    total = desk().count({"player": name})
    if not total:
        abort(404, _("There is no player called %(name)s.", name=name))
    page = desk().records({"player": name}, "-sent", None, LATEST)
    shown = next(each for row in page.items for each in row.players if each.lower() == name.lower())
    results, yaku = desk().player(name)
    names = {each["id"]: each for each in list_variants()}
    return render_template(
        "player.html",
        name=shown,
        total=total,
        page=page,
        names=names,
        results=results,
        games=[(id, names[id]["name"], [row for row in yaku if row["variant"] == id], yaku_names(id)) for id in names],
        columns=captions.COLUMNS,
        shown=captions.shown(next(iter(names))),
    )
