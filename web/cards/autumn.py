"""Plants of months 9 to 12: chrysanthemum, maple, willow, paulownia."""

from __future__ import annotations

from collections.abc import Sequence

from .shapes import (
    Point,
    Points,
    along,
    around,
    at,
    blob,
    brush,
    disc,
    dots,
    leaf,
    line,
    moved,
    petal,
    polar,
    polygon,
    segments,
    shape,
    smooth,
    wave,
)
from .spring import Placed, Spot, wood
from .summer import GROUND

# Chrysanthemum --------------------------------------------------------------------------------------------------------


def _chrysanthemum_flower(r: float) -> str:
    """Three wheels of narrow petals about a small dark heart."""
    wheels = ((20, 1.0, 0.15, 0, "p9"), (16, 0.76, 0.14, 8, "t9"), (12, 0.5, 0.12, 0, "p9"))
    return (
        "".join(shape(around(n, petal(r * k, r * w), turn), fill, "d9", 0.7) for n, k, w, turn, fill in wheels)
        + disc(0, 0, r * 0.19, "d9")
        + dots([polar(r * 0.1, 72 * i) for i in range(5)], r * 0.045, "t9")
    )


_LOBED = ((0.12, 0.0), (0.3, -0.14), (0.46, -0.3), (0.26, -0.4), (0.4, -0.62), (0.2, -0.68), (0.16, -0.9))


def _chrysanthemum_leaf(size: float) -> str:
    """A lobed leaf from (0, 0) upward with its veins."""
    left = [(-x * size, y * size) for x, y in _LOBED]
    outline = [*left, (0.0, -size), *((-x, y) for x, y in left[::-1])]
    roots = (0.2, 0.3, 0.1), (0.46, 0.26, 0.14)
    veins: list[tuple[Point, Point]] = [((0, 0), (0, -size * 0.86))]
    veins += [((0, -size * y), (side * size * x, -size * (y + dy))) for y, x, dy in roots for side in (-1, 1)]
    return shape(blob(outline), "leaf", "paper", 0.7) + line(segments(veins), "leaf-lit", 0.9)


def chrysanthemum(flowers: Sequence[Spot], leaves: Sequence[Placed], foot: float = 46) -> str:
    """Flowers over lobed leaves; the stems rise from `foot`."""
    stems = "".join(brush([(foot, GROUND), ((x + foot) / 2, (y + GROUND) / 2 - 4), (x, y)], 3.6, 2.8) for x, y, _ in flowers)
    return (
        shape(stems, "leaf-dark")
        + "".join(at(x, y, _chrysanthemum_leaf(size), turn=turn) for x, y, size, turn in leaves)
        + "".join(at(x, y, _chrysanthemum_flower(r), turn=wave(i, 20)) for i, (x, y, r) in enumerate(flowers))
    )


# Maple ----------------------------------------------------------------------------------------------------------------

_LOBES = ((-126, 0.55), (-82, 0.84), (-41, 0.98), (0, 1.08), (41, 0.98), (82, 0.84), (126, 0.55))
_TEETH = ((-17, 0.5), (-17, 0.62), (-10, 0.66), (-9, 0.78), (0, 1.0), (9, 0.78), (10, 0.66), (17, 0.62), (17, 0.5))
_TINTS = (("p10", "t10"), ("d10", "t10"), ("p10", "t10"), ("gold", "d10"))


def _maple_leaf(r: float, fill: str, vein: str) -> str:
    """Seven toothed lobes about (0, 0) on a stalk."""
    outline: list[Point] = [(0, r * 0.12)]
    for i, (angle, length) in enumerate(_LOBES):
        if i:
            outline.append(polar(r * 0.36, (angle + _LOBES[i - 1][0]) / 2))
        outline += [polar(r * length * reach, angle + spread) for spread, reach in _TEETH]
    veins = segments(((0, 0), polar(r * length * 0.8, angle)) for angle, length in _LOBES)
    stalk = brush([(0, 0), (-r * 0.06, r * 0.4), (r * 0.1, r * 0.72)], 1.7, 1.2)
    return shape(stalk, fill) + shape(polygon(outline), fill, "paper", 0.7) + line(veins, vein, 0.8)


