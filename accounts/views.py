"""The pages of accounts that are not allauth's alone: sign-up, settings, language."""

from __future__ import annotations

from copy import copy
from typing import Any

from allauth.account.views import SignupView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST
from django.views.i18n import set_language as django_set_language

from accounts import people
from accounts.forms import SettingsForm
from accounts.models import User
from accounts.zones import canonical, zone_name, zone_of_browser

THEME_COOKIE = "theme"
_YEAR = 365 * 24 * 60 * 60


class _Signup(SignupView):  # type: ignore[misc] # allauth ships no types
    """Sign-up, where account, address and the mail's row in the outbox come to be together or not at all."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        people.forget_unconfirmed()
        answer: HttpResponseBase = super().post(request, *args, **kwargs)
        return answer

    def form_valid(self, form: Any) -> HttpResponseBase:
        with transaction.atomic():
            answer: HttpResponseBase = super().form_valid(form)
        return answer


signup = _Signup.as_view()


def _elsewhere(request: HttpRequest) -> str:
    """Where the browser says that it is, if its zone isn't the person's own; else nothing."""
    assert isinstance(request.user, User)
    zone = zone_of_browser(request)
    return "" if zone is None or zone == canonical(request.user.time_zone) else zone_name(zone)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings_page(request: HttpRequest) -> HttpResponse:
    """Name, language, time zone, colours; and the ways to mail address, password, sessions and out."""
    assert isinstance(request.user, User)
    user = copy(request.user)  # a form that is refused may not change who the page greets
    theme = request.COOKIES.get(THEME_COOKIE, "")
    if request.method != "POST":
        form = SettingsForm(instance=user, initial={"theme": theme})
        return render(request, "accounts/settings.html", {"form": form, "elsewhere": _elsewhere(request)})
    form = SettingsForm(request.POST, instance=user)
    if form.is_valid():
        try:
            people.keep_settings(user, form.changed_data)
        except IntegrityError:  # somebody took the name since it was looked at
            form.add_error("name", _("This name is taken."))
    if form.errors:
        context = {"form": form, "elsewhere": _elsewhere(request)}
        return render(request, "accounts/settings.html", context, status=422)
    translation.activate(user.language)
    messages.success(request, _("Your settings are saved."))
    answer = redirect("settings")
    set_theme(answer, form.cleaned_data["theme"])
    return answer


def set_theme(answer: HttpResponse, theme: str) -> None:
    """Keep the colours in this browser; empty: as the device says."""
    if theme:
        answer.set_cookie(
            THEME_COOKIE, theme, max_age=_YEAR, secure=settings.SESSION_COOKIE_SECURE, httponly=True, samesite="Lax"
        )
    else:
        answer.delete_cookie(THEME_COOKIE, samesite="Lax")


@require_POST
def set_language(request: HttpRequest) -> HttpResponseBase:
    """Django's switch of the language, which also becomes the account's: that is what a logged-in person reads in."""
    language = request.POST.get("language", "")
    if isinstance(request.user, User) and language in User.Language.values:
        User.objects.filter(pk=request.user.pk).update(language=language)
    return django_set_language(request)
