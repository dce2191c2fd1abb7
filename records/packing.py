"""Actions and card lists as writers write them, to the bytes of `records.packed`: the quick way in.

It takes codes in upper case, one blank between two words and one line an action; over anything else it raises ValueError, and
`records.notation` reads that. What the quick way takes, the other takes alike. Compiled, it goes from byte to byte and makes no object a
card; interpreted, that would take long: a turn that was met before is looked up whole, and all lists of a deal are read at once.
"""

from collections.abc import Sequence
from typing import Any, Final

from librt.strings import BytesWriter
from mypy_extensions import i64, u8

from records.cards import BASA, CARDS, UNKNOWN
from records.native import INTERPRETED
from records.notation import CALLS, MOST_TAKEN, SPECIALS
from records.packed import ABANDONED, BARE, END, ENDED, HIKI, KEEP, NONE, SEAT, UNSEEN

_CALLS: Final[dict[bytes, int]] = {word.encode(): call for word, call in CALLS.items()}
_SPECIALS: Final[dict[bytes, int]] = {word.encode(): special for word, special in SPECIALS.items()}

_NO_CARD: Final = 255
_NEWLINE: Final = 0x0A
_BLANK: Final = 0x20
_QUOTE: Final = 0x22
_HASH: Final = 0x23
_PLUS: Final = 0x2B
_COMMA: Final = 0x2C
_HYPHEN: Final = 0x2D
_ZERO: Final = 0x30
_ONE: Final = 0x31
_NINE: Final = 0x39
_JOKER: Final = 0x4A
_CLOSE: Final = 0x5D
_SMALL: Final = 0x61
_COLON: Final = 0x3A
_ASKED: Final = 0x3F
_X: Final = 0x78
PADDING: Final = b"\n\n\n\n"
"""Behind a text, so that looking ahead never comes to its end."""


def _two_bytes() -> bytes:
    """The card of each code of two characters, by 256 times the first and the second."""
    table = bytearray([_NO_CARD]) * 0x10000
    for code, card in CARDS.items():
        if len(code) == 2:
            table[ord(code[0]) << 8 | ord(code[1])] = card
    return bytes(table)


def _three_bytes(merge_yellow: bool) -> bytes:
    """The card of each code of three, which all begin with a 1: by 256 times the value of the second and the third."""
    table = bytearray([_NO_CARD]) * (10 << 8)
    for code, card in CARDS.items():
        if len(code) == 3:
            table[int(code[1]) << 8 | ord(code[2])] = CARDS["12C"] if merge_yellow and code == "12Y" else card
    return bytes(table)


_SHORT: Final = _two_bytes()
_LONG: Final = _three_bytes(False)
_LONG_MERGED: Final = _three_bytes(True)
_FIRST_LONG: Final = 36
_AFTER_LONG: Final = 48
"""The cards from the one to before the other have codes of three characters; numbers written out, for the compiler to take over."""
assert (CARDS["10A"], BASA) == (_FIRST_LONG, _AFTER_LONG)
_CARDS: Final[tuple[dict[bytes, int], dict[bytes, int]]] = (
    {b"?": UNKNOWN} | {code.encode(): card for code, card in CARDS.items()},
    {b"?": UNKNOWN} | {code.encode(): card for code, card in CARDS.items()} | {b"12Y": CARDS["12C"]},
)
_MONTHS: Final = bytes([b"123456789\xfa\xfb\xfcJ".find(byte) * 8 % 256 for byte in range(256)])
_LETTERS: Final = bytes([b"BARYC".find(byte) & 7 for byte in range(256)])
"""Each a summand of a card's place in `_PAIRS`; what is neither, as it stands between two lists, gives a sum that has no card."""
_NEITHER: Final = bytes((_NO_CARD,))


def _pairs(merge_yellow: bool) -> bytes:
    """The card of each code by what its month and its letter add up to."""
    table = bytearray(_NEITHER * 256)
    for code, card in CARDS.items():
        table[(card >> 2) * 8 + "BARYC".index(code[-1])] = CARDS["12C"] if merge_yellow and code == "12Y" else card
    return bytes(table)


_PAIRS: Final = (_pairs(False), _pairs(True))
_MET: Final[tuple[dict[bytes, bytes], dict[bytes, bytes]]] = ({}, {})
"""Turns met before, by their text: most are met again."""
MOST_MET: Final = 40_000
"""So many are kept: about as many as can be written of a plain card from the hand and a plain one turned up."""


def pack_cards(text: bytes, merge_yellow: bool) -> bytes:
    """The cards of a list in upper-case codes and `?`, a blank between two. Raises ValueError for anything else: then `read_cards`."""
    if INTERPRETED:
        return _cards_looked_up(text, merge_yellow)
    cards, at = cards_at(text + PADDING, 0, merge_yellow)
    if at != len(text):
        raise ValueError(text)
    return cards


