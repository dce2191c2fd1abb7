"""A case as one file: it verifies without a store, and whatever is changed in it is found, part by part."""

import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from analysis import audit as auditing
from service import casefile
from service.chain import canonical, digest, linked
from tests.service.test_disputes import ARBITER, PLAYER, sheet

Json = dict[str, Any]
PARTS = ["case.json", "sent.json", "record.json", "report.json", "rulings.json", "log.json"]


@pytest.fixture
def case(client: FlaskClient) -> bytes:
    """The case of a record with a dispute, an answer and two rulings, the second of which puts another record in its place."""
    record = str(client.post("/api/v1/records", json=sheet()).headers["Location"])
    other = client.post("/api/v1/records", json=sheet(event={"name": "Corrected"})).get_json()["record"]
    dispute = client.post(f"{record}/disputes", json={**PLAYER, "round": 1, "claim": "scores", "statement": "No."}).headers["Location"]
    client.post(f"{dispute}/answers", json={**PLAYER, "name": "Kimo", "statement": "Yes."})
    client.patch(dispute, json={**ARBITER, "outcome": "void", "reasons": "A card was shown."})
    client.patch(dispute, json={**ARBITER, "outcome": "corrected", "reasons": "The event was wrong.", "record": other})
    data: bytes = client.get(f"{record}/case.zip").data
    return data


def states(data: bytes) -> dict[str, str]:
    return {answer.part.split("/")[0]: answer.state for answer in casefile.check(data)}


def bad(data: bytes) -> list[str]:
    return [part for part, state in states(data).items() if state != casefile.OK]


