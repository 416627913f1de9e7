"""Mail addresses that refuse mails for good: noted, shown to their owner, and mended by a mail that arrives."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.core import signing
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.mails import Letter, text_of
from accounts.models import User
from config import clock
from notifications import outbox, wishes
from notifications.models import Bounce

_SALT = "notifications.bounces"
LASTS = timedelta(days=3)


def note(user: User, address: str, reason: str) -> None:
    """An address refused a mail: no more are sent there until it is shown to work."""
    wishes.of(user)  # from now on their row says that there is something to look at
    Bounce.objects.bulk_create(
        [Bounce(user=user, address=address, reason=reason[:500], at=clock.now())], ignore_conflicts=True
    )


def of(user: User) -> Bounce | None:
    """What is wrong with the person's present address."""
    return Bounce.objects.filter(user=user, address=user.email or "").first()


def ask_again(user: User) -> None:
    """Send a mail whose link shows that the address works."""
    if not user.email:
        return
    token = signing.TimestampSigner(salt=_SALT).sign(f"{user.pk}:{user.email}")
    with translation.override(user.language):
        letter = Letter(
            _("Does this mail arrive?"),
            (
                _("Hello %(name)s,") % {"name": user.name},
                _("Mails to %(address)s came back to us, so we stopped sending any. If this one arrives, say so.")
                % {"address": user.email},
            ),
            settings.CLEW_SITE_URL + reverse("address-works", args=[token]),
            _("This address works"),
        )
        html = render_to_string("accounts/mail.html", {"letter": letter, "site": settings.CLEW_SITE_URL})
        outbox.write_account_mail(
            user.email, user=user, subject=letter.subject, text=text_of(letter), html=html, lasts=LASTS
        )


def mended(token: str) -> tuple[int, str] | None:
    """The person and the address that a link was made for; None where it isn't ours or no longer good."""
    try:
        pk, _colon, address = signing.TimestampSigner(salt=_SALT).unsign(token, max_age=LASTS).partition(":")
    except signing.BadSignature:
        return None
    return int(pk), address


def forget(user_id: int, address: str) -> None:
    """The address works again."""
    Bounce.objects.filter(user=user_id, address=address).delete()
