"""The pages of access for programs: what makes a secret shows it once, and it stands nowhere else."""

from __future__ import annotations

import logging
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from accounts import bots, tokens
from accounts.models import Token, User
from config import clock
from tests.accounts.conftest import PASSWORD, letters, logged_in, surely_them, text_of

PAGE = "/settings/programs/"
_SECRET = re.compile(r"clew_[\w-]{43}")


def made(client: Client, path: str, **data: object) -> str:
    """Send the form at ``path``; the secret in the answer, which must hold one."""
    answer = client.post(path, data)
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    found = _SECRET.findall(answer.content.decode())
    assert len(found) == 1
    return str(found[0])


def make_token(client: Client, *scopes: str, label: str = "laptop", lasts: str = "") -> str:
    return made(client, f"{PAGE}token/", label=label, scopes=scopes or ("read",), lasts=lasts)


def test_the_settings_lead_there_and_at_first_there_is_nothing(alice: User) -> None:
    client = logged_in(alice)
    assert f'href="{PAGE}"' in text_of(client, "/settings/")
    page = text_of(client, PAGE)
    assert "No program has a token of yours." in page
    assert "You have no bot." in page


@pytest.mark.parametrize("path", ["", "token/", "bot/"])
def test_a_stranger_is_asked_to_log_in(client: Client, db: None, path: str) -> None:
    assert client.get(PAGE + path)["Location"] == f"/accounts/login/?next={PAGE}{path}"


def test_a_token_is_made_with_label_and_scopes_and_shown_once(alice: User) -> None:
    client = surely_them(alice)
    secret = make_token(client, "read", "play")
    token = tokens.find(secret)
    assert token is not None
    assert (token.user, token.label, set(token.scopes), token.expires_at) == (alice, "laptop", {"read", "play"}, None)
    page = text_of(client, PAGE)
    assert "laptop" in page
    assert "Play: open tables" in page
    assert "Manage bots" not in page
    assert secret not in page


def test_a_token_can_be_good_for_some_days(alice: User) -> None:
    noon = datetime(2026, 11, 30, 12, tzinfo=UTC)
    client = surely_them(alice)
    with clock.frozen(noon):
        make_token(client, lasts="30")
    assert Token.objects.get().expires_at == noon + timedelta(days=30)
    with clock.frozen(noon + timedelta(days=30)):
        assert "Expired" in text_of(client, PAGE)


def test_making_a_token_or_a_bot_asks_for_the_password_once_more(alice: User) -> None:
    client = logged_in(alice)
    for path in ("token/", "bot/"):
        answer = client.get(PAGE + path)
        assert answer["Location"].startswith("/accounts/reauthenticate/")
        answer = client.post(PAGE + path, {"label": "x", "scopes": ["read"], "name": "rufus"})
        assert answer["Location"].startswith("/accounts/reauthenticate/")
    assert not Token.objects.exists()
    assert not bots.of(alice)


def test_a_form_that_was_sent_too_late_goes_on_after_the_password_and_its_secret_is_kept_by_nobody(alice: User) -> None:
    client = logged_in(alice)
    client.post(f"{PAGE}token/", {"label": "laptop", "scopes": ["read"]})
    secret = made(client, "/accounts/reauthenticate/", password=PASSWORD, next=f"{PAGE}token/")
    token = tokens.find(secret)
    assert token is not None
    assert token.user == alice
    assert all(secret not in str(session.get_decoded()) for session in Session.objects.all())


