"""The API under /api/v1 (record-format.md, 5): OpenAPI 3.1 out of its schemas, problem documents for everything that goes wrong."""

from typing import Any

from flask import Flask

from records import __version__
from records.formats import json_schema
from service.api import (
    audits,
    comparisons,
    disputes,
    exports,
    hints,
    imports,
    owner,
    people,
    presence,
    problems,
    records,
    stats,
    system,
    variants,
)
from service.api.problems import Api
from service.api.schemas import embedded

BASE = "/api/v1"

ABOUT = """Hanafuda game records, replayed, audited and explained.

A record is sent as JSON or as text; the answer is a report: the verdict, every finding with the rule behind it, the ledger of every point.
Ids are `sha256:` and 64 hex digits; in addresses the digits suffice. Errors are problem documents (RFC 9457) whose `errors` name every
fault with its JSON pointer, or its line and column."""


def register(app: Flask) -> Api:
    """Puts the API into an application."""
    app.config.update(
        API_TITLE="Hanafu",
        API_VERSION=__version__,
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX=BASE,
        OPENAPI_JSON_PATH="openapi.json",
        API_SPEC_OPTIONS={"info": {"description": ABOUT, "license": {"name": "MIT", "identifier": "MIT"}}},
    )
    api = Api(app)
    for name, schema in embedded("Record", json_schema()).items():
        api.spec.components.schema(name, component=schema)
    disputes.register_schemas(api.spec)
    people.register_schemas(api.spec)
    presence.register_schemas(api.spec)
    for module in (records, audits, hints, presence, imports, exports, stats, variants, system, owner, disputes, comparisons, people):
        blueprint: Any = module.blueprint
        api.register_blueprint(blueprint, url_prefix=BASE)
    api.register_blueprint(people.records, url_prefix=BASE)
    system.at_root(app)
    problems.install(app)
    return api
