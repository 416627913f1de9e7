"""What automatic passes disclose is public: resampling keeps it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.engine.cards import pack
from games.engine.contract import CannotResample, Deal, Pack, Play, Rules, Step, resample
from tests.contract.play import GAMES, random_move, shuffled
from tests.contract.tiny import Climb

QUICK = [rules for rules in GAMES if rules.lone_pass == "optional"]
BY_GAME = pytest.mark.parametrize("rules", QUICK, ids=lambda rules: rules.slug)


def lone(rules: Rules[Any], steps: list[Step]) -> list[int | None]:
    """At which steps the awaited seat could only pass; ``-1`` stands for the moment after the last."""
    state = rules.start(rules.options({}))
    found: list[int | None] = []
    for n, step in enumerate(steps):
        if isinstance(step, Deal):
            state = rules.deal(state, step.packs)
            continue
        if rules.pass_if_lone(state) is not None:
            found.append(n)
        state = rules.play(state, step.move).state
    return [*found, -1] if rules.pass_if_lone(state) is not None else found


def quick_course(rules: Rules[Any], seed: int, moves: int) -> tuple[list[Step], list[int]]:
    """A random course with every lone pass made by itself, and the indexes of those."""
    rng = random.Random(seed)
    start = rules.start(rules.options({}))
    deal = Deal(shuffled(rules.packs(start), rng))
    steps: list[Step] = [deal]
    state = rules.deal(start, deal.packs)
    made: list[int] = []
    while isinstance(seat := rules.awaits(state), int):
        forced = rules.pass_if_lone(state)
        if forced is None and moves == 0:
            break
        if forced is not None:
            made.append(len(steps))
        moves -= forced is None
        move = forced or random_move(rules, state, rng)
        steps.append(Play(seat, move))
        state = rules.play(state, move).state
    return steps, made


def another(rules: Rules[Any], steps: list[Step], seed: int, **marks: Any) -> list[Step] | None:
    """The course over another deal that seat 0 can't tell from the real one, or None where none was found."""
    try:
        return resample(rules, rules.options({}), steps, 0, random.Random(seed), tries=300, **marks)
    except CannotResample:
        return None


@BY_GAME
def test_a_resampled_game_has_its_lone_passes_where_the_real_one_has_them(rules: Rules[Any]) -> None:
    different = marked = 0
    for seed in range(30):
        steps, made = quick_course(rules, seed, moves=2)
        other = another(rules, steps, seed, automatic=made, quick_pass=True)
        if other is None:
            continue
        assert lone(rules, other) == made
        different += other != steps
        marked += bool(made)
    assert different >= 5
    assert marked >= 5


@BY_GAME
def test_without_marks_other_lone_passes_are_as_good(rules: Rules[Any]) -> None:
    moved = 0
    for seed in range(30):
        steps, made = quick_course(rules, seed, moves=2)
        other = another(rules, steps, seed, automatic=made)
        moved += other is not None and lone(rules, other) != made
    assert moved


def test_a_pass_that_was_made_by_itself_tells_that_nothing_else_could_be_played() -> None:
    assert {"QH" in hand for hand in other_hands("6H 7H 8H 9H TH", automatic=[2])} == {False}


def test_a_pass_that_was_made_by_hand_tells_that_something_else_could_be_played() -> None:
    assert {"QH" in hand for hand in other_hands("6H 7H 8H 9H QH", automatic=[])} == {True}


def other_hands(held: str, automatic: list[int]) -> list[Pack]:
    """Hands of seat 1, which passed after J, as good as the one that it ``held``; seat 0 still has 2, 3, 4 and K."""
    first, second = ("2H", "3H", "4H", "JH", "KH"), tuple(held.split())
    rest = tuple(card for card in pack(suits="H") if card not in (*first, *second))
    steps: list[Step] = [Deal(((*first, *second, *rest),))]
    steps += [Play(0, {"type": "play", "card": "JH"}), Play(1, {"type": "pass"})]
    found = [another(Climb(), steps, seed, automatic=automatic, quick_pass=True) for seed in range(20)]
    hands = [other[0].packs[0][5:10] for other in found if other and isinstance(other[0], Deal)]
    assert len(set(hands)) > 5
    return hands
