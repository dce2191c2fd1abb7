"""A case as one file that proves itself: record as sent, normalised, report, what was said and ruled, log. Packed here, and checked here
without a store and without a server.

========================  ======================================================================================================
``case.json``             what this is, the record's id, the engine, the SHA-256 of every other part, and a seal over all that
``sent.json``, ``.hrn``   the bytes as they were sent
``record.json``           the normalised record; its SHA-256 is the id
``report.json``           the audit report, in RFC 8785 form
``rulings.json``          every dispute, answer and ruling, in order
``log.json``              the log (`service.chain`): the hash of each of these, of the report and of the bytes as sent
``corrections/ID.json``   records that a ruling put in the place of this one
========================  ======================================================================================================
"""

import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from analysis.audit import ENGINE, audit
from records import normal
from records.errors import RecordErrors
from records.formats import read_record
from records.record import Record
from service.chain import Entry, broken, canonical, digest

Json = dict[str, Any]

FORMAT: Final = "hanafu-case/1"
MANIFEST: Final = "case.json"
OK: Final = "ok"
TAMPERED: Final = "tampered"
OTHER_ENGINE: Final = "other engine"

LARGEST: Final = 64_000_000
"""Bytes of all parts together, unpacked."""
MOST_PARTS: Final = 1100
_LONG_AGO: Final = (1980, 1, 1, 0, 0, 0)


class CaseUnreadable(ValueError):
    """The file is no case: not a zip, damaged, too large, or without a part that says what it is."""


