"""Records and their reports as columns, for the store's tables (a row a round, a seat, an action, a yaku, a finding).

`columns` makes all tables of a batch of records. Actions are read from their packed form by NumPy, all at once; Python walks over
rounds, and over single actions only where a seat is written out or a word stands for a turn. ``record`` is a place in the batch, from 0.
Rounds, seats, sides and actions count from 1 as in the report, cards are numbers and sets of cards bit masks (`records.cards`; in a mask of
codes the first of twins stands for both). What is not known is masked.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from analysis.completed import made_at
from analysis.examine import Examined
from analysis.possible import read_piles
from records import packed
from records.engine import Outcome, Table, rules_of, verify
from records.record import Record, Round
from records.rules.game import Rules

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

_CARDS, _YAKU, _PAID, _OTHER = range(4)
"""Where a score comes from, in the order of the columns ``from_cards`` … ``from_other``."""
_CALLS: Final = {
    packed.KOI: "koi",
    packed.STOP: "stop",
    packed.KEEP: "keep",
    packed.LUCKY: "lucky",
    packed.MISDEAL: "misdeal",
    packed.THROWN_IN: "misdeal",
    packed.ABANDONED: "abandoned",
}
_NOT_KNOWN: Final[tuple[None, ...]] = (None,) * 16
"""As many piles as there may be seats, and more."""
_WORDS: Final = np.array(
    [_CALLS.get(code, "hiki" if packed.HIKI < code <= packed.HIKI + 12 else None) for code in range(256)], dtype=object
)
_BITS: Final = np.array([1 << card if card < 64 else 0 for card in range(256)], dtype=np.uint64)


@dataclass(slots=True)
class RoundTold:
    """What the tables say of a round."""

    level: str
    end: str
    verdict: str
    winner: int | None
    next_dealer: int | None
    points: Sequence[float] | None
    """By side, as the scores."""
    scores: Sequence[float] | None
    sources: list[list[float]] | None
    """By side, in the order of the columns ``from_cards`` … ``from_other``; None: not known."""
    yaku: list[tuple[Any, ...]]
    """Side, seat, id, points, action, negated."""
    findings: list[tuple[Any, ...]]
    piles: Sequence[int | None]
    """By seat, at the end."""
    actions: tuple[bytes, ...] | None = None
    """Normalised, as far as they were carried out; None: play cannot be followed."""


@dataclass(slots=True)
class Told:
    """What the tables say of a record."""

    record: Record
    verdict: str
    winner: int | None
    totals: Sequence[float] | None
    rounds: list[RoundTold]
    findings: list[tuple[Any, ...]]
    """The record's own."""


def of_report(record: Record, report: Mapping[str, Any], outcomes: Sequence[Outcome | None] | None = None) -> Told:
    """What a report tells (`analysis.audit.audit`). `outcomes`: of the rounds, where they are known; else they are played again."""
    rules = rules_of(record)
    rounds = []
    for place, (round_, told) in enumerate(zip(record.rounds, report["rounds"], strict=True)):
        sources = None
        if told["scores"] is not None and told["ledger"]:
            lines = [(entry["side"] - 1, entry["amount"], entry["why"], entry["args"]) for entry in told["ledger"]]
            sources = _sources(lines, len(rules.sides))
        outcome = None
        if told["level"] in ("full", "moves"):
            outcome = outcomes[place] if outcomes is not None else verify(rules, round_)
        piles: Sequence[int | None] = _NOT_KNOWN
        if outcome is not None and outcome.settlement is not None:
            piles = outcome.table.piles
        elif told["level"] == "piles" and round_.piles is not None and len(round_.piles) == rules.seats:
            piles = read_piles(rules, round_).cards
        rounds.append(
            RoundTold(
                told["level"],
                told["end"],
                told["verdict"],
                told["winner"],
                told["next_dealer"],
                told["points"],
                told["scores"],
                sources,
                [
                    (side, made["seat"], made["id"], made["points"], made["action"], made["negated"])
                    for side, of_side in enumerate(told["yaku"] or (), start=1)
                    for made in of_side
                ],
                [_finding(finding) for finding in told["findings"]],
                piles,
                None if outcome is None else _reached(outcome),
            )
        )
    own = [_finding(finding) for finding in report["findings"]]
    return Told(record, report["verdict"], report.get("winner"), report.get("totals"), rounds, own)


