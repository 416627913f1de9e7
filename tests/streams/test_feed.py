"""What is looked up in the database, in how many queries; and that nothing falls in between."""

from __future__ import annotations

import asyncio
import socket
import uuid
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from itertools import count

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import tokens
from accounts.models import User
from config import clock
from config.streams import feed as feeding
from config.streams import reading
from config.streams.feed import Feed
from config.streams.hub import Hub, Limits, Mark
from config.streams.tickets import ticket_for_game, ticket_for_person
from games import services, talking
from tests.games.people import begun, person

NOON = datetime(2027, 3, 4, 12, 0, tzinfo=UTC)


@pytest.fixture
def now() -> Iterator[clock.FrozenClock]:
    with clock.frozen(NOON) as frozen:
        yield frozen


@pytest.fixture
def alice(db: None) -> User:
    return person("alice")


@pytest.fixture
def bob(db: None) -> User:
    return person("bob")


def test_how_far_many_games_are_is_one_query(alice: User, bob: User) -> None:
    games = [begun("ariadne", alice, bob) for _ in range(5)]
    talking.say(alice, games[0], "Hello")
    talking.say(bob, games[0], "Hello")
    with CaptureQueriesContext(connection) as queries:
        found = reading.marks([*games, str(uuid.uuid4())])
    assert len(queries) == 1
    assert found == {game: Mark(5, 2 if game == games[0] else 0) for game in games}


def test_the_games_of_many_people_are_one_query_and_nobody_elses(
    alice: User, bob: User, now: clock.FrozenClock
) -> None:
    charlie = person("charlie")
    mine, ours = begun("forty_thieves", alice), begun("ariadne", alice, bob)
    begun("ariadne", charlie, bob)
    with CaptureQueriesContext(connection) as queries:
        found = reading.games_of([alice.pk, charlie.pk])
    assert len(queries) == 1
    assert set(found[alice.pk]) == {mine, ours}
    assert len(found[charlie.pk]) == 1


def test_games_that_ended_are_told_of_for_a_day_and_whose_account_is_closed_of_none(
    alice: User, bob: User, now: clock.FrozenClock
) -> None:
    game = begun("ariadne", alice, bob)
    services.resign(alice, game)
    now.advance(hours=23)
    assert reading.games_of([alice.pk]) == {alice.pk: [game]}
    now.advance(hours=2)
    assert reading.games_of([alice.pk]) == {}
    running = begun("ariadne", alice, bob)
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert reading.games_of([alice.pk, bob.pk]) == {bob.pk: [running]}


def test_whose_token_is_gone_or_whose_account_is_closed_is_shut_out(alice: User, bob: User) -> None:
    good, revoked = (tokens.make(alice, "a program", ["read"])[0].pk for _ in range(2))
    tokens.revoke(alice, revoked)
    User.objects.filter(pk=bob.pk).update(is_active=False)
    asked = [(alice.pk, None), (alice.pk, good), (alice.pk, revoked), (bob.pk, None)]
    with CaptureQueriesContext(connection) as queries:
        assert set(reading.barred(asked)) == {(alice.pk, revoked), (bob.pk, None)}
    assert len(queries) == 2


def test_of_very_many_games_those_that_moved_last_are_told(
    alice: User, bob: User, now: clock.FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "GAMES", 2)
    games = []
    for _ in range(3):
        games.append(begun("ariadne", alice, bob))
        now.advance(seconds=1)
    assert set(reading.games_of([alice.pk])[alice.pk]) == set(games[1:])


def test_those_who_ask_while_a_query_runs_are_answered_by_the_next_one_together() -> None:
    asked: list[list[int]] = []

    async def scene() -> None:
        begun, go_on = asyncio.Event(), asyncio.Event()
        loop = asyncio.get_running_loop()

        def ask(keys: Sequence[int]) -> Mapping[int, str]:
            asked.append(list(keys))
            loop.call_soon_threadsafe(begun.set)
            asyncio.run_coroutine_threadsafe(go_on.wait(), loop).result(10)
            return {key: f"{key} in query {len(asked)}" for key in keys if key != 4}

        with ThreadPoolExecutor(1) as threads:
            together = reading.Together(ask, threads)
            first = asyncio.create_task(together.get([1]))
            await begun.wait()
            others = [asyncio.create_task(together.get(keys)) for keys in ([1, 2], [2, 3], [4])]
            left = asyncio.create_task(together.get([2]))
            await asyncio.sleep(0)  # until all of them have asked
            left.cancel()
            go_on.set()
            assert await first == {1: "1 in query 1"}
            assert await asyncio.gather(*others) == [
                {1: "1 in query 2", 2: "2 in query 2"},
                {2: "2 in query 2", 3: "3 in query 2"},
                {},
            ]

    asyncio.run(scene())
    assert asked == [[1], [1, 2, 3, 4]]


