"""A product that asks for accounts, and people who use it: by token, or by cookie as a browser does."""

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.accounts.people import People
from service.accounts.permissions import SCOPES, Viewer
from service.app import create_app
from service.config import Settings
from service.desk import Desk
from service.imports import Imports
from service.store import Store

PASSWORD = "plum blossom curtain"
OURS = "https://localhost"


@contextmanager
def serving(store: Store, **settings: Any) -> Iterator[Flask]:
    """An application with accounts over a store."""
    desk = Desk(store)
    with closing(Imports(desk)) as imports:
        yield create_app(Settings(public=True, behind_proxy=True, **{"rate": 100_000, **settings}), desk, imports)


class Person:
    """Somebody who asks: as an account's token where a name is given, else as nobody."""

    def __init__(
        self, app: Flask, name: str = "", role: str = "player", scopes: tuple[str, ...] = (), events: tuple[str, ...] = ()
    ) -> None:
        self.client: FlaskClient = app.test_client()
        self.name = name
        self._headers: dict[str, str] = {}
        if name:
            people: People = app.extensions["hanafu-people"]
            people.add(name, role, PASSWORD)
            people.change(name, events=events)
            may = scopes or [scope for scope in SCOPES if Viewer(role).may(scope)]
            secret, self.token = people.add_token(name, "test", may, 1)
            self._headers = {"Authorization": f"Bearer {secret}"}

    def ask(self, method: str, path: str, **more: Any) -> TestResponse:
        """A request with the token."""
        headers = self._headers | more.pop("headers", {})
        return self.client.open(path, method=method, headers=headers, base_url=OURS, **more)

    def get(self, path: str, **more: Any) -> TestResponse:
        """A reading request."""
        return self.ask("GET", path, **more)

    def send(self, sheet: bytes) -> str:
        """Sends a record; its id."""
        answer = self.ask("POST", "/api/v1/records", data=sheet, content_type="application/json")
        assert answer.status_code in (200, 201), answer.text
        return answer.headers["Location"].rsplit("/", 1)[1]

    def show(self, id: str, visibility: str) -> TestResponse:
        """Says who sees a record."""
        return self.ask("PUT", f"/api/v1/records/{id}/visibility", json={"visibility": visibility})


def csrf(client: FlaskClient, path: str = "/login") -> str:
    """The token of the forms of a page."""
    found = re.search(r'name="csrf_token" value="([0-9a-f]{64})"', client.get(path, base_url=OURS).text)
    assert found
    return found[1]


def sign_in(app: Flask, name: str, password: str = PASSWORD) -> FlaskClient:
    """A browser that has signed in."""
    client = app.test_client()
    sent = {"csrf_token": csrf(client), "name": name, "password": password, "next": "/records"}
    answer = client.post("/login", data=sent, base_url=OURS)
    assert (answer.status_code, answer.headers.get("Location")) == (303, "/records"), answer.text
    return client
