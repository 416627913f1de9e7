"""Time that counts where weekends don't: exact arithmetic of moments in an IANA zone.

A *moment* is a whole number of microseconds since the epoch, a *time* a whole number of microseconds. A zone's weekend
lasts from the first moment at which its clocks show Saturday, 00:00 or later, until the first at which they show
Monday, 00:00 or later: 47, 48 or 49 hours as the clocks change, one day where a country skipped the other at the date
line. (No zone has gone back from one to the other side of these midnights since 1970.)

Pure functions of their arguments and of the time-zone database, which is read once a zone.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import count
from typing import Final
from zoneinfo import ZoneInfo

_SECOND: Final = timedelta(seconds=1)
_MICROSECONDS: Final = 1_000_000
_WEEK: Final = 7 * 86_400 * _MICROSECONDS
_EPOCH: Final = datetime(1970, 1, 1)  # noqa: DTZ001  # a wall clock's reading, in any zone
_FIRST_SATURDAY: Final = datetime(1970, 1, 3)  # noqa: DTZ001  # likewise
_FIRST_SATURDAY_AT: Final = 2 * 86_400 * _MICROSECONDS


def elapsed(start: int, end: int, weekends_off: bool, zone: str) -> int:
    """The time that counts between two moments: all of it, or all but the zone's weekends.

    Adds up exactly: ``elapsed(a, b) + elapsed(b, c) == elapsed(a, c)``. Raises ValueError where ``end`` is before
    ``start``.
    """
    if end < start:
        raise ValueError(f"{end} is before {start}")
    if not weekends_off:
        return end - start
    # Offsets stay below a day: the weekend of a moment's own week may be going on, the next one may have begun.
    weekends = (_weekend(zone, week) for week in range(_week(start), _week(end) + 2))
    return end - start - sum(max(0, min(end, last) - max(start, first)) for first, last in weekends)


def after(start: int, time: int, weekends_off: bool, zone: str) -> int:
    """The first moment by which so much time has counted since ``start``; ``start`` itself where time is 0 or less.

    The inverse of :func:`elapsed`: ``elapsed(start, after(start, time)) == time`` for a time of 0 or more.
    """
    if time <= 0:
        return start
    if not weekends_off:
        return start + time
    now, owed = start, time
    for week in count(_week(start)):
        first, last = _weekend(zone, week)
        if now + owed <= first:
            break
        owed -= max(0, first - now)
        now = max(now, last)
    return now + owed


def _week(moment: int) -> int:
    return (moment - _FIRST_SATURDAY_AT) // _WEEK


@lru_cache(maxsize=4096)
def _weekend(zone: str, week: int) -> tuple[int, int]:
    """The first moment of the zone's weekend, and the first after it; week 0 is that of 3 January 1970."""
    saturday = _FIRST_SATURDAY + timedelta(weeks=week)
    info = ZoneInfo(zone)
    return _first_showing(info, saturday), _first_showing(info, saturday + timedelta(days=2))


def _first_showing(zone: ZoneInfo, wall: datetime) -> int:
    """The first moment at which clocks of the zone show ``wall`` (naive, whole seconds) or later."""
    earlier = _offset(zone, wall, fold=0)
    later = _offset(zone, wall, fold=1)
    seconds = (wall - _EPOCH) // _SECOND
    if earlier >= later:  # shown once, or twice as the clocks go back
        return (seconds - earlier) * _MICROSECONDS
    # Skipped as the clocks go forward: the moment of the change, which lies after ``low`` and not after ``high``.
    low, high = seconds - later, seconds - earlier
    while high - low > 1:
        middle = (low + high) // 2
        shown = datetime.fromtimestamp(middle, UTC).astimezone(zone).replace(tzinfo=None)
        low, high = (low, middle) if shown >= wall else (middle, high)
    return high * _MICROSECONDS


def _offset(zone: ZoneInfo, wall: datetime, *, fold: int) -> int:
    """Seconds east of UTC, of the first (fold 0) or second reading of a wall clock that the change makes doubtful."""
    offset = wall.replace(tzinfo=zone, fold=fold).utcoffset()
    assert offset is not None  # a ZoneInfo always knows
    return offset // _SECOND