def maple(leaves: Sequence[Placed], branch: Points, twigs: Sequence[Points] = ()) -> str:
    """Leaves on a branch, some darker, some already gold."""
    return (
        shape("".join(brush(twig, 2, 1) for twig in twigs), "bark")
        + wood(branch, 5, 3.4, 1.4)
        + "".join(at(x, y, _maple_leaf(r, *_TINTS[i % 4]), turn=turn) for i, (x, y, r, turn) in enumerate(leaves))
    )


# Willow ---------------------------------------------------------------------------------------------------------------


def _withe(x: float, y: float, length: float, sway: float) -> str:
    """A hanging shoot with narrow leaves in turn on either side."""
    curve = [(x, y), (x + sway * 0.7, y + length * 0.4), (x + sway * 0.4, y + length * 0.75), (x + sway, y + length)]
    count = max(round(length / 5.2), 6)
    points = along(curve, count)
    leaves = []
    for i in range(1, count + 1):
        side = 1 if i % 2 else -1
        leaves.append(moved(leaf(12 - 3 * i / count, 4, side * 1.4), *points[i], 180 - side * 34))
    return line(smooth(curve), "d11", 1.1) + shape("".join(leaves), "p11", "d11", 0.4)


def willow(withes: Sequence[Placed]) -> str:
    """Hanging shoots: x, y, length, sway."""
    return "".join(_withe(*withe) for withe in withes)


# Paulownia ------------------------------------------------------------------------------------------------------------

_BROAD = ((0.3, -0.06), (0.56, 0.1), (0.66, 0.38), (0.6, 0.56), (0.4, 0.62), (0.3, 0.84))
_VEINS = ((0.5, 0.14, 0.06), (0.5, 0.32, 0.16), (0.28, 0.54, 0.2))


def _paulownia_leaf(size: float) -> str:
    """A broad leaf of three points hanging from (0, 0), with its veins."""
    right = [(x * size, y * size) for x, y in _BROAD]
    outline = [(0, size * 0.06), *right, (0, size * 1.08), *((-x, y) for x, y in right[::-1])]
    sides = "".join(
        smooth([(0, size * y), (side * size * x * 0.5, size * (y + dy * 0.35)), (side * size * x, size * (y + dy))])
        for side in (-1, 1)
        for x, y, dy in _VEINS
    )
    middle = segments([((0, size * 0.06), (0, size * 0.94))])
    return shape(blob(outline), "leaf", "paper", 0.9) + line(middle + sides, "leaf-lit", 1)


_BELL = "M-.28 -1C-.5 -.4 -.7 -.1 -.72 .12C-.72 .46 -.24 .46 -.24 .14C-.24 .5 .24 .5 .24 .14C.24 .46 .72 .46 .72 .12C.7 -.1 .5 -.4 .28 -1Z"
_CALYX = "M0 -.5C-.2 -.3 -.2 .1 0 .2C.2 .1 .2 -.3 0 -.5Z"


def _spike(bells: int, size: float) -> str:
    """An upright spike from (0, 0): bells in pairs that shrink upward, one at the top."""
    rise, pairs = size * 1.12, bells // 2
    spots = [
        (side * size * (0.84 - 0.1 * i), -rise * i - size * 0.4, side * -24, size * (1 - 0.08 * i))
        for i in range(pairs)
        for side in (-1, 1)
    ]
    spots.append((0, -rise * pairs - size * 0.1, 0, size * 0.86))
    stalk = shape(brush([(0, 4), (0, -rise * (pairs + 1))], 2.4, 1.4), "leaf-dark")
    cups = "".join(
        shape(moved(_BELL, x, y, turn, s), "p12", "d12", 0.7) + shape(moved(_CALYX, x, y, turn, s), "t12") for x, y, turn, s in spots
    )
    return stalk + cups


def paulownia(spikes: Sequence[tuple[float, float, int, float]], leaves: Sequence[Placed]) -> str:
    """Flower spikes (x, y, number of bells, size of one) over leaves."""
    return "".join(at(x, y, _spike(bells, size)) for x, y, bells, size in spikes) + "".join(
        at(x, y, _paulownia_leaf(size), turn=turn) for x, y, size, turn in leaves
    )
