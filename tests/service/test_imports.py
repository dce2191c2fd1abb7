"""Imports as jobs: counts, rejects, cancelling, going on, never the same twice, and `kill -9` in the middle."""

import gzip
import io
import itertools
import json
import os
import signal
import time
import zipfile
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from service import batches
from service import imports as module
from service.client import Client
from service.desk import Desk
from service.imports import Imports, Job, TooManyImports
from service.store import Store
from tests.service.conftest import BrokenOff, Sheet, Start

IMPORTS = "/api/v1/imports"


def _lines(sheet: Sheet, count: int, first: int = 1) -> bytes:
    return b"".join(sheet(number, -number) + b"\n" for number in range(first, first + count))


def _ended(imports: Imports, id: str) -> Job:
    return _until(imports, id, lambda job: job.state not in ("queued", "running"))


def _until(imports: Imports, id: str, reached: Callable[[Job], bool]) -> Job:
    for _ in range(3000):
        if reached(job := imports.job(id)):
            return job
        time.sleep(0.02)
    raise AssertionError(f"the import stays at {imports.job(id)}")


def _send(client: FlaskClient, raw: bytes, kind: str = "application/x-ndjson", **query: str) -> dict[str, Any]:
    answer = client.post(IMPORTS, data=raw, content_type=kind, query_string=query)
    assert answer.status_code == 202, answer.data
    job: dict[str, Any] = answer.get_json()
    assert answer.headers["Location"] == f"{IMPORTS}/{job['id']}"
    return job


def test_records_are_counted_as_stored_known_and_rejected(client: FlaskClient, imports: Imports, sheet: Sheet) -> None:
    raw = _lines(sheet, 3) + b"{broken\n" + _lines(sheet, 2) + json.dumps({"format": "hanafuda-record/1"}).encode() + b"\n"
    job = _send(client, raw, name="club.jsonl")
    _ended(imports, job["id"])
    done = client.get(f"{IMPORTS}/{job['id']}").get_json()
    assert (done["state"], done["name"]) == ("done", "club.jsonl")
    counts = {name: done[name] for name in ("total", "read", "stored", "known", "rejected")}
    assert counts == {"total": 7, "read": 7, "stored": 3, "known": 2, "rejected": 2}
    errors = client.get(done["errors"]).get_json()
    assert [(each["place"], each["position"]) for each in errors["items"]] == [
        (4, "club.jsonl, line 4"),
        (7, "club.jsonl, line 7"),
    ]
    assert {fault["pointer"] for fault in errors["items"][1]["errors"]} >= {"/variant", "/players", "/rounds"}
    first = client.get(done["errors"], query_string={"limit": 1}).get_json()
    second = client.get(done["errors"], query_string={"limit": 1, "cursor": first["next"]}).get_json()
    assert [each["place"] for each in (*first["items"], *second["items"])] == [4, 7]
    assert second["next"] is None
    lines = client.get(done["errors"] + ".jsonl")
    assert [json.loads(line) for line in lines.data.splitlines()] == errors["items"]


@pytest.mark.parametrize("form", ["lines", "text", "gzip", "zip"])
def test_every_form_of_stream_is_taken(client: FlaskClient, imports: Imports, store: Store, sheet: Sheet, form: str) -> None:
    raw = _lines(sheet, 3)
    kind = {"gzip": "application/gzip", "zip": "application/zip", "text": "text/plain"}.get(form, "application/x-ndjson")
    if form == "gzip":
        raw = gzip.compress(raw)
    elif form == "zip":
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("a.jsonl", raw)
            archive.writestr("../../b.json", sheet(9, -9))
        raw = packed.getvalue()
    elif form == "text":
        from records.formats import read_record, to_text

        raw = "\n".join(to_text(read_record(line)) for line in raw.splitlines()).encode()
    done = _ended(imports, _send(client, raw, kind)["id"])
    assert (done.stored, done.rejected) == (4 if form == "zip" else 3, 0)
    assert store.read("SELECT count(*) FROM records") == [(done.stored,)]
    within = time.monotonic() + 30  # the stream goes once the end is told
    while list((store.scratch / "imports").iterdir()) and time.monotonic() < within:
        time.sleep(0.01)
    assert list((store.scratch / "imports").iterdir()) == []


def test_the_same_stream_again_is_known(client: FlaskClient, imports: Imports, store: Store, sheet: Sheet) -> None:
    _ended(imports, _send(client, _lines(sheet, 5))["id"])
    again = _ended(imports, _send(client, _lines(sheet, 5))["id"])
    assert (again.stored, again.known) == (0, 5)
    assert store.read("SELECT count(*), count(DISTINCT record) FROM players") == [(10, 5)]


def test_a_job_that_is_cancelled_keeps_what_it_stored_and_goes_on(
    imports: Imports, store: Store, sheet: Sheet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "TOGETHER", 2)
    job = imports.submit(io.BytesIO(_lines(sheet, 300)), "many")
    _until(imports, job.id, lambda job: job.read >= 4)
    cancelled = imports.cancel(job.id)
    assert cancelled.state == "cancelled"
    assert 4 <= cancelled.read < 300
    assert store.read("SELECT count(*) FROM records") == [(cancelled.stored,)]
    assert imports.cancel(job.id) == cancelled
    imports.resume(job.id)
    done = _ended(imports, job.id)
    assert (done.state, done.read, done.stored, done.known) == ("done", 300, 300, 0)
    assert imports.resume(job.id).state == "done"


def test_a_running_job_tells_its_progress_and_the_time_left(imports: Imports, sheet: Sheet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "TOGETHER", 2)
    job = imports.submit(io.BytesIO(_lines(sheet, 2000)), "many")
    running = _until(imports, job.id, lambda job: job.seconds_left is not None or job.state == "done")
    assert running.state == "running"
    assert running.progress is not None and 0 < running.progress <= 1
    assert imports.cancel(job.id).total is None


