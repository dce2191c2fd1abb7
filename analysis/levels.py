"""How far a round can be followed (AU-1). Compiled, for every round is asked."""

from records import packed
from records.cards import UNKNOWN
from records.record import Deal, Round


def level_of(round_: Round) -> str:
    """``full``, ``moves``, ``piles`` or ``scores``."""
    deal = round_.deal
    if deal is None or not replayable(round_):
        return "piles" if round_.piles is not None else "scores"
    return "full" if all_seen(deal) else "moves"


def replayable(round_: Round) -> bool:
    """Whether the dealt field and all actions are recorded."""
    deal = round_.deal
    return deal is not None and deal.field is not None and UNKNOWN not in deal.field and bool(round_.play) and not _has_gap(round_)


def all_seen(deal: Deal) -> bool:
    """Whether all hands and the draw pile are recorded."""
    hands, pile = deal.hands, deal.draw_pile
    if hands is None or pile is None or UNKNOWN in pile:
        return False
    for hand in hands:  # noqa: SIM110  # compiled, quicker than `all`
        if hand is None or UNKNOWN in hand:
            return False
    return True


def head_of(action: bytes) -> int:
    """The first byte of an action that is not its seat."""
    return action[1] if packed.SEAT < action[0] < packed.BARE else action[0]


def _has_gap(round_: Round) -> bool:
    """Whether a turn, or a card of one, was not recorded."""
    for action in round_.actions:  # noqa: SIM110  # the same
        if packed.UNSEEN in action and head_of(action) != packed.THROWN_IN:
            return True
    return False
