"""Random games: lawful and rightly claimed at every table and under every option, the same for a seed, faulty where they say so."""

from itertools import islice
from random import Random

import pytest

from analysis.audit import audit
from analysis.planting import kinds, plant, planted
from analysis.scenarios import scenarios
from analysis.simulate import Simulator, simulate
from records.formats import read_record, to_json, to_text
from records.games import GAMES, game
from records.record import Match, OptionValue, Record
from records.rules.game import Game, Rules, Sides

TABLES = [(game, seats, sides) for game in GAMES for seats in game.seats for sides in (None, *game.partitions.get(seats, ()))]
OPTIONS = [(game, option.id, value) for game in GAMES for option in game.options for value in option.values]
FAULTY: list[tuple[str, int, Sides | None, dict[str, OptionValue]]] = [
    ("bakabana", 4, None, {"four_on_field": "misdeal"}),
    ("hon-bana", 3, None, {"four_on_field": "misdeal"}),
    ("higobana", 4, ((0, 2), (1, 3)), {"jokers": "system_1", "hiki": True}),
    ("higobana", 3, None, {}),
    ("sakura", 5, None, {"wild_from_draw": False, "four_on_field": "misdeal"}),
    ("koi-koi", 2, None, {}),
]
"""Tables at which every kind of fault finds a place between them."""


def simulator(id: str, seats: int, sides: Sides | None, options: dict[str, OptionValue], rounds: int = 1) -> Simulator:
    """A simulator that always plays the same."""
    return Simulator(Rules(game(id), options, seats, sides), Random(3), tuple(f"P{seat}" for seat in range(seats)), rounds)


def findings(record: Record) -> list[tuple[str, int | None, int | None]]:
    """Code, round and action of all that an audit finds in a record as it is written."""
    report = audit(read_record(to_text(record)))
    found = [finding for round_ in report["rounds"] for finding in round_["findings"]] + report["findings"]
    return [(finding["code"], finding["round"], finding["action"]) for finding in found]


@pytest.mark.parametrize(("played", "seats", "sides"), TABLES, ids=[f"{played.id}-{seats}-{sides}" for played, seats, sides in TABLES])
def test_every_table_is_confirmed(played: Game, seats: int, sides: Sides | None) -> None:
    for record in islice(simulate(Rules(played, {}, seats, sides), Random(1), rounds=3, piles=True), 4):
        assert audit(read_record(to_text(record)))["verdict"] == "confirmed"


@pytest.mark.parametrize(("played", "option", "value"), OPTIONS, ids=[f"{played.id}-{option}-{value}" for played, option, value in OPTIONS])
def test_every_option_value_is_confirmed(played: Game, option: str, value: OptionValue) -> None:
    options: dict[str, OptionValue] = {"jokers": "system_1"} if option in ("joker_rest", "chu_lead") else {}
    seats, sides = (4, played.partitions[4][0]) if option == "team_pile" else (played.seats[0], None)
    for record in islice(simulate(Rules(played, options | {option: value}, seats, sides), Random(2)), 8):
        assert audit(record)["verdict"] == "confirmed"


def test_claims_may_be_left_out() -> None:
    record = next(simulate(Rules(game("sakura"), {}, 3, None), Random(1), claims=False))
    assert record.rounds[0].claims is None and record.totals is None and record.winner is None
    assert audit(record)["verdict"] == "lawful"


@pytest.mark.parametrize("match", [Match("rounds", 4), Match("best_of", 3), Match("target", 40), Match("rounds", 8, 30)], ids=str)
@pytest.mark.parametrize("id", ["higobana", "koi-koi"])
def test_hg_15_kk_7_a_match_is_played_to_its_end(id: str, match: Match) -> None:
    for record in islice(simulate(Rules(game(id), {}, 2, None), Random(5), match=match), 4):
        report = audit(record)
        assert report["verdict"] == "confirmed"
        assert report["winner"] == record.winner


def test_players_have_the_names_that_they_are_given() -> None:
    record = next(simulate(Rules(game("koi-koi"), {}, 2, None), Random(1), players=("Aki", "Botan")))
    assert record.players == ("Aki", "Botan")


@pytest.mark.parametrize("faults", [0.0, 0.5])
def test_the_same_seed_gives_the_same_records(faults: float) -> None:
    def made() -> list[Record]:
        return list(islice(simulate(Rules(game("higobana"), {"hiki": True}, 5, None), Random(9), rounds=2, faults=faults), 20))

    assert made() == made()


@pytest.mark.parametrize(("id", "seats", "sides", "options"), FAULTY, ids=[f"{id}-{seats}" for id, seats, _, _ in FAULTY])
def test_a_planted_fault_is_found_where_it_says_and_nothing_else(
    id: str, seats: int, sides: Sides | None, options: dict[str, OptionValue]
) -> None:
    made_up = simulator(id, seats, sides, options, rounds=2)
    for kind in kinds(made_up.rules):
        record = planted(made_up, kind)
        if record is None:
            continue
        told = record.extra[""]["x_fault"]
        assert isinstance(told, dict)
        assert set(findings(record)) == {(told["code"], told["round"], told["action"])}, kind


def test_every_kind_of_fault_finds_a_place_at_some_table() -> None:
    possible: set[str] = set()
    placed: set[str] = set()
    for id, seats, sides, options in FAULTY:
        made_up = simulator(id, seats, sides, options)
        there = kinds(made_up.rules)
        possible |= set(there)
        placed |= {kind for kind in there if kind not in placed and planted(made_up, kind) is not None}
    assert placed == possible


def test_a_share_of_the_records_is_faulty_and_marked_in_the_written_record() -> None:
    records = list(islice(simulate(Rules(game("bakabana"), {}, 4, None), Random(4), faults=0.5), 60))
    faulty = [record for record in records if record.extra]
    assert 15 < len(faulty) < 45
    assert all("x_fault" in to_json(record) for record in faulty)
    assert all(audit(record)["verdict"] == "confirmed" for record in records if not record.extra)


def test_where_all_faults_are_wanted_each_record_has_one() -> None:
    made_up = simulator("koi-koi", 2, None, {})
    codes = {findings(plant(made_up))[0][0] for _ in range(40)}
    assert len(codes) > 10


def test_scenarios_are_those_that_a_table_has() -> None:
    koi_koi = scenarios(Rules(game("koi-koi"), {}, 2, None))
    assert {"four-dealt", "exhausted", "four-calls", "yaku-goko"} <= koi_koi.keys()
    assert "lucky-hand" not in koi_koi and "tie" not in koi_koi
    assert "hiki" not in scenarios(Rules(game("sakura"), {}, 2, None))
    assert "hiki" in scenarios(Rules(game("sakura"), {"hiki": True}, 2, None))


@pytest.mark.parametrize("wrong", [{"scenario": "lucky-hand"}, {"rounds": 0}, {"faults": 1.5}, {"players": ["Aki"]}], ids=str)
def test_what_cannot_be_simulated_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"scenario|round|share|players"):
        next(simulate(Rules(game("koi-koi"), {}, 2, None), Random(1), **wrong))  # type: ignore[arg-type]  # one wrong argument at a time
