"""Which device writes a game down at the moment: what the recorder's page asks, so that a second device is told."""

from typing import Any

import marshmallow as ma
from apispec import APISpec
from flask import Response, current_app
from flask_smorest import Blueprint
from marshmallow import fields, validate

from service.acts import written
from service.api.calls import Answer, call, json_answer
from service.api.disputes import sent_as
from service.api.people import Truth
from service.api.records import missing
from service.desk import now
from service.presences import LONGEST, Presence, Presences
from service.rows import JSON

blueprint = Blueprint("presence", __name__, description="Which device writes a game down at the moment")

_NUMBER = r"\A[0-9a-f]{32}\Z"
_DEVICE = "A number that the device made up for itself"


class PresenceQuery(ma.Schema):
    """Which device asks."""

    device = fields.String(required=True, validate=validate.Regexp(_NUMBER), metadata={"description": _DEVICE})


class Beat(ma.Schema):
    """What a device says of the game that it writes."""

    device = fields.String(required=True, validate=validate.Regexp(_NUMBER), metadata={"description": _DEVICE})
    label = fields.String(load_default="", validate=validate.Length(max=40), metadata={"description": "What kind of device it is"})
    take = Truth(load_default=False, metadata={"description": "From another device that has it open"})
    sheet = fields.String(
        load_default=None,
        allow_none=True,
        validate=validate.Length(max=LONGEST),
        metadata={"description": "The game as it stands, sealed: the server has no key. Without one the last sheet stays"},
    )


class Presenced(ma.Schema):
    """Who writes a game."""

    mine = Truth(required=True, metadata={"description": "The device that asks writes it"})
    held = Truth(required=True, metadata={"description": "Some device has it open"})
    label = fields.String(required=True, allow_none=True, metadata={"description": "What kind of device"})
    since = fields.String(required=True, allow_none=True, metadata={"description": "From when on"})
    quiet = Truth(required=True, metadata={"description": "It has said nothing for a while"})
    sheet = fields.String(required=True, allow_none=True, metadata={"description": "Sealed, where another device sent it last"})


def register_schemas(spec: APISpec) -> None:
    """Puts the schema that a call here names into the OpenAPI document."""
    spec.components.schema("Beat", schema=Beat)


@call(
    blueprint,
    "/games/<key>/presence",
    query=PresenceQuery,
    answers=[(200, Answer("Who writes it", Presenced))],
    refuses=[401, 403, 404, 422],
)
def who(query: dict[str, Any], key: str) -> Response:
    """Ask who writes a game down

    Nothing changes by asking.
    """
    return json_answer(_told(_presences().see(_name(key), now()), query["device"]))


@call(
    blueprint,
    "/games/<key>/presence",
    method="PUT",
    body={
        "required": True,
        "description": "Which device, and how the game stands",
        "content": {JSON: {"schema": {"$ref": "#/components/schemas/Beat"}}},
    },
    answers=[(200, Answer("Who writes it now", Presenced))],
    refuses=[401, 403, 404, 413, 415, 422],
)
def hold(key: str) -> Response:
    """Say that one writes a game down

    Said again every few seconds. Where another device has the game open it stays that one's, unless it is taken over.
    """
    sent = sent_as(Beat())
    held = _presences().hold(_name(key), sent["device"], sent["label"], sent["sheet"], sent["take"], now())
    return json_answer(_told(held, sent["device"]))


@call(
    blueprint,
    "/games/<key>/presence",
    method="DELETE",
    query=PresenceQuery,
    answers=[(204, Answer("Closed"))],
    refuses=[401, 403, 404, 422],
)
def leave(query: dict[str, Any], key: str) -> Response:
    """Say that one has closed a game"""
    _presences().leave(_name(key), query["device"], now())
    return Response(status=204)


def _name(key: str) -> str:
    """A game's name, as its recorder made it up. 404 for what is no such name."""
    if len(key) > 64:
        missing("There is no such game.")
    return key


def _told(known: Presence | None, device: str) -> dict[str, Any]:
    if known is None:
        return {"mine": False, "held": False, "label": None, "since": None, "quiet": False, "sheet": None}
    return {
        "mine": known.held and known.device == device,
        "held": known.held,
        "label": known.label,
        "since": written(known.since),
        "quiet": known.quiet(now()),
        "sheet": known.sheet if known.author != device else None,
    }


def _presences() -> Presences:
    found: Presences = current_app.extensions["hanafu-presences"]
    return found
