"""What every game fulfils, over random courses of every game there is and of the tiny example."""

from __future__ import annotations

import copy
import json
import random
import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.contract import DEAL, OPEN, BadDeal, BadOption, Deal, IllegalMove, Move, Play, Rules, gettext_noop
from games.engine.record import move_text
from tests.contract.foreign import foreign_moves, reordered
from tests.contract.play import (
    DISCARDING,
    GAMES,
    HOLDINGS,
    Course,
    after_each,
    random_course,
)
from tests.contract.privacy import viewers
from tests.contract.settings import thorough

EVERY_GAME = pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.slug)
SEEDS = st.integers(0, 2**32 - 1)
LENGTHS = st.integers(0, 150)


def awaited(course: Course) -> list[tuple[int, Any]]:
    """The (seat, state) of every moment of the course at which a seat is awaited."""
    return [
        (seat, state) for state in course.states if (seat := course.rules.awaits(state)) is not None and seat != DEAL
    ]


def some(course: Course, seed: int, count: int = 8) -> list[tuple[int, Any]]:
    """At most so many of :func:`awaited`, chosen by the seed: listing and trying every move of each takes time."""
    moments = awaited(course)
    return random.Random(seed).sample(moments, min(count, len(moments)))


def assert_listed_or_refused(ask: Callable[[], Move], legal: set[str]) -> None:
    """Assert that asking gives a canonical move of the list, or a refusal with a code and a sentence."""
    try:
        move = ask()
    except IllegalMove as refusal:
        code, sentence = refusal.code, refusal.detail
    else:
        assert move_text(move) in legal
        return
    assert re.fullmatch("[a-z][a-z_]*", code)
    assert sentence.endswith(".")


@EVERY_GAME
@thorough(15)
@given(seed=SEEDS, length=LENGTHS)
def test_cards_are_conserved(rules: Rules[Any], seed: int, length: int) -> None:
    course = random_course(rules, seed, length)
    dealt: Counter[str] = Counter()
    before: Counter[str] = Counter()
    for step, state in zip(course.steps, course.states[1:], strict=True):
        held = Counter(HOLDINGS[rules.slug](rules.to_json(state)))
        if isinstance(step, Deal):
            before = dealt = Counter(card for pack in step.packs for card in pack)
        assert held <= before, "no card appears from nowhere"
        assert held == dealt or rules.slug in DISCARDING
        before = held


@EVERY_GAME
@thorough(10)
@given(seed=SEEDS, length=LENGTHS)
def test_until_it_is_over_someone_can_act(rules: Rules[Any], seed: int, length: int) -> None:
    for state in random_course(rules, seed, length).states:
        awaits = rules.awaits(state)
        assert (awaits is None) == (rules.result(state) is not None)
        if awaits == DEAL:
            assert rules.packs(state)
            assert rules.legal_moves(state) == []
        elif awaits is None:
            assert rules.legal_moves(state) == []
        else:
            assert 0 <= int(awaits) < rules.seats
            assert rules.legal_moves(state)


@EVERY_GAME
@thorough(10)
@given(seed=SEEDS, length=LENGTHS)
def test_the_quick_check_accepts_every_listed_move_in_any_order_of_its_lists(
    rules: Rules[Any], seed: int, length: int
) -> None:
    rng = random.Random(seed)
    for seat, state in some(random_course(rules, seed, length), seed):
        moves = rules.legal_moves(state)
        assert len({move_text(move) for move in moves}) == len(moves)
        for move in moves:
            assert rules.check(state, seat, move) == move
            assert rules.check(state, seat, reordered(json.loads(json.dumps(move)), rng)) == move


@EVERY_GAME
@thorough(10)
@given(seed=SEEDS, length=LENGTHS)
def test_the_quick_check_refuses_every_move_that_is_not_listed(rules: Rules[Any], seed: int, length: int) -> None:
    course = random_course(rules, seed, length)
    rng = random.Random(seed)
    for seat, state in some(course, seed):
        legal = {move_text(move) for move in rules.legal_moves(state)}
        before = rules.to_json(state)
        for move in foreign_moves(course, state, rng):
            assert_listed_or_refused(partial(rules.check, state, seat, move), legal)
            assert rules.to_json(state) == before


@EVERY_GAME
@thorough(5)
@given(seed=SEEDS, length=LENGTHS)
def test_who_is_not_awaited_is_refused(rules: Rules[Any], seed: int, length: int) -> None:
    course = random_course(rules, seed, length)
    plays = [step for step in course.steps if isinstance(step, Play)]
    for state in course.states:
        for seat in {-1, *range(rules.seats), rules.seats} - {rules.awaits(state)}:
            for move in [step.move for step in plays[:3]] or [{"type": "pass"}]:
                with pytest.raises(IllegalMove) as caught:
                    rules.check(state, int(seat), move)
                assert caught.value.code == "not_your_turn"


@EVERY_GAME
@thorough(5)
@given(seed=SEEDS, length=LENGTHS)
def test_a_deal_is_refused_where_none_is_awaited_or_of_other_packs(rules: Rules[Any], seed: int, length: int) -> None:
    for state in random_course(rules, seed, length).states:
        packs = rules.packs(state) if rules.awaits(state) == DEAL else (("AH",),)
        spoilt = (*packs[:-1], (*packs[-1][:-1], "1X"))
        for wrong in (spoilt, packs[:-1], (*packs, ()), (*packs[:-1], packs[-1][1:])):
            with pytest.raises(BadDeal):
                rules.check_deal(state, wrong)


