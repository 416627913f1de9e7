"""Away from mails with one click, without logging in (RFC 8058)."""

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
from notifications import wishes
from notifications.kinds import MAILED, Channel, Topic

_SALT = "notifications.unsubscribe.turn-mails"


def off_url(user: User, topic: str = Topic.TURN) -> str:
    """The address of the page that switches this person's mails of a topic off (empty: of all topics).

    It does nothing else, and never expires.
    """
    # Turn mails had the only such link once, and it named no topic.
    name = str(user.pk) if topic == Topic.TURN else f"{user.pk}.{topic or 'all'}"
    return settings.CLEW_SITE_URL + reverse("turn-mails-off", args=[signing.Signer(salt=_SALT).sign(name)])


def _reader(token: str) -> tuple[User, str]:
    """Whom the token was made for, and the topic. Raises Http404 for any other text."""
    try:
        number, _, topic = signing.Signer(salt=_SALT).unsign(token).partition(".")
        return User.objects.select_related("preferences").get(pk=int(number)), topic or Topic.TURN
    except (signing.BadSignature, User.DoesNotExist):
        raise Http404 from None


@csrf_exempt  # a mail program posts here; all that a forged request could do is what its token is for
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def turn_mails_off(request: HttpRequest, token: str) -> HttpResponse:
    """A POST switches the mails off; a GET only asks, since mail scanners follow every link."""
    reader, topic = _reader(token)
    topics = Topic.values if topic == "all" else [topic]
    if request.method == "POST":
        for one in topics:
            wishes.switch(reader, one, Channel.MAIL, on=False)
    wanted = wishes.wishes_of([reader])[reader.pk]
    with translation.override(reader.language):  # the mail's, whatever browser opens its link
        context = {
            "reader": reader,
            "on": any(wanted.switched.get((one, Channel.MAIL), one in MAILED) for one in topics),
            "turns": topic == Topic.TURN,
            "what": Topic(topic).label if topic != "all" else "",
        }
        return render(request, "notifications/turn_mails_off.html", context)
