"""Records of which nothing is to be said but that they are right: judged without a report, for stores that take in many.

What `judge` does not take, `analysis.audit.assess` judges with a report; both come out of the same examination.
"""

from dataclasses import dataclass
from typing import Final

from analysis import tables
from analysis.examine import Examined, examine
from analysis.tables import Told
from records.normal import canonical_of_normal, normalise
from records.record import Record

VERDICTS: Final = frozenset({"lawful", "confirmed"})
"""Of clean records: their reports come out of them again."""


@dataclass(frozen=True, slots=True)
class Clean:
    """A record that is right."""

    canonical: bytes
    """The normalised form, RFC 8785."""
    normal: Record
    told: Told


def judge(record: Record) -> Clean | Examined:
    """A record whose every round can be followed, in which nothing is found; of any other what came of its examination."""
    examined = examine(record)
    outcomes = [judged.outcome for judged in examined.rounds if judged.outcome is not None and judged.level in ("full", "moves")]
    if len(outcomes) < len(record.rounds) or examined.verdict not in VERDICTS:
        return examined
    if examined.findings or any(judged.findings for judged in examined.rounds):
        return examined
    normal = normalise(record, outcomes)
    return Clean(canonical_of_normal(normal), normal, tables.of_clean(record, examined))
