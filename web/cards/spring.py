"""Plants of months 1 to 4: pine, plum, cherry, wisteria."""

from __future__ import annotations

from collections.abc import Sequence

from .shapes import (
    Point,
    Points,
    around,
    at,
    brush,
    disc,
    dots,
    leaf,
    line,
    moved,
    petal,
    points_of,
    polar,
    polygon,
    rays,
    rings,
    shape,
    smooth,
    wave,
)

Spot = tuple[float, float, float]
"""Where a flower sits and how large it is: x, y, radius."""

Placed = tuple[float, float, float, float]
"""Where a leaf sits: x, y, size, turn."""


def wood(spine: Points, *widths: float) -> str:
    """A branch as a brush stroke, lit along its upper side."""
    shift = widths[0] * 0.12
    light = [(x - shift, y - shift) for x, y in points_of(spine)]
    return shape(brush(spine, *widths), "bark") + shape(brush(light, *(w * 0.22 for w in widths)), "bark-lit")


# Pine -----------------------------------------------------------------------------------------------------------------


def _needles(r: float) -> str:
    """A fan of needles about (0, 0): a scalloped half round, its needles in a lighter line."""
    tips = [polar(r * (1 if i % 2 == 0 else 0.87), -100 + 10 * i) for i in range(21)]
    return (
        shape(polygon([(0, 0), *tips]), "p1", "paper", 1.1)
        + line(rays(21, -100, 100, r * 0.12, r * 0.52), "d1", 1.3)
        + line(rays(11, -100, 100, r * 0.3, r * 0.9), "t1", 0.8)
        + disc(0, -1.2, r * 0.14, "bark")
    )


def pine(trunk: Points, boughs: Sequence[Points], fans: Sequence[Spot]) -> str:
    """A trunk with its boughs, and fans of needles drawn from the back to the front."""
    bark = wood(trunk, 10, 7, 3.4) + "".join(wood(bough, 3.6, 2.2) for bough in boughs)
    return bark + "".join(at(x, y, _needles(r), turn=wave(i, 12)) for i, (x, y, r) in enumerate(fans))


# Plum -----------------------------------------------------------------------------------------------------------------

_OLD_WOOD = "8,157 30,138 36,116 58,104 66,82 84,66"
_SHOOTS = ("34,122 22,92 18,62", "60,100 52,76 54,48", "46,110 72,122 92,120")


def _plum_blossom(r: float, turn: float) -> str:
    """Five round petals, threads and anthers."""
    return (
        shape(rings([polar(r * 0.58, turn + 72 * i) for i in range(5)], r * 0.44), "p2", "paper")
        + disc(0, 0, r * 0.42, "p2")
        + line(rays(10, 0, 324, r * 0.14, r * 0.56), "t2", 0.9)
        + dots([polar(r * 0.6, 36 * i) for i in range(10)], r * 0.08, "gold-lit")
        + disc(0, 0, r * 0.16, "gold-lit")
    )


def plum(blossoms: Sequence[Spot], buds: Sequence[Spot], height: float = 1, perch: Points = "") -> str:
    """The angular old branch with straight shoots, blossoms and buds.

    `height` below 1 keeps the upper part free; `perch` is one more twig, for a bird.
    """

    def low(points: str) -> list[Point]:
        return [(x, 157 - (157 - y) * height) for x, y in points_of(points)]

    twigs = [low(shoot) for shoot in _SHOOTS] + ([points_of(perch)] if perch else [])
    shoots = shape("".join(brush(twig, 2.8, 1.2) for twig in twigs), "bark")
    return (
        shoots
        + wood(low(_OLD_WOOD), 9, 6.4, 5, 2.2)
        + "".join(disc(x, y, r, "p2", "paper", 0.7) for x, y, r in buds)
        + "".join(at(x, y, _plum_blossom(r, wave(i, 30))) for i, (x, y, r) in enumerate(blossoms))
    )


# Cherry ---------------------------------------------------------------------------------------------------------------


