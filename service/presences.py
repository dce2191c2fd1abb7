"""Which device writes a game down at the moment, so that a second one is told. In memory, for a short while: a restart forgets.

A game is known here by a name that its recorder made up, a device by a number that it made up. The sheet comes along sealed with a key
that never reaches the server: only who has the game's address can open it.
"""

import threading
from collections import OrderedDict
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

KEPT: Final = timedelta(hours=1)
"""How long a game is known after its last word."""
QUIET: Final = timedelta(seconds=30)
"""A device that says nothing for so long may have lost its power, or its network."""
MOST: Final = 200
"""Games known at a time; the one that was heard of longest ago is forgotten first."""
LONGEST: Final = 200_000
"""Characters of a sealed sheet. What is longer stays on its device, which is told of all the same."""


@dataclass(frozen=True, slots=True)
class Presence:
    """A game that is being written down."""

    device: str
    label: str
    """What kind of device it is, as it calls itself."""
    since: datetime
    heard: datetime
    sheet: str | None = None
    """Sealed, as it was sent last."""
    author: str = ""
    """The device that sent it."""
    held: bool = True
    """Whether that device has it open; False: it closed it."""

    def quiet(self, at: datetime) -> bool:
        """Whether the device has said nothing for a while."""
        return at - self.heard > QUIET


class Presences:
    """All games that are being written down."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, Presence] = OrderedDict()
        self._lock = threading.Lock()

    def see(self, game: str, at: datetime) -> Presence | None:
        """Who writes a game; None where nobody is known to."""
        with self._lock:
            return self._known(game, at)

    def hold(self, game: str, device: str, label: str, sheet: str | None, take: bool, at: datetime) -> Presence:
        """A device says that it writes a game, and how its sheet stands: so it is where no other device has it open, and where it takes the
        game over. Who writes it now is given back; the sheet of the device before it stays until the new one sends its own."""
        with self._lock:
            known = self._known(game, at) or Presence(device, label, at, at)
            if known.device != device and known.held and not take:
                return known
            since = known.since if known.device == device else at
            now = replace(known, device=device, label=label, since=since, heard=at, held=True)
            if sheet is not None:
                now = replace(now, sheet=sheet, author=device)
            self._games[game] = now
            self._games.move_to_end(game)
            if len(self._games) > MOST:
                self._games.popitem(last=False)
            return now

    def leave(self, game: str, device: str, at: datetime) -> None:
        """A device closes a game; its sheet stays for the others until it is forgotten."""
        with self._lock:
            known = self._known(game, at)
            if known is not None and known.device == device:
                self._games[game] = replace(known, held=False)

    def _known(self, game: str, at: datetime) -> Presence | None:
        known = self._games.get(game)
        if known is not None and at - known.heard > KEPT:
            del self._games[game]
            return None
        return known
