"""Ariadne's Thread: every ruling and trap of its page, and the refusals that name its rules."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.ariadne import HAND_VALUE, PACKS, POINTS, RULES, SWAPS, TURNS, State, scores, threads
from games.engine.cards import RANKS
from games.engine.contract import DEAL, OPEN, SPECTATOR, BadOption, IllegalMove, Move
from tests.engine.ariadne_tables import deal, drawn


def place(card: str, x: int, y: int) -> Move:
    return {"type": "place", "card": card, "at": [x, y]}


def swap(card: str, x: int, y: int) -> Move:
    return {"type": "swap", "card": card, "to": [x, y]}


def joker(card: str, x: int, y: int) -> Move:
    return {"type": "joker", "card": card, "to": [x, y]}


def after(state: State, *moves: Move) -> State:
    for move in moves:
        seat = RULES.awaits(state)
        assert isinstance(seat, int)
        state = RULES.play(state, RULES.check(state, seat, move)).state
    return state


def refusal(state: State, move: object) -> str:
    seat = RULES.awaits(state)
    assert isinstance(seat, int)
    with pytest.raises(IllegalMove) as caught:
        RULES.check(state, seat, move)
    return caught.value.code


def card_at(state: State, x: int, y: int) -> dict[str, Any]:
    shown: dict[str, Any] = next(e for e in RULES.view(state, OPEN)["table"] if e["at"] == [x, y])
    return shown


# --- cards and deal -----------------------------------------------------------------------------------------------


def test_the_packs_are_24_black_and_24_red_cards_without_tens() -> None:
    assert [len(pack) for pack in PACKS] == [24, 24]
    assert {card[1] for card in PACKS[0]} == {"C", "S"}
    assert {card[1] for card in PACKS[1]} == {"D", "H"}
    assert not any(card[0] == "T" for pack in PACKS for card in pack)


def test_points_are_as_printed_with_ten_for_courts_and_one_for_aces() -> None:
    assert [POINTS[rank + "S"] for rank in RANKS if rank != "T"] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10]


def test_the_first_three_cards_of_each_pack_are_the_hands() -> None:
    state = deal("7S 2C KS 9C", "4D AH QD")
    assert state.hands == (("7S", "2C", "KS"), ("4D", "AH", "QD"))
    assert RULES.view(state, 0)["pile_counts"] == [21, 21]


def test_odd_rounds_start_with_the_minotaur_and_black_even_ones_with_theseus_and_red() -> None:
    first, second, third = deal(), deal(rounds=((5, 5),)), deal(rounds=((5, 6), (6, 5)))
    assert [RULES.awaits(state) for state in (first, second, third)] == [0, 1, 0]
    assert [state.joker_up for state in (first, second, third)] == [False, True, False]
    assert {state.joker for state in (first, second, third)} == {(0, 0)}


def test_a_played_card_is_replaced_from_the_pile_while_there_is_any() -> None:
    state = deal("7S 2C KS 9C")
    played = RULES.play(state, place("2C", 1, 0))
    assert played.state.hands[0] == ("7S", "KS", "9C")
    assert played.revealed
    while any(RULES.view(state, 0)["pile_counts"]):
        state = RULES.play(state, RULES.legal_moves(state)[0]).state
    assert len(state.table) == TURNS - 6
    assert not RULES.play(state, RULES.legal_moves(state)[0]).revealed
    assert [len(hand) for hand in after(state, RULES.legal_moves(state)[0]).hands] == [2, 3]


# --- openness and the square --------------------------------------------------------------------------------------


def test_the_first_card_goes_to_one_of_the_jokers_eight_neighbours() -> None:
    places = {tuple(m["at"]) for m in RULES.legal_moves(deal()) if m["type"] == "place"}
    assert places == {(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)} - {(0, 0)}


def test_the_jokers_own_cell_is_occupied() -> None:
    state = deal("7S")
    assert refusal(state, place("7S", 0, 0)) == "cell_occupied"
    assert refusal(state, joker("7S", 0, 0)) == "cell_occupied"


def test_a_cell_beside_nothing_is_refused_for_a_card_and_for_a_target() -> None:
    state = after(deal("7S 8S", "3D"), place("7S", 1, 0), place("3D", -1, 0))
    for x, y in [(3, 0), (0, 2), (5, 6), (-6, 0), (7, 0), (8, 0), (10**30, 0), (0, -(10**30))]:
        assert refusal(state, place("8S", x, y)) == "no_neighbour"
        assert refusal(state, joker("8S", x, y)) == "no_neighbour"
        assert refusal(state, swap("8S", x, y)) == "no_neighbour"


def test_the_grid_may_not_grow_to_a_side_of_eight_in_either_direction() -> None:
    wide = drawn("JK 2S 3S 4S 5S 6S 7S", turn=0, hand="9S")
    assert refusal(wide, place("9S", 7, 0)) == "outside_square"
    assert refusal(wide, place("9S", -1, 0)) == "outside_square"
    assert RULES.check(wide, 0, place("9S", 6, -1)) == place("9S", 6, -1)
    high = drawn("JK\n2S\n3S\n4S\n5S\n6S\n7S", turn=0, hand="9S")
    assert refusal(high, place("9S", 0, 7)) == "outside_square"
    assert refusal(high, place("9S", 1, -1)) == "outside_square"
    assert RULES.check(high, 0, joker("9S", -1, 6)) == joker("9S", -1, 6)


def test_the_square_floats_until_the_table_fixes_it() -> None:
    state = drawn("JK 2S 3S 4S 5S 6S", turn=0, hand="9S")
    assert RULES.check(state, 0, place("9S", 6, 0))
    assert RULES.check(state, 0, place("9S", -1, 0))
    assert refusal(after(state, place("9S", 6, 0)), place("AD", -1, 0)) == "not_in_hand"
    assert (-1, 0) not in {tuple(m.get("at", ())) for m in RULES.legal_moves(after(state, place("9S", 6, 0)))}


def test_the_table_is_judged_as_it_stands_before_the_turn() -> None:
    # The seven goes out to the left only after it left the right end, where it would have made a side of eight.
    state = drawn("JK 2S 3S 4S 5S 6S 7D", turn=0, last=(6, 0), hand="9S")
    assert refusal(state, swap("9S", -1, 0)) == "outside_square"


def test_the_moved_card_or_joker_cannot_stay_where_it_was() -> None:
    state = after(deal("7S", "9D 4H"), place("7S", 1, 0))
    assert refusal(state, swap("9D", 1, 0)) == "cell_occupied"
    assert refusal(state, joker("9D", 0, 0)) == "cell_occupied"


def test_a_round_is_48_turns_that_fill_a_square_of_seven() -> None:
    state = deal()
    for turn in range(TURNS):
        assert RULES.awaits(state) == turn % 2
        assert any(move["type"] == "place" for move in RULES.legal_moves(state))
        state = RULES.play(state, RULES.legal_moves(state)[-1]).state
    box = RULES.view(state, 0)["box"]
    assert (box["right"] - box["left"], box["bottom"] - box["top"]) == (6, 6)
    assert state.occupied.bit_count() == 49
    assert state.hands == ((), ())
    assert RULES.awaits(state) == DEAL


# --- swapping -----------------------------------------------------------------------------------------------------


def test_there_is_no_last_card_on_a_rounds_first_turn() -> None:
    assert refusal(deal("9S"), swap("9S", 1, 0)) == "no_last_card"
    assert refusal(deal("", "9H", rounds=((1, 2),)), swap("9H", 1, 0)) == "no_last_card"


@pytest.mark.parametrize(
    ("hand", "last", "code"),
    [
        ("5S", "7D", "swap_not_higher"),
        ("7S", "7D", "swap_not_higher"),
        ("QS", "KD", "swap_not_higher"),
        ("8S", "4D", "swap_divides"),
        ("9S", "3D", "swap_divides"),
        ("KS", "6D", "swap_divides"),
        ("JS", "5D", "swap_divides"),
        ("AS", "7D", "swap_divides"),
        ("AS", "AD", "swap_divides"),
        ("2S", "AD", "swap_divides"),
        ("9S", "8D", "swap_one_less"),
        ("JS", "9D", "swap_one_less"),
        ("QS", "JD", "swap_one_less"),
        ("KS", "QD", "swap_one_less"),
    ],
)
def test_a_swap_that_breaks_one_of_its_three_rules_is_refused_by_that_rule(hand: str, last: str, code: str) -> None:
    state = drawn(f"JK {last}", turn=0, last=(1, 0), hand=hand)
    assert refusal(state, swap(hand, 2, 0)) == code


def test_an_ace_on_the_table_can_never_be_swapped_out() -> None:
    assert not [pair for pair in SWAPS if pair[1][0] == "A"]


def beaten_by(rank: str) -> set[str]:
    return {last[0] for card, last in SWAPS if card == rank + "S"}


def test_an_ace_from_the_hand_beats_all_but_two_seven_and_ace() -> None:
    assert beaten_by("A") == set("345689JQK")


def test_a_king_does_not_beat_queen_six_four_three_two_or_ace() -> None:
    assert HAND_VALUE["KS"] == 12
    assert beaten_by("K") == set("5789J")


def test_a_swapped_card_lies_face_down_elsewhere_and_the_hand_card_takes_its_cell() -> None:
    state = after(deal("7S", "9D"), place("7S", 1, 0), swap("9D", 2, 0))
    assert card_at(state, 1, 0) == {"at": [1, 0], "cell": "h7", "card": "9D", "down": False, "colour": "red"}
    assert card_at(state, 2, 0) == {"at": [2, 0], "cell": "i7", "card": "7S", "down": True, "colour": None}


def test_both_players_and_spectators_know_which_card_lies_face_down() -> None:
    state = after(deal("7S", "9D"), place("7S", 1, 0), swap("9D", 2, 0))
    for viewer in (0, 1, SPECTATOR):
        assert {"card": "7S", "down": True}.items() <= RULES.view(state, viewer)["table"][-1].items()


def test_a_face_down_card_counts_as_a_neighbour() -> None:
    state = after(deal("7S 4C", "9D"), place("7S", 1, 0), swap("9D", 2, 0))
    assert RULES.check(state, 0, place("4C", 3, 0))


def test_after_the_jokers_action_the_last_card_is_the_one_in_the_jokers_cell() -> None:
    state = after(deal("5S", "9D 8H"), joker("5S", 1, 1))
    assert RULES.view(state, 1)["last"]["at"] == [0, 0]
    swapped = after(state, swap("9D", -1, 0))
    assert card_at(swapped, 0, 0)["card"] == "9D"
    assert card_at(swapped, -1, 0) == {"at": [-1, 0], "cell": "f7", "card": "5S", "down": True, "colour": None}
    assert swapped.joker == (1, 1)


def test_after_a_swap_the_last_card_is_the_hand_card_and_never_the_moved_one() -> None:
    state = after(deal("7S KS", "9D"), place("7S", 1, 0), swap("9D", 2, 0))
    assert RULES.view(state, 0)["last"]["card"] == "9D"
    again = after(state, swap("KS", 0, 1))
    assert card_at(again, 1, 0)["card"] == "KS"
    assert card_at(again, 0, 1)["card"] == "9D"
    assert card_at(again, 2, 0)["card"] == "7S"


def test_the_joker_turns_over_each_time_it_moves() -> None:
    state = deal("4S", "8D")
    once = after(state, joker("4S", -1, 1))
    assert (once.joker, once.joker_up) == ((-1, 1), True)
    twice = after(once, joker("8D", -2, 1))
    assert (twice.joker, twice.joker_up) == ((-2, 1), False)
    assert card_at(twice, -1, 1)["card"] == "8D"


# --- score --------------------------------------------------------------------------------------------------------


def score(text: str, *, up: bool = False) -> tuple[int, int]:
    state = drawn(text, up=up)
    return scores(state, threads(state))


def test_five_connected_cards_are_a_thread_and_four_are_none() -> None:
    assert score("2S 3S 4S 5S 6S .. JK") == (20, 0)
    assert score("2S 3S 4S 5S .. .. JK") == (0, 0)


def test_threads_connect_orthogonally_and_not_at_corners() -> None:
    assert score("2S 3S .. ..\n.. 4S 5S ..\n.. .. 6S JK", up=True) == (30, 0)
    assert score("2S 3S 4S .. ..\n.. .. .. 5S 6S\nJK .. .. .. ..") == (0, 0)


def test_cards_of_both_suits_of_a_colour_form_one_thread() -> None:
    assert score("AS KC QS JC 9S .. JK\n2D 3D 4H 5D AD .. ..") == (40, 15)


def test_a_face_down_card_breaks_a_thread_and_has_no_points() -> None:
    assert score("2S 3S (4S) 5S 6S 7S .. JK") == (0, 0)
    assert score("2S 3S 4S 5S 6S (9S) .. JK") == (20, 0)


def test_the_joker_belongs_to_no_thread() -> None:
    assert score("2S 3S JK 5S 6S") == (0, 0)


def test_the_minotaur_takes_ten_and_theseus_gives_ten_to_each_thread_owner_beside() -> None:
    both = "2S 3S 4S 5S 6S\nJK .. .. .. ..\n2D 3D 4D 5D 6D"
    assert score(both) == (10, 10)
    assert score(both, up=True) == (30, 30)


def test_the_joker_counts_once_however_many_threads_it_touches() -> None:
    two = "2S 3S 4S 5S 6S\nJK .. .. .. ..\n7C 8C 9C JC QC"
    assert score(two) == (20 + 44 - 10, 0)
    assert score(two, up=True) == (20 + 44 + 10, 0)


def test_the_joker_at_a_threads_corner_or_beside_four_cards_counts_for_nothing() -> None:
    assert score("2S 3S 4S 5S 6S ..\n.. .. .. .. .. JK") == (20, 0)
    assert score("2S 3S 4S 5S JK") == (0, 0)


def test_a_score_may_be_negative() -> None:
    assert score("AS AC 2S 2C 3S JK") == (-1, 0)


# --- the end ------------------------------------------------------------------------------------------------------


def finished(*rounds: tuple[int, int]) -> State:
    return State(round_no=len(rounds), rounds=rounds)


def test_the_highest_total_after_two_rounds_wins() -> None:
    assert RULES.result(finished((10, 30), (40, 5))) == {"scores": [50, 35], "winner": 0, "rounds": [[10, 30], [40, 5]]}
    assert RULES.result(finished((10, 30), (10, 5))) == {"scores": [20, 35], "winner": 1, "rounds": [[10, 30], [10, 5]]}
    assert RULES.awaits(finished((10, 30), (40, 5))) is None


def test_one_round_is_never_the_end() -> None:
    assert RULES.awaits(finished((90, 10))) == DEAL
    assert RULES.result(finished((90, 10))) is None


def test_equal_totals_after_round_two_await_another_deal_until_they_differ() -> None:
    assert RULES.awaits(finished((10, 30), (30, 10))) == DEAL
    assert RULES.result(finished((10, 30), (30, 10))) is None
    assert RULES.awaits(finished((10, 30), (30, 10), (7, 7))) == DEAL
    result = RULES.result(finished((10, 30), (30, 10), (7, 7), (8, 9)))
    assert result == {"scores": [55, 56], "winner": 1, "rounds": [[10, 30], [30, 10], [7, 7], [8, 9]]}


def test_the_deal_of_round_three_is_a_whole_new_deal_that_black_leads() -> None:
    state = deal("7S", "9D", rounds=((10, 30), (30, 10)))
    assert (state.round_no, state.table, state.joker, state.joker_up) == (3, (), (0, 0), False)
    assert RULES.awaits(state) == 0
    assert RULES.view(state, 0)["pile_counts"] == [21, 21]


# --- eyes ---------------------------------------------------------------------------------------------------------


def test_a_seat_sees_its_own_hand_and_only_counts_of_the_rest() -> None:
    state = deal("7S 2C KS", "4D AH QD")
    assert RULES.view(state, 1)["hand"] == ["4D", "AH", "QD"]
    assert RULES.view(state, SPECTATOR)["hand"] is None
    for viewer in (0, 1, SPECTATOR):
        assert not {"hands", "piles"} & set(RULES.view(state, viewer))
    assert RULES.view(state, OPEN)["hands"] == [["7S", "2C", "KS"], ["4D", "AH", "QD"]]
    assert [len(pile) for pile in RULES.view(state, OPEN)["piles"]] == [21, 21]


def test_the_view_has_threads_and_provisional_points_of_the_table_as_it_lies() -> None:
    seen = RULES.view(drawn("2S 3S 4S 5S 6S JK", up=True), SPECTATOR)
    assert seen["threads"] == [{"seat": 0, "points": 20, "cells": [[0, 0], [1, 0], [2, 0], [3, 0], [4, 0]]}]
    assert seen["provisional"] == [30, 0]
    assert seen["box"] == {"left": 0, "right": 5, "top": 0, "bottom": 0}


def test_what_a_seat_cannot_know_is_its_pile_and_the_others_unplayed_cards() -> None:
    state = after(deal("7S 2C KS", "4D AH QD"), place("2C", 1, 0))
    assert RULES.unseen(state, 0) == (frozenset(range(4, 24)), frozenset(range(24)))
    assert RULES.unseen(state, 1) == (frozenset(range(24)) - {1}, frozenset(range(3, 24)))
    assert RULES.unseen(state, SPECTATOR) == (frozenset(range(24)) - {1}, frozenset(range(24)))
    assert RULES.unseen(state, OPEN) == (frozenset(), frozenset())


# --- moves in JSON and notation -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "move",
    [
        {"type": "place", "card": "7S"},
        {"type": "place", "card": "7S", "to": [1, 0]},
        {"type": "place", "card": "7S", "at": [1, 0], "to": [1, 0]},
        {"type": "place", "card": "7S", "at": [1]},
        {"type": "place", "card": "7S", "at": [1.0, 0]},
        {"type": "place", "card": "7S", "at": [True, 0]},
        {"type": "place", "card": "7S", "at": "10"},
        {"type": "place", "card": "JK", "at": [1, 0]},
        {"type": "place", "card": ["7S"], "at": [1, 0]},
        {"type": ["place"], "card": "7S", "at": [1, 0]},
        {"type": "pass"},
    ],
)
def test_a_move_of_another_shape_is_malformed(move: Move) -> None:
    assert refusal(deal("7S"), move) == "malformed_move"


def test_a_card_that_is_not_in_the_hand_is_refused() -> None:
    for card in ("9C", "4D", "TS"):
        assert refusal(deal("7S 2C KS", "4D"), place(card, 1, 0)) == "not_in_hand"


@pytest.mark.parametrize("text", ["9D x i8", "9dxi8", " 9♦ X I8 ", "9♦️xi8", "９Ｄ x i8", "9d - x -> i8.", "9D\tx\ni 8"])
def test_notation_is_read_whatever_its_case_spacing_and_suits(text: str) -> None:
    state = after(deal("7S", "9D"), place("7S", 1, 0))
    assert RULES.parse(state, text) == swap("9D", 2, 1)


def test_cells_are_letters_across_and_numbers_down_with_the_joker_starting_at_g7() -> None:
    state = deal("7S 4S")
    assert RULES.view(state, 0)["joker"]["cell"] == "g7"
    assert RULES.parse(state, "7S h7") == place("7S", 1, 0)
    assert RULES.parse(state, "4s j f8") == joker("4S", -1, 1)
    assert RULES.notation(state, place("7S", 1, -1)) == "7S h6"
    assert RULES.notation(state, joker("4S", -1, 1)) == "4S j f8"


def test_a_j_before_a_cell_is_the_column_unless_a_cell_follows_it() -> None:
    state = drawn("JK 2S 3S", turn=0, hand="9S")
    assert RULES.parse(state, "9S j7") == place("9S", 3, 0)
    assert RULES.parse(state, "9S j j7") == joker("9S", 3, 0)


@pytest.mark.parametrize("text", ["", "7S", "h7", "7S n7", "7S h14", "7S h0", "7X h7", "7S y h7", "7S h7 h8", "카드"])
def test_what_is_no_notation_is_refused_as_such(text: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        RULES.parse(deal("7S"), text)
    assert caught.value.code == "bad_notation"


@pytest.mark.parametrize(
    ("text", "code"), [("10S h7", "not_in_hand"), ("ts h7", "not_in_hand"), ("7S g7", "cell_occupied")]
)
def test_notation_of_an_illegal_move_is_refused_by_the_rule_it_breaks(text: str, code: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        RULES.parse(deal("7S"), text)
    assert caught.value.code == code


def test_no_notation_means_anything_between_rounds() -> None:
    with pytest.raises(IllegalMove) as caught:
        RULES.parse(finished((1, 2)), "7S h7")
    assert caught.value.code == "not_your_turn"


def test_the_words_name_cards_and_cells_of_the_table_before_the_move() -> None:
    state = after(deal("7S", "9D 8H"), place("7S", 1, 0))
    assert RULES.describe(state, swap("9D", 2, 1)).params == {"card": "9D", "cell": "h7", "moved": "7S", "to": "i8"}
    up = RULES.describe(state, joker("8H", -1, 0))
    assert (up.id, up.params) == ("ariadne.joker_up", {"card": "8H", "cell": "g7", "to": "f7"})
    assert RULES.describe(after(state, joker("8H", -1, 0)), joker("7C", 0, 1)).id == "ariadne.joker_down"


def test_a_listed_move_is_shared_and_cannot_be_changed() -> None:
    move: Any = RULES.legal_moves(deal())[0]
    with pytest.raises(TypeError):
        move["card"] = "KS"
    with pytest.raises(TypeError):
        move["at"].append(0)


def test_there_are_no_options() -> None:
    with pytest.raises(BadOption):
        RULES.options({"rounds": 2})
