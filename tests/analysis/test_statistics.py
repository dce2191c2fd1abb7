"""The charts' queries over a handful of rows whose answers are plain, and the figures made of them."""

from collections.abc import Iterator, Sequence
from typing import Any

import duckdb
import plotly.graph_objects as go
import pytest

from analysis import figures, players, statistics, summaries
from records.cards import CARDS, LIGHTNING, mask
from service.earlier import complete
from service.store import migrations

PLAYED = [
    # record, round, seat, place, player, score, from cards, from yaku, paid yaku, other, hand points, draw points, pile
    (1, 1, 1, 0, "Leilani", 60, 40, 20, 0, 0, 30, 10, "1B 3B 2A"),
    (1, 1, 2, 1, "Kimo", 20, 40, 0, -20, 0, 10, 30, "1R 2R"),
    (1, 2, 1, 1, "Leilani", 10, 10, 0, 0, 0, 10, 0, "8B 3B"),
    (1, 2, 2, 0, "Kimo", 50, 30, 20, 0, 0, 20, 10, "1B 2A"),
    (2, 1, 1, 0, "Leilani", 30, 30, 0, 0, 0, 20, 10, "4R 5R 7R"),
    (2, 1, 2, 1, "Kimo", 30, 30, 0, 0, 0, 0, 30, ""),
]

