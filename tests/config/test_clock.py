"""The one clock of the site."""

import os
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta, timezone

import pytest

from config import clock

NOON = datetime(2027, 3, 28, 12, tzinfo=UTC)


def test_the_clock_tells_real_time_in_utc() -> None:
    before = datetime.now(UTC)
    told = clock.now()
    assert before - timedelta(milliseconds=1) <= told <= datetime.now(UTC)
    assert told.tzinfo is UTC


def test_a_frozen_clock_stands_still_for_every_thread_until_it_is_advanced() -> None:
    told: list[int] = []
    with clock.frozen(NOON) as stopped:
        thread = threading.Thread(target=lambda: told.append(clock.now_us()))
        thread.start()
        thread.join()
        assert told == [clock.now_us()] == [clock.to_us(NOON)]
        assert stopped.advance(days=2, seconds=0.000001) == NOON + timedelta(days=2, microseconds=1)
        assert clock.now() == NOON + timedelta(days=2, microseconds=1)
    assert clock.now() != NOON + timedelta(days=2, microseconds=1)


def test_the_clock_that_stood_before_goes_on_after_an_inner_one() -> None:
    with clock.frozen(NOON):
        with clock.frozen(NOON + timedelta(hours=1)):
            pass
        assert clock.now() == NOON


def test_microseconds_and_times_convert_exactly_both_ways() -> None:
    odd = datetime(2026, 11, 30, 23, 59, 59, 999_999, tzinfo=timezone(timedelta(hours=9)))
    assert clock.from_us(clock.to_us(odd)) == odd


def test_a_time_without_a_zone_names_no_moment() -> None:
    with pytest.raises(ValueError, match="no time zone"):
        clock.to_us(NOON.replace(tzinfo=None))


def test_a_child_process_can_be_started_with_an_offset() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from config import clock; print(clock.now_us())"],
        env={**os.environ, "CLEW_CLOCK_OFFSET": "3600"},
        capture_output=True,
        text=True,
        check=True,
    )
    ahead = int(done.stdout) - clock.now_us()
    assert 3_540_000_000 < ahead <= 3_600_000_000
