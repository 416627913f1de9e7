"""Conquian's rulings and traps, one named test each: melds, offers, going out. Source: ``rules/conquian.md``."""

from __future__ import annotations

import json
import random
from itertools import combinations
from typing import Any

import pytest

from games.engine.conquian import RULES
from games.engine.conquian_melds import BIT, MELDS, PACK, arrangements, extended, in_suits, mask
from games.engine.contract import (
    SPECTATOR,
    BadDeal,
    BadOption,
    IllegalMove,
    Move,
)
from tests.engine.conquian_tables import (
    ALLOW,
    HAND,
    PASS,
    at,
    cards,
    declined_by_seat_0,
    discard,
    force,
    meld,
    melded,
    play,
    refusal,
)

# --- cards and melds --------------------------------------------------------------------------------------------


def test_there_are_182_melds() -> None:
    assert len(MELDS) == 182


def test_the_pack_has_forty_cards_without_eights_nines_and_tens() -> None:
    (pack,) = RULES.packs(RULES.start({"target": 1}))
    assert len(pack) == 40
    assert {card[0] for card in pack} == set("A234567JQK")


def test_seven_and_jack_are_neighbours() -> None:
    state = at("6D 7D AC 3D 5S 7H KC 2S 4C AS", centre="JD")
    assert melded(play(state, meld("6D 7D JD", "AS")), 0) == [["6D", "7D", "JD"]]


def test_ace_and_king_are_not_neighbours() -> None:
    state = at("AC 2C QC 3D 5S 7H JD 2S 4D 4S", centre="KC")
    assert refusal(state, meld("QC KC AC", "2S")) == "not_a_meld"
    assert refusal(state, meld("KC AC 2C", "2S")) == "not_a_meld"


def test_an_eight_card_sequence_refuses_a_ninth_by_melding() -> None:
    state = at("AD 3D", "AC 2C 3C 4C 5C 6C 7C JC", centre="QC")
    assert refusal(state, meld("AC 2C 3C 4C 5C 6C 7C JC QC", "3D")) == "meld_too_long"
    assert play(state, meld("AC 2C 3C 4C / 5C 6C 7C JC QC", "3D")).phase == "offer"


def test_an_eight_card_sequence_refuses_a_ninth_by_forcing() -> None:
    state = at(
        "AD 3D 5S 7H KD JD 2S 4D 4S QH",
        other_melds="AC 2C 3C 4C 5C 6C 7C JC",
        centre="QC",
        origin="declined",
    )
    assert refusal(state, force("AC 2C 3C 4C 5C 6C 7C JC")) == "nothing_to_force"


def test_a_set_of_four_refuses_a_fifth() -> None:
    fours = mask(cards("4C 4D 4H 4S"))
    assert all(not extended((fours,), bit) for bit in BIT.values() if not bit & fours)
    state = at("AC 3D 5S 7H KC JD", "4C 4D 4H 4S", centre="5H")
    assert refusal(state, meld("4C 4D 4H 4S 5H", "AC")) == "not_a_meld"


def test_arrangements_agree_with_trying_every_choice_of_melds() -> None:
    rng = random.Random(11)
    seen = 0
    for _ in range(60):
        suit = rng.choice("CDHS")
        near = [card for card in PACK if card[1] == suit or card[0] in "45"]
        centre, *rest = rng.sample(near, 11)
        fixed = mask(rest[: rng.choice((0, 0, 3))])
        hand, must = mask(rest) & ~fixed, fixed | BIT[centre]
        usable = [one for one in MELDS if one & ~(hand | must) == 0]
        brute = {
            frozenset(some)
            for size in (1, 2, 3)
            for some in combinations(usable, size)
            if sum(one.bit_count() for one in some) == (union := _union(some)).bit_count() and must & ~union == 0
        }
        found = arrangements(BIT[centre], fixed, hand)
        assert {frozenset(one) for one in found} == brute
        assert len(found) == len(brute)
        seen += len(brute)
    assert seen > 100


