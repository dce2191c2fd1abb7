"""A lake where there is none to be had, and what `--lake` may not hold."""

import importlib.util

import pytest
from click.testing import CliRunner

from service.cli import main
from service.config import load
from service.errors import ConfigError


@pytest.mark.skipif(
    importlib.util.find_spec("duckdb_extension_ducklake") is not None, reason="not here: an environment without the extra [lake]"
)
@pytest.mark.parametrize("command", ["serve", "check"])
def test_without_the_extra_a_lake_says_what_is_missing(command: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    db = tmp_path_factory.mktemp("lake") / "store.duckdb"
    done = CliRunner().invoke(main, [command, "--lake", "dbname=hanafu", "--db", str(db)])
    assert done.exit_code == 1
    assert "a lake needs the extra [lake], which is not there for duckdb" in done.output
    assert "pip install 'hanafu[lake]'" in done.output


@pytest.mark.parametrize("where", ["dbname=hanafu password = wiliwili", "postgresql://hanafu:wiliwili@db.example/hanafu"])
def test_a_password_of_the_lake_is_refused_and_not_repeated(where: str) -> None:
    with pytest.raises(ConfigError, match="no password here") as refused:
        load({"lake": where}, environ={"HOME": "/"})
    assert "wiliwili" not in str(refused.value)
    assert load({"lake": "postgresql://hanafu@db.example/hanafu"}, environ={"HOME": "/"}).settings.lake
