"""What a played card meets, takes and leaves (CP-4 to CP-7, HN-3, HG-12).

`judge` is the whole rule. What it says of a lawful play within one month depends on nothing but the cards of that month on the field, so
the engine keeps its answers (`records.rules.known`).
"""

from dataclasses import dataclass

from records import packed
from records.cards import JOKERS, LIGHTNING
from records.rules.game import Rules


@dataclass(init=False, slots=True)
class Capture:
    """What one play does: the field cards it takes, and what is wrong with it."""

    taken: int
    """Field cards that go with the played card."""
    wild: int
    """Of those, the ones of another month, taken by a card that can be wild; lawfully or not (AU-3)."""
    first_wild: int
    """The first named of them, -1: none."""
    to_pile: bool
    """The played card goes to the pile; else it stays on the field."""
    code: str
    """The fault, if any."""
    rule: str
    impossible: bool
    """The act cannot have happened as written."""

    def __init__(self, to_pile: bool = False) -> None:
        self.taken = self.wild = 0
        self.first_wild = -1
        self.to_pile = to_pile
        self.code = self.rule = ""
        self.impossible = False


def judge(rules: Rules, from_hand: bool, half: bytes, field: int) -> Capture:
    """What happens when the card of a half (`records.packed`) is played to `field` and takes what the half says."""
    card = half[0]
    own_month = 15 << (card & ~3)
    meets = field & own_month
    if half[1] == packed.BARE:
        return _what_it_must(rules, card, meets)
    answer = Capture()
    for number in half[2:]:
        same = rules.same[number] & field & ~answer.taken
        if not same:
            answer.code, answer.rule, answer.impossible = "card-not-on-field", "CP-4", True
            return answer
        bit = same & -same
        answer.taken |= bit
        if answer.first_wild < 0 and not bit & own_month:
            answer.first_wild = bit.bit_length() - 1
    answer.to_pile = answer.taken != 0
    bit = 1 << card
    other = answer.taken & ~own_month
    can_be_wild = bit & (rules.wild_from_hand | rules.wild_from_draw) != 0
    if can_be_wild:
        answer.wild = other
    else:
        answer.first_wild = -1
    may_be_wild = bit & (rules.wild_from_hand if from_hand else rules.wild_from_draw) != 0

    taken = answer.taken.bit_count()
    if bit & rules.own_pile:
        answer.to_pile = True
        if answer.taken:
            answer.code, answer.rule = "wrong-month", rules.cite("own_pile", "CP-4")
    elif not taken:
        if meets:
            answer.code, answer.rule = "must-capture", "CP-4"
    elif other:
        if other & JOKERS:
            answer.code, answer.rule = "joker-protected", "HG-12"
        elif can_be_wild and not may_be_wild:
            answer.code, answer.rule = "wild-not-allowed", rules.cite("wild", "CP-6")
        elif not can_be_wild:
            answer.code, answer.rule = "wrong-month", rules.cite("no_wild", "CP-4") if card == LIGHTNING else "CP-4"
        elif taken > 1:
            answer.code, answer.rule = "must-take-one", "CP-6"
    elif meets.bit_count() == 2 and taken == 2:
        answer.code, answer.rule = "must-take-one", "CP-4"
    elif meets.bit_count() >= 3 and taken < 3:
        answer.code, answer.rule = "must-take-three", "CP-4"
    return answer


def _what_it_must(rules: Rules, card: int, meets: int) -> Capture:
    """The one capture that CP-4 leaves; twin chaff are one."""
    answer = Capture(to_pile=True)
    count = meets.bit_count()
    lowest = meets & -meets
    if 1 << card & rules.own_pile or count == 0 or (count == 2 and meets & ~rules.same[lowest.bit_length() - 1]):
        answer.code, answer.rule, answer.impossible = "capture-ambiguous", "CP-4", True
    else:
        answer.taken = lowest if count == 2 else meets
    return answer
