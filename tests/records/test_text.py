"""The record as text (record-format.md, 2)."""

import pytest

from records.formats import read_record, to_json, to_text
from records.notation import unpack
from records.record import Match, Record
from tests.records.sheets import HIGOBANA, TEXT, errors, sheet

BAKABANA = """[Format "hanafuda-record/1"]
[Variant "bakabana"]
[Options "wild_from_draw=true paulownia_chaff=0.5"]
[Event "Tuesday \\"table\\" \\\\ two"]
[Site "Hilo"]
[Date "2026-11-24"]
[Table "2"]
[Recorder "M."]
[Player1 "A"]
[Player2 "B"]
[Player3 "C"]
[Player4 "D"]
[Match "rounds 8 start 30"]

[Round "1"]
[Dealer "4"]
[Pile1 "11C 1B"]
[Pile2 "2A ?"]
[Pile3 ""]
[Pile4 "3B"]
[Points "3.5 6 7 9"]
[Yaku "- | akatan,akatan | - | -"]
[Scores "2 -18 25 -9"]
[Adjust "0 -10 0.5 0"]
[Lightning "1B"]

[Totals "2 -28 25.5 -9"]
[Winner "0"]
"""


def test_every_tag_of_a_score_sheet() -> None:
    record = read_record(BAKABANA)
    assert to_json(record) == {
        "format": "hanafuda-record/1",
        "variant": "bakabana",
        "options": {"wild_from_draw": True, "paulownia_chaff": 0.5},
        "event": {"name": 'Tuesday "table" \\ two', "site": "Hilo", "date": "2026-11-24", "table": "2", "recorder": "M."},
        "players": [{"name": "A"}, {"name": "B"}, {"name": "C"}, {"name": "D"}],
        "match": {"type": "rounds", "rounds": 8, "start": 30},
        "rounds": [
            {
                "dealer": 4,
                "piles": ["11C 1B", "2A ?", "", "3B"],
                "lightning": "1B",
                "claims": {
                    "points": [3.5, 6, 7, 9],
                    "yaku": [[], ["akatan", "akatan"], [], []],
                    "scores": [2, -18, 25, -9],
                },
                "adjust": [0, -10, 0.5, 0],
            }
        ],
        "claims": {"totals": [2, -28, 25.5, -9], "winner": 0},
    }
    assert to_text(record) == BAKABANA


def test_tags_of_other_games() -> None:
    team = sheet(players=[{"name": name} for name in "ABCD"], sides=[[2, 4], [1, 3]], rounds__0__deal__hands=None)
    team["match"] = {"type": "best_of", "rounds": 7}
    written = to_text(read_record(team))
    assert '[Sides "2+4 1+3"]\n[Match "best_of 7"]\n' in written
    assert read_record(written) == read_record(team)
    assert read_record(written.replace("best_of 7", "target 100")).match == Match("target", 100)
    koi_koi = sheet(variant="koi-koi", rounds__0__claims=None, rounds__0__actions=None, rounds__0__stopped=0, rounds__0__calls=[0, 2])
    assert '[Stopped "0"]\n[Calls "0 2"]\n' in to_text(read_record(koi_koi))
    assert read_record(to_text(read_record(koi_koi))) == read_record(koi_koi)


def test_notes_comments_and_blanks() -> None:
    written = TEXT.replace(
        "3Bx3C 8B\n",
        '{before; all}\n 3Bx3C 8B{close}  {twice} ; a comment {no note}\n;[Round "9"]\n\n',
    ).replace("{well played}", "{a \\} and \\\\ and \\n [Round] ;\n two lines }")
    record = read_record(written)
    assert record.rounds[0].notes == {0: "before; all", 1: "close\ntwice", 2: "a } and \\ and \\n [Round] ;\n two lines "}
    assert [unpack(action) for action in record.rounds[0].actions] == ["3Bx3C 8B", "2Ax2R 1Rx1B"]
    assert read_record(to_text(record)) == record


@pytest.mark.parametrize(
    "note", ['[Format "hanafuda-record/1"]', 'x\n[Format "a"]', "x\r\n \t[Format ", "{\\}", "", "\n", "\\", "a\r\nb", ";"]
)
def test_any_note_comes_back_as_it_was(note: str) -> None:
    record = read_record(sheet(rounds__0__notes={"0": note, "2": note}))
    assert read_record(to_text(record)) == record


def test_a_reason_may_hold_what_begins_a_note_or_comment() -> None:
    record = read_record(sheet(rounds__0__actions=["2: misdeal: a; b {c} \\; \\"]))
    assert "\n2: misdeal: a\\; b \\{c} \\\\\\; \\\\\n" in to_text(record)
    assert read_record(to_text(record)) == record


