"""Every point of every score, with the rule behind it (AU-4): as the report holds it, and as CSV for an arbiter's file."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from records.rules.settlement import Entry, Settlement, number

COLUMNS = ("round", "side", "amount", "from", "rule", "why", "cards", "args")
"""Of the CSV; ``from`` is the side that pays, ``cards`` are codes divided by blanks, ``args`` is JSON."""


def entries(settled: Settlement) -> list[dict[str, object]]:
    """The ledger of a round; sides from 1. The amounts of a side add up to its score."""
    return [_entry(entry) for entry in settled.ledger]


def _entry(entry: Entry) -> dict[str, object]:
    return {
        "side": entry.side + 1,
        "amount": number(entry.amount),
        "from": None if entry.payer is None else entry.payer + 1,
        "rule": entry.rule,
        "why": entry.why,
        "args": entry.args,
    }


def sums(ledger: Sequence[Mapping[str, Any]], sides: int) -> list[int | float]:
    """What the amounts of each side come to."""
    totals: list[int | float] = [0] * sides
    for entry in ledger:
        totals[entry["side"] - 1] += entry["amount"]
    return [number(total) for total in totals]


def as_csv(report: Mapping[str, Any]) -> str:
    """The ledgers of all rounds of a report, a line an entry, and a line a side with the sum; lines end with CRLF (RFC 4180)."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for round_ in report["rounds"]:
        if round_["scores"] is None:
            continue
        for entry in round_["ledger"]:
            args = entry["args"]
            writer.writerow(
                [
                    round_["round"],
                    entry["side"],
                    entry["amount"],
                    "" if entry["from"] is None else entry["from"],
                    entry["rule"],
                    entry["why"],
                    " ".join(args.get("cards", ())),
                    json.dumps(args, ensure_ascii=False, sort_keys=True),
                ]
            )
        if round_["ledger"]:
            for side, total in enumerate(sums(round_["ledger"], len(round_["scores"])), start=1):
                writer.writerow([round_["round"], side, total, "", "", "sum", "", "{}"])
    return out.getvalue()
