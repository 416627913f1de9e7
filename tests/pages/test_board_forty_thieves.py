"""The patience board: its ways are the legal moves, a touch means what it says, and nothing hidden is drawn."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from games.engine.contract import OPEN, SPECTATOR, IllegalMove, Move
from games.engine.forty_thieves import RULES, VARIANTS, State
from games.pages.boards import Scene, board_for
from games.pages.boards.base import resolve
from games.pages.boards.forty_thieves import FortyThievesBoard
from tests.engine.test_forty_thieves_seen import course, play, table, view

BOARD = FortyThievesBoard()
BY_VARIANT = pytest.mark.parametrize("variant", VARIANTS)


def text(move: Move) -> str:
    return json.dumps(dict(move), sort_keys=True)


def products(state: State) -> Iterator[tuple[tuple[str, ...], Move]]:
    """Every combination of one choice a slot, with each move that it makes."""
    for way in BOARD.ways(view(state), RULES.legal_moves(state)):
        combined: list[tuple[str, ...]] = [()]
        for slot in way.slots:
            combined = [(*chosen, choice.touch) for chosen in combined for choice in slot.choices]
        for touches in combined:
            for move in way.moves(touches):
                yield touches, move


def meant(state: State, *touches: str, action: str = "") -> list[Move]:
    return resolve(BOARD.ways(view(state), RULES.legal_moves(state)), touches, action)


def refusal(state: State, *touches: str, action: str = "") -> str:
    intended = BOARD.intended(view(state), touches, action)
    assert intended is not None
    with pytest.raises(IllegalMove) as refused:
        RULES.check(state, 0, intended)
    return refused.value.code


@BY_VARIANT
def test_the_ways_are_exactly_the_legal_moves(variant: str) -> None:
    kinds = set()
    for state in list(course(variant, 4))[::5]:
        made = dict(products(state))
        assert {text(move) for move in made.values()} == {text(move) for move in RULES.legal_moves(state)}
        for touches, move in made.items():
            assert meant(state, *touches) == [move]
            kinds.add(move["type"])
    assert {"move", "draw"} <= kinds


def test_the_ways_are_compact() -> None:
    for state in list(course("rank-and-file", 1))[::10]:
        ways = BOARD.ways(view(state), RULES.legal_moves(state))
        assert len(json.dumps([way.for_script() for way in ways])) < 8000


def test_any_card_of_a_run_from_the_one_that_fits_on_moves_what_fits() -> None:
    state = table("streets", "KD 9S 8H 7S", "8D")
    sequences = replace(state, variant="number-ten")
    wanted = {"type": "move", "from": "t1", "to": "t2", "count": 1}
    assert meant(sequences, "pile:t1.4", "pile:t2.1") == [wanted]
    longer = replace(sequences, columns=(("KD", "9S", "8H", "7S"), ("9C",), *state.columns[2:]))
    for touch in ("pile:t1.3", "pile:t1.4"):
        assert meant(longer, touch, "pile:t2.1") == [{**wanted, "count": 2}]
    assert meant(longer, "pile:t1.2", "pile:t2.1") == []
    assert meant(longer, "pile:t1.4", "pile:t3.0") == [{**wanted, "to": "t3"}]


def test_the_stock_turns_and_at_its_end_redeals() -> None:
    state = next(iter(course("little-forty", 1)))
    assert meant(state, "pile:s") == [{"type": "draw"}]
    empty = replace(state, stock=(), waste=state.stock)
    assert meant(empty, "pile:s") == [{"type": "redeal"}]
    assert meant(replace(empty, redeals=3), "pile:s") == []


def test_what_is_touched_first_moves() -> None:
    state = table("streets", "9S", "8H")
    assert meant(state, "pile:t2.1", "pile:t1.1") == [{"type": "move", "from": "t2", "to": "t1", "count": 1}]
    assert meant(state, "pile:t1.1", "pile:t2.1") == []


@pytest.mark.parametrize(
    ("touches", "code"),
    [
        (("pile:t1.2", "pile:t2.1"), "wrong_rank"),
        (("pile:t2.1", "pile:t3.1"), "wrong_suit"),
        (("pile:t1.2", "pile:f"), "not_next"),
        (("pile:t1.1",), "one_card_only"),
        (("pile:t1.1", "pile:t2.1"), "one_card_only"),
        (("pile:t1.2", "pile:w"), "to_waste"),
        (("pile:f", "pile:t1.2"), "from_foundation"),
        (("pile:w", "pile:t1.2"), "waste_has_no_card"),
        (("pile:t4.0", "pile:t1.2"), "column_empty"),
        (("pile:s",), "no_redeal"),
    ],
)
def test_an_illegal_try_names_the_rule(touches: tuple[str, ...], code: str) -> None:
    assert refusal(table("streets", "KD 2S", "8C", "9S"), *touches) == code


@pytest.mark.parametrize(
    "touched",
    [(), ("pile:t1.2",), ("pile:f",), ("pile:t99.1",), ("pile:t1.x", "pile:t1.²"), ("hand:7S",), ("pile:",)],
    ids=str,
)
def test_what_can_not_be_understood_is_not_guessed(touched: tuple[str, ...]) -> None:
    assert BOARD.intended(view(table("streets", "KD 2S", "8C")), touched, "") is None


def test_without_cards_to_touch_turning_can_be_named() -> None:
    state = table("streets", "KD")
    assert refusal(state, action="draw") == "stock_empty"
    assert refusal(state, action="redeal") == "no_redeal"


# --- shortcuts ----------------------------------------------------------------------------------------------------


def test_all_up_is_offered_where_something_can_go_up() -> None:
    (up,) = [found for found in BOARD.shortcuts(view(table("streets", "2S AS"))) if found.action == "all_up"]
    assert [(move["from"], move["to"]) for move in up.moves] == [("t1", "f"), ("t1", "f")]
    assert BOARD.shortcuts(view(table("streets", "2S"))) == []


def test_a_run_and_where_it_goes_are_the_touches_of_a_group() -> None:
    state = table("streets", "KD 9S 8H", "TH", *["2C"] * 7)
    groups = {found.touches: found.moves for found in BOARD.shortcuts(view(state))}
    assert set(groups) == {("pile:t1.2", "pile:t2.1")}
    assert len(groups["pile:t1.2", "pile:t2.1"]) == 3


@pytest.mark.parametrize("variant", ["streets", "forty-thieves", "maria"])
def test_no_shortcut_takes_the_place_of_a_move(variant: str) -> None:
    for seed in range(3):
        for state in list(course(variant, seed))[::8]:
            for found in BOARD.shortcuts(view(state)):
                assert not found.touches or meant(state, *found.touches) == []
                for move in found.moves:
                    state = play(state, move).state  # noqa: PLW2901 - each follows the one before
                break


# --- what is drawn ------------------------------------------------------------------------------------------------


def drawn(state: State, **scene: Any) -> dict[str, Any]:
    return BOARD.drawn(Scene(view(state), seat=0, playing=True, **scene))


def test_cards_that_are_not_seen_are_not_drawn_and_can_not_be_touched() -> None:
    state = next(iter(course("rank-and-file", 2)))
    for column in drawn(state)["columns"]:
        assert [(bool(card.card), bool(card.touch)) for card in column.cards] == [(False, False)] * 3 + [(True, True)]


def with_other_hidden_cards(state: State) -> State:
    """The same table with the cards face down and in the stock in the places of one another."""
    hidden = [card for cards, down in zip(state.columns, state.down, strict=True) for card in cards[:down]]
    left = [*hidden, *state.stock][::-1]
    columns = []
    for cards, down in zip(state.columns, state.down, strict=True):
        columns.append((*left[:down], *cards[down:]))
        del left[:down]
    return replace(state, columns=tuple(columns), stock=tuple(left))


@pytest.mark.parametrize("variant", ["indian", "number-ten"])
def test_what_is_hidden_makes_no_difference_to_what_is_drawn_said_or_offered(variant: str) -> None:
    compared = 0
    for state in list(course(variant, 3))[::10]:
        other = with_other_hidden_cards(state)
        compared += other != state
        assert drawn(state) == drawn(other)
        assert BOARD.shortcuts(view(state)) == BOARD.shortcuts(view(other))
        legal = RULES.legal_moves(state)
        assert BOARD.hint(view(state), legal) == BOARD.hint(view(other), legal)
    assert compared > 5


def test_with_everything_open_the_stock_is_shown_too() -> None:
    state = next(iter(course("streets", 1)))
    opened = BOARD.drawn(Scene(RULES.view(state, OPEN)))
    assert [card.card for card in opened["stock_cards"]] == list(state.stock)
    assert BOARD.drawn(Scene(RULES.view(state, SPECTATOR)))["stock_cards"] == []


def test_a_card_that_is_looked_for_is_outlined_wherever_it_lies() -> None:
    state = replace(table("streets", "KD 7S 2C"), waste=("7S", "9H"))
    board = drawn(state, find="7S")
    lying = [card for column in board["columns"] for card in column.cards]
    found = [card.card for card in [*lying, *board["waste"], *board["looked_through"]] if "found" in card.css]
    assert found == ["7S", "7S", "7S"]
    assert board["found_in_waste"]


def test_the_waste_can_be_looked_through_from_its_top() -> None:
    state = replace(table("streets", "KD"), waste=("AS", "2S", "3S", "4S", "5S"))
    board = drawn(state)
    assert [card.card for card in board["looked_through"]] == ["5S", "4S", "3S", "2S", "AS"]
    assert [(card.card, card.touch) for card in board["waste"]] == [("3S", ""), ("4S", ""), ("5S", "pile:w")]


@BY_VARIANT
def test_marks_are_where_the_last_move_put_cards(variant: str) -> None:
    found = set()
    for state in list(course(variant, 6))[::4]:
        for move in RULES.legal_moves(state):
            after = view(play(state, move).state)
            marks = BOARD.marks(after, [move])
            heights = {column["name"]: len(column["cards"]) for column in after["columns"]}
            if move["type"] == "move" and move["to"] != "f":
                top = heights[move["to"]]
                assert marks == {f"pile:{move['to']}.{top - n}" for n in range(move["count"])}
            elif move["type"] == "draw":
                assert marks == {"pile:w"}
            found.add(move["type"])
    assert BOARD.marks(view(table("streets", "KD")), []) == frozenset()
    assert "move" in found


def test_a_move_is_offered_in_words() -> None:
    state = replace(table("streets", "KD 9S", "TH", "AS"), waste=("8D",), stock=("2C",))
    said = {
        (move.get("from"), move.get("to")): BOARD.offer(view(state), move, view(state))
        for move in RULES.legal_moves(state)
    }
    assert said["t1", "t2"] == "Move 9♠ from column 1 onto 10♥ in column 2."
    assert said["t1", "t4"] == "Move 9♠ from column 1 to the empty column 4."
    assert said["t3", "f"] == "Play A♠ from column 3 to the foundations."
    assert said["w", "t1"] == "Move 8♦ from the waste onto 9♠ in column 1."
    assert said["w", "t4"] == "Move 8♦ from the waste to the empty column 4."
    assert said[None, None] == "Turn from the stock."


def test_when_only_turning_is_left_that_is_said() -> None:
    state = replace(table("streets", *["KD"] * 10), stock=("2C",))
    assert "Only turning is left" in BOARD.how(view(state))
    assert "Nothing is legal any more" in BOARD.how(view(replace(state, stock=())))
    assert "Touch a card" in BOARD.how(view(next(iter(course("streets", 1)))))


def test_moves_are_made_at_once() -> None:
    assert board_for("forty_thieves").instant
    assert not board_for("ariadne").instant