@dataclass(frozen=True, slots=True)
class Parts:
    """All that belongs to a case."""

    id: str
    """64 hex digits."""
    sent: bytes
    record: Record
    report: Json
    acts: Sequence[Json]
    log: Sequence[Entry]
    corrections: Sequence[Record] = ()


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of one part."""

    part: str
    state: str
    """``ok``, ``tampered`` or ``other engine``."""
    text: str


def entry_json(entry: Entry) -> Json:
    """An entry of a log as it is written."""
    return {"previous": f"sha256:{entry.previous}", "hash": f"sha256:{entry.hash}", "content": entry.content}


def pack(parts: Parts) -> bytes:
    """The case as a zip: the same parts give the same bytes."""
    files = {
        _sent_name(parts.sent): parts.sent,
        "record.json": normal.canonical(parts.record),
        "report.json": canonical(parts.report),
        "rulings.json": canonical(list(parts.acts)),
        "log.json": canonical([entry_json(entry) for entry in parts.log]),
    }
    for record in parts.corrections:
        form = normal.canonical(record)
        files[f"corrections/{hashlib.sha256(form).hexdigest()}.json"] = form
    said = {
        "format": FORMAT,
        "record": f"sha256:{parts.id}",
        "engine": parts.report["engine"],
        "parts": {name: _sum(content) for name, content in files.items()},
    }
    files[MANIFEST] = canonical(said | {"seal": f"sha256:{digest(said)}"})
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, _LONG_AGO), files[name], zipfile.ZIP_DEFLATED)
    return out.getvalue()


def check(data: bytes) -> list[Checked]:
    """Whether the parts of a case belong together, and whether the report still comes out of the record; an answer a part.

    Raises CaseUnreadable where the file is no case.
    """
    return list(_Case(_unpacked(data)).answers())


def _sent_name(sent: bytes) -> str:
    return "sent.json" if sent.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{") else "sent.hrn"


def _sum(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def _unpacked(data: bytes) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = archive.infolist()
            if len(infos) > MOST_PARTS or sum(info.file_size for info in infos) > LARGEST:
                raise CaseUnreadable(f"the file holds more than a case can: {MOST_PARTS} parts, {LARGEST:,} bytes")
            files: dict[str, bytes] = {}
            for info in infos:
                if info.filename in files:
                    raise CaseUnreadable(f"{info.filename} stands twice in the file")
                files[info.filename] = archive.read(info)
    except (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError, OSError, ValueError) as error:
        raise error if isinstance(error, CaseUnreadable) else CaseUnreadable(f"this is no readable zip: {error}") from error
    if MANIFEST not in files:
        raise CaseUnreadable(f"this is no case: it has no {MANIFEST}")
    return files


class _Case:
    """A case that is being checked."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = files
        said = _json(files[MANIFEST])
        self.said: Json = said if isinstance(said, dict) else {}
        if self.said and self.said.get("format") != FORMAT:
            raise CaseUnreadable(f"this is a case of another form: {self.said.get('format')!r}, not {FORMAT!r}")
        self.sums: Mapping[str, Any] = self.said["parts"] if isinstance(self.said.get("parts"), dict) else {}
        self.sealed = self.said.get("seal") == f"sha256:{digest({k: v for k, v in self.said.items() if k != 'seal'})}"
        self.id = str(self.said.get("record", "")).removeprefix("sha256:")
        self.log = _entries(_json(files.get("log.json", b"")))
        self.acts = _acts(_json(files.get("rulings.json", b"")))

    def answers(self) -> Iterator[Checked]:
        """One a part, in the order in which people ask."""
        yield Checked(MANIFEST, *self._manifest())
        sent = next((name for name in ("sent.json", "sent.hrn") if name in self.files), "sent.json")
        parts: list[tuple[str, Callable[[bytes], tuple[str, str]]]] = [
            (sent, self._sent),
            ("record.json", self._record),
            ("report.json", self._report),
            ("rulings.json", self._rulings),
            ("log.json", self._log),
        ]
        parts += [(name, self._correction) for name in sorted(set(self.files) | set(self.sums)) if name.startswith("corrections/")]
        for name, judge in parts:
            yield Checked(name, *self._judged(name, judge))
        for name in sorted(set(self.files) - {MANIFEST} - {name for name, _ in parts}):
            yield Checked(name, TAMPERED, "it is no part of a case")

    def _judged(self, name: str, judge: Callable[[bytes], tuple[str, str]]) -> tuple[str, str]:
        if name not in self.files:
            return TAMPERED, "it is missing"
        try:
            state, text = judge(self.files[name])
        except (RecordErrors, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            return TAMPERED, f"it cannot be read: {error}"
        if state != TAMPERED and self.sealed and self.sums.get(name) != _sum(self.files[name]):
            return TAMPERED, f"it is not the file that was packed: {MANIFEST} knows another hash"
        return state, text

    def _manifest(self) -> tuple[str, str]:
        if not self.sealed:
            return TAMPERED, "its seal does not fit"
        return OK, f"record sha256:{self.id}, engine {self.said.get('engine')}"

    def _evidence(self, name: str) -> str | None:
        """What the last entry of the log says of a part."""
        return self.log[-1].content.get(name) if self.log else None

    def _sent(self, content: bytes) -> tuple[str, str]:
        if self._evidence("sent") not in (None, _sum(content)):
            return TAMPERED, "the log knows other bytes as sent"
        if normal.identity(read_record(content)) != f"sha256:{self.id}":
            if self.said.get("engine") != ENGINE:
                return OTHER_ENGINE, f"this engine, {ENGINE}, normalises it otherwise than {self.said.get('engine')}"
            return TAMPERED, "it is another record: its normalised form has another hash"
        return OK, "its normalised form is the record"

    def _record(self, content: bytes) -> tuple[str, str]:
        if hashlib.sha256(content).hexdigest() != self.id:
            return TAMPERED, "its hash is not the record's id"
        return OK, "its hash is the record's id"

    def _report(self, content: bytes) -> tuple[str, str]:
        report = json.loads(content)
        if canonical(report) != content:
            return TAMPERED, "it is not in the form in which reports are packed"
        if self._evidence("report") not in (None, _sum(content)):
            return TAMPERED, "the log knows another report"
        again = audit(read_record(self.files["record.json"]), explain=True)
        fits = canonical({**again, "engine": None}) == canonical({**report, "engine": None})
        if report["engine"] != ENGINE:
            says = "says the same" if fits else "judges otherwise"
            return (OK if fits else OTHER_ENGINE), f"made by engine {report['engine']}; this one, {ENGINE}, {says}"
        if not fits:
            return TAMPERED, "the record gives another report"
        return OK, f"it comes out of the record: {report['verdict']}"

    def _rulings(self, content: bytes) -> tuple[str, str]:
        if self.acts is None:
            return TAMPERED, "it is no list of what was said and ruled"
        logged = [entry.content["act"] for entry in self.log or () if "act" in entry.content]
        said = [f"sha256:{digest(act)}" for act in self.acts]
        for place, hash in enumerate(said, start=1):
            if place > len(logged) or logged[place - 1] != hash:
                return TAMPERED, f"number {place} is not what the log knows"
        if len(logged) > len(said):
            return TAMPERED, f"the log knows {len(logged)} acts, here are {len(said)}"
        missing = {act["record"] for act in self.acts if act.get("record")} - {
            f"sha256:{name.removeprefix('corrections/').removesuffix('.json')}" for name in self.files
        }
        if missing:
            return TAMPERED, f"a record that a ruling names is missing: {', '.join(sorted(missing))}"
        return OK, f"{len(said)} acts, each as the log knows it"

    def _log(self, content: bytes) -> tuple[str, str]:
        if self.log is None:
            return TAMPERED, "it is no list of entries"
        if (place := broken(self.id, self.log)) is not None:
            return TAMPERED, f"entry {place} does not follow from the one before it"
        if any(entry.content.get("record") != f"sha256:{self.id}" for entry in self.log):
            return TAMPERED, "an entry is about another record"
        if self.acts and not self.log:
            return TAMPERED, f"it is empty, but {len(self.acts)} acts are here"
        return OK, f"{len(self.log)} entries, head sha256:{self.log[-1].hash}" if self.log else "nothing was ever said or ruled"

    def _correction(self, content: bytes) -> tuple[str, str]:
        name = f"corrections/{hashlib.sha256(content).hexdigest()}.json"
        if self.files.get(name) != content:
            return TAMPERED, "its hash is not its name"
        if f"sha256:{hashlib.sha256(content).hexdigest()}" not in {act.get("record") for act in self.acts or ()}:
            return TAMPERED, "no ruling names it"
        return OK, "its hash is its name, and a ruling names it"


def _json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _entries(written: Any) -> list[Entry] | None:
    try:
        entries = [
            Entry(each["previous"].removeprefix("sha256:"), each["hash"].removeprefix("sha256:"), each["content"]) for each in written
        ]
    except (TypeError, KeyError, AttributeError):
        return None
    return entries if all(isinstance(entry.content, dict) for entry in entries) else None


def _acts(written: Any) -> list[Json] | None:
    return written if isinstance(written, list) and all(isinstance(act, dict) for act in written) else None
