"""What every game must bring: its points, options and yaku in our words with a source, and a test for each yaku and option."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from records.cards import CARDS, cards_in, mask
from records.games import GAMES, POINTS, game
from records.rules.common import AUDIT
from records.rules.game import Game, Option, Rules
from records.rules.settlement import Ending

HERE = Path(__file__).parent
TEXTS = ("Bakabana", "Hon-bana", "Higo Bana", "Sakura", "Koi-koi", "Hanafu's", "House rule", "Wider literature", "A later revision")
"""How a source begins or what it names: one of the texts, our own reading, or a rule of tables."""

every_game = pytest.mark.parametrize("played", GAMES, ids=[each.id for each in GAMES])
OPTIONS = [(each, option) for each in GAMES for option in each.options]
every_option = pytest.mark.parametrize(("played", "option"), OPTIONS, ids=[f"{each.id}-{option.id}" for each, option in OPTIONS])


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d]+", text.lower())


def _own_texts() -> list[str]:
    found = [point.text for point in POINTS.values() if point.id != "HN-12"]  # a list of names in an order that is a fact
    for each in GAMES:
        found += [each.text, *(rule.text for rule in each.yaku), *(option.text for option in each.options)]
        found += [choice.text for option in each.options for choice in option.choices]
    return found


def test_games_are_found_by_their_ids() -> None:
    assert [each.id for each in GAMES] == ["bakabana", "hon-bana", "higobana", "sakura", "koi-koi"]
    assert all(game(each.id) is each for each in GAMES)
    with pytest.raises(KeyError):
        game("hachi-hachi")


@every_game
def test_every_point_has_text_and_source(played: Game) -> None:
    for point in (*played.points, *AUDIT):
        assert len(point.text) > 20, point.id
        assert any(text in point.source for text in TEXTS), point.id
    ids = [point.id for point in played.points]
    assert len(ids) == len(set(ids))


@every_option
def test_every_value_of_an_option_has_text_and_source(played: Game, option: Option) -> None:
    assert option.text
    assert option.rule in POINTS
    assert len(option.choices) > 1
    assert len(set(option.values)) == len(option.values)
    for choice in option.choices:
        assert choice.text, choice.value
        assert any(text in choice.source for text in TEXTS), choice.value


@every_option
def test_every_option_value_has_a_test(played: Game, option: Option) -> None:
    tests = (HERE / f"test_{played.id.replace('-', '_')}.py").read_text()
    assert re.search(rf'\b{option.id}=|"{option.id}"', tests)
    for value in option.values[1:]:
        assert f'"{value}"' in tests or f"{option.id}={value}" in tests, value


@every_game
def test_every_yaku_has_a_test(played: Game) -> None:
    tests = (HERE / f"test_{played.id.replace('-', '_')}.py").read_text()
    for rule in played.yaku:
        assert f'"{rule.id}"' in tests, rule.id
        assert rule.rule in POINTS
        assert mask(rule.cards).bit_count() >= rule.need
        assert rule.name
        assert rule.text


@every_game
def test_a_yaku_that_takes_all_of_its_cards_is_made_by_nothing_less(played: Game) -> None:
    for seats in played.seats:
        rules = Rules(played, {}, seats, None)
        for rule in played.yaku:
            cards = mask(rule.cards)
            for card in cards_in(cards) if rule.id in played.whole else ():
                for pile in (cards, rules.deck):
                    for place in range(seats):
                        assert rule.id not in {yaku.id for yaku in played.yaku_of(rules, pile & ~(1 << card), place, 0)}


@every_game
def test_every_deal_fits_the_deck(played: Game) -> None:
    for seats in played.seats:
        for sides in (None, *played.partitions.get(seats, ())):
            rules = Rules(played, {}, seats, sides)
            assert len(rules.hand_sizes) == seats
            assert rules.pile_size > 0
            assert rules.citations["deal"] in POINTS
            assert all(id in POINTS for id in rules.citations.values())


def test_every_rule_of_the_specification_has_a_point(shared: Path) -> None:
    specified = set(re.findall(r"\*\*((?:CP|BK|HN|HG|SK|KK|AU)-\d+)", (shared / "spec" / "rules.md").read_text()))
    assert set(POINTS) == specified


def test_options_are_those_of_the_specification_default_first(shared: Path) -> None:
    text = (shared / "spec" / "rules.md").read_text().partition("## 9. Options")[2]
    parts = dict(re.findall(r"- \*\*([a-z-]+)\*\*: (.*?)(?=\n- \*\*|\Z)", text, re.S))
    assert set(parts) == {each.id for each in GAMES}
    for each in GAMES:
        for id, values in re.findall(r"`([a-z_]+)` ([^;`]+)", parts[each.id]):
            written = [value.partition("(")[0].strip(" \n.") for value in values.split("·")]
            if written == ["as higobana"]:
                written = [str(value).lower() for value in game("higobana").option(id).values]
            assert [str(value).lower() for value in each.option(id).values] == written, id
        assert set(re.findall(r"`([a-z_]+)`", parts[each.id])) == {option.id for option in each.options}


@pytest.mark.parametrize("folder", ["spec", "sources"])
def test_texts_are_in_our_own_words(shared: Path, folder: str) -> None:
    run = 8
    told = set()
    for file in (shared / folder).iterdir():
        words = _words(file.read_text())
        told |= {tuple(words[start : start + run]) for start in range(len(words) - run)}
    for text in _own_texts():
        words = _words(text)
        copied = [words[start : start + run] for start in range(len(words) - run + 1) if tuple(words[start : start + run]) in told]
        assert not copied


def _piles(piles: list[str], rules: Rules) -> list[int]:
    """Sets of cards; of three equal paulownia chaff the yellow one is the third. Raises KeyError for a code written otherwise."""
    found = []
    for pile in piles:
        codes = pile.split()
        if rules.merge_yellow and codes.count("12C") == 3:
            codes[codes.index("12C")] = "12Y"
        found.append(mask(" ".join(codes)))
    return found


def _ending(stated: dict[str, Any], rules: Rules) -> Ending:
    """How a round ended, by its piles and what is written of the play. Raises KeyError where something is written in an unusual way."""
    ending = Ending(stated["dealer"] - 1, _piles(stated["piles"], rules), first_great=stated.get("first_great", ""))
    actions: list[str] = stated.get("actions", [])
    wild = [half[4:] for action in actions for half in action.upper().replace("×", "X").split() if half.startswith("11CX")]
    took = stated.get("lightning", wild[0] if wild and not wild[0].startswith("11") else "plain")
    if rules.game.sheet.lightning and took != "plain":
        ending.lightning = CARDS[took]
    ending.calls = stated.get("calls", [0, 0])
    ending.stopped = stated.get("stopped", 0) - 1
    if rules.calls and actions:
        if any(":" in action for action in actions):
            raise KeyError("a seat that is written out")
        turns = {seat: actions[(seat - ending.dealer) % 2 :: 2] for seat in (0, 1)}
        ending.calls = [sum(action.endswith("koi") for action in turns[seat]) for seat in (0, 1)]
        ending.stopped = next((seat for seat in (0, 1) for action in turns[seat] if action.endswith("stop")), -1)
    return ending


@every_game
def test_piles_of_the_right_answers_are_settled_as_they_say(shared: Path, played: Game) -> None:
    """Rounds without faults, where piles and actions are written in a plain way; the audit's own tests take them all."""
    compared = 0
    for line in (shared / "vectors" / f"{played.id}.jsonl").read_text().splitlines():
        vector = json.loads(line)
        record = vector["record"]
        sides = tuple(tuple(seat - 1 for seat in side) for side in record["sides"]) if record.get("sides") else None
        rules = Rules(played, record.get("options") or {}, len(record["players"]), sides)
        for stated, right in zip(record["rounds"], vector["expect"].get("rounds", []), strict=False):
            if not stated.get("piles") or right.get("findings") or right.get("end") != "played" or not right.get("scores"):
                continue
            try:
                ending = _ending(stated, rules)
                settled = played.settle(rules, ending, False)
            except (KeyError, AttributeError, ValueError):
                continue
            assert settled.yaku is not None
            paid = [sorted(made.id for made in side if not made.negated) for side in settled.yaku]
            assert (settled.points, paid, settled.scores) == (right["points"], right["yaku"], right["scores"]), vector["name"]
            assert settled.winner + 1 == right.get("winner", settled.winner + 1), vector["name"]
            assert settled.next_dealer + 1 == (right.get("next_dealer") or settled.next_dealer + 1), vector["name"]
            compared += 1
    assert compared >= 50
