"""Every error code, with its place, its token and the near miss; and the tree as it is drawn."""

import inspect
import re
from typing import Any

import pytest

from records import errors as tree
from records.errors import CODES, ReadError
from tests.records.sheets import HIGOBANA, TEXT, errors, sheet
from tests.records.test_streams import ARCHIVES

KOI_KOI: dict[str, Any] = sheet(variant="koi-koi", rounds__0__claims=None)
HON_BANA: dict[str, Any] = {
    "format": "hanafuda-record/1",
    "variant": "hon-bana",
    "players": [{"name": "A"}, {"name": "B"}, {"name": "C"}],
    "rounds": [{"dealer": 1}],
}


def text(old: str, new: str) -> str:
    assert old in TEXT
    return TEXT.replace(old, new)


CASES: list[tuple[str, object, str | tuple[int, int] | None, str | None, str | None]] = [
    # the document
    ("empty", b"", (1, 1), None, None),
    ("empty", b" \n\t", (1, 1), None, None),
    ("not-utf8", b'{"format": "caf\xe9"}', (1, 16), "e9", None),
    ("not-utf8", b'{\n "x\xff": 1}', (2, 4), "ff", None),
    ("not-utf8", TEXT.encode("utf-16"), (1, 1), "ff", None),
    ("not-json", b'{"format" "x"}', (1, 11), '"x"}', None),
    ("truncated", b'{"format": "hanafuda-record/1",\n "variant": "hig', (2, 13), '"hig', None),
    ("truncated", b'{"format": "hanafuda-record/1"', (1, 31), None, None),
    ("not-a-record", b"noise", (1, 1), "noise", None),
    ("not-a-record", b"\n  1B 2R", (2, 3), "1B 2R", None),
    ("several-records", b"{} {}", (1, 4), "{}", None),
    ("several-records", TEXT + TEXT, (14, 1), None, None),
    ("duplicate-key", b'{"format": "hanafuda-record/1", "format": "x"}', "/format", "format", None),
    ("bad-number", b'{"x_big": 1e999}', "/x_big", None, None),
    ("bad-number", b'{"winner": NaN}', "/winner", "NaN", None),
    ("bad-number", b'{"match": {"rounds": 12345678901234567890}}', "/match/rounds", "12345678901234567890", None),
    ("bad-number", sheet(claims={"totals": [float("nan"), 1]}), "/claims/totals/0", "nan", None),
    ("lone-surrogate", b'{"event": {"name": "\\ud800"}}', "/event/name", "\\ud800", None),
    ("too-large", b'{"x_": "' + b"a" * 1_000_000 + b'"}', "", None, None),
    ("too-deep", b'{"x_deep": ' + b"[" * 5000 + b"]" * 5000 + b"}", (1, 43), "[", None),
    ("too-deep", b"[" * 5000, (1, 33), "[", None),
    ("too-deep", b'{"rounds": [{"actions": ' + b"[" * 5000 + b"]" * 5000 + b"}]}", (1, 54), "[", None),
    ("too-many", sheet(rounds=[{"dealer": 1}] * 501), "/rounds", None, None),
    ("too-many", sheet(rounds__0__actions=["- 8B"] * 201), "/rounds/0/actions", None, None),
    ("too-long", sheet(players__0__name="a" * 201), "/players/0/name", "a" * 79 + "…", None),
    # its shape
    ("wrong-type", sheet(players="Leilani"), "/players", "Leilani", None),
    ("wrong-type", b"[1]", "", None, None),
    ("wrong-type", sheet(rounds__0__dealer="1"), "/rounds/0/dealer", "1", None),
    ("wrong-type", sheet(rounds__0__dealer=True), "/rounds/0/dealer", "true", None),
    ("wrong-type", sheet(rounds__0__dealer=1.5), "/rounds/0/dealer", "1.5", None),
    ("wrong-type", sheet(rounds__0__actions__1=5), "/rounds/0/actions/1", "5", None),
    ("wrong-type", sheet(options={"hand_two": "10"}), "/options/hand_two", "10", "10"),
    ("wrong-type", sheet(options={"wild_from_draw": 1}), "/options/wild_from_draw", "1", None),
    ("wrong-type", sheet(sides=[["1"], [2]]), "/sides", "a list", None),
    ("missing-key", sheet(rounds__0__dealer=None), "/rounds/0/dealer", None, None),
    ("missing-key", sheet(match={"type": "rounds"}), "/match/rounds", None, None),
    ("missing-key", text('[Dealer "1"]\n', ""), (6, 2), None, None),
    ("missing-key", text('[Player1 "Leilani"]\n', ""), (3, 2), None, None),
    ("unknown-key", sheet(round=[]), "/round", "round", "rounds"),
    ("unknown-key", sheet(rounds__0__claims__x_mine=1), "/rounds/0/claims/x_mine", "x_mine", None),
    ("unknown-key", sheet(rounds__0__stopped=1), "/rounds/0/stopped", "stopped", None),
    ("unknown-key", sheet(match={"type": "target", "points": 9, "rounds": 3}), "/match/rounds", "rounds", None),
    ("unknown-key", sheet(rounds__0__notes={"two": "x"}), "/rounds/0/notes/two", "two", None),
    ("wrong-format", sheet(format="hanafuda-record/9"), "/format", "hanafuda-record/9", "hanafuda-record/1"),
    ("unknown-variant", sheet(variant="koikoi"), "/variant", "koikoi", "koi-koi"),
    ("unknown-variant", text("higobana", "higabana"), (2, 11), "higabana", "higobana"),
    ("unknown-option", sheet(options={"joker": "none"}), "/options/joker", "joker", "jokers"),
    ("unknown-option", sheet(options={"x_mine": 1}), "/options/x_mine", "x_mine", None),
    ("unknown-value", sheet(options={"jokers": "system1"}), "/options/jokers", "system1", "system_1"),
    ("unknown-value", sheet(match={"type": "best-of", "rounds": 7}), "/match/type", "best-of", "best_of"),
    (
        "unknown-value",
        sheet(HON_BANA, rounds__0__first_great="ippai"),
        "/rounds/0/first_great",
        "ippai",
        None,
    ),
    ("wrong-seats", sheet(variant="bakabana"), "/players", "2", None),
    ("wrong-sides", sheet(sides=[[1], [2]]), "/sides", "1, 2", None),
    ("wrong-length", sheet(rounds__0__claims__scores=[1, 2, 3]), "/rounds/0/claims/scores", None, None),
    ("wrong-length", sheet(rounds=[]), "/rounds", None, None),
    ("wrong-length", text("180 110", "180"), (13, 10), None, None),
    ("out-of-range", sheet(rounds__0__dealer=3), "/rounds/0/dealer", "3", None),
    ("out-of-range", sheet(claims={"winner": 3}), "/claims/winner", "3", None),
    ("out-of-range", sheet(claims={"totals": [10**12, 0]}), "/claims/totals/0", "1000000000000", None),
    ("out-of-range", text('[Round "1"]', '[Round "2"]'), (6, 9), "2", "1"),
    ("not-half", sheet(rounds__0__claims__points=[2.25, 1]), "/rounds/0/claims/points/0", "2.25", None),
    ("empty-name", sheet(players__1__name=" "), "/players/1/name", " ", None),
    ("empty-name", text('"Kimo"', '""'), (4, 2), "", None),
    ("control-character", sheet(players__1__name="a\tb"), "/players/1/name", "\\t", None),
    ("control-character", sheet(event={"site": "a\x85"}), "/event/site", "\\x85", None),
    ("control-character", sheet(rounds__0__actions=["misdeal: a\x00b"]), "/rounds/0/actions/0", "\\x00", None),
    ("unknown-yaku", sheet(rounds__0__claims__yaku=[["bleu"], []]), "/rounds/0/claims/yaku/0/0", "bleu", "blue"),
    ("unknown-yaku", text('[Dealer "1"]', '[Dealer "1"]\n[Yaku "1,blu | -"]'), (8, 10), "blu", "blue"),
    ("no-such-action", sheet(rounds__0__notes={"3": "late"}), "/rounds/0/notes/3", "3", None),
    # cards and actions
    ("unknown-card", sheet(rounds__0__deal__field="1B 13C"), "/rounds/0/deal/field", "13C", None),
    ("unknown-card", sheet(rounds__0__deal__hands=["1C3", None]), "/rounds/0/deal/hands/0", "1C3", "1C"),
    ("unknown-card", sheet(rounds__0__piles=["craen", ""]), "/rounds/0/piles/0", "craen", "crane"),
    ("unknown-card", text("8B\n", "13C\n"), (10, 7), "13C", None),
    ("unknown-card", text("1B 2R 3C", "1B bush-warbeler 3C"), (8, 12), "bush-warbeler", "bush-warbler"),
    ("unknown-card", sheet(rounds__0__actions=["3Bx? 8B"]), "/rounds/0/actions/0", "3Bx?", None),
    ("ambiguous-card", sheet(rounds__0__deal__field="ribbon"), "/rounds/0/deal/field", "ribbon", None),
    ("ambiguous-card", sheet(rounds__0__actions=["12Bxpaulownia-chaff"]), "/rounds/0/actions/0", "12Bxpaulownia-chaff", None),
    ("empty-action", sheet(rounds__0__actions=["", "8B"]), "/rounds/0/actions/0", "", None),
    ("empty-action", sheet(rounds__0__actions=["2: "]), "/rounds/0/actions/0", "2: ", None),
    ("bad-action", sheet(rounds__0__actions=["3B+3C"]), "/rounds/0/actions/0", "3B+3C", None),
    ("unknown-card", sheet(rounds__0__actions=["misdael"]), "/rounds/0/actions/0", "misdael", "misdeal"),
    ("too-many-cards", sheet(rounds__0__actions=["3B 8B 9A"]), "/rounds/0/actions/0", "9A", None),
    ("misplaced", sheet(rounds__0__actions=["koi 3B"]), "/rounds/0/actions/0", "koi", None),
    ("misplaced", sheet(rounds__0__actions=["3B - "]), "/rounds/0/actions/0", "-", None),
    ("misplaced", sheet(rounds__0__actions=["misdeal because"]), "/rounds/0/actions/0", "because", None),
    ("misplaced", sheet(KOI_KOI, rounds__0__actions=["3B stop 8A"]), "/rounds/0/actions/0", "stop", None),
    ("no-such-seat", sheet(rounds__0__actions=["3: 3B 8B"]), "/rounds/0/actions/0", "3", None),
    ("no-such-month", sheet(rounds__0__actions=["#13 8B"]), "/rounds/0/actions/0", "#13", None),
    ("missing-reason", sheet(rounds__0__actions=["misdeal: "]), "/rounds/0/actions/0", "misdeal:", "misdeal"),
    ("keep-not-first", text("2Ax2R 1Rx1B", "  1: keep"), (11, 6), "keep", None),
    ("abandoned-not-last", sheet(rounds__0__actions=["abandoned", "3B"]), "/rounds/0/actions/0", "abandoned", None),
    # text
    ("unclosed-tag", text('[Dealer "1"]', '[Dealer "1"'), (7, 1), '[Dealer "1"', None),
    ("unclosed-tag", text('[Dealer "1"]', '[Dealer "1]'), (7, 1), '[Dealer "1]', None),
    ("unclosed-note", text("played}", "played"), (11, 15), "{well played", None),
    ("bad-tag", text('[Dealer "1"]', "[Dealer 1]"), (7, 2), "[Dealer 1]", None),
    ("bad-tag", text("[Player1", '[Match "rounds 8 first 3"]\n[Player1'), (3, 18), "first", None),
    ("unknown-tag", text("[Field", "[Feld"), (8, 2), "Feld", "Field"),
    ("unknown-tag", text("[Player2", "[Player8"), (4, 2), "Player8", "Player7"),
    ("duplicate-tag", text('[Hand1 "1C 3B"]', '[Hand1 "1C 3B"]\n[Hand1 ""]'), (10, 2), "Hand1", None),
    ("misplaced-tag", text('[Round "1"]', '[Dealer "1"]\n[Round "1"]'), (6, 2), "Dealer", None),
    ("misplaced-tag", text('[Dealer "1"]', '[Dealer "1"]\n[Site "Hilo"]'), (8, 2), "Site", None),
    ("misplaced-tag", text("[Variant", '[Totals "1 2"]\n[Variant'), (2, 2), "Totals", None),
    ("misplaced-action", text("[Variant", "3B 8B\n[Variant"), (2, 1), "3B 8B", None),
    ("misplaced-action", TEXT + "{late}", (14, 1), "{late}", None),
]  # fmt: skip


