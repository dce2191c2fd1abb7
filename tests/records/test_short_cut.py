"""The short cut through plain turns (`Table.run`) comes to what each action by itself comes to, and remembers only what `judge` said."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from records import packed
from records.cards import CODES, cards_in
from records.engine import Outcome, conclude, rules_of, verify
from records.errors import RecordErrors
from records.formats import read_record
from records.notation import unpack
from records.packing import pack_actions
from records.record import Record, Round
from records.replay import replay
from records.rules.capture import judge
from records.rules.game import Rules
from records.rules.known import NEW
from records.table import Table

GAMES = ("bakabana", "hon-bana", "higobana", "sakura", "koi-koi")


def vectors(shared: Path, game: str) -> Iterator[Record]:
    """The records of a game's right answers that can be read."""
    for name in (game, f"{game}-faults"):
        for line in (shared / "vectors" / f"{name}.jsonl").read_text().splitlines():
            try:
                yield read_record(json.loads(line)["record"])
            except RecordErrors:
                continue


def by_single_actions(rules: Rules, round_: Round) -> Outcome:
    table = Table(rules, round_.dealer - 1)
    if round_.deal is not None:
        table.open(round_.deal)
    else:
        table.unrecorded = 0
    for action in round_.actions:
        if table.halted:
            break
        table.act(action)
    return conclude(table, round_)


def seen(outcome: Outcome) -> dict[str, object]:
    """All that readers look at."""
    table = outcome.table
    names = ["hands", "hidden", "unseen", "field", "draw_pile", "piles", "next_seat", "turns", "calls", "owner", "claims", "last_wild"]
    names += ["joker_takers", "first_great", "lightning", "kan_window", "stopped", "ended", "unchecked", "faults", "broken", "unrecorded"]
    found: dict[str, object] = {name: getattr(table, name) for name in names}
    return found | {"settlement": outcome.settlement, "reached": table.reached, "play": outcome.normal_play}


@pytest.mark.parametrize("game", GAMES)
def test_verify_and_single_actions_and_replay_agree(shared: Path, game: str) -> None:
    rounds = 0
    for record in vectors(shared, game):
        rules = rules_of(record)
        for round_ in record.rounds:
            rounds += 1
            quick, slow = verify(rules, round_), by_single_actions(rules, round_)
            assert seen(quick) == seen(slow)
            # By now every lawful play of this round is known: the short cut is taken as far as it goes.
            assert seen(verify(rules, round_)) == seen(slow)
            *_, last = replay(rules, round_)
            assert last.outcome is not None
            told, ending = seen(last.outcome), verify(rules, round_, ledger=True)
            assert told == seen(ending)
    assert rounds > 100


@pytest.mark.parametrize("game", GAMES)
def test_the_trail_tells_the_piles_after_each_action(shared: Path, game: str) -> None:
    compared = 0
    for record in vectors(shared, game):
        rules = rules_of(record)
        for round_ in record.rounds:
            table = verify(rules, round_, trail=True).table
            gains = list(table.trail)[: table.traced]
            trail = [(place >> 3, place & 7, cards) for place, cards in zip(gains[::2], gains[1::2], strict=True)]
            piles: dict[int, list[int]] = {}
            dealt: list[tuple[int, tuple[int, ...]]] = []
            for step in replay(rules, round_):
                dealt += [(event.seat - 1, event.cards) for event in step.events if event.kind == "moved" and event.action == 0]
                if step.part != "end":
                    piles[step.action] = list(step.table.piles)
            assert [(seat, tuple(cards_in(cards))) for at, seat, cards in trail if at == 0] == dealt
            told, seen_gains = [0] * rules.seats, 0
            for action in range(1, max(piles) + 1):
                while seen_gains < len(trail) and trail[seen_gains][0] <= action:
                    _, seat, cards = trail[seen_gains]
                    told[seat] |= cards
                    seen_gains += 1
                assert told == piles[action]
                compared += 1
            assert seen_gains == len(trail) or max(piles) == 0
    assert compared > 100


def halves(rules: Rules) -> Iterator[bytes]:
    """Every half of which something may be known."""
    for card in {rules.codes[card] for card in cards_in(rules.deck)}:
        yield bytes((card, 0))
        for other in {rules.codes[other] for other in cards_in(15 << (card & 60) & rules.deck)}:
            yield bytes((card, 1, other))
        yield bytes((card, 3)) + rules.known.others[card]


@pytest.mark.parametrize("game", GAMES)
def test_what_is_known_is_what_judge_says(shared: Path, game: str) -> None:
    tables: list[Rules] = []
    for record in vectors(shared, game):
        rules = rules_of(record)
        if rules not in tables:
            tables.append(rules)
        for round_ in record.rounds:
            verify(rules, round_)
    answers = 0
    # Tables share what is known: each must find it right, whatever its options.
    for rules in tables[:40]:
        for half in halves(rules):
            own = half[0] & 60
            way = rules.known.way(half, 0)
            for meets in range(16):
                # The other months lie full of cards: they must not matter.
                field = ((1 << len(CODES)) - 1) & ~(15 << own) | meets << own
                taken = rules.known.takes[way + meets]
                if taken != NEW:
                    taken <<= own
                    answers += 1
                    for from_hand in (True, False):
                        said = judge(rules, from_hand, half, field)
                        assert (said.code, said.wild, said.taken, said.to_pile) == ("", 0, taken, taken != 0)
    assert answers > 100


def test_turns_out_of_the_ordinary_are_left_to_act(shared: Path) -> None:
    record = next(record for record in vectors(shared, "higobana") if len(record.rounds[0].actions) == 24)
    rules = rules_of(record)
    round_ = record.rounds[0]
    assert round_.deal is not None
    table = Table(rules, round_.dealer - 1)
    table.open(round_.deal)
    wrong = bytes((packed.SEAT + round_.dealer % 2 + 1,)) + round_.actions[0]
    table.run(packed.play_of([wrong]))
    assert [fault.code for fault in table.faults][:1] == ["out-of-turn"]


def test_the_three_others_of_the_paulownia_are_packed_as_each_game_writes_them() -> None:
    assert unpack(packed.actions_of(pack_actions(["12Cx12B+12C+12C 6A"], True, 2))[0]) == "12Cx12B+12C+12C 6A"
    assert unpack(packed.actions_of(pack_actions(["12Cx12B+12Y+12C 6A"], False, 2))[0]) == "12Cx12B+12Y+12C 6A"
