"""Cells of CSV files. A spreadsheet runs a cell that begins like a formula; with an apostrophe before it it is text again."""

import re
from typing import Any, Final

FORMULA: Final = r"^\s*[=+@-]"
"""How words begin that a spreadsheet takes for a formula."""


def shielded(cell: Any) -> Any:
    """A cell to be written; numbers stay numbers."""
    return f"'{cell}" if isinstance(cell, str) and re.match(FORMULA, cell) else cell
