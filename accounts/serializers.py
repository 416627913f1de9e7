"""What the person's endpoints take and give."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _
from rest_framework import serializers

from accounts.bots import SCOPES
from accounts.models import User
from accounts.zones import is_zone
from games.api.serializers import JSONObject, RealText, Strict

_Any = serializers.Serializer[Any]
#: All scopes, in the order in which they are told.
ALL_SCOPES: Final = ("read", "play", "bot")


class MeSerializer(_Any):
    """Who asks."""

    name = serializers.CharField()
    bot = serializers.BooleanField(help_text="Whether this is a bot.")
    owner = serializers.CharField(allow_null=True, help_text="Whose bot it is; null for a person.")
    language = serializers.ChoiceField(choices=User.Language.choices)
    time_zone = serializers.CharField(help_text="Of the IANA database, such as Asia/Seoul.")
    mail_confirmed = serializers.BooleanField(help_text="Whether mails reach an address that is confirmed.")
    waiting = serializers.IntegerField(help_text="How many games await your move.")
    unread = serializers.IntegerField(help_text="How much in your inbox isn't read yet.")
    scopes = serializers.ListField(
        child=serializers.ChoiceField(choices=ALL_SCOPES), help_text="What the token at hand allows; a session, all."
    )


class MeChangeSerializer(Strict):
    """What can be changed of it; what isn't given stays."""

    language = serializers.ChoiceField(choices=User.Language.choices, required=False)
    time_zone = RealText(required=False, max_length=64)

    def validate_time_zone(self, value: str) -> str:
        if not is_zone(value):
            raise serializers.ValidationError(_("There is no time zone of this name."), code="invalid_time_zone")
        return value


class ExportSerializer(_Any):
    """A part of all that is kept of you: one of ``account``, ``inbox``, ``deliveries`` and ``games``."""

    account = JSONObject(required=False)
    inbox = serializers.ListField(child=JSONObject(), required=False)
    deliveries = serializers.ListField(child=JSONObject(), required=False)
    games = serializers.ListField(child=JSONObject(), required=False)
    next = serializers.URLField(allow_null=True, help_text="Where the next part is; null with the last.")


class TokenSerializer(_Any):
    """A token, without its secret."""

    id = serializers.IntegerField()
    # The base class has an attribute of this name, which a field replaces.
    label = serializers.CharField()  # type: ignore[assignment]
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=ALL_SCOPES))
    made_at = serializers.DateTimeField()
    used_at = serializers.DateTimeField(allow_null=True, help_text="To the minute.")
    expires_at = serializers.DateTimeField(allow_null=True, help_text="From when on it is refused; null: never.")


class NewTokenSerializer(TokenSerializer):
    """A token that was made just now."""

    secret = serializers.CharField(
        allow_null=True, help_text="Kept nowhere else: null where the same Idempotency-Key comes a second time."
    )


class BotSerializer(_Any):
    """A bot of yours."""

    name = serializers.CharField()
    bot = serializers.BooleanField(help_text="true")
    made_at = serializers.DateTimeField()
    tokens = TokenSerializer(many=True)


class NewBotSerializer(_Any):
    """A bot that was made just now, with its first token."""

    name = serializers.CharField()
    bot = serializers.BooleanField(help_text="true")
    made_at = serializers.DateTimeField()
    token = NewTokenSerializer()


class BotNameSerializer(Strict):
    """A bot to be made."""

    name = RealText(max_length=24, help_text="Letters and digits, with . _ - inside. Others see it marked as a bot's.")


class TokenWishSerializer(Strict):
    """A token of a bot to be made. What isn't given is as usual."""

    label = RealText(required=False, max_length=60)  # type: ignore[assignment] # as above
    scopes = serializers.ListField(
        child=serializers.ChoiceField(choices=ALL_SCOPES),
        required=False,
        min_length=1,
        max_length=len(SCOPES),
        help_text="read, play, or both.",
    )
    expires_in_days = serializers.IntegerField(required=False, min_value=1, max_value=3650)

    def validate_scopes(self, value: list[str]) -> list[str]:
        if not set(value) <= set(SCOPES):
            raise serializers.ValidationError(_("A bot can't make bots."), code="bots_make_no_bots")
        return value
