"""The list of records, with its filters in the address."""

from collections.abc import Mapping
from typing import Any

from flask import abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from web import words
from web.case_words import CLAIMS
from web.contexts import Page, desk
from web.language import _, told
from web.pages import blueprint
from web.rulebook import describe, list_variants

FILTERS = ("variant", "player", "opponent", "options", "verdict", "event", "from", "to", "finding", "yaku", "dispute", "sample")
SORTS = ("-sent", "sent", "-date", "date")
A_PAGE = 25


def filters_of(arguments: Mapping[str, str]) -> dict[str, str]:
    """The filters that an address states; empty ones are none."""
    return {name: value for name in FILTERS if (value := arguments.get(name, "").strip())}


def filter_labels() -> dict[str, str]:
    """What each filter is called."""
    return {
        "variant": _("Game"),
        "player": _("Player"),
        "opponent": _("Opponent"),
        "options": _("Options"),
        "role": _("Role"),
        "verdict": _("Verdict"),
        "event": _("Event"),
        "from": _("From"),
        "to": _("To"),
        "finding": _("Finding"),
        "yaku": _("Yaku"),
        "dispute": _("Dispute about"),
        "sample": _("Samples"),
    }


def without(filters: Mapping[str, str], name: str) -> dict[str, str]:
    """The filters but for one. Options are of one game, so they go with it."""
    gone = {name, "options"} if name == "variant" else {name}
    return {other: value for other, value in filters.items() if other not in gone}


def chips(filters: Mapping[str, str], endpoint: str, keep: Mapping[str, str] | None = None) -> list[dict[str, str]]:
    """Each filter with its words and the address without it."""
    names = {each["id"]: each["name"] for each in list_variants()}
    labels = filter_labels()
    made = []
    for name, value in filters.items():
        shown = {"variant": names, "verdict": words.VERDICTS, "dispute": CLAIMS, "role": words.SEAT_ROLES}.get(name, {}).get(value, value)
        rest: dict[str, Any] = without(filters, name) | dict(keep or {})
        made.append({"name": name, "label": labels[name], "value": str(shown), "without": url_for(endpoint, **rest)})
    return made


def greediest(filters: Mapping[str, str]) -> tuple[str, int] | None:
    """The filter without which most records come back, and how many; None where none alone is to blame."""
    counts = {name: desk().count(without(filters, name)) for name in filters}
    name = max(counts, key=lambda each: counts[each], default=None)
    return (name, counts[name]) if name is not None and counts[name] else None


@blueprint.get("/records")
def records() -> tuple[str, int]:
    """Records, newest first, with the filters as chips. What a filter cannot mean is said above them, with all that was asked for kept."""
    filters = filters_of(request.args)
    sort = request.args.get("sort", "-sent")
    if sort not in SORTS:
        abort(400, _("Records can be sorted by: %(sorts)s.", sorts=", ".join(SORTS)))
    wrong = ""
    page = Page([], None)
    try:
        page = desk().records(filters, sort, request.args.get("cursor"), A_PAGE)
    except ValueError as error:
        wrong = told(str(error))
    keep = {"sort": sort} if sort != "-sent" else {}
    hide = request.args.get("results") == "hidden"
    if hide:
        keep["results"] = "hidden"
    variants = list_variants()
    shown = render_template(
        "records.html",
        page=page,
        wrong=wrong,
        filters=filters,
        labels=filter_labels(),
        chips=chips(filters, "pages.records", keep),
        sort=sort,
        hide=hide,
        keep=keep,
        blame=greediest(filters) if filters and not page.items and not wrong else None,
        total=0 if wrong else desk().count(filters),
        variants=variants,
        games=[(each["id"], each["name"]) for each in variants],
        options=describe(filters["variant"])["options"] if filters.get("variant") in {each["id"] for each in variants} else [],
        claims=CLAIMS,
        first=request.args.get("cursor") is None,
    )
    return shown, 400 if wrong else 200


@blueprint.post("/samples/remove")
def remove_samples() -> Response:
    """Takes away the records that came with the product."""
    removed = desk().remove_samples()
    return redirect(url_for("pages.upload", removed=removed), 303)
