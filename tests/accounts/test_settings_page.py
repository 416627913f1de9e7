"""The settings page, the switch of the language, and what follows for every page."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.utils import translation
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from accounts.zones import canonical, zone_choices
from tests.accounts.conftest import logged_in, text_of
from tools import zone_names

pytestmark = pytest.mark.django_db

KEPT = {"name": "alice", "language": "en", "time_zone": "UTC", "turn_mails": "on", "theme": ""}


def save(client: Client, **changed: str) -> int:
    return client.post("/settings/", {**KEPT, **changed}).status_code


def test_strangers_are_asked_to_log_in() -> None:
    answer = Client().get("/settings/")
    assert answer.headers["Location"] == "/accounts/login/?next=/settings/"
    assert Client().post("/settings/", KEPT).status_code == 302


def test_name_language_and_time_zone_are_changed_without_a_script(alice: User) -> None:
    client = logged_in(alice)
    assert save(client, name="Alicja", language="ko", time_zone="Europe/Warsaw") == 302
    alice.refresh_from_db()
    assert (alice.name, alice.name_key, alice.language, alice.time_zone) == ("Alicja", "alicja", "ko", "Europe/Warsaw")
    page = text_of(client, "/settings/")
    assert '<html lang="ko"' in page
    assert "설정을 저장했습니다." in page


@pytest.mark.parametrize(
    "changed", [{"name": "BOB"}, {"name": "a b"}, {"name": ""}, {"time_zone": "Mars/Olympus"}, {"language": "xx"}]
)
def test_what_can_not_be_is_refused_and_changes_nothing(alice: User, bob: User, changed: dict[str, str]) -> None:
    client = logged_in(alice)
    answer = client.post("/settings/", {**KEPT, **changed})
    assert answer.status_code == 422
    assert answer.context["user"].name == "alice", "the page greets who is there, not who they'd like to be"
    assert 'aria-invalid="true"' in answer.content.decode()
    alice.refresh_from_db()
    assert (alice.name, alice.time_zone, alice.language) == ("alice", "UTC", "en")


def test_one_may_change_the_case_of_ones_own_name(alice: User) -> None:
    assert save(logged_in(alice), name="Alice") == 302
    alice.refresh_from_db()
    assert alice.name == "Alice"


def test_a_name_that_somebody_takes_at_the_same_moment_is_taken(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = logged_in(alice)
    monkeypatch.setattr(User, "clean", lambda _self: None)  # as it is just before the other's name is written
    answer = client.post("/settings/", {**KEPT, "name": "BOB"})
    assert (answer.status_code, "This name is taken." in answer.content.decode()) == (422, True)
    assert answer.context["user"].name == "alice"


def test_a_name_that_is_older_than_a_rule_about_names_does_not_stand_in_the_way(alice: User) -> None:
    mixed = "\u0430lice"  # a Cyrillic letter first
    User.objects.filter(pk=alice.pk).update(name=mixed, name_key=mixed)
    alice.refresh_from_db()
    assert save(logged_in(alice), name=mixed, language="ko") == 302
    assert save(logged_in(alice), name=mixed.title()) == 422
    alice.refresh_from_db()
    assert (alice.name, alice.language) == (mixed, "ko")


def test_nobody_changes_somebody_else(alice: User, bob: User) -> None:
    save(logged_in(alice), name="alicia", id=str(bob.pk), pk=str(bob.pk), is_staff="on", email="x@example.com")
    bob.refresh_from_db()
    alice.refresh_from_db()
    assert bob.name == "bob"
    assert (alice.is_staff, alice.email) == (False, "alice@example.com")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_colours_stand_in_the_page_as_it_arrives(alice: User, theme: str) -> None:
    client = logged_in(alice)
    save(client, theme=theme)
    assert f'data-theme="{theme}"' in text_of(client, "/accounts/email/")
    save(client, theme="")
    assert "data-theme" not in text_of(client, "/accounts/email/")


def test_a_colour_that_is_none_is_refused_and_one_in_a_cookie_is_ignored(alice: User) -> None:
    client = logged_in(alice)
    assert save(client, theme='"><script>') == 422
    client.cookies["theme"] = "loud"
    assert "data-theme" not in text_of(client, "/accounts/email/")


def test_every_zone_that_a_browser_may_have_is_kept(alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(time_zone="Asia/Calcutta")
    client = logged_in(alice)
    assert '<option value="Asia/Calcutta" selected>' in text_of(client, "/settings/")
    assert save(client, time_zone="Asia/Calcutta") == 302


def test_a_zone_of_no_continent_stays_choosable_for_whoever_has_it() -> None:
    choices = dict(zone_choices("Etc/GMT+3"))
    assert choices["Etc/GMT+3"] == "Etc/GMT+3"
    assert "Etc/GMT+3" not in dict(zone_choices("UTC"))


def test_each_countrys_zones_are_offered_once_and_no_old_names_or_doubles() -> None:
    groups = [zones for _name, zones in zone_choices("UTC") if isinstance(zones, list)]
    offered = [zone for zones in groups for zone, _city in zones]
    assert len(offered) == len(set(offered))
    assert {"Asia/Seoul", "Asia/Kolkata", "Europe/Kyiv", "Europe/Amsterdam", "America/New_York"} <= set(offered)
    assert not {"Asia/Calcutta", "Europe/Kiev", "ROK", "US/Eastern", "America/Buenos_Aires"} & set(offered)


@pytest.mark.parametrize(("language", "seoul", "first"), [("en", "Seoul", "Aden"), ("ko", "서울", "가자")])
def test_cities_are_called_and_ordered_as_in_the_readers_language(language: str, seoul: str, first: str) -> None:
    with translation.override(language):
        asia = dict(zone_choices("UTC"))["Asia" if language == "en" else "아시아"]
    assert isinstance(asia, list)
    assert ("Asia/Seoul", seoul) in asia
    assert asia[0][1] == first
    if language == "ko":
        assert all(re.search("[가-힣]", city) for _zone, city in asia)


@pytest.mark.parametrize(
    ("told", "kept"), [("Asia/Calcutta", "Asia/Kolkata"), ("Europe/Amsterdam", "Europe/Amsterdam"), ("EST", "EST")]
)
def test_an_old_name_that_a_browser_tells_is_understood(told: str, kept: str) -> None:
    assert canonical(told) == kept


def test_the_names_of_cities_are_those_of_the_data_they_were_taken_from() -> None:
    assert zone_names.main(["--check"]) == 0


def test_the_page_says_where_the_browser_is_if_that_is_elsewhere(alice: User) -> None:
    client = logged_in(alice)
    client.cookies["timezone"] = "Asia%2FSeoul"
    assert "This browser says that it is in Seoul." in text_of(client, "/settings/")


def test_the_page_costs_few_queries(alice: User, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    client = logged_in(alice)
    with django_assert_max_num_queries(4):
        client.get("/settings/")


# --- the language and the zone of every page --------------------------------------------------------------------------


def test_a_stranger_reads_in_the_browsers_language_until_they_switch() -> None:
    client = Client(headers={"accept-language": "ko"})
    assert '<html lang="ko"' in text_of(client, "/accounts/login/")
    answer = client.post("/language/", {"language": "en", "next": "/accounts/login/"})
    assert answer.headers["Location"] == "/accounts/login/"
    assert '<html lang="en"' in text_of(client, "/accounts/login/")


def test_the_switch_in_the_footer_is_the_accounts_language_too(alice: User) -> None:
    client = logged_in(alice)
    client.post("/language/", {"language": "ko", "next": "/settings/"})
    alice.refresh_from_db()
    assert alice.language == "ko"
    assert '<html lang="ko"' in text_of(client, "/settings/")
    client.post("/language/", {"language": "xx", "next": "/settings/"})
    alice.refresh_from_db()
    assert alice.language == "ko"


def test_the_switch_leads_to_no_other_site_and_takes_a_post(alice: User) -> None:
    client = logged_in(alice)
    answer = client.post("/language/", {"language": "ko", "next": "https://elsewhere.example/"})
    assert answer.headers["Location"] == "/"
    assert client.get("/language/").status_code == 405


def test_the_accounts_language_wins_over_the_browsers(alice: User) -> None:
    client = logged_in(alice)
    answer = client.get("/settings/", headers={"accept-language": "ko"})
    assert (answer.headers["Content-Language"], "Settings" in answer.content.decode()) == ("en", True)


@pytest.mark.parametrize(("zone", "hour"), [("Asia/Seoul", "09:00"), ("UTC", "00:00")])
def test_times_are_in_the_readers_zone(alice: User, zone: str, hour: str) -> None:
    from allauth.usersessions.models import UserSession

    User.objects.filter(pk=alice.pk).update(time_zone=zone)
    client = logged_in(alice)
    UserSession.objects.update(created_at="2027-03-04T00:00:00Z")
    shown = re.search(r"4 March 2027, ([\d:]+)", text_of(client, "/accounts/sessions/"))
    assert shown is not None
    assert shown[1] == hour


def test_one_readers_zone_and_language_do_not_stay_for_the_next(alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(language="ko", time_zone="Asia/Seoul")
    text_of(logged_in(alice), "/settings/")
    assert '<html lang="en"' in text_of(Client(), "/accounts/login/")
