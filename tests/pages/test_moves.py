"""Moves by form and by script: looked at, made, refused with the rule's name, never made twice."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import services
from games.engine.contract import Move
from games.services import Terms
from games.table.state import Table
from tests.games.people import events, play_on, table
from tests.pages.tables import ariadne, cards, hidden, logged_in, text, ticked

SCRIPT = {"X-Requested-With": "fetch"}


def touched_for(now: Table, move: Move) -> list[str]:
    """What a person touches to make a move of Ariadne's Thread."""
    to = move["at"] if move["type"] == "place" else move["to"]
    also = {"joker": now.state.joker, "swap": now.state.table[-1][0] if now.state.table else None}.get(move["type"])
    found = [f"hand:{move['card']}", f"cell:{to[0]},{to[1]}"]
    return found if also is None else [*found, f"cell:{also[0]},{also[1]}"]


def a_move(now: Table, kind: str = "place") -> Move:
    return next(move for move in now.rules.legal_moves(now.state) if move["type"] == kind)


def post(client: Client, game: str, touched: list[str], step: int | None = None, **fields: str) -> Any:
    data = {"touch": touched, "step": str(table(game).step if step is None else step), **fields}
    headers = SCRIPT if fields.pop("script", "") else {}
    data.pop("script", None)
    return client.post(reverse("move", args=[game]), data, headers=headers)


def preview(client: Client, game: str, touched: list[str], **fields: str) -> Any:
    return client.get(
        reverse("table-preview", args=[game]), {"touch": touched, "step": str(table(game).step), **fields}
    )


def moved(game: str) -> Move:
    """The latest move of a game."""
    move: Move = table(game).line[-1].step.move  # type: ignore[union-attr]  # a move is the latest step here
    return move


# --- making a move ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["place", "joker", "swap"])
def test_touching_a_move_makes_it(alice: User, bob: User, kind: str) -> None:
    game = ariadne(alice, bob)
    for _ in range(40):
        now = table(game)
        if now.awaited_seat == 0 and any(move["type"] == kind for move in now.rules.legal_moves(now.state)):
            break
        play_on(game, alice, bob, moves=1)
    move = a_move(table(game), kind)
    answer = post(logged_in(alice), game, touched_for(table(game), move))
    assert answer.status_code == 303
    assert answer["Location"] == reverse("table", args=[game])
    assert moved(game) == move


def test_a_form_without_script_makes_the_move_that_its_action_names(alice: User, bob: User) -> None:
    game = ariadne(alice, bob)
    client = logged_in(alice)
    shown = text(client.get(reverse("table", args=[game])))
    assert re.findall(r'<input type="radio" name="action" value="(\w+)"', shown) == ["place", "joker"]
    card = table(game).state.hands[0][1]
    data = {
        "touch.hand": f"hand:{card}",
        "touch.cell": "cell:1,1",
        "action": "joker",
        "step": hidden(shown, "step"),
        "command": hidden(shown, "command"),
    }
    assert client.post(reverse("move", args=[game]), data).status_code == 303
    assert moved(game) == {"type": "joker", "card": card, "to": [1, 1]}


def test_a_script_is_answered_with_the_table_after_the_move(alice: User, bob: User) -> None:
    game = ariadne(alice, bob)
    move = a_move(table(game))
    answer = post(logged_in(alice), game, touched_for(table(game), move), script="yes")
    assert answer.status_code == 200
    assert "<html" not in text(answer)
    assert "bob&#x27;s turn" in text(answer)
    assert move["card"] in cards(text(answer))
    assert answer["ETag"]


def test_a_double_click_moves_once(alice: User, bob: User) -> None:
    game = ariadne(alice, bob)
    client, step = logged_in(alice), table(game).step
    touched = touched_for(table(game), a_move(table(game)))
    answers = [post(client, game, touched, step, command="one-click") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 303]
    assert len([event for event in events(game) if event.type == "moved"]) == 1


