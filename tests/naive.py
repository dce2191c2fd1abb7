"""The rules of play once more, in the slowest and plainest way: lists of codes, no masks, nothing of the engine's.

Only what decides which actions are lawful: matching and wild cards (CP-4 to CP-7), whose turn it is, the phoenix (HN-3), Kan's Lightning
(BK-7), claims as far as they move cards off the field (SK-2), hiki in turn (HG-16), calls (KK-2), the end of a round. For counting
sequences of lawful actions and holding them against the engine's (`tests/records/test_perft.py`).
"""

import dataclasses
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from itertools import combinations

WORTH = [
    *("1B", "3B", "8B", "11B", "12B", "12Y"),
    *(f"{month}R" for month in (1, 2, 3, 4, 5, 6, 7, 9, 10, 11)),
    *(f"{month}A" for month in (2, 4, 5, 6, 7, 8, 9, 10, 11)),
]
"""HG-8: the cards that are worth points in higobana and sakura."""


def month(card: str) -> str:
    """A card's month as it is written."""
    return card[:-1]


@dataclass
class Play:
    """A round of any game as a naive player keeps it in mind. Seats from 0."""

    game: str
    options: dict[str, object]
    dealer: int
    hands: list[list[str]]
    field: list[str]
    pile: list[str]
    seat: int = 0
    piles: list[list[str]] = dataclasses.field(default_factory=list)
    claims: dict[str, int] = dataclasses.field(default_factory=dict)
    calls: list[int] = dataclasses.field(default_factory=list)
    turns: list[int] = dataclasses.field(default_factory=list)
    after_child_2: bool = False
    stopped: bool = False

    def start(self) -> None:
        """What is dealt to the field and belongs to the dealer (HN-3, HN-4, HG-3)."""
        self.seat = self.dealer
        self.piles = [[] for _ in self.hands]
        self.calls = [0 for _ in self.hands]
        self.turns = [0 for _ in self.hands]
        if self.options.get("four_on_field") == "dealer_takes":
            for card in list(self.field):
                if [month(other) for other in self.field].count(month(card)) == 4:
                    self.piles[self.dealer] += [other for other in self.field if month(other) == month(card)]
                    self.field = [other for other in self.field if month(other) != month(card)]
        if self.game == "hon-bana" and "12B" in self.field:
            self.field.remove("12B")
            self.piles[self.dealer].append("12B")

    @property
    def kan(self) -> int:
        """The seat before the dealer in bakabana; -1 elsewhere (BK-1)."""
        return (self.dealer - 1) % 4 if self.game == "bakabana" else -1

    def over(self) -> bool:
        """BK-8, HN-6, HG-6, SK-3, KK-3."""
        hands = [hand for seat, hand in enumerate(self.hands) if seat != self.kan]
        if self.stopped:
            return True
        if self.game in ("bakabana", "koi-koi"):
            return not any(hands)
        if self.game == "hon-bana" or self.options["play_out"]:
            return not any(hands) and not self.pile
        return not any(hands) or not self.pile

    def wild(self, card: str, from_hand: bool) -> bool:
        """BK-6, HG-4, HG-12, SK-1."""
        if self.game in ("hon-bana", "koi-koi") or card not in ("11C", "JB", "JC"):
            return False
        return from_hand or bool(self.options["wild_from_draw"])

    def captures(self, card: str, from_hand: bool) -> list[tuple[str, ...]]:
        """What a card may take: each answer the codes, sorted; an empty one: nothing."""
        if self.game == "hon-bana" and card == "12B":
            return [()]
        same = [other for other in self.field if month(other) == month(card)]
        found: set[tuple[str, ...]]
        if len(same) == 3:
            found = {tuple(sorted(same))}
        elif same:
            found = {(other,) for other in same}
        else:
            found = {()}
        if self.wild(card, from_hand):
            found |= {(other,) for other in self.field if month(other) != month(card) and month(other) != "J"}
        return sorted(found)

    def play(self, seat: int, card: str, taken: tuple[str, ...], from_hand: bool) -> None:
        """Carry it out."""
        if from_hand:
            self.hands[seat].remove(card)
        else:
            self.pile.pop(0)
        for other in taken:
            self.field.remove(other)
        goes = bool(taken) or (self.game == "hon-bana" and card == "12B")
        for claimed, claimant in list(self.claims.items()):
            moving = [other for other in (card, *taken) if month(other) == claimed and other in WORTH]
            if goes and moving:
                del self.claims[claimed]
            elif not goes and not from_hand and moving:
                del self.claims[claimed]
                self.piles[claimant].append(card)
                return
        if goes:
            self.piles[seat] += [card, *taken]
        else:
            self.field.append(card)
        if len(taken) == 1 and month(taken[0]) != month(card) and str(self.options.get("gaji_rest", "")).startswith("claim"):
            self.claims[month(taken[0])] = seat

    def actions(self) -> Iterator[tuple[str, "Play"]]:
        """Each lawful action as the record writes it, and what comes of it."""
        if self.after_child_2 and "11C" in self.hands[self.kan]:
            for taken in self.captures("11C", True):
                after = deepcopy(self)
                after.play(self.kan, "11C", taken, True)
                after.after_child_2 = False
                yield f"{self.kan + 1}: {half('11C', taken)}", after
        if self.over():
            return
        firsts: list[tuple[str, Play]] = []
        for card in sorted(set(self.hands[self.seat])):
            for taken in self.captures(card, True):
                after = deepcopy(self)
                after.play(self.seat, card, taken, True)
                firsts.append((half(card, taken), after))
        if self.options.get("hiki"):
            firsts += self.hikis(self.seat)
        if not self.hands[self.seat]:
            firsts.append(("-", deepcopy(self)))
        for first, between in firsts:
            if not between.pile:
                yield from between.called(first, self.worth())
                continue
            for taken in between.captures(between.pile[0], False):
                after = deepcopy(between)
                after.play(self.seat, between.pile[0], taken, False)
                yield from after.called(f"{first} {half(between.pile[0], taken)}", self.worth())

    def hikis(self, seat: int) -> list[tuple[str, "Play"]]:
        """HG-16: what a seat may take so, and what comes of it."""
        found = []
        hand = self.hands[seat]
        for number in range(1, 13):
            held = [card for card in hand if month(card) == str(number)]
            lying = [card for card in self.field if month(card) == str(number)]
            if held and len(held) + len(lying) == 4:
                after = deepcopy(self)
                after.hands[seat] = [card for card in hand if month(card) != str(number)]
                after.field = [card for card in self.field if month(card) != str(number)]
                after.piles[seat] += held + lying
                if any(card in WORTH for card in held + lying):
                    after.claims.pop(str(number), None)
                found.append((f"#{number}", after))
        return found

    def called(self, action: str, before: int) -> Iterator[tuple[str, "Play"]]:
        """The calls that are lawful at the end of a turn, and the turn passed on (KK-2)."""
        self.turns[self.seat] += 1
        risen = self.game == "koi-koi" and self.worth() > before
        stopped = deepcopy(self)
        stopped.stopped = True
        can_go_on = not risen or self.turns[self.seat] < 8
        goes_on = deepcopy(self)
        goes_on.calls[self.seat] += risen
        goes_on.seat = (self.seat + 1) % len(self.hands)
        if goes_on.seat == self.kan:
            goes_on.seat = self.dealer
            goes_on.after_child_2 = True
        else:
            goes_on.after_child_2 = False
        if can_go_on:
            yield action + (" koi" if risen else ""), goes_on
        if risen:
            yield f"{action} stop", stopped

    def worth(self) -> int:
        """KK-4, of the seat whose turn it is; 0 elsewhere."""
        if self.game != "koi-koi":
            return 0
        pile = self.piles[self.seat]
        brights = [card for card in pile if card in ("1B", "3B", "8B", "12B")]
        rainy = "11B" in pile
        total = 0
        if len(brights) == 4:
            total += 10 if rainy else 8
        elif len(brights) == 3:
            total += 7 if rainy else 5
        viewing = {"one_then_three": 3 if self.calls[self.seat] else 1, "five": 5, "none": 0}[str(self.options["viewing"])]
        total += viewing * ("9A" in pile and "3B" in pile) + viewing * ("9A" in pile and "8B" in pile)
        for cards in ("7A 10A 6A", "1R 2R 3R", "6R 9R 10R"):
            total += 5 * all(card in pile for card in cards.split())
        total += 10 * all(card in pile for card in ["1R", "2R", "3R", "6R", "9R", "10R"])
        for letters, enough in (("A", 5), ("R", 5), ("C", 10)):
            many = sum(card[-1] in letters or (letters == "C" and card == "9A") for card in pile)
            total += max(0, many - enough + 1)
        return total


