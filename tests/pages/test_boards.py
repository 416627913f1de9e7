"""A board's promises: its ways are the legal moves, its preview is the engine's, and a touch means what it says."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from games.engine.contract import OPEN, SPECTATOR, IllegalMove, Move
from games.pages.boards import Scene, board_for, playable
from games.pages.boards.ariadne import AriadneBoard
from games.pages.boards.base import Choice, Slot, Way, resolve
from tests.contract.play import Course, random_course
from tests.table.tables import played

BOARD = AriadneBoard()
RULES = played("ariadne", 0, 0).table.rules


@cache
def courses() -> list[Course]:
    return [random_course(RULES, seed, 100) for seed in range(4)]


def awaited(course: Course) -> list[tuple[Any, int]]:
    """The states of a course in which a seat is to move, with that seat."""
    found = [(state, RULES.awaits(state)) for state in course.states]
    return [(state, seat) for state, seat in found if isinstance(seat, int)]


def text(move: Move) -> str:
    return json.dumps(dict(move), sort_keys=True)


def products(ways: list[Way]) -> list[Move]:
    """Every combination of one choice a slot."""
    moves: list[Move] = []
    for way in ways:
        combined: list[list[Choice]] = [[]]
        for slot in way.slots:
            combined = [[*chosen, choice] for chosen in combined for choice in slot.choices]
        for chosen in combined:
            moves += way.moves([choice.touch for choice in chosen])
    return moves


def test_every_playable_game_has_a_board() -> None:
    assert playable()[0] == "ariadne"
    assert all(board_for(slug).slug == slug for slug in playable())


def test_the_ways_are_exactly_the_legal_moves() -> None:
    kinds = set()
    for course in courses():
        for state, seat in awaited(course)[::7]:
            legal = RULES.legal_moves(state)
            ways = BOARD.ways(RULES.view(state, seat), legal)
            assert sorted(map(text, products(ways))) == sorted(map(text, legal))
            kinds |= {way.action for way in ways}
    assert kinds == {"place", "swap", "joker"}


def test_the_ways_are_compact() -> None:
    state, seat = awaited(courses()[0])[20]
    ways = BOARD.ways(RULES.view(state, seat), RULES.legal_moves(state))
    assert len(ways) <= 3
    assert len(json.dumps([way.for_script() for way in ways])) < 3000


def test_what_is_sent_to_the_script_holds_no_values() -> None:
    way = Way("place", "Place", {"type": "place"}, (Slot("at", (Choice("cell:1,2", [1, 2]),)),))
    slots = [{"touch": ["cell:1,2"], "least": 1, "most": 1}]
    assert way.for_script() == {"action": "place", "label": "Place", "ordered": False, "slots": slots}


def test_the_preview_is_what_the_engine_makes_of_the_move_but_for_the_card_to_be_drawn() -> None:
    compared = 0
    for course in courses():
        for state, seat in awaited(course)[::5]:
            view = RULES.view(state, seat)
            for move in RULES.legal_moves(state)[::9]:
                real = RULES.view(RULES.play(state, move).state, seat)
                seen = BOARD.preview(view, move, seat)
                hand = [card for card in view["hand"] if card != move["card"]]
                assert seen["hand"] == hand
                assert seen["hand_counts"][seat] == len(hand)
                assert seen["pile_counts"] == view["pile_counts"]
                same = ("table", "joker", "last", "open", "box", "threads", "provisional", "rounds", "round")
                assert {key: seen[key] for key in same} == {key: real[key] for key in same}
                compared += 1
    assert compared > 200


def test_the_preview_leaves_the_view_as_it_was() -> None:
    state, seat = awaited(courses()[0])[10]
    view = RULES.view(state, seat)
    before = json.dumps(view)
    BOARD.preview(view, RULES.legal_moves(state)[0], seat)
    assert json.dumps(view) == before


def test_marks_are_where_the_latest_moves_changed_the_table() -> None:
    found = 0
    for course in courses():
        for n, step in enumerate(course.steps):
            move = getattr(step, "move", None)
            if move is None:
                continue
            before, after = RULES.view(course.states[n], SPECTATOR), RULES.view(course.states[n + 1], SPECTATOR)
            assert BOARD.marks(after, [move]) == changed(before, after)
            found += 1
    assert found > 300


def changed(before: Any, after: Any) -> frozenset[str]:
    def lying(view: Any) -> set[tuple[int, int, str]]:
        cards = {(*entry["at"], f"{entry['card']}{entry['down']}") for entry in view["table"]}
        return cards | {(*view["joker"]["at"], f"joker{view['joker']['up']}")}

    return frozenset(f"cell:{x},{y}" for x, y, _ in lying(after) - lying(before))


def test_every_cell_that_may_be_played_is_drawn_and_can_be_touched() -> None:
    for course in courses():
        for state, seat in awaited(course)[::3]:
            view = RULES.view(state, seat)
            drawn = BOARD.draw(Scene(view, seat, playing=True))
            touchable = {cell.touch for cell in drawn["cells"] if cell.input}
            assert {f"cell:{x},{y}" for x, y in view["open"]} <= touchable
            assert len(drawn["columns"]) <= 8
            assert len(drawn["rows"]) <= 8
            assert len({(cell.x, cell.y) for cell in drawn["cells"]}) == len(drawn["cells"])


def test_nothing_moves_while_a_move_is_looked_at() -> None:
    for state, seat in awaited(courses()[1])[:30]:
        view = RULES.view(state, seat)
        now = BOARD.draw(Scene(view, seat, playing=True))
        for move in RULES.legal_moves(state)[::11]:
            after = BOARD.preview(view, move, seat)
            then = BOARD.draw(Scene(after, seat, playing=True, frame=view))
            assert [cell.touch for cell in then["cells"]] == [cell.touch for cell in now["cells"]]


def test_a_board_that_nobody_plays_at_has_nothing_to_touch() -> None:
    state, _ = awaited(courses()[0])[15]
    drawn = BOARD.draw(Scene(RULES.view(state, SPECTATOR)))
    assert not [cell for cell in drawn["cells"] if cell.input]
    assert drawn["hand"] == []
    assert drawn["hands"] == []


def test_an_open_board_shows_both_hands_and_piles() -> None:
    state, _ = awaited(courses()[0])[15]
    black, red = BOARD.draw(Scene(RULES.view(state, OPEN)))["hands"]
    assert (tuple(black["hand"]), tuple(red["hand"])) == state.hands
    assert len(black["pile"]) == len(state.packs[0]) - state.drawn[0]


# --- touches to moves ---------------------------------------------------------------------------------------------


def way(action: str, *slots: Slot, ordered: bool = False) -> Way:
    return Way(action, action, {"type": action}, slots, ordered)


def slot(key: str | None, *touches: str, **limits: Any) -> Slot:
    return Slot(key, tuple(Choice(touch, touch.upper()) for touch in touches), **limits)


PLACE = way("place", slot("card", "a", "b"), slot("at", "x", "y"))
JOKER = way("joker", slot("card", "a"), slot(None, "j"), slot("to", "x", "y"))
SHED = way("shed", slot("cards", "a", "b", "c", least=1, most=2, many=True))
CARRY = way("carry", slot("from", "p", "q"), slot("to", "p", "q"), ordered=True)


@pytest.mark.parametrize(
    ("touched", "action", "moves"),
    [
        (["a", "x"], "", [{"type": "place", "card": "A", "at": "X"}]),
        (["x", "a"], "", [{"type": "place", "card": "A", "at": "X"}]),
        (["a", "j", "y"], "", [{"type": "joker", "card": "A", "to": "Y"}]),
        (["a", "j", "y"], "place", [{"type": "joker", "card": "A", "to": "Y"}]),
        (["y"], "joker", [{"type": "joker", "card": "A", "to": "Y"}]),
        (["a", "b"], "", [{"type": "shed", "cards": ["A", "B"]}]),
        (["c"], "", [{"type": "shed", "cards": ["C"]}]),
        (["p", "q"], "", [{"type": "carry", "from": "P", "to": "Q"}]),
        (["q", "p"], "", [{"type": "carry", "from": "Q", "to": "P"}]),
        (["a", "b", "c"], "", []),
        (["a", "x", "y"], "", []),
        (["p"], "", []),
        (["nowhere"], "", []),
        ([], "", []),
    ],
)
def test_touches_make_the_move_that_they_fill(touched: list[str], action: str, moves: list[Any]) -> None:
    assert resolve([PLACE, JOKER, SHED, CARRY], touched, action) == moves


def test_what_could_be_several_moves_gives_them_all_unless_one_is_named() -> None:
    ways = [way("keep", slot("card", "a")), way("throw", slot("card", "a"))]
    assert [move["type"] for move in resolve(ways, ["a"])] == ["keep", "throw"]
    assert [move["type"] for move in resolve(ways, ["a"], "throw")] == ["throw"]


def test_a_move_that_touches_nothing_is_named() -> None:
    assert resolve([way("pass"), PLACE], [], "pass") == [{"type": "pass"}]


# --- what was meant -----------------------------------------------------------------------------------------------


def refused(state: Any, seat: int, touched: list[str], action: str = "") -> str:
    intended = BOARD.intended(RULES.view(state, seat), touched, action)
    with pytest.raises(IllegalMove) as refusal:
        RULES.check(state, seat, intended)
    return refusal.value.code


def test_a_try_against_the_rules_is_taken_for_the_move_that_names_the_rule() -> None:
    codes = set()
    for course in courses():
        for state, seat in awaited(course):
            view = RULES.view(state, seat)
            drawn = BOARD.draw(Scene(view, seat, playing=True))
            card = f"hand:{view['hand'][0]}"
            for cell in drawn["cells"]:
                if cell.css.startswith("closed"):
                    codes.add(refused(state, seat, [card, cell.touch]))
            swaps = {move["card"] for move in RULES.legal_moves(state) if move["type"] == "swap"}
            if view["last"] is None:
                codes.add(refused(state, seat, [card], "swap"))
                continue
            last = "cell:{},{}".format(*view["last"]["at"])
            for held in view["hand"]:
                if held not in swaps:
                    codes.add(refused(state, seat, [f"hand:{held}", last]))
            codes.add(refused(state, seat, [card, last], "place"))
    assert codes == {
        "no_neighbour",
        "no_last_card",
        "swap_not_higher",
        "swap_divides",
        "swap_one_less",
        "cell_occupied",
    }


@pytest.mark.parametrize("touched", [["hand:"], ["hand:XX", "cell:1,1"], ["cell:999999,0"]])
def test_strange_touches_are_refused_like_any_other(touched: list[str]) -> None:
    state, seat = awaited(courses()[0])[5]
    assert refused(state, seat, touched) in {"malformed_move", "outside_square", "no_neighbour"}


@pytest.mark.parametrize("touched", [["cell:x,y"], ["cell:1"], ["odd"], ["cell:1,2,3"], []])
def test_what_names_nothing_is_as_if_it_were_not_touched(touched: list[str]) -> None:
    state, seat = awaited(courses()[0])[5]
    view = RULES.view(state, seat)
    assert BOARD.intended(view, touched, "") == BOARD.intended(view, [], "")
