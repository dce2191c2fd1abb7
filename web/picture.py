"""The position at one step as a picture of its own: an SVG that needs nothing but itself."""

from collections.abc import Mapping, Sequence
from html import escape
from textwrap import wrap

from web import deck
from web.cards.frame import HEIGHT, WIDTH, back, unknown
from web.cards.sprite import drawing
from web.contexts import Json

PAGE = 1200
MARGIN = 36
FIELD_CARD, OWN_CARD, OTHER_CARD, PILE_CARD = 78, 84, 50, 46
"""Widths of a card in px, by where it lies."""
LINE = 125
"""Characters of a line of text."""
INK, SOFT, PAPER, MAT = "#211c18", "#5c534a", "#faf6ec", "#dfe3d2"
SERIF = "'Noto Serif CJK JP', 'Noto Serif', Georgia, serif"


def position(
    step: Json,
    players: Sequence[str],
    sides: Sequence[Sequence[int]] | None,
    view: Mapping[str, object],
    suits: Sequence[str],
    heading: str,
) -> str:
    """A step of `analysis.positions` as SVG: `view` says whose `seat` is nearest and what `reveal` opens."""
    drawn = _Picture()
    mine = int(str(view["seat"]))
    others = [(mine - 1 + by) % len(players) + 1 for by in range(1, len(players))]
    drawn.text(MARGIN, 52, heading, 26, INK)
    for line, words in enumerate(wrap(str(step["says"]), LINE)):
        drawn.text(MARGIN, 82 + 24 * line, words, 17, SOFT)
    drawn.top = 98 + 24 * max(0, len(wrap(str(step["says"]), LINE)) - 1)
    y = drawn.top + 14
    for seat in others:
        drawn.seat(y, players[seat - 1], _hand(step, seat, str(view["reveal"]), mine), _pile(step, players, sides, seat), OTHER_CARD)
        y += 112
    drawn.field(y, step, suits, opened=view["reveal"] == "all")
    y += 2 * (FIELD_CARD * HEIGHT // WIDTH + 44) + 16
    drawn.seat(y, players[mine - 1], _hand(step, mine, str(view["reveal"]), mine), _pile(step, players, sides, mine), OWN_CARD)
    y += OWN_CARD * HEIGHT // WIDTH + 52
    return drawn.finish(y)


def _hand(step: Json, seat: int, reveal: str, mine: int) -> list[str]:
    """The codes to show; a card that is hidden or not recorded is a back."""
    cards = step["hands"][seat - 1]
    if cards is not None and (reveal != "seen" or seat == mine):
        return list(cards.split())
    return [""] * int(step["hand_counts"][seat - 1])


def _pile(step: Json, players: Sequence[str], sides: Sequence[Sequence[int]] | None, seat: int) -> str:
    if len(step["piles"]) == len(players) or sides is None:
        return str(step["piles"][seat - 1])
    return str(step["piles"][next(place for place, side in enumerate(sides) if seat in side)])


class _Picture:
    def __init__(self) -> None:
        self._symbols: dict[str, str] = {}
        self._parts: list[str] = []
        self.top = 98
        """Where the mat begins."""

    def text(self, x: float, y: float, words: str, size: int, colour: str, anchor: str = "start") -> None:
        self._parts.append(f'<text x="{x}" y="{y}" font-size="{size}" fill="{colour}" text-anchor="{anchor}">{escape(words)}</text>')

    def card(self, x: float, y: float, width: float, code: str, copy: int = 0) -> None:
        symbol = deck.symbol(code, copy + 1) if code else deck.BACK
        if symbol not in self._symbols:
            self._symbols[symbol] = _drawing(symbol)
        self._parts.append(f'<use href="#{symbol}" x="{x:.1f}" y="{y:.1f}" width="{width}" height="{width * HEIGHT / WIDTH:.1f}"/>')

    def cards(self, x: float, y: float, width: float, codes: Sequence[str], stride: float) -> float:
        """A row of cards; returns where it ends."""
        seen: dict[str, int] = {}
        for place, code in enumerate(codes):
            self.card(x + place * stride, y, width, code, seen.get(code, 0))
            seen[code] = seen.get(code, 0) + 1
        return x + max(0, len(codes) - 1) * stride + (width if codes else 0)

    def seat(self, y: float, name: str, hand: Sequence[str], pile: str, width: float) -> None:
        """Name, hand on the left, pile by kind on the right."""
        self.text(MARGIN, y + 18, name, 18, INK)
        top = y + 28
        self.cards(MARGIN, top, width, hand, width * 0.5 if hand and not hand[0] else width + 4)
        heaps = deck.by_kind(pile)
        spans = [PILE_CARD + (len(faces) - 1) * PILE_CARD * 0.38 for faces in heaps.values()]
        x = PAGE - MARGIN - sum(spans) - 18 * max(0, len(spans) - 1)
        for faces, span in zip(heaps.values(), spans, strict=True):
            self.cards(x, top, PILE_CARD, [face.code for face in faces], PILE_CARD * 0.38)
            x += span + 18

    def field(self, y: float, step: Json, suits: Sequence[str], opened: bool) -> None:
        """A place a month, in two rows, and the draw pile before them."""
        height = FIELD_CARD * HEIGHT / WIDTH
        pile = step["draw_pile"]
        if pile["count"]:
            following = pile["cards"].split()[0] if opened and pile["cards"] else ""
            self.card(MARGIN, y + height / 2 + 12, FIELD_CARD, following)
        self.text(MARGIN + FIELD_CARD / 2, y + height * 1.5 + 34, str(pile["count"]), 18, INK, "middle")
        room = (PAGE - 2 * MARGIN - FIELD_CARD - 24) / 6
        by_month: dict[int, list[str]] = {}
        for code in step["field"].split():
            by_month.setdefault(13 if code == "?" else deck.month(code), []).append(code)
        for month in range(1, 13):
            x = MARGIN + FIELD_CARD + 24 + (month - 1) % 6 * room
            top = y + (month - 1) // 6 * (height + 40)
            codes = by_month.get(month, []) + (by_month.get(13, []) if month == 12 else [])
            stride = FIELD_CARD * 0.4
            self.cards(x + (room - FIELD_CARD - (len(codes) - 1) * stride) / 2, top, FIELD_CARD, codes, stride)
            self.text(x + room / 2, top + height + 20, f"{month} {suits[month - 1]}", 14, SOFT, "middle")

    def finish(self, height: float) -> str:
        symbols = "".join(f'<symbol id="{name}" viewBox="0 0 {WIDTH} {HEIGHT}">{body}</symbol>' for name, body in self._symbols.items())
        ground = f'<rect width="{PAGE}" height="{height:.0f}" fill="{PAPER}"/>'
        mat = f'<rect x="12" y="{self.top}" width="{PAGE - 24}" height="{height - self.top - 12:.0f}" rx="14" fill="{MAT}"/>'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {PAGE} {height:.0f}" width="{PAGE}" height="{height:.0f}" '
            f'font-family="{SERIF}"><defs>{symbols}</defs>{ground}{mat}{"".join(self._parts)}</svg>'
        )


def _drawing(symbol: str) -> str:
    """The inside of a symbol of the sprite, by its id."""
    others = {deck.BACK: back, deck.UNKNOWN: unknown}
    if symbol in others:
        return others[symbol]()
    code = symbol.removeprefix("card-")
    return drawing(code.removesuffix("-2"), code.endswith("-2"))
