"""Where allauth asks the site: who may be called what, and by which way mails go."""

from __future__ import annotations

from typing import Any, ClassVar
from urllib.parse import quote

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.account.utils import get_next_redirect_url
from allauth.core import context as allauth_context
from allauth.mfa.adapter import DefaultMFAAdapter
from django import forms
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.shortcuts import resolve_url
from django.urls import reverse
from django.utils import translation
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _

from accounts import mails, people
from accounts.models import User
from accounts.zones import zone_of_browser
from config import clock
from notifications import outbox

_NO_SUCH_LOGIN = _("No account has this name or mail address together with this password.")


class Adapter(DefaultAccountAdapter):  # type: ignore[misc] # allauth ships no types
    """allauth's adapter, with the outbox for its mails and the site's address in their links."""

    error_messages: ClassVar[dict[str, Any]] = {
        **DefaultAccountAdapter.error_messages,
        "account_inactive": _("This account is closed."),
        "duplicate_email": _("This is your mail address already."),
        "enter_current_password": _("This is not your present password."),
        "incorrect_password": _("This is not your password."),
        # The same words whichever was wrong, and whatever was given to log in.
        "email_password_mismatch": _NO_SUCH_LOGIN,
        "username_password_mismatch": _NO_SUCH_LOGIN,
        "too_many_login_attempts": _("Too many tries. Please wait a few minutes."),
        "rate_limited": _("Too many tries. Please wait a few minutes."),
        "username_taken": _("This name is taken."),
    }

    def get_reauthentication_methods(self, user: User) -> list[dict[str, Any]]:
        """By password, or by the second step where it is on, in the site's words."""
        says = {"reauthenticate": _("Use your password"), "mfa_reauthenticate": _("Use the authenticator app")}
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        return [{**way, "description": says[way["id"]]} for way in methods]

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """A valid name that nobody has, however it is written. Raises ValidationError."""
        name = people.normal_name(username)
        for validator in User._meta.get_field("name").validators:
            validator(name)
        if not shallow and people.is_name_taken(name):
            raise self.validation_error("username_taken")
        return name

    def save_user(self, request: HttpRequest, user: User, form: forms.Form, commit: bool = True) -> User:
        """A sign-up: in the language of the page, in the zone of the browser, its name lent until it is confirmed."""
        user.language = translation.get_language() or user.language
        user.time_zone = form.cleaned_data.get("time_zone") or zone_of_browser(request) or user.time_zone
        user.pending_since = clock.now()
        saved: User = super().save_user(request, user, form, commit)
        return saved

    def can_delete_email(self, email_address: EmailAddress) -> bool:
        """Only one that was to become the account's and is not confirmed: an account has an address."""
        return not email_address.verified

    @transaction.atomic
    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Take an address for confirmed, from whoever else only claimed it."""
        if email_address.can_set_verified():
            people.confirm(email_address.user, email_address)
        confirmed: bool = super().confirm_email(request, email_address)
        return confirmed

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Put a mail into the outbox, in the language of whoever has the address, else of the page."""
        user = context.get("user") or User.objects.filter(email=email.lower()).first()
        with translation.override(user.language if user else translation.get_language()):
            letter = mails.write(template_prefix, email=email, user=user, context=context)
            text, html = mails.text_of(letter), mails.html_of(letter)
        outbox.write_account_mail(
            email, user=user, subject=letter.subject, text=text, html=html, lasts=mails.LASTS
        )  # fmt: skip

    def send_notification_mail(
        self, template_prefix: str, user: User, context: dict[str, Any] | None = None, email: str | None = None
    ) -> None:
        """Tell somebody what was changed about their account; a former address too is theirs."""
        if template_prefix == "account/email/email_deleted":
            return  # see can_delete_email: a change that was called off is no news
        super().send_notification_mail(template_prefix, user, {**(context or {}), "user": user}, email)

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        """The link to confirm an address, with where the person wanted to go, for another browser than this one."""
        url = settings.CLEW_SITE_URL + reverse("account_confirm_email", args=[emailconfirmation.key])
        wanted = get_next_redirect_url(request)
        return f"{url}?{urlencode({'then': wanted})}" if wanted else url

    def get_reset_password_from_key_url(self, key: str) -> str:
        """The link to choose a new password; begins with the site's address, not with what the request claims it is."""
        path = reverse("account_reset_password_from_key", kwargs={"uidb36": "UID", "key": "KEY"})
        return settings.CLEW_SITE_URL + path.replace("UID-KEY", quote(key))

    def get_email_verification_redirect_url(self, email_address: EmailAddress) -> str:
        """After a confirmation that logs nobody in: to the login, and on to where they wanted to go."""
        request = allauth_context.request
        wanted = request.GET.get("then", "")
        wanted = wanted if wanted and self.is_safe_url(wanted) else ""
        if request.user.is_authenticated:
            return wanted or resolve_url("account_email")
        login = resolve_url("account_login")
        return f"{login}?{urlencode({'next': wanted})}" if wanted else login

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("settings")


class SecondStepAdapter(DefaultMFAAdapter):  # type: ignore[misc] # allauth ships no types
    """The second step at log-in, in the site's own words."""

    error_messages: ClassVar[dict[str, Any]] = {
        **DefaultMFAAdapter.error_messages,
        "cannot_generate_recovery_codes": _("Switch on the second step first."),
        "incorrect_code": _("This code is not right, or no longer."),
        "rate_limited": _("Too many tries. Please wait a few minutes."),
    }

    def get_totp_label(self, user: User) -> str:
        """The app shows the player's name: others may look over a shoulder."""
        return user.name
