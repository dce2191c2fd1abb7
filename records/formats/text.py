"""The record as text (`.hrn`; record-format.md, 2): tags, then one action a line.

The reader brings tags, actions and notes into the shape of the JSON form and lets `schema.judge` decide; it keeps where
each value stood, so that every error has a line and a column. Conversion is lossless for the normalised record.
"""

import json
import re
from bisect import bisect_right
from functools import partial
from typing import Any, Final

from records.errors import Problem, ReadError, RecordErrors
from records.formats.decode import Path, decode, error_of
from records.formats.limits import LIMITS, Limits
from records.formats.schema import LENGTHS, judge
from records.formats.written import claims_json, event_json, match_json, numbers_json
from records.games import GAMES
from records.names import FULL_WIDTH, nearest
from records.notation import unpack, unpack_cards
from records.record import FORMAT, Number, Record, Round, option_word

EVENT: Final = {"Event": "name", "Site": "site", "Date": "date", "Table": "table", "Recorder": "recorder"}
HEAD: Final = ("Format", "Variant", "Options", *EVENT, "Sides", "Match")
TAIL: Final = ("Totals", "Winner")
ROUND: Final = (
    *("Dealer", "Field", "DrawPile", "Points", "Yaku", "Scores", "Adjust"),
    *("Lightning", "FirstGreat", "Stopped", "Calls"),
)
NUMBERED: Final = ("Player", "Hand", "Pile")
KNOWN: Final = [*HEAD, *TAIL, "Round", *ROUND, *[f"{name}{number}" for name in NUMBERED for number in range(1, 8)]]

_TAG: Final = re.compile(r'\[[ \t]*([^\s"\[\]]+)[ \t]*"((?:[^"\\\r\n]|\\[^\r\n])*)"[ \t]*\]')
_HALF_TAG: Final = re.compile(r'\[[ \t]*([^\s"\[\]]+)[ \t]*(?:"((?:[^"\\\r\n]|\\[^\r\n])*))?')
_NOTE: Final = re.compile(r"\{((?:[^\\}]|\\.)*+)\}", re.DOTALL)
_ACTION: Final = re.compile(r"(?:\\[{;\\]|[^{;\n])+")
_WORD: Final = re.compile(r"\S+")
_NUMBER: Final = re.compile(r"-?[0-9]{1,400}(?:\.[0-9]{1,400})?")
_NUMBERED: Final = re.compile(r"(Player|Hand|Pile)([1-7])")
_BOUNDARY: Final = re.compile(r"\n(?=[ \t]*\[[ \t]*Format\b)")


class Value:
    """What stands between a tag's quotes, and where each of its characters stood."""

    def __init__(self, raw: str, start: int) -> None:
        self.start = start
        self.places: list[int] | None = None
        self.text = raw
        if "\\" in raw:
            self.places = []
            kept = []
            at = 0
            while at < len(raw):
                self.places.append(at)
                if raw[at] == "\\" and raw[at + 1 : at + 2] in ('"', "\\"):
                    at += 1
                kept.append(raw[at])
                at += 1
            self.text = "".join(kept)

    def at(self, index: int) -> int:
        """Where a character of the value stands in the whole text."""
        if self.places is None:
            return self.start + index
        return self.start + (self.places[index] if index < len(self.places) else 0)

    def words(self) -> list[tuple[str, int]]:
        """The words, with their index in the value."""
        return [(match.group(), match.start()) for match in _WORD.finditer(self.text)]


