"""What the charts ask most of, counted once when a record arrives: a row a seat and round that has a score, and the Lightning's captures.

Both are worked out of the columns of the other tables, of a batch that has just arrived as of a store of an earlier version. Every chart
could be asked of the other tables alone and would say the same; it would take longer.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from records.cards import CODES, LIGHTNING, mask

Column = NDArray[Any]
Columns = dict[str, Column]

SUMMARIES: Final[Mapping[str, Mapping[str, str]]] = {
    "results": {
        "record": "the record",
        "round": "from 1; only rounds that have a score",
        "seat": "from 1",
        "side": "the side it plays for",
        "place": "in turn order from the dealer, who is 0",
        "seats": "at the table",
        "player": "the name, as sent",
        "score": "of the side",
        "finish": "place among all seats of the round by score, from 1; equal ones share it",
        "won": "whether the side won the round",
        "pile": "as in the table of seats",
        "rivals": "seats of other sides whose piles are known",
        "rival_dealer": "whether the dealer's is one of them",
        "from_cards": "as in the table of seats, and so on to draw_points",
        "from_yaku": "",
        "paid_yaku": "",
        "from_other": "",
        "hand_points": "",
        "draw_points": "",
        "followed": "whether the round could be followed, level full or moves (AU-1)",
        "gifts": "cards from the hand that took nothing and that another seat took in the very next turn",
        "misses": "captures that the rules called for and that were not made (CP-4)",
    },
    "lightning": {
        "record": "the record",
        "round": "from 1",
        "seat": "that used it",
        "turn": "of the round, from 1: each seat has one in a turn",
        "takes": "what it captured as a wild card, a bit mask of codes (CP-6)",
    },
}
"""Both tables and what each of their columns says."""

READ: Final[Mapping[str, tuple[str, ...]]] = {
    "players": ("record", "seat", "name"),
    "rounds": ("record", "round", "level", "winner"),
    "seats": ("record", "round", "seat", "side", "place", "score", "pile", "from_cards", "from_yaku", "paid_yaku", "from_other",
              "hand_points", "draw_points"),
    "actions": ("record", "round", "action", "seat", "played", "played_takes", "drawn", "drawn_takes"),
    "findings": ("record", "round", "action", "code"),
}  # fmt: skip
"""The columns that are looked at, by table."""

_BITS: Final = np.array([1 << CODES.index(CODES[card]) if card < len(CODES) else 0 for card in range(256)], dtype=np.uint64)
"""By card: the bit that stands for its code in a mask of codes."""
_OWN: Final = np.uint64(mask("11B 11A 11R 11C"))
"""The Lightning's own month."""
_KEPT: Final = ("pile", "from_cards", "from_yaku", "paid_yaku", "from_other", "hand_points", "draw_points")
"""Columns of the table of seats that stay as they are."""


def columns(seats: Column, tables: Mapping[str, Columns]) -> dict[str, Columns]:
    """Both tables of some records. `seats`: how many each record has at its table, by the place that ``record`` names, from 0. `tables`:
    those of `READ`, with rows in the order of record, round, and seat or action."""
    return {"results": _results(tables), "lightning": _lightning(seats, tables["actions"])}


def _results(tables: Mapping[str, Columns]) -> Columns:
    rounds, every = tables["rounds"], tables["seats"]
    scored = _known(every["score"])
    of = {name: every[name][scored] for name in READ["seats"]}
    keys = _key(rounds["record"], rounds["round"])
    round_ = np.searchsorted(keys, _key(of["record"], of["round"]))  # each row's place in the table of rounds
    count = len(keys)
    side = np.asarray(of["side"]).astype(np.int64)
    own_side = round_ * 16 + side
    score = np.ma.getdata(of["score"]).astype(np.float64)
    pile = _known(of["pile"])
    dealer = np.flatnonzero(np.asarray(of["place"]) == 0)
    dealer_side = np.zeros(count, dtype=np.int64)
    dealer_side[round_[dealer]] = side[dealer]
    dealer_known = np.zeros(count, dtype=np.bool_)
    dealer_known[round_[dealer]] = pile[dealer]
    winner = np.where(_known(rounds["winner"]), np.ma.getdata(rounds["winner"]), 0).astype(np.int64)
    players = tables["players"]
    level = np.asarray(rounds["level"])
    seat_keys = round_ * 16 + np.asarray(of["seat"]).astype(np.int64)
    player = np.searchsorted(_key(players["record"], players["seat"]), _key(of["record"], of["seat"]))
    found: Columns = {
        "record": np.asarray(of["record"]),
        "round": of["round"],
        "seat": of["seat"],
        "side": of["side"],
        "place": of["place"],
        "seats": np.bincount(round_, minlength=count)[round_].astype(np.uint8),
        "player": np.asarray(players["name"])[player],
        "score": score,
        "finish": _finish(round_, score),
        "won": winner[round_] == side,
        "rivals": (_sum(round_, pile, count)[round_] - _sum(own_side, pile, 16 * count)[own_side]).astype(np.uint8),
        "rival_dealer": dealer_known[round_] & (dealer_side[round_] != side),
        "followed": ((level == "full") | (level == "moves"))[round_],
        "gifts": _of_seats(seat_keys, keys, _gifts(tables["actions"])),
        "misses": _of_seats(seat_keys, keys, _misses(tables["findings"], tables["actions"])),
    } | {name: of[name] for name in _KEPT}
    return {name: found[name] for name in SUMMARIES["results"]}


