"""Where each table of the store lies, and the migrations as DuckLake and PostgreSQL take them."""

import importlib.util
import re
from pathlib import Path
from typing import Final

import duckdb

from service.errors import StoreBroken, StoreNewer
from service.store import FILES_ONLY, migrations, quoted

SCHEMA: Final = "hanafu"
"""PostgreSQL's schema with the tables that have keys; the database is attached as ``keyed``."""
CATALOGUE: Final = "hanafu_lake"
"""PostgreSQL's schema with the catalogue of the lake, which is attached as ``lake``."""
PATH: Final = f"lake.main,keyed.{SCHEMA},memory.main"
"""Where a table without a place before its name is looked for."""

LAKE: Final = ("records", "reports", "players", "rounds", "seats", "actions", "yaku", "findings", "changes")
"""Tables in the lake; each other one is PostgreSQL's."""
_KEYS: Final = {
    "accounts": ("name, step",),
    "acts": ("record, entry",),
    "holders": ("record, place", "record, account"),
    "imports": ("id",),
    "log": ("record, entry",),
    "pseudonyms": ("name, step",),
    "sessions": ("hash",),
    "tokens": ("id", "hash"),
    "visibility": ("record, step",),
    "withdrawals": ("record",),
}
"""What PostgreSQL lets no two rows share, whatever two processes do at a time."""
_TYPES: Final = {
    "BLOB": "bytea",
    "UTINYINT": "smallint",
    "USMALLINT": "integer",
    "UINTEGER": "bigint",
    "UBIGINT": "bigint",
    "VARCHAR": "text",
    "DOUBLE": "double precision",
}
_OWN: Final = f"""
CREATE SCHEMA IF NOT EXISTS {SCHEMA};
CREATE TABLE IF NOT EXISTS {SCHEMA}.migrations (number integer PRIMARY KEY, name text NOT NULL);
CREATE TABLE IF NOT EXISTS {SCHEMA}.claims (id bytea PRIMARY KEY, number bigint NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS {SCHEMA}.turns (number bigint NOT NULL, next bigint NOT NULL);
CREATE TABLE IF NOT EXISTS {SCHEMA}.unfinished (turn bigint PRIMARY KEY, work bytea NOT NULL);
CREATE TABLE IF NOT EXISTS {SCHEMA}.erasures (turn bigint PRIMARY KEY);
INSERT INTO {SCHEMA}.turns (number, next) SELECT 0, 1 WHERE NOT EXISTS (SELECT FROM {SCHEMA}.turns);
"""
"""What no other store has: who has which number, how many turns there were, what one of them has still to write into the lake, and which
took records out whose bytes are still in its files."""


def postgres(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Has PostgreSQL carry out SQL of its own, inside the connection's transaction where one is open."""
    connection.execute("CALL postgres_execute('keyed', ?)", [sql])


def load(connection: duckdb.DuckDBPyConnection, *names: str) -> None:
    """Loads extensions, each from its package. Raises StoreBroken where one is not there for this release of DuckDB."""
    for name in names:
        spec = importlib.util.find_spec(f"duckdb_extension_{name}")
        found = [
            file
            for folder in (spec.submodule_search_locations or () if spec else ())
            for file in Path(folder).glob(f"extensions/v{duckdb.__version__}/*.duckdb_extension")
        ]
        if not found:
            raise StoreBroken(
                f"a lake needs the extra [lake], which is not there for duckdb {duckdb.__version__}: "
                "in an environment of its own, `pip install 'hanafu[lake]'`"
            )
        connection.execute(f"LOAD {quoted(str(found[0]))}")


def migrate(connection: duckdb.DuckDBPyConnection) -> None:
    """Brings the tables up to this version. Raises StoreNewer where they are of a newer one.

    Called by one process at a time. What was cut off in the middle is done again: each step may be.
    """
    postgres(connection, _OWN)
    connection.execute("CALL pg_clear_cache()")
    ((done,),) = connection.execute(f"SELECT coalesce(max(number), 0) FROM keyed.{SCHEMA}.migrations").fetchall()
    known = migrations()
    if done > known[-1][0]:
        raise StoreNewer(f"the lake was written by a newer version (step {done}; this one knows {known[-1][0]}); it was not touched")
    steps = [step for step in known if step[0] > done]
    if not steps:
        return
    connection.begin()
    connection.execute("CREATE TABLE IF NOT EXISTS lake.main.applied (turn BIGINT NOT NULL)")
    connection.execute("INSERT INTO lake.main.applied (turn) SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM lake.main.applied)")
    keyed = []
    for number, name, sql in steps:
        for statement in () if sql.startswith(FILES_ONLY) else _statements(sql):
            if not statement.startswith("CREATE VIEW"):
                place, made = _translated(statement)
                if place == "lake":
                    connection.execute(made)
                else:
                    keyed.append(made)
        keyed.append(f"INSERT INTO {SCHEMA}.migrations (number, name) VALUES ({number}, {quoted(name)})")
    connection.commit()
    postgres(connection, "; ".join(keyed))
    connection.execute("CALL pg_clear_cache()")


def views(connection: duckdb.DuckDBPyConnection) -> None:
    """Views look at both databases, so they belong to neither: each process has its own."""
    for _, _, sql in migrations():
        for statement in _statements(sql):
            if statement.startswith("CREATE VIEW"):
                connection.execute(statement.replace("CREATE VIEW ", "CREATE VIEW memory.main.", 1))


def _translated(statement: str) -> tuple[str, str]:
    """Which database a statement is for, ``lake`` or ``keyed``, and how it is written there."""
    found = re.match(r"CREATE TABLE (\w+) ", statement)
    if not found:
        raise StoreBroken(f"a lake cannot take this step: {statement[:60]}…")
    table = found[1]
    body = statement[found.end() :].replace(" USING COMPRESSION zstd", "").replace(" PRIMARY KEY", " NOT NULL")
    if table in LAKE:
        return "lake", f"CREATE TABLE IF NOT EXISTS lake.main.{table} {body}"
    body = re.sub(r"\b[A-Z]+\b", lambda word: _TYPES.get(word[0], word[0]), body)
    keys = "".join(f", UNIQUE ({key})" for key in _KEYS.get(table, ()))
    return "keyed", f"CREATE TABLE IF NOT EXISTS {SCHEMA}.{table} {body.removesuffix(')')}{keys})"


def _statements(sql: str) -> list[str]:
    bare = re.sub(r"--[^\n]*", "", sql)
    return [" ".join(statement.split()) for statement in bare.split(";") if statement.strip()]
