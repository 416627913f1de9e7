"""Quiet hours and digests: wall clocks of people's own zones, right across both changes of a year."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.clock import from_us, to_us
from notifications.moments import DAY, HOUR, MINUTE, after_quiet, before_quiet, is_quiet, next_hour, next_slot

#: East and west, by half hours, changing at midnight, with a day that never was.
ZONES = [
    "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Asia/Kolkata", "Asia/Seoul",
    "Pacific/Auckland", "America/St_Johns", "Asia/Beirut", "UTC",
]  # fmt: skip
moments = st.integers(to_us(datetime(2026, 1, 1, tzinfo=UTC)), to_us(datetime(2028, 1, 1, tzinfo=UTC)))
minutes = st.integers(0, 24 * 60 - 1)
zones = st.sampled_from(ZONES).map(ZoneInfo)


def at(zone: str, *parts: int, fold: int = 0) -> int:
    return to_us(datetime(*parts, tzinfo=ZoneInfo(zone), fold=fold))  # type: ignore[arg-type, misc]  # numbers of a date


@pytest.mark.parametrize(
    ("told", "until"),
    [((2027, 1, 15, 23, 30), (2027, 1, 16, 7, 0)), ((2027, 1, 15, 3, 0), (2027, 1, 15, 7, 0))],
)
def test_a_message_of_the_night_waits_for_the_morning(told: tuple[int, ...], until: tuple[int, ...]) -> None:
    zone = "Asia/Seoul"
    assert after_quiet(at(zone, *told), 22 * 60, 7 * 60, ZoneInfo(zone)) == at(zone, *until)


def test_outside_of_quiet_hours_nothing_waits() -> None:
    noon = at("Asia/Seoul", 2027, 1, 15, 12, 0)
    assert after_quiet(noon, 22 * 60, 7 * 60, ZoneInfo("Asia/Seoul")) == noon
    assert after_quiet(noon, 720, 720, ZoneInfo("Asia/Seoul")) == noon


@pytest.mark.parametrize(
    ("zone", "evening", "hours"),
    [
        ("Europe/Berlin", (2027, 3, 27, 22, 0), 8), ("Europe/Berlin", (2027, 10, 30, 22, 0), 10),
        ("America/New_York", (2027, 3, 13, 22, 0), 8), ("America/New_York", (2027, 11, 6, 22, 0), 10),
        ("Pacific/Auckland", (2027, 9, 25, 22, 0), 8), ("Pacific/Auckland", (2027, 4, 3, 22, 0), 10),
    ],
)  # fmt: skip
def test_the_night_of_a_change_is_an_hour_shorter_or_longer(zone: str, evening: tuple[int, ...], hours: int) -> None:
    begins = at(zone, *evening)
    assert after_quiet(begins, 22 * 60, 7 * 60, ZoneInfo(zone)) == begins + hours * HOUR


def test_quiet_hours_that_end_in_a_skipped_hour_end_at_the_change() -> None:
    zone = "Europe/Berlin"
    assert after_quiet(at(zone, 2027, 3, 28, 1, 0), 0, 150, ZoneInfo(zone)) == at(zone, 2027, 3, 28, 3, 0)


@given(moments, minutes, minutes, zones)
def test_quiet_hours_end_at_the_first_moment_that_is_not_quiet(now: int, start: int, end: int, zone: ZoneInfo) -> None:
    over = after_quiet(now, start, end, zone)
    assert now <= over < now + DAY + 2 * HOUR
    assert not is_quiet(over, start, end, zone)
    assert over == now or is_quiet(over - 1, start, end, zone)
    assert all(is_quiet(moment, start, end, zone) for moment in range(now, over, 10 * MINUTE))


@given(moments, minutes, minutes, zones)
def test_a_reminder_of_the_night_can_come_just_before_it(now: int, start: int, end: int, zone: ZoneInfo) -> None:
    before = before_quiet(now, start, end, zone)
    assert now - DAY - 3 * HOUR < before <= now
    assert (before == now) == (not is_quiet(now, start, end, zone))


@given(moments, st.integers(0, 23), zones)
def test_a_daily_digest_comes_once_a_day_at_its_hour(now: int, hour: int, zone: ZoneInfo) -> None:
    first = next_hour(now, hour, zone)
    second = next_hour(first, hour, zone)
    assert now < first <= now + DAY + 2 * HOUR
    days = [from_us(moment).astimezone(zone) for moment in (first, second)]
    assert days[1].date() - days[0].date() == timedelta(days=1)
    assert all((shown.hour, shown.minute) == (hour, 0) or _skipped(shown, hour) for shown in days)


def _skipped(shown: datetime, hour: int) -> bool:
    """Whether the clock skipped the hour that day: it shows another, a little later."""
    return hour * 60 <= shown.hour * 60 + shown.minute <= hour * 60 + 60


@pytest.mark.parametrize(("zone", "day"), [("Europe/Berlin", (2027, 10, 31)), ("America/New_York", (2027, 11, 7))])
def test_an_hour_that_comes_twice_brings_one_digest(zone: str, day: tuple[int, int, int]) -> None:
    hour = 2 if zone == "Europe/Berlin" else 1
    first = next_hour(at(zone, *day, 0, 30), hour, ZoneInfo(zone))
    assert first == at(zone, *day, hour, 0)
    assert next_hour(first, hour, ZoneInfo(zone)) > first + 20 * HOUR


@given(moments, st.sampled_from([2, 4, 6, 12]))
def test_slots_of_a_few_hours_follow_each_other(now: int, hours: int) -> None:
    slot = next_slot(now, hours)
    assert now < slot <= now + hours * HOUR
    assert next_slot(slot, hours) == slot + hours * HOUR
