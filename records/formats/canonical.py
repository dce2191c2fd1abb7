"""A record's RFC 8785 form, written straight down: its identity is the hash of these bytes.

A record's keys are ASCII and its numbers are whole or halves below 2^53: compact JSON with sorted keys is all there is to it. The structs
name their keys in that order; what is None is left out. A test holds them against `records.formats.written` and a writer of RFC 8785 that
is not ours.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from msgspec.json import Encoder

from records.formats.written import numbers_json
from records.notation import unpack, unpack_cards
from records.record import FORMAT, Claims, Deal, Event, Match, Number, OptionValue, Record, Round


class _Sums(Struct, omit_defaults=True, gc=False):
    totals: list[Number] | None = None
    winner: int | None = None


class _Event(Struct, omit_defaults=True, gc=False):
    date: str | None = None
    name: str | None = None
    recorder: str | None = None
    site: str | None = None
    table: str | None = None


class _Match(Struct, omit_defaults=True, gc=False, kw_only=True):
    points: int | None = None
    rounds: int | None = None
    start: int | None = None
    type: str


class _Player(Struct, gc=False):
    name: str


class _Claims(Struct, omit_defaults=True, gc=False):
    points: list[Number] | None = None
    scores: list[Number] | None = None
    yaku: tuple[tuple[str, ...], ...] | None = None


class _Deal(Struct, omit_defaults=True, gc=False):
    draw_pile: str | None = None
    field: str | None = None
    hands: list[str | None] | None = None


class _Round(Struct, omit_defaults=True, gc=False, kw_only=True):
    actions: list[str] | None = None
    adjust: list[Number] | None = None
    calls: tuple[int, ...] | None = None
    claims: _Claims | None = None
    deal: _Deal | None = None
    dealer: int
    first_great: str | None = None
    lightning: str | None = None
    notes: Mapping[str, str] | None = None
    piles: list[str] | None = None
    stopped: int | None = None


class _Record(Struct, omit_defaults=True, gc=False, kw_only=True):
    claims: _Sums | None = None
    event: _Event | None = None
    format: str
    match: _Match | None = None
    options: Mapping[str, OptionValue] | None = None
    players: list[_Player]
    rounds: list[_Round]
    sides: tuple[tuple[int, ...], ...] | None = None
    variant: str


_ENCODER: Final = Encoder(order="sorted")
_NO_EVENT: Final = Event()
_NO_DEAL: Final = Deal()
_NO_CLAIMS: Final = Claims()


def encoded(record: Record) -> bytes:
    """A record that is normalised, in UTF-8; `x_` keys are no part of it."""
    return _ENCODER.encode(
        _Record(
            claims=_Sums(_numbers(record.totals), record.winner) if record.totals is not None or record.winner is not None else None,
            event=_event(record.event) if record.event != _NO_EVENT else None,
            format=FORMAT,
            match=_match(record.match) if record.match is not None else None,
            options=record.options or None,
            players=[_Player(name) for name in record.players],
            rounds=[_round(each) for each in record.rounds],
            sides=record.sides,
            variant=record.variant,
        )
    )


def _event(event: Event) -> _Event:
    return _Event(event.date, event.name, event.recorder, event.site, event.table)


def _match(match: Match) -> _Match:
    target = match.type == "target"
    return _Match(points=match.length if target else None, rounds=None if target else match.length, start=match.start, type=match.type)


def _round(round_: Round) -> _Round:
    claims, deal, facts = round_.claims, round_.deal, round_.facts
    return _Round(
        actions=[unpack(action) for action in round_.actions] or None,
        adjust=_numbers(round_.adjust),
        calls=facts.calls,
        claims=_Claims(_numbers(claims.points), _numbers(claims.scores), claims.yaku)
        if claims is not None and claims != _NO_CLAIMS
        else None,
        deal=_deal(deal) if deal is not None and deal != _NO_DEAL else None,
        dealer=round_.dealer,
        first_great=facts.first_great,
        lightning=facts.lightning,
        notes={str(number): note for number, note in round_.notes.items()} or None,
        piles=[unpack_cards(pile) for pile in round_.piles] if round_.piles is not None else None,
        stopped=facts.stopped,
    )


def _claims(claims: Claims) -> _Claims:
    return _Claims(_numbers(claims.points), _numbers(claims.scores), claims.yaku)


def _deal(deal: Deal) -> _Deal:
    return _Deal(
        _cards(deal.draw_pile),
        _cards(deal.field),
        [_cards(hand) for hand in deal.hands] if deal.hands is not None else None,
    )


def _cards(cards: bytes | None) -> str | None:
    return None if cards is None else unpack_cards(cards)


def _numbers(numbers: tuple[Number, ...] | None) -> list[Number] | None:
    return None if numbers is None else numbers_json(numbers)
