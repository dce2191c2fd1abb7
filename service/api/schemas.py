"""Schemas of what the API answers and of the parameters it takes: marshmallow, from which the OpenAPI document comes."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

import marshmallow as ma
from marshmallow import fields, validate

from analysis.findings import KINDS
from analysis.statistics import ROLES
from records.games import GAMES
from service.charts import LONGEST
from service.queries import NEWEST, SORTS, condition
from web.cases import CLAIMS

VERDICTS = ("unlawful", "disputed", "incomplete", "lawful", "confirmed")
LONGEST_PAGE = 200
_DATE = validate.Regexp(r"\A\d{4}(-\d\d){0,2}\Z", error="A date is written 2026, 2026-11 or 2026-11-30.")


def embedded(name: str, schema: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """A JSON Schema with definitions of its own as components of an OpenAPI document, by component name."""

    def moved(node: Any) -> Any:
        if isinstance(node, list):
            return [moved(each) for each in node]
        if not isinstance(node, Mapping):
            return node
        return {key: _moved_reference(value) if key == "$ref" else moved(value) for key, value in node.items()}

    def _moved_reference(value: str) -> str:
        return value.replace("#/$defs/", f"#/components/schemas/{name}.") if value != "#" else f"#/components/schemas/{name}"

    whole = {key: moved(value) for key, value in schema.items() if key not in ("$schema", "$id", "$defs")}
    parts = {f"{name}.{key}": moved(value) for key, value in schema.get("$defs", {}).items()}
    return {name: whole, **parts}


def _among(known: tuple[str, ...]) -> Any:
    def check(value: str) -> None:
        for part in value.split(","):
            if part.strip() and part.strip() not in known:
                near = get_close_matches(part, known, 1)
                raise ma.ValidationError(
                    f"There is no {part.strip()!r}; expected one or more of {', '.join(known)}, divided by commas."
                    + (f" Did you mean {near[0]!r}?" if near else "")
                )

    return check


def _listed(description: str, known: tuple[str, ...]) -> Any:
    """One or more of these words, divided by commas."""
    word = rf"\s*({'|'.join(known)})?\s*"
    return fields.String(validate=_among(known), metadata={"description": description, "pattern": f"^{word}(,{word})*$"})


def _text(description: str, **more: Any) -> Any:
    return fields.String(metadata={"description": description}, **more)


class Fault(ma.Schema):
    """One fault of what was sent."""

    code = fields.String(required=True, metadata={"description": "Stable name of the kind of fault"})
    detail = fields.String(required=True, metadata={"description": "What is wrong, for people"})
    pointer = fields.String(metadata={"description": "JSON pointer into the body; /query/NAME for a parameter of the address"})
    line = fields.Integer(metadata={"description": "Line of a text, from 1"})
    column = fields.Integer(metadata={"description": "Column in its line, in characters from 1"})
    token = fields.String(metadata={"description": "The offending word"})
    expected = fields.String(metadata={"description": "What was expected there"})
    meant = fields.String(metadata={"description": "What was probably meant"})


class Problem(ma.Schema):
    """A problem document, RFC 9457."""

    type = fields.String(required=True, metadata={"description": "about:blank: the status says what kind it is"})
    title = fields.String(required=True, metadata={"description": "The status in words"})
    status = fields.Integer(required=True, metadata={"description": "The HTTP status"})
    detail = fields.String(metadata={"description": "What happened, for people"})
    errors = fields.List(fields.Nested(Fault), metadata={"description": "Every fault of what was sent"})


class FilterQuery(ma.Schema):
    """Filters of records; all of them together."""

    variant = _listed("Games, divided by commas", tuple(game.id for game in GAMES))
    player = _text("A player's whole name, in any case")
    opponent = _text("Another player's whole name, in any case; on another side than `player`, where one is named")
    options = _text("Options of the game that `variant` names: option=value, divided by commas")
    verdict = _listed("Verdicts, divided by commas", VERDICTS)
    event = _text("An event's whole name, in any case")
    from_ = _text("First date: a year, a month or a day", data_key="from", validate=_DATE)
    to = _text("Last date: a year, a month or a day", validate=_DATE)
    finding = _listed("Codes of findings, divided by commas", tuple(KINDS))
    yaku = _text("Ids of yaku that were made, divided by commas")
    dispute = _listed("What a dispute over the record is about, divided by commas", CLAIMS)
    sample = fields.Boolean(metadata={"description": "Only the records that came with the product, or only the others"})

    @ma.validates_schema(skip_on_field_errors=True)
    def check_options(self, data: dict[str, Any], **_: Any) -> None:
        """Options are those of the one game that is named."""
        try:
            condition({name: data.get(name, "") for name in ("variant", "options")})
        except ValueError as error:
            raise ma.ValidationError(str(error).splitlines(), "options") from error


class StatsQuery(FilterQuery):
    """Filters, and whose results count."""

    role = _text("Results of the dealers alone, or of the others", validate=validate.OneOf(tuple(ROLES)))
    seconds = fields.Float(
        load_default=0.0,
        validate=validate.Range(0, LONGEST),
        metadata={"description": "Where the numbers rest on a sample of records: for how long more of it is taken in"},
    )


class ListQuery(FilterQuery):
    """Filters, order and place of a list of records."""

    sort = _text(
        "Order; a minus before it turns it round",
        load_default=NEWEST,
        validate=validate.OneOf([sign + name for name in SORTS for sign in ("", "-")]),
    )
    cursor = _text("Where to go on: `next` of the page before")
    limit = fields.Integer(
        load_default=50,
        validate=validate.Range(1, LONGEST_PAGE),
        metadata={"description": "Records on a page, at most"},
    )


def filters_of(query: dict[str, Any]) -> dict[str, str]:
    """The filters in a parsed query, as `service.queries` takes them."""
    return {name.rstrip("_"): str(query[name]) for name in FilterQuery().fields if name in query}


class RecordQuery(ma.Schema):
    """Which form of a record is wanted."""

    as_ = _text(
        "`json`: canonical JSON; `text`: as text; `sent`: the bytes as they were sent. It goes before the Accept header.",
        data_key="as",
        validate=validate.OneOf(["json", "text", "sent"]),
    )


class AuditQuery(ma.Schema):
    """Other rules to try."""

    options = _text(
        "Options to try, `key=value`, divided by commas; the record's own stay as they are",
        validate=validate.Regexp(r"\A[a-z_]+=[^,\s=]+(,[a-z_]+=[^,\s=]+)*\Z", error="Options are written `key=value`, divided by commas."),
    )


class ReplayQuery(ma.Schema):
    """Which rounds are wanted."""

    round = fields.Integer(validate=validate.Range(min=1), metadata={"description": "One round, from 1; all where absent"})


class Yaku(ma.Schema):
    """A yaku that was made."""

    id = fields.String(required=True)
    points = fields.Float(required=True)
    action = fields.Integer(required=True, allow_none=True, metadata={"description": "The action that completed it"})
    seat = fields.Integer(required=True, allow_none=True)
    negated = fields.Boolean(required=True, metadata={"description": "Made, but paid nothing"})


class Entry(ma.Schema):
    """A line of the ledger."""

    side = fields.Integer(required=True)
    amount = fields.Float(required=True)
    from_ = fields.Integer(required=True, allow_none=True, data_key="from")
    rule = fields.String(required=True)
    why = fields.String(required=True)
    args = fields.Dict()


class Finding(ma.Schema):
    """Something that is wrong, where, and by which rule."""

    code = fields.String(required=True)
    severity = fields.String(required=True, validate=validate.OneOf(["unlawful", "dispute", "incomplete"]))
    round = fields.Integer(required=True, allow_none=True)
    action = fields.Integer(required=True, allow_none=True, metadata={"description": "0: the deal"})
    pointer = fields.String(required=True, allow_none=True)
    rule = fields.String(required=True, allow_none=True)
    message = fields.String(required=True)
    args = fields.Dict()
    expected = fields.Raw(allow_none=True, metadata={"description": "As recomputed"})
    actual = fields.Raw(allow_none=True, metadata={"description": "As recorded"})


class Possible(ma.Schema):
    """An outcome that the record allows."""

    if_ = fields.String(required=True, data_key="if")
    points = fields.List(fields.Float(), allow_none=True)
    yaku = fields.Raw(allow_none=True)
    scores = fields.List(fields.Float(), required=True, allow_none=True)
    args = fields.Dict()


class RoundReport(ma.Schema):
    """What came out of a round."""

    round = fields.Integer(required=True)
    level = fields.String(required=True, validate=validate.OneOf(["full", "moves", "piles", "scores"]))
    end = fields.String(required=True, allow_none=True)
    verdict = fields.String(required=True, validate=validate.OneOf(VERDICTS))
    points = fields.List(fields.Float(), required=True, allow_none=True)
    rounded = fields.List(fields.Integer(), allow_none=True)
    yaku = fields.List(fields.List(fields.Nested(Yaku)), required=True, allow_none=True)
    scores = fields.List(fields.Float(), required=True, allow_none=True)
    winner = fields.Integer(required=True, allow_none=True)
    next_dealer = fields.Integer(required=True, allow_none=True)
    ledger = fields.List(fields.Nested(Entry), required=True, allow_none=True)
    findings = fields.List(fields.Nested(Finding), required=True)
    possible = fields.List(fields.Nested(Possible), required=True)


class Explanation(ma.Schema):
    """Other options under which play is lawful and every claim right."""

    options = fields.Dict(required=True)
    changes = fields.Integer(required=True)


class Report(ma.Schema):
    """An audit report."""

    record = fields.String(required=True, metadata={"description": "The record's id"})
    variant = fields.String(required=True)
    options = fields.Dict(required=True, metadata={"description": "All effective options"})
    engine = fields.String(required=True)
    verdict = fields.String(required=True, validate=validate.OneOf(VERDICTS))
    rounds = fields.List(fields.Nested(RoundReport), required=True)
    totals = fields.List(fields.Float(), required=True, allow_none=True)
    winner = fields.Integer(required=True, allow_none=True)
    findings = fields.List(fields.Nested(Finding), required=True)
    explanations = fields.List(fields.Nested(Explanation))


class RecordItem(ma.Schema):
    """A record in a list."""

    id = fields.String(required=True)
    variant = fields.String(required=True)
    players = fields.List(fields.String(), required=True)
    sides = fields.List(fields.List(fields.Integer()), required=True, allow_none=True)
    event = fields.String(required=True, allow_none=True)
    date = fields.String(required=True, allow_none=True)
    rounds = fields.Integer(required=True)
    verdict = fields.String(required=True, validate=validate.OneOf(VERDICTS))
    totals = fields.List(fields.Float(), required=True, allow_none=True)
    winner = fields.Integer(required=True, allow_none=True)
    findings = fields.Integer(required=True, metadata={"description": "How many"})
    sample = fields.Boolean(required=True)
    sent_at = fields.DateTime(required=True)


class RecordList(ma.Schema):
    """A page of records."""

    items = fields.List(fields.Nested(RecordItem), required=True)
    next = fields.String(required=True, allow_none=True, metadata={"description": "Cursor of the next page"})


class VariantItem(ma.Schema):
    """A game in a few words."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    kanji = fields.String(required=True)
    seats = fields.List(fields.Integer(), required=True)
    text = fields.String(required=True)