def test_a_move_costs_as_many_queries_however_long_the_game(
    alice: User, bob: User, django_assert_max_num_queries: Any
) -> None:
    for moves in (0, 40):
        game = ariadne(alice, bob, moves=moves)
        client, touched = logged_in(alice), touched_for(table(game), a_move(table(game)))
        step = table(game).step
        with django_assert_max_num_queries(24):
            assert post(client, game, touched, step).status_code == 303


# --- refusals -----------------------------------------------------------------------------------------------------


def test_an_illegal_try_names_the_rule_and_keeps_what_was_chosen(alice: User, bob: User) -> None:
    game = ariadne(alice, bob)
    card = table(game).state.hands[0][0]
    touched = [f"hand:{card}", "cell:2,2"]
    answer = post(logged_in(alice), game, touched, action="joker")
    assert answer.status_code == 422
    shown = text(answer)
    assert "At least one of the cell&#x27;s eight neighbours must be occupied." in shown
    assert "<html" in shown
    assert ticked(shown) == {*touched, "joker"}
    assert len(table(game).line) == 1


def test_the_rule_is_named_in_the_readers_language(alice: User, bob: User) -> None:
    alice.language = "ko"
    alice.save()
    game = ariadne(alice, bob)
    card = table(game).state.hands[0][0]
    shown = text(post(logged_in(alice, accept_language="ko"), game, [f"hand:{card}", "cell:2,2"]))
    assert "eight neighbours" not in shown
    assert 'lang="ko"' in shown


def test_half_a_move_is_asked_to_be_completed(alice: User, bob: User) -> None:
    game = ariadne(alice, bob)
    touched = [f"hand:{table(game).state.hands[0][0]}"]
    answer = post(logged_in(alice), game, touched, script="yes")
    assert answer.status_code == 422
    assert "The move isn&#x27;t complete yet." in text(answer)
    assert ticked(text(answer)) == {*touched, "place"}
    assert len(table(game).line) == 1


def test_a_stale_tab_is_shown_the_present_table_with_what_was_chosen(alice: User, bob: User) -> None:
    game = ariadne(alice, bob)
    client, old = logged_in(alice), table(game)
    keeps, plays = old.state.hands[0][0], old.state.hands[0][1]
    services.play(alice, game, {"type": "place", "card": plays, "at": [1, 0]})
    services.play(bob, game, {"type": "place", "card": table(game).state.hands[1][0], "at": [0, 1]})
    answer = post(client, game, [f"hand:{keeps}", "cell:-1,0"], old.step)
    assert answer.status_code == 409
    shown = text(answer)
    assert "The table has moved on since you looked at it." in shown
    assert hidden(shown, "step") == str(table(game).step)
    assert ticked(shown) >= {f"hand:{keeps}", "cell:-1,0"}
    assert len(table(game).line) == 3


def test_nobody_moves_for_another(alice: User, bob: User, charlie: User) -> None:
    game = ariadne(alice, bob)
    touched = touched_for(table(game), a_move(table(game)))
    assert post(logged_in(bob), game, touched).status_code == 409
    assert post(logged_in(charlie), game, touched).status_code == 403
    answer = post(Client(), game, touched)
    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("account_login"))
    assert len(table(game).line) == 1


def test_a_private_game_takes_no_moves_from_outsiders(alice: User, bob: User, charlie: User) -> None:
    game = ariadne(alice, bob, admits="invited")
    for name in ("move", "sit", "resign"):
        assert logged_in(charlie).post(reverse(name, args=[game])).status_code == 404


@pytest.mark.parametrize("step", ["", "x", "-1", "99999999999999", "²"])
def test_no_step_is_too_strange(alice: User, bob: User, step: str) -> None:
    game = ariadne(alice, bob)
    data = {"touch": touched_for(table(game), a_move(table(game))), "step": step}
    answer = logged_in(alice).post(reverse("move", args=[game]), data)
    assert answer.status_code in (303, 409, 422)


