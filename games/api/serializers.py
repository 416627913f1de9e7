"""What the API takes and gives, for checking the one and describing both."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.engine.shuffle import LARGEST_NUMBER

STATUSES: Final = ("open", "running", "ended")
VISIBILITIES: Final = ("anyone", "people", "invited")
OPENER_SEATS: Final = ("random", "first", "second")

_Any = serializers.Serializer[Any]


class Strict(_Any):
    """Refuses fields that it doesn't know: a misspelt one would be ignored silently."""

    def to_internal_value(self, data: Any) -> Any:
        unknown = [name for name in data if name not in self.fields] if isinstance(data, dict) else []
        if unknown:
            text = _("There is no such field.")
            raise serializers.ValidationError({name: [serializers.ErrorDetail(text, "unknown")] for name in unknown})
        return super().to_internal_value(data)


@extend_schema_field(OpenApiTypes.OBJECT)
class JSONObject(serializers.JSONField):
    """A JSON object."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            raise serializers.ValidationError(_("This has to be a JSON object."), code="not_an_object")
        return data


class RealInteger(serializers.IntegerField):
    """A JSON number without a fraction; no text that looks like one, and no truth value."""

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return int(super().to_internal_value(data))


class RealBoolean(serializers.BooleanField):
    """``true`` or ``false``, and nothing that only means it."""

    def to_internal_value(self, data: Any) -> bool:
        if type(data) is not bool:
            self.fail("invalid", input=data)
        return data


class RealText(serializers.CharField):
    """A JSON string."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))


# --- given ------------------------------------------------------------------------------------------------------------


class ClockTermsSerializer(Strict):
    """``kind`` ``move`` has ``per_move``; ``bank`` has ``start``, ``increment`` and ``cap``. Times are seconds."""

    kind = serializers.ChoiceField(choices=("move", "bank"))
    per_move = RealInteger(required=False, min_value=1, max_value=100_000_000)
    start = RealInteger(required=False, min_value=1, max_value=100_000_000)
    increment = RealInteger(required=False, min_value=0, max_value=100_000_000)
    cap = RealInteger(required=False, min_value=1, max_value=100_000_000)
    weekends_off = RealBoolean(required=False, help_text="No time passes on Saturdays and Sundays.")
    vacation = RealBoolean(required=False, help_text="A clock stands still while its player is on vacation.")


class NewGameSerializer(Strict):
    """The terms of a table. What isn't given is as usual on the site, but a clock has to be asked for."""

    rules = RealText(max_length=32)
    options = JSONObject(required=False)
    clock = ClockTermsSerializer(required=False, allow_null=True)
    visibility = serializers.ChoiceField(
        choices=VISIBILITIES, required=False, help_text="Who may sit down; people: anyone but bots."
    )
    seat = serializers.ChoiceField(choices=OPENER_SEATS, required=False, help_text="Of who opens the table.")
    quick_pass = RealBoolean(required=False)
    number = RealInteger(required=False, allow_null=True, min_value=1, max_value=LARGEST_NUMBER)
    invite = serializers.ListField(child=RealText(max_length=100), required=False, max_length=20)
    link = RealBoolean(required=False, help_text="Whether to make a link by which one may sit down.")
    salt = RealText(required=False, max_length=64)


class SeatSerializer(Strict):
    """``salt``: 8 to 64 printable characters of your own; ``token``: the last part of an invitation link."""

    salt = RealText(required=False, max_length=64)
    token = RealText(required=False, max_length=64)


class MoveSerializer(Strict):
    """Either ``move`` or ``notation``; ``step`` where there is no If-Match."""

    move = JSONObject(required=False)
    notation = RealText(required=False, max_length=200)
    step = RealInteger(required=False, min_value=0, max_value=2**31 - 1)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("move" in attrs) == ("notation" in attrs):
            raise serializers.ValidationError(_("Give either “move” or “notation”."), code="one_of")
        return attrs


ACTIONS: Final = (
    "resign",
    "offer_draw",
    "accept_draw",
    "decline_draw",
    "ask_undo",
    "grant_undo",
    "decline_undo",
    "undo",
    "redo",
    "hint",
    "give_time",
    "ask_pause",
    "grant_pause",
    "decline_pause",
    "resume",
    "abort",
    "withdraw",
)


