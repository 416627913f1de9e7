"""Who sees what of a game of Conquian, and how its moves are written and told. Source: ``rules/conquian.md``."""

from __future__ import annotations

import json
import random

import pytest

from games.engine._conquian_course import State
from games.engine.conquian import RULES
from games.engine.conquian_melds import PACK
from games.engine.contract import (
    OPEN,
    SPECTATOR,
    Deal,
    IllegalMove,
    Move,
    Play,
    Viewer,
    resample,
)
from games.wording.conquian import WORDS
from tests.engine.conquian_tables import (
    ALLOW,
    HAND,
    PASS,
    at,
    cards,
    declined_by_seat_0,
    discard,
    force,
    meld,
    play,
    random_game,
)

# --- who sees what ----------------------------------------------------------------------------------------------


def test_a_seat_sees_its_own_hand_and_the_number_of_cards_in_the_other() -> None:
    view = RULES.view(at("AC AD 3D 5S KC JD 2S", "4H 5H 6H", centre="7H", stock="2C 2D"), 0)
    assert view["hands"][0] == {"count": 7, "cards": cards("AC KC AD 3D JD 2S 5S")}
    assert view["hands"][1] == {"count": 10, "cards": None}
    assert (view["stock"], view["centre"]) == (2, "7H")
    assert "stock_cards" not in view


def test_a_spectator_sees_no_hand_and_everything_open_shows_both_and_the_stock() -> None:
    state = at(HAND, centre="6C", stock="2C 2D")
    assert [hand["cards"] for hand in RULES.view(state, SPECTATOR)["hands"]] == [None, None]
    everything = RULES.view(state, OPEN)
    assert all(hand["cards"] for hand in everything["hands"])
    assert everything["stock_cards"] == ["2C", "2D"]


def test_the_waste_is_counted_and_not_browsable() -> None:
    state = play(at(HAND, centre="6C", origin="discarded", stock="2C 2D"), PASS)
    before = RULES.view(at(HAND, centre="6C", origin="discarded", stock="2C 2D"), 0)["waste"]
    view = RULES.view(state, 0)
    assert view["waste"] == before + 1
    assert "6C" not in json.dumps(view)


def test_a_view_says_what_forcing_means_for_the_awaited_seat() -> None:
    offered = at("AC AD 3D 5S KC JD 2S", "4H 5H 6H", centre="7H", other_melds="7C 7D 7S", stock="2C")
    assert forces(offered) == (["if_declined"], [None])
    declined = play(offered, PASS)
    assert forces(declined) == (["now"], ["if_declined"])
    assert forces(play(declined, PASS)) == ([None], ["now"])


def forces(state: State) -> tuple[list[str | None], list[str | None]]:
    mine, theirs = RULES.view(state, SPECTATOR)["melds"]
    return [one["force"] for one in mine], [one["force"] for one in theirs]


def test_melds_are_shown_in_their_order_and_named_as_moves_name_them() -> None:
    state = at("AC AD 3D 5S KC JD 2S", "4H 5H 6H", centre="7H", other_melds="7C JC QC")
    assert RULES.view(state, 0)["melds"][1] == [
        {"cards": ["7C", "JC", "QC"], "meld": ["7C", "JC", "QC"], "force": None}
    ]
    state = at("AC AD 3D 5S KC JD 2S", "4H 5H 6H", centre="7H", other_melds="QC KC JC")
    assert RULES.view(state, 0)["melds"][1][0]["cards"] == ["JC", "QC", "KC"]
    assert RULES.view(state, 0)["melds"][1][0]["meld"] == ["JC", "KC", "QC"]


def test_unseen_are_the_stock_and_the_cards_still_in_the_other_hand() -> None:
    state = RULES.deal(RULES.start({"target": 1}), (PACK,))
    stock = set(range(21, 40))
    assert RULES.unseen(state, 1) == (frozenset(stock | set(range(1, 20, 2))),)
    assert RULES.unseen(state, 0) == (frozenset(stock | set(range(0, 20, 2))),)
    assert RULES.unseen(state, SPECTATOR) == (frozenset(stock | set(range(20))),)
    assert RULES.unseen(state, OPEN) == (frozenset(),)
    assert RULES.unseen(RULES.start({"target": 1}), 0) == ()


def test_cards_melded_discarded_or_buried_are_known() -> None:
    state = at("4H 5H AC 3D 5S 7H KC JD 2S QS", centre="6H", stock="2C")
    state = play(state, meld("4H 5H 6H", "QS"), PASS)
    hidden = {state.standing.pack[place] for place in RULES.unseen(state, 1)[0]}
    assert hidden == set(cards("AC 3D 5S 7H KC JD 2S"))


