"""The first page: what this is, a log to send, samples to try, the latest records."""

from typing import Any

from flask import abort, jsonify, make_response, render_template, request, url_for
from werkzeug.utils import redirect
from werkzeug.wrappers import Response

from records.errors import ReadError, RecordErrors
from web import words
from web.contexts import Added, RecordRow, desk
from web.language import _, _n, told
from web.pages import blueprint
from web.rulebook import list_variants

LATEST = 8
LONGEST_LIST = 200
"""Errors shown of one text; a broken file may have thousands."""


def stages() -> list[tuple[str, str]]:
    """What becomes of a log, in order."""
    return [("read", _("Read")), ("check", _("Check")), ("replay", _("Replay")), ("score", _("Score"))]


@blueprint.get("/")
def upload() -> str:
    """Where a log comes in."""
    return _page()


@blueprint.post("/")
def send() -> Response:
    """Takes files or a pasted text. One log leads to its audit; faults are shown all at once, and nothing of it is stored."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        abort(403, _("Logs are taken from this page only, not from another site."))
    logs = [(sent.filename or _("file"), sent.read(), sent.mimetype) for sent in request.files.getlist("file") if sent]
    text = request.form.get("text", "")
    if text.strip():
        logs.append((_("pasted text"), text.replace("\r\n", "\n").encode(), "text/plain"))
    outcomes = [_take(*log) for log in logs]
    if request.accept_mimetypes.best_match(["text/html", "application/json"]) == "application/json":
        return make_response(jsonify({"outcomes": outcomes}), _status(outcomes))
    if len(outcomes) == 1 and outcomes[0]["href"]:
        return redirect(outcomes[0]["href"], 303)
    if not outcomes:
        return make_response(_page(missing=True), 422)
    wrong = next((raw for outcome, (_name, raw, _type) in zip(outcomes, logs, strict=True) if outcome["errors"]), b"")
    return make_response(_page(text=_readable(wrong), outcomes=outcomes), _status(outcomes))


def _status(outcomes: list[dict[str, Any]]) -> int:
    return 200 if outcomes and not any(outcome["errors"] for outcome in outcomes) else 422


def _take(name: str, raw: bytes, content_type: str) -> dict[str, Any]:
    """Sends one log to the desk: where it went and how far it came, or what is wrong with it."""
    try:
        added = desk().add(raw, content_type)
    except RecordErrors as failure:
        return {"name": name, "href": None, "new": False, "verdict": None, "stages": [], **_faults(failure.errors)}
    return {
        "name": name,
        "href": url_for("pages.audit", id=added.id, known=None if added.new else 1),
        "new": added.new,
        "verdict": {"id": added.report["verdict"], "word": str(words.VERDICTS[added.report["verdict"]])},
        "stages": _told(added),
        "errors": [],
        "more": 0,
    }


def _faults(errors: list[ReadError]) -> dict[str, Any]:
    return {"errors": [_fault(error) for error in errors[:LONGEST_LIST]], "more": max(0, len(errors) - LONGEST_LIST)}


def _fault(error: ReadError) -> dict[str, str | int]:
    """One error, its sentences in the visitor's language."""
    found = error.as_dict()
    return found | {part: told(str(found[part])) for part in ("detail", "expected") if part in found}


def _told(added: Added) -> list[dict[str, str]]:
    """What each stage found, in a few words."""
    report = added.report
    rounds = report["rounds"]
    findings = [finding for each in rounds for finding in each["findings"]] + report["findings"]
    levels = ", ".join(str(words.LEVEL_NAMES[level]) for level in sorted({each["level"] for each in rounds}))
    unlawful = sum(finding["severity"] == "unlawful" for finding in findings)
    said = {
        "read": _n("%(num)s round", "%(num)s rounds", len(rounds)),
        "check": _("as far as it is recorded: %(levels)s", levels=levels),
        "replay": _n("%(num)s unlawful act", "%(num)s unlawful acts", unlawful) if unlawful else _("every act lawful"),
        "score": str(words.VERDICTS[report["verdict"]]),
    }
    return [{"id": stage, "name": name, "text": said[stage]} for stage, name in stages()]


def _readable(raw: bytes) -> str:
    """The bytes of a log as text to be mended in place; what is no UTF-8 stands as a mark."""
    return raw[:1_000_000].decode("utf-8", "replace")


def _samples(rows: list[RecordRow]) -> list[dict[str, Any]]:
    """Of each game up to three samples to try, of different verdicts."""
    order = {"confirmed": 0, "disputed": 1, "unlawful": 2, "incomplete": 3, "lawful": 4}
    tried = []
    for variant in list_variants():
        mine: dict[str, RecordRow] = {}
        for row in rows:
            if row.variant == variant["id"]:
                mine.setdefault(row.verdict, row)
        if mine:
            tried.append({"variant": variant, "rows": sorted(mine.values(), key=lambda row: order[row.verdict])[:4]})
    return tried


def _page(text: str = "", outcomes: list[dict[str, Any]] | None = None, missing: bool = False) -> str:
    at = desk()
    samples = list(at.records({"sample": "true"}, "-sent", None, 100).items)
    removed = request.args.get("removed", "")
    return render_template(
        "upload.html",
        text=text,
        outcomes=outcomes or [],
        missing=missing,
        stages=stages(),
        samples=_samples(samples),
        latest=at.records({}, "-sent", None, LATEST),
        variants={each["id"]: each for each in list_variants()},
        removed=int(removed) if removed.isdecimal() else None,
    )
