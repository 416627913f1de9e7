"""What the endpoints of messages take and give."""

from __future__ import annotations

from typing import Any, Final

from rest_framework import serializers

from games.api.serializers import RealBoolean, RealInteger, Strict
from notifications.kinds import Topic
from notifications.models import Preferences
from notifications.planning import PERCENTS

_Any = serializers.Serializer[Any]
#: The hours between two digests that can be chosen.
SPELLS: Final = (2, 4, 6, 12)


class ItemSerializer(_Any):
    """Something that you were told, in your language, as it is said today."""

    id = serializers.IntegerField()
    kind = serializers.CharField(help_text="Such as turn or ended. There will be more: pass over what you don't know.")
    game = serializers.UUIDField(allow_null=True)
    at = serializers.DateTimeField()
    read = serializers.BooleanField()
    title = serializers.CharField()
    lines = serializers.ListField(child=serializers.CharField())
    quotes = serializers.ListField(child=serializers.CharField(), help_text="What was said at the table, word by word.")
    deadline = serializers.DateTimeField(allow_null=True, help_text="Until when you may move, if it is your turn.")
    link = serializers.URLField(help_text="The page that it is about, for people.")


class UptoSerializer(Strict):
    """``upto``: the id of the newest that you have seen; without it, everything counts as read."""

    upto = RealInteger(required=False, min_value=1, max_value=2**63 - 1)


class UnreadSerializer(_Any):
    """What is left."""

    unread = serializers.IntegerField()


class _Clock(serializers.RegexField):
    """A time of the day."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(r"^([01][0-9]|2[0-3]):[0-5][0-9]\Z", **kwargs)


class QuietSerializer(Strict):
    """Hours of the day in which nothing is sent, in your time zone; they may go past midnight."""

    begin = _Clock(help_text="Such as 22:00.")
    end = _Clock(help_text="Such as 07:30.")


class ChannelsSerializer(Strict):
    """By which ways."""

    mail = RealBoolean(required=False)
    push = RealBoolean(required=False)
    webhook = RealBoolean(required=False)


class TopicsSerializer(Strict):
    """What is told by which ways. The inbox always has everything."""

    def get_fields(self) -> dict[str, Any]:
        return {topic.value: ChannelsSerializer(required=False, help_text=str(topic.label)) for topic in Topic}


class PreferencesSerializer(Strict):
    """How you are told. In a change, what isn't given stays."""

    topics = TopicsSerializer(required=False)
    delivery = serializers.ChoiceField(choices=Preferences.Delivery.choices, required=False)
    every_hours = serializers.ChoiceField(choices=SPELLS, required=False, help_text="For the delivery “every”.")
    daily_hour = RealInteger(required=False, min_value=0, max_value=23, help_text="For the delivery “daily”.")
    quiet = QuietSerializer(required=False, allow_null=True)
    reminders = serializers.ListField(
        child=serializers.ChoiceField(choices=PERCENTS),
        required=False,
        help_text="At how many percent of your time left you are reminded.",
    )
