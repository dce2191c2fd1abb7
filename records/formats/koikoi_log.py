"""Koi-koi logs of the public KoiKoi-AI data set, read as records.

One JSON object a game, known by its fields: `info` (names, points at the start, rounds), `result`, `record` with `roundN`, each
with `basic` (the deal and its result) and `turnN`. A card is ``[month, rank]``, rank 1 the month's top card; the draw pile is
turned up from its END. What the log says of points becomes claims; a game whose `isOver` is false ends `abandoned` and claims
nothing.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from records.errors import Problem, ReadError, RecordErrors
from records.formats.decode import Found, Path, listed
from records.formats.fields import token_of
from records.formats.limits import LIMITS, Limits
from records.formats.schema import judge
from records.record import FORMAT, Record

RANKS: Final[list[str]] = ["BRCC", "ARCC", "BRCC", "ARCC", "ARCC", "ARCC", "ARCC", "BACC", "ARCC", "ARCC", "BARC", "BYCC"]
"""By month: the letters of the ranks 1 to 4."""
CALLS: Final = {True: " koi", False: " stop", None: ""}


def is_log(document: object) -> bool:
    """Whether a JSON document is such a log."""
    return isinstance(document, Mapping) and "format" not in document and {"info", "result", "record"} <= document.keys()


def read_log(document: Mapping[str, Any], limits: Limits = LIMITS) -> Record:
    """The record that a log tells. Raises RecordErrors with pointers into the log."""
    reader = _Log()
    written = reader.record(document)
    if reader.found:
        raise RecordErrors(listed(reader.found, limits))
    record, found = judge(written, limits)
    if record is None:
        # What the log's own fields cannot show: their places are the record's that was made of it.
        raise RecordErrors([of_the_record(error) for error in listed(found, limits)])
    return record


def of_the_record(error: ReadError) -> ReadError:
    """An error that only the record made of a log shows, at its place in that."""
    detail = f"In the record made of the log: {error.detail}"
    return ReadError(error.code, detail, error.pointer, None, None, error.token, error.expected, error.meant)


class _Log:
    """Walks a log and gathers what is wrong with it."""

    def __init__(self) -> None:
        self.found: Found = []

    def record(self, log: Mapping[str, Any]) -> dict[str, Any]:
        info = self.section(log, "info", ())
        result = self.section(log, "result", ())
        rounds = self.section(log, "record", ())
        over = self.take(result, "isOver", ("result",), bool)
        names = [self.take(info, f"player{seat}Name", ("info",), str) for seat in (1, 2)]
        starts = [self.take(info, f"player{seat}InitPts", ("info",), int) for seat in (1, 2)]
        if starts[0] != starts[1]:
            self.wrong(("info", "player2InitPts"), "Both start with as many points.", starts[1], str(starts[0]))
        written: dict[str, Any] = {
            "format": FORMAT,
            "variant": "koi-koi",
            "players": [{"name": name} for name in names],
            "match": {"type": "rounds", "rounds": self.take(info, "numRound", ("info",), int), "start": starts[0]},
        }
        started = info.get("startTime")
        if isinstance(started, str) and (date := re.match(r"\d{4}-\d\d-\d\d", started)):
            written["event"] = {"date": date.group()}
        numbers = self.numbered(rounds, "round", ("record",))
        written["rounds"] = [
            self.round(self.section(rounds, key, ("record",)), ("record", key), bool(over), key == numbers[-1]) for key in numbers
        ]
        if over:
            totals = [self.take(result, f"player{seat}EndPts", ("result",), int) for seat in (1, 2)]
            written["claims"] = {"totals": totals}
            if result.get("gameWinner") is not None:
                written["claims"]["winner"] = self.take(result, "gameWinner", ("result",), int)
        elif not written["rounds"]:
            self.wrong(("record",), "There is no round.", None, "round1")
        return written

    def round(self, log: Mapping[str, Any], path: Path, over: bool, last: bool) -> dict[str, Any]:
        basic = self.section(log, "basic", path)
        at = (*path, "basic")
        written: dict[str, Any] = {
            "dealer": self.take(basic, "Dealer", at, int),
            "deal": {
                "field": " ".join(self.cards(basic, "initBoard", at)),
                "hands": [" ".join(self.cards(basic, f"initHand{seat}", at)) for seat in (1, 2)],
                "draw_pile": " ".join(reversed(self.cards(basic, "initPile", at))),
            },
        }
        turns = self.numbered(log, "turn", path)
        dealer = written["dealer"]
        written["actions"] = [
            self.turn(self.section(log, key, path), (*path, key), 2 - (number + (dealer == 1)) % 2) for number, key in enumerate(turns)
        ]
        if over:
            scores = [self.take(basic, f"player{seat}RoundPts", at, int) for seat in (1, 2)]
            written["claims"] = {"scores": scores}
        elif last and basic.get("roundWinner") is None:
            written["actions"].append("abandoned")
        return written

    def turn(self, log: Mapping[str, Any], path: Path, expected: int) -> str:
        """One action; the seat is written where it is not the next."""
        seat = self.take(log, "playerInTurn", path, int)
        halves = []
        for played, taken in (("discardCard", "collectCard"), ("drawCard", "collectCard2")):
            card = self.card(log.get(played), (*path, played))
            captured = self.cards(log, taken, path)
            # A card that takes others lies among them. Where it does not, a card was written wrongly: a matter for the audit,
            # which names the action and the rule.
            if card in captured:
                captured.remove(card)
            halves.append(f"{card}x{'+'.join(captured)}" if captured else card)
        call = log.get("isKoiKoi")
        if not (call is None or isinstance(call, bool)):
            self.wrong((*path, "isKoiKoi"), "This is no call.", call, "true, false or null")
            call = None
        return (f"{seat}: " if seat != expected else "") + " ".join(halves) + CALLS[call]

    def numbered(self, log: Mapping[str, Any], name: str, path: Path) -> list[str]:
        """The keys `name1`, `name2` … in order; a gap is an error."""
        keys = [key for key in log if re.fullmatch(rf"{name}[0-9]{{1,4}}", key)]
        keys.sort(key=lambda key: int(key[len(name) :]))
        for number, key in enumerate(keys, 1):
            if int(key[len(name) :]) != number:
                self.wrong((*path, key), f"{name}{number} is missing.", key, f"{name}{number}")
                break
        return keys

    def section(self, log: Mapping[str, Any], key: str, path: Path) -> Mapping[str, Any]:
        found = log.get(key)
        if isinstance(found, Mapping):
            return found
        self.wrong((*path, key), "An object must be here.", found, "an object")
        return {}

    def take(self, log: Mapping[str, Any], key: str, path: Path, kind: type) -> Any:
        found = log.get(key)
        if isinstance(found, kind) and not (kind is int and isinstance(found, bool)):
            return found
        words = {bool: "true or false", str: "a string", int: "a whole number"}
        self.wrong((*path, key), f"{key} must be {words[kind]}.", found, words[kind])
        return kind()

    def cards(self, log: Mapping[str, Any], key: str, path: Path) -> list[str]:
        found = log.get(key)
        if not isinstance(found, list):
            self.wrong((*path, key), "A list of cards must be here.", found, "a list of cards")
            return []
        return [self.card(card, (*path, key, index)) for index, card in enumerate(found)]

    def card(self, card: object, path: Path) -> str:
        if (
            isinstance(card, list)
            and len(card) == 2
            and all(isinstance(part, int) and not isinstance(part, bool) for part in card)
            and 1 <= card[0] <= 12
            and 1 <= card[1] <= 4
        ):
            return f"{card[0]}{RANKS[card[0] - 1][card[1] - 1]}"
        self.wrong(path, "This is no card.", card, "[month 1 to 12, rank 1 to 4]", "unknown-card")
        return "?"

    def wrong(self, path: Path, detail: str, value: object, expected: str, code: str = "wrong-type") -> None:
        token = str(value)[:80] if isinstance(value, list) else token_of(value)
        self.found.append((path, Problem("missing-key" if value is None else code, detail, token, expected)))
