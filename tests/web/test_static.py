"""What the pages bring along: nobody else's files but those of the manifest, no address of another site, no rule in a script."""

import hashlib
import json
import re
from pathlib import Path

import pytest

from records.games import GAMES

WEB = Path(__file__).resolve().parents[2] / "web"
STATIC = WEB / "static"
OURS = sorted(path for path in STATIC.rglob("*") if path.suffix in (".js", ".css", ".svg") and "vendor" not in path.parts)
PAGES = sorted((WEB / "templates").rglob("*.html"))


def test_every_third_party_file_is_in_the_manifest_as_it_is() -> None:
    manifest = json.loads((STATIC / "vendor" / "manifest.json").read_text())
    listed = {name: digest for package in manifest["packages"] for name, digest in package["files"].items()}
    there = {
        path.relative_to(STATIC / "vendor").as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (STATIC / "vendor").rglob("*")
        if path.is_file() and path.name != "manifest.json"
    }
    assert listed == there
    for package in manifest["packages"]:
        assert package["version"] and package["licence"]
        assert any(name.endswith("LICENSE") for name in package["files"])


@pytest.mark.parametrize("path", [*OURS, *PAGES], ids=lambda path: path.name)
def test_no_file_of_ours_names_another_site(path: Path) -> None:
    addresses = set(re.findall(r"https?://[^\s\"'<>)]+", path.read_text()))
    assert addresses <= {"http://www.w3.org/2000/svg"}


@pytest.mark.parametrize("path", [path for path in OURS if path.suffix == ".js"], ids=lambda path: path.name)
def test_no_script_knows_a_game_or_a_yaku(path: Path) -> None:
    words = set(re.findall(r"[\"'`]([\w-]+)[\"'`]", path.read_text()))
    known = {game.id for game in GAMES} | {yaku.id for game in GAMES for yaku in game.yaku if not yaku.id.isdecimal()}
    assert words & known <= {"koi-koi"}  # the word that is called


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_no_page_has_a_script_of_its_own(path: Path) -> None:
    text = path.read_text()
    for opening in re.findall(r"<script\b[^>]*>", text):
        assert "src=" in opening or 'type="application/json"' in opening
    assert not re.search(r"\son\w+=", text)
