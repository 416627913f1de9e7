"""What the tests of the clock share: zones of all kinds, and a count of time that is too simple to be wrong."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from games.table.terms import MINUTE, SECOND

ZONES: Final = (
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "America/St_Johns",
    "America/Santiago",
    "Asia/Beirut",
    "Asia/Tehran",
    "Asia/Kolkata",
    "Asia/Kathmandu",
    "Asia/Seoul",
    "Africa/Cairo",
    "Africa/Casablanca",
    "Australia/Sydney",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "Pacific/Chatham",
    "Pacific/Honolulu",
    "Pacific/Kiritimati",
)

#: Moments of the years 2012 to 2040, and for Apia's skipped day from 2011.
moments = st.integers(1_323_000_000 * SECOND, 2_208_988_800 * SECOND)

_QUARTER: Final = 15 * MINUTE


def quarters(start: int, end: int) -> Iterator[tuple[int, int]]:
    """The span cut at every quarter-hour: where clocks change, and where days begin, in all of :data:`ZONES`."""
    while start < end:
        cut = min(end, (start // _QUARTER + 1) * _QUARTER)
        yield start, cut
        start = cut


def is_weekend(moment: int, zone: str) -> bool:
    """Whether it is Saturday or Sunday there."""
    return datetime.fromtimestamp(moment // SECOND, UTC).astimezone(ZoneInfo(zone)).weekday() >= 5


def counted(start: int, end: int, zone: str) -> int:
    """The microseconds of a span that aren't of a weekend, looked up quarter-hour by quarter-hour."""
    return sum(cut - begin for begin, cut in quarters(start, end) if not is_weekend(begin, zone))
