"""Kathmandu: who sees what, the words and notation of its moves, and its states as values."""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from games.engine._kathmandu_moves import State
from games.engine.contract import OPEN, SPECTATOR, Deal, IllegalMove, Move, Play
from games.engine.kathmandu import RULES
from games.wording.kathmandu import WORDS
from tests.contract.play import Course, random_course
from tests.engine.kathmandu_positions import PACK, dealt, make, move, position, with_the_last_card_revealed

# --- who sees what --------------------------------------------------------------------------------------------------


def test_a_seat_sees_its_own_hand_a_spectator_none_and_open_eyes_both() -> None:
    state = position(("2C 9D", "3H"), "7C 8D")
    mine, theirs = ["2C", "9D"], ["3H"]
    seen = {eyes: RULES.view(state, eyes)["hands"] for eyes in (0, 1, SPECTATOR, OPEN)}
    assert seen == {0: [mine, None], 1: [None, theirs], SPECTATOR: [None, None], OPEN: [mine, theirs]}


def test_everybody_sees_the_market_the_tokens_and_the_number_of_hidden_cards() -> None:
    view = RULES.view(position(("2C 9D", "3H"), "7C 8D 9S", red=(1, 2), blue=(3, 4), stock=11), SPECTATOR)
    assert view["market"] == {"cards": ["7C", "8D", "9S"], "tokens": 2}
    assert (view["red"], view["blue"], view["blue_left"]) == ([1, 2], [3, 4], 10)
    assert (view["hand_sizes"], view["stock"], view["discard"]) == ([2, 1], 11, 52 - 3 - 3 - 11)


def test_the_discard_can_not_be_looked_through_but_a_meld_is_seen_as_it_is_made() -> None:
    state = position(("2C 2D 2H KS", "3H"), "7C 8D")
    melded = move("meld", "2C 2D 2H")
    assert RULES.public(Play(0, melded), 1) == {"seat": 0, "move": melded}
    for eyes in (0, 1, SPECTATOR, OPEN):
        assert "2D" not in json.dumps(RULES.view(make(state, melded), eyes))


def test_a_deal_is_shown_to_open_eyes_only() -> None:
    assert RULES.public(Deal((PACK,)), 0) == {"deal": None}
    assert RULES.public(Deal((PACK,)), OPEN) == {"deal": [list(PACK)]}


def test_at_first_a_seat_can_not_know_the_other_hand_nor_the_pile() -> None:
    state = dealt()
    pile = set(range(22, 52))
    assert RULES.unseen(state, 1) == (frozenset(pile | set(range(1, 20, 2))),)
    assert RULES.unseen(state, 0) == (frozenset(pile | set(range(0, 20, 2))),)
    assert RULES.unseen(state, SPECTATOR) == (frozenset(pile | set(range(20))),)
    assert RULES.unseen(state, OPEN) == (frozenset(),)
    assert RULES.unseen(RULES.start({"rounds": 1}), 0) == ()


def test_cards_seen_going_into_a_hand_or_through_the_market_stay_known() -> None:
    state = position(("2C 9D KH", "3H 5S"), "4H 4S 7C", red=(2, 1))

    def unknown(state: State) -> set[str]:
        return {state.pack[place] for place in RULES.unseen(state, 1)[0] if place < state.drawn}

    assert unknown(state) == {"2C", "9D", "KH"}
    bought = make(state, move("buy", "7C"))
    assert unknown(bought) == {"2C", "9D", "KH"}
    swapped = make(replace(bought, turn=0), move("swap", give="2C 7C", take="4H 4S"))
    assert unknown(swapped) == {"9D", "KH"}
    back = make(replace(swapped, turn=0), move("buy", "2C"))
    assert set(back.hands[0]) == {"2C", "4H", "4S", "9D", "KH"}
    assert unknown(back) == {"9D", "KH"}


def test_cards_turned_up_from_the_pile_are_known() -> None:
    state = dealt()
    after = make(state, move("sweep"))
    assert min(place for place in RULES.unseen(after, 1)[0] if place >= 20) == 25


def test_a_move_reveals_where_a_hidden_card_was_turned_up_or_left_the_hand_for_the_first_time() -> None:
    state = position(("2C 2D 2H 9D", "3H"), "7C 8D 9S", red=(2, 1))

    def reveals(state: State, wanted: Move) -> bool:
        return RULES.play(replace(state, turn=0), wanted).revealed

    for wanted in (move("reveal"), move("sweep"), move("meld", "2C 2D 2H"), move("shed", "9D")):
        assert reveals(state, wanted)
    assert reveals(state, move("swap", give="2C 9D", take="7C 8D"))
    assert not reveals(state, move("buy", "7C"))
    bought = make(state, move("buy", "7C 8D"))
    assert not reveals(bought, move("shed", "7C 8D"))
    assert reveals(bought, move("shed", "2C 7C"))
    assert not RULES.play(position(("", "3H"), "4H 4S 7C 8D 9S", red=(0, 5)), move("pass")).revealed


# --- words, notation, values ----------------------------------------------------------------------------------------