def of_clean(record: Record, examined: Examined) -> Told:
    """The same of a record of which every round was followed and nothing found (`analysis.clean`), without a report."""
    rules = examined.rules
    rounds = []
    for round_, judged in zip(record.rounds, examined.rounds, strict=True):
        settled = judged.settled
        outcome = judged.outcome
        told = RoundTold(judged.level, judged.end, judged.verdict, None, judged.next_dealer, None, None, None, [], [], _NOT_KNOWN)
        told.actions = None if outcome is None else _reached(outcome)
        if settled is not None and outcome is not None:
            told.piles = outcome.table.piles
            told.winner = settled.winner + 1
            told.points, told.scores = settled.points, settled.scores
            if settled.ledger:
                lines = [(entry.side, entry.amount, entry.why, entry.args) for entry in settled.ledger]
                told.sources = _sources(lines, len(rules.sides))
            completed = made_at(rules, round_, settled)
            told.yaku = [
                (
                    side,
                    made.seat + 1 if made.seat >= 0 else None,
                    made.id,
                    made.points,
                    completed.get((made.seat if made.seat >= 0 else made.side, made.id)),
                    made.negated,
                )
                for side, of_side in enumerate(settled.yaku or (), start=1)
                for made in of_side
            ]
        rounds.append(told)
    return Told(record, examined.verdict, examined.winner, examined.totals, rounds, [])


def columns(
    records: Sequence[Record],
    reports: Sequence[Mapping[str, Any]],
    outcomes: Sequence[Sequence[Outcome | None]] | None = None,
) -> dict[str, Columns]:
    """The tables of some records, each table by column. `reports` are theirs, in the same order (`analysis.audit.audit`).

    `outcomes`: of their rounds, where they are known (`analysis.audit.assess`); else the rounds are played again.
    """
    return columns_of(
        [
            of_report(record, report, None if outcomes is None else outcomes[place])
            for place, (record, report) in enumerate(zip(records, reports, strict=True))
        ]
    )


def columns_of(records: Sequence[Told]) -> dict[str, Columns]:
    """The tables of some records, each table by column."""
    rounds: list[tuple[Any, ...]] = []
    seats: list[tuple[Any, ...]] = []
    yaku: list[tuple[Any, ...]] = []
    findings: list[tuple[Any, ...]] = []
    played = _Played()
    for place, told in enumerate(records):
        rules = rules_of(told.record)
        findings += [(place, 0, *finding) for finding in told.findings]
        for number, (round_, of_round) in enumerate(zip(told.record.rounds, told.rounds, strict=True), start=1):
            rounds.append(
                (place, number, round_.dealer, of_round.next_dealer, of_round.level, of_round.end, of_round.verdict, of_round.winner,
                 len(round_.actions))
            )  # fmt: skip
            findings += [(place, number, *finding) for finding in of_round.findings]
            yaku += [(place, number, *made) for made in of_round.yaku]
            if of_round.actions is not None:
                played.add(rules, round_, of_round.actions, place, number, len(seats))
            seats += _seat_rows(place, number, rules, round_, of_round)
    tables = {
        "rounds": _table(
            rounds, record="i8", round="u2", dealer="u1", next_dealer="u1?", level="O", end="O", verdict="O", winner="u1?", actions="u2"
        ),
        "seats": _table(
            seats, record="i8", round="u2", seat="u1", side="u1", place="u1", points="f8?", score="f8?", pile="u8?",
            from_cards="f8?", from_yaku="f8?", paid_yaku="f8?", from_other="f8?",
        ),
        "yaku": _table(yaku, record="i8", round="u2", side="u1", seat="u1?", yaku="O", points="i4", action="u2?", negated="?"),
        "findings": _table(findings, record="i8", round="u2", action="u2?", code="O", severity="O", rule="O", pointer="O"),
    }  # fmt: skip
    actions = played.columns()
    tables["seats"] |= played.counts(actions, len(seats))
    tables["actions"] = {name: actions[name] for name in COLUMNS["actions"]}
    return {table: {name: tables[table][name] for name in told} for table, told in COLUMNS.items()}


def _reached(outcome: Outcome) -> tuple[bytes, ...]:
    return outcome.normal_actions[: outcome.reached]


