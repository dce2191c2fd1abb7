"""One sentence a step: what the live region says, the move list shows and the transcript prints."""

from collections.abc import Mapping, Sequence

from analysis.findings import KINDS
from records.record import Deal, Record
from web import deck, language, words
from web.contexts import Json
from web.language import _, _p, told
from web.rulebook import describe, plain


def yaku_names(variant: str) -> dict[str, dict[str, str]]:
    """By id: name, kanji, romaji and cards of each yaku of a game."""
    return {
        yaku["id"]: {"name": yaku["name"], "kanji": yaku["kanji"], "romaji": yaku["romaji"], "cards": yaku["cards"]}
        for yaku in describe(variant)["yaku"]
    }


def finding_title(code: str) -> str:
    """What a finding's code means, in a few words."""
    return _(KINDS[code].title) if code in KINDS else code


def finding_titles() -> dict[str, str]:
    """By code: what each finding means, in a few words."""
    return {code: finding_title(code) for code in KINDS}


def rule_texts(variant: str) -> dict[str, str]:
    """By id: each rule point of a game in a sentence or two."""
    return {point["id"]: plain(point["text"]) for point in describe(variant)["rules"]}


def reason(entry: Json, yaku: Mapping[str, Json]) -> str:
    """Why a line of a ledger is there; `yaku`: those of the game by id."""
    made = entry["args"].get("yaku") if entry["args"] else None
    if made is None:
        return told(entry["why"])
    name = yaku[made]["name"] if made in yaku else made
    return _("yaku %(name)s, negated", name=name) if entry["why"].endswith(" negated") else _("yaku %(name)s", name=name)


def finding_cards(found: Json) -> list[str]:
    """The cards that a finding speaks of, in its order."""
    return [code for key in ("card", "taken", "field", "more", "less") for code in _listed(found["args"].get(key))]


def _listed(value: object) -> list[str]:
    return [value] if isinstance(value, str) else list(value) if isinstance(value, list | tuple) else []


def finding_value(found: Json, key: str, record: Record, yaku: Mapping[str, Json]) -> str:
    """What a finding has as recorded (``actual``) or by the rules (``expected``): players and yaku by their names. Empty where its sentence
    and its cards say it already."""
    code, value = found["code"], found[key]
    if code == "deal-counts":
        return ", ".join(
            f"{told(part)}: {_dealt(record.rounds[found['round'] - 1].deal, part)}" for part in found["args"]["parts"] if key == "actual"
        )
    if value is None or value == found["args"].get("card"):
        return ""
    if code == "wrong-dealer":
        return words.seat_name(record.players, value)
    if code == "claim-winner":
        return words.side_name(record.players, record.sides, value)
    if code == "claim-yaku" and isinstance(value, list | tuple):
        return words.several([yaku[id]["name"] if id in yaku else id for id in value])
    if code == "claim-sum" and isinstance(value, list | tuple):
        return " – ".join(words.number(bound) for bound in value)
    return words.several(value)


def _dealt(deal: Deal | None, part: str) -> int:
    """How many cards are recorded of ``field``, ``draw pile`` or ``hand`` and a seat."""
    if deal is None:
        return 0
    name, _blank, seat = part.rpartition(" ")
    cards = deal.hands[int(seat) - 1] if name == "hand" and deal.hands else deal.field if part == "field" else deal.draw_pile
    return len(cards or b"")


