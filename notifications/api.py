"""The endpoints of messages: the inbox, and how one wants to be told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from config import clock
from config.api.pagination import ByCursor
from config.api.schema import CURSOR, LIMIT
from config.api.times import moment
from config.api.views import Endpoint
from games.api.answers import checked
from notifications import truth
from notifications.forms import PreferencesForm
from notifications.kinds import Channel, Topic
from notifications.models import InboxItem
from notifications.serializers import ItemSerializer, PreferencesSerializer, UnreadSerializer, UptoSerializer
from notifications.truth import News
from notifications.wording import say


class Newest(ByCursor):
    ordering = "-id"


class Inbox(Endpoint):
    """What you were told."""

    pagination_class: ClassVar[type[ByCursor]] = Newest

    @extend_schema(
        operation_id="list_inbox",
        parameters=[OpenApiParameter("unread", bool, description="Only what isn't read yet."), LIMIT, CURSOR],
        responses={200: ItemSerializer(many=True)},
    )
    def get(self, request: Request) -> Response:
        """The newest first. Reading it marks nothing as read."""
        items = InboxItem.objects.filter(user=self.person())
        if _is_true(request, "unread"):
            items = items.filter(read_at__isnull=True)
        pages = self.pagination_class()
        page = pages.paginate_queryset(items, request, self) or []
        told = zip(page, truth.told_all(page), strict=True)
        return pages.get_paginated_response([_item(item, news) for item, news in told if news is not None])


class InboxRead(Endpoint):
    """Marking as read."""

    @extend_schema(operation_id="read_inbox", request=UptoSerializer, responses={200: UnreadSerializer})
    def post(self, request: Request) -> Response:
        """Mark what you have seen as read: all, or up to an id."""
        upto = checked(UptoSerializer, request).get("upto")
        unread = InboxItem.objects.filter(user=self.person(), read_at__isnull=True)
        seen = unread if upto is None else unread.filter(pk__lte=upto)
        seen.update(read_at=clock.now())
        return Response({"unread": unread.count()})


class PreferencesDetail(Endpoint):
    """How you want to be told."""

    @extend_schema(operation_id="read_preferences", responses={200: PreferencesSerializer})
    def get(self, _request: Request) -> Response:
        return Response(_preferences(PreferencesForm(self.person())))

    @extend_schema(
        operation_id="change_preferences", request=PreferencesSerializer, responses={200: PreferencesSerializer}
    )
    def patch(self, request: Request) -> Response:
        """Change some of it."""
        change, user = checked(PreferencesSerializer, request), self.person()
        form = PreferencesForm(user, _merged(PreferencesForm(user), change))
        if not form.is_valid():
            raise ValidationError({"non_field_errors": [str(text) for texts in form.errors.values() for text in texts]})
        form.save()
        return Response(_preferences(PreferencesForm(User.objects.get(pk=user.pk))))


def _item(item: InboxItem, news: News) -> dict[str, Any]:
    said = say(news)
    return {
        "id": item.pk,
        "kind": item.kind,
        "game": None if item.game is None else str(item.game),
        "at": moment(clock.to_us(item.at)),
        "read": item.read_at is not None,
        "title": said.title,
        "lines": list(said.lines),
        "quotes": list(said.quotes),
        "deadline": moment(news.deadline) if news.awaited else None,
        "link": said.link,
    }


def _is_true(request: Request, name: str) -> bool:
    """A switch of the query. Raises ValidationError for what is neither on nor off."""
    text = request.query_params.get(name, "false")
    if text not in ("true", "1", "", "false", "0"):
        raise ValidationError({name: ["true or false"]})
    return text in ("true", "1", "")


def _preferences(form: PreferencesForm) -> dict[str, Any]:
    """What somebody chose, or what is usual."""
    initial = form.initial
    begin, end = initial["quiet_from"], initial["quiet_until"]
    return {
        "topics": {
            topic.value: {channel.value: form.fields[f"{topic}-{channel}"].initial for channel in Channel}
            for topic in Topic
        },
        "delivery": initial["delivery"],
        "every_hours": initial["every_hours"],
        "daily_hour": initial["daily_hour"],
        "quiet": None if begin is None else {"begin": f"{begin:%H:%M}", "end": f"{end:%H:%M}"},
        "reminders": initial["reminders"],
    }


def _merged(form: PreferencesForm, change: Mapping[str, Any]) -> dict[str, Any]:
    """The form of the site, filled in with what there is and then with what is to be changed."""
    now = {**_preferences(form), **{name: value for name, value in change.items() if name != "topics"}}
    quiet = now["quiet"] or {"begin": "", "end": ""}
    data = {
        "delivery": now["delivery"],
        "every_hours": now["every_hours"],
        "daily_hour": now["daily_hour"],
        "quiet_from": quiet["begin"],
        "quiet_until": quiet["end"],
        "reminders": now["reminders"],
    }
    wished = change.get("topics", {})
    for topic, channels in now["topics"].items():
        for channel, on in channels.items():
            data[f"{topic}-{channel}"] = wished.get(topic, {}).get(channel, on)
    return data


urlpatterns = [
    path("me/inbox/", Inbox.as_view(), name="api-inbox"),
    path("me/inbox/read/", InboxRead.as_view(), name="api-inbox-read"),
    path("me/preferences/", PreferencesDetail.as_view(), name="api-preferences"),
]
