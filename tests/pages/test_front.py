"""What a stranger sees first."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import User
from games.engine.cards import RANK_NUMBER
from games.pages import drawings
from tests.pages.reading import cards_on


@pytest.mark.django_db
def test_the_front_page_says_what_this_is_and_how_to_begin(client: Client) -> None:
    page = client.get("/").content.decode()
    assert "be mailed when it is your turn" in page
    assert "Ariadne&#x27;s Thread" in page
    assert 'href="/accounts/signup/"' in page


@pytest.mark.django_db
def test_the_front_page_speaks_korean_to_a_korean_browser(client: Client) -> None:
    page = client.get("/", headers={"accept-language": "ko"}).content.decode()
    assert '<html lang="ko"' in page
    assert "아리아드네의 실" in page
    assert "be mailed" not in page


@pytest.mark.django_db
def test_the_front_page_shows_a_table_that_was_really_played(client: Client) -> None:
    table = drawings.played()
    lying = [entry["card"] for entry in table["table"]]
    assert len(lying) == len(set(lying)) == 27
    assert cards_on(client.get("/").content.decode()) == {*lying, "JK"}
    assert {thread["seat"] for thread in table["threads"]} == {0, 1}
    assert set(lying) <= set(RANK_NUMBER)
    page = client.get("/").content.decode()
    black, red = table["provisional"]
    assert f"black {black} points and red {red}" in page


def test_who_is_logged_in_goes_on_to_their_games(client: Client, alice: User) -> None:
    client.force_login(alice)
    answer = client.get("/")
    assert (answer.status_code, answer["Location"]) == (302, "/home/")


@pytest.mark.django_db
def test_the_front_page_promises_nothing_that_is_not_there(client: Client) -> None:
    page = client.get("/").content.decode().lower()
    assert "computer" not in page
    assert "guest" not in page
