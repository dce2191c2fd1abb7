"""An object store of the tests' own: a server that speaks S3 and checks signatures, in a process of its own, behind a door that shuts.

It keeps its objects in memory, so what is cut off in the middle of a request is the way to it: to who asks it is as if it was killed.
"""

import json
import os
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final

BUCKET: Final = "hanafu-lake"
REGION: Final = "us-east-1"
NEEDED: Final = ("s3:ListBucket", "s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload")
"""What a lake's key must be allowed to do, as the guide says."""
_FIRST: Final = 3
"""Requests that need no key: they make the first one."""


@dataclass(slots=True)
class Door:
    """Passes on what comes to a port of its own."""

    target: int
    port: int = 0
    tls: ssl.SSLContext | None = None
    _listener: socket.socket | None = None
    _open: set[socket.socket] = field(default_factory=set)

    def open(self) -> None:
        """From now on, at the same port as before."""
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._let_in, args=(self._listener,), daemon=True).start()

    def shut(self) -> None:
        """Whoever comes is refused, and who is inside is thrown out."""
        assert self._listener is not None
        for each in (self._listener, *self._open):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        self._open.clear()

    def _let_in(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                guest, _ = listener.accept()
                if self.tls is not None:
                    guest = self.tls.wrap_socket(guest, server_side=True, do_handshake_on_connect=False)
                host = socket.create_connection(("127.0.0.1", self.target))
                self._open |= {guest, host}
                for source, sink in ((guest, host), (host, guest)):
                    threading.Thread(target=self._pass_on, args=(source, sink), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while piece := source.recv(1 << 16):
                sink.sendall(piece)
            sink.shutdown(socket.SHUT_WR)


@dataclass(frozen=True, slots=True)
class Objects:
    """The store, with one bucket."""

    door: Door
    key: str
    """May do what a lake needs."""
    secret: str
    master: tuple[str, str]
    """Key and secret that may do everything."""

    def environ(self, **other: str) -> dict[str, str]:
        """How and with which key it is reached."""
        endpoint = f"http://127.0.0.1:{self.door.port}"
        return {"AWS_ENDPOINT_URL": endpoint, "AWS_ACCESS_KEY_ID": self.key, "AWS_SECRET_ACCESS_KEY": self.secret} | other

    def client(self, service: str = "s3") -> Any:
        """Asks by itself, not through the door."""
        return _client(service, self.door.target, *self.master)

    def names(self, prefix: str) -> list[str]:
        """Of the objects that are there."""
        pages = self.client().get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix=prefix)
        return [each["Key"] for page in pages for each in page.get("Contents", ())]

    def bytes(self, name: str) -> bytes:
        """Of an object."""
        found: bytes = self.client().get_object(Bucket=BUCKET, Key=name)["Body"].read()
        return found

    def other_key(self, user: str, *actions: str) -> Mapping[str, str]:
        """The variables with a key that may do these alone."""
        return dict(zip(("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"), _make_key(self.client("iam"), user, actions), strict=True))


@contextmanager
def object_store() -> Iterator[Objects]:
    """Starts it; at the end it is gone."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    program = f"from moto.server import main; main(['-H', '127.0.0.1', '-p', '{port}'])"
    environ = os.environ | {"INITIAL_NO_AUTH_ACTION_COUNT": str(_FIRST)}
    server = subprocess.Popen([sys.executable, "-c", program], env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while not _listens(port):
            assert server.poll() is None, "the object store has ended"
        master = _make_key(_client("iam", port, "none", "none"), "master", ("iam:*", "s3:*"))
        _client("s3", port, *master).create_bucket(Bucket=BUCKET)
        door = Door(port)
        door.open()
        yield Objects(door, *_make_key(_client("iam", port, *master), "hanafu", NEEDED), master)
        door.shut()
    finally:
        server.kill()
        server.wait()


def _client(service: str, port: int, key: str, secret: str) -> Any:
    boto3: Any = import_module("boto3")  # comes with what the lake's tests need; without types
    where = {"endpoint_url": f"http://127.0.0.1:{port}", "region_name": REGION}
    return boto3.client(service, aws_access_key_id=key, aws_secret_access_key=secret, **where)


def _make_key(iam: Any, user: str, actions: tuple[str, ...]) -> tuple[str, str]:
    """Three requests."""
    iam.create_user(UserName=user)
    key = iam.create_access_key(UserName=user)["AccessKey"]
    allowed = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": list(actions), "Resource": "*"}]}
    iam.put_user_policy(UserName=user, PolicyName="may", PolicyDocument=json.dumps(allowed))
    return key["AccessKeyId"], key["SecretAccessKey"]


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0
