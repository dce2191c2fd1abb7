"""Many records at a time: what the quick way stores is what the slow way stores, table by table."""

import json
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest

from analysis.clean import judge
from analysis.gathered import Gathered
from analysis.simulate import simulate
from records.formats import read_record, to_json, to_text
from records.games import GAMES, game
from records.record import OptionValue, Record
from records.rules.game import Rules, Sides
from service import seen
from service.checking import strays
from service.desk import Desk
from service.jsons import dumps
from service.rows import CHILDREN, Batch, insert_batch, judge_many, prepare_read
from service.seen import Seen
from service.store import Store

SENT = datetime(2026, 11, 29, 12, 0)


@cache
def mixed() -> list[tuple[Record, bytes]]:
    """Records of every game at every number of seats: text and JSON, faulty and not, and of all a sheet without its play."""
    found: list[bytes] = []
    for each in GAMES:
        for seats in each.seats:
            rules = Rules(each, {}, seats, next(iter(each.partitions.get(seats, ())), None))
            made = simulate(rules, Random(seats), rounds=2, piles=seats % 2 == 0, faults=0.4)
            for place in range(12):
                record = next(made)
                document = to_json(record)
                if place == 11:
                    for played in document["rounds"]:
                        played.pop("actions", None)
                        played.pop("deal", None)
                found.append(to_text(record).encode() if place % 2 == 0 else dumps(document))
    return [(read_record(raw), raw) for raw in found]


def quickly(read: list[tuple[Record, bytes]]) -> Batch:
    return Batch.of(judge_many(read), SENT)


def rows(path: Path, batch: Batch) -> dict[str, list[tuple[Any, ...]]]:
    with Store(path) as store:
        store.write(lambda connection, batches: [insert_batch(connection, each, 1, store.seen) for each in batches], batch).result()
        return {table: store.read(f"SELECT * FROM {table} ORDER BY ALL") for table in ("records", *CHILDREN)}


def test_both_ways_of_taking_records_in_store_the_same(tmp_path: Path) -> None:
    read = mixed()
    assert 0 < len(judge_many(read).reports) < len(read)  # both ways are gone
    ours, theirs = rows(tmp_path / "quick", quickly(read)), rows(tmp_path / "slow", Batch.of_prepared(prepare_read(read), SENT))
    for table, stored in theirs.items():
        assert ours[table] == stored, table
    for table in ("records", "reports", "players", "rounds", "seats", "actions", "yaku", "findings"):
        assert ours[table], table


def test_the_store_names_calls_and_hiki_as_the_record_does(tmp_path: Path) -> None:
    koi_koi = simulate(Rules(game("koi-koi"), {}, 2, None), Random(1))
    sakura = simulate(Rules(game("sakura"), {"hiki": True}, 4, None), Random(1))
    read = [(record, dumps(to_json(record))) for record in (next(made) for _ in range(30) for made in (koi_koi, sakura))]
    written = [action for record, _ in read for played in to_json(record)["rounds"] for action in played["actions"]]
    signs = {"koi": "koi", "stop": "stop", "#": "hiki", "misdeal": "misdeal"}
    wanted = [next((call for sign, call in signs.items() if sign in action), None) for action in written]
    assert set(wanted) == {*signs.values(), None}
    with Store(tmp_path / "store.duckdb") as store:
        Desk(store).put(quickly(read))
        assert store.read("SELECT call FROM actions ORDER BY record, round, action") == [(call,) for call in wanted]


def test_each_row_of_a_batch_tells_of_its_own_record() -> None:
    """Of what stands in the heads of records that were played at several tables by turns, each second one faulty."""
    tables: list[tuple[str, int, Sides | None, dict[str, OptionValue]]] = [
        ("koi-koi", 2, None, {}),
        ("koi-koi", 2, None, {"viewing": "five"}),
        ("bakabana", 4, None, {}),
        ("higobana", 6, ((0, 3), (1, 4), (2, 5)), {}),
        ("higobana", 6, ((0, 2, 4), (1, 3, 5)), {"hiki": True}),
    ]
    read = []
    for place in range(20):
        id, seats, sides, options = tables[place % len(tables)]
        document = to_json(next(simulate(Rules(game(id), options, seats, sides), Random(place), rounds=1 + place % 3, faults=place % 2)))
        document["players"] = [{"name": f"{place}, {seat}"} for seat in range(seats)]
        document["event"] = {part: f"{part} {place}" for part in ("name", "site")[place % 3 :]} | {"date": f"2026-11-{place + 1:02}"}
        read.append((read_record(raw := dumps(document)), raw))
    batch = quickly(read)
    told, of_seat = ({name: column.tolist() for name, column in each.items()} for each in (batch.records, batch.children["players"]))
    for place, each in enumerate(prepare_read(read)):
        record, event, report = each.normal, each.normal.event, each.report
        sides = record.sides or tuple((seat,) for seat in range(1, len(record.players) + 1))
        places = [at for at, of in enumerate(of_seat["record"]) if of == place]
        assert (told["id"][place], told["verdict"][place], told["rounds"][place]) == (each.id, report["verdict"], len(record.rounds))
        assert (told["variant"][place], told["seats"][place]) == (record.variant, len(record.players))
        assert json.loads(told["options"][place]) == record.options
        assert told["sides"][place] == (record.sides and " ".join("+".join(map(str, side)) for side in sides))
        assert (told["event"][place], told["site"][place], told["date"][place]) == (event.name, event.site, event.date)
        assert [of_seat["name"][at] for at in places] == list(record.players)
        assert all(of_seat["seat"][at] in sides[of_seat["side"][at] - 1] for at in places)
        assert [of_seat["total"][at] for at in places] == [report["totals"] and report["totals"][of_seat["side"][at] - 1] for at in places]


