"""Plants of months 5 to 8: iris, peony, bush clover, susuki grass."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import hypot

from .shapes import (
    Point,
    Points,
    along,
    around,
    at,
    blob,
    brush,
    dots,
    leaf,
    line,
    moved,
    points_of,
    polar,
    rays,
    segments,
    shape,
    smooth,
    wave,
)
from .spring import Placed, Spot

GROUND = 160.0

# Iris -----------------------------------------------------------------------------------------------------------------

_FALL = "M0 0C-3 -3 -15 -5 -17 5C-18.5 12 -12 19 -8 17C-9 11 -5 5 0 3Z"
_FALL_VEINS = "M-4 .5C-10 0 -14 3 -14 9M-5 2C-9 4 -10 8 -10 12"
_LIP = "M0 0C-8 3 -9 16 0 22C9 16 8 3 0 0Z"
_STANDARD = "M0 0C-7 -6 -7 -19 0 -25C7 -19 7 -6 0 0Z"
_STANDARD_VEINS = "M0 -4L0 -20M-2 -6C-4 -11 -3 -15 -2 -18M2 -6C4 -11 3 -15 2 -18"


def _iris_flower() -> str:
    """One flower about its heart: standards up, three falls down, a golden signal."""
    behind = "".join(moved(_STANDARD, 2 * side, 1, 32 * side, 0.8) for side in (-1, 1))
    falls = _FALL + moved(_FALL, flip=True)
    veins = _FALL_VEINS + moved(_FALL_VEINS, flip=True) + "M-2.6 8C-3.4 12 -2.6 15 -1.6 17M2.6 8C3.4 12 2.6 15 1.6 17M0 10L0 19"
    return (
        shape(behind, "d5", "paper", 0.9)
        + shape(_STANDARD, "p5", "paper", 0.9)
        + line(_STANDARD_VEINS, "t5", 0.8)
        + shape(falls, "p5", "paper", 0.9)
        + shape(_LIP, "p5", "paper", 0.9)
        + line(veins, "t5", 0.8)
        + shape("M0 0C-2.6 3 -1.6 8 0 10C1.6 8 2.6 3 0 0Z", "gold-lit")
    )


def iris(flowers: Sequence[Spot], blades: Sequence[tuple[float, float, float]]) -> str:
    """Flowers (x, y, scale) on their stems among sword leaves (x, height, lean), each folded along its middle."""
    stems = "".join(brush([(x - 3, GROUND), (x - 1, (y + GROUND) / 2), (x, y)], 3.6, 2.8) for x, y, _ in flowers)
    spines = [
        [(x, GROUND), (x + lean * 0.1, GROUND - h * 0.4), (x + lean * 0.4, GROUND - h * 0.75), (x + lean, GROUND - h)]
        for x, h, lean in blades
    ]
    leaves = "".join(shape(brush(spine, 8, 7.4, 5.6, 0.4), "leaf", "paper", 0.6) for spine in spines)
    folds = line("".join(smooth(spine[:3]) for spine in spines), "leaf-lit", 1)
    return shape(stems, "leaf-dark") + leaves + folds + "".join(at(x, y, _iris_flower(), scale=s) for x, y, s in flowers)


# Peony ----------------------------------------------------------------------------------------------------------------


def _ruffle(r: float, w: float) -> str:
    """A broad petal from (0, 0) upward with a tip of three waves."""
    half = [(0.9, -0.5), (0.84, -0.94), (0.36, -0.93)]
    left = [(-x * w, y * r) for x, y in half]
    return blob([(0, 0), *left, (0, -r * 1.05), *((-x, y) for x, y in left[::-1])])


def _peony_flower(r: float) -> str:
    """Broad ruffled petals about a cup that still hides its heart."""
    layers = ((6, 1.0, 0.56, 0, "d6", "t6"), (6, 0.86, 0.5, 30, "p6", "t6"), (5, 0.62, 0.4, 0, "t6", "p6"))
    rim = "".join(
        shape(moved(_ruffle(r * reach, r * w), turn=turn + 360 * i / n), fill, edge, 0.8)
        for n, reach, w, turn, fill, edge in layers
        for i in range(n)
    )
    streaks = "".join(rays(3, 60 * i - 12, 60 * i + 12, r * 0.66, r * 0.8) for i in range(6))
    cup = shape(around(4, _ruffle(r * 0.36, r * 0.26), 20), "p6", "t6", 0.7)
    anthers = dots([polar(r * 0.1 * (1 + i % 2), 45 * i) for i in range(8)], r * 0.055, "gold-lit")
    return rim + line(moved(streaks, turn=30), "t6", 0.7) + cup + anthers


def _peony_leaf(size: float) -> str:
    """Three pointed leaflets, the middle one longest, with their veins."""
    lobes = ((-48, 0.78), (48, 0.78), (0, 1.0))
    blades = "".join(moved(leaf(size * k, size * 0.42), turn=turn) for turn, k in lobes)
    veins = segments((polar(size * 0.1, turn), polar(size * k * 0.82, turn)) for turn, k in lobes)
    return shape(blades, "leaf", "paper", 0.7) + line(veins, "leaf-lit", 0.9)


def peony(flowers: Sequence[Spot], leaves: Sequence[Placed], buds: Sequence[Spot] = ()) -> str:
    """Heavy flowers over leaves; a bud shows colour between its green bracts."""
    stems = "".join(brush([(50, GROUND), ((x + 50) / 2 - 4, (y + GROUND) / 2), (x, y)], 4, 3) for x, y, _ in (*flowers, *buds))
    bracts = leaf(0.9, 0.6)
    return (
        shape(stems, "leaf-dark")
        + "".join(at(x, y, _peony_leaf(size), turn=turn) for x, y, size, turn in leaves)
        + "".join(
            shape(moved(_ruffle(r, r * 0.7), x, y), "p6", "paper", 0.7)
            + shape(moved(bracts, x, y, 24, r) + moved(bracts, x, y, -24, r), "leaf", "paper", 0.5)
            for x, y, r in buds
        )
        + "".join(at(x, y, _peony_flower(r)) for x, y, r in flowers)
    )


# Bush clover ----------------------------------------------------------------------------------------------------------


def _trefoil(size: float) -> tuple[str, str]:
    """Three round leaflets from (0, 0) upward, and their ribs."""
    s = -size
    leaflet = f"M0 0C{s * 0.55} {s * 0.25} {s * 0.5} {s} 0 {s}C{-s * 0.5} {s} {-s * 0.55} {s * 0.25} 0 0Z"
    rib = f"M0 {s * 0.2}L0 {s * 0.8}"
    turns = (-70, 70, 0)
    return "".join(moved(leaflet, 0, -1.6, t) for t in turns), "".join(moved(rib, 0, -1.6, t) for t in turns)


_PEA = "M0 0C-1 -3.4 -5 -4.4 -6 -1.6C-6.4 .8 -3 2.6 0 0Z"


def bush_clover(stems: Sequence[Points], size: float = 11) -> str:
    """Arching stems set with trefoils left and right; pea flowers along the upper part."""
    parts = []
    for stem in stems:
        corners = points_of(stem)
        length = sum(hypot(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(corners))
        count = max(round(length / (size * 1.5)), 2)
        points = along(corners, 2 * count)
        leaves: list[str] = []
        ribs: list[str] = []
        flowers: list[tuple[float, float, int]] = []
        for i in range(3 if count > 3 else 1, 2 * count):
            (ax, _), (x, y) = points[i - 1], points[i]
            side = 1 if i % 4 < 2 else -1
            if i % 2:
                turn, reach = side * 58 + (x - ax) * 2, size * (1.15 - 0.35 * i / (2 * count))
                for found, d in zip((leaves, ribs), _trefoil(reach), strict=True):
                    found.append(moved(d, x, y, turn))
            elif i > count:
                flowers.append((x, y - 1, side))
        flowers += [(*points[-1], 1), (*points[-1], -1)]
        lips = [(x + 4.6 * side, y - 3.6) for x, y, side in flowers]
        parts += [
            shape(brush(stem, 2.6, 2, 0.9), "p7"),
            shape("".join(leaves), "p7", "paper", 0.7),
            line("".join(ribs), "t7", 0.8),
            shape("".join(moved(_PEA, x, y, -24 * side, 1.2, flip=side > 0) for x, y, side in flowers), "t7", "d7", 0.5),
            dots(lips, 1.2, "d6"),
        ]
    return "".join(parts)


# Susuki ---------------------------------------------------------------------------------------------------------------


def hill(top: float, role: str = "p8") -> str:
    """The round hill across the card, its crown at height `top`."""
    crest = f"-6,{top + 30} 8,{top + 17} 28,{top + 4} 50,{top} 72,{top + 4} 92,{top + 17} 106,{top + 30}"
    return shape(smooth(crest) + "L106 170L-6 170Z", role)


def _plume(x: float, y: float, height: float, lean: float) -> tuple[str, str]:
    """A stalk from its foot, and the awns of the tassel that bends over at its top."""
    side = 1 if lean > 0 else -1
    top = (x + lean * 0.55, y - height)
    stalk: list[Point] = [(x, y), (x + lean * 0.12, y - height * 0.55), top]
    awns = []
    for i in range(6):
        fall, reach = 6 + 4.4 * i, 25 - 2.2 * i
        tip = (top[0] + side * reach, top[1] + fall - 5)
        root = (top[0] - lean * 0.03 * i, top[1] + 2.6 * i)
        awns.append(brush([root, (root[0] + side * reach * 0.45, root[1] - 5 + i * 0.7), tip], 1.6, 2.7, 0.5))
    return brush(stalk, 2, 1.5), "".join(awns)


def susuki(stalks: Sequence[Placed], stem: str = "d8", awn: str = "p8", rim: str = "paper") -> str:
    """Tasselled grass: foot x, foot y, height, lean."""
    drawn = [_plume(*stalk) for stalk in stalks]
    return shape("".join(s for s, _ in drawn), stem) + "".join(shape(a, awn, rim, 0.5) for _, a in drawn)


def tufts(spots: Points, role: str = "t8") -> str:
    """Short grass on the hill's face."""
    blades = "".join(moved(rays(5, -44, 44, 1, 11 + wave(i, 2)), x, y) for i, (x, y) in enumerate(points_of(spots)))
    return line(blades, role, 1.3)