def cards_at(text: bytes, at: i64, merge_yellow: bool) -> tuple[bytes, i64]:
    """The list that begins at a place of a text with `PADDING` behind it, and where it ends."""
    long = _LONG_MERGED if merge_yellow else _LONG
    packed = BytesWriter()
    while True:
        card = _card(text, at, _SHORT, long)
        if card != _NO_CARD:
            at += _width(card)
        elif text[at] == _ASKED:
            card = UNKNOWN
            at += 1
        elif len(packed):
            raise ValueError(text)
        else:
            return b"", at
        packed.append(card)
        if text[at] != _BLANK:
            return packed.getvalue(), at
        at += 1


def pack_lists(texts: Sequence[bytes | None], merge_yellow: bool) -> Sequence[bytes | None]:
    """The same of several lists, of which some may be missing: the quicker way where modules are interpreted."""
    return (None not in texts and _at_once(texts, merge_yellow)) or [
        None if text is None else pack_cards(text, merge_yellow) for text in texts
    ]


def _cards_looked_up(text: bytes, merge_yellow: bool) -> bytes:
    try:
        return bytes(map(_CARDS[merge_yellow].__getitem__, text.split(b" "))) if text else b""
    except KeyError as error:
        raise ValueError(text) from error


def _at_once(texts: Sequence[Any], merge_yellow: bool) -> list[bytes] | None:
    """The lists if there is nothing but known cards in them: the months of all are added to their letters as one number, a byte a card."""
    text = b" ## ".join(texts)
    if not text.isascii():
        return None
    text = text.replace(b"10", b"\xfa").replace(b"11", b"\xfb").replace(b"12", b"\xfc")
    if len(text) % 3 != 2 or text[2::3].strip(b" "):
        return None
    pairs = int.from_bytes(text[::3].translate(_MONTHS)) + int.from_bytes(text[1::3].translate(_LETTERS))
    found = pairs.to_bytes(len(text) // 3 + 1).translate(_PAIRS[merge_yellow]).split(_NEITHER)
    return found if len(found) == len(texts) else None


def pack_list(text: bytes, merge_yellow: bool, seats: int) -> bytes:
    """A round's actions as one play, each followed by `END`, from a list that is JSON, without blanks between its strings. Raises
    ValueError where it is written in another way: then `pack_actions`."""
    if text[:2] != b'["' or text[-2:] != b'"]':
        raise ValueError(text)
    if INTERPRETED:
        return _looked_up(text[2:-2].split(b'","'), merge_yellow, seats)
    packed = BytesWriter()
    if _read(text, 2, _QUOTE, _CLOSE, merge_yellow, seats, packed) != len(text) - 1:
        raise ValueError(text)
    return packed.getvalue()


def pack_actions(actions: Sequence[str], merge_yellow: bool, seats: int) -> bytes:
    """The same of a list of actions. Raises ValueError for anything that writers write in another way: then `read_actions`."""
    if not actions:
        return b""
    play = pack_lines("\n".join(actions).encode(), merge_yellow, seats)
    if play.count(ENDED) != len(actions):
        raise ValueError(actions)
    return play


def pack_lines(text: bytes, merge_yellow: bool, seats: int) -> bytes:
    """The same of actions with a line each."""
    if INTERPRETED:
        return _looked_up(text.split(b"\n"), merge_yellow, seats)
    play, at = play_at(text + PADDING, 0, merge_yellow, seats)
    if at != len(text) + 1:
        raise ValueError(text)
    return play


def play_at(text: bytes, at: i64, merge_yellow: bool, seats: int) -> tuple[bytes, i64]:
    """The actions of a round, a line each, from a place of a text with `PADDING` behind it to the next empty line, and where that is."""
    packed = BytesWriter()
    at = _read(text, at, _NEWLINE, _NEWLINE, merge_yellow, seats, packed)
    return packed.getvalue(), at


def _looked_up(actions: list[bytes], merge_yellow: bool, seats: int) -> bytes:
    met = _MET[merge_yellow]
    try:
        return b"".join(map(met.__getitem__, actions))
    except KeyError:
        last = len(actions) - 1
        return b"".join([met.get(action) or _new(action, at == 0, at == last, merge_yellow, seats) for at, action in enumerate(actions)])


def _new(action: bytes, is_first: bool, is_last: bool, merge_yellow: bool, seats: int) -> bytes:
    """An action that was not met before."""
    writer = BytesWriter()
    if _action(action + PADDING, 0, _NEWLINE, _NEWLINE if is_last else _QUOTE, is_first, merge_yellow, seats, writer) != len(action):
        raise ValueError(action)
    packed = writer.getvalue()
    if packed[0] <= NONE:  # its place and the seats at the table do not matter
        met = _MET[merge_yellow]
        if len(met) >= MOST_MET:
            met.clear()
        met[action] = packed
    return packed


def _read(text: bytes, at: i64, end: i64, close: i64, merge_yellow: bool, seats: int, packed: BytesWriter) -> i64:
    """The actions from a place on, and where they end. `end`: what ends each, `close`: what stands behind that of the last one."""
    start = at
    while True:
        at = _action(text, at, end, close, at == start, merge_yellow, seats, packed) + 1
        if text[at] == close:
            return at
        if end == _QUOTE:
            if text[at] != _COMMA or text[at + 1] != _QUOTE:
                raise ValueError(text)
            at += 2


def _action(text: bytes, at: i64, end: i64, close: i64, is_first: bool, merge_yellow: bool, seats: int, packed: BytesWriter) -> i64:
    """The action from a place on, and where it ends."""
    long = _LONG_MERGED if merge_yellow else _LONG
    if text[at + 1] == _COLON:
        seat = text[at] - _ZERO
        if not 0 < seat <= seats or text[at + 2] != _BLANK:
            raise ValueError(text)
        packed.append(SEAT + seat)
        at += 3
    head: i64 = text[at]
    if head <= _NINE or head == _JOKER:
        at = _turn(text, at, end, long, packed)
    elif head == _ASKED:
        packed.append(UNSEEN)
        at = _after_first(text, at + 1, end, long, packed)
    else:
        word = text[at : text.find(end, at)]
        special = _SPECIALS.get(word, 0)
        at += len(word)
        if not special or (special == KEEP and not is_first) or (special == ABANDONED and text[at + 1] != close):
            raise ValueError(text)
        packed.append(special)
    if text[at] != end:
        raise ValueError(text)
    packed.append(END)
    return at


def _turn(text: bytes, at: i64, end: i64, long: bytes, packed: BytesWriter) -> i64:
    """A turn that begins with a card, `-` or `#`, from its place on; where it ends."""
    head: i64 = text[at]
    if head == _HYPHEN:
        packed.append(NONE)
        at += 1
    elif head == _HASH:
        month = text[at + 1] - _ZERO
        at += 2
        if month == 1 and _ZERO <= text[at] <= _ZERO + 2:
            month = 10 + text[at] - _ZERO
            at += 1
        if not 0 < month <= 12:
            raise ValueError(text)
        packed.append(HIKI + month)
    else:
        at = _half(text, at, long, packed)
    return _after_first(text, at, end, long, packed)


def _after_first(text: bytes, at: i64, end: i64, long: bytes, packed: BytesWriter) -> i64:
    """The card turned up and the call, as far as they are there."""
    if text[at] == _BLANK and text[at + 1] < _SMALL:
        if text[at + 1] == _ASKED:
            packed.append(UNSEEN)
            at += 2
        else:
            at = _half(text, at + 1, long, packed)
    if text[at] == _BLANK:
        word = text[at + 1 : text.find(end, at)]
        call = _CALLS.get(word, 0)
        if not call:
            raise ValueError(text)
        packed.append(call)
        at += 1 + len(word)
    return at


def _half(text: bytes, at: i64, long: bytes, packed: BytesWriter) -> i64:
    """A card and what it takes; where they end."""
    card = _card(text, at, _SHORT, long)
    if card == _NO_CARD:
        raise ValueError(text)
    packed.append(card)
    at += _width(card)
    if text[at] != _X:
        packed.append(0)
        return at
    at += 1
    place = len(packed)
    packed.append(BARE)
    count = 0
    card = _card(text, at, _SHORT, long)
    while card != _NO_CARD:
        packed.append(card)
        at += _width(card)
        count += 1
        if text[at] != _PLUS:
            if count > MOST_TAKEN:
                raise ValueError(text)
            packed[place] = count
            return at
        at += 1
        card = _card(text, at, _SHORT, long)
    if count:
        raise ValueError(text)
    return at


def _card(text: bytes, at: i64, short: bytes, long: bytes) -> u8:
    """The card whose code stands there, `_NO_CARD` where none does."""
    head: i64 = text[at]
    after: i64 = text[at + 1]
    if after > _NINE:
        return short[head * 256 + after]
    if head == _ONE and after >= _ZERO:
        return long[(after - _ZERO) * 256 + text[at + 2]]
    return _NO_CARD


def _width(card: u8) -> i64:
    """How many characters its code has."""
    return 3 if _FIRST_LONG <= card < _AFTER_LONG else 2
