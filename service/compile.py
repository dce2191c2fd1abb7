"""Compiles the hot modules of `records` and `analysis` with mypyc, and knows when what was compiled is older than its source.

pyproject.toml names `BuildExt` as the build's `build_ext` command and lists the modules under `[tool.setuptools]`,
`ext-modules`; nothing else says what is compiled. The same files run interpreted, with the same results:

* without a C compiler or Python's headers the install goes on interpreted, and one line says so;
* `HANAFU_INTERPRETED=1` asks for that;
* any other failure stops the install.

A compiled module is imported before the file it was made from, so an edited file would be passed over in silence. A
build inside a clone therefore writes down the digest of every file of both (mypyc takes constants over from the
modules that a compiled one imports), and `changed()` compares. In a clone: `python -m service.compile`.

This file is loaded by the build, before anything is installed: it imports the standard library and setuptools alone.
"""

import argparse
import hashlib
import json
import os
import shlex
import shutil
import sysconfig
import tomllib
import warnings
from pathlib import Path

from setuptools import setup
from setuptools.command.build_ext import build_ext

CLONE = Path(__file__).resolve().parent.parent
"""The folder that holds pyproject.toml when this runs in a clone."""

ROOMS = ("records", "analysis")
"""The packages that hold compiled modules."""

GROUP = "hanafu"
"""The name mypyc gives, with `__mypyc` after it, to the library that the compiled modules share."""


def why_interpreted() -> str | None:
    """Why modules cannot or shall not be compiled here, in words; None where they can."""
    if os.environ.get("HANAFU_INTERPRETED") == "1":
        return "HANAFU_INTERPRETED is 1"
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    if shutil.which(compiler) is None:
        return f"there is no C compiler ({compiler})"
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        return "Python's headers are not installed"
    return None


class BuildExt(build_ext):
    """`build_ext` that turns the listed Python files into mypyc's extensions, just before it builds them."""

    def run(self) -> None:
        reason = why_interpreted()
        # An Extension here names one Python file; one that this version has not got is passed over.
        sources = [source for extension in self.extensions for source in extension.sources if Path(source).is_file()]
        extensions = []
        digests: dict[str, str] = {}
        if reason is None and sources:
            from mypyc.build import mypycify  # a build that runs interpreted needs no mypy

            digests = _digests(Path.cwd())
            extensions = mypycify(sources, group_name=GROUP)
            if os.name == "posix":
                # Nobody outside the library calls its functions: so they call each other straight, and short ones are taken in.
                for extension in extensions:
                    extension.extra_compile_args.append("-fvisibility=hidden")
        else:
            print(f"hanafu: runs interpreted, {reason or 'no module is listed for compiling'}")
        self.distribution.ext_modules = extensions
        # Set up once more for the new extensions; this option alone cannot be read twice.
        self.swig_opts = None
        self.finalize_options()
        super().run()
        if self.inplace and extensions:
            _notes(Path.cwd()).write_text(json.dumps(digests, indent=1) + "\n")


def listed(clone: Path = CLONE) -> list[str]:
    """The modules that pyproject.toml lists for compiling and that are there, as dotted names."""
    settings = tomllib.loads((clone / "pyproject.toml").read_text())
    extensions = settings["tool"]["setuptools"]["ext-modules"]
    return [item["name"] for item in extensions if (clone / item["sources"][0]).is_file()]


def compiled(clone: Path = CLONE) -> list[Path]:
    """The compiled modules that lie in the clone, for whichever Python, and the library they share."""
    found = [*(path for room in ROOMS for path in (clone / room).rglob("*")), *clone.glob(f"{GROUP}__mypyc.*")]
    return sorted(path for path in found if path.suffix in {".so", ".pyd"})


def changed(clone: Path = CLONE) -> list[str]:
    """The files of `records` and `analysis` that are not as they were when the modules in the clone were compiled.

    Empty where nothing is compiled. Paths are relative to the clone; where no digests were kept, the compiled modules
    themselves are named.
    """
    modules = compiled(clone)
    if not modules:
        return []
    notes = _notes(clone)
    if not notes.is_file():
        return [path.relative_to(clone).as_posix() for path in modules]
    before: dict[str, str] = json.loads(notes.read_text())
    now = _digests(clone)
    return sorted(path for path in before.keys() | now.keys() if before.get(path) != now.get(path))


def remove(clone: Path = CLONE) -> None:
    """Take the compiled modules out of the clone, so that it runs interpreted."""
    for path in compiled(clone):
        path.unlink()
    _notes(clone).unlink(missing_ok=True)


def _digests(clone: Path) -> dict[str, str]:
    files = sorted(path for room in ROOMS for path in (clone / room).rglob("*.py"))
    return {path.relative_to(clone).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def _notes(clone: Path) -> Path:
    return clone / ".compiled.json"


def main() -> None:
    """Compile in place, or with an option take compiled modules away."""
    parser = argparse.ArgumentParser(prog="python -m service.compile", description=main.__doc__)
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--remove", action="store_true", help="remove what was compiled: the clone runs interpreted")
    group.add_argument("--remove-stale", action="store_true", help="the same, but only where a source has changed")
    arguments = parser.parse_args()
    if arguments.remove:
        remove()
    elif arguments.remove_stale:
        if files := changed():
            remove()
            print(f"hanafu: runs interpreted until the next `make compile`: changed since: {', '.join(files)}")
    elif compiled() and not changed():
        print("hanafu: compiled already, and no source has changed since")
    else:
        remove()
        os.chdir(CLONE)
        # It says at each build that the table which lists the modules is new to it; its version is pinned.
        warnings.filterwarnings("ignore", message=".*ext-modules.*experimental")
        setup(script_name="setup.py", script_args=["--quiet", "build_ext", "--inplace"])
        if compiled():
            print(f"hanafu: compiled {', '.join(listed())}")


if __name__ == "__main__":
    main()
