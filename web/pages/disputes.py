"""Disputes on the audit page, and the forms to open one, to answer and to rule. No script is needed.

A ruling is looked at before it is saved: where it changes a total, the winner or a later dealer it is saved only from a form that showed
exactly that.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from flask import Response, abort, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from analysis.audit import ENGINE
from analysis.rulings import OUTCOMES
from records.errors import RecordErrors
from records.formats import to_text
from web import case_words, words
from web.cases import CLAIMS, ROLES, WHOLE, Actor, Dispute, Refusal, cases
from web.contexts import Json, StoredRecord
from web.language import _, told
from web.pages import blueprint
from web.pages.audit import stored
from web.rulebook import describe

LONGEST = 10_000
"""Characters of a statement."""


@blueprint.app_context_processor
def _words() -> dict[str, Any]:
    return {"cw": case_words}


@blueprint.app_template_global()
def case_of(kept: StoredRecord) -> dict[str, Any]:
    """What the audit page shows of a case."""
    here = cases()
    return {
        "disputes": here.disputes(kept.id),
        "standings": here.standings(kept.id),
        "log": here.log(kept.id),
        "change": here.change(kept.id),
        "engine": ENGINE,
    }


@blueprint.get("/records/<id>/disputes/new")
def new_dispute(id: str) -> str:
    """The form that opens a dispute; `round` in the address chooses the round."""
    return _new(stored(id), {"round": request.args.get("round", "1"), "claim": "scores", "role": "player"}, {})


@blueprint.post("/records/<id>/disputes")
def open_dispute(id: str) -> AnyResponse:
    """Opens a dispute."""
    _own_page_only()
    kept = stored(id)
    sent = _form("name", "role", "claim", "round", "statement")
    round = None if sent["claim"] in WHOLE else int(sent["round"]) if sent["round"].isdecimal() and len(sent["round"]) < 6 else 0
    try:
        dispute = cases().open(kept.id, Actor(sent["name"], sent["role"]), round, sent["claim"], sent["statement"])
    except Refusal as refusal:
        return make_response(_new(kept, sent, refusal.faults), 422)
    return _back(kept.id, dispute.number)


@blueprint.post("/records/<id>/disputes/<int:number>/answers")
def answer_dispute(id: str, number: int) -> AnyResponse:
    """Adds a statement."""
    _own_page_only()
    kept, dispute = _dispute(id, number)
    sent = _form("name", "role", "statement")
    try:
        cases().answer(kept.id, number, Actor(sent["name"], sent["role"]), sent["statement"])
    except Refusal as refusal:
        page = render_template("answer.html", kept=kept, dispute=dispute, sent=sent, faults=refusal.faults, roles=ROLES)
        return make_response(page, 422)
    return _back(kept.id, number)


@blueprint.get("/records/<id>/disputes/<int:number>/rule")
def ruling_form(id: str, number: int) -> str:
    """The form for a ruling, filled in with the one in force."""
    kept, dispute = _dispute(id, number)
    before = dispute.ruling
    sent: dict[str, Any] = {"outcome": "upheld", "reasons": "", "rules": "", "options": {}, "scores": {}, "text": to_text(kept.record)}
    if before is not None:
        sent |= {"outcome": before.outcome, "reasons": before.reasons, "rules": " ".join(before.rules)}
        sent |= {"options": {id: case_words.option(value) for id, value in before.options.items()}, "name": before.by.name}
        sent["scores"] = {side: f"{score:g}" for side, score in enumerate(before.scores or (), start=1)}
    return _ruling_page(kept, dispute, sent)


@blueprint.post("/records/<id>/disputes/<int:number>/rule")
def give_ruling(id: str, number: int) -> AnyResponse:
    """Shows what a ruling would change, or saves it."""
    _own_page_only()
    kept, dispute = _dispute(id, number)
    sent: dict[str, Any] = _form("name", "outcome", "reasons", "rules", "text")
    sent["options"] = {option["id"]: value for option in _options(kept) if (value := request.form.get(f"option-{option['id']}"))}
    sent["scores"] = {side: request.form.get(f"score-{side}", "").strip() for side in range(1, len(_side_names(kept)) + 1)}
    by = Actor(sent["name"], "arbiter")
    try:
        ruling = _ruling(kept, sent)
        effect = cases().preview(kept.id, number, by, ruling)
        seen = _seal(ruling, effect)
        if request.form.get("do") == "save" and (not effect["changes"] or request.form.get("seen") == seen):
            cases().rule(kept.id, number, by, ruling)
            return _back(kept.id, number)
    except Refusal as refusal:
        return make_response(_ruling_page(kept, dispute, sent, refusal.faults), 422)
    except RecordErrors as failure:
        listed = "; ".join(told(error.detail) + (f" ({_('line')} {error.line})" if error.line else "") for error in failure.errors[:10])
        return make_response(_ruling_page(kept, dispute, sent, {"text": listed}), 422)
    return make_response(_ruling_page(kept, dispute, sent, {}, effect, seen))


@blueprint.get("/records/<id>/case.zip")
def case_file(id: str) -> Response:
    """The case as one file."""
    kept = stored(id)
    name = f"hanafu-case-{kept.id[:12]}.zip"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(cases().case(kept.id), mimetype="application/zip", headers=headers)


def _form(*names: str) -> dict[str, str]:
    return {name: request.form.get(name, "").replace("\r\n", "\n").strip() for name in names}


def _own_page_only() -> None:
    """Refuses forms that another site sends."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        abort(403, _("This is taken from this site's own pages only, not from another site."))


