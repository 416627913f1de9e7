"""The outbox: one row per message and channel, written in the transaction of the event that it tells of."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models.functions import Now


class MessageQuerySet(models.QuerySet["Message"]):
    """Questions about the outbox."""

    def due(self, now: datetime) -> Self:
        """Messages to be sent by now that no sender holds: an expired lease goes back."""
        return self.filter(state="waiting", due_at__lte=now).filter(
            models.Q(lease_until__isnull=True) | models.Q(lease_until__lte=now)
        )


class Message(models.Model):
    """Something to tell somebody by one channel, due at a time, until it is sent or no longer true."""

    class Kind(models.TextChoices):
        TURN = "turn", "your turn"
        ACCOUNT = "account", "your account"
        EXPIRING = "expiring", "a table that nobody joins"

    class Channel(models.TextChoices):
        MAIL = "mail", "mail"

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"
        SENT = "sent", "sent"
        #: No longer true when it would have been sent, or nobody wants it any more.
        DROPPED = "dropped", "dropped"
        #: Refused for good by the other side.
        FAILED = "failed", "failed"

    #: Such as ``turn/<game>/<version>/<user>/<channel>``: a second row for the same news can't exist.
    key = models.CharField(max_length=200, unique=True)
    kind = models.CharField(max_length=16, choices=Kind.choices)
    channel = models.CharField(max_length=16, choices=Channel.choices)
    #: Null where a mail about an account goes to somebody who has none.
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="messages")
    game = models.UUIDField(null=True)
    #: The version of the event that made the news.
    version = models.PositiveIntegerField(null=True)
    #: A mail about an account stands here as it was written, to whom, and until when it is of use. The bodies hold
    #: links that open the account, and are emptied when the row is closed.
    address = models.EmailField(null=True)
    subject = models.CharField(max_length=200, null=True)
    body_text = models.TextField(null=True)
    body_html = models.TextField(null=True)
    expires_at = models.DateTimeField(null=True)
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    due_at = models.DateTimeField()
    created_at = models.DateTimeField(db_default=Now())
    #: While a sender holds the row: its token, and until when nobody else may take it over.
    token = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveIntegerField(default=0)
    last_error = models.CharField(max_length=500, blank=True)
    closed_at = models.DateTimeField(null=True)

    objects = MessageQuerySet.as_manager()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["due_at"], condition=models.Q(state="waiting"), name="message_due"),
        ]

    def __str__(self) -> str:
        return self.key
