"""Things on the cards that are neither plant nor beast: ribbons, sun and moon, curtain, bridge, cup, rain man, storm, jokers' signs."""

from __future__ import annotations

from typing import Literal

from .shapes import (
    at,
    bar,
    blob,
    brush,
    disc,
    dots,
    el,
    g,
    line,
    moved,
    polar,
    polygon,
    rays,
    ring,
    rings,
    segments,
    shape,
    smooth,
)

Ribbon = Literal["poem", "red", "blue"]

# Ribbons --------------------------------------------------------------------------------------------------------------

_WRITING = (
    (("-5,-26 1,-28 5,-26", 2.2, 3, 1.2), ("0,-29 -1,-22 -4,-17", 2.6, 2.2, 1), ("3,-22 -3,-17 4,-14 3,-20", 1.4, 2.4, 1)),
    (("-4,-8 3,-9 1,-1 -3,1", 1.4, 2.8, 2.2, 1), ("4,-4 6,-1", 2.2, 1)),
    (("0,5 0,12 -3,16 -4,13 4,14", 2.6, 2.2, 2, 1.6, 1.2), ("0,8 4,7", 1.6, 1)),
    (("-4,21 3,20 -3,27 3,26 3,30 -2,30", 1.4, 2.6, 2, 2.2, 2, 1),),
)
"""Brush marks that stand for the words of a poem: they are no letters."""


def ribbon(kind: Ribbon) -> str:
    """A paper strip hung from a cord, 22 x 92: red with writing, plain red, or blue with two pale bands."""
    ground, shade = ("indigo", "d5") if kind == "blue" else ("red", "red-dark")
    if kind == "poem":
        marks = shape("".join(brush(s, *widths) for word in _WRITING for s, *widths in word), "snow")
    elif kind == "blue":
        marks = line("M-9.4 -27L9.4 -27M-9.4 -22.6L9.4 -22.6M-9.4 24L9.4 24M-9.4 28.4L9.4 28.4", "snow", 2.2)
    else:
        marks = ""
    return (
        line("M0 -38Q-5 -46 2 -50Q7 -47 1 -40", "gold", 1.4)
        + shape("M-11 -38Q0 -40 11 -38V36Q5 42 0 40Q-6 38 -11 41Z", ground, "snow", 1.8)
        + shape("M-11 41Q-6 38 0 40Q5 42 11 36V31Q5 37 0 35.4Q-6 34 -11 36.6Z", shade)
        + marks
        + disc(0, -34.4, 1.5, "snow")
    )


# Sky ------------------------------------------------------------------------------------------------------------------


def sun(x: float, y: float, r: float) -> str:
    """The red disc of the rising sun."""
    return disc(x, y, r, "red")


def moon(x: float, y: float, r: float) -> str:
    """The full moon, haloed."""
    return disc(x, y, r, "moon", "snow", 1.4)


def crescent(x: float, y: float, r: float) -> str:
    """A waning moon."""
    outer, inner = r, r * 0.84
    d = f"M{x} {y - r}A{outer} {outer} 0 1 0 {x + r} {y + r * 0.5:.1f}A{inner:.1f} {inner:.1f} 0 0 1 {x} {y - r}Z"
    return shape(d, "gold-lit", "gold", 1)


def sky(role: str) -> str:
    """The whole window in one colour."""
    return bar(0, 30, 100, 130, role)


def mist(x: float, y: float, length: float, role: str = "mist") -> str:
    """A bank of drifting mist, as old prints draw it: flat bands with round ends."""
    return bar(x, y, length, 5, role, 2.5) + bar(x + length * 0.22, y - 5, length * 0.6, 5, role, 2.5)


def rain(drops: int, role: str) -> str:
    """Slanting rain over the whole window."""
    feet = (((i * 37) % 101, 38 + (i * 53) % 112) for i in range(drops))
    return line(segments(((x, y), (x - 3.4, y + 11)) for x, y in feet), role)


def ripples(x: float, y: float, n: int = 3) -> str:
    """Rings on water, flat."""
    return line("".join(ring(x, y, 9 * i, 2.6 * i) for i in range(1, n + 1)), "water", 1.2)


# Curtain, bridge, cup -------------------------------------------------------------------------------------------------


def _star(n: int, outer: float, inner: float, x: float = 0, y: float = 0) -> str:
    return polygon([polar(outer if k % 2 == 0 else inner, 180 * k / n, x, y) for k in range(2 * n)])