def test_a_column_may_be_empty_but_for_its_last_row(tmp_path: Path) -> None:
    """Among thousands only the last record names a place."""
    read = []
    for points in range(3000):
        place = {"site": "Hilo"} if points == 2999 else {}
        document: dict[str, Any] = {"format": "hanafuda-record/1", "variant": "koi-koi", "event": {"name": "Tuesday table", **place}}
        document |= {"players": [{"name": "Leilani"}, {"name": "Kimo"}], "rounds": [{"dealer": 1, "claims": {"scores": [points, -points]}}]}
        read.append((read_record(raw := dumps(document)), raw))
    with Store(tmp_path / "store.duckdb") as store:
        Desk(store).add_read(read)
        assert store.read("SELECT count(*), count(site), max(site) FROM records") == [(3000, 1, "Hilo")]


def test_the_file_does_not_grow_when_the_same_games_come_again(tmp_path: Path) -> None:
    path = tmp_path / "store.duckdb"
    batch = quickly(mixed())
    sizes = []
    for new in (batch.size, 0, 0):
        with Store(path) as store:
            assert Desk(store).put(batch) == new
        sizes.append(path.stat().st_size)
    assert sizes[0] == sizes[1] == sizes[2]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_only_what_is_right_throughout_goes_the_quick_way(game: Any) -> None:
    made = simulate(Rules(game, {}, game.seats[0], None), Random(7), faults=0.5)
    for record in (next(made) for _ in range(20)):
        planted = "x_fault" in record.extra.get("", {})
        assert (judge(record, Gathered()) is None) is planted


def test_of_a_batch_only_what_is_not_there_yet_is_stored(tmp_path: Path) -> None:
    games = mixed()
    with Store(tmp_path / "store.duckdb") as store:
        desk = Desk(store)
        assert desk.put(quickly(games[:20])) == 20
        (one,) = desk.add_read(games[20:21])
        assert one.new
        assert desk.put(quickly([*games[15:30], games[29]])) == 9  # five were there, and one, and one comes twice
        assert desk.put(quickly(games)) == len(games) - 30
        assert store.read("SELECT count(*), count(DISTINCT id), count(DISTINCT number) FROM records") == [(len(games),) * 3]
        assert (strays(store), store.faults()) == ([], [])
    with Store(tmp_path / "store.duckdb") as store:
        assert Desk(store).put(quickly(games)) == 0


def test_what_is_stored_in_one_commit_or_after_one_that_failed_is_stored_once(tmp_path: Path) -> None:
    games = mixed()
    with Store(tmp_path / "store.duckdb") as store:
        desk = Desk(store)

        def twice(connection: duckdb.DuckDBPyConnection, batches: Sequence[Batch]) -> list[int]:
            return [int(desk.insert(connection, each).sum()) for batch in batches for each in (batch, batch)][-len(batches) :]

        def in_vain(connection: duckdb.DuckDBPyConnection, batches: Sequence[Batch]) -> list[int]:
            twice(connection, batches)
            raise ValueError

        with pytest.raises(ValueError):
            store.write(in_vain, quickly(games[:7])).result()
        assert store.read("SELECT count(*) FROM records") == [(0,)]
        assert store.write(twice, quickly(games[:7])).result() == 0
        assert desk.put(quickly(games[:9])) == 2
        desk.add_read(games[:9])
        assert store.read("SELECT count(*), count(DISTINCT id), count(DISTINCT number) FROM records") == [(9,) * 3]
        assert (strays(store), store.faults()) == ([], [])


def test_a_record_that_is_there_twice_is_found(tmp_path: Path) -> None:
    with Store(tmp_path / "store.duckdb") as store:
        Desk(store).put(quickly(mixed()[:3]))
        store.write(lambda connection, _: connection.execute("INSERT INTO records SELECT * FROM records LIMIT 1").fetchall(), None).result()
        assert store.faults() == ["records that are there more than once: 1"]


@pytest.mark.parametrize("few", [0, 1000])
def test_what_may_be_there_is_looked_for(few: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seen, "FEW", few)
    games = mixed()
    ids = [prepared.id for prepared in prepare_read(games[:6])]
    meets = ids[0][:4] + bytes(28)  # the same first bits, another record
    with Store(tmp_path / "store.duckdb") as store:
        Desk(store).put(quickly(games[:4]))
        known = Seen()
        for _ in range(2):
            assert known.known(store.cursor(), [*ids, meets]) == set(ids[:4])
        Desk(store).put(quickly(games[4:5]))
        assert known.known(store.cursor(), [*ids, meets]) == set(ids[:5])


def test_nothing_is_asked_where_the_last_record_that_was_given_a_number_is_seen(tmp_path: Path) -> None:
    ids = [prepared.id for prepared in prepare_read(mixed()[:3])]
    with Store(tmp_path / "store.duckdb") as store:
        Desk(store).put(quickly(mixed()[:2]))
        seen_here, asked = Seen(), store.cursor()
        seen_here.given = 2
        assert seen_here.maybe(asked, ids) == ids[:2]
        asked.close()  # who asks now fails
        assert seen_here.maybe(asked, ids) == ids[:2]
        seen_here.given = 3
        with pytest.raises(duckdb.ConnectionException):
            seen_here.maybe(asked, ids)
