"""The README's five minutes, run as a reader would run them."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.reader import path, sit

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
SESSIONS = re.findall(r"```console\n(.*?)```", TEXT, re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the reader sits: the sessions follow one another, and `hanafu` is the one of this clone."""
    made = tmp_path_factory.mktemp("reader")
    sit(made)
    return made


@pytest.mark.parametrize("number", range(len(SESSIONS)))
def test_a_session_shows_what_it_says(folder: Path, number: int) -> None:
    told = ""
    for line in SESSIONS[number].splitlines():
        if line.startswith("$ "):
            run = subprocess.run(
                ["sh", "-c", line[2:]], cwd=folder, env={**os.environ, "PATH": path(folder)}, capture_output=True, text=True, check=False
            )
            assert run.returncode in (0, 1), run.stderr
            told = run.stdout
        else:
            assert line in told


def test_the_tour_is_there() -> None:
    assert len(SESSIONS) == 4


def test_pictures_and_pages_exist() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", TEXT):
        assert (ROOT / target).exists(), target
