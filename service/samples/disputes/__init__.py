"""Ten disputes and the two worked examples of bakabana, ready to be looked at: every ``*.json`` in this folder.

Each holds a record as it would be sent, the claim of a round that is disputed, and what the players say. They are stored as samples, with
their disputes opened.
"""

import json
from dataclasses import dataclass
from importlib import resources
from typing import Any

from records.formats import read_record
from service.desk import Desk
from service.disputes import Disputes
from web.cases import Actor


@dataclass(frozen=True, slots=True)
class Sample:
    """A dispute that comes with the product."""

    name: str
    title: str
    round: int
    claim: str
    statements: tuple[tuple[Actor, str], ...]
    """The first opens the dispute; a worked example has none."""
    record: dict[str, Any]


def samples() -> list[Sample]:
    """All of them, by name."""
    files = sorted((f for f in resources.files(__name__).iterdir() if f.name.endswith(".json")), key=lambda f: f.name)
    return [_read(file.name.removesuffix(".json"), json.loads(file.read_bytes())) for file in files]


def load_disputes(desk: Desk) -> int:
    """Stores those that are not there yet and opens their disputes; returns how many that were."""
    cases = Disputes(desk)
    loaded = 0
    for sample in samples():
        raw = json.dumps(sample.record, ensure_ascii=False).encode()
        (added,) = desk.add_read([(read_record(raw), raw)], sample=True)
        loaded += added.new
        if sample.statements and added.new:
            (by, said), *answers = sample.statements
            dispute = cases.open(added.id, by, sample.round, sample.claim, said)
            for other, answer in answers:
                cases.answer(added.id, dispute.number, other, answer)
    return loaded


def _read(name: str, kept: dict[str, Any]) -> Sample:
    statements = tuple((Actor(each["name"], each["role"]), each["text"]) for each in kept["statements"])
    return Sample(name, kept["title"], kept["round"], kept["claim"], statements, kept["record"])