def files(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(parts: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def sealed(parts: dict[str, bytes], **changes: Any) -> bytes:
    """Parts with a list of their hashes that fits, as a careful forger makes it."""
    said = {k: v for k, v in json.loads(parts["case.json"]).items() if k != "seal"} | changes
    said["parts"] = {name: casefile._sum(content) for name, content in parts.items() if name != "case.json"}
    return packed(parts | {"case.json": canonical(said | {"seal": f"sha256:{digest(said)}"})})


def test_a_case_is_whole_and_the_same_each_time(client: FlaskClient, case: bytes) -> None:
    assert states(case) == dict.fromkeys([*PARTS, "corrections"], casefile.OK)
    record = json.loads(files(case)["case.json"])["record"]
    assert client.get(f"/api/v1/records/{record}/case.zip").data == case


def test_a_case_without_disputes_is_whole_too(client: FlaskClient) -> None:
    record = client.post("/api/v1/records", json=sheet()).headers["Location"]
    assert states(client.get(f"{record}/case.zip").data) == dict.fromkeys(PARTS, casefile.OK)


def test_a_record_sent_as_text_is_kept_as_it_was_sent(client: FlaskClient) -> None:
    record = client.post("/api/v1/records", json=sheet()).headers["Location"]
    text = client.get(f"{record}?as=text").data.replace(b"Autumn", b"Spring")
    sent = client.post("/api/v1/records", data=text, content_type="text/plain").headers["Location"]
    data = client.get(f"{sent}/case.zip").data
    assert files(data)["sent.hrn"] == text
    assert bad(data) == []


def changed(name: str, old: bytes, new: bytes) -> Callable[[dict[str, bytes]], dict[str, bytes]]:
    def change(parts: dict[str, bytes]) -> dict[str, bytes]:
        assert old in parts[name]
        return parts | {name: parts[name].replace(old, new, 1)}

    return change


def without(name: str) -> Callable[[dict[str, bytes]], dict[str, bytes]]:
    return lambda parts: {other: content for other, content in parts.items() if other != name}


TAMPERED = {
    "a name in the record": ("record.json", changed("record.json", b"Aiko", b"Akio")),
    "a score in the record": ("record.json", changed("record.json", b"-10", b"-11")),
    "a blank in what was sent": ("sent.json", changed("sent.json", b'"format"', b' "format"')),
    "a score in what was sent": ("sent.json", changed("sent.json", b"-10", b"-11")),
    "the verdict": ("report.json", changed("report.json", b'"confirmed"', b'"unlawful"')),
    "a total in the report": ("report.json", changed("report.json", b'"totals":[10', b'"totals":[11')),
    "the reasons of a ruling": ("rulings.json", changed("rulings.json", b"A card was shown", b"A card was bent")),
    "who ruled": ("rulings.json", changed("rulings.json", b'"Ema"', b'"Eva"')),
    "a time in the log": ("log.json", changed("log.json", b'"at":"20', b'"at":"19')),
    "the log emptied": ("log.json", lambda parts: parts | {"log.json": b"[]"}),
    "what was said emptied": ("rulings.json", lambda parts: parts | {"rulings.json": b"[]"}),
    "nonsense as report": ("report.json", lambda parts: parts | {"report.json": b"{"}),
    "nonsense as log": ("log.json", lambda parts: parts | {"log.json": b'{"a": 1}'}),
    **{f"{name} taken out": (name, without(name)) for name in PARTS[1:]},
}


@pytest.mark.parametrize("how", TAMPERED)
@pytest.mark.parametrize("careful", [False, True])
def test_whatever_is_changed_is_found_in_its_part(case: bytes, how: str, careful: bool) -> None:
    """Also where the forger makes the list of hashes fit (`careful`): the log, the id and the engine tell it."""
    part, change = TAMPERED[how]
    parts = change(files(case))
    assert part in bad(sealed(parts) if careful else packed(parts))


def test_the_list_of_parts_is_sealed(case: bytes) -> None:
    assert bad(packed(changed("case.json", b'"engine":"', b'"engine":"9')(files(case)))) == ["case.json"]
    assert "case.json" in bad(packed(changed("case.json", b'"report.json":"sha256:', b'"report.json":"sha256:0')(files(case))))


def test_a_file_that_does_not_belong_is_found(case: bytes) -> None:
    answers = casefile.check(packed(files(case) | {"extra.json": b"{}"}))
    assert [(answer.part, answer.state) for answer in answers if answer.state != casefile.OK] == [("extra.json", casefile.TAMPERED)]


def test_a_ruling_taken_out_with_its_entry_breaks_the_chain(case: bytes) -> None:
    parts = files(case)
    acts, log = json.loads(parts["rulings.json"]), json.loads(parts["log.json"])
    del acts[2], log[2]
    assert "log.json" in bad(sealed(parts | {"rulings.json": canonical(acts), "log.json": canonical(log)}))


def test_a_report_written_anew_with_its_log_does_not_come_out_of_the_record(case: bytes) -> None:
    """The most a forger can do without the record: change the report, and write hashes, log and seal anew to fit."""
    parts = changed("report.json", b'"confirmed"', b'"disputed"')(files(case))
    log, previous = [], json.loads(parts["case.json"])["record"].removeprefix("sha256:")
    for entry in json.loads(parts["log.json"]):
        made = linked(previous, entry["content"] | {"report": casefile._sum(parts["report.json"])})
        previous = made.hash
        log.append(casefile.entry_json(made))
    assert bad(sealed(parts | {"log.json": canonical(log)})) == ["report.json"]


def test_a_corrected_record_is_checked_too(case: bytes) -> None:
    parts = files(case)
    (name,) = (each for each in parts if each.startswith("corrections/"))
    assert bad(sealed(changed(name, b"Aiko", b"Akio")(parts))) == ["corrections"]
    assert bad(sealed(without(name)(parts))) == ["rulings.json"]


def test_another_engine_is_not_tampering(case: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (auditing, casefile):
        monkeypatch.setattr(module, "ENGINE", "9.9.9")
    assert set(states(case).values()) == {casefile.OK}  # it says the same of this record
    monkeypatch.setattr(casefile, "audit", lambda record, explain: auditing.audit(record) | {"totals": [0, 0, 0, 0]})
    assert states(case)["report.json"] == casefile.OTHER_ENGINE
    parts = changed("report.json", b'"confirmed"', b'"unlawful"')(files(case))
    assert states(sealed(parts))["report.json"] == casefile.TAMPERED  # the log knows another report


NO_CASES = [b"", b"PK", b"nonsense", packed({}), packed({"a.json": b"{}"}), packed({"case.json": b'{"format":"x/1"}'})]


@pytest.mark.parametrize("data", NO_CASES)
def test_what_is_no_case_is_refused(data: bytes) -> None:
    with pytest.raises(casefile.CaseUnreadable):
        casefile.check(data)


def test_a_cut_or_damaged_zip_is_refused(case: bytes) -> None:
    for data in (case[: len(case) // 2], case[:40] + b"\0\0\0\0" + case[44:]):
        with pytest.raises(casefile.CaseUnreadable):
            casefile.check(data)


def test_a_bomb_is_refused(case: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(casefile, "LARGEST", 1000)
    with pytest.raises(casefile.CaseUnreadable, match="more than a case can"):
        casefile.check(case)


def _verify(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "service.cli", "verify", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_command_answers_for_each_part_and_by_its_exit_status(tmp_path: Path, case: bytes) -> None:
    good, forged, none = tmp_path / "good.zip", tmp_path / "forged.zip", tmp_path / "none.zip"
    good.write_bytes(case)
    forged.write_bytes(packed(changed("record.json", b"Aiko", b"Akio")(files(case))))
    none.write_bytes(b"nothing")
    run = _verify(good)
    assert (run.returncode, run.stdout.splitlines()[0]) == (0, f"{good}: ok")
    assert all(part in run.stdout for part in PARTS)
    run = _verify("--json", good, forged)
    assert run.returncode == 1
    told = [json.loads(line) for line in run.stdout.splitlines()]
    assert [each["state"] for each in told] == ["ok", "tampered"]
    assert {part["part"] for part in told[1]["parts"] if part["state"] == "tampered"} >= {"record.json"}
    run = _verify(none, good)
    assert run.returncode == 2 and "none.zip" in run.stderr and "ok" in run.stdout


def test_verifying_needs_neither_server_nor_store() -> None:
    script = (
        "import sys; sys.argv = ['hanafu', 'verify', sys.argv[1]]\n"
        "from service.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(sorted({'flask', 'duckdb', 'plotly', 'numpy', 'waitress'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", script, __file__], capture_output=True, text=True, check=False)
    assert run.stdout.splitlines()[-1] == "[]"
