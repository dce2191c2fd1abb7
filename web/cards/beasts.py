"""Beasts and insects of the deck, each about its own (0, 0)."""

from __future__ import annotations

from .shapes import at, blob, brush, disc, dots, g, line, points_of, ring, segments, shape


def butterfly(wing: str, hind: str, spot: str) -> str:
    """A butterfly from above, wings spread; the names are colours. About 42 wide."""
    half = (
        shape(blob("0,1 11,0 17,5 15,12 9,14 3,8"), hind)
        + shape(blob("0,0 5,-11 14,-18 21,-17 21,-9 13,-1"), wing)
        + dots("15.5,-12.5 9.4,-6 11,7", 2.1, spot)
    )
    feelers = line("M-.8 -8Q-3 -15 -7.4 -17M.8 -8Q3 -15 7.4 -17", "ink")
    return g(half, at(0, 0, half, flip=True), rim="ink", width=1) + shape(brush("0,-9 0,0 0,12", 2.4, 3.6, 1.2), "ink") + feelers


_MANE = "-33,-8 -30,-14 -25,-18 -19,-21 -12,-23 -5,-24 2,-24 9,-22 15,-19"
_BRISTLES = "-26,-8 -17,-12 -8,-14 1,-14 9,-12 -29,1 -20,-2 -11,-4 -2,-5 7,-4 -24,8 -14,6 -4,5 5,5"


def boar() -> str:
    """A boar charging to the right: bristling back, long snout, tusk. About 90 wide, feet at y = 27."""
    legs = "".join(brush([(x, 8), (x + dx, 17), (x + 2 * dx - 1, 25)], 10, 6, 4) for x, dx in ((-28, -4), (-17, 2)))
    legs += "".join(brush([(x, 8), (x + dx, 17), (x + 2 * dx - 1, 25)], 10, 6, 4) for x, dx in ((10, 3), (19, 6)))
    hooves = "".join(f"M{x} 23.4L{x + 5.4} 23.4L{x + 6.4} 27L{x - 1.2} 27Z" for x in (-39.4, -16, 12.6, 27.6))
    tail = line("M-36 -4Q-43 -7 -42 1Q-44 3 -45 7", "fur-dark", 2)
    ridge = points_of(_MANE)
    spikes = "".join(f"M{x + 3} {y + 3}L{x - 4.5} {y - 6}L{x - 3} {y + 4}Z" for x, y in ridge)
    body = blob("46,11 44,15 36,16 28,16 16,15 2,17 -14,16 -28,14 -36,6 -37,-6 -30,-15 -14,-22 2,-23 15,-18 27,-9 38,3")
    bristles = segments(((x, y), (x - 5.4, y + 2.4)) for x, y in points_of(_BRISTLES))
    ear = shape(blob("15,-14 14,-26 22,-20 24,-11"), "fur-dark", "paper", 0.7)
    cheek = shape(blob("24,-4 34,4 38,12 28,15 20,8"), "fur", None)
    snout = shape(blob("42.6,5.4 47.4,8.6 46.6,14.4 42.4,15"), "t7", "fur-dark", 0.7) + disc(45.4, 10.4, 1, "sumi")
    tusk = shape("M36 14.6Q42 11 40.4 3Q35.4 8 31.6 12.4Z", "snow", "sumi", 0.9)
    eye = disc(27, -3.4, 2.2, "gold-lit") + disc(27.5, -3.2, 1.3, "sumi") + line("M23 -7.4L30.6 -4.8", "sumi", 1.7)
    return (
        tail
        + shape(legs, "fur-dark", "paper", 0.7)
        + shape(hooves, "mane")
        + shape(spikes, "mane", "mane", 0.8)
        + shape(body, "hide", "paper", 1)
        + line(bristles, "fur-dark", 1.3)
        + cheek
        + ear
        + snout
        + line("M44 15Q37 16.4 31 11", "sumi", 1.1)
        + tusk
        + eye
    )


_SPOTS = "-10,-8 -3,-6 4,-8 11,-6 18,-7 -6,0 2,1 10,1 18,1 22.4,-2"
_ANTLER = (("-3,-37 -12,-46 -7,-60", 3), ("-9,-43 -17,-45 -20,-51", 2), ("-11,-50 -17,-55 -16,-61", 2))


def deer() -> str:
    """A stag standing to the left that looks back over its shoulder. About 62 wide, antlers at y = -61, feet at 40."""

    def leg(x: float, knee: float, foot: float, role: str) -> str:
        limb = brush([(x, 6), (x + knee, 20), (x + foot, 37)], 8, 3.8, 2.8)
        hoof = f"M{x + foot - 2.2} 36L{x + foot + 2} 36L{x + foot + 2.6} 40.4L{x + foot - 3} 40.4Z"
        return shape(limb, role, "paper", 0.6) + shape(hoof, "mane")

    antler = shape("".join(brush(spine, w, w * 0.9, w * 0.35) for spine, w in _ANTLER), "bark")
    tail = shape(blob("25,-8 33,-7 31,3 25,1"), "snow", "fur-dark")
    body = blob("-24,-27 -27,-10 -25,3 -16,12 0,12 14,11 25,13 29,2 26,-8 14,-12 1,-12 -7,-18 -8,-28 -14,-33")
    head = shape(blob("-19,-37 -12,-40 -3,-36 6,-30 6.6,-26.6 1,-25 -9,-26 -17,-28"), "fur", "paper")
    face = shape(ring(6, -28.4, 1.5) + ring(-6.4, -33, 1.6), "sumi") + disc(-6, -33.4, 0.5, "snow")
    return (
        leg(-13, 2, 1, "fur-dark")
        + leg(17, 3, 0, "fur-dark")
        + tail
        + at(-12.5, 0, antler)
        + at(-12.5, 0, antler, flip=True)
        + leg(-18, -2, -3, "fur")
        + leg(22, 4, 5, "fur")
        + shape(body, "fur", "paper", 0.9)
        + shape(blob("-14,11 0,11.4 13,10 2,7.4"), "skin")
        + shape(brush("-24,0 -25.6,-12 -22,-25", 1.6, 3.6, 1.6), "skin")
        + dots(_SPOTS, 1.7, "snow")
        + shape(blob("-18,-36 -28,-38 -26,-32 -18,-31"), "fur", "fur-dark")
        + head
        + face
        + line("M5 -26.4Q0 -26 -3 -27.4", "fur-dark", 0.9)
    )


def frog() -> str:
    """A frog about to leap to the right. About 30 wide, feet at y = 9."""
    hind = shape(blob("-2,8 -13,8 -15,1 -9,-4 -2,1"), "leaf", "leaf-dark")
    body = shape(blob("-12,4 -8,-6 2,-12 11,-13 15,-8 9,0 2,6 -6,7"), "leaf-lit", "leaf-dark", 0.9)
    arm = line("M5 2L7 9L11 9M-4 8L5 8", "leaf-dark", 1.9)
    spots = dots("-3,-4 2,-7 -7,-1", 1.4, "leaf-dark")
    eye = disc(10, -13.4, 2.6, "snow", "leaf-dark") + disc(10.6, -13.4, 1.2, "sumi")
    return body + hind + arm + spots + eye + line("M15 -8Q11 -5.4 6 -6", "leaf-dark", 0.9)
