"""Conquian's rulings and traps on forcing, the end of the stock, and stakes. Source: ``rules/conquian.md``."""

from __future__ import annotations

import pytest

from games.engine._conquian_course import State
from games.engine.conquian import RULES
from games.engine.conquian_melds import BIT
from games.engine.contract import (
    SPECTATOR,
)
from tests.engine.conquian_tables import (
    ALLOW,
    HAND,
    PASS,
    at,
    declined_by_seat_0,
    discard,
    force,
    meld,
    melded,
    play,
    random_game,
    refusal,
)

# --- forcing ----------------------------------------------------------------------------------------------------


def test_after_a_declined_card_from_the_opponent_the_opponent_forces_it_or_allows_it_to_be_buried() -> None:
    state = declined_by_seat_0()
    assert state.seat == 1
    assert sorted(move["type"] for move in RULES.legal_moves(state)) == ["allow", "force"]
    assert refusal(state, PASS) == "force_or_allow"


def test_forcing_is_asked_before_the_decliner_turns_the_next_card() -> None:
    state = declined_by_seat_0()
    assert RULES.view(state, SPECTATOR)["stock"] == 2
    assert state.centre == BIT["7H"]


def test_allowing_buries_the_card_and_the_decliner_turns_the_next() -> None:
    state = play(declined_by_seat_0(), ALLOW)
    assert (state.seat, state.centre, state.origin) == (0, BIT["2C"], "turned")
    assert melded(state, 0) == [["4H", "5H", "6H"]]


def test_a_forced_card_lies_in_the_meld_and_the_forced_player_discards_to_the_other() -> None:
    state = play(declined_by_seat_0(), force("4H 5H 6H"))
    assert melded(state, 0) == [["4H", "5H", "6H", "7H"]]
    assert (state.seat, state.phase, state.centre) == (0, "discard", 0)
    assert refusal(state, PASS) == "discard_awaited"
    assert refusal(state, discard("7H")) == "discard_not_in_hand"
    state = play(state, discard("KC"))
    assert (state.seat, state.centre, state.origin) == (1, BIT["KC"], "discarded")


def test_a_card_that_a_player_turned_and_declined_may_be_forced_beside_meld_and_pass() -> None:
    state = declined_by_seat_0(origin="turned", other_hand="JH QH 3C 3H 3S 2H KD KH 6S 7C")
    assert (state.seat, state.phase, state.origin) == (1, "offer", "declined")
    assert {move["type"] for move in RULES.legal_moves(state)} == {"meld", "pass", "force"}
    assert melded(play(state, force("4H 5H 6H")), 0) == [["4H", "5H", "6H", "7H"]]


def test_a_declined_card_that_fits_both_is_forced_by_the_first_player_after_the_second_passes() -> None:
    state = declined_by_seat_0(origin="turned", other_melds="7C 7D 7S")
    state = play(state, PASS)
    assert (state.seat, state.phase) == (0, "forcing")
    assert RULES.legal_moves(state) == [ALLOW, force("7C 7D 7S")]
    state = play(state, force("7C 7D 7S"))
    assert (state.seat, state.phase) == (1, "discard")
    assert melded(state, 1) == [["7C", "7D", "7H", "7S"]]


def test_a_turned_card_that_fits_the_opponents_meld_cannot_be_forced_before_it_is_declined() -> None:
    state = at(HAND, centre="6C", other_melds="3C 4C 5C")
    assert refusal(state, force("3C 4C 5C")) == "nothing_to_force"


def test_a_discard_that_fits_the_discarders_own_meld_is_not_forced_by_the_opponent() -> None:
    state = at("AC AD 3D 5S KC JD 2S", other_melds="3C 4C 5C", melds="4H 5H 6H", centre="6C", origin="discarded",
               stock="2D")  # fmt: skip
    assert RULES.legal_moves(state) == [PASS]
    assert refusal(state, force("3C 4C 5C")) == "nothing_to_force"
    state = play(state, PASS)
    assert (state.seat, state.centre, state.origin) == (0, BIT["2D"], "turned")


def test_forcing_takes_no_rearranging_and_no_hand_card() -> None:
    state = at("", "4C 4D 4H 4S / 5H 6H 7H / QC QD QS", centre="3H", origin="discarded", stock="2C")
    assert len(RULES.legal_moves(state)) > 1
    state = play(state, PASS)
    assert (state.seat, state.centre) == (0, BIT["2C"])


def test_a_force_names_a_meld_of_the_other_that_the_card_extends() -> None:
    state = at("AC AD 3D 5S", "4H 5H 6H / QC QD QS", centre="7H", origin="discarded", stock="2C")
    state = play(state, PASS)
    assert refusal(state, force("QC QD QS")) == "does_not_extend"
    assert refusal(state, force("4H 5H 6H 7H")) == "no_such_meld"
    assert RULES.check(state, 1, {"type": "force", "meld": ["6H", "4H", "5H"]}) == force("4H 5H 6H")


def test_a_forced_player_with_an_empty_hand_has_gone_out_and_wins() -> None:
    state = at("", "4H 5H 6H / QC QD QS / AC 2C 3C 4C", centre="7H", origin="discarded")
    state = play(state, PASS, force("4H 5H 6H"))
    assert RULES.result(state) == {"scores": [1, 0], "winner": 0}
    assert melded(state, 0) == [["2C", "3C", "4C", "AC"], ["4H", "5H", "6H", "7H"], ["QC", "QD", "QS"]]


