"""Names that people use for cards, in English, romaji, kanji and Portuguese (record-format.md, 1).

A name is one word; case, accents, hyphens and underscores do not matter (`bush-warbler`, `BushWarbler`, `relampago`). Words that
fit several cards (`ribbon`, `pine`) are known too, so that an error can say which cards they might be.
"""

import difflib
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

from records.cards import CARDS, CODES
from records.errors import AmbiguousCard, UnknownCard

SUITS: Final[tuple[tuple[str, ...], ...]] = (
    ("pine", "matsu", "松", "pinheiro"),
    ("plum", "plum-blossom", "ume", "梅", "ameixeira", "ameixa"),
    ("cherry", "cherry-blossom", "sakura", "桜", "櫻", "cerejeira", "cereja"),
    ("wisteria", "fuji", "藤", "glicínia"),
    ("iris", "ayame", "shobu", "菖蒲", "あやめ", "íris"),
    ("peony", "botan", "牡丹", "peônia", "peónia"),
    ("clover", "bush-clover", "hagi", "萩", "trevo", "lespedeza"),
    ("susuki", "susuki-grass", "pampas", "pampas-grass", "芒", "薄", "すすき", "capim"),
    ("chrysanthemum", "mum", "kiku", "菊", "crisântemo"),
    ("maple", "momiji", "紅葉", "もみじ", "bordo", "ácer"),
    ("willow", "yanagi", "柳", "salgueiro"),
    ("paulownia", "kiri", "桐", "paulównia"),
)
"""The suits' names by month, pine first."""

NAMES: Final[dict[str, tuple[str, ...]]] = {
    "1B": ("crane", "tsuru", "鶴", "つる", "grou"),
    "2A": ("bush-warbler", "warbler", "nightingale", "uguisu", "鶯", "うぐいす", "rouxinol"),
    "3B": ("curtain", "camp-curtain", "maku", "幕", "幔幕", "manmaku", "桜に幕", "cortina"),
    "4A": ("cuckoo", "hototogisu", "kakko", "時鳥", "不如帰", "杜鵑", "ほととぎす", "cuco"),
    "5A": ("eight-plank-bridge", "bridge", "plank-bridge", "yatsuhashi", "八橋", "八つ橋", "八ツ橋", "ponte"),
    "6A": ("butterflies", "butterfly", "cho", "chou", "chocho", "蝶", "borboletas", "borboleta"),
    "7A": ("boar", "wild-boar", "inoshishi", "shishi", "猪", "いのしし", "javali"),
    "8B": ("full-moon", "moon", "tsuki", "mangetsu", "bozu", "月", "満月", "坊主", "lua-cheia", "lua"),
    "8A": ("geese", "wild-geese", "goose", "kari", "gan", "雁", "gansos", "ganso"),
    "9A": ("sake-cup", "sake", "cup", "sakazuki", "盃", "杯", "taça-de-saquê", "saquê", "taça", "copo"),
    "10A": ("deer", "stag", "shika", "鹿", "しか", "cervo", "veado"),
    "11B": (
        *("rain-man", "rain", "poet", "ame", "ono-no-michikaze", "ono-no-tofu", "tofu"),
        *("小野道風", "道風", "雨", "homem-da-chuva", "chuva", "poeta"),
    ),
    "11A": ("swallow", "tsubame", "燕", "つばめ", "andorinha"),
    "11C": (
        *("lightning", "thunder", "gaji", "onifuda", "kaminari", "雷", "鬼札", "鬼", "がじ", "ガジ"),
        *("relâmpago", "raio", "trovão"),
    ),
    "12B": ("phoenix", "hoo", "houou", "ho-o", "鳳凰", "ほうおう", "fênix", "fénix"),
    "12Y": ("yellow-chaff", "yellow-paulownia", "yellow", "ki-kasu", "黄カス", "palha-amarela", "amarela"),
    "JB": ("basa", "ばさ", "バサ"),
    "JC": ("chu", "ちゅう", "チュウ", "チュー"),
}
"""Names of the cards that have one of their own, by code; the first is the English one."""

KINDS: Final[dict[str, tuple[str, ...]]] = {
    "B": ("bright", "light", "hikari", "光", "brilho", "luz"),
    "A": ("animal", "tane", "タネ", "種"),
    "R": ("ribbon", "tan", "tanzaku", "短冊", "短", "タン", "fita"),
    "C": ("chaff", "junk", "plain", "kasu", "カス", "かす", "palha"),
}
"""What a kind of card is called, by its letter: alone it fits several cards, with a suit before it one."""

RIBBONS: Final[dict[str, tuple[tuple[int, ...], tuple[str, ...]]]] = {
    "poetry": ((1, 2, 3), ("poetry-ribbon", "red-poetry-ribbon", "akatan", "赤短", "あかよろし", "fita-poética")),
    "blue": ((6, 9, 10), ("blue-ribbon", "aotan", "青短", "fita-azul")),
    "plain": ((4, 5, 7, 11), ("plain-ribbon", "fita-lisa")),
    "red": ((1, 2, 3, 4, 5, 7, 11), ("red-ribbon", "fita-vermelha")),
}
"""Ribbons by what is on them: their months, and their names."""


def fold(word: str) -> str:
    """A word as it is compared: without case, Latin accents, hyphens and underscores, digits plain, katakana as hiragana."""
    if word.isascii():
        return word.lower().replace("-", "").replace("_", "")
    plain = "".join(c for c in unicodedata.normalize("NFD", word) if not "\u0300" <= c <= "\u036f")
    return unicodedata.normalize("NFC", plain).casefold().translate(_PLAIN).replace("-", "").replace("_", "")


