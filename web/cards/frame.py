"""What every card has round its picture: paper, header band with month, kind and pip, frame; and the cards without a face."""

from __future__ import annotations

from . import glyphs
from .palette import DARK_TEXT, JOKER_TEXT, band, band_text
from .shapes import bar, disc, dots, el, line, polar, segments, shape

WIDTH, HEIGHT, RADIUS, BAND = 100, 160, 8, 34
CHIP_HEIGHT = 40

_FRAMES = {"B": ("frame-bright", 4.0), "A": ("frame-animal", 2.4), "J": ("red", 3.2)}
_PLAIN = ("frame-plain", 1.6)


def colours(month: int) -> tuple[str, str]:
    """Ground and lettering of a header: the month's, or the jokers' for month 0."""
    return (band(month), band_text(month)) if month else (DARK_TEXT, JOKER_TEXT)


def _window(picture: str, x: int, y: int, width: int, height: int) -> str:
    """A picture cut to a rectangle, its lines round-ended: an inner `svg` clips without an id, so a symbol works in any page."""
    box = f"{x} {y} {width} {height}"
    return el("svg", picture, x=x, y=y, width=width, height=height, viewBox=box, stroke_linecap="round", stroke_linejoin="round")


def _border(kind: str, height: float) -> str:
    role, w = _FRAMES.get(kind, _PLAIN)
    border = bar(w / 2, w / 2, WIDTH - w, height - w, "none", RADIUS - w / 2, role, w)
    return border + bar(4.6, 4.6, WIDTH - 9.2, height - 9.2, "none", 4, "gold", 0.9) if kind == "J" else border


def _lettering(month: int, letter: str, kind: str, middle: float) -> str:
    paint, top = colours(month)[1], middle - glyphs.CAP / 2
    number = str(month) if month else "J"
    right = 73 - glyphs.width(letter)
    return glyphs.write(number, 11, top, paint) + glyphs.write(letter, right, top, paint) + glyphs.pip(kind, 85.5, middle, paint)


def header(month: int, letter: str, kind: str) -> str:
    """The band: month number (J for a joker, whose month is 0), kind letter, pip."""
    r = RADIUS
    ground = f"M0 {BAND}V{r}A{r} {r} 0 0 1 {r} 0H{WIDTH - r}A{r} {r} 0 0 1 {WIDTH} {r}V{BAND}Z"
    rule = "" if month else bar(0, BAND, WIDTH, 1, "gold")
    return shape(ground, colours(month)[0]) + rule + _lettering(month, letter, kind, 18.2)


def face(picture: str, month: int, letter: str, kind: str) -> str:
    """A whole card: the picture shows through a window below the band, under the frame."""
    sheet = bar(0, 0, WIDTH, HEIGHT, "paper", RADIUS)
    window = _window(picture, 2, BAND, WIDTH - 4, HEIGHT - BAND - 2)
    return sheet + window + header(month, letter, kind) + _border(kind, HEIGHT)


def chip(month: int, letter: str, kind: str) -> str:
    """The band alone, for places narrower than 40 px."""
    ground = bar(0, 0, WIDTH, CHIP_HEIGHT, colours(month)[0], RADIUS)
    return ground + _lettering(month, letter, kind, CHIP_HEIGHT / 2) + _border(kind, CHIP_HEIGHT)


def back() -> str:
    """A face-down card: lacquer red, waves in a window, a gilt blossom."""
    arcs = []
    for row in range(18):
        for column in range(7):
            x, y = 16 * column + (8 if row % 2 else 0), 8 * row + 16
            arcs += [f"M{x - r} {y}A{r} {r} 0 0 1 {x + r} {y}" for r in (8, 5.2, 2.4)]
    seal = disc(50, 80, 17, "back", "gold-lit", 1.4)
    blossom = dots([polar(7.2, 72 * i, 50, 80) for i in range(5)], 4.6, "gold-lit") + disc(50, 80, 2.6, "back")
    return (
        bar(0, 0, WIDTH, HEIGHT, "back", RADIUS)
        + _window(line("".join(arcs), "back-lit") + seal + blossom, 9, 9, 82, 142)
        + bar(9, 9, 82, 142, "none", 2, "gold-lit", 1.4)
    )


def unknown() -> str:
    """A card of which the record says nothing: a dashed outline and a question mark."""
    return (
        bar(0, 0, WIDTH, HEIGHT, "mist", RADIUS)
        + el("rect", x=3, y=3, width=94, height=154, rx=6, fill="none", stroke="frame-plain", stroke_width=2.4, stroke_dasharray="7 5")
        + glyphs.write("?", 37, 54, "ink", scale=2.5, stroke=3)
    )


def hatch(step: int = 20) -> str:
    """Diagonal lines over a card's picture, for one played unlawfully: edged in white, and clear of the band, which stays legible."""
    left, top, right, bottom = 3.2, BAND + 2, WIDTH - 3.2, HEIGHT - 3.2
    lines = []
    for total in range(int(left + top) + step, int(right + bottom), step):  # the line x + y = total, cut at the edges
        start, end = max(left, total - bottom), min(right, total - top)
        lines.append(((start, total - start), (end, total - end)))
    d = segments(lines)
    return line(d, "snow", 4.4) + line(d, "red", 2.6)
