"""The numbers behind each chart."""

from dataclasses import asdict
from typing import Any

from flask import Response
from flask_smorest import Blueprint

from analysis.statistics import CHARTS, count
from service.api.calls import Answer, call, desk, json_answer, refuse
from service.api.schemas import Numbers, NumbersList, StatsQuery, filters_of

blueprint = Blueprint("stats", __name__, description="Numbers over many records")


@call(blueprint, "/stats", answers=[(200, Answer("What there is", NumbersList))])
def listing() -> Response:
    """List the statistics"""
    return json_answer({"items": [{"id": chart.id, "unit": chart.unit} for chart in CHARTS.values()], "next": None})


@call(blueprint, "/stats/<name>", query=StatsQuery, answers=[(200, Answer("The numbers", Numbers))], refuses=[404, 422])
def fetch(query: dict[str, Any], name: str) -> Response:
    """Fetch a statistic

    The rows behind a chart, how many observations they rest on, and the query that made them. Scores of different games are not
    comparable: ask about one variant at a time. `options` has no such query: a sample of the records is played again under other options,
    as far as it comes in half a second, and `seconds` further where it is asked for.
    """
    if name not in CHARTS:
        refuse(404, f"There are {', '.join(CHARTS)}.")
    found = desk().stats(name, filters_of(query) | {"role": query.get("role", "")}, query["seconds"])
    rows = [dict(zip(found.columns, row, strict=True)) for row in found.rows]
    return json_answer(
        {
            "id": name,
            "unit": CHARTS[name].unit,
            "n": count(name, rows),
            "columns": found.columns,
            "rows": found.rows,
            "sql": found.sql,
            "parameters": found.parameters,
            "sample": None if found.sample is None else asdict(found.sample),
        }
    )