def _cherry_blossom(r: float, turn: float) -> str:
    """Five notched petals, paler at the heart."""
    return (
        shape(around(5, petal(r, r * 0.62, r * 0.2), turn), "p3", "d3")
        + shape(around(5, petal(r * 0.52, r * 0.22), turn), "t3")
        + line(rays(10, turn, turn + 324, r * 0.1, r * 0.42), "d3", 0.7)
        + dots([polar(r * 0.45, turn + 36 * i) for i in range(10)], r * 0.065, "d3")
        + disc(0, 0, r * 0.13, "gold")
    )


def cherry(branch: Points, blossoms: Sequence[Spot], leaves: Sequence[Placed] = ()) -> str:
    """A slender branch, young leaves, blossoms."""
    blades = "".join(moved(leaf(size, size * 0.44), x, y, turn) for x, y, size, turn in leaves)
    ribs = "".join(moved(f"M0 0L0 -{size * 0.84}", x, y, turn) for x, y, size, turn in leaves)
    foliage = shape(blades, "leaf", "paper", 0.6) + line(ribs, "leaf-lit", 0.7) if leaves else ""
    flowers = "".join(at(x, y, _cherry_blossom(r, wave(i, 36))) for i, (x, y, r) in enumerate(blossoms))
    return wood(branch, 5.6, 3.8, 1.6) + foliage + flowers


# Wisteria -------------------------------------------------------------------------------------------------------------

_STANDARD = "M0 1C-7 .6 -6.6 -8.4 0 -4.6C6.6 -8.4 7 .6 0 1Z"
_KEEL = "M0 4.6C-4.6 2 -2.6 -2.2 0 -2.2C2.6 -2.2 4.6 2 0 4.6Z"


def _raceme(length: float) -> str:
    """A hanging cluster from (0, 0): open flowers above, fewer and smaller toward the tip, which bends to the light."""
    rows = round(length / 6.4)
    standards, keels = [], []
    for row in range(rows):
        t = row / rows
        size = 0.98 - 0.62 * t
        half = (3.4 + length * 0.05) * min(1, 0.62 + 2.4 * t) * (1 - t) ** 0.7
        x0, y = 3 * t * t + wave(row, 0.7), 4 + length * t
        places = [-half, half] if row % 2 else [-half * 1.25, 0, half * 1.25]
        for x in places if t < 0.72 else places[1:2]:
            turn = -x * 4
            standards.append(moved(_STANDARD, x0 + x, y - abs(x) * 0.2, turn, size))
            keels.append(moved(_KEEL, x0 + x, y - abs(x) * 0.2, turn, size))
    stalk = line(f"M0 0L{3 * 0.8:.1f} {length * 0.9:.1f}", "leaf-dark", 0.9)
    return stalk + shape("".join(standards), "t4", "p4", 0.7) + shape("".join(keels), "p4", "paper", 0.45)


def _frond(length: float) -> str:
    """A compound leaf from (0, 0) upward: leaflets in pairs on a stalk and one at the tip."""
    leaflet = leaf(length * 0.4, 6.4)
    pairs = [moved(leaflet, 0, -length * (0.2 + 0.2 * i), side * 60) for i in range(4) for side in (-1, 1)]
    blades = "".join((*pairs, moved(leaflet, 0, -length * 0.84)))
    return shape(blades, "leaf", "paper", 0.5) + line(f"M0 0L0 {-length}", "leaf-dark", 0.9)


def wisteria(racemes: Sequence[Spot], fronds: Sequence[Placed], vine: Points) -> str:
    """A vine with compound leaves and hanging racemes (x, y, length)."""
    x, y = points_of(vine)[-1]
    tendril = line(smooth([(x, y), (x - 4, y + 8), (x - 9, y + 7), (x - 7, y + 3)]), "bark", 1.1)
    return (
        wood(vine, 5.4, 4.2, 2)
        + tendril
        + "".join(at(x, y, _raceme(length)) for x, y, length in racemes)
        + "".join(at(x, y, _frond(size), turn=turn) for x, y, size, turn in fronds)
    )
