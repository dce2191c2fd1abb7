"""What may come next in a game that is being written down."""

from typing import Any

import marshmallow as ma
from flask import Response
from flask_smorest import Blueprint
from marshmallow import fields, validate

from analysis.hints import hints
from records.formats import read_record
from service.api.calls import RECORD_BODY, Answer, call, json_answer, record_body, refuse

blueprint = Blueprint("hints", __name__, description="What may come next in a game that is being written down")

LONGEST_TURN = 200


class HintsQuery(ma.Schema):
    """Where in the record the question stands."""

    round = fields.Integer(validate=validate.Range(min=1), metadata={"description": "Which round, from 1; the last one by itself"})
    turn = fields.String(
        load_default="",
        validate=validate.Length(max=LONGEST_TURN),
        metadata={"description": "The turn that is only begun: a seat (`4:`), or its first card and what that takes (`3Bx3C`)"},
    )


@call(
    blueprint,
    "/hints",
    method="POST",
    query=HintsQuery,
    body=RECORD_BODY,
    answers=[(200, Answer("What may come next", {"type": "object"}))],
    refuses=[413, 415, 422],
)
def ask(query: dict[str, Any]) -> Response:
    """Ask what may come next

    The record is one that is still being written: the deal as far as it is known, the actions so far. The answer says whose turn it is,
    which captures each card may lawfully make, whether a call is due, points and yaku so far, and every fault. Nothing is stored.
    """
    record = read_record(record_body()[0])
    try:
        return json_answer(hints(record, query.get("round"), query["turn"]))
    except IndexError:
        refuse(422, f"The record has rounds 1 to {len(record.rounds)}.", parameter="round")
