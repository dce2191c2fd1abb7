"""The audit of one record: the verdict, and every reason for it."""

from typing import Any

from flask import abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from records.errors import RecordErrors
from records.formats import read_record
from web import sentences, words
from web.contexts import Json, StoredRecord, desk
from web.language import _
from web.pages import blueprint
from web.rulebook import describe


def stored(id: str) -> StoredRecord:
    """The record of that id, with or without the prefix of its hash. 404 where there is none."""
    found = desk().record(id.removeprefix("sha256:"))
    if found is None:
        abort(404, _("There is no record of this id. It may have been a sample that was removed."))
    return found


@blueprint.get("/records/<id>")
def audit(id: str) -> str | Response:
    """The audit page; with ``options``, as the API takes them, the page that tries them."""
    kept = stored(id)
    if asked := request.args.get("options"):
        return redirect(url_for("pages.trial", id=kept.id, options=asked))
    game = describe(kept.record.variant)
    return render_template(
        "audit.html",
        kept=kept,
        record=kept.record,
        report=kept.report,
        game=game,
        yaku={yaku["id"]: yaku for yaku in game["yaku"]},
        points={point["id"]: point for point in game["rules"]},
        sides=_sides(kept),
        comparison=[_compared(kept, number) for number in range(len(kept.report["rounds"]))],
        totals=_totals(kept),
        reason=sentences.reason,
        finding_cards=sentences.finding_cards,
        finding_value=sentences.finding_value,
        known=request.args.get("known") is not None,
        replaced=_replaced(kept),
        to_step=_to_step(kept),
        count=sum(len(each["findings"]) for each in kept.report["rounds"]) + len(kept.report["findings"]),
    )


def _replaced(kept: StoredRecord) -> StoredRecord | None:
    """The record that this one was written to replace (its key ``x_replaces``), where it is here to be seen."""
    try:
        named = read_record(kept.raw).extra.get("", {}).get("x_replaces")
    except RecordErrors:
        return None
    found = desk().record(named) if isinstance(named, str) else None
    return found if found is not None and found.id != kept.id else None


def _sides(kept: StoredRecord) -> list[str]:
    count = len(kept.record.sides) if kept.record.sides else len(kept.record.players)
    return [words.side_name(kept.record.players, kept.record.sides, side) for side in range(1, count + 1)]


def _to_step(kept: StoredRecord) -> Any:
    """A function from (round, action) to the address of its step in the replay."""

    def address(round: int, action: int | None) -> str:
        return url_for("pages.replay", id=kept.id, round=round, action=action)

    return address


def _compared(kept: StoredRecord, number: int) -> list[dict[str, Any]]:
    """A round's claimed and recomputed values a side; the difference is the report's two numbers beside each other, no new score."""
    audited, claims = kept.report["rounds"][number], kept.record.rounds[number].claims
    lines = []
    for side, name in enumerate(_sides(kept)):
        lines.append(
            {
                "name": name,
                "points": _pair(claims.points if claims else None, audited["points"], side, audited.get("rounded")),
                "yaku": _pair(claims.yaku if claims else None, _paid(audited["yaku"]), side),
                "scores": _pair(claims.scores if claims else None, audited["scores"], side),
            }
        )
    return lines


def _paid(yaku: list[list[Json]] | None) -> list[list[str]] | None:
    return None if yaku is None else [[each["id"] for each in side if not each["negated"]] for side in yaku]


def _pair(claimed: Any, recomputed: Any, side: int, rounded: Any = None) -> dict[str, Any]:
    """One side's claimed and recomputed value, and how they compare: ``right`` (bakabana's points also rounded, BK-12), ``wrong``, or
    ``none`` where one is not there."""
    said = claimed[side] if claimed is not None and side < len(claimed) else None
    found = recomputed[side] if recomputed is not None and side < len(recomputed) else None
    if said is None or found is None:
        state = "none"
    elif isinstance(found, list):
        state = "right" if sorted(said) == sorted(found) else "wrong"
    else:
        state = "right" if said == found or (rounded is not None and said == rounded[side]) else "wrong"
    difference = said - found if state == "wrong" and isinstance(said, int | float) and isinstance(found, int | float) else None
    return {"claimed": said, "recomputed": found, "state": state, "difference": difference}


def _totals(kept: StoredRecord) -> list[dict[str, Any]]:
    return [{"name": name, **_pair(kept.record.totals, kept.report["totals"], side)} for side, name in enumerate(_sides(kept))]
