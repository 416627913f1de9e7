"""Invitation links: for friends who have an account, and for friends who have none yet."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import User
from games import services
from games.services import Terms
from games.store.models import Event, Invitation, Seat
from tests.games.people import table
from tests.pages.reading import field, page_of


@pytest.fixture
def link(alice: User) -> str:
    """The link to Alice's table for invited people, where she begins."""
    terms = Terms("ariadne", admits="invited", opener_seat="first")
    game = services.open_game(alice, terms, invite_link=True).table.id
    return f"/games/{game}/join/{Invitation.objects.get().token}/"


def game_of(link: str) -> str:
    return link.split("/")[2]


def test_a_link_says_who_invites_to_what(client: Client, bob: User, link: str) -> None:
    client.force_login(bob)
    page = page_of(client.get(link))
    assert "alice invites you to Ariadne's Thread" in page
    assert "<dt>Begins</dt><dd>alice</dd>" in page
    assert f'data-salt="{game_of(link)}"' in page


def test_sitting_down_by_a_link_starts_the_game(client: Client, bob: User, link: str) -> None:
    client.force_login(bob)
    form = {"command": field(page_of(client.get(link)), "command"), "salt": "salt-of-bob"}
    answers = [client.post(link, form) for _ in range(2)]
    assert {answer["Location"] for answer in answers} == {f"/games/{game_of(link)}/"}
    now = table(game_of(link))
    assert (now.status, now.salts[1].text, now.salts[1].by) == ("running", "salt-of-bob", "player")


def test_looking_at_a_link_changes_nothing_of_the_game(client: Client, bob: User, link: str) -> None:
    before = Event.objects.count()
    for _ in range(2):
        client.get(link)
        client.head(link)
    client.force_login(bob)
    client.get(link)
    assert Event.objects.count() == before
    assert Seat.objects.count() == 1


def test_who_has_no_account_is_brought_back_after_signing_up(client: Client, link: str) -> None:
    page = page_of(client.get(link))
    assert f'href="/accounts/signup/?next={link}"' in page
    assert f'href="/accounts/login/?next={link}"' in page
    answer = client.post(link, {"salt": "", "command": "c"})
    assert (answer.status_code, answer["Location"]) == (302, f"/accounts/login/?next={link}")
    assert Seat.objects.count() == 1


def test_after_following_a_link_the_table_can_be_looked_at(client: Client, bob: User, link: str) -> None:
    client.force_login(bob)
    address = f"/games/{game_of(link)}/"
    assert client.get(address).status_code == 404
    client.get(link)
    assert client.get(address).status_code == 200


def test_a_link_followed_before_logging_in_is_remembered_after(client: Client, bob: User, link: str) -> None:
    client.get(link)
    client.force_login(bob)
    assert client.get(f"/games/{game_of(link)}/").status_code == 200


@pytest.mark.parametrize("token", ["wrong", "%00", "%C3%A9", "a" * 43])
def test_a_wrong_link_is_not_found_by_anybody(client: Client, alice: User, bob: User, link: str, token: str) -> None:
    wrong = f"/games/{game_of(link)}/join/{token}/"
    for user in (None, bob, alice):
        if user:
            client.force_login(user)
        assert client.get(wrong).status_code == 404
        assert client.post(wrong).status_code == 404
    assert client.get(f"/games/{game_of(link)}/").status_code == 200
    assert Seat.objects.count() == 1


def test_who_sits_there_already_goes_to_the_table(client: Client, alice: User, link: str) -> None:
    client.force_login(alice)
    for answer in (client.get(link), client.post(link)):
        assert answer["Location"] == f"/games/{game_of(link)}/"


def test_who_comes_late_is_told_kindly(client: Client, bob: User, charlie: User, link: str) -> None:
    client.force_login(charlie)
    page = page_of(client.get(link))
    services.sit_down(bob, game_of(link), token=link.split("/")[-2])
    answer = client.post(link, {"salt": "", "command": field(page, "command")})
    assert answer.status_code == 409
    assert "somebody has sat down before you" in page_of(answer)
    assert "somebody has sat down before you" in page_of(client.get(link))
    assert client.get(link).status_code == 200
    assert not Seat.objects.filter(user=charlie).exists()


def test_a_bad_salt_is_refused_in_words(client: Client, bob: User, link: str) -> None:
    client.force_login(bob)
    answer = client.post(link, {"salt": "short", "command": "c"})
    assert answer.status_code == 409
    assert "A salt is 8 to 64 printable characters without spaces." in page_of(answer)


def test_a_browser_remembers_the_latest_twenty_links(client: Client, alice: User) -> None:
    links = []
    for _ in range(21):
        game = services.open_game(alice, Terms("ariadne", admits="invited"), invite_link=True).table.id
        links.append(f"/games/{game}/join/{Invitation.objects.get(game__pk=game).token}/")
        client.get(links[-1])
    found = [client.get(f"/games/{game_of(link)}/").status_code for link in links]
    assert found == [404] + [200] * 20


def test_a_link_speaks_korean(client: Client, link: str) -> None:
    page = page_of(client.get(link, headers={"accept-language": "ko"}))
    assert "alice님이 아리아드네의 실에 초대합니다" in page


def test_no_search_engine_or_cache_keeps_a_link(client: Client, link: str) -> None:
    answer = client.get(link)
    assert "no-store" in answer["Cache-Control"]
    assert answer["Referrer-Policy"] == "same-origin"
