"""The page on operating, held against the program: its commands are run, its files read, its tables compared with the code."""

import configparser
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import threading
import tomllib
import urllib.request
from collections.abc import Iterator
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import click
import pytest
from waitress.adjustments import Adjustments

from records.formats.limits import LIMITS
from service import app, disputes, imports, writer
from service.accounts import gate, people
from service.api.schemas import LONGEST_PAGE
from service.cli import main
from service.client import Client, Unreachable
from service.compile import CLONE
from service.config import Settings, load
from service.lake import files
from service.store import Store
from tests.reader import path, sit
from tests.service.conftest import Sheet, Start

PAGE: Final = (Path(CLONE) / "web" / "docs" / "operating.md").read_text(encoding="utf-8")
BLOCKS: Final = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
KNOWN_SECTIONS: Final = {"Unit", "Service", "Install"}


def blocks(language: str) -> list[str]:
    """The page's code of one language, in order."""
    return [text for name, text in BLOCKS if name == language]


def table(head: str) -> list[list[str]]:
    """The rows of every table with this head."""
    found = re.findall(rf"^\| {re.escape(head)} \|\n\|[-|]+\|\n((?:\|.*\|\n)+)", PAGE, re.MULTILINE)
    assert found, head
    return [[cell.strip() for cell in line.strip("|").split("|")] for rows in found for line in rows.splitlines()]


# Settings


def test_settings_are_those_of_the_program_with_their_defaults() -> None:
    told = {name.strip("`"): (default.strip("`"), text) for name, default, text in table("setting | default | is")}
    expected = {each.name: (_default(each.name), each.metadata["text"]) for each in fields(Settings)}
    assert told == expected | {"db": ("hanafu.duckdb` in your data folder", expected["db"][1])}


def _default(name: str) -> str:
    value = getattr(Settings(), name)
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_every_file_of_settings_can_be_read(tmp_path: Path) -> None:
    for number, text in enumerate(blocks("toml")):
        file = tmp_path / f"{number}.toml"
        file.write_text(text)
        loaded = load(file=file, environ={"HOME": "/nowhere"})
        assert {name for name, source in loaded.sources.items() if source == str(file)} == set(tomllib.loads(text))


def test_variables_of_an_object_store_are_those_that_are_looked_at() -> None:
    read = set(re.findall(r"AWS_[A-Z_]+", Path(files.__file__).read_text(encoding="utf-8")))
    assert {name.strip("`") for name, _ in table("variable | is")} == read
    assert f"one that is silent after {files.SILENT * (1 + files.RETRIES)}" in PAGE


# Commands


def _calls() -> list[list[str]]:
    """Every call of `hanafu` in the page's shell, its unit and its container file, and in its sentences: the words behind the name."""
    found = re.findall(r"`hanafu ([^`]+)`", PAGE)
    for line in "\n".join(blocks("sh") + blocks("console") + re.findall(r"^ExecStart=.*", PAGE, re.MULTILINE)).splitlines():
        found += re.findall(r"hanafu ((?!hanafu\b)[a-z][^|>]*)", line)
    return [shlex.split(call) for call in found] + [
        json.loads(call)[1:] for call in re.findall(r'^CMD (\["hanafu".*\])$', PAGE, re.MULTILINE)
    ]


def test_every_command_of_the_page_exists_with_its_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "backup.duckdb").touch()
    monkeypatch.chdir(tmp_path)
    calls = _calls()
    assert {words[0] for words in calls} >= {"serve", "config", "backup", "restore", "check", "reaudit", "user", "token"}
    for words in calls:
        _parse(main, words)


def _parse(command: click.Command, words: list[str], parent: click.Context | None = None) -> None:
    """As click does, down to the last subcommand, without running it. Raises UsageError for what there is not."""
    context = command.make_context(command.name, list(words), parent, resilient_parsing=len(words) < 2)
    if isinstance(command, click.Group):
        _, found, more = command.resolve_command(context, list(words))
        assert found is not None, words
        _parse(found, more, context)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the operator sits: `hanafu` is the one of this clone."""
    made = tmp_path_factory.mktemp("operator")
    sit(made)
    return made


def _environ(folder: Path) -> dict[str, str]:
    ours = {name: value for name, value in os.environ.items() if not name.startswith("HANAFU_")}
    return ours | {"PATH": path(folder), "HOME": str(folder), "HANAFU_DB": str(folder / "store.duckdb"), "PYTHONUNBUFFERED": "1"}


@pytest.fixture
def public(folder: Path, empty_store: Path) -> Iterator[str]:
    """The page's server for others, on a free port, with one record; its address."""
    (line,) = [text.strip() for text in blocks("sh") if "--public" in text and text.startswith("hanafu serve")]
    if not (folder / "store.duckdb").exists():
        shutil.copy(empty_store, folder / "store.duckdb")
    words = [str(folder / "bin" / "hanafu"), *shlex.split(line)[1:], "--port", "0"]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(words, env=_environ(folder), stdout=subprocess.PIPE, stderr=log, text=True)
    try:
        assert process.stdout
        found = re.search(r"http://\S+?(?=/ )", process.stdout.readline())
        assert found, (folder / "log").read_text()
        yield found[0]
    finally:
        process.terminate()
        process.wait(30)
        process.communicate()


