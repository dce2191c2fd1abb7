"""The birds of the deck, each about its own (0, 0) and looking to the right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .shapes import Point, at, blob, brush, disc, dots, leaf, line, moved, points_of, ring, shape


def _feathers(root: Point, tips: str | Iterable[Point], start: float, end: float) -> str:
    """A stroke from the root to each tip: wings and tails."""
    rx, ry = root
    found = []
    for x, y in points_of(tips) if isinstance(tips, str) else tips:
        middle = (rx * 0.45 + x * 0.55, ry * 0.45 + y * 0.55 - 1)
        found.append(brush([root, middle, (x, y)], start, (start + end) / 1.7, end, fine=1))
    return "".join(found)


def _fan(root: Point, reach: float, start: float, end: float, n: int, width: float) -> str:
    """Pointed feathers fanned from `start` to `end` degrees about the root."""
    return "".join(moved(leaf(reach, width), *root, start + (end - start) * i / (n - 1)) for i in range(n))


def _eye(x: float, y: float, r: float, iris: str = "snow") -> str:
    return disc(x, y, r, iris) + disc(x + r * 0.15, y, r * 0.58, "sumi")


def crane() -> str:
    """A red-crowned crane standing, head raised: black throat and tail, red cap. About 60 wide, feet at y = 44."""
    toes = line("M-3 42L4 43.4M-3 42L-7 43.6M3 42L10 43.4M3 42L0 43.8", "ink", 1.3)
    legs = shape(brush("-3,9 -5,24 -3,42", 2.6, 1.5, 1.5) + brush("5,9 7,24 3,42", 2.6, 1.5, 1.5), "ink")
    tail = shape(_feathers((-8, -3), "-31,4 -33,11 -31,18 -26,23 -20,23", 6.4, 1.8), "sumi", "snow")
    body = shape(blob("19,-9 19,1 11,10 -3,12.5 -17,9 -26,4 -14,-8 0,-14 11,-15"), "snow", "sumi", 1.1)
    quills = line("M8 -8Q-4 -7 -16 2M10 -3Q-2 0 -12 6M11 3Q4 6 -4 9", "pearl", 1.5)
    neck = shape(brush("14,-6 20,-17 15,-27 13,-35 18,-42", 12, 7.5, 5.6, 5, 6), "snow", "sumi", 1.1)
    throat = shape(brush("22.5,-13 21.5,-20 17.4,-28 16,-35 20,-41", 1.5, 4, 3.6, 3.4, 5), "sumi")
    bill = shape("M22.6 -43.6L38 -40.4L22.8 -40.4Z", "gold-lit", "sumi")
    head = disc(19, -42.5, 4.4, "snow", "sumi", 1) + shape("M18 -40Q22 -38 24.4 -42Q21 -43.6 18 -40Z", "sumi")
    cap = shape("M15 -44Q16 -49 20.6 -47.8Q23.4 -46.8 23.6 -44.2Q19 -45.6 15 -44Z", "red", "sumi", 0.5)
    return toes + legs + tail + body + quills + neck + throat + bill + head + disc(20.4, -43, 0.8, "sumi") + cap


def warbler() -> str:
    """A bush warbler singing, olive above and pale below. About 60 wide, feet at y = 19."""
    feet = line("M2 13L1 19M8 12.4L8 18.4", "gold-dark", 1.5)
    tail = shape(_feathers((-10, 4), "-29,6 -29,10 -26,14", 5, 2), "leaf-dark", "paper", 0.6)
    body = shape(blob("22,-13 24,-8 20,3 10,12 -4,13 -16,8 -8,-4 2,-12 8,-20 17,-21"), "d11", "paper", 1)
    belly = shape(blob("21,-8 19,2 9,11 -4,12 4,5 12,-3"), "t11")
    wing = shape(blob("8,-6 9,1 0,7 -15,9 -20,8 -9,-1 0,-8"), "p11", "leaf-dark", 0.9)
    quills = line("M4 0Q-6 4 -15 7M3 -4Q-6 0 -14 5", "leaf-dark", 0.9)
    brow = line("M8 -16Q15 -19 23 -14", "t11", 1.8)
    eye = disc(16.5, -13.6, 2.1, "sumi") + disc(17.1, -14.2, 0.7, "snow")
    bill = shape("M23 -14L31.5 -16.5L24 -11.2ZM23.5 -10.6L30 -9.4L22.6 -8.4Z", "gold-dark")
    return feet + tail + body + belly + wing + quills + brow + eye + bill


def cuckoo() -> str:
    """A lesser cuckoo in flight, slate with a barred breast. About 80 wide."""
    far = shape(_feathers((6, -2), "26,-30 19,-33 12,-33 5,-30", 9, 3), "d8", "paper", 0.6)
    tail = shape(_feathers((-14, 4), "-38,6 -41,11 -40,16 -35,20", 5, 4), "d8", "paper", 0.6)
    spots = dots("-36,6.4 -38.4,11 -37,15.4 -31,8 -32,12.4", 1, "snow")
    body = shape(blob("30,-3 27,3 14,10 -4,12 -18,9 -14,0 2,-6 18,-9 26,-8"), "p8", "paper", 0.9)
    breast = shape(blob("24,2 14,9 -4,11 -14,9 -2,4 12,2"), "snow")
    bars = line("M18 3L17.4 8M12.6 3L12 9.4M7 3.6L6.6 10.4M1.4 4.6L1.2 11M-4.4 6L-4.4 11", "d8", 1.6)
    near = shape(_feathers((6, -3), "-32,-14 -31,-22 -27,-29 -20,-34 -11,-35", 10, 4), "d8", "paper", 0.7)
    shoulder = shape(blob("13,-6 5,2 -8,-3 -12,-14 -3,-15"), "p8", "paper", 0.6)
    bill = shape("M29 -5L38 -2.4L29 -.6Z", "gold")
    return far + tail + spots + body + breast + bars + near + shoulder + bill + _eye(24, -4.6, 2, "gold-lit")


def goose() -> str:
    """A wild goose in flight, neck stretched out, wings high. About 56 wide."""
    far = shape(blob("3,-2 10,-13 11,-25 17,-21 19,-11 13,-2"), "p8", "paper", 0.7)
    tail = shape(blob("-12,-3 -23,-2 -21,2.4 -10,4"), "snow", "d8", 0.7)
    body = shape(blob("12,-3 14,1 5,6 -9,5 -18,0 -8,-4 2,-5"), "d8", "paper", 0.7)
    belly = shape(blob("12,1.6 4,5 -9,4 0,1.4"), "t8")
    neck = shape(brush("8,-1 17,-1.8 25,-5", 6.4, 4.2, 3.8) + ring(25.6, -5.2, 3.3), "d8")
    bill = shape("M28 -7.2L34.6 -4.4L28 -2.8Z", "gold")
    near = shape(blob("8,-3 1,-12 -10,-21 -27,-26 -24,-18 -16,-8 -5,1.6"), "d8", "paper", 0.7)
    quills = line("M0 -8Q-8 -14 -20 -21M-2 -4Q-9 -9 -18 -15", "t8", 0.9)
    return far + tail + body + belly + neck + bill + near + quills + disc(26.4, -6, 0.8, "snow")


def geese(places: Sequence[tuple[float, float, float]]) -> str:
    """Wild geese at x, y, scale."""
    return "".join(at(x, y, goose(), scale=s) for x, y, s in places)


def swallow() -> str:
    """A swallow swooping: sickle wings, forked tail, red throat. About 74 wide."""
    fork = brush("-10,4 -26,12 -41,14", 5, 3.4, 0.7) + brush("-10,6 -22,19 -33,29", 5, 3.4, 0.7)
    far = shape(blob("8,-4 14,-16 26,-33 33,-38 25,-20 18,-4"), "p5", "paper")
    body = shape(blob("27,-6 25,0 14,8 0,11 -14,8 -14,3 0,-3 14,-10 22,-11"), "d5", "paper")
    belly = shape(blob("20,3 12,8 0,10 -12,7 0,4 12,1"), "snow")
    throat = shape(blob("27,-5 25,0 18,4.4 16,-1 21,-5"), "red")
    near = shape(blob("14,-7 2,-15 -14,-24 -32,-30 -39,-29 -24,-19 -10,-6 4,2"), "d5", "paper")
    quills = line("M2 -9Q-12 -16 -26 -25M4 -5Q-8 -10 -18 -19", "t5")
    bill = shape("M27 -7.4L33 -5.4L26.8 -4Z", "ink")
    return shape(fork, "d5", "paper") + far + body + belly + throat + near + quills + disc(21.6, -7, 1.3, "snow") + bill


_PLUMES = (
    ("-6,8 -26,2 -42,12 -44,32", "indigo"),
    ("-6,10 -24,14 -36,34 -28,56", "red"),
    ("-4,12 -12,26 -18,46 -2,60", "leaf"),
)
_SCALES = "M9 -5Q12 -2 15 -5M4 0Q7 3 10 0M9 5Q12 8 15 5M0 6Q3 9 6 6"


def phoenix() -> str:
    """The phoenix alighting: wings raised, crest, three tail plumes that end in eyes. About 88 wide, 112 high."""
    plumes = "".join(
        shape(brush(spine, 5, 6.4, 5.4, 3, fine=3), role, "gold-lit", 0.9)
        + disc(*points_of(spine)[-1], 5.4, "gold-lit", role, 1.6)
        + disc(*points_of(spine)[-1], 2.4, role)
        for spine, role in _PLUMES
    )
    far_root, near_root = (10, -3), (1, 0)
    far = shape(_fan(far_root, 35, 26, 80, 5, 9), "indigo", "gold-lit")
    far += shape(_fan(far_root, 22, 24, 82, 4, 9), "leaf", "gold-lit", 0.7)
    near = shape(_fan(near_root, 45, -88, -8, 7, 11), "red", "gold-lit")
    near += shape(_fan(near_root, 29, -86, -6, 6, 10), "leaf", "gold-lit", 0.7)
    near += shape(_fan(near_root, 16, -92, 0, 5, 8), "gold-lit", "gold-dark", 0.6)
    body = shape(blob("21,-10 19,3 9,12 -5,14 -11,9 -4,0 6,-8 13,-14"), "gold", "gold-dark", 0.9)
    neck = shape(brush("15,-8 22,-17 20,-27 24,-35", 13, 8, 6, 6.4), "gold", "gold-dark", 0.9)
    crest = shape(_feathers((23, -38), "8,-46 11,-51 17,-53", 2.6, 2.4), "red", "gold-lit", 0.4)
    bill = shape("M28 -38.6Q37 -39 37 -33Q33 -35 28 -33.8Z", "gold-lit", "gold-dark", 0.7)
    head = disc(24.6, -36, 5, "gold", "gold-dark", 0.9) + shape("M25 -31.6Q29.6 -29 27 -25Q23.4 -28 25 -31.6Z", "red")
    hackles = line("M18 -20L22 -17L25 -20M17.6 -14L21.6 -11L25 -14" + _SCALES, "gold-lit", 1.1)
    eye = shape(ring(25.8, -36.8, 2, 1.5), "snow") + disc(26.2, -36.8, 1, "sumi")
    return plumes + far + body + near + neck + hackles + crest + bill + head + eye
