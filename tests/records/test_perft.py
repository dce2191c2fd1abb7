"""Numbers of sequences of lawful actions from fixed positions, as `tests.naive` counts them by the rules' text and as the engine does.

For the engine everything that might be written is tried, and what it finds no fault in is counted.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from records import packed
from records.cards import CARDS, CODES, cards_in
from records.engine import rules_of
from records.games import GAMES
from records.notation import unpack
from records.record import Record, Round
from records.rules.game import Rules
from records.table import Table
from tests import naive
from tests.playthroughs import split
from tests.tables import LONG

FOLDER = Path(__file__).resolve().parent.parent / "data" / "playthroughs"

COUNTS = [
    ("bakabana-dandruff", 0, 2, 42),
    ("bakabana-kan-lightning", 14, 5, 18),
    ("higobana", 0, 2, 120),
    ("higobana-hiki", 0, 2, 157),
    ("higobana-pairs-jokers", 0, 2, 60),
    ("hon-bana", 8, 2, 24),
    ("hon-bana-both-great", 13, 5, 4),
    ("koi-koi", 10, 2, 12),
    ("sakura", 7, 2, 20),
    ("sakura-claim-open", 0, 2, 91),
]
"""Playthrough, how many of its actions are played before, how many are counted, and the sequences there are."""
MORE = [
    ("bakabana", 0, 2, 113),
    ("bakabana-kan-lightning", 8, 2, 130),
    ("hon-bana", 0, 2, 42),
    ("koi-koi", 0, 2, 56),
    ("koi-koi", 9, 5, 253),
    ("koi-koi-exhausted", 11, 5, 19),
    ("sakura", 0, 2, 104),
    ("sakura", 11, 5, 12),
    ("sakura-four-on-field", 0, 2, 32),
]
"""Counted too with HANAFU_LONG=1."""


def engine_after(rules: Rules, round_: Round, actions: tuple[bytes, ...]) -> Table:
    """The table after some actions."""
    table = Table(rules, round_.dealer - 1)
    assert round_.deal is not None
    table.open(round_.deal)
    for action in actions:
        table.act(action)
    return table


def tried_halves(rules: Rules, card: int, field: int) -> Iterator[bytes]:
    """A card with all that it might be said to take of the field."""
    for taken in naive.subsets(rules.codes_in(field)):
        yield bytes((rules.codes[card], len(taken), *(CARDS[code] for code in taken)))


def lawful(rules: Rules, round_: Round, before: tuple[bytes, ...]) -> list[bytes]:
    """All actions that the engine finds nothing wrong with."""
    table = engine_after(rules, round_, before)
    found = []

    def faults(action: bytes) -> set[str]:
        return {fault.code for fault in engine_after(rules, round_, (*before, action)).faults}

    kan = table.kan
    if kan >= 0:
        for card in {rules.codes[card] for card in cards_in(table.hands[kan])}:
            for half in tried_halves(rules, card, table.field):
                action = bytes((packed.SEAT + kan + 1,)) + half
                if not faults(action):
                    found.append(action)
    if table.ended:
        return found
    firsts = [bytes((packed.NONE,)), *(bytes((packed.HIKI + month,)) for month in range(1, 13))]
    for card in sorted({rules.codes[card] for card in cards_in(table.hands[table.next_seat])}):
        firsts += tried_halves(rules, card, table.field)
    calls = (b"", bytes((packed.KOI,)), bytes((packed.STOP,))) if rules.calls else (b"",)
    for first in firsts:
        if faults(first) - {"draw-missing", "call-missing"}:
            continue
        played = engine_after(rules, round_, (*before, first))
        seconds = [b""]
        if table.draw_pile:
            seconds += tried_halves(rules, table.draw_pile[-1], played.field)
            seconds += [bytes((rules.codes[card], 0)) for card in table.draw_pile[:-1]]
        for action in dict.fromkeys(first + second + call for second in seconds for call in calls):
            if not faults(action):
                found.append(action)
    return found


def engine_count(rules: Rules, round_: Round, before: tuple[bytes, ...], depth: int) -> int:
    """How many sequences of so many lawful actions follow; those that end before count as they are."""
    if depth == 0:
        return 1
    total = sum(engine_count(rules, round_, (*before, action), depth - 1) for action in lawful(rules, round_, before))
    return total + bool(engine_after(rules, round_, before).ended)


def naive_start(rules: Rules, record: Record) -> naive.Play:
    """The same deal in a naive player's hands."""
    round_ = record.rounds[0]
    deal = round_.deal
    assert deal is not None and deal.field is not None and deal.hands is not None and deal.draw_pile is not None
    play = naive.Play(
        game=record.variant,
        options=dict(rules.options),
        dealer=round_.dealer - 1,
        hands=[[CODES[card] for card in hand or b""] for hand in deal.hands],
        field=[CODES[card] for card in deal.field],
        pile=[CODES[card] for card in deal.draw_pile],
    )
    play.start()
    return play


@pytest.mark.parametrize(("stem", "at", "depth", "expected"), COUNTS + MORE if LONG else COUNTS)
def test_so_many_lawful_sequences(stem: str, at: int, depth: int, expected: int) -> None:
    record, _ = split((FOLDER / f"{stem}.txt").read_text())
    rules, round_ = rules_of(record), record.rounds[0]
    play = naive_start(rules, record)
    for action in round_.actions[:at]:
        play = naive.followed(play, unpack(action))
    found = [unpack(action) for action in lawful(rules, round_, round_.actions[:at])]
    assert sorted(found) == sorted(text for text, _ in play.actions())
    assert naive.count(play, depth) == expected
    assert engine_count(rules, round_, round_.actions[:at], depth) == expected


def test_every_game_is_counted() -> None:
    counted = {split((FOLDER / f"{stem}.txt").read_text())[0].variant for stem, _, _, _ in COUNTS}
    assert counted == {game.id for game in GAMES}
