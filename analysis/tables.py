"""Records and their reports as columns, for the store's tables (a row a round, a seat, an action, a yaku, a finding).

`columns` makes all tables of a batch of records. Actions are read from their packed form by NumPy, all at once; Python walks over
rounds, and over single actions only where a seat is written out or a word stands for a turn. ``record`` is a place in the batch, from 0.
Rounds, seats, sides and actions count from 1 as in the report, cards are numbers and sets of cards bit masks (`records.cards`; in a mask of
codes the first of twins stands for both). What is not known is masked.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from librt.strings import BytesWriter
from numpy.typing import NDArray

from analysis.gathered import ROUNDS, SEATS, YAKU, Gathered, source
from analysis.possible import read_piles
from records import packed
from records.engine import Outcome, rules_of, verify
from records.record import Record, Round
from records.rules.game import Rules
from records.rules.settlement import FROM_CARDS, FROM_OTHER, FROM_YAKU, PAID_YAKU, SOURCES
from records.table import Table

Column = NDArray[Any]
Columns = dict[str, Column]


COLUMNS: Final[Mapping[str, Mapping[str, str]]] = {
    "rounds": {
        "record": "the record",
        "round": "from 1",
        "dealer": "a seat",
        "next_dealer": "the seat that deals next; not always known",
        "level": "full, moves, piles or scores (AU-1)",
        "end": "played, lucky, misdeal or abandoned",
        "verdict": "of the round",
        "winner": "a side, 0 nobody; not always known",
        "actions": "how many the record has",
    },
    "seats": {
        "record": "the record",
        "round": "from 1",
        "seat": "from 1",
        "side": "the side it plays for, from 1",
        "place": "in turn order from the dealer, who is 0",
        "points": "card points of the side; not in every game",
        "score": "of the side",
        "pile": "what the seat had captured at the end, a bit mask with a bit for each of twins; NULL where not known",
        "turns": "it took",
        "hand_captures": "with cards from the hand",
        "draw_captures": "with cards turned up",
        "hand_points": "card points that it captured from the hand, the played cards among them",
        "draw_points": "the same of cards turned up",
        "wild": "captures of a card of another month",
        "koi": "koi-koi calls",
        "from_cards": "of the side's score: card points and payments for them",
        "from_yaku": "of the side's score: what yaku brought it",
        "paid_yaku": "of the side's score: what yaku cost it, negative",
        "from_other": "of the side's score: doublings, calls, dandruff, lucky hands",
    },
    "actions": {
        "record": "the record",
        "round": "from 1",
        "action": "from 1",
        "seat": "whose it is; NULL for a word that is nobody's",
        "played": "card from the hand; NULL: none",
        "played_takes": "what it captured, a bit mask of codes",
        "drawn": "card turned up; NULL: none",
        "drawn_takes": "what it captured, a bit mask of codes",
        "call": "koi, stop, hiki, keep, lucky, misdeal or abandoned; NULL: none",
    },
    "yaku": {
        "record": "the record",
        "round": "from 1",
        "side": "from 1",
        "seat": "that made it; NULL where it is the side's",
        "yaku": "its id",
        "points": "it is worth",
        "action": "that completed it, 0 the deal; NULL: none did, or not known",
        "negated": "not paid (HN-10)",
    },
    "findings": {
        "record": "the record",
        "round": "from 1, 0: the record's own",
        "action": "from 1, 0 the deal; NULL: none",
        "code": "of the finding",
        "severity": "unlawful, dispute or incomplete",
        "rule": "the rule point",
        "pointer": "JSON pointer into the record",
    },
}
"""Every table and what each of its columns says."""

_CALLS: Final = {
    packed.KOI: "koi",
    packed.STOP: "stop",
    packed.KEEP: "keep",
    packed.LUCKY: "lucky",
    packed.MISDEAL: "misdeal",
    packed.THROWN_IN: "misdeal",
    packed.ABANDONED: "abandoned",
    **{packed.HIKI + month: "hiki" for month in range(1, 13)},
}
CALLS: Final = (None, "koi", "stop", "hiki", "keep", "lucky", "misdeal", "abandoned")
"""Words that stand for a turn or behind it: the column ``call`` names them by number, for an object each costs more than all of its row."""
_KOI: Final = 1
_WORD_NUMBERS: Final = np.zeros(256, dtype=np.uint8)
"""The number of the word for which a byte stands, 0: for none."""
for _code, _word in _CALLS.items():
    _WORD_NUMBERS[_code] = CALLS.index(_word)
_BITS: Final = np.array([1 << card if card < 64 else 0 for card in range(256)], dtype=np.uint64)
_OTHER_MONTHS: Final = np.array([(1 << 64) - 1 ^ 15 << (card & 60) for card in range(64)], dtype=np.uint64)
"""By card: all cards but its month's four."""
_LENGTHS: Final = np.array([2] * packed.NONE + [0] * (256 - packed.NONE), dtype=np.uint8)
"""How long a half is that begins with a byte, without what it takes; 0: no half begins with it."""
for _code in (packed.NONE, packed.UNSEEN, *range(packed.HIKI + 1, packed.HIKI + 13)):
    _LENGTHS[_code] = 1


