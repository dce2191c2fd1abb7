"""The quick way accepts nothing that the judge refuses: tested by mutants of records, as JSON and as text."""

import json
import random
from collections.abc import Callable
from functools import partial
from itertools import chain, product

import pytest

from records.cards import UNKNOWN
from records.errors import RecordErrors
from records.formats import LIMITS, Limits, read_record, to_text
from records.formats.decode import decode, text_of
from records.formats.fast import read_fast_json, table_of
from records.formats.fast_text import LONGEST_MET, read_fast_text
from records.formats.schema import load
from records.formats.text import read_text
from records.games import game
from records.packing import pack_actions, pack_list
from records.record import Claims, Deal, Facts, Record
from tests.records.sheets import HIGOBANA, TEXT, sheet

TEAM = sheet(
    players=[{"name": name} for name in "ABCD"], sides=[[1, 3], [2, 4]], options={"team_pile": "shared", "hiki": True},
    rounds__0__deal__hands=["1B", None, "?", ""], rounds__0__piles=["1B 2A", "12Y"], match={"type": "best_of", "rounds": 7},
    event={"name": "Tuesday", "date": "2026-11-24"}, claims={"totals": [1, 2.5], "winner": 0}, rounds__0__adjust=[0, -10],
    rounds__0__actions=["4: 3Bx3C", "misdeal"],
)  # fmt: skip
BAKABANA = {
    "format": "hanafuda-record/1",
    "variant": "bakabana",
    "players": [{"name": name} for name in "ABCD"],
    "rounds": [
        {"dealer": 2, "lightning": "1B", "claims": {"points": [3.5, 6, 7, 9], "yaku": [["akatan"], [], [], []]}},
        {"dealer": 3, "actions": ["lucky"], "lightning": "plain"},
    ],
    "match": {"type": "target", "points": 50, "start": 10},
}
KOI_KOI = sheet(variant="koi-koi", rounds__0__claims={"scores": [1, -1]}, rounds__0__stopped=1, rounds__0__calls=[0, 2],
                rounds__0__actions=["3Bx3C 12Yx12C koi", "keep", "#5 8A"][:1])  # fmt: skip
SHEETS = [HIGOBANA, TEAM, BAKABANA, KOI_KOI]
PIECES = [*'{}[],:"', *"0123456789.-+eE", "null", "true", "NaN", "1B", "12Y", " ", "\n", "\\", "\\u0041", "\\ud800", "x_a", "é"]
PIECES += ['"dealer":1,', '"dealer" :1,', '"x_a":1,', "koi", "keep", "?", "\x00", "\x85", "５", '"notes":{},', "1.0", "2.5", "99999999999"]


def judged_json(data: bytes) -> Record | None:
    try:
        document, wrong = decode(text_of(data, LIMITS), LIMITS)
        return load(document, wrong, LIMITS)
    except RecordErrors:
        return None


def judged_text(text: str) -> Record | None:
    try:
        return read_text(text, LIMITS)
    except RecordErrors:
        return None


def mutants(source: str, count: int, chance: random.Random) -> list[str]:
    """Copies with a piece cut out, put in, doubled or moved, a few times over."""
    found = []
    for _ in range(count):
        text = source
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            at, to = sorted((chance.randrange(len(text) + 1), chance.randrange(len(text) + 1)))
            to = min(to, at + chance.choice((0, 1, 1, 2, 5, 20)))
            piece = chance.choice((chance.choice(PIECES), text[at:to] * 2, ""))
            text = text[:at] + piece + text[to:]
        found.append(text)
    return found


@pytest.mark.parametrize("written", SHEETS, ids=[str(each["variant"]) + str(at) for at, each in enumerate(SHEETS)])
def test_the_quick_way_reads_plain_records(written: dict[str, object]) -> None:
    record = read_record(written)
    data = json.dumps(written, separators=(",", ":")).encode()
    assert read_fast_json(data, LIMITS) == judged_json(data) == record
    assert read_fast_json(json.dumps(written).encode(), LIMITS) == record
    text = to_text(record)
    assert read_fast_text(text.encode(), LIMITS) == judged_text(text) == record


