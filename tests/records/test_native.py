"""Numbers of the machine: what compiled code does with them is what Python does."""

import random

from records.native import BITS, INTERPRETED, count, count_of, numbers, zeros
from service.engine import kind


def test_a_bit_of_each_card_and_no_bit_more() -> None:
    assert list(BITS) == [1 << place for place in range(63)]


def test_numbers_keep_their_places_and_can_be_changed() -> None:
    values = [0, 1, (1 << 50) - 1, 255, -1]
    found = numbers(values)
    assert list(found) == values
    found[2] = found[2] ^ 1 << 49
    assert list(found) == [0, 1, (1 << 49) - 1, 255, -1]


def test_zeros_are_so_many_and_can_be_changed() -> None:
    found = zeros(3)
    found[1] = 1 << 49
    assert list(found) == [0, 1 << 49, 0]


def test_a_set_holds_as_many_cards_as_it_has_bits() -> None:
    chance = random.Random(1)
    sets = [0, *(1 << card for card in range(50)), (1 << 50) - 1, *(chance.getrandbits(50) for _ in range(1000))]
    assert [count(cards) for cards in sets] == [cards.bit_count() for cards in sets]


def test_it_knows_which_way_it_runs() -> None:
    assert (kind() == "interpreted") == INTERPRETED


def test_a_byte_is_counted_wherever_it_stands() -> None:
    chance = random.Random(1)
    for length in range(40):
        data = bytes(chance.choice(b"{}[]:;z\n\x00\x7f\x80\xba\xff") for _ in range(length))
        for byte in b"{}[]:\n\x00\x7f\x80\xff":
            assert count_of(data, byte) == data.count(byte), (data, byte)
