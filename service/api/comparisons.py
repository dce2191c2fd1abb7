"""Two sheets of one game, and what another engine changed."""

from typing import Any

from flask import Response, request
from flask_smorest import Blueprint

from analysis.compare import NotOneGame, compare
from service.acts import written
from service.api.calls import Answer, call, desk, json_answer, refuse
from service.api.dispute_schemas import ChangeList, CompareQuery, ReauditAnswer, ReauditQuery
from service.api.owner import owner_only
from service.api.records import missing
from service.reaudits import reaudit
from web.cases import cases

blueprint = Blueprint("comparisons", __name__, description="Two sheets of one game; reports that an engine changed")


@call(
    blueprint,
    "/compare",
    query=CompareQuery,
    answers=[(200, Answer("Both, side by side", {"type": "object"}))],
    refuses=[404, 422],
)
def two(query: dict[str, Any]) -> Response:
    """Compare two sheets of one game

    Where they differ first, everything else that differs, what follows from each, and which of the two is lawful.
    """
    a, b = (desk().record(query[name]) for name in "ab")
    if a is None or b is None:
        missing(f"There is no record {query['a'] if a is None else query['b']}.")
    try:
        return json_answer(compare(a.record, b.record, (a.report, b.report)))
    except NotOneGame as error:
        refuse(422, f"These are no two sheets of one game: {error}.", parameter="b")


@call(blueprint, "/changed", answers=[(200, Answer("The latest first", ChangeList))])
def changed() -> Response:
    """List the records whose verdict another engine changed"""
    items = [
        {
            "id": f"sha256:{change.id}",
            "at": written(change.at),
            "engine_before": change.engine_before,
            "engine": change.engine,
            "verdict_before": change.verdict_before,
            "verdict": change.verdict,
            "differences": list(change.differences),
        }
        for change in cases().changed()
    ]
    return json_answer({"items": items, "next": None})


@call(
    blueprint,
    "/reaudits",
    method="POST",
    query=ReauditQuery,
    answers=[(200, Answer("How far it has got", ReauditAnswer))],
    refuses=[401, 422],
)
def again(query: dict[str, Any]) -> Response:
    """Audit anew what another engine judged

    Some hundred records a call, for the store's owner: `hanafu reaudit` asks this until `next` is null. Old reports stay.
    """
    owner_only()
    request.get_data(cache=False)
    done = reaudit(desk().store, query["cursor"])
    return json_answer({"audited": done.audited, "changed": done.changed, "next": done.next})
