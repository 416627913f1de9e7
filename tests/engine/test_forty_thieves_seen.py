"""What follows from what is seen of a patience: the table after a move, all that goes up, groups, hints."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from games.engine.contract import OPEN, Move, Played
from games.engine.forty_thieves import RULES, VARIANTS, State
from games.engine.forty_thieves_eyes import after_move, all_up, group_moves, hint, longest_run
from tests.contract.play import random_move, shuffled


def dealt(variant: str, seed: int) -> State:
    state = RULES.start({"variant": variant})
    return RULES.deal(state, shuffled(RULES.packs(state), random.Random(seed)))


def course(variant: str, seed: int, length: int = 150) -> Iterator[State]:
    """The states of a game that mostly follows hints, with some random moves between."""
    state, rng = dealt(variant, seed), random.Random(seed)
    for _ in range(length):
        yield state
        legal = RULES.legal_moves(state)
        if not legal:
            return
        sensible = hint(view(state), legal) if rng.random() < 0.8 else None
        state = play(state, sensible or random_move(RULES, state, rng)).state


def view(state: State) -> dict[str, Any]:
    return RULES.view(state, 0)


def play(state: State, move: Move) -> Played[State]:
    return RULES.play(state, RULES.check(state, 0, move))


def position(state: State) -> dict[str, Any]:
    """What can be compared of a view: all but what follows from the state alone."""
    seen = view(state)
    return {key: seen[key] for key in ("columns", "waste", "stock", "foundations", "redeals_left", "placed")}


BY_VARIANT = pytest.mark.parametrize("variant", VARIANTS)


@BY_VARIANT
def test_the_view_after_a_move_is_the_engines_but_for_what_it_turns_up(variant: str) -> None:
    compared = hidden = 0
    for state in list(course(variant, 3))[::4]:
        before = view(state)
        for move in RULES.legal_moves(state):
            after, played = after_move(before, move), play(state, move)
            real = position(played.state)
            if played.revealed:
                hidden += 1
                assert_seen_only(after, real, move)
            else:
                assert {key: after[key] for key in real} == real
            compared += 1
        assert view(state) == before
    assert compared > 40
    assert hidden


def assert_seen_only(after: dict[str, Any], real: dict[str, Any], move: Move) -> None:
    """The same but for the cards that nobody has seen yet, which are None."""
    assert len(after["waste"]) == len(real["waste"])
    pairs = list(zip(after["waste"], real["waste"], strict=True))
    for mine, true in zip(after["columns"], real["columns"], strict=True):
        pairs += zip(mine["cards"], true["cards"], strict=True)
    unknown = [true for seen, true in pairs if seen != true]
    assert all(seen in (None, true) for seen, true in pairs)
    assert 1 <= len(unknown) <= (3 if move["type"] == "draw" else 1)
    assert [after[key] for key in ("stock", "foundations", "placed")] == [
        real[key] for key in ("stock", "foundations", "placed")
    ]


@BY_VARIANT
def test_all_that_goes_up_goes_up_in_single_legal_moves(variant: str) -> None:
    moved = 0
    for state in list(course(variant, 8))[::3]:
        now, revealed = state, False
        for move in all_up(view(state)):
            assert (move["to"], move["count"]) == ("f", 1)
            now, turned = play(now, move)
            revealed, moved = revealed or turned, moved + 1
        if not revealed:
            assert [move for move in RULES.legal_moves(now) if move.get("to") == "f"] == []
    assert moved


# --- groups through empty columns ---------------------------------------------------------------------------------


def table(variant: str, *columns: str) -> State:
    """A table with these columns, the others empty, and no other card in play."""
    cards = [tuple(text.split()) for text in columns]
    state = dealt(variant, 0)
    filled = (*cards, *((),) * (len(state.columns) - len(cards)))
    return State(variant, state.pack, filled, (0,) * len(filled), (), (), (0,) * 8, 0)


def moved(state: State, moves: list[Move]) -> State:
    for move in moves:
        state = play(state, move).state
    return state


def test_a_group_moves_through_empty_columns_as_single_moves() -> None:
    state = table("streets", "KD 9S 8H 7S", "TH", *["2C"] * 6)
    moves = group_moves(view(state), "t1", 3, "t2")
    assert [(move["from"], move["to"]) for move in moves] == [
        ("t1", "t9"), ("t1", "t10"), ("t1", "t2"), ("t10", "t2"), ("t9", "t2"),
    ]  # fmt: skip
    after = moved(state, moves)
    assert after.columns[:2] == (("KD",), ("TH", "9S", "8H", "7S"))
    assert after.columns[8:] == ((), ())


def test_a_group_moves_to_an_empty_column_too() -> None:
    state = table("forty-thieves", "KD 9S 8S", *["2C"] * 7)
    after = moved(state, group_moves(view(state), "t1", 2, "t10"))
    assert (after.columns[0], after.columns[8:]) == (("KD",), ((), ("9S", "8S")))


@pytest.mark.parametrize(
    ("columns", "count", "target", "why"),
    [
        (["KD 9S 8H 7S", "TH", *["2C"] * 7], 3, "t2", "one empty column is too few"),
        (["KD 9S 8H 7S", "TC"], 3, "t2", "it doesn't fit"),
        (["KD 9S 8H 6S", "TH"], 3, "t2", "it is no run"),
        (["KD 9S 8H 7S", "TH"], 1, "t2", "a single card needs none"),
        (["9S 8H", "TH"], 3, "t2", "there are fewer cards"),
        (["KD 9S 8H", *["2C"] * 8], 2, "t10", "the last empty column is where it would go"),
    ],
)
def test_a_group_stays_where_it_is_if_it_cannot_move(columns: list[str], count: int, target: str, why: str) -> None:
    assert group_moves(view(table("streets", *columns)), "t1", count, target) == [], why


def test_where_sequences_move_there_is_no_such_shortcut() -> None:
    state = table("number-ten", "KD 9S 8H", "TH")
    assert group_moves(view(state), "t1", 2, "t2") == []


@pytest.mark.parametrize("variant", [slug for slug, row in VARIANTS.items() if not row.sequences])
def test_every_group_that_is_offered_can_be_moved(variant: str) -> None:
    offered = 0
    for seed in range(6):
        for state in list(course(variant, seed))[::5]:
            seen = view(state)
            for column in seen["columns"]:
                for count in range(2, longest_run(seen, column["cards"]) + 1):
                    for target in seen["columns"]:
                        moves = group_moves(seen, column["name"], count, target["name"])
                        if moves:
                            after = view(moved(state, moves))["columns"][int(target["name"][1:]) - 1]
                            assert after["cards"] == [*target["cards"], *column["cards"][-count:]]
                            offered += 1
    assert offered > 5


# --- hints --------------------------------------------------------------------------------------------------------


@BY_VARIANT
def test_following_hints_never_comes_back_to_a_position_and_ends(variant: str) -> None:
    for seed in range(3):
        state, seen = dealt(variant, seed), set()
        while (move := hint(view(state), RULES.legal_moves(state))) is not None:
            assert state not in seen
            seen.add(state)
            state = play(state, move).state
        assert len(seen) > 60


def test_hints_solve_some_games() -> None:
    solved = 0
    for seed in range(3):
        *_, state = (state for state in hinted("little-forty", seed))
        solved += RULES.result(state) == {"scores": [104], "winner": 0}
    assert solved


def hinted(variant: str, seed: int) -> Iterator[State]:
    state = dealt(variant, seed)
    yield state
    while (move := hint(view(state), RULES.legal_moves(state))) is not None:
        state = play(state, move).state
        yield state


def test_a_hint_sends_cards_up_before_anything_else_and_turns_last() -> None:
    for state in course("rank-and-file", 5):
        legal = RULES.legal_moves(state)
        move = hint(view(state), legal)
        if any(other.get("to") == "f" for other in legal):
            assert move is not None
            assert move["to"] == "f"
        elif move == {"type": "draw"}:
            reveals = [other for other in legal if other["type"] == "move" and play(state, other).revealed]
            assert reveals == []


def test_no_hint_pushes_a_run_from_one_card_to_its_like() -> None:
    state = table("streets", "9S 8H", "9C", *["KC"] * 8)
    assert RULES.legal_moves(state) == [{"type": "move", "from": "t1", "to": "t2", "count": 1}]
    assert hint(view(state), RULES.legal_moves(state)) is None


def test_hints_and_shortcuts_come_from_what_is_seen_alone() -> None:
    for state in course("indian", 2, 60):
        legal = RULES.legal_moves(state)
        closed, opened = view(state), RULES.view(state, OPEN)
        assert hint(closed, legal) == hint({**opened, "columns": closed["columns"]}, legal)
        assert all(card is None for column in closed["columns"] for card in column["cards"][: column["down"]])
