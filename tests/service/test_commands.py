"""The command line: what it prints, where it complains, and its exit status; as called by a shell where that matters."""

import gzip
import io
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from records import __version__
from service.cli import COMMANDS, main
from service.store import Store
from tests.service.conftest import BrokenOff, Sheet

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """`hanafu` in this process, with its own data folder."""

    def call(*arguments: str | Path, input: bytes | None = None) -> Result:
        environ = {"XDG_DATA_HOME": str(tmp_path / "data"), "HOME": str(tmp_path), "HANAFU_CONFIG": None}
        return CliRunner(env=environ).invoke(main, [str(argument) for argument in arguments], input=input)

    return call


def _hanafu(*arguments: str | Path, input: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """`hanafu` as a process of its own."""
    command = [sys.executable, "-m", "service.cli", *map(str, arguments)]
    return subprocess.run(command, input=input, capture_output=True, check=False)


def test_the_version_says_which_engine_runs(run: Run) -> None:
    assert run("--version").output in (f"hanafu {__version__}, engine interpreted\n", f"hanafu {__version__}, engine compiled\n")


def test_help_lists_every_command_and_each_has_its_own(run: Run) -> None:
    listed = run("--help")
    assert listed.exit_code == 0
    for name in COMMANDS:
        assert name in listed.output
        own = run(name, "--help")
        assert own.exit_code == 0
        assert f"Usage: main {name}" in own.output


def test_a_command_that_there_is_not_is_refused(run: Run) -> None:
    assert run("adit").exit_code == 2


def test_audit_reads_standard_input_and_writes_a_report_a_line(sheet: Sheet, broken_off: BrokenOff) -> None:
    run = _hanafu("audit", "--json", "-", input=broken_off() + b"\n" + sheet(5, -4) + b"\n")
    assert run.returncode == 1, run.stderr
    reports = [json.loads(line) for line in run.stdout.splitlines()]
    assert [report["verdict"] for report in reports] == ["lawful", "disputed"]
    assert _hanafu("audit", "--json", input=broken_off()).returncode == 0


def test_audit_goes_on_behind_what_cannot_be_read_and_says_so(sheet: Sheet) -> None:
    run = _hanafu("audit", "--json", "-", input=sheet() + b"\n{broken\n" + sheet(5, -4) + b"\n")
    assert run.returncode == 2
    assert len(run.stdout.splitlines()) == 2
    assert b"standard input" in run.stderr and b"line 2" in run.stderr


def test_audit_reads_text_gzip_zip_and_folders(run: Run, tmp_path: Path, sheet: Sheet) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "a.json").write_bytes(sheet())
    text = run("convert", "--to", "text", folder / "a.json")
    assert text.exit_code == 0
    (folder / "b.hrn").write_text(text.output + "\n" + text.output.replace("Kimo", "Nani"))
    (folder / "c.jsonl.gz").write_bytes(gzip.compress(sheet(1, -1) + b"\n" + sheet(2, -2) + b"\n"))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("d.json", sheet(3, -3))
    (folder / "d.zip").write_bytes(packed.getvalue())
    found = run("audit", "--json", folder)
    assert found.exit_code == 1, found.stderr
    assert [json.loads(line)["totals"] for line in found.stdout.splitlines()] == [[4, -4], [4, -4], [4, -4], [1, -1], [2, -2], [3, -3]]


def test_audit_complains_of_a_file_that_is_not_there(run: Run, tmp_path: Path) -> None:
    found = run("audit", tmp_path / "none.json")
    assert found.exit_code == 2
    assert "none.json" in found.stderr


def test_audit_readable_says_the_verdict(run: Run, sheet: Sheet) -> None:
    found = run("audit", input=sheet(5, -4))
    assert found.exit_code == 1
    assert "disputed" in found.stdout.lower()
    assert "Leilani" in found.stdout


def test_audit_names_an_option_that_the_game_has_not(run: Run, sheet: Sheet) -> None:
    found = run("audit", "--options", "nonsense=1", input=sheet())
    assert found.exit_code == 2
    assert "has no option 'nonsense'" in found.stderr