def curtain() -> str:
    """A striped field curtain across the foot of the card, swagged from two cords."""
    top = 110
    panels = "".join(bar(2 + 16 * i, top + 6, 16, 44, "snow" if i % 2 else "red") for i in range(6))
    upper, lower = "0,-6 17,3 34,-3 50,5 66,-3 83,3 100,-6", "100,9 83,18 66,12 50,20 34,12 17,18 0,9"
    edge = smooth(upper) + "L" + smooth(lower)[1:] + "Z"
    crests = "".join(disc(x, 10.5 + dy, 5, "gold-lit") + shape(_star(5, 3.7, 1.6, x, 10.5 + dy), "d4")
                     for x, dy in ((17, 0), (50, 2), (83, 0)))  # fmt: skip
    cords = "".join(
        shape(f"M{x} 3L{x - 4} 28L{x} 25L{x + 4} 28Z", "gold", "gold-dark", 0.6) + disc(x, 4, 3.4, "gold-lit", "gold-dark")
        for x in (34, 66)
    )
    return panels + at(0, top, shape(edge, "d4", "snow", 1.4), crests, cords)


_SPANS = (((-2, 118), (36, 106)), ((28, 109), (66, 131)), ((58, 130), (103, 114)))
_POSTS = ((8, 122), (31, 116), (61, 136), (90, 126))


def bridge() -> str:
    """The plank bridge in zigzag over water: three spans on posts."""
    rows = "".join(smooth([(x, y + (-1.5 if i % 2 else 1)) for i, x in enumerate(range(2, 99, 8))]) for y in (144, 149.5, 155))
    spans = []
    for (ax, ay), (bx, by) in _SPANS:
        nails = [(ax + (bx - ax) * t, ay + (by - ay) * t) for t in (0.16, 0.5, 0.84)]
        seams = [((ax, ay + 5.5), (bx, by + 5.5)), *(((x, y), (x, y + 11)) for x, y in nails)]
        deck = shape(polygon([(ax, ay), (bx, by), (bx, by + 11), (ax, ay + 11)]), "bark-lit", "bark", 1.6)
        spans.append(deck + line(segments(seams), "bark", 1.1))
    posts = line(segments(((x, y), (x, y + 20)) for x, y in _POSTS), "bark", 4)
    return line(rows, "water", 1.5) + posts + "".join(spans)


def cup() -> str:
    """A lacquer sake cup on its foot, seen a little from above, a gilt flower inside and out. About 66 wide."""
    crest = "".join(moved(ring(0, -6.6, 2.8, 3.8), turn=72 * i) for i in range(5)) + ring(0, 0, 2)
    return (
        shape("M-12 16Q-10 24 -14 29H14Q10 24 12 16Z", "red-dark", "snow", 1)
        + shape("M-33 -6C-32 12 -16 20 0 20C16 20 32 12 33 -6Z", "red", "snow", 1.2)
        + shape(ring(0, -6, 33, 11), "gold-lit", "red-dark", 1.2)
        + shape(ring(0, -5, 29, 8.6), "red-dark")
        + shape(ring(0, -3.4, 24, 5.8), "red")
        + el("g", shape(crest, "gold-lit"), transform="translate(0 -3.6)scale(1 .42)")
        + shape(moved(crest, 2, 11.4, scale=0.5), "gold-lit")
        + line("M-25 5Q-20 13 -11 16", "t6", 1.8)
    )


# Rain man -------------------------------------------------------------------------------------------------------------

_CANOPY = "M-38 6C-34 -14 -16 -26 0 -26C16 -26 34 -14 38 6Q32 1 25.4 6Q19 0 12.8 6Q6.4 0 0 6Q-6.4 0 -12.8 6Q-19 0 -25.4 6Q-32 1 -38 6Z"
_CANOPY_RING = "M-29.4 -10C-22 -17 -10 -20 0 -20C10 -20 22 -17 29.4 -10Q34 -5 35.6 -1Q20 -9 0 -9Q-20 -9 -35.6 -1Q-34 -5 -29.4 -10Z"


def umbrella() -> str:
    """An oiled-paper umbrella open over (0, 0), its crown at y = -26. About 76 wide."""
    ribs = "".join(f"M0 -26Q{x * 0.62:.1f} {-18 + abs(x) * 0.1:.1f} {x} 6" for x in (-25.4, -12.8, 0, 12.8, 25.4))
    return shape(_CANOPY, "red", "sumi", 1.2) + shape(_CANOPY_RING, "snow") + line(ribs, "sumi", 0.9) + line("M0 -26V-31", "sumi", 2.6)


