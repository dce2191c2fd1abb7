"""The kinds of value that a record holds, as marshmallow fields that say what is wrong in our words.

A field's errors are `Problem`s in marshmallow's lists; `flat` takes them out again with their paths. What a value may be
can depend on the record around it (game, seats, sides): that is the `Reading` in hand.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, cast

from marshmallow import Schema, ValidationError, fields, validates_schema
from marshmallow.exceptions import SCHEMA

from records.cards import CODES
from records.errors import AmbiguousCard, Problem, UnknownCard
from records.formats.decode import BadNumber
from records.formats.limits import Limits
from records.names import FULL_WIDTH, card_of, near_card, nearest
from records.notation import read_actions, read_cards
from records.packed import play_of
from records.packing import pack_actions, pack_cards
from records.rules.game import Game


@dataclass(frozen=True, slots=True)
class Reading:
    """What the fields must know of the record around them."""

    limits: Limits
    game: Game | None
    """None where the variant is unknown: then nothing that depends on it is judged."""
    merge_yellow: bool
    seats: int
    """0: not known."""
    sides: int
    """0: not known."""
    piles: int
    """How many piles a round ends with, 0: not known."""
    facts: tuple[str, ...] | None
    """Keys beside `piles` that this game has; None: not known."""


READING: ContextVar[Reading] = ContextVar("reading")

CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
KINDS: Final[tuple[tuple[type | tuple[type, ...], str], ...]] = (
    (bool, "true or false"),
    (str, "a string"),
    ((int, float, BadNumber), "a number"),
    (list, "a list"),
    (Mapping, "an object"),
    (type(None), "null"),
)


def kind_of(value: object) -> str:
    """What a JSON value is, in words."""
    return next((name for kind, name in KINDS if isinstance(value, kind)), type(value).__name__)


def token_of(value: object) -> str:
    """A JSON value as an error names it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, BadNumber):
        return value.token
    if isinstance(value, int | float):
        return str(value)[:40]
    return kind_of(value)


def flat(messages: object, path: tuple[str | int, ...] = ()) -> Iterator[Problem]:
    """The problems in marshmallow's messages, each with its path from the value that was checked."""
    if isinstance(messages, Problem):
        yield Problem(
            messages.code,
            messages.detail,
            messages.token,
            messages.expected,
            messages.meant,
            messages.offset,
            path + messages.inside,
        )
    elif isinstance(messages, dict):
        for key, each in messages.items():
            yield from flat(each, path if key == SCHEMA else (*path, key))
    elif isinstance(messages, list):
        for each in messages:
            yield from flat(each, path)
    else:
        raise TypeError(f"a message that is no problem: {messages!r}")


def refuse(*problems: Problem) -> ValidationError:
    """The exception for these problems, not many more of them than will be listed."""
    return ValidationError(list(problems[: READING.get().limits.errors + 1]))


class Part(fields.Field[Any]):
    """A value of one kind. `null` is as good as absent unless the key is required."""

    expected = "a value"

    def __init__(self, *, required: bool = False) -> None:
        super().__init__(required=required, allow_none=not required)

    def make_error(self, key: str, **kwargs: Any) -> ValidationError:
        """Our words for what marshmallow finds itself: a key that is missing or null."""
        if key == "required":
            return refuse(Problem("missing-key", f"`{self.data_key or self.name}` is missing.", expected=self.expected))
        return refuse(Problem("wrong-type", "null cannot stand here.", "null", self.expected))

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        return self.read(value, READING.get())

    def read(self, value: object, reading: Reading) -> object:
        """The value as a record holds it. Raises ValidationError with problems."""
        raise self.wrong(value)

    def wrong(self, value: object) -> ValidationError:
        """The problem of a value of another kind."""
        detail = f"{kind_of(value)[0].upper()}{kind_of(value)[1:]} cannot stand here."
        return refuse(Problem("wrong-type", detail, token_of(value), self.expected))


class Words(Part):
    """A string without control characters: a name, or a part of `event`."""

    expected = "a string"

    def __init__(self, *, required: bool = False, name: bool = False) -> None:
        super().__init__(required=required)
        self.of_player = name

    def read(self, value: object, reading: Reading) -> str:
        if not isinstance(value, str):
            raise self.wrong(value)
        problems = []
        if self.of_player and not value.strip():
            problems.append(Problem("empty-name", "A name is empty.", value, "a name"))
        if control := CONTROL.search(value):
            token = ascii(control.group())[1:-1]
            detail = "A name or value holds no control character."
            problems.append(Problem("control-character", detail, token, offset=control.start()))
        if len(value) > reading.limits.name:
            expected = f"at most {reading.limits.name} characters"
            problems.append(Problem("too-long", f"It has {len(value)} characters.", value, expected))
        if problems:
            raise refuse(*problems)
        return value


