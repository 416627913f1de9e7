"""Deal numbers are PySolFC's: the same number shows the same cards here and there.

The expected layouts were obtained without the library that deals here: from PySolFC's own description of its numbers.
A number below 32,000 seeds the generator that Windows FreeCell used (``x = (214013 x + 2531011) mod 2**33``, a draw is
bits 16 to 30), any other the Mersenne Twister of Python; both shuffle the two decks (clubs, spades, hearts, diamonds,
each from the ace) from the last card down, and the talon is dealt from its end. :func:`low` below writes the first one
out again; the layout of 12345 was read off it.
"""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import get_rules
from games.engine.contract import Packs
from games.engine.forty_thieves import VARIANTS
from games.engine.shuffle import LARGEST_NUMBER, deal_by_number

RULES = get_rules("forty_thieves", 1)
LAYOUT_12345 = """
6D 7C AD QD 3H 3D QH AH 3H 9H
AS 3D 7S TS 7H 2S 3C 7D 5S AD
TH KS TD 5C QS 6C 4H 8D JH 5S
5H 4S 9S 8H 8S 2C 9D AH 2S 4D
"""


def packs(variant: str) -> Packs:
    return RULES.packs(RULES.start(RULES.options({"variant": variant})))


def low(number: int) -> list[str]:
    """The pack of a number below 32,000, top card first."""
    x = number
    cards = [rank + suit for _ in range(2) for suit in "CSHD" for rank in "A23456789TJQK"]
    for last in range(len(cards) - 1, 0, -1):
        x = (x * 214013 + 2531011) % 2**33
        drawn = (x // 2**16 % 2**15) % (last + 1)
        cards[last], cards[drawn] = cards[drawn], cards[last]
    return cards[::-1]


def test_deal_12345_of_forty_thieves_is_pysolfcs() -> None:
    state = RULES.start(RULES.options({"variant": "forty-thieves"}))
    view = RULES.view(RULES.deal(state, deal_by_number(packs("forty-thieves"), 12345)), 0)
    rows = [line.split() for line in LAYOUT_12345.split("\n") if line]
    assert [column["cards"] for column in view["columns"]] == [list(column) for column in zip(*rows, strict=True)]


@given(st.integers(1, 31_999))
def test_a_low_number_deals_as_the_description_says(number: int) -> None:
    assert list(deal_by_number(packs("forty-thieves"), number)[0]) == low(number)


@given(st.integers(1, 31_999))
def test_lucas_drops_the_aces_after_the_shuffle(number: int) -> None:
    assert list(deal_by_number(packs("lucas"), number)[0]) == [card for card in low(number) if card[0] != "A"]


def test_a_number_of_twenty_digits_stays_the_deal_that_it_is() -> None:
    dealt = deal_by_number(packs("forty-thieves"), 12_345_678_901_234_567_890)[0]
    assert " ".join(dealt[:10]) == "2C 5D AS 9H TH TS 8D KC 4S 6C"


@given(number=st.integers(1, LARGEST_NUMBER), variant=st.sampled_from(sorted(VARIANTS)))
def test_every_number_deals_exactly_the_cards_of_the_game(number: int, variant: str) -> None:
    standard = packs(variant)
    assert Counter(deal_by_number(standard, number)[0]) == Counter(standard[0])


def test_variants_of_the_same_pack_share_their_deals() -> None:
    assert deal_by_number(packs("maria"), 7) == deal_by_number(packs("indian"), 7)


@pytest.mark.parametrize("number", [31_999, 32_000, 32_001])
def test_where_the_generators_meet_each_number_has_a_deal_of_its_own(number: int) -> None:
    assert (list(deal_by_number(packs("streets"), number)[0]) == low(number)) == (number < 32_000)