class Reader:
    """One record's text, read from the first tag to the last."""

    def __init__(self, text: str, limits: Limits, first_line: int = 1) -> None:
        self.text = text
        self.limits = limits
        self.first_line = first_line
        self.lines = [0, *(match.end() for match in re.finditer("\n", text))]
        self.document: dict[str, Any] = {}
        self.round: dict[str, Any] | None = None
        self.ended = False
        """A tag that stands after the last round was read."""
        self.seen: set[str] = set()
        self.seen_in_round: set[str] = set()
        self.actions = 0
        self.places: dict[Path, tuple[int, Value | None, int]] = {}
        """By path: where its tag's name stands, the value, and the index in the value."""
        self.errors: list[tuple[int, Problem]] = []
        self.unclosed = False
        """No brace closes any more: looking again from each note on would take long."""
        self.told: set[Path] = set()
        """Paths of which something wrong is told already."""

    def read(self) -> Record:
        """The record. Raises RecordErrors with everything that is wrong."""
        text = self.text
        at = 0
        end = len(text)
        while at < end:
            char = text[at]
            if char.isspace():
                at += 1
            elif char == ";":
                at = self._line_end(at)
            elif char == "[":
                at = self._tag(at)
            elif char == "{":
                at = self._note(at)
            else:
                at = self._action(at)
        self._typed_options()
        self._holes()
        record, found = judge(self.document, self.limits)
        errors = [*self.errors]
        for path, problem in found:
            if not any(path[: len(told)] == told for told in self.told):
                errors.append((self._place(path, problem), problem))
        if errors or record is None:
            raise RecordErrors(self._listed(errors))
        return record

    def _line_end(self, at: int) -> int:
        end = self.text.find("\n", at)
        return len(self.text) if end < 0 else end

    # -- what stands in the text ------------------------------------------------------------------------------------------

    def _tag(self, at: int) -> int:
        match = _TAG.match(self.text, at)
        if match is None:
            end = self._line_end(at)
            half = _HALF_TAG.match(self.text, at)
            line = self.text[at:end].rstrip()
            if half is None or half.end() >= at + len(line) or "]" not in self.text[half.end() : end]:
                detail = "The bracket is not closed on its line."
                self._wrong(at, Problem("unclosed-tag", detail, line, '[Name "value"]'))
            else:
                name_at = half.start(1)
                self._wrong(name_at, Problem("bad-tag", "This is no tag.", line, '[Name "value"]'))
            if half is not None:
                value = Value(half.group(2) or "", half.start(2) if half.group(2) is not None else half.start(1))
                self._take(half.group(1), half.start(1), value)
            return end
        self._take(match.group(1), match.start(1), Value(match.group(2), match.start(2)))
        return match.end()

    def _note(self, at: int) -> int:
        match = _NOTE.match(self.text, at) if not self.unclosed else None
        if match is None:
            self.unclosed = True
            end = self._line_end(at)
            self._wrong(at, Problem("unclosed-note", "The note's brace is not closed.", self.text[at:end].rstrip(), "`}`"))
            return end
        if self.round is None or self.ended:
            detail = "A note stands in a round, after the action that it is on."
            self._wrong(at, Problem("misplaced-action", detail, match.group()))
            return match.end()
        note = re.sub(r"\\([\\}])", r"\1", match.group(1))
        notes = self.round.setdefault("notes", {})
        key = str(self.actions)
        notes[key] = f"{notes[key]}\n{note}" if key in notes else note
        self.places.setdefault((*self._here(), "notes", key), (at, None, 0))
        return match.end()

    def _action(self, at: int) -> int:
        match = _ACTION.match(self.text, at)
        assert match is not None  # the caller saw a character that begins an action
        text = match.group().rstrip()
        if self.round is None or self.ended:
            where = "after the last round" if self.ended else "before any round"
            expected = 'a tag such as [Round "1"]'
            self._wrong(at, Problem("misplaced-action", f"An action stands {where}.", text, expected))
            return match.end()
        if text.translate(FULL_WIDTH).lstrip("1234567: ").lower().startswith("misdeal"):
            text = re.sub(r"\\([{;\\])", r"\1", text)
        self.places[(*self._here(), "actions", self.actions)] = (at, Value("", at), 0)
        self.round.setdefault("actions", []).append(text)
        self.actions += 1
        return match.end()

    # -- what a tag says --------------------------------------------------------------------------------------------------

    def _here(self) -> Path:
        return ("rounds", len(self.document["rounds"]) - 1)

    def _take(self, written: str, at: int, value: Value) -> None:
        name = written.translate(FULL_WIDTH)
        numbered = _NUMBERED.fullmatch(name)
        kind = numbered.group(1) if numbered else name
        in_round = self.round is not None and not self.ended
        if name == "Round":
            self._open_round(at, value)
            return
        if name.startswith("X_"):
            self._extra(name, at, value, in_round)
            return
        if kind in HEAD or kind == "Player":
            if self.round is not None:
                self._wrong(at, Problem("misplaced-tag", f"{name} stands before the first round.", written))
                return
        elif kind in TAIL:
            if self.round is None:
                self._wrong(at, Problem("misplaced-tag", f"{name} stands after the last round.", written))
                return
            self.ended = True
        elif kind in ROUND or numbered:
            if not in_round:
                self._wrong(at, Problem("misplaced-tag", f"{name} stands in a round.", written, 'after [Round "1"]'))
                return
        else:
            meant = partial(nearest, name, KNOWN)
            self._wrong(at, Problem("unknown-tag", f"There is no tag {name[:80]}.", written, "a tag of the format", meant))
            return
        seen = self.seen_in_round if self.round is not None and not self.ended else self.seen
        if name in seen:
            self._wrong(at, Problem("duplicate-tag", f"{name} stands twice.", written))
            return
        seen.add(name)
        if not self.places:
            self.places[()] = (at, None, 0)
        if numbered:
            self._take_numbered(kind, int(numbered.group(2)), at, value)
        elif self.round is not None and not self.ended:
            self._take_in_round(name, at, value)
        else:
            self._take_of_record(name, at, value)

    def _take_of_record(self, name: str, at: int, value: Value) -> None:
        if name in EVENT:
            self._put(("event", EVENT[name]), value.text, at, value)
        elif name == "Options":
            self._options(at, value)
        elif name == "Sides":
            sides = [[_number(seat) for seat in word.split("+")] for word, _ in value.words()]
            self._put(("sides",), sides, at, value)
        elif name == "Match":
            self._match(at, value)
        elif name == "Totals":
            self._numbers(("claims", "totals"), at, value)
        elif name == "Winner":
            self._single(("claims", "winner"), at, value)
        else:
            self._put((name.lower(),), value.text.strip(), at, value)

    def _take_numbered(self, kind: str, number: int, at: int, value: Value) -> None:
        if kind == "Player":
            path: Path = ("players",)
        else:
            path = (*self._here(), "deal", "hands") if kind == "Hand" else (*self._here(), "piles")
        items = self._list(path)
        items.extend([None] * (number - len(items)))
        items[number - 1] = {"name": value.text} if kind == "Player" else value.text
        if number == len(items):
            self.places[path] = (at, None, 0)
        self.places[(*path, number - 1)] = (at, value, 0)

    def _take_in_round(self, name: str, at: int, value: Value) -> None:
        here = self._here()
        if name in ("Field", "DrawPile"):
            self._put((*here, "deal", "field" if name == "Field" else "draw_pile"), value.text, at, value)
        elif name in ("Points", "Scores"):
            self._numbers((*here, "claims", name.lower()), at, value)
        elif name in ("Adjust", "Calls"):
            self._numbers((*here, name.lower()), at, value)
        elif name in ("Dealer", "Stopped"):
            self._single((*here, name.lower()), at, value)
        elif name == "Yaku":
            self._yaku((*here, "claims", "yaku"), at, value)
        else:
            key = "first_great" if name == "FirstGreat" else "lightning"
            self._put((*here, key), value.text.strip(), at, value, *_first_word(value))

    def _open_round(self, at: int, value: Value) -> None:
        if self.ended:
            self._wrong(at, Problem("misplaced-tag", "A round stands before Totals and Winner.", "Round"))
            self.ended = False
        rounds = self.document.setdefault("rounds", [])
        self.round = {}
        rounds.append(self.round)
        self.actions = 0
        self.seen_in_round = set()
        self.places.setdefault((), (at, None, 0))
        self.places[self._here()] = (at, None, 0)
        self.places.setdefault(("rounds",), (at, None, 0))
        if _number(value.text.strip()) != len(rounds):
            word, index = _first_word(value)
            detail = f"This is round {len(rounds)}."
            place = value.at(index) if word else at
            self._wrong(place, Problem("out-of-range", detail, value.text, str(len(rounds)), str(len(rounds))))

    def _extra(self, name: str, at: int, value: Value, in_round: bool) -> None:
        target = self.round if in_round and self.round is not None else self.document
        key = "x_" + name[2:]
        if key in target:
            self._wrong(at, Problem("duplicate-tag", f"{name} stands twice.", name))
            return
        word, index = _first_word(value)
        try:
            found, wrong = decode(value.text, self.limits)
        except RecordErrors as error:
            problem = Problem("not-json", f"The value is no JSON: {error.errors[0].detail}", value.text, "a JSON value")
            self._wrong(value.at(index) if word else at, problem)
            return
        for _, problem in wrong:
            self._wrong(value.at(index), problem)
        target[key] = found

    def _options(self, at: int, value: Value) -> None:
        self._put(("options",), {}, at, value)
        for word, index in value.words():
            key, equals, chosen = word.partition("=")
            if not equals or not key:
                self._wrong(value.at(index), Problem("bad-tag", "An option is written key=value.", word, "key=value"))
            elif key in self.document["options"]:
                self._wrong(value.at(index), Problem("duplicate-key", f"{key} stands twice.", word))
            else:
                self._put(("options", key), chosen, at, value, word, index)

    def _typed_options(self) -> None:
        """Option values as what the game says they are; what is none stays a string, for the schema to refuse."""
        game = next((each for each in GAMES if each.id == self.document.get("variant")), None)
        options = self.document.get("options")
        if game is None or not options:
            return
        for option in game.options:
            chosen = options.get(option.id)
            if isinstance(chosen, str) and isinstance(option.default, bool):
                options[option.id] = {"true": True, "false": False}.get(chosen.lower(), chosen)
            elif isinstance(chosen, str) and not isinstance(option.default, str):
                options[option.id] = _number(chosen)

    def _match(self, at: int, value: Value) -> None:
        words = value.words()
        kind = words[0][0] if words else ""
        self._put(("match",), {}, at, value)
        self._put(("match", "type"), kind, at, value, *(words[0] if words else ("", 0)))
        keys = {1: LENGTHS.get(kind, "rounds"), 3: "start"}
        for number, (word, index) in enumerate(words[1:], 1):
            if number in keys:
                self._put(("match", keys[number]), _number(word), at, value, word, index)
            elif number != 2 or word != "start":
                expected = "`rounds 8`, `best_of 7` or `target 100`, and `start 30` where it begins so"
                self._wrong(value.at(index), Problem("bad-tag", "This is no match.", word, expected))
        if len(words) == 3:
            detail = "The number of points at the start is missing."
            self._wrong(value.at(words[2][1]), Problem("bad-tag", detail, words[2][0], "`start 30`"))

    def _numbers(self, path: Path, at: int, value: Value) -> None:
        words = value.words()
        self._put(path, [_number(word) for word, _ in words], at, value)
        for number, (_, index) in enumerate(words):
            self.places[(*path, number)] = (at, value, index)

    def _single(self, path: Path, at: int, value: Value) -> None:
        words = value.words()
        if len(words) > 1:
            self._wrong(value.at(words[1][1]), Problem("bad-tag", "One number is enough.", words[1][0], "one number"))
        self._put(path, _number(words[0][0]) if words else "", at, value, *(words[0] if words else ("", 0)))

    def _yaku(self, path: Path, at: int, value: Value) -> None:
        sides: list[list[str]] = []
        index = 0
        for number, part in enumerate(value.text.split("|") if value.text.strip() else []):
            self.places[(*path, number)] = (at, value, index)
            ids = [(match.group(), match.start()) for match in re.finditer(r"[^\s,]+", part)]
            if [id for id, _ in ids] == ["-"]:
                ids = []
            elif not ids:
                problem = Problem("bad-tag", "A side without yaku is written `-`.", part, "yaku ids, or `-`")
                self._wrong(value.at(index) if index < len(value.text) else at, problem)
            for place, (_, offset) in enumerate(ids):
                self.places[(*path, number, place)] = (at, value, index + offset)
            sides.append([id for id, _ in ids])
            index += len(part) + 1
        self._put(path, sides, at, value)

    # -- places -----------------------------------------------------------------------------------------------------------

    def _put(self, path: Path, item: object, at: int, value: Value, word: str = "", index: int = -1) -> None:
        self._holder(path)[path[-1]] = item
        self.places[path] = (at, value, index if word else 0)

    def _list(self, path: Path) -> list[Any]:
        found: list[Any] = self._holder(path).setdefault(path[-1], [])
        return found

    def _holder(self, path: Path) -> dict[str | int, Any]:
        """The object that holds the last part of a path; made where it is not there."""
        target: Any = self.document
        for part in path[:-1]:
            target = target.setdefault(part, {}) if isinstance(target, dict) else target[int(part)]
        holder: dict[str | int, Any] = target
        return holder

    def _holes(self) -> None:
        """A player or a pile that is left out between others is missing; a hand may be."""
        lists: list[tuple[Path, str, list[Any]]] = [(("players",), "Player", self.document.get("players", []))]
        seats = len(self.document.get("players", []))
        for index, round_ in enumerate(self.document.get("rounds", [])):
            hands = round_.get("deal", {}).get("hands", [])
            if hands:
                hands.extend([None] * (seats - len(hands)))
            lists.append((("rounds", index, "piles"), "Pile", round_.get("piles", [])))
        for path, name, items in lists:
            for number, item in enumerate(items):
                if item is None:
                    detail = f"{name}{number + 1} is missing."
                    self._wrong(self.places[path][0], Problem("missing-key", detail, expected=f'[{name}{number + 1} "…"]'))
                    self.told.add((*path, number))

    def _wrong(self, at: int, problem: Problem) -> None:
        if len(self.errors) <= self.limits.errors:
            self.errors.append((at, problem))

    def _place(self, path: Path, problem: Problem) -> int:
        """Where a problem stands: the word of the value, or the tag that should hold what is missing."""
        for length in range(len(path), -1, -1):
            found = self.places.get(path[:length])
            if found is None:
                continue
            at, value, index = found
            if length < len(path) and path[length:] != ("name",):
                return at
            if value is None:
                return at
            if problem.offset is not None:
                return value.at(index + problem.offset)
            rest = _WORD.search(value.text, index)
            return value.at(rest.start()) if rest else at
        return 0

    def _listed(self, errors: list[tuple[int, Problem]]) -> list[ReadError]:
        found = []
        for at, problem in sorted(errors, key=lambda each: each[0])[: self.limits.errors]:
            line = bisect_right(self.lines, at) - 1
            found.append(error_of(problem, None, line + self.first_line, at - self.lines[line] + 1))
        if len(errors) > self.limits.errors:
            detail = f"There are more than {self.limits.errors} errors."
            found.append(ReadError("too-many", detail, line=self.first_line, column=1))
        return found


