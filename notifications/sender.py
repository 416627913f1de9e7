"""Send what is due: claim, check that it is still true, send, close."""

from __future__ import annotations

import hashlib
import smtplib
import uuid
from dataclasses import dataclass
from datetime import timedelta

import structlog
from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.db.models import F
from django.utils import translation

from config import clock
from notifications import render
from notifications.headers import turn_headers
from notifications.models import Message

log = structlog.get_logger(__name__)

#: How many rows one look at the outbox finds at most.
BATCH = 50
#: What a closed row keeps nothing of.
_SECRETS_GONE = {"body_text": None, "body_html": None}


@dataclass(frozen=True, slots=True)
class Claim:
    """A message that this sender holds until its lease runs out."""

    message: Message
    token: uuid.UUID


def send_due(limit: int = 1000) -> int:
    """Send what is due until nothing is, or ``limit`` messages have been handled; how many were."""
    handled = 0
    while handled < limit:
        before = handled
        for due_id in due_ids(min(BATCH, limit - handled)):
            # Each is claimed just before it is sent: the lease of one may not run out while others are being sent.
            if (claim := claim_message(due_id)) is not None:
                deliver(claim)
                handled += 1
        if handled == before:
            break
    return handled


def due_ids(limit: int) -> list[int]:
    """At most ``limit`` messages that are due and held by nobody, the oldest first."""
    return list(Message.objects.due(clock.now()).order_by("due_at", "id").values_list("id", flat=True)[:limit])


def claim_message(message_id: int) -> Claim | None:
    """Take hold of a due message by one conditional update; None if another sender has it."""
    now = clock.now()
    token = uuid.uuid4()
    taken = (
        Message.objects.due(now)
        .filter(pk=message_id)
        .update(token=token, lease_until=now + timedelta(seconds=settings.CLEW_LEASE), attempts=F("attempts") + 1)
    )
    if not taken:
        return None
    return Claim(Message.objects.select_related("user").get(pk=message_id), token)


def deliver(claim: Claim) -> None:
    """Send a claimed message if it is still true, and close it; put it back for later where sending fails."""
    message = claim.message
    try:
        mail = _mail(message)
        if mail is None:
            _close(claim, Message.State.DROPPED)
            return
        mail.send()
    except smtplib.SMTPRecipientsRefused as error:
        permanent = all(500 <= code < 600 for code, _ in error.recipients.values())
        _put_back_or_fail(claim, error, permanent=permanent)
    except smtplib.SMTPDataError as error:
        _put_back_or_fail(claim, error, permanent=500 <= error.smtp_code < 600)
    except Exception as error:  # noqa: BLE001 - whatever went wrong, the message stays promised
        _put_back_or_fail(claim, error, permanent=False)
    else:
        _close(claim, Message.State.SENT)


def message_id(key: str) -> str:
    """The Message-ID of a message: always the same for the same key, so that a repeat can be recognised."""
    digest = hashlib.sha256(key.encode()).hexdigest()[:40]
    return f"<{digest}@{settings.CLEW_MAIL_DOMAIN}>"


def _mail(message: Message) -> EmailMessage | None:
    """The mail to send, in the reader's language; None where the message is no longer true or can't be sent."""
    if message.kind == Message.Kind.ACCOUNT:
        return _account_mail(message)
    user = message.user
    if user is None or not user.email or not user.is_active or not user.turn_mails:
        return None
    with translation.override(user.language):
        rendered = render.turn(user, str(message.game), message.version or 0)
    if rendered is None:
        return None
    mail = EmailMultiAlternatives(
        subject=" ".join(rendered.subject.split()),  # a line break from a name would end the header
        body=rendered.text,
        to=[user.email],
        headers={
            "Message-ID": message_id(message.key),
            **turn_headers(user, root=message_id(f"thread/{message.game}/{user.pk}")),
        },
    )
    mail.attach_alternative(rendered.html, "text/html")
    return mail


def _account_mail(message: Message) -> EmailMessage | None:
    """A mail about an account, as it was written; None where it has become useless."""
    if message.address is None or (message.expires_at is not None and message.expires_at <= clock.now()):
        return None
    mail = EmailMultiAlternatives(
        subject=" ".join((message.subject or "").split()),
        body=message.body_text or "",
        to=[message.address],
        headers={"Message-ID": message_id(message.key), "Auto-Submitted": "auto-generated"},
    )
    if message.body_html:
        mail.attach_alternative(message.body_html, "text/html")
    return mail


def _close(claim: Claim, state: Message.State) -> None:
    """Close a message, only while it is still this sender's."""
    Message.objects.filter(pk=claim.message.pk, token=claim.token).update(
        state=state, closed_at=clock.now(), token=None, lease_until=None, last_error="", **_SECRETS_GONE
    )


def _put_back_or_fail(claim: Claim, error: Exception, *, permanent: bool) -> None:
    reason = f"{type(error).__name__}: {error}"[:500]
    held = Message.objects.filter(pk=claim.message.pk, token=claim.token)
    if permanent:
        log.warning("message refused for good", message=claim.message.key, error=reason)
        held.update(
            state=Message.State.FAILED, closed_at=clock.now(), token=None, lease_until=None, last_error=reason,
            **_SECRETS_GONE,
        )  # fmt: skip
        return
    waits = settings.CLEW_RETRY_WAITS
    wait = waits[min(claim.message.attempts, len(waits)) - 1]
    log.warning("message not sent yet", message=claim.message.key, error=reason, retry_in=wait)
    held.update(due_at=clock.now() + timedelta(seconds=wait), token=None, lease_until=None, last_error=reason)
