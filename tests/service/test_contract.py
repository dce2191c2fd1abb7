"""The API keeps what its OpenAPI document promises: schemathesis sends what the document allows and what it forbids, all checks on."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from service.client import Client
from tests.service.conftest import Sheet, Start

EXAMPLES = os.environ.get("HANAFU_EXAMPLES", "4")
"""Requests for each call and kind of check; more by name: HANAFU_EXAMPLES=500."""

CONFIG = """
# A record that the run itself has withdrawn is gone (410), whatever is asked of it.
checks.negative_data_rejection.expected-statuses = ["400", "401", "403", "404", "405", "406", "409", "410", "413", "415", "422", "428"]

[[operations]]
include-name = ["POST /api/v1/records", "POST /api/v1/audits", "POST /api/v1/hints", "GET /api/v1/records", "GET /api/v1/standings"]
# A JSON Schema cannot state all that a record or an action must be (seats, partitions, texts), nor which options a game has: the
# reader says so with 422.
checks.positive_data_acceptance.expected-statuses = ["2xx", "422"]

[[operations]]
include-name = ["GET /api/v1/stats/{name}", "GET /api/v1/export/{table}.{form}"]
# The same of options; and what statistics there are says the list of them.
checks.positive_data_acceptance.expected-statuses = ["2xx", "404", "422"]

[[operations]]
include-path-regex = "records/.id|compare$|disputes|accounts|tokens$|pseudonyms$|presence$"
# What options there are is up to the game of the record; what can be disputed, and ruled, to the record itself; which names are free and
# which account a token is for, to the store; and a record may have been withdrawn.
checks.positive_data_acceptance.expected-statuses = ["2xx", "404", "409", "410", "422"]
"""


@pytest.mark.slow
def test_every_call_keeps_its_promise(start: Start, tmp_path: Path, sheet: Sheet) -> None:
    _, address = start(tmp_path / "store.duckdb")
    with Client(address) as client:
        client.send(sheet())
    config = tmp_path / "schemathesis.toml"
    config.write_text(CONFIG)
    command = [
        *(sys.executable, "-c", "from schemathesis.cli import schemathesis; schemathesis()"),
        *("--config-file", str(config), "run", f"{address}/api/v1/openapi.json"),
        *(
            "--checks",
            "all",
            "--phases",
            "examples,coverage,fuzzing",
            "--max-examples",
            EXAMPLES,
            "--seed",
            "1",
            "--generation-database",
            "none",
            "--no-color",
        ),
        *("--request-timeout", "60", "--suppress-health-check", "all"),
    ]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr
