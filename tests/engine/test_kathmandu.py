"""Kathmandu: every ruling and every trap of its page on moves, rounds and the score."""

import json
from dataclasses import replace
from typing import Any

import pytest

from games.engine.contract import SPECTATOR, BadDeal, BadOption, IllegalMove
from games.engine.kathmandu import RULES
from tests.engine.kathmandu_positions import (
    PACK,
    dealt,
    kinds,
    make,
    move,
    position,
    refused,
    with_the_last_card_revealed,
)

# --- options, deal, rounds ------------------------------------------------------------------------------------------


def test_three_rounds_are_played_unless_the_table_says_one() -> None:
    assert RULES.options({}) == {"rounds": 3}
    assert RULES.options({"rounds": 1}) == {"rounds": 1}


@pytest.mark.parametrize("given", [{"rounds": 2}, {"rounds": "3"}, {"rounds": True}, {"rounds": 3.0}, {"target": 1}])
def test_an_option_or_value_that_is_not_on_the_page_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(BadOption):
        RULES.options(given)


def test_ten_cards_each_are_dealt_one_at_a_time_the_non_dealer_first_and_two_to_the_market() -> None:
    state = dealt()
    assert state.hands[1] == tuple(sorted(PACK[0:20:2]))
    assert state.hands[0] == tuple(sorted(PACK[1:20:2]))
    assert state.market == tuple(sorted(PACK[20:22]))
    assert state.stock == 30
    assert (state.market_tokens, state.red, state.blue) == (3, (1, 1), (0, 0))


def test_seat_0_deals_the_first_round_and_the_deal_alternates_and_the_non_dealer_plays_first() -> None:
    state = RULES.start({"rounds": 3})
    for number, first in enumerate((1, 0, 1)):
        assert RULES.awaits(state) == "deal"
        state = RULES.deal(state, (PACK,))
        view = RULES.view(state, SPECTATOR)
        assert (view["round"], view["dealer"], RULES.awaits(state)) == (number + 1, 1 - first, first)
        assert PACK[0] in state.hands[first]
        state = with_the_last_card_revealed(state)
    assert RULES.awaits(state) is None
    assert len(state.scores) == 3


def test_a_deal_of_other_cards_or_out_of_turn_is_refused() -> None:
    with pytest.raises(BadDeal):
        RULES.check_deal(RULES.start({"rounds": 1}), ((*PACK[1:], PACK[1]),))
    with pytest.raises(BadDeal):
        RULES.check_deal(dealt(), (PACK,))


def test_each_round_begins_with_an_empty_count_fresh_tokens_and_no_cards_kept() -> None:
    ended = make(position(("AC 2D", "3H 5S"), "7C 8D", rounds=3, blue=(2, 1), idle=19), move("buy", "7C"))
    assert (RULES.awaits(ended), ended.idle) == ("deal", 20)
    state = RULES.deal(ended, (PACK,))
    assert (state.idle, state.red, state.blue, state.market_tokens) == (0, (1, 1), (0, 0), 3)
    assert state.scores == ended.scores
    assert [len(hand) for hand in state.hands] == [10, 10]


# --- each move ------------------------------------------------------------------------------------------------------


def test_a_meld_leaves_the_hand_for_the_discard_and_earns_one_blue_token_however_long() -> None:
    state = position(("4C 5C 6C 7C 8C KD", "3H"), "2C 9D")
    after = make(state, move("meld", "8C 4C 5C 6C 7C"))
    assert after.hands[0] == ("KD",)
    assert after.blue == (1, 0)
    assert after.market == state.market
    discarded = [RULES.view(each, SPECTATOR)["discard"] for each in (state, after)]
    assert discarded[1] - discarded[0] == 5


