"""What the mails about accounts say."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.utils import translation

from accounts import mails
from accounts.adapter import Adapter
from accounts.models import User
from tests.accounts.conftest import letters

CONTEXT = {
    "activate_url": "https://clew.example/confirm/1/?a=1&b=2",
    "password_reset_url": "https://clew.example/reset/1/",
    "to_email": "new@example.com",
    "from_email": "old@example.com",
    "label": "my <laptop>",
}
KINDS = [
    "account/email/email_confirmation_signup",
    "account/email/email_confirmation",
    "account/email/password_reset_key",
    "account/email/account_already_exists",
    "account/email/unknown_account",
    "account/email/password_changed",
    "account/email/password_reset",
    "account/email/password_set",
    "account/email/email_changed",
    "accounts/email/token_made",
    "mfa/email/totp_activated",
    "mfa/email/totp_deactivated",
    "mfa/email/recovery_codes_generated",
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_letter_says_the_same_as_text_and_as_html(kind: str, language: str) -> None:
    user = User(name="미나" if language == "ko" else "Mina")
    with translation.override(language):
        letter = mails.write(kind, email="mina@example.com", user=user, context=CONTEXT)
        text, html = mails.text_of(letter), mails.html_of(letter)
    assert "\n" not in letter.subject
    for line in (*letter.paragraphs, *letter.after, letter.label):
        assert line in text
        assert line in unescape(html)
    if letter.link:
        assert letter.link in text
        assert letter.link.replace("&", "&amp;") in html
    spoken = " ".join((letter.subject, *letter.paragraphs, letter.label, *letter.after))
    assert bool(re.search("[가-힣]", spoken)) == (language == "ko")
    assert f'<html lang="{language}">' in html


def test_a_name_can_not_write_html_into_a_letter() -> None:
    letter = mails.write(KINDS[0], email="a@example.com", user=User(name="<b>"), context=CONTEXT)
    assert "<b>" not in mails.html_of(letter)


@pytest.mark.django_db
def test_a_name_can_not_write_a_header() -> None:
    user = User.objects.create_user("mina", "mina@example.com")
    user.name = "mina\r\nBcc: all@example.com"
    Adapter().send_mail("account/email/password_reset_key", "mina@example.com", {**CONTEXT, "user": user})
    (letter,) = letters("mina@example.com")
    assert letter.subject == "Choose a new password for Clew"
