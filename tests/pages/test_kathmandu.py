"""Kathmandu's pages: moves by a form alone, the hand's order, and what is said of what happened."""

from __future__ import annotations

import random
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from accounts.models import User
from games import services
from games.engine.cards import pack
from games.engine.contract import Move, Words
from games.table.dealer import Recorded
from games.table.state import Table
from games.wording import told_text
from tests.games.people import begun, play_on, table
from tests.pages.tables import cards, hidden, logged_in, text, ticked, touches

#: Bob, who does not deal, holds three sevens; A♣ is the next card to be turned up.
BOB = ["7C", "7D", "7H", "2C", "9D", "QH", "KH", "4S", "JS", "5C"]
ALICE = ["8D", "TD", "3C", "3H", "6S", "6H", "9S", "JC", "KS", "5S"]
MARKET = ["4H", "QD"]
KINDS = ("meld", "shed", "buy", "swap", "sweep", "reveal")


def dealt() -> Recorded:
    known = [card for pair in zip(BOB, ALICE, strict=True) for card in pair] + MARKET
    rest = [card for card in pack() if card not in known]
    shuffled = random.Random(1).sample(pack(), 52)
    return {1: ((*known, *rest),), 2: (tuple(shuffled),), 3: (tuple(shuffled),)}


def started(alice: User, bob: User, **terms: Any) -> str:
    """The id of a game in which it is Bob's turn; Alice deals."""
    return begun("kathmandu", alice, bob, recorded=dealt(), **terms)


def page(client: Client, game: str, query: str = "") -> str:
    return unescape(text(client.get(reverse("table", args=[game]) + query)))


def post(client: Client, game: str, touched: list[str], action: str = "") -> Any:
    data = {"touch": touched, "step": str(table(game).step), "action": action}
    return client.post(reverse("move", args=[game]), data)


def touched_for(move: Move) -> list[str]:
    """What a person ticks to make a move."""
    hand = move.get("give", move.get("cards", []) if move["type"] in ("meld", "shed") else [])
    market = move.get("take", move.get("cards", []) if move["type"] == "buy" else [])
    return [*(f"hand:{card}" for card in hand), *(f"market:{card}" for card in market)]


def latest(now: Table) -> Move:
    step = now.line[-1].step
    move: Move = getattr(step, "move", {})
    return move


# --- moves --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_move_is_made_by_a_form_alone(alice: User, bob: User, kind: str) -> None:
    game = started(alice, bob)
    if kind == "buy":
        services.play(bob, game, {"type": "shed", "cards": ["2C"]}, recorded=dealt())
        services.play(alice, game, {"type": "reveal"}, recorded=dealt())
    now = table(game)
    wanted = next(move for move in now.rules.legal_moves(now.state) if move["type"] == kind)
    answer = post(logged_in(bob), game, touched_for(wanted), kind)
    assert (answer.status_code, answer["Location"]) == (303, reverse("table", args=[game]))
    assert latest(table(game)) == wanted


def test_what_is_ticked_says_what_is_meant_where_nothing_is_named(alice: User, bob: User) -> None:
    game = started(alice, bob)
    assert post(logged_in(bob), game, ["market:4H", "hand:2C", "market:QD", "hand:9D"]).status_code == 303
    assert latest(table(game)) == {"type": "swap", "give": ["2C", "9D"], "take": ["4H", "QD"]}


def test_the_page_has_a_box_for_everything_to_touch_and_a_choice_of_what_to_do(alice: User, bob: User) -> None:
    shown = page(logged_in(bob), started(alice, bob))
    assert set(touches(shown)) == {f"hand:{card}" for card in BOB} | {f"market:{card}" for card in MARKET}
    for action in ("meld", "shed", "swap"):
        assert shown.count(f'type="radio" name="action" value="{action}">') == 1  # none is chosen before
    for action, label in (("reveal", "Reveal: 1 token"), ("sweep", "Sweep: all 3 tokens")):
        assert f'name="action" value="{action}" data-bare>' in shown
        assert label in shown
    assert 'name="action" value="buy"' not in shown  # with ten cards in hand there is nothing to buy


