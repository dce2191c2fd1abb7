"""The deck: its codes, titles and colours (rules.md 1; the design's section "Cards"), and its pictures as a browser draws them.

Colour distance is CIE76 in Lab (D65); deuteranopia and protanopia are simulated after Machado, Oliveira and Fernandes (2009) at full
severity, in linear light. Pictures are drawn by Chromium and read back from a canvas.
"""

import base64
import itertools
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import numpy as np
import pytest
from numpy.typing import NDArray

from records.cards import CODES as DECK
from web import cards
from web.cards import frame, palette
from web.cards.catalogue import MOTIFS, SUITS, parts

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

Pixels = NDArray[np.float64]

SVG = "{http://www.w3.org/2000/svg}"
CSS = Path(cards.__file__).parent.parent / "static" / "cards.css"
FACES = [cards.symbol_id(code) for code in cards.CODES] + [cards.symbol_id(code, twin=True) for code in sorted(cards.TWINS)]

# Colour ---------------------------------------------------------------------------------------------------------------

PROTANOPIA = np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]])
DEUTERANOPIA = np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]])
VISIONS = {"normal": np.eye(3), "protanopia": PROTANOPIA, "deuteranopia": DEUTERANOPIA}
TO_XYZ = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]])
WHITE = np.array([0.95047, 1.0, 1.08883])


def rgb(colour: str) -> Pixels:
    """`#RRGGBB` as three numbers in 0..1."""
    return np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])


def linear(srgb: Pixels) -> Pixels:
    """Gamma-coded values in 0..1 as light."""
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


def lab(srgb: Pixels, vision: Pixels) -> Pixels:
    """CIE Lab of colours along the last axis, as an eye with this vision sees them."""
    xyz = np.clip(linear(srgb) @ vision.T, 0, 1) @ TO_XYZ.T / WHITE
    f = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz * (29 / 6) ** 2 / 3 + 4 / 29)
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], axis=-1)


def contrast(one: str, other: str) -> float:
    """The WCAG contrast of two colours, 1 to 21."""
    dark, light = sorted(float(linear(rgb(colour)) @ TO_XYZ[1]) for colour in (one, other))
    return (light + 0.05) / (dark + 0.05)


def test_colour_measures_on_known_values() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)  # WCAG's well-known near miss
    assert lab(rgb("#FFFFFF"), np.eye(3)) == pytest.approx([100, 0, 0], abs=0.02)
    assert lab(rgb("#FF0000"), np.eye(3)) == pytest.approx([53.24, 80.09, 67.20], abs=0.02)
    assert lab(rgb("#808080"), PROTANOPIA) == pytest.approx(lab(rgb("#808080"), np.eye(3)), abs=0.05)  # grey stays grey


@pytest.mark.parametrize("month", range(1, 13))
def test_header_text_contrast(month: int) -> None:
    text = palette.band_text(month)
    assert contrast(palette.MONTHS[month - 1], text) >= 4.5
    assert contrast(palette.CONTRAST_MONTHS[month - 1], text) >= 7


def test_joker_header_text_contrast() -> None:
    ground, text = frame.colours(0)
    assert contrast(ground, text) >= 7


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("bands", [palette.MONTHS, palette.CONTRAST_MONTHS], ids=["classic", "contrast"])
def test_header_colours_are_25_apart_in_lab(bands: tuple[str, ...], vision: str) -> None:
    seen = [lab(rgb(colour), VISIONS[vision]) for colour in bands]
    nearest = min((float(np.linalg.norm(seen[i] - seen[j])), i + 1, j + 1) for i, j in itertools.combinations(range(12), 2))
    assert nearest[0] >= 25, f"months {nearest[1]} and {nearest[2]} are {nearest[0]:.1f} apart"


def test_the_bands_are_the_palette_of_the_design(shared: Path) -> None:
    text = (shared / "design" / "ui.md").read_text(encoding="utf-8")
    found = re.search(r"months 1–12:\s+`([^`]+)`", text)
    assert found is not None
    assert tuple(found[1].split()) == palette.MONTHS


def test_every_theme_has_a_colour_for_every_role() -> None:
    for role, tone in palette.TONES.items():
        assert all(re.fullmatch(r"#[0-9A-F]{6}", colour) for colour in tone), role


def test_the_stylesheet_holds_the_palette() -> None:
    assert palette.variables_css() in CSS.read_text(encoding="utf-8")


