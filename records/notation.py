"""Actions and card lists as text, to and from the bytes of `records.packed` (record-format.md, 1).

`read_action`, `read_actions` and `read_cards` take everything that the format allows (names, ordinals, any case, full-width digits, any
blanks) and tell all that is wrong, with its place. Text as writers write it has a quick way in: `records.packing`.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import Final

from librt.strings import BytesWriter
from mypy_extensions import i64

from records.cards import CODES, UNKNOWN
from records.errors import AmbiguousCard, Problem, UnknownCard
from records.names import FULL_WIDTH, card_of, near_card, nearest
from records.native import INTERPRETED
from records.packed import (
    ABANDONED,
    BARE,
    END,
    ENDED,
    HIKI,
    KEEP,
    KOI,
    LUCKY,
    MISDEAL,
    NONE,
    SEAT,
    STOP,
    THROWN_IN,
    UNSEEN,
)

CALLS: Final[dict[str, int]] = {"koi": KOI, "stop": STOP}
SPECIALS: Final[dict[str, int]] = {"keep": KEEP, "lucky": LUCKY, "misdeal": MISDEAL, "abandoned": ABANDONED}
_WORDS: Final[dict[int, bytes]] = {
    **{number: word.encode() for words in (CALLS, SPECIALS) for word, number in words.items()},
    NONE: b"-",
    UNSEEN: b"?",
}
MOST_TAKEN: Final = len(CODES)
"""Cards that one half of a turn can name as taken."""
LONGEST_WORD: Final = 400
"""Characters of a word that is worth a try: room for the codes of a whole deck."""
LONGEST_NAME: Final = 40

_WORD: Final = re.compile(r"\S+")
_SEAT: Final = re.compile(r"\s*+([^\s:]*+)\s*+:\s*+")
_NUMBER: Final = re.compile(r"[0-9]+")
_DIVIDERS: Final = "xX×"
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_ACTION: Final = "an action such as `3Bx3C 8Bx8C`, `4A 1R`, `- 8B` or `misdeal`"
_CARD: Final = "a card's code such as `3B`, or its name"


_CODES: Final[list[bytes]] = [code.encode() for code in CODES] + [b""] * (UNKNOWN - len(CODES)) + [b"?"]
_BEHIND: Final[list[bytes]] = [b" " + code for code in _CODES]
"""The same behind another card."""
_TAKEN: Final[list[bytes]] = [b"x" + code for code in _CODES]
_TAKEN_TOO: Final[list[bytes]] = [b"+" + code for code in _CODES]
"""The same as the first that a card takes, and as another one."""
_BLANK: Final = 0x20
_HASH: Final = 0x23
_ZERO: Final = 0x30
_X: Final = 0x78


def unpack_cards(cards: bytes) -> str:
    """A card list as writers write it, in its own order."""
    writer = BytesWriter()
    write_cards(cards, writer)
    return writer.getvalue().decode()


def write_cards(cards: bytes, writer: BytesWriter) -> None:
    """The same, in ASCII."""
    if INTERPRETED:
        writer.write(b" ".join(map(_CODES.__getitem__, cards)))
        return
    codes = _CODES
    for card in cards:
        writer.write(codes[card])
        codes = _BEHIND


def unpack(action: bytes) -> str:
    """An action as writers write it. Raises ValueError for bytes that are no action."""
    writer = BytesWriter()
    try:
        whole = write_action(action + ENDED, 0, writer) == len(action)
    except IndexError:
        whole = False
    if not whole:
        raise ValueError(f"no action: {action!r}")
    return writer.getvalue().decode()


def write_action(play: bytes, at: i64, writer: BytesWriter) -> i64:
    """The same of the action that begins at a place of a play, in UTF-8; where it ends."""
    if SEAT < play[at] <= SEAT + 7:
        writer.append(_ZERO + play[at] - SEAT)
        writer.write(b": ")
        at += 1
    start = at
    head: i64 = play[at]
    while head != END:
        if head >= NONE and at > start:
            writer.append(_BLANK)
        at += 1
        if head < NONE:
            writer.write(_CODES[head] if at == start + 1 else _BEHIND[head])
            taken: i64 = play[at]
            at += 1
            if taken == BARE:
                writer.append(_X)
            elif taken:
                writer.write(_TAKEN[play[at]])
                for place in range(at + 1, at + taken):
                    writer.write(_TAKEN_TOO[play[place]])
                at += taken
        elif head == THROWN_IN:
            end = play.index(ENDED, at)
            writer.write(b"misdeal: ")
            writer.write(play[at:end])
            at = end
        elif HIKI < head <= HIKI + 12:
            writer.append(_HASH)
            writer.write(str(head - HIKI).encode())
        else:
            word = _WORDS.get(head)
            if word is None:
                raise ValueError(f"no action: {play!r}")
            writer.write(word)
        head = play[at]
    return at


# -- the slow way: everything that the format allows, and all that is wrong ----------------------------------------------


def read_cards(text: str, merge_yellow: bool) -> tuple[bytes, list[Problem]]:
    """The cards of a list, and what is wrong with it. A card too often or too few is the audit's matter."""
    found: list[int] = []
    problems: list[Problem] = []
    for match in _WORD.finditer(text):
        word = match.group()
        if word == "?":
            found.append(UNKNOWN)
            continue
        try:
            found.append(card_of(word, merge_yellow))
        except (UnknownCard, AmbiguousCard) as error:
            problems.append(_no_card(word, word, match.start(), error))
    return bytes(found), problems


