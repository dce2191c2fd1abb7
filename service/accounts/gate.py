"""The gate that every request passes: is the host ours, who asks, may they, not too often, and did they mean to.

Without ``--public`` whoever reaches the server is the store's owner; the host and the origin are checked all the same, so that no other
site in the owner's browser reads or writes here.
"""

import hashlib
import hmac
import ipaddress
import re
import secrets
import socket
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, g, redirect, request, url_for
from werkzeug.datastructures import Headers, WWWAuthenticate
from werkzeug.exceptions import BadRequest, Forbidden, Gone, TooManyRequests, Unauthorized
from werkzeug.wrappers import Response as AnyResponse

from service.accounts import custody
from service.accounts.limits import Buckets, Limit
from service.accounts.people import People
from service.accounts.permissions import HOLDING, OPEN, VISITOR, Viewer, needed
from service.config import Settings
from service.desk import read_id

SESSION: Final = "__Host-hanafu"
"""The cookie of a session: over TLS only, for this host only, unseen by scripts."""
VISIT: Final = "__Host-hanafu-visit"
"""The cookie to which the sign-in form is bound, before there is a session."""
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})

SIGN_INS: Final = Limit(10, 15 * 60)
"""Attempts to sign in, of one address and for one account."""
BYTES: Final = Limit(256_000_000, 3600)
"""What one sends."""

_EMBEDDED: Final = {"Permissions-Policy": "camera=(), geolocation=(), microphone=()"}
_CLOSED: Final = _EMBEDDED | {"Cross-Origin-Resource-Policy": "same-origin"}
_OVER_TLS: Final = {"Strict-Transport-Security": "max-age=31536000"}


