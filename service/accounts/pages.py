"""The pages of accounts: sign in, one's own account with its tokens and records. They are there where accounts are."""

from typing import Any
from urllib.parse import urlsplit

from flask import Blueprint, abort, current_app, g, make_response, redirect, render_template, request, url_for
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from service.accounts import custody
from service.accounts.gate import SESSION, Gate, set_cookie
from service.accounts.people import SESSION as SESSION_LENGTH
from service.accounts.people import SHORTEST_PASSWORD, People
from service.accounts.permissions import SCOPES
from service.desk import now, read_id
from service.store import Store
from web.language import _
from web.pages import failed
from web.rulebook import list_variants

blueprint = Blueprint("accounts", __name__)

DAYS = (7, 30, 90, 366)
"""For how long a token can be asked for on the page."""


@blueprint.errorhandler(HTTPException)
def _failed(error: HTTPException) -> Any:
    return failed(error)


@blueprint.get("/login")
def login() -> str:
    """The form to sign in; `next` is where to go on."""
    return render_template("login.html", next=_inside(request.args.get("next", "")), name="", wrong=False)


@blueprint.post("/login")
def sign_in() -> Response:
    """Begins a session. A wrong name and a wrong password have one answer."""
    name, password = request.form.get("name", "").strip().lower(), request.form.get("password", "")
    target = _inside(request.form.get("next", ""))
    gate: Gate = current_app.extensions["hanafu-gate"]
    secret = gate.sign_in(name, password)
    if secret is None:
        return make_response(render_template("login.html", next=target, name=name[:100], wrong=True), 422)
    response = redirect(target or url_for("pages.upload"), 303)
    set_cookie(response, SESSION, secret, int(SESSION_LENGTH.total_seconds()))
    return response


@blueprint.post("/logout")
def sign_out() -> Response:
    """Ends the session, here and in the store."""
    if secret := request.cookies.get(SESSION):
        _people().sign_out(secret)
    response = redirect(url_for("accounts.login"), 303)
    response.delete_cookie(SESSION, secure=True, httponly=True, samesite="Lax")
    return response


@blueprint.get("/account")
def account() -> str:
    """One's own account."""
    return _account()


@blueprint.post("/account/password")
def change_password() -> Response:
    """A new password, where the old one is right. Every session of the account ends; this one begins anew."""
    name = _name()
    if _people().verify(name, request.form.get("old", "")) is None:
        return make_response(_account(faults={"old": _("That is not your password.")}), 422)
    try:
        _people().change(name, password=request.form.get("new", ""))
    except ValueError:
        return make_response(_account(faults={"new": _("%(number)s characters or more.", number=SHORTEST_PASSWORD)}), 422)
    response = redirect(url_for("accounts.account", changed=1), 303)
    set_cookie(response, SESSION, _people().sign_in(name), int(SESSION_LENGTH.total_seconds()))
    return response


@blueprint.post("/account/tokens")
def make_token() -> Response:
    """A new token; the page that answers is the only place where it ever stands."""
    days = request.form.get("days", "")
    try:
        secret, _token = _people().add_token(
            _name(), request.form.get("label", ""), request.form.getlist("scope"), int(days) if days.isdecimal() and len(days) < 5 else 0
        )
    except ValueError as error:
        faults = dict(line.split(": ", 1) for line in str(error).splitlines())
        return make_response(_account(faults=faults), 422)
    return make_response(_account(secret=secret))


@blueprint.post("/account/tokens/<id>/revoke")
def revoke_token(id: str) -> Response:
    """Ends a token."""
    try:
        _people().revoke(id, _name())
    except KeyError:
        abort(404, _("There is no such token."))
    return redirect(url_for("accounts.account", _anchor="tokens"), 303)


@blueprint.post("/account/records/<id>/visibility")
def show_record(id: str) -> Response:
    """Says who sees a record of one's own."""
    try:
        custody.show(_store(), _own(id), request.form.get("visibility", ""), _name(), now())
    except ValueError as error:
        abort(400, str(error))
    return redirect(url_for("accounts.account", _anchor="records"), 303)


@blueprint.post("/account/records/<id>/withdraw")
def withdraw_record(id: str) -> Response:
    """Erases a record of one's own, where the form says that it is meant."""
    key = _own(id)
    if request.form.get("sure") != "1":
        return make_response(_account(faults={f"sure-{key.hex()}": _("Tick the box first: what is erased does not come back.")}), 422)
    custody.withdraw(_store(), key, now())
    return redirect(url_for("accounts.account", withdrawn=1, _anchor="records"), 303)


def _account(secret: str = "", faults: dict[str, str] | None = None) -> str:
    name = _name()
    return render_template(
        "account.html",
        account=_people().account(name),
        tokens=_people().tokens(name),
        now=now(),
        scopes=[scope for scope in SCOPES if g.viewer.may(scope)],
        days=DAYS,
        records=custody.records_of(_store(), name),
        names={each["id"]: each["name"] for each in list_variants()},
        visibilities=custody.VISIBILITIES,
        default=current_app.config["VISIBILITY"],
        secret=secret,
        faults=faults or {},
        sent=request.form,
        shortest=SHORTEST_PASSWORD,
    )


def _own(id: str) -> bytes:
    """The key of a record that one decides about."""
    key = read_id(id)
    if key is None or (custody.held(_store(), key).account != _name() and not g.viewer.decides):
        abort(404, _("There is no record of this id that is yours to decide about."))
    return key


def _name() -> str:
    if g.viewer.account is None:
        abort(403, _("This is for people who have signed in."))
    return str(g.viewer.account)


def _people() -> People:
    found: People = current_app.extensions["hanafu-people"]
    return found


def _store() -> Store:
    found: Store = current_app.extensions["hanafu"].store
    return found


def _inside(target: str) -> str:
    """An address of ours to go on to; empty for every other one."""
    if not target.startswith("/") or target.startswith(("//", "/\\")) or any(ord(letter) < 33 or letter == "\\" for letter in target):
        return ""
    parts = urlsplit(target)
    return "" if parts.scheme or parts.netloc else target
