"""What every page is held to on every screen: nothing wider than it, nothing too small to touch, nothing that axe-core finds."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

SCREENS = [(width, scheme) for width in (360, 1024, 1920) for scheme in ("light", "dark")]
"""Widths in pixels, each with the system's choice of light or dark."""
ASKED = [(360, "light"), (1024, "dark"), (1920, "light"), (3840, "dark")]
"""Those at which axe-core is asked: every width, light and dark, but not each with each, for its answer takes as long as all else."""

TOUCH = 43.5
"""The least side of what is touched, in pixels: 44 but for rounding."""

SMALL = f"""() => [...document.querySelectorAll("button, select, summary, input:not([type=hidden]), a.button, a.chip, nav a")]
    .filter(each => each.checkVisibility() && !each.closest(".visually-hidden, .skip, label"))
    .map(each => [each, each.getBoundingClientRect()])
    .filter(([each, box]) => box.width && (box.height < {TOUCH} || box.width < {TOUCH}))
    .map(([each]) => `${{each.tagName}} ${{each.className}} ${{each.textContent.trim().slice(0, 20)}}`)"""


def look(page: "Page", name: str, width: int, scheme: str) -> None:
    """Holds an open page to it all, and keeps a picture where HANAFU_SCREENSHOTS names a folder."""
    from axe_playwright_python.sync_playwright import Axe

    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    if width == min(each for each, _ in SCREENS):
        assert page.evaluate(SMALL) == []
    if (width, scheme) in ASKED:
        found = Axe().run(page).response["violations"]
        assert [(each["id"], [node["target"] for node in each["nodes"]][:5]) for each in found] == []
    if folder := os.environ.get("HANAFU_SCREENSHOTS"):
        page.wait_for_load_state("networkidle")
        page.screenshot(path=Path(folder) / f"{name}-{width}-{scheme}.png", full_page=True)
