"""Records and their reports as columns, for the store's tables (a row a round, a seat, an action, a yaku, a finding).

`columns` makes all tables of a batch of records. Actions are read from their packed form by NumPy, all at once; Python walks over
rounds, and over single actions only where a seat is written out or a word stands for a turn. ``record`` is a place in the batch, from 0.
Rounds, seats, sides and actions count from 1 as in the report, cards are numbers and sets of cards bit masks (`records.cards`; in a mask of
codes the first of twins stands for both). What is not known is masked.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from analysis.gathered import Gathered, source
from analysis.possible import read_piles
from records import packed
from records.engine import Outcome, Table, rules_of, verify
from records.record import Record, Round
from records.rules.game import Rules
from records.rules.settlement import SOURCES

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
_WORDS: Final = np.array([None, "koi", "stop", "hiki", "keep", "lucky", "misdeal", "abandoned"], dtype=object)
"""Words that stand for a turn or behind it, by number."""
_KOI: Final = 1
_WORD_NUMBERS: Final = np.zeros(256, dtype=np.uint8)
"""The number of the word for which a byte stands, 0: for none."""
for _code, _word in _CALLS.items():
    _WORD_NUMBERS[_code] = _WORDS.tolist().index(_word)
_BITS: Final = np.array([1 << card if card < 64 else 0 for card in range(256)], dtype=np.uint64)
_MONTHS: Final = np.array([15 << (card & 60) if card < 64 else 0 for card in range(256)], dtype=np.uint64)
"""By card: its month's four."""
"""Between actions, so that a half that is not there can be looked for behind each."""


def gather(gathered: Gathered, record: Record, report: Mapping[str, Any], outcomes: Sequence[Outcome | None] | None = None) -> None:
    """Adds what a report tells (`analysis.audit.audit`). `outcomes`: of the rounds, where they are known; else they are played again."""
    rules = rules_of(record)
    gathered.begin()
    for finding in report["findings"]:
        _find(gathered, 0, finding)
    for place, (round_, told) in enumerate(zip(record.rounds, report["rounds"], strict=True)):
        number = place + 1
        outcome = None
        if told["level"] in ("full", "moves"):
            outcome = outcomes[place] if outcomes is not None else verify(rules, round_)
        gathered.round(
            rules, round_, number, told["level"], told["end"], told["verdict"], _or(told["winner"], -1), _or(told["next_dealer"], -1)
        )
        if outcome is None:
            gathered.play(b"", -1)
        else:
            gathered.play(outcome.normal_play, outcome.table.reached)
        sources: list[float] | None = None
        if told["scores"] is not None and told["ledger"]:
            sources = [0.0] * (SOURCES * len(rules.sides))
            for line in told["ledger"]:
                sources[SOURCES * (line["side"] - 1) + source(line["amount"], line["why"], line["args"])] += line["amount"]
        gathered.results(rules, told["points"], told["scores"], sources, _piles(rules, round_, told["level"], outcome))
        for side, of_side in enumerate(told["yaku"] or (), start=1):
            for made in of_side:
                gathered.made(side, made["seat"] or 0, made["id"], made["points"], _or(made["action"], -1), made["negated"])
        for finding in told["findings"]:
            _find(gathered, number, finding)
    gathered.end(report["verdict"], _or(report.get("winner"), -1), report.get("totals"))


def _or(value: int | None, otherwise: int) -> int:
    return otherwise if value is None else value


def _find(gathered: Gathered, number: int, finding: Mapping[str, Any]) -> None:
    gathered.finding(number, finding["action"], finding["code"], finding["severity"], finding["rule"], finding["pointer"])