@pytest.mark.parametrize(("code", "data", "place", "token", "meant"), CASES, ids=[case[0] for case in CASES])
def test_each_code_at_its_place(code: str, data: object, place: str | tuple[int, int] | None, token: str | None, meant: str | None) -> None:
    found = [error for error in errors(data) if error.code == code]
    assert found, errors(data)
    wanted = [error for error in found if place in (error.pointer, (error.line, error.column))]
    assert wanted, found
    if token is not None:
        assert token in [error.token for error in wanted]
    assert meant in [error.meant for error in wanted]
    assert all(error.detail for error in found)


def test_every_code_is_tested() -> None:
    assert {case[0] for case in CASES} | set(ARCHIVES) == set(CODES)


def test_codes_have_a_sentence_each() -> None:
    for code, sentence in CODES.items():
        assert re.fullmatch(r"[a-z0-9-]+", code)
        assert sentence.endswith(".")


def test_all_errors_at_once_in_the_documents_order() -> None:
    broken = sheet(
        variant="higobana", options={"hiki": "yes"}, players__1__name="", rounds__0__deal__field="1B 13C ribbon",
        rounds__0__actions=["3B 8B 9A", "9: 2A", "keep"], claims={"winner": "Kimo"},
    )  # fmt: skip
    assert [(error.code, error.pointer) for error in errors(broken)] == [
        ("empty-name", "/players/1/name"),
        ("unknown-card", "/rounds/0/deal/field"),
        ("ambiguous-card", "/rounds/0/deal/field"),
        ("too-many-cards", "/rounds/0/actions/0"),
        ("no-such-seat", "/rounds/0/actions/1"),
        ("keep-not-first", "/rounds/0/actions/2"),
        ("wrong-type", "/options/hiki"),
        ("wrong-type", "/claims/winner"),
    ]


