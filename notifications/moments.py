"""When a message may go out: quiet hours and digests in the reader's own time zone. Pure functions.

A *moment* is microseconds since the epoch. Wall clocks are minutes since midnight (0 to 1439) in an IANA zone; what a
clock skips or shows twice as it is changed is taken as people see it.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

MINUTE: Final = 60_000_000
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def is_quiet(at: int, start: int, end: int, zone: ZoneInfo) -> bool:
    """Whether the zone's clocks show quiet hours: from ``start`` (minutes since midnight) up to and without ``end``.

    They go past midnight where ``end`` is the smaller, and there are none where both are the same.
    """
    minute = _wall(at, zone) // MINUTE
    if start <= end:
        return start <= minute < end
    return minute >= start or minute < end


def after_quiet(at: int, start: int, end: int, zone: ZoneInfo) -> int:
    """The first moment, ``at`` or later, at which the zone's clocks show no quiet hours."""
    while is_quiet(at, start, end, zone):
        over = at + (end * MINUTE - _wall(at, zone)) % DAY
        # The clocks may be changed before: then their hours are counted from there on.
        at = _change(at, over, zone) or over
    return at


def before_quiet(at: int, start: int, end: int, zone: ZoneInfo) -> int:
    """The last minute before the quiet hours in which ``at`` lies; ``at`` itself outside of them."""
    if not is_quiet(at, start, end, zone):
        return at
    day = _local(at, zone).date()
    begins = (_showing(day - timedelta(days=ago), start, zone) for ago in (0, 1, 2))
    return next(moment for moment in begins if moment <= at) - MINUTE


def next_hour(after: int, hour: int, zone: ZoneInfo) -> int:
    """The first moment past ``after`` at which a day of the zone comes to ``hour`` (0 to 23), once a day.

    Where the clocks skip the hour, it comes when they are changed; where they show it twice, the first time.
    """
    day = _local(after, zone).date()
    comes = (_showing(day + timedelta(days=ahead), hour * 60, zone) for ahead in (0, 1, 2))
    return next(moment for moment in comes if moment > after)


def next_slot(after: int, hours: int) -> int:
    """The first whole multiple of so many hours since the epoch that comes past ``after``."""
    step = hours * HOUR
    return (after // step + 1) * step


def _local(at: int, zone: ZoneInfo) -> datetime:
    return (_EPOCH + timedelta(microseconds=at)).astimezone(zone)


def _wall(at: int, zone: ZoneInfo) -> int:
    """Microseconds that the zone's clocks show past midnight."""
    shown = _local(at, zone)
    return (shown.hour * 60 + shown.minute) * MINUTE + shown.second * 1_000_000 + shown.microsecond


def _showing(day: date, minute: int, zone: ZoneInfo) -> int:
    """The first moment at which the clocks show that time of the day."""
    shown = datetime.combine(day, time(minute // 60, minute % 60), tzinfo=zone)
    return (shown.astimezone(UTC) - _EPOCH) // _MICROSECOND


def _change(start: int, end: int, zone: ZoneInfo) -> int | None:
    """The moment past ``start``, up to ``end``, at which the zone's clocks are changed, or None.

    There is at most one within a day.
    """

    def offset(at: int) -> timedelta | None:
        return _local(at, zone).utcoffset()

    before = offset(start)
    if offset(end) == before:
        return None
    while end - start > 1:
        middle = (start + end) // 2
        start, end = (middle, end) if offset(middle) == before else (start, middle)
    return end