# Codes and titles -----------------------------------------------------------------------------------------------------


def test_every_code_has_its_symbols_with_a_title() -> None:
    root = ET.fromstring(cards.sprite())
    titles = {symbol.get("id"): symbol.findtext(f"{SVG}title") for symbol in root}
    for code in set(DECK):
        assert titles[f"card-{code}"] == titles[f"chip-{code}"] == cards.title(code)
    twins = {code for code in DECK if DECK.count(code) == 2}
    assert len(twins) == 11
    assert all(titles[f"card-{code}-2"] == cards.title(code) for code in twins)
    assert {"card-back", "card-unknown", "card-hatch"} <= titles.keys()
    assert len(titles) == len(root) == 39 + 11 + 39 + 3  # codes, twins, chips, others; no id twice


def test_symbol_ids() -> None:
    assert cards.symbol_id("1B") == "card-1B"
    assert cards.symbol_id("12C", twin=True) == "card-12C-2"
    assert cards.symbol_id("1B", twin=True) == "card-1B"  # there is one crane, also where a record shows two


@pytest.mark.parametrize("code", ["", "1Y", "13C", "1b", "J", "?B"])
def test_unknown_codes_are_refused_with_what_a_code_is(code: str) -> None:
    draw: list[Callable[[str], object]] = [cards.symbol_id, cards.title, cards.card_svg, lambda c: cards.deck_svg([c])]
    for function in draw:
        with pytest.raises(ValueError, match=f"no card has the code '{re.escape(code)}'; a code is month and kind"):
            function(code)


@pytest.mark.parametrize(
    ("code", "en", "pt", "ja"),
    [
        ("1B", "Pine, bright: crane", "Pinheiro, luz: grou", "松 matsu・光 hikari：鶴 tsuru"),
        ("2R", "Plum blossom, ribbon: poetry ribbon", "Ameixeira, fita: fita de poesia", "梅 ume・短冊 tanzaku：歌短冊 uta-tanzaku"),
        ("7C", "Bush clover, chaff", "Lespedeza, simples", "萩 hagi・カス kasu"),
        ("11C", "Willow, chaff: lightning", "Salgueiro, simples: relâmpago", "柳 yanagi・カス kasu：稲妻 inazuma"),
        ("12Y", "Paulownia, yellow chaff", "Paulównia, simples amarela", "桐 kiri・黄カス ki-kasu"),
        ("JB", "Joker: Basa", "Curinga: Basa", "ジョーカー jōkā：バサ basa"),
        ("?", "Card not recorded", "Carta não registrada", "記録のない札"),
    ],
)
def test_titles(code: str, en: str, pt: str, ja: str) -> None:
    assert (cards.title(code), cards.title(code, "pt"), cards.title(code, "ja")) == (en, pt, ja)


@pytest.mark.parametrize("lang", ["en", "pt", "ja"])
def test_titles_tell_all_cards_apart(lang: str) -> None:
    assert len({cards.title(code, lang) for code in cards.CODES}) == len(cards.CODES)


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="no titles in 'de'; there are en, pt, ja"):
        cards.title("1B", "de")


def test_names_are_those_of_rules_1(shared: Path) -> None:
    text = (shared / "spec" / "rules.md").read_text(encoding="utf-8")
    section = text[text.index("## 1. Cards") : text.index("## 2. ")]
    rows = re.findall(r"^\| (\d+) \| (.+?) \| (.+?) \| (.+?) \|$", section, re.MULTILINE)
    assert [int(month) for month, *_ in rows] == list(range(1, 13))
    for month, suit, japanese, listed in rows:
        names = SUITS[int(month) - 1]
        assert (names.en, names.ja) == (suit, japanese)
        for code, motif in re.findall(r"`(\w+)` ([A-Z][\w -]+)", listed):
            assert MOTIFS[code].en == motif.strip().lower()


# Text of the drawings -------------------------------------------------------------------------------------------------


def test_the_sprite_stands_alone() -> None:
    text = cards.sprite()
    assert "url(" not in text
    assert "<script" not in text
    assert "<image" not in text
    assert text.count("http") == 1  # the namespace
    assert set(re.findall(r"var\(--card-([\w-]+), (#\w+)\)", text)) <= {(r, t.classic) for r, t in palette.TONES.items()}


