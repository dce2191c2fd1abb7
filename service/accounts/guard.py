"""The desk's guard where there are accounts: what the one who asks may see, and whose is what is sent. And disputes bound to accounts."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from flask import g, has_request_context

from service.accounts import custody
from service.accounts.permissions import HOLDING, RULE, Viewer, seen
from service.desk import Desk, Guard, now
from service.disputes import Disputes
from service.queries import Condition
from web.cases import Actor, Dispute


def viewer() -> Viewer:
    """Who asks. Outside a request, and before it is known who asks, it is the server itself, or nobody."""
    if not has_request_context():
        return HOLDING
    found: Viewer = g.get("viewer") or Viewer()
    return found


class AccountGuard(Guard):
    """By the account behind the request."""

    def __init__(self, default: str) -> None:
        """`default`: the visibility of records of which none was said."""
        self._default = default

    def scope(self) -> Condition:
        """The records that whoever asks may see."""
        return seen(viewer(), self._default)

    def account(self) -> str | None:
        """Whose is what is sent now."""
        return viewer().account

    def sees_import(self, account: str | None) -> bool:
        """One's own; all for an administrator."""
        asks = viewer()
        return asks.decides or (account is not None and account == asks.account)


class AccountDisputes(Disputes):
    """Disputes in which the account says who acts, whatever was typed."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._records = desk

    def open(self, id: str, by: Actor, round: int | None, claim: str, statement: str) -> Dispute:
        """As a player; arbiters and administrators as directors."""
        return super().open(id, self._bound(by, "director"), round, claim, statement)

    def answer(self, id: str, number: int, by: Actor, statement: str) -> Dispute:
        """As whoever one is."""
        return super().answer(id, number, self._bound(by, "arbiter"), statement)

    def preview(self, id: str, number: int, by: Actor, ruling: Mapping[str, Any]) -> dict[str, Any]:
        """As an arbiter."""
        return super().preview(id, number, self._bound(by, "arbiter"), ruling)

    def rule(self, id: str, number: int, by: Actor, ruling: Mapping[str, Any]) -> Dispute:
        """As an arbiter. A corrected record belongs to whoever has the one that it replaces."""
        ruled = super().rule(id, number, self._bound(by, "arbiter"), ruling)
        if ruling.get("text") and ruled.ruling is not None and ruled.ruling.record is not None:
            custody.inherit(self._records.store, bytes.fromhex(ruled.ruling.record), bytes.fromhex(id.removeprefix("sha256:")), now())
        return ruled

    @staticmethod
    def _bound(by: Actor, higher: str) -> Actor:
        asks = viewer()
        if asks.account is None:
            return by
        return replace(by, name=asks.account, role=higher if asks.may(RULE) else "player", account=asks.account)
