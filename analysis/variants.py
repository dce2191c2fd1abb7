"""The rules as data: what ``GET /variants/{id}`` answers and the rule pages show."""

from typing import Any

from records.cards import CODES, cards_in
from records.games import GAMES, game
from records.rules.game import Game, Option, Rules

Json = dict[str, Any]

KINDS = {"B": "bright", "A": "animal", "R": "ribbon", "C": "chaff", "Y": "chaff"}
"""The kind that a code's letter stands for."""


def list_variants() -> list[Json]:
    """Every variant in a few words: id, name, kanji, seats, text."""
    return [_head(each) for each in GAMES]


def describe(game_id: str) -> Json:
    """A variant whole: cards with their values, deals, yaku, options with the source of each value, rule points by id.

    Raises KeyError for an id that no variant has.
    """
    found = game(game_id)
    rules = Rules(found, {}, found.seats[0], None)
    return _head(found) | {
        "teams": {
            str(seats): [[[seat + 1 for seat in side] for side in partition] for partition in partitions]
            for seats, partitions in found.partitions.items()
        },
        "deals": [_deal(found, seats) for seats in found.seats],
        "cards": _cards(found, rules),
        "yaku": [
            {
                "id": rule.id,
                "name": rule.name,
                "kanji": rule.kanji,
                "romaji": rule.romaji,
                "points": rule.points,
                "rule": rule.rule,
                "cards": rule.cards,
                "need": rule.need,
                "text": rule.text,
            }
            for rule in found.yaku
        ],
        "options": [_option(option) for option in found.options],
        "rules": [{"id": point.id, "text": point.text, "source": point.source} for point in found.points],
    }


def _head(found: Game) -> Json:
    return {"id": found.id, "name": found.name, "kanji": found.kanji, "seats": list(found.seats), "text": found.text}


def _deal(found: Game, seats: int) -> Json:
    """What a table of so many seats is dealt under the default options; `hands` by place from the dealer."""
    rules = Rules(found, {}, seats, None)
    return {"seats": seats, "hands": list(rules.hand_sizes), "field": rules.field_size, "draw_pile": rules.pile_size}


def _cards(found: Game, rules: Rules) -> list[Json]:
    """Each code of the deck once, with how many cards bear it and what one is worth (null where cards have no points)."""
    values = found.card_values(rules)
    counts: dict[str, int] = {}
    for card in cards_in(rules.deck):
        code = CODES[rules.codes[card]]
        counts[code] = counts.get(code, 0) + 1
    return [
        {"code": code, "month": int(code[:-1]), "kind": KINDS[code[-1]], "count": count, "value": values.get(code)}
        for code, count in counts.items()
    ]


def _option(option: Option) -> Json:
    return {
        "id": option.id,
        "rule": option.rule,
        "text": option.text,
        "default": option.default,
        "values": [{"value": choice.value, "text": choice.text, "source": choice.source} for choice in option.choices],
    }
