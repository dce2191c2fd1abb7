"""Imports: many records in one stream, taken in by a job."""

from typing import Any, cast

from flask import Response, current_app, request, url_for
from flask_smorest import Blueprint

from service.api.calls import Answer, call, json_answer, refuse
from service.api.schemas import Job, JobList, RejectList, RejectQuery, SendQuery
from service.imports import Imports, TooManyImports
from service.imports import Job as State
from service.jsons import dumps

blueprint = Blueprint("imports", __name__, description="Many records at once")

TYPES = (
    "application/json",
    "application/x-ndjson",
    "application/jsonl",
    "text/plain",
    "text/csv",
    "application/gzip",
    "application/zip",
    "application/octet-stream",
)
LINES = "application/x-ndjson"
_BINARY = {"schema": {"type": "string", "format": "binary"}}
_LOCATION = {"Location": {"description": "The job's address", "schema": {"type": "string", "format": "uri-reference"}}}
A_PAGE = 1000


@call(
    blueprint,
    "/imports",
    method="POST",
    query=SendQuery,
    body={
        "required": True,
        "description": "Lines of JSON, text, a score sheet (CSV), or a gzip or zip of them. What it is, is seen from its bytes.",
        "content": {kind: {} if "json" in kind else _BINARY for kind in TYPES},
    },
    answers=[(202, Answer("Taken in, and queued", Job, headers=_LOCATION))],
    refuses=[413, 415, 422, 429],
)
def send(query: dict[str, Any]) -> Response:
    """Send many records

    The whole stream is kept before the answer comes; a job then stores its records in batches. One that cannot be read does not stop the
    others. The same record is never stored twice, and a job that is cut off goes on where it was.
    """
    if request.mimetype not in TYPES:
        refuse(415, f"Records come as {', '.join(TYPES)}.", headers={"Accept-Post": ", ".join(TYPES)})
    request.max_content_length = current_app.config["MAX_IMPORT"]
    try:
        job = imports().submit(request.stream, query.get("name") or "stream")
    except TooManyImports:
        refuse(429, "As many imports wait as may; send it when one of them is done.", headers={"Retry-After": "60"})
    return json_answer(_shown(job), 202, {"Location": url_for("imports.fetch", id=job.id)})


@call(blueprint, "/imports", answers=[(200, Answer("All imports, the latest first", JobList))])
def listing() -> Response:
    """List imports"""
    return json_answer({"items": [_shown(job) for job in imports().jobs()], "next": None})


@call(blueprint, "/imports/<id>", answers=[(200, Answer("How far it has got", Job))], refuses=[404])
def fetch(id: str) -> Response:
    """Follow an import"""
    return json_answer(_shown(_known(id)))


@call(blueprint, "/imports/<id>/cancel", method="POST", answers=[(200, Answer("Its state now", Job))], refuses=[404])
def cancel(id: str) -> Response:
    """Cancel an import

    What it has stored stays. One that is done stays done.
    """
    _known(id)
    return json_answer(_shown(imports().cancel(id)))


@call(blueprint, "/imports/<id>/resume", method="POST", answers=[(200, Answer("Its state now", Job))], refuses=[404])
def resume(id: str) -> Response:
    """Go on with an import

    One that was cancelled or failed goes on where it was.
    """
    _known(id)
    return json_answer(_shown(imports().resume(id)))


@call(
    blueprint,
    "/imports/<id>/errors",
    query=RejectQuery,
    answers=[(200, Answer("A page of what was refused", RejectList))],
    refuses=[404, 422],
)
def errors(query: dict[str, Any], id: str) -> Response:
    """List what was refused

    Each rejected record with its place, its position and all its errors, in the order of the stream.
    """
    _known(id)
    found = imports().rejects(id, query.get("cursor", 0), query["limit"] + 1)
    more = len(found) > query["limit"]
    found = found[: query["limit"]]
    return json_answer({"items": found, "next": str(found[-1]["place"]) if more else None})


@call(
    blueprint,
    "/imports/<id>/errors.jsonl",
    answers=[(200, Answer("A line each", {"type": "string"}, content_type=LINES))],
    refuses=[404],
)
def errors_file(id: str) -> Response:
    """Download what was refused

    The same as lines of JSON.
    """
    _known(id)
    store = imports()

    def lines() -> Any:
        after = 0
        while found := store.rejects(id, after, A_PAGE):
            yield b"".join(dumps(each) + b"\n" for each in found)
            after = found[-1]["place"]

    return Response(lines(), content_type=LINES, headers={"Content-Disposition": f"attachment; filename=rejected-{id}.jsonl"})


def imports() -> Imports:
    """The imports of the application that answers this request."""
    return cast(Imports, current_app.extensions["hanafu-imports"])


def _known(id: str) -> State:
    try:
        return imports().job(id)
    except KeyError:
        refuse(404, "There is no import of this id.")


def _shown(job: State) -> dict[str, Any]:
    return {
        "id": job.id,
        "name": job.name,
        "state": job.state,
        "reason": job.reason,
        "total": job.total,
        "read": job.read,
        "stored": job.stored,
        "known": job.known,
        "rejected": job.rejected,
        "progress": job.progress,
        "seconds_left": job.seconds_left,
        "errors": url_for("imports.errors", id=job.id),
    }
