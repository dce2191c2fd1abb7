"""The dashboard: one bar of filters, in the address, for all charts; each chart an HTML table first, a figure over it.

The dashboard itself asks for no chart: each has a page of its own, and a script fetches the card out of it as it comes into view.
"""

import csv
import io
from typing import Any

from flask import Response, abort, render_template, request, url_for

from analysis import statistics
from analysis.figures import figure
from web import captions
from web.cells import shielded
from web.contexts import Json, Numbers, desk
from web.language import _, separators, told
from web.pages import blueprint
from web.pages.shelf import chips, filter_labels, filters_of
from web.rulebook import describe, list_variants

FILTERS = ("variant", "player", "opponent", "options", "verdict", "event", "from", "to")
MORE = 5
"""Seconds for which more of a sample is taken in, where a visitor asks for more."""
LONGEST_TABLE = 200
"""Rows of a table on the page; the CSV has all."""


def _filters() -> dict[str, Any]:
    found = {name: value for name, value in filters_of(request.args).items() if name in FILTERS}
    return found | ({"role": role} if (role := request.args.get("role", "").strip()) else {})


def _fullest() -> str | None:
    """The game with the most records, None where there are none."""
    counts = {each["id"]: desk().count({"variant": each["id"]}) for each in list_variants()}
    best = max(counts, key=lambda id: counts[id])
    return best if counts[best] else None


def _of_one_game() -> dict[str, Any]:
    """The filters, with the game with the most records where none is named: scores of several are not comparable."""
    filters = _filters()
    chosen = filters.get("variant") or _fullest()
    return ({"variant": chosen} if chosen else {}) | filters


@blueprint.get("/dashboard")
def dashboard() -> str:
    """Which charts there are, for one game; without one in the address, for that with the most records."""
    filters = _of_one_game()
    chosen = filters.get("variant")
    try:
        records = desk().count({name: value for name, value in filters.items() if name != "role"}) if chosen else 0
    except ValueError as error:
        abort(400, told(str(error)))
    variants = list_variants()
    names = {each["id"]: each["name"] for each in variants}
    return render_template(
        "dashboard.html",
        charts=[(name, captions.ABOUT[name], url_for("pages.chart", chart=name, **filters)) for name in statistics.CHARTS if records],
        count=captions.counted("records", records),
        filters=filters,
        chips=chips({k: v for k, v in filters.items() if k != "variant"}, "pages.dashboard", {"variant": chosen or ""}),
        labels=filter_labels(),
        variants=variants,
        game=names.get(chosen or "", chosen),
        options=describe(chosen)["options"] if chosen and chosen in names else [],
    )


@blueprint.get("/dashboard/<chart>")
def chart(chart: str) -> str:
    """One chart: as a page, or with ``part`` in the address as the card alone. ``more`` takes in more of a sample."""
    filters = _of_one_game()
    if "variant" not in filters:
        abort(404, _("There are no records to make charts of."))
    names = {each["id"]: each["name"] for each in list_variants()}
    if filters["variant"] not in names:
        abort(404, _("There is no game called %(name)s.", name=filters["variant"]))
    card = _card(chart, filters, _numbers(chart, filters, MORE if request.args.get("more") else 0))
    template = "_chart.html" if request.args.get("part") else "chart.html"
    back = url_for("pages.dashboard", **filters, _anchor=chart)
    others = {name: value for name, value in filters.items() if name != "variant"}
    removable = chips(others, "pages.chart", {"chart": chart, "variant": filters["variant"]})
    return render_template(template, card=card, back=back, game=names[filters["variant"]], chips=removable)


@blueprint.get("/dashboard/<chart>.csv")
def chart_csv(chart: str) -> Response:
    """The rows behind a chart."""
    numbers = _numbers(chart, _filters())
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(numbers.columns)
    writer.writerows([shielded(cell) for cell in row] for row in numbers.rows)
    return Response(out.getvalue(), mimetype="text/csv", headers={"Content-Disposition": f'attachment; filename="hanafu-{chart}.csv"'})


def _numbers(chart: str, filters: dict[str, Any], seconds: float = 0) -> Numbers:
    if chart not in statistics.CHARTS:
        abort(404, _("There is no chart called %(name)s.", name=chart))
    try:
        return desk().stats(chart, filters, seconds)
    except ValueError as error:
        abort(400, told(str(error)))


def _card(name: str, filters: dict[str, Any], numbers: Numbers) -> Json:
    rows = [dict(zip(numbers.columns, row, strict=True)) for row in numbers.rows]
    count = statistics.count(name, rows)
    words = captions.figure_words(filters["variant"])
    drawn = figure(name, rows, words) if rows else None
    if drawn:
        drawn["layout"]["separators"] = separators()
        if drawn["layout"]["xaxis"].get("type") == "date":
            drawn["layout"]["xaxis"]["tickformat"] = "%Y-%m-%d"
    sample = numbers.sample
    return {
        "id": name,
        "headline": captions.headline(*statistics.headline(name, rows), variant=filters["variant"]),
        "about": captions.ABOUT[name],
        "count": captions.counted(statistics.CHARTS[name].unit, count),
        "few": count < statistics.FEW,
        "columns": [(column, captions.COLUMNS.get(column, column)) for column in numbers.columns if column != "record"],
        "rows": rows,
        "most": LONGEST_TABLE,
        "links": [_link(row, filters) for row in rows],
        "shown": captions.shown(variant=filters["variant"]),
        "sample": None if sample is None else captions.sampled(sample),
        "more": url_for("pages.chart", chart=name, more=1, **filters) if sample is not None and sample.audited < sample.picked else None,
        "sql": numbers.sql,
        "parameters": list(numbers.parameters.values()),
        "figure": drawn,
        "csv": url_for("pages.chart_csv", chart=name, **filters),
    }


def _link(row: Json, filters: dict[str, Any]) -> Any:
    """Where a row leads: to the round it is, to the rule it is about, or to the records behind it."""
    if row.get("record"):
        return url_for("pages.audit", id=row["record"], _anchor=f"round-{row['round']}")
    if row.get("option"):
        return url_for("pages.rule", variant=filters["variant"], _anchor=f"option-{row['option']}")
    leads = (("player", "player"), ("yaku", "yaku"), ("finding", "code"), ("dispute", "claim"))
    more = {name: row[column] for name, column in leads if column in row}
    if "day" in row:
        more |= {"from": row["day"], "to": row["day"]}
    return url_for("pages.records", **{name: value for name, value in (filters | more).items() if name != "role"})