PLAIN = """[Format "hanafuda-record/1"]
[Player1 "A"]
[Player2 "B"]
[Event "Tuesday"]
[Variant "koi-koi"]

[Round "1"]
[Scores "-1 1"]
[DrawPile "8B ?"]
[Hand2 "2A 12Y"]
[Dealer "2"]
3Bx3C 8B

[Round "2"]
[Dealer "1"]
[Pile1 "1B"]
[Pile2 ""]
[Stopped "1"]

[Winner "2"]
"""


def test_the_quick_way_reads_tags_in_any_order() -> None:
    record = read_fast_text(PLAIN.encode(), LIMITS)
    assert record == judged_text(PLAIN) == read_fast_text(PLAIN.removesuffix("\n").encode(), LIMITS)
    assert record is not None
    assert (record.players, record.event.name, record.totals, record.winner) == (("A", "B"), "Tuesday", None, 2)
    first, second = record.rounds
    assert first.deal == Deal(None, (None, bytes([4, 46])), bytes([28, UNKNOWN]))
    assert (first.dealer, first.claims, first.piles) == (2, Claims(None, None, (-1, 1)), None)
    assert (second.play, second.deal, second.piles, second.facts) == (b"", None, (bytes([0]), b""), Facts(stopped=1))


@pytest.mark.parametrize(
    ("part", "other"),
    [
        ('[Dealer "2"]', '[Dealer "2"]\n[Dealer "2"]'),  # a tag twice
        ('[Dealer "2"]', '[Dealer "3"]'),
        ('[Dealer "2"]\n', ""),
        ('[Stopped "1"]', '[Stopped "1"'),  # a bracket that is not closed
        ('[Stopped "1"]', '[Stopped "1]'),  # a quotation mark that is not closed
        ('[DrawPile "8B ?"]', '[DrawPile "8B\n?"]'),
        ('[Hand2 "2A 12Y"]', '[Hand3 "2A 12Y"]'),
        ('[Pile2 ""]', '[Pile3 ""]'),
        ('[Pile2 ""]\n', ""),
        ('[Round "2"]', '[Round "3"]'),
        ('[Round "1"]', '[Field ""]\n[Round "1"]'),
        ('[Winner "2"]', '[Winner "3"]'),
        ('[Winner "2"]', '[Winner "2"]\n[Stopped "1"]'),
        ('[Player2 "B"]\n', '[Player3 "B"]\n'),
        ('[Player2 "B"]', '[Player2 "B" ]'),
    ],
)
def test_what_is_wrong_in_a_text_is_never_passed_over(part: str, other: str) -> None:
    assert PLAIN.count(part) == 1
    text = PLAIN.replace(part, other)
    assert read_fast_text(text.encode(), LIMITS) is None


@pytest.mark.parametrize("limits", [Limits(name=2), Limits(rounds=1), Limits(actions=0), Limits(record=100)])
def test_what_was_read_before_is_read_again_under_other_limits(limits: Limits) -> None:
    assert read_fast_text(PLAIN.encode(), LIMITS) is not None
    assert read_fast_text(PLAIN.encode(), limits) is None


@pytest.mark.parametrize("written", SHEETS, ids=[str(each["variant"]) + str(at) for at, each in enumerate(SHEETS)])
def test_mutants_of_json_never_pass_where_the_judge_refuses(written: dict[str, object]) -> None:
    chance = random.Random(20261130)
    accepted = 0
    for mutant in mutants(json.dumps(written, separators=(",", ":")), 2500, chance):
        data = mutant.encode("utf-8", "surrogatepass")
        quick = read_fast_json(data, LIMITS)
        if quick is not None:
            accepted += 1
            assert quick == judged_json(data), mutant
    assert accepted > 100


