"""The README's five minutes, run as a reader would run them."""

import os
import re
import subprocess
from pathlib import Path

from tests.reader import path, sit

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
SESSIONS = re.findall(r"```console\n(.*?)```", TEXT, re.DOTALL)


def test_the_sessions_show_what_they_say(tmp_path: Path) -> None:
    """They follow one another, and `hanafu` is the one of this clone."""
    sit(tmp_path)
    environment = {**os.environ, "PATH": path(tmp_path)}
    for session in SESSIONS:
        told = ""
        for line in session.splitlines():
            if line.startswith("$ "):
                run = subprocess.run(["sh", "-c", line[2:]], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
                assert run.returncode in (0, 1), run.stderr
                told = run.stdout
            else:
                assert line in told


def test_the_tour_is_there() -> None:
    assert len(SESSIONS) == 4


def test_pictures_and_pages_exist() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", TEXT):
        assert (ROOT / target).exists(), target