@pytest.mark.parametrize("cards", ["AC 2C 3C", "QC KC AC", "AC AD AH", "AC AD AH AS"])
def test_the_ace_is_low_or_high_in_a_sequence(cards: str) -> None:
    state = position(("AC 2C 3C QC KC AD AH AS", "3H"), "2D 9D")
    assert make(state, move("meld", cards)).blue == (1, 0)
    assert sorted(cards.split()) in [legal["cards"] for legal in RULES.legal_moves(state) if legal["type"] == "meld"]


@pytest.mark.parametrize("cards", ["KC AC 2C", "QC KC AC 2C 3C", "AC 2C", "AC 2C QC", "AC AD 2C", ""])
def test_the_ace_never_joins_king_and_two_and_other_cards_are_no_meld(cards: str) -> None:
    state = position(("AC 2C 3C QC KC AD AH AS", "3H"), "2D 9D")
    assert refused(state, move("meld", cards)) == "not_a_meld"


def test_shed_cards_go_to_the_market_for_as_many_red_tokens() -> None:
    after = make(position(("2C 9D KH", "3H"), "7C 8D"), move("shed", "9D 2C"))
    assert after.hands[0] == ("KH",)
    assert after.market == ("2C", "7C", "8D", "9D")
    assert (after.red, after.market_tokens) == ((3, 1), 1)


def test_no_more_cards_are_shed_than_the_market_has_tokens_and_at_least_one() -> None:
    state = position(("2C 9D KH", "3H"), "7C 8D 5S", red=(2, 1))
    assert refused(state, move("shed", "2C 9D KH")) == "shed_needs_tokens"
    assert refused(state, move("shed", "")) == "no_cards"
    assert refused(state, move("shed", "3H")) == "not_in_hand"


def test_a_sweep_takes_every_market_token_and_turns_up_a_card_for_each() -> None:
    state = position(("2C", "3H"), "7C 8D", stock=10)
    after = make(state, move("sweep"))
    assert (after.red, after.market_tokens, after.stock) == ((4, 1), 0, 7)
    assert set(after.market) == {"7C", "8D", *state.pack[42:45]}
    assert after.hands == state.hands


def test_a_sweep_of_one_token_is_a_reveal() -> None:
    state = position(("2C", "3H"), "7C 8D 5S 6H", red=(2, 2))
    assert refused(state, move("sweep")) == "sweep_needs_tokens"
    assert make(state, move("reveal")).red == (3, 2)


def test_a_sweep_with_more_market_tokens_than_draw_cards_is_refused() -> None:
    state = position(("2C", "3H"), "7C 8D", stock=2)
    assert refused(state, move("sweep")) == "sweep_needs_cards"
    assert "sweep" in kinds(position(("2C", "3H"), "7C 8D", stock=3))


def test_a_reveal_takes_one_token_and_turns_up_one_card() -> None:
    state = position(("2C", "3H"), "7C 8D", stock=10)
    after = make(state, move("reveal"))
    assert (after.red, after.market_tokens, after.stock) == ((2, 1), 2, 9)
    assert set(after.market) == {"7C", "8D", state.pack[42]}


def test_bought_cards_come_to_the_hand_for_as_many_red_tokens() -> None:
    after = make(position(("2C", "3H"), "7C 8D 9S", red=(2, 1)), move("buy", "9S 7C"))
    assert after.hands[0] == ("2C", "7C", "9S")
    assert (after.market, after.red, after.market_tokens) == (("8D",), (0, 1), 4)


def test_buying_needs_a_red_token_a_card_and_the_card_in_the_market() -> None:
    state = position(("2C", "3H"), "7C 8D 9S", red=(2, 1))
    assert refused(state, move("buy", "7C 8D 9S")) == "buy_needs_tokens"
    assert refused(state, move("buy", "")) == "no_cards"
    assert refused(state, move("buy", "3H")) == "not_in_market"


