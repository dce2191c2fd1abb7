"""The normalised record and its identity (record-format.md, 1): the same sheet, however it was written, is one record.

Codes and numbers are one already when a record is read. Here unneeded seats and bare captures are resolved by the replay,
options without effect are dropped, lists are sorted, names are in NFC, and what says nothing is left out.
"""

import hashlib
import unicodedata
from collections.abc import Sequence

from records.engine import Outcome, rules_of, verify
from records.formats.canonical import encoded
from records.formats.written import known
from records.record import Claims, Deal, OptionValue, Record, Round
from records.rules.game import Rules


def normalise(record: Record, outcomes: Sequence[Outcome] | None = None) -> Record:
    """The record in its normalised form, which is its own. `outcomes`: of each round by `engine.verify`, where they are known."""
    rules = rules_of(record)
    if outcomes is None:
        outcomes = [verify(rules, each) for each in record.rounds]
    return Record(
        variant=record.variant,
        players=tuple([name if name.isascii() else unicodedata.normalize("NFC", name) for name in record.players]),
        rounds=tuple([_round(each, outcome) for each, outcome in zip(record.rounds, outcomes, strict=True)]),
        options=_options(record, rules) if record.options else {},
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
    return "sha256:" + hashlib.sha256(canonical_of_normal(record)).hexdigest()


def _options(record: Record, rules: Rules) -> dict[str, OptionValue]:
    """The options that differ from the game's defaults and can have an effect at this table."""
    return {
        option.id: record.options[option.id]
        for option in rules.game.options
        if option.id in record.options
        and record.options[option.id] != option.default
        and option.has_object(rules.seats, rules.sides, rules.options)
    }


def _round(round_: Round, outcome: Outcome) -> Round:
    return Round(
        round_.dealer,
        _deal(round_.deal) if round_.deal is not None else None,
        outcome.normal_play,
        _piles(round_.piles) if round_.piles is not None else None,
        _claims(round_.claims) if round_.claims is not None else None,
        round_.facts,
        round_.adjust,
        round_.notes,
    )


def _deal(deal: Deal) -> Deal | None:
    field = known(deal.field)
    pile = known(deal.draw_pile)
    hands: tuple[bytes | None, ...] | None = None
    if deal.hands is not None:
        hands = tuple([_sorted(hand) for hand in map(known, deal.hands)])
        if not any(hand is not None for hand in hands):
            hands = None
    return Deal(_sorted(field), hands, pile) if (field, hands, pile) != (None, None, None) else None


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
    if all(known(pile) is None for pile in piles):
        return None
    return tuple([bytes(sorted(pile)) for pile in piles])


def _claims(claims: Claims) -> Claims | None:
    if claims.yaku is not None:
        return Claims(claims.points, tuple([tuple(sorted(side)) for side in claims.yaku]), claims.scores)
    return claims if claims.points is not None or claims.scores is not None else None
