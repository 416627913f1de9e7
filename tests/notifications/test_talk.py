"""Telling of the table talk: by the usual ways, a burst in one message, and nothing that was seen or isn't wanted."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from config import clock
from games import services, talking
from games.table.commands import Terms
from notifications import delivery, sender, wishes
from notifications.channels import push, webhook
from notifications.kinds import Kind, Topic
from notifications.models import Device, GamePreference, InboxItem, Message, Presence, Webhook
from notifications.truth import News
from notifications.unsubscribe import off_url
from notifications.wording import say
from tests.notifications import games


def send(now: clock.FrozenClock, seconds: float = 60) -> None:
    now.advance(seconds=seconds)
    sender.send_due()


def a_game(first: User, second: User, now: clock.FrozenClock, mailoutbox: Any) -> str:
    """A game whose beginning was told."""
    game = games.start(first, second)
    send(now)
    mailoutbox.clear()
    return game


def subjects(mailoutbox: Sequence[Any]) -> list[tuple[str, str]]:
    return [(mail.to[0].partition("@")[0], mail.subject) for mail in mailoutbox]


def prefer(user: User, **fields: Any) -> None:
    row = wishes.of(user)
    for name, value in fields.items():
        setattr(row, name, value)
    row.save()


def inbox(user: User) -> list[InboxItem]:
    return list(InboxItem.objects.filter(user=user, kind=Kind.MESSAGE).order_by("id"))


# --- what is told -----------------------------------------------------------------------------------------------------


def test_a_message_at_the_table_is_mailed_to_the_other_with_its_text_and_writer(
    alice: User, bob: User, charlie: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    game = a_game(alice, bob, now, mailoutbox)
    talking.say(bob, game, "Nice opening.\nHow is <b>Seoul</b>?")
    send(now)
    assert subjects(mailoutbox) == [("alice", "bob wrote to you: Ariadne's Thread")]
    mail = mailoutbox[0]
    assert "bob wrote to you at your table of Ariadne's Thread.\n> Nice opening.\n> How is <b>Seoul</b>?\n" in mail.body
    assert reverse("table", args=[game]) + "#talk" in mail.body
    html = mail.alternatives[0][0]
    assert "Nice opening.<br>How is &lt;b&gt;Seoul&lt;/b&gt;?" in html
    assert "<b>" not in html


def test_a_text_can_not_pass_for_a_line_of_ours(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    game = a_game(alice, bob, now, mailoutbox)
    talking.say(bob, game, "Hi\n\nMove by yesterday.\nBcc: all@example.com\n-- \nSettings:\nhttps://evil.example/")
    send(now)
    for line in ("Move by yesterday.", "Bcc: all@example.com", "--", "https://evil.example/"):
        assert f"\n> {line}\n" in mailoutbox[0].body
    assert "Bcc" not in mailoutbox[0].message()
    assert 'href="https://evil' not in mailoutbox[0].alternatives[0][0]


def test_a_burst_is_one_mail(alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any) -> None:
    game = a_game(alice, bob, now, mailoutbox)
    for number in range(12):
        talking.say(bob, game, f"Number {number}.")
        now.advance(seconds=3)
        sender.send_due()
    assert Message.objects.filter(kind=Kind.MESSAGE).count() == 1
    for _ in range(4):
        send(now)
    assert subjects(mailoutbox) == [("alice", "bob wrote to you: Ariadne's Thread")]
    body = mailoutbox[0].body
    assert body.index("> Number 2.") < body.index("> Number 11.")
    assert "Number 1." not in body
    assert "2 messages before it are at the table." in body
    assert len(inbox(alice)) == 1
    assert inbox(alice)[0].params == {"first": 1, "last": 12}


def test_a_long_monologue_is_mailed_once_in_ten_minutes(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    game = a_game(alice, bob, now, mailoutbox)
    for number in range(20):
        talking.say(bob, game, f"Number {number}.")
        send(now, 35)
    send(now, 600)
    first, second = (mail.body for mail in mailoutbox)
    assert "> Number 0." in first
    told = [number for number in range(20) if f"> Number {number}.\n" in first]
    assert told == list(range(len(told)))
    assert f"> Number {len(told) - 1}.\n" not in second, "nothing is mailed twice"
    assert "> Number 19." in second


def test_what_is_said_while_a_mail_is_being_sent_comes_by_another(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = a_game(alice, bob, now, mailoutbox)
    talking.say(bob, game, "Before")
    write, spoken = delivery.news_mail, iter(["Meanwhile"])

    def slowly(user: User, news: Sequence[News], message_id: str) -> Any:
        for text in spoken:
            talking.say(bob, game, text)
        return write(user, news, message_id)

    monkeypatch.setattr(delivery, "news_mail", slowly)
    send(now)
    assert "Meanwhile" not in mailoutbox[0].body
    send(now)
    assert len(mailoutbox) == 2
    assert "> Meanwhile" in mailoutbox[1].body
    assert "> Before" not in mailoutbox[1].body


def test_what_is_said_after_the_last_was_seen_waits_its_own_quiet_spell(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    game = a_game(alice, bob, now, mailoutbox)
    talking.say(bob, game, "Seen")
    now.advance(seconds=50)
    talking.mark_heard(alice, game, 1)
    talking.say(bob, game, "Typed just now")
    send(now, 30)
    assert mailoutbox == []
    send(now, 30)
    assert "> Typed just now" in mailoutbox[0].body


def test_what_was_seen_is_not_mailed(alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any) -> None:
    game = a_game(alice, bob, now, mailoutbox)
    talking.say(bob, game, "Seen")
    talking.mark_heard(alice, game, 1)
    send(now)
    assert mailoutbox == []
    talking.say(bob, game, "Not seen")
    send(now)
    assert "> Not seen" in mailoutbox[0].body
    assert "> Seen" not in mailoutbox[0].body


def test_a_page_that_was_opened_has_shown_it_and_one_that_lies_open_swallows_nothing(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    game = a_game(alice, bob, now, mailoutbox)
    browser = Client()
    browser.force_login(alice)
    talking.say(bob, game, "One")
    browser.get(reverse("table", args=[game]))
    send(now)
    assert mailoutbox == []
    talking.say(bob, game, "Two")
    waited = 0
    while not mailoutbox and waited < 3600:  # its script asks for news, and shows them to nobody
        browser.get(reverse("table-state", args=[game]))
        browser.get(reverse("talk", args=[game]), headers={"X-Requested-With": "fetch"})
        waited += 20
        send(now, 20)
    assert 900 <= waited <= 1100
    assert "> Two" in mailoutbox[0].body


def test_who_said_it_and_who_only_watches_are_told_nothing(
    alice: User, bob: User, charlie: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    game = services.open_game(alice, Terms("ariadne", admits="invited"), invite=[bob, charlie]).table.id
    services.sit_down(bob, game)
    send(now)
    mailoutbox.clear()
    talking.say(alice, game, "Hello bob")
    send(now)
    assert [name for name, _ in subjects(mailoutbox)] == ["bob"]
    assert inbox(alice) == inbox(charlie) == []


def test_the_talk_after_the_end_is_told_too(alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any) -> None:
    game = a_game(alice, bob, now, mailoutbox)
    services.resign(alice, game)
    send(now)
    mailoutbox.clear()
    talking.say(bob, game, "Another one?")
    send(now)
    assert subjects(mailoutbox) == [("alice", "bob wrote to you: Ariadne's Thread")]


# --- what is wanted ---------------------------------------------------------------------------------------------------


def test_a_quieted_table_tells_nothing_also_of_what_was_said_before(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    game = a_game(alice, bob, now, mailoutbox)
    talking.say(bob, game, "One")
    talking.set_quiet(alice, game, quiet=True)
    talking.say(bob, game, "Two")
    send(now)
    assert mailoutbox == []
    assert len(inbox(alice)) == 1, "of what was said before"
    browser = Client()
    browser.force_login(alice)
    assert "One" not in browser.get(reverse("inbox")).content.decode()
    talking.set_quiet(alice, game, quiet=False)
    assert ">One</blockquote>" in browser.get(reverse("inbox")).content.decode()
    talking.say(bob, game, "Three")
    send(now)
    assert len(mailoutbox) == 1


def test_a_muted_game_is_quiet_everywhere_but_in_the_inbox(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    game = a_game(alice, bob, now, mailoutbox)
    wishes.of(alice)
    talking.say(bob, game, "One")
    GamePreference.objects.create(user=alice, game=game, muted=True)
    talking.say(bob, game, "Two")
    send(now)
    assert mailoutbox == [], "asked again when it would be sent"
    assert inbox(alice)[0].params["last"] == 2


def test_the_talk_has_a_switch_of_its_own_for_each_way(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    game = a_game(alice, bob, now, mailoutbox)
    prefer(alice, switched={"talk/mail": False})
    talking.say(bob, game, "Silent")
    send(now)
    assert mailoutbox == []
    prefer(alice, switched={})
    talking.say(bob, game, "Loud")
    assert Message.objects.filter(kind=Kind.MESSAGE, channel="mail").count() == 1
    browser = Client()
    browser.force_login(alice)
    page = browser.get(reverse("message-settings")).content.decode()
    assert 'name="talk-mail"' in page
    send(now)
    off = off_url(alice, Topic.TALK)
    assert off in mailoutbox[0].body
    assert Client().post(urlsplit(off).path).status_code == 200
    assert wishes.wishes_of([User.objects.get(pk=alice.pk)])[alice.pk].wants(Kind.MESSAGE, "mail") is False


def test_a_digest_and_quiet_hours_hold_the_talk_back(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    game = a_game(alice, bob, now, mailoutbox)
    prefer(alice, delivery="daily", daily_hour=18)
    talking.say(bob, game, "Later")
    row = Message.objects.get(kind=Kind.MESSAGE)
    assert row.due_at.hour == 18
    talking.mark_heard(alice, game, 1)
    prefer(alice, delivery="immediate", quiet_from=0, quiet_until=23 * 60)
    talking.say(bob, game, "Much later")
    assert Message.objects.filter(kind=Kind.MESSAGE).latest("id").due_at.hour == 23


def test_presence_at_the_table_puts_it_off(alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any) -> None:
    game = a_game(alice, bob, now, mailoutbox)
    talking.say(bob, game, "There?")
    now.advance(seconds=50)
    Presence.objects.update_or_create(user=alice, game=game, defaults={"at": clock.now()})
    send(now, 10)
    assert mailoutbox == []
    send(now)
    assert len(mailoutbox) == 1


# --- other ways -------------------------------------------------------------------------------------------------------


def test_the_inbox_has_it_as_one_item_until_it_is_read(alice: User, bob: User, now: clock.FrozenClock) -> None:
    game = games.start(alice, bob)
    talking.say(bob, game, "One <i>")
    talking.say(alice, game, "Mine")
    talking.say(bob, game, "Two")
    browser = Client()
    browser.force_login(alice)
    page = browser.get(reverse("inbox")).content.decode()
    assert page.count("bob wrote to you: Ariadne") == 1
    assert "One &lt;i&gt;" in page
    assert "Two" in page
    assert "Mine" not in page
    browser.get(reverse("table", args=[game]))
    assert inbox(alice)[0].read_at is not None
    talking.say(bob, game, "Three")
    assert [item.params for item in inbox(alice)] == [{"first": 1, "last": 3}, {"first": 4, "last": 4}]
    browser.post(reverse("talk-heard", args=[game]), {"number": "4"})  # at the table, which lay open
    assert inbox(alice)[1].read_at is not None


def test_a_push_is_short_enough_for_every_push_service(
    alice: User, bob: User, now: clock.FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = games.start(alice, bob)
    send(now)
    wishes.of(alice)
    device = Device.objects.create(
        user=alice, endpoint="https://push.example/1", p256dh="x", auth="y", added_at=clock.now()
    )
    pushed: list[dict[str, Any]] = []
    monkeypatch.setattr(push, "send", lambda _device, payload, **_kw: pushed.append(payload))
    for _ in range(5):
        talking.say(bob, game, "\U0001f600가" * 500)
    send(now, 120)
    assert len(pushed) == 1, device
    assert pushed[0]["title"] == "bob wrote to you: Ariadne's Thread"
    assert len(json.dumps(pushed[0], ensure_ascii=False).encode()) < push._MOST
    assert "\U0001f600가" in pushed[0]["body"]


TRICKY = "[free](https://evil.example) @everyone <!here> *x*"


@pytest.mark.parametrize("dialect", Webhook.Dialect.values)
def test_a_webhook_carries_the_text_and_makes_nothing_of_it(dialect: str) -> None:
    news = News(
        Kind.MESSAGE,
        {},
        game=str(uuid.UUID(int=7)),
        others=("bob",),
        entry="ariadne",
        remarks=(TRICKY,),
    )
    said = say(news)
    hook = Webhook(dialect=dialect, url="https://hook.example/", secret="s")
    item = {"kind": news.kind, "title": said.title, "lines": list(said.told), "deadline": "", "link": said.link}
    body, _headers = webhook.request_of(hook, said.title, [item], key="k")
    text = body.decode()
    assert "evil.example" in text
    if dialect == "discord":
        sent = json.loads(text)
        assert "\\[free\\](https://evil.example)" in sent["content"]
        assert sent["allowed_mentions"] == {"parse": []}
        assert sent["flags"] == 4, "nothing of a link's page is shown"
    if dialect == "slack":
        assert "&lt;!here&gt;" in json.loads(text)["text"]