def test_the_secret_is_in_no_session_message_mail_or_log(alice: User, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    client = surely_them(alice)
    bare = make_token(client).removeprefix("clew_")
    client.get(PAGE, headers={"Authorization": f"Bearer clew_{bare}"})
    assert all(bare not in str(session.get_decoded()) for session in Session.objects.all())
    assert all(bare not in str(cookie) for cookie in client.cookies.values())
    assert all(bare not in (mail.body_text or "") + (mail.body_html or "") for mail in letters("alice@example.com"))
    assert bare not in caplog.text


def test_a_mail_tells_that_a_token_was_made(alice: User) -> None:
    client = surely_them(alice)
    make_token(client, label="my\nlaptop")
    letter = letters("alice@example.com")[-1]
    assert letter.subject == "A token for your account at Clew was made"
    assert "my laptop" in (letter.body_text or "")


def test_what_is_missing_is_said_and_no_token_made(alice: User) -> None:
    client = surely_them(alice)
    for data in ({"label": "", "scopes": ["read"]}, {"label": "x"}, {"label": "x", "scopes": ["admin"]}):
        assert client.post(f"{PAGE}token/", data).status_code == 422
    assert not Token.objects.exists()


def test_nobody_has_more_tokens_than_there_may_be(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "MOST", 1)
    client = surely_them(alice)
    make_token(client)
    answer = client.post(f"{PAGE}token/", {"label": "one more", "scopes": ["read"]})
    assert answer.status_code == 422
    assert "Revoke one first." in answer.content.decode()


def test_revoking_asks_first_and_then_takes_effect_at_once(alice: User) -> None:
    client = surely_them(alice)
    secret = make_token(client)
    path = reverse("revoke-token", args=[Token.objects.get().pk])
    page = text_of(client, path)
    assert "Revoke this token?" in page
    assert "laptop" in page
    assert tokens.find(secret) is not None
    assert client.post(path)["Location"] == PAGE
    assert tokens.find(secret) is None
    assert "The token was revoked." in text_of(client, PAGE)


def test_tokens_and_bots_of_others_are_not_there(alice: User, bob: User) -> None:
    token, secret = tokens.make(bob, "his", ["read"])
    bot = bots.make(bob, "bobs.bot")
    inner, _inner_secret = tokens.make(bot, "first", ["read"])
    client = surely_them(alice)
    for path in (
        f"token/{token.pk}/revoke/",
        f"token/{inner.pk}/revoke/",
        "bot/bobs.bot/retire/",
        "bot/bobs.bot/token/",
        f"bot/bobs.bot/token/{inner.pk}/revoke/",
        "bot/alice/retire/",
        "bot/nobody/token/",
    ):
        assert client.get(PAGE + path).status_code == 404
        assert client.post(PAGE + path, {"label": "x"}).status_code == 404
    assert tokens.find(secret) is not None
    assert bots.of(bob).exists()
    assert "his" not in text_of(client, PAGE)


def test_a_bot_is_made_with_its_first_token(alice: User) -> None:
    client = surely_them(alice)
    secret = made(client, f"{PAGE}bot/", name="rufus")
    token = tokens.find(secret)
    assert token is not None
    assert (token.user.name, token.user.owner, set(token.scopes)) == ("rufus", alice, {"read", "play"})
    page = text_of(client, PAGE)
    assert "rufus (bot)" in page
    assert "First token" in page


def test_a_name_that_is_taken_is_no_bots(alice: User, bob: User) -> None:
    answer = surely_them(alice).post(f"{PAGE}bot/", {"name": "bob"})
    assert answer.status_code == 422
    assert "This name is taken." in answer.content.decode()


def test_a_bot_gets_further_tokens_and_loses_them(alice: User) -> None:
    bots.make(alice, "rufus")
    client = surely_them(alice)
    secret = made(client, f"{PAGE}bot/rufus/token/", label="server")
    token = tokens.find(secret)
    assert token is not None
    assert token.scopes == {"read", "play"}
    client.post(reverse("revoke-bot-token", args=["rufus", token.pk]))
    assert tokens.find(secret) is None
    assert "It has no token" in text_of(client, PAGE)


def test_retiring_a_bot_asks_first(alice: User) -> None:
    bot = bots.make(alice, "rufus")
    client = surely_them(alice)
    assert "Retire rufus (bot)?" in text_of(client, f"{PAGE}bot/rufus/retire/")
    assert bots.named(alice, "rufus") == bot
    client.post(f"{PAGE}bot/rufus/retire/")
    assert bots.named(alice, "rufus") is None
    assert "rufus (bot) is retired." in text_of(client, PAGE)


def test_there_is_no_further_bot_where_there_are_as_many_as_one_can_have(alice: User, settings: Settings) -> None:
    settings.CLEW_BOTS = 1
    client = surely_them(alice)
    made(client, f"{PAGE}bot/", name="rufus")
    assert "You have as many bots as one can have." in text_of(client, PAGE)
    assert client.post(f"{PAGE}bot/", {"name": "second"}).status_code == 422