def _finding(finding: Mapping[str, Any]) -> tuple[Any, ...]:
    return finding["action"], finding["code"], finding["severity"], finding["rule"], finding["pointer"]


def _seat_rows(place: int, number: int, rules: Rules, round_: Round, told: RoundTold) -> list[tuple[Any, ...]]:
    points, scores, sources, piles = told.points, told.scores, told.sources, told.piles
    rows = []
    for seat in range(rules.seats):
        side = rules.side_of[seat]
        rows.append(
            (
                place,
                number,
                seat + 1,
                side + 1,
                (seat - round_.dealer + 1) % rules.seats,
                points[side] if points is not None else None,
                scores[side] if scores is not None else None,
                piles[seat],
                *(sources[side] if sources is not None else (None, None, None, None)),
            )
        )
    return rows


def _sources(ledger: Iterable[tuple[int, float, str, Mapping[str, object]]], sides: int) -> list[list[float]]:
    """By side: what of the score comes from cards, from yaku, is paid for yaku, comes from other things. `ledger`: side from 0, amount,
    why, args of each line."""
    found = [[0.0, 0.0, 0.0, 0.0] for _ in range(sides)]
    for side, amount, why, args in ledger:
        other = _CARDS if "points" in args and "dandruff" not in why else _OTHER
        found[side][(_YAKU if amount > 0 else _PAID) if "yaku" in args else other] += amount
    return found


