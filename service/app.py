"""The application: pages and API over one store."""

import logging
import random
import re
import time
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

from flask import Flask, Response, current_app, g, request

from service import api
from service.accounts import pages as accounts
from service.accounts.gate import SAFE, Gate, complete
from service.accounts.guard import AccountDisputes, AccountGuard
from service.accounts.people import People
from service.config import Settings
from service.desk import Desk
from service.disputes import Disputes
from service.imports import Imports
from service.metrics import Metrics
from service.presences import Presences
from web import pages

P = ParamSpec("P")
R = TypeVar("R")

_log: Final = logging.getLogger("hanafu.requests")

POLICY = pages.POLICY
"""For answers that bring no policy of their own."""
RECORDS = f"{api.BASE}/records"
"""Where records are sent."""
PAGE_FORM = 16
"""Records' worth of bytes that the upload page takes in one form."""


class _App(Flask):
    """As every Flask application; none of its functions is a coroutine, so that it need not be asked of each at each request."""

    def ensure_sync(self, func: Callable[P, R]) -> Callable[P, R]:
        """The function."""
        return func


def create_app(settings: Settings, desk: Desk, imports: Imports) -> Flask:
    """An application that answers for this desk. It closes nothing."""
    app = _App("service", static_folder=None, template_folder=None)
    app.config.update(
        MAX_RECORD=settings.max_record,
        MAX_IMPORT=settings.max_import,
        MAX_CONTENT_LENGTH=PAGE_FORM * settings.max_record,
        VISIBILITY=settings.visibility,
    )
    app.logger.setLevel(logging.getLevelNamesMapping()[settings.log.upper()])
    app.extensions["hanafu"] = desk
    app.extensions["hanafu-imports"] = imports
    people = People(desk.store) if settings.public else None
    if people is None:
        app.extensions["hanafu-cases"] = Disputes(desk)
    else:
        desk.guard = AccountGuard(settings.visibility)
        app.extensions["hanafu-cases"] = AccountDisputes(desk)
    app.extensions["hanafu-people"] = people or People(desk.store)
    app.extensions["hanafu-metrics"] = Metrics()
    app.extensions["hanafu-presences"] = Presences()
    app.before_request(_begin)
    app.after_request(_guard)
    app.after_request(_note)
    Gate(settings, people).install(app)
    app.before_request(_catch_up)
    app.after_request(_seen)
    app.teardown_request(_leave)
    app.register_blueprint(pages.blueprint)
    if people is not None:
        app.register_blueprint(accounts.blueprint)
    api.register(app)
    return app


def in_lane(desk: Desk) -> Callable[[str, str], bool]:
    """Which requests, by method and path, mostly wait for a commit (`service.lane`): records that are sent. But in a lake all that asks
    for something waits for PostgreSQL."""
    return lambda method, path: method == "POST" and path == RECORDS and not desk.store.shared


_GUARDED: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Content-Security-Policy": f"{POLICY}; frame-ancestors 'self'",
}
"""Headers of every answer that does not say otherwise."""


def _begin() -> None:
    """Names the request, by the caller's id where it is a plain word, and looks at the clock."""
    g.began = time.perf_counter()
    named = request.headers.get("X-Request-Id", "")
    g.request_id = named if re.fullmatch(r"[A-Za-z0-9._-]{1,64}", named) else f"{random.getrandbits(64):016x}"


def _catch_up() -> None:
    """Who looks goes first, and sees all that was acknowledged. Who sends a record sees none, and files are none."""
    if request.endpoint not in (None, "records.send", "pages.static"):
        desk: Desk = current_app.extensions["hanafu"]
        desk.courtesy.enter()
        g.looks = True
        rule = str(request.url_rule)
        alone = request.method in SAFE and "/records/<id>" in rule and "/disputes" not in rule  # a ruling names another record
        desk.catch_up((request.view_args or {}).get("id") if alone else None)


def _seen(response: Response) -> Response:
    """What is streamed is not waited for."""
    _leave()
    return response


def _leave(error: BaseException | None = None) -> None:
    if g.pop("looks", False):
        current_app.extensions["hanafu"].courtesy.leave()


def _guard(response: Response) -> Response:
    response.headers["X-Request-Id"] = g.get("request_id", "-")
    complete(response.headers, _GUARDED)
    return response


def _note(response: Response) -> Response:
    """Counts and logs the answer. The log has the route, not the address, which may name a player."""
    seconds = time.perf_counter() - g.get("began", time.perf_counter())
    route = request.url_rule.rule if request.url_rule else "(none)"
    current_app.extensions["hanafu-metrics"].answered(route, request.method, response.status_code, seconds)
    _log.info(
        "answered",
        extra={"method": request.method, "route": route, "status": response.status_code, "milliseconds": round(seconds * 1000, 1)},
    )
    return response
