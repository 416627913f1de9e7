"""Taking back, playing again, hints, and the end of a patience."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.contract import Deal, Play, Refusal
from games.table.commands import AnswerUndo, AskUndo, PlayMove, Redo, Resign, TakeHint, Undo
from games.table.events import Ended, HintTaken, Moved, UndoAnswered, UndoAsked, Undone
from games.table.undo import may_ask, undo_target
from games.table.view import outcome, table_view
from tests.table.tables import Thread, begun, line, next_move, played


def _refused(thread: Thread, command: object) -> str:
    before = thread.table
    with pytest.raises(Refusal) as refused:
        thread.do(command)  # type: ignore[arg-type]  # any command is tried
    assert thread.table is before
    return refused.value.code


def _ariadne_late() -> Thread:
    """A game of Ariadne's Thread in which both piles are empty: from here no move shows a hidden card."""
    return played("ariadne", seed=3, moves=44)


def test_a_patience_goes_back_a_move_and_the_thread_keeps_what_was_undone() -> None:
    thread = played("forty_thieves", seed=1, moves=5)
    before, state = thread.table, thread.tables[-2].state
    assert thread.do(Undo(0, None, before.step)) == [Undone(0, before.line[-2].number)]
    table = thread.table
    assert (table.state, table.step, table.undos) == (state, before.step + 1, 1)
    assert line(table) == line(before)[:-1]
    assert thread.folded_again() == table


def test_any_number_of_steps_can_be_taken_back_at_once_but_not_the_deal() -> None:
    thread = played("forty_thieves", seed=2, moves=8)
    deal = thread.table.line[0]
    thread.do(Undo(0, deal.number, None))
    assert line(thread.table) == [(deal.step, None)]
    assert _refused(thread, Undo(0, None, None)) == "nothing_to_undo"
    assert _refused(thread, Undo(0, 0, None)) == "no_such_step"
    assert _refused(thread, Undo(0, thread.table.step, None)) == "no_such_step"


def test_what_was_undone_is_played_again_move_by_move_until_another_move_is_made() -> None:
    thread = played("forty_thieves", seed=4, moves=6)
    whole, state = line(thread.table), thread.table.state
    thread.do(Undo(0, thread.table.line[0].number, None))
    while thread.table.undone:
        thread.do(Redo(0, thread.table.step))
    assert (line(thread.table), thread.table.state) == (whole, state)
    assert _refused(thread, Redo(0, None)) == "nothing_to_redo"
    thread.do(Undo(0, None, None))
    other = next(
        move
        for move in thread.table.rules.legal_moves(thread.table.state)
        if Play(0, move) != thread.table.undone[-1].step
    )
    thread.do(PlayMove(0, other, None))
    assert _refused(thread, Redo(0, None)) == "nothing_to_redo"


@given(st.integers(0, 2**32), st.lists(st.sampled_from(["move", "undo", "redo", "far"]), max_size=40))
def test_a_patience_folds_to_the_same_whatever_is_undone_and_redone(seed: int, doings: list[str]) -> None:
    thread, rng = begun("forty_thieves", options={"variant": "streets"}), random.Random(seed)
    for doing in doings:
        table = thread.table
        try:
            match doing:
                case "move":
                    thread.do(next_move(table, rng))
                case "undo":
                    thread.do(Undo(0, None, table.step))
                case "far":
                    thread.do(Undo(0, rng.choice(table.line).number, table.step))
                case "redo":
                    thread.do(Redo(0, table.step))
        except Refusal:
            assert thread.table is table
    table = thread.table
    assert thread.folded_again() == table
    state = table.rules.start(table.opened.options)
    for entry in table.line:
        assert entry.before == state
        match entry.step:
            case Deal(packs):
                state = table.rules.deal(state, packs)
            case Play(_, move):
                state = table.rules.play(state, move).state
    assert state == table.state
    assert table.undos == sum(name == "undone" for name, _, _ in thread.stored)


def test_a_stale_undo_is_refused() -> None:
    thread = played("forty_thieves", seed=1, moves=3)
    assert _refused(thread, Undo(0, None, thread.table.step - 1)) == "stale_step"


def test_between_two_players_one_asks_and_the_other_grants() -> None:
    thread = _ariadne_late()
    before = thread.table
    assert before.awaited_seat == 0
    assert thread.do(AskUndo(1, before.step)) == [UndoAsked(1, before.line[-2].number)]
    assert thread.table.step == before.step
    assert table_view(thread.table, 0)["undo"]["asked"] == {"seat": 1, "to_step": before.line[-2].number}
    assert thread.do(AnswerUndo(0, True)) == [UndoAnswered(0, True), Undone(1, before.line[-2].number)]
    assert thread.table.awaited_seat == 1
    assert line(thread.table) == line(before)[:-1]
    assert thread.table.undone == ()  # played again only in a patience
    assert thread.folded_again() == thread.table