def _piles(rules: Rules, round_: Round, level: str, outcome: Outcome | None) -> list[int] | None:
    """What each seat had captured at the end, -1 where it is not known; None: of nobody."""
    if outcome is not None and outcome.settlement is not None:
        return list(outcome.table.piles)
    if level == "piles" and round_.piles is not None and len(round_.piles) == rules.seats:
        return [_or(pile, -1) for pile in read_piles(rules, round_).cards]
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
    tables: dict[str, Columns] = {
        "rounds": {
            "record": whole.record,
            "round": whole.number,
            "dealer": whole.dealer.astype(np.uint8),
            "next_dealer": _unless_negative(gathered.next_dealers, np.uint8),
            "level": _objects(gathered.levels),
            "end": _objects(gathered.ends),
            "verdict": _objects(gathered.round_verdicts),
            "winner": _unless_negative(gathered.round_winners, np.uint8),
            "actions": np.array(gathered.written, dtype=np.uint16),
        },
        "seats": _seats(gathered, whole) | _counts(gathered, whole, actions),
        "actions": actions,
        "yaku": _yaku(gathered, whole),
        "findings": _findings(gathered),
    }
    return {table: {name: tables[table][name] for name in told} for table, told in COLUMNS.items()}


class _Whole:
    """What is known of each round as a whole."""

    def __init__(self, gathered: Gathered) -> None:
        rules = list(gathered.tables)
        self.record = np.array(gathered.of_record, dtype=np.int64)
        self.number = np.array(gathered.numbers, dtype=np.uint16)
        self.dealer = np.array(gathered.dealers, dtype=np.int64)
        self.rules = np.array(gathered.rules, dtype=np.int64)
        """Which of the tables' rules."""
        self.seats = np.array([each.seats for each in rules], dtype=np.int64)[self.rules]
        self.active = np.array([each.seats - each.idle for each in rules], dtype=np.int64)[self.rules]
        """Seats that take turns."""
        self.first_seat = np.cumsum(self.seats) - self.seats
        """The place of its first seat among the seats of all rounds."""
        self.reached = np.maximum(np.array(gathered.reached, dtype=np.int64), 0)
        self.first_action = np.cumsum(self.reached) - self.reached


def _seats(gathered: Gathered, whole: _Whole) -> Columns:
    """Results by seat. What each did in its turns is counted by `_counts`."""
    of_round = np.repeat(np.arange(len(whole.record)), whole.seats)
    seat = np.arange(len(of_round)) - whole.first_seat[of_round]
    sides = np.zeros((len(gathered.tables), 16), dtype=np.uint8)
    for place, rules in enumerate(gathered.tables):
        sides[place, : rules.seats] = rules.side_of
    sources = np.array(gathered.sources, dtype=np.float64).reshape(-1, SOURCES)
    return {
        "record": whole.record[of_round],
        "round": whole.number[of_round],
        "seat": (seat + 1).astype(np.uint8),
        "side": sides[whole.rules[of_round], seat] + np.uint8(1),
        "place": ((seat - whole.dealer[of_round] + 1) % whole.seats[of_round]).astype(np.uint8),
        "points": _unless_nan(gathered.points),
        "score": _unless_nan(gathered.scores),
        "pile": _unless_negative(gathered.piles, np.uint64),
        **{name: _unless_nan(sources[:, place]) for place, name in enumerate(("from_cards", "from_yaku", "paid_yaku", "from_other"))},
    }


def _yaku(gathered: Gathered, whole: _Whole) -> Columns:
    of_round, side, seat, points, action, negated = np.array(gathered.yaku, dtype=np.int64).reshape(-1, 6).T
    return {
        "record": whole.record[of_round],
        "round": whole.number[of_round],
        "side": side.astype(np.uint8),
        "seat": _known(seat, seat > 0, np.uint8),
        "yaku": _objects(gathered.yaku_ids),
        "points": points.astype(np.int32),
        "action": _known(action, action >= 0, np.uint16),
        "negated": negated.astype(np.bool_),
    }


def _findings(gathered: Gathered) -> Columns:
    record, number, action, *words = zip(*gathered.findings, strict=True) if gathered.findings else [()] * 7
    return {
        "record": np.array(record, dtype=np.int64),
        "round": np.array(number, dtype=np.uint16),
        "action": _unless_negative([_or(each, -1) for each in action], np.uint16),
        **{name: _objects(each) for name, each in zip(("code", "severity", "rule", "pointer"), words, strict=True)},
    }