def test_buying_over_ten_cards_is_refused() -> None:
    nine = "2C 4C 6C 8C TC QC AD 3D 5D"
    state = position((nine, "3H"), "7C 8D 9S", red=(2, 1))
    assert refused(state, move("buy", "7C 8D")) == "hand_full"
    full = make(state, move("buy", "7C"))
    assert len(full.hands[0]) == 10
    assert refused(replace(full, turn=0), move("buy", "8D")) == "hand_full"


def test_a_swap_is_two_hand_cards_for_two_market_cards() -> None:
    after = make(position(("2C 9D KH", "3H"), "4H 4S 7C", red=(2, 1)), move("swap", give="9D 2C", take="4S 4H"))
    assert after.hands[0] == ("4H", "4S", "KH")
    assert after.market == ("2C", "7C", "9D")
    assert after.red == (2, 1)


@pytest.mark.parametrize(("give", "take"), [("2C", "4H"), ("2C 9D", "4H"), ("2C 9D KH", "4H 4S 7C"), ("", "")])
def test_a_swap_of_any_other_number_of_cards_is_refused(give: str, take: str) -> None:
    state = position(("2C 9D KH", "3H"), "4H 4S 7C", red=(2, 1))
    assert refused(state, move("swap", give=give, take=take)) == "swap_two_for_two"


def test_a_swap_that_gives_and_takes_the_same_card_is_refused() -> None:
    state = position(("2C 9D KH", "3H"), "4H 4S 7C", red=(2, 1))
    assert refused(state, move("swap", give="2C 9D", take="2C 4H")) == "not_in_market"
    assert refused(state, move("swap", give="2C 4H", take="4H 4S")) == "not_in_hand"


def test_swaps_are_not_offered_where_a_side_has_fewer_than_two_cards() -> None:
    assert "swap" not in kinds(position(("2C", "3H"), "7C 8D"))
    assert "swap" not in kinds(position(("2C 9D", "3H"), "7C", red=(1, 0)))
    assert "swap" in kinds(position(("2C 9D", "3H"), "7C 8D"))


def test_nothing_is_drawn_to_the_hand_except_by_buying_and_swapping() -> None:
    state = position(("7C 7D 7H 2S", "3H"), "4H 8D 9S", red=(2, 1))
    for legal in RULES.legal_moves(state):
        gained = set(RULES.play(state, legal).state.hands[0]) - set(state.hands[0])
        assert gained == set(legal.get("take", legal["cards"] if legal["type"] == "buy" else []))


# --- passing --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hand", ["", "2C"])
def test_a_hand_of_none_or_one_with_all_tokens_at_the_other_player_passes(hand: str) -> None:
    state = position((hand, "3H"), "4H 4S 7C 8D 9S", red=(0, 5))
    assert RULES.legal_moves(state) == [{"type": "pass"}]
    assert RULES.pass_if_lone(state) == {"type": "pass"}
    after = make(state, move("pass"))
    assert after == replace(state, turn=1, idle=1)


def test_where_one_player_holds_all_red_tokens_the_other_can_only_meld_or_swap() -> None:
    state = position(("2C 2D 2H", "3H"), "4H 4S 7C 8D 9S", red=(0, 5))
    assert kinds(state) == {"meld", "swap"}
    assert refused(state, move("pass")) == "pass_not_forced"
    assert refused(state, move("reveal")) == "reveal_needs_token"
    assert refused(state, move("sweep")) == "sweep_needs_tokens"
    assert refused(state, move("shed", "2C")) == "shed_needs_tokens"
    assert refused(state, move("buy", "4H")) == "buy_needs_tokens"


def test_an_empty_hand_without_tokens_must_reveal_or_sweep_where_the_market_has_tokens() -> None:
    state = position(("", "3H"), "4H 4S 7C", red=(0, 3))
    assert kinds(state) == {"reveal", "sweep"}
    assert refused(state, move("pass")) == "pass_not_forced"
    assert RULES.pass_if_lone(state) is None
    assert kinds(position(("", "3H"), "4H 4S 7C 8D", red=(0, 4))) == {"reveal"}