LAID = [
    # action, seat, played, what it takes, drawn, what it takes: of record 2, whose first player lays three cards
    (1, 1, "4C", "", "6A", ""),  # the next turn takes its twin's code, which is the same: a gift
    (2, 2, "4R", "4C", "7A", ""),
    (3, 1, "5R", "", "5C", "5R"),  # goes into the seat's own pile
    (4, 2, "9A", "", "10A", ""),  # nobody takes it
    (5, 1, "2A", "", "3B", ""),  # taken two turns later, by the one who laid it
    (6, 2, "7R", "7A", "8A", ""),
    (7, 1, "2R", "2A", "1B", ""),
]
ACTS = [
    # record, dispute, kind, day and hour, body
    (b"\xaa", 1, "opened", "01 10:00", '{"claim": "scores"}'),
    (b"\xaa", 1, "answered", "01 11:00", '{"statement": "no"}'),
    (b"\xaa", 1, "ruled", "01 14:00", '{"outcome": "upheld"}'),
    (b"\xaa", 1, "ruled", "05 14:00", '{"outcome": "adjusted"}'),  # a later version: the first ruling ends the wait
    (b"\xbb", 1, "opened", "02 10:00", '{"claim": "scores"}'),
    (b"\xbb", 1, "ruled", "02 18:00", '{"outcome": "upheld"}'),
    (b"\xbb", 2, "opened", "03 10:00", '{"claim": "yaku"}'),
]
QUERIED = [name for name, chart in statistics.CHARTS.items() if not chart.sampled]


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """Two records of Leilani and Kimo, three rounds, four yaku, three findings."""
    with duckdb.connect() as opened:
        opened.execute("CREATE TABLE records (number BIGINT, id BLOB, date VARCHAR, seats INTEGER, variant VARCHAR, event VARCHAR)")
        opened.execute(
            "INSERT INTO records VALUES (1, '\\xAA'::BLOB, '2026-11-01', 2, 'higobana', 'club'),"
            " (2, '\\xBB'::BLOB, '2026-11-02', 2, 'higobana', NULL)"
        )
        opened.execute("CREATE TABLE players (record BIGINT, seat INTEGER, name VARCHAR)")
        opened.execute("INSERT INTO players VALUES (1, 1, 'Leilani'), (1, 2, 'Kimo'), (2, 1, 'Leilani'), (2, 2, 'Kimo')")
        opened.execute(
            "CREATE TABLE seats (record BIGINT, round INTEGER, seat INTEGER, side INTEGER, place INTEGER, score DOUBLE, from_cards DOUBLE,"
            " from_yaku DOUBLE, paid_yaku DOUBLE, from_other DOUBLE, hand_points DOUBLE, draw_points DOUBLE, pile UBIGINT)"
        )
        for record, round_, seat, place, _player, *rest, pile in PLAYED:
            row = (record, round_, seat, seat, place, *rest, mask(pile))
            opened.execute(f"INSERT INTO seats VALUES ({', '.join('?' * len(row))})", row)
        opened.execute(
            "CREATE TABLE actions (record BIGINT, round INTEGER, action INTEGER, seat INTEGER, played UTINYINT,"
            " played_takes UBIGINT, drawn UTINYINT, drawn_takes UBIGINT)"
        )
        for round_, action, takes in ((1, 1, "8B"), (2, 4, "8B"), (1, 2, "11R"), (1, 3, "")):
            seat = 2 - action % 2
            opened.execute("INSERT INTO actions VALUES (1, ?, ?, ?, ?, ?, NULL, 0)", (round_, action, seat, LIGHTNING, mask(takes)))
        for action, seat, played, takes, drawn, drawn_takes in LAID:
            row = (action, seat, CARDS[played], mask(takes), CARDS[drawn], mask(drawn_takes))
            opened.execute("INSERT INTO actions VALUES (2, 1, ?, ?, ?, ?, ?, ?)", row)
        opened.execute("CREATE TABLE rounds (record BIGINT, round INTEGER, winner INTEGER, level VARCHAR)")
        opened.execute("INSERT INTO rounds VALUES (1, 1, 1, 'piles'), (1, 2, 2, 'piles'), (2, 1, 0, 'full')")
        opened.execute("CREATE TABLE yaku (record BIGINT, round INTEGER, side INTEGER, yaku VARCHAR, action INTEGER, negated BOOLEAN)")
        opened.execute(
            "INSERT INTO yaku VALUES (1, 1, 1, '1', 4, false), (1, 2, 2, '1', 8, false),"
            " (2, 1, 1, 'red', 6, true), (2, 1, 2, '1', NULL, false)"
        )
        opened.execute("ALTER TABLE yaku ADD COLUMN seat INTEGER")
        opened.execute("CREATE TABLE findings (record BIGINT, round INTEGER, action INTEGER, code VARCHAR, severity VARCHAR)")
        opened.execute(
            "INSERT INTO findings VALUES (1, 1, NULL, 'claim-scores', 'dispute'), (1, 2, NULL, 'claim-scores', 'dispute'),"
            " (2, 1, 3, 'must-capture', 'unlawful')"
        )
        opened.execute("CREATE TABLE acts (record BLOB, dispute INTEGER, kind VARCHAR, acted_at TIMESTAMP, body VARCHAR)")
        for act in ACTS:
            opened.execute("INSERT INTO acts VALUES (?, ?, ?, '2026-11-' || ?, ?)", act)
        opened.execute("CREATE TABLE pseudonyms (name VARCHAR, step INTEGER, pseudonym VARCHAR)")
        opened.execute(next(sql for _, name, sql in migrations() if name == "summaries"))
        complete(opened)
        yield opened


def again(connection: duckdb.DuckDBPyConnection) -> None:
    """Counts anew, after a test has changed a row."""
    for table in summaries.SUMMARIES:
        connection.execute(f"DELETE FROM {table}")
    complete(connection)


def ask(connection: duckdb.DuckDBPyConnection, name: str, where: str = "true", parameters: Sequence[object] = ()) -> list[dict[str, Any]]:
    return statistics.answer(connection, name, where, parameters).named()