@pytest.mark.parametrize(
    ("touched", "action", "reason"),
    [
        (["hand:7C", "hand:7D", "hand:2C"], "meld", "A meld is three or four cards of one rank"),
        (["market:4H"], "buy", "A hand holds at most ten cards."),
        (["hand:7C", "market:4H"], "swap", "A swap is exactly two hand cards for exactly two market cards."),
        ([], "shed", "The move isn't complete yet."),
    ],
)
def test_a_refused_move_names_the_rule_and_keeps_what_was_ticked(
    alice: User, bob: User, touched: list[str], action: str, reason: str
) -> None:
    game = started(alice, bob)
    answer = post(logged_in(bob), game, touched, action)
    shown = unescape(text(answer))
    assert answer.status_code == 422
    assert reason in shown
    assert {touch for touch in ticked(shown) if ":" in touch} == set(touched)
    assert len(table(game).line) == 1


def test_a_form_sent_with_nothing_chosen_makes_no_move(alice: User, bob: User) -> None:
    game = started(alice, bob)
    assert post(logged_in(bob), game, []).status_code == 422
    assert len(table(game).line) == 1


def test_a_move_is_looked_at_first_also_one_that_touches_nothing(alice: User, bob: User) -> None:
    game, client = started(alice, bob), logged_in(bob)
    for touched, action, offer in (
        (["hand:7C", "hand:7D", "hand:7H"], "meld", "Meld 7♣, 7♦, 7♥ for a blue token."),
        ([], "reveal", "Take a red token; a card is turned up in its place."),
    ):
        query: dict[str, Any] = {"touch": touched, "action": action, "step": table(game).step}
        shown = unescape(text(client.get(reverse("table-preview", args=[game]), query)))
        assert offer in shown
        assert "back" in cards(shown) or action == "meld"
        assert "AC" not in cards(shown)
    assert len(table(game).line) == 1


def test_what_could_be_melded_or_shed_is_asked_for(alice: User, bob: User) -> None:
    game = started(alice, bob)
    touched = ["hand:7C", "hand:7D", "hand:7H"]
    assert "That could be more than one move" in unescape(text(post(logged_in(bob), game, touched)))
    assert post(logged_in(bob), game, touched, "shed").status_code == 303
    assert latest(table(game)) == {"type": "shed", "cards": ["7C", "7D", "7H"]}


# --- what is seen and said ----------------------------------------------------------------------------------------


def test_a_player_sees_their_own_hand_and_an_onlooker_none(alice: User, bob: User, charlie: User) -> None:
    game = started(alice, bob)
    assert set(cards(page(logged_in(alice), game))) == {*ALICE, *MARKET}
    assert set(cards(page(logged_in(charlie), game))) == set(MARKET)


def test_the_cards_that_were_turned_up_are_told_and_marked(alice: User, bob: User) -> None:
    game = started(alice, bob)
    services.play(bob, game, {"type": "reveal"}, recorded=dealt())
    shown = page(logged_in(alice), game)
    (turned,) = set(table(game).state.market) - set(MARKET)
    assert turned == "AC"
    assert "took a red token, for which came A♣" in shown
    assert 'class="touch new" data-touch="market:AC"' in shown


def test_seats_without_colours_are_told_apart_by_their_initials(alice: User, bob: User) -> None:
    game = started(alice, bob)
    services.play(bob, game, {"type": "reveal"}, recorded=dealt())
    shown = page(logged_in(alice), game)
    for seat, letter in enumerate("AB"):
        assert f'<span class="initial seat-{seat}" aria-hidden="true">{letter}</span>' in shown
    assert "#pip-" not in shown