def test_all_errors_of_a_text_in_its_order() -> None:
    broken = TEXT.replace("1B 2R", "1B 13C").replace("8B\n", "8B 9A\n").replace("180 110", "180 x")
    assert [(error.line, error.column, error.token) for error in errors(broken)] == [
        (8, 12, "13C"),
        (10, 10, "9A"),
        (13, 14, "x"),
    ]


def test_a_card_twice_is_no_reading_error() -> None:
    assert errors(sheet(rounds__0__deal__field="1B 1B 1B")) == []


def test_errors_beyond_the_limit_are_not_listed() -> None:
    found = errors(sheet(rounds__0__deal__field=" ".join(["13C"] * 1500)))
    assert len(found) == 1001
    assert found[-1].code == "too-many"
    assert {error.code for error in found[:-1]} == {"unknown-card"}


def test_an_error_as_values_and_in_words() -> None:
    error = ReadError("unknown-card", "`craen` is no card.", pointer="/a", token="craen", expected="a card", meant="crane")
    assert error.as_dict() == {
        "code": "unknown-card",
        "detail": "`craen` is no card.",
        "pointer": "/a",
        "token": "craen",
        "expected": "a card",
        "meant": "crane",
    }
    assert str(error) == "/a: `craen` is no card. Expected a card. Did you mean crane?"
    assert str(ReadError("empty", "Nothing.", line=2, column=3)) == "line 2, column 3: Nothing."


