"""Logs on standard error: a line each, as JSON where a program reads them and plain where a person does. Each line of a request bears the
request's id. Text from outside is escaped, so that it is never a line of its own."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Final

from flask import g, has_request_context

_STANDARD = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime"}


class Lines(logging.Formatter):
    """One line a record: JSON, or time, level, message and what else is known."""

    def __init__(self, as_json: bool) -> None:
        super().__init__()
        self._as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        known: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if has_request_context():
            known["request"] = g.get("request_id", "-")
        known |= {name: value for name, value in record.__dict__.items() if name not in _STANDARD}
        if record.exc_info:
            known["exception"] = self.formatException(record.exc_info)
        if self._as_json:
            return _ENCODER.encode(known)
        time, level, _, message, *rest = known.values()
        names = list(known)[4:]
        return f"{time} {level} {_plain(message)}" + "".join(
            f"\n{value}" if name == "exception" else f" {name}={_plain(value)}" for name, value in zip(names, rest, strict=True)
        )


_ENCODER: Final = json.JSONEncoder(default=str)


def set_up(level: str) -> None:
    """Logs of everything at this level and above, on standard error."""
    # What no line of ours has need not be found out: who called, in which thread, process and task.
    logging._srcfile = None  # documented: no stack is walked
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    handler = logging.StreamHandler()
    handler.setFormatter(Lines(as_json=not sys.stderr.isatty()))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)


def _plain(value: object) -> str:
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(value))
