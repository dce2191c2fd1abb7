"""Every card that can be drawn: its code, and what it is called in English, Portuguese and Japanese."""

from __future__ import annotations

from typing import NamedTuple

from records.cards import CODES as DECK


class Names(NamedTuple):
    """One thing's name in each language."""

    en: str
    pt: str
    ja: str


SUITS: tuple[Names, ...] = (
    Names("Pine", "Pinheiro", "松 matsu"),
    Names("Plum blossom", "Ameixeira", "梅 ume"),
    Names("Cherry blossom", "Cerejeira", "桜 sakura"),
    Names("Wisteria", "Glicínia", "藤 fuji"),
    Names("Iris", "Íris", "菖蒲 ayame"),
    Names("Peony", "Peônia", "牡丹 botan"),
    Names("Bush clover", "Lespedeza", "萩 hagi"),
    Names("Susuki grass", "Capim susuki", "芒 susuki"),
    Names("Chrysanthemum", "Crisântemo", "菊 kiku"),
    Names("Maple", "Bordo", "紅葉 momiji"),
    Names("Willow", "Salgueiro", "柳 yanagi"),
    Names("Paulownia", "Paulównia", "桐 kiri"),
)
"""Suits by month, the Japanese name with its romaji."""

KINDS: dict[str, Names] = {
    "B": Names("bright", "luz", "光 hikari"),
    "A": Names("animal", "animal", "種 tane"),
    "R": Names("ribbon", "fita", "短冊 tanzaku"),
    "C": Names("chaff", "simples", "カス kasu"),
    "Y": Names("yellow chaff", "simples amarela", "黄カス ki-kasu"),
    "J": Names("Joker", "Curinga", "ジョーカー jōkā"),
}

_POEM = Names("poetry ribbon", "fita de poesia", "歌短冊 uta-tanzaku")
_PLAIN = Names("plain ribbon", "fita lisa", "無地短冊 muji-tanzaku")
_BLUE = Names("blue ribbon", "fita azul", "青短冊 ao-tanzaku")

MOTIFS: dict[str, Names] = {
    "1B": Names("crane", "grou", "鶴 tsuru"),
    "2A": Names("bush warbler", "rouxinol", "鶯 uguisu"),
    "3B": Names("curtain", "cortina", "幕 maku"),
    "4A": Names("cuckoo", "cuco", "時鳥 hototogisu"),
    "5A": Names("eight-plank bridge", "ponte de oito tábuas", "八橋 yatsuhashi"),
    "6A": Names("butterflies", "borboletas", "蝶 chō"),
    "7A": Names("boar", "javali", "猪 inoshishi"),
    "8B": Names("full moon", "lua cheia", "月 tsuki"),
    "8A": Names("geese", "gansos", "雁 kari"),
    "9A": Names("sake cup", "taça de saquê", "盃 sakazuki"),
    "10A": Names("deer", "cervo", "鹿 shika"),
    "11B": Names("rain man", "homem da chuva", "小野道風 Ono no Tōfū"),
    "11A": Names("swallow", "andorinha", "燕 tsubame"),
    "11C": Names("lightning", "relâmpago", "稲妻 inazuma"),
    "12B": Names("phoenix", "fênix", "鳳凰 hōō"),
    "JB": Names("Basa", "Basa", "バサ basa"),
    "JC": Names("Chu", "Chu", "チュウ chū"),
    **dict.fromkeys(("1R", "2R", "3R"), _POEM),
    **dict.fromkeys(("4R", "5R", "7R", "11R"), _PLAIN),
    **dict.fromkeys(("6R", "9R", "10R"), _BLUE),
}

BACK = Names("Face-down card", "Carta virada para baixo", "裏向きの札")
UNKNOWN = Names("Card not recorded", "Carta não registrada", "記録のない札")
UNLAWFUL = Names("Unlawful", "Irregular", "反則")

CODES: tuple[str, ...] = tuple(dict.fromkeys(DECK))
"""All codes, by month, jokers last; each once."""

TWINS: frozenset[str] = frozenset(code for code in CODES if DECK.count(code) > 1)
"""Codes that stand for two cards."""


def parts(code: str) -> tuple[int, str, str]:
    """Month (0 for a joker), the letter printed on the card, and its kind (`J` for a joker). ValueError for an unknown code."""
    if code not in CODES:
        raise ValueError(f"no card has the code {code!r}; a code is month and kind, like 1B, 11C, 12Y, or JB, JC")
    letter = code[-1]
    return (0, letter, "J") if code[0] == "J" else (int(code[:-1]), letter, letter)


def title(code: str, lang: str = "en") -> str:
    """A card's name: "Pine, bright: crane"; in Japanese with kanji and romaji. `?` is a card not recorded.

    ValueError for an unknown code or language.
    """
    if lang not in Names._fields:
        raise ValueError(f"no titles in {lang!r}; there are {', '.join(Names._fields)}")
    column = Names._fields.index(lang)
    if code == "?":
        return UNKNOWN[column]
    month, _, kind = parts(code)
    comma, colon = ("・", "：") if lang == "ja" else (", ", ": ")
    words = f"{SUITS[month - 1][column]}{comma}{KINDS[kind][column]}" if month else KINDS[kind][column]
    return f"{words}{colon}{MOTIFS[code][column]}" if code in MOTIFS else words
