"""Somebody with a phone who writes a game down: what the tests of the recorder share."""

import json
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from analysis.simulate import simulate
from records.games import GAMES
from records.record import Record
from records.rules.game import Rules, Sides
from service.desk import Desk

if TYPE_CHECKING:
    from flask import Flask
    from playwright.sync_api import BrowserContext, Page


PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
CALLED = next(game for game in GAMES if game.worth)
"""The game in which is called."""
KEPT = "Object.entries(localStorage).find(([key]) => key.startsWith('hanafu-recorder:'))[1]"


@dataclass
class Hand:
    """Somebody with a phone in one hand, who counts the taps of each turn."""

    page: "Page"
    keyboard: bool = False
    taps: list[int] = field(default_factory=list)
    count: int = 0

    def idle(self) -> None:
        self.page.evaluate("recorderIdle")

    def tap(self, selector: str) -> None:
        found = self.page.locator(selector).first
        found.press("Enter") if self.keyboard else found.tap()
        self.count += 1
        self.idle()

    def card(self, code: str) -> None:
        """A card of the grid: of twins one that is not seen yet."""
        self.tap(f'[data-grid] [data-card="{code}"]:not(.gone, .on)')

    def half(self, half: str) -> None:
        """A card, and where there is a choice what it takes."""
        self.card(half.split("x")[0])
        if self.page.locator("[data-choices] [data-half]").count() and self.page.locator("[data-grid]").is_hidden():
            self.tap(f'[data-choices] [data-half="{half}"]')

    def lay(self, record: dict[str, Any]) -> None:
        """Lays out the deal: the field by taps, the rest by typing."""
        deal = record["rounds"][0]["deal"]
        for code in deal["field"].split():
            self.card(code)
        for place, cards in [*((str(seat + 1), hand) for seat, hand in enumerate(deal["hands"])), ("pile", deal["draw_pile"])]:
            self.tap(f'[data-lay="{place}"]')
            self.page.locator("[data-typed]").fill(cards)
            self.page.locator("[data-typed]").press("Enter")
            self.idle()
        self.tap("[data-play]")

    def turn(self, action: str) -> None:
        """One action, as taps."""
        self.count = 0
        words = action.split()
        if words[0].endswith(":"):
            self.tap(f'[data-other="{words[0][:-1]}"]')
            if self.page.locator("[data-choices] [data-half]").count():
                self.tap(f'[data-choices] [data-half="{words[1]}"]')
        elif words[0] in ("lucky", "misdeal", "keep", "abandoned"):
            self.tap(f'[data-choices] [data-say="{words[0]}"]')
        else:
            for word in words:
                if word in ("koi", "stop"):
                    self.tap(f'[data-call="{word}"]')
                elif word.startswith("#"):
                    self.tap(f'[data-half="{word}"]')
                elif word != "-":
                    self.half(word)
        self.taps.append(self.count)

    def kept(self) -> dict[str, Any]:
        """The game as the browser keeps it."""
        kept: dict[str, Any] = json.loads(self.page.evaluate(KEPT))
        return kept

    def actions(self) -> list[str]:
        found: list[str] = self.kept()["record"]["rounds"][0].get("actions", [])
        return found


def begin(page: "Page", record: dict[str, Any], keyboard: bool = False) -> Hand:
    """Chooses game, players, dealer and match, and lays out the deal."""
    page.goto("/record")
    page.evaluate("recorderIdle")
    page.locator("[data-variant]").select_option(record["variant"])
    if page.locator("[data-seats]").count():
        page.locator("[data-seats]").select_option(str(len(record["players"])))
    for seat, player in enumerate(record["players"], 1):
        page.locator(f'[data-player="{seat}"]').fill(player["name"])
    page.locator("[data-dealer]").select_option(str(record["rounds"][0]["dealer"]))
    if match := record.get("match"):
        page.get_by_text("Match", exact=True).first.click()
        page.locator("[data-match]").select_option(match["type"])
        page.locator("[data-length]").fill(str(match.get("rounds", match.get("points"))))
        if "start" in match:
            page.locator("[data-start]").fill(str(match["start"]))
    if event := record.get("event"):
        page.get_by_text("Where and when").click()
        for name, value in event.items():
            page.locator(f'[data-event="{name}"]').fill(value)
    page.get_by_role("button", name="Lay out the field").tap()
    hand = Hand(page, keyboard)
    hand.idle()
    hand.lay(record)
    return hand


def store(hand: Hand, claimed: bool) -> str:
    """Ends the round, says what the engine says, stores it; the id under which it is kept."""
    hand.tap("[data-choices] [data-finish]")
    if claimed:
        hand.page.locator("[data-same]").click()
    hand.page.locator("[data-dialog] [data-store]").click()
    expect(hand.page.locator("[data-audit]")).to_be_in_viewport()
    link = hand.page.locator("[data-audit]").get_attribute("href")
    assert link
    return f"sha256:{link.rsplit('/', 1)[1]}"


def desk_of(site: "Flask") -> Any:
    """What the server of a site has stored: its desk, once all that it has acknowledged has its place."""
    desk: Desk = site.extensions["hanafu"]
    desk.catch_up()
    return desk


def made(game: Any, seed: str, options: dict[str, Any] | None = None, seats: int = 0, sides: Sides | None = None) -> Record:
    """A whole round of a game, at random."""
    rules = Rules(game, options or {}, seats or game.seats[0], sides)
    return next(simulate(rules, Random(seed), players=[f"P{seat + 1}" for seat in range(rules.seats)]))


def known(id: str) -> Any:
    """The game of that id."""
    return next(game for game in GAMES if game.id == id)


def so_far(record: dict[str, Any], actions: int) -> dict[str, Any]:
    """A record that was written down so far; nothing is claimed yet."""
    (round_,) = record["rounds"]
    begun = {key: value for key, value in round_.items() if key != "claims"} | {"actions": round_["actions"][:actions]}
    return {key: value for key, value in record.items() if key != "claims"} | {"rounds": [begun]}


def game_of(record: dict[str, Any], name: str, **more: Any) -> dict[str, Any]:
    """A game as a browser keeps it; `name` makes its id."""
    known = {"id": sha256(name.encode()).hexdigest(), "record": record, "at": 0, "turn": "", "edit": None, "laying": None, "changed": 1}
    return known | more


def keeping(game: dict[str, Any]) -> str:
    """A script that puts a game into a browser before its page is opened, once."""
    key, text = json.dumps(f"hanafu-recorder:{game['id']}"), json.dumps(json.dumps(game))
    return f"localStorage.getItem({key}) ?? localStorage.setItem({key}, {text})"


def go_on(context: "BrowserContext", game: dict[str, Any], keyboard: bool = False) -> Hand:
    """Opens a game that is kept in the browser."""
    page = context.new_page()
    page.add_init_script(keeping(game))
    page.goto(f"/record#game={game['id']}")
    hand = Hand(page, keyboard)
    hand.idle()
    return hand


def worker_controls(page: "Page") -> None:
    """Waits until the recorder's worker answers for the page: from then on it is there without a network."""
    page.evaluate(
        """() => new Promise((there) => navigator.serviceWorker.controller ? there()
            : navigator.serviceWorker.addEventListener("controllerchange", there, {once: true})).then(() => true)"""
    )
