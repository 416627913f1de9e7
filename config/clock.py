"""The one clock: what the site stores, shows and warns of is read here and nowhere else.

Real time plus ``CLEW_CLOCK_OFFSET`` seconds, so that a child process can be started hours or weeks later than now.
A test stops it with :func:`frozen`, for all threads of its process.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from config.env import env_float

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_offset_us = round(env_float("CLEW_CLOCK_OFFSET", 0.0) * 1_000_000)


class FrozenClock:
    """A clock that stands still until it is told to move on."""

    def __init__(self, at: datetime) -> None:
        self.us = to_us(at)

    def advance(self, *, seconds: float = 0, **parts: float) -> datetime:
        """Move on by a timedelta's parts (``seconds``, ``minutes``, ``hours``, ``days``…); the new time."""
        self.us += timedelta(seconds=seconds, **parts) // _MICROSECOND
        return from_us(self.us)


_frozen: FrozenClock | None = None


def now_us() -> int:
    """Microseconds since 1970-01-01 UTC."""
    if _frozen is not None:
        return _frozen.us
    return time.time_ns() // 1000 + _offset_us


def now() -> datetime:
    """The present, aware, in UTC, to the microsecond."""
    return from_us(now_us())


def from_us(us: int) -> datetime:
    """The aware UTC time of so many microseconds since the epoch."""
    return _EPOCH + timedelta(microseconds=us)


def to_us(at: datetime) -> int:
    """Microseconds since the epoch. Raises ValueError for a naive time, which names no moment."""
    if at.tzinfo is None:
        message = f"{at!r} has no time zone."
        raise ValueError(message)
    return (at - _EPOCH) // _MICROSECOND


@contextmanager
def frozen(at: datetime) -> Iterator[FrozenClock]:
    """Stop the clock at ``at``; the clock that stood before goes on afterwards."""
    global _frozen  # noqa: PLW0603 - one clock for the process is what this module is
    before, _frozen = _frozen, FrozenClock(at)
    try:
        yield _frozen
    finally:
        _frozen = before
