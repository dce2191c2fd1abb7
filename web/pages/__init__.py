"""The pages: one blueprint, a module a group of pages. The application registers it and hands over a `web.contexts.Desk`."""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from typing import Any, NoReturn, cast

from flask import Blueprint, Flask, Response, abort, render_template, request, url_for
from flask.blueprints import BlueprintSetupState
from markupsafe import Markup
from werkzeug.exceptions import HTTPException
from werkzeug.routing import PathConverter

from web import cards, deck, language, words
from web.language import _
from web.rulebook import plain

blueprint = Blueprint("pages", __name__, template_folder="../templates", static_folder="../static", static_url_path="/assets")

POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; object-src 'none'; "
    "base-uri 'self'; form-action 'self'"
)
"""Nothing from outside. Plotly writes style elements, so styles may stand in the page."""


class ElsewhereConverter(PathConverter):
    """Any address but those of the API, which answers for its own."""

    regex = r"(?!api/).+?"


@blueprint.record_once
def _prepare(state: BlueprintSetupState) -> None:
    state.app.url_map.converters["elsewhere"] = ElsewhereConverter
    if "babel" not in state.app.extensions:
        language.install(cast(Flask, state.app))


@blueprint.get("/<elsewhere:address>")
def nothing(address: str) -> NoReturn:
    """What no page is at: a person gets a page that says so."""
    abort(404, _("There is no page at this address."))


@blueprint.after_request
def _guard(response: Response) -> Response:
    if response.mimetype == "text/html":
        embedded = request.endpoint == "pages.embed"
        ancestors = "*" if embedded else "'self'"
        response.headers.setdefault("Content-Security-Policy", f"{POLICY}; frame-ancestors {ancestors}")
        response.headers.setdefault("Referrer-Policy", "same-origin")
        response.vary.update(("Accept-Language", "Cookie"))
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    return response


@blueprint.errorhandler(HTTPException)
def failed(error: HTTPException) -> Response:
    """What cannot be shown: a page with the way back for people, a problem document (RFC 9457) for programs."""
    status = error.code or 500
    headers = {name: value for name, value in error.get_headers() if name in ("Allow", "Retry-After", "WWW-Authenticate")}
    if request.accept_mimetypes.best_match(["application/problem+json", "application/json", "text/html"]) == "text/html":
        return Response(render_template("error.html", error=error), status, headers, mimetype="text/html")
    problem = {"type": "about:blank", "title": error.name, "status": status, "detail": error.description}
    return Response(json.dumps(problem), status, headers, mimetype="application/problem+json")


@cache
def _sprite() -> tuple[str, str]:
    drawing = cards.sprite()
    return drawing, hashlib.sha256(drawing.encode()).hexdigest()[:12]


@blueprint.get("/favicon.ico")
def icon() -> Response:
    """Where browsers look for it unasked."""
    return blueprint.send_static_file("favicon.svg")


@blueprint.get("/cards.svg")
def sprite() -> Response:
    """All cards as one file of symbols; its address changes with the drawing."""
    drawing, version = _sprite()
    response = Response(drawing, mimetype="image/svg+xml")
    response.set_etag(version)
    response.cache_control.public = True
    response.cache_control.max_age = 31_536_000 if request.args.get("v") == version else 300
    response.make_conditional(request)
    return response


def sprite_address() -> str:
    """Where the cards are drawn; a symbol's id follows it after ``#``."""
    return url_for("pages.sprite", v=_sprite()[1])


@blueprint.app_template_filter("ticks")
def ticks(text: str) -> Markup:
    """A message whose literal parts stand between backticks, with these set as code."""
    parts = str(text).split("`")
    return Markup("").join(Markup("<code>{}</code>").format(part) if place % 2 else part for place, part in enumerate(parts))


blueprint.add_app_template_filter(plain, "plain")


@blueprint.app_template_filter("combine")
def combine(first: Mapping[str, Any], *others: Mapping[str, Any]) -> dict[str, Any]:
    """One mapping out of several, the later ones deciding; for the parameters of an address."""
    joined = dict(first)
    for other in others:
        joined |= other
    return joined


@blueprint.app_context_processor
def _context() -> dict[str, Any]:
    lang = language.chosen()
    return {
        "words": words,
        "deck": deck,
        "faces": lambda codes: deck.faces(codes, lang),
        "sprite": sprite_address(),
        "lang": lang,
        "text_of": language.text_of,
        "languages": language.LANGUAGES,
        "pages": (
            ("pages.upload", _("Upload")),
            ("pages.records", _("Records")),
            ("pages.recorder", _("Write down")),
            ("pages.dashboard", _("Dashboard")),
            ("pages.players", _("Players")),
            ("pages.rules", _("Rules")),
        ),
        "more": (
            ("pages.deck", _("Cards")),
            ("pages.format", _("Format")),
            ("pages.guides", _("Guides")),
            ("pages.event_standings", _("Standings")),
            ("pages.compare_sheets", _("Compare")),
            ("pages.api", _("API")),
        ),
    }


# The views register themselves on the blueprint above.
from web.pages import (  # noqa: E402, F401
    audit,
    compare,
    dashboard,
    disputes,
    guide,
    players,
    printed,
    recorder,
    reference,
    replay,
    shelf,
    standings,
    trial,
    upload,
)
