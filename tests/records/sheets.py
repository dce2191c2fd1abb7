"""Small records by hand, for the tests of the readers."""

import copy
import json
from typing import Any

from records.errors import ReadError, RecordErrors
from records.formats import read_record

HIGOBANA: dict[str, Any] = {
    "format": "hanafuda-record/1",
    "variant": "higobana",
    "players": [{"name": "Leilani"}, {"name": "Kimo"}],
    "rounds": [
        {
            "dealer": 1,
            "deal": {"field": "1B 2R 3C", "hands": ["1C 3B", "2A 2C"], "draw_pile": "8B 1R"},
            "actions": ["3Bx3C 8B", "2Ax2R 1Rx1B"],
            "claims": {"points": [130, 110], "yaku": [["2"], []], "scores": [180, 110]},
        }
    ],
}
TEXT = """[Format "hanafuda-record/1"]
[Variant "higobana"]
[Player1 "Leilani"]
[Player2 "Kimo"]

[Round "1"]
[Dealer "1"]
[Field "1B 2R 3C"]
[Hand1 "1C 3B"]
3Bx3C 8B
2Ax2R 1Rx1B   {well played}

[Totals "180 110"]
"""


def sheet(base: dict[str, Any] = HIGOBANA, /, **changes: object) -> dict[str, Any]:
    """A copy with other values; a key names its place: ``rounds__0__dealer``. None takes the key away."""
    made = copy.deepcopy(base)
    for place, value in changes.items():
        *path, last = place.split("__")
        holder: Any = made
        for part in path:
            holder = holder[int(part)] if isinstance(holder, list) else holder.setdefault(part, {})
        if value is None:
            holder.pop(last, None)
        elif isinstance(holder, list):
            holder[int(last)] = value
        else:
            holder[last] = value
    return made


def errors(data: object) -> list[ReadError]:
    """What a reader says of bytes, text or plain values; they are read as JSON bytes too, which must say the same."""
    found = _errors(data)
    if isinstance(data, dict):
        try:
            sent = json.dumps(data, allow_nan=False).encode()
        except ValueError:
            return found
        assert _errors(sent) == found
    return found


def _errors(data: object) -> list[ReadError]:
    try:
        read_record(data)  # type: ignore[arg-type]  # whatever the test sends
    except RecordErrors as error:
        assert error.errors
        return error.errors
    return []
