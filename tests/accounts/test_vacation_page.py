"""The page of a player's vacation, by forms that need no script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from accounts import vacation
from accounts.models import User, Vacation
from config import clock
from tests.pages.reading import page_of

NOON = datetime(2027, 3, 1, 12, 0, tzinfo=UTC)
PATH = "/settings/vacation/"


@pytest.fixture(autouse=True)
def now(settings: Settings) -> Iterator[clock.FrozenClock]:
    settings.CLEW_VACATION_DAYS = 30
    with clock.frozen(NOON) as frozen:
        yield frozen


@pytest.fixture
def mina(db: None, client: Client) -> User:
    user = User.objects.create_user("mina", "mina@example.org", time_zone="Asia/Seoul")
    client.force_login(user)
    return user


def send(client: Client, do: str, **data: str) -> Any:
    return client.post(PATH, {"do": do, **data}, follow=True)


def test_the_settings_lead_to_it(client: Client, mina: User) -> None:
    assert f'href="{PATH}"' in page_of(client.get(reverse("settings")))
    assert "Left this year: 30 days." in page_of(client.get(PATH))


def test_a_stranger_has_no_vacation(client: Client, db: None) -> None:
    assert client.get(PATH)["Location"] == f"/accounts/login/?next={PATH}"


def test_it_begins_now_and_lasts_through_the_last_day_of_ones_own_zone(client: Client, mina: User) -> None:
    page = page_of(send(client, "begin", last="2027-03-05"))
    assert "Your vacation has begun. Your opponents are told." in page
    assert "You are on vacation" in page
    current = vacation.current(mina)
    assert current is not None
    assert current.until_named
    assert clock.from_us(current.ends_at) == datetime(2027, 3, 5, 15, 0, tzinfo=UTC)  # midnight in Seoul
    assert "Until 6 March 2027, 00:00" in words_of(page)


def test_without_a_last_day_it_lasts_until_they_end_it(client: Client, mina: User) -> None:
    assert "Until you end it, or at the latest until" in page_of(send(client, "begin", last=""))
    page = page_of(send(client, "end"))
    assert "Welcome back!" in page
    assert "Begin my vacation now" in page
    assert vacation.current(mina) is None


def test_begun_or_ended_twice_it_is_the_same_once(client: Client, mina: User) -> None:
    for _ in range(2):
        answer = send(client, "begin", last="2027-03-05")
    assert answer.status_code == 422
    assert Vacation.objects.count() == 1
    for _ in range(2):
        answer = send(client, "end")
    assert answer.status_code == 422
    assert "You are not on vacation." in page_of(answer)


def test_it_is_planned_and_called_off(client: Client, mina: User) -> None:
    page = page_of(send(client, "plan", first_day="2027-07-01", last_day="2027-07-10"))
    assert "Your vacation is planned." in page
    assert "Left this year: 20 days." in page
    (planned,) = vacation.planned(mina)
    assert clock.from_us(planned.begins_at) == datetime(2027, 6, 30, 15, 0, tzinfo=UTC)
    assert "1 July 2027, 00:00 to 11 July 2027, 00:00" in words_of(page)
    assert "called off" in page_of(send(client, "call-off", vacation=str(planned.pk)))
    assert vacation.planned(mina) == []


def test_nobody_calls_off_the_vacation_of_somebody_else(client: Client, mina: User) -> None:
    jonas = User.objects.create_user("jonas", "jonas@example.org")
    other = vacation.plan(jonas, clock.now_us() + vacation.DAY, clock.now_us() + 2 * vacation.DAY)
    for odd in (str(other.pk), "", "x", "9" * 30):
        assert send(client, "call-off", vacation=odd).status_code == 422
    assert vacation.planned(jonas) == [other]


@pytest.mark.parametrize(
    ("do", "data", "said"),
    [
        ("begin", {"last": "2027-02-01"}, "A vacation ends after it begins."),
        ("begin", {"last": "2027-05-01"}, "There is not so much vacation left, or another one begins sooner."),
        ("begin", {"last": "soon"}, "Enter a valid date."),
        ("begin", {"last": "9999-12-31"}, "There is not so much vacation left, or another one begins sooner."),
        ("plan", {"first_day": "2027-03-01", "last_day": "2027-03-02"}, "planned for some day of the next 365."),
        ("plan", {"first_day": "2027-07-02", "last_day": "2027-07-01"}, "A vacation ends after it begins."),
        ("plan", {"first_day": "", "last_day": "2027-07-01"}, "This field is required."),
    ],
)
def test_what_can_not_be_had_is_said_and_nothing_is_lost(
    client: Client, mina: User, do: str, data: dict[str, str], said: str
) -> None:
    answer = send(client, do, **data)
    page = page_of(answer)
    assert answer.status_code == 422
    assert said in page
    for value in filter(None, data.values()):
        assert f'value="{value}"' in page
    assert not Vacation.objects.exists()


def test_a_day_is_spent_by_itself_only_where_the_player_wishes_it(client: Client, mina: User) -> None:
    assert "Your settings are saved." in page_of(send(client, "automatic", auto_vacation="on"))
    mina.refresh_from_db()
    assert mina.auto_vacation
    send(client, "automatic")
    mina.refresh_from_db()
    assert not mina.auto_vacation


def test_who_has_used_it_up_is_told_so(client: Client, mina: User, settings: Settings) -> None:
    settings.CLEW_VACATION_DAYS = 0
    page = page_of(client.get(PATH))
    assert "No vacation is left for this year." in page
    assert "Begin my vacation now" not in page


def test_the_page_speaks_korean(client: Client, mina: User) -> None:
    User.objects.filter(pk=mina.pk).update(language="ko")
    page = page_of(client.get(PATH))
    assert "올해 남은 휴가: 30일" in page
    assert "지금 휴가 시작하기" in page


def words_of(page: str) -> str:
    """A page's words without its tags."""
    return re.sub(r"<[^>]+>", "", page)
