"""Broken and hostile input: everything is read or refused with places; nothing else is ever raised, and work stays in bounds."""

import json
import random

import jsonschema_rs
import pytest

from records.errors import CODES, RecordErrors
from records.formats import json_schema, read_record, to_json, to_text
from tests.records.sheets import TEXT, errors, sheet
from tests.records.test_fast import SHEETS, mutants
from tests.records.test_koikoi_log import LOG

SOURCES = [json.dumps(each) for each in (*SHEETS, LOG)] + [to_text(read_record(each)) for each in SHEETS] + [TEXT]
VALIDATOR = jsonschema_rs.validator_for(json_schema())


@pytest.mark.parametrize("at", range(len(SOURCES)))
def test_a_mutant_is_read_or_refused_with_places(at: int) -> None:
    for mutant in mutants(SOURCES[at], 150, random.Random(at)):
        try:
            record = read_record(mutant.encode("utf-8", "surrogatepass"))
        except RecordErrors as refused:
            for error in refused.errors:
                assert error.code in CODES
                assert error.pointer is not None or (error.line is not None and error.column is not None)
                assert json.dumps(error.as_dict(), ensure_ascii=False).encode()
            continue
        assert read_record(to_json(record)) == record
        if not record.extra:
            assert read_record(to_text(record)) == record
        if '"format"' in mutant:
            assert VALIDATOR.is_valid(json.loads(mutant)), mutant


@pytest.mark.parametrize(
    "hostile",
    [
        json.dumps(sheet(rounds__0__deal__field=" ".join(f"{at}Q" for at in range(140_000)))),
        json.dumps(sheet(**{f"key{at}": at for at in range(50_000)})),
        json.dumps(sheet(rounds=[{"dealer": 1, "actions": ["crain"] * 200}] * 450)),
        json.dumps(sheet(rounds__0__actions=["1B" + "x1B" * 200_000])),
        json.dumps(sheet(rounds__0__actions=["1Bx" + "1B+" * 200_000 + "1B"])),
        json.dumps(sheet(rounds__0__actions=["phoenixx" * 10_000])),
        json.dumps(sheet(rounds__0__notes={str(at): "" for at in range(60_000)})),
        json.dumps(sheet(options={f"o{at}": at for at in range(50_000)})),
        TEXT + "{\n" * 300_000,
        TEXT + "[" * 800_000,
        TEXT + '[Player1 "' + "\\" * 700_001,
        TEXT.replace("played}", "\\" * 700_001 + "}"),
        '{"a": "' + "\\" * 700_001,
        TEXT + "3B 8B\n" * 100_000,
        TEXT.replace("1B 2R 3C", "ribbon " * 100_000),
    ],
    ids=lambda text: str(text)[:40] if len(str(text)) < 50 else None,
)
def test_a_megabyte_of_malice_is_refused(hostile: str) -> None:
    """Each of these takes a second or two; with work that grows by the square it would be hours."""
    assert 0 < len(errors(hostile)) <= 1001