def gather(gathered: Gathered, record: Record, report: Mapping[str, Any], outcomes: Sequence[Outcome | None] | None = None) -> None:
    """Adds what a report tells (`analysis.audit.audit`) of a record, normalised or not. `outcomes`: of the rounds, where they are known;
    else they are played again."""
    rules = rules_of(record)
    gathered.begin(rules, record)
    for finding in report["findings"]:
        _find(gathered, 0, finding)
    for place, (round_, told) in enumerate(zip(record.rounds, report["rounds"], strict=True)):
        number = place + 1
        outcome = None
        if told["level"] in ("full", "moves"):
            outcome = outcomes[place] if outcomes is not None else verify(rules, round_)
        gathered.round(
            round_,
            number,
            told["level"],
            told["end"],
            told["verdict"],
            _or(told["winner"], -1),
            _or(told["next_dealer"], -1),
            outcome,
        )
        sources: list[float] | None = None
        if told["scores"] is not None and told["ledger"]:
            sources = [0.0] * (SOURCES * len(rules.sides))
            for line in told["ledger"]:
                sources[SOURCES * (line["side"] - 1) + source(line["amount"], line["why"], line["args"])] += line["amount"]
        gathered.results(told["points"], told["scores"], sources, _piles(rules, round_, told["level"], outcome))
        for side, of_side in enumerate(told["yaku"] or (), start=1):
            for made in of_side:
                gathered.made(side, made["seat"] or 0, made["id"], made["points"], _or(made["action"], -1), made["negated"])
        for finding in told["findings"]:
            _find(gathered, number, finding)
    gathered.end(report["verdict"], _or(report.get("winner"), -1), report.get("totals"), len(record.rounds))


def _or(value: int | None, otherwise: int) -> int:
    return otherwise if value is None else value


def _find(gathered: Gathered, number: int, finding: Mapping[str, Any]) -> None:
    gathered.finding(number, finding["action"], finding["code"], finding["severity"], finding["rule"], finding["pointer"])


def _piles(rules: Rules, round_: Round, level: str, outcome: Outcome | None) -> list[int] | None:
    """What each seat had captured at the end; None: that is not known. Of piles with a card twice nobody can tell whose it was (AU-2)."""
    if outcome is not None and outcome.settlement is not None:
        return list(outcome.table.piles)
    if level == "piles" and round_.piles is not None and len(round_.piles) == rules.seats:
        read = read_piles(rules, round_)
        if not read.pointer.startswith("/piles/"):
            return read.cards
    return None


def columns(
    records: Sequence[Record],
    reports: Sequence[Mapping[str, Any]],
    outcomes: Sequence[Sequence[Outcome | None]] | None = None,
) -> dict[str, Columns]:
    """The tables of some records, each table by column. `reports` are theirs, in the same order (`analysis.audit.audit`).

    `outcomes`: of their rounds, where they are known (`analysis.audit.assess`); else the rounds are played again.
    """
    gathered = Gathered()
    for place, (record, report) in enumerate(zip(records, reports, strict=True)):
        gather(gathered, record, report, None if outcomes is None else outcomes[place])
    return columns_of(gathered)


def columns_of(gathered: Gathered) -> dict[str, Columns]:
    """The tables of what was gathered, each table by column."""
    whole = _Whole(gathered)
    actions = _actions(gathered, whole)
    words = words_of(gathered)
    tables: dict[str, Columns] = {
        "rounds": {
            "record": whole.record,
            "round": whole.number,
            "dealer": whole.dealer.astype(np.uint8),
            "next_dealer": unless_negative(whole.told["next_dealer"], np.uint8),
            "level": words[whole.told["level"]],
            "end": words[whole.told["end"]],
            "verdict": words[whole.told["verdict"]],
            "winner": unless_negative(whole.told["winner"], np.uint8),
            "actions": whole.told["written"].astype(np.uint16),
        },
        "seats": _seats(gathered, whole) | _counts(gathered, whole, actions),
        "actions": actions,
        "yaku": _yaku(gathered, whole),
        "findings": _findings(gathered),
    }
    return {table: {name: tables[table][name] for name in told} for table, told in COLUMNS.items()}


def numbers_of(rows: BytesWriter, names: Sequence[str], kind: str = "<i8") -> Columns:
    """The columns of rows that were gathered."""
    columns = np.frombuffer(rows.getvalue(), dtype=kind).reshape(-1, len(names)).T
    return dict(zip(names, np.ascontiguousarray(columns), strict=True))


