"""The numbers behind the charts, for whoever may see what: by a query, or, where options are compared, by a sample that is played again."""

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from analysis import statistics
from analysis.alternatives import COLUMNS, Comparison
from records.formats import read_record
from records.record import Record
from service import queries
from service.answers import Answers
from service.queries import Condition
from service.store import Store
from web.contexts import Numbers, Sample

AT_ONCE: Final = 2
"""Queries of charts that run at a time, at most: each takes all cores and a part of the memory."""
SECONDS: Final = 0.5
"""For which records of a sample are played again when nobody asks for more."""
LONGEST: Final = 10.0
"""Seconds for which one may ask."""
_A_PIECE: Final = 50
"""Records of a sample that are fetched at a time."""


@dataclass(slots=True)
class _Sampled:
    """A sample that is being played again."""

    numbers: list[int]
    chosen: int
    sql: str
    comparison: Comparison = field(default_factory=Comparison)
    lock: threading.Lock = field(default_factory=threading.Lock)


class Charts:
    """Asks what the charts show. Safe to use from many threads."""

    def __init__(self, store: Store, answers: Answers) -> None:
        self._store = store
        self._answers = answers
        self._turn = threading.Semaphore(AT_ONCE)

    def numbers(self, name: str, filters: Mapping[str, str], within: Condition, seconds: float = 0.0) -> Numbers:
        """The numbers behind a chart, for the records that the filters leave and the seats in a ``role``. `seconds`: for which a sample is
        played on, where the chart rests on one. Raises KeyError for a name that is none, ValueError for a filter or a role."""
        role = filters.get("role", "")
        if role and role not in statistics.ROLES:
            raise ValueError(f"there is no role {role!r}; there are {', '.join(statistics.ROLES)}")
        where = queries.condition({key: value for key, value in filters.items() if key != "role"}) & within
        question = ("chart", name, role, where.sql, repr(where.parameters))
        if statistics.CHARTS[name].sampled:
            sampled = self._answers.of(question, lambda: self._sample(name, where), lambda found: len(found.numbers))
            return self._compared(sampled, where, min(seconds, LONGEST))
        return self._answers.of(question, lambda: self._asked(name, where, role), lambda found: len(found.rows))

    def results(self) -> str:
        """The relation of results under the names that are shown: the table itself where nobody has a pseudonym, which takes less time."""
        return (
            "shown_results" if self._answers.of("pseudonyms", lambda: self._store.read("SELECT 1 FROM pseudonyms LIMIT 1")) else "results"
        )

    def _asked(self, name: str, where: Condition, role: str) -> Numbers:
        with self._turn:
            found = statistics.answer(self._store.cursor(), name, where.sql, where.parameters, self.results(), role)
        return Numbers(found.columns, found.rows, found.sql, _placed(where))

    def _sample(self, name: str, where: Condition) -> _Sampled:
        with self._turn:
            found = statistics.answer(self._store.cursor(), name, where.sql, where.parameters)
        sampled = _Sampled([number for number, _ in found.rows], found.rows[0][1] if found.rows else 0, found.sql)
        self._play(sampled, SECONDS)
        return sampled

    def _compared(self, sampled: _Sampled, where: Condition, seconds: float) -> Numbers:
        # While somebody else has it played on, what there is so far is the answer.
        if seconds > 0 and sampled.lock.acquire(blocking=False):
            try:
                self._play(sampled, seconds)
            finally:
                sampled.lock.release()
        done = sampled.comparison
        sample = Sample(done.records, len(sampled.numbers), sampled.chosen)
        return Numbers(COLUMNS, done.rows(), sampled.sql, _placed(where), sample)

    def _play(self, sampled: _Sampled, seconds: float) -> None:
        end = time.monotonic() + seconds
        left = sampled.numbers[sampled.comparison.records :]
        sampled.comparison.go_on(self._records(left), lambda: time.monotonic() < end)

    def _records(self, numbers: Sequence[int]) -> Iterator[Record]:
        for at in range(0, len(numbers), _A_PIECE):
            piece = numbers[at : at + _A_PIECE]
            forms = dict(self._store.read("SELECT number, canonical FROM records WHERE number IN (SELECT unnest(?))", (piece,)))
            for number in piece:
                if number in forms:  # else it was withdrawn since
                    yield read_record(forms[number])


def _placed(where: Condition) -> dict[str, object]:
    return {str(place): value for place, value in enumerate(where.parameters, 1)}
