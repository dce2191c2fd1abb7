"""The whole deck as one file of symbols, and single cards or rows of cards as pictures of their own."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from html import escape

from . import frame, scenes
from .catalogue import BACK, CODES, TWINS, UNKNOWN, UNLAWFUL, parts, title
from .shapes import el

GAP = 8
"""Between cards in a picture of several, in card units."""

_XMLNS = "http://www.w3.org/2000/svg"
_BOX = f"0 0 {frame.WIDTH} {frame.HEIGHT}"
_OTHERS = {
    "card-back": (BACK.en, frame.back),
    "card-unknown": (UNKNOWN.en, frame.unknown),
    "card-hatch": (UNLAWFUL.en, frame.hatch),
}


def symbol_id(code: str, twin: bool = False) -> str:
    """The symbol of a card: `card-1B`; of the second of two alike: `card-1C-2`. ValueError for an unknown code.

    A card that should be there once and comes a second time, as in an unlawful record, has the same picture both times.
    """
    parts(code)
    return f"card-{code}-2" if twin and code in TWINS else f"card-{code}"


@cache
def drawing(code: str, twin: bool = False) -> str:
    """The inside of one card's symbol, without its title; `?` is a card not recorded. ValueError for an unknown code."""
    if code == "?":
        return frame.unknown()
    key = symbol_id(code, twin).removeprefix("card-")
    return frame.face(scenes.picture(key), *parts(code))


def _symbol(identity: str, words: str, body: str, height: int) -> str:
    return el("symbol", el("title", escape(words)), body, id=identity, viewBox=f"0 0 {frame.WIDTH} {height}")


@cache
def sprite() -> str:
    """One SVG with a symbol for each card, its chip, the back, the unknown card and the hatching, all titled in English."""
    symbols = []
    for code in CODES:
        for twin in (False, True) if code in TWINS else (False,):
            symbols.append(_symbol(symbol_id(code, twin), title(code), drawing(code, twin), frame.HEIGHT))
        symbols.append(_symbol(f"chip-{code}", title(code), frame.chip(*parts(code)), frame.CHIP_HEIGHT))
    symbols += [_symbol(identity, words, draw(), frame.HEIGHT) for identity, (words, draw) in _OTHERS.items()]
    return el("svg", *symbols, xmlns=_XMLNS)


def card_svg(code: str, width: float = frame.WIDTH, lang: str = "en") -> str:
    """One card (`?`: a card not recorded) as a picture of its own, `width` px wide. ValueError for an unknown code."""
    height = width * frame.HEIGHT / frame.WIDTH
    words = el("title", escape(title(code, lang)))
    return el("svg", words, drawing(code), xmlns=_XMLNS, role="img", width=width, height=height, viewBox=_BOX)


def deck_svg(codes: Sequence[str], lang: str = "en", columns: int = 12) -> str:
    """Several cards in rows of `columns` (at least 1), as one picture; the second of a code is drawn as its twin.

    `?` is a card not recorded. ValueError for an unknown code.
    """
    seen: set[str] = set()
    cards = []
    for i, code in enumerate(codes):
        x, y = i % columns * (frame.WIDTH + GAP), i // columns * (frame.HEIGHT + GAP)
        words = el("title", escape(title(code, lang)))
        body = drawing(code, twin=code in seen)
        cards.append(el("svg", words, body, role="img", x=x, y=y, width=frame.WIDTH, height=frame.HEIGHT, viewBox=_BOX))
        seen.add(code)
    width = max(min(len(codes), columns), 1) * (frame.WIDTH + GAP) - GAP
    height = max(-(-len(codes) // columns), 1) * (frame.HEIGHT + GAP) - GAP
    return el("svg", *cards, xmlns=_XMLNS, viewBox=f"0 0 {width} {height}", width=width, height=height)
