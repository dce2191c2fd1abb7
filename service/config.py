"""Settings: each from the command line, else the environment, else a file, else its default, and it is known which.

The file is TOML (``--config FILE``, else ``HANAFU_CONFIG``, else ``hanafu.toml`` in the user's folder of settings); the environment's
names are the settings' in capitals after ``HANAFU_`` (``HANAFU_PORT=8001``).
"""

import os
import re
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from service.errors import ConfigError

Value = str | int | bool | Path


def data_folder(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Where this user's programs keep their data on this system."""
    home = Path(environ.get("HOME") or Path.home())
    if platform == "darwin":
        return home / "Library" / "Application Support" / "hanafu"
    if platform == "win32":
        return Path(environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "hanafu"
    return Path(environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "hanafu"


def settings_file(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Where this user's settings are looked for."""
    if named := environ.get("HANAFU_CONFIG"):
        return Path(named)
    home = Path(environ.get("HOME") or Path.home())
    if platform in ("darwin", "win32"):
        return data_folder(environ, platform) / "hanafu.toml"
    return Path(environ.get("XDG_CONFIG_HOME") or home / ".config") / "hanafu" / "hanafu.toml"


MEMORY: Final = "256MB"
"""Of the store's queries, where nothing else is set."""
_SECRET: Final = re.compile(r"password\s*=|//[^/@]*:[^/@]*@", re.IGNORECASE)
"""A password in what says where a database is."""
_ADDRESS: Final = re.compile(r"s3:|[\w+.-]{2,}:/", re.IGNORECASE)
"""What is meant for an object store, and no folder."""
_BUCKET: Final = re.compile(r"s3://[a-z0-9][a-z0-9.-]+[a-z0-9](/[\w.-]+)*/?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, each with its default."""

    db: Path = field(default_factory=lambda: data_folder() / "hanafu.duckdb", metadata={"text": "file of the store"})
    lake: str = field(default="", metadata={"text": "a lake instead of a file: where its PostgreSQL is, as libpq reads it"})
    lake_data: str = field(default="", metadata={"text": "folder, or s3://BUCKET/PREFIX, for the files of a new lake"})
    host: str = field(default="127.0.0.1", metadata={"text": "address to listen on"})
    port: int = field(default=8000, metadata={"text": "port to listen on; 0: any that is free", "least": 0, "most": 65535})
    threads: int = field(default=24, metadata={"text": "requests answered at a time", "least": 1, "most": 256})
    samples: bool = field(default=False, metadata={"text": "load the sample records at start"})
    max_record: int = field(default=1_000_000, metadata={"text": "bytes of one record, at most", "least": 1, "most": 1_000_000})
    max_import: int = field(default=64_000_000_000, metadata={"text": "bytes of one import, at most", "least": 1})
    memory: str = field(
        default=MEMORY,
        metadata={
            "text": "memory of the store's queries; where that is 256MB, `hanafu import` makes do with 64 MB",
            "like": r"\d+(\.\d+)?\s?[KMG]i?B",
        },
    )
    public: bool = field(default=False, metadata={"text": "ask for accounts"})
    behind_proxy: bool = field(default=False, metadata={"text": "a proxy before it does TLS and says who asks"})
    hosts: str = field(default="", metadata={"text": "names of this server, divided by commas, beside localhost and its address"})
    visibility: str = field(
        default="private", metadata={"text": "who sees records of which nothing else was said", "one_of": ("private", "event", "public")}
    )
    rate: int = field(default=600, metadata={"text": "requests a minute of one address or account", "least": 1})
    log: str = field(default="info", metadata={"text": "what is logged", "one_of": ("debug", "info", "warning", "error")})


DEFAULT: Final = "default"


@dataclass(frozen=True, slots=True)
class Sourced:
    """Settings, and where each came from: ``default``, the file's path, the variable's name, or the flag."""

    settings: Settings
    sources: Mapping[str, str]


def load(
    flags: Mapping[str, object] | None = None,
    *,
    file: Path | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Sourced:
    """Settings out of all four places; a flag that is None was not given.

    Raises ConfigError with every setting that cannot be used, or for a file that was named and cannot be read.
    """
    values: dict[str, object] = {}
    sources = dict.fromkeys((f.name for f in fields(Settings)), DEFAULT)
    errors: list[str] = []

    def take(found: Mapping[str, object], source: str, label: str) -> None:
        for name, value in found.items():
            if name not in sources:
                near = get_close_matches(name, sources, 1)
                errors.append(f"{source}: there is no setting {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
                continue
            try:
                values[name] = _read(name, value)
                sources[name] = label.format(name=name, NAME=name.upper(), flag="--" + name.replace("_", "-"))
            except ConfigError as error:
                errors.append(f"{source}: {error}")

    path = file or settings_file(environ)
    if file or environ.get("HANAFU_CONFIG") or path.is_file():
        take(_from_file(path), str(path), str(path).replace("{", "{{").replace("}", "}}"))
    known = {f"HANAFU_{name.upper()}": name for name in sources}
    take({known[key]: value for key, value in environ.items() if key in known}, "environment", "HANAFU_{NAME}")
    take({name: value for name, value in (flags or {}).items() if value is not None}, "command line", "{flag}")
    if errors:
        raise ConfigError("\n".join(errors))
    return Sourced(Settings(**values), sources)  # type: ignore[arg-type]  # _read has made each value of its setting's type


def _from_file(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: the settings cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: is not TOML: {error}") from error


def _read(name: str, value: object) -> Value:
    """A value of the setting's type, out of text or out of TOML. Raises ConfigError."""
    setting = next(f for f in fields(Settings) if f.name == name)
    rule = setting.metadata
    if setting.type is int or setting.type == "int":
        return _whole(name, value, rule.get("least", 0), rule.get("most"))
    if setting.type is bool or setting.type == "bool":
        return _truth(name, value)
    if not isinstance(value, str | Path) or (setting.type in (Path, "Path") and not str(value)):
        raise ConfigError(f"{name}: {value!r} is not a text")
    if setting.type is Path or setting.type == "Path":
        return Path(value).expanduser()
    text = str(value)
    if name == "lake" and _SECRET.search(text):
        raise ConfigError(f"{name}: no password here, where others may read it; libpq takes one from ~/.pgpass or PGPASSWORD")
    if name == "lake_data" and _ADDRESS.match(text) and not _BUCKET.fullmatch(text):  # and not repeated: there may be a key in it
        raise ConfigError(f"{name}: neither a folder nor of the form s3://BUCKET/PREFIX, with nothing more; keys are the environment's")
    if "one_of" in rule and text not in rule["one_of"]:
        raise ConfigError(f"{name}: {text!r} is not one of {', '.join(rule['one_of'])}")
    if "like" in rule and not re.fullmatch(rule["like"], text):
        raise ConfigError(f"{name}: {text!r} is not a size such as 256MB")
    return text


def _whole(name: str, value: object, least: int, most: int | None) -> int:
    span = f"{least} or more" if most is None else f"{least} to {most}"
    try:
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise ValueError
        number = int(value)
    except ValueError:
        raise ConfigError(f"{name}: {value!r} is not a whole number ({span})") from None
    if number < least or (most is not None and number > most):
        raise ConfigError(f"{name}: {number} is out of range ({span})")
    return number


def _truth(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    known = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    if isinstance(value, str) and value.lower() in known:
        return known[value.lower()]
    raise ConfigError(f"{name}: {value!r} is neither true nor false")