def test_results_of_the_dealers_alone(connection: duckdb.DuckDBPyConnection) -> None:
    def of(name: str, role: str) -> list[dict[str, Any]]:
        return statistics.answer(connection, name, role=role).named()

    assert [(row["player"], row["total"]) for row in of("running", "dealer")] == [("Kimo", 50), ("Leilani", 60), ("Leilani", 90)]
    assert [(row["place"], row["n"]) for row in of("by-place", "others")] == [(1, 3)]
    # Leilani is second once, in the round in which Kimo deals: places are those of the whole table.
    assert {(row["player"], row["place"]): row["n"] for row in of("places", "others")} == {
        ("Kimo", 1): 1,
        ("Kimo", 2): 1,
        ("Leilani", 2): 1,
    }
    assert {(row["player"], row["opponent"]): row["ahead"] for row in of("pairs", "dealer")} == {
        ("Leilani", "Kimo"): pytest.approx(20),
        ("Kimo", "Leilani"): pytest.approx(40),
    }
    # The dealers made 1 in both rounds of the first record, and the negated red in the second; the other's there is no dealer's.
    assert [(row["yaku"], row["made"], row["rounds"]) for row in of("yaku", "dealer")] == [("1", 2, 3), ("red", 1, 3)]
    # Seat 2, the dealer of the second round, plays its fourth action.
    assert [(row["turn"], row["n"]) for row in of("lightning", "dealer")] == [(1, 1), (2, 1)]
    assert of("lightning", "others") == []
    assert of("captures", "dealer") == of("captures", "")


def test_totals_run_over_all_rounds_in_order(connection: duckdb.DuckDBPyConnection) -> None:
    rows = ask(connection, "running")
    assert [row["total"] for row in rows if row["player"] == "Leilani"] == [60, 70, 100]
    assert [row["total"] for row in rows if row["player"] == "Kimo"] == [20, 70, 100]
    assert rows[-1]["record"] == "bb" and rows[-1]["round"] == 1
    assert statistics.count("running", rows) == 6


def test_a_condition_leaves_only_its_records(connection: duckdb.DuckDBPyConnection) -> None:
    assert {row["record"] for row in ask(connection, "running", "r.event = ?", ("club",))} == {"aa"}
    assert ask(connection, "running", "r.event = ?", ("nobody's",)) == []


def test_the_dealer_stands_beside_the_others_with_an_interval(connection: duckdb.DuckDBPyConnection) -> None:
    dealer, other = ask(connection, "by-place")
    assert (dealer["place"], dealer["n"], other["n"]) == (0, 3, 3)
    assert dealer["mean"] == pytest.approx((60 + 50 + 30) / 3)
    assert dealer["low"] < dealer["mean"] < dealer["high"]
    assert dealer["won"] == pytest.approx(100 * 2 / 3)


def test_sources_are_means_of_a_round(connection: duckdb.DuckDBPyConnection) -> None:
    rows = {row["player"]: row for row in ask(connection, "sources")}
    assert rows["Leilani"]["cards"] == pytest.approx(80 / 3)
    assert rows["Kimo"]["yaku_paid"] == pytest.approx(-20 / 3)
    assert statistics.headline("sources", list(rows.values()))[0] == "sources-cards"


def test_a_tie_shares_the_place(connection: duckdb.DuckDBPyConnection) -> None:
    shares = {(row["player"], row["place"]): row["share"] for row in ask(connection, "places")}
    assert shares["Leilani", 1] == pytest.approx(200 / 3)
    assert shares["Kimo", 1] == pytest.approx(200 / 3)
    assert shares["Kimo", 2] == pytest.approx(100 / 3)


def test_yaku_are_counted_in_a_hundred_rounds(connection: duckdb.DuckDBPyConnection) -> None:
    rows = ask(connection, "yaku")
    assert [(row["yaku"], row["made"], row["rounds"]) for row in rows] == [("1", 3, 3), ("red", 1, 3)]
    assert rows[0]["per_100"] == pytest.approx(100)