class ActionSerializer(Strict):
    """What else is done at a table. ``step`` (or If-Match) where it is meant for a step, ``seconds`` to give time."""

    action = serializers.ChoiceField(choices=ACTIONS)
    step = RealInteger(required=False, min_value=0, max_value=2**31 - 1)
    to_step = RealInteger(required=False, min_value=0, max_value=2**31 - 1, help_text="For undo: back to this step.")
    seconds = RealInteger(required=False, min_value=60, max_value=100_000_000, help_text="For give_time.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["action"] == "give_time" and "seconds" not in attrs:
            raise serializers.ValidationError({"seconds": [_("Say how many seconds.")]}, code="required")
        return attrs


# --- told -------------------------------------------------------------------------------------------------------------


class PlayerSerializer(_Any):
    place = serializers.IntegerField(help_text="0 is who opened the table.")
    seat = serializers.IntegerField(allow_null=True, help_text="Null until the game has begun.")
    name = serializers.CharField()
    you = serializers.BooleanField()
    bot = serializers.BooleanField()


class SittingPlayerSerializer(PlayerSerializer):
    away = serializers.BooleanField(help_text="On vacation.")
    away_until = serializers.DateTimeField(allow_null=True)


class ShownClockTermsSerializer(_Any):
    kind = serializers.ChoiceField(choices=("move", "bank"))
    per_move = serializers.IntegerField(required=False)
    start = serializers.IntegerField(required=False)
    increment = serializers.IntegerField(required=False)
    cap = serializers.IntegerField(required=False)
    weekends_off = serializers.BooleanField()
    vacation = serializers.BooleanField()


class ClockSerializer(_Any):
    terms = ShownClockTermsSerializer()
    paused = serializers.BooleanField()
    running = serializers.IntegerField(allow_null=True, help_text="The seat that is awaited.")
    ticking = serializers.BooleanField(help_text="Whether its time passes now.")
    left = serializers.ListField(child=serializers.IntegerField(allow_null=True), help_text="Seconds, by seat.")
    as_of = serializers.DateTimeField(help_text="The moment for which “left” was counted.")


class EndedSerializer(_Any):
    by = serializers.CharField()
    seat = serializers.IntegerField(allow_null=True)


class ResultSerializer(_Any):
    winner = serializers.IntegerField(allow_null=True, help_text="The seat that won; null where nobody did.")
    scores = serializers.ListField(child=serializers.IntegerField(), allow_null=True, help_text="By seat.")
    ended = EndedSerializer()


class UndoAskedSerializer(_Any):
    seat = serializers.IntegerField()
    to_step = serializers.IntegerField()


class UndoSerializer(_Any):
    asked = UndoAskedSerializer(allow_null=True)
    may = serializers.BooleanField()
    may_redo = serializers.BooleanField()


class OffersSerializer(_Any):
    draw = serializers.IntegerField(allow_null=True, help_text="The seat that offers a draw.")
    pause = serializers.IntegerField(allow_null=True, help_text="The seat that asks for a pause.")


class RowSerializer(_Any):
    """A game in a list."""

    id = serializers.UUIDField()
    url = serializers.URLField(help_text="The table's page, for people.")
    rules = serializers.CharField()
    rules_version = serializers.IntegerField()
    entry = serializers.CharField(help_text="What the game is called by: its variant, where it has variants.")
    options = serializers.DictField()
    quick_pass = serializers.BooleanField()
    visibility = serializers.ChoiceField(choices=VISIBILITIES)
    status = serializers.ChoiceField(choices=STATUSES)
    version = serializers.IntegerField(help_text="Counts everything that happened at the table.")
    step = serializers.IntegerField(help_text="Counts deals, moves and undos: what a move states in If-Match.")
    seats = serializers.IntegerField()
    players = PlayerSerializer(many=True)
    you = serializers.IntegerField(allow_null=True, help_text="Your seat.")
    awaits = serializers.IntegerField(allow_null=True, help_text="The seat whose move is awaited.")
    deadline = serializers.DateTimeField(allow_null=True)
    clock = ShownClockTermsSerializer(allow_null=True)
    opened_at = serializers.DateTimeField()
    last_at = serializers.DateTimeField()
    result = ResultSerializer(allow_null=True)


class GameSerializer(RowSerializer):
    """A table as its reader may see it. ``view`` and the moves are as the game's own page has them."""

    players = SittingPlayerSerializer(many=True)
    clock = ClockSerializer(allow_null=True)  # type: ignore[assignment] # told in full here
    number = serializers.CharField(allow_null=True, help_text="The deal's number, as text: it may be a large one.")
    may_sit = serializers.BooleanField()
    view = serializers.DictField(allow_null=True)
    legal = serializers.ListField(child=serializers.DictField(), help_text="Every legal move, for the awaited seat.")
    stuck = serializers.BooleanField(help_text="A patience in which nothing is legal any more.")
    undos = serializers.IntegerField()
    hints = serializers.IntegerField()
    undo = UndoSerializer()
    offers = OffersSerializer()
    may = serializers.DictField(child=serializers.BooleanField(), help_text="Which actions of agreement are open.")
    invitation = serializers.URLField(allow_null=True, help_text="For who opened it, while a seat is free.")
    commitment = serializers.CharField(allow_null=True)
    proof = serializers.DictField(allow_null=True, help_text="After the end: what the deals follow from.")
    hint = serializers.DictField(required=False, help_text="After the action hint: a sensible move.")


class StepSerializer(_Any):
    n = serializers.IntegerField()
    seat = serializers.IntegerField(allow_null=True, help_text="Null for a deal.")
    move = serializers.DictField(allow_null=True)
    automatic = serializers.BooleanField(help_text="A pass that was made because nothing else was legal.")
    turned = serializers.ListField(child=serializers.CharField(), help_text="Cards turned up for all to see.")
    at = serializers.DateTimeField()
    text = serializers.CharField(help_text="In the reader's language.")


class StepsSerializer(_Any):
    next = serializers.URLField(allow_null=True)
    results = StepSerializer(many=True)


class OptionSerializer(_Any):
    values = serializers.ListField()
    default = serializers.JSONField()


class RulesSerializer(_Any):
    slug = serializers.CharField()
    name = serializers.CharField()
    version = serializers.IntegerField(help_text="New games begin with this one; running ones keep theirs.")
    versions = serializers.ListField(child=serializers.IntegerField())
    seats = serializers.IntegerField()
    options = serializers.DictField(child=OptionSerializer())
    quick_pass = serializers.BooleanField(help_text="Whether lone passes may be made by themselves.")
    numbered = serializers.BooleanField(help_text="Whether deals have numbers that may be chosen.")
    notation = serializers.CharField(help_text="How moves are typed.")
    url = serializers.URLField(help_text="The rules, for people.")
