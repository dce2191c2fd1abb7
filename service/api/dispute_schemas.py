"""Schemas of disputes, rulings, standings, comparisons and changed reports: what is sent and what is answered."""

from typing import Any

import marshmallow as ma
from marshmallow import fields, validate

from analysis.rulings import OUTCOMES
from service.api.schemas import VERDICTS, FilterQuery
from service.disputes import LONGEST_NAME, LONGEST_TEXT
from web.cases import CLAIMS, ROLES

MOST_RULES = 50


class Score(fields.Field[int | float]):
    """A whole number or a half."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> int | float:
        if isinstance(value, bool) or not isinstance(value, int | float) or value * 2 != value * 2 // 1 or abs(value) > 1 << 53:
            raise ma.ValidationError("Expected a whole number or a half.")
        return int(value) if value == int(value) else value


def _text(description: str, **more: Any) -> fields.String:
    return fields.String(metadata={"description": description}, **more)


class Acting(ma.Schema):
    """Who acts: as typed."""

    name = _text("Who says it", required=True, validate=validate.Length(1, LONGEST_NAME))
    role = _text("As what", required=True, validate=validate.OneOf(ROLES))


class NewDispute(Acting):
    """A dispute over a claim."""

    role = _text("As what", required=True, validate=validate.OneOf(["player", "director"]))
    claim = _text("What it is about; `totals` and `winner` belong to the record as a whole", required=True, validate=validate.OneOf(CLAIMS))
    round = fields.Integer(
        strict=True,
        allow_none=True,
        load_default=None,
        validate=validate.Range(min=1),
        metadata={"description": "The round, from 1; absent for a claim of the record as a whole"},
    )
    statement = _text("What is wrong, in words", required=True, validate=validate.Length(1, LONGEST_TEXT))


class NewAnswer(Acting):
    """A statement in a dispute."""

    statement = _text("What is said", required=True, validate=validate.Length(1, LONGEST_TEXT))


class NewRuling(Acting):
    """A version of the ruling on a dispute."""

    role = _text("As what", required=True, validate=validate.OneOf(["arbiter"]))
    outcome = _text(
        "`upheld`: the round stands as the rules give it, under the options named; `corrected`: another record takes the place of this "
        "one; `adjusted`: the round counts with the scores named; `replayed`: it does not count, the same dealer deals again; `void`: it "
        "counts with nothing for anybody; `note`: nothing changes",
        required=True,
        validate=validate.OneOf(OUTCOMES),
    )
    reasons = _text("Why", required=True, validate=validate.Length(1, LONGEST_TEXT))
    rules = fields.List(
        fields.String(validate=validate.Length(1, 20)),
        load_default=list,
        validate=validate.Length(max=MOST_RULES),
        metadata={"description": "Ids of the rule points that it rests on"},
    )
    options = fields.Dict(
        keys=fields.String(), load_default=dict, metadata={"description": "The options that it rests on, beside the record's own"}
    )
    scores = fields.List(Score(), load_default=None, allow_none=True, metadata={"description": "By side, where the score is adjusted"})
    record = _text(
        "The record that takes the place of this one; it should name it as `x_replaces`",
        load_default=None,
        allow_none=True,
        validate=validate.Regexp(r"\A(sha256:)?[0-9a-fA-F]{64}\Z", error="The id of a record that is stored is needed."),
    )


class PreviewQuery(ma.Schema):
    """Whether a ruling is only tried."""

    preview = fields.Boolean(load_default=False, metadata={"description": "Say what it would change, and store nothing"})


class By(ma.Schema):
    """Who acted."""

    name = fields.String(required=True)
    role = fields.String(required=True)
    verified = fields.Boolean(required=True, metadata={"description": "Whether an account stands behind the name"})


class StatementItem(ma.Schema):
    """What somebody said."""

    by = fields.Nested(By, required=True)
    at = fields.DateTime(required=True)
    text = fields.String(required=True)


class RulingItem(ma.Schema):
    """One version of a ruling."""

    version = fields.Integer(required=True)
    by = fields.Nested(By, required=True)
    at = fields.DateTime(required=True)
    outcome = fields.String(required=True, validate=validate.OneOf(OUTCOMES))
    reasons = fields.String(required=True)
    rules = fields.List(fields.String(), required=True)
    options = fields.Dict(required=True)
    scores = fields.List(fields.Float(), required=True, allow_none=True)
    record = fields.String(required=True, allow_none=True)


class DisputeItem(ma.Schema):
    """A dispute with all that was said and ruled."""

    number = fields.Integer(required=True)
    round = fields.Integer(required=True, allow_none=True)
    claim = fields.String(required=True)
    opened = fields.Nested(StatementItem, required=True)
    answers = fields.List(fields.Nested(StatementItem), required=True)
    rulings = fields.List(fields.Nested(RulingItem), required=True, metadata={"description": "The last is in force"})


class DisputeList(ma.Schema):
    """The disputes of a record."""

    items = fields.List(fields.Nested(DisputeItem), required=True)
    next = fields.String(required=True, allow_none=True)


class BeforeAfter(ma.Schema):
    """A value without and with a ruling."""

    before = fields.Raw(required=True, allow_none=True)
    after = fields.Raw(required=True, allow_none=True)


class RoundEffect(BeforeAfter):
    """A round that counts otherwise."""

    round = fields.Integer(required=True)


class DealerEffect(RoundEffect):
    """A round that another seat was to deal."""

    dealer = fields.Integer(required=True, allow_none=True, metadata={"description": "Who did deal it"})


class Effect(ma.Schema):
    """What a ruling would change."""

    changes = fields.Boolean(required=True, metadata={"description": "Whether a total, the winner or a later dealer would be another"})
    rounds = fields.List(fields.Nested(RoundEffect), required=True)
    dealers = fields.List(fields.Nested(DealerEffect), required=True)
    totals = fields.Nested(BeforeAfter, required=True)
    winner = fields.Nested(BeforeAfter, required=True)
    claims_right = fields.Boolean(
        required=True, allow_none=True, metadata={"description": "Whether every claim of the round is right under the options named"}
    )


class RoundStanding(ma.Schema):
    """A round as it counts."""

    round = fields.Integer(required=True)
    dealer = fields.Integer(required=True)
    due = fields.Integer(required=True, allow_none=True, metadata={"description": "Who was to deal it"})
    scores = fields.List(fields.Float(), required=True, allow_none=True)
    winner = fields.Integer(required=True, allow_none=True)
    next_dealer = fields.Integer(required=True, allow_none=True)
    counts = fields.Boolean(required=True)


class Standing(ma.Schema):
    """A match as it stands."""

    rounds = fields.List(fields.Nested(RoundStanding), required=True)
    totals = fields.List(fields.Float(), required=True, allow_none=True)
    winner = fields.Integer(required=True, allow_none=True)


class Standings(ma.Schema):
    """A match under the report and under the rulings."""

    report = fields.Nested(Standing, required=True)
    rulings = fields.Nested(Standing, required=True)
    differ = fields.Boolean(required=True)
    replaced_by = fields.String(required=True, allow_none=True)
    replaces = fields.List(fields.String(), required=True)


class PlayerStanding(ma.Schema):
    """A player's total over many records."""

    player = fields.String(required=True)
    records = fields.Integer(required=True)
    report = fields.Float(required=True, allow_none=True)
    rulings = fields.Float(required=True, allow_none=True)


