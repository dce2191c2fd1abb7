"""Disputes, rulings, standings, and a case as one file."""

from collections.abc import Mapping
from typing import Any, NoReturn

import marshmallow as ma
import orjson
from apispec import APISpec
from flask import Response, current_app, request, url_for
from flask_smorest import Blueprint, abort

from service.acts import written
from service.api.calls import Answer, call, json_answer, refuse
from service.api.dispute_schemas import (
    SENT,
    DisputeItem,
    DisputeList,
    Effect,
    NewAnswer,
    NewDispute,
    NewRuling,
    PlayerStandings,
    PreviewQuery,
    Standings,
    StandingsQuery,
)
from service.api.records import missing
from service.api.schemas import filters_of
from service.rows import JSON
from web.cases import Actor, Dispute, Refusal, Ruling, Statement, cases

blueprint = Blueprint("disputes", __name__, description="Disputes, rulings and standings")

ZIP = "application/zip"
_RECORD = "/records/<id>"
_DISPUTE = f"{_RECORD}/disputes/<int:number>"
_RULED = {"oneOf": [{"$ref": "#/components/schemas/DisputeItem"}, {"$ref": "#/components/schemas/Effect"}]}
_LOCATION = {"Location": {"description": "The dispute's address", "schema": {"type": "string", "format": "uri-reference"}}}
_NO_DISPUTE = "There is no such record, or no such dispute of it."


def register_schemas(spec: APISpec) -> None:
    """Puts the schemas that calls here name into the OpenAPI document."""
    for schema in (*SENT, DisputeItem, Effect):
        spec.components.schema(schema.__name__, schema=schema)


def _body(schema: str, text: str) -> Mapping[str, Any]:
    """What OpenAPI says of a body."""
    return {"required": True, "description": text, "content": {JSON: {"schema": {"$ref": f"#/components/schemas/{schema}"}}}}


@call(
    blueprint,
    f"{_RECORD}/disputes",
    method="POST",
    body=_body("NewDispute", "Who disputes what"),
    answers=[(201, Answer("Opened", DisputeItem, headers=_LOCATION))],
    refuses=[404, 413, 415, 422],
)
def open_dispute(id: str) -> Response:
    """Open a dispute

    A player or a director disputes a claim of a round, or of the record as a whole, with a statement. The report stays as it is.
    """
    sent = sent_as(NewDispute())
    dispute = _done(lambda: cases().open(id, _actor(sent), sent["round"], sent["claim"], sent["statement"]))
    return json_answer(shown(dispute), 201, {"Location": url_for("disputes.fetch", id=id, number=dispute.number)})


@call(blueprint, f"{_RECORD}/disputes", answers=[(200, Answer("All of them, by number", DisputeList))], refuses=[404])
def listing(id: str) -> Response:
    """List the disputes of a record"""
    found = _done(lambda: cases().disputes(id))
    return json_answer({"items": [shown(dispute) for dispute in found], "next": None})


@call(blueprint, _DISPUTE, answers=[(200, Answer("The dispute", DisputeItem))], refuses=[404])
def fetch(id: str, number: int) -> Response:
    """Fetch a dispute

    With every statement and every version of its ruling; the last one is in force.
    """
    found = [dispute for dispute in _done(lambda: cases().disputes(id)) if dispute.number == number]
    if not found:
        missing(_NO_DISPUTE)
    return json_answer(shown(found[0]))


@call(
    blueprint,
    f"{_DISPUTE}/answers",
    method="POST",
    body=_body("NewAnswer", "Who says what"),
    answers=[(201, Answer("Added: the dispute", DisputeItem, headers=_LOCATION))],
    refuses=[404, 413, 415, 422],
)
def answer(id: str, number: int) -> Response:
    """Answer in a dispute"""
    sent = sent_as(NewAnswer())
    dispute = _done(lambda: cases().answer(id, number, _actor(sent), sent["statement"]))
    return json_answer(shown(dispute), 201, {"Location": url_for("disputes.fetch", id=id, number=number)})


