"""Where the Parquet files of a lake are: in a folder that all servers see, or in a bucket of an object store that speaks S3.

The bucket is a setting. How its store is reached, and with which key, is said by the environment alone, in the variables that other
programs read, too. The key goes into DuckDB's memory, which shows it to no query, and stands in no setting, log or table.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import duckdb

from service.errors import ConfigError, StoreBroken
from service.lake.tables import load
from service.store import quoted

SCHEME: Final = "s3://"
SILENT: Final = 10
"""Seconds that an object store may be silent."""
RETRIES: Final = 2
LARGEST: Final = "50GB"
"""Of one object. What is sent in pieces is sent in ten thousandths of this, and each that is on its way lies in memory."""
_ENDPOINT: Final = re.compile(r"(https?)://([\w.-]+(?::\d+)?|\[[0-9a-fA-F:]+\](?::\d+)?)/?")
_CODE: Final = re.compile(r"<Code>(\w+)</Code>")
_MEANINGS: Final[Mapping[int | None, str]] = {
    403: "the key of AWS_ACCESS_KEY_ID is refused, or may not list what is there",
    404: "there is no such bucket",
}
"""Of the answers to listing a bucket."""


class Files(Protocol):
    """A place for the files of a lake."""

    def __str__(self) -> str:
        """As the catalogue names it, without the slash at the end."""
        ...

    def reach(self, connection: duckdb.DuckDBPyConnection, new: bool) -> None:
        """Makes it reachable for SQL, and looks whether it is; `new`: nothing need be there yet. Raises ConfigError with all that is
        lacking, or StoreBroken."""
        ...

    def probe(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Raises StoreBroken where it cannot be reached any more."""
        ...


def files_at(text: str) -> Files:
    """The place that a setting or a catalogue names."""
    return Bucket(text.rstrip("/")) if text.startswith(SCHEME) else Folder(Path(text).expanduser().absolute())


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder."""

    path: Path

    def __str__(self) -> str:
        return str(self.path)

    def reach(self, connection: duckdb.DuckDBPyConnection, new: bool) -> None:
        """A new one is made; of an old one the disk may be away."""
        if new:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.probe(connection)

    def probe(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Looks whether it is still there."""
        if not self.path.is_dir():
            raise StoreBroken(f"the lake's folder {self} is not there")


@dataclass(frozen=True, slots=True)
class Bucket:
    """A bucket, or what lies in it under a prefix."""

    name: str
    """With scheme and prefix."""

    def __str__(self) -> str:
        return self.name

    def reach(self, connection: duckdb.DuckDBPyConnection, new: bool) -> None:
        """Takes how and with which key from the environment."""
        access = _access(os.environ, dotted="." in self.name.removeprefix(SCHEME).partition("/")[0])
        load(connection, "httpfs")
        for name in ("access_key_id", "secret_access_key", "session_token"):  # The extension has put them where every query reads them.
            connection.execute(f"RESET GLOBAL s3_{name}")
        for setting, value in {
            "enable_global_s3_configuration": "false",
            "enable_server_cert_verification": "true",
            "enable_curl_server_cert_verification": "true",
            "http_timeout": SILENT,
            "http_retries": RETRIES,
            "s3_uploader_max_filesize": quoted(LARGEST),
        }.items():
            connection.execute(f"SET GLOBAL {setting} = {value}")
        if bundle := os.environ.get("AWS_CA_BUNDLE"):
            connection.execute(f"SET GLOBAL ca_cert_file = {quoted(bundle)}")
        words = ", ".join(f"{name} {quoted(value)}" for name, value in access.items())
        connection.execute(f"CREATE TEMPORARY SECRET lake (TYPE s3, SCOPE {quoted(self.name)}, {words})")
        self.probe(connection)

    def probe(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Lists what is there of a name that nothing has: one request, and the same answer as to any other where something is wrong."""
        try:
            connection.execute(f"SELECT file FROM glob({quoted(f'{self.name}/hanafu*')})").fetchall()
        except duckdb.HTTPException as error:
            status, code = getattr(error, "status_code", None), _CODE.search(getattr(error, "body", ""))
            meaning = _MEANINGS.get(status, f"it answers with status {status}")
            raise StoreBroken(f"{self} {_at()}: {meaning}" + (f" ({code[1]})" if code else "")) from error
        except duckdb.IOException as error:
            said = re.sub(r"^IO Error: | for HTTP .*", "", str(error).partition("\n")[0])
            raise StoreBroken(f"{self} {_at()}: cannot be reached: {said}") from error


def _at() -> str:
    endpoint = os.environ.get("AWS_ENDPOINT_URL")
    return f"at {endpoint}" if endpoint else f"in {os.environ.get('AWS_REGION')}"


def _access(environ: Mapping[str, str], dotted: bool) -> dict[str, str]:
    """What DuckDB's secret is to hold. `dotted`: there are dots in the bucket's name, which no certificate of a host has room for.

    Raises ConfigError with all that is lacking.
    """
    faults = [f"{name} is not set" for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY") if not environ.get(name)]
    endpoint = environ.get("AWS_ENDPOINT_URL", "")
    found = _ENDPOINT.fullmatch(endpoint)
    if endpoint and not found:  # and not repeated: there may be a password in it
        faults.append("AWS_ENDPOINT_URL is not of the form https://HOST:PORT or http://HOST:PORT")
    if not endpoint and not environ.get("AWS_REGION"):
        faults.append("neither AWS_REGION, for Amazon's own store, nor AWS_ENDPOINT_URL, for another one, is set")
    bundle = environ.get("AWS_CA_BUNDLE")
    if bundle and not Path(bundle).is_file():
        faults.append(f"AWS_CA_BUNDLE names {bundle}, which is no file")
    if faults:
        raise ConfigError("\n".join(f"a lake in an object store needs the environment: {fault}" for fault in faults))
    access = {
        "KEY_ID": environ["AWS_ACCESS_KEY_ID"],
        "SECRET": environ["AWS_SECRET_ACCESS_KEY"],
        "REGION": environ.get("AWS_REGION") or "us-east-1",
        "URL_STYLE": "path" if found or dotted else "vhost",
        "USE_SSL": "false" if found and found[1] == "http" else "true",
    }
    if token := environ.get("AWS_SESSION_TOKEN"):
        access["SESSION_TOKEN"] = token
    if found:
        access["ENDPOINT"] = found[2]
    return access
