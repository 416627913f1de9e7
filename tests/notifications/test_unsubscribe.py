"""Away from turn mails with one click, and back by the settings; a link that is only followed changes nothing."""

from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core import signing
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from accounts.models import User
from config import clock
from notifications import sender
from notifications.unsubscribe import off_url
from tests.notifications import games

ONE_CLICK = {"List-Unsubscribe": "One-Click"}


@pytest.fixture
def stranger() -> Client:
    """A browser or mail program that isn't logged in and has no cookie of ours."""
    return Client(enforce_csrf_checks=True)


def path_of(user: User) -> str:
    return urlsplit(off_url(user)).path


def wants_mails(user: User) -> bool:
    return User.objects.get(pk=user.pk).turn_mails


@pytest.mark.parametrize("body", [ONE_CLICK, {}])
def test_a_post_without_login_switches_the_turn_mails_of_that_person_off(
    alice: User, bob: User, stranger: Client, body: dict[str, str]
) -> None:
    answer = stranger.post(path_of(alice), body)
    assert answer.status_code == 200
    assert not wants_mails(alice)
    assert wants_mails(bob)


def test_the_link_of_the_mails_header_is_the_one_to_post_to(
    alice: User, bob: User, stranger: Client, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    games.start(alice, bob)
    now.advance(seconds=60)
    sender.send_due()
    link = mailoutbox[0].extra_headers["List-Unsubscribe"].strip("<>")
    stranger.post(urlsplit(link).path, ONE_CLICK)
    assert not wants_mails(alice)


@pytest.mark.parametrize("method", ["get", "head"])
def test_following_the_link_changes_nothing(alice: User, stranger: Client, method: str) -> None:
    answer = getattr(stranger, method)(path_of(alice))
    assert answer.status_code == 200
    assert wants_mails(alice)


def test_the_page_asks_with_a_button_and_then_says_how_to_come_back(alice: User, stranger: Client) -> None:
    page = stranger.get(path_of(alice)).content.decode()
    assert "Stop mailing alice when it is their turn?" in page
    assert '<form method="post">' in page
    assert "alice@example.com" not in page
    done = stranger.post(path_of(alice)).content.decode()
    assert "alice is no longer mailed when it is their turn." in done
    assert f'href="{reverse("settings")}"' in done
    assert '<form method="post">' not in done
    assert "alice is no longer mailed" in stranger.get(path_of(alice)).content.decode()


def test_doing_it_twice_does_it_once(alice: User, stranger: Client) -> None:
    assert [stranger.post(path_of(alice), ONE_CLICK).status_code for _ in range(2)] == [200, 200]
    assert not wants_mails(alice)


def test_the_page_is_in_the_language_of_the_mail(stranger: Client, db: None) -> None:
    alice = games.person("alice", language="ko")
    for page in (stranger.get(path_of(alice)), stranger.post(path_of(alice))):
        assert '<html lang="ko"' in page.content.decode()
        assert "차례 알림 메일" in page.content.decode()


def test_a_token_that_is_not_ours_leads_nowhere(alice: User, bob: User, stranger: Client) -> None:
    _, signature = path_of(alice).removeprefix("/mail/off/").rstrip("/").split(":")
    forged = [
        "x",
        str(alice.pk),
        f"{bob.pk}:{signature}",
        f"{alice.pk}:{signature[:-1]}",
        signing.Signer().sign(str(alice.pk)),
        signing.Signer(salt="another").sign(str(alice.pk)),
    ]
    for token in forged:
        url = reverse("turn-mails-off", args=[token])
        assert [stranger.get(url).status_code, stranger.post(url, ONE_CLICK).status_code] == [404, 404]
    assert wants_mails(alice)
    assert wants_mails(bob)


def test_a_token_of_someone_who_left_leads_nowhere(alice: User, stranger: Client) -> None:
    path = path_of(alice)
    alice.delete()
    assert stranger.post(path, ONE_CLICK).status_code == 404


def test_a_token_never_expires_and_outlives_a_change_of_the_secret_key(
    alice: User, stranger: Client, settings: Settings
) -> None:
    path = path_of(alice)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another secret key", [settings.SECRET_KEY]
    with clock.frozen(clock.now()) as later:
        later.advance(days=3650)
        assert stranger.post(path, ONE_CLICK).status_code == 200
    assert not wants_mails(alice)


def test_the_token_opens_nothing_else(alice: User, stranger: Client) -> None:
    stranger.post(path_of(alice), ONE_CLICK)
    assert "sessionid" not in stranger.cookies
    assert stranger.get(reverse("settings")).status_code == 302


def test_other_methods_are_refused(alice: User, stranger: Client) -> None:
    assert stranger.put(path_of(alice)).status_code == 405


def test_a_mail_that_was_promised_before_is_dropped(
    alice: User, bob: User, stranger: Client, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    game = games.start(alice, bob)
    stranger.post(path_of(alice), ONE_CLICK)
    now.advance(seconds=60)
    sender.send_due()
    assert mailoutbox == []
    assert games.states(game) == ["dropped"]


def test_the_settings_bring_the_mails_back(
    alice: User, bob: User, stranger: Client, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    stranger.post(path_of(alice), ONE_CLICK)
    alice.refresh_from_db()
    browser = Client()
    browser.force_login(alice)
    assert 'name="turn_mails"' in browser.get(reverse("settings")).content.decode()
    form = {"name": "alice", "language": "en", "time_zone": "UTC", "theme": "", "turn_mails": "on"}
    assert browser.post(reverse("settings"), form).status_code == 302
    assert wants_mails(alice)
    games.start(alice, bob)
    now.advance(seconds=60)
    sender.send_due()
    assert [mail.to for mail in mailoutbox] == [["alice@example.com"]]
    form.pop("turn_mails")
    browser.post(reverse("settings"), form)
    assert not wants_mails(alice)
