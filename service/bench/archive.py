"""An archive to measure with: as many games of two seats as are asked for, from a seed, kept in the system's folder for temporary files.

Some thousand games are simulated and then written down again and again, each time under another table, date and players: to play out a
million would take longer than anything that is measured, and every record is one of its own all the same.
"""

import random
import tempfile
from collections.abc import Iterator
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Final

from analysis.simulate import simulate
from records import __version__
from records.formats import to_json, to_text
from records.games import GAMES
from records.record import Event, Record, replace
from records.rules.game import Rules
from service.jsons import dumps

DIFFERENT: Final = 1500
"""Games that are played out."""
PLAYERS: Final = 40
A_DAY: Final = 400
"""Records of one day."""
FIRST_DAY: Final = date(2020, 1, 1).toordinal()


def archive(records: int, seed: int, form: str, faults: float = 0.0) -> Path:
    """A file with so many records; made where it is not there yet. `faults`: the share of them that has one planted."""
    folder = Path(tempfile.gettempdir(), "hanafu-bench")
    folder.mkdir(mode=0o700, exist_ok=True)
    path = folder / f"{__version__}-{records}-{seed}-{faults}.{'jsonl' if form == 'json' else 'hrn'}"
    if not path.is_file():
        part = path.with_suffix(".part")
        with part.open("wb") as file:
            for record in islice(_games(seed, min(records, DIFFERENT), faults), records):
                file.write(dumps(to_json(record)) + b"\n" if form == "json" else to_text(record).encode() + b"\n")
        part.replace(path)
    return path


def _games(seed: int, different: int, faults: float) -> Iterator[Record]:
    rng = random.Random(seed)
    tables = [simulate(Rules(game, {}, 2, None), rng, faults=faults) for game in GAMES if 2 in game.seats]
    pool = [next(tables[place % len(tables)]) for place in range(different)]
    number = 0
    while True:
        for record in pool:
            first = number % PLAYERS
            second = (first + 1 + number // PLAYERS % (PLAYERS - 1)) % PLAYERS
            day = date.fromordinal(FIRST_DAY + number // A_DAY).isoformat()
            yield replace(
                record,
                players=(f"Player {first + 1}", f"Player {second + 1}"),
                event=Event(name=f"Evening {number // A_DAY + 1}", date=day, table=str(number + 1)),
            )
            number += 1
