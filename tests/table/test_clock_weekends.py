"""Time that counts where weekends are off: in zones of all kinds, over both clock changes of a year."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.table.terms import DAY, HOUR, MINUTE
from games.table.weekends import after, elapsed
from tests.contract.settings import thorough
from tests.table.clocks import ZONES, counted, moments


def _at(wall: str, zone: str = "UTC", fold: int = 0) -> int:
    """The moment at which clocks of the zone show this."""
    moment = datetime.fromisoformat(wall).replace(tzinfo=ZoneInfo(zone), fold=fold)
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def _off(start: str, end: str, zone: str) -> int:
    """The time that doesn't count between two readings of the zone's clocks."""
    return _at(end, zone) - _at(start, zone) - elapsed(_at(start, zone), _at(end, zone), True, zone)


def test_all_time_counts_where_weekends_are_on() -> None:
    assert elapsed(_at("2026-07-03T12:00"), _at("2026-07-06T12:00"), False, "Europe/Berlin") == 3 * DAY
    assert after(_at("2026-07-03T12:00"), 3 * DAY, False, "Europe/Berlin") == _at("2026-07-06T12:00")


def test_a_weekend_lasts_from_saturday_to_monday_on_local_clocks() -> None:
    for zone in ("Europe/Berlin", "Asia/Seoul", "America/New_York", "Pacific/Honolulu"):
        saturday, monday = _at("2026-07-04T00:00", zone), _at("2026-07-06T00:00", zone)
        assert elapsed(saturday - 1, saturday, True, zone) == 1
        assert elapsed(saturday, monday, True, zone) == 0
        assert elapsed(saturday - 1, monday + 1, True, zone) == 2
        assert elapsed(monday, monday + 1, True, zone) == 1


def test_the_same_weekend_comes_earlier_in_the_east_than_in_the_west() -> None:
    friday_noon = _at("2026-07-03T12:00")
    assert after(friday_noon, 12 * HOUR, True, "UTC") == _at("2026-07-04T00:00")
    assert elapsed(friday_noon, friday_noon + DAY, True, "Pacific/Kiritimati") == 0
    assert elapsed(friday_noon, friday_noon + DAY, True, "Pacific/Honolulu") == 22 * HOUR


@pytest.mark.parametrize(
    ("zone", "friday", "monday", "hours"),
    [
        ("Europe/Berlin", "2026-03-27", "2026-03-30", 47),
        ("Europe/Berlin", "2026-10-23", "2026-10-26", 49),
        ("America/New_York", "2026-03-06", "2026-03-09", 47),
        ("America/New_York", "2026-10-30", "2026-11-02", 49),
        ("Australia/Sydney", "2026-10-02", "2026-10-05", 47),
        ("Australia/Sydney", "2026-04-03", "2026-04-06", 49),
        ("Asia/Seoul", "2026-03-27", "2026-03-30", 48),
    ],
)
def test_a_weekend_is_47_or_49_hours_long_as_the_clocks_change(zone: str, friday: str, monday: str, hours: int) -> None:
    assert _off(f"{friday}T00:00", f"{monday}T12:00", zone) == hours * HOUR


@pytest.mark.parametrize(
    ("zone", "friday", "monday", "hours"),
    [
        # Sunday 00:00 becomes 01:00, and again 23:00 on Saturday.
        ("America/Santiago", "2025-09-05", "2025-09-08", 47),
        ("America/Santiago", "2025-04-04", "2025-04-07", 49),
        ("Asia/Beirut", "2024-03-29", "2024-04-01", 47),
        ("Asia/Beirut", "2024-10-25", "2024-10-28", 49),
        # Saturday 00:00 becomes 01:00: the weekend begins at the change.
        ("Asia/Tehran", "2014-03-21", "2014-03-24", 47),
        # Monday 00:00 becomes 01:00: the weekend ends at the change.
        ("Asia/Tehran", "2021-03-19", "2021-03-22", 48),
        # On Sunday at 24:00 the clocks go back to 23:00.
        ("Asia/Tehran", "2014-09-19", "2014-09-22", 49),
        # Friday 00:00 becomes 01:00: not of the weekend's time.
        ("Africa/Cairo", "2024-04-26", "2024-04-29", 48),
    ],
)
def test_clocks_that_change_at_midnight_make_no_gap(zone: str, friday: str, monday: str, hours: int) -> None:
    assert _off(f"{friday}T12:00", f"{monday}T12:00", zone) == hours * HOUR


def test_a_midnight_that_was_skipped_begins_the_day_at_the_change() -> None:
    # In 1919 Toronto's clocks went from Sunday 23:30 to Monday 00:30.
    change = _at("1919-03-31T00:30", "America/Toronto")
    assert elapsed(change - HOUR, change, True, "America/Toronto") == 0
    assert elapsed(change - HOUR, change + 7, True, "America/Toronto") == 7


def test_half_hour_zones_have_weekends_of_their_own() -> None:
    assert after(_at("2026-07-03T18:00"), HOUR, True, "Asia/Kolkata") == _at("2026-07-05T19:00")
    assert after(_at("2026-07-03T18:00"), HOUR, True, "Asia/Kathmandu") == _at("2026-07-05T19:00")
    assert after(_at("2026-07-03T18:00"), 15 * MINUTE, True, "Asia/Kathmandu") == _at("2026-07-03T18:15")
    # Lord Howe Island changes its clocks by half an hour.
    assert _off("2026-04-03T12:00", "2026-04-06T12:00", "Australia/Lord_Howe") == 48 * HOUR + 30 * MINUTE
    assert _off("2026-10-02T12:00", "2026-10-05T12:00", "Australia/Lord_Howe") == 47 * HOUR + 30 * MINUTE


def test_a_day_that_apia_skipped_neither_counts_nor_is_missed() -> None:
    # Samoa went from Thursday, 29 December 2011 to Saturday: Friday was no day, and the weekend a whole one.
    assert _off("2011-12-29T12:00", "2012-01-02T12:00", "Pacific/Apia") == 48 * HOUR
    assert elapsed(
        _at("2011-12-29T12:00", "Pacific/Apia"), _at("2012-01-02T12:00", "Pacific/Apia"), True, "Pacific/Apia"
    ) == (24 * HOUR)
    # Kwajalein skipped a Saturday.
    assert _off("1993-08-20T12:00", "1993-08-23T12:00", "Kwajalein") == 24 * HOUR


def test_years_are_summed_whole() -> None:
    monday = _at("2026-01-05T00:00", "Asia/Seoul")
    assert elapsed(monday, monday + 1_500 * 7 * DAY, True, "Asia/Seoul") == 1_500 * 5 * DAY
    assert after(monday, 1_500 * 5 * DAY + 1, True, "Asia/Seoul") == monday + 1_500 * 7 * DAY + 1
    # Both changes of a year fall on weekends, so a year of Berlin's has as many working hours as one of Seoul's.
    year = _at("2027-01-04T00:00", "Europe/Berlin") - _at("2026-01-05T00:00", "Europe/Berlin")
    assert year - _off("2026-01-05T00:00", "2027-01-04T00:00", "Europe/Berlin") == 52 * 5 * DAY


def test_a_time_that_ends_with_friday_is_used_up_when_saturday_begins() -> None:
    saturday = _at("2026-07-04T00:00", "Europe/Berlin")
    assert after(saturday - HOUR, HOUR, True, "Europe/Berlin") == saturday
    assert after(saturday + HOUR, 0, True, "Europe/Berlin") == saturday + HOUR
    assert after(saturday + HOUR, 1, True, "Europe/Berlin") == _at("2026-07-06T00:00", "Europe/Berlin") + 1


def test_time_doesnt_run_backwards() -> None:
    with pytest.raises(ValueError, match="before"):
        elapsed(2, 1, True, "UTC")


@thorough(120)
@given(moments, st.integers(0, 40 * DAY), st.sampled_from(ZONES))
def test_what_counts_is_what_a_look_at_the_calendar_every_quarter_hour_counts(start: int, span: int, zone: str) -> None:
    assert elapsed(start, start + span, True, zone) == counted(start, start + span, zone)


@thorough(120)
@given(moments, st.integers(0, 400 * DAY), st.integers(0, 400 * DAY), st.sampled_from(ZONES))
def test_what_counts_adds_up_and_never_shrinks(start: int, first: int, second: int, zone: str) -> None:
    middle, end = start + first, start + first + second
    parts = elapsed(start, middle, True, zone), elapsed(middle, end, True, zone)
    assert sum(parts) == elapsed(start, end, True, zone)
    assert all(0 <= part <= whole for part, whole in zip(parts, (first, second), strict=True))


@thorough(120)
@given(moments, st.integers(1, 400 * DAY), st.sampled_from(ZONES))
def test_the_moment_at_which_a_time_is_used_up_is_the_first_one(start: int, time: int, zone: str) -> None:
    end = after(start, time, True, zone)
    assert elapsed(start, end, True, zone) == time
    assert elapsed(start, end - 1, True, zone) < time
