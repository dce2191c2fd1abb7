"""Which device writes a game down: the second is told, the first hears when it was taken over, and nothing stays for long."""

from datetime import datetime, timedelta
from typing import Any

from flask.testing import FlaskClient

from service.api.presence import Beat
from service.presences import KEPT, LONGEST, MOST, QUIET, Presences
from service.store import Store
from tests.service.public import OURS, Person, csrf, serving, sign_in

PHONE, TABLET = "a" * 32, "b" * 32
GAME = "/api/v1/games/0123/presence"
NOON = datetime(2026, 11, 24, 12)


def told(client: FlaskClient, device: str, **said: Any) -> Any:
    answer = client.put(GAME, json={"device": device, **said})
    assert answer.status_code == 200, answer.text
    return answer.json


def test_a_second_device_is_told_and_the_first_hears_that_it_was_taken_over(client: FlaskClient) -> None:
    first: Any = told(client, PHONE, label="Android", sheet="sealed one")
    assert first["mine"] and first["sheet"] is None
    second = told(client, TABLET, label="iPad", sheet="lost")
    assert (second["mine"], second["held"], second["label"], second["quiet"]) == (False, True, "Android", False)
    assert second["since"] == first["since"] and second["sheet"] == "sealed one"
    asked: Any = client.get(f"{GAME}?device={TABLET}").json
    assert asked == second
    assert told(client, PHONE)["mine"]

    taken = told(client, TABLET, label="iPad", take=True)
    assert taken["mine"] and taken["sheet"] == "sealed one"  # the game to go on with
    assert told(client, TABLET, label="iPad")["sheet"] == "sealed one"  # once more, should the answer have been lost
    assert told(client, TABLET, label="iPad", sheet="sealed two")["sheet"] is None
    now_first = told(client, PHONE, label="Android", sheet="what it wrote meanwhile")
    assert (now_first["mine"], now_first["label"], now_first["sheet"]) == (False, "iPad", "sealed two")


def test_a_game_that_was_closed_is_free_and_its_sheet_is_there_for_another_device(client: FlaskClient) -> None:
    told(client, PHONE, label="Android", sheet="sealed")
    assert client.delete(f"{GAME}?device={TABLET}").status_code == 204  # it is not that one's
    assert client.get(f"{GAME}?device={TABLET}").json["held"] is True  # type: ignore[index]  # JSON
    assert client.delete(f"{GAME}?device={PHONE}").status_code == 204
    asked: Any = client.get(f"{GAME}?device={TABLET}").json
    assert (asked["held"], asked["sheet"]) == (False, "sealed")
    assert told(client, TABLET)["mine"]


def test_what_does_not_fit_is_refused_with_every_fault(client: FlaskClient) -> None:
    refused: Any = client.put(GAME, json={"device": "?", "label": "x" * 41, "take": 1, "sheet": 5})
    assert refused.status_code == 422 and len(refused.json["errors"]) == 4
    assert Beat().validate({"device": PHONE, "sheet": "y" * LONGEST}) == {}
    assert list(Beat().validate({"device": PHONE, "sheet": "y" * (LONGEST + 1)})) == ["sheet"]
    assert client.put(GAME, data=b"x").status_code == 415
    assert client.put(f"/api/v1/games/{'x' * 65}/presence", json={"device": PHONE}).status_code == 404
    assert client.get(GAME).status_code == client.delete(f"{GAME}?device=x").status_code == 422


def test_games_are_forgotten_after_a_while_and_the_oldest_where_there_are_too_many() -> None:
    games = Presences()
    games.hold("one", PHONE, "", "sealed", False, NOON)
    later = games.see("one", NOON + KEPT)
    assert later is not None and later.quiet(NOON + QUIET + timedelta(seconds=1)) and not later.quiet(NOON + QUIET)
    assert games.see("one", NOON + KEPT + timedelta(seconds=1)) is None
    games.hold("one", PHONE, "", None, False, NOON)
    for number in range(MOST):
        games.hold(f"game {number}", PHONE, "", None, False, NOON)
    assert games.see("one", NOON) is None and games.see("game 0", NOON) is not None


def test_with_accounts_it_is_for_those_who_may_have_records_audited(store: Store) -> None:
    with serving(store) as app:
        assert Person(app).ask("PUT", GAME, json={"device": PHONE}).status_code == 401
        assert Person(app, "noa", "reader").ask("PUT", GAME, json={"device": PHONE}).status_code == 200
        browser = sign_in(app, "noa")
        sent = {"json": {"device": PHONE}, "base_url": OURS}
        assert browser.put(GAME, **sent).status_code == 403  # another site could send it
        assert browser.put(GAME, **sent, headers={"X-CSRF-Token": csrf(browser, "/record")}).status_code == 200


def test_with_accounts_too_many_beats_are_slowed_down(store: Store) -> None:
    with serving(store, rate=5) as app:
        noa = Person(app, "noa")
        answers = [noa.ask("PUT", GAME, json={"device": PHONE}).status_code for _ in range(8)]
    assert answers[:3] == [200] * 3 and answers[-1] == 429
