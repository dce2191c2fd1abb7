"""Which records may be there already, so that those that cannot be need not be looked for.

No record is stored twice, and no key sees to that: the writer, who is alone, looks. A key in the database would cost a tenth of inserting
and of the file, and memory that grows with the store and is never given back. Here is a bit for the first bits of each id instead: where it
is not set, the record is new; where it is, the table is asked, all of it.
"""

from collections.abc import Sequence
from typing import Any, Final

import duckdb
import numpy as np
from numpy.typing import NDArray

BITS: Final = 27
"""Of an id: 16 MB, in which of a million records fewer than one in a hundred meets another's bit."""
FEW: Final = 1000
"""Ids that a query names; more are joined with the table."""
_HEAD: Final = "('0x' || hex({})[1:8])::UINTEGER AS head"


class Seen:
    """Of one store. Used by the writer alone."""

    def __init__(self) -> None:
        self._bits: NDArray[np.uint8] | None = None
        self._last = 0
        """The highest number of a record whose bit is set."""
        self.given: int | None = None
        """The highest number that a record was given, where the writer says so: when its bit is set, nothing need be asked."""

    def known(self, connection: duckdb.DuckDBPyConnection, ids: Sequence[bytes]) -> set[bytes]:
        """Those of some ids whose records are stored."""
        maybe = self.maybe(connection, ids)
        if not maybe:
            return set()
        if len(maybe) <= FEW:
            found = connection.execute(f"SELECT id FROM records WHERE id IN ({', '.join('?' * len(maybe))})", maybe).fetchall()
        else:
            found = connection.execute("SELECT id FROM records SEMI JOIN (SELECT unnest($1) AS id) USING (id)", [maybe]).fetchall()
        return {id for (id,) in found}

    def maybe(self, connection: duckdb.DuckDBPyConnection, ids: Sequence[bytes]) -> list[bytes]:
        """Those of some ids whose records may be stored, or were withdrawn."""
        bits = self._caught_up(connection)
        heads = np.frombuffer(b"".join(ids), dtype=">u4").reshape(len(ids), -1)[:, 0].astype(np.uint32) >> np.uint32(32 - BITS)
        return [ids[place] for place in np.flatnonzero(bits[heads >> 3] >> (heads & 7).astype(np.uint8) & 1).tolist()]

    def _caught_up(self, connection: duckdb.DuckDBPyConnection) -> NDArray[np.uint8]:
        """The bits, those of records that were stored since among them, in whatever way."""
        if self._bits is None:
            self._bits = np.zeros(1 << (BITS - 3), dtype=np.uint8)
        elif self._last == self.given:
            return self._bits
        found: dict[str, Any] = connection.execute(
            f"SELECT number, {_HEAD.format('id')} FROM records WHERE number > ? "
            f"UNION ALL SELECT 0, {_HEAD.format('record')} FROM withdrawals",
            [self._last],
        ).fetchnumpy()
        if len(found["number"]):
            heads = np.asarray(found["head"]) >> np.uint32(32 - BITS)
            np.bitwise_or.at(self._bits, heads >> 3, np.uint8(1) << (heads & 7).astype(np.uint8))
            self._last = max(self._last, int(found["number"].max()))
        return self._bits
