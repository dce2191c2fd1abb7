"""What operators see: metrics, logs, health."""

import json
import logging
import re
import sys
from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from records import __version__
from service.logs import Lines
from service.metrics import BUCKETS, Metrics
from tests.service.conftest import Sheet


def _samples(text: str) -> dict[str, float]:
    """Names with labels and their values; every line must be of the form that Prometheus reads."""
    found = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            match = re.fullmatch(r'([a-z_]+(?:\{(?:[a-z]+="(?:[^"\\\n]|\\.)*",?)*\})?) (\S+)', line)
            assert match, line
            found[match[1]] = float(match[2])
    return found


def test_metrics_count_requests_records_and_imports(client: FlaskClient, sheet: Sheet) -> None:
    client.post("/api/v1/records", data=sheet(), content_type="application/json")
    client.post("/api/v1/records", data=b"{", content_type="application/json")
    client.get("/api/v1/records/" + "0" * 64)
    answer = client.get("/metrics")
    assert answer.content_type.startswith("text/plain; version=0.0.4")
    found = _samples(answer.get_data(as_text=True))
    assert found["hanafu_records"] == 1
    assert found["hanafu_imports_waiting"] == 0
    assert found["hanafu_store_bytes"] > 0
    assert found['hanafu_requests_total{route="/api/v1/records",method="POST",status="201"}'] == 1
    assert found['hanafu_requests_total{route="/api/v1/records",method="POST",status="422"}'] == 1
    assert found['hanafu_requests_total{route="/api/v1/records/<id>",method="GET",status="404"}'] == 1
    assert found['hanafu_request_seconds_count{route="/api/v1/records"}'] == 2
    assert any(name.startswith(f'hanafu_info{{version="{__version__}"') for name in found)


def test_buckets_count_what_took_at_most_so_long() -> None:
    metrics = Metrics()
    for seconds in (0.001, 0.005, 0.006, 100.0):
        metrics.answered('/a"b', "GET", 200, seconds)
    found = _samples("".join(metrics.lines({}, {})))
    ends = [*map(str, BUCKETS), "+Inf"]
    counts = [found[f'hanafu_request_seconds_bucket{{route="/a\\"b",le="{end}"}}'] for end in ends]
    assert counts == [2, 3, *[3] * 9, 4]
    assert found['hanafu_request_seconds_sum{route="/a\\"b"}'] == pytest.approx(100.012)


@pytest.fixture
def heard(app: Flask) -> Iterator[list[str]]:
    """The lines that are logged, as JSON."""
    lines: list[str] = []

    class Ear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(Lines(as_json=True).format(record))

    ear = Ear()
    logger = logging.getLogger("hanafu")
    logger.addHandler(ear)
    logger.setLevel(logging.INFO)
    yield lines
    logger.removeHandler(ear)
    logger.setLevel(logging.NOTSET)


def test_a_request_is_logged_with_its_id_and_route_and_without_names(client: FlaskClient, heard: list[str]) -> None:
    client.get("/api/v1/records", query_string={"player": "Leilani\nroot logged in"}, headers={"X-Request-Id": "trace-7"})
    (line,) = [line for line in heard if "trace-7" in line]
    told = json.loads(line)
    assert (told["request"], told["method"], told["route"], told["status"]) == ("trace-7", "GET", "/api/v1/records", 200)
    assert told["milliseconds"] >= 0
    assert "Leilani" not in line


@pytest.mark.parametrize("as_json", [True, False])
def test_text_from_outside_is_never_a_line_of_its_own(as_json: bool) -> None:
    record = logging.makeLogRecord({"msg": "named %s", "args": ("a\nb\u2028c",), "levelname": "INFO", "name": "x", "more": "d\re"})
    assert len(Lines(as_json).format(record).splitlines()) == 1


def test_an_exception_is_logged_whole() -> None:
    try:
        raise ValueError("why")
    except ValueError:
        record = logging.makeLogRecord({"msg": "failed", "levelname": "ERROR", "exc_info": sys.exc_info()})
    assert "ValueError: why" in json.loads(Lines(as_json=True).format(record))["exception"]
    assert "ValueError: why" in Lines(as_json=False).format(record)
