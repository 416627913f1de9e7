"""Between two players a move is taken back if one asks and the other grants."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.games.people import table
from tests.pages.tables import ariadne, hidden, logged_in, text

SCRIPT = {"X-Requested-With": "fetch"}


@pytest.fixture
def game(alice: User, bob: User) -> str:
    """A game in which both piles are empty: from here no move shows a hidden card. Alice has moved last."""
    found = ariadne(alice, bob, moves=45, seed=3)
    assert table(found).awaited_seat == 1
    return found


def do(client: Client, name: str, game: str, **fields: Any) -> Any:
    return client.post(reverse(name, args=[game]), fields, headers=SCRIPT)


def page(user: User, game: str) -> str:
    return text(logged_in(user).get(reverse("table", args=[game])))


def test_who_moved_last_may_ask_and_the_other_is_asked(alice: User, bob: User, charlie: User, game: str) -> None:
    assert "Ask to take my last move back" in page(alice, game)
    assert "Ask to take my last move back" not in page(charlie, game)
    shown = text(do(logged_in(alice), "ask-undo", game, step=str(table(game).step), command="a"))
    assert "it waits for an answer" in shown
    assert 'name="answer"' not in shown
    assert "alice asks to take this back:" in page(bob, game)
    assert 'name="answer" value="grant"' in page(bob, game)
    watched = page(charlie, game)
    assert "alice asks to take this back:" in watched
    assert 'name="answer"' not in watched


def test_what_is_granted_is_taken_back(alice: User, bob: User, game: str) -> None:
    before = table(game)
    do(logged_in(alice), "ask-undo", game, command="a")
    shown = page(bob, game)
    for _ in range(2):
        answer = do(logged_in(bob), "answer-undo", game, answer="grant", command=hidden(shown, "command"))
        assert answer.status_code == 200
    after = table(game)
    assert (after.state, after.awaited_seat) == (before.line[-1].before, 0)
    assert "asks to take" not in page(bob, game)


def test_what_is_declined_stays(alice: User, bob: User, game: str) -> None:
    before = table(game)
    do(logged_in(alice), "ask-undo", game, command="a")
    assert do(logged_in(bob), "answer-undo", game, answer="decline", command="b").status_code == 200
    assert table(game).state == before.state
    assert "asks to take" not in page(bob, game)
    assert "Ask to take my last move back" in page(alice, game)


@pytest.mark.parametrize("name", ["ask-undo", "answer-undo"])
def test_onlookers_and_strangers_can_do_neither(charlie: User, game: str, name: str) -> None:
    before = table(game)
    assert do(logged_in(charlie), name, game, answer="grant").status_code == 403
    answer = do(Client(), name, game, answer="grant")
    assert answer["Location"].startswith(reverse("account_login"))
    assert table(game) == before


def test_nobody_grants_their_own_wish(alice: User, game: str) -> None:
    do(logged_in(alice), "ask-undo", game, command="a")
    before = table(game)
    answer = do(logged_in(alice), "answer-undo", game, answer="grant", command="b")
    assert answer.status_code == 422
    assert "data-refusal" in text(answer)
    assert table(game) == before


def test_nobody_can_ask_where_a_card_was_drawn_since(alice: User, bob: User) -> None:
    game = ariadne(alice, bob, moves=5)
    assert "Ask to take my last move back" not in page(alice, game)
    answer = do(logged_in(alice), "ask-undo", game, command="a")
    assert answer.status_code == 422
    assert "A hidden card has been seen since then" in text(answer)


def test_without_a_script_the_answer_leads_back_to_the_table(alice: User, game: str) -> None:
    answer = logged_in(alice).post(reverse("ask-undo", args=[game]), {"command": "a"})
    assert (answer.status_code, answer["Location"]) == (303, reverse("table", args=[game]))


def test_a_patience_has_nobody_to_ask_and_two_players_do_not_just_take_back(alice: User, game: str) -> None:
    assert do(logged_in(alice), "undo", game, command="a").status_code == 422
    assert do(logged_in(alice), "hint", game, command="b").status_code == 422