class PlayerStandings(ma.Schema):
    """Players, best first."""

    items = fields.List(fields.Nested(PlayerStanding), required=True)
    next = fields.String(required=True, allow_none=True)


class StandingsQuery(FilterQuery):
    """Which records count."""


class CompareQuery(ma.Schema):
    """Which two sheets."""

    a = _text("A record's id", required=True)
    b = _text("Another's", required=True)


class Difference(ma.Schema):
    """Where two reports differ."""

    round = fields.Integer(required=True, allow_none=True)
    what = fields.String(required=True)
    side = fields.Integer(required=True, allow_none=True)
    before = fields.Raw(required=True, allow_none=True)
    after = fields.Raw(required=True, allow_none=True)


class ChangeItem(ma.Schema):
    """A report that another engine gave otherwise."""

    id = fields.String(required=True)
    at = fields.DateTime(required=True)
    engine_before = fields.String(required=True)
    engine = fields.String(required=True)
    verdict_before = fields.String(required=True, validate=validate.OneOf(VERDICTS))
    verdict = fields.String(required=True, validate=validate.OneOf(VERDICTS))
    differences = fields.List(fields.Nested(Difference), required=True)


class ChangeList(ma.Schema):
    """Records whose verdict another engine changed."""

    items = fields.List(fields.Nested(ChangeItem), required=True)
    next = fields.String(required=True, allow_none=True)


class ReauditQuery(ma.Schema):
    """Where to go on."""

    cursor = fields.Integer(
        load_default=-1, validate=validate.Range(-1, (1 << 63) - 1), metadata={"description": "`next` of the call before"}
    )


class ReauditAnswer(ma.Schema):
    """How far it has got."""

    audited = fields.Integer(required=True)
    changed = fields.Integer(required=True)
    next = fields.Integer(required=True, allow_none=True)


SENT = (NewDispute, NewAnswer, NewRuling)
"""Schemas of bodies."""
