"""A clock that was set back. Nothing is ordered by a date: records, logs, rulings and jobs go by their numbers, so nothing is lost and no
order changes; but dates are then told wrong, and whoever runs the server is told so."""

from datetime import datetime, timedelta
from typing import Final

from service.store import Store

SLACK: Final = timedelta(minutes=5)
"""Clocks are put right by seconds every day; of that nothing is said."""

_DATES: Final = "SELECT max(sent_at) FROM records UNION ALL SELECT max(acted_at) FROM acts UNION ALL SELECT max(created_at) FROM tokens"


def behind(store: Store, at: datetime) -> str:
    """What to say where the clock is behind what the store holds; else nothing. `at`: what the clock says, in UTC without a zone."""
    latest = max((date for (date,) in store.read(_DATES) if date is not None), default=at)
    if latest - at <= SLACK:
        return ""
    return (
        f"the clock of this machine says {at:%Y-%m-%d %H:%M} UTC, and the store holds something of {latest:%Y-%m-%d %H:%M}: "
        "one of them is wrong; nothing is lost, but dates will be, and sessions and tokens last longer or shorter than they should"
    )
