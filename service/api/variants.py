"""The games as data."""

from flask import Response
from flask_smorest import Blueprint

from service.api.calls import Answer, call, desk, json_answer, refuse
from service.api.schemas import Variant, VariantList

blueprint = Blueprint("variants", __name__, description="The rules as data")


@call(blueprint, "/variants", answers=[(200, Answer("The games", VariantList))])
def listing() -> Response:
    """List the games"""
    return json_answer({"items": desk().variants(), "next": None})


@call(blueprint, "/variants/<id>", answers=[(200, Answer("The game", Variant))], refuses=[404])
def fetch(id: str) -> Response:
    """Fetch a game

    Its cards with their values, its yaku, its options with the source of each value, and every point of its rules with its id: the data
    that the engine runs on.
    """
    try:
        return json_answer(desk().variant(id))
    except KeyError:
        refuse(404, f"There is no game of this id; there are {', '.join(v['id'] for v in desk().variants())}.")