def test_errors_of_a_record_come_with_their_place(run: Run, sheet: Sheet) -> None:
    record = json.loads(sheet()) | {"variant": "koi"}
    found = run("audit", "--json", input=json.dumps(record).encode())
    assert found.exit_code == 2
    assert found.stdout == ""
    assert "/variant" in found.stderr and "unknown-variant" in found.stderr


def test_convert_is_lossless_both_ways(run: Run, sheet: Sheet) -> None:
    canonical = run("convert", "--normal", input=sheet()).stdout
    text = run("convert", "--to", "text", "--normal", input=canonical.encode()).stdout
    assert run("convert", "--normal", input=text.encode()).stdout == canonical
    assert json.loads(canonical)["players"] == [{"name": "Leilani"}, {"name": "Kimo"}]


def test_import_stores_counts_and_knows_again(run: Run, tmp_path: Path, sheet: Sheet) -> None:
    lines = sheet(1, -1) + b"\n" + sheet(2, -2) + b"\nnonsense\n" + sheet(1, -1) + b"\n"
    first = run("import", input=lines)
    assert (first.exit_code, first.stdout) == (2, "2 stored, 1 known, 1 rejected\n")
    assert "line 3" in first.stderr
    assert run("import", input=lines).stdout == "0 stored, 3 known, 1 rejected\n"
    with Store(tmp_path / "data" / "hanafu" / "hanafu.duckdb") as store:
        assert store.read("SELECT count(*) FROM records") == [(2,)]


def test_export_writes_what_import_reads(run: Run, tmp_path: Path, sheet: Sheet) -> None:
    run("import", input=sheet(1, -1) + b"\n" + sheet(2, -3) + b"\n")
    assert run("export").stdout == run("convert", "--normal", input=sheet(1, -1) + b"\n" + sheet(2, -3)).stdout
    disputed = run("export", "--verdict", "disputed").stdout
    assert [json.loads(line)["claims"]["totals"] for line in disputed.splitlines()] == [[2, -3]]
    for form in ("json", "text"):
        out = run("export", "--to", form).stdout
        other = run("import", "--db", tmp_path / f"{form}.duckdb", input=out.encode())
        assert other.stdout == "2 stored, 0 known, 0 rejected\n", other.stderr


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_export_writes_tables(run: Run, tmp_path: Path, sheet: Sheet, form: str) -> None:
    run("import", input=sheet(1, -1))
    out = tmp_path / f"players.{form}"
    assert run("export", "--table", "players", "--as", form, "-o", out).exit_code == 0
    import duckdb

    rows = duckdb.execute(f"SELECT seat, name FROM '{out}' ORDER BY seat").fetchall()
    assert rows == [(1, "Leilani"), (2, "Kimo")]


def test_config_prints_values_with_their_sources_as_toml(run: Run, tmp_path: Path) -> None:
    import tomllib

    file = tmp_path / "s.toml"
    file.write_text("port = 9\n")
    found = run("config", "--config", file)
    assert tomllib.loads(found.stdout)["port"] == 9
    assert f"({file})\nport = 9" in found.stdout
    again = tmp_path / "again.toml"
    again.write_text(found.stdout)
    assert run("config", "--config", again).exit_code == 0
    file.write_text("prot = 9\n")
    refused = run("config", "--config", file)
    assert refused.exit_code == 1
    assert "did you mean 'port'" in refused.stderr


def test_backup_restore_and_check_agree(run: Run, tmp_path: Path, sheet: Sheet) -> None:
    run("import", input=sheet(1, -1) + b"\n" + sheet(2, -3) + b"\n")
    copy = tmp_path / "copy.duckdb"
    assert run("backup", copy).exit_code == 0
    assert "already" in run("backup", copy).stderr
    assert "already" in run("restore", copy).stderr
    restored = tmp_path / "restored.duckdb"
    assert run("restore", copy, "--db", restored).stdout == f"{restored}: 2 records\n"
    assert run("check", "--db", restored).stdout == "2 records, 0 faults\n"
    assert run("export", "--db", restored).stdout == run("export").stdout


