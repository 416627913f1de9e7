"""What opens a stream, and for whom."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import pytest
from pytest_django.fixtures import Settings

from accounts.models import Token, User
from config import clock
from config.streams import tickets
from tests.api.programs import Program, in_session, problem
from tests.games.people import begun

NOON = datetime(2027, 3, 4, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def with_streams(settings: Settings) -> None:
    settings.CLEW_STREAM_URL = "/stream/"


def ticket_in(url: str) -> tickets.Ticket:
    return tickets.read(parse_qs(urlsplit(url).query)["ticket"][0])


def test_a_ticket_is_for_the_game_and_whoever_asked_and_lasts_a_minute(
    as_alice: Program, alice: User, bob: User
) -> None:
    game = begun("ariadne", alice, bob)
    with clock.frozen(NOON):
        answer = as_alice.get(f"/games/{game}/stream-ticket/")
        assert answer.status_code == 200
        assert answer["Cache-Control"] == "no-store"
        found = answer.json()
        ticket = tickets.read(found["ticket"])
        assert (ticket.game, ticket.user, ticket.hears_talk) == (game, alice.pk, True)
        assert found["expires"] == "2027-03-04T12:01:00.000Z"
        assert found["url"] == f"http://testserver/stream/?ticket={found['ticket']}"


def test_who_looks_on_hears_nothing_of_the_talk(
    as_charlie: Program, as_nobody: Program, alice: User, bob: User
) -> None:
    game = begun("ariadne", alice, bob)
    for watcher in (as_charlie, as_nobody):
        ticket = tickets.read(watcher.get(f"/games/{game}/stream-ticket/").json()["ticket"])
        assert (ticket.game, ticket.hears_talk) == (game, False)


def test_there_is_no_ticket_for_a_game_that_one_may_not_see(
    as_charlie: Program, as_nobody: Program, alice: User, bob: User
) -> None:
    game = begun("ariadne", alice, bob, admits="invited")
    for stranger in (as_charlie, as_nobody):
        for where in (game, "6f1d7c1e-5f0f-4d0e-9a52-0d9a3f4e8b11"):
            problem(stranger.get(f"/games/{where}/stream-ticket/"), 404, "not-found")


def test_ones_own_stream_is_followed_to_with_a_token_or_a_session(as_alice: Program, alice: User) -> None:
    for asker in (as_alice, in_session(alice)):
        answer = asker.get("/me/stream/")
        assert answer.status_code == 307
        assert answer["Cache-Control"] == "no-store"
        ticket = ticket_in(answer["Location"])
        token = Token.objects.get().pk if asker is as_alice else None
        assert (ticket.game, ticket.user, ticket.token) == (None, alice.pk, token)


def test_a_stream_at_another_address_is_told_as_it_is(as_alice: Program, settings: Settings) -> None:
    settings.CLEW_STREAM_URL = "https://stream.example.org/stream/"
    assert as_alice.get("/me/stream/")["Location"].startswith("https://stream.example.org/stream/?ticket=")


def test_a_site_without_streams_says_so(as_alice: Program, alice: User, bob: User, settings: Settings) -> None:
    game = begun("ariadne", alice, bob)
    settings.CLEW_STREAM_URL = ""
    for path in (f"/games/{game}/stream-ticket/", "/me/stream/"):
        assert problem(as_alice.get(path), 503, "unavailable")["code"] == "no-stream"