def test_what_the_database_raises_is_theirs_who_asked_and_the_next_are_answered() -> None:
    async def scene() -> None:
        def ask(keys: Sequence[int]) -> Mapping[int, int]:
            return {key: 10 // key for key in keys}

        with ThreadPoolExecutor(1) as threads:
            together = reading.Together(ask, threads)
            with pytest.raises(ZeroDivisionError):
                await together.get([0])
            assert await together.get([5]) == {5: 2}

    asyncio.run(scene())


def test_what_moves_between_reading_a_persons_games_and_how_far_they_are_is_not_missed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The games are followed before their versions are read: here one moves while they are."""
    one, two = str(uuid.uuid4()), str(uuid.uuid4())
    hub = Hub(Limits(9, 9, 9))

    async def scene() -> None:
        loop = asyncio.get_running_loop()

        def marks(games: Sequence[str]) -> dict[str, Mark]:
            read = dict.fromkeys(games, Mark(3))
            loop.call_soon_threadsafe(hub.moved, one, Mark(4))
            return read

        monkeypatch.setattr(reading, "barred", lambda _askers: {})
        monkeypatch.setattr(reading, "marks", marks)
        monkeypatch.setattr(reading, "games_of", lambda users: {user: [one, two] for user in users})
        feed = Feed(hub, "redis://127.0.0.1:9/0", "nothing")
        stream = hub.open(ticket_for_person(7), "::1")
        await feed.catch_up([stream])
        assert stream.take() == {one: Mark(4), two: Mark(3)}

    asyncio.run(scene())


@pytest.fixture(params=["closed", "silent"])
def redis_away(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a Redis that can't be reached, or takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1] if request.param == "silent" else 9  # the discard port, where nobody listens
        yield f"redis://127.0.0.1:{port}/0"


def test_what_nobody_said_is_found_by_looking_into_the_database(
    redis_away: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, versions = str(uuid.uuid4()), count(1)
    monkeypatch.setattr(feeding, "LOOK_DEAF", 0.01)
    monkeypatch.setattr(feeding, "SILENCE", 0.05)
    monkeypatch.setattr(reading, "marks", lambda games: {game: Mark(next(versions)) for game in games})
    monkeypatch.setattr(reading, "barred", lambda askers: {asker: True for asker in askers if asker[1] is not None})
    hub = Hub(Limits(9, 9, 9))

    async def scene() -> None:
        feed = Feed(hub, redis_away, "nothing")
        stream = hub.open(ticket_for_game(game, 7, sits=True), "::1")
        revoked = hub.open(ticket_for_game(game, 7, sits=True, token=5), "::1")
        running = asyncio.create_task(feed.run())
        heard: list[int] = []
        async with asyncio.timeout(20):
            while len(heard) < 3:
                await stream.woken.wait()
                heard.append(stream.take()[game].version)
        assert heard == sorted(set(heard))
        assert not feed.hears
        assert revoked.over
        running.cancel()
        await asyncio.wait([running])

    asyncio.run(scene())


def test_what_is_not_understood_is_passed_over() -> None:
    hub = Hub(Limits(9, 9, 9))
    stream = hub.open(ticket_for_person(7), "::1")
    feed = Feed(hub, "redis://127.0.0.1:9/0", "nothing")
    for said in (b"", b"\xff", b"[]", b"{}", b'{"game": 1}', b'{"game": "g", "version": "x", "talk": 0, "users": []}'):
        feed.heard(said)
    feed.heard(b'{"shut_out": {}}')
    assert stream.take() == {}
    feed.heard(b'{"game": "g", "version": 2, "talk": 0, "users": [7]}')
    assert stream.take() == {"g": Mark(2)}
    feed.heard(b'{"shut_out": {"users": [7], "tokens": []}}')
    assert stream.over