def test_a_pass_that_was_made_at_once_is_told_as_such() -> None:
    with translation.override("en"):
        assert told_text(Words("kathmandu.pass", {}), automatic=True) == "passed (automatically)"
        assert told_text(Words("kathmandu.pass", {})) == "passed"


def test_the_score_says_how_the_round_stands(alice: User, bob: User) -> None:
    assert "Round 1, as it stands" in page(logged_in(bob), started(alice, bob))


def test_a_game_is_played_to_its_end_and_looked_back_at_with_both_hands_open(
    alice: User, bob: User, charlie: User
) -> None:
    game = begun("kathmandu", alice, bob, options={"rounds": 1})
    now = play_on(game, alice, bob, moves=1000, seed=3)
    assert now.status == "ended"
    result = now.rules.result(now.state)
    assert result is not None
    assert "You won" in page(logged_in((alice, bob)[result["winner"]]), game)
    replay = reverse("replay", args=[game])
    first = now.line[0].number
    opened = set(cards(text(logged_in(charlie).get(f"{replay}?step={first}&eyes=open&part=1"))))
    assert opened >= {card for hand in now.line[1].before.hands for card in hand}
    closed = set(cards(text(logged_in(charlie).get(f"{replay}?step={first}&eyes=spectator&part=1"))))
    assert closed == set(now.line[1].before.market)


# --- the hand's order ---------------------------------------------------------------------------------------------


def hand(shown: str) -> list[str]:
    return [touch.removeprefix("hand:") for touch in touches(shown) if touch.startswith("hand:")]


BY_SUIT = ["2C", "5C", "7C", "7D", "9D", "7H", "QH", "KH", "4S", "JS"]
BY_RANK = ["2C", "4S", "5C", "7C", "7D", "7H", "9D", "JS", "QH", "KH"]


def test_the_hand_is_sorted_by_a_link_and_stays_so(alice: User, bob: User) -> None:
    game, client = started(alice, bob), logged_in(bob)
    assert hand(page(client, game)) == BY_SUIT
    assert f'href="/games/{game}/?hand=rank"' in page(client, game)
    assert hand(page(client, game, "?hand=rank")) == BY_RANK
    assert hand(page(client, game)) == BY_RANK
    assert hand(text(client.get(reverse("table-state", args=[game])))) == BY_RANK
    assert hand(page(client, game, "?hand=suit")) == BY_SUIT
    assert hand(page(client, game)) == BY_SUIT


@pytest.mark.parametrize("query", ["?hand=", "?hand=odd", "?hand=%00"])
def test_an_order_that_there_is_not_changes_nothing(alice: User, bob: User, query: str) -> None:
    game, client = started(alice, bob), logged_in(bob)
    page(client, game, "?hand=rank")
    client.cookies["hand-order"] = "rank"
    assert sorted(hand(page(client, game, query))) == sorted(BOB)
    assert hand(page(client, game)) == BY_RANK


def test_a_page_in_another_order_is_another_page(alice: User, bob: User) -> None:
    game, client = started(alice, bob), logged_in(bob)
    state = reverse("table-state", args=[game])
    tag = client.get(state)["ETag"]
    assert client.get(state, headers={"If-None-Match": tag}).status_code == 304
    page(client, game, "?hand=rank")
    assert client.get(state, headers={"If-None-Match": tag}).status_code == 200


def test_what_a_form_was_made_for_is_in_it(alice: User, bob: User) -> None:
    shown = page(logged_in(bob), started(alice, bob))
    assert hidden(shown, "step") == "1"
    assert "boards-kathmandu" in shown
    assert " data-growing" in shown


@pytest.mark.parametrize("moves", [0, 40])
def test_a_table_costs_few_queries(alice: User, bob: User, moves: int, django_assert_max_num_queries: Any) -> None:
    game, client = started(alice, bob), logged_in(bob)
    play_on(game, alice, bob, moves=moves, seed=2)
    page(client, game)
    with django_assert_max_num_queries(10):
        page(client, game)
