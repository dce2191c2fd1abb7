"""A client of the API in one file, with the standard library alone: copy it wherever it is of use.

with Client("http://127.0.0.1:8000") as client:
    report = client.send(b'{"format": "hanafuda-record/1", …}')
    for record in client.records(verdict="disputed,unlawful"):
        print(record["id"], client.audit_of(record["id"])["verdict"])
"""

import http.client
import json
import time
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO, Final

BASE: Final = "/api/v1"
PIECE: Final = 1 << 16
Body = bytes | BinaryIO | Iterator[bytes] | None

TIMEOUT: Final = 60.0
"""Seconds without a word from the server after which a call fails."""
PATIENCE: Final = 60
"""Seconds for which a call waits and asks again, where the server says that it is asked too often."""


class Refused(Exception):
    """The server answered with a problem document; `errors` has an entry a fault, with pointer or line and column, code and detail."""

    def __init__(self, status: int, title: str, detail: str, errors: list[dict[str, Any]], wait: int | None = None) -> None:
        super().__init__(detail or f"{status} {title}")
        self.status = status
        self.wait = wait
        """Seconds after which to ask again, where the server says so."""
        self.title = title
        self.errors = errors


class Unreachable(Exception):
    """There is no server at this address, or the connection broke."""


class Client:
    """One connection to one server, for one thread. Every call raises Refused or Unreachable."""

    def __init__(self, server: str, token: str | None = None, timeout: float = TIMEOUT) -> None:
        """`server` is an address such as ``http://127.0.0.1:8000``. Raises ValueError where it is none."""
        parts = urllib.parse.urlsplit(server)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{server!r} is not the address of a server; expected something like http://127.0.0.1:8000")
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._connection = kind(parts.hostname, parts.port, timeout=timeout)
        self._prefix = parts.path.rstrip("/")
        self.server = server
        self._token = token

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def close(self) -> None:
        """Lets the connection go."""
        self._connection.close()

    def send(self, record: bytes, content_type: str = "application/json") -> dict[str, Any]:
        """Stores one record; its report, with ``new``: whether it was not there before."""
        status, body = self._call("POST", f"{BASE}/records", record, {"Content-Type": content_type})
        report: dict[str, Any] = json.loads(body)
        return report | {"new": status == 201}

    def audit(self, record: bytes, content_type: str = "application/json") -> dict[str, Any]:
        """The report of one record that is not kept."""
        return self._json("POST", f"{BASE}/audits", record, {"Content-Type": content_type})

    def records(self, **filters: str) -> Iterator[dict[str, Any]]:
        """All records that the filters leave (``variant``, ``player``, ``verdict``, ``event``, ``from_``, ``to``, ``finding``)."""
        query = {name.rstrip("_"): value for name, value in filters.items() if value}
        cursor: str | None = ""
        while cursor is not None:
            page = self._json("GET", f"{BASE}/records?{urllib.parse.urlencode(query | ({'cursor': cursor} if cursor else {}))}")
            yield from page["items"]
            cursor = page["next"]

    def record(self, id: str, form: str = "json") -> bytes:
        """A record: canonical ``json``, ``text``, or ``sent``, the bytes as they came."""
        return self._call("GET", f"{BASE}/records/{urllib.parse.quote(id)}?as={form}")[1]

    def audit_of(self, id: str, options: str = "") -> dict[str, Any]:
        """A record's report, on wish under other options (``key=value``, divided by commas)."""
        query = f"?{urllib.parse.urlencode({'options': options})}" if options else ""
        return self._json("GET", f"{BASE}/records/{urllib.parse.quote(id)}/audit{query}")

    def replay(self, id: str) -> dict[str, Any]:
        """Every position of a record."""
        return self._json("GET", f"{BASE}/records/{urllib.parse.quote(id)}/replay")

    def variants(self) -> list[dict[str, Any]]:
        """The games."""
        found: list[dict[str, Any]] = self._json("GET", f"{BASE}/variants")["items"]
        return found

    def case(self, id: str) -> bytes:
        """A record's case as one zip: record, report, rulings and log."""
        return self._call("GET", f"{BASE}/records/{urllib.parse.quote(id)}/case.zip", headers={"Accept": "*/*"})[1]

    def compare(self, a: str, b: str) -> dict[str, Any]:
        """Two sheets of one game, by their ids, side by side."""
        return self._json("GET", f"{BASE}/compare?{urllib.parse.urlencode({'a': a, 'b': b})}")

    def reaudit(self, cursor: int = -1) -> dict[str, Any]:
        """Audits anew some records that another engine judged; ``next`` is where to go on. Only for the store's owner."""
        return self._json("POST", f"{BASE}/reaudits?cursor={cursor}")

    def backup(self, target: BinaryIO) -> None:
        """Writes a copy of the server's store to a file; only for the store's owner."""
        with self._answer("POST", f"{BASE}/backups") as answer:
            self._write(answer, target)

    def start_import(self, stream: BinaryIO | Iterator[bytes], name: str = "") -> dict[str, Any]:
        """Sends many records in one stream (lines of JSON, text, gzip, zip); the job that takes them in."""
        query = f"?{urllib.parse.urlencode({'name': name[:200]})}" if name else ""
        return self._json("POST", f"{BASE}/imports{query}", stream, {"Content-Type": "application/octet-stream"})

    def job(self, id: str) -> dict[str, Any]:
        """How far an import has got."""
        return self._json("GET", f"{BASE}/imports/{urllib.parse.quote(id)}")

    def rejects(self, id: str) -> Iterator[dict[str, Any]]:
        """What an import refused: place, position and all errors of each."""
        cursor: str | None = "0"
        while cursor is not None:
            page = self._json("GET", f"{BASE}/imports/{urllib.parse.quote(id)}/errors?cursor={cursor}")
            yield from page["items"]
            cursor = page["next"]

    def export(self, table: str, form: str, target: BinaryIO, **filters: str) -> None:
        """Writes a table (``records``, ``rounds``, …) as ``csv`` or ``parquet`` to a file."""
        query = urllib.parse.urlencode({name.rstrip("_"): value for name, value in filters.items() if value})
        with self._answer("GET", f"{BASE}/export/{table}.{form}?{query}", headers={"Accept": "*/*"}) as answer:
            self._write(answer, target)

    def health(self) -> dict[str, Any]:
        """Whether the server can do its work."""
        return self._json("GET", "/healthz")

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Any call of the API under its base, with a JSON value as body: what it answers as JSON, None where it answers nothing."""
        content = None if body is None else json.dumps(body).encode()
        status, answer = self._call(method, f"{BASE}{path}", content, {"Content-Type": "application/json"} if content else None)
        return json.loads(answer) if status != 204 else None

    def _json(self, method: str, path: str, body: Body = None, headers: dict[str, str] | None = None) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._call(method, path, body, headers)[1])
        return found

    def _call(self, method: str, path: str, body: Body = None, headers: dict[str, str] | None = None) -> tuple[int, bytes]:
        while True:
            try:
                with self._answer(method, path, body, headers) as answer, self._talk():
                    return answer.status, answer.read()
            except Refused as refused:
                again = body is None or isinstance(body, bytes)  # a stream is gone
                if refused.status != 429 or not again or refused.wait is None or refused.wait > PATIENCE:
                    raise
                time.sleep(refused.wait)

    @contextmanager
    def _answer(
        self, method: str, path: str, body: Body = None, headers: dict[str, str] | None = None
    ) -> Iterator[http.client.HTTPResponse]:
        sent = {"Accept": "application/json", **(headers or {})}
        if self._token:
            sent["Authorization"] = f"Bearer {self._token}"
        with self._talk():
            with suppress(BrokenPipeError, ConnectionResetError):  # a server that refuses need not hear all: its answer says why
                self._connection.request(method, self._prefix + path, body, sent)
            answer = self._connection.getresponse()
            if answer.status >= 400:
                raise _refusal(answer)
        with answer:
            yield answer

    def _write(self, answer: http.client.HTTPResponse, target: BinaryIO) -> None:
        while True:
            with self._talk():
                piece = answer.read(PIECE)
            if not piece:
                return
            target.write(piece)  # what fails here is not the server

    @contextmanager
    def _talk(self) -> Iterator[None]:
        """What fails inside is the connection."""
        try:
            yield
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            raise Unreachable(f"{self.server} does not answer: {error}") from error


def _refusal(answer: http.client.HTTPResponse) -> Refused:
    wait = answer.getheader("Retry-After", "")
    seconds = int(wait) if wait.isascii() and wait.isdigit() else None
    try:
        document = json.loads(answer.read())
        return Refused(answer.status, document["title"], document.get("detail", ""), document.get("errors", []), seconds)
    except (ValueError, KeyError, TypeError):
        return Refused(answer.status, answer.reason, "", [], seconds)
