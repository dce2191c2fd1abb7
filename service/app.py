"""The application: pages and API over one store."""

import logging
import re
import secrets

from flask import Flask, Response, g, request

from service import api
from service.config import Settings
from service.desk import Desk
from service.imports import Imports
from web import pages

POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'self'"
"""For answers that bring no policy of their own."""
PAGE_FORM = 16
"""Records' worth of bytes that the upload page takes in one form."""


def create_app(settings: Settings, desk: Desk, imports: Imports) -> Flask:
    """An application that answers for this desk. It closes nothing."""
    app = Flask("service", static_folder=None, template_folder=None)
    app.config.update(
        MAX_RECORD=settings.max_record,
        MAX_IMPORT=settings.max_import,
        MAX_CONTENT_LENGTH=PAGE_FORM * settings.max_record,
        SECRET_KEY=secrets.token_bytes(32),
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_HTTPONLY=True,
    )
    app.logger.setLevel(logging.getLevelNamesMapping()[settings.log.upper()])
    app.extensions["hanafu"] = desk
    app.extensions["hanafu-imports"] = imports
    app.before_request(_name_request)
    app.after_request(_guard)
    app.register_blueprint(pages.blueprint)
    api.register(app)
    return app


def _name_request() -> None:
    """The request's id: the caller's where it is a plain word, else one of ours."""
    named = request.headers.get("X-Request-Id", "")
    g.request_id = named if re.fullmatch(r"[A-Za-z0-9._-]{1,64}", named) else secrets.token_hex(8)


def _guard(response: Response) -> Response:
    response.headers["X-Request-Id"] = g.get("request_id", "-")
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "same-origin")
    response.headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    response.headers.setdefault("Content-Security-Policy", f"{POLICY}; frame-ancestors 'self'")
    return response
