"""The pages about messages: the inbox, the log, the settings, a bouncing address, the operator's page."""

import json
import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from accounts.models import User
from config import clock
from games import services
from notifications import bounces, sender, wishes
from notifications.kinds import Channel, Topic
from notifications.models import Bounce, Device, GamePreference, InboxItem, Message, Webhook
from tests.notifications import games
from tests.notifications.test_channels import Browser

PAGES = ["inbox", "deliveries", "message-settings"]


def browser_of(user: User) -> Client:
    client = Client()
    client.force_login(user, "accounts.backends.Backend")
    return client


def text(client: Client, name: str, *args: Any) -> str:
    return client.get(reverse(name, args=args)).content.decode()


@pytest.mark.parametrize("name", PAGES)
def test_the_pages_are_for_who_is_logged_in_and_show_only_their_own(alice: User, bob: User, name: str) -> None:
    assert Client().get(reverse(name)).status_code == 302
    games.start(alice, bob)
    assert "against bob" not in text(browser_of(bob), name)


def test_the_pages_are_in_the_readers_language(alice: User, bob: User) -> None:
    alice.language = "ko"
    alice.save()
    games.start(alice, bob)
    client = browser_of(alice)
    assert "내 차례: bob님과 하는 아리아드네의 실" in text(client, "inbox")
    assert "보낼 예정" in text(client, "deliveries")
    settings_page = text(client, "message-settings")
    assert "4시간" in settings_page
    assert "4 hours" not in settings_page


def test_the_inbox_has_everything_and_counts_what_is_unread(alice: User, bob: User) -> None:
    wishes.switch(alice, "turn", "mail", on=False)
    game = games.start(alice, bob)
    services.resign(bob, game)
    client = browser_of(alice)
    shown = text(client, "inbox")
    assert "Your turn: Ariadne&#x27;s Thread against bob" in shown
    assert "Game over: Ariadne&#x27;s Thread with bob" in shown
    assert '<span class="count">2</span>' in shown
    client.post(reverse("inbox"))
    assert '<span class="count">' not in text(client, "inbox")
    assert not InboxItem.objects.filter(user=alice, read_at=None).exists()


