"""``hanafu bench``: what it prints, and what it says where a library is missing. No time is asserted."""

import json
import socket
import subprocess
import sys
import threading
import time
from itertools import islice, repeat
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from analysis.statistics import CHARTS
from records.formats import read_many, read_record
from records.normal import identity
from service.bench import archive, engine, imports, many, processes, queries, rivals, running, service, table, visits
from service.checking import strays
from service.cli import main
from service.compile import CLONE
from service.store import Store

SHORT = ["bench", "engine", "--passes", "2", "--rounds", "8"]


def test_engine_measures_our_ways_and_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(rivals, "import_module", missing)
    done = CliRunner().invoke(main, [*SHORT, "--json"])
    assert done.exit_code == 0, done.output
    result = json.loads(done.stdout)
    assert result["engine"] in ("compiled", "interpreted")
    assert [way["name"] for way in result["ways"]] == [
        f"{variant}, {way}" for variant in engine.GAMES for way in ("text → verdict", "JSON → verdict", "JSON, orjson.loads")
    ]
    assert all(way["per_second"] > 0 and way["passes"] == 2 for way in result["ways"])
    assert [ratio["name"] for ratio in result["ratios"]] == [f"{variant}, JSON : orjson.loads" for variant in engine.GAMES]
    assert len(result["notes"]) == 2
    assert all("pip install 'hanafu[bench]'" in word for word in result["notes"])


@pytest.mark.requires("bench")
def test_engine_prints_the_ratios_to_other_libraries() -> None:
    done = CliRunner().invoke(main, SHORT)
    assert done.exit_code == 0, done.output
    for variant in engine.GAMES:
        for rival in ("python-chess", "PokerKit"):
            assert f"{variant}, text : {rival}" in done.stdout


def test_card_plays_of_an_action_are_counted() -> None:
    # 3Bx3C 8Bx8C, - 8B, 2: #5 8A, 4A 1R koi, misdeal: 2, 1, 1, 2 and 0 cards
    actions = [bytes((8, 1, 10, 28, 1, 30)), bytes((64, 28, 0)), bytes((98, 85, 29, 0)), bytes((12, 0, 1, 0, 66)), bytes((70,))]
    assert [engine._plays(action) for action in actions] == [2, 1, 1, 2, 0]


def test_a_ratio_is_the_median_of_runs_that_stood_side_by_side() -> None:
    ours = table.Way("ours", "card plays", 1, lambda: None, times=[1.0, 2.0, 10.0])
    theirs = table.Way("theirs", "plies", 1, lambda: None, times=[3.0, 8.0, 20.0])
    assert table.times_faster(ours, theirs) == 3.0


def test_the_page_on_speed_names_the_command() -> None:
    page = (Path(CLONE) / "web" / "docs" / "speed.md").read_text()
    assert "hanafu bench engine" in page
    for variant in engine.GAMES:
        assert variant in page


def test_import_measures_each_stage_beside_what_no_import_can_do_without(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    done = CliRunner().invoke(main, ["bench", "import", "--records", "25", "--faults", "0.2", "--workers", "1", "--json"])
    assert done.exit_code == 0, done.output
    for result, form in zip(json.loads(done.stdout)["results"], ("json", "text"), strict=True):
        assert (result["form"], result["records"]) == (form, 25)
        assert 0 < result["with_report"] < 25
        assert set(imports.STAGES) < set(result["seconds"])
        assert all(seconds > 0 for seconds in result["seconds"].values())
        assert (imports.LOADS in result["seconds"]) is (form == "json")
        assert result["bytes_stored"] > 0
        (run,) = result["runs"]
        assert (run["workers"], run["stored"] > 0, run["seconds"] > 0) == (1, True, True)


def test_an_archive_has_as_many_records_as_are_asked_for_each_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(archive, "DIFFERENT", 6)
    items = list(read_many(archive.archive(20, 3, "text")))
    assert [item.errors for item in items] == [[]] * 20
    assert len({identity(item.record) for item in items if item.record is not None}) == 20


def test_an_import_in_batches_takes_every_record(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert imports.measure(10, 1, "json", together=4).records == 10


@pytest.mark.parametrize(
    ("looks", "tenths"), [(list(range(20)), (1, 3, 5, 7, 9, 11, 13, 15, 17, 19)), ([7, 9], (7, 7, 7, 7, 7, 9, 9, 9, 9, 9))]
)
def test_memory_is_told_by_tenths_of_the_time(looks: list[int], tenths: tuple[int, ...]) -> None:
    assert running._by_tenths(looks) == tenths


def test_a_family_is_a_process_and_all_that_come_from_it() -> None:
    grandchild = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'input()'])"
    with subprocess.Popen([sys.executable, "-c", grandchild], stdin=subprocess.PIPE, text=True) as child:
        while len(found := processes.family(child.pid)) < 2:
            time.sleep(0.05)
        assert found[0] == child.pid
        assert processes.family(found[1]) == found[1:]
        assert all(processes.proportional_set(pid) for pid in found)
        child.communicate("\n")


