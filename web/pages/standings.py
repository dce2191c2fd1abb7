"""Standings of an event under reports and under rulings; records whose verdict another engine changed."""

from flask import abort, render_template, request

from web.cases import cases
from web.contexts import Json
from web.language import _, told
from web.pages import blueprint
from web.pages.shelf import chips, filter_labels, filters_of
from web.rulebook import list_variants


@blueprint.get("/standings")
def event_standings() -> str:
    """By player, the totals of all records that the filters in the address leave."""
    filters = filters_of(request.args)
    try:
        lines = cases().event_standings(filters)
    except ValueError as error:
        abort(400, told(str(error)))
    return render_template(
        "standings.html",
        lines=_placed(lines),
        filters=filters,
        labels=filter_labels(),
        variants=list_variants(),
        chips=chips(filters, "pages.event_standings"),
        title=_("Standings of %(event)s", event=filters["event"]) if "event" in filters else _("Standings"),
    )


def _placed(lines: list[Json]) -> list[Json]:
    """The lines, best first, each with its place under the rulings: equal totals share one, an unknown total has none."""
    totals = [line["rulings"] for line in lines]
    return [line | {"place": None if total is None else totals.index(total) + 1} for line, total in zip(lines, totals, strict=True)]


@blueprint.get("/changed")
def changed() -> str:
    """All records whose verdict another engine changed."""
    return render_template("changed.html", changes=cases().changed())
