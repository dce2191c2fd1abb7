"""What every page is held to on every screen: nothing wider than it, nothing too small to touch, nothing that axe-core finds."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

SCREENS = [(360, "light"), (1024, "dark"), (1920, "light")]
"""Widths in pixels, each with the system's choice of light or dark."""

TOUCH = 43.5
"""The least side of what is touched, in pixels: 44 but for rounding."""

SMALL = f"""() => [...document.querySelectorAll("button, select, summary, input:not([type=hidden]), a.button, a.chip, nav a")]
    .filter(each => each.checkVisibility() && !each.closest(".visually-hidden, .skip, label"))
    .map(each => [each, each.getBoundingClientRect()])
    .filter(([each, box]) => box.width && (box.height < {TOUCH} || box.width < {TOUCH}))
    .map(([each]) => `${{each.tagName}} ${{each.className}} ${{each.textContent.trim().slice(0, 20)}}`)"""


def look(page: "Page", name: str, width: int, scheme: str) -> None:
    """Holds an open page to it all, and keeps its pictures, light and dark, where HANAFU_SCREENSHOTS names a folder."""
    from axe_playwright_python.sync_playwright import Axe

    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    if width == min(each for each, _ in SCREENS):
        assert page.evaluate(SMALL) == []
    found = Axe().run(page).response["violations"]
    assert [(each["id"], [node["target"] for node in each["nodes"]][:5]) for each in found] == []
    if folder := os.environ.get("HANAFU_SCREENSHOTS"):
        page.wait_for_load_state("networkidle")
        for light in ("light", "dark"):
            page.emulate_media(color_scheme=light)
            page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            page.screenshot(path=Path(folder) / f"{name}-{width}-{light}.png", full_page=True)
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # one of Playwright's words


def jumped(page: "Page") -> float:
    """How much what was drawn has moved since the page was opened: the sum of its layout shifts."""
    return float(
        page.evaluate(
            """new Promise(done => {
                let sum = 0;
                const seen = new PerformanceObserver(list => list.getEntries().forEach(each => { sum += each.value; }));
                seen.observe({ type: "layout-shift", buffered: true });
                requestAnimationFrame(() => setTimeout(() => done(sum), 100));
            })"""
        )
    )
