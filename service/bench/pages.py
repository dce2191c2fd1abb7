"""How long a replay takes in a browser: its page to open, a step to be on the screen, another round to open.

The server is a process of its own and the browser a headless Chromium, driven by Playwright (the extra [test]).
"""

import random
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from analysis.simulate import simulate
from records.formats import to_json
from records.games import GAMES
from records.rules.game import Rules
from service.bench.service import serving
from service.desk import Desk
from service.jsons import dumps
from service.store import Store

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page

ROUNDS: Final = 4
STEPS: Final = 40
"""Of the first round, at most."""
SCREENS: Final = {"phone": (360, 740), "laptop": (1366, 768), "4K": (3840, 2160)}
"""Width and height of the window, in pixels."""
BROWSERS: Final = ("chromium", "chromium-browser", "chromium-headless-shell")
ARGUMENTS: Final = ("--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run")

WALK: Final = """async (most) => {
  const replay = document.querySelector("[data-replay]").replay;
  const painted = () => new Promise((done) => requestAnimationFrame(() => {
    const after = new MessageChannel();
    after.port1.onmessage = done;
    after.port2.postMessage(null);
  }));
  const took = [];
  for (let step = 1; step <= Math.min(most, replay.round.steps.length - 1); step += 1) {
    await painted();
    const start = performance.now();
    replay.go(step);
    await painted();
    took.push(performance.now() - start);
  }
  return took;
}"""
"""Steps through a round by the page's own function. Between the call and the end of the next frame lies what a visitor waits for, the
wait for that frame with it."""

OPEN: Final = """async (round) => {
  const replay = document.querySelector("[data-replay]").replay;
  const start = performance.now();
  await replay.toRound(round);
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - start;
}"""


class Missing(Exception):
    """The browser, or what drives it, is not here."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A replay of one game on one screen; all times in milliseconds."""

    game: str
    seats: int
    screen: str
    opens: float
    """From asking for the page to its `load` event, by the clock."""
    step: list[float]
    """Of each step: until it is on the screen, by the clock."""
    work: float
    """Of a step: processor time of the page's thread, script, style and layout together."""
    round: list[float]
    """Of each round that is opened from the page: until it is on the screen, by the clock."""


def measure(seed: int) -> list[Seen]:
    """Every game with most of its seats, on each screen. Raises Missing."""
    with _browser() as browser, tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "store.duckdb")
        rng = random.Random(seed)
        tables = []
        with Store(path) as store:
            for game in GAMES:
                rules = Rules(game, {}, max(game.seats), None)
                raw = dumps(to_json(next(simulate(rules, rng, rounds=ROUNDS))))
                tables.append((game.id, rules.seats, Desk(store).add(raw, "application/json").id))
        found = []
        with serving(path) as (_, (host, port)):
            for screen, (width, height) in SCREENS.items():
                context = browser.new_context(base_url=f"http://{host}:{port}", viewport={"width": width, "height": height})
                page = context.new_page()
                for game_id, seats, id in tables:
                    found.append(_look(page, game_id, seats, screen, f"/records/{id}/replay"))
                context.close()
        return found


def _look(page: "Page", game: str, seats: int, screen: str, address: str) -> Seen:
    page.goto(address)
    opens = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    before = _work(session)
    steps = page.evaluate(WALK, STEPS)
    work = (_work(session) - before) / len(steps)
    rounds = [page.evaluate(OPEN, number) for number in range(2, ROUNDS + 1)]
    return Seen(game, seats, screen, opens, steps, work, rounds)


def _work(session: "CDPSession") -> float:
    """Milliseconds of processor time that the page's thread has had so far."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration")) * 1e3


@contextmanager
def _browser() -> Iterator[Any]:
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        raise Missing("this needs a browser (Debian: chromium)")
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        raise Missing("this needs Playwright: pip install 'hanafu[test]'") from None
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=[*ARGUMENTS, "--no-sandbox"])
        yield browser
        browser.close()


def lines(found: list[Seen]) -> list[tuple[str, ...]]:
    """For people: milliseconds, the median and the longest."""

    def both(times: list[float]) -> tuple[str, str]:
        return f"{median(times):.1f}", f"{max(times):.1f}"

    head = ("game", "screen", "page", "step: work", "shown", "longest", "round", "longest")
    return [
        head,
        *(
            (f"{each.game}, {each.seats} seats", each.screen, f"{each.opens:.0f}", f"{each.work:.1f}", *both(each.step), *both(each.round))
            for each in found
        ),
    ]


def as_dict(seen: Seen) -> dict[str, Any]:
    """For programs; milliseconds."""
    times = {"step_shown": seen.step, "round_shown": seen.round}
    told = {name: {"n": len(each), "median": median(each), "longest": max(each)} for name, each in times.items()}
    return {"game": seen.game, "seats": seen.seats, "screen": seen.screen, "page_opens": seen.opens, "step_work": seen.work, **told}
