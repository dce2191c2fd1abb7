"""What the whole stands on: whose packages these are, what lies in the clone, which way imports run."""

import ast
import importlib
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import records
from service import compile as compiling

CLONE = Path(__file__).resolve().parent.parent
PACKAGES = ("records", "analysis", "web", "service")
TOP_LEVEL = {
    "CHANGELOG.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "pyproject.toml",
    "requirements.lock",
    "tests",
    *PACKAGES,
}

# Put together from pieces, so that this file does not match itself.
ADDRESSES = re.compile("|".join(("py" + r"pi\.org", "python" + "hosted", "npm" + r"js\.org", r"deb\." + "debian")))
MACHINE_PATHS = re.compile(r"(?<![\w.~/-])/(?:" + "|".join(("wo" + "rk", "ro" + "ot", "fa" + "rm")) + r")/[\w.]")
UNFINISHED = re.compile(r"\b(?:" + "|".join(("TO" + "DO", "FIX" + "ME", "XX" + "X", "NotImplemented" + "Error")) + r")\b")


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=CLONE, capture_output=True, text=True, check=True).stdout


def tracked_text() -> Iterator[tuple[str, str]]:
    """Path and text of each tracked file of ours that is text."""
    for name in git("ls-files", "-z").split("\0"):
        path = CLONE / name
        if name and path.is_file() and not name.startswith("web/static/vendor/"):
            data = path.read_bytes()
            if b"\0" not in data:
                yield name, data.decode("utf-8", errors="replace")


