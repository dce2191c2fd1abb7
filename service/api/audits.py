"""Audits of records that are not kept."""

from flask import Response
from flask_smorest import Blueprint

from service.api.calls import RECORD_BODY, Answer, call, desk, json_answer, record_body
from service.api.schemas import Report

blueprint = Blueprint("audits", __name__, description="Audits without a trace")


@call(
    blueprint,
    "/audits",
    method="POST",
    body=RECORD_BODY,
    answers=[(200, Answer("The report", Report))],
    refuses=[413, 415, 422],
)
def audit() -> Response:
    """Audit a record

    The same audit as for a record that is sent to be kept; nothing is stored.
    """
    return json_answer(desk().audit(*record_body()))