class Choice(ma.Schema):
    """A value of an option."""

    value = fields.Raw(required=True)
    text = fields.String(required=True)
    source = fields.String(required=True)


class Option(ma.Schema):
    """A decision that the rules leave open."""

    id = fields.String(required=True)
    rule = fields.String(required=True)
    text = fields.String(required=True)
    default = fields.Raw(required=True)
    values = fields.List(fields.Nested(Choice), required=True)


class CardItem(ma.Schema):
    """A card code of a deck."""

    code = fields.String(required=True)
    month = fields.Integer(required=True)
    kind = fields.String(required=True)
    count = fields.Integer(required=True, metadata={"description": "Cards that bear the code"})
    value = fields.Float(required=True, allow_none=True, metadata={"description": "Card points of one"})


class Variant(VariantItem):
    """A game's rules as data."""

    cards = fields.List(fields.Nested(CardItem), required=True)
    options = fields.List(fields.Nested(Option), required=True)
    yaku = fields.List(fields.Dict(), required=True)
    rules = fields.List(fields.Dict(), required=True, metadata={"description": "Every rule point with its id"})
    deals = fields.List(fields.Dict(), required=True, metadata={"description": "What a table of so many seats is dealt"})
    teams = fields.Dict(required=True, metadata={"description": "Partitions of the seats, by number of seats"})