def test_a_form_from_elsewhere_is_refused(alice: User, bob: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    assert client.post(reverse("move", args=[ariadne(alice, bob)])).status_code == 403


# --- looking at a move --------------------------------------------------------------------------------------------


def test_a_preview_shows_the_move_in_words_and_on_the_board_and_changes_nothing(alice: User, bob: User) -> None:
    game = ariadne(alice, bob)
    move = {"type": "place", "card": table(game).state.hands[0][0], "at": [1, 0]}
    answer = preview(logged_in(alice), game, touched_for(table(game), move))
    assert answer.status_code == 200
    shown = text(answer)
    assert re.search(r"<p data-offer>Place \S+ at h7\. Threads then: black 0, red 0\.</p>", shown)
    assert re.search(rf'class="cell [^"]*ghost[^"]*" data-touch="cell:1,0" data-card="{move["card"]}"', shown)
    assert len(table(game).line) == 1


def test_a_preview_does_not_show_the_card_that_will_be_drawn(alice: User, bob: User) -> None:
    game = ariadne(alice, bob)
    now = table(game)
    drawn = now.state.packs[0][now.state.drawn[0]]
    shown = text(preview(logged_in(alice), game, touched_for(now, a_move(now))))
    assert drawn not in shown
    services.play(alice, game, a_move(now))
    assert drawn in text(logged_in(alice).get(reverse("table", args=[game])))


def test_a_preview_of_what_is_against_the_rules_is_the_rule(alice: User, bob: User) -> None:
    game = ariadne(alice, bob)
    answer = preview(logged_in(alice), game, [f"hand:{table(game).state.hands[0][0]}", "cell:2,2"])
    assert answer.status_code == 422
    assert answer["Content-Type"].startswith("text/plain")
    assert text(answer) == "At least one of the cell's eight neighbours must be occupied."


def test_a_preview_is_for_the_player_to_move_at_the_step_that_they_see(alice: User, bob: User, charlie: User) -> None:
    game = ariadne(alice, bob)
    touched = touched_for(table(game), a_move(table(game)))
    assert preview(logged_in(charlie), game, touched).status_code == 403
    assert preview(Client(), game, touched).status_code == 403
    assert preview(logged_in(bob), game, touched).status_code == 409
    assert preview(logged_in(alice), game, touched, step="0").status_code == 409


# --- sitting down, resigning --------------------------------------------------------------------------------------


def test_sitting_down_begins_the_game_with_ones_own_salt(alice: User, charlie: User) -> None:
    game = services.open_game(alice, Terms("ariadne")).table.id
    data = {"salt": "charlies-own-salt", "command": "sit-once"}
    answers = [logged_in(charlie).post(reverse("sit", args=[game]), data) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 303]
    now = table(game)
    assert now.status == "running"
    assert (now.salts[1].text, now.salts[1].by) == ("charlies-own-salt", "player")


def test_who_comes_too_late_is_told_so_at_the_table(alice: User, bob: User, charlie: User) -> None:
    game = ariadne(alice, bob)
    answer = logged_in(charlie).post(reverse("sit", args=[game]), follow=True)
    assert "Every seat at this table is taken." in text(answer)


def test_somebody_unknown_logs_in_before_sitting_down(alice: User) -> None:
    game = services.open_game(alice, Terms("ariadne")).table.id
    answer = Client().post(reverse("sit", args=[game]))
    assert answer["Location"] == f"{reverse('account_login')}?next={reverse('table', args=[game])}"


def test_resigning_asks_first_and_only_a_post_does_it(alice: User, bob: User) -> None:
    game = ariadne(alice, bob, moves=2)
    client, url = logged_in(alice), reverse("resign", args=[game])
    asked = text(client.get(url))
    assert "Resign this game?" in asked
    assert "bob has won" in asked
    assert table(game).status == "running"
    assert client.post(url, {"command": hidden(asked, "command")}).status_code == 303
    shown = text(client.get(reverse("table", args=[game])))
    assert "You resigned. bob won." in shown
    assert "alice resigned. You won." in text(logged_in(bob).get(reverse("table", args=[game])))
    assert client.get(url).status_code == 302


def test_only_a_player_resigns(alice: User, bob: User, charlie: User) -> None:
    game = ariadne(alice, bob)
    url = reverse("resign", args=[game])
    assert logged_in(charlie).post(url).status_code == 403
    assert Client().post(url).status_code == 302
    assert table(game).status == "running"
