"""What a round comes to, worked out from the rules' text with lists of codes and nothing of the engine's (rules.md, 2 to 7).

What is unlawful in it is done as it was done (AU-3).

Held against the engine on random rounds of every table and option set (`tests/records/test_naive_scores.py`).
"""

from collections.abc import Mapping, Sequence
from math import ceil

from tests.naive import WORTH, month

BAKABANA = {"oyaku": "1B 3B 8B", "kozanko": "1R 2R 3R", "aotan": "6R 9R 10R", "akatan": "4R 5R 7R"}
HON_BANA = {
    "matsushima": (1, "1B 1R 1C 1C"),
    "sakurashima": (1, "3B 3R 3C 3C"),
    "umeshima": (1, "2A 2R 2C 2C"),
    "omote-goroju": (3, "5A 12B 10A"),
    "ura-goroju": (3, "5R 12B 10R"),
    "omote-sanko": (3, "1B 3B 2A"),
    "ura-sanko": (3, "1R 3R 2R"),
    "chokushi": (5, "9R 10R 6R"),
    "shiko": (6, "1B 3B 12B 8B"),
}
HIGOBANA = {
    "1": "1B 3B 2A",
    "2": "8B 3B 9A",
    "3": "6A 10A 9A",
    "4": "7A 10A 8A",
    "5": "7A 4A 5A",
    "poetry": "1R 2R 3R",
    "red": "4R 5R 7R",
    "blue": "6R 9R 10R",
}


def has(pile: Sequence[str], cards: str) -> bool:
    """Whether a pile has all of some cards, as often as they are named."""
    return all(list(pile).count(card) >= cards.split().count(card) for card in cards.split())


