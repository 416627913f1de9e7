"""Conquian's board: its ways are the legal moves, its preview shows nothing hidden, a touch means what it says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from typing import Any

import pytest

from games.engine._conquian_course import Origin, Standing, State
from games.engine.conquian import RULES
from games.engine.conquian_melds import BIT, PACK, canonical_melds, mask
from games.engine.contract import OPEN, SPECTATOR, IllegalMove, Move, Play
from games.pages.boards import Scene
from games.pages.boards.base import View, Way, meant, resolve
from games.pages.boards.conquian import ConquianBoard
from games.viewing import Told
from tests.contract.play import Course, random_course

BOARD = ConquianBoard()


def state(
    hands: tuple[str, str],
    *,
    centre: str,
    melds: tuple[str, str] = ("", ""),
    origin: Origin = "turned",
    stock: str = "7D QC",
) -> State:
    """Seat 0 is offered the centre card. ``melds`` with slashes between; fewer cards than in a game will do."""
    waiting = stock.split()
    pack = (*(card for card in PACK if card not in waiting), *waiting)
    held = (mask(hands[0].split()), mask(hands[1].split()))
    first, second = (canonical_melds(mask(part.split()) for part in laid.split("/") if part.strip()) for laid in melds)
    standing = Standing(1, (0, 0), 1, 1, pack)
    return State(standing, "offer", 0, len(PACK) - len(waiting), held, (first, second), BIT[centre], origin)


@cache
def courses() -> list[Course]:
    return [random_course(RULES, seed, 160) for seed in range(12)]


def awaited() -> Iterator[tuple[Any, int, dict[str, Any], list[Move]]]:
    """States in which a seat is to move, with that seat, its view and its legal moves."""
    for course in courses():
        for now in course.states:
            seat = RULES.awaits(now)
            if isinstance(seat, int):
                yield now, seat, RULES.view(now, seat), RULES.legal_moves(now)


def text(move: Move) -> str:
    return json.dumps(dict(move), sort_keys=True)


def products(way: Way) -> Iterator[Move]:
    """Every move of a way: all that is used, and each discard."""
    if not way.slots:
        yield dict(way.move)
        return
    *used, last = way.slots
    touched = [choice.touch for slot in used for choice in slot.choices]
    if last.least > 1 or not used:
        choices = [choice.touch for choice in last.choices]
        for chosen in [choices] if last.key is None else [[touch] for touch in choices]:
            yield from way.moves([*touched, *chosen])
        return
    for choice in last.choices:
        yield from way.moves([*touched, choice.touch])


def test_the_ways_are_exactly_the_legal_moves() -> None:
    kinds: dict[str, int] = {}
    for _now, _seat, view, legal in awaited():
        ways = BOARD.ways(view, legal)
        assert sorted(text(move) for way in ways for move in products(way)) == sorted(map(text, legal))
        assert len({way.name for way in ways}) == len(ways)
        for way in ways:
            kinds[way.action] = kinds.get(way.action, 0) + 1
    assert kinds.keys() == {"meld", "pass", "force", "allow", "discard"}
    assert min(kinds.values()) > 2


def test_every_legal_meld_is_found_by_its_touches_and_its_arrangement() -> None:
    several = 0
    for _now, _seat, view, legal in awaited():
        ways = BOARD.ways(view, legal)
        hand = set(view["hands"][view["awaits"]]["cards"])
        for move in legal:
            if move["type"] != "meld":
                continue
            lying = {card for meld in move["melds"] for card in meld}
            touched = ["centre", *(f"hand:{card}" for card in sorted(lying & hand))]
            touched += [f"hand:{move['discard']}"] if "discard" in move else []
            found = meant(ways, touched)
            assert move in [made for _way, made in found]
            several += len(found) > 1
            (name,) = [way.name for way, made in found if made == move]
            assert resolve(ways, touched, name) == [move]
    assert several


def test_what_the_script_is_sent_is_small_even_where_much_can_be_melded() -> None:
    most = max(awaited(), key=lambda found: len(found[3]))
    sent = {json.dumps(way.for_script()) for way in BOARD.ways(most[2], most[3])}
    assert len(most[3]) > 30
    assert sum(map(len, sent)) < 12_000


def test_the_discard_is_what_is_touched_last() -> None:
    now = state(hands=("5H 6H 7H 2C", "AS"), centre="4H")
    ways = BOARD.ways(RULES.view(now, 0), RULES.legal_moves(now))
    discards = {
        last: move["discard"]
        for touched, last in (("5H 6H", "7H"), ("6H 5H", "2C"))
        for move in resolve(ways, ["centre", *(f"hand:{card}" for card in touched.split()), f"hand:{last}"])
    }
    assert discards == {"7H": "7H", "2C": "2C"}


def test_a_form_without_the_script_names_the_discard_in_a_field_of_its_own() -> None:
    touched = ["centre", "hand:2C", "hand:5H", "hand:6H", "discard:2C"]
    assert BOARD.heard(touched) == ("centre", "hand:5H", "hand:6H", "hand:2C")
    assert BOARD.heard(["hand:2C", ""]) == ("hand:2C",)


# --- the table as it would be -------------------------------------------------------------------------------------


def test_the_preview_is_what_the_move_itself_does() -> None:
    kinds = set()
    for now, seat, view, legal in awaited():
        for move in some_of(legal):
            real = RULES.view(RULES.play(now, move).state, seat)
            seen = BOARD.preview(view, move, seat)
            kinds.add(move["type"])
            if real["round"] != view["round"] or real["phase"] in ("deal", "over"):
                continue
            assert [hand["count"] for hand in seen["hands"]] == [hand["count"] for hand in real["hands"]]
            assert seen["hands"][seat] == real["hands"][seat]
            assert lying(seen) == lying(real)
            if move["type"] in ("meld", "discard", "force"):
                assert (seen["centre"], seen["origin"], seen["awaits"], seen["phase"], seen["waste"]) == (
                    real["centre"],
                    real["origin"],
                    real["awaits"],
                    real["phase"],
                    real["waste"],
                )
    assert kinds == {"meld", "pass", "force", "allow", "discard"}


def some_of(legal: list[Move]) -> list[Move]:
    """A move of every kind, and a few melds more."""
    kinds = {move["type"]: move for move in legal}
    return [*kinds.values(), *legal[2::7]]


def lying(view: View) -> list[list[list[str]]]:
    return [[meld["cards"] for meld in melds] for melds in view["melds"]]


def test_the_preview_shows_no_card_that_is_yet_to_be_turned() -> None:
    for _now, seat, view, legal in awaited():
        known = cards_in({**view, "legal": legal})
        for move in legal[::3]:
            assert cards_in(BOARD.preview(view, move, seat)) <= known


def cards_in(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set().union(*map(cards_in, value.values()))
    if isinstance(value, list | tuple):
        return set().union(*map(cards_in, value))
    return {value} if isinstance(value, str) and len(value) == 2 else set()


def test_the_preview_leaves_the_view_as_it_was() -> None:
    for _now, seat, view, legal in awaited():
        before = json.dumps(view)
        BOARD.preview(view, legal[-1], seat)
        assert json.dumps(view) == before


def test_newly_melded_cards_are_marked_and_old_ones_are_not() -> None:
    checked = 0
    for course in courses():
        for n, step in enumerate(course.steps):
            before, after = course.states[n], course.states[n + 1]
            if not isinstance(step, Play) or step.move["type"] != "meld" or RULES.awaits(after) == "deal":
                continue
            told = Told(n, 0, 1, step.seat, step.move, RULES.describe(before, step.move), automatic=False)
            view = RULES.view(after, SPECTATOR)
            was = {card for melds in lying(RULES.view(before, SPECTATOR)) for meld in melds for card in meld}
            now = {card for melds in lying(view) for meld in melds for card in meld}
            marked = {touch.removeprefix("card:") for touch in BOARD.marked(view, [told]) if touch != "centre"}
            assert marked == now - was
            assert ("centre" in BOARD.marked(view, [told])) == ("discard" in step.move)
            checked += 1
    assert checked > 20


def test_a_new_deal_takes_the_marks_of_the_old_one_away() -> None:
    view = RULES.view(state(melds=("4H 5H 6H", ""), hands=("2C 3C", "AS 2S"), centre="KD"), SPECTATOR)
    words = RULES.describe(
        state(hands=("5H 6H 2C 3C", "AS"), centre="4H"),
        {"type": "meld", "melds": [["4H", "5H", "6H"]], "discard": "2C"},
    )
    move = {"type": "meld", "melds": [["4H", "5H", "6H"]], "discard": "2C"}
    melded = Told(5, 0, 1, 0, move, words, automatic=False)
    dealt = Told(6, 0, 2, None, None, None, automatic=False)
    assert BOARD.marked(view, [melded]) == {"card:4H", "card:5H", "card:6H"}
    assert BOARD.marked(view, [melded, dealt]) == frozenset()


# --- drawing ------------------------------------------------------------------------------------------------------


def test_a_board_shows_the_viewers_own_hand_alone() -> None:
    now = state(hands=("5H 6H 2C", "AS 2S"), centre="4H", melds=("", "KC KD KS"))
    drawn = BOARD.draw(Scene(RULES.view(now, 0), 0, playing=True))
    assert [place.card for place in drawn["hand"]] == ["2C", "5H", "6H"]
    assert drawn["far"].cards == []
    assert drawn["far"].count == 2
    watched = BOARD.draw(Scene(RULES.view(now, SPECTATOR)))
    assert watched["hand"] == watched["far"].cards == watched["near"].cards == []


def test_an_open_board_shows_both_hands_and_the_stock() -> None:
    now = state(hands=("5H 6H 2C", "AS 2S"), centre="4H", stock="7D QC")
    drawn = BOARD.draw(Scene(RULES.view(now, OPEN)))
    assert (drawn["near"].cards, drawn["far"].cards) == (["2C", "5H", "6H"], ["AS", "2S"])
    assert drawn["stock_cards"] == ["7D", "QC"]


@pytest.mark.parametrize(("order", "cards"), [("suit", "2C 5C 2H 6H"), ("rank", "2C 2H 5C 6H")])
def test_a_hand_is_sorted_as_its_player_wants_it(order: Any, cards: str) -> None:
    now = state(hands=("6H 2H 5C 2C", "AS"), centre="4H")
    drawn = BOARD.draw(Scene(RULES.view(now, 0), 0, order=order))
    assert [place.card for place in drawn["hand"]] == cards.split()


def test_nothing_moves_in_the_hand_while_a_move_is_looked_at() -> None:
    now = state(hands=("5H 6H 2C 3C", "AS"), centre="4H")
    view = RULES.view(now, 0)
    after = BOARD.preview(view, {"type": "meld", "melds": [["4H", "5H", "6H"]], "discard": "2C"}, 0)
    drawn = BOARD.draw(Scene(after, 0, playing=True, frame=view))
    assert [(place.card, place.css) for place in drawn["hand"]] == [
        ("2C", "leaving"),
        ("3C", ""),
        ("5H", "leaving"),
        ("6H", "leaving"),
    ]
    assert drawn["centre"].card == "2C"


# --- forcing in words ---------------------------------------------------------------------------------------------


def fitting(origin: Origin = "turned") -> State:
    """Seat 0 is offered a card that fits their own meld."""
    return state(hands=("2C 3C", "KS QD"), melds=("4H 5H 6H", ""), centre="7H", origin=origin)


def notes(now: Any) -> list[str]:
    """What each seat and a spectator is told about forcing."""
    return [
        BOARD.draw(Scene(RULES.view(now, viewer), viewer if isinstance(viewer, int) else None))["note"]
        for viewer in (0, 1, SPECTATOR)
    ]


def test_forcing_is_explained_when_it_may_follow_from_declining() -> None:
    mine, theirs, spectators = notes(fitting())
    assert mine.startswith("7♥ fits your own meld. If you decline it, the other player may force it")
    assert theirs == spectators == ""


def test_forcing_is_explained_to_everybody_when_it_may_be_done() -> None:
    now = RULES.play(fitting("discarded"), {"type": "pass"}).state
    mine, theirs, spectators = notes(now)
    assert mine.startswith("You declined 7♥ though it fits your meld")
    assert theirs.startswith("The other player declined 7♥, which fits their own meld. Force it onto that meld")
    assert spectators.startswith("7♥ was declined by a player whose own meld it fits")
    ways = BOARD.ways(RULES.view(now, 1), RULES.legal_moves(now))
    assert [(way.label, way.picture) for way in ways] == [
        ("Force 7♥ onto 4♥ 5♥ 6♥", (("4H", "5H", "6H"),)),
        ("Let it be buried", ()),
    ]


def test_whoever_was_forced_is_told_to_discard() -> None:
    now = RULES.play(fitting("discarded"), {"type": "pass"}).state
    forced = RULES.play(now, {"type": "force", "meld": ["4H", "5H", "6H"]}).state
    mine, theirs, _ = notes(forced)
    assert "you must discard a card of your hand" in mine
    assert "its owner must now discard a card" in theirs
    assert BOARD.how(RULES.view(forced, 0)) == "Choose the card that you discard."


def test_forcing_a_player_without_cards_is_said_to_let_them_win() -> None:
    now = state(hands=("", "KS"), melds=("4H 5H 6H/AC 2C 3C/JC JD JH JS", ""), centre="7H", origin="discarded")
    declined = RULES.play(now, {"type": "pass"}).state
    assert "they go out and win the round" in notes(declined)[1]


# --- what was meant -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("touched", "code"),
    [
        (["centre", "hand:5H", "hand:KC"], "not_a_meld"),
        (["hand:5H", "hand:6H", "hand:7H"], "centre_not_melded"),
        (["centre", "hand:5H", "hand:6H"], "discard_missing"),
        (["centre"], "not_a_meld"),
        (["hand:2C"], "not_a_meld"),
        (["centre", "hand:XX"], "malformed_move"),
        (["centre", "hand:"], "malformed_move"),
    ],
)
def test_a_try_against_the_rules_is_taken_for_the_move_that_names_the_rule(touched: list[str], code: str) -> None:
    now = state(hands=("5H 6H 7H KC 2C", "AS"), centre="4H")
    with pytest.raises(IllegalMove) as refusal:
        RULES.check(now, 0, BOARD.intended(RULES.view(now, 0), touched, ""))
    assert refusal.value.code == code


def test_a_card_touched_while_forcing_is_asked_is_told_what_is_awaited() -> None:
    now = RULES.play(fitting("discarded"), {"type": "pass"}).state
    with pytest.raises(IllegalMove) as refusal:
        RULES.check(now, 1, BOARD.intended(RULES.view(now, 1), ["hand:KS"], ""))
    assert refusal.value.code == "force_or_allow"


def test_nothing_touched_means_nothing() -> None:
    now = state(hands=("5H 6H 7H KC 2C", "AS"), centre="4H")
    assert BOARD.intended(RULES.view(now, 0), [], "meld") is None


def test_what_every_way_on_would_do_is_said() -> None:
    said = {
        kind: {BOARD.offer(view, move, BOARD.preview(view, move, seat))[:12] for move in moves}
        for _now, seat, view, legal in awaited()
        for kind, moves in groupby(legal, key=lambda move: move["type"])
    }
    assert all(all(texts) for texts in said.values())
