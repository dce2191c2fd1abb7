"""The written form as typed structs, for the quick way in (`records.formats.fast`, which is compiled; these cannot be)."""

from typing import Final

import msgspec


class WrittenPlayer(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """One of `players`."""

    name: str


class WrittenEvent(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """`event`."""

    name: str | None = None
    site: str | None = None
    date: str | None = None
    table: str | None = None
    recorder: str | None = None


class WrittenMatch(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """`match`."""

    type: str
    rounds: int | None = None
    points: int | None = None
    start: int | None = None


class WrittenDeal(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A round's `deal`."""

    field: str | None = None
    hands: list[str | None] | None = None
    draw_pile: str | None = None


class WrittenClaims(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A round's `claims`."""

    points: list[int | float] | None = None
    yaku: list[list[str]] | None = None
    scores: list[int | float] | None = None


class WrittenSums(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """The record's `claims`."""

    totals: list[int | float] | None = None
    winner: int | None = None


_ABSENT: Final = msgspec.Raw(b"")


class WrittenRound(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """One of `rounds`."""

    dealer: int
    deal: WrittenDeal | None = None
    actions: msgspec.Raw = _ABSENT
    """A list of strings, read by the way that knows what may stand in them."""
    piles: list[str] | None = None
    lightning: str | None = None
    first_great: str | None = None
    stopped: int | None = None
    calls: list[int] | None = None
    claims: WrittenClaims | None = None
    adjust: list[int | float] | None = None
    notes: dict[str, str] | None = None


class WrittenRecord(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A whole record."""

    format: str
    variant: str
    players: list[WrittenPlayer]
    rounds: list[WrittenRound]
    options: dict[str, str | bool | int | float] | None = None
    event: WrittenEvent | None = None
    sides: list[list[int]] | None = None
    match: WrittenMatch | None = None
    claims: WrittenSums | None = None


DECODER: Final = msgspec.json.Decoder(WrittenRecord)
ACTIONS: Final = msgspec.json.Decoder(list[str] | None)
NotJson = msgspec.DecodeError
"""What the decoder raises over anything that is not in this form."""
