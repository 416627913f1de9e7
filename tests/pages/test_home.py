"""A player's own games on one page."""

from __future__ import annotations

import re

from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import services
from games.services import Terms
from games.store.models import Invitation
from tests.games.people import begun
from tests.pages.reading import field, page_of


def home(client: Client, user: User, query: str = "") -> str:
    client.force_login(user)
    answer = client.get(f"/home/{query}")
    assert answer.status_code == 200
    return page_of(answer)


def test_a_stranger_is_asked_to_log_in_and_comes_back(client: Client, db: None) -> None:
    answer = client.get("/home/")
    assert (answer.status_code, answer["Location"]) == (302, "/accounts/login/?next=/home/")


def test_who_plays_nothing_is_told_what_to_do(client: Client, alice: User) -> None:
    page = home(client, alice)
    assert "You play no game yet" in page
    assert 'href="/new/"' in page
    assert 'href="/tables/"' in page


def test_a_patience_stands_under_its_own_heading_and_is_not_counted(client: Client, alice: User) -> None:
    assert "lay out a patience for yourself" in home(client, alice)
    assert "Your patiences" not in home(client, alice)
    game = begun("forty_thieves", alice, options={"variant": "lucas"})
    page = home(client, alice)
    mine = page.partition('<h2 id="patiences">Your patiences</h2>')[2]
    assert f'<a href="/games/{game}/">Lucas</a>' in mine
    assert "<title>Your turn · Clew</title>" in page
    assert "Waiting for you since" not in page
    assert "No game waits for you yet." in page


def test_the_title_counts_the_games_that_wait(client: Client, alice: User, bob: User) -> None:
    for _ in range(2):
        begun("ariadne", alice, bob)
    assert "<title>(2) Your turn · Clew</title>" in home(client, alice)
    assert "<title>Your turn · Clew</title>" in home(client, bob)


def test_every_list_names_the_other_player_and_leads_to_the_table(
    client: Client, alice: User, bob: User, charlie: User
) -> None:
    turn, wait = begun("ariadne", alice, bob), begun("ariadne", charlie, alice)
    page = home(client, alice)
    for game, name in ((turn, "bob"), (wait, "charlie")):
        assert re.search(
            rf'<h[23]><a href="/games/{game}/">Ariadne\'s Thread</a> <span class="muted">with {name}<', page
        )
    assert "Waiting for charlie since" in page


def test_a_game_between_others_is_on_nobody_elses_page(client: Client, alice: User, bob: User, charlie: User) -> None:
    game = begun("ariadne", alice, bob)
    assert game not in home(client, charlie)


def test_an_open_table_shows_its_owner_the_link_to_send(client: Client, alice: User, bob: User) -> None:
    terms = Terms("ariadne", admits="invited")
    game = services.open_game(alice, terms, invite=[bob], invite_link=True).table.id
    token = Invitation.objects.get(token__isnull=False).token
    assert f'value="http://testserver/games/{game}/join/{token}/"' in home(client, alice)
    assert "bob is invited." in home(client, alice)
    assert str(token) not in home(client, bob)


def test_an_invitation_is_accepted_by_one_button(client: Client, alice: User, bob: User) -> None:
    game = services.open_game(alice, Terms("ariadne", admits="invited"), invite=[bob]).table.id
    page = home(client, bob)
    assert "alice invites you." in page
    form = {"command": field(page, "command"), "salt": ""}
    assert f'action="/games/{game}/sit/"' in page
    assert f'data-salt="{game}"' in page
    answer = client.post(f"/games/{game}/sit/", form)
    assert answer["Location"] == f"/games/{game}/"
    assert "invites you" not in home(client, bob)


def test_finished_games_say_how_they_ended(client: Client, alice: User, bob: User) -> None:
    services.resign(alice, begun("ariadne", alice, bob))
    assert "You lost" in home(client, alice)
    assert "You resigned." in home(client, alice)
    assert "You won" in home(client, bob)
    assert "alice resigned." in home(client, bob)


def test_finished_games_come_in_pages(client: Client, alice: User, bob: User) -> None:
    games = [begun("ariadne", alice, bob) for _ in range(11)]
    for game in games:
        services.resign(alice, game)
    first, last = home(client, alice), home(client, alice, "?page=2")
    assert games[0] not in first
    assert games[10] in first
    assert games[0] in last
    assert 'href="?page=2#finished"' in first
    for odd in ("?page=0", "?page=x", "?page=-1", "?page=٣"):
        assert games[10] in home(client, alice, odd)


def test_home_speaks_the_players_language(client: Client, alice: User, bob: User) -> None:
    alice.language = "ko"
    alice.save()
    services.resign(bob, begun("ariadne", alice, bob))
    begun("ariadne", alice, bob)
    page = home(client, alice)
    assert "<title>(1) 내 차례 · Clew</title>" in page
    assert "bob님이 기권했습니다." in page
    assert "bob님과 함께" in page


def test_home_costs_the_same_for_thirty_games_as_for_one(
    client: Client, alice: User, bob: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    begun("ariadne", alice, bob)
    client.force_login(alice)
    client.get("/home/")
    for _ in range(29):
        begun("ariadne", alice, bob)
    with django_assert_max_num_queries(10):
        page = client.get("/home/").content.decode()
    assert page.count("Waiting for you since") == 30
