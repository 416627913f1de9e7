"""Forty Thieves and its family: the page's table, moves, rulings and traps."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.contract import (
    DEAL,
    BadOption,
    IllegalMove,
    Refusal,
)
from games.engine.forty_thieves import RULES, VARIANTS, movable_count, nothing_legal, only_turning_left
from games.engine.forty_thieves_help import COLUMNS
from tests.engine.forty_thieves_tables import (
    DRAW,
    FULL,
    REDEAL,
    course,
    dealt,
    move,
    played,
    refused,
    table,
)

# --- options and setup ------------------------------------------------------------------------------------------


def test_the_variant_is_forty_thieves_unless_another_is_chosen() -> None:
    assert RULES.options({}) == {"variant": "forty-thieves"}
    assert RULES.options({"variant": "lucas"}) == {"variant": "lucas"}


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"variant": "klondike"}, "bad_option"),
        ({"variant": None}, "bad_option"),
        ({"variant": ["lucas"]}, "bad_option"),
        ({"turn": 3}, "unknown_option"),
        ({"variant": "lucas", "columns": 13}, "unknown_option"),
    ],
)
def test_an_option_or_value_that_is_not_on_the_page_is_refused(given: dict[str, Any], code: str) -> None:
    with pytest.raises(BadOption) as refusal:
        RULES.options(given)
    assert refusal.value.code == code


@pytest.mark.parametrize(
    ("variant", "columns", "rows", "down", "stock"),
    [
        ("forty-thieves", 10, 4, 0, 64),
        ("indian", 10, 3, 1, 74),
        ("limited", 12, 3, 0, 68),
        ("little-forty", 10, 4, 0, 64),
        ("lucas", 13, 3, 0, 57),
        ("maria", 9, 4, 0, 68),
        ("number-ten", 10, 4, 2, 64),
        ("rank-and-file", 10, 4, 3, 64),
        ("streets", 10, 4, 0, 64),
    ],
)
def test_each_variant_is_dealt_as_the_pages_table_says(
    variant: str, columns: int, rows: int, down: int, stock: int
) -> None:
    state = dealt(variant)
    assert [len(column) for column in state.columns] == [rows] * columns
    assert state.down == (down,) * columns
    assert len(state.stock) == stock
    assert state.waste == ()
    assert RULES.awaits(state) == 0


def test_the_nine_variants_are_all_there_are() -> None:
    assert len(VARIANTS) == 9


def test_cards_are_dealt_in_rows_left_to_right_and_the_rest_is_the_stock() -> None:
    start = RULES.start({"variant": "limited"})
    assert RULES.awaits(start) == DEAL
    (pack,) = RULES.packs(start)
    state = RULES.deal(start, (pack,))
    assert state.columns[0] == (pack[0], pack[12], pack[24])
    assert state.columns[11] == (pack[11], pack[23], pack[35])
    assert state.stock == pack[36:]


def test_the_pack_is_two_packs_one_after_the_other_suit_by_suit() -> None:
    (pack,) = RULES.packs(RULES.start({"variant": "maria"}))
    assert len(pack) == 104
    assert pack[:52] == pack[52:]
    assert pack[:14] == ("AC", "2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "TC", "JC", "QC", "KC", "AD")


def test_lucas_starts_with_the_eight_aces_on_the_foundations() -> None:
    state = dealt("lucas")
    assert state.foundations == (1,) * 8
    assert len(state.pack) == 96
    assert not any(card[0] == "A" for card in state.pack)


# --- building ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variants", "takes"),
    [
        (("forty-thieves", "limited", "lucas"), {"6S"}),
        (("indian", "little-forty"), {"6C", "6D", "6H"}),
        (("maria", "number-ten", "rank-and-file", "streets"), {"6D", "6H"}),
    ],
)
def test_columns_are_built_one_lower_in_the_suits_of_the_variant(variants: tuple[str, ...], takes: set[str]) -> None:
    for variant in variants:
        onto_seven = {
            card
            for card in ("6C", "6D", "6H", "6S", "8S", "8H", "5S", "5H", "7S", "7H")
            if move("t1", "t2") in RULES.legal_moves(table(variant, {1: card, 2: "7S"}))
        }
        assert onto_seven == takes


def test_ruling_indian_takes_any_different_suit_even_of_the_same_colour() -> None:
    state = table("indian", {1: "6C", 2: "7S", 3: "6S"})
    assert RULES.check(state, 0, move("t1", "t2"))
    assert refused(state, move("t3", "t2")) == "wrong_suit"


def test_a_wrong_rank_and_a_wrong_suit_are_refused_as_different_rules() -> None:
    state = table("streets", {1: "6C", 2: "7S", 3: "9H"})
    assert refused(state, move("t1", "t2")) == "wrong_suit"
    assert refused(state, move("t1", "t3")) == "wrong_rank"


def test_a_king_is_not_built_on_an_ace() -> None:
    assert refused(table("forty-thieves", {1: "KS", 2: "AS"}), move("t1", "t2")) == "wrong_rank"


def test_one_card_moves_at_a_time_where_the_variant_has_no_sequences() -> None:
    state = table("streets", {1: "9S 8H 7S", 2: "9C"})
    assert refused(state, move("t1", "t2", 2)) == "one_card_only"
    assert movable_count(state, 0) == 1


def test_a_sequence_moves_whole_or_in_part() -> None:
    state = table("number-ten", {1: "KD 9S 8H 7S", 2: "9C", 3: "8D"})
    assert played(state, move("t1", "t2", 2)).columns[:2] == (("KD", "9S"), ("9C", "8H", "7S"))
    assert played(state, move("t1", "t3", 1)).columns[2] == ("8D", "7S")
    assert played(state, move("t1", "t4", 3)).columns[3] == ("9S", "8H", "7S")
    assert movable_count(state, 0) == 3


def test_cards_that_are_no_sequence_do_not_move_together() -> None:
    state = table("rank-and-file", {1: "9S 8S", 2: "TH", 3: "9H 7S"})
    assert refused(state, move("t1", "t2", 2)) == "not_a_run"
    assert refused(state, move("t3", "t4", 2)) == "not_a_run"


def test_a_sequence_of_little_forty_follows_its_own_building_rule() -> None:
    state = table("little-forty", {1: "9S 8C 7H", 2: "TC", 3: "9H 8H"})
    assert RULES.check(state, 0, move("t1", "t2", 3))
    assert refused(state, move("t3", "t2", 2)) == "not_a_run"


def test_more_cards_than_the_column_has_do_not_move() -> None:
    assert refused(table("number-ten", {1: "9S 8H"}), move("t1", "t2", 3)) == "too_many_cards"


def test_any_movable_card_or_sequence_goes_to_an_empty_column_and_each_empty_column_is_another_move() -> None:
    state = table("rank-and-file", dict.fromkeys(range(3, 11), "KS") | {1: "5C 4H"})
    from_first = [each for each in RULES.legal_moves(state) if each.get("from") == "t1"]
    assert sorted((each["to"], each["count"]) for each in from_first) == [("t2", 1), ("t2", 2)]
    two_empty = table("forty-thieves", dict.fromkeys(range(4, 11), "KS") | {1: "5C"})
    assert {each["to"] for each in RULES.legal_moves(two_empty) if each.get("from") == "t1"} == {"t2", "t3"}


def test_a_whole_columns_only_card_may_go_to_an_empty_column() -> None:
    after = RULES.play(table("maria", {1: "5C"}), move("t1", "t9"))
    assert after.state.columns[0] == ()
    assert after.state.columns[8] == ("5C",)
    assert not after.revealed


def test_a_card_does_not_move_to_its_own_column() -> None:
    assert refused(table("maria", {1: "5C"}), move("t1", "t1")) == "same_column"


def test_an_empty_column_has_nothing_to_move() -> None:
    assert refused(table("maria", {1: "5C"}), move("t2", "t1")) == "column_empty"


# --- foundations ------------------------------------------------------------------------------------------------


def test_an_ace_starts_a_foundation_and_the_next_of_its_suit_follows() -> None:
    state = table("forty-thieves", {1: "3H 2H AH"})
    assert refused(table("forty-thieves", {1: "2H"}), move("t1", "f")) == "not_next"
    after = played(state, move("t1", "f"), move("t1", "f"), move("t1", "f"))
    assert after.foundations == (0, 0, 0, 0, 3, 0, 0, 0)


def test_two_equal_foundations_are_one_move() -> None:
    state = table("forty-thieves", {1: "AH"}, foundations=(0, 0, 0, 0, 0, 0, 0, 0))
    assert [each for each in RULES.legal_moves(state) if each.get("to") == "f"] == [move("t1", "f")]


def test_both_foundations_of_a_suit_are_served_and_the_higher_stands_first() -> None:
    state = table("forty-thieves", {1: "6S", 2: "3S"}, foundations=(0, 0, 0, 0, 0, 0, 5, 2))
    assert played(state, move("t1", "f")).foundations[6:] == (6, 2)
    assert played(state, move("t2", "f")).foundations[6:] == (5, 3)


def test_cards_go_to_a_foundation_one_at_a_time() -> None:
    state = table("number-ten", {1: "2H AS"}, foundations=(0, 0, 0, 0, 1, 0, 0, 0))
    assert refused(state, move("t1", "f", 2)) == "foundation_one_card"


def test_nothing_comes_back_from_a_foundation() -> None:
    state = table("forty-thieves", {1: "2H"}, foundations=(0, 0, 0, 0, 1, 0, 0, 0))
    assert refused(state, move("f", "t1")) == "from_foundation"
    assert refused(state, move("f", "f")) == "from_foundation"


# --- stock and waste --------------------------------------------------------------------------------------------


def test_turning_puts_the_stocks_top_card_on_top_of_the_waste_and_reveals_it() -> None:
    after, revealed = RULES.play(table("indian", stock="5C 9D", waste="KS"), DRAW)
    assert (after.stock, after.waste) == (("9D",), ("KS", "5C"))
    assert revealed


def test_little_forty_turns_three_one_after_another_so_that_the_last_is_on_top() -> None:
    after = played(table("little-forty", stock="5C 9D JH 2S", waste="KS"), DRAW)
    assert (after.stock, after.waste) == (("2S",), ("KS", "5C", "9D", "JH"))


@pytest.mark.parametrize("left", ["5C", "5C 9D"])
def test_trap_little_forty_turns_as_many_as_are_left(left: str) -> None:
    state = table("little-forty", stock=left, waste="KS")
    after = played(state, DRAW)
    assert after.stock == ()
    assert after.waste == ("KS", *left.split())


def test_an_empty_stock_cannot_be_turned() -> None:
    assert refused(table("forty-thieves", {1: "KS"}, waste="2C"), DRAW) == "stock_empty"


def test_only_the_top_card_of_the_waste_moves() -> None:
    state = table("streets", {1: "6H"}, waste="5C 5S")
    after = played(state, move("w", "t1"))
    assert after.columns[0] == ("6H", "5S")
    assert after.waste == ("5C",)
    assert played(table("streets", {1: "6H"}, waste="AD"), move("w", "f")).foundations[2] == 1


def test_trap_two_cards_from_the_waste_are_refused() -> None:
    state = table("little-forty", {1: "8H"}, waste="7C 6H")
    assert refused(state, move("w", "t1", 2)) == "waste_top_only"


def test_an_empty_waste_has_nothing_to_move_and_takes_nothing_from_the_table() -> None:
    state = table("streets", {1: "6H"})
    assert refused(state, move("w", "t1")) == "waste_has_no_card"
    assert refused(state, move("t1", "w")) == "to_waste"


def test_ruling_a_redeal_makes_the_waste_the_stock_in_the_order_in_which_it_was_turned() -> None:
    first = table("little-forty", stock="5C 9D JH 2S KD")
    turned = played(first, DRAW, DRAW)
    again, revealed = RULES.play(turned, REDEAL)
    assert again.stock == first.stock
    assert again.waste == ()
    assert again.redeals == 1
    assert not revealed


def test_ruling_a_redeal_needs_an_empty_stock() -> None:
    assert refused(table("little-forty", stock="5C", waste="KS"), REDEAL) == "stock_not_empty"


def test_trap_no_redeal_when_the_waste_is_empty_too() -> None:
    state = table("little-forty", {1: "KS"})
    assert refused(state, REDEAL) == "waste_empty"
    assert REDEAL not in RULES.legal_moves(state)


def test_little_forty_has_three_redeals_and_no_fourth() -> None:
    state = table("little-forty", {1: "KS"}, waste="5C")
    for _ in range(3):
        state = played(state, REDEAL, DRAW)
    assert RULES.view(state, 0)["redeals_left"] == 0
    assert refused(state, REDEAL) == "no_redeals_left"
    assert REDEAL not in RULES.legal_moves(state)


@pytest.mark.parametrize("variant", [slug for slug in VARIANTS if slug != "little-forty"])
def test_the_other_variants_have_no_redeal(variant: str) -> None:
    state = table(variant, {1: "KS"}, waste="5C")
    assert refused(state, REDEAL) == "no_redeal"
    assert REDEAL not in RULES.legal_moves(state)


# --- face-down cards --------------------------------------------------------------------------------------------


def test_trap_a_face_down_card_that_becomes_last_turns_up_by_itself() -> None:
    state = table("rank-and-file", {1: "9C 4D KS 7H", 2: "8S"}, down={1: 3})
    after, revealed = RULES.play(state, move("t1", "t2"))
    assert after.columns[0] == ("9C", "4D", "KS")
    assert after.down[0] == 2
    assert revealed
    assert RULES.view(after, 0)["columns"][0]["cards"] == [None, None, "KS"]
    assert move("t1", "t3") in RULES.legal_moves(after)


def test_the_last_face_down_card_turned_up_and_moved_leaves_an_empty_column() -> None:
    state = table("indian", {1: "9C 7H", 2: "8S", 3: "TH"}, down={1: 1})
    after = played(state, move("t1", "t2"), move("t1", "t3"))
    assert after.columns[0] == ()
    assert after.down[0] == 0


def test_trap_a_run_in_sequence_does_not_cross_a_face_down_card() -> None:
    state = table("number-ten", {1: "9S 8H 7S", 2: "TH", 3: "9C"}, down={1: 2})
    assert movable_count(state, 0) == 1
    assert refused(state, move("t1", "t3", 2)) == "face_down"
    assert refused(state, move("t1", "t2", 3)) == "face_down"
    assert all(each["count"] == 1 for each in RULES.legal_moves(state) if each.get("from") == "t1")


def test_a_move_that_leaves_a_face_up_card_reveals_nothing() -> None:
    state = table("rank-and-file", {1: "9C 8D 7S", 2: "8H"}, down={1: 1})
    after, revealed = RULES.play(state, move("t1", "t2"))
    assert after.down[0] == 1
    assert not revealed


# --- moves that are none ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("column", ["t11", "t12", "t13"])
def test_trap_column_eleven_is_not_there_with_ten_columns(column: str) -> None:
    state = table("forty-thieves", {1: "KS"})
    assert refused(state, move("t1", column)) == "no_such_column"
    assert refused(state, move(column, "t1")) == "no_such_column"
    assert move("t1", column) not in RULES.legal_moves(state)
    assert refused(table("maria", {1: "KS"}), move("t1", "t10")) == "no_such_column"


@pytest.mark.parametrize(
    "attempt",
    [
        None,
        [],
        "draw",
        {},
        {"type": "fly"},
        {"type": ["draw"]},
        {"type": "draw", "count": 1},
        {"type": "redeal", "seat": 0},
        {"type": "move", "from": "t1", "to": "t2"},
        {**move("t1", "t2"), "extra": 1},
        move("t0", "t2"),
        move("t1", "t14"),
        move("t01", "t2"),
        move("T1", "t2"),
        move("s", "t1"),
        move("t1", "t2", 0),
        move("t1", "t2", -1),
        {**move("t1", "t2"), "count": True},
        {**move("t1", "t2"), "count": 1.0},
        {**move("t1", "t2"), "count": "1"},
        {**move("t1", "t2"), "from": 1},
        {**move("t1", "t2"), "to": None},
    ],
)
def test_what_is_no_move_of_the_page_is_malformed(attempt: object) -> None:
    assert refused(table("number-ten", {1: "KS"}, stock="2C"), attempt) == "malformed_move"


def test_a_seat_that_is_not_awaited_cannot_move() -> None:
    with pytest.raises(IllegalMove) as refusal:
        RULES.check(dealt("maria"), 1, DRAW)
    assert refusal.value.code == "not_your_turn"
    assert refused(RULES.start({"variant": "maria"}), DRAW) == "not_your_turn"


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_quick_check_agrees_with_the_list_for_every_move_there_could_be(variant: str) -> None:
    piles = ("w", "f", *COLUMNS)
    every = [DRAW, REDEAL] + [move(source, target, n) for source in piles for target in piles for n in (1, 2, 3)]
    for state, _ in course(variant, seed=3, moves=200)[::20]:
        legal = RULES.legal_moves(state)
        allowed = []
        for attempt in every:
            try:
                allowed.append(RULES.check(state, 0, attempt))
            except Refusal:
                continue
        shorter = [each for each in legal if each.get("count", 1) <= 3]
        assert sorted(map(repr, allowed)) == sorted(map(repr, shorter))


# --- the end ----------------------------------------------------------------------------------------------------


def test_won_when_all_104_cards_are_on_the_foundations() -> None:
    almost = table("streets", {1: "KS"}, foundations=(*FULL[:7], 12))
    assert RULES.result(almost) is None
    won = played(almost, move("t1", "f"))
    assert RULES.result(won) == {"scores": [104], "winner": 0}
    assert RULES.awaits(won) is None
    assert RULES.legal_moves(won) == []


def test_lost_when_no_move_is_legal_at_all() -> None:
    kings = dict.fromkeys(range(1, 10), "KS")
    turning = table("maria", kings, stock="QH KD", foundations=(3, 0, 0, 0, 0, 0, 0, 0))
    assert RULES.result(turning) is None
    assert not nothing_legal(turning)
    lost = played(table("maria", kings, stock="KD", foundations=(3, 0, 0, 0, 0, 0, 0, 0)), DRAW)
    assert nothing_legal(lost)
    assert RULES.result(lost) == {"scores": [3], "winner": None}
    assert RULES.awaits(lost) is None
    assert refused(lost, DRAW) == "not_your_turn"


def test_a_redeal_keeps_the_game_from_being_lost() -> None:
    kings = dict.fromkeys(range(1, 11), "KS")
    assert RULES.awaits(table("little-forty", kings, waste="KD", redeals=2)) == 0
    assert RULES.awaits(table("little-forty", kings, waste="KD", redeals=3)) is None


def test_moving_cards_between_columns_without_end_is_legal() -> None:
    state = table("maria", {1: "5C"})
    assert RULES.awaits(played(state, move("t1", "t2"), move("t2", "t1"))) == 0
    assert played(state, move("t1", "t2"), move("t2", "t1")) == state


def test_the_aces_of_lucas_count_in_its_score() -> None:
    lost = table("lucas", dict.fromkeys(range(1, 14), "KS"), foundations=(1,) * 8)
    assert RULES.result(lost) == {"scores": [8], "winner": None}


def test_only_turning_is_left_when_no_card_can_move() -> None:
    kings = dict.fromkeys(range(1, 11), "KS")
    assert only_turning_left(table("little-forty", kings, stock="2C"))
    assert only_turning_left(table("little-forty", kings, waste="2C"))
    assert not only_turning_left(table("little-forty", kings, waste="AC"))
    assert not only_turning_left(table("little-forty", kings, waste="2C", redeals=3))
