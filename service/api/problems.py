"""Problem documents (RFC 9457): one shape for everything that the API refuses.

``errors`` has one entry a fault, each with a ``pointer`` (into the body, or ``/query/NAME`` for a parameter of the address) or a ``line``
and ``column``, a stable ``code`` and a ``detail`` for people.
"""

from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any

import flask_smorest
from flask import Flask, Response, current_app, request
from flask_smorest.utils import prepare_response
from werkzeug.exceptions import HTTPException

from records.errors import RecordErrors
from service.api.schemas import Problem
from service.errors import StoreError
from service.jsons import dumps
from web import pages

CONTENT_TYPE = "application/problem+json"


class Api(flask_smorest.Api):  # type: ignore[misc]  # the library comes without types
    """flask-smorest's Api, with problem documents in place of its own errors."""

    ERROR_SCHEMA = Problem

    def handle_http_exception(self, error: HTTPException) -> Any:
        """Every refusal and every failure: as a page for a browser that asked for one, else as a problem document."""
        if error.response is not None:
            return error.response
        if _wants_page():
            return pages.failed(error)
        data: Mapping[str, Any] = getattr(error, "data", None) or {}
        headers = {k: v for k, v in error.get_headers() if k.lower() not in ("content-type", "content-length")}
        detail = data.get("message") or error.description
        if error.code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            detail = too_large(request.max_content_length)
        return problem(
            error.code or 500,
            detail,
            list(_faults(data.get("messages", {}))),
            headers | dict(data.get("headers") or {}),
        )

    def _register_responses(self) -> None:
        content = {"schema": self.ERROR_SCHEMA}
        for status in HTTPStatus:
            response = {"description": status.phrase, **(content if status >= 400 else {})}
            prepare_response(response, self.spec, CONTENT_TYPE)
            self.spec.components.response(status.name, response, lazy=True)
        response = {"description": "Anything else that goes wrong", **content}
        prepare_response(response, self.spec, CONTENT_TYPE)
        self.spec.components.response(self.DEFAULT_ERROR_RESPONSE_NAME, response, lazy=True)


def problem(
    status: int, detail: str | None, errors: Sequence[Mapping[str, Any]] = (), headers: Mapping[str, str] | None = None
) -> Response:
    """A problem document as an answer."""
    document: dict[str, Any] = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status}
    if detail:
        document["detail"] = detail
    if errors:
        document["errors"] = list(errors)
    return Response(dumps(document), status, dict(headers or {}), content_type=CONTENT_TYPE)


def too_large(most: int | None) -> str:
    """What is said of a body of more bytes than are taken."""
    return f"More than {most} bytes were sent, the most that is taken here. Nothing was stored."


def install(app: Flask) -> None:
    """Problem documents for what our own rooms raise."""
    app.register_error_handler(RecordErrors, _unreadable)
    app.register_error_handler(StoreError, _store_failed)


def _unreadable(error: Exception) -> Response:
    assert isinstance(error, RecordErrors)
    count = len(error.errors)
    return problem(
        422,
        f"The record cannot be read: {count} error{'s' if count != 1 else ''}. Nothing was stored.",
        [fault.as_dict() for fault in error.errors],
    )


def _store_failed(error: Exception) -> Response:
    current_app.logger.error("the store failed: %s", error, exc_info=error)
    return problem(503, "The store cannot answer at the moment; nothing was stored.", headers={"Retry-After": "5"})


def _wants_page() -> bool:
    """Whether a browser asked for a page: never under the API's addresses."""
    if request.path.startswith(("/api/", "/healthz", "/metrics")):
        return False
    return request.accept_mimetypes.best_match(["application/json", "text/html"]) == "text/html"


def _faults(messages: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """webargs' nested messages as faults with pointers."""
    waiting: list[tuple[str, Any]] = [("", messages)]
    while waiting:
        pointer, found = waiting.pop(0)
        if isinstance(found, Mapping):
            waiting += [(f"{pointer}/{_escaped(str(key))}", value) for key, value in found.items()]
        else:
            for text in found if isinstance(found, list) else [found]:
                yield {"code": "invalid-parameter", "pointer": pointer, "detail": str(text)}


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")
