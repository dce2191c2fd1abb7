"""What a call of koi-koi needs (KK-2)."""

from records.packed import KOI
from records.rules.game import Rules


def fault_of_call(rules: Rules, call: int, risen: bool, turns: int) -> str:
    """What is wrong with a seat's call at the end of its turn, 0: it made none; empty where nothing is.

    `risen`: its pile is worth more than before. `turns`: so many it has taken, this one among them.
    """
    if not call:
        return "call-missing" if risen and rules.calls else ""
    if not rules.calls or not risen or (call == KOI and turns >= rules.hand_sizes[0]):
        return "call-unfounded"
    return ""