def test_the_drawing_is_the_tree() -> None:
    drawn: dict[str, str] = {}
    stack: list[str] = []
    assert tree.__doc__ is not None
    for line in tree.__doc__.splitlines():
        match = re.match(r"([│ ]*[├└]── )?([A-Z][A-Za-z]+)\b(  |$)", line)
        if match is None:
            continue
        depth = len(match.group(1) or "") // 4
        del stack[depth:]
        drawn[match.group(2)] = stack[-1] if stack else "Exception"
        stack.append(match.group(2))
    classes = {
        name: found.__base__.__name__
        for name, found in inspect.getmembers(tree, inspect.isclass)
        if issubclass(found, Exception) and found.__module__ == tree.__name__ and found.__base__ is not None
    }
    assert drawn == classes


def test_the_sheets_themselves_are_read() -> None:
    assert errors(HIGOBANA) == errors(KOI_KOI) == errors(HON_BANA) == errors(TEXT) == []


def test_what_pythons_reader_says_of_broken_json_ends_as_a_sentence() -> None:
    for raw, detail in (
        (b'{"format": "\x00"}', "The JSON is broken: Invalid control character."),
        (b'{"format": "hana', "The JSON ends in the middle: unterminated string."),
        (b'{"format" "x"}', "The JSON is broken: Expecting ':' delimiter."),
    ):
        assert [error.detail for error in errors(raw)] == [detail]
