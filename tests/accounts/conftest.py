"""People with accounts, their browsers, and what they are mailed."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import Client
from pytest_django.fixtures import Settings

from accounts.models import User
from accounts.people import add_person
from notifications.models import Message

PASSWORD = "correct horse battery"
_LINK = re.compile(r"https?://\S+")


@pytest.fixture(autouse=True)
def fresh_limits(valkey: str) -> Iterator[None]:
    """No try of an earlier test counts towards the rate limits of this one."""
    return iter([None])


@pytest.fixture(autouse=True)
def quick_hashes(settings: Settings) -> None:
    """Passwords that are stored with little work: these tests store hundreds."""
    settings.PASSWORD_HASHERS = ["tests.accounts.hashers.QuickArgon2"]


@pytest.fixture
def alice(db: None) -> User:
    return add_person("alice", "alice@example.com", PASSWORD)


@pytest.fixture
def bob(db: None) -> User:
    return add_person("bob", "bob@example.com", PASSWORD)


def logged_in(user: User) -> Client:
    """A browser in which this person logged in with the password a moment ago."""
    client = Client()
    answer = client.post("/accounts/login/", {"login": user.name, "password": PASSWORD})
    assert answer.status_code == 302
    return client


def surely_them(user: User) -> Client:
    """A browser in which this person has also given the password once more, as what is delicate asks for."""
    client = logged_in(user)
    assert client.post("/accounts/reauthenticate/", {"password": PASSWORD}).status_code == 302
    return client


def sign_up(client: Client, name: str, email: str, **more: str) -> tuple[int, str]:
    """Post the sign-up form; the status, and where the answer leads."""
    form = {"username": name, "email": email, "password1": PASSWORD, **more}
    answer = client.post("/accounts/signup/", form)
    return answer.status_code, answer.headers.get("Location", "")


def letters(address: str) -> list[Message]:
    """The mails about accounts that were written to an address, the oldest first."""
    return list(Message.objects.filter(kind=Message.Kind.ACCOUNT, address=address).order_by("id"))


def mailed_path(address: str) -> str:
    """The path of the first link in the latest mail to an address; links lead to the site and nowhere else."""
    text = letters(address)[-1].body_text or ""
    link = _LINK.search(text)
    assert link is not None, text
    assert link[0].startswith(settings.CLEW_SITE_URL + "/")
    return link[0].removeprefix(settings.CLEW_SITE_URL)


def text_of(client: Client, path: str) -> str:
    """A page as it is shown."""
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()
