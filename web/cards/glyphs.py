"""Figures, letters and pips of the header band, as strokes: no font is needed, and every machine shows the same card."""

from __future__ import annotations

from .shapes import at, bar, disc, el, polar, polygon, shape

CAP = 18.0
"""Height of a figure or letter."""

STROKE = 3.4
GAP = 4.6

_GLYPHS: dict[str, tuple[float, str]] = {
    "0": (11, "M0 6A5.5 6 0 0 1 11 6V12A5.5 6 0 0 1 0 12Z"),
    "1": (5.5, "M.3 3.8L5.3 0V18"),
    "2": (11, "M.4 5.2A5.2 5.2 0 0 1 10.8 5.2C10.8 9.6 1.6 12.4 .4 18H11.2"),
    "3": (10.6, "M.6 0H10.2L5.2 6.8A5.6 5.6 0 1 1 0 14.6"),
    "4": (11.4, "M8.3 18V0L0 12.8H11.4"),
    "5": (10.6, "M9.8 0H1.8L1 8A5.6 5.6 0 1 1 0 15"),
    "6": (11, "M9 0C3.6 1.6 0 6.4 0 12.4A5.5 5.6 0 1 0 11 12.4A5.5 5.6 0 1 0 0 12.4"),
    "7": (11, "M0 0H11C7.4 5 4.8 11 4.2 18"),
    "8": (11, "M5.5 8A4.3 4 0 1 0 5.5 0A4.3 4 0 1 0 5.5 8A5.5 5 0 1 0 5.5 18A5.5 5 0 1 0 5.5 8"),
    "9": (11, "M2 18C7.4 16.4 11 11.6 11 5.6A5.5 5.6 0 1 0 0 5.6A5.5 5.6 0 1 0 11 5.6"),
    "A": (12, "M0 18L6 0L12 18M2.2 11.8H9.8"),
    "B": (10.8, "M.3 0V18H6A4.7 4.7 0 0 0 6 8.6H.3M6 8.6A4.3 4.3 0 0 0 6 0H.3"),
    "C": (11, "M10.9 4.4A5.5 5.6 0 0 0 0 5.6V12.4A5.5 5.6 0 0 0 10.9 13.6"),
    "J": (9, "M8.7 0V12.6A4.3 5.4 0 0 1 .1 12.4"),
    "R": (11, "M.3 18V0H6A4.9 4.9 0 0 1 6 9.8H.3M6 9.8L10.8 18"),
    "Y": (11.6, "M0 0L5.8 9.4L11.6 0M5.8 9.4V18"),
    "?": (10.6, "M.2 5.2A5.2 5.2 0 1 1 8 9.6Q5.4 10.9 5.4 13.6M5.4 17.6V17.7"),
}


def width(text: str) -> float:
    """The width of a word in the deck's lettering. KeyError for a sign that it does not have."""
    return sum(_GLYPHS[sign][0] for sign in text) + GAP * (len(text) - 1)


def write(text: str, x: float, y: float, paint: str, scale: float = 1, stroke: float = STROKE) -> str:
    """`text` with its top left at (x, y). KeyError for a sign that the lettering does not have."""
    signs, pen = [], 0.0
    for sign in text:
        advance, strokes = _GLYPHS[sign]
        signs.append(el("path", d=strokes, transform=f"translate({pen:g})" if pen else None))
        pen += advance + GAP
    ends = {"stroke_linecap": "round", "stroke_linejoin": "round"}
    return at(x, y, el("g", *signs, fill="none", stroke=paint, stroke_width=stroke, **ends), scale=scale)


def pip(kind: str, x: float, y: float, paint: str) -> str:
    """The sign of a kind about (x, y): star bright, disc animal, bar ribbon, dash chaff (yellow too), diamond joker."""
    if kind == "B":
        star = polygon([polar(8 if i % 2 == 0 else 3.5, 36 * i) for i in range(10)])
        return at(x, y, shape(star, paint))
    if kind == "A":
        return disc(x, y, 6, paint)
    if kind == "R":
        return bar(x - 3.4, y - 8, 6.8, 16, paint, 0.8)
    if kind in ("C", "Y"):
        return bar(x - 6.5, y - 2, 13, 4, paint, 0.8)
    return at(x, y, shape("M0 -8.5L6.5 0L0 8.5L-6.5 0Z", paint))