def test_the_sessions_show_what_they_say_beside_a_server(folder: Path, public: str) -> None:
    told = ""
    for text in blocks("console"):
        for line in text.splitlines():
            if line.startswith("$ "):
                run = subprocess.run(["sh", "-c", line[2:]], cwd=folder, env=_environ(folder), capture_output=True, text=True, check=False)
                assert run.returncode == 0, line + run.stderr
                told = run.stdout
            else:
                assert line in told
    proxied = _proxied_headers()
    page = urllib.request.urlopen(urllib.request.Request(f"{public}/login", headers=proxied), timeout=30)
    assert page.status == 200
    assert page.headers["Strict-Transport-Security"]
    assert page.headers["X-Request-Id"] == proxied["X-Request-Id"]
    assert _metrics_with_the_token(folder, public)
    assert '"request": "' + proxied["X-Request-Id"] in (folder / "log").read_text()


def _proxied_headers() -> dict[str, str]:
    """What the page's proxy sends along, for a caller of another machine."""
    (text,) = blocks("nginx")
    assert text.count("{") == text.count("}")
    assert "proxy_pass http://127.0.0.1:8000;" in text
    variables = {"$host": "hanafu.example", "$remote_addr": "192.0.2.7", "$scheme": "https", "$request_id": "5d1e"}
    return {name: variables[value] for name, value in re.findall(r"proxy_set_header (\S+) (\S+);", text)}


def _metrics_with_the_token(folder: Path, address: str) -> bool:
    """Whether Prometheus as the page sets it gets the metrics that the page lists."""
    yaml: Any = import_module("yaml")  # comes with what the tests need; without types
    (job,) = yaml.safe_load(blocks("yaml")[0])["scrape_configs"]
    assert job["static_configs"][0]["targets"] == ["127.0.0.1:8000"]
    token = (folder / Path(job["authorization"]["credentials_file"]).name).read_text().strip()
    asked = urllib.request.Request(f"{address}/metrics", headers={"Authorization": f"Bearer {token}"})
    text = urllib.request.urlopen(asked, timeout=30).read().decode()
    kinds = dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.MULTILINE))
    helps = dict(re.findall(r"^# HELP (\S+) (.+)$", text, re.MULTILINE))
    labels = {name: set(re.findall(r'(\w+)="', " ".join(re.findall(rf"^{name}(?:_bucket)?{{.*", text, re.MULTILINE)))) for name in kinds}
    told = {
        name.strip("`"): (kind, set(re.findall(r"`(\w+)`", marks)), words)
        for name, kind, marks, words in table("metric | type | labels | is")
    }
    assert told == {name: (kinds[name], labels[name], helps[name]) for name in kinds}
    return True


# The service's files


def _unit() -> tuple[str, dict[str, dict[str, list[str]]]]:
    (text,) = [text for text in blocks("ini") if "[Service]" in text]
    found: dict[str, dict[str, list[str]]] = {}
    for line in text.splitlines():
        if line.startswith("["):
            section = found.setdefault(line.strip("[]"), {})
        elif line and not line.startswith("#"):
            name, _, value = line.partition("=")
            section.setdefault(name, []).append(value)
    return text, found


def test_the_unit_is_hardened_and_names_what_the_page_installs() -> None:
    text, unit = _unit()
    configparser.ConfigParser(strict=False).read_string(text)
    assert set(unit) == KNOWN_SECTIONS
    service = unit["Service"]
    for name, value in {
        "NoNewPrivileges": "yes",
        "ProtectSystem": "strict",
        "ProtectHome": "yes",
        "CapabilityBoundingSet": "",
        "IPAddressDeny": "any",
        "IPAddressAllow": "localhost",
        "KillSignal": "SIGTERM",
    }.items():
        assert service[name] == [value], name
    environment = dict(each.split("=", 1) for each in service["Environment"][0].split())
    settings, db = next(t for t in blocks("toml") if "db =" in t), f"/var/lib/{service['StateDirectory'][0].split()[0]}/"
    assert settings.startswith(f"# {environment['HANAFU_CONFIG']}\n")
    assert tomllib.loads(settings)["db"].startswith(db)
    assert environment["TMPDIR"].removeprefix("/var/lib/") in service["StateDirectory"][0].split()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="not here: systemd-analyze, which reads units")