def test_one_red_token_to_buy_with_forbids_the_pass() -> None:
    state = position(("2C", "3H"), "4H 4S 7C 8D 9S", red=(1, 4))
    assert kinds(state) == {"buy"}
    assert refused(state, move("pass")) == "pass_not_forced"


def test_no_pass_is_made_between_rounds() -> None:
    assert RULES.pass_if_lone(RULES.start({"rounds": 1})) is None
    assert RULES.legal_moves(RULES.start({"rounds": 1})) == []


# --- the end of a round, the score ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "red", "quiet"),
    [
        ("2C 9D KH", (1, 1), move("shed", "2C")),
        ("2C 9D KH", (1, 1), move("buy", "7C")),
        ("2C 9D KH", (1, 1), move("swap", give="2C 9D", take="7C 8D")),
        ("2C", (0, 5), move("pass")),
    ],
)
def test_the_twentieth_turn_in_a_row_of_shed_buy_swap_or_pass_ends_the_round_as_it_stands(
    hand: str, red: tuple[int, int], quiet: dict[str, Any]
) -> None:
    market = "7C 8D" if red == (1, 1) else "7C 8D 4H 4S 9S"
    at_18 = make(position((hand, "3H"), market, red=red, idle=18), quiet)
    assert (at_18.idle, RULES.awaits(at_18)) == (19, 1)
    at_19 = make(position((hand, "3H"), market, red=red, idle=19), quiet)
    assert (at_19.idle, RULES.awaits(at_19)) == (20, None)
    assert at_19.scores == ((-2 * at_19.red[0] - len(at_19.hands[0]), -2 * at_19.red[1] - 1),)


@pytest.mark.parametrize("busy", [move("meld", "2C 2D 2H"), move("sweep"), move("reveal")])
def test_meld_sweep_and_reveal_set_the_count_of_quiet_turns_back(busy: dict[str, Any]) -> None:
    after = make(position(("2C 2D 2H", "3H"), "7C 8D", idle=19), busy)
    assert (after.idle, RULES.awaits(after)) == (0, 1)


def test_the_count_of_quiet_turns_is_in_every_view_with_the_limit_and_where_to_show_it_from() -> None:
    view = RULES.view(position(("2C", "3H"), "7C 8D", idle=11), SPECTATOR)
    assert (view["idle"], view["idle_shown"], view["idle_limit"]) == (11, 10, 20)


def test_an_empty_hand_does_not_end_the_round() -> None:
    after = make(position(("2C 2D 2H", "3H"), "7C 8D"), move("meld", "2C 2D 2H"))
    assert after.hands[0] == ()
    assert RULES.awaits(after) == 1


@pytest.mark.parametrize(("last", "stock"), [("reveal", 1), ("sweep", 3)])
def test_the_move_that_empties_the_pile_ends_the_round_and_may_be_the_last_of_the_game(last: str, stock: int) -> None:
    state = position(("2C", "3H 5D"), "7C 8D", blue=(1, 2), stock=stock, rounds=3)
    after = make(state, move(last))
    assert (after.stock, RULES.awaits(after), RULES.result(after)) == (0, "deal", None)
    over = make(replace(state, scores=((1, 2), (3, 4))), move(last))
    red = 2 if last == "reveal" else 4
    worth = [5 - 2 * red - 1, 10 - 2 - 2]
    assert RULES.awaits(over) is None
    assert RULES.legal_moves(over) == []
    assert RULES.result(over) == {
        "rounds": [[1, 2], [3, 4], worth],
        "scores": [4 + worth[0], 6 + worth[1]],
        "winner": 1,
    }


def test_the_seventeenth_blue_token_ends_the_round_at_once() -> None:
    hands = ("2C 2D 2H", "")
    before = position(hands, "7C 8D", blue=(8, 7), stock=1)
    assert RULES.awaits(make(before, move("meld", "2C 2D 2H"))) == 1
    after = make(replace(before, blue=(8, 8)), move("meld", "2C 2D 2H"))
    assert after.stock == 1
    assert RULES.result(after) == {"scores": [43, 38], "winner": 0, "rounds": [[43, 38]]}
    assert RULES.view(after, SPECTATOR)["blue_left"] == 0