@call(
    blueprint,
    _DISPUTE,
    method="PATCH",
    query=PreviewQuery,
    body=_body("NewRuling", "Who rules what, why, by which rules, under which options"),
    answers=[(200, Answer("The dispute with the new version of its ruling; with `preview` what it would change", _RULED))],
    refuses=[404, 413, 415, 422],
)
def rule(query: dict[str, Any], id: str, number: int) -> Response:
    """Rule on a dispute

    Adds a version; nothing is written over. With `preview=1` nothing is stored, and the answer says what the ruling would change: scores,
    totals, the winner, later dealers, worked out by the engine.
    """
    sent = sent_as(NewRuling())
    if query["preview"]:
        return json_answer(Effect().dump(_done(lambda: cases().preview(id, number, _actor(sent), sent))))
    return json_answer(shown(_done(lambda: cases().rule(id, number, _actor(sent), sent))))


@call(blueprint, f"{_RECORD}/standings", answers=[(200, Answer("Both", Standings))], refuses=[404])
def standings(id: str) -> Response:
    """Fetch a match under the report and under the rulings"""
    found = _done(lambda: cases().standings(id))
    by, of = found["replaced_by"], found["replaces"]
    return json_answer(found | {"replaced_by": by and f"sha256:{by}", "replaces": [f"sha256:{each}" for each in of]})


@call(blueprint, "/standings", query=StandingsQuery, answers=[(200, Answer("Players, best first", PlayerStandings))], refuses=[422])
def event_standings(query: dict[str, Any]) -> Response:
    """Fetch the standings of an event

    By player, the totals of all records that the filters leave, under reports and under rulings. A record that takes the place of another
    counts once, under the rulings.
    """
    return json_answer({"items": cases().event_standings(filters_of(query)), "next": None})


@call(blueprint, f"{_RECORD}/case.zip", answers=[(200, Answer("The case", {"type": "string", "format": "binary"}, ZIP))], refuses=[404])
def case(id: str) -> Response:
    """Download a case

    Record as sent, normalised, report, rulings and log in one zip, which `hanafu verify` checks without a server.
    """
    content = _done(lambda: cases().case(id))
    name = f"hanafu-case-{id[-64:-52].lower()}.zip"
    return Response(content, content_type=ZIP, headers={"Content-Disposition": f"attachment; filename={name}"})


def shown(dispute: Dispute) -> dict[str, Any]:
    """A dispute as JSON."""
    return {
        "number": dispute.number,
        "round": dispute.round,
        "claim": dispute.claim,
        "opened": _said(dispute.opened),
        "answers": [_said(each) for each in dispute.answers],
        "rulings": [_ruled(each) for each in dispute.rulings],
    }


def _said(statement: Statement) -> dict[str, Any]:
    return {"by": _by(statement.by), "at": written(statement.at), "text": statement.text}


def _ruled(ruling: Ruling) -> dict[str, Any]:
    return {
        "version": ruling.version,
        "by": _by(ruling.by),
        "at": written(ruling.at),
        "outcome": ruling.outcome,
        "reasons": ruling.reasons,
        "rules": list(ruling.rules),
        "options": dict(ruling.options),
        "scores": None if ruling.scores is None else list(ruling.scores),
        "record": ruling.record and f"sha256:{ruling.record}",
    }


def _by(actor: Actor) -> dict[str, Any]:
    return {"name": actor.name, "role": actor.role, "verified": actor.verified}


def _actor(sent: Mapping[str, Any]) -> Actor:
    return Actor(sent["name"], sent["role"])


def sent_as(schema: ma.Schema) -> dict[str, Any]:
    """The body, as the schema has it. Refuses with 415 what is no JSON by its type, with 422 and every fault what does not fit."""
    if request.mimetype != JSON:
        refuse(415, f"This comes as {JSON}.", headers={"Accept-Post": JSON})
    request.max_content_length = current_app.config["MAX_RECORD"]
    try:
        sent = orjson.loads(request.get_data(cache=False))
    except orjson.JSONDecodeError as error:
        _unfit({"": f"This is no JSON: {error}"})
    if not isinstance(sent, dict):
        _unfit({"": "Expected a JSON object."})
    try:
        loaded: dict[str, Any] = schema.load(sent)
        return loaded
    except ma.ValidationError as error:
        _unfit(error.messages_dict)


def _unfit(faults: Mapping[str, Any]) -> NoReturn:
    abort(422, message="What was sent does not fit. Nothing was stored.", messages=dict(faults))
    raise AssertionError("abort does not return")


def _done(act: Any) -> Any:
    """What an act gives; 404 for what is not there, 422 with every fault for what cannot be done."""
    try:
        return act()
    except KeyError:
        missing(_NO_DISPUTE)
    except Refusal as refusal:
        _unfit(refusal.faults)
