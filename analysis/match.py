"""When a match ends, its totals and who wins it (record-format.md, `match` and `adjust`; CP-10, HG-15, KK-7)."""

from collections.abc import Sequence

from records.record import Match
from records.rules.settlement import Number, number, winner_of


class Standing:
    """Totals and rounds won, round by round. Sides from 0; None where a result is not known."""

    def __init__(self, match: Match | None, sides: int) -> None:
        self.match = match
        self.start: int = (match.start or 0) if match is not None else 0
        self.totals: list[Number] | None = [self.start] * sides
        """None from the first counted round on whose scores are not known."""
        self.wins: list[int] | None = [0] * sides
        """Rounds won by side; None likewise for rounds whose winner is not known."""
        self.rounds = 0
        """Rounds that count (CP-10: a misdeal does not)."""
        self.seen = 0
        """Rounds so far, misdeals among them."""
        self.over = 0
        """The round with which the match ended, 0: it goes on. Rounds after it are not counted."""

    def count(self, scores: Sequence[Number] | None, winner: int | None, misdeal: bool, adjust: Sequence[Number] | None) -> None:
        """Adds a round: its scores by side, who won it (-1 nobody, None not known), and what is adjusted by hand."""
        self.seen += 1
        if self.over:
            return
        if not misdeal:
            self.rounds += 1
            if winner is None:
                self.wins = None
            elif winner >= 0 and self.wins is not None:
                self.wins[winner] += 1
        if scores is None:
            self.totals = None
        else:
            self._add(scores)
        if adjust is not None:
            self._add(adjust)
        self.over = self.seen if self._ended() else 0

    def _add(self, scores: Sequence[Number]) -> None:
        totals = self.totals
        if totals is not None:
            for side, score in enumerate(scores):
                total = totals[side] + score
                totals[side] = total if isinstance(total, int) else number(total)

    def _ended(self) -> bool:
        """Judged by what is known: an unknown total or winner ends no match."""
        match = self.match
        if match is None:
            return False
        if self.start > 0 and self.totals is not None and min(self.totals) <= 0:
            return True
        if match.type == "rounds":
            return self.rounds >= match.length
        if match.type == "best_of":
            return self.wins is not None and 2 * max(self.wins) > match.length
        return self.totals is not None and max(self.totals) >= match.length

    @property
    def winner(self) -> int | None:
        """The side ahead, -1 for a tie, None where it is not known: by rounds won in a best-of match, else by totals."""
        if self.match is not None and self.match.type == "best_of":
            return None if self.wins is None else winner_of(list(self.wins))
        return None if self.totals is None else winner_of(self.totals)
