"""Cards by the names that people use (record-format.md, 1: reading codes)."""

import pytest

from records.cards import CARDS, CODES
from records.errors import AmbiguousCard, UnknownCard
from records.names import NAMES, card_of, near_card


@pytest.mark.parametrize("code", sorted(set(CODES)))
def test_every_code_in_any_case_and_with_full_width_digits(code: str) -> None:
    wide = code.translate({ord(digit): chr(ord("０") + int(digit)) for digit in "0123456789"})
    assert [CODES[card_of(word, False)] for word in (code, code.lower(), wide)] == [code] * 3


@pytest.mark.parametrize(
    ("word", "code"),
    [
        *[(f"{month}C{number}", f"{month}C") for month in range(1, 11) for number in (1, 2)],
        *[("11C1", "11C"), ("12C1", "12Y"), ("12C2", "12C"), ("12C3", "12C"), ("12c1", "12Y"), ("１C２", "1C")],
    ],
)
def test_ordinals(word: str, code: str) -> None:
    assert CODES[card_of(word, False)] == code


@pytest.mark.parametrize("word", ["1C3", "11C2", "12C4", "1R1", "13C", "0B", "01B", "1A", "8R", "12A", "B", "1", "", "JA"])
def test_no_such_code(word: str) -> None:
    with pytest.raises(UnknownCard):
        card_of(word, False)


@pytest.mark.parametrize("word", ["12Y", "12C1", "12C", "yellow-chaff", "paulownia-chaff", "桐のカス"])
def test_the_yellow_chaff_is_plain_where_it_has_no_value(word: str) -> None:
    assert card_of(word, True) == CARDS["12C"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("crane Crane CRANE tsuru 鶴 grou pine-crane matsu-ni-tsuru 松に鶴 ツル", "1B"),
        ("bush-warbler bush_warbler BushWarbler uguisu 鶯 rouxinol", "2A"),
        ("curtain maku 幕 桜に幕 cortina", "3B"),
        ("cuckoo hototogisu 不如帰 ほととぎす ホトトギス cuco", "4A"),
        ("eight-plank-bridge bridge yatsuhashi 八橋 ponte", "5A"),
        ("butterflies cho 蝶 borboletas", "6A"),
        ("boar inoshishi 猪 javali", "7A"),
        ("full-moon moon tsuki 月 lua lua-cheia", "8B"),
        ("geese kari 雁 gansos", "8A"),
        ("sake-cup sakazuki 盃 taça taca", "9A"),
        ("deer shika 鹿 veado", "10A"),
        ("rain-man 小野道風 homem-da-chuva", "11B"),
        ("swallow tsubame 燕 andorinha", "11A"),
        ("lightning gaji GAJI ガジ 雷 relâmpago relampago raio willow-chaff", "11C"),
        ("phoenix hoo 鳳凰 fênix fenix", "12B"),
        ("yellow-chaff", "12Y"),
        ("basa", "JB"),
        ("chu", "JC"),
        ("pine-ribbon pine-poetry-ribbon matsu-ni-akatan 松に赤短 fita-de-pinheiro", "1R"),
        ("maple-blue-ribbon momiji-aotan 紅葉に青短", "10R"),
        ("plum-chaff ume-kasu 梅のカス palha-de-ameixeira", "2C"),
    ],
)
def test_names_people_use(words: str, code: str) -> None:
    assert {word: CODES[card_of(word, False)] for word in words.split()} == dict.fromkeys(words.split(), code)


def test_every_card_with_a_name_is_found_by_it() -> None:
    for code, names in NAMES.items():
        assert {CODES[card_of(name, False)] for name in names} == {code}


@pytest.mark.parametrize(
    ("word", "codes"),
    [
        ("ribbon", "1R 2R 3R 4R 5R 6R 7R 9R 10R 11R"),
        ("blue-ribbon", "6R 9R 10R"),
        ("赤短", "1R 2R 3R"),
        ("pine", "1B 1R 1C"),
        ("joker", "JB JC"),
        ("paulownia-chaff", "12Y 12C"),
    ],
)
def test_a_name_of_several_cards_is_none(word: str, codes: str) -> None:
    with pytest.raises(AmbiguousCard) as caught:
        card_of(word, False)
    assert [CODES[card] for card in caught.value.cards] == codes.split()


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("craen", "crane"),
        ("bush-warbeler", "bush-warbler"),
        ("Phenix", "phoenix"),
        ("1C3", "1C"),
        ("relampgo", "relâmpago"),
        ("xyzzy", None),
        ("a" * 100, None),
    ],
)
def test_near_misses(word: str, near: str | None) -> None:
    assert near_card(word) == near
