"""What goes out: mails, pushes and webhooks made from news that are true right now, in their reader's language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.utils import timezone, translation
from django.utils.text import Truncator

from accounts.models import User
from config import clock
from notifications import letters, render
from notifications.channels import Failure, push, webhook
from notifications.headers import message_id as id_of_key
from notifications.headers import news_headers
from notifications.kinds import TOPIC_OF, Kind
from notifications.models import Device, Message, Webhook
from notifications.render import Rendered
from notifications.truth import News
from notifications.wording import say

#: What part of the lease a push or webhook may take.
_OF_LEASE = 0.25
#: Characters that a push says: what encrypts it takes few bytes, and a device shows no more.
_PUSHED = 400


def news_mail(user: User, news: Sequence[News], message_id: str) -> EmailMessage | None:
    """The mail of these messages; None where there is nothing to say or no address."""
    if not user.email:
        return None
    one = news[0] if len(news) == 1 else None
    with translation.override(user.language):
        rendered: Rendered | None
        if one is not None and one.kind == Kind.TURN:
            rendered = render.turn(user, str(one.game), one.version)
        else:
            rendered = letters.letter(user, news)
    if rendered is None:
        return None
    root = id_of_key(f"thread/{one.game}/{user.pk}") if one is not None and one.game is not None else None
    mail = EmailMultiAlternatives(
        subject=" ".join(rendered.subject.split()),  # a line break from a name would end the header
        body=rendered.text,
        to=[user.email],
        headers={
            "Message-ID": message_id,
            **news_headers(user, TOPIC_OF[one.kind] if one is not None else "", root=root),
        },
    )
    mail.attach_alternative(rendered.html, "text/html")
    return mail


def account_mail(message: Message, message_id: str) -> EmailMessage | None:
    """A mail about an account, as it was written; None where it has become useless."""
    if message.address is None or (message.expires_at is not None and message.expires_at <= clock.now()):
        return None
    mail = EmailMultiAlternatives(
        subject=" ".join((message.subject or "").split()),
        body=message.body_text or "",
        to=[message.address],
        headers={"Message-ID": message_id, "Auto-Submitted": "auto-generated"},
    )
    if message.body_html:
        mail.attach_alternative(message.body_html, "text/html")
    return mail


def send_elsewhere(message: Message, user: User, news: Sequence[News], *, key: str) -> None:
    """Send to the message's device or webhook. Raises :class:`Failure`."""
    seconds = max(0.5, settings.CLEW_LEASE * _OF_LEASE)
    with translation.override(user.language), timezone.override(user.zone()):
        ordered = letters.in_order(news)
        said = [say(one) for one in ordered]
        title = said[0].title if len(said) == 1 else letters.gathered_title(ordered)
        if message.channel == Message.Channel.PUSH:
            device = Device.objects.filter(pk=message.target or 0).first()
            if device is None:
                raise Failure("the device is no more", permanent=True)
            text = [*said[0].told, said[0].deadline] if len(said) == 1 else [one.title for one in said]
            body = Truncator("\n".join(filter(None, text))).chars(_PUSHED)
            payload = {"title": title, "body": body, "url": said[0].link, "tag": key}
            push.send(device, payload, key=key, seconds=seconds)
            return
        hook = Webhook.objects.filter(pk=message.target or 0).first()
        if hook is None:
            raise Failure("the webhook is no more", permanent=True)
        items: list[dict[str, Any]] = [
            {
                "kind": one.kind,
                "game": one.game,
                "title": words.title,
                "lines": list(words.told),
                "deadline": words.deadline,
                "deadline_at": clock.from_us(one.deadline).isoformat() if words.deadline and one.deadline else None,
                "link": words.link,
            }
            for one, words in zip(ordered, said, strict=True)
        ]
        webhook.send(hook, title, items, key=key, seconds=seconds)
