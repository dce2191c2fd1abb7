"""The ledger of a record on paper, for an arbiter to sign; the same as CSV and JSON."""

from typing import Any

from flask import Response, abort, jsonify, render_template, request

from analysis import ledger
from web import sentences, words
from web.cases import cases
from web.contexts import StoredRecord
from web.language import _
from web.pages import blueprint
from web.pages.audit import stored
from web.rulebook import describe

PAPERS = {"a4": "A4", "letter": "letter"}
"""Sizes of paper by their name in the address."""


def sheet(kept: StoredRecord) -> dict[str, Any]:
    """The ledgers of all rounds with their sums, and the text of every rule that they name."""
    report = kept.report
    rounds = []
    for told in report["rounds"]:
        entries = told["ledger"] or []
        sums = ledger.sums(entries, len(told["scores"])) if told["scores"] is not None and entries else None
        rounds.append({key: told[key] for key in ("round", "verdict", "end", "points", "scores")} | {"ledger": entries, "sums": sums})
    findings = [finding for told in (report, *report["rounds"]) for finding in told["findings"]]
    named = {line["rule"] for line in (*findings, *(entry for each in rounds for entry in each["ledger"]))}
    texts = {point["id"]: point["text"] for point in describe(report["variant"])["rules"] if point["id"] in named}
    head = {key: report[key] for key in ("record", "variant", "options", "engine", "verdict")}
    return head | {"rounds": rounds, "totals": report["totals"], "winner": report["winner"], "rules": texts}


@blueprint.get("/records/<id>/print")
def printed(id: str) -> str:
    """The ledger on paper: ``paper`` is ``a4`` or ``letter``."""
    kept = stored(id)
    paper = request.args.get("paper", "a4")
    if paper not in PAPERS:
        abort(400, _("paper must be one of: %(values)s.", values=", ".join(PAPERS)))
    count = len(kept.record.sides) if kept.record.sides else len(kept.record.players)
    here = cases()
    return render_template(
        "print.html",
        kept=kept,
        record=kept.record,
        report=kept.report,
        game=describe(kept.record.variant),
        sheet=sheet(kept),
        reason=sentences.reason,
        yaku=sentences.yaku_names(kept.record.variant),
        sides=[words.side_name(kept.record.players, kept.record.sides, side) for side in range(1, count + 1)],
        disputes=here.disputes(kept.id),
        standings=here.standings(kept.id),
        log=here.log(kept.id),
        paper=PAPERS[paper],
        papers=PAPERS,
    )


@blueprint.get("/records/<id>/ledger.csv", endpoint="ledger")
def ledger_csv(id: str) -> Response:
    """The ledger as CSV: a line an entry, and a line a side with the sum of each round."""
    kept = stored(id)
    name = f"hanafu-{kept.id[:12]}-ledger.csv"
    return Response(ledger.as_csv(kept.report), mimetype="text/csv", headers={"Content-Disposition": f'attachment; filename="{name}"'})


@blueprint.get("/records/<id>/ledger.json")
def ledger_json(id: str) -> Response:
    """The same as JSON, with the text of each rule."""
    return jsonify(sheet(stored(id)))
