"""Vacation: begun, planned and ended by its player, within the allowance of a year of their own zone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from pytest_django.fixtures import Settings

from accounts import vacation
from accounts.models import User, Vacation
from accounts.vacation import DAY, NoVacation
from config import clock

NOON = datetime(2027, 3, 1, 12, 0, tzinfo=UTC)
HOUR = DAY // 24


@pytest.fixture(autouse=True)
def allowance(settings: Settings) -> None:
    settings.CLEW_VACATION_DAYS = 30


@pytest.fixture
def now() -> Iterator[clock.FrozenClock]:
    with clock.frozen(NOON) as frozen:
        yield frozen


@pytest.fixture
def mina(db: None) -> User:
    return User.objects.create_user("mina", "mina@example.org", time_zone="Asia/Seoul")


def us(wall: str, zone: str = "UTC") -> int:
    return clock.to_us(datetime.fromisoformat(wall).replace(tzinfo=ZoneInfo(zone)))


def refusal(call: object) -> str:
    with pytest.raises(NoVacation) as refused:
        call()  # type: ignore[operator]  # always a function
    return refused.value.code


def test_a_vacation_begins_now_and_lasts_until_its_player_is_back(now: clock.FrozenClock, mina: User) -> None:
    begun = vacation.begin(mina)
    assert (begun.begins_at, begun.ends_at) == (clock.now_us(), clock.now_us() + 30 * DAY)
    assert vacation.current(mina) == begun
    now.advance(days=3, hours=1)
    ended = vacation.end(mina)
    assert (ended.ends_at, ended.ended) == (clock.now_us(), True)
    assert vacation.current(mina) is None
    assert vacation.time_left(mina) == 27 * DAY - HOUR


def test_a_vacation_may_have_an_end_from_the_beginning_and_be_ended_sooner(now: clock.FrozenClock, mina: User) -> None:
    vacation.begin(mina, until=clock.now_us() + 10 * DAY)
    assert vacation.time_left(mina) == 20 * DAY
    now.advance(days=2)
    vacation.end(mina)
    assert vacation.time_left(mina) == 28 * DAY


def test_a_vacation_ends_by_itself_where_its_player_said(now: clock.FrozenClock, mina: User) -> None:
    begun = vacation.begin(mina, until=clock.now_us() + DAY)
    now.advance(days=1, microseconds=-1)
    vacation.tell_due(clock.now_us())
    assert vacation.current(mina) == begun
    now.advance(microseconds=1)
    assert vacation.current(mina) is None
    vacation.tell_due(clock.now_us())
    begun.refresh_from_db()
    assert (begun.ends_at, begun.ended) == (clock.now_us(), True)


def test_a_vacation_is_planned_ahead_begins_by_itself_and_can_be_called_off(now: clock.FrozenClock, mina: User) -> None:
    start = clock.now_us() + 5 * DAY
    first = vacation.plan(mina, start, start + 3 * DAY)
    second = vacation.plan(mina, start + 10 * DAY, start + 12 * DAY)
    assert vacation.planned(mina) == [first, second]
    assert vacation.time_left(mina) == 25 * DAY
    vacation.call_off(mina, second.pk)
    assert vacation.time_left(mina) == 27 * DAY
    now.us = start
    vacation.tell_due(clock.now_us())
    assert vacation.current(mina) == first
    assert Vacation.objects.get().begun
    assert refusal(lambda: vacation.call_off(mina, first.pk)) == "not_planned"


def test_a_vacation_that_is_not_ones_own_is_not_called_off(now: clock.FrozenClock, mina: User) -> None:
    other = User.objects.create_user("jonas", "jonas@example.org")
    planned = vacation.plan(other, clock.now_us() + DAY, clock.now_us() + 2 * DAY)
    assert refusal(lambda: vacation.call_off(mina, planned.pk)) == "not_planned"


def test_what_cannot_be_is_refused(now: clock.FrozenClock, mina: User) -> None:
    at = clock.now_us()
    assert refusal(lambda: vacation.end(mina)) == "not_on_vacation"
    assert refusal(lambda: vacation.begin(mina, until=at)) == "bad_end"
    assert refusal(lambda: vacation.begin(mina, until=at + 30 * DAY + 1)) == "too_long"
    assert refusal(lambda: vacation.plan(mina, at, at + DAY)) == "bad_begin"
    assert refusal(lambda: vacation.plan(mina, at + 366 * DAY, at + 367 * DAY)) == "bad_begin"
    assert refusal(lambda: vacation.plan(mina, at + DAY, at + DAY)) == "bad_end"
    planned = vacation.plan(mina, at + 5 * DAY, at + 7 * DAY)
    assert refusal(lambda: vacation.plan(mina, at + 6 * DAY, at + 8 * DAY)) == "on_vacation"
    assert refusal(lambda: vacation.plan(mina, at + 4 * DAY, at + 6 * DAY)) == "too_long"
    assert vacation.begin(mina).ends_at == planned.begins_at
    assert refusal(lambda: vacation.begin(mina)) == "on_vacation"


def test_no_more_than_the_allowance_is_had_in_a_year(now: clock.FrozenClock, mina: User) -> None:
    vacation.begin(mina, until=clock.now_us() + 30 * DAY)
    now.advance(days=30)
    assert refusal(lambda: vacation.begin(mina)) == "no_vacation_left"
    assert vacation.time_left(mina) == 0


@pytest.mark.parametrize("zone", ["Asia/Seoul", "America/New_York", "Pacific/Kiritimati"])
def test_the_year_is_that_of_the_players_own_zone(now: clock.FrozenClock, mina: User, zone: str) -> None:
    User.objects.filter(pk=mina.pk).update(time_zone=zone)
    mina.refresh_from_db()
    new_year = us("2028-01-01T00:00", zone)
    vacation.begin(mina, until=clock.now_us() + 28 * DAY)
    now.us = new_year - DAY
    vacation.tell_due(clock.now_us())
    assert vacation.time_left(mina) == 2 * DAY
    over = vacation.begin(mina, until=new_year + 3 * DAY)
    assert vacation.time_left(mina, new_year - 1) == DAY
    assert vacation.time_left(mina, new_year) == 27 * DAY
    now.us = over.ends_at
    assert vacation.begin(mina).ends_at == new_year + 30 * DAY


def test_a_vacation_goes_on_over_the_new_year_on_the_next_years_allowance(now: clock.FrozenClock, mina: User) -> None:
    now.us = us("2027-12-20T00:00", "Asia/Seoul")
    assert vacation.begin(mina).ends_at == us("2028-01-31T00:00", "Asia/Seoul")


def test_a_day_by_itself_is_spent_only_by_wish_and_is_no_longer_than_what_is_left(
    now: clock.FrozenClock, mina: User
) -> None:
    at = clock.now_us()
    assert not vacation.save_by_vacation(mina.pk, at, at)
    User.objects.filter(pk=mina.pk).update(auto_vacation=True)
    vacation.plan(mina, at + DAY, at + DAY + 30 * DAY - HOUR)
    assert vacation.save_by_vacation(mina.pk, at, at)
    assert vacation.save_by_vacation(mina.pk, at + HOUR - 1, at)
    assert not vacation.save_by_vacation(mina.pk, at + HOUR, at)
    assert list(Vacation.objects.filter(automatic=True).values_list("begins_at", "ends_at")) == [(at, at + HOUR)]


def test_what_is_spent_by_itself_comes_off_a_vacation_that_lasts_as_long_as_the_allowance(
    now: clock.FrozenClock, mina: User
) -> None:
    User.objects.filter(pk=mina.pk).update(auto_vacation=True)
    own = vacation.begin(mina)
    assert vacation.save_by_vacation(mina.pk, own.begins_at - HOUR, clock.now_us())
    assert vacation.time_left(mina) == 0
    assert list(Vacation.objects.order_by("begins_at").values_list("begins_at", "ends_at")) == [
        (own.begins_at - HOUR, own.begins_at),
        (own.begins_at, own.ends_at - HOUR),
    ]
