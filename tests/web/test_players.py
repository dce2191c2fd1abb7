"""Players: the list, a player's page, and pseudonyms."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from service.accounts.pseudonyms import give
from service.app import create_app
from service.config import Settings
from service.desk import Desk
from service.imports import Imports
from service.store import Store

from . import logs


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[tuple[FlaskClient, Desk]]:
    """A product with the hand-made logs, and its desk."""
    with Store(tmp_path / "store.duckdb") as store:
        desk = Desk(store)
        with closing(Imports(desk)) as imports:
            for log in (logs.UNLAWFUL, logs.DISPUTED, logs.AGREED):
                desk.add(log.encode(), "text/plain")
            yield create_app(Settings(), desk, imports).test_client(), desk


def test_players_are_listed_and_lead_to_their_page(kept: tuple[FlaskClient, Desk]) -> None:
    client, desk = kept
    assert "Leilani" in {line["player"] for line in desk.players()}
    assert 'href="/players/Leilani"' in client.get("/players").text
    page = client.get("/players/leilani")
    assert page.status_code == 200 and "<h1>Leilani</h1>" in page.text and "Koi-koi" in page.text
    for line in desk.players():
        assert client.get(f"/players/{line['player']}").status_code == 200
    results = [row for line in desk.players() for row in desk.player(line["player"])[0]]
    assert results
    assert all(row["n"] >= 1 and row["role"] in ("dealer", "others") for row in results)
    assert client.get("/players/nobody").status_code == 404


def test_a_player_is_found_by_the_pseudonym_alone(kept: tuple[FlaskClient, Desk]) -> None:
    client, desk = kept
    give(desk.store, "Leilani", "Player 1")
    assert client.get("/players/Leilani").status_code == 404
    for address in ("/players", "/players/Player 1"):
        shown = client.get(address).text
        assert "Player 1" in shown and "Leilani" not in shown