def _union(melds: tuple[int, ...]) -> int:
    union = 0
    for one in melds:
        union |= one
    return union


# --- options, deals, rounds -------------------------------------------------------------------------------------


def test_the_target_is_one_unless_three_or_five_is_asked_for() -> None:
    assert RULES.options({}) == {"target": 1}
    assert RULES.options({"target": 5}) == {"target": 5}


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"target": 2}, "bad_option"),
        ({"target": "3"}, "bad_option"),
        ({"target": True}, "bad_option"),
        ({"target": None}, "bad_option"),
        ({"quick_pass": True}, "unknown_option"),
    ],
)
def test_an_option_or_value_that_is_not_on_the_page_is_refused(given: dict[str, Any], code: str) -> None:
    with pytest.raises(BadOption) as refused:
        RULES.options(given)
    assert refused.value.code == code


def test_ten_cards_each_one_at_a_time_the_non_dealer_first_then_the_centre_card() -> None:
    state = RULES.deal(RULES.start({"target": 3}), (PACK,))
    assert in_suits(state.hands[1]) == list(PACK[0:20:2])
    assert in_suits(state.hands[0]) == list(PACK[1:20:2])
    assert RULES.view(state, SPECTATOR)["centre"] == PACK[20]
    assert RULES.view(state, SPECTATOR)["stock"] == 19
    assert (RULES.awaits(state), state.origin) == (1, "turned")


def test_the_deal_alternates() -> None:
    drawn = play(at(HAND, centre="6C", origin="discarded", target=3), PASS)
    assert RULES.awaits(drawn) == "deal"
    second = RULES.deal(drawn, (PACK,))
    assert RULES.view(second, 0)["dealer"] == 1
    assert RULES.awaits(second) == 0
    assert in_suits(second.hands[0]) == list(PACK[0:20:2])


def test_a_deal_of_another_pack_or_at_another_time_is_refused() -> None:
    start = RULES.start({"target": 1})
    with pytest.raises(BadDeal):
        RULES.check_deal(start, ((*PACK[:-1], PACK[0]),))
    RULES.check_deal(start, (PACK,))
    with pytest.raises(BadDeal):
        RULES.check_deal(RULES.deal(start, (PACK,)), (PACK,))


# --- offers and melds -------------------------------------------------------------------------------------------


def test_the_first_centre_card_declined_by_the_non_dealer_goes_to_the_dealer_then_to_the_waste() -> None:
    state = play(RULES.deal(RULES.start({"target": 1}), (PACK,)), PASS)
    assert (state.seat, state.origin, state.centre) == (0, "declined", BIT[PACK[20]])
    state = play(state, PASS)
    assert (state.seat, state.origin, state.centre) == (0, "turned", BIT[PACK[21]])
    assert RULES.view(state, 0)["waste"] == 1


def test_declining_a_usable_card_is_allowed() -> None:
    state = at("4H 5H AC 3D 5S 7H KC JD 2S QS", centre="6H", stock="2C")
    assert len(RULES.legal_moves(state)) > 1
    assert play(state, PASS).origin == "declined"


def test_a_discard_becomes_the_centre_card_offered_to_the_opponent() -> None:
    state = play(at("4H 5H AC 3D 5S 7H KC JD 2S QS", centre="6H"), meld("4H 5H 6H", "QS"))
    assert (state.seat, state.origin, state.centre) == (1, "discarded", BIT["QS"])
    assert state.hands[0] == mask(cards("AC 3D 5S 7H KC JD 2S"))


def test_further_hand_cards_may_be_melded_with_the_centre_card_in_its_meld_or_in_others() -> None:
    state = at("3H 4H 5H KC KD KS 2S QS 7C AD", centre="6H")
    assert melded(play(state, meld("3H 4H 5H 6H / KC KD KS", "QS")), 0) == [
        ["3H", "4H", "5H", "6H"],
        ["KC", "KD", "KS"],
    ]


