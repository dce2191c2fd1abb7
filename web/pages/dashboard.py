"""The dashboard: one bar of filters, in the address, for all charts; each chart an HTML table first, a figure over it."""

import csv
import io
from typing import Any

from flask import Response, abort, render_template, request, url_for

from analysis import statistics
from analysis.figures import figure
from web import captions
from web.cells import shielded
from web.contexts import Json, desk
from web.language import _, separators, told
from web.pages import blueprint
from web.pages.shelf import chips, filter_labels, filters_of
from web.rulebook import describe, list_variants

FILTERS = ("variant", "player", "opponent", "options", "verdict", "event", "from", "to")


def _filters() -> dict[str, Any]:
    found = {name: value for name, value in filters_of(request.args).items() if name in FILTERS}
    return found | ({"role": role} if (role := request.args.get("role", "").strip()) else {})


def _fullest() -> str | None:
    """The game with the most records, None where there are none."""
    counts = {each["id"]: desk().count({"variant": each["id"]}) for each in list_variants()}
    best = max(counts, key=lambda id: counts[id])
    return best if counts[best] else None


@blueprint.get("/dashboard")
def dashboard() -> str:
    """All charts for one game; without one in the address, for that with the most records."""
    filters = _filters()
    chosen = filters.get("variant") or _fullest()
    filters = ({"variant": chosen} if chosen else {}) | filters
    try:
        cards = [_card(name, filters) for name in statistics.CHARTS] if chosen else []
    except ValueError as error:
        abort(400, told(str(error)))
    return render_template(
        "dashboard.html",
        cards=[card for card in cards if card["rows"]],
        empty=[card for card in cards if not card["rows"]],
        filters=filters,
        chips=chips({k: v for k, v in filters.items() if k != "variant"}, "pages.dashboard", {"variant": chosen or ""}),
        labels=filter_labels(),
        variants=list_variants(),
        options=describe(chosen)["options"] if chosen and chosen in {each["id"] for each in list_variants()} else [],
    )


@blueprint.get("/dashboard/<chart>.csv")
def chart_csv(chart: str) -> Response:
    """The rows behind a chart."""
    if chart not in statistics.CHARTS:
        abort(404, _("There is no chart called %(name)s.", name=chart))
    try:
        numbers = desk().stats(chart, _filters())
    except ValueError as error:
        abort(400, told(str(error)))
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(numbers.columns)
    writer.writerows([shielded(cell) for cell in row] for row in numbers.rows)
    return Response(out.getvalue(), mimetype="text/csv", headers={"Content-Disposition": f'attachment; filename="hanafu-{chart}.csv"'})


def _card(name: str, filters: dict[str, Any]) -> Json:
    numbers = desk().stats(name, filters)
    rows = [dict(zip(numbers.columns, row, strict=True)) for row in numbers.rows]
    count = statistics.count(name, rows)
    words = captions.figure_words(filters["variant"])
    drawn = figure(name, rows, words) if rows else None
    if drawn:
        drawn["layout"]["separators"] = separators()
        if drawn["layout"]["xaxis"].get("type") == "date":
            drawn["layout"]["xaxis"]["tickformat"] = "%Y-%m-%d"
    return {
        "id": name,
        "headline": captions.headline(*statistics.headline(name, rows), variant=filters["variant"]),
        "about": captions.ABOUT[name],
        "count": captions.counted(statistics.CHARTS[name].unit, count),
        "few": count < statistics.FEW,
        "columns": [(column, captions.COLUMNS.get(column, column)) for column in numbers.columns if column != "record"],
        "rows": rows,
        "links": [_link(row, filters) for row in rows],
        "shown": captions.shown(variant=filters["variant"]),
        "sql": numbers.sql,
        "parameters": list(numbers.parameters.values()),
        "figure": drawn,
        "csv": url_for("pages.chart_csv", chart=name, **filters),
    }


def _link(row: Json, filters: dict[str, Any]) -> Any:
    """Where a row leads: to the round it is, or to the records behind it."""
    if row.get("record"):
        return url_for("pages.audit", id=row["record"], _anchor=f"round-{row['round']}")
    leads = (("player", "player"), ("yaku", "yaku"), ("finding", "code"), ("dispute", "claim"))
    more = {name: row[column] for name, column in leads if column in row}
    if "day" in row:
        more |= {"from": row["day"], "to": row["day"]}
    return url_for("pages.records", **{name: value for name, value in (filters | more).items() if name != "role"})
