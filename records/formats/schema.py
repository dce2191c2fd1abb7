"""The record's written form, judged: plain values in, a `Record` out, or all that is wrong (record-format.md, 1).

The schemas are the one judge of what a record may say. The text reader brings its tags into the same shape and asks here
too; the fast reader may only accept what is accepted here.
"""

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from marshmallow import ValidationError, post_load, pre_load, validates_schema

from records.errors import Problem, RecordErrors
from records.formats.decode import Found, Path, faults, listed, pointer
from records.formats.fields import (
    READING,
    Actions,
    CardList,
    Halves,
    LightningTook,
    ListOf,
    Notes,
    Object,
    OneOf,
    Part,
    Reading,
    Strict,
    Whole,
    Words,
    flat,
    kind_of,
    number_of,
    refuse,
    token_of,
)
from records.formats.limits import LIMITS, Limits
from records.games import GAMES
from records.games import game as find
from records.names import nearest
from records.record import FORMAT, Claims, Deal, Event, Facts, Match, OptionValue, Record, Round
from records.rules.game import Rules

VARIANTS = tuple(game.id for game in GAMES)
LENGTHS = {"rounds": "rounds", "best_of": "rounds", "target": "points"}
"""By type of match: the key that says how long it is."""


class EventSchema(Strict):
    """`event`."""

    name = Words()
    site = Words()
    date = Words()
    table = Words()
    recorder = Words()

    @post_load
    def _make(self, data: dict[str, Any], **kwargs: object) -> Event:
        return Event(**data)


class PlayerSchema(Strict):
    """One of `players`."""

    name = Words(required=True, name=True)


class MatchSchema(Strict):
    """`match`."""

    type = OneOf(tuple(LENGTHS), required=True)
    rounds = Whole(1)
    points = Whole(1)
    start = Whole()

    @validates_schema(pass_original=True, skip_on_field_errors=False)
    def _one_length(self, data: dict[str, Any], original: Mapping[str, object], **kwargs: object) -> None:
        key = LENGTHS.get(str(data.get("type")))
        if key is None:
            return
        other = "points" if key == "rounds" else "rounds"
        if original.get(key) is None:
            missing = Problem("missing-key", f"`{key}` is missing.", expected=f"how many {key}", inside=(key,))
            raise refuse(missing)
        if original.get(other) is not None:
            detail = f"A match of type {data['type']} has no `{other}`."
            raise refuse(Problem("unknown-key", detail, other, f"`{key}`", inside=(other,)))

    @post_load
    def _make(self, data: dict[str, Any], **kwargs: object) -> Match:
        return Match(data["type"], data[LENGTHS[data["type"]]], data.get("start"))


class DealSchema(Strict):
    """A round's `deal`."""

    field = CardList()
    hands = ListOf(CardList(), lambda reading: reading.seats, "a hand a seat", holes=True)
    draw_pile = CardList()

    @post_load
    def _make(self, data: dict[str, Any], **kwargs: object) -> Deal | None:
        return Deal(**data) if any(part is not None for part in data.values()) else None


class YakuId(Part):
    """A yaku of the game."""

    expected = "a yaku of the game"

    def read(self, value: object, reading: Reading) -> str:
        if not isinstance(value, str):
            raise self.wrong(value)
        if reading.game is not None:
            known = [rule.id for rule in reading.game.yaku]
            if value not in known:
                detail = f"{reading.game.id} has no yaku `{value[:80]}`."
                meant = partial(nearest, value, known)
                raise refuse(Problem("unknown-yaku", detail, value, f"one of {', '.join(known)}", meant))
        return value


class GreatId(YakuId):
    """A great yaku of the game (HN-10)."""

    def read(self, value: object, reading: Reading) -> str:
        id = super().read(value, reading)
        if reading.game is not None and id not in reading.game.great:
            known = ", ".join(reading.game.great)
            raise refuse(Problem("unknown-value", f"`{id}` is no great yaku.", id, f"one of {known}"))
        return id


def _sides(reading: Reading) -> int:
    return reading.sides


def _seats(reading: Reading) -> int:
    return reading.seats