@pytest.mark.parametrize("written", SHEETS, ids=[str(each["variant"]) + str(at) for at, each in enumerate(SHEETS)])
def test_mutants_of_text_never_pass_where_the_judge_refuses(written: dict[str, object]) -> None:
    chance = random.Random(20261130)
    accepted = 0
    for mutant in mutants(to_text(read_record(written)), 2500, chance):
        quick = read_fast_text(mutant.encode("utf-8", "surrogatepass"), LIMITS)
        if quick is not None:
            accepted += 1
            assert quick == judged_text(mutant), mutant
    assert accepted > 50


@pytest.mark.parametrize(
    "odd",
    [
        b'{"format":"hanafuda-record/1","variant":"higobana","variant":"sakura"',
        b'{"format":"hanafuda-record/1","variant" :"higobana","variant":"sakura"',
        b'{"format":"hanafuda-record/1","variant"\n:"higobana","variant":"sakura"',
    ],
)
def test_a_key_that_stands_twice_is_never_passed_over(odd: bytes) -> None:
    rest = b',"players":[{"name":"A"},{"name":"B"}],"rounds":[{"dealer":1}]}'
    assert read_fast_json(odd + rest, LIMITS) is None
    assert judged_json(odd + rest) is None


@pytest.mark.parametrize("actions", [[""], ["", ""], ["3B", ""], ["", "3B"]])
def test_an_empty_action_is_never_passed_over(actions: list[str]) -> None:
    data = json.dumps(sheet(rounds__0__actions=actions), separators=(",", ":")).encode()
    assert read_fast_json(data, LIMITS) is None
    assert judged_json(data) is None


def test_lists_of_actions_are_read_as_the_actions_in_them_are() -> None:
    """And all that is odd ends as ValueError, though nothing stands behind a list."""

    def packed(pack: Callable[[], bytes]) -> bytes | None:
        try:
            return pack()
        except ValueError:
            return None

    pieces = ["", *"1Bx:+ #?-0J9C", "3Bx3C", "keep", "abandoned", "koi", "7: "]
    for words in chain.from_iterable(product(pieces, repeat=length) for length in range(1, 4)):
        for actions in (["".join(words)], list(words), ["3B", "".join(words)]):
            written = json.dumps(actions, separators=(",", ":")).encode()
            assert packed(partial(pack_list, written, False, 4)) == packed(partial(pack_actions, actions, False, 4)), actions


def test_numbers_as_long_as_a_record_are_left_to_the_judge_without_reading_them() -> None:
    """Read digit by digit this would take minutes."""
    text = to_text(read_record(sheet(rounds__0__claims={"points": [1, 2]})))
    for digits in (10, 980_000):
        assert read_fast_text(text.replace('[Points "1', '[Points "' + "9" * digits).encode(), LIMITS) is None


def test_yaku_claimed_at_length_are_read_and_not_kept() -> None:
    yaku = [rule.id for rule in game("higobana").yaku]
    plain = to_text(read_record(sheet(rounds__0__claims={"yaku": [yaku[:1], yaku[1:2]]})))
    short = f'[Yaku "{yaku[0]} | {yaku[1]}"]'
    assert short in plain
    longer = [yaku[0]] * LONGEST_MET
    claimed = table_of("higobana", 2, None, False).claimed
    for text, first in ((plain, yaku[:1]), (plain.replace(short, f'[Yaku "{",".join(longer)} | {yaku[1]}"]'), longer)):
        record = read_fast_text(text.encode(), LIMITS)
        assert record is not None and record.rounds[0].claims == Claims(None, (tuple(first), (yaku[1],)), None)
    assert f"{yaku[0]} | {yaku[1]}".encode() in claimed
    assert max(map(len, claimed)) <= LONGEST_MET


def test_what_is_unusual_is_left_to_the_judge() -> None:
    for written in (sheet(x_a=1), sheet(rounds__0__notes={"0": "x"}), sheet(rounds__0__actions=["3bx3c"])):
        assert read_fast_json(json.dumps(written).encode(), LIMITS) is None
        assert read_record(json.dumps(written).encode()) == read_record(written)
    assert read_fast_text(TEXT.encode(), LIMITS) is None
