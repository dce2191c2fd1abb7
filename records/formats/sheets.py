"""Score sheets as clubs keep them in a spreadsheet: CSV, a row a round, a column a player (AU-1, level ``scores``).

    # variant: hon-bana
    # date: 2026-11-24
    round;dealer;Aoi;Itsuki;Chiyo;Aoi points;Itsuki points;Chiyo points;Aoi yaku;Itsuki yaku;Chiyo yaku
    1;Aoi;4;-2;-2;120;90;90;;;
    total;;4;-2;-2

Lines that begin with ``#`` say what the columns cannot: variant, option, dealer (of the first round), players, sides, match, event, site,
date, table, recorder. A column is a player's scores (or a side's, ``Aoi+Chiyo``), or with a word behind the name its card points or yaku.
What a sheet does not say is guessed, and every guess and oddity is told: in the record under ``x_sheet``.
"""

import csv
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from records.errors import ReadError, RecordErrors
from records.formats.limits import LIMITS, Limits
from records.formats.schema import load
from records.games import GAMES
from records.names import FULL_WIDTH, nearest
from records.record import FORMAT, OptionValue, Record
from records.rules.game import Game, Rules

SUFFIXES: Final = (".csv", ".tsv")
ENCODINGS: Final = ("utf-8", "utf-16", "cp932", "latin-1")
DELIMITERS: Final[Mapping[str, str]] = {"comma": ",", "semicolon": ";", "tab": "\t", ",": ",", ";": ";", "\t": "\t"}
HEADERS: Final = ("variant", "option", "dealer", "players", "sides", "match", "event", "site", "date", "table", "recorder")
EVENT: Final = HEADERS[6:]
KEY: Final = "x_sheet"
GUESSED_DEALER: Final = "the sheet does not always say who dealt: seat 1 is taken where the rules do not tell either"

_ALONE: Final[Mapping[str, frozenset[str]]] = {
    "round": frozenset({"round", "rounds", "r", "no", "no.", "nr", "nr.", "#", "rodada", "ronda", "mão", "mao", "回", "局", "hand", ""}),
    "dealer": frozenset({"dealer", "oya", "親", "carteador", "dador"}),
    "note": frozenset({"note", "notes", "remark", "remarks", "nota", "notas", "備考"}),
    "other": frozenset({"total", "totals", "sum", "soma", "計", "合計"}),
}
"""Names of columns that are nobody's."""
_OF_A_SIDE: Final[Mapping[str, tuple[str, ...]]] = {
    "points": ("card points", "points", "pts", "cards", "pontos", "札点", "点数", "点"),
    "yaku": ("yaku", "役"),
    "score": ("score", "scores", "得点"),
}
"""Words behind or before the name of a player or side; a name alone is its scores."""
_TOTAL: Final = _ALONE["other"]
_NOTHING: Final = frozenset({"", "-", "–", "—", "none", "nenhum", "なし", "無"})
LONGEST: Final = 100_000
"""Characters of a line."""
_NUMBER: Final = re.compile(r"([+-]?)(\d{1,20})(?:[.,](\d+))?(½?)")
_SEAT: Final = re.compile(r"\d{1,9}")
_SAYS_ITS_GAME: Final = re.compile(rb"^(?:\xef\xbb\xbf)?#\s*variant\s*[:=]", re.MULTILINE | re.IGNORECASE)
_COMMENT: Final = re.compile(r"#\s*+([A-Za-z]++(?: ++[A-Za-z]++)*+)\s*+[:=：]\s*+(.*)")


@dataclass(frozen=True, slots=True)
class SheetChoices:
    """What the reader is told about a sheet; None: see the sheet, else guess."""

    encoding: str | None = None
    delimiter: str | None = None
    variant: str | None = None
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    dealer: int | None = None
    """The seat that deals the first round."""


NO_CHOICES: Final = SheetChoices()


def read_sheet(raw: bytes, choices: SheetChoices = NO_CHOICES, limits: Limits = LIMITS) -> Record:
    """The record of a score sheet. Raises RecordErrors with everything that is wrong, by line and column (the character of the cell)."""
    return _Sheet(raw, choices, limits).record()


def is_sheet(raw: bytes) -> bool:
    """Whether some bytes, not known by a file's name, are a sheet that says what it is: a line ``# variant: …`` near its beginning."""
    head = raw[:4096]
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        head = head[: len(head) & ~1].decode("utf-16", "replace").encode()
    return _SAYS_ITS_GAME.search(head) is not None and not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"["))