def _lightning(seats: Column, actions: Columns) -> Columns:
    played = _card(actions["played"]) == LIGHTNING
    takes = np.where(played, actions["played_takes"], actions["drawn_takes"]).astype(np.uint64)
    used = (played | (_card(actions["drawn"]) == LIGHTNING)) & ((takes & _OWN) == 0) & (takes != 0)
    record = np.asarray(actions["record"])[used]
    turn = (np.asarray(actions["action"])[used].astype(np.int64) - 1) // np.asarray(seats).astype(np.int64)[record] + 1
    return {
        "record": record,
        "round": actions["round"][used],
        "seat": actions["seat"][used],
        "turn": turn.astype(np.uint16),
        "takes": takes[used],
    }


def _finish(round_: Column, score: Column) -> Column:
    """The place of each row in its round, the highest score first; equal ones share a place, and the next one follows at once."""
    order = np.lexsort((-score, round_))
    rounds, scores = round_[order], score[order]
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = rounds[1:] != rounds[:-1]
    steps = first.copy()
    steps[1:] |= scores[1:] != scores[:-1]
    climbed = np.cumsum(steps)
    finish = np.zeros(len(order), dtype=np.uint8)
    finish[order] = climbed - climbed[np.flatnonzero(first)][np.cumsum(first) - 1] + 1
    return finish


def _gifts(actions: Columns) -> tuple[Column, Column, Column]:
    """Record, round and seat of each."""
    turn = _known(actions["played"]) | _known(actions["drawn"])
    record, round_ = (np.asarray(actions[name])[turn] for name in ("record", "round"))
    seat = np.where(_known(actions["seat"]), np.ma.getdata(actions["seat"]), 0)[turn].astype(np.int64)
    takes = (np.asarray(actions["played_takes"]) | np.asarray(actions["drawn_takes"]))[turn].astype(np.uint64)
    laid = _BITS[_card(actions["played"])[turn]]  # nothing where no card was played
    given = (record[1:] == record[:-1]) & (round_[1:] == round_[:-1]) & (seat[1:] != seat[:-1]) & (seat[1:] > 0) & (seat[:-1] > 0)
    given &= ((takes[:-1] & laid[:-1]) == 0) & ((takes[1:] & laid[:-1]) != 0)
    at = np.flatnonzero(given)
    return record[at], round_[at], seat[at]


def _misses(findings: Columns, actions: Columns) -> tuple[Column, Column, Column]:
    """Record, round and seat of each."""
    missed = (np.asarray(findings["code"]) == "must-capture") & _known(findings["action"])
    wanted = _key(findings["record"][missed], findings["round"][missed], np.ma.getdata(findings["action"])[missed])
    keys = _key(actions["record"], actions["round"], actions["action"])
    at = np.searchsorted(keys, wanted)
    there = at < len(keys)
    at = at[there][keys[at[there]] == wanted[there]]
    at = at[_known(actions["seat"])[at]]
    record, round_, seat = (np.ma.getdata(actions[name])[at] for name in ("record", "round", "seat"))
    return record, round_, seat.astype(np.int64)


def _of_seats(rows: Column, rounds: Column, found: tuple[Column, Column, Column]) -> Column:
    """How many were found, by row of results. `rows`: a key each, its round's place and its seat; `rounds`: the keys of all rounds."""
    record, round_, seat = found
    keys = np.searchsorted(rounds, _key(record, round_)) * 16 + seat
    return _sum(keys, np.ones(len(keys)), 16 * (len(rounds) + 1))[rows].astype(np.uint8)


def _sum(places: Column, values: Column, count: int) -> Column:
    return np.bincount(places, weights=values, minlength=count).astype(np.int64)


def _known(values: Column) -> Column:
    return ~np.ma.getmaskarray(values)


def _card(values: Column) -> Column:
    """Cards as numbers, 255 where there is none."""
    return np.where(_known(values), np.ma.getdata(values), 255).astype(np.uint8)


def _key(*parts: Column) -> Column:
    """One number out of several, the first of them deciding; all but the first below 65536."""
    key = np.asarray(parts[0]).astype(np.int64)
    for part in parts[1:]:
        key = (key << 16) | np.asarray(part).astype(np.int64)
    return key