def test_ones_own_move_can_be_asked_back_when_the_other_has_moved_since() -> None:
    thread = _ariadne_late()
    entries = thread.table.line
    assert undo_target(thread.table, 0) == entries[-3].number
    thread.do(AskUndo(0, None))
    thread.do(AnswerUndo(1, True))
    assert thread.table.line == entries[:-2]


def test_a_declined_undo_changes_nothing_and_can_be_asked_again() -> None:
    thread = _ariadne_late()
    state = thread.table.state
    thread.do(AskUndo(1, None))
    assert _refused(thread, AskUndo(0, None)) == "already_asked"
    assert thread.do(AnswerUndo(0, False)) == [UndoAnswered(0, False)]
    assert thread.table.state == state
    thread.do(AskUndo(1, None))


def test_an_ask_is_void_once_the_game_moves_on() -> None:
    thread = _ariadne_late()
    thread.do(AskUndo(1, None))
    thread.do(next_move(thread.table, random.Random(1)))
    assert thread.table.undo_asked is None
    assert _refused(thread, AnswerUndo(0, True)) == "nothing_asked"


def test_a_late_answer_does_not_grant_a_newer_ask() -> None:
    thread = _ariadne_late()
    thread.do(AskUndo(1, None))
    seen = thread.table.step
    thread.do(next_move(thread.table, random.Random(1)))
    thread.do(AskUndo(0, None))
    assert _refused(thread, AnswerUndo(1, True, seen)) == "stale_step"


def test_nobody_answers_their_own_ask() -> None:
    thread = _ariadne_late()
    thread.do(AskUndo(1, None))
    assert _refused(thread, AnswerUndo(1, True)) == "nothing_asked"


def test_an_ask_does_not_make_the_awaited_seats_move_fail() -> None:
    thread = _ariadne_late()
    move = next_move(thread.table, random.Random(2))
    thread.do(AskUndo(1, None))
    assert isinstance(thread.do(move)[0], Moved)


def test_what_showed_a_hidden_card_can_not_be_taken_back_between_players() -> None:
    thread = played("ariadne", seed=3, moves=6)
    assert thread.table.line[-1].revealed
    assert not may_ask(thread.table, 1)
    assert _refused(thread, AskUndo(1, None)) == "cards_were_seen"


def test_a_deal_can_not_be_taken_back() -> None:
    thread = played("ariadne", seed=3, moves=48)
    assert isinstance(thread.table.line[-1].step, Deal)
    assert not may_ask(thread.table, 0)
    assert _refused(thread, AskUndo(0, None)) == "past_a_deal"


def test_between_two_players_nothing_is_taken_back_freely_and_alone_there_is_nobody_to_ask() -> None:
    two, alone = _ariadne_late(), played("forty_thieves", seed=1, moves=3)
    assert _refused(two, Undo(0, None, None)) == "not_alone"
    assert _refused(two, Redo(0, None)) == "not_alone"
    assert _refused(two, TakeHint(0)) == "not_alone"
    assert _refused(alone, AskUndo(0, None)) == "alone"
    assert table_view(alone.table, 0)["undo"]["may"] is True


def test_hints_are_counted_and_take_no_step() -> None:
    thread = played("forty_thieves", seed=1, moves=3)
    step = thread.table.step
    assert thread.do(TakeHint(0)) == [HintTaken(0)]
    assert (thread.table.hints, thread.table.step) == (1, step)
    assert table_view(thread.table, 0)["hints"] == 1


def _stuck() -> Thread:
    """A patience in which nothing at all is legal any more."""
    for seed in range(200):
        thread = played("forty_thieves", seed=seed, moves=600)
        if thread.table.stuck:
            return thread
    raise AssertionError("no random game got stuck")


def test_a_stuck_patience_is_not_over_until_its_player_says_so() -> None:
    thread = _stuck()
    assert (thread.table.status, thread.table.awaited_seat, outcome(thread.table)) == ("running", 0, None)
    assert table_view(thread.table, 0)["stuck"] is True
    assert table_view(thread.table, 0)["legal"] == []
    moves = len(thread.table.line)
    thread.do(Undo(0, None, None))
    assert (thread.table.stuck, len(thread.table.line)) == (False, moves - 1)
    thread.do(Redo(0, None))
    (ended,) = thread.do(Resign(0))
    assert isinstance(ended, Ended)
    assert (ended.by, ended.seat) == ("rules", None)
    result = outcome(thread.table)
    assert result is not None
    assert result["winner"] is None


def test_giving_up_a_patience_that_could_go_on_says_who_gave_up() -> None:
    thread = played("forty_thieves", seed=1, moves=3)
    (ended,) = thread.do(Resign(0))
    assert isinstance(ended, Ended)
    assert (ended.by, ended.seat) == ("given_up", 0)
    assert _refused(thread, Undo(0, None, None)) == "game_over"