class OneOf(Part):
    """A string out of a few."""

    def __init__(self, words: tuple[str, ...], code: str = "unknown-value", *, required: bool = False) -> None:
        super().__init__(required=required)
        self.words = words
        self.code = code
        self.expected = words[0] if len(words) == 1 else f"one of {', '.join(words)}"

    def read(self, value: object, reading: Reading) -> str:
        if not isinstance(value, str):
            raise self.wrong(value)
        if value not in self.words:
            meant = partial(nearest, value, list(self.words))
            raise refuse(Problem(self.code, f"`{value[:80]}` is not known here.", value, self.expected, meant))
        return value


class Whole(Part):
    """A whole number; `1.0` is one. `most` may depend on the record; 0 from it: not known."""

    def __init__(
        self, least: int | None = None, most: Callable[[Reading], int] | None = None, what: str = "a whole number",
        *, required: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(required=required)
        self.least = least
        self.most = most
        self.what = self.expected = what

    def read(self, value: object, reading: Reading) -> int:
        number = number_of(value)
        if number is None:
            raise self.wrong(value)
        if not isinstance(number, int):
            raise refuse(Problem("wrong-type", f"{token_of(value)} is not a whole number.", token_of(value), self.what))
        most = self.most(reading) if self.most is not None else 0
        top = most or reading.limits.number
        least = -top if self.least is None else self.least
        if not least <= number <= top:
            expected = f"{self.what} from {least} to {top}"
            raise refuse(Problem("out-of-range", f"{token_of(value)} cannot stand here.", token_of(value), expected))
        return number


class Halves(Part):
    """A number of points: whole or a half."""

    expected = "a whole number or a half"

    def read(self, value: object, reading: Reading) -> int | float:
        number = number_of(value)
        if number is None:
            raise self.wrong(value)
        token = token_of(value)
        if abs(number) > reading.limits.number:
            expected = f"at most {reading.limits.number}"
            raise refuse(Problem("out-of-range", f"{token} is too large.", token, expected))
        if number * 2 != int(number * 2):
            raise refuse(Problem("not-half", f"{token} is neither whole nor a half.", token, self.expected))
        return number


def number_of(value: object) -> int | float | None:
    """A JSON number, whole where it is whole; None for what is none, or is not finite."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, int):
        return value
    if not math.isfinite(value):
        return None
    return int(value) if value == int(value) else value


class ListOf(Part):
    """A list of values of one kind, as long as the record asks. `holes`: null may stand for a value."""

    def __init__(
        self, inner: Part, length: Callable[[Reading], int] | None = None, what: str = "a list", *,
        most: Callable[[Reading], int] | None = None, required: bool = False, holes: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(required=required)
        inner.allow_none = holes
        self.inner = inner
        self.length = length
        self.most = most
        self.what = self.expected = what

    def read(self, value: object, reading: Reading) -> tuple[object, ...]:
        if not isinstance(value, list | tuple):
            raise self.wrong(value)
        length = self.length(reading) if self.length is not None else 0
        if self.most is not None and len(value) > self.most(reading):
            expected = f"at most {self.most(reading)}"
            raise refuse(Problem("too-many", f"There are {len(value)}.", expected=expected))
        problems = []
        if length and len(value) != length:
            detail = f"The list has {len(value)} {'entry' if len(value) == 1 else 'entries'}."
            problems.append(Problem("wrong-length", detail, expected=f"{self.what}, {length} in all"))
        found = []
        for index, each in enumerate(value):
            try:
                found.append(self.inner.deserialize(each))
            except ValidationError as error:
                problems += flat(error.messages, (index,))
                if len(problems) > reading.limits.errors:
                    break
        if problems:
            raise refuse(*problems)
        return tuple(found)


class Object(Part):
    """An object with keys of its own."""

    expected = "an object"

    def __init__(self, schema: Schema, *, required: bool = False) -> None:
        super().__init__(required=required)
        self.schema = schema

    def read(self, value: object, reading: Reading) -> object:
        if not isinstance(value, Mapping):
            raise self.wrong(value)
        return self.schema.load(value)


class CardList(Part):
    """A string of card codes, as bytes."""

    expected = "a string of card codes, divided by blanks"

    def read(self, value: object, reading: Reading) -> bytes:
        if not isinstance(value, str):
            raise self.wrong(value)
        try:
            return pack_cards(value.encode(), reading.merge_yellow)
        except ValueError:
            cards, problems = read_cards(value, reading.merge_yellow)
        if problems:
            raise refuse(*problems)
        return cards


class Actions(Part):
    """A round's actions, as a play."""

    expected = "a list of actions, one string a turn"

    def read(self, value: object, reading: Reading) -> bytes:
        if not isinstance(value, list | tuple):
            raise self.wrong(value)
        if len(value) > reading.limits.actions:
            expected = f"at most {reading.limits.actions} actions a round"
            raise refuse(Problem("too-many", f"There are {len(value)} actions.", expected=expected))
        texts = [each if isinstance(each, str) else "?" for each in value]
        seats = reading.seats or 7
        try:
            play = pack_actions(texts, reading.merge_yellow, seats)
            found: list[tuple[int, Problem]] = []
        except ValueError:
            actions, found = read_actions(texts, reading.merge_yellow, seats)
            play = play_of(actions)
        problems = [
            Problem("wrong-type", f"An action is no {kind_of(each).split()[-1]}.", token_of(each), "a string", inside=(at,))
            for at, each in enumerate(value)
            if not isinstance(each, str)
        ]
        for at, problem in found:
            problems += flat(problem, (at,))
        if problems:
            raise refuse(*problems)
        return play


class LightningTook(Part):
    """``plain``, or the code of the card that the Lightning captured as a wild card."""

    expected = "`plain`, or the card that the Lightning took"

    def read(self, value: object, reading: Reading) -> str:
        if not isinstance(value, str):
            raise self.wrong(value)
        word = value.strip()
        if word.lower() == "plain":
            return "plain"
        try:
            return CODES[card_of(word, reading.merge_yellow)]
        except (UnknownCard, AmbiguousCard) as error:
            code = "unknown-card" if isinstance(error, UnknownCard) else "ambiguous-card"
            meant = partial(_near_taken, word)
            raise refuse(Problem(code, f"`{word[:80]}` is no card.", value, self.expected, meant, 0)) from None


def _near_taken(word: str) -> str | None:
    return nearest(word, ["plain"]) or near_card(word)


class Notes(Part):
    """Notes by action number; `x_` keys are passed over."""

    expected = "an object with a note by action number"

    def read(self, value: object, reading: Reading) -> dict[int, str]:
        if not isinstance(value, Mapping):
            raise self.wrong(value)
        found: dict[int, str] = {}
        problems = []
        for key, note in value.items():
            if str(key).startswith("x_"):
                continue
            number = str(key).translate(FULL_WIDTH)
            if not re.fullmatch(r"0|[1-9][0-9]{0,5}", number):
                detail = f"`{str(key)[:80]}` is no action's number."
                problems.append(Problem("unknown-key", detail, str(key), "the number of an action", inside=(key,)))
            elif note is not None and not isinstance(note, str):
                detail = f"A note is no {kind_of(note).split()[-1]}."
                problems.append(Problem("wrong-type", detail, token_of(note), "a string", inside=(key,)))
            elif int(number) in found:
                problems.append(Problem("duplicate-key", f"Action {number} has two notes.", str(key), inside=(key,)))
            elif note is not None:
                found[int(number)] = note
        if problems:
            raise refuse(*problems)
        return dict(sorted(found.items()))


class Strict(Schema):
    """An object that knows its keys; those that begin with `x_` are kept elsewhere."""

    extra = True
    """Whether `x_` keys may stand here."""

    class Meta:
        """Keys that are not known are told by `_only_known_keys`."""

        unknown = "exclude"

    @validates_schema(pass_original=True, skip_on_field_errors=False)
    def _only_known_keys(self, data: object, original: Mapping[str, object], **kwargs: object) -> None:
        known = sorted(field.data_key or name for name, field in self.fields.items())
        expected = f"one of {', '.join(known)}"
        most = READING.get().limits.errors
        problems: dict[str, list[Problem]] = {}
        for key in original:
            if key in known or (self.extra and str(key).startswith("x_")):
                continue
            if len(problems) > most:
                break
            meant = partial(nearest, str(key), known)
            problems[key] = [Problem("unknown-key", f"There is no `{str(key)[:80]}` here.", str(key), expected, meant)]
        if problems:
            raise ValidationError(cast(dict[str, Any], problems))
