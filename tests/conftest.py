"""What every test may ask for, and the word for what this machine lacks.

A test that needs something a machine may lack says so: `@pytest.mark.requires("chromium", "fonts")`, or in a fixture
`requires("chromium")`. Without it the test is skipped with a clear word, and the list stands at the end of the run.
With `HANAFU_REQUIRE_ALL=1` every skip is a failure: nothing passes for tested that was not.
"""

import importlib.util
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from service import compile as compiling

CLONE = Path(__file__).resolve().parent.parent
SHARED = CLONE.parent / "shared"
REQUIRE_ALL = os.environ.get("HANAFU_REQUIRE_ALL") == "1"


BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The programs of Chromium, the lightest first: the shell draws pages alone, no window around each."""


def _chromium() -> Path | None:
    return next((Path(found) for name in BROWSERS if (found := shutil.which(name))), None)


def _japanese_fonts() -> bool:
    if shutil.which("fc-list") is None:
        return False
    return bool(subprocess.run(["fc-list", ":lang=ja"], capture_output=True, check=False).stdout.strip())


def _postgres() -> bool:
    return bool(shutil.which("postgres") or any(Path("/usr/lib/postgresql").glob("*/bin/postgres")))


NEEDS: dict[str, tuple[Callable[[], bool], str]] = {
    "shared": (SHARED.is_dir, "the folder ../shared with the rules and the right answers"),
    "chromium": (lambda: _chromium() is not None, "a browser (Debian: chromium-headless-shell)"),
    "fonts": (_japanese_fonts, "a Japanese font (Debian: fonts-noto-cjk)"),
    "compiler": (lambda: compiling.why_interpreted() is None, "a C compiler with Python's headers (Debian: gcc)"),
    "compiled": (lambda: bool(compiling.compiled()), "the compiled modules (`make compile`)"),
    "git": (lambda: (CLONE / ".git").exists() and shutil.which("git") is not None, "a clone with its git history"),
    "postgres": (_postgres, "PostgreSQL (Debian: postgresql)"),
    "dask": (lambda: importlib.util.find_spec("distributed") is not None, "the extra [dask]"),
    "bench": (lambda: importlib.util.find_spec("pokerkit") is not None, "the extra [bench]"),
}
"""By name: whether this machine has it, and what to call it."""


def _lacking(names: tuple[str, ...]) -> str | None:
    """The word for the first of these that is not here; None where all are. KeyError for a name not in NEEDS."""
    return next((f"not here: {NEEDS[name][1]}" for name in names if not NEEDS[name][0]()), None)


@pytest.fixture(scope="session")
def requires() -> Callable[..., None]:
    """Call it with names out of NEEDS: it skips the test where one of them is not here."""

    def check(*names: str) -> None:
        if word := _lacking(names):
            pytest.skip(word)

    return check


@pytest.fixture(scope="session")
def shared(requires: Callable[..., None]) -> Path:
    """The folder with the rules, the real games and the right answers, beside the clone."""
    requires("shared")
    return SHARED


@pytest.fixture(scope="session")
def chromium(requires: Callable[..., None]) -> Path:
    """The browser's program; its tests start it headless and let it fetch nothing from outside."""
    requires("chromium")
    found = _chromium()
    assert found is not None
    return found


def pytest_configure(config: pytest.Config) -> None:
    """Refuse to run on compiled modules that are older than their sources, or that were asked to be away."""
    if files := compiling.changed():
        raise pytest.UsageError(
            f"compiled modules are older than {', '.join(files)}: run `make compile`, or `python -m service.compile --remove`"
        )
    if os.environ.get("HANAFU_INTERPRETED") == "1" and compiling.compiled():
        raise pytest.UsageError("HANAFU_INTERPRETED is 1, but modules are compiled: `python -m service.compile --remove`")


def pytest_report_header(config: pytest.Config) -> str:
    """One line on which way the engine runs."""
    return f"hanafu: {'compiled' if compiling.compiled() else 'interpreted'}"


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what asks for things that are not here."""
    for mark in item.iter_markers("requires"):
        if word := _lacking(mark.args):
            pytest.skip(word)


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    if REQUIRE_ALL and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, which HANAFU_REQUIRE_ALL=1 does not allow: {_reason(report)}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a skipped test into a failed one, where all is required."""
    report = yield
    _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """The same for a whole file that is skipped."""
    report = yield
    _refuse_skip(report)
    return report


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return text.removeprefix("Skipped: ")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List what was not tested here and why, a line each."""
    reasons = Counter(_reason(report) for report in terminalreporter.stats.get("skipped", []))
    if reasons:
        terminalreporter.section("not tested on this machine")
        for reason, count in reasons.most_common():
            terminalreporter.line(f"{count} {'test' if count == 1 else 'tests'}: {reason}")
