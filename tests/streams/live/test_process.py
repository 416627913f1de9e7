"""The stream process for real: what reaches whom, and what it survives."""

from __future__ import annotations

import json
from signal import SIGKILL, SIGTERM

import pytest

from accounts import tokens
from accounts.models import User
from config import hints
from config.streams.tickets import ticket_for_game, ticket_for_person
from games import services, talking
from tests.games.people import a_move, begun, person, table
from tests.plugins.servers import wait_until
from tests.streams.live.conftest import Backstage
from tests.streams.live.process import StreamProcess, until

pytestmark = pytest.mark.any_database


def move(game: str, *players: User) -> int:
    """Have the awaited player move; the version after it."""
    seat, wanted = a_move(game)
    return services.play(players[seat], game, wanted).table.version


def test_a_move_reaches_players_and_watchers_and_the_own_streams_of_players_alone(
    streams: StreamProcess, alice: User, bob: User, charlie: User
) -> None:
    game = begun("ariadne", alice, bob)
    version = table(game).version
    player = streams.listen(ticket_for_game(game, alice.pk, sits=True))
    watcher = streams.listen(ticket_for_game(game, None, sits=False))
    own = {user: streams.listen(ticket_for_person(user.pk)) for user in (alice, bob, charlie)}
    listeners = [player, watcher, own[alice], own[bob]]
    for listener in listeners:
        listener.hears(game, version)
    version = move(game, alice, bob)
    for listener in listeners:
        listener.hears(game, version)
    talking.say(bob, game, "Well played")
    until(lambda: player.said[-1]["talk"] == 1, "the player hears that something was said")
    theirs = begun("ariadne", bob, charlie)
    for user in (bob, charlie):
        own[user].hears(theirs, table(theirs).version)
    move(game, alice, bob)
    player.hears(game, version + 1)
    assert set(own[charlie].versions) == {theirs}
    assert theirs not in own[alice].versions
    assert all(set(said) == {"game", "version"} for said in watcher.said), "nothing of the talk"
    assert all(set(said) == {"game", "version", "talk"} for said in player.said), "numbers and nothing else"


def test_a_stream_ends_at_once_with_the_token_that_opened_it_or_with_the_account(
    streams: StreamProcess, bob: User
) -> None:
    dora = person("dora")  # these tests have one database, and she won't be back
    game = begun("ariadne", dora, bob)
    token, _secret = tokens.make(dora, "a program", ["read"])
    ticket = ticket_for_person(dora.pk, token=token.pk)
    by_token, by_session = streams.listen(ticket), streams.listen(ticket_for_person(dora.pk))
    theirs = streams.listen(ticket_for_person(bob.pk))
    for listener in (by_token, by_session, theirs):
        listener.hears(game, table(game).version)
    tokens.revoke(dora, token.pk)
    assert wait_until(lambda: by_token.ended, 10), "long before the database is looked into"
    assert by_token.events == ["end"]
    assert streams.listen(ticket).status == 401
    dora.is_active = False
    dora.save()
    assert wait_until(lambda: by_session.ended, 10)
    assert not theirs.ended


def test_a_process_that_is_killed_and_started_again_tells_how_far_things_are(
    streams: StreamProcess, alice: User, bob: User
) -> None:
    game = begun("ariadne", alice, bob)
    before = streams.listen(ticket_for_game(game, alice.pk, sits=True))
    before.hears(game, table(game).version)
    streams.stop(SIGKILL)
    until(lambda: before.ended, "the stream breaks")
    version = move(game, alice, bob)
    assert hints.flush(5)
    streams.start()
    after = [
        streams.listen(ticket) for ticket in (ticket_for_game(game, alice.pk, sits=True), ticket_for_person(bob.pk))
    ]
    for listener in after:
        listener.hears(game, version)
    version = move(game, alice, bob)
    for listener in after:
        listener.hears(game, version)


def test_a_valkey_that_is_killed_and_comes_back_empty_costs_no_stream_and_no_move(
    streams: StreamProcess, backstage: Backstage, alice: User, bob: User, charlie: User
) -> None:
    valkey = backstage.valkey
    game = begun("ariadne", alice, bob)
    listeners = [streams.listen(ticket_for_game(game, bob.pk, sits=True)), streams.listen(ticket_for_person(alice.pk))]
    for listener in listeners:
        listener.hears(game, table(game).version)
    valkey.stop(SIGKILL)
    version = move(game, alice, bob)
    joined = begun("ariadne", charlie, alice)
    for listener in listeners:
        listener.hears(game, version)
    listeners[1].hears(joined, table(joined).version)
    assert hints.flush(30)
    valkey.start()
    version = move(game, alice, bob)
    for listener in listeners:
        listener.hears(game, version)
    assert not any(listener.ended for listener in listeners)


def test_what_is_said_can_be_read_as_server_sent_events(streams: StreamProcess, alice: User, bob: User) -> None:
    game = begun("ariadne", alice, bob)
    listener = streams.listen(ticket_for_game(game, alice.pk, sits=True), read=False)
    assert listener.answer.headers["Content-Type"] == "text/event-stream; charset=utf-8"
    assert "Set-Cookie" not in listener.answer.headers
    lines = [listener.answer.readline().decode() for _ in range(5)]
    assert lines[0].startswith("retry: ")
    assert lines[1:4] == ["\n", "id: 5\n", f"data: {json.dumps({'game': game, 'version': 5, 'talk': 0})}\n"]
    assert lines[4] == "\n"
    assert streams.listen("forged").status == 401


def test_a_process_that_is_told_to_stop_asks_its_readers_to_come_again_and_stops(
    streams: StreamProcess, alice: User, bob: User
) -> None:
    game = begun("ariadne", alice, bob)
    listener = streams.listen(ticket_for_game(game, alice.pk, sits=True))
    listener.hears(game, table(game).version)
    streams.stop(SIGTERM)
    until(lambda: listener.ended, "the stream ends")
    assert listener.events == ["end"]
