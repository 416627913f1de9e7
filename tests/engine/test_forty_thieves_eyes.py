"""Forty Thieves and its family: what is seen, said, typed and stored."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from games.engine.contract import (
    OPEN,
    SPECTATOR,
    Deal,
    IllegalMove,
    Move,
    Play,
    Step,
    resample,
)
from games.engine.forty_thieves import RULES, VARIANTS, State
from games.wording.forty_thieves import WORDS
from tests.engine.forty_thieves_tables import (
    DRAW,
    REDEAL,
    course,
    dealt,
    move,
    played,
    table,
)

# --- eyes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", [0, SPECTATOR])
def test_a_viewer_sees_what_is_face_up_and_neither_the_stocks_order_nor_face_down_cards(viewer: Any) -> None:
    state = table(
        "rank-and-file", {1: "9C 8D 7S"}, down={1: 1}, stock="5H 6H", waste="QD 2C", foundations=(0,) * 4 + (3, 1, 0, 0)
    )
    view = RULES.view(state, viewer)
    assert view["columns"][0] == {"name": "t1", "cards": [None, "8D", "7S"], "down": 1, "movable": 2}
    assert len(view["columns"]) == 10
    assert view["waste"] == ["QD", "2C"]
    assert view["stock"] == 2
    assert view["stock_cards"] is None
    assert [pile["top"] for pile in view["foundations"]] == [None, None, None, None, "3H", "AH", None, None]
    assert view["placed"] == 4
    assert not {"9C", "5H", "6H"} & set(repr(view).split("'"))


def test_with_everything_open_all_cards_are_seen() -> None:
    view = RULES.view(table("indian", {1: "9C 7S"}, down={1: 1}, stock="5H 6H"), OPEN)
    assert view["columns"][0]["cards"] == ["9C", "7S"]
    assert view["stock_cards"] == ["5H", "6H"]


def test_unseen_are_the_places_of_face_down_cards_and_of_the_stock() -> None:
    state = dealt("indian")
    assert RULES.unseen(state, 0) == (frozenset(range(10)) | frozenset(range(30, 104)),)
    assert RULES.unseen(played(state, DRAW), 0) == (frozenset(range(10)) | frozenset(range(31, 104)),)
    assert RULES.unseen(state, OPEN) == (frozenset(),)
    assert RULES.unseen(RULES.start({"variant": "indian"}), 0) == ()


def test_a_card_turned_up_is_no_longer_unseen() -> None:
    for state, chosen in course("rank-and-file", seed=5, moves=300):
        after, revealed = RULES.play(state, chosen)
        before_hidden, after_hidden = RULES.unseen(state, 0)[0], RULES.unseen(after, SPECTATOR)[0]
        assert after_hidden <= before_hidden
        assert revealed == (after_hidden != before_hidden)
        for pile, cards in enumerate(after.columns):
            dealt_there = {row * 10 + pile for row in range(4)} & after_hidden
            assert [after.pack[place] for place in sorted(dealt_there)] == list(cards[: after.down[pile]])


def test_after_a_redeal_the_stocks_order_is_known() -> None:
    state = dealt("little-forty")
    turned = played(state, *[DRAW] * 22)
    assert RULES.unseen(turned, 0) == (frozenset(),)
    assert RULES.unseen(played(turned, REDEAL), 0) == (frozenset(),)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_view_is_the_same_over_other_cards_that_the_viewer_cannot_know(variant: str) -> None:
    state = dealt(variant, 11)
    steps: list[Step] = [Deal((state.pack,))]
    for before, chosen in course(variant, seed=11, moves=40):
        steps.append(Play(0, chosen))
        state = RULES.play(before, chosen).state
    options = {"variant": variant}
    other = RULES.start(options)
    for step in resample(RULES, options, steps, 0, random.Random(2)):
        other = RULES.deal(other, step.packs) if isinstance(step, Deal) else RULES.play(other, step.move).state
    assert other.pack != state.pack
    assert RULES.view(other, 0) == RULES.view(state, 0)
    assert RULES.unseen(other, 0) == RULES.unseen(state, 0)
    assert RULES.legal_moves(other) == RULES.legal_moves(state)


# --- words and values -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_legal_move_can_be_written_and_read_back_and_has_words(variant: str) -> None:
    for state, _ in course(variant, seed=7, moves=150)[::5]:
        for each in RULES.legal_moves(state):
            text = RULES.notation(state, each)
            assert RULES.parse(state, text) == each
            assert RULES.parse(state, f"  {text.upper()} ".replace(" ", "  ")) == each
            words = RULES.describe(state, each)
            assert WORDS[words.id] % words.params


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("draw", DRAW),
        (" Turn ", DRAW),
        ("t1 t2", move("t1", "t2", 2)),  # onto the ten only the nine with its run fits
        ("T1T2", move("t1", "t2", 2)),
        ("t 1 -> t 2", move("t1", "t2", 2)),
        ("t1 t4", move("t1", "t4", 1)),
        ("t1 t4 2", move("t1", "t4", 2)),
        ("t1t42", move("t1", "t4", 2)),
        ("t1 t4 x2", move("t1", "t4", 2)),
        ("9♠ 10♥", move("t1", "t2", 2)),
        ("9S️ th", move("t1", "t2", 2)),
        ("8h t10", move("t1", "t10", 1)),
        ("9st10", move("t1", "t10", 2)),
        ("W F", move("w", "f")),
        ("a♦ f", move("w", "f")),
        ("Ad t5", move("w", "t5")),
    ],
)
def test_notation_is_forgiving_of_case_spacing_tens_and_suit_symbols(text: str, meant: Move) -> None:
    state = table("number-ten", {1: "KC 9S 8H", 2: "TH", 3: "2C"}, stock="5C", waste="AD")
    assert RULES.parse(state, text) == meant


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "bad_notation"),
        ("t1", "bad_notation"),
        ("hello", "bad_notation"),
        ("t1 t2 9999", "bad_notation"),
        ("t" * 100_000, "bad_notation"),
        ("8h t4 2", "bad_notation"),  # lifting the eight lifts one card
        ("t1 t3", "wrong_rank"),
        ("t1 t11", "no_such_column"),
        ("redeal", "no_redeal"),
        ("KC t4", "card_not_free"),
        ("5C t4", "card_not_free"),
        ("9s 10d", "card_not_last"),
        ("f t1", "from_foundation"),
        ("2c t4", "ambiguous_notation"),
    ],
)
def test_notation_that_means_no_legal_move_or_several_is_refused(text: str, code: str) -> None:
    state = table("number-ten", {1: "KC 9S 8H", 2: "TH", 3: "2C"}, stock="5C", waste="2C")
    with pytest.raises(IllegalMove) as refusal:
        RULES.parse(state, text)
    assert refusal.value.code == code


def test_a_column_and_a_count_run_together_are_read_where_only_one_reading_is_legal() -> None:
    both = table("number-ten", {3: "KD " + "9S 8H", 2: "TH"})
    assert RULES.parse(both, "t3t12") == move("t3", "t1", 2)
    wide = table("number-ten", {3: "KD QC JD TC 9D 8C 7D 6C 5D 4C 3D 2C", 2: "TH"})
    assert RULES.parse(wide, "t3t102") == move("t3", "t10", 2)
    assert RULES.parse(wide, "t3t110") == move("t3", "t1", 10)


def test_words_name_no_card_that_was_not_seen_before_the_move() -> None:
    state = table("little-forty", {1: "9S 8H"}, stock="5C 9D", waste="AD")
    assert RULES.describe(state, DRAW).params == {"count": 2}
    assert RULES.describe(table("little-forty", stock="5C"), DRAW).id == "forty_thieves.draw_one"
    run = RULES.describe(state, move("t1", "t10", 2))
    assert WORDS[run.id] % run.params == "moved ['9S', '8H'] from column 1 to column 10"
    ace = RULES.describe(state, move("w", "f"))
    assert WORDS[ace.id] % ace.params == "played AD from the waste to the foundations"


@pytest.mark.parametrize("variant", VARIANTS)
def test_cards_are_conserved_and_states_go_to_json_and_back(variant: str) -> None:
    for state, chosen in course(variant, seed=9, moves=300)[::10]:
        after = RULES.play(state, chosen).state
        on_foundations = [rank + suit for rank, suit in _placed_cards(after)]
        cards = Counter([*on_foundations, *after.stock, *after.waste, *(c for pile in after.columns for c in pile)])
        assert set(cards.values()) == {2}
        assert sum(cards.values()) == 104
        assert RULES.from_json(RULES.to_json(after)) == after


def _placed_cards(state: State) -> list[tuple[str, str]]:
    heights = zip("CCDDHHSS", state.foundations, strict=True)
    return [(rank, suit) for suit, height in heights for rank in "A23456789TJQK"[:height]]
