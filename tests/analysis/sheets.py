"""Records written for the tests of the audit: as a person would write them, as JSON, read by the reader."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from analysis.audit import audit
from records.cards import CODES
from records.engine import rules_of
from records.formats import read_record
from records.games import game
from records.record import Record

Json = dict[str, Any]

DRINKS = [
    "1B 1C 1C 3B 9A 4A 4R 7A 7R 7C 7C 4C 4C 5R 2R",  # 30 + 30 + 10 × 3 + 5 × 4 = 110, and two drinks
    "8B 8A 8C 8C 12B 6A 6R 11B 11R 11C 9R 9C 9C 6C 6C",  # 30 + 10 + 30 + 10 + 5 + 10 + 5 + 5 = 105
    "1R 2A 2C 2C 3R 3C 3C 5A 5C 5C 10A 10R 10C 10C 11A",  # 5 + 20 + 5 + 20 + 20 + 5 + 10 = 85
]
"""Piles of hon-bana: the first has two drinks, no other has one."""


def record(variant: str, rounds: Sequence[Json], seats: int = 0, **keys: Any) -> Record:
    """A record of some rounds, read as sent. `seats`: the fewest that the game is played with."""
    players = [{"name": f"P{seat + 1}"} for seat in range(seats or game(variant).seats[0])]
    written = {"format": "hanafuda-record/1", "variant": variant, "players": players, "rounds": list(rounds), **keys}
    return read_record(json.dumps(written))


def report(variant: str, rounds: Sequence[Json], seats: int = 0, explain: bool = False, **keys: Any) -> Json:
    """The audit report of such a record."""
    return audit(record(variant, rounds, seats, **keys), explain=explain)


def one(variant: str, round_: Json, seats: int = 0, **keys: Any) -> Json:
    """The only round of the report of a record with one round."""
    rounds: list[Json] = report(variant, [round_], seats, **keys)["rounds"]
    return rounds[0]


def codes(told: Mapping[str, Any]) -> list[tuple[str, int | None]]:
    """Codes and actions of the findings of a round, or of a record."""
    return [(finding["code"], finding["action"]) for finding in told["findings"]]


def deal(
    variant: str,
    field: str = "",
    hands: Sequence[str] = (),
    draw_pile: str = "",
    dealer: int = 1,
    seats: int = 0,
    options: Mapping[str, Any] | None = None,
) -> Json:
    """A whole deal: some cards where a test wants them, the others spread over the rest, far from their month."""
    rules = rules_of(record(variant, [{"dealer": dealer}], seats, options=dict(options or {})))
    deck = [CODES[rules.codes[card]] for card in range(len(CODES)) if rules.deck >> card & 1]
    wanted = [field.split(), *(hand.split() for hand in hands), draw_pile.split()]
    for code in [code for cards in wanted for code in cards]:
        deck.remove(code)
    spread = [deck[place * 7 % len(deck)] for place in range(len(deck))] if len(deck) % 7 else deck[::2] + deck[1::2]
    filled = iter(spread)

    def fill(cards: str, size: int) -> str:
        have = cards.split()
        return " ".join(have + [next(filled) for _ in range(size - len(have))])

    sizes = [rules.hand_sizes[(seat - dealer + 1) % rules.seats] for seat in range(rules.seats)]
    held = [*hands, *[""] * (rules.seats - len(hands))]
    return {
        "field": fill(field, rules.field_size),
        "hands": [fill(cards, size) for cards, size in zip(held, sizes, strict=True)],
        "draw_pile": fill(draw_pile, rules.pile_size),
    }


def viewing(**keys: Any) -> Json:
    """A koi-koi round of one turn, as right as can be: seat 1 takes Curtain and Sake cup and stops with Flower Viewing, 1 point (KK-4)."""
    return {
        "dealer": 1,
        "deal": deal("koi-koi", "3B 9A 1R 2R 4C 5C 6C 7C", ("3C 1B 2A 4A 5A 6A 7A 8A", "1C 2C 4R 5R 6R 7R 8B 9R"), "9C 10C 11C"),
        "actions": ["3Cx3B 9Cx9A stop"],
        **keys,
    }
