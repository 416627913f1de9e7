"""No viewer can tell what is hidden from it; and the check that says so notices a game that leaks."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.contract import OPEN, Deal, Move, Rules, Step, Viewer
from tests.contract.play import GAMES, random_course
from tests.contract.privacy import assert_private
from tests.contract.settings import thorough
from tests.contract.tiny import Climb, State

EVERY_GAME = pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.slug)


@EVERY_GAME
@thorough(25)
@given(seed=st.integers(0, 2**32 - 1), length=st.integers(1, 120))
def test_a_viewer_is_told_the_same_whatever_is_hidden_from_it(rules: Rules[Any], seed: int, length: int) -> None:
    assert_private(random_course(rules, seed, length), seed)


@EVERY_GAME
def test_the_privacy_check_really_compares_other_deals(rules: Rules[Any]) -> None:
    assert sum(assert_private(random_course(rules, seed, 12), seed) for seed in range(5)) >= 5


class SeesTheOtherHand(Climb):
    def view(self, state: State, viewer: Viewer) -> dict[str, Any]:
        return {**super().view(state, viewer), "debug": [list(hand) for hand in state.hands]}


class SeesTheUndealtTop(Climb):
    def view(self, state: State, viewer: Viewer) -> dict[str, Any]:
        return {**super().view(state, viewer), "next": state.pack[10:11]}


class ShowsTheDeal(Climb):
    def public(self, step: Step, viewer: Viewer) -> dict[str, Any]:
        return super().public(step, OPEN if isinstance(step, Deal) else viewer)


class MovesDependOnTheOtherHand(Climb):
    def legal_moves(self, state: State) -> list[Move]:
        moves = super().legal_moves(state)
        return moves if "KH" in state.hands[1 - state.seat] else moves[::-1]


class TurnDependsOnTheOtherHand(Climb):
    def view(self, state: State, viewer: Viewer) -> dict[str, Any]:
        able = any(move["type"] == "play" for move in self.legal_moves(state))
        return {**super().view(state, viewer), "able": able}


@pytest.mark.parametrize(
    "leaky",
    [SeesTheOtherHand, SeesTheUndealtTop, ShowsTheDeal, MovesDependOnTheOtherHand, TurnDependsOnTheOtherHand],
    ids=lambda leaky: leaky.__name__,
)
def test_the_privacy_check_notices_a_leak(leaky: type[Climb]) -> None:
    with pytest.raises(AssertionError, match="can tell"):
        _check_many(leaky())


def test_the_game_that_they_were_made_from_does_not_leak() -> None:
    assert _check_many(Climb()) > 40


def _check_many(rules: Rules[Any]) -> int:
    return sum(assert_private(random_course(rules, seed, 12), seed) for seed in range(40))
