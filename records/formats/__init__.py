"""Records in and out: JSON, text (`.hrn`), other programs' logs, streams of many (record-format.md, 1, 2).

`read_record` reads one, `read_many` reads whatever a file, folder or stream holds. All that is wrong with a record is told at
once, as `records.errors.ReadError`s in a `RecordErrors`.
"""

from records.formats.jsonschema import json_schema
from records.formats.limits import LIMITS, Limits
from records.formats.sheets import SheetChoices, read_sheet
from records.formats.single import read_record
from records.formats.streams import Document, Item, documents, files_in, read_item, read_many
from records.formats.text import to_text
from records.formats.written import to_json

__all__ = [
    "LIMITS",
    "Document",
    "Item",
    "Limits",
    "SheetChoices",
    "documents",
    "files_in",
    "json_schema",
    "read_item",
    "read_many",
    "read_record",
    "read_sheet",
    "to_json",
    "to_text",
]
