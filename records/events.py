"""What happens in a round, in the order in which it happens. Seats from 1, 0 for nobody; cards by number."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Event:
    """One thing that happened, with the rule behind it.

    Kinds: ``dealt`` · ``played`` (from the hand) · ``turned_up`` · ``captured`` (cards: the played one, then those it took; args
    ``wild``) · ``stayed`` (on the field) · ``passed`` (no card from the hand) · ``moved`` (a rule moves cards: args ``frm``, ``to``) ·
    ``owner`` and ``claim`` (of a month: args ``month``, ``open``) · ``yaku`` (args ``id``, ``points``) · ``called`` (args ``call``) ·
    ``hiki`` · ``fault`` (args ``code``) · ``ended`` (args ``end``) · ``left`` (cards that are nobody's).
    """

    kind: str
    action: int
    seat: int
    cards: tuple[int, ...] = ()
    rule: str = ""
    args: dict[str, object] = field(default_factory=dict)
