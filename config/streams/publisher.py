"""Say on Redis that a game has moved on, after the commit, without ever failing or slowing what moved it.

Messages are JSON. Of a game: ``{"game": id, "version": n, "talk": n, "users": [id…]}``. A number that has not changed
is 0; ``users`` are those who have just sat down, so that their own streams begin to follow the game. Of who may hear no
more: ``{"shut_out": {"users": [id…], "tokens": [id…]}}``. A message may be lost: streams look into the database now and
then.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.hints import after_commit

#: Seconds that Redis may take to be reached, and to answer.
PATIENCE = 1.0


def channel() -> str:
    """Channels are shared by all databases of a Redis server: each site has its own, by its database's number."""
    return f"clew:stream:{urlsplit(settings.CLEW_REDIS_URL).path.strip('/') or '0'}"


def moved_on(game_id: uuid.UUID | str, version: int, users: Sequence[int] = ()) -> None:
    """Tell the streams of a game that it is at this version once the transaction commits; never, where it doesn't."""
    _publish(game=str(game_id), version=version, talk=0, users=list(users))


def talked(game_id: uuid.UUID | str, number: int) -> None:
    """Tell the streams of those who sit at a game the number of its last remark, once the transaction commits."""
    _publish(game=str(game_id), version=0, talk=number, users=[])


def shut_out(*, users: Iterable[int] = (), tokens: Iterable[int] = ()) -> None:
    """End the streams of closed accounts and of revoked tokens (by their ids) once the transaction commits."""
    shut = {"users": list(users), "tokens": list(tokens)}
    if any(shut.values()):
        _publish(shut_out=shut)


def _publish(**message: Any) -> None:
    if settings.CLEW_STREAM_URL:
        data = json.dumps(message)
        after_commit("stream", lambda: _connections(settings.CLEW_REDIS_URL).publish(channel(), data))


@cache
def _connections(url: str) -> redis.Redis:
    # A fork makes its own connections: redis-py sees that it is in another process.
    return redis.Redis.from_url(
        url,
        socket_connect_timeout=PATIENCE,
        socket_timeout=PATIENCE,
        retry=Retry(NoBackoff(), 1),  # once: a connection that Redis closed meanwhile
    )