def test_the_same_player_may_be_forced_twice_in_a_row() -> None:
    state = at("AC AD 3D 5S KC JD 2S", "4H 5H 6H", centre="7H", origin="discarded", stock="JH 2C",
               other_hand="3H 3S 7C 7D QC KD AS 6S 6C QD")  # fmt: skip
    state = play(state, PASS, force("4H 5H 6H"), discard("KC"))
    state = play(state, PASS)  # seat 1 declines the king and turns the jack
    assert (state.seat, state.centre, state.origin) == (1, BIT["JH"], "turned")
    state = play(state, PASS, PASS)  # seat 1 declines the jack, seat 0 as well
    assert (state.seat, state.phase) == (1, "forcing")
    state = play(state, force("4H 5H 6H 7H"))
    assert melded(state, 0) == [["4H", "5H", "6H", "7H", "JH"]]
    assert (state.seat, state.phase) == (0, "discard")


def test_both_players_may_be_forced_one_right_after_the_other() -> None:
    state = at("AC AD 3D 5S KC JD 2S", "4H 5H 6H", centre="7H", origin="discarded", other_melds="2C 2D 2H")
    state = play(state, PASS, force("4H 5H 6H"), discard("2S"), PASS)
    assert (state.seat, state.phase) == (0, "forcing")
    state = play(state, force("2C 2D 2H"))
    assert (state.seat, state.phase) == (1, "discard")


# --- the end of the stock, stakes and the end of the game -------------------------------------------------------


def test_the_last_card_turned_is_still_offered_to_both() -> None:
    state = at(HAND, centre="6C", origin="discarded", stock="6H")
    state = play(state, PASS)
    assert (state.seat, state.centre, RULES.view(state, 0)["stock"]) == (0, BIT["6H"], 0)
    state = play(state, PASS)
    assert (state.seat, state.origin) == (1, "declined")
    assert RULES.result(play(state, PASS)) == {"scores": [0, 0], "winner": None}


def test_a_discard_after_the_last_card_is_still_offered() -> None:
    state = at("4H 5H AC 3D 5S 7H KC JD 2S QS", centre="6H")
    state = play(state, meld("4H 5H 6H", "QS"))
    assert (state.seat, state.origin, state.phase) == (1, "discarded", "offer")
    assert play(state, PASS).phase == "over"


def test_with_the_stock_empty_forcing_is_still_asked_first_and_allowing_draws_the_round() -> None:
    state = play(at("AC AD 3D 5S KC JD 2S", "4H 5H 6H", centre="7H", origin="discarded"), PASS)
    assert state.phase == "forcing"
    assert play(state, force("4H 5H 6H")).phase == "discard"
    assert RULES.result(play(state, ALLOW)) == {"scores": [0, 0], "winner": None}


@pytest.mark.parametrize(("target", "stakes"), [(3, [2, 3, 3]), (5, [2, 4, 5])])
def test_a_drawn_round_doubles_the_stake_which_never_exceeds_the_target(target: int, stakes: list[int]) -> None:
    seen = []
    stake = 1
    for _ in stakes:
        state = play(at(HAND, centre="6C", origin="discarded", stake=stake, target=target), PASS)
        assert RULES.awaits(state) == "deal"
        assert RULES.result(state) is None
        stake = RULES.view(state, 0)["stake"]
        seen.append(stake)
    assert seen == stakes


def test_a_drawn_round_ends_a_game_of_one_round_as_a_draw() -> None:
    state = play(at(HAND, centre="6C", origin="discarded"), PASS)
    assert RULES.result(state) == {"scores": [0, 0], "winner": None}


def test_a_won_round_is_worth_the_stake_which_then_falls_back_to_one() -> None:
    state = at("5C 5D", "AC 2C 3C 4C / QC QD QH QS", centre="5H", stake=2, target=5)
    after = play(state, meld("AC 2C 3C 4C / QC QD QH QS / 5C 5D 5H"))
    assert RULES.awaits(after) == "deal"
    assert (after.standing.scores, after.standing.stake) == ((2, 0), 1)


def test_the_game_ends_when_a_seat_reaches_or_passes_the_target() -> None:
    state = at("5C 5D", "AC 2C 3C 4C / QC QD QH QS", centre="5H", stake=4, target=5, seat=1)
    state = _scored(state, (4, 3))
    after = play(state, meld("AC 2C 3C 4C / QC QD QH QS / 5C 5D 5H"))
    assert RULES.result(after) == {"scores": [4, 7], "winner": 1}


def _scored(state: State, scores: tuple[int, int]) -> State:
    return RULES.from_json(RULES.to_json(state) | {"scores": list(scores)})


# --- the lone pass ----------------------------------------------------------------------------------------------


def test_a_pass_is_lone_only_where_nothing_can_be_melded_or_forced() -> None:
    assert RULES.pass_if_lone(at(HAND, centre="6C")) == PASS
    assert RULES.pass_if_lone(at("4H 5H AC 3D 5S 7H KC JD 2S QS", centre="6H")) is None
    assert RULES.pass_if_lone(declined_by_seat_0(origin="turned")) is None
    assert RULES.pass_if_lone(declined_by_seat_0()) is None
    rearranging = at("", "4C 4D 4H 4S / 5H 6H 7H / QC QD QS", centre="3H")
    assert RULES.pass_if_lone(rearranging) is None
    assert RULES.lone_pass == "optional"


def test_the_quick_answer_agrees_with_the_list_all_through_random_games() -> None:
    lone = 0
    for state, _ in random_game(3, 5):
        moves = RULES.legal_moves(state)
        assert RULES.pass_if_lone(state) == (PASS if moves == [PASS] else None)
        lone += moves == [PASS]
    assert lone > 50