def test_every_move_has_words_that_its_parameters_fill() -> None:
    state = position(("2C 2D 2H 9D", "3H"), "7C 8D 9S", red=(2, 1))
    used = set()
    for legal in [*RULES.legal_moves(state), move("pass")]:
        words = RULES.describe(state, legal)
        assert "%(" not in WORDS[words.id] % words.params
        used.add(words.id)
    assert used | {"kathmandu.swept", "kathmandu.revealed"} == set(WORDS)


def test_words_say_one_token_or_how_many() -> None:
    state = position(("2C 2D 2H 9D", "3H"), "7C 8D 9S", red=(2, 1))
    one, two = (RULES.describe(state, move("buy", cards)) for cards in ("7C", "7C 8D"))
    assert (one.id, one.params["cards"]) == ("kathmandu.buy_one", ["7C"])
    assert (two.id, two.params) == ("kathmandu.buy", {"cards": ["7C", "8D"], "tokens": 2})
    assert RULES.describe(state, move("sweep")).params == {"tokens": 2}


def test_words_of_a_reveal_or_sweep_do_not_depend_on_the_hidden_pile() -> None:
    state = position(("2C", "3H"), "7C 8D", stock=10)
    other = replace(state, pack=(*state.pack[:42], *reversed(state.pack[42:])))
    for kind in ("reveal", "sweep"):
        assert RULES.describe(state, move(kind)) == RULES.describe(other, move(kind))


def test_every_legal_move_is_read_back_from_its_notation() -> None:
    state = position(("TD AD 2C 2D 2H 2S 3D KC", "3H"), "7C 4H 8D", red=(2, 1))
    for legal in RULES.legal_moves(state):
        assert RULES.parse(state, RULES.notation(state, legal)) == legal
    forced = position(("", "3H"), "4H 4S 7C 8D 9S", red=(0, 5))
    assert RULES.parse(forced, RULES.notation(forced, move("pass"))) == move("pass")


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("swap 2C TD / 4H 8D", move("swap", give="2C TD", take="4H 8D")),
        ("SWAP 10d,2c for 8♦️ 4♥", move("swap", give="2C TD", take="4H 8D")),
        ("swap 4h8d2ctd", move("swap", give="2C TD", take="4H 8D")),
        ("  m: 2♣ 2♦ 2♥ ", move("meld", "2C 2D 2H")),
        ("shed 10♦", move("shed", "TD")),
        ("s td", move("shed", "TD")),
        ("buy8d", move("buy", "8D")),
        ("B 8D 7C", move("buy", "7C 8D")),
        ("Sweep", move("sweep")),
        ("r", move("reveal")),
    ],
)
def test_notation_forgives_case_spacing_tens_symbols_and_short_names(text: str, means: dict[str, Any]) -> None:
    state = position(("TD AD 2C 2D 2H", "3H"), "7C 4H 8D", red=(2, 1))
    assert RULES.parse(state, text) == means


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "bad_notation"),
        ("7C", "bad_notation"),
        ("fly 7C", "bad_notation"),
        ("buy 11C", "bad_notation"),
        ("sweep 7C", "bad_notation"),
        ("buy 9C", "not_in_market"),
        ("meld 2C 2D AD", "not_a_meld"),
        ("shed 2C 2C", "malformed_move"),
        ("swap 2C 7C", "swap_two_for_two"),
        ("pass", "pass_not_forced"),
        ("s 9C", "ambiguous_notation"),
    ],
)
def test_notation_that_means_no_legal_move_says_what_is_wrong(text: str, code: str) -> None:
    state = position(("TD AD 2C 2D 2H", "3H"), "7C 4H 8D", red=(2, 1))
    with pytest.raises(IllegalMove) as caught:
        RULES.parse(state, text)
    assert caught.value.code == code


def test_notation_between_rounds_is_not_read() -> None:
    with pytest.raises(IllegalMove) as caught:
        RULES.parse(RULES.start({"rounds": 1}), "pass")
    assert caught.value.code == "not_your_turn"


def test_a_state_survives_json_and_equals_only_itself() -> None:
    before = RULES.start({"rounds": 3})
    playing = RULES.deal(before, (PACK,))
    revealed = make(playing, move("reveal"))
    ended = with_the_last_card_revealed(revealed)
    states = [before, playing, revealed, ended]
    for state in states:
        assert RULES.from_json(json.loads(json.dumps(RULES.to_json(state)))) == state
    assert all(one != other for one, other in pairwise(states))


# --- told afterwards ------------------------------------------------------------------------------------------------


def test_what_a_reveal_or_sweep_turned_up_is_told_once_it_lies_on_the_market() -> None:
    for seed in range(6):
        for before, after, made in moves_of(random_course(RULES, seed, 80)):
            turns_up = made["type"] in ("sweep", "reveal")
            came = sorted(set(after.market) - set(before.market)) if turns_up else []
            assert sorted(RULES.turned(before, after)) == came
            words, before_it = RULES.told(before, made, after), RULES.describe(before, made)
            if turns_up:
                assert sorted(words.params["cards"]) == came
                assert "%(" not in WORDS[words.id] % words.params
                assert "cards" not in before_it.params
            else:
                assert words == before_it


def moves_of(course: Course) -> Iterator[tuple[State, State, Move]]:
    """Each move of a course with the states before and after it."""
    for (before, after), step in zip(pairwise(course.states), course.steps, strict=True):
        if isinstance(step, Play):
            yield before, after, step.move
