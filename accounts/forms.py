"""The forms of accounts: allauth's, in the site's own words and without giving away who has an account."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.account import forms as allauth_forms
from allauth.account.internal.flows.signup import prevent_enumeration
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.base import forms as second_step_forms
from allauth.mfa.totp.forms import ActivateTOTPForm
from django import forms
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from accounts import people
from accounts.models import User
from accounts.zones import canonical, is_zone, zone_choices

if TYPE_CHECKING:
    _UserForm = forms.ModelForm[User]
else:
    _UserForm = forms.ModelForm

PASSWORD_HELP = _("At least 8 characters. A few words in a row are easy to remember and hard to guess.")


def _say(form: forms.Form, name: str, label: Any, help_text: Any = "", **attrs: str) -> None:
    """Give a field of allauth's our label and help: placeholders vanish when one begins to type."""
    field = form.fields[name]
    field.label, field.help_text = label, help_text
    field.widget.attrs.pop("placeholder", None)
    field.widget.attrs.update(attrs)


class LoginForm(allauth_forms.LoginForm):  # type: ignore[misc] # allauth ships no types
    """Log in by player name or mail address."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _say(self, "login", _("Name or mail address"), autocomplete="username", autocapitalize="none")
        _say(self, "password", _("Password"))

    def user_credentials(self) -> dict[str, str]:
        """One way in: a name holds no ``@``. Trying both would take longer for an address that has an account."""
        login, password = self.cleaned_data["login"], self.cleaned_data["password"]
        if "@" in login:
            return {"email": login, "password": password}
        return {"username": people.stored_name(login) or login, "password": password}


class SignupForm(allauth_forms.SignupForm):  # type: ignore[misc] # allauth ships no types
    """A public name, a mail address, a password; the browser's time zone comes along."""

    time_zone = forms.CharField(required=False, widget=forms.HiddenInput(attrs={"data-time-zone": ""}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _say(
            self,
            "username",
            _("Player name"),
            _("Other players see this name: up to 24 letters and digits, without spaces."),
            autocapitalize="none",
        )
        _say(self, "email", _("Mail address"), _("Nobody else sees it."))
        _say(self, "password1", _("Password"), PASSWORD_HELP)

    def clean_time_zone(self) -> str:
        """What the browser says, if it is a zone; the adapter knows another way to find out."""
        told: str = self.cleaned_data["time_zone"]
        return canonical(told) if is_zone(told) else ""

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """The new account; or, for an address that has one, what looks the same from outside.

        There too an account is made, with the name and the password but no address: the name is taken from now on,
        as it would be, and logging in with it asks to confirm the address, as it would.
        """
        try:
            with transaction.atomic():
                if not self.account_already_exists:
                    return self.save(request), None
                people.add_decoy(self, request)
        except IntegrityError:  # somebody took the name or the address since it was looked at
            messages.error(request, _("Somebody else was quicker. Please try once more."))
            raise ImmediateHttpResponse(redirect("account_signup")) from None
        return None, prevent_enumeration(request, email=self.cleaned_data["email"])


class AddEmailForm(allauth_forms.AddEmailForm):  # type: ignore[misc] # allauth ships no types
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _say(self, "email", _("New mail address"), _("It counts once you have confirmed it by the link we mail there."))


class ChangePasswordForm(allauth_forms.ChangePasswordForm):  # type: ignore[misc] # allauth ships no types
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _say(self, "oldpassword", _("Present password"))
        _say_new_password(self)


class SetPasswordForm(allauth_forms.SetPasswordForm):  # type: ignore[misc] # allauth ships no types
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _say_new_password(self)


class ResetPasswordForm(allauth_forms.ResetPasswordForm):  # type: ignore[misc] # allauth ships no types
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _say(self, "email", _("Mail address"))


class ResetPasswordKeyForm(allauth_forms.ResetPasswordKeyForm):  # type: ignore[misc] # allauth ships no types
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _say_new_password(self)


class ReauthenticateForm(allauth_forms.ReauthenticateForm):  # type: ignore[misc] # allauth ships no types
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _say(self, "password", _("Password"))


def _say_code(form: forms.Form) -> None:
    _say(form, "code", _("Code"), inputmode="numeric", autocomplete="one-time-code")


class SecondStepForm(second_step_forms.AuthenticateForm):  # type: ignore[misc] # allauth ships no types
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _say_code(self)


class SecondStepAgainForm(second_step_forms.ReauthenticateForm):  # type: ignore[misc] # allauth ships no types
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _say_code(self)


class SwitchOnSecondStepForm(ActivateTOTPForm):  # type: ignore[misc] # allauth ships no types
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _say_code(self)


def _say_new_password(form: forms.Form) -> None:
    _say(form, "password1", _("New password"), PASSWORD_HELP)
    _say(form, "password2", _("New password, once more"))


class SettingsForm(_UserForm):
    """What a person sets about themselves and this browser."""

    THEMES = (("", _("Automatic")), ("light", _("Light")), ("dark", _("Dark")))

    theme = forms.ChoiceField(label=_("Colours"), choices=THEMES, required=False, widget=forms.RadioSelect)
    time_zone = forms.ChoiceField(label=_("Time zone"))

    class Meta:
        model = User
        fields = ("name", "language", "time_zone", "turn_mails")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Player name")
        self.fields["name"].widget.attrs.update(autocomplete="username", autocapitalize="none")
        zone = self.fields["time_zone"]
        assert isinstance(zone, forms.ChoiceField)
        zone.choices = zone_choices(self.instance.time_zone)
        self.fields["theme"].help_text = _("For this browser. Automatic: as the device is set.")

    def clean_name(self) -> str:
        return people.normal_name(self.cleaned_data["name"])
