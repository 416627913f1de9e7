"""Forgotten and changed passwords, changed mail addresses."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from config import clock
from tests.accounts.conftest import PASSWORD, letters, logged_in, mailed_path, sign_up, surely_them

pytestmark = pytest.mark.django_db

NEW = "quiet lamp under snow"


def ask(address: str, **headers: str) -> tuple[int, str]:
    answer = Client(headers=headers).post("/accounts/password/reset/", {"email": address})
    return answer.status_code, answer.headers["Location"]


def test_a_forgotten_password_is_replaced_by_the_mailed_link_once(alice: User) -> None:
    assert ask("Alice@example.com") == (302, "/accounts/password/reset/done/")
    path = mailed_path("alice@example.com")
    client = Client()
    form = client.get(path).headers["Location"]
    assert "set-password" in form, "the key does not stay in the address"
    answer = client.post(form, {"password1": NEW, "password2": NEW})
    assert answer.headers["Location"] == "/accounts/password/reset/key/done/"
    assert Client().post("/accounts/login/", {"login": "alice", "password": PASSWORD}).status_code == 200
    assert Client().post("/accounts/login/", {"login": "alice", "password": NEW}).status_code == 302
    assert "used already" in Client().get(path).content.decode()
    assert letters("alice@example.com")[-1].subject == "Your password for Clew was changed"


def test_a_reset_link_lasts_three_days(alice: User) -> None:
    ask("alice@example.com")
    path = mailed_path("alice@example.com")
    with time_machine.travel(clock.now() + timedelta(days=2, hours=23), tick=False):
        assert Client().get(path).status_code == 302
    with time_machine.travel(clock.now() + timedelta(days=3, minutes=1), tick=False):
        assert "used already" in Client().get(path).content.decode()


def test_an_unknown_address_is_answered_alike_and_mailed_kindly(alice: User) -> None:
    assert ask("alice@example.com") == ask("nobody@example.com")
    assert len(letters("alice@example.com")) == len(letters("nobody@example.com")) == 1
    assert letters("nobody@example.com")[0].subject == "No account at Clew has this address"
    assert mailed_path("nobody@example.com") == "/accounts/signup/"


def test_a_reset_is_written_in_the_language_of_the_account(alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(language="ko")
    ask("alice@example.com", **{"accept-language": "en"})
    ask("nobody@example.com", **{"accept-language": "ko"})
    assert letters("alice@example.com")[0].subject == "Clew 비밀번호를 새로 정해 주세요"
    assert letters("nobody@example.com")[0].subject == "Clew에 이 주소로 된 계정이 없습니다"


def test_what_the_request_claims_the_site_is_called_never_gets_into_a_link(alice: User) -> None:
    Client().post("/accounts/password/reset/", {"email": "alice@example.com"}, headers={"host": "localhost:6666"})
    assert "6666" not in (letters("alice@example.com")[0].body_text or "6666")


def test_an_address_that_somebody_only_claims_gets_no_link_into_their_account_with_the_owners(alice: User) -> None:
    """Two have the address: who confirmed it, and who only noted it as the one to change to."""
    thief = User.objects.create_user("thief", "thief@example.com", PASSWORD)
    EmailAddress.objects.create(user=thief, email="alice@example.com")
    ask("alice@example.com")
    assert [letter.user for letter in letters("alice@example.com")] == [alice]


def test_resets_are_limited_for_each_address(alice: User) -> None:
    statuses = [
        Client().post("/accounts/password/reset/", {"email": "alice@example.com"}).status_code for _ in range(6)
    ]
    assert statuses == [302] * 5 + [429]
    assert len(letters("alice@example.com")) == 5


def test_the_password_is_changed_with_the_present_one_and_other_sessions_end(alice: User) -> None:
    here, there = logged_in(alice), logged_in(alice)
    wrong = here.post("/accounts/password/change/", {"oldpassword": "no", "password1": NEW, "password2": NEW})
    assert "This is not your present password." in wrong.content.decode()
    answer = here.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    assert answer.headers["Location"] == "/settings/"
    assert here.get("/settings/").status_code == 200
    assert there.get("/settings/").status_code == 302
    assert letters("alice@example.com")[-1].subject == "Your password for Clew was changed"


# --- the mail address -------------------------------------------------------------------------------------------------


def change_to(client: Client, address: str) -> tuple[int, str]:
    answer = client.post("/accounts/email/", {"action_add": "", "email": address})
    return answer.status_code, answer.headers.get("Location", "")


def test_a_new_address_counts_once_it_is_confirmed_and_the_former_one_is_told(alice: User) -> None:
    client = surely_them(alice)
    assert change_to(client, "new@example.com") == (302, "/accounts/email/")
    alice.refresh_from_db()
    assert alice.email == "alice@example.com"
    assert "new@example.com" in client.get("/accounts/email/").content.decode()
    assert client.post(mailed_path("new@example.com")).headers["Location"] == "/accounts/email/"
    alice.refresh_from_db()
    assert alice.email == "new@example.com"
    told = letters("alice@example.com")[-1]
    assert told.subject == "Your mail address for Clew was changed"
    assert told.body_text is not None
    assert "Hello alice," in told.body_text
    assert "new@example.com" in told.body_text


def test_a_change_can_be_called_off(alice: User) -> None:
    client = surely_them(alice)
    change_to(client, "new@example.com")
    path = mailed_path("new@example.com")
    client.post("/accounts/email/", {"action_remove": "", "email": "new@example.com"})
    assert client.post(path).status_code == 404
    alice.refresh_from_db()
    assert alice.email == "alice@example.com"


def test_the_address_of_an_account_can_not_be_removed(alice: User) -> None:
    client = surely_them(alice)
    client.post("/accounts/email/", {"action_remove": "", "email": "alice@example.com"})
    assert EmailAddress.objects.get(user=alice).email == "alice@example.com"
    assert "Your present mail address cannot be removed." in client.get("/accounts/email/").content.decode()


def test_changing_to_somebody_elses_address_looks_the_same_and_can_not_be_confirmed(alice: User, bob: User) -> None:
    client = surely_them(alice)
    assert change_to(client, "bob@example.com") == (302, "/accounts/email/")
    client.post(mailed_path("bob@example.com"))
    alice.refresh_from_db()
    bob.refresh_from_db()
    assert (alice.email, bob.email) == ("alice@example.com", "bob@example.com")
    assert Client().post("/accounts/login/", {"login": "bob@example.com", "password": PASSWORD}).status_code == 302


def test_whoever_proves_an_address_theirs_has_it_from_those_who_only_claimed_it(alice: User) -> None:
    client = surely_them(alice)
    change_to(client, "new@example.com")
    theirs = mailed_path("new@example.com")
    cache.clear()  # else an address is sent one link in three minutes
    sign_up(Client(), "squatter", "late@example.com")
    User.objects.filter(name="squatter").update(email="new@example.com")
    EmailAddress.objects.filter(email="late@example.com").update(email="new@example.com")
    squatters = mailed_path("late@example.com")
    client.post(theirs)
    alice.refresh_from_db()
    assert alice.email == "new@example.com"
    assert User.objects.get(name="squatter").email is None
    assert Client().post(squatters).status_code == 404


def test_a_change_asks_for_the_password_once_more_and_then_goes_on(alice: User) -> None:
    client = logged_in(alice)
    status, where = change_to(client, "new@example.com")
    assert (status, where.split("?")[0]) == (302, "/accounts/reauthenticate/")
    assert letters("new@example.com") == []
    assert "This is not your password." in client.post(where, {"password": "no"}).content.decode()
    client.post(where, {"password": PASSWORD})
    assert len(letters("new@example.com")) == 1