def read_actions(actions: Sequence[str], merge_yellow: bool, seats: int) -> tuple[tuple[bytes, ...], list[tuple[int, Problem]]]:
    """A round's actions, and what is wrong with each, by its index from 0; also what may only be first or last."""
    found: list[bytes] = []
    problems: list[tuple[int, Problem]] = []
    for at, text in enumerate(actions):
        action, wrong = read_action(text, merge_yellow, seats)
        found.append(action)
        problems.extend((at, problem) for problem in wrong)
        if wrong:
            continue
        head = action[1] if SEAT < action[0] <= SEAT + 7 else action[0]
        if head == KEEP and at > 0:
            problems.append((at, _misplaced(text, "keep", "keep-not-first", "can only be the first action")))
        elif head == ABANDONED and at < len(actions) - 1:
            problems.append((at, _misplaced(text, "abandoned", "abandoned-not-last", "can only be the last action")))
    return tuple(found), problems


def _misplaced(text: str, word: str, code: str, why: str) -> Problem:
    offset = text.lower().index(word)
    return Problem(code, f"`{word}` {why}.", text[offset : offset + len(word)], offset=offset)


def read_action(text: str, merge_yellow: bool, seats: int) -> tuple[bytes, list[Problem]]:
    """One action, and what is wrong with it; where something is, the bytes mean nothing."""
    plain = text.translate(FULL_WIDTH)
    problems: list[Problem] = []
    packed = bytearray()
    at = 0
    written = _SEAT.match(plain)
    if written is not None and not written.group(1).lower().startswith("misdeal"):
        seat = written.group(1)
        at = written.end()
        number = int(seat) if _NUMBER.fullmatch(seat) and len(seat) < 4 else 0
        if 1 <= number <= seats:
            packed.append(SEAT + number)
        else:
            problems.append(
                Problem(
                    "no-such-seat",
                    f"{seat or 'Nothing'} is no seat of this table.",
                    text[written.start(1) : written.end(1)],
                    f"a seat from 1 to {seats} before the colon",
                    offset=written.start(1),
                )
            )
    words = [(match.group(), match.start()) for match in _WORD.finditer(plain, at)]
    if not words:
        problems.append(Problem("empty-action", "The action is empty.", text, _ACTION, offset=0))
        return bytes(packed), problems
    head, offset = words[0]
    name, colon, _ = head.partition(":")
    if colon and name.lower() == "misdeal":
        _read_reason(plain, offset + len(name) + 1, offset, packed, problems)
    elif head.lower() in SPECIALS:
        packed.append(SPECIALS[head.lower()])
        for word, place in words[1:]:
            expected = "`misdeal: REASON`" if head.lower() == "misdeal" else None
            problems.append(Problem("misplaced", f"`{head.lower()}` stands alone.", word, expected, offset=place))
    else:
        _read_turn(words, merge_yellow, packed, problems)
    return bytes(packed), problems


def _read_reason(text: str, start: int, offset: int, packed: bytearray, problems: list[Problem]) -> None:
    reason = text[start:].strip()
    control = _CONTROL.search(reason)
    if not reason:
        problems.append(Problem("missing-reason", "The reason is missing.", text[offset:start], "`misdeal: REASON`", "misdeal", offset))
    elif control is not None:
        detail = "A reason holds no control character."
        problems.append(Problem("control-character", detail, ascii(control.group())[1:-1], offset=offset))
    packed.append(THROWN_IN)
    packed.extend(reason.encode(errors="replace"))


