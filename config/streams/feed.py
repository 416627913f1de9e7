"""What has moved on, and who may hear no more: heard from Redis, and looked up in the database where that was missed.

A message is heard at once. Where Redis is away, streams stay open, and the database is asked every few seconds instead;
it is asked now and then all the same, since a process that is killed may have committed without saying so.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import structlog
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from config.streams import reading
from config.streams.hub import Hub, Mark, Stream

log = structlog.get_logger(__name__)

#: Seconds between two looks into the database, while messages are heard and while they aren't.
LOOK: Final = 30.0
LOOK_DEAF: Final = 3.0
#: Seconds before Redis is tried again: at first, and at most.
WAIT: Final = 0.5
LONGEST_WAIT: Final = 10.0
#: Seconds of silence after which Redis is asked whether it is there, and that it may take to be reached or to answer.
SILENCE: Final = 5.0
#: Threads that ask the database.
THREADS: Final = 2


class Feed:
    """Keeps the streams of a hub up to date."""

    def __init__(self, hub: Hub, redis_url: str, channel: str) -> None:
        self.hub = hub
        #: Whether messages are heard right now.
        self.hears = False
        self._redis_url = redis_url
        self._channel = channel
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="database")
        self._marks = reading.Together(reading.marks, self._threads)
        self._barred = reading.Together(reading.barred, self._threads)
        self._games = reading.Together(reading.games_of, self._threads)
        self._look_now = asyncio.Event()

    async def run(self) -> None:
        """Hear and look, until cancelled."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._hear())
                group.create_task(self._look())
        finally:
            self._threads.shutdown(wait=False)

    async def catch_up(self, streams: Iterable[Stream]) -> None:
        """Have streams say what they don't know yet, or end. Raises whatever the database raised.

        A person's games are followed before it is read how far those are, so nothing falls in between.
        """
        streams = list(streams)
        askers = {(stream.user, stream.token) for stream in streams if stream.user is not None}
        for user, token in await self._barred.get(askers):
            if token is None:
                self.hub.shut_out([user], [])
            else:
                self.hub.shut_out([], [token])
        people = {stream.person for stream in streams if stream.person is not None}
        for user, own in (await self._games.get(people)).items():
            self.hub.sits(user, own)
        games = {game for stream in streams for game in stream.games}
        for game, mark in (await self._marks.get(games)).items():
            self.hub.moved(game, mark)

    # --- the database -------------------------------------------------------------------------------------------------

    async def _look(self) -> None:
        while True:
            try:
                await self.catch_up(self.hub.streams)
            except Exception as error:  # noqa: BLE001 - streams stay open, whatever is wrong with the database
                log.warning("streams could not look into the database", error=repr(error))
            try:
                async with asyncio.timeout(LOOK if self.hears else LOOK_DEAF):
                    await self._look_now.wait()
            except TimeoutError:
                continue
            self._look_now.clear()

    # --- Redis --------------------------------------------------------------------------------------------------------

    async def _hear(self) -> None:
        wait, silent = WAIT, False
        while True:
            client = Redis.from_url(
                self._redis_url, socket_connect_timeout=SILENCE, socket_timeout=SILENCE, retry=Retry(NoBackoff(), 0)
            )
            try:
                async with client, client.pubsub() as pubsub:
                    await pubsub.subscribe(self._channel)
                    await self._listen(pubsub)
            except Exception as error:  # noqa: BLE001 - streams stay open, whatever is wrong with Redis
                if self.hears or not silent:
                    log.warning("streams don't hear from Redis", error=repr(error))
                wait = WAIT if self.hears else min(2 * wait, LONGEST_WAIT)
            self.hears, silent = False, True
            self._look_now.set()
            await asyncio.sleep(wait * random.uniform(0.5, 1.0))

    async def _listen(self, pubsub: PubSub) -> None:
        asked = False
        while True:
            message = await pubsub.get_message(timeout=SILENCE)
            if message is None and asked:
                raise TimeoutError("Redis does not answer")
            asked = message is None
            if message is None:
                await pubsub.ping()
            elif message["type"] == "subscribe":
                log.info("streams hear from Redis")
                self.hears = True
                self._look_now.set()  # for what was said before
            elif message["type"] == "message":
                self.heard(message["data"])

    def heard(self, data: bytes) -> None:
        """Pass on what was said on the channel."""
        try:
            said: dict[str, Any] = json.loads(data)
            if "shut_out" in said:
                shut = said["shut_out"]
                self.hub.shut_out(*([int(one) for one in shut[who]] for who in ("users", "tokens")))
                return
            mark = Mark(int(said["version"]), int(said["talk"]))
            game, users = str(said["game"]), [int(user) for user in said["users"]]
        except (ValueError, TypeError, KeyError):
            log.warning("streams heard what they don't understand", said=data[:200])
            return
        self.hub.moved(game, mark, users)
