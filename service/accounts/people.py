"""Accounts: passwords, sessions, tokens, memberships. The store holds no secret that opens anything: of passwords an argon2id hash, of
sessions and tokens the SHA-256 of 256 random bits."""

import hashlib
import re
import secrets
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import argon2
import duckdb

from service.accounts.permissions import ROLES, SCOPES, Viewer
from service.desk import now
from service.store import Store

SHORTEST_PASSWORD: Final = 10
LONGEST_PASSWORD: Final = 1000
"""Characters; a hash costs the same for all of them."""
SESSION: Final = timedelta(days=7)
LONGEST_TOKEN: Final = timedelta(days=366)
MOST_TOKENS: Final = 50
PREFIX: Final = "hanafu_"
"""Tokens begin with it, so that programs that look for leaked secrets find them."""

_HASHER: Final = argon2.PasswordHasher()
_NOBODY: Final = _HASHER.hash(secrets.token_hex(16))
"""Checked where there is no such account, so that the answer takes as long."""
_NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?")
_IN_FORCE: Final = (
    "SELECT name, arg_max(role, step) AS role, arg_max(password, step) AS password, arg_max(disabled, step) AS disabled "
    "FROM accounts GROUP BY name"
)


@dataclass(frozen=True, slots=True)
class Account:
    """An account as others may know it."""

    name: str
    role: str
    disabled: bool
    events: Sequence[str] = ()
    """Whose members' records it sees, in small letters."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token without its secret."""

    id: str
    account: str
    label: str
    scopes: Sequence[str]
    created_at: datetime
    expires_at: datetime


