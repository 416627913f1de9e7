"""Which pages hear of news by a stream, and what tells meanwhile that their reader is there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from accounts.models import User
from config import clock
from games import services
from games.services import Terms
from games.store.models import Invitation
from notifications import presence, sender
from notifications.models import InboxItem, LastVisit, Presence
from tests.games.people import a_move, begun
from tests.pages.tables import logged_in

NOON = datetime(2027, 3, 4, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def with_streams(settings: Settings) -> None:
    settings.CLEW_STREAM_URL = "/stream/"
    settings.CLEW_QUIET_SPELL = 60.0
    presence.memory.clear()


@pytest.fixture
def now() -> Iterator[clock.FrozenClock]:
    with clock.frozen(NOON) as frozen:
        yield frozen


def page_of(client: Client, game: str) -> str:
    return client.get(reverse("table", args=[game])).content.decode()


def test_a_tables_page_is_told_where_the_stream_is_and_how_far_it_shows_the_game(alice: User, bob: User) -> None:
    game = begun("ariadne", alice, bob)
    page = page_of(logged_in(alice), game)
    assert 'data-stream="/stream/"' in page
    assert f'data-tickets="/api/v1/games/{game}/stream-ticket/"' in page
    assert 'data-version="5"' in page


def test_who_may_ask_for_no_ticket_polls(alice: User, bob: User, settings: Settings) -> None:
    table = services.open_game(alice, Terms("ariadne", admits="invited"), invite_link=True).table
    link = Invitation.objects.get(game__pk=table.id)
    client = Client()
    client.get(reverse("invitation", args=[table.id, link.token]))
    page = page_of(client, table.id)
    assert "data-state-url" in page
    assert "data-stream" not in page
    settings.CLEW_STREAM_URL = ""
    assert "data-stream" not in page_of(logged_in(alice), begun("ariadne", alice, bob))


def test_a_table_where_nothing_can_happen_any_more_hears_of_nothing(alice: User, bob: User) -> None:
    assert "data-stream" not in page_of(logged_in(alice), begun("forty_thieves", alice))
    over = begun("ariadne", alice, bob)
    services.resign(alice, over)
    assert "data-stream" not in page_of(Client(), over)
    assert "data-stream" in page_of(logged_in(alice), over), "the talk goes on"


class Tab:
    """A page of a table beside an open stream: it asks when there is news, and to say that its reader is there."""

    def __init__(self, user: User, game: str) -> None:
        self.client = logged_in(user)
        self.url = reverse("table-state", args=[game])
        self.there = int(re.search(r'data-there="(\d+)"', page_of(self.client, game))[1])  # type: ignore[index]

    def asks(self, **headers: Any) -> None:
        assert self.client.get(self.url, headers=headers).status_code == 200


def test_whoever_has_the_page_beside_a_stream_before_them_is_not_mailed_until_they_leave(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: list[Any]
) -> None:
    game = begun("ariadne", alice, bob)
    sender.send_due()
    tab = Tab(bob, game)
    now.advance(hours=1)
    services.play(alice, game, a_move(game)[1])
    mailoutbox.clear()
    tab.asks()  # at once: the stream told
    for _ in range(10 * 60 // tab.there):
        now.advance(seconds=tab.there)
        tab.asks()
        sender.send_due()
    assert mailoutbox == []
    now.advance(seconds=120)
    sender.send_due()
    assert [mail.to for mail in mailoutbox] == [["bob@example.org"]]


def test_a_page_that_lies_under_others_asks_and_its_reader_is_mailed_all_the_same(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: list[Any]
) -> None:
    game = begun("ariadne", alice, bob)
    sender.send_due()
    tab = Tab(bob, game)
    now.advance(hours=1)
    services.play(alice, game, a_move(game)[1])
    mailoutbox.clear()
    for _ in range(4):
        tab.asks(x_page="hidden")
        now.advance(seconds=15)
    assert InboxItem.objects.filter(user=bob, game=game, read_at__isnull=True).exists(), "nobody has seen it"
    sender.send_due()
    assert [mail.to for mail in mailoutbox] == [["bob@example.org"]]


def test_what_a_page_asks_for_by_itself_beside_a_stream_is_no_visit(alice: User, bob: User) -> None:
    game = begun("ariadne", alice, bob)
    for path in (f"/api/v1/games/{game}/stream-ticket/", reverse("talk", args=[game])):
        assert logged_in(alice).get(path, headers={"X-Requested-With": "fetch"}).status_code == 200
    assert not LastVisit.objects.exists()
    assert not Presence.objects.exists()
