"""What operators and programs ask first: health, the record's schema, the documentation."""

import secrets
from collections import Counter

from flask import Flask, Response, current_app, render_template_string, url_for
from flask_smorest import Blueprint

from records import __version__
from records.formats import json_schema
from service.api.calls import Answer, call, desk, json_answer
from service.api.imports import imports
from service.engine import kind
from service.errors import StoreError
from service.metrics import CONTENT_TYPE, Metrics

blueprint = Blueprint("system", __name__, description="For operators and programs")

SCHEMA = "application/schema+json"


@call(
    blueprint,
    "/schema/record.json",
    answers=[(200, Answer("JSON Schema (2020-12)", {"type": "object"}, content_type=SCHEMA))],
)
def record_schema() -> Response:
    """Fetch the record's JSON Schema

    It states the written form; what a schema cannot state the reader checks.
    """
    answer = json_answer(json_schema())
    answer.content_type = SCHEMA
    return answer


def at_root(app: Flask) -> None:
    """The calls that have no base: health, and the documentation's page, which is no call."""
    app.add_url_rule("/healthz", "healthz", health)
    app.add_url_rule("/metrics", "metrics", metrics)
    app.add_url_rule("/api/v1/docs", "docs", documentation)


def health() -> Response:
    """Tests the store with a query, which no kept answer stands for."""
    state = {"version": __version__, "engine": kind()}
    try:
        desk().store.probe()
        return json_answer({"status": "ok", **state, "records": desk().count({})})
    except StoreError as error:
        current_app.logger.warning("the store fails: %s", error)
        return json_answer({"status": "failing", **state, "records": None}, 503)


def metrics() -> Response:
    """What the service has counted, for Prometheus."""
    here = desk()
    jobs = Counter(job.state for job in imports().jobs())
    gauges = {
        "records": ("Records in the store.", float(here.count({}))),
        "store_bytes": ("Size of the store on the disk.", float(here.store.size())),
        "imports_waiting": ("Imports that are queued or running.", float(jobs["queued"] + jobs["running"])),
    }
    counted: Metrics = current_app.extensions["hanafu-metrics"]
    return Response(counted.lines(gauges, {"version": __version__, "engine": kind()}), content_type=CONTENT_TYPE)


def documentation() -> Response:
    """The API's documentation, from files of our own."""
    nonce = secrets.token_urlsafe(16)
    vendor = url_for("pages.static", filename="vendor/swagger-ui")
    page = render_template_string(_PAGE, nonce=nonce, vendor=vendor, document=url_for("api-docs.openapi_json"))
    policy = (
        f"default-src 'none'; script-src 'self' 'nonce-{nonce}'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return Response(page, headers={"Content-Security-Policy": policy}, content_type="text/html; charset=utf-8")


_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Hanafu: API</title>
<link rel="stylesheet" href="{{ vendor }}/swagger-ui.css">
<div id="api"></div>
<script src="{{ vendor }}/swagger-ui-bundle.js"></script>
<script nonce="{{ nonce }}">
SwaggerUIBundle({url: {{ document|tojson }}, dom_id: "#api", deepLinking: true, validatorUrl: null});
</script>
</html>
"""