@pytest.mark.parametrize("viewer", [0, 1, SPECTATOR])
def test_a_viewer_cannot_tell_a_resampled_game_from_the_real_one(viewer: Viewer) -> None:
    course = random_game(5, 3)[:60]
    steps = [step for _, step in course]
    other = resample(RULES, {"target": 3}, steps, viewer, random.Random(7), tries=2000)
    assert other != steps
    state = RULES.start({"target": 3})
    for (real, _), step in zip(course, other, strict=True):
        match step:
            case Deal(packs):
                state = RULES.deal(state, packs)
            case Play(_, move):
                state = RULES.play(state, move).state
        assert RULES.view(state, viewer) == RULES.view(real, viewer)
        if RULES.awaits(real) == viewer:
            assert RULES.legal_moves(state) == RULES.legal_moves(real)


def test_a_move_says_whether_hidden_cards_became_visible() -> None:
    def revealed(state: State, move: Move) -> bool:
        return RULES.play(state, RULES.check(state, state.seat, move)).revealed

    turned = at(HAND, centre="6C", stock="2C")
    assert not revealed(turned, PASS)
    assert revealed(play(turned, PASS), PASS)
    assert not revealed(at(HAND, centre="6C", origin="declined"), PASS)  # the stock is empty
    assert revealed(at("4H 5H AC 3D 5S 7H KC JD 2S QS", centre="6H"), meld("4H 5H 6H", "QS"))
    last = at("", "AC 2C 3C 4C / QC QD QH / 5C 5D 5H", centre="5S")
    assert not revealed(last, meld("AC 2C 3C 4C / QC QD QH / 5C 5D 5H 5S"))
    asked = declined_by_seat_0()
    assert not revealed(asked, force("4H 5H 6H"))
    assert revealed(asked, ALLOW)
    assert revealed(play(asked, force("4H 5H 6H")), discard("KC"))


# --- words and values -------------------------------------------------------------------------------------------

OFFERED = "3H 4H 5H KC KD KS 2S QS 7C AD"


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("pass", PASS),
        (" Pass ", PASS),
        ("4H5H6H/KCKDKS-QS", meld("4H 5H 6H / KC KD KS", "QS")),
        ("kc kd ks / 6h 5h 4h - qs", meld("4H 5H 6H / KC KD KS", "QS")),
        ("4♥ 5♥ 6♥️, K♣ K♦ K♠ discard Q♠", meld("4H 5H 6H / KC KD KS", "QS")),
        ("meld 4h5h6h and discard qs", meld("4H 5H 6H", "QS")),
        ("4h5h6h > qs", meld("4H 5H 6H", "QS")),
    ],
)
def test_notation_is_free_in_case_spacing_and_suit_symbols(text: str, move: Move) -> None:
    assert RULES.parse(at(OFFERED, centre="6H"), text) == move


def test_melds_that_stay_as_they_are_need_not_be_written() -> None:
    state = at("5C 5D 7S", "AC 2C 3C 4C / QC QD QH", centre="5H")
    move = meld("AC 2C 3C 4C / QC QD QH / 5C 5D 5H", "7S")
    assert RULES.notation(state, move) == "5C5D5H-7S"
    assert RULES.parse(state, "5C5D5H-7S") == move
    assert RULES.parse(state, "AC2C3C4C/QCQDQH/5C5D5H-7S") == move


def test_forces_and_forced_discards_are_written_shortly() -> None:
    state = declined_by_seat_0()
    assert RULES.parse(state, "force") == RULES.parse(state, "Force 6h 5h 4h") == force("4H 5H 6H")
    assert RULES.parse(state, "allow") == ALLOW
    state = play(state, force("4H 5H 6H"))
    assert RULES.notation(state, discard("KC")) == "-KC"
    assert RULES.parse(state, "kc") == RULES.parse(state, "discard K♣") == discard("KC")


