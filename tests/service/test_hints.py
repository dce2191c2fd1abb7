"""`POST /hints`: what may come next, nothing stored."""

import json
from typing import Any

from flask.testing import FlaskClient

FIELD = "1B 2R 3C 5A 7R 8C 9R 12C"


def asked(client: FlaskClient, address: str = "", **changes: Any) -> Any:
    sheet = {
        "format": "hanafuda-record/1",
        "variant": "koi-koi",
        "players": [{"name": "Noa"}, {"name": "Kimo"}],
        "rounds": [{"dealer": 1, "deal": {"field": FIELD}}],
    }
    return client.post("/api/v1/hints" + address, data=json.dumps(sheet | changes), content_type="application/json")


def test_hints_say_whose_turn_it_is_and_what_each_card_takes(client: FlaskClient) -> None:
    told: Any = asked(client).json
    assert (told["part"], told["next"], told["round"]) == ("hand", 1, 1)
    (crane,) = [card for card in told["cards"] if card["code"] == "3B"]
    assert crane["plays"] == [{"half": "3Bx3C", "takes": "3C", "stays": False}]
    assert asked(client, "?turn=3Bx3C").get_json()["part"] == "draw"
    assert client.get("/api/v1/records").get_json()["items"] == []


def test_hints_refuse_what_cannot_be_read_with_every_fault(client: FlaskClient) -> None:
    assert asked(client, "?turn=99Z").status_code == 422
    assert asked(client, "?round=2").status_code == 422
    told = asked(client, rounds=[{"dealer": 3, "deal": {"field": "1B 99Z"}}])
    assert told.status_code == 422 and len(told.json["errors"]) == 2
    assert client.post("/api/v1/hints", data=b"x", content_type="image/png").status_code == 415
