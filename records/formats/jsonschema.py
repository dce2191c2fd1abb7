"""The written form of a record as JSON Schema (2020-12), made from the games themselves.

It states what a schema can: keys, patterns of cards and actions, options and yaku by variant, `x_` keys, halves. It accepts all
that the reader accepts; what it cannot state (seats, partitions, lists as long as the sides, what may come first or last, which
names are known) the reader checks.
"""

from collections.abc import Iterable
from typing import Any, Final

from records.formats.limits import LIMITS, Limits
from records.formats.schema import FACTS, LENGTHS, traits
from records.games import GAMES
from records.names import WRITTEN
from records.record import FORMAT
from records.rules.game import Game

Json = dict[str, Any]

ANY_KEY: Final = {"^x_": True}
NO_CONTROL: Final = r"^[^\u0000-\u001f\u007f-\u009f]*$"


def json_schema(limits: Limits = LIMITS) -> Json:
    """The JSON Schema of a record, for readers with these limits."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Hanafuda record",
        "description": "One game at one table: some rounds, in order.",
        **_object(
            {
                "format": {"const": FORMAT},
                "variant": {"enum": [game.id for game in GAMES]},
                "options": {"type": ["object", "null"], "description": "The options that differ from the game's defaults."},
                "event": _or_null(_object({key: _ref("words") for key in ("name", "site", "date", "table", "recorder")})),
                "players": _list(_object({"name": _ref("name")}, ["name"]), "In seat order."),
                "sides": _or_null(_list(_list(_whole(1)), "The partition of the seats in team play.")),
                "match": _or_null(_ref("match")),
                "rounds": _list(_ref("round"), "In order.", limits.rounds) | {"minItems": 1},
                "claims": _or_null(
                    _object({"totals": _or_null(_ref("numbers")), "winner": _or_null(_whole(0))}, extra=False),
                ),
            },
            ["format", "variant", "players", "rounds"],
        ),
        "allOf": [_of_game(game) for game in GAMES],
        "$defs": _definitions(limits),
    }  # fmt: skip


def _definitions(limits: Limits) -> Json:
    card = _card()
    cards = rf"(?:{card}|\?)"
    return {
        "words": {"type": ["string", "null"], "maxLength": limits.name, "pattern": NO_CONTROL},
        "name": {
            "type": "string",
            "maxLength": limits.name,
            "pattern": NO_CONTROL,
            "allOf": [{"pattern": r"\S"}],
        },
        "number": {
            "type": "number",
            "multipleOf": 0.5,
            "minimum": -limits.number,
            "maximum": limits.number,
            "description": "Whole or a half.",
        },
        "numbers": _list(_ref("number")),
        "cards": {
            "type": "string",
            "pattern": rf"^\s*(?:{cards}(?:\s+{cards})*\s*)?$",
            "description": "Cards by code or name, divided by blanks; `?` is a card that nobody saw.",
            "examples": ["1B 2R 3C 5A 7R 8C 9R 12C"],
        },
        "action": {
            "type": "string",
            "pattern": _action(card),
            "description": "One turn, or a word that stands for one.",
            "examples": ["3Bx3C 8Bx8C", "4A 1R", "- 8B", "4: 11Cx1B", "misdeal"],
        },
        "match": {
            "oneOf": [
                _object(
                    {
                        "type": {"const": kind},
                        key: _whole(1, limits.number),
                        ("points" if key == "rounds" else "rounds"): {"type": "null"},
                        "start": _or_null(_whole(-limits.number, limits.number)),
                    },
                    ["type", key],
                )
                for kind, key in LENGTHS.items()
            ],
        },
        "round": _object(
            {
                "dealer": _whole(1, 7) | {"description": "A seat."},
                "deal": _or_null(
                    _object(
                        {
                            "field": _or_null(_ref("cards")),
                            "hands": _or_null(_list(_or_null(_ref("cards")), "By seat.")),
                            "draw_pile": _or_null(_ref("cards")),
                        }
                    )
                ),
                "actions": _or_null(_list(_ref("action"), "One a turn.", limits.actions)),
                "piles": _or_null(_list(_ref("cards"), "What each seat had captured at the end.")),
                "lightning": {"type": ["string", "null"], "description": "`plain`, or the card that it captured as a wild card."},
                "first_great": {"type": ["string", "null"], "description": "The great yaku that was completed first."},
                "stopped": _or_null(_whole(0, 7) | {"description": "The seat that stopped, 0 for nobody."}),
                "calls": _or_null(_list(_whole(0, limits.number), "Koi-koi calls by seat.")),
                "claims": _or_null(_ref("claims")),
                "adjust": _or_null(_ref("numbers")),
                "notes": {
                    "type": ["object", "null"],
                    "description": "By action number, 0 the deal.",
                    "propertyNames": {"pattern": r"^(?:x_.*|[0０]|[1-9１-９][0-9０-９]{0,5})$"},
                    "patternProperties": {**ANY_KEY, "^[0-9０-９]+$": {"type": ["string", "null"]}},
                },
            },
            ["dealer"],
        ),
        "claims": _object(
            {
                "points": _or_null(_ref("numbers")),
                "yaku": _or_null(_list(_list({"type": "string"}), "Ids of paid yaku by side.")),
                "scores": _or_null(_ref("numbers")),
            },
            extra=False,
        ),
    }


def _of_game(game: Game) -> Json:
    """What holds for a record of one game: its options, seats, yaku, and what can stand beside piles."""
    _, facts = traits(game.id)
    yaku = {"enum": [rule.id for rule in game.yaku]}
    round_: Json = {"claims": {"properties": {"yaku": {"items": {"items": yaku}}}}}
    for key in FACTS:
        if key not in facts:
            round_[key] = {"type": "null"}
        elif key == "first_great":
            round_[key] = {"enum": [*game.great, None]}
    options = {
        option.id: {"enum": [*option.values, None], "default": option.default, "description": option.text} for option in game.options
    }
    return {
        "if": {"properties": {"variant": {"const": game.id}}, "required": ["variant"]},
        "then": {
            "properties": {
                "options": {"properties": options, "additionalProperties": False},
                "players": {"minItems": game.seats[0], "maxItems": game.seats[-1]},
                "rounds": {"items": {"properties": round_}},
                **({} if game.partitions else {"sides": {"type": "null"}}),
            }
        },
    }


def _object(properties: Json, required: Iterable[str] = (), *, extra: bool = True) -> Json:
    """An object with these keys, with `x_` keys besides or without."""
    found: Json = {"type": "object", "properties": properties, "additionalProperties": False}
    if extra:
        found["patternProperties"] = ANY_KEY
    if required:
        found["required"] = list(required)
    return found


def _list(items: Json, description: str = "", most: int = 0) -> Json:
    found: Json = {"type": "array", "items": items}
    if description:
        found["description"] = description
    if most:
        found["maxItems"] = most
    return found


def _ref(name: str) -> Json:
    return {"$ref": f"#/$defs/{name}"}


def _or_null(schema: Json) -> Json:
    return {"anyOf": [schema, {"type": "null"}]}


def _whole(least: int, most: int | None = None) -> Json:
    return {"type": "integer", "minimum": least} | ({"maximum": most} if most is not None else {})


def _any_case(word: str) -> str:
    """A pattern of a word in any case, its digits plain or full-width."""
    parts = []
    for char in word:
        if char.isdigit():
            parts.append(f"[{char}{chr(ord('０') + int(char))}]")
        else:
            parts.append(f"[{char.upper()}{char.lower()}]" if char.isalpha() else char)
    return "".join(parts)


def _card() -> str:
    """A pattern of one card: its code, or a word that may be its name."""
    months: dict[tuple[str, ...], list[str]] = {}
    for month in ("10", "11", "12", *map(str, range(1, 10)), "J"):
        kinds = tuple(code[len(month) :] for code in WRITTEN if code.startswith(month) and not code[len(month)].isdigit())
        months.setdefault(kinds, []).append(month)
    codes = [
        f"(?:{'|'.join(map(_any_case, group))})(?:{'|'.join(map(_any_case, sorted(kinds, key=len, reverse=True)))})"
        for kinds, group in months.items()
    ]
    return rf"(?:{'|'.join(codes)}|[^\s0-9０-９?#:+\-][^\s+:]*)"


def _action(card: str) -> str:
    half = rf"{card}(?:[xX×](?:{card}(?:\+{card})*)?)?"
    call = rf"(?:\s+(?:{_any_case('koi')}|{_any_case('stop')}))?"
    month = f"#(?:{'|'.join(_any_case(str(month)) for month in range(12, 0, -1))})"
    turn = rf"(?:-|\?|{month}|{half})(?:\s+(?:\?|{half}))?{call}"
    alone = "|".join(_any_case(word) for word in ("keep", "lucky", "abandoned"))
    thrown_in = rf"{_any_case('misdeal')}(?::\s*\S.*)?"
    return rf"^\s*(?:[1-7１-７]\s*:\s*)?(?:{alone}|{thrown_in}|{turn})\s*$"
