"""Who reads the docs and does what they say: `hanafu` is the one of this clone."""

import os
import sys
from pathlib import Path

CLONE = Path(__file__).resolve().parent.parent


def sit(folder: Path) -> None:
    """Puts the command `hanafu` into ``bin`` below a folder."""
    command = folder / "bin" / "hanafu"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nPYTHONPATH="{CLONE}" exec "{sys.executable}" -m service.cli "$@"\n')
    command.chmod(0o755)


def path(folder: Path) -> str:
    """The PATH that finds it there."""
    return f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