def _number(word: str) -> object:
    """A number as JSON has it; a word that is none stays one, for the schema to refuse."""
    plain = word.translate(FULL_WIDTH)
    if not _NUMBER.fullmatch(plain):
        return word
    return float(plain) if "." in plain else int(plain)


def _first_word(value: Value) -> tuple[str, int]:
    match = _WORD.search(value.text)
    return (match.group(), match.start()) if match else ("", 0)


def read_text(text: str, limits: Limits = LIMITS, first_line: int = 1) -> Record:
    """The record of a text that holds one; `first_line` is the number of its first line in its file. Raises RecordErrors."""
    return Reader(text, limits, first_line).read()


# -- writing --------------------------------------------------------------------------------------------------------------


def to_text(record: Record) -> str:
    """The record as text, with a line break at its end. `x_` keys of the record and its rounds are written, others are not."""
    lines = [_tag("Format", FORMAT), _tag("Variant", record.variant)]
    if record.options:
        written = [f"{key}={option_word(value)}" for key, value in record.options.items()]
        lines.append(_tag("Options", " ".join(written)))
    event = event_json(record.event)
    lines += [_tag(name, event[key]) for name, key in EVENT.items() if key in event]
    lines += [_tag(f"Player{number}", name) for number, name in enumerate(record.players, 1)]
    if record.sides is not None:
        lines.append(_tag("Sides", " ".join("+".join(map(str, side)) for side in record.sides)))
    if record.match is not None:
        kind, length, *start = match_json(record.match).values()
        lines.append(_tag("Match", f"{kind} {length}" + (f" start {start[0]}" if start else "")))
    lines += _extra_tags(record, "")
    for number, round_ in enumerate(record.rounds, 1):
        lines += ["", *_round_lines(round_, number, _extra_tags(record, f"/rounds/{number - 1}"))]
    if record.totals is not None or record.winner is not None:
        lines.append("")
        if record.totals is not None:
            lines.append(_tag("Totals", _numbers(record.totals)))
        if record.winner is not None:
            lines.append(_tag("Winner", str(record.winner)))
    return "\n".join(lines) + "\n"


