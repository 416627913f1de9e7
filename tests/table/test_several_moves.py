"""Several moves of a patience by one command: as many as are legal, each an event of its own."""

from __future__ import annotations

import random

import pytest

from games.engine.contract import Move, Refusal
from games.table.commands import PlayMoves, Stale, Undo
from games.table.decider import MOST_MOVES
from games.table.events import Moved
from tests.table.tables import Thread, begun, line, played

DRAW = {"type": "draw"}


def course(thread: Thread, count: int) -> list[Move]:
    """So many moves, each legal after the ones before it."""
    rules, state, rng = thread.table.rules, thread.table.state, random.Random(1)
    moves = []
    for _ in range(count):
        moves.append(rng.choice(rules.legal_moves(state)))
        state = rules.play(state, moves[-1]).state
    return moves


def test_every_move_is_an_event_of_its_own() -> None:
    thread, single = begun("forty_thieves"), begun("forty_thieves")
    moves = course(thread, 5)
    assert thread.do(PlayMoves(0, moves, thread.table.step)) == [Moved(0, move) for move in moves]
    for move in moves:
        single.do(PlayMoves(0, [move], None))
    assert (line(thread.table), thread.table.state) == (line(single.table), single.table.state)
    thread.do(Undo(0, None, None))
    assert line(thread.table) == line(single.tables[-2])


def test_moves_are_made_up_to_the_first_that_is_not_legal() -> None:
    thread = begun("forty_thieves")
    wrong = {"type": "redeal"}
    assert thread.do(PlayMoves(0, [DRAW, DRAW, wrong, DRAW], None)) == [Moved(0, DRAW)] * 2


def refused(thread: Thread, command: PlayMoves) -> Refusal:
    before = thread.table
    with pytest.raises(Refusal) as caught:
        thread.do(command)
    assert thread.table is before
    return caught.value


def test_the_first_move_must_be_legal() -> None:
    assert refused(begun("forty_thieves"), PlayMoves(0, [{"type": "redeal"}, DRAW], None)).code == "no_redeal"


@pytest.mark.parametrize("moves", [[], [DRAW] * (MOST_MOVES + 1)], ids=["none", "too many"])
def test_no_moves_or_too_many_are_refused(moves: list[Move]) -> None:
    assert refused(begun("forty_thieves"), PlayMoves(0, moves, None)).code == "bad_moves"


def test_they_are_held_to_the_step_that_was_seen() -> None:
    thread = played("forty_thieves", seed=1, moves=2)
    assert isinstance(refused(thread, PlayMoves(0, [DRAW], thread.table.step - 1)), Stale)


def test_between_two_players_moves_are_made_one_by_one() -> None:
    thread = begun("climb")
    assert refused(thread, PlayMoves(0, thread.table.rules.legal_moves(thread.table.state), None)).code == "not_alone"