def _actions(gathered: Gathered, whole: _Whole) -> Columns:
    """The table of actions; beside it, by action, ``of_seat``, its place among the seats of all rounds, and what each half brought:
    ``played_points``, ``drawn_points``."""
    joined = np.frombuffer(b"".join(gathered.plays), dtype=np.uint8)
    at = np.flatnonzero(joined == packed.END) + 1
    at = np.concatenate((np.zeros(1, dtype=np.int64), at[:-1])) if len(at) else at
    of_round = np.repeat(np.arange(len(whole.record)), whole.reached)
    turn = np.arange(len(of_round)) - whole.first_action[of_round]
    seat = (whole.dealer[of_round] - 1 + turn % whole.active[of_round]) % whole.seats[of_round] + 1
    head = joined[at]
    written_out = (head > packed.NONE) & (head < packed.BARE) & ~_is_hiki(head)
    for place in np.unique(of_round[written_out]).tolist():  # rounds whose seats are not in plain order
        start, count = whole.first_action[place], int(whole.reached[place])
        seat[start : start + count] = _seats_of(list(gathered.tables)[whole.rules[place]], gathered.rounds[place], count)

    at = at + ((head > packed.SEAT) & (head < packed.BARE))
    word = joined[at]
    values = _card_values(gathered)
    scale = whole.rules[of_round]
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
        "call": _WORDS[call],
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
        own = _MONTHS[np.ma.getdata(actions[half])]
        count("wild", is_card & ((takes & ~own) != 0))
        count(name + "_captures", took)
        points = np.where(took, actions[half + "_points"], 0)[somebody]
        found[name + "_points"] = np.bincount(of_seat, weights=points, minlength=seats)
    return found


def _card_values(gathered: Gathered) -> Column:
    """Card points by rules and by card number."""
    values = np.zeros((max(len(gathered.tables), 1), 256))
    for place, rules in enumerate(gathered.tables):
        values[place, : len(rules.values)] = np.array(rules.values) / 2
    return values


def _half(joined: Column, at: Column, values: Column, scale: Column) -> tuple[Column, Column, Column, Column]:
    """The half of a turn that begins at each of some places: its card, what it takes as a mask, what the cards of both are worth, where it
    ends."""
    head = joined[at]
    is_card = head < packed.NONE
    count = np.where(is_card, joined[np.minimum(at + 1, len(joined) - 1)], 0).astype(np.int64)
    count[count == packed.BARE] = 0
    takes = np.zeros(len(at), dtype=np.uint64)
    points = np.where(is_card, values[scale, head], 0)
    for k in range(int(count.max(initial=0))):
        more = np.flatnonzero(count > k)
        card = joined[at[more] + 2 + k]
        takes[more] |= _BITS[card]
        points[more] += values[scale[more], card]
    for place in np.flatnonzero(_is_hiki(head)).tolist():
        month = int(head[place]) - packed.HIKI - 1
        takes[place] = 15 << (4 * month)
        points[place] = values[scale[place], 4 * month : 4 * month + 4].sum()
    whole = (head >= packed.NONE) & ((head <= packed.UNSEEN) | _is_hiki(head))
    return head, takes, points, at + np.where(is_card, 2 + count, whole)


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


def _unless_negative(values: Sequence[int], kind: type[np.generic]) -> Column:
    numbers = np.array(values, dtype=np.int64)
    return _known(numbers, numbers >= 0, kind)


def _unless_nan(values: Sequence[float] | Column) -> Column:
    numbers = np.array(values, dtype=np.float64)
    return _known(numbers, ~np.isnan(numbers), np.float64)


def _objects(values: Sequence[object]) -> Column:
    return np.fromiter(values, dtype=object, count=len(values))