def test_hand_cards_are_never_melded_without_the_centre_card() -> None:
    state = at("3H 4H 5H KC KD KS 2S QS 7C AD", centre="6H")
    assert refusal(state, meld("KC KD KS", "QS")) == "centre_not_melded"
    assert refusal(state, {"type": "meld", "melds": [], "discard": "QS"}) == "centre_not_melded"


def test_one_long_sequence_may_be_rearranged_into_two() -> None:
    state = at("AD 3S 7D QC", "2H 3H 4H 5H 6H 7H", centre="JH")
    assert melded(play(state, meld("2H 3H 4H / 5H 6H 7H JH", "AD")), 0) == [
        ["2H", "3H", "4H"],
        ["5H", "6H", "7H", "JH"],
    ]


def test_rearranging_may_free_a_card_for_another_meld() -> None:
    state = at("4C AD 3S 7D QC KS", "4H 5H 6H 7H", centre="4S")
    after = play(state, meld("5H 6H 7H / 4C 4H 4S", "AD"))
    assert melded(after, 0) == [["4C", "4H", "4S"], ["5H", "6H", "7H"]]


def test_the_same_cards_arranged_two_ways_are_two_different_moves() -> None:
    state = at("AD 3S 7D QC", "2H 3H 4H 5H 6H 7H", centre="JH")
    ways = {json.dumps(move["melds"]) for move in RULES.legal_moves(state) if move.get("discard") == "AD"}
    assert len(ways) == 3  # one of seven, three and four, four and three
    one = play(state, meld("2H 3H 4H / 5H 6H 7H JH", "AD"))
    other = play(state, meld("2H 3H 4H 5H / 6H 7H JH", "AD"))
    assert one != other


def test_no_melded_card_returns_to_the_hand() -> None:
    state = at("5S 6S AD 3S 7D QC", "4H 5H 6H 7H", centre="4S")
    assert refusal(state, meld("5H 6H 7H / 4S 5S 6S", "AD")) == "melded_card_left_out"


def test_a_player_holds_ten_cards_between_hand_and_melds_at_the_end_of_their_turn() -> None:
    state = at("AD 3S 7D QC", "2H 3H 4H 5H 6H 7H", centre="JH")
    after = play(state, meld("2H 3H 4H / 5H 6H 7H JH", "AD"))
    assert after.hands[0].bit_count() + sum(after.melds[0]).bit_count() == 10


def test_lists_may_be_sent_in_any_order_and_are_stored_canonically() -> None:
    state = at("3H 4H 5H KC KD KS 2S QS 7C AD", centre="6H")
    sent = {"discard": "QS", "melds": [["KS", "KC", "KD"], ["6H", "4H", "5H"]], "type": "meld"}
    assert RULES.check(state, 0, sent) == meld("4H 5H 6H / KC KD KS", "QS")


# --- going out --------------------------------------------------------------------------------------------------


def test_eleven_melded_cards_and_an_empty_hand_win_the_round() -> None:
    state = at("5C 5D", "AC 2C 3C 4C / QC QD QH QS", centre="5H")
    after = play(state, meld("AC 2C 3C 4C / QC QD QH QS / 5C 5D 5H"))
    assert RULES.result(after) == {"scores": [1, 0], "winner": 0}
    assert RULES.legal_moves(after) == []
    assert RULES.awaits(after) is None


def test_ten_melded_and_the_eleventh_discarded_is_no_win() -> None:
    state = at("5C 5D 7S", "AC 2C 3C 4C / QC QD QH", centre="5H", stock="KD")
    after = play(state, meld("AC 2C 3C 4C / QC QD QH / 5C 5D 5H", "7S"))
    assert RULES.result(after) is None
    assert (after.seat, after.hands[0]) == (1, 0)