@EVERY_GAME
@thorough(10)
@given(seed=SEEDS, length=LENGTHS)
def test_a_replay_of_the_written_steps_equals_live_play(rules: Rules[Any], seed: int, length: int) -> None:
    course = random_course(rules, seed, length)
    written = json.loads(json.dumps([rules.public(step, OPEN) for step in course.steps]))
    steps = [
        Deal(tuple(tuple(pack) for pack in step["deal"])) if "deal" in step else Play(step["seat"], step["move"])
        for step in written
    ]
    assert after_each(rules, course.options, steps) == course.states


@EVERY_GAME
@thorough(10)
@given(seed=SEEDS, length=LENGTHS)
def test_states_are_values_that_go_to_json_and_back(rules: Rules[Any], seed: int, length: int) -> None:
    course = random_course(rules, seed, length)
    for before, after in zip(course.states, course.states[1:], strict=False):
        again = rules.from_json(json.loads(json.dumps(rules.to_json(after))))
        assert again == after
        assert hash(again) == hash(after)
        assert rules.to_json(again) == rules.to_json(after)
        assert after != before
        if rules.awaits(after) not in (None, DEAL):
            assert list(map(move_text, rules.legal_moves(again))) == list(map(move_text, rules.legal_moves(after)))


@EVERY_GAME
@thorough(5)
@given(seed=SEEDS, length=LENGTHS)
def test_nothing_that_is_asked_of_a_state_changes_it_or_an_earlier_one(
    rules: Rules[Any], seed: int, length: int
) -> None:
    course = random_course(rules, seed, length)
    written = [json.dumps(rules.to_json(state)) for state in course.states]
    for state in course.states:
        for viewer in (*viewers(rules), OPEN):
            rules.unseen(state, viewer)
            assert json.loads(json.dumps(rules.view(state, viewer))) == rules.view(state, viewer)
        for move in rules.legal_moves(state):
            rules.describe(state, move)
            rules.notation(state, move)
            rules.play(state, move)
    assert [json.dumps(rules.to_json(state)) for state in course.states] == written
    assert after_each(rules, course.options, copy.deepcopy(course.steps)) == course.states


@EVERY_GAME
@thorough(10)
@given(seed=SEEDS, length=LENGTHS)
def test_every_legal_move_has_a_notation_of_its_own_that_means_it(rules: Rules[Any], seed: int, length: int) -> None:
    for _, state in some(random_course(rules, seed, length), seed, count=3):
        for move in rules.legal_moves(state):
            text = rules.notation(state, move)
            for typed in (text, text.lower(), f"  {text.upper()} "):
                assert rules.parse(state, typed) == move


@EVERY_GAME
@thorough(10)
@given(seed=SEEDS, length=LENGTHS, text=st.text(max_size=40))
def test_what_is_no_notation_is_refused(rules: Rules[Any], seed: int, length: int, text: str) -> None:
    for _, state in some(random_course(rules, seed, length), seed, count=3):
        legal = {move_text(move) for move in rules.legal_moves(state)}
        for typed in (text, "", "?", "7S7S7S", "10", "9" * 5000):
            assert_listed_or_refused(partial(rules.parse, state, typed), legal)


@EVERY_GAME
@thorough(10)
@given(seed=SEEDS, length=LENGTHS)
def test_every_legal_move_is_told_in_words_of_this_game(rules: Rules[Any], seed: int, length: int) -> None:
    for _, state in some(random_course(rules, seed, length), seed):
        for move in rules.legal_moves(state):
            words = rules.describe(state, move)
            assert words.id.startswith(f"{rules.slug}.")
            assert json.loads(json.dumps(dict(words.params))).keys() == words.params.keys()


@EVERY_GAME
@thorough(10)
@given(seed=SEEDS, length=LENGTHS)
def test_a_lone_pass_is_found_where_it_is_the_only_legal_move(rules: Rules[Any], seed: int, length: int) -> None:
    for state in random_course(rules, seed, length).states:
        lone = [move for move in rules.legal_moves(state) if move["type"] == "pass"]
        alone = len(lone) == len(rules.legal_moves(state)) == 1
        assert rules.pass_if_lone(state) == (lone[0] if alone else None)


@EVERY_GAME
def test_an_option_that_is_not_on_the_page_is_refused(rules: Rules[Any]) -> None:
    complete = rules.options({})
    assert rules.options(complete) == complete
    wrong: list[dict[str, Any]] = [{"no_such_option": 1}, {**complete, "": None}]
    for name in complete:
        values: list[Any] = ["nonsense", "", -1, 0, 10**30, 1.0, None, [], {}, [[]], True]
        wrong += [{**complete, name: value} for value in values]
    for options in wrong:
        with pytest.raises(BadOption):
            rules.options(options)


@EVERY_GAME
def test_nothing_is_hidden_from_open_eyes_and_something_is_hidden_from_others(rules: Rules[Any]) -> None:
    course = random_course(rules, 1, 1)
    dealt = course.states[-1]
    assert not any(rules.unseen(dealt, OPEN))
    for viewer in viewers(rules):
        assert any(rules.unseen(dealt, viewer))
        assert rules.public(course.steps[0], viewer) == {"deal": None}


def test_marking_a_sentence_for_translation_leaves_it_as_it_is() -> None:
    assert gettext_noop("A sentence.") == "A sentence."


@EVERY_GAME
def test_what_is_offered_is_accepted_and_the_first_of_it_is_the_default(rules: Rules[Any]) -> None:
    assert rules.options({}) == {name: values[0] for name, values in rules.offered.items()}
    for name, values in rules.offered.items():
        for value in values:
            assert rules.options({name: value})[name] == value