def followed(play: Play, text: str) -> Play:
    """What comes of a lawful action as a record writes it; a hiki announced out of turn too. Raises ValueError where it is not lawful."""
    seat, colon, hiki = text.partition(": ")
    lawful = play.hikis(int(seat) - 1) if colon and hiki.startswith("#") else list(play.actions())
    wanted = in_order(hiki if colon and hiki.startswith("#") else text)
    for action, after in lawful:
        if action == wanted:
            return after
    raise ValueError(f"{text} is not among {', '.join(action for action, _ in lawful)}")


def in_order(text: str) -> str:
    """An action with the cards of each capture sorted."""
    halves = [word.partition("x") for word in text.split()]
    return " ".join(f"{card}{x}{'+'.join(sorted(taken.split('+')))}" for card, x, taken in halves)


def half(card: str, taken: tuple[str, ...]) -> str:
    """A card and what it takes as the record writes them."""
    return f"{card}x{'+'.join(taken)}" if taken else card


def count(play: Play, depth: int) -> int:
    """How many sequences of so many lawful actions there are; those that end before count as they are."""
    if depth == 0:
        return 1
    found = [count(after, depth - 1) for _, after in play.actions()]
    return sum(found) + (not found or (play.over() and play.after_child_2))


def subsets(cards: list[str]) -> list[tuple[str, ...]]:
    """All that a card might be said to take: up to two field cards, or three."""
    return sorted({tuple(sorted(some)) for n in range(4) for some in combinations(cards, n)})
