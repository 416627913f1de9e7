"""What holds for every page about accounts: its policy, its languages, its labels."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.accounts.conftest import mailed_path, sign_up, surely_them

pytestmark = pytest.mark.django_db

FOR_STRANGERS = [
    "account_login",
    "account_signup",
    "account_reset_password",
    "account_reset_password_done",
    "account_reset_password_from_key_done",
    "account_email_verification_sent",
    "account_inactive",
]
FOR_PEOPLE = [
    "settings",
    "account_email",
    "account_change_password",
    "account_logout",
    "account_reauthenticate",
    "usersessions_list",
    "mfa_index",
    "mfa_activate_totp",
]
WITH_SECOND_STEP = [
    "mfa_index",
    "mfa_deactivate_totp",
    "mfa_view_recovery_codes",
    "mfa_generate_recovery_codes",
    "mfa_reauthenticate",
]


class Page(HTMLParser):
    """Collects what a strict policy forbids, and fields that nothing names."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forbidden: list[str] = []
        self.fields: set[str] = set()
        self.labels: set[str] = set()
        self.headings = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.forbidden += [name for name in given if name == "style" or name.startswith("on")]
        if tag == "style" or (tag == "script" and "src" not in given):
            self.forbidden.append(tag)
        if tag == "h1":
            self.headings += 1
        if tag == "label":
            self.labels.add(given.get("for") or "")
        if tag in {"input", "select", "textarea"} and given.get("type") != "hidden" and "hidden" not in given:
            self.fields.add(given.get("id") or "without an id")


def check(client: Client, path: str, language: str) -> None:
    """One page, in one language."""
    answer = client.get(path, headers={"accept-language": language})
    assert answer.status_code == 200
    html = answer.content.decode()
    policy = answer.headers["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    page = Page(html)
    assert page.forbidden == []
    assert page.fields <= page.labels
    assert page.headings == 1
    assert f'<html lang="{language}"' in html
    main = re.sub(r"<[^>]*>", " ", html[html.index("<main") : html.index("</main>")]).replace("한국어", "")
    assert bool(re.search("[가-힣]", main)) == (language == "ko")
    assert "allauth" not in html


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("name", FOR_STRANGERS)
def test_a_page_for_strangers_keeps_to_the_policy_in_both_languages(name: str, language: str) -> None:
    check(Client(), reverse(name), language)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_pages_behind_mailed_links_do_too(alice: User, language: str) -> None:
    sign_up(Client(), "Mina", "mina@example.com")
    check(Client(), mailed_path("mina@example.com"), language)
    check(Client(), "/accounts/confirm-email/nothing/", language)
    Client().post("/accounts/password/reset/", {"email": "alice@example.com"})
    client = Client()
    check(client, client.get(mailed_path("alice@example.com")).headers["Location"], language)
    check(client, "/accounts/password/reset/key/1-nothing/", language)


def reader(user: User, language: str) -> Client:
    user.language = language
    user.save()
    return surely_them(user)


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("name", FOR_PEOPLE)
def test_a_page_for_people_keeps_to_the_policy_in_both_languages(alice: User, name: str, language: str) -> None:
    assert Client().get(reverse(name)).status_code == 302
    check(reader(alice, language), reverse(name), language)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_pages_of_the_second_step_do_too(alice: User, language: str) -> None:
    client = reader(alice, language)
    TOTP.activate(alice, "JBSWY3DPEHPK3PXP")
    RecoveryCodes.activate(alice)
    for name in WITH_SECOND_STEP:
        check(client, reverse(name), language)
    waiting = Client(headers={"accept-language": language})
    answer = waiting.post("/accounts/login/", {"login": "alice", "password": "correct horse battery"})
    check(waiting, answer.headers["Location"], language)


@pytest.mark.parametrize("path", ["/settings/", "/accounts/signup/", "/accounts/email/", "/language/"])
def test_forms_of_other_sites_are_refused(alice: User, path: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    assert client.post(path, {"name": "mallory"}).status_code == 403