FULL_WIDTH: Final = {ord("０") + digit: str(digit) for digit in range(10)}
"""Full-width digits, to plain ones (for `str.translate`)."""
_PLAIN: Final = FULL_WIDTH | {kana: chr(kana - 0x60) for kana in range(ord("ァ"), ord("ヶ") + 1)}
"""The same, and katakana to hiragana: both are written for one name."""


def _joined(suit: str, name: str) -> Iterator[str]:
    """A suit and what lies on it as people join them, both in one script: `matsu-ni-tsuru`, 松に鶴."""
    if suit.isascii() == name.isascii():
        for joint in ("", "-", "-ni-", "-no-") if suit.isascii() else ("", "に", "の"):
            yield suit + joint + name


def _entries() -> Iterator[tuple[str, str]]:
    """Every name with a code that it fits; a name that fits several codes comes as often."""
    for code in dict.fromkeys(CODES):
        if code[0] == "J":
            for name in (*NAMES[code], "joker", "curinga", "coringa"):
                yield name, code
            continue
        month = int(code[:-1])
        kinds = list(KINDS["C" if code[-1] == "Y" else code[-1]])
        if code[-1] == "R":
            kinds += [name for months, names in RIBBONS.values() if month in months for name in names]
        for name in (*NAMES.get(code, ()), *kinds):
            yield name, code
        for suit in SUITS[month - 1]:
            yield suit, code
            for name in (*NAMES.get(code, ()), *kinds):
                for joined in _joined(suit, name):
                    yield joined, code
            for kind in kinds:
                yield f"{kind}-de-{suit}", code


def _table() -> tuple[dict[str, tuple[int, ...]], dict[str, str]]:
    cards: dict[str, dict[int, None]] = {}
    for name, code in _entries():
        cards.setdefault(fold(name), {})[CARDS[code]] = None
    # A card's own name is the card's, whatever else it might be (`yellow-chaff` is no chaff with a suit).
    written: dict[str, str] = {}
    for code, names in NAMES.items():
        for name in names:
            cards[fold(name)] = {CARDS[code]: None}
            written[fold(name)] = name
    for suit in SUITS:
        for kind in KINDS.values():
            name = f"{suit[0]}-{kind[0]}"
            if len(cards.get(fold(name), ())) == 1:
                written[fold(name)] = name
    return {name: tuple(found) for name, found in cards.items()}, written


@cache
def _tables() -> tuple[dict[str, tuple[int, ...]], dict[str, str]]:
    return _table()


def _codes() -> dict[str, int]:
    """Every way to write a code, in upper case."""
    found = dict(CARDS)
    for code in dict.fromkeys(CODES):
        if code[-1] == "C" and code not in ("11C", "12C", "JC"):
            found[code + "1"] = found[code + "2"] = CARDS[code]
    found["11C1"] = CARDS["11C"]
    found["12C1"] = CARDS["12Y"]
    found["12C2"] = found["12C3"] = CARDS["12C"]
    return found


WRITTEN: Final = _codes()
"""The card of each way to write a code, in upper case: `12C1` is the yellow chaff."""


def card_of(word: str, merge_yellow: bool) -> int:
    """The card that a word names, by code or by name; with `merge_yellow` the yellow chaff is a plain one.

    Raises UnknownCard for a word that names none, AmbiguousCard for one that names several.
    """
    card = WRITTEN.get(word if word.isascii() else word.translate(FULL_WIDTH), -1)
    if card < 0:
        card = WRITTEN.get(word.translate(FULL_WIDTH).upper(), -1)
    if card < 0:
        cards = _tables()[0].get(fold(word), ())
        if merge_yellow:
            cards = tuple(dict.fromkeys(_merged(card) for card in cards))
        if not cards:
            raise UnknownCard(word)
        if len(cards) > 1:
            raise AmbiguousCard(word, cards)
        card = cards[0]
    return _merged(card) if merge_yellow else card


def _merged(card: int) -> int:
    return CARDS["12C"] if card == CARDS["12Y"] else card


@lru_cache(maxsize=1024)
def near_card(word: str) -> str | None:
    """The code or name that a word nearly is; None where nothing is near, or several are equally near."""
    if len(word) > 40:
        return None
    if word[:-1].upper() in CARDS and word[-1:].isdigit():
        return word[:-1].upper()
    names, written = _tables()
    folded = fold(word)
    codes = {code.lower(): code for code in CARDS}
    near = difflib.get_close_matches(folded, codes, n=2, cutoff=0.75) if len(folded) < 5 else []
    if not near:
        near = difflib.get_close_matches(folded, written, n=2, cutoff=0.75)
    if not near:
        return None
    best = near[0]
    if len(near) > 1 and names.get(near[1]) != names.get(best, ()) and _ratio(folded, near[1]) == _ratio(folded, best):
        return None
    return codes.get(best) or written[best]


def _ratio(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, other, one).ratio()


def nearest(word: str, known: list[str]) -> str | None:
    """The one of some known words that a word nearly is, case aside."""
    if len(word) > 80:
        return None
    lower = {each.lower(): each for each in known}
    near = difflib.get_close_matches(word.lower(), lower, n=1, cutoff=0.6)
    return lower[near[0]] if near else None