def test_a_yaku_one_card_short_is_told_from_one_that_is_made(connection: duckdb.DuckDBPyConnection) -> None:
    rows = {row["yaku"]: row for row in ask(connection, "short")}
    assert rows["1"]["n"] == 6
    assert (rows["1"]["made"], rows["1"]["one_short"]) == (pytest.approx(100 / 6), pytest.approx(100 / 6))
    assert (rows["2"]["made"], rows["2"]["one_short"]) == (0, pytest.approx(100 / 6))
    assert (rows["red"]["made"], rows["red"]["one_short"]) == (pytest.approx(100 / 6), 0)
    # Three piles are complete, each of another yaku; each has one pile on the other side.
    assert {id: row["conceded"] for id, row in rows.items() if row["conceded"]} == {
        id: pytest.approx(row["made"]) for id, row in rows.items() if row["made"]
    }


def test_partners_do_not_concede_to_each_other(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("UPDATE seats SET side = 1 WHERE record = 2")
    again(connection)
    rows = {row["yaku"]: row for row in ask(connection, "short")}
    assert (rows["red"]["made"], rows["red"]["conceded"]) == (pytest.approx(100 / 6), 0)


def test_cp_4_a_miss_is_a_finding_and_a_gift_is_taken_in_the_next_turn(connection: duckdb.DuckDBPyConnection) -> None:
    rows = {row["player"]: row for row in ask(connection, "overlooked")}
    assert (rows["Leilani"]["n"], rows["Leilani"]["missed"], rows["Leilani"]["gifted"]) == (1, 100, 100)
    assert (rows["Kimo"]["n"], rows["Kimo"]["missed"], rows["Kimo"]["gifted"]) == (1, 0, 0)


def test_a_dispute_waits_until_its_first_ruling(connection: duckdb.DuckDBPyConnection) -> None:
    rows = ask(connection, "disputes")
    assert [tuple(row.values()) for row in rows] == [("scores", 2, 2, 6.0), ("yaku", 1, 0, None)]
    assert statistics.headline("disputes", rows) == ("disputes-most", {"claim": "scores", "n": 3, "ruled": 2})


def test_captures_of_the_dealer_stand_against_an_equal_share(connection: duckdb.DuckDBPyConnection) -> None:
    rows = {row["card"]: row for row in ask(connection, "captures")}
    assert (rows["1B"]["n"], rows["1B"]["share"], rows["1B"]["expected"]) == (2, 100, 50)
    assert (rows["1R"]["n"], rows["1R"]["share"]) == (1, 0)
    assert "9A" not in rows


def test_cp_6_the_lightning_counts_only_where_it_took_another_month(connection: duckdb.DuckDBPyConnection) -> None:
    assert [(row["card"], row["turn"], row["n"]) for row in ask(connection, "lightning")] == [("8B", 1, 1), ("8B", 2, 1)]


def test_pairs_are_the_same_seen_from_both_sides(connection: duckdb.DuckDBPyConnection) -> None:
    rows = {(row["player"], row["opponent"]): row for row in ask(connection, "pairs")}
    assert rows["Leilani", "Kimo"]["ahead"] == pytest.approx(0)
    assert rows["Leilani", "Kimo"]["better"] == pytest.approx(100 / 3)


def test_causes_add_up_to_all_findings(connection: duckdb.DuckDBPyConnection) -> None:
    rows = ask(connection, "causes")
    assert [(row["code"], row["n"]) for row in rows] == [("claim-scores", 2), ("must-capture", 1)]
    assert [round(row["together"]) for row in rows] == [67, 100]


def test_a_yaku_of_no_action_is_not_timed(connection: duckdb.DuckDBPyConnection) -> None:
    rows = {row["yaku"]: row for row in ask(connection, "when-made")}
    assert (rows["1"]["n"], rows["1"]["median"], rows["red"]["median"]) == (2, 6, 6)


def test_hand_and_draw_split_what_was_captured(connection: duckdb.DuckDBPyConnection) -> None:
    rows = ask(connection, "hand-and-draw")
    key, args = statistics.headline("hand-and-draw", rows)
    assert key == "draw-share" and args["share"] == pytest.approx(100 * 90 / 180)


def test_no_headline_is_made_of_a_few_rounds_where_others_have_many() -> None:
    few = {"player": "Lucky", "place": 1, "n": 1, "share": 100.0}
    many = [{"player": "Steady", "place": 1, "n": 40, "share": 40.0}, {"player": "Steady", "place": 2, "n": 60, "share": 60.0}]
    assert statistics.headline("places", [few, *many]) == ("places-first", {"player": "Steady", "share": 40.0})


def test_a_player_has_records_results_by_role_and_yaku(connection: duckdb.DuckDBPyConnection) -> None:
    assert players.listed(connection, "true", (), "players").rows == [("Kimo", 2, 1, "2026-11-02"), ("Leilani", 2, 1, "2026-11-02")]
    dealer, other = players.results(connection, "leilani", "true", (), "results").named()
    assert (dealer["role"], dealer["n"], dealer["mean"], dealer["won"]) == ("dealer", 2, 45, 50)
    assert (other["role"], other["n"], other["mean"], other["low"], other["won"]) == ("others", 1, 10, None, 0)
    made = players.yaku(connection, "leilani", "true", (), "results").rows
    assert made == [("higobana", "1", 1, pytest.approx(100 / 3)), ("higobana", "red", 1, pytest.approx(100 / 3))]
    assert players.results(connection, "leilani", "r.event = ?", ("nobody's",), "results").rows == []


def test_a_yaku_of_one_seat_is_not_its_partners(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("UPDATE seats SET side = 1 WHERE record = 2")
    again(connection)
    assert "red" in {row[1] for row in players.yaku(connection, "kimo", "true", (), "results").rows}  # the side's
    connection.execute("UPDATE yaku SET seat = 1 WHERE yaku = 'red'")
    assert "red" not in {row[1] for row in players.yaku(connection, "kimo", "true", (), "results").rows}


@pytest.mark.parametrize("name", QUERIED)
def test_each_chart_makes_a_figure_that_plotly_takes(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    rows = ask(connection, name)
    drawn = figures.figure(name, rows, _AnyWord())
    figure = go.Figure(drawn["data"], {key: value for key, value in drawn["layout"].items() if key != "template"})
    assert len(figure.data) > 0
    assert go.layout.Template(drawn["layout"]["template"]) is not None
    for trace in drawn["data"]:
        assert "customdata" in trace


@pytest.mark.parametrize("name", QUERIED)
def test_each_name_down_the_side_is_written(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    side = figures.figure(name, ask(connection, name), _AnyWord())["layout"].get("yaxis", {})
    assert side.get("type") != "category" or side["dtick"] == 1


@pytest.mark.parametrize("name", QUERIED)
def test_each_chart_is_empty_without_records(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    rows = ask(connection, name, "false")
    assert rows == [] and statistics.headline(name, rows) == ("none", {}) and statistics.count(name, rows) == 0


def test_a_sample_is_of_the_records_asked_about_by_their_ids(connection: duckdb.DuckDBPyConnection) -> None:
    assert ask(connection, "options") == [{"number": 1, "chosen": 2}, {"number": 2, "chosen": 2}]
    assert ask(connection, "options", "r.event = ?", ("club",)) == [{"number": 1, "chosen": 1}]


def test_options_are_drawn_as_far_as_they_change_anything() -> None:
    rows = [
        {"option": "drinks", "value": "stacked", "n": 40, "changed": 25.0, "other_winner": 5.0, "shift": 0.5, "not_possible": 0.0},
        {"option": "tie", "value": "earliest", "n": 30, "changed": 0.0, "other_winner": 0.0, "shift": 0.0, "not_possible": 2.5},
    ]
    drawn = figures.figure("options", rows, _AnyWord())
    assert [trace["x"] for trace in drawn["data"]] == [[25.0], [5.0]]
    assert drawn["data"][0]["y"] == ["drinks =<br>stacked"]
    assert statistics.headline("options", rows) == ("options-most", {"option": "drinks", "value": "stacked", "share": 25.0})
    assert statistics.headline("options", rows[1:]) == ("options-none", {})
    assert statistics.count("options", rows) == 40


class _AnyWord(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return key
