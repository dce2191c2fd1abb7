"""Cards on a page: which picture of the sprite, and which words, stand for a code."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from records.cards import CODES
from web import cards
from web.cards.catalogue import KINDS, SUITS
from web.language import _

KIND_ORDER = "BARC"


@dataclass(frozen=True, slots=True)
class Face:
    """One card of a list: its code, the id of its symbol in the sprite, its words."""

    code: str
    symbol: str
    title: str


BACK = "card-back"
UNKNOWN = "card-unknown"


def symbol(code: str, copy: int = 1) -> str:
    """Id of the picture of the `copy`-th card (from 1) of a code; the third ``12C`` is the yellow one, where it counts as plain chaff."""
    if code == "?":
        return UNKNOWN
    if code == "12C" and copy == 3:
        return cards.symbol_id("12Y")
    return cards.symbol_id(code, copy > 1)


def suits(language: str) -> list[str]:
    """The suits' names by month, pine first, and at the end what the jokers are called."""
    return [str(getattr(names, language)) for names in (*SUITS, KINDS["J"])]


def kanji(month: int) -> str:
    """The suit of a month (from 1) in kanji."""
    return SUITS[month - 1].ja.split()[0]


def faces(codes: str | Iterable[str], language: str = "en") -> list[Face]:
    """The cards of a list, each twin with a picture of its own. A card that nobody saw (``?``) is a back."""
    seen: dict[str, int] = {}
    found = []
    for code in codes.split() if isinstance(codes, str) else codes:
        seen[code] = seen.get(code, 0) + 1
        found.append(Face(code, symbol(code, seen[code]), "?" if code == "?" else cards.title(code, language)))
    return found


def pictures(language: str) -> dict[str, object]:
    """What a script needs to draw any card: by code its symbols, how often it is in the deck, and its words; the months, the back."""
    codes = list(dict.fromkeys(CODES))
    return {
        "back": BACK,
        "faces": {code: [symbol(code, copy) for copy in (1, 2, 3)] for code in codes} | {"?": [UNKNOWN]},
        "copies": {code: CODES.count(code) for code in codes},
        "titles": {face.code: face.title for face in faces(codes, language)} | {"?": _("a card nobody recorded")},
        "months": [spoken(name) for name in suits(language)],
    }


def spoken(title: str) -> str:
    """A card's words within a sentence: of a Japanese title the kanji alone, without the romaji behind them."""
    return re.sub(r"(?<=[^\x00-\u02ff]) [a-zA-Zāēīōū][a-zA-Zāēīōū -]*", "", title)


def month(code: str) -> int:
    """The month of a code, 13 for a joker."""
    return 13 if code[0] == "J" else int(code[:-1])


def kind(code: str) -> str:
    """The letter under which a card lies in a pile: B, A, R or C."""
    return "C" if code[-1] == "Y" else code[-1]


def by_kind(codes: str, language: str = "en") -> dict[str, list[Face]]:
    """A pile laid out by kind, brights first; kinds that are not there are left out."""
    laid: dict[str, list[Face]] = {letter: [] for letter in KIND_ORDER}
    for face in faces(codes, language):
        laid[kind(face.code)].append(face)
    return {letter: found for letter, found in laid.items() if found}