class RoundClaimsSchema(Strict):
    """A round's `claims`."""

    extra = False
    points = ListOf(Halves(), _sides, "a number a side")
    yaku = ListOf(ListOf(YakuId(), what="a list of yaku ids"), _sides, "a list of yaku a side")
    scores = ListOf(Halves(), _sides, "a number a side")

    @post_load
    def _make(self, data: dict[str, Any], **kwargs: object) -> Claims | None:
        return Claims(**data) if any(part is not None for part in data.values()) else None


class RecordClaimsSchema(Strict):
    """The record's `claims`."""

    extra = False
    totals = ListOf(Halves(), _sides, "a number a side")
    winner = Whole(0, _sides, "a side, 0 for a tie")


class Pile(CardList):
    """What one seat or side had captured: it must be there."""

    def __init__(self) -> None:
        super().__init__(required=True)


class RoundSchema(Strict):
    """One of `rounds`."""

    dealer = Whole(1, _seats, "a seat", required=True)
    deal = Object(DealSchema())
    actions = Actions()
    piles = ListOf(Pile(), lambda reading: reading.piles, "a pile a seat (a side, where partners share)")
    lightning = LightningTook()
    first_great = GreatId()
    stopped = Whole(0, _seats, "a seat, 0 for nobody")
    calls = ListOf(Whole(0), _seats, "a number of calls a seat")
    claims = Object(RoundClaimsSchema())
    adjust = ListOf(Halves(), _sides, "a number a side")
    notes = Notes()

    @validates_schema(pass_original=True, skip_on_field_errors=False)
    def _facts_of_the_game(self, data: dict[str, Any], original: Mapping[str, object], **kwargs: object) -> None:
        reading = READING.get()
        if reading.facts is None or reading.game is None:
            return
        problems = [
            Problem("unknown-key", f"{reading.game.id} has no `{key}`.", key, inside=(key,))
            for key in FACTS
            if key not in reading.facts and original.get(key) is not None
        ]
        if problems:
            raise refuse(*problems)

    @validates_schema(pass_original=True, skip_on_field_errors=False)
    def _notes_of_actions(self, data: dict[str, Any], original: Mapping[str, object], **kwargs: object) -> None:
        actions = original.get("actions")
        count = len(actions) if isinstance(actions, list | tuple) else 0
        problems = [
            Problem("no-such-action", f"There is no action {number}.", str(number), f"at most {count}",
                    inside=("notes", str(number)))
            for number in data.get("notes") or {}
            if number > count
        ]  # fmt: skip
        if problems:
            raise refuse(*problems)

    @post_load
    def _make(self, data: dict[str, Any], **kwargs: object) -> Round:
        facts = Facts(**{key: data.get(key) for key in FACTS})
        return Round(
            dealer=data["dealer"],
            deal=data.get("deal"),
            play=data.get("actions") or b"",
            piles=data.get("piles"),
            claims=data.get("claims"),
            facts=facts,
            adjust=data.get("adjust"),
            notes=data.get("notes") or {},
        )


FACTS = ("lightning", "first_great", "stopped", "calls")


class Options(Part):
    """The game's options that the record states."""

    expected = "an object with options"

    def read(self, value: object, reading: Reading) -> dict[str, OptionValue]:
        if not isinstance(value, Mapping):
            raise self.wrong(value)
        game = reading.game
        if game is None:
            return {}
        known = {option.id: option for option in game.options}
        found: dict[str, OptionValue] = {}
        problems = []
        for key, chosen in value.items():
            option = known.get(key)
            if option is None:
                detail = f"{game.id} has no option `{str(key)[:80]}`."
                expected = f"one of {', '.join(known)}"
                meant = partial(nearest, str(key), list(known))
                problems.append(Problem("unknown-option", detail, str(key), expected, meant, inside=(str(key),)))
                continue
            if chosen is None:
                continue
            fitting = [each for each in option.values if _same(each, chosen)]
            if fitting:
                found[key] = fitting[0]
                continue
            words = [token_of(each) for each in option.values]
            same_kind = isinstance(chosen, str) or not isinstance(option.default, str)
            problems.append(
                Problem(
                    "unknown-value" if kind_of(chosen) == kind_of(option.default) else "wrong-type",
                    f"`{key}` cannot be {token_of(chosen)[:80]}.",
                    token_of(chosen),
                    f"one of {', '.join(words)} ({kind_of(option.default)})",
                    partial(nearest, token_of(chosen), words) if same_kind else None,
                    inside=(key,),
                )
            )
        if problems:
            raise refuse(*problems)
        return found


