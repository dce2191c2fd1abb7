"""The normalised record and its identity (record-format.md, 1): the same sheet, however it was written, is one record.

Codes and numbers are one already when a record is read. Here unneeded seats and bare captures are resolved by the replay,
options without effect are dropped, lists are sorted, names are in NFC, and what says nothing is left out.
"""

import hashlib
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec.structs import astuple

from records.cards import known
from records.engine import Outcome, normal_play, rules_of
from records.formats.canonical import encoded
from records.record import Claims, Deal, OptionValue, Record, Round
from records.rules.game import Rules

_SHA256: Final = hashlib.sha256()
_NOTHING: Final[Mapping[str, OptionValue]] = {}


def normalise(record: Record, outcomes: Sequence[Outcome] | None = None) -> Record:
    """The record in its normalised form, which is its own; where it is that already, itself. `outcomes`: of each round by `engine.verify`,
    where they are known."""
    if outcomes is None:
        rules = rules_of(record)
        plays = [normal_play(rules, each) for each in record.rounds]
    else:
        plays = [outcome.normal_play for outcome in outcomes]
    players = record.players
    for name in players:
        if not name.isascii():
            players = tuple([unicodedata.normalize("NFC", name) for name in players])
            break
    read = record.rounds
    rounds: list[Round] = []
    is_normal = players is record.players and not record.extra and not record.options
    for place, play in enumerate(plays):
        round_ = read[place]
        normal = _round(round_, play)
        if normal is not round_:
            is_normal = False
        rounds.append(normal)
    if is_normal:
        return record
    return Record(
        variant=record.variant,
        players=players,
        rounds=tuple(rounds),
        options=_options(record, rules_of(record)) if record.options else _NOTHING,
        sides=record.sides,
        match=record.match,
        event=record.event,
        totals=record.totals,
        winner=record.winner,
    )


def canonical(record: Record) -> bytes:
    """The normalised record in its RFC 8785 form."""
    return canonical_of_normal(normalise(record))


def identity(record: Record) -> str:
    """``sha256:`` and 64 hex digits: equal for records that are the same sheet."""
    return identity_of_normal(normalise(record))


def canonical_of_normal(record: Record) -> bytes:
    """The RFC 8785 form of a record that is normalised already."""
    return encoded(record)


def identity_of_normal(record: Record) -> str:
    """The identity of a record that is normalised already."""
    return "sha256:" + digest(canonical_of_normal(record)).hex()


def digest(form: bytes) -> bytes:
    """The SHA-256 of a normalised form."""
    hash = _SHA256.copy()  # to make a new one takes longer than to hash a record
    hash.update(form)
    return hash.digest()


def _options(record: Record, rules: Rules) -> dict[str, OptionValue]:
    """The options that differ from the game's defaults and can have an effect at this table."""
    return {
        option.id: record.options[option.id]
        for option in rules.game.options
        if option.id in record.options
        and record.options[option.id] != option.default
        and option.has_object(rules.seats, rules.sides, rules.options)
    }


def _round(round_: Round, play: bytes) -> Round:
    """The round itself where it is normalised already, and so with all that is below."""
    parts: tuple[Any, ...] = astuple(round_)
    dealt: Deal | None = parts[1]
    played: bytes = parts[2]
    captured: tuple[bytes, ...] | None = parts[3]
    claimed: Claims | None = parts[4]
    deal = None if dealt is None else _deal(dealt)
    piles = None if captured is None else _piles(captured)
    claims = None if claimed is None else _claims(claimed)
    if deal is dealt and piles is captured and claims is claimed and play == played:
        return round_
    return Round(parts[0], deal, play, piles, claims, parts[5], parts[6], parts[7])


def _deal(deal: Deal) -> Deal | None:
    parts: tuple[Any, ...] = astuple(deal)
    dealt: bytes | None = parts[0]
    held: tuple[bytes | None, ...] | None = parts[1]
    drawn: bytes | None = parts[2]
    field = _sorted(known(dealt))
    hands = None if held is None else _hands(held)
    pile = known(drawn)
    if field is None and hands is None and pile is None:
        return None
    return deal if field is dealt and hands is held and pile is drawn else Deal(field, hands, pile)


def _hands(hands: tuple[bytes | None, ...]) -> tuple[bytes | None, ...] | None:
    found: list[bytes | None] = []
    is_normal = True
    is_known = False
    for hand in hands:
        cards = _sorted(known(hand))
        if cards is not hand:
            is_normal = False
        if cards is not None:
            is_known = True
        found.append(cards)
    if not is_known:
        return None
    return hands if is_normal else tuple(found)


def _sorted(cards: bytes | None) -> bytes | None:
    if cards is None:
        return None
    before = 0
    for card in cards:
        if card < before:
            return bytes(sorted(cards))
        before = card
    return cards


def _piles(piles: tuple[bytes, ...]) -> tuple[bytes, ...] | None:
    is_known = False
    for pile in piles:
        if known(pile) is not None:
            is_known = True
    return tuple([bytes(sorted(pile)) for pile in piles]) if is_known else None


def _claims(claims: Claims) -> Claims | None:
    parts: tuple[Any, ...] = astuple(claims)
    yaku: tuple[tuple[str, ...], ...] | None = parts[1]
    if yaku is None:
        return claims if parts[0] is not None or parts[2] is not None else None
    for side in yaku:
        if len(side) > 1:
            return Claims(parts[0], tuple([tuple(sorted(side)) for side in yaku]), parts[2])
    return claims
