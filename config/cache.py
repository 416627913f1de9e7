"""The cache on Redis, which may be away: requests go on as if it were empty.

Nothing that is true is kept there, only counts: so what asks it for leave is given it, and limits limit nobody.
"""

import threading
import time
from collections.abc import Callable
from functools import wraps
from typing import Any

import structlog
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis import RedisError

log = structlog.get_logger(__name__)

#: Seconds without another try after one that failed, so that few requests wait for a Redis that doesn't answer.
PAUSE = 5.0
#: Seconds from one line in the log to the next.
SILENCE = 60.0


class Outage:
    """What a process knows of one Redis: whether it was away a moment ago. Django has a cache object per thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._until = self._said = float("-inf")
        self._away = False

    def ask[T](self, call: Callable[[], T], otherwise: T) -> T:
        """What ``call`` answers; ``otherwise``, where Redis is away."""
        if self._is_resting():
            return otherwise
        try:
            answer = call()
        except (RedisError, OSError) as error:
            self._note(error)
            return otherwise
        self._away = False
        return answer

    def _is_resting(self) -> bool:
        """Whether not to try. When a pause is over, one thread tries, and the others go on without."""
        if not self._away:
            return False
        with self._lock:
            now = time.monotonic()
            if now < self._until:
                return True
            self._until = now + PAUSE
            return False

    def _note(self, error: Exception) -> None:
        with self._lock:
            now = time.monotonic()
            self._away, self._until = True, now + PAUSE
            if now < self._said + SILENCE:
                return
            self._said = now
        log.warning("the cache is away: requests go on, and limits are not counted", error=str(error))


_outages: dict[str, Outage] = {}


def _or[T](method: Callable[..., T], otherwise: Callable[..., T]) -> Callable[..., T]:
    """The method, which answers as ``otherwise`` does where Redis is away."""

    def asked(self: "Client", *args: Any) -> T:
        return self.outage.ask(lambda: method(self, *args), otherwise(*args))

    return wraps(method)(asked)


class Client(RedisCacheClient):
    """Django's, of which every method answers at once."""

    def __init__(self, servers: list[str], **options: Any) -> None:
        super().__init__(servers, **options)
        self.outage = _outages.setdefault(",".join(servers), Outage())

    add = _or(RedisCacheClient.add, lambda _key, _value, _timeout: True)
    get = _or(RedisCacheClient.get, lambda _key, default: default)
    set = _or(RedisCacheClient.set, lambda _key, _value, _timeout: None)
    touch = _or(RedisCacheClient.touch, lambda _key, _timeout: False)
    delete = _or(RedisCacheClient.delete, lambda _key: False)
    get_many = _or(RedisCacheClient.get_many, lambda _keys: {})
    has_key = _or(RedisCacheClient.has_key, lambda _key: False)
    incr = _or(RedisCacheClient.incr, lambda _key, delta: delta)
    set_many = _or(RedisCacheClient.set_many, lambda _data, _timeout: None)
    delete_many = _or(RedisCacheClient.delete_many, lambda _keys: None)
    clear = _or(RedisCacheClient.clear, lambda: False)


class Cache(RedisCache):
    """The backend: ``BACKEND`` in the settings."""

    def __init__(self, server: str | list[str], params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = Client