def _same(value: OptionValue, chosen: object) -> bool:
    """Whether a JSON value is an option's: a number is no boolean, 8.0 is 8."""
    if isinstance(value, bool) or isinstance(chosen, bool) or isinstance(value, str):
        return type(value) is type(chosen) and value == chosen
    return isinstance(chosen, int | float) and value == chosen


class Sides(Part):
    """A partition of the seats that the rules know (HG-2)."""

    expected = "a partition of the seats"

    def read(self, value: object, reading: Reading) -> tuple[tuple[int, ...], ...]:
        if not isinstance(value, list | tuple):
            raise self.wrong(value)
        sides: list[tuple[int, ...]] = []
        for side in value:
            members = [number_of(seat) for seat in side] if isinstance(side, list | tuple) else [None]
            if not all(isinstance(seat, int) for seat in members):
                raise refuse(Problem("wrong-type", "A side is a list of seats.", kind_of(value), self.expected))
            sides.append(tuple(int(seat) for seat in members if seat is not None))
        game = reading.game
        if game is not None and reading.seats:
            allowed = game.partitions.get(reading.seats, ())
            if sorted(sides) not in [sorted(tuple(seat + 1 for seat in side) for side in each) for each in allowed]:
                written = "+".join
                words = [", ".join(written(str(seat + 1) for seat in side) for side in each) for each in allowed]
                expected = " or ".join(words) if words else f"none: {game.id} at {reading.seats} seats has no teams"
                token = ", ".join(written(map(str, side)) for side in sides)
                raise refuse(Problem("wrong-sides", "These sides are no partition that the rules know.", token, expected))
        return tuple(sides)


class RecordSchema(Strict):
    """A whole record."""

    format = OneOf((FORMAT,), "wrong-format", required=True)
    variant = OneOf(VARIANTS, "unknown-variant", required=True)
    options = Options()
    event = Object(EventSchema())
    players = ListOf(Object(PlayerSchema(), required=True), what="the players in seat order", required=True)
    sides = Sides()
    match = Object(MatchSchema())
    rounds = ListOf(
        Object(RoundSchema(), required=True), what="a list of rounds", most=lambda reading: reading.limits.rounds,
        required=True,
    )  # fmt: skip
    claims = Object(RecordClaimsSchema())

    @pre_load
    def _peek(self, data: Mapping[str, object], **kwargs: object) -> Mapping[str, object]:
        READING.set(reading_of(data, READING.get().limits))
        return data

    @validates_schema(pass_original=True, skip_on_field_errors=False)
    def _seats_of_the_game(self, data: dict[str, Any], original: Mapping[str, object], **kwargs: object) -> None:
        game = READING.get().game
        players = original.get("players")
        if game is not None and isinstance(players, list | tuple) and len(players) not in game.seats:
            allowed = f"{game.seats[0]} to {game.seats[-1]}" if len(game.seats) > 1 else str(game.seats[0])
            detail = f"{game.id} is not played by {len(players)}."
            raise refuse(Problem("wrong-seats", detail, str(len(players)), f"{allowed} players", inside=("players",)))

    @validates_schema(pass_original=True, skip_on_field_errors=False)
    def _some_round(self, data: dict[str, Any], original: Mapping[str, object], **kwargs: object) -> None:
        rounds = original.get("rounds")
        if isinstance(rounds, list | tuple) and not rounds:
            raise refuse(Problem("wrong-length", "There is no round.", expected="at least one round", inside=("rounds",)))

    @post_load
    def _make(self, data: dict[str, Any], **kwargs: object) -> Record:
        claims = data.get("claims") or {}
        return Record(
            variant=data["variant"],
            players=tuple(player["name"] for player in data["players"]),
            rounds=data["rounds"],
            options=data.get("options") or {},
            sides=data.get("sides"),
            match=data.get("match"),
            event=data.get("event") or Event(),
            totals=claims.get("totals"),
            winner=claims.get("winner"),
        )


RECORD = RecordSchema()
"""Made once: a schema costs more to make than to use."""