class Scorer:
    """Follows a round and scores it. Seats from 0."""

    def __init__(
        self,
        game: str,
        options: Mapping[str, object],
        sides: Sequence[Sequence[int]],
        dealer: int,
        field: Sequence[str],
        hands: Sequence[Sequence[str]],
        pile: Sequence[str],
    ) -> None:
        self.game, self.options, self.sides, self.dealer = game, options, sides, dealer
        self.field, self.hands, self.pile = list(field), [list(hand) for hand in hands], list(pile)
        self.seats = len(hands)
        self.kan = (dealer - 1) % 4 if game == "bakabana" else -1
        self.piles: list[list[str]] = [[] for _ in hands]
        self.owner: dict[str, int] = {}
        self.claims: dict[str, int] = {}
        self.last_wild = -1
        self.wild_with: dict[str, int] = {}
        self.lightning = ""
        self.greats: list[tuple[int, str]] = []
        self.calls = [0] * self.seats
        self.stopped = -1
        self.seat = dealer

    def value(self, card: str) -> float:
        """BK-10, HN-7, HG-8."""
        letter = card[-1]
        if self.game == "bakabana":
            if card in ("1B", "8B"):
                return 3
            if card in ("3B", "12B"):
                return 2
            if card in ("12C", "12Y"):
                return float(str(self.options["paulownia_chaff"]))
            return 1 if letter == "R" else 0.5 if letter == "A" or card == "11B" else 0
        if self.game == "hon-bana":
            if letter == "B":
                return 10 if card == "11B" else 30
            return 5 if letter == "R" else (20 if card in ("5A", "10A", "2A") else 10) if letter == "A" else 0
        if card in ("1B", "3B", "8B", "12B"):
            return 20
        return 10 if letter in "RY" else 5 if letter == "A" or card == "11B" else 0

    # -- play

    def run(self, actions: Sequence[str]) -> None:
        """All actions of a round that is played to its end."""
        keep = actions[0] == "keep"
        if self.options.get("four_on_field") == "dealer_takes" and not (keep and self.game in ("higobana", "sakura")):
            for number in map(str, range(1, 13)):
                four = [card for card in self.field if month(card) == number]
                if len(four) == 4:
                    self.field = [card for card in self.field if month(card) != number]
                    self.gain(self.dealer, four)
        if self.game == "hon-bana" and "12B" in self.field:
            self.field.remove("12B")
            self.gain(self.dealer, ["12B"])
        for action in actions[keep:]:
            self.act(action)
        self.rest()

    def act(self, action: str) -> None:
        """One turn, Kan's Lightning, or an announced hiki. A lucky hand where there is none, in a game without, is no turn."""
        words = action.split()
        if words == ["lucky"]:
            return
        seat = self.seat
        if words[0].endswith(":"):
            seat = int(words.pop(0)[:-1]) - 1
        passes_on = seat != self.kan and not (seat != self.seat and words[0].startswith("#"))
        if passes_on:
            self.seat = seat
        if words[-1] in ("koi", "stop"):
            if words.pop() == "koi":
                self.calls[seat] += 1
            else:
                self.stopped = seat
        first, *rest = words
        if first.startswith("#"):
            cards = [card for card in (*self.hands[seat], *self.field) if month(card) == first[1:]]
            self.hands[seat] = [card for card in self.hands[seat] if month(card) != first[1:]]
            self.field = [card for card in self.field if month(card) != first[1:]]
            self.captured(seat, "", cards, True)
        elif first != "-":
            self.half(seat, first, True)
        if rest:
            self.half(seat, rest[0], False)
        if passes_on:
            self.seat = (seat + 1) % self.seats
            if self.seat == self.kan:
                self.seat = self.dealer

    def half(self, seat: int, text: str, from_hand: bool) -> None:
        """A card from the hand or turned up."""
        card, x, named = text.partition("x")
        taken = named.split("+") if x else []
        if from_hand:
            self.hands[seat].remove(card)
        else:
            self.pile.remove(card)
        for other in taken:
            self.field.remove(other)
        if taken:
            self.captured(seat, card, taken, from_hand)
            others = [other for other in taken if month(other) != month(card)]
            if others and card in ("11C", "JB", "JC") and self.game not in ("hon-bana", "koi-koi"):
                self.wild(seat, card, others)
        elif self.game == "hon-bana" and card == "12B":
            self.gain(seat, [card])
        elif not from_hand and card in WORTH and month(card) in self.claims:
            self.gain(self.claims.pop(month(card)), [card])
        else:
            self.field.append(card)

    def captured(self, seat: int, card: str, taken: list[str], from_hand: bool) -> None:
        """CP-4, and the one card of a claimed month that goes to its claimant (SK-2)."""
        gained = [card, *taken] if card else list(taken)
        for number, claimant in list(self.claims.items()):
            worth = [one for one in gained if month(one) == number and one in WORTH]
            if not worth:
                continue
            del self.claims[number]
            if claimant == seat:
                continue
            given = card if not from_hand and card in worth else max(worth, key=self.value)
            gained.remove(given)
            self.gain(claimant, [given])
        self.gain(seat, gained)

    def wild(self, seat: int, card: str, taken: list[str]) -> None:
        """BK-11, HG-7, SK-2; of two cards taken so the first named, the rest of both months (AU-3)."""
        self.last_wild = seat
        self.wild_with[card] = seat
        if card == "11C":
            self.lightning = taken[0]
        rest = self.options.get("gaji_rest", "")
        if rest in ("leftovers", "mate"):
            owned = {month(other) for other in taken if month(other) != "J"}
            if rest == "leftovers" and card == "11C":
                owned.add("11")
            self.owner |= dict.fromkeys(owned, seat)
        elif rest in ("claim", "claim_strict") and month(taken[0]) != "J":
            self.claims[month(taken[0])] = seat

    def gain(self, seat: int, cards: list[str]) -> None:
        """Cards fall to a pile; great yaku in the order in which they are made (HN-10)."""
        self.piles[seat] += cards
        if self.game == "hon-bana":
            for great in ("chokushi", "shiko"):
                if has(self.piles[seat], HON_BANA[great][1]) and (seat, great) not in self.greats:
                    self.greats.append((seat, great))

    def rest(self) -> None:
        """BK-9, HG-7, HG-12, SK-2."""
        rest = self.options.get("gaji_rest", "")
        if self.kan >= 0:
            self.gain(self.kan, self.field + self.hands[self.kan])
            self.field = []
        for card in list(self.field):
            other = {"JB": "JC", "JC": "JB"}.get(card, "")
            if rest == "all" and self.last_wild >= 0:
                self.take_rest(card, self.last_wild)
            elif rest in ("leftovers", "mate") and month(card) in self.owner:
                self.take_rest(card, self.owner[month(card)])
            elif other and self.options["joker_rest"] == "player" and other in self.wild_with:
                self.take_rest(card, self.wild_with[other])
        if rest == "claim":
            for number, claimant in self.claims.items():
                worth = [card for card in self.field if month(card) == number and card in WORTH]
                if worth:
                    self.take_rest(max(worth, key=self.value), claimant)

    def take_rest(self, card: str, seat: int) -> None:
        """A card that was left falls to a seat."""
        self.field.remove(card)
        self.gain(seat, [card])

    # -- scores

    def first_of(self, seats: Sequence[int]) -> int:
        """The one that comes first in turn order from the dealer, the dealer itself included."""
        return next(seat for seat in ((self.dealer + step) % self.seats for step in range(self.seats)) if seat in seats)

    def result(self) -> tuple[list[float] | None, list[list[str]], list[float], int]:
        """Card points, ids of paid yaku (sorted) and scores by side; the next dealer, from 0."""
        scored = {"bakabana": self.bakabana, "hon-bana": self.hon_bana, "koi-koi": self.koi_koi}
        return scored.get(self.game, self.higobana)()

    def bakabana(self) -> tuple[list[float] | None, list[list[str]], list[float], int]:
        """BK-10 to BK-17."""
        points = [sum(map(self.value, pile)) for pile in self.piles]
        for seat in range(4):
            if self.lightning and "11C" in self.piles[seat]:
                points[seat] += self.value(self.lightning)
        rounded = [ceil(each) for each in points]
        scores = [0.0] * 4
        yaku: list[list[str]] = [[] for _ in range(4)]
        dandruff = [seat for seat in range(4) if points[seat] <= (0 if seat == self.kan else 2)]
        if dandruff:
            for seat in dandruff:
                for other in set(range(4)) - {seat}:
                    scores[seat] += 10
                    scores[other] -= 10
            return points, yaku, scores, self.dealer
        for seat in range(4):
            for other in set(range(4)) - {seat, self.kan}:
                if seat == self.kan:
                    scores[seat] += rounded[seat]
                    scores[other] -= rounded[seat]
                else:
                    scores[seat] += rounded[seat] - rounded[other]
            for id, cards in BAKABANA.items():
                have = sum(card in self.piles[seat] for card in cards.split())
                times = max(0, have - 1) if seat == self.kan else have == 3
                yaku[seat] += [id] * times
                for other in set(range(4)) - {seat}:
                    scores[seat] += 10 * times
                    scores[other] -= 10 * times
        return points, [sorted(ids) for ids in yaku], scores, (self.dealer + 1) % 4

    def hon_bana(self) -> tuple[list[float] | None, list[list[str]], list[float], int]:
        """HN-7 to HN-11."""
        points = [sum(map(self.value, pile)) for pile in self.piles]
        top = [seat for seat in range(3) if points[seat] == max(points)]
        first = self.first_of(top)
        scores = [0.0] * 3
        paid: list[tuple[int, int]] = []
        if len(top) == 1 or self.options["tie"] == "earliest":
            paid.append((first, 2))
        yaku: list[list[str]] = [[] for _ in range(3)]
        worth = {id: points for id, (points, _) in HON_BANA.items()} | {"ippai": 1, "nihai": 2}
        for seat, pile in enumerate(self.piles):
            yaku[seat] = [id for id, (_, cards) in HON_BANA.items() if has(pile, cards)]
            thirties = sum(card in pile for card in ("1B", "3B", "8B", "12B")) if "9A" in pile else 0
            if thirties == 1 or (thirties and self.options["drinks"] == "stacked"):
                yaku[seat].append("ippai")
            if thirties > 1:
                yaku[seat].append("nihai")
        if self.greats:
            standing = self.greats[0][0]
            for seat, great in self.greats[1:]:
                if seat != standing and (seat != self.dealer or self.options["dealer_great"] == "falls"):
                    yaku[seat].remove(great)
            for seat in range(3):
                if seat not in (standing, self.dealer):
                    yaku[seat] = []
        paid += [(seat, worth[id]) for seat in range(3) for id in yaku[seat]]
        for seat, amount in paid:
            for other in set(range(3)) - {seat}:
                scores[seat] += amount
                scores[other] -= amount
        return points, [sorted(ids) for ids in yaku], scores, first

    def higobana(self) -> tuple[list[float] | None, list[list[str]], list[float], int]:
        """HG-8 to HG-14, SK-4, SK-5."""
        sides = len(self.sides)
        points = [sum(self.value(card) for seat in side for card in self.piles[seat]) for side in self.sides]
        yaku: list[list[str]] = []
        for side in self.sides:
            together = [[card for seat in side for card in self.piles[seat]]]
            counted = together if self.options["team_pile"] == "shared" and len(side) > 1 else [self.piles[seat] for seat in side]
            yaku.append(sorted(id for pile in counted for id, cards in HIGOBANA.items() if has(pile, cards)))
        scoring = self.options["yaku_scoring"]
        if scoring == "by_table":
            scoring = "deduct" if sides == 2 and self.seats in (2, 4) else "add"
        totals = [
            points[side] + 50 * len(yaku[side])
            if scoring == "add"
            else points[side] - 50 * sum(len(ids) for other, ids in enumerate(yaku) if other != side)
            for side in range(sides)
        ]
        scores = list(totals)
        if self.game == "higobana":
            scores = [self.multiplied(side, totals) for side in range(sides)]
        tied = [seat for side, members in enumerate(self.sides) if scores[side] == max(scores) for seat in members]
        return points, yaku, scores, self.first_of(tied)

    def multiplied(self, side: int, totals: list[float]) -> float:
        """HG-11 to HG-13."""
        lead = totals[side] - max(total for other, total in enumerate(totals) if other != side)
        pile = [card for seat in self.sides[side] for card in self.piles[seat]]
        basa, chu = "JB" in pile, "JC" in pile
        system, instead = self.options["jokers"], self.options["chu_lead"] == "instead"
        factor = 1
        if lead >= (50 if system == "system_1" and chu and instead else 100):
            factor *= 2
        if system == "system_1":
            factor *= (2 if basa else 1) * (2 if chu and lead >= 50 and not instead else 1)
        elif system == "system_2":
            factor *= (3 if basa else 1) * (2 if chu else 1)
        return totals[side] * (factor if totals[side] >= 0 or self.options["multiply_negative"] else 1)

    def koi_koi(self) -> tuple[list[float] | None, list[list[str]], list[float], int]:
        """KK-3 to KK-6."""
        scores = [0.0, 0.0]
        yaku: list[list[str]] = [[], []]
        if self.stopped < 0:
            if self.options["exhausted"] == "dealer_one":
                scores[self.dealer], scores[1 - self.dealer] = 1, -1
            return None, yaku, scores, self.dealer
        seat = self.stopped
        pile, called = self.piles[seat], self.calls[seat]
        brights = sum(card in pile for card in ("1B", "3B", "8B", "12B"))
        made: dict[str, int] = {}
        if brights == 4:
            made |= {"goko": 10} if "11B" in pile else {"shiko": 8}
        elif brights == 3:
            made |= {"ame-shiko": 7} if "11B" in pile else {"sanko": 5}
        made |= {"inoshikacho": 5} if has(pile, "7A 10A 6A") else {}
        viewing = {"one_then_three": 3 if called else 1, "five": 5, "none": 0}[str(self.options["viewing"])]
        if viewing:
            made |= {"hanami": viewing} if has(pile, "3B 9A") else {}
            made |= {"tsukimi": viewing} if has(pile, "8B 9A") else {}
        made |= {"akatan": 5} if has(pile, "1R 2R 3R") else {}
        made |= {"aotan": 5} if has(pile, "6R 9R 10R") else {}
        made |= {"akatan-aotan": 10} if has(pile, "1R 2R 3R 6R 9R 10R") else {}
        for id, kinds, enough in (("tane", "A", 5), ("tan", "R", 5), ("kasu", "CY", 10)):
            many = sum(card[-1] in kinds or (id == "kasu" and card == "9A") for card in pile)
            made |= {id: many - enough + 1} if many >= enough else {}
        worth = sum(made.values())
        if not worth:
            return None, yaku, scores, self.dealer
        if self.options["calls"] == "add_then_multiply":
            worth = worth + called if called <= 3 else worth * (called - 2)
        elif self.options["calls"] == "double_if_opponent_called" and self.calls[1 - seat]:
            worth *= 2
        scores[seat], scores[1 - seat] = worth, -worth
        yaku[seat] = sorted(made)
        return None, yaku, scores, seat
