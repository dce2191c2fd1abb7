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


@pytest.mark.parametrize(
    "place",
    [
        "s3://AKIA7:wiliwili@club/hanafu",
        "s3://club/hanafu?s3_secret_access_key=wiliwili",
        "S3://club/wiliwili",
        "s3:club/wiliwili",
        "gs://club/wiliwili",
        "https://objects.example/club/wiliwili",
        "s3://club/../wiliwili*",
    ],
)
def test_a_key_in_the_place_of_a_lakes_files_is_refused_and_not_repeated(place: str) -> None:
    with pytest.raises(ConfigError, match="neither a folder nor of the form s3://BUCKET/PREFIX") as refused:
        load({"lake_data": place}, environ={"HOME": "/"})
    assert "wiliwili" not in str(refused.value)


@pytest.mark.parametrize("place", ["s3://club", "s3://club/hanafu", "s3://club.example/a/b_c-d/", "/srv/hanafu/lake", "lake:1", "~/lake"])
def test_a_lakes_files_lie_in_a_folder_or_a_bucket(place: str) -> None:
    assert load({"lake_data": place}, environ={"HOME": "/"}).settings.lake_data == place
