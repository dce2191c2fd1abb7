"""A season at a club, so that dashboards have something to show: generated games, right but for a few, of eight players on a table night
a week. The same records at every start; they are marked as samples."""

from collections.abc import Iterator
from datetime import date, timedelta
from random import Random
from typing import Final

from analysis.simulate import simulate
from records.games import game
from records.record import Event, Match, Record, replace
from records.rules.game import Rules

CLUB: Final = ("Aya", "Ben", "Chika", "Duarte", "Emiko", "Fumio", "Graça", "Hana")
FIRST_NIGHT: Final = date(2025, 11, 4)
NIGHTS: Final = 52
TABLES: Final[tuple[tuple[str, int, Match | None, int], ...]] = (
    ("koi-koi", 2, Match("rounds", 8, 30), 8),
    ("higobana", 2, None, 4),
    ("sakura", 3, None, 4),
    ("hon-bana", 3, None, 6),
    ("bakabana", 4, None, 4),
)
"""Of each table: the game, its seats, its match, its rounds."""
SHARE_OF_FAULTS: Final = 0.06


def season() -> Iterator[Record]:
    """One record a table and night, by date. Seeded: always the same."""
    rng = Random(2025)
    for night in range(NIGHTS):
        day = FIRST_NIGHT + timedelta(weeks=night)
        for table, (variant, seats, match, rounds) in enumerate(TABLES, start=1):
            rules = Rules(game(variant), {}, seats, None)
            players = rng.sample(CLUB, seats)
            record = next(simulate(rules, rng, rounds=rounds, match=match, players=players, faults=SHARE_OF_FAULTS))
            yield replace(record, event=Event(name="Club season", site="Clubhouse", date=day.isoformat(), table=str(table)), extra={})