def words_of(gathered: Gathered) -> Column:
    """The words that rows name by number."""
    return _objects(list(gathered.words))


def sides_of(gathered: Gathered) -> Column:
    """The side of each seat, from 1, by table and seat from 0."""
    sides = np.zeros((len(gathered.tables), 16), dtype=np.uint8)
    for place, rules in enumerate(gathered.tables):
        sides[place, : rules.seats] = np.array(rules.side_of) + 1
    return sides


class _Whole:
    """What is known of each round as a whole."""

    def __init__(self, gathered: Gathered) -> None:
        rules = list(gathered.tables)
        self.told = numbers_of(gathered.rounds, ROUNDS)
        self.record = self.told["record"]
        self.number = self.told["number"].astype(np.uint16)
        self.dealer = self.told["dealer"]
        self.table = self.told["table"]
        self.seats = np.array([each.seats for each in rules], dtype=np.int64)[self.table]
        self.active = np.array([each.seats - each.idle for each in rules], dtype=np.int64)[self.table]
        """Seats that take turns."""
        self.first_seat = np.cumsum(self.seats) - self.seats
        """The place of its first seat among the seats of all rounds."""
        self.reached = np.maximum(self.told["reached"], 0)
        self.first_action = np.cumsum(self.reached) - self.reached


def _seats(gathered: Gathered, whole: _Whole) -> Columns:
    """Results by seat. What each did in its turns is counted by `_counts`."""
    of_round = np.repeat(np.arange(gathered.count), whole.seats)
    seat = np.arange(len(of_round)) - whole.first_seat[of_round]
    told = {name: unless_nan(numbers) for name, numbers in numbers_of(gathered.seats, SEATS, "<f8").items()}
    return {
        "record": whole.record[of_round],
        "round": whole.number[of_round],
        "seat": (seat + 1).astype(np.uint8),
        "side": sides_of(gathered)[whole.table[of_round], seat],
        "place": ((seat - whole.dealer[of_round] + 1) % whole.seats[of_round]).astype(np.uint8),
        "points": told["points"],
        "score": told["score"],
        "pile": unless_negative(np.frombuffer(gathered.piles.getvalue(), dtype="<i8"), np.uint64),
        "from_cards": told[f"source{FROM_CARDS}"],
        "from_yaku": told[f"source{FROM_YAKU}"],
        "paid_yaku": told[f"source{PAID_YAKU}"],
        "from_other": told[f"source{FROM_OTHER}"],
    }


def _yaku(gathered: Gathered, whole: _Whole) -> Columns:
    told = numbers_of(gathered.yaku, YAKU)
    return {
        "record": whole.record[told["of_round"]],
        "round": whole.number[told["of_round"]],
        "side": told["side"].astype(np.uint8),
        "seat": _known(told["seat"], told["seat"] > 0, np.uint8),
        "yaku": _objects(gathered.yaku_ids),
        "points": told["points"].astype(np.int32),
        "action": unless_negative(told["action"], np.uint16),
        "negated": told["negated"].astype(np.bool_),
    }


def _findings(gathered: Gathered) -> Columns:
    record, number, action, *words = zip(*gathered.findings, strict=True) if gathered.findings else [()] * 7
    return {
        "record": np.array(record, dtype=np.int64),
        "round": np.array(number, dtype=np.uint16),
        "action": unless_negative(np.array([_or(each, -1) for each in action], dtype=np.int64), np.uint16),
        **{name: _objects(each) for name, each in zip(("code", "severity", "rule", "pointer"), words, strict=True)},
    }


def _actions(gathered: Gathered, whole: _Whole) -> Columns:
    """The table of actions; beside it, by action, ``of_seat``, its place among the seats of all rounds, and what each half brought:
    ``played_points``, ``drawn_points``."""
    joined = np.frombuffer(b"".join([packed.ENDED, *gathered.plays, packed.ENDED]), dtype=np.uint8)  # one more behind, to be looked at
    at = np.flatnonzero(joined[:-1] == packed.END)[:-1] + 1
    of_round = np.repeat(np.arange(gathered.count), whole.reached)
    turn = np.arange(len(of_round)) - whole.first_action[of_round]
    seat = (whole.dealer[of_round] - 1 + turn % whole.active[of_round]) % whole.seats[of_round] + 1
    for place, round_ in gathered.out_of_order.items():
        start, count = whole.first_action[place], int(whole.reached[place])
        seat[start : start + count] = _seats_of(list(gathered.tables)[whole.table[place]], round_, count)
    head = joined[at]
    at = at + ((head > packed.SEAT) & (head < packed.BARE))
    word = joined[at]
    values = _card_values(gathered)
    scale = 256 * whole.table[of_round]
    played, played_takes, played_points, at = _half(joined, at, values, scale)
    drawn, drawn_takes, drawn_points, at = _half(joined, at, values, scale)
    call = _WORD_NUMBERS[word]
    call = np.where(call > 0, call, _WORD_NUMBERS[joined[at]])
    return {
        "record": whole.record[of_round],
        "round": whole.number[of_round],
        "action": (turn + 1).astype(np.uint16),
        "seat": _known(seat, seat > 0, np.uint8),
        "played": _known(played, played < packed.NONE, np.uint8),
        "played_takes": played_takes,
        "played_points": played_points,
        "drawn": _known(drawn, drawn < packed.NONE, np.uint8),
        "drawn_takes": drawn_takes,
        "drawn_points": drawn_points,
        "call": call,
        "koi": call == _KOI,
        "of_seat": whole.first_seat[of_round] + seat - 1,
    }


