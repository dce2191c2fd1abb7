"""The guides: every page of `web/docs` is served, whole, with nothing of its text run as HTML."""

import re
from urllib.parse import urljoin

import pytest
from flask.testing import FlaskClient

from web.pages.guide import FOLDER, names


def test_every_file_is_a_guide(client: FlaskClient) -> None:
    listed = client.get("/guide").get_data(as_text=True)
    assert sorted(names()) == sorted(file.stem for file in FOLDER.glob("*.md"))
    for name in names():
        assert f'href="/guide/{name}"' in listed


@pytest.mark.parametrize("name", names())
def test_a_guide_shows_its_headings_with_anchors(client: FlaskClient, name: str) -> None:
    answer = client.get(f"/guide/{name}")
    assert answer.status_code == 200
    page = answer.get_data(as_text=True)
    text = re.sub(r"```.*?```", "", (FOLDER / f"{name}.md").read_text(encoding="utf-8"), flags=re.DOTALL)
    headings = re.findall(r"^(#{1,3}) ", text, re.MULTILINE)
    found = re.findall(r'<h([1-3]) id="[^"]+"', page)
    assert [len(each) for each in headings] == [int(each) for each in found]


@pytest.mark.parametrize("name", names())
def test_a_guide_is_called_by_its_heading_and_other_languages_are_told_that_it_is_english(client: FlaskClient, name: str) -> None:
    heading = (FOLDER / f"{name}.md").read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
    english, other = client.get(f"/guide/{name}?lang=en").text, client.get(f"/guide/{name}?lang=pt").text
    assert f"<title>{heading} · Hanafu</title>" in english and "guide-language" not in english
    assert '<article class="guide" lang="en">' in other and "Este guia está em inglês." in other
    assert f"<title>{heading} · Hanafu</title>" not in other
    assert 'aria-label="Tabela"' in other or "<table>" not in other


def test_there_is_no_other(client: FlaskClient) -> None:
    for name in ("nothing", "..%2fREADME", "adding-a-game.md"):
        assert client.get(f"/guide/{name}").status_code == 404


@pytest.mark.parametrize("name", names())
def test_links_between_guides_lead_somewhere(client: FlaskClient, name: str) -> None:
    for target in re.findall(r'<a href="(/[^"#]*)', client.get(f"/guide/{name}").get_data(as_text=True)):
        assert client.get(target).status_code in (200, 302, 303, 308), target


@pytest.mark.parametrize("name", names())
def test_the_pictures_of_guides_are_there_on_the_page_and_beside_the_file(client: FlaskClient, name: str) -> None:
    for source in re.findall(r'<img src="([^"]+)"', client.get(f"/guide/{name}").get_data(as_text=True)):
        with client.get(urljoin(f"/guide/{name}", source)) as answer:
            assert answer.status_code == 200, source
    for target in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", (FOLDER / f"{name}.md").read_text(encoding="utf-8")):
        assert (FOLDER / target).is_file(), target