def test_line_ends_marks_and_full_width_digits() -> None:
    plain = read_record(TEXT)
    for written in (TEXT.replace("\n", "\r\n"), "\ufeff" + TEXT, TEXT.rstrip("\n"), "\n\n" + TEXT, "; x\r\n" + TEXT):
        assert read_record(written) == plain
        assert read_record(written.encode()) == plain
    wide = TEXT.replace('[Dealer "1"]', '[Dealer "１"]').replace("3Bx3C 8B", "３Bx３C ８B").replace("180 110", "１８０ 110")
    assert read_record(wide) == plain
    named = read_record(TEXT.replace("Kimo", "Kimo ２"))
    assert named.players[1] == "Kimo ２"


def test_columns_do_not_count_a_mark_and_count_characters() -> None:
    broken = "\ufeff" + TEXT.replace('[Format "hanafuda-record/1"]', '[Format "hanafuda-record/2"]')
    assert [(error.line, error.column) for error in errors(broken)] == [(1, 10)]
    kanji = TEXT.replace("3Bx3C 8B", "鶴x1R 13C")
    assert [(error.line, error.column) for error in errors(kanji.encode())] == [(10, 6)]
    assert [(error.line, error.column) for error in errors(kanji.replace("\n", "\r\n"))] == [(10, 6)]
    escaped = TEXT.replace("1B 2R 3C", '\\"1B 2R 13C')
    assert [(error.line, error.column, error.token) for error in errors(escaped)] == [(8, 9, '"1B'), (8, 17, "13C")]


def test_x_tags_are_kept() -> None:
    written = TEXT.replace("[Player2", '[X_Camera "{\\"id\\": [3, null]}"]\n[Player2').replace(
        '[Dealer "1"]', '[Dealer "1"]\n[X_started "\\"20:15\\""]'
    )
    record = read_record(written)
    assert record.extra == {"": {"x_Camera": {"id": [3, None]}}, "/rounds/0": {"x_started": "20:15"}}
    assert read_record(to_text(record)).extra == record.extra
    assert read_record(to_json(record)).extra == record.extra
    broken = TEXT.replace("[Player2", '[X_Camera "{3}"]\n[Player2')
    assert [(error.code, error.line, error.column) for error in errors(broken)] == [("not-json", 4, 12)]


def test_what_is_missing_is_told_at_the_tag_that_should_hold_it() -> None:
    assert [(error.code, error.line, error.column) for error in errors('[Variant "higobana"]')] == [
        ("missing-key", 1, 2),
        ("missing-key", 1, 2),
        ("missing-key", 1, 2),
    ]
    short = TEXT.replace('[Hand1 "1C 3B"]', '[Pile2 "1C 3B"]')
    assert [(error.code, error.line, error.column, error.expected) for error in errors(short)] == [("missing-key", 9, 2, '[Pile1 "…"]')]
    many = TEXT.replace('[Hand1 "1C 3B"]', '[Hand3 "1C 3B"]')
    assert [(error.code, error.line, error.column) for error in errors(many)] == [("wrong-length", 9, 2)]


def test_round_tags_may_stand_after_the_actions() -> None:
    record = read_record(TEXT.replace("\n\n[Totals", '\n[Scores "180 110"]\n\n[Totals'))
    assert record.rounds[0].claims is not None
    assert record.rounds[0].claims.scores == (180, 110)


def test_unknown_hands_are_left_out() -> None:
    record: Record = read_record(sheet(rounds__0__deal__hands=[None, "2A"]))
    assert "Hand1" not in to_text(record)
    assert read_record(to_text(record)) == record
    record = read_record(sheet(rounds__0__deal__hands=["2A", None]))
    assert read_record(to_text(record)) == record


def test_the_example_of_the_format() -> None:
    assert to_text(read_record(HIGOBANA)) == (
        '[Format "hanafuda-record/1"]\n'
        '[Variant "higobana"]\n'
        '[Player1 "Leilani"]\n'
        '[Player2 "Kimo"]\n'
        "\n"
        '[Round "1"]\n'
        '[Dealer "1"]\n'
        '[Field "1B 2R 3C"]\n'
        '[Hand1 "1C 3B"]\n'
        '[Hand2 "2A 2C"]\n'
        '[DrawPile "8B 1R"]\n'
        '[Points "130 110"]\n'
        '[Yaku "2 | -"]\n'
        '[Scores "180 110"]\n'
        "3Bx3C 8B\n"
        "2Ax2R 1Rx1B\n"
    )