def _counts(gathered: Gathered, whole: _Whole, actions: Columns) -> Columns:
    """What each seat did in its round, counted over its actions."""
    seats = int(whole.seats.sum())
    somebody = ~np.ma.getmaskarray(actions["seat"])
    of_seat = actions["of_seat"][somebody]
    found: Columns = {}

    def count(name: str, chosen: Column) -> None:
        counted = np.bincount(of_seat[chosen[somebody]], minlength=seats).astype(np.uint8)
        found[name] = found[name] + counted if name in found else counted

    hands, draws = (~np.ma.getmaskarray(actions[half]) for half in ("played", "drawn"))
    count("turns", hands | draws)
    count("koi", actions["koi"])
    for half, name, is_card in (("played", "hand", hands), ("drawn", "draw", draws)):
        takes = actions[half + "_takes"]
        took = takes != 0
        others = takes & _OTHER_MONTHS[np.ma.getdata(actions[half])]
        count("wild", is_card & (others != 0))
        count(name + "_captures", took)
        points = (took * actions[half + "_points"])[somebody]
        found[name + "_points"] = np.bincount(of_seat, weights=points, minlength=seats)
    return found


def _card_values(gathered: Gathered) -> Column:
    """Card points by rules and by card number, 256 of each."""
    values = np.zeros((max(len(gathered.tables), 1), 256))
    for place, rules in enumerate(gathered.tables):
        values[place, : len(rules.values)] = np.array(rules.values) / 2
    return values.ravel()


def _half(joined: Column, at: Column, values: Column, scale: Column) -> tuple[Column, Column, Column, Column]:
    """The half of a turn that begins at each of some places: its card, what it takes as a mask, what the cards of both are worth, where it
    ends. `scale`: where the values of each begin that hold at its table."""
    head = joined[at]
    count = joined[at + 1] * (head < packed.NONE)
    count[count == packed.BARE] = 0
    takes = np.zeros(len(at), dtype=np.uint64)
    points = values[scale + head]
    for k in range(int(count.max(initial=0))):
        more = np.flatnonzero(count > k)
        card = joined[at[more] + (2 + k)]
        takes[more] |= _BITS[card]
        points[more] += values[scale[more] + card]
    for place in np.flatnonzero(_is_hiki(head)).tolist():
        month = int(head[place]) - packed.HIKI - 1
        takes[place] = 15 << (4 * month)
        points[place] = values[scale[place] + 4 * month :][:4].sum()
    return head, takes, points, at + (_LENGTHS[head] + count)


def _is_hiki(head: Column) -> Column:
    return (head > packed.HIKI) & (head <= packed.HIKI + 12)


def _seats_of(rules: Rules, round_: Round, count: int) -> list[int]:
    """Whose each action is, from 1, 0 nobody's, where the order alone does not tell."""
    table = Table(rules, round_.dealer - 1)
    assert round_.deal is not None
    table.open(round_.deal)
    seats = []
    for action in round_.actions[:count]:
        table.act(action)
        head = action[1] if packed.SEAT < action[0] < packed.BARE else action[0]
        seats.append(0 if packed.KEEP <= head <= packed.ABANDONED else table.seat + 1)
    return seats


def _known(values: Column, known: Column, kind: type[np.generic]) -> Column:
    return np.ma.masked_array(np.where(known, values, 0).astype(kind), mask=~known)


def unless_negative(numbers: Column, kind: type[np.generic]) -> Column:
    """Whole numbers, of which those that are not known are below zero."""
    return _known(numbers, numbers >= 0, kind)


def unless_nan(numbers: Column) -> Column:
    """Numbers of which those that are not known are none."""
    return _known(numbers, ~np.isnan(numbers), np.float64)


def _objects(values: Sequence[object]) -> Column:
    return np.fromiter(values, dtype=object, count=len(values))