def test_card_svg_is_a_titled_picture_of_the_asked_width() -> None:
    root = ET.fromstring(cards.card_svg("8B", 250, lang="pt"))
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("250", "400", "0 0 100 160")
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "Capim susuki, luz: lua cheia"


def test_deck_svg_sets_cards_in_rows_and_draws_twins_differently() -> None:
    root = ET.fromstring(cards.deck_svg(["1C", "1C", "1B", "?"], columns=3))
    assert root.get("viewBox") == "0 0 316 328"  # three cards of 100 and two gaps of 8; two rows
    assert [(card.get("x"), card.get("y")) for card in root] == [("0", "0"), ("108", "0"), ("216", "0"), ("0", "168")]
    assert [card.findtext(f"{SVG}title") for card in root] == ["Pine, chaff"] * 2 + ["Pine, bright: crane", "Card not recorded"]
    assert ET.tostring(root[0][2]) != ET.tostring(root[1][2])


@pytest.mark.parametrize(("code", "frame_width"), [("1B", 4), ("2A", 2.4), ("3R", 1.6), ("4C", 1.6), ("12Y", 1.6)])
def test_the_frame_tells_the_kind(code: str, frame_width: float) -> None:
    outline = [e for e in ET.fromstring(cards.card_svg(code)).findall(f"{SVG}rect") if e.get("fill") == "none"]
    assert [float(e.get("stroke-width", "0")) for e in outline] == [frame_width]


# Pictures in a browser ------------------------------------------------------------------------------------------------

READ_PIXELS = """async ([address, width, height]) => {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), {width, height});
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0, width, height);
  const bytes = context.getImageData(0, 0, width, height).data;
  let text = "";
  for (let i = 0; i < bytes.length; i += 4096) text += String.fromCharCode(...bytes.subarray(i, i + 4096));
  return btoa(text);
}"""


@pytest.fixture(scope="module")
def page(browser: "Browser") -> Iterator["Page"]:
    """An empty page."""
    opened = browser.new_page()
    yield opened
    opened.close()


def draw(page: "Page", svg: str, width: int, height: int) -> Pixels:
    """An SVG's picture: height x width x RGBA in 0..1."""
    address = f"data:image/svg+xml,{quote(svg)}"
    return as_pixels(page.evaluate(READ_PIXELS, [address, width, height]), width, height)


def as_pixels(text: str, width: int, height: int) -> Pixels:
    return np.frombuffer(base64.b64decode(text), dtype=np.uint8).reshape(height, width, 4) / 255


@pytest.fixture(scope="module")
def symbols() -> dict[str, str]:
    """The inside of every symbol of the sprite, by id."""
    ET.register_namespace("", SVG.strip("{}"))
    return {s.get("id", ""): "".join(ET.tostring(e, encoding="unicode") for e in s) for s in ET.fromstring(cards.sprite())}


def rounded(width: int, height: int, scale: int, grow: float) -> NDArray[np.bool_]:
    """Which pixels of a margin of 20 units about a card lie outside its rounded outline widened by `grow` units."""
    y, x = (np.mgrid[0 : (height + 40) * scale, 0 : (width + 40) * scale] + 0.5) / scale - 20
    r = float(frame.RADIUS)
    dx = np.maximum(np.abs(x - width / 2) - (width / 2 - r), 0)
    dy = np.maximum(np.abs(y - height / 2) - (height / 2 - r), 0)
    return np.asarray(np.hypot(dx, dy) > r + grow)


@pytest.mark.browser
@pytest.mark.slow
def test_nothing_leaves_its_frame(page: "Page", symbols: dict[str, str]) -> None:
    scale = 2
    for identity, body in symbols.items():
        height = frame.CHIP_HEIGHT if identity.startswith("chip") else frame.HEIGHT
        view = f'viewBox="-20 -20 {frame.WIDTH + 40} {height + 40}"'
        size = ((frame.WIDTH + 40) * scale, (height + 40) * scale)
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" {view} width="{size[0]}" height="{size[1]}">{body}</svg>'
        alpha = draw(page, svg, *size)[..., 3]
        assert alpha[rounded(frame.WIDTH, height, scale, 0.6)].max() == 0, identity
        if identity != "card-hatch":
            assert alpha[~rounded(frame.WIDTH, height, scale, -0.6)].min() == 1, f"{identity} has a hole"


