"""Actions and card lists as text and as bytes (record-format.md, 1)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from records import packing
from records.cards import CARDS, UNKNOWN
from records.notation import read_action, read_actions, read_cards, unpack, unpack_cards
from records.packed import BARE, HIKI, KOI, MISDEAL, NONE, SEAT, STOP, THROWN_IN, UNSEEN, actions_of, play_of
from records.packing import pack_actions, pack_cards, pack_lists
from tests.strategies import actions, card_lists

C = CARDS


@pytest.mark.parametrize(
    ("text", "packed"),
    [
        ("3Bx3C 8Bx8C", [C["3B"], 1, C["3C"], C["8B"], 1, C["8C"]]),
        ("4A 1R", [C["4A"], 0, C["1R"], 0]),
        ("7Ax7R+7C+7C 5C", [C["7A"], 3, C["7R"], C["7C"], C["7C"], C["5C"], 0]),
        ("3Bx 8B", [C["3B"], BARE, C["8B"], 0]),
        ("- 8B", [NONE, C["8B"], 0]),
        ("3Bx3C", [C["3B"], 1, C["3C"]]),
        ("4: 11Cx1B", [SEAT + 4, C["11C"], 1, C["1B"]]),
        ("3Bx3C 8A koi", [C["3B"], 1, C["3C"], C["8A"], 0, KOI]),
        ("3Bx3C stop", [C["3B"], 1, C["3C"], STOP]),
        ("#5 8A", [HIKI + 5, C["8A"], 0]),
        ("3: #12", [SEAT + 3, HIKI + 12]),
        ("misdeal", [MISDEAL]),
        ("misdeal: shown", [THROWN_IN, *b"shown"]),
        ("?", [UNSEEN]),
        ("? 8B", [UNSEEN, C["8B"], 0]),
        ("3Bx3C ?", [C["3B"], 1, C["3C"], UNSEEN]),
        ("-", [NONE]),
    ],
)
def test_every_form_of_the_table(text: str, packed: list[int]) -> None:
    assert read_action(text, False, 4) == (bytes(packed), [])
    assert unpack(bytes(packed)) == text


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("3bX3c 8b×8c1", "3Bx3C 8Bx8C"),
        ("  4A\t1R ", "4A 1R"),
        ("４:１１Cx１B", "4: 11Cx1B"),
        ("4 : 11Cx1B", "4: 11Cx1B"),
        ("#５ ８a", "#5 8A"),
        ("KEEP", "keep"),
        ("2: Lucky", "2: lucky"),
        ("MISDEAL:  a card;  was {shown} ", "misdeal: a card;  was {shown}"),
        ("4A 1R KOI", "4A 1R koi"),
        ("gajix5R 5A", "11Cx5R 5A"),
        ("2Rxbush-warbler", "2Rx2A"),
        ("phoenixx12C", "12Bx12C"),
        ("12Cxphoenix", "12Cx12B"),
        ("cranex 8B", "1Bx 8B"),
        ("鶴×松のカス+松カス 猪", "1Bx1C+1C 7A"),
        ("12C1x12c2+12C3 ?", "12Yx12C+12C ?"),
    ],
)
def test_what_people_write(written: str, plain: str) -> None:
    action, problems = read_action(written, False, 4)
    assert problems == []
    assert unpack(action) == plain


def test_the_yellow_chaff_where_it_is_plain() -> None:
    assert unpack(read_action("12Yx12C1 12C3", True, 2)[0]) == "12Cx12C 12C"
    assert pack_actions(["12Yx12C"], True, 2) == pack_actions(["12Cx12C"], True, 2)
    assert pack_cards(b"12Y 12C ?", True) == bytes([C["12C"], C["12C"], UNKNOWN])
    assert pack_cards(b"12Y 12C ?", False) == bytes([C["12Y"], C["12C"], UNKNOWN])


@pytest.mark.parametrize(
    "bad",
    [
        *["", "3Bx3C 8B 9A", "koi", "3B koi 8A", "3B koi stop", "8B -", "8B #5", "- -", "#0", "#13", "#", "8: 3B", "0: 3B"],
        *["keep 3B", "3B keep", "misdeal 3B", "misdeal:", "3B+3C", "3Bx3Cx3R", "3Bx3C+", "x3C", "3Bx?", "13C", "-x3B"],
        *["ribbon", ":", "3B:", "a: 3B", "3 B", "1C3", "+", "×", "3Bx3C+3C" + "+3C" * 60],
    ],
)
def test_what_is_no_action(bad: str) -> None:
    _, problems = read_action(bad, False, 7)
    assert problems
    with pytest.raises(ValueError):
        pack_actions([bad], False, 7)


def test_an_action_of_blanks_is_empty_however_long() -> None:
    """Read from each blank anew this would take minutes."""
    _, problems = read_action(" " * 900_000, False, 2)
    assert [problem.code for problem in problems] == ["empty-action"]
    assert read_action(" 2 : " + " " * 900_000 + "3B", False, 2)[1] == []


def test_keep_first_and_abandoned_last() -> None:
    good = ["keep", "3Bx3C", "2: lucky", "abandoned"]
    assert read_actions(good, False, 2)[1] == []
    assert [unpack(action) for action in actions_of(pack_actions(good, False, 2))] == good
    for order in (["3B", "keep"], ["abandoned", "3B"]):
        assert len(read_actions(order, False, 2)[1]) == 1
        with pytest.raises(ValueError):
            pack_actions(order, False, 2)


def test_all_words_of_an_action_are_judged() -> None:
    _, problems = read_action("9: 13Cx3C craen 8B 7A", False, 2)
    assert [(problem.code, problem.offset, problem.token) for problem in problems] == [
        ("no-such-seat", 0, "9"),
        ("unknown-card", 3, "13Cx3C"),
        ("unknown-card", 10, "craen"),
        ("too-many-cards", 16, "8B"),
        ("too-many-cards", 19, "7A"),
    ]
    assert problems[2].near() == "crane"


@pytest.mark.parametrize("bad", [b"\xff", bytes([73]), bytes([3]), bytes([3, 2, 4]), bytes([HIKI])])
def test_bytes_that_are_no_action(bad: bytes) -> None:
    with pytest.raises(ValueError, match="no action"):
        unpack(bad)


@settings(deadline=None, max_examples=100)
@given(st.data(), st.booleans())
def test_the_quick_way_says_what_the_slow_one_says(data: st.DataObject, merge: bool) -> None:
    played = [unpack(data.draw(actions(merge, 3, False, False))) for _ in range(3)]
    slow, problems = read_actions(played, merge, 3)
    assert problems == []
    assert [unpack(action) for action in slow] == played
    for text, action in zip(played, slow, strict=True):
        try:
            assert pack_actions([text], merge, 3) == play_of([action])
        except ValueError:
            continue


@settings(deadline=None, max_examples=100)
@given(st.text(alphabet="123BCRAxX+#?-: koistpmnge０２", max_size=14), st.booleans())
def test_the_quick_way_takes_nothing_that_the_slow_one_refuses(text: str, merge: bool) -> None:
    action, problems = read_action(text, merge, 2)
    try:
        quick = pack_actions([text], merge, 2)
    except ValueError:
        return
    assert problems == []
    assert quick == play_of([action])


@settings(deadline=None)
@given(st.booleans().flatmap(lambda merge: st.tuples(st.just(merge), card_lists(merge))))
def test_card_lists_there_and_back(drawn: tuple[bool, bytes]) -> None:
    merge, cards = drawn
    assert pack_cards(unpack_cards(cards).encode(), merge) == cards
    assert read_cards(unpack_cards(cards).lower(), merge) == (cards, [])


@settings(deadline=None, max_examples=200)
@given(st.text(alphabet="0123BARCYJ? \t@Zé", max_size=12), st.booleans())
def test_the_quick_way_to_read_cards_takes_nothing_that_the_slow_one_refuses(text: str, merge: bool) -> None:
    try:
        quick = pack_cards(text.encode(), merge)
    except ValueError:
        return
    assert read_cards(text, merge) == (quick, [])


def test_the_lists_of_a_deal_are_read_together() -> None:
    lists = [b"1B 10A", b"JB 11C 12C", b"12Y"]
    assert list(pack_lists(lists, False)) == [bytes([0, 36]), bytes([48, 43, 46]), bytes([45])]
    assert list(pack_lists(lists, True)) == [bytes([0, 36]), bytes([48, 43, 46]), bytes([46])]
    assert list(pack_lists([b"1B", None, b"", b"? 2A"], False)) == [bytes([0]), None, b"", bytes([UNKNOWN, 4])]


@pytest.mark.parametrize("odd", [b"\xfaA", b"##", b"1B ## 2A", b"1B\n2A", b"1B  2A", b"1B2A", b"1B ", b"0A", b"13A", b"110A", b"A1", b"1A"])
def test_a_list_among_others_is_read_as_it_is_alone(odd: bytes) -> None:
    for lists in ([odd, b"1B", b"12C"], [b"1B", odd, b"12C"], [b"1B", b"12C", odd]):
        with pytest.raises(ValueError):
            pack_lists(lists, False)


@settings(deadline=None, max_examples=200)
@given(st.lists(st.text(alphabet="012BARYCJ? #", max_size=9), min_size=1, max_size=3), st.booleans())
def test_the_quick_way_to_read_lists_takes_nothing_that_the_slow_one_refuses(texts: list[str], merge: bool) -> None:
    try:
        quick = pack_lists([text.encode() for text in texts], merge)
    except ValueError:
        return
    assert [read_cards(text, merge) for text in texts] == [(cards, []) for cards in quick]


def test_turns_are_read_alike_when_more_were_met_than_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "_MET", ({}, {}))
    monkeypatch.setattr(packing, "MOST_MET", 2)
    turns = ["3Bx3C 8B", "4A 1R", "- 9C", "3Bx3C 8B", "4A 1R"]
    for _ in range(2):
        assert [unpack(action) for action in actions_of(pack_actions(turns, False, 2))] == turns