def test_with_an_empty_hand_and_ten_melded_every_turn_is_meld_or_pass() -> None:
    state = at("", "AC 2C 3C 4C / QC QD QH / 5C 5D 5H", centre="5S")
    assert {move["type"] for move in RULES.legal_moves(state)} == {"meld", "pass"}
    assert all("discard" not in move for move in RULES.legal_moves(state))
    unfit = at("", "AC 2C 3C 4C / QC QD QH / 5C 5D 5H", centre="7S")
    assert RULES.legal_moves(unfit) == [PASS]


def test_with_an_empty_hand_a_centre_card_that_fits_only_by_rearranging_wins() -> None:
    state = at("", "4C 4D 4H 4S / 5H 6H 7H / QC QD QS", centre="3H")
    assert extended(state.melds[0], state.centre) == ()
    after = play(state, meld("3H 4H 5H 6H 7H / 4C 4D 4S / QC QD QS"))
    assert RULES.result(after) == {"scores": [1, 0], "winner": 0}


def test_going_out_takes_no_discard_and_a_card_left_in_the_hand_takes_one() -> None:
    state = at("5C 5D", "AC 2C 3C 4C / QC QD QH QS", centre="5H")
    assert refusal(state, meld("AC 2C 3C 4C / QC QD QH QS / 5C 5D 5H", "7S")) == "nothing_to_discard"
    state = at("5C 5D 7S", "AC 2C 3C 4C / QC QD QH", centre="5H")
    assert refusal(state, meld("AC 2C 3C 4C / QC QD QH / 5C 5D 5H")) == "discard_missing"


# --- refusals ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "move",
    [
        None,
        [],
        "pass",
        {},
        {"type": None},
        {"type": ["pass"]},
        {"type": "fly"},
        {"type": "pass", "card": "2C"},
        {"type": "meld"},
        {"type": "meld", "melds": "4H", "discard": "QS"},
        {"type": "meld", "melds": ["4H"], "discard": "QS"},
        {"type": "meld", "melds": [["4H", "5H", "6H", "6H"]], "discard": "QS"},
        {"type": "meld", "melds": [["4H", "5H", "8H"]], "discard": "QS"},
        {"type": "meld", "melds": [["4H", "5H", "6H"]], "discard": None},
        {"type": "meld", "melds": [["4H", "5H", "6H"]], "discard": ""},
        {"type": "meld", "melds": [["4H", "5H", "6H"]], "discard": "QS", "note": 1},
        {"type": "force", "meld": None},
        {"type": "force", "meld": [["4H"]]},
    ],
)
def test_what_is_no_move_at_all_is_malformed(move: object) -> None:
    assert refusal(at("4H 5H AC 3D 5S 7H KC JD 2S QS", centre="6H"), move) == "malformed_move"


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (ALLOW, "nothing_to_allow"),
        (discard("QS"), "discard_not_awaited"),
        (meld("4H 5H 6H", "4H"), "discard_not_in_hand"),
        (meld("4H 5H 6H", "QC"), "discard_not_in_hand"),
        (meld("4H 6H 7H", "QS"), "not_a_meld"),
        (meld("5H 6H", "QS"), "not_a_meld"),
        (meld("6C 6D 6H", "QS"), "card_not_yours"),
        (meld("4H 5H 6H / 5H 6H 7H", "QS"), "card_in_two_melds"),
    ],
)
def test_each_rule_broken_has_its_own_code(move: Move, code: str) -> None:
    assert refusal(at("4H 5H AC 3D 5S 7H KC JD 2S QS", centre="6H"), move) == code


def test_a_discard_that_is_no_card_is_malformed() -> None:
    state = play(declined_by_seat_0(), force("4H 5H 6H"))
    assert refusal(state, {"type": "discard", "card": "8C"}) == "malformed_move"


def test_a_seat_that_is_not_awaited_is_refused() -> None:
    state = at(HAND, centre="6C")
    with pytest.raises(IllegalMove) as refused:
        RULES.check(state, 1, PASS)
    assert refused.value.code == "not_your_turn"