def test_blue_tokens_count_five_red_tokens_and_hand_cards_cost_two_and_one() -> None:
    state = position(("2C 9D KH", ""), "7C 8D 9S", red=(3, 0), blue=(4, 2), stock=1)
    assert RULES.view(state, SPECTATOR)["worth"] == [20 - 6 - 3, 10]
    over = make(state, move("reveal"))
    assert over.scores == ((20 - 8 - 3, 10),)


def test_equal_totals_are_a_draw() -> None:
    over = make(position(("", "3H 4D"), "7C 8D", stock=1), move("reveal"))
    assert RULES.result(over) == {"scores": [-4, -4], "winner": None, "rounds": [[-4, -4]]}


def test_the_first_seat_wins_with_the_higher_total() -> None:
    over = make(position(("", "3H 4D"), "7C 8D", stock=1, blue=(1, 0)), move("reveal"))
    assert RULES.result(over) == {"scores": [1, -4], "winner": 0, "rounds": [[1, -4]]}


# --- what a move must look like -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        [],
        "pass",
        {},
        {"type": "fly"},
        {"type": ["meld"]},
        {"type": "meld"},
        {"type": "sweep", "cards": []},
        {"type": "meld", "cards": ["2C", "2D", "2H"], "why": 1},
        {"type": "meld", "melds": ["2C", "2D", "2H"]},
        {"type": "meld", "cards": "2C2D2H"},
        {"type": "meld", "cards": ["2C", "2C", "2D"]},
        {"type": "meld", "cards": ["2C", "2D", 2]},
        {"type": "shed", "cards": ["JK"]},
        {"type": "swap", "give": ["2C", "2D"], "take": ["7C", "7C"]},
        {"type": "swap", "give": ["2C", "2D"]},
    ],
)
def test_what_has_not_exactly_the_keys_and_values_of_the_page_is_malformed(wrong: object) -> None:
    assert refused(position(("2C 2D 2H", "3H"), "7C 8D"), wrong) == "malformed_move"


def test_a_seat_that_is_not_awaited_is_told_so() -> None:
    state = position(("2C 2D 2H", "3H"), "7C 8D")
    with pytest.raises(IllegalMove) as caught:
        RULES.check(state, 1, move("buy", "7C"))
    assert caught.value.code == "not_your_turn"


def test_lists_may_come_in_any_order_and_are_stored_sorted_by_code() -> None:
    state = position(("TD AD 2C", "3H"), "7C 4H 8D", red=(2, 1))
    assert RULES.check(state, 0, move("shed", "TD AD")) == move("shed", "AD TD")
    assert RULES.check(state, 0, move("swap", give="TD 2C", take="8D 4H")) == move("swap", give="2C TD", take="4H 8D")


def test_every_listed_move_is_canonical_and_listed_once() -> None:
    state = position(("TD AD 2C 2D 2H 2S 3D KC", "3H"), "7C 4H 8D", red=(2, 1))
    legal = RULES.legal_moves(state)
    texts = [json.dumps(each, sort_keys=True) for each in legal]
    assert len(set(texts)) == len(texts)
    assert [RULES.check(state, 0, each) for each in legal] == legal


def test_places_and_tokens_always_add_up() -> None:
    state = dealt(cards=PACK[::3] + PACK[1::3] + PACK[2::3])
    while state.playing:
        legal = RULES.legal_moves(state)
        state = RULES.play(state, legal[(7 * len(legal)) // 9]).state
        assert len(state.market) + state.market_tokens == 5
        assert state.market_tokens >= 0
        assert min(state.red) >= 0
        assert max(map(len, state.hands)) <= 10
    assert RULES.result(state) is not None
