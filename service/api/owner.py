"""What only the store's owner may ask: whoever can read the token in the note beside the store."""

import hmac

from flask import Response, current_app, request
from flask_smorest import Blueprint

from service.api.calls import Answer, call, desk, refuse
from service.api.exports import pieces
from service.exports import backup

blueprint = Blueprint("owner", __name__, description="For the store's owner")

DUCKDB = "application/vnd.duckdb"


@call(
    blueprint,
    "/backups",
    method="POST",
    answers=[(200, Answer("The store", {"type": "string", "format": "binary"}, content_type=DUCKDB))],
    refuses=[401],
)
def copy() -> Response:
    """Copy the store

    As it is at this moment; others go on reading and writing. `hanafu backup` asks this with the owner's token.
    """
    owner_only()
    path = backup(desk().store)
    size = path.stat().st_size
    answer = Response(pieces(path), content_type=DUCKDB)
    answer.content_length = size
    return answer


def owner_only() -> None:
    """Refuses whoever does not bring the owner's token."""
    token = current_app.extensions.get("hanafu-owner")
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not token or not hmac.compare_digest(token.encode(), given.encode()):
        refuse(401, "Only the store's owner may ask this.", headers={"WWW-Authenticate": "Bearer"})