class VariantList(ma.Schema):
    """The games."""

    items = fields.List(fields.Nested(VariantItem), required=True)
    next = fields.String(required=True, allow_none=True)


class SendQuery(ma.Schema):
    """What to call an import."""

    name = _text("The name of the file, to find the import again", validate=validate.Length(max=200))


class Job(ma.Schema):
    """An import and how far it has got."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    state = fields.String(required=True, validate=validate.OneOf(["queued", "running", "done", "cancelled", "failed"]))
    reason = fields.String(required=True, allow_none=True, metadata={"description": "Why it failed"})
    total = fields.Integer(required=True, allow_none=True, metadata={"description": "Records in all; known at the end"})
    read = fields.Integer(required=True)
    stored = fields.Integer(required=True)
    known = fields.Integer(required=True, metadata={"description": "Records that were here before"})
    rejected = fields.Integer(required=True)
    progress = fields.Float(required=True, allow_none=True, metadata={"description": "Share of the stream that was read"})
    seconds_left = fields.Float(required=True, allow_none=True)
    errors = fields.String(required=True, metadata={"description": "Address of what was refused"})


class JobList(ma.Schema):
    """Imports."""

    items = fields.List(fields.Nested(Job), required=True)
    next = fields.String(required=True, allow_none=True)


class RejectQuery(ma.Schema):
    """Place and length of a list of what was refused."""

    cursor = fields.Integer(validate=validate.Range(0, (1 << 63) - 1), metadata={"description": "`next` of the page before"})
    limit = fields.Integer(load_default=50, validate=validate.Range(1, LONGEST_PAGE))


class Reject(ma.Schema):
    """A record that was refused."""

    place = fields.Integer(required=True, metadata={"description": "In the stream, from 1"})
    position = fields.String(required=True, metadata={"description": "File, line or entry"})
    errors = fields.List(fields.Nested(Fault), required=True)


class RejectList(ma.Schema):
    """A page of what was refused."""

    items = fields.List(fields.Nested(Reject), required=True)
    next = fields.String(required=True, allow_none=True)


class NumbersItem(ma.Schema):
    """A statistic that there is."""

    id = fields.String(required=True)
    unit = fields.String(required=True, metadata={"description": "What is counted"})


class NumbersList(ma.Schema):
    """The statistics."""

    items = fields.List(fields.Nested(NumbersItem), required=True)
    next = fields.String(required=True, allow_none=True)


class SampleOf(ma.Schema):
    """Of how many records numbers were made that not all could be asked for."""

    audited = fields.Integer(required=True, metadata={"description": "Records taken in so far; ask with `seconds` for more"})
    picked = fields.Integer(required=True, metadata={"description": "Records of the sample"})
    chosen = fields.Integer(required=True, metadata={"description": "Records that the filters leave"})


class Numbers(NumbersItem):
    """The numbers behind a chart."""

    n = fields.Integer(required=True, metadata={"description": "Observations that the rows rest on"})
    columns = fields.List(fields.String(), required=True)
    rows = fields.List(fields.List(fields.Raw(allow_none=True)), required=True)
    sql = fields.String(required=True, metadata={"description": "The query that made the rows; where there is a sample, that picked it"})
    sample = fields.Nested(SampleOf, required=True, allow_none=True)
    parameters = fields.Dict(required=True, metadata={"description": "What stands for each ? in the query, by its place"})
