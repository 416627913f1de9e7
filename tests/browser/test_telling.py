"""The pages about messages and time off, with something on each: for everybody, in both languages."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse

from accounts import vacation
from accounts.models import User
from config import clock
from games import agreeing
from notifications import bounces, wishes
from notifications.models import Device, Message, Webhook
from tests.browser.test_pages import LANGUAGES, look_over
from tests.browser.visitor import Visitor
from tests.games.clocks import THREE_DAYS
from tests.games.people import begun, person

pytestmark = pytest.mark.any_database

DAY = 24 * 60 * 60 * 1_000_000


@LANGUAGES
def test_what_is_told_and_how_is_for_everybody(visit: Callable[..., Visitor], language: str, wide_scheme: str) -> None:
    mina, jonas = person(f"mina-{language}"), person(f"jonas-{language}")
    User.objects.filter(pk=mina.pk).update(is_staff=True)
    wishes.of(mina)
    Device.objects.create(
        user=mina, endpoint=f"https://push.example.com/{language}", p256dh="", auth="", name="Firefox, Android",
        added_at=clock.now(),
    )  # fmt: skip
    for dialect in ("discord", "json"):
        url = "https://hooks.example.com/" + "a1B2" * 20
        Webhook.objects.create(user=mina, dialect=dialect, url=url, secret="s3cret", added_at=clock.now())
    game = begun("ariadne", mina, jonas, clock=THREE_DAYS)
    agreeing.offer_draw(jonas, game)
    refused = "SMTPRecipientsRefused: 550 5.1.1 no-such-user-" + "x" * 60
    bounces.note(mina, str(mina.email), refused)
    waiting = Message.objects.filter(user=mina, channel="mail").values_list("pk", flat=True)[:1]
    Message.objects.filter(pk__in=list(waiting)).update(state="failed", last_error=refused, closed_at=clock.now())
    vacation.plan(mina, clock.now_us() + 2 * DAY, clock.now_us() + 9 * DAY)
    names = ("inbox", "deliveries", "message-settings", "operator-outbox", "vacation")
    paths = [*map(reverse, names), reverse("game-messages", args=[game]), reverse("table", args=[game])]
    assert look_over(visit(mina, language), paths, wide_scheme) == []
