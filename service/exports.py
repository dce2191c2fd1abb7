"""The store's tables as files: CSV or Parquet, and the whole store as a copy of itself.

Files are made in the scratch folder, the one place that SQL may write to, and belong to whoever asked.
"""

import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from service.errors import StoreBroken
from service.queries import ALL, Condition, condition
from service.store import Store, quoted, spare_log
from service.writer import FAILURES
from web.cells import FORMULA

TABLES: Final[Mapping[str, str]] = {
    "records": "SELECT 'sha256:' || lower(hex(r.id)) AS record, r.* EXCLUDE (number, id, raw, raw_type, canonical) FROM records r",
    **{
        table: f"SELECT 'sha256:' || lower(hex(r.id)) AS record, t.* EXCLUDE (record) FROM {table} t JOIN records r ON t.record = r.number"
        for table in ("rounds", "seats", "actions", "yaku", "findings")
    },
    "players": "SELECT 'sha256:' || lower(hex(r.id)) AS record, t.* EXCLUDE (record) FROM shown_players t "
    "JOIN records r ON t.record = r.number",
}
"""The tables that can be had, each row with the id of its record."""
_TEXTS: Final[Mapping[str, tuple[str, ...]]] = {"records": ("event", "site", "date"), "players": ("name",)}
"""Columns with words that people wrote."""
FORMATS: Final[Mapping[str, str]] = {"csv": "FORMAT csv, HEADER", "parquet": "FORMAT parquet, COMPRESSION zstd"}


def export(store: Store, table: str, form: str, filters: Mapping[str, str], within: Condition = ALL) -> Path:
    """A table, of the records that the filters leave, as a file in the scratch folder; the caller removes it.

    Raises KeyError for a table or a form that is none, ValueError for a filter that is none.
    """
    where = condition(filters) & within
    path = _fresh(store, form)
    rows = f"{TABLES[table]} WHERE {where.sql} ORDER BY r.number"
    if form == "csv" and (texts := _TEXTS.get(table)):
        rows = f"SELECT * REPLACE ({', '.join(map(_shielded, texts))}) FROM ({rows})"
    sql = f"COPY ({rows}) TO {quoted(str(path))} ({FORMATS[form]})"
    with _whole(path):
        store.read(sql, where.parameters)
    return path


def _shielded(column: str) -> str:
    """A column of words so that a spreadsheet takes none for a formula (`web.cells`)."""
    return f"CASE WHEN regexp_matches({column}, '{FORMULA}') THEN '''' || {column} ELSE {column} END AS {column}"


def backup(store: Store) -> Path:
    """The whole store as it is at this moment, as a file in the scratch folder; the caller moves or removes it. Writing goes on."""
    path = _fresh(store, "duckdb")
    with _whole(path):
        store.copy_to(path, f"backup_{secrets.token_hex(4)}")
    return path


@contextmanager
def _whole(path: Path) -> Iterator[None]:
    """A file that is written inside is there whole or not at all. Raises StoreBroken where the disk fails."""
    try:
        yield
    except BaseException as error:
        for left in (path, path.with_name(path.name + ".wal")):
            left.unlink(missing_ok=True)
        if isinstance(error, FAILURES):
            raise StoreBroken(f"the file could not be written: {error}") from error
        raise


def place(copy: Path, target: Path) -> None:
    """Puts a copy of a store where it is wanted: durable, whole or not at all, and nothing is written over. Raises StoreBroken."""
    draft = target.with_name(f"{target.name}.{os.getpid()}.part")
    spare_log(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with copy.open("rb") as source, draft.open("xb") as file:
            while piece := source.read(1 << 20):
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, target)
    except FileExistsError as error:
        raise StoreBroken(f"{target} is there already; nothing was written over") from error
    except OSError as error:
        raise StoreBroken(f"{target} cannot be written: {error.strerror or error}") from error
    finally:
        draft.unlink(missing_ok=True)


def _fresh(store: Store, suffix: str) -> Path:
    return store.scratch / f"{secrets.token_hex(8)}.{suffix}"
