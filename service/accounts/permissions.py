"""Who may do what: the one table that pages, API and exports ask.

A role allows acts; every route needs one act. A token allows those of its account's acts that are among its scopes. A route that is not
in the table is open to nobody. Which *records* somebody sees is said once too, by `seen`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from service.queries import ALL, Condition

OPEN: Final = "open"
"""What belongs to nobody: rules, cards, documentation, health, signing in."""
READ: Final = "read"
"""Records that one may see, and all that is worked out of them."""
AUDIT: Final = "audit"
"""Have a record audited that is not kept."""
SELF: Final = "self"
"""One's own account."""
SEND: Final = "send"
"""Send records and imports; decide about one's own."""
DISPUTE: Final = "dispute"
"""Open disputes, and answer."""
RULE: Final = "rule"
ADMIN: Final = "admin"
"""Accounts, pseudonyms, every record, the server's numbers."""
OWNER: Final = "owner"
"""What only somebody does who can read the store's file anyway."""

ACTS: Final = (OPEN, READ, AUDIT, SELF, SEND, DISPUTE, RULE, ADMIN, OWNER)
SCOPES: Final = (READ, AUDIT, SEND, DISPUTE, RULE, ADMIN)
"""What a token can be for. What belongs to nobody needs none, and no token makes tokens."""

VISITOR: Final = "visitor"
"""Nobody who is known."""
HOLDER: Final = "holder"
"""The owner of the store."""

ALLOWED: Final[Mapping[str, frozenset[str]]] = {
    VISITOR: frozenset({OPEN, READ}),
    "reader": frozenset({OPEN, READ, AUDIT, SELF}),
    "player": frozenset({OPEN, READ, AUDIT, SELF, SEND, DISPUTE}),
    "arbiter": frozenset({OPEN, READ, AUDIT, SELF, SEND, DISPUTE, RULE}),
    "admin": frozenset({OPEN, READ, AUDIT, SELF, SEND, DISPUTE, RULE, ADMIN}),
    HOLDER: frozenset(ACTS),
}
ROLES: Final = ("reader", "player", "arbiter", "admin")
"""Of accounts."""

ROUTES: Final[Mapping[str, str]] = {
    # Pages
    "pages.upload": READ,
    "pages.send": SEND,
    "pages.records": READ,
    "pages.remove_samples": ADMIN,
    "pages.audit": READ,
    "pages.new_dispute": DISPUTE,
    "pages.open_dispute": DISPUTE,
    "pages.answer_dispute": DISPUTE,
    "pages.ruling_form": RULE,
    "pages.give_ruling": RULE,
    "accounts.login": OPEN,
    "accounts.sign_in": OPEN,
    "accounts.sign_out": OPEN,
    "accounts.account": SELF,
    "accounts.change_password": SELF,
    "accounts.make_token": SELF,
    "accounts.revoke_token": SELF,
    "accounts.show_record": SEND,
    "accounts.withdraw_record": SEND,
    # API
    "records.send": SEND,
    "custody.withdraw": SEND,
    "custody.show": SEND,
    "audits.audit": AUDIT,
    "hints.ask": AUDIT,
    "presence.who": AUDIT,
    "presence.hold": AUDIT,
    "presence.leave": AUDIT,
    "imports.send": SEND,
    "imports.listing": SEND,
    "imports.fetch": SEND,
    "imports.cancel": SEND,
    "imports.resume": SEND,
    "imports.errors": SEND,
    "imports.errors_file": SEND,
    "disputes.open_dispute": DISPUTE,
    "disputes.answer": DISPUTE,
    "disputes.rule": RULE,
    "people.me": OPEN,
    "people.accounts": ADMIN,
    "people.add_account": ADMIN,
    "people.change_account": ADMIN,
    "people.tokens": SELF,
    "people.make_token": SELF,
    "people.revoke_token": SELF,
    "people.all_pseudonyms": ADMIN,
    "people.give_pseudonym": ADMIN,
    "owner.copy": OWNER,
    "comparisons.again": OWNER,
    "metrics": ADMIN,
    # What belongs to nobody
    **dict.fromkeys(
        (
            *(
                "pages.static",
                "pages.sprite",
                "pages.icon",
                "pages.nothing",
                "pages.guides",
                "pages.guide",
                "pages.recorder",
                "pages.record_sheet",
                "pages.record_worker",
                "pages.rules",
                "pages.rule",
                "pages.deck",
                "pages.format",
                "pages.api",
            ),
            *("variants.listing", "variants.fetch", "stats.listing", "system.record_schema"),
            *("api-docs.openapi_json", "docs", "healthz"),
        ),
        OPEN,
    ),
    # What shows records
    **dict.fromkeys(
        (
            *("pages.replay", "pages.embed", "pages.position", "pages.positions", "pages.transcript", "pages.printed", "pages.written"),
            *("pages.ledger", "pages.ledger_json", "pages.trial", "pages.case_file", "pages.compare_sheets", "pages.event_standings"),
            *("pages.dashboard", "pages.chart", "pages.chart_csv", "pages.changed", "pages.players", "pages.player"),
            *("records.listing", "records.fetch", "records.audit", "records.replay", "exports.table", "stats.fetch"),
            *("disputes.listing", "disputes.fetch", "disputes.standings", "disputes.event_standings", "disputes.case"),
            *("comparisons.two", "comparisons.changed"),
        ),
        READ,
    ),
}
"""By endpoint."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who asks."""

    role: str = VISITOR
    account: str | None = None
    scopes: frozenset[str] | None = None
    """Of the token; None: not by a token."""

    def may(self, act: str) -> bool:
        """Whether the role allows an act, and the token too."""
        return act in ALLOWED[self.role] and (self.scopes is None or act == OPEN or act in self.scopes)

    @property
    def decides(self) -> bool:
        """Whether every record is theirs to decide about."""
        return self.may(ADMIN)


HOLDING: Final = Viewer(HOLDER)


def needed(endpoint: str | None) -> str:
    """The act that a route needs; what is not in the table only the owner may do."""
    return ROUTES.get(endpoint or "", OWNER)


def seen(viewer: Viewer, default: str) -> Condition:
    """Which records somebody sees, as a condition over ``records AS r``. `default`: the visibility of records of which none was said.

    ========  =====================================================================================
    public    everybody
    event     whoever sent it, members of its event, arbiters
    private   whoever sent it
    disputed  arbiters too, whatever its visibility
    ========  =====================================================================================

    Administrators and the store's owner see all. Samples are public.
    """
    if viewer.role in (HOLDER, "admin"):
        return ALL
    said = "SELECT v.record FROM (SELECT record, arg_max(visibility, step) AS said FROM visibility GROUP BY record) v WHERE v.said ="

    def is_(visibility: str) -> str:
        shown = f"r.id IN ({said} '{visibility}')"
        return f"({shown} OR r.id NOT IN (SELECT record FROM visibility))" if visibility == default else shown

    ways = ["r.sample", is_("public")]
    parameters: tuple[object, ...] = ()
    if viewer.account is not None:
        ways.append("r.id IN (SELECT record FROM holders WHERE account = ?)")
        parameters += (viewer.account,)
        if viewer.role != "arbiter":
            ways.append(f"({is_('event')} AND lower(r.event) IN (SELECT event FROM memberships WHERE account = ?))")
            parameters += (viewer.account,)
    if viewer.role == "arbiter":
        ways += [is_("event"), "r.id IN (SELECT record FROM acts)"]
    return Condition(f"({' OR '.join(ways)})", parameters)