def _round_lines(round_: Round, number: int, extra: list[str]) -> list[str]:
    lines = [_tag("Round", str(number)), _tag("Dealer", str(round_.dealer))]
    deal = round_.deal
    if deal is not None:
        if deal.field is not None:
            lines.append(_tag("Field", unpack_cards(deal.field)))
        for seat, hand in enumerate(deal.hands or (), 1):
            if hand is not None:
                lines.append(_tag(f"Hand{seat}", unpack_cards(hand)))
        if deal.draw_pile is not None:
            lines.append(_tag("DrawPile", unpack_cards(deal.draw_pile)))
    lines += [_tag(f"Pile{seat}", unpack_cards(pile)) for seat, pile in enumerate(round_.piles or (), 1)]
    claims = claims_json(round_.claims) if round_.claims is not None else {}
    if "points" in claims:
        lines.append(_tag("Points", _numbers(claims["points"])))
    if "yaku" in claims:
        lines.append(_tag("Yaku", " | ".join(",".join(side) or "-" for side in claims["yaku"])))
    if "scores" in claims:
        lines.append(_tag("Scores", _numbers(claims["scores"])))
    if round_.adjust is not None:
        lines.append(_tag("Adjust", _numbers(round_.adjust)))
    facts = round_.facts
    if facts.lightning is not None:
        lines.append(_tag("Lightning", facts.lightning))
    if facts.first_great is not None:
        lines.append(_tag("FirstGreat", facts.first_great))
    if facts.stopped is not None:
        lines.append(_tag("Stopped", str(facts.stopped)))
    if facts.calls is not None:
        lines.append(_tag("Calls", _numbers(facts.calls)))
    lines += extra
    notes = {number: _note(note) for number, note in round_.notes.items()}
    if 0 in notes:
        lines.append(notes[0])
    for at, action in enumerate(round_.actions, 1):
        written = unpack(action)
        if ": " in written:
            # A misdeal's reason may hold what begins a note or a comment.
            written = re.sub(r"[{;\\]", r"\\\g<0>", written)
        lines.append(f"{written}   {notes[at]}" if at in notes else written)
    return lines


def _tag(name: str, value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def _note(note: str) -> str:
    """A note between braces; two notes where one would hold a line that begins the next record."""
    parts = _BOUNDARY.split(note)
    escaped = [part.replace("\\", "\\\\").replace("}", "\\}") for part in parts]
    return " ".join(f"{{{part}}}" for part in escaped)


def _numbers(numbers: tuple[Number, ...] | list[Number]) -> str:
    return " ".join(map(str, numbers_json(tuple(numbers))))


def _extra_tags(record: Record, place: str) -> list[str]:
    return [
        _tag("X_" + key[2:], json.dumps(value, ensure_ascii=False))
        for key, value in record.extra.get(place, {}).items()
        if re.fullmatch(r'[^\s"\[\]]+', key[2:])
    ]
