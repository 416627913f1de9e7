"""A patience on its pages: dealt by number, played at once, taken back, hinted, given up; with and without a script."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from accounts.models import User
from games import services
from games.engine.contract import Move
from games.engine.forty_thieves_eyes import group_moves
from games.pages.boards import board_for
from games.services import Terms
from games.table.state import Table
from tests.games.people import events, table
from tests.pages.tables import cards, hidden, logged_in, text, touches

SCRIPT = {"X-Requested-With": "fetch"}
BOARD = board_for("forty_thieves")


def patience(user: User, variant: str = "streets", number: int = 12345, **terms: Any) -> str:
    wanted = Terms("forty_thieves", {"variant": variant}, **{"admits": "invited", "number": number, **terms})
    return services.open_game(user, wanted).table.id


def view(now: Table) -> dict[str, Any]:
    return now.rules.view(now.state, 0)


def sensible(now: Table) -> Move | None:
    return BOARD.hint(view(now), now.rules.legal_moves(now.state))


def play_on(user: User, game: str, moves: int) -> None:
    """So many hints later."""
    now = table(game)
    state = now.state
    found: list[Move] = []
    while len(found) < moves:
        move = BOARD.hint(now.rules.view(state, 0), now.rules.legal_moves(state))
        assert move is not None
        found.append(move)
        state = now.rules.play(state, move).state
    services.play_many(user, game, found)


def touched_for(now: Table, move: Move) -> list[str]:
    (way,) = BOARD.ways(view(now), [move])
    return [slot.choices[-1].touch for slot in way.slots]


def page(client: Client, game: str, **query: str) -> str:
    return text(client.get(reverse("table", args=[game]), query))


def do(client: Client, name: str, game: str, *, script: bool = True, **fields: Any) -> Any:
    data = {"step": str(table(game).step), **fields}
    return client.post(reverse(name, args=[game]), data, headers=SCRIPT if script else {})


# --- a new one ----------------------------------------------------------------------------------------------------


def new(client: Client, variant: str = "lucas", **fields: str) -> Any:
    return client.post(reverse("new-game", args=[variant]), {"command": "c", **fields})


def game_of(answer: Any) -> str:
    return str(answer["Location"].split("/")[2])


def test_a_patience_begins_at_once_and_alone(alice: User, bob: User) -> None:
    answer = new(logged_in(alice), number="77")
    game = game_of(answer)
    now = table(game)
    assert (now.status, now.opened.options, now.opened.number) == ("running", {"variant": "lucas"}, "77")
    assert now.opened.admits == "invited"
    assert logged_in(bob).get(answer["Location"]).status_code == 404
    shown = page(logged_in(alice), game)
    assert "Lucas" in shown
    assert ">77</a>" in shown


def test_others_may_watch_if_the_player_likes(alice: User, bob: User) -> None:
    game = game_of(new(logged_in(alice), watched="on"))
    shown = page(logged_in(bob), game)
    assert "alice is playing" in shown
    assert touches(shown) == []
    for name in ("move", "undo", "redo", "hint", "resign"):
        assert do(logged_in(bob), name, game).status_code == 403
    assert table(game).step == 1


def test_a_deal_has_a_number_also_if_nobody_chose_one_and_the_same_number_has_the_same_cards(
    alice: User, bob: User
) -> None:
    first = game_of(new(logged_in(alice), "indian"))
    number = table(first).opened.number
    second = game_of(new(logged_in(bob), "indian", number=str(number)))
    assert cards(page(logged_in(alice), first)) == cards(page(logged_in(bob), second))


@pytest.mark.parametrize("number", ["0", "-1", "x", "1.5", "1" * 22])
def test_a_number_that_is_none_is_told_in_the_form(alice: User, number: str) -> None:
    answer = new(logged_in(alice), number=number)
    assert answer.status_code == 422
    assert 'id="id_number_error"' in text(answer)


def test_the_link_of_a_deal_leads_to_its_number(alice: User) -> None:
    client = logged_in(alice)
    shown = page(client, patience(alice, "maria", 99))
    (link,) = re.findall(r'href="(/new/maria/\?number=99)"', shown)
    assert 'value="99"' in text(client.get(link))


def test_this_deal_again_and_another_deal_are_one_press_each(alice: User) -> None:
    client = logged_in(alice)
    shown = page(client, patience(alice, "maria", 99))
    again, other = re.findall(r'name="command" value="((?:again|other)-\w+)"', shown)
    game = game_of(new(client, "maria", command=again, number="99"))
    assert table(game).opened.number == "99"
    assert table(game_of(new(client, "maria", command=other))).opened.number != "99"


# --- moves --------------------------------------------------------------------------------------------------------


def test_touching_a_move_makes_it_and_answers_with_the_table(alice: User) -> None:
    game, client = patience(alice), logged_in(alice)
    for _ in range(30):
        now = table(game)
        move = sensible(now)
        assert move is not None
        answer = do(client, "move", game, touch=touched_for(now, move))
        assert answer.status_code == 200
        assert table(game).line[-1].step.move == move  # type: ignore[union-attr]  # a move is the latest step
        assert cards(text(answer)) == cards(page(client, game))


def test_without_a_script_what_is_ticked_is_tried_in_both_orders(alice: User) -> None:
    game, client = patience(alice), logged_in(alice)
    for order in (1, -1):
        now = table(game)
        while (move := sensible(table(game)))["type"] != "move":  # type: ignore[index]  # there is one here
            services.play(alice, game, move)
        now = table(game)
        answer = do(client, "move", game, script=False, touch=touched_for(now, move or {})[::order], action="move")
        assert (answer.status_code, answer["Location"]) == (303, reverse("table", args=[game]))
        assert table(game).line[-1].step.move == move  # type: ignore[union-attr]  # a move is the latest step


def test_with_the_script_the_order_counts(alice: User) -> None:
    game, client = patience(alice), logged_in(alice)
    while (move := sensible(table(game)))["type"] != "move" or move["to"] == "f":  # type: ignore[index]  # there is one
        services.play(alice, game, move)
    before = table(game)
    answer = do(client, "move", game, touch=touched_for(before, move or {})[::-1])
    assert answer.status_code == 422
    assert table(game) == before


def test_nothing_ticked_is_no_move_and_turning_can_be_chosen(alice: User) -> None:
    game, client = patience(alice), logged_in(alice)
    assert do(client, "move", game, script=False, action="move").status_code == 422
    assert do(client, "move", game, script=False, action="draw").status_code == 303
    assert table(game).line[-1].step.move == {"type": "draw"}  # type: ignore[union-attr]  # a move is the latest step


def test_an_illegal_try_is_answered_with_the_rule(alice: User) -> None:
    game, client = patience(alice), logged_in(alice)
    now = table(game)
    query = {"touch": ["pile:t1.1"], "step": str(now.step)}
    answer = client.get(reverse("table-preview", args=[game]), query)
    assert (answer.status_code, text(answer)) == (422, "Cards move one at a time in this game.")
    refused = do(client, "move", game, touch=["pile:t1.4", "pile:f"])
    assert refused.status_code == 422
    assert "A foundation takes the next card of its suit" in text(refused)


def test_a_move_can_be_looked_at_without_what_it_turns_up(alice: User) -> None:
    game, client = patience(alice, "indian"), logged_in(alice)
    query = {"touch": ["pile:s"], "step": "1"}
    answer = client.get(reverse("table-preview", args=[game]), query)
    assert answer.status_code == 200
    assert sorted(cards(text(answer))) == sorted(cards(page(client, game)))


def test_all_up_makes_single_moves_in_one_append_and_only_once(alice: User) -> None:
    game, client = patience(alice, "lucas", 3), logged_in(alice)
    while 'value="all_up"' not in page(client, game):
        services.play(alice, game, {"type": "draw"})
    before = table(game)
    up = BOARD.shortcuts(view(before))[0].moves
    for _ in range(2):
        assert do(client, "move", game, action="all_up", command="up", step=str(before.step)).status_code == 200
    after = table(game)
    assert after.version == before.version + len(up)
    assert [entry.step.move for entry in after.line[-len(up) :]] == list(up)  # type: ignore[union-attr]  # moves
    assert events(game)[-len(up)].command == "0:up"


def test_a_group_goes_through_empty_columns_by_two_touches(alice: User) -> None:
    game, client = patience(alice, "lucas", 12345), logged_in(alice)
    play_on(alice, game, 60)
    groups = [found for found in BOARD.shortcuts(view(table(game))) if found.touches]
    before = table(game)
    assert do(client, "move", game, touch=list(groups[0].touches)).status_code == 200
    made = [entry.step.move for entry in table(game).line[len(before.line) :]]  # type: ignore[union-attr]  # moves
    assert made == list(groups[0].moves)
    assert group_moves(view(before), made[-1]["to"], 1, "t1") == []


def test_a_stale_page_is_shown_the_present_table(alice: User) -> None:
    game, client = patience(alice), logged_in(alice)
    services.play(alice, game, {"type": "draw"})
    tried: list[tuple[str, dict[str, Any]]] = [("move", {"touch": ["pile:s"]}), ("undo", {}), ("redo", {})]
    for name, fields in [*tried, ("move", {"action": "all_up"})]:
        answer = do(client, name, game, **{**fields, "step": "1"})
        assert answer.status_code == 409, name
        assert "The table has moved on" in text(answer)
    assert table(game).step == 2


# --- taking back --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("script", [True, False])
def test_a_move_is_taken_back_and_played_again(alice: User, script: bool) -> None:
    game, client = patience(alice), logged_in(alice)
    services.play(alice, game, {"type": "draw"})
    before = table(game)
    status = 200 if script else 303
    assert do(client, "undo", game, script=script).status_code == status
    assert (table(game).state, table(game).undos) == (before.line[0].before and before.line[1].before, 1)
    assert do(client, "redo", game, script=script).status_code == status
    assert table(game).state == before.state


def test_taking_back_twice_by_the_same_form_takes_back_once(alice: User) -> None:
    game, client = patience(alice), logged_in(alice)
    services.play_many(alice, game, [{"type": "draw"}] * 3)
    shown = page(client, game)
    fields: dict[str, Any] = {"command": hidden(shown, "command"), "step": hidden(shown, "step")}
    for _ in range(2):
        assert do(client, "undo", game, **fields).status_code == 200
    assert len(table(game).line) == 3


def test_the_list_of_moves_takes_back_to_any_step_of_it(alice: User) -> None:
    game, client = patience(alice), logged_in(alice)
    services.play_many(alice, game, [{"type": "draw"}] * 5)
    shown = page(client, game)
    steps = re.findall(r'name="to_step" value="(\d+)"', shown)
    assert steps == ["1", "2", "3", "4", "5"]
    assert do(client, "undo", game, to_step=steps[2]).status_code == 200
    assert len(table(game).line) == 3


def test_looking_back_leads_to_playing_on_from_there(alice: User) -> None:
    game, client = patience(alice), logged_in(alice)
    services.play_many(alice, game, [{"type": "draw"}] * 5)
    shown = text(client.get(reverse("replay", args=[game]), {"step": "2"}))
    assert hidden(shown, "to_step") == "2"
    assert client.post(reverse("undo", args=[game]), {"to_step": "2", "command": "x"}).status_code == 303
    assert len(table(game).line) == 2


@pytest.mark.parametrize(("name", "fields"), [("undo", {}), ("redo", {}), ("undo", {"to_step": "99"})])
def test_what_can_not_be_taken_back_is_refused_with_the_reason(alice: User, name: str, fields: dict[str, Any]) -> None:
    game = patience(alice)
    answer = do(logged_in(alice), name, game, **fields)
    assert answer.status_code == 422
    assert "data-refusal" in text(answer)


def test_buttons_that_would_do_nothing_are_off(alice: User) -> None:
    game, client = patience(alice), logged_in(alice)

    def off(name: str) -> bool:
        (button,) = re.findall(rf'<button[^>]*formaction="[^"]*/{name}/"[^>]*data-key[^>]*>', page(client, game))
        return "disabled" in button

    assert (off("undo"), off("redo")) == (True, True)
    services.play(alice, game, {"type": "draw"})
    assert (off("undo"), off("redo")) == (False, True)
    services.undo(alice, game)
    assert (off("undo"), off("redo")) == (True, False)


# --- hints, the end -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("script", [True, False])
def test_a_hint_names_a_move_outlines_it_and_is_counted(alice: User, script: bool) -> None:
    game, client = patience(alice), logged_in(alice)
    move = sensible(table(game))
    assert move is not None
    shown = text(do(client, "hint", game, script=script, command="h"))
    assert "Hint: " in shown
    for touch in touched_for(table(game), move):
        assert re.search(rf'class="[^"]*hinted[^"]*" data-touch="{re.escape(touch)}"', shown)
    do(client, "hint", game, script=script, command="h")
    assert table(game).hints == 1
    assert "hinted" not in page(client, game)


def stuck(user: User) -> str:
    """The id of a patience in which nothing at all is legal any more."""
    for number in range(1, 60):
        game = patience(user, "forty-thieves", number)
        now = table(game)
        state, moves = now.state, []
        while (move := BOARD.hint(now.rules.view(state, 0), now.rules.legal_moves(state))) is not None:
            moves.append(move)
            state = now.rules.play(state, move).state
        if now.rules.awaits(state) is None and len(moves) < 104:
            services.play_many(user, game, moves)
            return game
        for first in range(0, len(moves), 100):
            services.play_many(user, game, moves[first : first + 100])
        if table(game).stuck:
            return game
    raise AssertionError("no game got stuck")


def test_a_stuck_patience_says_so_and_ends_when_its_player_says_so(alice: User) -> None:
    game, client = stuck(alice), logged_in(alice)
    shown = page(client, game)
    assert "Nothing is legal any more: take back, or give up." in shown
    assert re.search(r'formaction="[^"]*/hint/"[^>]*disabled', shown)
    assert "Give this patience up?" in text(client.get(reverse("resign", args=[game])))
    client.post(reverse("resign", args=[game]), {"command": "r"})
    shown = page(client, game)
    assert "Lost: nothing was legal any more." in shown
    assert "on the foundations · taken back: 0, hints: 0" in shown
    assert touches(shown) == []


def test_giving_up_asks_first_and_the_result_tells_what_was_taken_back_and_hinted(alice: User) -> None:
    game, client = patience(alice), logged_in(alice)
    services.play(alice, game, {"type": "draw"})
    services.undo(alice, game)
    services.take_hint(alice, game)
    assert client.get(reverse("resign", args=[game])).status_code == 200
    assert table(game).status == "running"
    client.post(reverse("resign", args=[game]), {"command": "r"})
    shown = page(client, game)
    assert "You gave up." in shown
    assert "taken back: 1, hints: 1" in shown
    assert "deal number 12345" in shown
    home = text(client.get(reverse("home")))
    assert "Not solved" in home
    assert "Streets" in home


def test_a_finished_patience_is_looked_back_at_and_downloaded(alice: User) -> None:
    game, client = patience(alice, "indian"), logged_in(alice)
    play_on(alice, game, 20)
    services.resign(alice, game)
    closed = text(client.get(reverse("replay", args=[game]), {"step": "5", "eyes": "0"}))
    opened = text(client.get(reverse("replay", args=[game]), {"step": "5"}))
    assert len(cards(closed)) < len(cards(opened))
    record = client.get(reverse("record", args=[game])).json()
    assert record["shuffle"]["number"] == 12345
    assert len(record["steps"]) == 21


# --- finding, languages, costs ------------------------------------------------------------------------------------


def test_a_card_is_found_without_a_script(alice: User) -> None:
    game, client = patience(alice), logged_in(alice)
    card = cards(page(client, game))[0]
    shown = page(client, game, rank=card[0], suit=card[1])
    found = re.findall(r'class="[^"]*found[^"]*"[^>]*data-card="(\w+)"', shown)
    assert set(found) == {card}
    for rank, suit in (("", "S"), ("1", "S"), ("A", "X"), ("AA", "S"), ('"', "<")):
        assert "found" not in re.sub(r"data-found|foundation", "", page(client, game, rank=rank, suit=suit))


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_page_of_a_patience_is_there_in_both_languages(alice: User, language: str) -> None:
    alice.language = language
    alice.save()
    client = logged_in(alice)
    game = patience(alice)
    services.play(alice, game, {"type": "draw"})
    paths = [reverse(name, args=[game]) for name in ("table", "resign", "replay")]
    paths += [reverse(name, args=["streets"]) for name in ("new-game", "rules-page")]
    for path in paths:
        with translation.override("en"):  # what a page activates ends here
            shown = text(client.get(path))
        assert f'<html lang="{language}"' in shown
        assert ("스트리츠" if language == "ko" else "Streets") in shown


def test_the_table_and_a_move_cost_few_queries(alice: User, django_assert_max_num_queries: Any) -> None:
    game, client = patience(alice), logged_in(alice)
    play_on(alice, game, 30)
    page(client, game)
    with django_assert_max_num_queries(10):
        page(client, game)
    with django_assert_max_num_queries(25):
        do(client, "move", game, touch=["pile:s"])
    with django_assert_max_num_queries(25):
        do(client, "undo", game)


def test_the_answer_to_a_move_stays_small_in_a_long_game(alice: User) -> None:
    game, client = patience(alice, "little-forty", 5), logged_in(alice)
    play_on(alice, game, 100)
    play_on(alice, game, 50)
    move = sensible(table(game))
    assert move is not None
    answer = do(client, "move", game, touch=touched_for(table(game), move))
    assert answer.status_code == 200
    assert len(answer.content) < 70_000