def decoded(raw: bytes, encoding: str | None) -> tuple[str, str]:
    """The characters of a sheet and the encoding they were read by: a mark first, then UTF-8, then CP932 where all that is not ASCII is in
    runs of two or more full-width characters that touch no Latin letter, else Latin-1. Raises RecordErrors."""
    if encoding is not None:
        try:
            return raw.decode("utf-8-sig" if encoding == "utf-8" else encoding), encoding
        except (UnicodeDecodeError, LookupError) as error:
            detail = f"The sheet is not {encoding}: {error}."
            raise RecordErrors([ReadError("not-utf8", detail, line=1, column=1, expected=f"one of {', '.join(ENCODINGS)}")]) from None
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return decoded(raw, "utf-16")
    try:
        return raw.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError:
        pass
    japanese = _decodes(raw, "cp932") and _is_japanese(raw.decode("cp932"))
    encoding = "cp932" if japanese else "latin-1"
    return raw.decode(encoding), encoding


def _decodes(raw: bytes, encoding: str) -> bool:
    try:
        raw.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _is_japanese(text: str) -> bool:
    for run in re.finditer(r"[^\x00-\x7f]+", text):
        around = text[max(run.start() - 1, 0) : run.start()] + text[run.end() : run.end() + 1]
        if len(run[0]) < 2 or any(unicodedata.east_asian_width(char) not in "WF" for char in run[0]) or re.search("[A-Za-z]", around):
            return False
    return True


@dataclass(slots=True)
class _Column:
    """What a column holds: ``round``, ``dealer``, ``note``, ``score``, ``points``, ``yaku`` or ``other``, and of which side, from 0."""

    role: str
    side: int = -1


@dataclass(slots=True)
class _Row:
    line: int
    cells: list[str]
    columns: list[int]
    """The character of the line, from 1, at which each cell begins."""


