"""What is said of a step, in English."""

import pytest
from flask import Flask

from web import language
from web.contexts import Json
from web.sentences import Teller, landmarks


@pytest.fixture
def tell() -> Teller:
    app = Flask(__name__)
    language.install(app)
    with app.test_request_context("/"):
        return Teller("higobana", ("Leilani", "Kimo"))


@pytest.fixture(autouse=True)
def _english() -> object:
    app = Flask(__name__)
    language.install(app)
    with app.test_request_context("/"):
        yield


def event(kind: str, *cards: str, seat: int = 1, rule: str = "", **args: object) -> Json:
    return {"kind": kind, "seat": seat, "cards": list(cards), "rule": rule, "args": args}


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (event("played", "3B"), "Leilani plays Cherry blossom, bright: curtain."),
        (event("captured", "3B", "3C", wild=False), "It captures Cherry blossom, chaff."),
        (event("captured", "11C", "1B", wild=True), "As a wild card it captures Pine, bright: crane."),
        (event("captured", "12B", rule="HN-3", wild=False), "It goes straight to the pile (HN-3)."),
        (event("turned_up", "8A", seat=2), "Kimo turns up Susuki grass, animal: geese."),
        (event("passed", seat=2), "Kimo has no card to play."),
        (event("moved", "1C", seat=2, rule="HG-7"), "By rule HG-7 Pine, chaff goes to Kimo."),
        (event("moved", "1C", "1R", seat=2, rule="HG-7"), "By rule HG-7 these go to Kimo: Pine, chaff; Pine, ribbon: poetry ribbon."),
        (event("owner", rule="HG-7", month=3, open=True), "Leilani owns what is left of Cherry blossom (HG-7)."),
        (event("claim", rule="SK-2", month=12, open=False), "The claim of Leilani on Paulownia ends."),
        (event("yaku", id="poetry", points=50), "Leilani has made Three Poetry Ribbons."),
        (event("called", call="koi"), "Leilani calls koi-koi."),
        (event("called", call="stop", seat=2), "Kimo stops."),
        (event("fault", "3B", rule="CP-4", code="must-capture"), "Unlawful: a match refused (CP-4)."),
        (event("ended", end="misdeal", seat=0), "The cards are thrown in: a misdeal."),
    ],
)
def test_each_event_has_its_sentence(tell: Teller, told: Json, words: str) -> None:
    assert tell.event(told) == words


def test_what_was_wrong_is_said_last(tell: Teller) -> None:
    step = {
        "part": "hand",
        "events": [event("played", "12B"), event("fault", "12B", rule="CP-4", code="must-capture"), event("stayed", "12B")],
    }
    assert tell.step(step) == "Leilani plays Paulownia, bright: phoenix. It stays on the field. Unlawful: a match refused (CP-4)."


def test_a_step_of_nothing_is_called_by_its_part(tell: Teller) -> None:
    assert tell.step({"part": "end", "events": []}) == "End"


def test_a_finding_is_a_landmark_before_all_else() -> None:
    steps = [
        {"step": 0, "events": [event("dealt")], "findings": [], "says": "a"},
        {"step": 1, "events": [event("yaku", id="1"), event("owner")], "findings": [], "says": "b"},
        {"step": 2, "events": [event("called", call="koi"), event("yaku", id="1")], "findings": ["call-unfounded"], "says": "c"},
        {"step": 3, "events": [event("moved", "1C")], "findings": [], "says": "d"},
    ]
    assert [(mark["step"], mark["kind"]) for mark in landmarks(steps)] == [(1, "yaku"), (2, "finding"), (3, "rule")]