class _Played:
    """The actions of all rounds that can be followed, packed end to end, with what belongs to each."""

    def __init__(self) -> None:
        self.actions: list[bytes] = []
        self.lengths: list[int] = []
        """Actions of each round."""
        self.of_round: list[tuple[int, int, int, int, int, int]] = []
        """Record, round, dealer from 0, seats, seats that take turns, place of the first seat in the table of seats."""
        self.seats: list[tuple[int, list[int]]] = []
        """Rounds whose seats are not in plain order: place of the round, the seat of each action (0 nobody)."""
        self.values: list[int] = []
        """By round, which of `scales` its card points are."""
        self.scales: dict[tuple[int, ...], int] = {}

    def add(self, rules: Rules, round_: Round, actions: tuple[bytes, ...], record: int, number: int, first_seat: int) -> None:
        """A round of which play is known."""
        if any(packed.NONE < action[0] < packed.BARE and not packed.HIKI < action[0] <= packed.HIKI + 12 for action in actions):
            self.seats.append((len(self.lengths), _seats_of(rules, round_, len(actions))))
        self.actions += actions
        self.lengths.append(len(actions))
        self.of_round.append((record, number, round_.dealer - 1, rules.seats, rules.seats - rules.idle, first_seat))
        self.values.append(self.scales.setdefault(tuple(rules.values), len(self.scales)))

    def columns(self) -> Columns:
        """The table of actions, and by action ``wild`` captures, its round and its place in the table of seats."""
        joined = np.frombuffer(b"\xff\xff".join(self.actions) + b"\xff\xff", dtype=np.uint8)
        sizes = np.fromiter(map(len, self.actions), dtype=np.int64, count=len(self.actions)) + 2
        at = np.cumsum(sizes) - sizes
        lengths = np.array(self.lengths, dtype=np.int64)
        of_round = np.array(self.of_round, dtype=np.int64).reshape(-1, 6)
        round_ = np.repeat(np.arange(len(lengths)), lengths)
        turn = np.arange(len(round_)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        record, number, dealer, count, active, first_seat = of_round[round_].T
        seat = (dealer + turn % np.maximum(active, 1)) % np.maximum(count, 1) + 1
        starts = np.cumsum(lengths) - lengths
        for place, written in self.seats:
            seat[starts[place] : starts[place] + len(written)] = written

        at = at + ((joined[at] > packed.SEAT) & (joined[at] < packed.BARE)) if len(at) else at
        word = joined[at] if len(at) else np.zeros(0, dtype=np.uint8)
        played, played_takes, at = _half(joined, at)
        drawn, drawn_takes, at = _half(joined, at)
        last = joined[at] if len(at) else word
        return {
            "record": record,
            "round": number.astype(np.uint16),
            "action": (turn + 1).astype(np.uint16),
            "seat": _known(seat, seat > 0, np.uint8),
            "played": _known(played, played < packed.NONE, np.uint8),
            "played_takes": played_takes,
            "drawn": _known(drawn, drawn < packed.NONE, np.uint8),
            "drawn_takes": drawn_takes,
            "call": np.where(_WORDS[word] != None, _WORDS[word], _WORDS[last]),  # noqa: E711  # element by element
            "of_round": round_,
            "of_seat": first_seat + seat - 1,
        }

    def counts(self, actions: Columns, seats: int) -> Columns:
        """What each seat did in its round, counted over its actions."""
        known = ~np.ma.getmaskarray(actions["seat"])
        of_seat = actions["of_seat"][known]

        def count(values: Column, kind: str) -> Column:
            return np.bincount(of_seat, weights=values[known], minlength=seats).astype(kind)

        captures = {}
        for half, name in (("played", "hand"), ("drawn", "draw")):
            card = np.ma.getdata(actions[half])
            takes = actions[half + "_takes"]
            took = takes != 0
            own = np.uint64(15) << (card & 60).astype(np.uint64)
            wild = took & ~np.ma.getmaskarray(actions[half]) & ((takes & ~own) != 0)
            cards = np.where(np.ma.getmaskarray(actions[half]), takes, takes | _BITS[card])
            captures[name + "_captures"] = count(took, "u1")
            captures[name + "_points"] = count(np.where(took, self._points(cards, actions["of_round"]), 0), "f8")
            captures["wild"] = captures.get("wild", 0) + count(wild, "u1")
        turns = count(~np.ma.getmaskarray(actions["played"]) | ~np.ma.getmaskarray(actions["drawn"]), "u1")
        return {"turns": turns, "koi": count(actions["call"] == "koi", "u1"), **captures}

    def _points(self, cards: Column, of_round: Column) -> Column:
        """Card points of sets of cards, each by the game of its round."""
        points = np.zeros(len(cards))
        scale = np.array(self.values, dtype=np.int64)[of_round] if len(of_round) else of_round
        for number, values in enumerate(map(list, self.scales)):
            mine = scale == number
            of_mine = cards[mine]
            total = np.zeros(len(of_mine))
            for card, halves in enumerate(values):
                if halves:
                    total += ((of_mine >> np.uint64(card)) & np.uint64(1)) * (halves / 2)
            points[mine] = total
        return points


def _half(joined: Column, at: Column) -> tuple[Column, Column, Column]:
    """The half of a turn that begins at each of some places: its card, what it takes as a mask, where it ends."""
    if not len(at):
        return np.zeros(0, dtype=np.uint8), np.zeros(0, dtype=np.uint64), at
    head = joined[at]
    is_card = head < packed.NONE
    count = np.where(is_card, joined[np.minimum(at + 1, len(joined) - 1)], 0).astype(np.int64)
    bare = count == packed.BARE
    count[bare] = 0
    takes = np.zeros(len(at), dtype=np.uint64)
    for k in range(int(count.max(initial=0))):
        more = count > k
        takes[more] |= _BITS[joined[at[more] + 2 + k]]
    hiki = (head > packed.HIKI) & (head <= packed.HIKI + 12)
    takes[hiki] = np.uint64(15) << (4 * (head[hiki].astype(np.uint64) - np.uint64(packed.HIKI + 1)))
    whole = is_card | hiki | (head == packed.NONE) | (head == packed.UNSEEN)
    return head, takes, at + np.where(is_card, 2 + count, np.where(whole, 1, 0))


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


def _table(rows: Sequence[tuple[Any, ...]], **kinds: str) -> Columns:
    """Rows as columns. A kind is NumPy's; with ``?`` after it None is masked (``?`` alone: true or false)."""
    found = {}
    for place, (name, kind) in enumerate(kinds.items()):
        values = [row[place] for row in rows]
        if kind == "O":
            found[name] = np.fromiter(values, dtype=object, count=len(values))
        elif len(kind) > 1 and kind.endswith("?"):
            missing = np.array([value is None for value in values], dtype=np.bool_)
            found[name] = np.ma.masked_array(np.array([0 if value is None else value for value in values], dtype=kind[:-1]), mask=missing)
        else:
            found[name] = np.array(values, dtype=kind)
    return found


def _known(values: Column, known: Column, kind: type[np.generic]) -> Column:
    return np.ma.masked_array(np.where(known, values, 0).astype(kind), mask=~known)
