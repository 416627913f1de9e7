"""Away from turn mails with one click, without logging in (RFC 8058)."""

from __future__ import annotations

from django.conf import settings
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.models import User

_SALT = "notifications.unsubscribe.turn-mails"


def off_url(user: User) -> str:
    """The address of the page that switches this person's turn mails off. It does nothing else, and never expires."""
    return settings.CLEW_SITE_URL + reverse("turn-mails-off", args=[signing.Signer(salt=_SALT).sign(str(user.pk))])


def _reader(token: str) -> User:
    """Whom the token was made for. Raises Http404 for any other text."""
    try:
        return User.objects.get(pk=int(signing.Signer(salt=_SALT).unsign(token)))
    except (signing.BadSignature, User.DoesNotExist):
        raise Http404 from None


@csrf_exempt  # a mail program posts here; all that a forged request could do is what its token is for
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def turn_mails_off(request: HttpRequest, token: str) -> HttpResponse:
    """A POST switches the turn mails off; a GET only asks, since mail scanners follow every link."""
    reader = _reader(token)
    if request.method == "POST":
        User.objects.filter(pk=reader.pk).update(turn_mails=False)
        reader.turn_mails = False
    with translation.override(reader.language):  # the mail's, whatever browser opens its link
        return render(request, "notifications/turn_mails_off.html", {"reader": reader})
