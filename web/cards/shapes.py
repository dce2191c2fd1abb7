"""SVG elements and the few curves the deck is drawn with: smooth outlines, brush strokes, petals, leaves.

All functions are pure and return text. Lengths are card units (a card is 100 x 160); angles are degrees, clockwise from "up". Path data
made here is absolute and uses M, L, C and Z only, so that `moved` can place it; several shapes of one colour then make one element.
A colour is a role of the palette ("leaf") or, where it is none, any SVG paint.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from math import cos, hypot, pi, radians, sin

from .palette import TONES, ink

Point = tuple[float, float]
Points = str | Sequence[Point]
"""A line of points; as text like SVG's own `points`: "19,-9 19,1 11,10"."""

KAPPA = 0.5523
"""Length of a cubic Bézier's handle that makes a quarter circle of radius 1."""


def num(value: float) -> str:
    """`value` to a tenth, written the shortest way: 3.0 as `3`, 0.46 as `.5`."""
    text = f"{value:.1f}".removesuffix(".0")
    if text == "-0":
        return "0"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def points_of(points: Points) -> list[Point]:
    """The points of a line."""
    if not isinstance(points, str):
        return list(points)
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in points.split())]


# Elements -------------------------------------------------------------------------------------------------------------


def _paint(role: str) -> str:
    return ink(role) if role in TONES else role


def el(tag: str, *children: str, **attributes: str | float | None) -> str:
    """An element; `stroke_width=2` becomes `stroke-width="2"`, None leaves the attribute out."""
    words = [tag]
    for name, value in attributes.items():
        if value is not None:
            text = num(value) if not isinstance(value, str) else _paint(value) if name in ("fill", "stroke") else value
            words.append(f'{name.replace("_", "-")}="{text}"')
    head = " ".join(words)
    return f"<{head}>{''.join(children)}</{tag}>" if children else f"<{head}/>"


def g(*children: str, fill: str | None = None, rim: str | None = None, width: float = 0.8) -> str:
    """A group; its colour, and the line round its shapes, hold for those that have none of their own."""
    return el("g", *children, fill=fill, stroke=rim, stroke_width=width if rim else None)


def at(x: float, y: float, *children: str, turn: float = 0, scale: float = 1, flip: bool = False) -> str:
    """Children moved to (x, y), turned about that point, scaled, mirrored left to right if `flip`."""
    move = f"translate({num(x)} {num(y)})" + (f"rotate({num(turn)})" if turn else "")
    if flip:
        move += f"scale({-scale:.3g} {scale:.3g})"
    elif scale != 1:
        move += f"scale({scale:.3g})"
    return el("g", *children, transform=move)


def shape(d: str, fill: str | None = None, rim: str | None = None, width: float = 0.8) -> str:
    """A filled path, with a line of `width` round it if `rim` names its colour."""
    return el("path", d=_tight(d), fill=fill, stroke=rim, stroke_width=width if rim else None)


def line(d: str, stroke: str, width: float = 1) -> str:
    """A stroked path. The window of a card gives its lines round ends and joints."""
    return el("path", d=_tight(d), fill="none", stroke=stroke, stroke_width=width)


def _tight(d: str) -> str:
    return d.replace(" -", "-")


def disc(x: float, y: float, r: float, fill: str | None = None, rim: str | None = None, width: float = 0.8) -> str:
    """A circle about (x, y)."""
    return el("circle", cx=x, cy=y, r=r, fill=fill, stroke=rim, stroke_width=width if rim else None)


def bar(x: float, y: float, width: float, height: float, fill: str, round_: float = 0, rim: str | None = None, line_: float = 1) -> str:
    """A rectangle from its upper left corner."""
    edge = {"rx": round_ or None, "stroke_width": line_ if rim else None}
    return el("rect", x=x, y=y, width=width, height=height, fill=fill, stroke=rim, **edge)


# Path data ------------------------------------------------------------------------------------------------------------


def polar(r: float, angle: float, x: float = 0, y: float = 0) -> Point:
    """The point at distance `r` from (x, y)."""
    return x + r * sin(radians(angle)), y - r * cos(radians(angle))


def polygon(points: Points) -> str:
    """A closed shape with straight sides."""
    return "M" + "L".join(f"{num(x)} {num(y)}" for x, y in points_of(points)) + "Z"


def segments(pairs: Iterable[tuple[Point, Point]]) -> str:
    """Straight lines, each on its own."""
    return "".join(f"M{num(ax)} {num(ay)}L{num(bx)} {num(by)}" for (ax, ay), (bx, by) in pairs)


def smooth(points: Points, closed: bool = False) -> str:
    """A curve through all points (Catmull-Rom, as cubic Béziers)."""
    path = points_of(points)
    n = len(path)

    def near(i: int) -> Point:
        return path[i % n] if closed else path[min(max(i, 0), n - 1)]

    words = [f"M{num(path[0][0])} {num(path[0][1])}"]
    for i in range(n if closed else n - 1):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = (near(i + k) for k in (-1, 0, 1, 2))
        curve = (bx + (cx - ax) / 6, by + (cy - ay) / 6, cx - (dx - bx) / 6, cy - (dy - by) / 6, cx, cy)
        words.append("C" + " ".join(num(v) for v in curve))
    return "".join(words) + ("Z" if closed else "")


def blob(points: Points) -> str:
    """A closed smooth outline through all points: a body, a wing."""
    return smooth(points, closed=True)