def rain_man() -> str:
    """The poet in court dress and high clogs under his umbrella. About 76 wide, crown at y = -65, feet at 45."""
    clog = "M0 0H10V2.6H8.6V6H6.6V2.6H3.4V6H1.4V2.6H0Z"
    hat = shape("M-7.6 -23Q-7 -32 -1 -32.6Q5 -32 5.6 -24.6Q-1 -27 -7.6 -23Z", "sumi")
    return (
        at(-12, 39, shape(clog, "bark"))
        + at(6, 39, shape(clog, "bark"))
        + shape(blob("-8,-14 7,-14 14,2 19,26 20,37 2,39 -17,37 -15,22 -13,0"), "indigo", "paper", 1)
        + shape("M-17.4 31Q2 36 20 31L20.4 37Q2 41 -17.6 37Z", "gold-lit")
        + line("M-7 -13L0 -3L6 -13", "snow", 2.2)
        + shape("M-13.4 6Q0 10 15.4 6L16.4 11Q0 15 -13.8 11Z", "red")
        + line("M-6 15Q-8 25 -8 34M4 15Q5 25 5 35M11 14Q13 24 14 33", "t5")
        + shape("M-2.4 -14L-.8 -9L.8 -14Z", "sumi")
        + shape(ring(-1, -20.6, 6.4, 7.4), "skin", "sumi")
        + hat
        + shape(brush("3,-29 9,-26 11,-19", 3, 2.4, 1), "sumi")
        + line("M-5 -20.6H-2.4M1 -20.6H3.4M-2.4 -16.6Q-.8 -15.6 .6 -16.6", "sumi", 0.9)
        + line("M8 -30V14", "bark", 2)
        + shape(blob("4,-11 13,-8 17,0 14,8 6,5 5,-4"), "d5", "paper")
        + disc(8.4, -2, 2.6, "skin", "sumi", 0.6)
        + at(6, -34, umbrella())
    )


# Storm ----------------------------------------------------------------------------------------------------------------

_CLOUD = "M-20 0A10 10 0 0 1 -6 -9A12.4 12.4 0 0 1 16 -7A8 8 0 0 1 24 4Z"
_CURL = "M6 -2A5.6 5.6 0 1 0 -4 -1.6"


def _cloud(x: float, y: float, scale: float) -> str:
    return at(x, y, shape(_CLOUD, "storm-lit", "snow", 1), line(_CURL, "snow"), scale=scale)


def lightning() -> str:
    """A bolt out of the storm clouds, across the thunder god's ring of drums."""
    drums = [polar(38, 45 * i + 22, 50, 96) for i in range(8)]
    bolt = polygon("64,34 28,96 50,94 32,154 76,82 53,84 82,34")
    return (
        line(ring(50, 96, 38), "red", 1.8)
        + shape(rings(drums, 8), "red", "snow", 1.1)
        + dots(drums, 3.2, "snow")
        + shape(bolt, "storm", "storm", 5)
        + shape(bolt, "gold-lit")
        + _cloud(22, 50, 1)
        + _cloud(74, 54, 1.1)
    )


# Jokers ---------------------------------------------------------------------------------------------------------------


def open_fan() -> str:
    """A gilt folding fan with a rising sun: the sign of Basa. About 84 wide, its pivot at (0, 34)."""
    pivot = (0, 34)
    folds = ((20, 0), (52, 0), (50, 4.5), (52, 9), (20, 9))
    blades = [polygon([polar(r, a + da, *pivot) for r, da in folds]) for a in range(-54, 54, 9)]
    ribs = moved(rays(9, -52, 52, 0, 21), *pivot)
    pleats = moved(rays(3, -9, 9, 24, 47), *pivot)
    return (
        line("M0 34Q8 40 4 50M0 34Q-4 42 -2 53", "red", 1.8)
        + shape("".join(blades[::2]), "gold", "gold-dark", 0.7)
        + shape("".join(blades[1::2]), "gold-lit", "gold-dark", 0.7)
        + disc(0, -2, 11.4, "red")
        + line(pleats, "red-dark", 0.9)
        + line(ribs, "bark", 2)
        + disc(*pivot, 3, "gold-dark")
    )


def target() -> str:
    """A target with an arrow in its middle: the sign of Chu, "centre" and "a hit". About 88 wide."""
    rings = ((36, "sumi"), (33, "snow"), (27, "sumi"), (21, "snow"), (14, "red"), (5, "snow"))
    vanes = polygon("0,0 5,-6 5,-20 0,-15 -5,-20 -5,-6")
    return (
        line(rays(8, 0, 315, 39.5, 43), "gold", 2)
        + g(*(disc(0, 0, r, role) for r, role in rings))
        + shape(brush("0,0 18,-20 35,-39", 2.6, 2.6, 2.6), "bark", "snow")
        + shape(moved(vanes, 35, -39, 42), "gold-lit", "gold-dark")
    )
