"""``hanafu bench pages``: what it measures in a browser, and what it says where there is none. No time is asserted."""

import json
import shutil

import pytest
from click.testing import CliRunner

from records.games import GAMES
from service.bench import pages
from service.cli import main


@pytest.mark.browser
@pytest.mark.requires("chromium")
def test_pages_walks_through_replays_in_a_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    game = GAMES[0]
    for name, value in {"GAMES": (game,), "ROUNDS": 2, "STEPS": 3, "SCREENS": {"phone": (360, 740)}}.items():
        monkeypatch.setattr(pages, name, value)
    (seen,) = pages.measure(1)
    assert (seen.game, seen.seats, seen.screen) == (game.id, max(game.seats), "phone")
    assert (len(seen.step), len(seen.round)) == (3, 1)
    assert min(seen.opens, seen.work, *seen.step, *seen.round) > 0
    told = pages.as_dict(seen)
    assert (told["step_shown"]["n"], told["round_shown"]["n"]) == (3, 1)
    assert json.loads(json.dumps(told)) == told
    head, line = pages.lines([seen])
    assert len(head) == len(line)


def test_pages_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda program: None)
    done = CliRunner().invoke(main, ["bench", "pages"])
    assert done.exit_code == 1
    assert "this needs a browser" in done.output
