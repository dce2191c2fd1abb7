"""The compiled engine and the plain files say the same of everything."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from service.compile import CLONE

REPORTS = """
import hashlib, json, sys
from pathlib import Path
from analysis.audit import audit
from records import engine
from records.errors import RecordErrors
from records.formats import read_record

print(engine.__file__)
for path in sorted(Path(sys.argv[1]).glob("*.jsonl")):
    for line in path.read_text().splitlines():
        record = json.loads(line).get("record")
        try:
            report = audit(read_record(record)) if isinstance(record, dict) else None
        except RecordErrors as error:
            report = [one.as_dict() for one in error.errors]
        print(path.stem, hashlib.sha256(json.dumps(report, sort_keys=True).encode()).hexdigest())
"""
"""Prints a line for each of the right answers, with a digest of the report."""


def reports(clone: Path, answers: Path) -> list[str]:
    done = subprocess.run([sys.executable, "-c", REPORTS, str(answers)], cwd=clone, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.requires("compiled")
def test_compiled_and_interpreted_reports_are_the_same(shared: Path, tmp_path: Path) -> None:
    for folder in ("records", "analysis"):
        shutil.copytree(CLONE / folder, tmp_path / folder, ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    plain, *interpreted = reports(tmp_path, shared / "vectors")
    native, *compiled = reports(CLONE, shared / "vectors")
    assert plain.endswith(".py")
    assert not native.endswith(".py")
    assert len(compiled) > 500
    assert compiled == interpreted
