"""The readers against the shared right answers: identities, texts, and what cannot be read."""

import io
import json
from pathlib import Path
from typing import Any

import jsonschema_rs

from records.formats import json_schema, read_many, read_record, to_json, to_text
from records.normal import canonical, identity, normalise
from tests.records.sheets import errors

Vector = dict[str, Any]


def vectors(shared: Path, name: str) -> list[Vector]:
    """The vectors of a file."""
    with (shared / "vectors" / name).open(encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    assert found
    return found


def test_identities(shared: Path) -> None:
    wrong = [
        vector["name"]
        for vector in vectors(shared, "identity.jsonl")
        if identity(read_record(vector["record"])) != vector["expect"]["identity"]
    ]
    assert wrong == []


def test_texts(shared: Path) -> None:
    for vector in vectors(shared, "text.jsonl"):
        expect = vector["expect"]
        if "error" in expect:
            places = [(error.line, error.column) for error in errors(vector["text"])]
            assert (expect["error"]["line"], expect["error"]["column"]) in places, vector["name"]
            continue
        items = list(read_many(io.BytesIO(vector["text"].encode())))
        records = [item.record for item in items if item.record is not None]
        ids = expect.get("identities", [expect.get("identity")])
        sent = vector.get("records", [vector.get("record")])
        assert [identity(record) for record in records] == ids, vector["name"]
        assert [identity(read_record(each)) for each in sent] == ids, vector["name"]


def test_what_cannot_be_read(shared: Path) -> None:
    for vector in vectors(shared, "read-errors.jsonl"):
        pointers = [error.pointer for error in errors(vector["record"])]
        assert vector["expect"]["error"]["pointer"] in pointers, vector["name"]


def test_every_record_is_read_written_and_described(shared: Path) -> None:
    validator = jsonschema_rs.validator_for(json_schema())
    for path in sorted((shared / "vectors").glob("*.jsonl")):
        if path.stem in ("read-errors", "text"):
            continue
        for vector in vectors(shared, path.name):
            record = read_record(json.dumps(vector["record"]).encode())
            normal = normalise(record)
            assert validator.is_valid(vector["record"]), vector["name"]
            assert validator.is_valid(to_json(normal)), vector["name"]
            assert read_record(to_text(normal)) == normal, vector["name"]
            assert read_record(canonical(record)) == normal, vector["name"]
