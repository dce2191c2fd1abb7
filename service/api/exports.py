"""The tables as files."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from flask import Response
from flask_smorest import Blueprint

from service.api.calls import Answer, call, desk, refuse
from service.api.schemas import FilterQuery, filters_of
from service.exports import FORMATS, TABLES

blueprint = Blueprint("exports", __name__, description="The tables as files")

CSV = "text/csv"
PARQUET = "application/vnd.apache.parquet"
TYPES = {"csv": CSV, "parquet": PARQUET}
PIECE = 1 << 16


@call(
    blueprint,
    "/export/<table>.<form>",
    query=FilterQuery,
    answers=[
        (200, Answer("The table", {"type": "string"}, content_type=CSV)),
        (200, Answer("The table", {"type": "string", "format": "binary"}, content_type=PARQUET)),
    ],
    refuses=[404, 422],
)
def table(query: dict[str, Any], table: str, form: str) -> Response:
    """Download a table

    `records`, `players`, `rounds`, `seats`, `actions`, `yaku` or `findings`, as `csv` or `parquet`, of the records that all filters leave.
    Each row names its record by its id.
    """
    if table not in TABLES or form not in FORMATS:
        refuse(404, f"There are {', '.join(TABLES)}, each as {' and '.join(FORMATS)}.")
    path = desk().export(table, form, filters_of(query))
    kind = f"{TYPES[form]}; charset=utf-8" if form == "csv" else TYPES[form]
    size = path.stat().st_size
    answer = Response(pieces(path), content_type=kind)
    answer.headers["Content-Disposition"] = f"attachment; filename=hanafu-{table}.{form}"
    answer.content_length = size
    return answer


def pieces(path: Path) -> Iterator[bytes]:
    """The bytes of a file that is ours to remove: it has no name any more before the first of them is sent."""
    file = path.open("rb")
    path.unlink()
    return _read(file)


def _read(file: Any) -> Iterator[bytes]:
    with file:
        while piece := file.read(PIECE):
            yield piece
