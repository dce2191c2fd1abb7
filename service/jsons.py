"""JSON out. Fast where it can be, and never at a loss: whole numbers of any size are written as they are."""

import json
from typing import Any

import orjson


def dumps(value: Any) -> bytes:
    """A value as compact JSON in UTF-8."""
    try:
        return orjson.dumps(value)
    except TypeError:  # a whole number past 64 bits, or half of a surrogate pair
        return json.dumps(value, separators=(",", ":")).encode()
