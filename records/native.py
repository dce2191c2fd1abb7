"""Numbers of the machine in place of Python's, where modules are compiled.

There a list holds each number as an object of its own, which is looked into and made anew at every step; a `vec` holds the numbers.
Interpreted it is the other way round, and a list serves as one.
"""

from types import FunctionType
from typing import Any, Final

from librt.strings import read_i64_le
from librt.vecs import vec
from mypy_extensions import i64


def numbers(values: list[int]) -> vec[i64]:
    """Numbers below 2**63 that are looked up by place, or changed: compiled a copy, interpreted the list itself."""
    if INTERPRETED:
        same: Any = values
        return same  # type: ignore[no-any-return]
    # A vec made from the list itself would first ask it for a buffer, which costs ten times as much.
    found = vec[i64]([0] * len(values))
    for place, value in enumerate(values):
        found[place] = value
    return found


def zeros(number: i64) -> vec[i64]:
    """So many numbers to be changed."""
    if INTERPRETED:
        same: Any = [0] * number
        return same  # type: ignore[no-any-return]
    return vec[i64]([0] * number)


def count(cards: i64) -> i64:
    """How many cards a set holds: in pairs of bits, in fours, in eights."""
    # Longer constants, which 50 cards do not need, would be objects.
    cards -= cards >> 1 & 0x5555555555555
    cards = (cards & 0x3333333333333) + (cards >> 2 & 0x3333333333333)
    cards = cards + (cards >> 4) & 0xF0F0F0F0F0F0F
    cards += cards >> 8
    cards += cards >> 16
    cards += cards >> 32
    return cards & 127


INTERPRETED: Final = isinstance(numbers, FunctionType)
"""This module runs as it is written, and so do the others that could be compiled."""
if INTERPRETED:
    globals()["count"] = int.bit_count  # which the compiler would ask an object for
BITS: Final = numbers([1 << place for place in range(63)])
"""The set of each card alone: the compiler makes 32 bits of `1 << card`."""

_ONES: Final = 0x0101010101010101


def count_of(data: bytes, byte: int) -> int:
    """How often a byte stands in some. `bytes.count` looks at one after the other; compiled, eight are looked at together."""
    if INTERPRETED:
        return data.count(byte)
    ones: i64 = _ONES
    lows = ones * 0x7F
    wanted: i64 = byte
    pattern = wanted * ones
    count: i64 = 0
    at: i64 = 0
    end: i64 = len(data)
    while at + 8 <= end:
        word = read_i64_le(data, at) ^ pattern  # the bytes that are 0 now are counted
        others = ((word & lows) + lows) | word  # the highest bit of each of the others
        count += ((~others >> 7 & ones) * ones) >> 56
        at += 8
    while at < end:
        if data[at] == wanted:
            count += 1
        at += 1
    return count