def test_cost_against_size_is_drawn_from_what_was_measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    asked = ["bench", "import", "--json", "--form", "json", "--workers", "0", "--chart", str(tmp_path / "cost.svg")]
    asked += ["--records", "8", "--records", "16"]
    done = CliRunner().invoke(main, asked)
    assert done.exit_code == 0, done.output
    assert [result["records"] for result in json.loads(done.stdout)["results"]] == [8, 16]
    drawn = ElementTree.parse(tmp_path / "cost.svg").getroot()
    assert len(drawn.findall(".//{*}circle")) == 4  # two sizes on each of two lines
    assert {"8", "16", "json, whole", "json, DuckDB alone"} <= {text.text for text in drawn.findall(".//{*}text")}


def test_queries_asks_every_chart_and_every_list(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(queries, "FILTERS", {"all records": {}, "dealers": {"role": "dealer"}})
    monkeypatch.setattr(queries, "LISTS", {"all records": {}})
    monkeypatch.setattr(queries, "IMPORTED", 6)
    done = CliRunner().invoke(main, ["bench", "queries", "--records", "12", "--beside", "--json"])
    assert done.exit_code == 0, done.output
    asked = [(each["kind"], each["name"], each["filters"]) for each in json.loads(done.stdout)["questions"]]
    assert {("chart", chart, filters) for chart in CHARTS for filters in ("all records", "dealers")} < set(asked)
    assert ("list", "by -sent", "all records") in asked
    assert len(set(asked)) == len(asked)
    assert all(each["beside"] > 0 for each in json.loads(done.stdout)["questions"])


def test_a_store_of_copies_has_as_many_records_as_are_asked_for_each_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(many, "DIFFERENT", 6)
    monkeypatch.setattr(many, "AT_A_TIME", 2)
    path = tmp_path / "store.duckdb"
    many.fill(path, 20, 3)
    with Store(path) as store:
        assert store.read("SELECT count(*), count(DISTINCT id), min(number), max(number) FROM records") == [(20, 20, 1, 20)]
        assert store.read("SELECT count(*) FROM actions WHERE record IN (2, 20)") == [
            (2 * store.read("SELECT count(*) FROM actions WHERE record = 2")[0][0],)
        ]
        names = [
            store.read(f"SELECT record, {name} FROM {table} ORDER BY ALL") for table, name in (("players", "name"), ("results", "player"))
        ]
        assert set(names[1]) <= set(names[0])
        assert len({name for record, name in names[0] if record % 6 == 2}) > 2
        assert strays(store) == []


def test_service_measures_a_server_in_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(service, "DIFFERENT", 6)
    monkeypatch.setattr(service, "CLIENTS", (1, 3))
    monkeypatch.setattr(service, "TOGETHER", 2)
    done = CliRunner().invoke(main, ["bench", "service", "--stored", "9", "--seconds", "0.3", "--json"])
    assert done.exit_code == 0, done.output
    result = json.loads(done.stdout)
    named = ["pages", "statistics", "1 posting", "3 posting", "2 posting, and pages", "2 posting, and statistics"]
    assert [phase["name"] for phase in result["phases"]] == named
    assert [phase["clients"] for phase in result["phases"]] == [0, 0, 1, 3, 2, 2]
    for phase in result["phases"]:
        assert set(phase["asked"]) >= ({"post"} if phase["clients"] else set())
        for asked in phase["asked"].values():
            assert asked["errors"] == 0
            assert 0 < asked["p50"] <= asked["p99"] <= asked["most"]


def test_records_posted_are_each_of_their_own_with_two_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "DIFFERENT", 4)
    read = [read_record(request.partition(b"\r\n\r\n")[2]) for _, request in islice(service.requests_of(1), 12)]
    assert {len(record.rounds) for record in read} == {2}
    assert len({identity(record) for record in read}) == 12


def test_a_share_of_the_answers_came_within_a_time() -> None:
    times = [float(number) for number in range(100, 0, -1)]
    assert (service.part(times, 0.5), service.part(times, 0.99), service.part([7.0], 0.99)) == (51.0, 100.0, 7.0)


def test_a_visitor_whose_connection_breaks_is_an_error_and_comes_no_more() -> None:
    answers = [b"HTTP/1.1 201 CREATED\r\nContent-Length: 2\r\n\r\n{}", b"HTTP/1.1 503 NO\r\ncontent-length: 0\r\n\r\n", b"HTTP/1.1 20"]

    def serve() -> None:
        connection, _ = listening.accept()
        with connection:
            for answer in answers:
                connection.recv(100)
                connection.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = threading.Thread(target=serve)
        server.start()
        told = visits.visit(listening.getsockname(), [visits.Visitor(repeat(("ask", b"GET /\r\n\r\n")))], 30)
        server.join()
    assert told.statuses == {("ask", 201): 1, ("ask", 503): 1, ("ask", 0): 1}
    assert told.errors("ask") == 2
    assert len(told.times["ask"]) == 2


def test_the_page_on_archives_names_the_commands() -> None:
    page = (Path(CLONE) / "web" / "docs" / "archive.md").read_text()
    for command in ("hanafu bench import", "hanafu bench queries"):
        assert command in page
    for stage in imports.STAGES:
        assert f"| {stage} |" in page
