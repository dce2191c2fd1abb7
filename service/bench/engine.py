"""``hanafu bench engine``: from text and from JSON to the verdict on a game, beside what other libraries do with theirs."""

import random
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from typing import Final

import orjson

from analysis.claims import confirmed
from analysis.simulate import simulate
from records import packed
from records.formats import read_record, to_json, to_text
from records.games import game
from records.rules.game import Rules
from service.bench.rivals import CHESS, POKER, chess_way, poker_way
from service.bench.table import Ratio, Way, times_faster
from service.jsons import dumps

GAMES: Final = {"higobana": 1, "koi-koi": 8}
"""The games of two seats that are measured, with the rounds of a record."""
ROUNDS: Final = 1200
"""Rounds of each game: more than fit into a processor's nearest memory."""
CHUNK: Final = 64
"""Records that are read before they are judged: a processor does one thing many times faster than two things by turns."""


def ways(seed: int, rounds: int = ROUNDS) -> tuple[list[Way], list[str]]:
    """All that is measured, and a word for each library that is not here."""
    found: list[Way] = []
    for variant, each in GAMES.items():
        found += _ways(variant, each, seed, rounds)
    words: list[str] = []
    for name, make in ((CHESS, chess_way), (POKER, poker_way)):
        try:
            found.append(make(seed))
        except ModuleNotFoundError as error:
            words.append(f"{name} is not measured: there is no module {error.name!r}. It comes with the extra: pip install 'hanafu[bench]'")
    return found, words


def ratios(measured: Sequence[Way]) -> list[Ratio]:
    """What the measured ways say of the engine."""
    way = {each.name: each for each in measured}
    found: list[Ratio] = []
    for name in (CHESS, POKER):
        if name in way:
            unit = way[name].unit
            found += [
                Ratio(
                    f"{variant}, text : {name.partition(',')[0]}",
                    times_faster(way[_text(variant)], way[name]),
                    f"card plays judged in the time of one of its {unit}",
                )
                for variant in GAMES
            ]
    for variant in GAMES:
        json, loads = way[_json(variant)], way[_loads(variant)]
        found.append(
            Ratio(f"{variant}, JSON : orjson.loads", 1 / times_faster(json, loads), "times what decoding alone of the same bytes takes")
        )
    return found


def _text(variant: str) -> str:
    return f"{variant}, text → verdict"


def _json(variant: str) -> str:
    return f"{variant}, JSON → verdict"


def _loads(variant: str) -> str:
    return f"{variant}, JSON, orjson.loads"


def _ways(variant: str, each: int, seed: int, rounds: int) -> list[Way]:
    rules = Rules(game(variant), {}, 2, None)
    games = list(islice(simulate(rules, random.Random(seed), rounds=each), max(1, rounds // each)))
    plays = sum(_plays(action) for record in games for round_ in record.rounds for action in round_.actions)
    texts = [to_text(record) for record in games]
    jsons = [dumps(to_json(record)) for record in games]
    return [
        Way(_text(variant), "card plays", plays, partial(_judge_all, texts)),
        Way(_json(variant), "card plays", plays, partial(_judge_all, jsons)),
        Way(_loads(variant), "card plays", plays, partial(_each, orjson.loads, jsons)),
    ]


def _plays(action: bytes) -> int:
    """Cards played or turned up in an action."""
    plays = at = 0
    while at < len(action):
        if action[at] < packed.NONE:
            plays += 1
        at += packed.half_length(action, at)
    return plays


def _each(function: Callable[[bytes], object], documents: Sequence[bytes]) -> None:
    for document in documents:
        function(document)


def _judge_all(documents: Sequence[str | bytes]) -> None:
    """The verdict on each. Raises ValueError where it is not that all is lawful and claimed rightly, for so the games were made."""
    for start in range(0, len(documents), CHUNK):
        for record in [read_record(document) for document in documents[start : start + CHUNK]]:
            if not confirmed(record):
                raise ValueError("a simulated game was not confirmed")
