"""What can be wrong with play: one fault an act, with the rule that it breaks (record-format.md, 3)."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Fault:
    """A rule of play broken at an action (0: the deal; -1: at no action)."""

    code: str
    action: int
    rule: str
    seat: int = 0
    """From 1; 0: nobody's."""
    cards: tuple[int, ...] = ()
    """The card played or named first, then those that matter."""
    hard: bool = False
    """The act is impossible: the replay of the round ends here (AU-3)."""
    args: dict[str, object] = field(default_factory=dict)