def reading_of(document: Mapping[str, object], limits: Limits) -> Reading:
    """What the fields must know, taken from a record that may be broken."""
    variant = document.get("variant")
    game = next((each for each in GAMES if each.id == variant), None)
    players, sides = document.get("players"), document.get("sides")
    seats = len(players) if isinstance(players, list | tuple) else 0
    if game is not None and seats not in game.seats:
        seats = 0
    count = len(sides) if isinstance(sides, list | tuple) else 0
    options = document.get("options")
    shared = isinstance(options, Mapping) and options.get("team_pile") == "shared" and count
    merge, facts = traits(game.id) if game is not None else (False, None)
    return Reading(limits, game, merge, seats, count or seats, count if shared else seats, facts)


@cache
def traits(id: str) -> tuple[bool, tuple[str, ...]]:
    """Whether the game's yellow chaff is a plain one, and which facts play alone does not tell (AU-2)."""
    game = find(id)
    rules = Rules(game, {}, game.seats[0], None)
    has = {
        "lightning": rules.kan_lightning,
        "first_great": bool(game.great),
        "stopped": rules.calls,
        "calls": rules.calls,
    }
    return rules.merge_yellow, tuple(key for key in FACTS if has[key])


def judge(document: object, limits: Limits = LIMITS) -> tuple[Record | None, Found]:
    """The record that plain values say, or all that is wrong with them, by path, in the document's order."""
    if not isinstance(document, Mapping):
        return None, [((), Problem("wrong-type", f"A record is no {kind_of(document).split()[-1]}.", expected="an object"))]
    token = READING.set(Reading(limits, None, False, 0, 0, 0, None))
    try:
        record: Record = RECORD.load(document)
    except ValidationError as error:
        found = [(problem.inside, _here(problem)) for problem in flat(error.messages)]
        return None, sorted(found, key=_Order(document))
    finally:
        READING.reset(token)
    extra = dict(_extra(document, ()))
    return (record if not extra else _with_extra(record, extra)), []


def _here(problem: Problem) -> Problem:
    return Problem(problem.code, problem.detail, problem.token, problem.expected, problem.meant, problem.offset)


class _Order:
    """Where paths lie in a document: what is not there stands after its siblings."""

    def __init__(self, document: object) -> None:
        self.document = document
        self.keys: dict[int, dict[object, int]] = {}
        """The places of an object's keys, by the object's id: worked out once, however many are wrong."""

    def __call__(self, each: tuple[Path, Problem]) -> list[int]:
        path, problem = each
        order: list[int] = []
        value = self.document
        for part in path:
            if isinstance(value, Mapping):
                places = self.keys.get(id(value))
                if places is None:
                    places = self.keys[id(value)] = {key: place for place, key in enumerate(value)}
                order.append(places.get(part, len(places)))
                value = value.get(part)
            elif isinstance(value, list | tuple) and isinstance(part, int):
                order.append(part)
                value = value[part] if part < len(value) else None
        return [*order, problem.offset or 0]


def _extra(value: object, path: Path) -> list[tuple[str, dict[str, object]]]:
    """The `x_` keys, by the pointer of the object that holds them."""
    found: list[tuple[str, dict[str, object]]] = []
    if isinstance(value, Mapping):
        own = {key: each for key, each in value.items() if key.startswith("x_")}
        if own:
            found.append((pointer(path), own))
        for key, each in value.items():
            if key not in own and isinstance(each, Mapping | list):
                found += _extra(each, (*path, key))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            if isinstance(each, Mapping | list):
                found += _extra(each, (*path, index))
    return found


def _with_extra(record: Record, extra: dict[str, dict[str, object]]) -> Record:
    return Record(
        record.variant,
        record.players,
        record.rounds,
        record.options,
        record.sides,
        record.match,
        record.event,
        record.totals,
        record.winner,
        extra,
    )


def load(document: object, wrong: Found | None, limits: Limits) -> Record:
    """The record of a JSON document. `wrong`: what decoding found; None: not decoded from JSON, so look. Raises RecordErrors."""
    if wrong is None:
        wrong = list(faults(document, limits))
    if any(problem.code == "too-deep" for _, problem in wrong):
        raise RecordErrors(listed(wrong, limits))
    record, found = judge(document, limits)
    told = {path for path, _ in wrong}
    wrong = wrong + [each for each in found if each[0] not in told]
    if wrong or record is None:
        raise RecordErrors(listed(sorted(wrong, key=_Order(document)), limits))
    return record
