"""Whether a store is what it says: every hash worked out anew, every report derived again."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import orjson

from analysis.audit import ENGINE, audit
from records.errors import RecordErrors
from records.formats import read_record
from records.normal import canonical
from service.places import waiting
from service.rows import CHILDREN, CLEAN
from service.store import Store

A_PAGE: Final = 500


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of one record."""

    id: str
    fault: str | None
    """What is wrong, in words; None: nothing."""
    other_engine: bool = False
    """The report was made by another version of the engine, which may judge otherwise; only the hashes were compared."""


def count(store: Store) -> int:
    """How many records there are to check."""
    return int(store.read("SELECT count(*) FROM records")[0][0])


def check(store: Store) -> Iterator[Checked]:
    """Each record in the order of arrival."""
    last = -1
    while rows := store.read(
        "SELECT number, id, coalesce(raw, encode(canonical)), canonical, verdict, engine FROM records "
        "WHERE number > ? ORDER BY number LIMIT ?",
        (last, A_PAGE),
    ):
        first, last = rows[0][0], rows[-1][0]
        reports = {
            number: (engine, orjson.loads(report))
            for number, engine, report in store.read(
                "SELECT record, engine, report FROM reports WHERE record BETWEEN ? AND ? "
                "QUALIFY row_number() OVER (PARTITION BY record ORDER BY revision DESC) = 1",
                (first, last),
            )
        }
        for number, id, raw, form, verdict, engine in rows:
            other = engine != ENGINE or (number in reports and reports[number][0] != ENGINE)
            yield Checked(id.hex(), _fault(id, raw, form, verdict, reports.get(number), other), other)


def strays(store: Store) -> list[str]:
    """Rows that name a record which is not there, in words, a table each; and records that are only in the table of arrivals."""
    found = []
    for table in CHILDREN:
        (number,) = store.read(f"SELECT count(*) FROM {table} t ANTI JOIN records r ON t.record = r.number")[0]
        if number:
            found.append(f"{table}: {number} rows of records that are not there")
    if number := len(waiting(store.cursor())):
        found.append(f"arrivals: {number} records that could not take their places")
    return found


def _fault(id: bytes, raw: bytes, form: str, verdict: str, kept: tuple[str, Any] | None, other_engine: bool) -> str | None:
    if hashlib.sha256(form.encode()).digest() != id:
        return "the normalised form has another hash than the id"
    try:
        record = read_record(raw)
    except RecordErrors as error:
        return f"the bytes as sent cannot be read any more: {error}"
    if other_engine:
        return None
    if canonical(record) != form.encode():
        return "the bytes as sent have another normalised form"
    report = audit(record)
    if report["verdict"] != verdict:
        return f"the verdict kept is {verdict}, the record gives {report['verdict']}"
    if kept is None:
        return None if verdict in CLEAN else "the report is not there"
    again = orjson.loads(orjson.dumps(report))
    if {k: v for k, v in kept[1].items() if k != "explanations"} != again:
        return "the report kept is not the one that the record gives"
    return None