class Teller:
    """Tells the steps of one record's rounds."""

    def __init__(self, variant: str, players: Sequence[str]) -> None:
        self._players = players
        self._yaku = yaku_names(variant)
        self._lang = language.chosen()

    def step(self, step: Json) -> str:
        """All that happened in a step, in one or few sentences; what was wrong with it at the end."""
        told = sorted(step["events"], key=lambda event: event["kind"] == "fault")
        said = [text for event in told if (text := self.event(event))]
        if not said:
            return str(words.PARTS.get(step["part"], step["part"]))
        return language.text_of(said)

    def event(self, event: Json) -> str:
        """One event in words; empty for what another event of the same step says already."""
        tell = getattr(self, f"tell_{event['kind']}", None)
        return str(tell(event)) if tell else ""

    def cards(self, codes: Sequence[str]) -> str:
        """Cards by their words."""
        return "; ".join(deck.spoken(face.title) for face in deck.faces(codes, self._lang)) or _("no card")

    def _who(self, event: Json) -> str:
        return words.seat_name(self._players, event["seat"])

    def tell_dealt(self, event: Json) -> str:
        return _("The cards are dealt.")

    def tell_played(self, event: Json) -> str:
        return _("%(who)s plays %(card)s.", who=self._who(event), card=self.cards(event["cards"]))

    def tell_turned_up(self, event: Json) -> str:
        return _("%(who)s turns up %(card)s.", who=self._who(event), card=self.cards(event["cards"]))

    def tell_passed(self, event: Json) -> str:
        return _("%(who)s has no card to play.", who=self._who(event))

    def tell_captured(self, event: Json) -> str:
        _played, *taken = event["cards"]
        if not taken:
            return _("It goes straight to the pile (%(rule)s).", rule=event["rule"])
        if event["args"].get("wild"):
            return _("As a wild card it captures %(cards)s.", cards=self.cards(taken))
        return _("It captures %(cards)s.", cards=self.cards(taken))

    def tell_stayed(self, event: Json) -> str:
        return _("It stays on the field.")

    def tell_hiki(self, event: Json) -> str:
        return _("%(who)s takes a whole month by hiki: %(cards)s.", who=self._who(event), cards=self.cards(event["cards"]))

    def tell_moved(self, event: Json) -> str:
        one = _("By rule {rule} {cards} goes to {who}.")
        many = _("By rule {rule} these go to {who}: {cards}.")
        sentence = one if len(event["cards"]) == 1 else many
        return sentence.format(rule=event["rule"], cards=self.cards(event["cards"]), who=self._who(event))

    def tell_left(self, event: Json) -> str:
        return _("Left for nobody: %(cards)s.", cards=self.cards(event["cards"])) if event["cards"] else ""

    def tell_owner(self, event: Json) -> str:
        return _(
            "%(who)s owns what is left of %(month)s (%(rule)s).",
            who=self._who(event),
            month=self._month(event),
            rule=event["rule"],
        )

    def tell_claim(self, event: Json) -> str:
        if event["args"].get("open", True):
            return _("%(who)s has a claim on %(month)s (%(rule)s).", who=self._who(event), month=self._month(event), rule=event["rule"])
        return _("The claim of %(who)s on %(month)s ends.", who=self._who(event), month=self._month(event))

    def _month(self, event: Json) -> str:
        month = event["args"].get("month")
        suits = deck.suits(self._lang)
        return suits[month - 1] if isinstance(month, int) and 1 <= month <= len(suits) else str(month)

    def tell_yaku(self, event: Json) -> str:
        id = str(event["args"].get("id", ""))
        name = self._yaku[id]["name"] if id in self._yaku else id
        return _("%(who)s has made %(yaku)s.", who=self._who(event), yaku=name)

    def tell_called(self, event: Json) -> str:
        if event["args"].get("call") == "koi":
            return _("%(who)s calls koi-koi.", who=self._who(event))
        return _("%(who)s stops.", who=self._who(event))

    def tell_fault(self, event: Json) -> str:
        return _("Unlawful: %(what)s (%(rule)s).", what=finding_title(str(event["args"].get("code", ""))), rule=event["rule"])

    def tell_ended(self, event: Json) -> str:
        ends = {
            "played": _("The round is over."),
            "stop": _("The round is over."),
            "lucky": _("A lucky hand ends the round."),
            "misdeal": _("The cards are thrown in: a misdeal."),
            "abandoned": _("The round was broken off here."),
        }
        return ends.get(str(event["args"].get("end", "")), _("The record ends here."))


def landmarks(steps: Sequence[Json]) -> list[Json]:
    """Steps that one looks for: findings first, then calls, yaku and the end."""
    found = []
    for step in steps:
        kinds = {event["kind"] for event in step["events"]}
        kind = next((name for name, there in _marks(step, kinds) if there), None)
        if kind:
            found.append({"step": step["step"], "kind": kind, "says": step["says"]})
    return found


def _marks(step: Json, kinds: set[str]) -> tuple[tuple[str, bool], ...]:
    return (
        ("finding", bool(step["findings"]) or "fault" in kinds),
        ("call", "called" in kinds),
        ("yaku", "yaku" in kinds),
        ("rule", bool(kinds & {"moved", "owner", "claim"})),
    )


def script_words() -> dict[str, str]:
    """What the replay's script writes by itself."""
    return {
        "hidden": _p("cards", "hidden"),
        "unrecorded": _("not recorded"),
        "cards": _("{n} cards"),
        "card": _("1 card"),
        "dealer": _("dealer"),
        "next": _("to play"),
        "pile": _("Captured"),
        "hand": _("Hand"),
        "nothing": _("nothing yet"),
        "points": _("{n} points"),
        "point": _("{n} point"),
        "captured": _("{n} captured"),
        "seen": _("seen"),
        "inhand": _("in hand"),
        "unseen": _("unseen"),
        "onfield": _("on the field"),
        "inpile": _("captured"),
        "needs": _("still needs"),
        "made": _("made"),
        "stepof": _("Step {n} of {all}"),
        "turn": _("Turn {n}"),
        "roundof": _("Round {n} of {all}"),
        "copied": _("Link copied"),
        "notcopied": _("The link is in the address bar"),
        "playing": _("Playing"),
        "paused": _("Paused"),
        "conditional": _("After an unlawful act: shown as it was played"),
        "nofinding": _("No finding further on"),
        "nofindingbefore": _("No finding before this"),
        "nonote": _("No note in this round"),
        "lastround": _("This is the last round"),
        "firstround": _("This is the first round"),
        "lost": _("The round could not be fetched. Try again."),
        "running": _("Card points so far"),
        "runningcards": _("Cards captured so far"),
        "takes": _("takes"),
        "stays": _("stays on the field"),
        "speed": _("{n} s a step"),
    }