def test_a_job_that_was_stopped_goes_on_at_the_next_start(desk: Desk, sheet: Sheet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "TOGETHER", 2)
    with closing(Imports(desk)) as imports:
        job = imports.submit(io.BytesIO(_lines(sheet, 200)), "many")
        _until(imports, job.id, lambda job: job.read >= 4)
    with closing(Imports(desk)) as imports:
        assert _ended(imports, job.id).stored == 200


def test_jobs_are_worked_off_in_turn_and_no_more_wait_than_may(imports: Imports, sheet: Sheet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WAITING", 2)
    first = imports.submit(io.BytesIO(_lines(sheet, 400)), "first")
    second = imports.submit(io.BytesIO(_lines(sheet, 1)), "second")
    with pytest.raises(TooManyImports):
        imports.submit(io.BytesIO(_lines(sheet, 1)), "third")
    assert _ended(imports, second.id).known == 1
    assert imports.job(first.id).state == "done"


def test_too_many_imports_are_refused_with_when_to_come_back(client: FlaskClient, sheet: Sheet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WAITING", 0)
    answer = client.post(IMPORTS, data=sheet(), content_type="application/json")
    assert (answer.status_code, answer.content_type) == (429, "application/problem+json")
    assert int(answer.headers["Retry-After"]) > 0


def test_a_stream_that_is_gone_fails_its_job_in_words(imports: Imports, store: Store, sheet: Sheet) -> None:
    blocker = imports.submit(io.BytesIO(_lines(sheet, 400)), "blocker")
    job = imports.submit(io.BytesIO(sheet()), "gone")
    (store.scratch / "imports" / job.id).unlink()
    imports.cancel(blocker.id)
    failed = _ended(imports, job.id)
    assert (failed.state, failed.reason) == ("failed", "The stream is not there any more.")


def test_noise_and_bombs_are_rejected_and_the_next_job_goes_on(client: FlaskClient, imports: Imports, sheet: Sheet) -> None:
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.json", b"{" + b" " * 20_000_000 + b"}")
    for raw in (b"", b"\x00" * 1000, bomb.getvalue(), gzip.compress(b"x" * 100)[:-4], b"PK\x03\x04nonsense"):
        done = _ended(imports, _send(client, raw, "application/octet-stream")["id"])
        assert (done.state, done.stored) == ("done", 0)
        assert done.rejected >= (1 if raw else 0)
    assert _ended(imports, _send(client, sheet(), "application/json")["id"]).stored == 1


@pytest.mark.parametrize("ends", ["cancel", "close"])
def test_a_stream_that_unpacks_to_nothing_for_long_is_left_at_once(desk: Desk, ends: str) -> None:
    blank = zlib.compressobj(wbits=31)
    packed = b"".join([blank.compress(b" " * (1 << 24)) for _ in range(64)] + [blank.flush()])  # 1 GB: seconds of reading
    imports = Imports(desk)
    job = imports.submit(io.BytesIO(packed), "blank.gz")
    _until(imports, job.id, lambda job: job.state == "running")
    if ends == "cancel":
        assert imports.cancel(job.id).state == "cancelled"
    imports.close()
    left = imports.job(job.id)
    assert left.state == ("cancelled" if ends == "cancel" else "queued")
    assert left.read == 0  # at its end the stream would have been rejected, for there is no record in it


def test_a_score_sheet_is_taken_by_its_content_type(client: FlaskClient, imports: Imports) -> None:
    sheet = b"# variant: koi-koi\nround,Leilani,Kimo\n1,3,-3\n"
    assert _ended(imports, _send(client, sheet, "text/csv; charset=utf-8")["id"]).stored == 1


def test_what_is_not_there_and_what_is_no_stream_are_refused(client: FlaskClient, sheet: Sheet) -> None:
    for path in ("", "/cancel", "/resume"):
        answer = client.open(f"{IMPORTS}/nonsense{path}", method="POST" if path else "GET")
        assert (answer.status_code, answer.content_type) == (404, "application/problem+json")
    assert client.get(f"{IMPORTS}/nonsense/errors").status_code == 404
    assert client.get(f"{IMPORTS}/nonsense/errors.jsonl").status_code == 404
    assert client.post(IMPORTS, data=sheet(), content_type="multipart/form-data").status_code == 415
    assert client.get(IMPORTS).get_json() == {"items": [], "next": None}


@pytest.mark.slow
def test_kill_9_in_the_middle_of_an_import_loses_nothing(start: Start, tmp_path: Path, broken_off: BrokenOff) -> None:
    db = tmp_path / "store.duckdb"
    count = 4 * batches.TOGETHER
    raw = b"".join(broken_off(event={"name": f"e{number}"}) + b"\n" for number in range(count)) + b"nonsense\n"
    process, address = start(db)
    with Client(address) as client:
        id = client.start_import(io.BytesIO(raw), "many.jsonl")["id"]
        before = next(job for _ in itertools.count() if (job := client.job(id))["read"] > 0)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert before["state"] == "running"
    process, address = start(db)
    with Client(address) as client:
        while (job := client.job(id))["state"] != "done":
            assert job["state"] in ("queued", "running")
            assert job["read"] >= before["read"]
            time.sleep(0.1)
        assert (job["read"], job["stored"], job["known"], job["rejected"]) == (count + 1, count, 0, 1)
        assert [each["place"] for each in client.rejects(id)] == [count + 1]
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 0
    with Store(db) as store:
        assert store.read("SELECT count(*), count(DISTINCT id) FROM records") == [(count, count)]
