"""What charts and lists are answered from: the store as it is, or an answer that was given since it last changed."""

import json
from collections.abc import Iterator
from datetime import datetime
from random import Random

import pytest
from flask.testing import FlaskClient

from analysis.simulate import simulate
from records.formats import to_json
from records.games import game
from records.rules.game import Rules
from service import charts
from service.accounts import pseudonyms
from service.accounts.custody import withdraw
from service.answers import Answers
from service.desk import Desk
from service.store import Store

from .conftest import Sheet

KOI_KOI = {"variant": "koi-koi"}
PLAYED = 6


@pytest.fixture
def played(desk: Desk) -> Desk:
    """A store with some games of hon-bana."""
    rules = Rules(game("hon-bana"), {}, 3, None)
    games = simulate(rules, Random(7))
    for _ in range(PLAYED):
        desk.add(json.dumps(to_json(next(games))).encode())
    return desk


def test_an_answer_is_given_again_until_the_store_changes(desk: Desk, sheet: Sheet) -> None:
    desk.add(sheet(4, -4))
    first = desk.stats("by-place", KOI_KOI)
    assert desk.stats("by-place", KOI_KOI) is first
    assert desk.stats("by-place", KOI_KOI | {"role": "dealer"}) is not first
    assert desk.stats("by-place", KOI_KOI | {"player": "Kimo"}) is not first
    desk.add(sheet(6, -6))
    again = desk.stats("by-place", KOI_KOI)
    assert sum(row[2] for row in first.rows) == 2 and sum(row[2] for row in again.rows) == 4


def test_a_record_that_goes_and_a_pseudonym_change_the_answer_too(desk: Desk, store: Store, sheet: Sheet) -> None:
    gone = desk.add(sheet(4, -4)).id
    desk.add(sheet(6, -6))

    def names() -> set[object]:
        return {row[0] for row in desk.stats("spread", KOI_KOI).rows}

    assert names() == {"Leilani", "Kimo"}
    pseudonyms.give(store, "Kimo", "Player K")
    assert names() == {"Leilani", "Player K"}
    withdraw(store, bytes.fromhex(gone), datetime(2026, 11, 30))
    assert {row[1] for row in desk.stats("spread", KOI_KOI).rows} == {1}


def test_answers_kept_are_few_enough(store: Store) -> None:
    answers = Answers(store, rows=10)
    asked: list[str] = []

    def ask(question: str, rows: int) -> str:
        def find() -> str:
            asked.append(question)
            return question

        return answers.of(question, find, lambda _: rows)

    for question, rows in (("a", 4), ("b", 4), ("a", 4), ("c", 4), ("a", 4), ("b", 4), ("large", 11), ("large", 11)):
        assert ask(question, rows) == question
    # c took the place of b, which was not asked for longest; what is larger than all may be is never kept.
    assert asked == ["a", "b", "c", "b", "large", "large"]


def test_an_answer_that_a_commit_overtook_is_not_kept(store: Store) -> None:
    answers = Answers(store)

    def commit() -> Iterator[str]:
        store.write(lambda connection, items: [None] * len(items), None).result()
        yield "before"
        yield "after"

    told = commit()
    assert answers.of("question", lambda: next(told)) == "before"
    assert answers.of("question", lambda: next(told)) == "after"


def test_a_sample_is_taken_in_as_far_as_time_goes_and_further_when_asked(played: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charts, "SECONDS", -1.0)  # one record, and the time is over
    first = played.stats("options", {"variant": "hon-bana"})
    assert first.sample is not None
    assert (first.sample.audited, first.sample.picked, first.sample.chosen) == (1, PLAYED, PLAYED)
    assert played.stats("options", {"variant": "hon-bana"}).sample == first.sample
    last = played.stats("options", {"variant": "hon-bana"}, seconds=10)
    assert last.sample is not None and last.sample.audited == PLAYED
    assert max(row[2] for row in last.rows) == PLAYED


def test_more_of_a_sample_is_a_click_away(played: Desk, client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charts, "SECONDS", -1.0)
    before = client.get("/dashboard/options?part=1").text
    assert 'href="/dashboard/options?more=1&amp;variant=hon-bana" data-more' in before and f"1 of {PLAYED} records" in before
    after = client.get("/dashboard/options?part=1&more=1").text
    assert "data-more" not in after and f"{PLAYED} of {PLAYED} records" in after


def test_the_api_names_the_sample(played: Desk, client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charts, "SECONDS", -1.0)
    told = client.get("/api/v1/stats/options?variant=hon-bana").get_json()
    assert told["sample"] == {"audited": 1, "picked": PLAYED, "chosen": PLAYED}
    assert client.get("/api/v1/stats/options?variant=hon-bana&seconds=10").get_json()["sample"]["audited"] == PLAYED
    assert client.get("/api/v1/stats/options?seconds=11").status_code == 422
    assert client.get("/api/v1/stats/running?variant=hon-bana").get_json()["sample"] is None


def test_the_api_counts_the_seats_in_a_role_alone(played: Desk, client: FlaskClient) -> None:
    rows = client.get("/api/v1/stats/by-place?variant=hon-bana&role=dealer").get_json()["rows"]
    assert [row[1] for row in rows] == [0]
