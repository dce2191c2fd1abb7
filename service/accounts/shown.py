"""Disputes and cases under pseudonyms. What is exported is a case of its own: its record has its own identity, its report comes out of that
record, and its log is chained anew over acts without the names, so that it verifies by itself."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from analysis.audit import audit
from records import normal
from records.formats import read_record
from records.normal import identity
from service.accounts.pseudonyms import Pseudonyms
from service.casefile import Json, Parts
from service.chain import Entry, digest, linked
from web.cases import Dispute, Statement


def shown_disputes(names: Pseudonyms, disputes: Sequence[Dispute]) -> list[Dispute]:
    """Disputes without the names that have a pseudonym."""
    if not names.by_name:
        return list(disputes)

    def said(statement: Statement) -> Statement:
        return replace(statement, by=replace(statement.by, name=names.text(statement.by.name)), text=names.text(statement.text))

    return [
        replace(
            dispute,
            opened=said(dispute.opened),
            answers=[said(each) for each in dispute.answers],
            rulings=[
                replace(each, by=replace(each.by, name=names.text(each.by.name)), reasons=names.text(each.reasons))
                for each in dispute.rulings
            ],
        )
        for dispute in disputes
    ]


def shown_parts(names: Pseudonyms, parts: Parts) -> Parts:
    """A case without them; the very same where no name in it has a pseudonym."""
    shown = names.record(parts.record)
    sent = names.record(read_record(parts.sent))
    acts = [names.value(act) for act in parts.acts]
    if shown is parts.record and sent == read_record(parts.sent) and acts == list(parts.acts):
        return parts
    canonical = normal.canonical(shown)
    id = identity(shown)
    ids = {f"sha256:{parts.id}": id}
    corrections = []
    for each in parts.corrections:
        corrected = names.record(each)
        ids[identity(each)] = identity(corrected)
        corrections.append(corrected)
    acts = [act | ({"record": ids.get(act["record"], act["record"])} if act.get("record") else {}) for act in acts]
    report = audit(read_record(canonical), explain=True)
    evidence = {"sent": f"sha256:{hashlib.sha256(canonical).hexdigest()}", "report": f"sha256:{digest(report)}", "engine": report["engine"]}
    return Parts(id.removeprefix("sha256:"), canonical, shown, report, acts, _log(parts, id, acts, evidence), corrections)


def _log(parts: Parts, id: str, acts: Sequence[Json], evidence: Json) -> list[Entry]:
    """The log, each entry with what it says of this case, chained from this record's identity."""
    entries: list[Entry] = []
    following = iter(acts)
    previous = id.removeprefix("sha256:")
    for entry in parts.log:
        content = entry.content | {"record": id} | {key: value for key, value in evidence.items() if key in entry.content}
        if "act" in entry.content:
            content["act"] = f"sha256:{digest(next(following))}"
        entries.append(linked(previous, content))
        previous = entries[-1].hash
    return entries
