"""What the stream process answers, with a reader and a feed made up."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from config.streams import asgi
from config.streams.feed import Feed
from config.streams.hub import Hub, Limits, Mark, Stream
from config.streams.tickets import Ticket, ticket_for_game, ticket_for_person

GAME = "6f1d7c1e-5f0f-4d0e-9a52-0d9a3f4e8b11"
#: Seconds within which everything that is awaited must have come.
PATIENCE = 20


class MadeUpFeed(Feed):
    """Knows one game, at version 3 with one remark; or fails."""

    def __init__(self, hub: Hub, error: Exception | None = None) -> None:
        self.hub = hub
        self.error = error

    async def catch_up(self, streams: Iterable[Stream]) -> None:
        if self.error is not None:
            raise self.error
        self.hub.moved(GAME, Mark(3, 1))


class Reader:
    """Asks the application for something, and takes what it sends: all of it, or no more than so many messages."""

    def __init__(self, app: asgi.Streams, room: int = 1_000_000) -> None:
        self.app = app
        self.room = room
        self.sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.gone = asyncio.Event()

    def ask(
        self, ticket: Ticket | str | None = None, *, path: str = "/stream/", method: str = "GET", **headers: str
    ) -> asyncio.Task[None]:
        signed = ticket.signed() if isinstance(ticket, Ticket) else ticket
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "query_string": b"" if signed is None else f"ticket={signed}".encode(),
            "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
            "client": ("192.0.2.7", 4711),
        }
        return asyncio.create_task(self.app(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: dict[str, Any]) -> None:
        if not self.room:
            await asyncio.Event().wait()
        self.room -= 1
        self.sent.put_nowait(message)

    async def takes(self) -> Any:
        """The next message: a status, or a text."""
        message = await self.sent.get()
        return message["status"] if "status" in message else message["body"].decode()


type Scene = Callable[[asgi.Streams], Coroutine[Any, Any, None]]


def play(scene: Scene, feed: Callable[[Hub], Feed] = MadeUpFeed, limits: Limits | None = None) -> None:
    """Run a scene with a fresh application."""

    async def whole() -> None:
        app = asgi.Streams()
        app.hub.limits = limits or app.hub.limits
        app.feed = feed(app.hub)
        async with asyncio.timeout(PATIENCE):
            await scene(app)

    asyncio.run(whole())


async def done(reader: Reader, task: Awaitable[None]) -> list[Any]:
    """Everything that was sent, once the answer is complete."""
    await task
    return [await reader.takes() for _ in range(reader.sent.qsize())]


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({}, 401),
        ({"ticket": "forged"}, 401),
        ({"method": "HEAD"}, 405),
        ({"method": "POST"}, 405),
        ({"method": "OPTIONS"}, 405),
        ({"path": "/healthz"}, 200),
        ({"path": "/"}, 404),
        ({"path": "/stream"}, 404),
    ],
)
def test_whatever_is_no_stream_is_answered_plainly(asked: dict[str, str], status: int) -> None:
    async def scene(app: asgi.Streams) -> None:
        reader = Reader(app)
        first, text = await done(reader, reader.ask(**asked))
        assert first == status
        assert text.endswith("\n")
        assert app.hub.streams == set()

    play(scene)


def test_a_stream_says_how_far_the_game_is_and_then_whenever_it_moves(settings: Settings) -> None:
    async def scene(app: asgi.Streams) -> None:
        reader = Reader(app)
        reader.ask(ticket_for_game(GAME, 7, sits=True))
        start = await reader.sent.get()
        headers = dict(start["headers"])
        assert (start["status"], headers[b"content-type"]) == (200, b"text/event-stream; charset=utf-8")
        assert headers[b"access-control-allow-origin"] == settings.CLEW_SITE_URL.encode()
        assert b"set-cookie" not in headers
        retry, event, rest = (await reader.takes()).split("\n\n", 2)
        assert retry.startswith("retry: ")
        assert event.splitlines() == ["id: 3", f"data: {json.dumps({'game': GAME, 'version': 3, 'talk': 1})}"]
        assert rest == ""
        app.hub.moved(GAME, Mark(4))
        assert json.loads((await reader.takes()).partition("data: ")[2]) == {"game": GAME, "version": 4, "talk": 1}

    play(scene)


def test_a_quiet_stream_shows_that_it_is_alive(settings: Settings) -> None:
    settings.CLEW_STREAM_HEARTBEAT = 0.01

    async def scene(app: asgi.Streams) -> None:
        reader = Reader(app)
        reader.ask(ticket_for_game(GAME, 7, sits=True))
        assert await reader.takes() == 200
        await reader.takes()
        assert [await reader.takes() for _ in range(3)] == [":\n\n"] * 3

    play(scene)


def test_a_stream_ends_after_its_time_and_asks_to_be_opened_anew(settings: Settings) -> None:
    settings.CLEW_STREAM_LIFETIME = 0.05

    async def scene(app: asgi.Streams) -> None:
        reader = Reader(app)
        *_, last = await done(reader, reader.ask(ticket_for_game(GAME, 7, sits=True)))
        assert last == "event: end\ndata:\n\n"
        assert app.hub.streams == set()

    play(scene)


def test_a_stream_ends_when_its_reader_is_shut_out_and_none_opens_for_who_was_before() -> None:
    async def scene(app: asgi.Streams) -> None:
        reader = Reader(app)
        answer = reader.ask(ticket_for_person(7, token=5))
        assert await reader.takes() == 200
        await reader.takes()
        app.hub.shut_out([], [5])
        *_, last = await done(reader, answer)
        assert last == "event: end\ndata:\n\n"

    async def before(app: asgi.Streams) -> None:
        reader = Reader(app)
        status, _ = await done(reader, reader.ask(ticket_for_person(7, token=5)))
        assert status == 401
        assert app.hub.streams == set()

    class ShutsOut(MadeUpFeed):
        async def catch_up(self, streams: Iterable[Stream]) -> None:
            self.hub.shut_out([], [5])

    play(scene)
    play(before, ShutsOut)


def test_a_reader_who_takes_nothing_is_dropped_and_owed_one_line_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "SLOWEST", 0.1)

    async def scene(app: asgi.Streams) -> None:
        slow, quick = Reader(app, room=2), Reader(app)
        dropped = slow.ask(ticket_for_game(GAME, 7, sits=True))
        quick.ask(ticket_for_game(GAME, 8, sits=True))
        for reader in (slow, quick):
            assert await reader.takes() == 200
            await reader.takes()
        app.hub.moved(GAME, Mark(4))
        assert "id: 4" in await quick.takes()
        for version in range(5, 500):
            app.hub.moved(GAME, Mark(version))
        assert "id: 499" in await quick.takes(), "nobody waits for who is slow"
        (stream,) = [stream for stream in app.hub.streams if stream.user == 7]
        assert stream.take() == {GAME: Mark(499, 1)}
        await dropped
        assert [stream.user for stream in app.hub.streams] == [8]

    play(scene)


def test_a_reader_who_leaves_is_forgotten() -> None:
    async def scene(app: asgi.Streams) -> None:
        reader = Reader(app)
        answer = reader.ask(ticket_for_person(7))
        assert await reader.takes() == 200
        reader.gone.set()
        await answer
        assert app.hub.streams == set()

    play(scene)


def test_a_game_that_is_gone_is_not_found_and_a_database_that_is_away_is_not_the_end() -> None:
    async def gone(app: asgi.Streams) -> None:
        reader = Reader(app)
        status, _ = await done(
            reader, reader.ask(ticket_for_game("00000000-0000-4000-8000-000000000000", 7, sits=True))
        )
        assert status == 404

    async def away(app: asgi.Streams) -> None:
        reader = Reader(app)
        status, _ = await done(reader, reader.ask(ticket_for_game(GAME, 7, sits=True)))
        assert status == 503
        assert app.hub.streams == set()

    play(gone)
    play(away, lambda hub: MadeUpFeed(hub, ConnectionError("away")))


def test_too_many_streams_are_refused_with_a_time_to_come_again() -> None:
    async def scene(app: asgi.Streams) -> None:
        for user, status in ((7, 200), (7, 429), (8, 200), (9, 503)):
            reader = Reader(app)
            reader.ask(ticket_for_person(user))
            start = await reader.sent.get()
            assert start["status"] == status
            assert (b"retry-after" in dict(start["headers"])) == (status != 200)

    play(scene, limits=Limits(most=2, person=1, address=10))


@pytest.mark.parametrize(("behind", "statuses"), [(True, [200, 200, 429]), (False, [200, 429, 429])])
def test_an_address_is_what_the_one_proxy_says_and_else_the_connections(
    settings: Settings, behind: bool, statuses: list[int]
) -> None:
    settings.CLEW_BEHIND_PROXY = behind

    async def scene(app: asgi.Streams) -> None:
        found = []
        for user, forwarded in enumerate(("9.9.9.9, 198.51.100.1", "198.51.100.2", "8.8.8.8, 198.51.100.1")):
            reader = Reader(app)
            reader.ask(ticket_for_person(user), x_forwarded_for=forwarded)
            found.append(await reader.takes())
        assert found == statuses

    play(scene, limits=Limits(most=10, person=10, address=1))
