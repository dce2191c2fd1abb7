"""Settings come from four places, the nearest wins, and every one that cannot be used is named."""

from pathlib import Path

import pytest

from service.config import Settings, data_folder, load
from service.errors import ConfigError

NOWHERE = {"HOME": "/nowhere"}


def test_defaults_are_a_local_server_and_a_store_in_the_data_folder() -> None:
    found = load(environ=NOWHERE)
    assert (found.settings.host, found.settings.port) == ("127.0.0.1", 8000)
    assert found.settings.db.name == "hanafu.duckdb"
    assert set(found.sources.values()) == {"default"}


@pytest.mark.parametrize(
    ("platform", "environ", "folder"),
    [
        ("linux", {"HOME": "/home/k"}, "/home/k/.local/share/hanafu"),
        ("linux", {"HOME": "/home/k", "XDG_DATA_HOME": "/data"}, "/data/hanafu"),
        ("darwin", {"HOME": "/Users/k"}, "/Users/k/Library/Application Support/hanafu"),
        ("win32", {"HOME": "/u", "LOCALAPPDATA": "/u/local"}, "/u/local/hanafu"),
    ],
)
def test_data_folder_is_the_one_of_the_system(platform: str, environ: dict[str, str], folder: str) -> None:
    assert data_folder(environ, platform) == Path(folder)


def test_flags_go_before_the_environment_and_that_before_the_file(tmp_path: Path) -> None:
    file = tmp_path / "hanafu.toml"
    file.write_text('port = 1\nthreads = 2\nmemory = "1GB"\n')
    found = load({"port": "3", "host": None}, file=file, environ={"HANAFU_PORT": "4", "HANAFU_THREADS": "5", **NOWHERE})
    assert (found.settings.port, found.settings.threads, found.settings.memory) == (3, 5, "1GB")
    assert found.sources["port"] == "--port"
    assert found.sources["threads"] == "HANAFU_THREADS"
    assert found.sources["memory"] == str(file)
    assert found.sources["host"] == "default"


def test_the_file_named_by_the_environment_is_read(tmp_path: Path) -> None:
    file = tmp_path / "other.toml"
    file.write_text("samples = true\n")
    assert load(environ={"HANAFU_CONFIG": str(file)}).settings.samples is True


def test_all_faults_are_told_at_once_with_source_and_near_miss(tmp_path: Path) -> None:
    file = tmp_path / "hanafu.toml"
    file.write_text('prot = 1\nthreads = 0\nmemory = "much"\n')
    with pytest.raises(ConfigError) as failure:
        load({"port": "http"}, file=file, environ={"HANAFU_SAMPLES": "perhaps", **NOWHERE})
    said = str(failure.value).splitlines()
    assert len(said) == 5
    assert f"{file}: there is no setting 'prot'; did you mean 'port'?" in said
    assert f"{file}: threads: 0 is out of range (1 to 256)" in said
    assert f"{file}: memory: 'much' is not a size such as 256MB" in said
    assert "environment: samples: 'perhaps' is neither true nor false" in said
    assert "command line: port: 'http' is not a whole number (0 to 65535)" in said


def test_a_file_that_is_not_there_or_no_toml_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        load(file=tmp_path / "none.toml", environ=NOWHERE)
    broken = tmp_path / "broken.toml"
    broken.write_bytes(b"port = \xff")
    with pytest.raises(ConfigError, match="is not TOML"):
        load(file=broken, environ=NOWHERE)


def test_a_setting_of_the_wrong_type_in_the_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "hanafu.toml"
    file.write_text("port = true\ndb = 5\n")
    with pytest.raises(ConfigError) as failure:
        load(file=file, environ=NOWHERE)
    assert "port: True is not a whole number" in str(failure.value)
    assert "db: 5 is not a text" in str(failure.value)


def test_settings_cannot_be_changed_afterwards() -> None:
    with pytest.raises(AttributeError):
        Settings().port = 5  # type: ignore[misc]  # the very thing that must not work