class _Sheet:
    """One sheet being read."""

    def __init__(self, raw: bytes, choices: SheetChoices, limits: Limits) -> None:
        if len(raw) > limits.record:
            detail = f"The sheet is larger than {limits.record} bytes."
            raise RecordErrors([ReadError("too-large", detail, line=1, column=1, expected=f"at most {limits.record} bytes")])
        self.raw = raw
        self.choices = choices
        self.limits = limits
        self.errors: list[ReadError] = []
        self.oddities: list[str] = []
        self.said: dict[str, tuple[int, str]] = {}
        self.options: dict[str, OptionValue] = {}
        text, self.encoding = decoded(raw, choices.encoding)
        self.lines = re.split(r"\r\n|\r|\n", text)
        for number, line in enumerate(self.lines, start=1):
            if len(line) > LONGEST:
                self._wrong("too-long", number, 1, f"The line is longer than {LONGEST} characters.")
                raise RecordErrors(self.errors)
        self._comments()
        self.delimiter = self._delimiter()
        self.rows = self._rows()

    def record(self) -> Record:
        """All of it; every error is told at once."""
        variant = self._variant()
        if not self.rows:
            self._wrong("empty", 1, 1, "The sheet has no row of column names.", "a row such as `round,dealer,Aoi,Itsuki,Chiyo`")
        if variant is None or not self.rows:
            raise RecordErrors(self.errors)
        header, *rest = self.rows
        columns = self._columns(header)
        document: dict[str, Any] = {"format": FORMAT, "variant": variant.id, "players": [{"name": name} for name in self.players]}
        options = {**self.options, **self.choices.options}
        if options:
            document["options"] = options
        if self.sides is not None:
            document["sides"] = self.sides
        event = {key if key != "event" else "name": self.said[key][1] for key in EVENT if key in self.said}
        if event:
            document["event"] = event
        if "match" in self.said:
            self._match(document)
        places = self._fill(document, variant, columns, rest)
        if not document["rounds"]:
            self._wrong("empty", header.line, 1, "The sheet has no round.", "a row a round below the column names")
        document[KEY] = {"encoding": self.encoding, "delimiter": self.delimiter, "notes": self.oddities}
        if self.errors:
            self._other_encoding()
            raise RecordErrors(self.errors)
        self._dealers(document, variant)
        try:
            return load(document, None, self.limits)
        except RecordErrors as error:
            self.errors = [self._placed(each, places, header.line) for each in error.errors]
            self._other_encoding()
            raise RecordErrors(self.errors) from None

    # -- lines, cells

    def _comments(self) -> None:
        for number, line in enumerate(self.lines, start=1):
            found = _COMMENT.fullmatch(line.strip().rstrip(",;\t "))
            if not line.lstrip().startswith("#") or found is None:
                continue
            key = found[1].lower().strip()
            if key in ("option", "options"):
                for pair in re.split(r"[,;\s]+", found[2].strip()):
                    name, _, value = pair.partition("=")
                    self.options[name.strip()] = _value(value.strip())
            elif key in HEADERS:
                self.said[key] = (number, found[2].strip())
            else:
                near = nearest(key, list(HEADERS))
                self._wrong("unknown-key", number, 1, f"The sheet says {key!r} of itself.", ", ".join(HEADERS), near, key)

    def _delimiter(self) -> str:
        if self.choices.delimiter is not None:
            return DELIMITERS[self.choices.delimiter]
        written = [line for line in self.lines if line.strip() and not line.lstrip().startswith("#")][:50]
        best, found = (0, 0), ","
        for delimiter in (";", "\t", ","):
            counts = [len(next(csv.reader([line], delimiter=delimiter), [])) for line in written]
            if counts and counts[0] > 1:
                score = (sum(count == counts[0] for count in counts), counts[0])
                if score > best:
                    best, found = score, delimiter
        return found

    def _rows(self) -> list[_Row]:
        rows: list[_Row] = []
        for number, line in enumerate(self.lines, start=1):
            if line.lstrip().startswith("#") and _COMMENT.match(line.strip()):
                continue
            cells = next(csv.reader([line], delimiter=self.delimiter), [])
            if not any(cell.strip() for cell in cells):
                continue
            starts, at = [], 1
            for cell in cells:
                starts.append(at)
                at += len(cell) + 1
            rows.append(_Row(number, [cell.strip() for cell in cells], starts))
        return rows

    # -- what the sheet says of itself

    def _variant(self) -> Game | None:
        line, written = self.said.get("variant", (1, ""))
        name = (self.choices.variant or written).strip().lower().replace(" ", "-").replace("_", "-")
        known = {each.id: each for each in GAMES}
        if name in known:
            return known[name]
        detail = f"There is no game {name!r}." if name else "The sheet does not say of which game it is."
        self._wrong(
            "unknown-variant",
            line,
            1,
            detail,
            f"a line such as `# variant: hon-bana`; games: {', '.join(known)}",
            nearest(name, list(known)),
        )
        return None

    def _match(self, document: dict[str, Any]) -> None:
        line, words = self.said["match"][0], self.said["match"][1].split()
        try:
            match: dict[str, Any] = {"type": words[0]}
            match["points" if words[0] == "target" else "rounds"] = int(words[1])
            if len(words) > 2:
                match["start"] = int(words[words.index("start") + 1])
            document["match"] = match
        except (IndexError, ValueError):
            self._wrong(
                "unknown-value", line, 1, "The match cannot be read.", "`rounds 8`, `best_of 7`, `target 500` or `rounds 8 start 30`"
            )

    def _columns(self, header: _Row) -> list[_Column]:
        """What each column holds; players and sides follow from the names (a column of two players is a side)."""
        named: list[tuple[str, str]] = [_role(cell) for cell in header.cells]
        subjects = list(dict.fromkeys(name for role, name in named if role in ("score", "points", "yaku")))
        self.sides: list[list[int]] | None = None
        members = [re.split(r"\s*[+&＋＆]\s*", name) for name in subjects]
        if "players" in self.said:
            self.players = [name.strip() for name in re.split(r"[,;、]", self.said["players"][1]) if name.strip()]
        elif any(len(each) > 1 for each in members):
            self.players = [name for each in members for name in each]
            detail = "Sides have a column each, and the seats of the players are not said."
            self._wrong("missing-key", header.line, 1, detail, "a line `# players: Aoi, Itsuki, Chiyo, Haru` in seat order")
        else:
            self.players = subjects
        if "sides" in self.said:
            self.sides = [[int(seat) for seat in _SEAT.findall(side)] for side in self.said["sides"][1].split()]
        elif any(len(each) > 1 for each in members):
            self.sides = [sorted(self.players.index(name) + 1 for name in each if name in self.players) for each in members]
        found: list[_Column] = []
        for place, (role, name) in enumerate(named):
            if role in ("score", "points", "yaku"):
                found.append(_Column(role, subjects.index(name)))
            else:
                found.append(_Column(role))
                if role == "other":
                    self.oddities.append(f"line {header.line}, column {header.columns[place]}: {header.cells[place]!r} is passed over")
        count = len(self.sides) if self.sides is not None else len(self.players)
        if len(subjects) != count:
            expected = f"{count} {'sides' if self.sides is not None else 'players'}"
            self._wrong("wrong-length", header.line, 1, f"There are columns for {len(subjects)}: {', '.join(subjects)}.", expected)
        for column in set(range(len(found))):
            same = [other for other in range(column) if found[other] == found[column] and found[column].role in ("score", "points", "yaku")]
            if same:
                self._wrong(
                    "duplicate-key", header.line, header.columns[column], f"{header.cells[column]!r} stands twice.", "one column each"
                )
        return found

    # -- rounds

    def _fill(self, document: dict[str, Any], variant: Game, columns: list[_Column], rows: list[_Row]) -> dict[str, int]:
        """The rounds and the totals; returns the line of each JSON pointer that stands for one."""
        sides = len(self.sides) if self.sides is not None else len(self.players)
        places: dict[str, int] = {}
        document["rounds"] = []
        for row in rows:
            if len(row.cells) > len(columns):
                extra = row.columns[len(columns)]
                self._wrong(
                    "wrong-length", row.line, extra, f"The row has {len(row.cells)} cells.", f"at most {len(columns)}, as in the first row"
                )
            label = row.cells[0].lower()
            claims: dict[str, list[Any]] = {}
            entry: dict[str, Any] = {}
            for place, cell in enumerate(row.cells[: len(columns)]):
                column = columns[place]
                where = (row.line, row.columns[place])
                if column.role == "dealer":
                    self._dealer(entry, cell, where)
                elif column.role == "note" and cell:
                    entry["notes"] = {"0": cell}
                elif column.role == "yaku" and column.side < sides:
                    claims.setdefault("yaku", [[] for _ in range(sides)])[column.side] = self._yaku(variant, cell, where)
                elif column.role in ("score", "points") and column.side < sides:
                    claims.setdefault(column.role, [None] * sides)[column.side] = None if cell in _NOTHING else self._number(cell, where)
            if label in _TOTAL:
                places["/claims"] = row.line
                document["claims"] = {"totals": self._whole(claims.get("score", []), row)}
                continue
            claims = {
                ("scores" if key == "score" else key): self._whole(values, row)
                for key, values in claims.items()
                if any(value is not None for value in values) or key == "yaku"
            }
            if not claims.keys() - {"yaku"} and not any(claims.get("yaku", [])):
                self.oddities.append(f"line {row.line}: nothing is written, the row is passed over")
                continue
            places[f"/rounds/{len(document['rounds'])}"] = row.line
            document["rounds"].append({**entry, "claims": claims})
        return places

    def _whole(self, values: list[Any], row: _Row) -> list[Any]:
        """All sides of a row, or an error: nothing is made up."""
        if any(value is None for value in values):
            self._wrong("missing-key", row.line, 1, "The row leaves a player's cell empty.", "a number for each, 0 where it is nothing")
        return values

    def _number(self, cell: str, where: tuple[int, int]) -> int | float:
        written = cell.translate(FULL_WIDTH).replace("−", "-").replace("－", "-").replace("＋", "+").replace(" ", "")
        if re.fullmatch(r"\(.+\)|[△▲].+", written):
            written = "-" + written.strip("()△▲")
            self.oddities.append(f"line {where[0]}, column {where[1]}: {cell!r} is read as {written}")
        if written in ("½", "+½", "-½"):
            written = written.replace("½", "0½")
        found = _NUMBER.fullmatch(written)
        if found is not None:
            digits, half = found[3] or "", found[4]
            if digits.rstrip("0") in ("", "5") and not (half and digits):
                value = int(found[2]) + (0.5 if half or digits.rstrip("0") == "5" else 0)
                value = -value if found[1] == "-" else value
                return int(value) if value == int(value) else value
        self._wrong("not-half", *where, f"{cell!r} is not an amount.", "a whole number or a half, such as 12, -4, 2.5 or 2,5", token=cell)
        return 0

    def _yaku(self, variant: Game, cell: str, where: tuple[int, int]) -> list[str]:
        """The ids of the yaku that a cell names, by id, English name, kanji or romaji."""
        if cell.lower() in _NOTHING:
            return []
        known: dict[str, str] = {}
        for rule in variant.yaku:
            for name in (rule.id, rule.name, rule.kanji, rule.romaji):
                known[_plain(name)] = rule.id
        found = []
        for word in map(str.strip, re.split("[,;/|+、・]", cell)):
            if not word:
                continue
            id = known.get(_plain(word))
            if id is None:
                near = nearest(_plain(word), list(known))
                meant = known[near] if near else None
                self._wrong("unknown-yaku", *where, f"{variant.name} has no yaku {word!r}.", "its ids or names", meant, word)
            else:
                found.append(id)
        return found

    def _dealer(self, entry: dict[str, Any], cell: str, where: tuple[int, int]) -> None:
        written = cell.translate(FULL_WIDTH)
        if not written:
            return
        if written in self.players:
            entry["dealer"] = self.players.index(written) + 1
        elif _SEAT.fullmatch(written):
            entry["dealer"] = int(written)
        else:
            expected = "a player's name or the number of a seat"
            self._wrong("unknown-value", *where, f"{cell!r} is no player.", expected, nearest(written, self.players), cell)

    def _dealers(self, document: dict[str, Any], variant: Game) -> None:
        """Who dealt where the sheet does not say: the first from outside or seat 1, the next as the rules say."""
        sides = tuple(tuple(seat - 1 for seat in side) for side in self.sides) if self.sides is not None else None
        try:
            rules = Rules(variant, document.get("options", {}), len(self.players), sides)
        except (IndexError, KeyError, ValueError):
            rules = None  # what is wrong with seats, sides or options is told when the record is read
        said = self.said.get("dealer", (0, ""))[1]
        due = self.choices.dealer or (int(said) if _SEAT.fullmatch(said) else 0)
        guessed = False
        for entry in document["rounds"]:
            if "dealer" not in entry:
                guessed = guessed or not due
                entry["dealer"] = due or 1
            claims = entry["claims"]
            due = 0
            if rules is not None:
                due = variant.sheet.next_dealer(rules, entry["dealer"] - 1, claims.get("points"), claims.get("scores")) + 1
        if guessed:
            self.oddities.append(GUESSED_DEALER)

    # -- errors

    def _wrong(
        self,
        code: str,
        line: int,
        column: int,
        detail: str,
        expected: str | None = None,
        meant: str | None = None,
        token: str | None = None,
    ) -> None:
        self.errors.append(ReadError(code, detail, line=line, column=column, token=token, expected=expected, meant=meant))

    def _other_encoding(self) -> None:
        """Where the guess was Latin-1 and the bytes could be Japanese too, what is wrong may be the guess."""
        if self.choices.encoding is None and self.encoding == "latin-1" and _decodes(self.raw, "cp932"):
            self._wrong(
                "not-utf8", 1, 1, "The sheet was read as latin-1; its bytes could be cp932 as well.", "--encoding cp932 if names look wrong"
            )

    def _placed(self, error: ReadError, places: Mapping[str, int], header: int) -> ReadError:
        """An error of the record at the line of the sheet that it comes from."""
        line = next((line for pointer, line in places.items() if (error.pointer or "").startswith((pointer + "/", pointer))), header)
        return ReadError(error.code, error.detail, line=line, column=1, token=error.token, expected=error.expected, meant=error.meant)


