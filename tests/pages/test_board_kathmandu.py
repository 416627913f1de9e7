"""Kathmandu's board: its ways are the legal moves, its preview the engine's, and nothing hidden is drawn."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any

import pytest
from django.utils import translation

from games.engine.contract import OPEN, SPECTATOR, IllegalMove, Move, Play
from games.engine.kathmandu import RULES
from games.pages.boards import Scene, board_for
from games.pages.boards.base import Slot, Way, resolve
from games.pages.boards.kathmandu import KathmanduBoard, Place
from games.viewing import Told
from games.wording import sentence
from tests.contract.play import Course, random_course
from tests.engine.kathmandu_positions import position

BOARD = KathmanduBoard()


@cache
def courses() -> list[Course]:
    return [random_course(RULES, seed, 150) for seed in range(5)]


def awaited() -> Iterator[tuple[Any, int]]:
    """States in which a seat is to move, with that seat."""
    for course in courses():
        for state in course.states:
            seat = RULES.awaits(state)
            if isinstance(seat, int):
                yield state, seat


def text(move: Move) -> str:
    return json.dumps({key: sorted(value) if isinstance(value, list) else value for key, value in move.items()})


def products(ways: list[Way]) -> Iterator[Move]:
    """Every move that these ways make: each slot filled in every way that it allows."""
    for way in ways:
        chosen: list[list[str]] = [[]]
        for slot in way.slots:
            chosen = [[*before, *touches] for before in chosen for touches in fillings(slot)]
        for touches in chosen:
            yield from way.moves(touches)


def fillings(slot: Slot) -> Iterator[list[str]]:
    for size in range(slot.least, slot.most + 1):
        for choices in combinations(slot.choices, size):
            yield [choice.touch for choice in choices]


def test_the_ways_are_exactly_the_legal_moves() -> None:
    kinds = set()
    for state, seat in list(awaited())[::3]:
        legal = RULES.legal_moves(state)
        ways = BOARD.ways(RULES.view(state, seat), legal)
        assert sorted(map(text, products(ways))) == sorted(map(text, legal))
        kinds |= {way.action for way in ways}
    assert kinds >= {"meld", "shed", "buy", "swap", "sweep", "reveal"}


def test_the_ways_of_a_hand_full_of_melds_are_the_legal_moves_and_stay_small() -> None:
    state = position(("AH 2H 3H 4H 5H 6H 7H 8H 9H TH", "3S"), "7C 8D", red=(1, 1))
    view, legal = RULES.view(state, 0), RULES.legal_moves(state)
    ways = BOARD.ways(view, legal)
    assert sorted(map(text, products(ways))) == sorted(map(text, legal))
    assert len(json.dumps([way.for_script() for way in ways])) < 8000


def test_a_forced_pass_is_a_way_of_its_own() -> None:
    state = position(("", "3S 4S"), "7C 8D 9S JH 2C", red=(0, 5))
    ways = BOARD.ways(RULES.view(state, 0), RULES.legal_moves(state))
    assert [way.action for way in ways] == ["pass"]
    assert resolve(ways, [], "pass") == [{"type": "pass"}]


def test_the_preview_is_what_the_engine_makes_of_the_move_but_for_cards_to_be_turned_up() -> None:
    compared = set()
    for state, seat in list(awaited())[::4]:
        view = RULES.view(state, seat)
        for move in RULES.legal_moves(state)[::7]:
            after = RULES.play(state, move).state
            if RULES.awaits(after) != 1 - seat:
                continue  # the round is over
            real, seen = RULES.view(after, seat), BOARD.preview(view, move, seat)
            same = {"hands", "hand_sizes", "red", "blue", "blue_left", "stock", "discard", "idle", "worth", "scores"}
            assert {key: seen[key] for key in same} == {key: real[key] for key in same}
            shown, coming = seen["market"], seen["market"]["coming"]
            assert shown["tokens"] == real["market"]["tokens"]
            assert len(shown["cards"]) + coming == len(real["market"]["cards"])
            assert set(shown["cards"]) <= set(real["market"]["cards"])
            compared.add(move["type"])
    assert compared >= {"meld", "shed", "buy", "swap", "sweep", "reveal"}


def test_the_preview_leaves_the_view_as_it_was() -> None:
    for state, seat in list(awaited())[::40]:
        view = RULES.view(state, seat)
        before = json.dumps(view)
        for move in RULES.legal_moves(state):
            BOARD.preview(view, move, seat)
        assert json.dumps(view) == before


# --- drawing ------------------------------------------------------------------------------------------------------


def places(drawn: dict[str, Any]) -> list[Place]:
    return [*drawn["market"], *drawn["hand"]]


def test_everything_that_a_move_can_touch_is_drawn_and_can_be_touched() -> None:
    for state, seat in list(awaited())[::5]:
        view, legal = RULES.view(state, seat), RULES.legal_moves(state)
        drawn = BOARD.draw(Scene(view, seat, playing=True))
        touchable = {place.touch for place in places(drawn) if place.input}
        touches = {choice.touch for way in BOARD.ways(view, legal) for slot in way.slots for choice in slot.choices}
        assert touches <= touchable
        assert len(drawn["market"]) == 5
        assert len(drawn["hand"]) == 10


def test_nothing_moves_while_a_move_is_looked_at_and_what_would_come_is_drawn() -> None:
    for state, seat in list(awaited())[::6]:
        view = RULES.view(state, seat)
        now = BOARD.draw(Scene(view, seat, playing=True))
        for move in RULES.legal_moves(state)[::5]:
            after = BOARD.preview(view, move, seat)
            then = BOARD.draw(Scene(after, seat, playing=True, frame=view))
            assert [place.touch for place in places(then)] == [place.touch for place in places(now)]
            ghosts = {place.card for place in places(then) if place.css == "ghost"} - {"back"}
            went = set(view["market"]["cards"]) ^ set(after["market"]["cards"])
            came = set(move.get("cards", [])) | set(move.get("give", [])) | set(move.get("take", []))
            assert ghosts == (set() if move["type"] == "meld" else came)
            assert went == ghosts


def test_a_market_that_nobody_plays_at_has_nothing_to_touch() -> None:
    state, _ = list(awaited())[15]
    drawn = BOARD.draw(Scene(RULES.view(state, SPECTATOR), names={0: "Ann", 1: "Ben"}))
    assert not [place for place in places(drawn) if place.input]
    assert drawn["hand"] == []
    assert (drawn["own"].cards, drawn["other"].cards) == ([], [])
    assert (drawn["own"].name, drawn["other"].name) == ("Ann", "Ben")


def test_an_open_table_shows_both_hands() -> None:
    state, _ = list(awaited())[15]
    drawn = BOARD.draw(Scene(RULES.view(state, OPEN)))
    assert {card for card, _ in drawn["own"].cards} == set(state.hands[0])
    assert {card for card, _ in drawn["other"].cards} == set(state.hands[1])


def test_the_hand_is_in_the_order_that_its_holder_wants() -> None:
    view = RULES.view(position(("KC 2H AS TC 2D", "3S"), "7C 8D"), 0)
    by_suit, by_rank = (
        [place.card for place in BOARD.draw(Scene(view, 0, order=order))["hand"]] for order in ("suit", "rank")
    )
    assert by_suit == ["TC", "KC", "2D", "2H", "AS"]
    assert by_rank == ["AS", "2D", "2H", "TC", "KC"]


@pytest.mark.parametrize(("idle", "said"), [(9, False), (10, True), (19, True), (20, True)])
def test_turns_without_progress_are_counted_on_the_table_from_ten_on(idle: int, said: bool) -> None:
    view = {**RULES.view(position(("2C 9D", "3H"), "7C 8D"), 0), "idle": idle}
    shown = BOARD.draw(Scene(view, 0))["idle"]
    assert bool(shown) == said
    assert not said or (str(idle) in shown and "20" in shown)


# --- what happened ------------------------------------------------------------------------------------------------


def told(before: Any, step: Play, after: Any) -> Told:
    words, turned = RULES.told(before, step.move, after), RULES.turned(before, after)
    return Told(1, 0, 1, step.seat, step.move, words, automatic=False, turned=turned)


def test_marks_are_what_the_latest_move_brought_to_the_market() -> None:
    found = set()
    for course in courses():
        for n, step in enumerate(course.steps):
            if not isinstance(step, Play):
                continue
            before, after = course.states[n], course.states[n + 1]
            marks = BOARD.marked(RULES.view(after, 1 - step.seat), [told(before, step, after)])
            assert marks == {f"market:{card}" for card in set(after.market) - set(before.market)}
            if marks:
                found.add(step.move["type"])
    assert found == {"shed", "swap", "sweep", "reveal"}


def test_who_moved_sees_what_came_to_the_hand_marked_too() -> None:
    view = RULES.view(position(("4H 4S", "3H"), "2C 9D"), 0)
    assert BOARD.marks(view, [{"type": "swap", "give": ["2C", "9D"], "take": ["4H", "4S"]}]) == {
        "market:2C", "market:9D", "hand:4H", "hand:4S",
    }  # fmt: skip


# --- words --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hands", "market", "given", "move", "said"),
    [
        ("7C 7D 7H", "2C", {}, {"type": "meld", "cards": ["7C", "7D", "7H"]}, "Meld 7♣, 7♦, 7♥ for a blue token."),
        ("7C 9D", "2C", {}, {"type": "shed", "cards": ["7C"]}, "Shed 7♣ for a red token."),
        ("TC 9D", "2C", {}, {"type": "shed", "cards": ["TC", "9D"]}, "Shed 9♦, 10♣ for 2 red tokens."),
        ("7C", "2C 5D 6D", {}, {"type": "buy", "cards": ["5D"]}, "Buy 5♦ for a red token."),
        (
            "7C 9D", "2C 5D 6D", {}, {"type": "swap", "give": ["7C", "9D"], "take": ["2C", "5D"]},
            "Swap 7♣, 9♦ for 2♣, 5♦.",
        ),
        ("7C", "2C 5D", {}, {"type": "reveal"}, "Take a red token; a card is turned up in its place."),
        (
            "7C", "2C 5D", {}, {"type": "sweep"},
            "Take all 3 red tokens; as many cards are turned up in their places.",
        ),
        (
            "7C", "2C 5D", {"stock": 1}, {"type": "reveal"},
            "Take a red token; a card is turned up in its place. That ends the round.",
        ),
        (
            "7C 7D 7H", "2C", {"blue": (10, 6)}, {"type": "meld", "cards": ["7C", "7D", "7H"]},
            "Meld 7♣, 7♦, 7♥ for a blue token. That ends the round.",
        ),
        (
            "7C 9D", "2C", {"idle": 19}, {"type": "shed", "cards": ["7C"]},
            "Shed 7♣ for a red token. That ends the round.",
        ),
    ],
)  # fmt: skip
def test_what_a_move_would_do_is_said(hands: str, market: str, given: Any, move: Move, said: str) -> None:
    view = RULES.view(position((hands, "3H"), market, red=(1, len(market.split()) - 1), **given), 0)
    with translation.override("en"):
        assert BOARD.offer(view, move, BOARD.preview(view, move, 0)) == said


def test_what_is_said_to_end_the_round_ends_it() -> None:
    for course in courses():
        for n, step in enumerate(course.steps):
            if isinstance(step, Play):
                before, after = course.states[n], course.states[n + 1]
                view = RULES.view(before, step.seat)
                said = BOARD.offer(view, step.move, BOARD.preview(view, step.move, step.seat))
                assert said.endswith("That ends the round.") == (len(after.scores) > len(before.scores))


def test_the_score_has_a_row_a_round_the_running_one_as_it_stands_and_the_total() -> None:
    for course in courses():
        for state in course.states[1:]:
            view = RULES.view(state, SPECTATOR)
            rows = BOARD.score(view)
            assert [tuple(row.points) for row in rows[: len(state.scores)]] == list(state.scores)
            if len(rows) > 1:
                assert [sum(pair) for pair in zip(*(row.points for row in rows[:-1]), strict=True)] == rows[-1].points


def test_a_seat_is_told_by_what_it_holds() -> None:
    view = RULES.view(position(("2C 9D", "3H"), "7C 8D 9S", red=(1, 2), blue=(3, 4)), 0)
    with translation.override("en"):
        assert BOARD.seat(view, 0).holds == "2 cards, 1 red and 3 blue tokens"
        assert BOARD.seat(view, 1).holds == "1 card, 2 red and 4 blue tokens"
        assert [BOARD.seat(view, seat).colour for seat in (0, 1)] == ["dealer", ""]


# --- touches ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("touched", "action", "made"),
    [
        (["hand:7C"], "", [{"type": "shed", "cards": ["7C"]}]),
        (["hand:7H", "hand:7C", "hand:7D"], "meld", [{"type": "meld", "cards": ["7C", "7D", "7H"]}]),
        (["hand:7H", "hand:7C", "hand:7D"], "shed", [{"type": "shed", "cards": ["7C", "7D", "7H"]}]),
        (["market:5D"], "", [{"type": "buy", "cards": ["5D"]}]),
        (
            ["market:5D", "hand:7C", "market:6D", "hand:9D"], "",
            [{"type": "swap", "give": ["7C", "9D"], "take": ["5D", "6D"]}],
        ),
        (["hand:7C", "hand:9D"], "swap", []),  # what was asked for, or nothing
        (["hand:7C", "hand:7D", "hand:9D"], "meld", []),
        ([], "sweep", [{"type": "sweep"}]),
        ([], "", []),
        (["hand:7C", "market:5D"], "", []),
        (["market:7C"], "", []),
    ],
)  # fmt: skip
def test_touches_make_the_move_that_they_fill(touched: list[str], action: str, made: list[Move]) -> None:
    state = position(("7C 7D 7H 9D", "3H"), "5D 6D", red=(1, 1))
    ways = BOARD.ways(RULES.view(state, 0), RULES.legal_moves(state))
    assert [json.loads(text(move)) for move in resolve(ways, touched, action)] == made


def test_what_is_both_a_meld_and_something_to_shed_is_asked_for() -> None:
    state = position(("7C 7D 7H 9D", "3H"), "5D 6D", red=(1, 1))
    ways = BOARD.ways(RULES.view(state, 0), RULES.legal_moves(state))
    assert {move["type"] for move in resolve(ways, ["hand:7C", "hand:7D", "hand:7H"])} == {"meld", "shed"}


@pytest.mark.parametrize(
    ("touched", "action", "code"),
    [
        (["hand:2C", "hand:3C", "hand:7C"], "", "not_a_meld"),
        (["hand:2C", "hand:9D"], "meld", "not_a_meld"),
        (["hand:2C", "hand:9D", "hand:7C"], "", "shed_needs_tokens"),
        (["hand:2C", "hand:9D"], "", "shed_needs_tokens"),
        (["market:4H", "market:5H"], "", "buy_needs_tokens"),
        (["hand:2C", "market:4H"], "", "swap_two_for_two"),
        (["hand:2C", "hand:9D"], "swap", "swap_two_for_two"),
        ([], "sweep", "sweep_needs_tokens"),
        ([], "pass", "pass_not_forced"),
        (["hand:XX"], "", "malformed_move"),
        (["hand:KS"], "", "not_in_hand"),
    ],
)
def test_a_try_against_the_rules_is_taken_for_the_move_that_names_the_rule(
    touched: list[str], action: str, code: str
) -> None:
    state = position(("2C 3C 7C 9D", "3H"), "4H 5H 6S 8S", red=(1, 3))
    view = RULES.view(state, 0)
    intended = BOARD.intended(view, touched, action)
    with pytest.raises(IllegalMove) as refusal:
        RULES.check(state, 0, intended)
    assert refusal.value.code == code


@pytest.mark.parametrize("touched", [[], ["odd"], ["cell:1,2"], ["free:1"], ["token:2"]])
def test_what_names_nothing_means_nothing(touched: list[str]) -> None:
    assert BOARD.intended(RULES.view(position(("2C", "3H"), "4H 5H"), 0), touched, "") is None


def test_the_board_is_registered_and_every_move_has_words() -> None:
    assert isinstance(board_for("kathmandu"), KathmanduBoard)
    for course in courses():
        for n, step in enumerate(course.steps):
            if isinstance(step, Play):
                assert not re.search("%", sentence(RULES.told(course.states[n], step.move, course.states[n + 1])))