@pytest.mark.parametrize("name", PACKAGES)
def test_packages_are_ours(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__file__ is not None
    assert Path(module.__file__).resolve() == CLONE / name / "__init__.py", f"another distribution's `{name}` is imported"


@pytest.mark.parametrize("name", PACKAGES)
def test_packages_say_what_they_are(name: str) -> None:
    assert importlib.import_module(name).__doc__
    assert (CLONE / name / "README.md").is_file()


def test_folders_of_code_are_packages() -> None:
    """A folder without `__init__.py` would be left out of the distribution."""
    folders = {path.parent for package in PACKAGES for path in (CLONE / package).rglob("*.py")}
    assert [str(folder.relative_to(CLONE)) for folder in sorted(folders) if not (folder / "__init__.py").exists()] == []


def test_version_stands_in_one_place() -> None:
    settings = tomllib.loads((CLONE / "pyproject.toml").read_text())
    assert settings["project"]["dynamic"] == ["version"]
    assert settings["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "records.__version__"}
    assert f"## {records.__version__} " in (CLONE / "CHANGELOG.md").read_text()


@pytest.mark.requires("git")
def test_top_level_is_fixed() -> None:
    names = {name.split("/")[0] for name in git("ls-files", "-z").split("\0") if name}
    assert {name for name in names if not name.startswith(".")} <= TOP_LEVEL


@pytest.mark.requires("git")
@pytest.mark.parametrize("pattern", [ADDRESSES, MACHINE_PATHS], ids=["index addresses", "paths of a machine"])
def test_tracked_files_name_no(pattern: re.Pattern[str]) -> None:
    found = [f"{name}: {match[0]}" for name, text in tracked_text() for match in pattern.finditer(text)]
    assert found == []


@pytest.mark.requires("git")
def test_nothing_is_left_unfinished() -> None:
    code = (item for item in tracked_text() if item[0].endswith((".py", ".js", ".html", ".css", ".sql")))
    assert [f"{name}: {match[0]}" for name, text in code for match in UNFINISHED.finditer(text)] == []


LOCKS = {"requirements.lock": ("test", "dev", "dask"), "tests/lake/requirements.lock": ("lake", "lake-test")}
"""Each with the extras that it holds."""


@pytest.mark.parametrize("file", LOCKS)
def test_lock_has_hashes_and_no_address(file: str) -> None:
    lock = (CLONE / file).read_text()
    assert "://" not in lock
    assert not re.search(r"^\s*-(?!-hash=)", lock, re.MULTILINE), "an option other than --hash"
    pins = re.findall(r"^([a-z0-9][\w.-]*)==(\S+)(.*)$", lock, re.MULTILINE)
    assert len(pins) > 20
    assert all(rest.endswith("\\") for _, _, rest in pins), "a package without a hash"


@pytest.mark.parametrize("file", LOCKS)
def test_lock_holds_what_pyproject_asks_for(file: str) -> None:
    lock = (CLONE / file).read_text()
    locked = {match[0].lower() for match in re.findall(r"^([\w.-]+)==(\S+)", lock, re.MULTILINE)}
    project = tomllib.loads((CLONE / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    asked = [*project["dependencies"], *(need for extra in LOCKS[file] for need in extras[extra])]
    names = {re.split(r"[<>=!~\[; ]", line, maxsplit=1)[0].lower() for line in asked}
    assert names - locked == set()


def test_lock_and_build_agree_on_the_compiler() -> None:
    lock = (CLONE / "requirements.lock").read_text()
    requires: list[str] = tomllib.loads((CLONE / "pyproject.toml").read_text())["build-system"]["requires"]
    assert [pin for pin in requires if "==" in pin and f"\n{pin} \\" not in lock] == []
    assert [pin for pin in requires if f"\n{re.split('[<>=]', pin)[0]}==" not in lock] == []


def test_import_contracts_hold() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-cache"],
        cwd=CLONE,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_records_asks_no_clock() -> None:
    """Import contracts keep `time` out; this finds the clock that a date class carries."""
    found = []
    for path in sorted((CLONE / "records").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Attribute) and node.attr in {"now", "utcnow", "today"}:
                found.append(f"{path.relative_to(CLONE)}:{node.lineno}")
    assert found == []


class TestCompiled:
    """A compiled module wins over an edited source, so one that is older must not go unseen."""

    def clone(self, folder: Path) -> Path:
        (folder / "records").mkdir()
        (folder / "records" / "cards.py").write_text("ACE = 1\n")
        modules = '[[tool.setuptools.ext-modules]]\nname = "records.cards"\nsources = ["records/cards.py"]\n'
        (folder / "pyproject.toml").write_text(modules)
        return folder

    def test_modules_in_use_are_not_stale(self) -> None:
        assert compiling.changed() == []

    def test_listed_modules_are_those_that_are_there(self, tmp_path: Path) -> None:
        assert compiling.listed(self.clone(tmp_path)) == ["records.cards"]
        (tmp_path / "records" / "cards.py").unlink()
        assert compiling.listed(tmp_path) == []

    def test_interpreted_clone_is_never_stale(self, tmp_path: Path) -> None:
        assert compiling.changed(self.clone(tmp_path)) == []

    def test_edited_source_is_named(self, tmp_path: Path) -> None:
        clone = self.clone(tmp_path)
        (clone / "records" / "cards.cpython-311-any.so").touch()
        (clone / ".compiled.json").write_text(json.dumps(compiling._digests(clone)))
        assert compiling.changed(clone) == []
        (clone / "records" / "cards.py").write_text("ACE = 2\n")
        assert compiling.changed(clone) == ["records/cards.py"]

    def test_compiled_module_of_unknown_source_is_named(self, tmp_path: Path) -> None:
        clone = self.clone(tmp_path)
        (clone / "records" / "cards.cpython-311-any.so").touch()
        assert compiling.changed(clone) == ["records/cards.cpython-311-any.so"]

    def test_remove_leaves_the_sources(self, tmp_path: Path) -> None:
        clone = self.clone(tmp_path)
        (clone / "records" / "cards.cpython-311-any.so").touch()
        (clone / "hanafu__mypyc.cpython-311-any.so").touch()
        compiling.remove(clone)
        assert compiling.compiled(clone) == []
        assert (clone / "records" / "cards.py").is_file()

    def test_interpreted_on_request(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HANAFU_INTERPRETED", "1")
        assert compiling.why_interpreted() == "HANAFU_INTERPRETED is 1"

    def test_interpreted_without_a_compiler(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("HANAFU_INTERPRETED", raising=False)
        monkeypatch.setenv("CC", "no-such-compiler -pipe")
        assert compiling.why_interpreted() == "there is no C compiler (no-such-compiler)"

    @pytest.mark.requires("compiled")
    def test_listed_modules_run_compiled(self) -> None:
        interpreted = [
            name for name in compiling.listed() if Path(importlib.import_module(name).__file__ or "").suffix not in {".so", ".pyd"}
        ]
        assert interpreted == []
