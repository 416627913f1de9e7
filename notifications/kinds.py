"""What people are told, of which topic it is, and by which channels it can go."""

from __future__ import annotations

from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _


class Kind(models.TextChoices):
    """What a message says. A computer opponent that gave up gets a kind of its own."""

    TURN = "turn", "your turn"
    REMINDER = "reminder", "time is running out"
    SEATED = "seated", "you were seated"
    INVITED = "invited", "you are invited"
    BEGAN = "began", "the game began"
    ENDED = "ended", "the game ended"
    DRAW_OFFERED = "draw_offered", "a draw is offered"
    UNDO_ASKED = "undo_asked", "an undo is asked for"
    PAUSE_ASKED = "pause_asked", "a pause is asked for"
    PAUSED = "paused", "the clocks are paused"
    RESUMED = "resumed", "the clocks run again"
    EXTENDED = "extended", "you were given time"
    CREDITED = "credited", "an outage was credited"
    AWAY_SOON = "away_soon", "your opponent planned a vacation"
    AWAY_OFF = "away_off", "your opponent called a planned vacation off"
    AWAY = "away", "your opponent's vacation began"
    AWAY_YOU = "away_you", "your vacation began by itself"
    AWAY_ENDS = "away_ends", "your vacation ends tomorrow"
    BACK = "back", "your opponent's vacation ended"
    EXPIRING = "expiring", "your table is about to expire"
    MESSAGE = "message", "a message at the table"
    ACCOUNT = "account", "your account"


class Topic(models.TextChoices):
    """What a person switches: kinds that belong together."""

    TURN = "turn", _("It is your turn")
    REMINDER = "reminder", _("Your time is running out")
    TABLES = "tables", _("You are invited or seated, or your table is about to expire")
    BEGAN = "began", _("A game of yours began")
    ENDED = "ended", _("A game of yours ended")
    ASKED = "asked", _("Your opponent offers a draw, or asks for an undo or a pause")
    TALK = "talk", _("Your opponent says something at the table")
    CLOCK = "clock", _("The clocks were paused, resumed or given time")
    VACATION = "vacation", _("A vacation is planned, begins or ends")


class Channel(models.TextChoices):
    """By what a message goes out. The site's own inbox has everything, and isn't sent."""

    MAIL = "mail", _("Mail")
    PUSH = "push", _("This device")
    WEBHOOK = "webhook", _("Webhook")


TOPIC_OF: Final[dict[str, Topic]] = {
    Kind.TURN: Topic.TURN,
    Kind.REMINDER: Topic.REMINDER,
    Kind.SEATED: Topic.TABLES,
    Kind.INVITED: Topic.TABLES,
    Kind.EXPIRING: Topic.TABLES,
    Kind.BEGAN: Topic.BEGAN,
    Kind.ENDED: Topic.ENDED,
    Kind.DRAW_OFFERED: Topic.ASKED,
    Kind.UNDO_ASKED: Topic.ASKED,
    Kind.PAUSE_ASKED: Topic.ASKED,
    Kind.MESSAGE: Topic.TALK,
    Kind.PAUSED: Topic.CLOCK,
    Kind.RESUMED: Topic.CLOCK,
    Kind.EXTENDED: Topic.CLOCK,
    Kind.CREDITED: Topic.CLOCK,
    Kind.AWAY_SOON: Topic.VACATION,
    Kind.AWAY_OFF: Topic.VACATION,
    Kind.AWAY: Topic.VACATION,
    Kind.AWAY_YOU: Topic.VACATION,
    Kind.AWAY_ENDS: Topic.VACATION,
    Kind.BACK: Topic.VACATION,
}

#: Mailed unless somebody switches it off. Who subscribes a device or adds a webhook wants everything there at first.
MAILED: Final = frozenset({Topic.TURN, Topic.REMINDER, Topic.TABLES, Topic.BEGAN, Topic.ENDED, Topic.ASKED, Topic.TALK})
