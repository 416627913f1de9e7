"""Logging in and out, and what a wrong try gives away."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core.management import call_command
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import PASSWORD, letters, logged_in, surely_them, text_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("login", ["alice", "ALICE", "ａｌｉｃｅ", " alice ", "alice@example.com", "Alice@Example.COM"])
def test_name_and_mail_address_both_log_in(alice: User, login: str) -> None:
    answer = Client().post("/accounts/login/", {"login": login, "password": PASSWORD})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/home/")


def test_an_operator_made_on_the_server_logs_in_before_mail_works_and_finds_the_way(alice: User) -> None:
    given = {"name": "Op", "email": "Op@Example.com"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
        call_command("createsuperuser", interactive=False, verbosity=0, **given)
    for login in given.values():
        client = Client()
        answer = client.post("/accounts/login/", {"login": login, "password": PASSWORD})
        assert (answer.status_code, answer.headers["Location"]) == (302, "/home/")
    page = text_of(client, "/settings/")
    for path in ("/operator/outbox/", "/admin/"):
        assert f'href="{path}"' in page
        assert client.get(path).status_code == 200
        assert f'href="{path}"' not in text_of(logged_in(alice), "/settings/")


def test_the_session_outlives_the_browser(alice: User) -> None:
    client = logged_in(alice)
    assert client.cookies["sessionid"]["max-age"] == 60 * 24 * 60 * 60


WRONG = ["alice", "nobody", "alice@example.com", "nobody@example.com"]


def test_every_wrong_try_is_told_the_same(alice: User) -> None:
    told = set()
    for login in WRONG:
        answer = Client().post("/accounts/login/", {"login": login, "password": "not this one"})
        page = answer.content.decode().replace(login, "LOGIN")
        token = answer.context["csrf_token"]
        told.add((answer.status_code, page.replace(str(token), "TOKEN")))
    assert len(told) == 1


@pytest.mark.parametrize("login", WRONG)
def test_every_wrong_try_takes_the_time_of_one_password(
    alice: User, login: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked: list[str] = []
    encode, verify = Argon2PasswordHasher.encode, Argon2PasswordHasher.verify

    def counted_encode(self: Argon2PasswordHasher, password: str, salt: str) -> str:
        worked.append("encode")
        return encode(self, password, salt)

    def counted_verify(self: Argon2PasswordHasher, password: str, encoded: str) -> bool:
        worked.append("verify")
        return verify(self, password, encoded)

    monkeypatch.setattr(Argon2PasswordHasher, "encode", counted_encode)
    monkeypatch.setattr(Argon2PasswordHasher, "verify", counted_verify)
    Client().post("/accounts/login/", {"login": login, "password": "not this one"})
    assert len(worked) == 1


@pytest.mark.parametrize("login", ["alice", "nobody@example.com"])
def test_after_five_wrong_tries_one_has_to_wait_whoever_it_is(alice: User, login: str) -> None:
    client = Client()
    for _ in range(5):
        assert "together with this password" in client.post(
            "/accounts/login/", {"login": login, "password": "not this one"}
        ).content.decode()  # fmt: skip
    answer = client.post("/accounts/login/", {"login": login, "password": PASSWORD})
    assert answer.status_code == 200
    assert "Too many tries. Please wait a few minutes." in answer.content.decode()


def test_a_crowd_of_sign_ups_from_one_address_is_stopped() -> None:
    client = Client()
    statuses = [client.post("/accounts/signup/", {}).status_code for _ in range(21)]
    assert statuses == [200] * 20 + [429]
    assert "Too many tries" in client.post("/accounts/signup/", {}).content.decode()


def test_a_closed_account_can_not_log_in(alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_active=False)
    answer = Client().post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    assert answer.headers["Location"] == "/accounts/inactive/"


def test_an_address_that_was_never_confirmed_gets_another_link() -> None:
    User.objects.create_user("old", "old@example.com", PASSWORD)
    answer = Client().post("/accounts/login/", {"login": "old", "password": PASSWORD})
    assert answer.headers["Location"] == "/accounts/confirm-email/"
    assert [letter.subject for letter in letters("old@example.com")] == ["Confirm your mail address for Clew"]


def test_logging_out_takes_a_button(alice: User) -> None:
    client = logged_in(alice)
    assert client.get("/accounts/logout/").status_code == 200
    assert client.get("/settings/").status_code == 200
    assert client.post("/accounts/logout/").headers["Location"] == "/"
    assert client.get("/settings/").headers["Location"] == "/accounts/login/?next=/settings/"


def test_the_admin_is_entered_by_the_same_door(alice: User) -> None:
    assert Client().get("/admin/").status_code == 302
    answer = Client().get("/admin/login/")
    assert answer.headers["Location"].startswith("/accounts/login/")


def test_other_sessions_are_listed_and_ended(alice: User) -> None:
    here, there = logged_in(alice), Client(headers={"user-agent": "Mozilla/5.0 (X11; Linux) Firefox/145.0"})
    there.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    page = text_of(here, "/accounts/sessions/")
    assert "Firefox · Linux" in page
    assert page.count("This browser") == 1
    here.post("/accounts/sessions/")
    assert here.get("/settings/").status_code == 200
    assert there.get("/settings/").status_code == 302


# --- the second step --------------------------------------------------------------------------------------------------


def code_for(secret: str) -> str:
    """What an authenticator app would show now."""
    code: str = format_hotp_value(hotp_value(secret, next(iter(yield_hotp_counters_from_time()))))
    return code


def test_the_second_step_is_switched_on_asked_for_and_switched_off(
    alice: User, django_capture_on_commit_callbacks: Any
) -> None:
    client = surely_them(alice)
    secret = client.get("/accounts/second-step/totp/activate/").context["form"].secret
    answer = client.post("/accounts/second-step/totp/activate/", {"code": "000000"})
    assert "This code is not right" in answer.content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        answer = client.post("/accounts/second-step/totp/activate/", {"code": code_for(secret)})
    assert answer.headers["Location"] == "/accounts/second-step/recovery-codes/"
    spare = client.get(answer.headers["Location"]).context["unused_codes"][0]
    assert letters("alice@example.com")[-1].subject == "The second step at log-in is on"

    other = Client()
    answer = other.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    assert answer.headers["Location"] == "/accounts/second-step/authenticate/"
    assert other.get("/settings/").status_code == 302, "the password alone doesn't let in"
    assert other.post("/accounts/second-step/authenticate/", {"code": "00000000"}).status_code == 200
    assert other.post("/accounts/second-step/authenticate/", {"code": spare}).headers["Location"] == "/home/"
    assert other.get("/settings/").status_code == 200

    with django_capture_on_commit_callbacks(execute=True):
        assert client.post("/accounts/second-step/totp/deactivate/").status_code == 302
    assert not Authenticator.objects.filter(user=alice, type=Authenticator.Type.TOTP).exists()
    assert letters("alice@example.com")[-1].subject == "The second step at log-in is off"
    assert logged_in(alice).get("/settings/").status_code == 200


def test_a_recovery_code_lets_in_once(alice: User) -> None:
    TOTP.activate(alice, "JBSWY3DPEHPK3PXP")
    spare = RecoveryCodes.activate(alice).get_unused_codes()[0]
    landed = []
    for _ in range(2):
        client = Client()
        client.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
        landed.append(client.post("/accounts/second-step/authenticate/", {"code": spare}).status_code)
    assert landed == [302, 200]