class People:
    """The accounts of a store. What cannot be done raises ValueError with every fault, a line each, ``part: why``.

    A clock that is set back revives nothing that has expired while this is in use, and at no time is a session or a token good for longer
    than the longest there is.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._latest = now()

    def add(self, name: str, role: str, password: str) -> Account:
        """A new account."""
        faults = _faulty_password(password)
        if not _NAME.fullmatch(name):
            faults.append("name: 1 to 64 small letters a-z, digits, dots, dashes and underscores, a letter or digit first and last")
        if role not in ROLES:
            faults.append(f"role: {role!r} is none of {', '.join(ROLES)}")
        if faults:
            raise ValueError("\n".join(faults))
        if not self._store.write(_add, (name, role, _HASHER.hash(password), now())).result():
            raise ValueError(f"name: there is an account {name!r} already")
        return self.account(name)

    def accounts(self) -> list[Account]:
        """All, by name."""
        events: dict[str, list[str]] = {}
        for name, event in self._store.read("SELECT DISTINCT account, event FROM memberships ORDER BY event"):
            events.setdefault(name, []).append(event)
        rows = self._store.read(f"SELECT name, role, disabled FROM ({_IN_FORCE}) ORDER BY name")
        return [Account(name, role, disabled, events.get(name, ())) for name, role, disabled in rows]

    def account(self, name: str) -> Account:
        """One of them. Raises KeyError."""
        for account in self.accounts():
            if account.name == name:
                return account
        raise KeyError(name)

    def change(
        self,
        name: str,
        *,
        role: str | None = None,
        password: str | None = None,
        disabled: bool | None = None,
        events: Sequence[str] | None = None,
    ) -> Account:
        """Changes what is given. A new password or a disabled account ends its sessions; disabling ends its tokens too. Raises KeyError."""
        before = self.account(name)
        faults = [] if password is None else _faulty_password(password)
        if role is not None and role not in ROLES:
            faults.append(f"role: {role!r} is none of {', '.join(ROLES)}")
        if faults:
            raise ValueError("\n".join(faults))
        change = _Changed(name, role, None if password is None else _HASHER.hash(password), disabled, events, now())
        self._store.write(_change, change).result()
        return self.account(before.name)

    def verify(self, name: str, password: str) -> Account | None:
        """The account, where the password is right and it is not disabled. Takes as long where there is none."""
        rows = self._store.read(f"SELECT password, disabled FROM ({_IN_FORCE}) WHERE name = ?", (name,))
        try:
            _HASHER.verify(rows[0][0] if rows else _NOBODY, password[:LONGEST_PASSWORD])
        except argon2.exceptions.VerificationError:
            return None
        return self.account(name) if rows and not rows[0][1] else None

    def sign_in(self, name: str) -> str:
        """A new session of an account: what its cookie holds."""
        secret = secrets.token_urlsafe(32)
        self._store.write(_sign_in, (_sum(secret), name, self._time())).result()
        return secret

    def sign_out(self, secret: str) -> None:
        """Ends a session."""
        self._store.write(_sign_out, _sum(secret)).result()

    def by_session(self, secret: str) -> Viewer | None:
        """Who asks with this cookie; None where the session has ended."""
        return self._viewer(
            f"SELECT a.name, a.role, NULL FROM sessions s JOIN ({_IN_FORCE}) a ON a.name = s.account "
            "WHERE s.hash = ? AND s.expires_at > ? AND s.expires_at <= ? AND NOT a.disabled",
            secret,
            SESSION,
        )

    def by_token(self, secret: str) -> Viewer | None:
        """Who asks with this token; None where it is none, was revoked, or has expired."""
        return self._viewer(
            f"SELECT a.name, a.role, t.scopes FROM tokens t JOIN ({_IN_FORCE}) a ON a.name = t.account "
            "WHERE t.hash = ? AND t.expires_at > ? AND t.expires_at <= ? AND NOT a.disabled",
            secret,
            LONGEST_TOKEN,
        )

    def add_token(self, account: str, label: str, scopes: Sequence[str], days: int) -> tuple[str, Token]:
        """A new token: the secret, which is told this once, and what is known of it from then on. Raises KeyError for no account."""
        label = label.strip()
        mine = self.account(account)
        faults = []
        if not label or len(label) > 100 or not all(letter.isprintable() for letter in label):
            faults.append("label: 1 to 100 characters, and no control characters")
        if not scopes or set(scopes) - set(SCOPES):
            faults.append(f"scopes: one or more of {', '.join(SCOPES)}")
        elif beyond := [scope for scope in SCOPES if scope in scopes and not Viewer(mine.role).may(scope)]:
            faults.append(f"scopes: the role {mine.role} may not {', '.join(beyond)}")
        if not 1 <= days <= LONGEST_TOKEN.days:
            faults.append(f"days: 1 to {LONGEST_TOKEN.days}")
        if len(self.tokens(account)) >= MOST_TOKENS:
            faults.append(f"label: an account has at most {MOST_TOKENS} tokens; revoke one first")
        if faults:
            raise ValueError("\n".join(faults))
        secret = PREFIX + secrets.token_urlsafe(32)
        at = self._time()
        token = Token(secrets.token_hex(6), account, label, [s for s in SCOPES if s in scopes], at, at + timedelta(days=days))
        self._store.write(_add_token, (token, _sum(secret))).result()
        return secret, token

    def tokens(self, account: str | None = None) -> list[Token]:
        """The tokens of an account, or all, the latest first; one that has expired stays until it is revoked."""
        rows = self._store.read(
            "SELECT id, account, label, scopes, created_at, expires_at FROM tokens WHERE account = coalesce(?, account) "
            "ORDER BY created_at DESC, id",
            (account,),
        )
        return [Token(id, name, label, scopes.split(), created, expires) for id, name, label, scopes, created, expires in rows]

    def revoke(self, id: str, account: str | None = None) -> None:
        """Ends a token, of this account or of any. Raises KeyError."""
        if not self._store.write(_revoke, (id, account)).result():
            raise KeyError(id)

    def _time(self) -> datetime:
        """What the clock says, and never less than it has said already."""
        with self._lock:
            self._latest = max(self._latest, now())
            return self._latest

    def _viewer(self, sql: str, secret: str, longest: timedelta) -> Viewer | None:
        at = self._time()
        rows = self._store.read(sql, (_sum(secret), at, at + longest))
        if not rows:
            return None
        name, role, scopes = rows[0]
        return Viewer(role, name, None if scopes is None else frozenset(scopes.split()))


@dataclass(frozen=True, slots=True)
class _Changed:
    """What is to be changed of an account; None: nothing."""

    name: str
    role: str | None
    password: str | None
    disabled: bool | None
    events: Sequence[str] | None
    at: datetime


def _faulty_password(password: str) -> list[str]:
    if SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        return []
    return [f"password: {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters"]


def _sum(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()


def _add(connection: duckdb.DuckDBPyConnection, new: Sequence[tuple[str, str, str, datetime]]) -> Sequence[bool]:
    done = []
    for name, role, password, at in new:
        there = connection.execute("SELECT 1 FROM accounts WHERE name = ?", (name,)).fetchone()
        if there is None:
            connection.execute(
                "INSERT INTO accounts (name, step, role, password, disabled, changed_at) VALUES (?, 1, ?, ?, false, ?)",
                (name, role, password, at),
            )
        done.append(there is None)
    return done


def _change(connection: duckdb.DuckDBPyConnection, changes: Sequence[_Changed]) -> Sequence[None]:
    for each in changes:
        if each.role is not None or each.password is not None or each.disabled is not None:
            connection.execute(
                "INSERT INTO accounts (name, step, role, password, disabled, changed_at) SELECT name, step + 1, coalesce(?, role), "
                "coalesce(?, password), coalesce(?, disabled), ? FROM accounts WHERE name = ? ORDER BY step DESC LIMIT 1",
                (each.role, each.password, each.disabled, each.at, each.name),
            )
        if each.password is not None or each.disabled:
            connection.execute("DELETE FROM sessions WHERE account = ?", (each.name,))
        if each.disabled:
            connection.execute("DELETE FROM tokens WHERE account = ?", (each.name,))
        if each.events is not None:
            connection.execute("DELETE FROM memberships WHERE account = ?", (each.name,))
            for event in each.events:
                connection.execute("INSERT INTO memberships (account, event) SELECT ?, lower(?)", (each.name, event))
    return [None] * len(changes)


def _sign_in(connection: duckdb.DuckDBPyConnection, new: Sequence[tuple[bytes, str, datetime]]) -> Sequence[None]:
    for hash, name, at in new:
        connection.execute("DELETE FROM sessions WHERE expires_at <= ?", (at,))
        connection.execute("INSERT INTO sessions (hash, account, expires_at) VALUES (?, ?, ?)", (hash, name, at + SESSION))
    return [None] * len(new)


def _sign_out(connection: duckdb.DuckDBPyConnection, hashes: Sequence[bytes]) -> Sequence[None]:
    for hash in hashes:
        connection.execute("DELETE FROM sessions WHERE hash = ?", (hash,))
    return [None] * len(hashes)


def _add_token(connection: duckdb.DuckDBPyConnection, new: Sequence[tuple[Token, bytes]]) -> Sequence[None]:
    for token, hash in new:
        connection.execute(
            "INSERT INTO tokens (id, account, label, hash, scopes, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (token.id, token.account, token.label, hash, " ".join(token.scopes), token.created_at, token.expires_at),
        )
    return [None] * len(new)


def _revoke(connection: duckdb.DuckDBPyConnection, tokens: Sequence[tuple[str, str | None]]) -> Sequence[bool]:
    done = []
    for each in tokens:
        where = "FROM tokens WHERE id = ? AND account = coalesce(?, account)"
        done.append(bool(connection.execute(f"SELECT 1 {where}", each).fetchall()))
        connection.execute(f"DELETE {where}", each)
    return done
