"""``granian --interface asgi config.streams.asgi:application``: the process that holds the streams.

``GET /stream/?ticket=…`` answers with server-sent events: at first how far each game is, then each version as it comes
(``id:`` the version, ``data: {"game": …, "version": …}``, for players with the number of the last remark as ``talk``).
A comment now and then keeps the way open, and an event ``end`` asks the reader to come again with a new ticket.
``GET /healthz`` answers while the process lives.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import resource
import signal
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, Final
from urllib.parse import parse_qs

import django
import structlog

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.conf import settings  # noqa: E402 - these need Django set up

from config.streams.feed import Feed  # noqa: E402
from config.streams.hub import Full, Hub, Limits, Stream  # noqa: E402
from config.streams.publisher import channel  # noqa: E402
from config.streams.tickets import BadTicket, Ticket, read  # noqa: E402

type Message = dict[str, Any]
type Receive = Callable[[], Awaitable[Message]]
type Send = Callable[[Message], Awaitable[None]]

log = structlog.get_logger(__name__)

#: Seconds that a reader may take to accept what is sent before they are dropped, and that they wait for the database.
SLOWEST: Final = 10.0
#: Milliseconds after which a browser comes again by itself, drawn anew for each: not all come at once after a restart.
AGAIN: Final = (1000, 4000)
#: Files that the process has open beside its streams.
OTHER_FILES: Final = 200


class Streams:
    """The ASGI application."""

    def __init__(self) -> None:
        self.hub = Hub(Limits(settings.CLEW_STREAM_MOST, settings.CLEW_STREAM_PERSON, settings.CLEW_STREAM_ADDRESS))
        self.feed: Feed | None = None
        self.stopping = False

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        _raise_file_limit()
        self._stop_when_told()
        self.feed = Feed(self.hub, settings.CLEW_REDIS_URL, channel())
        feeding = asyncio.create_task(self.feed.run())
        await send({"type": "lifespan.startup.complete"})
        await receive()
        feeding.cancel()
        with suppress(asyncio.CancelledError):
            await feeding
        await send({"type": "lifespan.shutdown.complete"})

    def _stop_when_told(self) -> None:
        """End all streams on SIGTERM: granian, told by the same signal, waits for them before it says "shutdown"."""
        loop = asyncio.get_running_loop()

        def end() -> None:
            self.stopping = True
            for stream in self.hub.streams:
                stream.end()

        # The loop's own handler of the signal, which is granian's, is called all the same.
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(end))

    async def _answer(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        path = scope["path"]
        if path not in ("/stream/", "/healthz"):
            await _plain(send, 404, "There is nothing here.")
        elif scope["method"] != "GET":
            await _plain(send, 405, "Only GET is understood here.", (b"allow", b"GET"))
        elif path == "/healthz":
            await _plain(send, 200, "ok")
        else:
            await self._open(scope, receive, send)

    async def _open(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        try:
            stream = self.hub.open(_ticket(scope), _address(scope))
        except BadTicket:
            await _plain(send, 401, "The ticket is none of ours, or its minute is over. Get another.")
            return
        except Full as full:
            status, whose = (429, "you have") if full.own else (503, "there are")
            await _plain(send, status, f"As many streams as {whose} may be open are open.", (b"retry-after", b"30"))
            return
        if self.stopping:
            stream.end()
        try:
            await self._stream(stream, receive, send)
        finally:
            self.hub.close(stream)

    async def _stream(self, stream: Stream, receive: Receive, send: Send) -> None:
        assert self.feed is not None
        try:
            async with asyncio.timeout(SLOWEST):
                await self.feed.catch_up([stream])
        except Exception as error:  # noqa: BLE001 - whatever is wrong with the database
            log.warning("a stream could not be opened", error=repr(error))
            await _plain(send, 503, "Not just now.", (b"retry-after", b"5"))
            return
        if stream.shut_out:
            await _plain(send, 401, "Who got this ticket may not hear any more.")
            return
        if stream.game is not None and not stream.woken.is_set():
            await _plain(send, 404, "There is no such game any more.")
            return
        await send({"type": "http.response.start", "status": 200, "headers": _headers()})
        gone = asyncio.create_task(_until_gone(receive))
        gone.add_done_callback(lambda _: stream.woken.set())
        try:
            await _tell(stream, send, gone)
        except TimeoutError:
            log.info("a stream was dropped: its reader is too slow")
        finally:
            gone.cancel()


async def _tell(stream: Stream, send: Send, gone: asyncio.Task[None]) -> None:
    """Say what there is to say until the stream or its reader's patience ends. TimeoutError: the reader is too slow."""
    now = asyncio.get_running_loop().time
    ends = now() + settings.CLEW_STREAM_LIFETIME * random.uniform(0.9, 1.0)
    text = f"retry: {random.randint(*AGAIN)}\n\n{_lines(stream)}"
    while not gone.done():
        await _say(send, text)
        with suppress(TimeoutError):
            async with asyncio.timeout(min(settings.CLEW_STREAM_HEARTBEAT, ends - now())):
                await stream.woken.wait()
        if stream.over or now() >= ends:
            await _say(send, "event: end\ndata:\n\n", more=False)
            return
        text = _lines(stream) or ":\n\n"


def _lines(stream: Stream) -> str:
    """What the stream has to say, as events."""
    said = []
    for game, mark in stream.take().items():
        data: dict[str, Any] = {"game": game, "version": mark.version}
        if stream.hears_talk:
            data["talk"] = mark.talk
        said.append(f"id: {mark.version}\ndata: {json.dumps(data)}\n\n")
    return "".join(said)


async def _say(send: Send, text: str, *, more: bool = True) -> None:
    """Hand text to the server, which takes it when there is room in the reader's connection."""
    async with asyncio.timeout(SLOWEST):
        await send({"type": "http.response.body", "body": text.encode(), "more_body": more})


async def _until_gone(receive: Receive) -> None:
    """Return when the reader has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _plain(send: Send, status: int, text: str, *headers: tuple[bytes, bytes]) -> None:
    kind = (b"content-type", b"text/plain; charset=utf-8")
    await send({"type": "http.response.start", "status": status, "headers": [kind, *_BARE, *headers]})
    await send({"type": "http.response.body", "body": f"{text}\n".encode()})


_BARE: Final = [(b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff")]


def _headers() -> list[tuple[bytes, bytes]]:
    return [
        (b"content-type", b"text/event-stream; charset=utf-8"),
        *_BARE,
        (b"x-accel-buffering", b"no"),  # nginx would hold everything back
        (b"access-control-allow-origin", settings.CLEW_SITE_URL.encode()),
    ]


def _ticket(scope: Mapping[str, Any]) -> Ticket:
    given = parse_qs(scope["query_string"].decode("latin-1")).get("ticket", [""])
    return read(given[0])


def _address(scope: Mapping[str, Any]) -> str:
    """Where the reader is: as the one proxy in front says, where there is one."""
    if settings.CLEW_BEHIND_PROXY:
        for name, value in reversed(scope["headers"]):
            if name == b"x-forwarded-for":
                return str(value.decode("latin-1").rpartition(",")[2].strip())
    client = scope.get("client") or ("",)
    return str(client[0])


def _raise_file_limit() -> None:
    """Each stream is an open file: have as many as are needed, if the system lets us."""
    wanted = settings.CLEW_STREAM_MOST + OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted and soft != resource.RLIM_INFINITY:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        if soft < wanted:
            log.warning("fewer streams can be open than may be: too few file descriptors", files=soft, wanted=wanted)


application = Streams()
