"""Records: sending, listing, fetching."""

import hashlib
from dataclasses import asdict
from http import HTTPStatus
from typing import Any, NoReturn

from flask import Response, request
from flask_smorest import Blueprint
from werkzeug.wrappers import Response as AnyResponse

from service.api.calls import RECORD_BODY, Answer, call, desk, json_answer, record_body, refuse
from service.api.schemas import AuditQuery, ListQuery, RecordList, RecordQuery, ReplayQuery, Report, filters_of
from service.options import read_options
from service.rows import JSON, TEXT
from web.contexts import RecordRow

blueprint = Blueprint("records", __name__, description="Records and what the audit says of them")

SENT = "application/octet-stream"
_LOCATION = {"Location": {"description": "The record's address", "schema": {"type": "string", "format": "uri-reference"}}}
_ID = "<id>"


@call(
    blueprint,
    "/records",
    method="POST",
    body=RECORD_BODY,
    answers=[
        (201, Answer("Read, audited, stored: the report", Report, headers=_LOCATION)),
        (200, Answer("The same record was here before: its report", Report, headers=_LOCATION)),
    ],
    refuses=[413, 415, 422],
)
def send() -> Response:
    """Send a record

    It is read, replayed, audited and stored. A record that cannot be read is refused with all its errors, and nothing is stored. The same
    sheet sent twice, as JSON or as text, is one record.
    """
    raw, _ = record_body()
    added = desk().receive(raw)
    return json_answer(added.report, 201 if added.new else 200, {"Location": f"{request.root_path}{request.path}/{added.id}"})


@call(
    blueprint,
    "/records",
    query=ListQuery,
    answers=[(200, Answer("A page of records", RecordList))],
    refuses=[422],
)
def listing(query: dict[str, Any]) -> Response:
    """List records

    All filters together. `next` leads to the following page and stays right while records arrive: none comes twice, none is passed over.
    """
    try:
        page = desk().records(filters_of(query), query["sort"], query.get("cursor"), query["limit"])
    except ValueError as error:
        refuse(422, str(error), parameter="cursor")
    return json_answer({"items": [_item(row) for row in page.items], "next": page.next})


@call(
    blueprint,
    f"/records/{_ID}",
    query=RecordQuery,
    answers=[
        (200, Answer("The record", {"$ref": "#/components/schemas/Record"})),
        (200, Answer("The record", {"type": "string"}, content_type=TEXT)),
        (200, Answer("The record", {"type": "string", "format": "binary"}, content_type=SENT)),
        (304, Answer("Not changed")),
    ],
    refuses=[404, 406, 412, 422],
)
def fetch(query: dict[str, Any], id: str) -> AnyResponse:
    """Fetch a record

    As canonical JSON (whose SHA-256 is the id), as text, or the bytes as they were sent: by `as`, else by the Accept header
    (`application/json`, `text/plain`, `application/octet-stream`).
    """
    wanted: str = query.get("as_") or _accepted()
    if (found := desk().form(id, wanted)) is None:
        missing()
    content, kind = found
    response = Response(content, content_type=f"{kind}; charset=utf-8" if kind == TEXT else kind)
    if wanted == "sent":
        if not query.get("as_"):
            response.content_type = SENT
        response.headers["Content-Disposition"] = f"attachment; filename={id[-64:-52]}.{'json' if kind == JSON else 'hrn'}"
    response.vary.add("Accept")
    response.set_etag(f"{hashlib.sha256(content).hexdigest()}-{wanted}")  # not the id: a pseudonym changes what is shown of a record
    if response.make_conditional(request).status_code == HTTPStatus.PRECONDITION_FAILED:
        refuse(412, "What is here is something else than what If-Match or If-Unmodified-Since asks for.")
    return response


@call(
    blueprint,
    f"/records/{_ID}/audit",
    query=AuditQuery,
    answers=[(200, Answer("The report", Report))],
    refuses=[404, 422],
)
def audit(query: dict[str, Any], id: str) -> Response:
    """Fetch a report

    With `options` the same record is audited anew under those options; nothing is stored.
    """
    here = desk()
    if (stored := here.record(id)) is None:
        missing()
    if text := query.get("options"):
        try:
            return json_answer(here.reaudit(id, read_options(stored.record.variant, text)))
        except ValueError as error:
            refuse(422, "These options cannot be tried.", parameter="options", faults=str(error).splitlines())
    return json_answer(stored.report)


@call(
    blueprint,
    f"/records/{_ID}/replay",
    query=ReplayQuery,
    answers=[(200, Answer("Every position", {"type": "object"}))],
    refuses=[404, 422],
)
def replay(query: dict[str, Any], id: str) -> Response:
    """Fetch a replay

    The position after each step: hands, field, draw pile, piles, events, running points and yaku.
    """
    try:
        return json_answer(desk().positions(id, query.get("round")))
    except LookupError:
        missing("There is no such record, or no such round in it.")


def missing(text: str = "There is no record of this id.") -> NoReturn:
    """Refuses with 404."""
    refuse(404, text)


def _accepted() -> str:
    kinds = {JSON: "json", TEXT: "text", SENT: "sent"}
    best: str | None = request.accept_mimetypes.best_match(list(kinds)) if request.accept_mimetypes else JSON
    if best is None:
        refuse(406, f"A record can be had as {', '.join(kinds)}.")
    return kinds[best]


def _item(row: RecordRow) -> dict[str, Any]:
    item = asdict(row)
    item["id"] = f"sha256:{row.id}"
    item["sent_at"] = row.sent_at.isoformat() + "Z" if row.sent_at else None
    return item