def _dispute(id: str, number: int) -> tuple[StoredRecord, Dispute]:
    kept = stored(id)
    for dispute in cases().disputes(kept.id):
        if dispute.number == number:
            return kept, dispute
    abort(404, _("There is no dispute %(number)s on this record.", number=number))


def _back(id: str, number: int) -> AnyResponse:
    return redirect(url_for("pages.audit", id=id, _anchor=f"dispute-{number}"), 303)


def _new(kept: StoredRecord, sent: Mapping[str, str], faults: Mapping[str, str]) -> str:
    return render_template("dispute.html", kept=kept, sent=sent, faults=faults, roles=ROLES[:2], claims=CLAIMS, whole=WHOLE)


def _options(kept: StoredRecord) -> list[Json]:
    found: list[Json] = describe(kept.record.variant)["options"]
    return found


def _ruling(kept: StoredRecord, sent: Mapping[str, Any]) -> Json:
    """The form as a ruling. Raises Refusal for a score that is no number."""
    values = {option["id"]: {case_words.option(each["value"]): each["value"] for each in option["values"]} for option in _options(kept)}
    ruling: Json = {
        "outcome": sent["outcome"],
        "reasons": sent["reasons"],
        "rules": sent["rules"].replace(",", " ").split(),
        "options": {id: values[id].get(value, value) for id, value in sent["options"].items()},
    }
    if sent["outcome"] == "adjusted":
        ruling["scores"] = [_score(text) for text in sent["scores"].values()]
    if sent["outcome"] == "corrected":
        ruling["text"] = sent["text"] or "?"
    return ruling


def _score(text: str) -> float:
    try:
        score = float(text.replace("−", "-").replace(",", "."))
    except ValueError:
        score = 0.25
    if score * 2 != int(score * 2) if abs(score) < 1e9 else True:
        raise Refusal({"scores": _("each score is a whole number or a half")})
    return score


def _seal(ruling: Json, effect: Json) -> str:
    """What stands for a ruling together with what it was shown to change."""
    return hashlib.sha256(json.dumps([ruling, effect], sort_keys=True).encode()).hexdigest()


def _side_names(kept: StoredRecord) -> list[str]:
    count = len(kept.record.sides) if kept.record.sides else len(kept.record.players)
    return [words.side_name(kept.record.players, kept.record.sides, side) for side in range(1, count + 1)]


def _ruling_page(
    kept: StoredRecord,
    dispute: Dispute,
    sent: Mapping[str, Any],
    faults: Mapping[str, str] | None = None,
    effect: Json | None = None,
    seen: str = "",
) -> str:
    game = describe(kept.record.variant)
    seat: Callable[[int | None], str] = lambda number: words.seat_name(kept.record.players, number)  # noqa: E731  # a name for the template
    return render_template(
        "rule.html",
        kept=kept,
        dispute=dispute,
        sent=sent,
        faults=faults or {},
        effect=effect,
        seen=seen,
        outcomes=[each for each in OUTCOMES if dispute.round is not None or each in ("upheld", "corrected", "note")],
        options=_options(kept),
        points=game["rules"],
        sides=_side_names(kept),
        seat=seat,
    )
