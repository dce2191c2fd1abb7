"""How a call of the API is declared: its address, what it takes, what it answers and what it refuses, in one place, with types.

flask-smorest's decorators are untyped; everything of theirs that a view needs goes through `call`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from http import HTTPStatus
from typing import Any, NoReturn, TypeVar, cast

import marshmallow as ma
from flask import Response, current_app, request
from flask_smorest import Blueprint, abort
from werkzeug.wrappers import Response as AnyResponse

from service.desk import Desk
from service.jsons import dumps
from service.rows import JSON, TEXT

View = TypeVar("View", bound=Callable[..., AnyResponse])


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call answers when all is well."""

    text: str
    schema: type[ma.Schema] | Mapping[str, Any] | None = None
    content_type: str = JSON
    headers: Mapping[str, Any] = field(default_factory=dict)


def call(
    blueprint: Blueprint,
    rule: str,
    *,
    answers: Sequence[tuple[int, Answer]],
    method: str = "GET",
    query: type[ma.Schema] | None = None,
    body: Mapping[str, Any] | None = None,
    refuses: Sequence[int] = (),
) -> Callable[[View], View]:
    """Registers a view as a call of the API. The parsed `query` comes as its first argument; its docstring is its documentation."""

    def decorate(view: View) -> View:
        decorated: Any = view
        for status, answer in reversed(answers):
            decorated = blueprint.alt_response(
                status,
                schema=answer.schema,
                content_type=answer.content_type,
                description=answer.text,
                headers=dict(answer.headers) or None,
                success=True,
            )(decorated)
        for status in refuses:
            decorated = blueprint.alt_response(status, response=HTTPStatus(status).name)(decorated)
        if body is not None:
            decorated = blueprint.doc(requestBody=body)(decorated)
        if query is not None:
            decorated = _each_once(blueprint.arguments(query, location="query", unknown=ma.RAISE)(decorated))
        blueprint.route(rule, methods=[method])(decorated)
        return view

    return decorate


def _each_once(view: View) -> View:
    """Refuses a parameter that comes twice: only one of the two would be heeded."""

    @wraps(view)
    def checked(*args: Any, **kwargs: Any) -> AnyResponse:
        for name, values in request.args.lists():
            if len(values) > 1:
                refuse(422, "Each parameter comes once; where it takes several values, commas divide them.", parameter=name)
        return view(*args, **kwargs)

    return cast(View, checked)


def desk() -> Desk:
    """The desk of the application that answers this request."""
    return cast(Desk, current_app.extensions["hanafu"])


def json_answer(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A value as JSON."""
    return Response(dumps(value), status, dict(headers or {}), content_type=JSON)


def refuse(
    status: int, text: str, *, parameter: str = "", faults: Sequence[str] = (), headers: Mapping[str, str] | None = None
) -> NoReturn:
    """Ends the request with a problem document; `parameter` is the one of the address that is at fault, with all its `faults`."""
    messages = {"query": {parameter: list(faults) or [text]}} if parameter else {}
    abort(status, message=text, messages=messages, headers=dict(headers or {}))
    raise AssertionError("abort does not return")


def record_body() -> tuple[bytes, str]:
    """The body of a request that sends one record, and its content type. Refuses other types with 415, too much with 413."""
    if (kind := request.headers.get("Content-Type", "")) not in (JSON, TEXT):
        kind = request.mimetype
    if kind not in (JSON, TEXT):
        said = f"A record comes as {JSON} or {TEXT}" + (f", not as {kind}." if kind else "; the request names no content type.")
        refuse(415, said, headers=_TAKEN)
    if request.mimetype_params.get("charset", "utf-8").lower() not in ("utf-8", "utf8", "us-ascii"):
        refuse(415, "A record comes in UTF-8.", headers=_TAKEN)
    if request.headers.get("Content-Encoding", "identity").lower() != "identity":
        refuse(415, "A single record comes as it is, not compressed; imports take gzip.", headers={"Accept-Encoding": "identity"})
    request.max_content_length = current_app.config["MAX_RECORD"]
    return request.get_data(cache=False), kind


_TAKEN = {"Accept-Post": f"{JSON}, {TEXT}"}

RECORD_BODY: Mapping[str, Any] = {
    "required": True,
    "description": "One record (the format page says how), as JSON or as text.",
    "content": {
        JSON: {"schema": {"$ref": "#/components/schemas/Record"}},
        TEXT: {"schema": {"type": "string"}},
    },
}
