"""Accounts, tokens and pseudonyms, for administrators, for oneself, and for the store's owner."""

from collections.abc import Mapping
from typing import Any, NoReturn

import marshmallow as ma
from apispec import APISpec
from flask import Response, current_app, g
from flask_smorest import Blueprint, abort
from marshmallow import fields, validate

from service.accounts import custody, pseudonyms
from service.accounts.people import LONGEST_PASSWORD, LONGEST_TOKEN, SHORTEST_PASSWORD, Account, People, Token
from service.accounts.permissions import ACTS, ROLES, SCOPES
from service.acts import written
from service.api.calls import Answer, call, desk, json_answer, refuse
from service.api.disputes import sent_as
from service.api.records import missing
from service.desk import now, read_id
from service.rows import JSON

blueprint = Blueprint("people", __name__, description="Accounts, tokens and pseudonyms")
records = Blueprint("custody", __name__, description="Who sees a record, and how it is withdrawn")


def _text(description: str, **more: Any) -> Any:
    return fields.String(metadata={"description": description}, **more)


class Me(ma.Schema):
    """Who asks."""

    account = _text("The account; null without one", required=True, allow_none=True)
    role = _text("Its role", required=True)
    may = fields.List(fields.String(validate=validate.OneOf(ACTS)), required=True, metadata={"description": "What may be done"})


class AccountItem(ma.Schema):
    """An account."""

    name = fields.String(required=True)
    role = fields.String(required=True, validate=validate.OneOf(ROLES))
    disabled = fields.Boolean(required=True)
    events = fields.List(fields.String(), required=True, metadata={"description": "Events that it is a member of, in small letters"})


class AccountList(ma.Schema):
    """All accounts."""

    items = fields.List(fields.Nested(AccountItem), required=True)
    next = fields.String(required=True, allow_none=True)


_PASSWORD = validate.Length(SHORTEST_PASSWORD, LONGEST_PASSWORD)
_NAME = r"\A[a-z0-9]([a-z0-9._-]{0,62}[a-z0-9])?\Z"
_LETTERS = "Small letters, digits, and between them dots, dashes, underscores"
_EVENTS = validate.Length(max=100)


class NewAccount(ma.Schema):
    """An account to be made."""

    name = _text(_LETTERS, required=True, validate=validate.Regexp(_NAME, error=f"A name is at most 64 of these: {_LETTERS.lower()}."))
    role = _text("What it may do", required=True, validate=validate.OneOf(ROLES))
    password = _text("Only its hash is kept", required=True, validate=_PASSWORD)