def test_systemd_reads_the_unit(tmp_path: Path) -> None:
    text, _ = _unit()
    file = tmp_path / "hanafu.service"
    file.write_text(text.replace("/opt/hanafu/bin/hanafu", "/bin/true"))
    run = subprocess.run(["systemd-analyze", "verify", file], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")


def test_the_container_file_copies_what_there_is_and_starts_the_server() -> None:
    (text,) = blocks("dockerfile")
    for words in re.findall(r"^COPY (?!--from)(.+)$", text, re.MULTILINE):
        *sources, _ = words.split()
        for source in sources:
            assert (Path(CLONE) / source).exists(), source
    assert "pip install --no-cache-dir --constraint constraints.txt ." in text
    (sed,) = re.findall(r"^RUN (sed .*) > constraints.txt$", text, re.MULTILINE)
    run = subprocess.run(["sh", "-c", sed], cwd=CLONE, capture_output=True, text=True, check=True)
    pinned = (Path(CLONE) / "requirements.lock").read_text()
    assert run.stdout.count("\n") == len(re.findall("^[a-z0-9].*==", pinned, re.MULTILINE))
    assert "flask==" in run.stdout
    assert "hash" not in run.stdout
    (python,) = set(re.findall(r"^FROM python:3\.(\d+)-slim", text, re.MULTILINE))
    assert int(python) >= 11
    (db,) = re.findall(r"HANAFU_DB=(\S+)", text)
    (volume,) = re.findall(r"^VOLUME (\S+)$", text, re.MULTILINE)
    assert db.startswith(f"{volume}/")
    (health,) = re.findall(r"^HEALTHCHECK CMD (\[.*\])$", text, re.MULTILINE)
    compile(json.loads(health)[2], "health", "exec")


# Limits


def test_limits_are_those_of_the_code() -> None:
    told = {name: value for name, value, _ in table("limit | value | setting")}
    assert told == {
        name: f"{value:,}"
        for name, value in {
            "bytes of one record": LIMITS.record,
            "rounds of a record": LIMITS.rounds,
            "actions of a round": LIMITS.actions,
            "characters of a name": LIMITS.name,
            "objects and lists inside each other": LIMITS.nesting,
            "errors listed of a record": LIMITS.errors,
            "records' bytes in a form of the upload page": app.PAGE_FORM,
            "records of a page of the API's lists": LONGEST_PAGE,
            "bytes of an import": Settings().max_import,
            "times a zip's entry may grow": LIMITS.ratio,
            "entries of a zip": LIMITS.entries,
            "imports that wait": imports.WAITING,
            "imports that wait, of an account": imports.WAITING_OF_ONE,
            "acts in the disputes over a record": disputes.MOST_ACTS,
            "characters of a statement": disputes.LONGEST_TEXT,
            "changes that wait for the writer": writer.WAITING,
            "changes in one commit": writer.GROUP,
            "requests at a time": Settings().threads,
            "connections": Adjustments.connection_limit,
            "seconds a connection may be silent": Adjustments.channel_timeout,
            "requests a minute, of an address or account": Settings().rate,
            "bytes an hour, of an address or account": int(gate.BYTES.amount),
            "attempts to sign in within 15 minutes": int(gate.SIGN_INS.amount),
            "characters of a password, at least": people.SHORTEST_PASSWORD,
            "days of a session": people.SESSION.days,
            "days of a token": people.LONGEST_TOKEN.days,
            "tokens of an account": people.MOST_TOKENS,
        }.items()
    }
    assert (gate.BYTES.seconds, gate.SIGN_INS.seconds) == (3600, 900)
    assert Settings().max_record == LIMITS.record
    with_setting = {setting.split("`")[1] for _, _, setting in table("limit | value | setting") if setting}
    assert with_setting <= {each.name for each in fields(Settings)}


# Stopping


def test_what_is_being_answered_is_answered_before_it_stops(start: Start, tmp_path: Path, sheet: Sheet) -> None:
    """Four who post without a pause: each answer that comes is of a record that is kept, and the server ends with 0."""
    db = tmp_path / "store.duckdb"
    process, address = start(db)
    acknowledged: set[str] = set()
    some = threading.Event()

    def post(number: int) -> None:
        with Client(address) as client:
            try:
                while True:
                    acknowledged.add(client.send(sheet(number, -number))["record"])
                    number += 4
                    if len(acknowledged) > 8:
                        some.set()
            except Unreachable:
                return

    threads = [threading.Thread(target=post, args=(1 + offset,)) for offset in range(4)]
    for thread in threads:
        thread.start()
    assert some.wait(60)
    process.send_signal(signal.SIGTERM)
    for thread in threads:
        thread.join()
    assert process.wait(30) == 0
    assert not Path(f"{db}.wal").exists()
    with Store(db) as store:
        kept = {f"sha256:{id.hex()}" for (id,) in store.read("SELECT id FROM records")}
    assert acknowledged <= kept
    assert len(kept - acknowledged) <= 4
