"""The mails about accounts: what each says, as text and as HTML."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from notifications.styles import inlined

#: How long the links in these mails are good for, and so how long it is worth trying to send them.
LASTS = timedelta(days=3)


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail in its reader's language: what it says, the one thing to do with its link, and what to say after it."""

    subject: str
    paragraphs: tuple[str, ...]
    link: str = ""
    label: str = ""
    after: tuple[str, ...] = ()


def write(template_prefix: str, *, email: str, user: User | None, context: dict[str, Any]) -> Letter:
    """The letter that allauth asks for by the name of its template, in the active language."""
    return _LETTERS[template_prefix](email, user, context)


def text_of(letter: Letter) -> str:
    """The letter as plain text."""
    parts = [*letter.paragraphs, *([f"{letter.label}:\n{letter.link}"] if letter.link else []), *letter.after]
    return "\n\n".join(parts) + f"\n\n-- \nClew\n{settings.CLEW_SITE_URL}/\n"


def html_of(letter: Letter) -> str:
    """The letter as HTML, in the dress of all mails."""
    context = {"letter": letter, "subject": letter.subject, "site": settings.CLEW_SITE_URL}
    return inlined(render_to_string("accounts/mail.html", context))


def _page(name: str) -> str:
    return settings.CLEW_SITE_URL + reverse(name)


def _ignore() -> str:
    return _("If you didn't ask for this, you need not do anything.")


def _welcome(email: str, user: User | None, context: dict[str, Any]) -> Letter:
    return Letter(
        _("Confirm your mail address for Clew"),
        (
            _("Hello %(name)s,") % {"name": user.name if user else ""},
            _("Welcome to Clew! Please confirm that %(address)s is your mail address.") % {"address": email},
        ),
        context["activate_url"],
        _("Confirm the address"),
        (_("The link is good for three days."), _ignore()),
    )


def _address(email: str, user: User | None, context: dict[str, Any]) -> Letter:
    return Letter(
        _("Confirm your mail address for Clew"),
        (
            _("Hello %(name)s,") % {"name": user.name if user else ""},
            _("Please confirm that %(address)s is your mail address.") % {"address": email},
        ),
        context["activate_url"],
        _("Confirm the address"),
        (_("The link is good for three days."), _ignore()),
    )


def _reset(email: str, user: User | None, context: dict[str, Any]) -> Letter:
    return Letter(
        _("Choose a new password for Clew"),
        (
            _("Hello %(name)s,") % {"name": user.name if user else ""},
            _("Somebody, probably you, asked for a new password for your account."),
        ),
        context["password_reset_url"],
        _("Choose a new password"),
        (_("The link is good for three days, and once."), _ignore()),
    )


def _exists(email: str, user: User | None, context: dict[str, Any]) -> Letter:
    return Letter(
        _("You have an account at Clew already"),
        (
            _("Somebody, probably you, tried to sign up with %(address)s. This address has an account already.")
            % {"address": email},
            _("If you have forgotten your password, you can choose a new one."),
        ),
        _page("account_reset_password"),
        _("Choose a new password"),
        (_ignore(),),
    )


def _unknown(email: str, user: User | None, context: dict[str, Any]) -> Letter:
    return Letter(
        _("No account at Clew has this address"),
        (
            _("Somebody, probably you, asked for a new password. But no account has the address %(address)s.")
            % {"address": email},
            _("Perhaps you signed up with another address. If you have no account yet, you can make one."),
        ),
        _page("account_signup"),
        _("Sign up"),
        (_ignore(),),
    )


def _password_changed(email: str, user: User | None, context: dict[str, Any]) -> Letter:
    return Letter(
        _("Your password for Clew was changed"),
        (
            _("Hello %(name)s,") % {"name": user.name if user else ""},
            _("The password of your account was changed."),
            _("If that wasn't you, choose a new password at once."),
        ),
        _page("account_reset_password"),
        _("Choose a new password"),
    )


def _step_on(email: str, user: User | None, context: dict[str, Any]) -> Letter:
    return _step(user, _("The second step at log-in is on"), _("From now on logging in asks for a code of your app."))


def _step_off(email: str, user: User | None, context: dict[str, Any]) -> Letter:
    return _step(user, _("The second step at log-in is off"), _("From now on your password alone lets you in."))


def _new_codes(email: str, user: User | None, context: dict[str, Any]) -> Letter:
    return _step(user, _("You have new recovery codes for Clew"), _("The recovery codes from before no longer work."))


def _step(user: User | None, subject: str, what: str) -> Letter:
    hello = _("Hello %(name)s,") % {"name": user.name if user else ""}
    warning = _("If that wasn't you, choose a new password at once.")
    return Letter(subject, (hello, what, warning), _page("account_reset_password"), _("Choose a new password"))


def _token_made(email: str, user: User | None, context: dict[str, Any]) -> Letter:
    return Letter(
        _("A token for your account at Clew was made"),
        (
            _("Hello %(name)s,") % {"name": user.name if user else ""},
            _("A token was made with which a program can act for you: %(label)s.") % {"label": context["label"]},
            _("If that wasn't you, revoke it and choose a new password at once."),
        ),
        _page("programs"),
        _("Access for programs"),
    )


def _address_changed(email: str, user: User | None, context: dict[str, Any]) -> Letter:
    return Letter(
        _("Your mail address for Clew was changed"),
        (
            _("Hello %(name)s,") % {"name": user.name if user else ""},
            _("The mail address of your account is now %(address)s. It was %(former)s.")
            % {"address": context["to_email"], "former": context["from_email"]},
            _("If that wasn't you, tell the people who run this site."),
        ),
    )


_LETTERS: dict[str, Callable[[str, User | None, dict[str, Any]], Letter]] = {
    "account/email/email_confirmation_signup": _welcome,
    "account/email/email_confirmation": _address,
    "account/email/password_reset_key": _reset,
    "account/email/account_already_exists": _exists,
    "account/email/unknown_account": _unknown,
    "account/email/password_changed": _password_changed,
    "account/email/password_reset": _password_changed,
    "account/email/password_set": _password_changed,
    "account/email/email_changed": _address_changed,
    "accounts/email/token_made": _token_made,
    "mfa/email/totp_activated": _step_on,
    "mfa/email/totp_deactivated": _step_off,
    "mfa/email/recovery_codes_generated": _new_codes,
}
