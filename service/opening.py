"""Opens the store that the settings name: a file, or a lake."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from service.config import MEMORY, Settings
from service.errors import StoreBusy
from service.holder import Holder, holder_of
from service.intake import TAKING_IN, Intake
from service.store import Store

MOST: Final = 64
"""Servers of one lake on this machine."""


@contextmanager
def opened(settings: Settings, *, serving: bool = False, taking_in: bool = False) -> Iterator[Store]:
    """An open store. What a server of a lake keeps for itself lies beside the file that `db` names, and outlasts it; a command keeps
    nothing. `taking_in`: whoever opens it does nothing else; what the settings say of memory holds there, too, but its default. Raises what
    opening a store raises."""
    with ExitStack() as stack:
        store: Store
        if not settings.lake and taking_in:
            store = Intake(settings.db, memory_limit=TAKING_IN[0] if settings.memory == MEMORY else settings.memory)
        elif not settings.lake:
            store = Store(settings.db, memory_limit=settings.memory)
        elif serving:
            store = _first_free(settings)
        else:
            store = _lake(settings, Path(stack.enter_context(tempfile.TemporaryDirectory()), "lake"))
        yield stack.enter_context(store)


def holder(settings: Settings) -> Holder | None:
    """The server through which alone the store can be reached; None where it can be opened: a lake always can."""
    return None if settings.lake else holder_of(settings.db)


def _first_free(settings: Settings) -> Store:
    for place in range(1, MOST + 1):
        try:
            return _lake(settings, settings.db.with_name(f"{settings.db.name}.lake-{place}"), serving=True)
        except StoreBusy:
            continue
    raise StoreBusy(f"{MOST} servers on this machine have a lake open already, each with a folder beside {settings.db}")


def _lake(settings: Settings, path: Path, *, serving: bool = False) -> Store:
    from service.lake.store import LakeStore  # imported where it is used: not every system has what it needs

    return LakeStore(settings.lake, settings.lake_data, path, memory_limit=settings.memory, serving=serving)
