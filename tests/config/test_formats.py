"""Dates and times are written in one way a language, everywhere."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.module_loading import import_string

from config import clock
from games.templatetags.boards import short_moment
from games.templatetags.clew import ago, moment
from notifications.wording import moment as mail_moment

EVENING = datetime(2026, 11, 28, 10, 38, tzinfo=UTC)  # 19:38 in Seoul
FORMATS = (
    "DATE_FORMAT",
    "TIME_FORMAT",
    "DATETIME_FORMAT",
    "YEAR_MONTH_FORMAT",
    "MONTH_DAY_FORMAT",
    "SHORT_DATE_FORMAT",
    "SHORT_DATETIME_FORMAT",
)


@pytest.mark.parametrize(
    ("language", "full", "short", "with_year"),
    [
        ("en", "28 November 2026, 19:38", "28 Nov, 19:38", "28 Nov 2026, 19:38"),
        ("ko", "2026년 11월 28일 19:38", "11월 28일 19:38", "2026. 11. 28. 19:38"),
    ],
)
def test_pages_write_moments_in_one_way(language: str, full: str, short: str, with_year: str) -> None:
    us = clock.to_us(EVENING)
    with translation.override(language), timezone.override(ZoneInfo("Asia/Seoul")):
        with clock.frozen(EVENING + timedelta(days=2)):
            assert f">{full}</time>" in moment(us)
            assert f">{short}</time>" in short_moment(us)
            assert f'title="{full}, ' in short_moment(us)
        with clock.frozen(EVENING + timedelta(days=60)):
            assert f">{with_year}</time>" in short_moment(us)


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "Saturday 28 November 2026, 19:38 (KST)"), ("ko", "2026년 11월 28일 토요일 19:38 (KST)")],
)
def test_mails_write_moments_like_pages_with_the_weekday_and_the_zone(language: str, told: str) -> None:
    with translation.override(language), timezone.override(ZoneInfo("Asia/Seoul")):
        assert mail_moment(clock.to_us(EVENING)) == told


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_the_sites_own_and_has_24_hours(language: str, name: str) -> None:
    own = import_string(f"config.formats.{language}.formats.{name}")
    with translation.override(language):
        assert date_format(EVENING, name) == date_format(EVENING, own)
    assert not set(own) & set("aAfgGhP")


@pytest.mark.parametrize(
    ("language", "now", "long_ago"), [("en", "just now", "2 hours ago"), ("ko", "방금", "2시간 전")]
)
def test_how_long_ago_something_was_is_told_roughly(language: str, now: str, long_ago: str) -> None:
    with translation.override(language), clock.frozen(EVENING):
        assert ago(EVENING - timedelta(seconds=59)) == now
        assert ago(EVENING - timedelta(hours=2, minutes=5)).replace("\xa0", " ") == long_ago