def test_restore_refuses_what_is_no_store_and_leaves_nothing(run: Run, tmp_path: Path) -> None:
    noise = tmp_path / "noise"
    noise.write_bytes(b"noise" * 5000)
    found = run("restore", noise, "--db", tmp_path / "new.duckdb")
    assert found.exit_code == 1
    assert f"{noise} is no backup that can be restored" in found.stderr
    assert not (tmp_path / "new.duckdb").exists()


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        ("UPDATE records SET canonical = replace(canonical, 'Kimo', 'Nani')", "another hash than the id"),
        ("UPDATE records SET verdict = 'confirmed'", "the verdict kept is confirmed, the record gives disputed"),
        ("UPDATE reports SET report = replace(report, '5', '6')", "the report kept is not the one"),
        ("DELETE FROM reports", "the report is not there"),
        ("DELETE FROM records", "players: 2 rows of records that are not there"),
        ("UPDATE records SET raw = 'x'::BLOB", "cannot be read any more"),
    ],
)
def test_check_finds_what_was_tampered_with(run: Run, tmp_path: Path, sheet: Sheet, harm: str, said: str) -> None:
    db = tmp_path / "store.duckdb"
    run("import", "--db", db, input=sheet(5, -4))
    assert run("check", "--db", db).exit_code == 0
    with Store(db) as store:
        store.write(lambda connection, items: [connection.execute(harm)], None).result()
    found = run("check", "--db", db)
    assert found.exit_code == 1
    assert said in found.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
@pytest.mark.parametrize("command", [("config",), ("export", "-o", "/dev/full"), ("export", "--table", "players", "-o", "/dev/full")])
def test_a_full_disk_is_told_in_a_sentence(tmp_path: Path, sheet: Sheet, command: tuple[str, ...]) -> None:
    environ = os.environ | {"HANAFU_DB": str(tmp_path / "store.duckdb")}
    subprocess.run([sys.executable, "-m", "service.cli", "import"], input=sheet(), env=environ, check=True, capture_output=True)
    with open("/dev/full", "wb") as full:
        done = subprocess.run([sys.executable, "-m", "service.cli", *command], stdout=full, stderr=subprocess.PIPE, env=environ)
    assert done.returncode != 0
    assert b"Error: No space left on device" in done.stderr
    assert b"Traceback" not in done.stderr


def test_whoever_reads_no_further_is_told_nothing(tmp_path: Path, sheet: Sheet) -> None:
    environ = os.environ | {"HANAFU_DB": str(tmp_path / "store.duckdb")}
    lines = b"\n".join(sheet(points, -points) for points in range(1, 400))
    subprocess.run([sys.executable, "-m", "service.cli", "import"], input=lines, env=environ, check=True, capture_output=True)
    called = [sys.executable, "-m", "service.cli", "export"]
    with subprocess.Popen(called, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environ) as export:
        assert export.stdout is not None and export.stderr is not None
        export.stdout.read(1)
        export.stdout.close()
        assert export.stderr.read() == b""


def test_a_case_is_not_written_over(run: Run, tmp_path: Path, sheet: Sheet) -> None:
    db = ("--db", tmp_path / "store.duckdb")
    run("import", *db, input=sheet())
    id = json.loads(run("audit", "--json", input=sheet()).stdout)["record"]
    assert run("case", id, *db, "-o", tmp_path / "case.zip").exit_code == 0
    assert (
        run("case", id, *db, "-o", tmp_path / "case.zip").stderr
        == f"Error: {tmp_path / 'case.zip'} is there already; nothing was written over\n"
    )


def test_check_of_a_store_that_is_not_there_makes_none(run: Run, tmp_path: Path) -> None:
    assert run("check", "--db", tmp_path / "none.duckdb").exit_code == 1
    assert not (tmp_path / "none.duckdb").exists()


def test_audit_starts_without_server_store_and_charts() -> None:
    script = (
        "import sys; sys.argv = ['hanafu', 'audit', '--json', '-']\n"
        "from service.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(sorted({'flask', 'duckdb', 'plotly', 'numpy', 'waitress'} & set(sys.modules)), file=sys.stderr)"
    )
    run = subprocess.run([sys.executable, "-c", script], input=b"", capture_output=True, check=False)
    assert run.stderr.splitlines()[-1] == b"[]"