def along(points: Points, steps: int) -> list[Point]:
    """`steps` + 1 points on the smooth curve through `points`, even by parameter."""
    path = points_of(points)
    last = len(path) - 1
    found = []
    for step in range(steps + 1):
        place = last * step / steps
        i = min(int(place), last - 1)
        t = place - i
        a, b, c, d = (path[min(max(i + k, 0), last)] for k in (-1, 0, 1, 2))
        x, y = (
            0.5 * (2 * q + (r - p) * t + (2 * p - 5 * q + 4 * r - s) * t * t + (3 * q - p - 3 * r + s) * t**3)
            for p, q, r, s in zip(a, b, c, d, strict=True)
        )
        found.append((x, y))
    return found


def _profile(widths: Sequence[float]) -> Callable[[float], float]:
    """The width at 0..1 of a stroke whose width runs straight from each given one to the next."""

    def width(t: float) -> float:
        place = t * (len(widths) - 1)
        i = min(int(place), len(widths) - 2)
        return widths[i] + (widths[i + 1] - widths[i]) * (place - i)

    return width


def brush(spine: Points, *widths: float, fine: int = 2) -> str:
    """A brush stroke along `spine`, its width running through `widths`: a branch, a blade, a tail."""
    path = points_of(spine)
    steps = (len(path) - 1) * fine
    middle, width = along(path, steps), _profile(widths)
    left, right = [], []
    for i, (x, y) in enumerate(middle):
        (ax, ay), (bx, by) = middle[max(i - 1, 0)], middle[min(i + 1, steps)]
        half = width(i / steps) / 2 / (hypot(bx - ax, by - ay) or 1)
        left.append((x + (by - ay) * half, y - (bx - ax) * half))
        right.append((x - (by - ay) * half, y + (bx - ax) * half))
    return smooth(left) + "L" + smooth(right[::-1])[1:] + "Z"


def ring(x: float, y: float, rx: float, ry: float | None = None) -> str:
    """A circle, or an ellipse if `ry` is given, as path data."""
    b = rx if ry is None else ry
    corners = ((0, -1), (1, 0), (0, 1), (-1, 0))
    words = [f"M{num(x)} {num(y - b)}"]
    for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
        curve = (ax + bx * KAPPA, ay + by * KAPPA, bx + ax * KAPPA, by + ay * KAPPA, bx, by)
        words.append("C" + " ".join(num(v * (b if i % 2 else rx) + (y if i % 2 else x)) for i, v in enumerate(curve)))
    return "".join(words) + "Z"


def leaf(length: float, width: float, bend: float = 0) -> str:
    """A pointed leaf from (0, 0) upward; `bend` shifts its tip sideways."""
    w, h, b = width, -length, bend
    left = (-w * 0.75, h * 0.2, b / 2 - w * 0.6, h * 0.75, b, h)
    right = (b / 2 + w * 0.6, h * 0.75, w * 0.75, h * 0.2, 0, 0)
    return "M0 0" + "".join("C" + " ".join(map(num, side)) for side in (left, right)) + "Z"


def petal(length: float, width: float, notch: float = 0) -> str:
    """A round petal from (0, 0) upward, its tip notched `notch` deep."""
    r, w = -length, width
    near = 0.28 * w if notch else 0
    out = (-w, r * 0.35, -w * 0.85, r * 0.97, -near, r)
    back = (w * 0.85, r * 0.97, w, r * 0.35, 0, 0)
    tip = f"L0 {num(r + notch)}L{num(near)} {num(r)}" if notch else ""
    return "M0 0C" + " ".join(map(num, out)) + tip + "C" + " ".join(map(num, back)) + "Z"


_PAIR = re.compile(r"(-?[\d.]+) (-?[\d.]+)")


def moved(d: str, x: float = 0, y: float = 0, turn: float = 0, scale: float = 1, flip: bool = False) -> str:
    """Path data (M, L, C, Z only) scaled, mirrored if `flip`, turned and moved to (x, y)."""
    c, s = cos(radians(turn)) * scale, sin(radians(turn)) * scale
    sign = -1 if flip else 1

    def place(pair: re.Match[str]) -> str:
        px, py = float(pair[1]) * sign, float(pair[2])
        return f"{num(x + px * c - py * s)} {num(y + px * s + py * c)}"

    return _PAIR.sub(place, d)


def around(n: int, d: str, turn: float = 0) -> str:
    """`n` copies of one shape evenly about (0, 0), the first turned by `turn`: the petals of a flower."""
    return "".join(moved(d, turn=turn + 360 * i / n) for i in range(n))


def rays(n: int, start: float, end: float, inner: float, outer: float) -> str:
    """`n` straight lines from radius `inner` to `outer`, fanned from angle `start` to `end`, both included."""
    angles = [start + (end - start) * i / max(n - 1, 1) for i in range(n)]
    return segments((polar(inner, a), polar(outer, a)) for a in angles)


def rings(points: Points, r: float) -> str:
    """Path data of circles of one size."""
    return "".join(ring(x, y, r) for x, y in points_of(points))


def dots(points: Points, r: float, fill: str) -> str:
    """Small discs of one size: lines without length, whose round ends are all there is of them."""
    return line(segments((p, p) for p in points_of(points)), fill, 2 * r)


def wave(i: int, size: float) -> float:
    """A small fixed irregularity in -size..size, so that what repeats does not look stamped."""
    return size * sin(i * 2.4 * pi + i * i)
