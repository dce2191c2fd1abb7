"""Disputes and rulings over the records of a desk. Implements `web.cases.Cases`.

Whoever acts says a name and a role; until an account stands behind them they are unverified. Nothing is changed or taken back: an answer is
one more statement, a ruling one more version. What a ruling comes to is asked of `analysis.rulings`.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson

from analysis import rulings
from analysis.rulings import Decision
from analysis.variants import describe
from records.formats import read_record, to_json
from records.normal import identity
from records.record import Record
from service import acts, casefile, reaudits
from service.accounts.shown import shown_disputes, shown_parts
from service.acts import Act
from service.chain import digest
from service.desk import Desk, now, read_id
from service.rows import JSON
from web.cases import CLAIMS, ROLES, WHOLE, Actor, Change, Dispute, Refusal, Ruling
from web.contexts import Json, RecordRow, StoredRecord

LONGEST_NAME: Final = 200
LONGEST_TEXT: Final = 10_000
"""Characters of a statement, or of a ruling's reasons."""
MOST_ACTS: Final = 1000
"""Acts on one record."""
A_PAGE: Final = 200


class Disputes:
    """The cases of a desk. Safe to use from many threads."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._store = desk.store

    def disputes(self, id: str) -> list[Dispute]:
        """The disputes of a record, by number."""
        return shown_disputes(self._desk.pseudonyms(), acts.disputes(acts.kept(self._store, self._key(id))))

    def dispute(self, id: str, number: int) -> Dispute:
        """One of them."""
        for each in self.disputes(id):
            if each.number == number:
                return each
        raise KeyError(number)

    def open(self, id: str, by: Actor, round: int | None, claim: str, statement: str) -> Dispute:
        """Opens a dispute over a claim of a round, or of the record as a whole."""
        kept = self._record(id)
        faults = _actor(by, ("player", "director")) | _text("statement", statement)
        if claim not in CLAIMS:
            faults["claim"] = f"{claim!r} is none of {', '.join(CLAIMS)}"
        elif claim in WHOLE and round is not None:
            faults["round"] = f"{claim} belong to the record as a whole: no round is named"
        elif claim not in WHOLE and (round is None or not 1 <= round <= len(kept.record.rounds)):
            faults["round"] = f"a round is needed, 1 to {len(kept.record.rounds)}"
        number = self._append(kept, acts.OPENED, by, {"round": round, "claim": claim, "statement": statement.strip()}, faults)
        return self.dispute(id, number)

    def answer(self, id: str, number: int, by: Actor, statement: str) -> Dispute:
        """Adds a statement to a dispute."""
        kept, _ = self._record(id), self.dispute(id, number)
        faults = _actor(by, ROLES) | _text("statement", statement)
        self._append(kept, acts.ANSWERED, by, {"statement": statement.strip()}, faults, number)
        return self.dispute(id, number)

    def preview(self, id: str, number: int, by: Actor, ruling: Mapping[str, Any]) -> Json:
        """What a ruling would change, worked out by the engine; nothing is stored."""
        kept, about = self._record(id), self.dispute(id, number)
        return self._effect(kept, about, self._decision(kept, about, by, ruling))

    def rule(self, id: str, number: int, by: Actor, ruling: Mapping[str, Any]) -> Dispute:
        """Adds a version of the ruling. A corrected record that comes with it is stored, and names this one as the one that it replaces."""
        kept, about = self._record(id), self.dispute(id, number)
        decision = self._decision(kept, about, by, ruling)
        if ruling.get("text") and decision.record is not None:
            written = to_json(decision.record) | {"x_replaces": f"sha256:{kept.id}"}
            self._desk.add(orjson.dumps(written), JSON)
        said = {
            "outcome": decision.outcome,
            "reasons": str(ruling["reasons"]).strip(),
            "rules": list(ruling.get("rules") or ()),
            "options": dict(decision.options),
            "scores": None if decision.scores is None else list(decision.scores),
            "record": None if decision.record is None else identity(decision.record),
        }
        self._append(kept, acts.RULED, by, said, {}, number)
        return self.dispute(id, number)

    def standings(self, id: str) -> Json:
        """The match under the report and under the rulings in force."""
        kept = self._record(id)
        report = rulings.standing(kept.record)
        ruled = rulings.standing(kept.record, self._decisions(kept.id))
        return {
            "report": report,
            "rulings": ruled,
            "differ": report != ruled,
            "replaced_by": self._replacement(kept.id),
            "replaces": self._replaced(kept.id),
        }

    def event_standings(self, filters: Mapping[str, str]) -> list[Json]:
        """By player, best first: records, and the totals under reports and under rulings; None where one is not known."""
        ruled = {id.hex() for (id,) in self._store.read("SELECT DISTINCT record FROM acts WHERE kind = ?", (acts.RULED,))}
        taken_in = {self._replacement(id) for id in ruled}
        players: dict[str, list[Any]] = {}
        for row in self._rows(filters):
            if row.id in taken_in:
                continue
            reported = row.totals
            after = self.standings(row.id)["rulings"]["totals"] if row.id in ruled else reported
            for seat, name in enumerate(row.players, start=1):
                side = seat - 1 if row.sides is None else next(place for place, side in enumerate(row.sides) if seat in side)
                line = players.setdefault(name, [0, 0, 0])
                line[0] += 1
                for place, totals in ((1, reported), (2, after)):
                    line[place] = None if totals is None or line[place] is None else line[place] + totals[side]
        lines = [{"player": name, "records": count, "report": report, "rulings": after} for name, (count, report, after) in players.items()]
        return sorted(lines, key=lambda line: (line["rulings"] is None, -(line["rulings"] or 0), line["player"]))

    def log(self, id: str) -> list[Json]:
        """The log of a record."""
        return [casefile.entry_json(entry) for entry in acts.log(self._store, self._key(id))]

    def case(self, id: str) -> bytes:
        """The case of a record as one zip."""
        kept, key = self._record(id), self._key(id)
        reaudits.note(self._store, kept)
        parts = casefile.Parts(
            id=kept.id,
            sent=kept.raw,
            record=kept.record,
            report=kept.report,
            acts=[act.body for act in acts.kept(self._store, key)],
            log=acts.log(self._store, key),
            corrections=self._corrections(kept.id),
        )
        return casefile.pack(shown_parts(self._desk.pseudonyms(), parts))

    def change(self, id: str) -> Change | None:
        """What another engine changed in a report."""
        return reaudits.change(self._store, self._key(id))

    def changed(self) -> list[Change]:
        """All records whose verdict another engine changed."""
        return [change for change in reaudits.changed(self._store) if self._desk.sees(change.id)]

    def _key(self, id: str) -> bytes:
        key = read_id(id)
        if key is None or not self._desk.sees(id):
            raise KeyError(id)
        return key

    def _record(self, id: str) -> StoredRecord:
        kept = self._desk.original(id)
        if kept is None:
            raise KeyError(id)
        return kept

    def _rows(self, filters: Mapping[str, str]) -> Sequence[RecordRow]:
        found: list[RecordRow] = []
        cursor: str | None = None
        while True:
            page = self._desk.records(filters, "sent", cursor, A_PAGE)
            found += page.items
            cursor = page.next
            if cursor is None:
                return found

    def _append(
        self, kept: StoredRecord, kind: str, by: Actor, said: Mapping[str, Any], faults: Mapping[str, str], dispute: int | None = None
    ) -> int:
        """Appends an act, unless there are faults; the number of its dispute."""
        key = bytes.fromhex(kept.id)
        if self._store.read("SELECT count(*) FROM acts WHERE record = ?", (key,))[0][0] >= MOST_ACTS:
            faults = {**faults, "": f"there are {MOST_ACTS} acts on this record already, and there can be no more"}
        if faults:
            raise Refusal(faults)
        evidence = {
            "sent": f"sha256:{hashlib.sha256(kept.raw).hexdigest()}",
            "report": f"sha256:{digest(kept.report)}",
            "engine": kept.report["engine"],
        }
        return self._store.write(acts.append, Act(key, kind, by, now(), said, evidence, dispute)).result()

    def _decision(self, kept: StoredRecord, about: Dispute, by: Actor, ruling: Mapping[str, Any]) -> Decision:
        """A ruling as it was sent, as far as standings depend on it. Raises Refusal with every fault."""
        faults = _actor(by, ("arbiter",))
        outcome = str(ruling.get("outcome", ""))
        other: StoredRecord | None = None
        corrected = read_record(str(ruling["text"])) if outcome == rulings.CORRECTED and ruling.get("text") else None
        if corrected is not None and identity(corrected) == f"sha256:{kept.id}":
            faults["text"] = "this is the record itself; nothing in it is corrected"
        if target := ruling.get("record"):
            other = self._desk.original(str(target))
            if other is None:
                faults["record"] = f"there is no record {target}"
            elif kept.id in self._line(other.id):
                faults["record"] = "this record takes the place of that one already"
            elif (named := _names(other.raw)) not in (None, f"sha256:{kept.id}"):
                faults["record"] = f"the corrected record names another one that it replaces: {named}"
        scores = ruling.get("scores")
        decision = Decision(
            outcome,
            about.round,
            dict(ruling.get("options") or {}),
            None if scores is None else tuple(int(score) if score == int(score) else score for score in scores),
            corrected if other is None else other.record,
            () if other is None or "record" in faults else tuple(self._decisions(other.id)),
        )
        faults = _ruling(kept.record, decision, ruling) | faults
        if faults:
            raise Refusal(faults)
        return decision

    def _effect(self, kept: StoredRecord, about: Dispute, decision: Decision) -> Json:
        before = self._decisions(kept.id)
        after = [*self._decisions(kept.id, without=about.number), decision]
        return rulings.effect(kept.record, before, after) | {"claims_right": rulings.claims_right(kept.record, decision)}

    def _decisions(self, id: str, without: int = 0) -> list[Decision]:
        """The rulings in force on a record, in the order in which they were given; of each dispute the last version."""
        return [self._read_decision(number, about, ruling) for number, about, ruling in self._in_force(id) if number != without]

    def _in_force(self, id: str) -> list[tuple[int, int | None, Ruling]]:
        kept = acts.kept(self._store, bytes.fromhex(id))
        given = {act.dispute: act.entry for act in kept if act.kind == acts.RULED}
        found = [(each.number, each.round, each.ruling) for each in acts.disputes(kept) if each.ruling is not None]
        return sorted(found, key=lambda one: given[one[0]])

    def _read_decision(self, number: int, round: int | None, ruling: Ruling) -> Decision:
        other = None if ruling.record is None else self._desk.original(ruling.record)
        scores = None if ruling.scores is None else tuple(ruling.scores)
        own = () if other is None else tuple(self._decisions(other.id))
        return Decision(ruling.outcome, round, ruling.options, scores, None if other is None else other.record, own)

    def _replacement(self, id: str) -> str | None:
        """The record that takes the place of this one."""
        named = [ruling.record for _, _, ruling in self._in_force(id) if ruling.record is not None]
        return named[-1] if named else None

    def _replaced(self, id: str) -> list[str]:
        """The records whose place this one takes."""
        rows = self._store.read("SELECT DISTINCT record FROM acts WHERE target = ?", (bytes.fromhex(id),))
        return [other.hex() for (other,) in rows if self._replacement(other.hex()) == id]

    def _line(self, id: str) -> list[str]:
        """The record and those that take its place, one after the other."""
        line = [id]
        while (following := self._replacement(line[-1])) is not None and following not in line:
            line.append(following)
        return line

    def _corrections(self, id: str) -> list[Record]:
        """Every record that a ruling on this one has ever put in its place."""
        ids = {ruling.record for each in self.disputes(id) for ruling in each.rulings if ruling.record is not None}
        return [found.record for each in sorted(ids) if (found := self._desk.original(each)) is not None]


def _actor(by: Actor, roles: Sequence[str]) -> dict[str, str]:
    """What is wrong with whoever acts."""
    faults = {}
    if not by.name.strip():
        faults["name"] = "a name is needed"
    elif len(by.name) > LONGEST_NAME or any(_control(letter) for letter in by.name):
        faults["name"] = f"a name has at most {LONGEST_NAME} characters and no control characters"
    if by.role not in roles:
        faults["role"] = f"{by.role!r} may not do this; {' or '.join(roles)} may"
    return faults


def _text(part: str, text: str) -> dict[str, str]:
    """What is wrong with a statement, or with reasons."""
    if not text.strip():
        return {part: "a text is needed"}
    if len(text) > LONGEST_TEXT:
        return {part: f"a text has at most {LONGEST_TEXT} characters"}
    if any(_control(letter) and letter not in "\n\r\t" for letter in text):
        return {part: "a text holds no control characters"}
    return {}


def _control(letter: str) -> bool:
    """Whether it is a control character, or half of a character."""
    return ord(letter) < 32 or 127 <= ord(letter) < 160 or 0xD800 <= ord(letter) < 0xE000


def _ruling(record: Record, decision: Decision, ruling: Mapping[str, Any]) -> dict[str, str]:
    """What is wrong with a ruling on a record, who gives it left aside."""
    if decision.outcome not in rulings.OUTCOMES:
        return {"outcome": f"{decision.outcome!r} is none of {', '.join(rulings.OUTCOMES)}"}
    faults = rulings.check(record, decision) | _text("reasons", str(ruling.get("reasons") or ""))
    known = {point["id"] for point in describe(record.variant)["rules"]}
    if unknown := [rule for rule in ruling.get("rules") or () if rule not in known and not rule.startswith("AU-")]:
        faults["rules"] = f"{record.variant} has no rule point {', '.join(map(str, unknown))}"
    return faults


def _names(raw: bytes) -> str | None:
    """The record that a record as sent says it replaces."""
    named = read_record(raw).extra.get("", {}).get("x_replaces")
    return named if isinstance(named, str) else None