class Truth(fields.Boolean):
    """True or false, and nothing that stands for them."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class AccountChange(ma.Schema):
    """What is to be changed of an account."""

    role = _text("What it may do", validate=validate.OneOf(ROLES))
    password = _text("A new one; all its sessions end", validate=_PASSWORD)
    disabled = Truth(metadata={"description": "Ends its sessions and tokens"})
    events = fields.List(fields.String(validate=validate.Length(1, 200)), validate=_EVENTS, metadata={"description": "All its events"})


class TokenItem(ma.Schema):
    """A token; the secret only in the answer that made it."""

    id = fields.String(required=True)
    account = fields.String(required=True)
    label = fields.String(required=True)
    scopes = fields.List(fields.String(validate=validate.OneOf(SCOPES)), required=True)
    created_at = fields.String(required=True)
    expires_at = fields.String(required=True)
    token = fields.String(metadata={"description": "The secret: it is never told again"})


class TokenList(ma.Schema):
    """Tokens."""

    items = fields.List(fields.Nested(TokenItem), required=True)
    next = fields.String(required=True, allow_none=True)


class NewToken(ma.Schema):
    """A token to be made."""

    account = _text("Whose; the store's owner must say, others may not")
    label = _text("What it is for", required=True, validate=validate.Length(1, 100))
    scopes = fields.List(
        fields.String(validate=validate.OneOf(SCOPES)),
        required=True,
        validate=validate.Length(1, 20),
        metadata={"description": "What it may do"},
    )
    days = fields.Integer(
        strict=True, load_default=30, validate=validate.Range(1, LONGEST_TOKEN.days), metadata={"description": "For how long it is good"}
    )


class Visibility(ma.Schema):
    """Who sees a record."""

    visibility = _text("`event`: members of its event", required=True, validate=validate.OneOf(custody.VISIBILITIES))


class PseudonymItem(ma.Schema):
    """A name that is not shown, and what is shown for it."""

    name = _text("The name, in any case", required=True, validate=validate.Length(1, pseudonyms.LONGEST))
    pseudonym = _text("Shown for it; empty: the name is shown again", required=True, validate=validate.Length(0, pseudonyms.LONGEST))


class PseudonymList(ma.Schema):
    """All pseudonyms."""

    items = fields.List(fields.Nested(PseudonymItem), required=True)
    next = fields.String(required=True, allow_none=True)


def register_schemas(spec: APISpec) -> None:
    """Puts the schemas that calls here name into the OpenAPI document."""
    for schema in (NewAccount, AccountChange, NewToken, Visibility, PseudonymItem):
        if schema.__name__ not in spec.components.schemas:
            spec.components.schema(schema.__name__, schema=schema)


def _body(schema: str, text: str) -> Mapping[str, Any]:
    return {"required": True, "description": text, "content": {JSON: {"schema": {"$ref": f"#/components/schemas/{schema}"}}}}


@call(blueprint, "/me", answers=[(200, Answer("Who asks, and what they may", Me))])
def me() -> Response:
    """Ask who one is

    Without `--public` everybody is the store's owner.
    """
    may = [act for act in ACTS if g.viewer.may(act)]
    return json_answer({"account": g.viewer.account, "role": g.viewer.role, "may": may})


@call(blueprint, "/accounts", answers=[(200, Answer("All, by name", AccountList))], refuses=[401, 403])
def accounts() -> Response:
    """List accounts"""
    return json_answer({"items": [_account(each) for each in _people().accounts()], "next": None})


@call(
    blueprint,
    "/accounts",
    method="POST",
    body=_body("NewAccount", "Whom"),
    answers=[(201, Answer("Made", AccountItem))],
    refuses=[401, 403, 413, 415, 422],
)
def add_account() -> Response:
    """Make an account"""
    sent = sent_as(NewAccount())
    return json_answer(_account(_done(lambda: _people().add(sent["name"], sent["role"], sent["password"]))), 201)


@call(
    blueprint,
    "/accounts/<name>",
    method="PATCH",
    body=_body("AccountChange", "What to change"),
    answers=[(200, Answer("Changed", AccountItem))],
    refuses=[401, 403, 404, 413, 415, 422],
)
def change_account(name: str) -> Response:
    """Change an account"""
    sent = sent_as(AccountChange())
    return json_answer(_account(_done(lambda: _people().change(name, **sent))))


@call(blueprint, "/tokens", answers=[(200, Answer("One's own; all for the store's owner", TokenList))], refuses=[401, 403])
def tokens() -> Response:
    """List tokens"""
    return json_answer({"items": [_token(each) for each in _people().tokens(g.viewer.account)], "next": None})


@call(
    blueprint,
    "/tokens",
    method="POST",
    body=_body("NewToken", "What for"),
    answers=[(201, Answer("Made: the token, told this once", TokenItem))],
    refuses=[401, 403, 404, 413, 415, 422],
)
def make_token() -> Response:
    """Make a token"""
    sent = sent_as(NewToken())
    own: str | None = g.viewer.account
    account: str = sent.get("account") or own or ""
    if not account:
        _unfit({"account": "Whose token it is has to be said."})
    if own is not None and account != own:
        _unfit({"account": "A token is made for oneself."})
    secret, token = _done(lambda: _people().add_token(account, sent["label"], sent["scopes"], sent["days"]))
    return json_answer(_token(token) | {"token": secret}, 201)


@call(
    blueprint,
    "/tokens/<id>",
    method="DELETE",
    answers=[(204, Answer("Revoked"))],
    refuses=[401, 403, 404],
)
def revoke_token(id: str) -> Response:
    """Revoke a token"""
    try:
        _people().revoke(id, g.viewer.account)
    except KeyError:
        missing("There is no such token.")
    return Response(status=204)


@call(blueprint, "/pseudonyms", answers=[(200, Answer("All, by name", PseudonymList))], refuses=[401, 403])
def all_pseudonyms() -> Response:
    """List pseudonyms"""
    items = [{"name": name, "pseudonym": shown} for name, shown in desk().pseudonyms().by_name.items()]
    return json_answer({"items": items, "next": None})


@call(
    blueprint,
    "/pseudonyms",
    method="PUT",
    body=_body("PseudonymItem", "Which name, shown as what"),
    answers=[(200, Answer("So it is shown from now on", PseudonymItem))],
    refuses=[401, 403, 413, 415, 422],
)
def give_pseudonym() -> Response:
    """Give a name a pseudonym

    From now on it stands for the name in pages, answers, exports, statistics and cases.
    """
    sent = sent_as(PseudonymItem())
    _done(lambda: pseudonyms.give(desk().store, sent["name"], sent["pseudonym"]))
    return json_answer({"name": sent["name"], "pseudonym": sent["pseudonym"]})


@call(
    records,
    "/records/<id>/visibility",
    method="PUT",
    body=_body("Visibility", "Who sees it"),
    answers=[(200, Answer("So it is from now on", Visibility))],
    refuses=[401, 403, 404, 413, 415, 422],
)
def show(id: str) -> Response:
    """Say who sees a record

    Whoever sent it first may, and administrators.
    """
    sent = sent_as(Visibility())
    custody.show(desk().store, _own(id), sent["visibility"], g.viewer.account, now())
    return json_answer({"visibility": sent["visibility"]})


@call(records, "/records/<id>", method="DELETE", answers=[(204, Answer("Erased"))], refuses=[401, 403, 404, 410])
def withdraw(id: str) -> Response:
    """Withdraw a record

    Erases its bytes, its normalised form, its report and its disputes. Its id, the date and an entry in the log stay; asked for again it
    is 410, sent again it is not kept. Whoever sent it first may, and administrators.
    """
    custody.withdraw(desk().store, _own(id), now())
    return Response(status=204)


def _own(id: str) -> bytes:
    """The key of a record that whoever asks decides about."""
    key = read_id(id)
    if key is None or not desk().sees(id):
        missing()
    if not g.viewer.decides and custody.held(desk().store, key).account != g.viewer.account:
        refuse(403, "Only whoever sent this record first decides about it.")
    return key


def _account(account: Account) -> dict[str, Any]:
    return {"name": account.name, "role": account.role, "disabled": account.disabled, "events": list(account.events)}


def _token(token: Token) -> dict[str, Any]:
    return {
        "id": token.id,
        "account": token.account,
        "label": token.label,
        "scopes": list(token.scopes),
        "created_at": written(token.created_at),
        "expires_at": written(token.expires_at),
    }


def _people() -> People:
    found: People = current_app.extensions["hanafu-people"]
    return found


def _done(act: Any) -> Any:
    """What an act gives; 404 where there is no such account, 422 with every fault for what cannot be."""
    try:
        return act()
    except KeyError:
        missing("There is no such account.")
    except ValueError as error:
        _unfit(dict(line.split(": ", 1) for line in str(error).splitlines()))


def _unfit(faults: Mapping[str, str]) -> NoReturn:
    abort(422, message="What was sent does not fit. Nothing was changed.", messages=dict(faults))
    raise AssertionError("abort does not return")
