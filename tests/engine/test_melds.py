"""Groups and sequences, in the ranks of both rummy games."""

from itertools import combinations

import pytest

from games.engine.melds import groups, is_group, is_sequence, sequences

CONQUIAN = "A234567JQK"


@pytest.mark.parametrize("cards", ["7C 7D 7H", "7S 7C 7H 7D"])
def test_three_or_four_cards_of_one_rank_are_a_group(cards: str) -> None:
    assert is_group(cards.split())


@pytest.mark.parametrize("cards", ["", "7C 7D", "7C 7D 8H", "7C 7D 7D", "7C 8C 9C"])
def test_fewer_cards_mixed_ranks_or_one_card_twice_are_no_group(cards: str) -> None:
    assert not is_group(cards.split())


@pytest.mark.parametrize("cards", ["AC 2C 3C", "TD 9D JD 8D", "JH QH KH"])
def test_consecutive_cards_of_one_suit_are_a_sequence_in_any_order(cards: str) -> None:
    assert is_sequence(cards.split())


@pytest.mark.parametrize("cards", ["", "2C 3C", "2C 3C 4D", "2C 3C 5C", "2C 3C 3C", "2C 3C 4C 4C"])
def test_gaps_mixed_suits_or_one_card_twice_are_no_sequence(cards: str) -> None:
    assert not is_sequence(cards.split())
    assert not is_sequence(cards.split(), ace_high=True)


def test_the_ace_stands_above_the_king_only_where_it_may_be_high() -> None:
    assert is_sequence(["QS", "KS", "AS"], ace_high=True)
    assert not is_sequence(["QS", "KS", "AS"])


def test_a_sequence_never_turns_the_corner_through_the_ace() -> None:
    assert not is_sequence(["KS", "AS", "2S"], ace_high=True)
    assert not is_sequence(["QS", "KS", "AS", "2S", "3S"], ace_high=True)


def test_seven_and_jack_touch_where_the_ranks_between_them_are_missing() -> None:
    assert is_sequence(["6D", "7D", "JD"], CONQUIAN)
    assert not is_sequence(["6D", "7D", "JD"])
    assert not is_sequence(["7D", "8D", "9D"], CONQUIAN)


@pytest.mark.parametrize("ace_high", [False, True])
def test_the_lists_are_all_choices_of_cards_that_are_melds(*, ace_high: bool) -> None:
    hand = ["AC", "AD", "AH", "AS", "2C", "3C", "4C", "QC", "KC", "4D", "4H"]
    choices = [c for size in range(len(hand) + 1) for c in combinations(sorted(hand), size)]
    assert sorted(groups(hand)) == sorted(c for c in choices if is_group(c))
    expected = sorted(c for c in choices if is_sequence(c, ace_high=ace_high))
    assert sorted(sequences(hand, ace_high=ace_high)) == expected
    assert (("AC", "KC", "QC") in expected) is ace_high


def test_a_whole_suit_is_listed_once_though_its_ace_may_be_low_or_high() -> None:
    suit = [rank + "H" for rank in "A23456789TJQK"]
    found = sequences(suit, ace_high=True)
    assert found.count(tuple(sorted(suit))) == 1
    assert len(found) == len(set(found)) == sum(range(1, 12)) + 10


def test_the_listed_melds_are_canonically_sorted() -> None:
    assert sequences(["KD", "TD", "JD", "QD", "AD"], ace_high=True)[0] == ("JD", "QD", "TD")
    assert groups(["7S", "7D", "7C"]) == [("7C", "7D", "7S")]
