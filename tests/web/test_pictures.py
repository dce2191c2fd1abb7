"""The README's pictures, taken from the running product. HANAFU_PICTURES=1 takes them anew."""

import os
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from flask import Flask
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

    Open = Callable[..., Page]

pytestmark = [pytest.mark.browser, pytest.mark.requires("chromium", "fonts")]

FOLDER = Path(__file__).parents[2] / "web" / "docs" / "pictures"
PICTURES = {
    "replay": ("koi-koi-confirmed", "/replay?round=1&step=12&reveal=open", 1280, 860),
    "audit": ("higobana-disputed", "", 1280, 900),
}
"""Of each picture: the sample, what of it, the size of the window."""


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_can_be_taken(site: Flask, opened: "Open", name: str) -> None:
    sample, part, width, height = PICTURES[name]
    raw = (resources.files("service.samples") / f"{sample}.json").read_bytes()
    added = site.extensions["hanafu"].add(raw, "application/json", sample=True)
    page = opened(f"/records/{added.id}{part}", width=width, scheme="light")
    page.set_viewport_size({"width": width, "height": height})
    expect(page.locator("h1")).to_be_visible()
    page.wait_for_load_state("networkidle")
    picture = page.screenshot()
    assert len(picture) > 20_000
    if os.environ.get("HANAFU_PICTURES"):
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / f"{name}.png").write_bytes(picture)
    assert (FOLDER / f"{name}.png").is_file()
