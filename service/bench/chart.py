"""Cost against size as a picture: microseconds a record over the number of records, drawn from results that were measured."""

from collections.abc import Sequence
from html import escape
from math import ceil, log
from pathlib import Path
from typing import Final

from service.bench.imports import ROWS, Result

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 60, 150, 24, 48
STEPS: Final = [size * int(10**power) for power in range(9) for size in (1, 2, 5)]
LINES: Final = 8
"""Across, at most."""
COLOURS: Final = ("#b3261e", "#1d5c8f", "#6b6b6b", "#8a6d1f")


def draw(results: Sequence[Result], path: Path) -> None:
    """Writes an SVG with a line for each form as a whole and one for DuckDB alone with its rows. Sizes are on a logarithmic scale."""
    curves: dict[str, list[tuple[int, float]]] = {}
    for result in sorted(results, key=lambda each: each.records):
        each = 1e6 / result.records
        curves.setdefault(f"{result.form}, whole", []).append((result.records, result.whole * each))
        curves.setdefault(f"{result.form}, DuckDB alone", []).append((result.records, result.seconds[ROWS] * each))
    sizes = sorted({size for curve in curves.values() for size, _ in curve})
    most = max(cost for curve in curves.values() for _, cost in curve)
    step: int = next(step for step in STEPS if step * LINES >= most)
    top = step * ceil(most / step)
    span = log(sizes[-1] / sizes[0]) or 1.0

    def x(size: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * log(size / sizes[0]) / span

    def y(cost: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * cost / top

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12" role="img">',
        "<title>Microseconds of processor time a record, by the number of records</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
    ]
    for number in range(top // step + 1):
        at = y(number * step)
        parts.append(f'<path d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}" stroke="#dddddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end" fill="#333333">{number * step}</text>')
    for size in sizes:
        parts.append(f'<text x="{x(size):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle" fill="#333333">{size:,}</text>')
    parts.append(f'<text x="{LEFT}" y="{TOP - 10}" fill="#333333">µs a record</text>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle" fill="#333333">records</text>')
    for number, (name, curve) in enumerate(curves.items()):
        colour = COLOURS[number % len(COLOURS)]
        line = " ".join(f"{x(size):.1f},{y(cost):.1f}" for size, cost in curve)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x(size):.1f}" cy="{y(cost):.1f}" r="3" fill="{colour}"/>' for size, cost in curve]
        # The names stand in order, so that lines that lie on each other do not hide them.
        parts.append(f'<text x="{WIDTH - RIGHT + 12}" y="{TOP + 14 + 18 * number}" fill="{colour}">{escape(name)}</text>')
    path.write_text("\n".join([*parts, "</svg>\n"]), encoding="utf-8")