@pytest.mark.parametrize("text", ["", "fly", "4H5H6", "4H5H6H-", "4H5H6H-QSAD", "8H9HTH-QS", "4H4H5H-QS"])
def test_what_is_no_notation_is_refused_as_such(text: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        RULES.parse(at(OFFERED, centre="6H"), text)
    assert refused.value.code == "bad_notation"


def test_cards_without_slashes_that_lie_in_two_ways_are_ambiguous() -> None:
    state = at("AD 3S 7D QC", "2H 3H 4H 5H 6H 7H", centre="JH")
    assert RULES.parse(state, "2H3H4H5H6H7HJH-AD") == meld("2H 3H 4H 5H 6H 7H JH", "AD")
    state = at("4C 4D 5C 5D 6C 6D AS KS QS 2S", centre="4S")
    assert RULES.parse(state, "4C4D4S-AS") == meld("4C 4D 4S", "AS")
    state = at("4C 4D 5C 5D 6C 6D 5S 6S AS KH", centre="4S")
    with pytest.raises(IllegalMove) as refused:
        RULES.parse(state, "4C4D4S5C5D5S6C6D6S-AS")
    assert refused.value.code == "ambiguous_notation"


def test_a_force_that_fits_two_melds_must_name_one() -> None:
    state = at("AC AD 3D 5S", "4H 5H 6H / 7C 7D 7S", centre="7H", origin="discarded")
    with pytest.raises(IllegalMove) as refused:
        RULES.parse(play(state, PASS), "force")
    assert refused.value.code == "ambiguous_notation"


def test_notation_of_a_broken_rule_is_refused_with_its_code() -> None:
    with pytest.raises(IllegalMove) as refused:
        RULES.parse(at(OFFERED, centre="6H"), "KCKDKS-QS")
    assert refused.value.code == "centre_not_melded"


def test_every_legal_move_can_be_written_read_and_told_all_through_random_games() -> None:
    told = set()
    for target, seed in ((5, 1), (3, 2), (1, 3)):
        for state, _ in random_game(seed, target):
            for move in RULES.legal_moves(state):
                assert RULES.parse(state, RULES.notation(state, move)) == move
                words = RULES.describe(state, move)
                assert "%(" not in WORDS[words.id] % words.params
                told.add(words.id)
    assert {"conquian.pass", "conquian.pass_turn", "conquian.meld", "conquian.force", "conquian.discard"} <= told


def test_words_tell_what_a_move_does() -> None:
    def words(state: State, move: Move) -> str:
        told = RULES.describe(state, move)
        return WORDS[told.id] % {
            name: value if isinstance(value, str) else " ".join(value) for name, value in told.params.items()
        }

    assert words(at(OFFERED, centre="6H"), meld("4H 5H 6H", "QS")) == "melded 4H 5H 6H and discarded QS"
    state = at("AD 3S 7D QC", "2H 3H 4H 5H 6H 7H", centre="JH")
    assert words(state, meld("2H 3H 4H / 5H 6H 7H JH", "AD")) == "melded JH, rearranged the melds and discarded AD"
    out = at("", "4C 4D 4H 4S / 5H 6H 7H / QC QD QS", centre="3H")
    move = meld("3H 4H 5H 6H 7H / 4C 4D 4S / QC QD QS")
    assert words(out, move) == "melded 3H, rearranged the melds and went out"
    out = at("", "AC 2C 3C 4C / QC QD QH / 5C 5D 5H", centre="5S", origin="discarded")
    assert words(out, meld("AC 2C 3C 4C / QC QD QH / 5C 5D 5H 5S")) == "melded 5S and went out"
    assert words(out, PASS) == "declined 5S, which fits their own meld"
    asked = play(out, PASS)
    assert words(asked, force("5C 5D 5H")) == "forced 5S onto 5C 5D 5H, and so the other player went out"
    assert words(asked, ALLOW) == "let 5S be buried with the stock used up, so the round was drawn"
    assert words(declined_by_seat_0(), ALLOW) == "let 7H be buried"
    unfit = at(HAND, centre="6C", origin="discarded")
    assert words(unfit, PASS) == "declined 6C with the stock used up, so the round was drawn"


def test_states_are_equal_after_json_and_back_all_through_a_random_game() -> None:
    start = RULES.start({"target": 3})
    assert RULES.from_json(json.loads(json.dumps(RULES.to_json(start)))) == start
    for state, _ in random_game(4, 3):
        assert RULES.from_json(json.loads(json.dumps(RULES.to_json(state)))) == state


def test_no_card_is_lost_or_doubled_all_through_random_games() -> None:
    for state, _ in random_game(6, 5):
        view = RULES.view(state, OPEN)
        held = [card for hand in view["hands"] for card in hand["cards"]]
        laid = [card for melds in view["melds"] for one in melds for card in one["cards"]]
        seen = [*held, *laid, *view["stock_cards"], *([view["centre"]] if view["centre"] else [])]
        assert len(seen) == len(set(seen))
        assert len(seen) + view["waste"] == 40
