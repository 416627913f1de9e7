"""The outbox: one row per message and channel, written in the transaction of the event that it tells of.

And what messages are sent by: people's preferences, their devices and webhooks, and when they were here last.
"""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from notifications import kinds
from notifications.planning import USUAL_PERCENTS


class MessageQuerySet(models.QuerySet["Message"]):
    """Questions about the outbox."""

    def due(self, now: datetime) -> Self:
        """Messages to be sent by now that no sender holds: an expired lease goes back."""
        return self.filter(state="waiting", due_at__lte=now).filter(
            models.Q(lease_until__isnull=True) | models.Q(lease_until__lte=now)
        )


class Message(models.Model):
    """Something to tell somebody by one channel, due at a time, until it is sent or no longer true."""

    Kind = kinds.Kind
    Channel = kinds.Channel

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENT = "sent", _("sent")
        #: No longer true when it would have been sent, or nobody wants it any more.
        DROPPED = "dropped", _("no longer true or wanted")
        #: Refused for good by the other side.
        FAILED = "failed", _("refused")

    #: Such as ``turn/<game>/<version>/<user>/<channel>``: a second row for the same news can't exist.
    key = models.CharField(max_length=200, unique=True)
    kind = models.CharField(max_length=16, choices=kinds.Kind)
    channel = models.CharField(max_length=16, choices=kinds.Channel)
    #: The device or webhook of the channel; null for mail.
    target = models.PositiveBigIntegerField(null=True)
    #: Null where a mail about an account goes to somebody who has none.
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="messages")
    game = models.UUIDField(null=True)
    #: The version of the event that made the news.
    version = models.PositiveIntegerField(null=True)
    params = models.JSONField(default=dict)
    #: A mail about an account stands here as it was written, to whom, and until when it is of use. The bodies hold
    #: links that open the account, and are emptied when the row is closed.
    address = models.EmailField(null=True)
    subject = models.CharField(max_length=200, null=True)
    body_text = models.TextField(null=True)
    body_html = models.TextField(null=True)
    expires_at = models.DateTimeField(null=True)
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    due_at = models.DateTimeField()
    #: When it was to be sent before it was put off for a player who is at the table, or for others that come due.
    first_due_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now())
    #: While a sender holds the row: its token, and until when nobody else may take it over.
    token = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)
    #: The key of the first of the messages that go out as one, from when they were taken to be sent together. Kept
    #: while it isn't known whether they went out: what is sent again is the same, with the same Message-ID.
    bundle = models.CharField(max_length=200, null=True)
    attempts = models.PositiveIntegerField(default=0)
    last_error = models.CharField(max_length=500, blank=True)
    closed_at = models.DateTimeField(null=True)

    objects = MessageQuerySet.as_manager()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["due_at"], condition=models.Q(state="waiting"), name="message_due"),
            models.Index(fields=["user", "channel", "target"], condition=models.Q(state="waiting"), name="message_of"),
            models.Index(fields=["game"], condition=models.Q(state="waiting", kind="reminder"), name="message_remind"),
            models.Index(fields=["user", "-id"], name="message_log"),
            models.Index(fields=["closed_at"], name="message_closed"),
        ]

    def __str__(self) -> str:
        return self.key


class InboxItem(models.Model):
    """Something that a person was told on the site itself, which always has it."""

    key = models.CharField(max_length=200, unique=True)
    kind = models.CharField(max_length=16, choices=kinds.Kind)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="inbox")
    game = models.UUIDField(null=True)
    version = models.PositiveIntegerField(null=True)
    params = models.JSONField(default=dict)
    at = models.DateTimeField()
    read_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["user", "-id"], name="inbox_of"),
            models.Index(fields=["user"], condition=models.Q(read_at__isnull=True), name="inbox_unread"),
        ]

    def __str__(self) -> str:
        return self.key


def usual_reminders() -> list[int]:
    """When people are reminded who have chosen nothing: percent of their time."""
    return list(USUAL_PERCENTS)


class Preferences(models.Model):
    """How a person wants to be told. Who has no row has chosen nothing, and has no device, webhook or muted game."""

    class Delivery(models.TextChoices):
        IMMEDIATE = "immediate", _("At once")
        EVERY = "every", _("Gathered, every few hours")
        DAILY = "daily", _("Gathered, once a day")
        ONCE = "once", _("Once, when the first game waits, and then nothing until I have visited")

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="preferences"
    )
    #: ``{"<topic>/<channel>": true or false}`` where it isn't the default. Turn mails are switched by the account.
    switched = models.JSONField(default=dict)
    delivery = models.CharField(max_length=9, choices=Delivery, default=Delivery.IMMEDIATE)
    every_hours = models.PositiveSmallIntegerField(default=4)
    daily_hour = models.PositiveSmallIntegerField(default=8)
    #: Minutes since midnight, in the person's time zone.
    quiet_from = models.PositiveSmallIntegerField(null=True)
    quiet_until = models.PositiveSmallIntegerField(null=True)
    #: Percent of the time for a move at which they are reminded.
    reminders = models.JSONField(default=usual_reminders)

    def __str__(self) -> str:
        return f"preferences of {self.user_id}"


class GamePreference(models.Model):
    """What a person wants otherwise for one game: nothing, or gathered."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    game = models.UUIDField()
    muted = models.BooleanField(default=False)
    gathered = models.BooleanField(default=False)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "game"], name="game_preference")]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.game}"


class Device(models.Model):
    """A browser that asked for push messages (a push subscription)."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="devices")
    endpoint = models.URLField(max_length=1000, unique=True)
    p256dh = models.CharField(max_length=120)
    auth = models.CharField(max_length=60)
    #: What it calls itself, for its owner to know it by.
    name = models.CharField(max_length=80)
    added_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class Webhook(models.Model):
    """An address of a person's own that messages are posted to, in the dialect of what listens there."""

    class Dialect(models.TextChoices):
        DISCORD = "discord", "Discord"
        SLACK = "slack", "Slack"
        NTFY = "ntfy", "ntfy"
        JSON = "json", "JSON"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="webhooks")
    dialect = models.CharField(max_length=8, choices=Dialect)
    url = models.URLField(max_length=500)
    #: What plain JSON is signed with.
    secret = models.CharField(max_length=64)
    added_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.dialect} of {self.user_id}"


class Bounce(models.Model):
    """A mail address that refuses mails for good, until its owner shows that it works again or changes it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="bounces")
    address = models.EmailField()
    reason = models.CharField(max_length=500)
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "address"], name="bounce_of_address")]

    def __str__(self) -> str:
        return self.address


class Presence(models.Model):
    """When a person last had a table's page open before them."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    game = models.UUIDField()
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "game"], name="presence_at_table")]

    def __str__(self) -> str:
        return f"{self.user_id} at {self.game}"


class LastVisit(models.Model):
    """When a person last opened a page of the site themselves; a page that renews itself is no visit."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="last_visit"
    )
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"visit of {self.user_id}"


class PushKey(models.Model):
    """The key by which push services know this site (VAPID, RFC 8292), made at first need: one row, of id 1."""

    private_pem = models.TextField()

    def __str__(self) -> str:
        return "push key"