class Gate:
    """Stands before an application; `people` is None where there are no accounts."""

    def __init__(self, settings: Settings, people: People | None) -> None:
        self.people = people
        named = {each.strip().lower() for each in settings.hosts.split(",") if each.strip()}
        self._hosts = LOCAL | named | {settings.host.lower()}
        self._any_address = settings.host in ("0.0.0.0", "::")
        self._requests = Buckets(Limit(settings.rate, 60))
        self._bytes = Buckets(BYTES)
        self._sign_ins = Buckets(SIGN_INS)

    def install(self, app: Flask) -> None:
        """Before every request, and behind it."""
        app.before_request(self.check)
        app.after_request(self._close)
        app.context_processor(self._words)
        app.extensions["hanafu-gate"] = self

    def check(self) -> Any:
        """Lets a request pass, or answers in its stead."""
        if not self._ours(request.host):
            raise BadRequest("This server does not answer for that host; --hosts names the ones it does.")
        g.viewer = self._who()
        self._slow_down()
        if request.url_rule is None:
            return None
        act = needed(request.endpoint)
        if not g.viewer.may(act):
            return self._refuse(act)
        if request.method not in SAFE and not g.get("by_token"):
            self._meant()
        self._there()
        return None

    def sign_in(self, name: str, password: str) -> str | None:
        """A new session, or None. Refuses who tries too often, whether or not there is such an account."""
        assert self.people is not None
        for key in (f"address {request.remote_addr}", f"account {name[:100]}"):
            self._take(self._sign_ins, key, 1, "Too many attempts to sign in.")
        account = self.people.verify(name, password)
        return None if account is None else self.people.sign_in(account.name)

    def _ours(self, host: str) -> bool:
        name = re.sub(r":\d*\Z", "", host.lower()).strip("[]")
        if name in self._hosts:
            return True
        if not self._any_address:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name == socket.gethostname().lower()
        return True

    def _who(self) -> Viewer:
        scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
        owner = current_app.extensions.get("hanafu-owner")
        if scheme.lower() == "bearer" and owner and hmac.compare_digest(owner.encode(), secret.encode()):
            g.by_token = True
            return HOLDING
        if self.people is None:
            return HOLDING
        if scheme:
            found = self.people.by_token(secret) if scheme.lower() == "bearer" else None
            if found is None:
                self._take(self._requests, f"address {request.remote_addr}", 1, "Too many requests.")
                raise Unauthorized("This token is none, was revoked, or has expired.", www_authenticate=WWWAuthenticate("bearer"))
            g.by_token = True
            return found
        if (cookie := request.cookies.get(SESSION)) and (found := self.people.by_session(cookie)):
            return found
        return Viewer()

    def _slow_down(self) -> None:
        if self.people is None or g.viewer.role == HOLDING.role or request.endpoint in ("pages.static", "healthz"):
            return
        key = f"account {g.viewer.account}" if g.viewer.account else f"address {request.remote_addr}"
        self._take(self._requests, key, 1, "Too many requests.")
        if request.content_length:
            self._take(self._bytes, key, request.content_length, "Too much was sent.")

    @staticmethod
    def _take(buckets: Buckets, key: str, amount: float, text: str) -> None:
        if wait := buckets.take(key, amount):
            raise TooManyRequests(f"{text} Try again in {int(wait) + 1} seconds.", retry_after=int(wait) + 1)

    def _refuse(self, act: str) -> Any:
        if g.viewer.role != VISITOR:
            by = "This token is" if g.viewer.scopes is not None else f"The role {g.viewer.role} is"
            raise Forbidden(f"{by} not for this: it needs {act!r}.")
        if request.method == "GET" and request.endpoint is not None and request.endpoint.startswith(("pages.", "accounts.")):
            return redirect(url_for("accounts.login", next=request.full_path.rstrip("?")), 303)
        raise Unauthorized("This needs an account: sign in, or bring a token.", www_authenticate=WWWAuthenticate("bearer"))

    def _meant(self) -> None:
        """Refuses what another site makes a browser send, and, where a cookie says who asks, what does not bring its form's token."""
        if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
            raise Forbidden("This is taken from this site's own pages only, not from another site.")
        origin = request.headers.get("Origin")
        if origin is not None and urlsplit(origin).netloc.lower() != request.host.lower():
            raise Forbidden("This is taken from this site's own pages only, not from another site.")
        if self.people is None:
            return
        given = request.headers.get("X-CSRF-Token") or ("" if request.path.startswith("/api/") else request.form.get("csrf_token", ""))
        secret = request.cookies.get(SESSION) if g.viewer.account else request.cookies.get(VISIT)
        if not secret or not hmac.compare_digest(_csrf(secret).encode(), given.encode("utf-8", "replace")):
            raise Forbidden("The form is too old, or not of this site: load the page again, then send it again.")

    def _there(self) -> None:
        """Says of a record that was withdrawn that it is gone, and since when."""
        if request.url_rule is None or "/records/<id>" not in request.url_rule.rule:
            return
        key = read_id(str((request.view_args or {}).get("id", "")))
        if key is not None and (at := custody.withdrawn(current_app.extensions["hanafu"].store, key)):
            raise Gone(f"This record was withdrawn on {at:%Y-%m-%d}. Its bytes, its normalised form and its report were erased.")

    def _words(self) -> dict[str, Any]:
        """What templates know of accounts: with them, who looks, and the token of forms."""
        if self.people is None or "viewer" not in g:
            return {"viewer": None}
        return {"viewer": g.viewer, "csrf_token": self._token}

    @staticmethod
    def _token() -> str:
        secret = request.cookies.get(SESSION) if g.viewer.account else request.cookies.get(VISIT) or g.get("visit")
        if not secret:
            secret = g.visit = secrets.token_urlsafe(32)
        return _csrf(secret)

    def _close(self, response: Response) -> Response:
        embedded = request.endpoint == "pages.embed"
        complete(response.headers, _EMBEDDED if embedded else _CLOSED)
        if self.people is not None:
            complete(response.headers, _OVER_TLS)
            if needed(request.endpoint) != OPEN:
                response.headers["Cache-Control"] = "private, no-store"
            if visit := g.get("visit"):
                set_cookie(response, VISIT, visit)
        return response


def complete(headers: Headers, more: Mapping[str, str]) -> None:
    """Adds the headers that are not there."""
    there = {name.lower() for name, _ in headers}
    for name, value in more.items():
        if name.lower() not in there:
            headers.add(name, value)


def set_cookie(response: AnyResponse, name: str, value: str, seconds: int | None = None) -> None:
    """A cookie of ours; without `seconds` it ends with the browser."""
    response.set_cookie(name, value, max_age=seconds, secure=True, httponly=True, samesite="Lax", path="/")


def _csrf(secret: str) -> str:
    """What a form brings along: nobody has it who does not have the cookie, and the cookie does not follow from it."""
    return hashlib.sha256(f"csrf {secret}".encode()).hexdigest()