def _read_turn(words: list[tuple[str, int]], merge_yellow: bool, packed: bytearray, problems: list[Problem]) -> None:
    halves = 0
    call = ""
    for number, (word, offset) in enumerate(words):
        lower = word.lower()
        if lower in CALLS:
            if call:
                problems.append(Problem("misplaced", "A turn ends with one call.", word, offset=offset))
            elif number == 0:
                detail = "A call stands at the end of a turn."
                problems.append(Problem("misplaced", detail, word, f"a turn such as `3Bx3C 8A {lower}`", offset=offset))
            elif number < len(words) - 1 and words[number + 1][0].lower() not in CALLS:
                problems.append(Problem("misplaced", "A call is the last word of a turn.", word, offset=offset))
            call = lower
            packed.append(CALLS[lower])
            continue
        if halves == 2:
            detail = "A turn has at most two cards: one from the hand, one turned up."
            problems.append(Problem("too-many-cards", detail, word, "`koi`, `stop` or the end of the turn", offset=offset))
            continue
        halves += 1
        if word == "-" or word[0] == "#":
            if halves == 2:
                detail = "Only the card from the hand can be missing or a hiki."
                problems.append(Problem("misplaced", detail, word, "the card turned up", offset=offset))
            elif word == "-":
                packed.append(NONE)
            else:
                month = int(word[1:]) if _NUMBER.fullmatch(word[1:]) and len(word) < 5 else 0
                if 1 <= month <= 12:
                    packed.append(HIKI + month)
                else:
                    detail = f"{word[1:] or 'Nothing'} is no month."
                    problems.append(Problem("no-such-month", detail, word, "`#` and a month from 1 to 12", offset=offset))
        elif word == "?":
            packed.append(UNSEEN)
        elif lower in SPECIALS:
            problems.append(Problem("misplaced", f"`{lower}` stands alone.", word, _CARD, offset=offset))
        else:
            half = _half(word, merge_yellow)
            if not half:
                problems.append(_no_half(word, offset, merge_yellow))
            elif len(half) > MOST_TAKEN + 1:
                detail = "More cards are taken than a deck has."
                problems.append(Problem("too-many-cards", detail, word, offset=offset))
            elif len(half) == 2 and half[1] == BARE:
                packed.extend(half)
            else:
                packed.append(half[0])
                packed.append(len(half) - 1)
                packed.extend(half[1:])


@lru_cache(maxsize=8192)
def _half(word: str, merge_yellow: bool) -> tuple[int, ...]:
    """A half's card, then what it takes (`BARE` alone: what it must); empty where the word is no half."""
    if len(word) > LONGEST_WORD:
        return ()
    return next(_ways(word, 0, merge_yellow), ())


def _ways(word: str, at: int, merge_yellow: bool) -> Iterator[tuple[int, ...]]:
    """The ways to read a half from a place on, longest names first: a name may hold an `x`."""
    dividers = "+" if at else _DIVIDERS
    ends = [place for place in range(at + 1, min(len(word), at + LONGEST_NAME)) if word[place] in dividers]
    for end in (len(word), *reversed(ends)) if len(word) - at <= LONGEST_NAME else reversed(ends):
        try:
            card = card_of(word[at:end], merge_yellow)
        except (UnknownCard, AmbiguousCard):
            continue
        if end == len(word):
            yield (card,)
        elif end < len(word) - 1:
            for rest in _ways(word, end + 1, merge_yellow):
                yield (card, *rest)
        elif at == 0:
            yield (card, BARE)


def _no_half(word: str, offset: int, merge_yellow: bool) -> Problem:
    """Which part of a word is no card."""
    if len(word) > LONGEST_WORD:
        return Problem("bad-action", "A word is far too long for a part of a turn.", word, _ACTION, offset=offset)
    start = 0
    for part in [word] if word.isalpha() else re.split(r"[xX×+]", word):
        try:
            card_of(part, merge_yellow)
        except (UnknownCard, AmbiguousCard) as error:
            if part:
                return _no_card(part, word, offset, error, start)
        start += len(part) + 1
    return Problem("bad-action", f"`{word[:80]}` is no part of a turn.", word, _ACTION, offset=offset)


def _no_card(part: str, word: str, offset: int, error: Exception, start: int = 0) -> Problem:
    """The problem of a part of a word that names no card, or several."""
    if isinstance(error, AmbiguousCard):
        cards = " ".join(CODES[card] for card in error.cards)
        return Problem("ambiguous-card", f"`{part[:80]}` names several cards.", word, f"one of {cards}", offset=offset)
    return Problem("unknown-card", f"`{part[:80]}` is no card.", word, _CARD, partial(_corrected, word, part, start), offset)


def _corrected(word: str, part: str, start: int) -> str | None:
    """The word with a part of it as it was probably meant."""
    near = (nearest(part, [*CALLS, *SPECIALS]) if len(part) > 2 and part.isalpha() else None) or near_card(part)
    return None if near is None else word[:start] + near + word[start + len(part) :]