@pytest.fixture(scope="module")
def small(page: "Page", symbols: dict[str, str]) -> dict[str, Pixels]:
    """Every face 44 px wide, as RGB."""
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 160" width="44" height="70">'
    others = ["card-back", "card-unknown"]
    return {i: draw(page, f"{head}{symbols[i]}</svg>", 44, 70)[..., :3] for i in FACES + others}


def apart(one: Pixels, other: Pixels) -> float:
    """The share of pixels whose lightness or colour differs clearly (more than 10 in Lab)."""
    return float((np.linalg.norm(one - other, axis=-1) > 10).mean())


@pytest.mark.browser
@pytest.mark.parametrize("vision", [*VISIONS, "grey"])
def test_pictures_below_the_band_differ_at_44_px(small: dict[str, Pixels], vision: str) -> None:
    below = round(44 * frame.BAND / frame.WIDTH) + 1
    seen = {i: lab(pixels[below:-2, 2:-2], VISIONS.get(vision, np.eye(3))) for i, pixels in small.items()}
    if vision == "grey":
        seen = {i: pixels[..., :1] for i, pixels in seen.items()}
    for (one, a), (other, b) in itertools.combinations(seen.items(), 2):
        assert apart(a, b) > 0.25, f"{one} and {other} look alike: {apart(a, b):.3f}"


@pytest.mark.browser
def test_every_picture_is_drawn(small: dict[str, Pixels]) -> None:
    paper = rgb(palette.TONES["paper"].classic)
    for identity in FACES:
        window = small[identity][17:-3, 3:-3]
        inked = float((np.abs(window - paper).max(axis=-1) > 0.1).mean())
        assert inked > 0.15, f"{identity} is nearly empty: {inked:.3f}"


@pytest.mark.browser
def test_twins_differ_in_density_only(small: dict[str, Pixels]) -> None:
    paper = rgb(palette.TONES["paper"].classic)

    def inked(identity: str) -> float:
        return float((np.abs(small[identity][17:-3, 3:-3] - paper).max(axis=-1) > 0.1).mean())

    for code in cards.TWINS:
        first, second = cards.symbol_id(code), cards.symbol_id(code, twin=True)
        assert inked(first) > inked(second), code
        assert np.array_equal(small[first][:14], small[second][:14]), f"{code}: the bands differ"


@pytest.mark.browser
@pytest.mark.parametrize(
    ("scheme", "theme", "tone"),
    [("light", "", 0), ("dark", "", 2), ("dark", "classic", 0), ("light", "dark", 2), ("light", "contrast", 1), ("dark", "contrast", 1)],
)
def test_themes_reach_the_symbols_of_another_file(page: "Page", scheme: str, theme: str, tone: int) -> None:
    """A page shows cards out of `/cards.svg`; its variables must reach them there, or the themes are words only."""
    html = (
        f'<meta charset="utf-8"><style>:root {{ color-scheme: {scheme} }} body {{ margin: 0 }}\n{CSS.read_text(encoding="utf-8")}</style>'
        f'<div data-cards="{theme}"><svg class="card" width="100" height="160"><use href="/cards.svg#card-12C-2"/></svg></div>'
    )

    def answer(route: "Route") -> None:
        if route.request.url.endswith("/cards.svg"):
            route.fulfill(body=cards.sprite(), content_type="image/svg+xml")
        else:
            route.fulfill(body=html, content_type="text/html")

    page.route("http://cards.test/**", answer)
    page.goto("http://cards.test/")
    shot = page.screenshot(clip={"x": 0, "y": 0, "width": 100, "height": 160})
    page.unroute("http://cards.test/**")
    address = "data:image/png;base64," + base64.b64encode(shot).decode()
    pixels = as_pixels(page.evaluate(READ_PIXELS, [address, 100, 160]), 100, 160)
    paper, band = palette.TONES["paper"][tone], palette.TONES["m12"][tone]
    assert pixels[50, 15, :3] == pytest.approx(rgb(paper), abs=0.01)  # upper left of the picture: bare paper
    assert pixels[17, 50, :3] == pytest.approx(rgb(band), abs=0.01)  # the band between number and letter


def test_every_code_has_month_letter_and_kind() -> None:
    assert parts("10R") == (10, "R", "R")
    assert parts("12Y") == (12, "Y", "Y")
    assert parts("JC") == (0, "C", "J")
