"""How a person wants to be told, as forms."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import time
from typing import Any, cast

from django import forms
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from notifications import replanning, wishes
from notifications.channels import Failure
from notifications.channels.guarded import check
from notifications.kinds import MAILED, Channel, Topic
from notifications.models import Preferences, Webhook
from notifications.planning import PERCENTS

#: So many webhooks and devices somebody may have.
MOST_WEBHOOKS, MOST_DEVICES = 5, 10


def _spells() -> list[tuple[int, str]]:
    """How often messages can be gathered, named in the language of who asks."""
    return [(n, _("%d hours") % n) for n in (2, 4, 6, 12)]


class PreferencesForm(forms.Form):
    """Topics by channels, when and how often, and the hours without messages."""

    delivery = forms.ChoiceField(label=_("How often"), choices=Preferences.Delivery, widget=forms.RadioSelect)
    every_hours = forms.TypedChoiceField(label=_("Every few hours means every …"), choices=_spells, coerce=int)
    daily_hour = forms.TypedChoiceField(
        label=_("Once a day means at …"), choices=[(n, f"{n:02}:00") for n in range(24)], coerce=int
    )
    quiet_from = forms.TimeField(label=_("Quiet from"), required=False, widget=forms.TimeInput(attrs={"type": "time"}))
    quiet_until = forms.TimeField(
        label=_("Quiet until"),
        required=False,
        widget=forms.TimeInput(attrs={"type": "time"}),
        help_text=_("In your own time zone. Nothing is sent in these hours; leave both empty for none."),
    )
    reminders = forms.TypedMultipleChoiceField(
        label=_("Remind me when so much of my time is left"),
        choices=[(n, f"{n} %") for n in PERCENTS],
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, user: User, data: Mapping[str, Any] | None = None) -> None:
        self.user = user
        self.row = wishes.of(user)
        self.wishes = wishes.wishes_of([user])[user.pk]
        super().__init__(data, initial=self._initial())
        for topic in Topic:
            for channel in Channel:
                self.fields[f"{topic}-{channel}"] = forms.BooleanField(
                    label=_("%(topic)s: %(channel)s") % {"topic": topic.label, "channel": channel.label},
                    required=False,
                    initial=self._is_on(topic, channel),
                )

    def _is_on(self, topic: Topic, channel: Channel) -> bool:
        return self.wishes.switched.get((topic, channel), channel != Channel.MAIL or topic in MAILED)

    def _initial(self) -> dict[str, Any]:
        row = self.row
        return {
            "delivery": row.delivery,
            "every_hours": row.every_hours,
            "daily_hour": row.daily_hour,
            "quiet_from": _clock(row.quiet_from),
            "quiet_until": _clock(row.quiet_until),
            "reminders": row.reminders,
        }

    def grid(self) -> list[tuple[str, list[forms.BoundField]]]:
        """The switches, a row a topic."""
        return [(str(topic.label), [self[f"{topic}-{channel}"] for channel in Channel]) for topic in Topic]

    def rest(self) -> list[forms.BoundField]:
        """All other fields."""
        return [
            self[name] for name in ("delivery", "every_hours", "daily_hour", "quiet_from", "quiet_until", "reminders")
        ]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if (data.get("quiet_from") is None) != (data.get("quiet_until") is None):
            raise forms.ValidationError(_("Quiet hours have a beginning and an end."))
        return data

    @transaction.atomic
    def save(self) -> None:
        """Write what was chosen, and plan by it what waits to be sent."""
        data, row = self.cleaned_data, self.row
        row.delivery, row.every_hours, row.daily_hour = data["delivery"], data["every_hours"], data["daily_hour"]
        row.quiet_from, row.quiet_until = _minutes(data["quiet_from"]), _minutes(data["quiet_until"])
        row.reminders = sorted(set(data["reminders"]), reverse=True)
        row.switched = {
            f"{topic}/{channel}": data[f"{topic}-{channel}"]
            for topic in Topic
            for channel in Channel
            if (topic, channel) != (Topic.TURN, Channel.MAIL)
        }
        row.save()
        wishes.switch(self.user, Topic.TURN, Channel.MAIL, on=data[f"{Topic.TURN}-{Channel.MAIL}"])
        replanning.replan(self.user)


class WebhookForm(forms.Form):
    """A new webhook."""

    dialect = forms.ChoiceField(label=_("What listens there"), choices=Webhook.Dialect)
    url = forms.URLField(
        label=_("Its address"), max_length=500, assume_scheme="https", help_text=_("It begins with https://.")
    )

    def clean_url(self) -> str:
        url = cast(str, self.cleaned_data["url"])
        try:
            check(url)
        except Failure:
            raise forms.ValidationError(_("Nothing can be sent to this address.")) from None
        return url


class GameForm(forms.Form):
    """What one game may tell."""

    CHOICES = (
        ("", _("As I set for all games")),
        ("gathered", _("Gathered, once a day")),
        ("muted", _("Nothing but in the inbox")),
    )
    how = forms.ChoiceField(
        label=_("Messages about this game"), choices=CHOICES, required=False, widget=forms.RadioSelect
    )


def _clock(minutes: int | None) -> time | None:
    return None if minutes is None else time(minutes // 60, minutes % 60)


def _minutes(shown: time | None) -> int | None:
    return None if shown is None else shown.hour * 60 + shown.minute