def test_the_log_says_what_was_to_be_sent_and_how_it_went(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    games.start(alice, bob)
    assert "waiting" in text(browser_of(alice), "deliveries")
    now.advance(seconds=60)
    sender.send_due()
    shown = text(browser_of(alice), "deliveries")
    assert "Your turn: Ariadne&#x27;s Thread against bob" in shown
    assert '<span class="went">sent</span>' in shown


def chosen(**changed: Any) -> dict[str, Any]:
    form = {"delivery": "daily", "every_hours": "6", "daily_hour": "19", "quiet_from": "22:30", "quiet_until": "07:00"}
    return {**form, "reminders": ["50", "10"], **changed}


def test_what_is_chosen_is_kept_and_nothing_else_is_on(alice: User) -> None:
    client = browser_of(alice)
    answer = client.post(reverse("message-settings"), chosen(**{"ended-mail": "on", "clock-push": "on"}))
    assert answer.status_code == 302
    theirs = wishes.wishes_of([User.objects.select_related("preferences").get(pk=alice.pk)])[alice.pk]
    assert (theirs.delivery, theirs.daily_hour, theirs.quiet, theirs.percents) == ("daily", 19, (1350, 420), (50, 10))
    on = {(topic.value, channel.value) for topic in Topic for channel in Channel if theirs.switched[topic, channel]}
    assert on == {("ended", "mail"), ("clock", "push")}
    shown = text(client, "message-settings")
    assert 'value="22:30' in shown
    assert len(re.findall(r'type="checkbox"[^>]* checked', shown)) == 4


@pytest.mark.parametrize("changed", [{"quiet_until": ""}, {"delivery": "never"}, {"daily_hour": "24"}])
def test_what_can_not_be_is_refused(alice: User, changed: dict[str, str]) -> None:
    assert browser_of(alice).post(reverse("message-settings"), chosen(**changed)).status_code == 422


def test_a_webhook_is_added_tried_and_removed_by_its_owner_alone(alice: User, bob: User) -> None:
    client = browser_of(alice)
    for url in ("https://10.0.0.1/", "http://hooks.example/", "https://localhost:1/"):
        client.post(reverse("add-webhook"), {"hook-dialect": "json", "hook-url": url})
    assert [row.url for row in Webhook.objects.all()] == ["https://localhost:1/"], "a name is looked up when it is used"
    row = Webhook.objects.get()
    path = reverse("change-webhook", args=[row.pk])
    assert "did not arrive" in client.post(path, {"test": "1"}, follow=True).content.decode()
    assert browser_of(bob).post(path, {"remove": "1"}).status_code == 404
    client.post(path, {"remove": "1"})
    assert not Webhook.objects.exists()


def test_a_device_subscribes_and_belongs_to_who_used_it_last(alice: User, bob: User) -> None:
    given = json.dumps(Browser().subscription("https://push.example/1"))
    for user in (alice, bob):
        answer = browser_of(user).post(reverse("add-device"), given, content_type="application/json")
        assert answer.status_code == 204
    assert Device.objects.get().user == bob
    bad = browser_of(bob).post(reverse("add-device"), '{"endpoint": 5}', content_type="application/json")
    assert bad.status_code == 422
    path = reverse("remove-device", args=[Device.objects.get().pk])
    assert browser_of(alice).post(path).status_code == 404
    browser_of(bob).post(path)
    assert not Device.objects.exists()


def test_one_game_can_be_muted_by_its_players_alone(alice: User, bob: User, charlie: User) -> None:
    game = games.start(alice, bob)
    path = reverse("game-messages", args=[game])
    assert browser_of(alice).post(path, {"how": "muted"}).status_code == 302
    assert GamePreference.objects.get().muted
    assert "checked" in text(browser_of(alice), "game-messages", game)
    assert browser_of(charlie).get(path).status_code == 404


def test_a_bouncing_address_is_shown_and_mended_by_a_mail_that_arrives(
    alice: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    bounces.note(alice, "alice@example.com", "550 no such user")
    client = browser_of(alice)
    assert "come back to us" in text(client, "message-settings")
    client.post(reverse("ask-address"))
    sender.send_due()
    (mail,) = mailoutbox
    link = re.search(r"\S+/mail/works/\S+", mail.body)
    assert link is not None
    path = urlsplit(link[0]).path
    assert Client().get(path).status_code == 200
    assert Bounce.objects.exists(), "a scanner that follows the link mends nothing"
    assert Client().post(path).status_code == 200
    assert not Bounce.objects.exists()
    assert Client().get(path[:-3] + "xx/").status_code == 404


def test_the_operators_page_is_for_staff_and_warns_where_messages_stay_lying(
    alice: User, bob: User, now: clock.FrozenClock, settings: Settings
) -> None:
    games.start(alice, bob)
    assert browser_of(alice).get(reverse("operator-outbox")).status_code == 404
    User.objects.filter(pk=alice.pk).update(is_staff=True)
    now.advance(seconds=120)
    assert "stay lying" not in text(browser_of(alice), "operator-outbox")
    now.advance(seconds=700)
    shown = text(browser_of(alice), "operator-outbox")
    assert "nothing was sent for an hour" in shown
    assert ">12 minutes</td>" in shown
    Message.objects.update(state="sent", closed_at=clock.now())
    assert ">0 seconds</td>" in text(browser_of(alice), "operator-outbox")


def test_ready_says_how_late_the_outbox_is(alice: User, bob: User, now: clock.FrozenClock) -> None:
    games.start(alice, bob)
    now.advance(seconds=90)
    assert Client().get("/readyz").json() == {"ready": True, "oldest_due_seconds": 30.0}


def test_the_script_for_pushes_is_served_at_the_root(client: Client) -> None:
    answer = client.get("/sw.js")
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert b"showNotification" in answer.content
