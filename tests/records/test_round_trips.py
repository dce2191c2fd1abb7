"""Laws of the written forms, over any record: what is written is read back the same, as JSON, as text and by the quick way."""

import json

import jsonschema_rs
import msgspec
import rfc8785
from hypothesis import HealthCheck, given, settings

from records.formats import LIMITS, json_schema, read_record, to_json, to_text
from records.formats.fast import read_fast_json
from records.formats.fast_text import read_fast_text
from records.formats.schema import load
from records.formats.text import read_text
from records.normal import canonical, identity, normalise
from records.record import Record
from tests.strategies import records

VALIDATOR = jsonschema_rs.validator_for(json_schema())
FEW = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@FEW
@given(records())
def test_json_gives_the_same_record(record: Record) -> None:
    assert load(to_json(record), None, LIMITS) == record
    assert read_record(json.dumps(to_json(record), indent=2, ensure_ascii=False)) == record
    assert read_record(json.dumps(to_json(record)).encode()) == record


@FEW
@given(records())
def test_text_gives_the_same_record(record: Record) -> None:
    assert read_text(to_text(record)) == record
    assert read_record(to_text(record).encode()) == record


@FEW
@given(records())
def test_the_quick_way_gives_what_the_judge_gives(record: Record) -> None:
    quick = read_fast_json(msgspec.json.encode(to_json(record)), LIMITS)
    assert quick is None or quick == record
    quick = read_fast_text(to_text(record).encode(), LIMITS)
    assert quick is None or quick == record


@FEW
@given(records())
def test_the_normalised_form_is_its_own(record: Record) -> None:
    normal = normalise(record)
    assert normalise(normal) == normal
    assert read_record(to_text(normal)) == normal
    assert identity(read_record(to_text(record))) == identity(record)


@FEW
@given(records())
def test_the_canonical_form_is_rfc_8785(record: Record) -> None:
    assert canonical(record) == rfc8785.dumps(to_json(normalise(record)))


@FEW
@given(records())
def test_the_json_schema_takes_what_writers_write(record: Record) -> None:
    assert [error.message for error in VALIDATOR.iter_errors(to_json(record))] == []