def _role(cell: str) -> tuple[str, str]:
    """What a column's name says: its role, and the player or side it is about."""
    name = " ".join(cell.split())
    lower = name.lower()
    for role, words in _ALONE.items():
        if lower in words:
            return role, ""
    for role, endings in _OF_A_SIDE.items():
        for word in endings:
            behind = re.fullmatch(rf"(.+?)(?:\s*[:：]\s*|\s+|\s*[(（])?{re.escape(word)}[)）]?", name, re.IGNORECASE)
            before = re.fullmatch(rf"{re.escape(word)}(?:\s*[:：]\s*|\s+)(.+)", name, re.IGNORECASE)
            found = behind or before
            # a Latin word must stand apart from the name: nobody called `Cards` or `Ipts` loses letters
            if found is not None and (not word.isascii() or before or not name[len(found[1])].isalpha()):
                return role, found[1].strip()
    return "score", name


def _plain(name: str) -> str:
    """A yaku's name without marks, case and dividers."""
    parts = unicodedata.normalize("NFD", name.lower())
    return "".join(char for char in parts if not unicodedata.combining(char) and char not in " -_'’")


def _value(written: str) -> OptionValue:
    """An option's value as written: a truth value, a number or a word."""
    if written in ("true", "false"):
        return written == "true"
    try:
        return int(written)
    except ValueError:
        pass
    try:
        return float(written)
    except ValueError:
        return written
