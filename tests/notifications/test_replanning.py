"""Who changes how they want to be told has what waits for them planned anew; quiet hours hold whatever comes late."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from config import clock
from games import agreeing, learning, services, sweeping
from games.store.models import Event, Heartbeat
from games.table.commands import Terms
from games.table.terms import DAY, HOUR
from notifications import outbox, sender, wishes
from notifications.forms import PreferencesForm
from notifications.kinds import Channel, Kind, Topic
from notifications.models import GamePreference, Message, Webhook
from notifications.replanning import replan
from tests.notifications.smtp_sink import Sink

CLOCK = {"kind": "move", "per_move": 2 * DAY}


@pytest.fixture(autouse=True)
def swept(db: None, now: clock.FrozenClock) -> None:
    """The site has been up to this moment."""
    sweeping.sweep()


def timed(first: User, second: User) -> str:
    """A running game with a clock, in which ``first`` is to move, and of which nobody was told yet."""
    done = services.open_game(first, Terms("ariadne", opener_seat="first", clock=CLOCK))
    return services.sit_down(second, done.table.id).table.id


def sent_form(user: User, **changes: Any) -> dict[str, Any]:
    """What the page of preferences sends with these changes."""
    form = PreferencesForm(User.objects.get(pk=user.pk))
    data: dict[str, Any] = {name: form[name].initial for name in form.fields}
    data |= {"quiet_from": "", "quiet_until": "", "delivery": form.row.delivery, **changes}
    return {name: value for name, value in data.items() if value not in (None, False)}


def choose(user: User, **changes: Any) -> None:
    """Save the page of preferences."""
    client = Client()
    client.force_login(user)
    answer = client.post(reverse("message-settings"), sent_form(user, **changes))
    assert answer.status_code == 302, answer.content.decode()


def move_to(user: User, zone: str) -> None:
    """Save the settings with another time zone."""
    client = Client()
    client.force_login(user)
    data = {"name": user.name, "language": "en", "time_zone": zone, "turn_mails": "on", "theme": ""}
    assert client.post(reverse("settings"), data).status_code == 302


def due(user: User, kind: str = "turn", channel: str = "mail") -> list[datetime]:
    rows = Message.objects.filter(user=user, kind=kind, channel=channel, state="waiting").order_by("due_at")
    return list(rows.values_list("due_at", flat=True))


def at(hour: int, minute: int = 0, *, day: int = 4, zone: str = "UTC") -> datetime:
    return datetime(2027, 3, day, hour, minute, tzinfo=ZoneInfo(zone)).astimezone(UTC)


def send(now: clock.FrozenClock, seconds: float = 60) -> None:
    now.advance(seconds=seconds)
    sender.send_due()


def addresses(mailoutbox: Sequence[Any]) -> list[str]:
    return [mail.to[0] for mail in mailoutbox]


# --- turns and digests ------------------------------------------------------------------------------------------------


def test_a_turn_that_waits_for_its_digest_goes_out_after_the_spell_once_messages_come_at_once(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    choose(alice, delivery="daily", daily_hour=18)
    timed(alice, bob)
    assert due(alice) == [at(18)]
    now.advance(hours=1)
    choose(alice, delivery="immediate")
    assert due(alice) == [at(13)]
    sender.send_due()
    assert addresses(mailoutbox) == ["alice@example.com"]


def test_a_turn_of_this_minute_is_gathered_by_whoever_chooses_a_digest_now(
    alice: User, bob: User, now: clock.FrozenClock
) -> None:
    timed(alice, bob)
    assert due(alice) == [at(12, 1)]
    now.advance(seconds=10)
    choose(alice, delivery="daily", daily_hour=18)
    assert due(alice) == [at(18)]
    now.advance(hours=4)
    choose(alice, delivery="every", every_hours=6)
    assert due(alice) == [at(18)]
    choose(alice, delivery="every", every_hours=4)
    assert due(alice) == [at(20)]


def test_saving_the_same_wishes_again_changes_nothing(alice: User, bob: User, now: clock.FrozenClock) -> None:
    choose(alice, delivery="daily", daily_hour=18, reminders=[50, 10])
    timed(alice, bob)
    before = list(Message.objects.order_by("key").values_list("key", "due_at", "params", "state"))
    assert len(before) == 3
    now.advance(hours=5, minutes=59, seconds=30)
    choose(alice, delivery="daily", daily_hour=18, reminders=[50, 10])
    assert list(Message.objects.order_by("key").values_list("key", "due_at", "params", "state")) == before


def test_a_digest_comes_at_its_hour_in_the_zone_that_its_reader_has_moved_to(
    alice: User, bob: User, now: clock.FrozenClock
) -> None:
    choose(alice, delivery="daily", daily_hour=8, reminders=[])
    timed(alice, bob)
    assert due(alice) == [at(8, day=5)]
    move_to(alice, "Asia/Seoul")
    assert due(alice) == [at(8, day=5, zone="Asia/Seoul")]


def test_new_quiet_hours_hold_what_waits_and_their_end_lets_it_go(
    alice: User, bob: User, now: clock.FrozenClock
) -> None:
    timed(alice, bob)
    choose(alice, quiet_from="12:00", quiet_until="20:00")
    assert due(alice) == [at(20)]
    choose(alice, quiet_from="12:00", quiet_until="14:00")
    assert due(alice) == [at(14)]
    choose(alice)
    assert due(alice) == [at(12, 1)]


def test_quiet_hours_move_with_their_reader(alice: User, bob: User, now: clock.FrozenClock) -> None:
    choose(alice, quiet_from="22:00", quiet_until="07:00")
    timed(alice, bob)
    assert due(alice) == [at(12, 1)]
    move_to(alice, "Asia/Vladivostok")  # 22:00 there
    assert due(alice) == [at(7, day=5, zone="Asia/Vladivostok")]


def test_what_was_put_off_by_quiet_hours_goes_out_when_there_are_none_any_more(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    timed(alice, bob)
    row = wishes.of(alice)
    row.quiet_from, row.quiet_until = 12 * 60, 20 * 60
    row.save()
    send(now)
    assert (mailoutbox, due(alice)) == ([], [at(20)])
    choose(alice)
    sender.send_due()
    assert addresses(mailoutbox) == ["alice@example.com"]


def test_a_way_that_is_added_or_switched_on_gets_what_waits_and_one_switched_off_does_not(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    choose(alice, delivery="daily", daily_hour=18, reminders=[])
    timed(alice, bob)
    hook = Webhook.objects.create(user=alice, dialect="json", url="https://example.com", added_at=clock.now())
    replan(alice)
    assert due(alice, channel="webhook") == [at(18)]
    assert Message.objects.get(channel="webhook").target == hook.pk
    hook.delete()
    choose(alice, **{f"{Topic.TURN}-{Channel.MAIL}": False})
    send(now, 7 * 3600)
    assert mailoutbox == []
    assert set(Message.objects.values_list("state", flat=True)) == {"dropped"}


def test_nothing_that_was_sent_is_sent_again_by_a_change_of_wishes(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    timed(alice, bob)
    send(now)
    for changes in ({"delivery": "daily"}, {"delivery": "immediate"}, {"quiet_from": "01:00", "quiet_until": "02:00"}):
        choose(alice, **changes)
        send(now, 3600)
    assert addresses(mailoutbox) == ["alice@example.com"]


def test_a_game_that_is_gathered_or_muted_takes_its_waiting_messages_along(
    alice: User, bob: User, charlie: User, now: clock.FrozenClock
) -> None:
    game, other = timed(alice, bob), timed(alice, charlie)
    client = Client()
    client.force_login(alice)
    for how, expected, remind in (("gathered", [at(12, 1), at(8, day=5)], 2), ("muted", [at(12, 1)], 1), ("", [], 2)):
        assert client.post(reverse("game-messages", args=[game]), {"how": how}).status_code == 302
        assert len(due(alice, kind="reminder")) == remind
        if how == "gathered":
            assert due(alice) == expected
    assert GamePreference.objects.count() == 1
    assert Message.objects.filter(game=other, kind="reminder").count() == 1


def test_a_pending_mail_is_in_the_language_that_its_reader_has_by_then(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    timed(alice, bob)
    client = Client()
    client.force_login(alice)
    client.post(reverse("set_language"), {"language": "ko", "next": "/"})
    send(now)
    assert "차례" in mailoutbox[0].subject


def test_an_unsure_mail_is_not_planned_anew(alice: User, bob: User, now: clock.FrozenClock) -> None:
    timed(alice, bob)
    Message.objects.filter(kind="turn").update(bundle="turn/1", last_error="gone")
    choose(alice, delivery="daily", daily_hour=18)
    assert due(alice) == [at(12, 1)]


def test_the_pause_between_two_messages_of_a_talk_is_kept(alice: User, bob: User, now: clock.FrozenClock) -> None:
    game = timed(alice, bob)
    later = clock.now_us() + HOUR
    params = {"first": 1, "last": 1}
    outbox.tell(alice, Kind.MESSAGE, "1", game=game, params=params, not_before=later)
    assert due(alice, kind="message") == [at(13)]
    choose(alice, delivery="daily", daily_hour=18)
    assert due(alice, kind="message") == [at(18)]
    choose(alice, delivery="immediate")
    assert due(alice, kind="message") == [at(13)]


# --- reminders --------------------------------------------------------------------------------------------------------


def test_reminders_follow_the_new_percents_quiet_hours_and_zone(alice: User, bob: User, now: clock.FrozenClock) -> None:
    timed(alice, bob)  # 10 % are left at 07:12 of the sixth
    assert due(alice, kind="reminder") == [at(7, 12, day=6)]
    choose(alice, reminders=[50, 25])
    assert due(alice, kind="reminder") == [at(12, day=5), at(0, day=6)]
    choose(alice, reminders=[10], quiet_from="06:00", quiet_until="08:00")
    assert due(alice, kind="reminder") == [at(5, 59, day=6)]
    move_to(alice, "Europe/Moscow")
    assert due(alice, kind="reminder") == [at(7, 12, day=6)]
    choose(alice, reminders=[])
    assert due(alice, kind="reminder") == []


def test_a_reminder_that_quiet_hours_brought_forward_is_not_sent_again_after_them(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    choose(alice, reminders=[10], quiet_from="01:00", quiet_until="08:00")
    game = timed(alice, bob)
    agreeing.give_time(bob, game, 60_000_000)
    send(now)
    now.us = clock.to_us(at(0, 59, day=6))
    sender.send_due()
    assert len(mailoutbox) == 2
    now.us = clock.to_us(at(1, 30, day=6))
    choose(alice, reminders=[10], quiet_from="01:00", quiet_until="07:30")
    assert due(alice, kind="reminder") == []
    move_to(alice, "Europe/London")
    Heartbeat.objects.update(at=clock.now_us())  # the site has been up
    learning.learn_all()
    assert Event.objects.filter(game=game, type="zone_changed").exists()
    assert due(alice, kind="reminder") == []


# --- quiet hours at the moment of sending -----------------------------------------------------------------------------


def test_what_an_outage_brought_into_quiet_hours_waits_until_they_are_over(
    alice: User, bob: User, now: clock.FrozenClock, sink: Sink
) -> None:
    choose(alice, quiet_from="22:00", quiet_until="07:00")
    timed(alice, bob)
    sink.refuse_data = "451 not now"
    for _ in range(33):
        send(now, 1200)
    sink.refuse_data = None
    while clock.now() < at(6, 59, day=5):
        send(now, 1200)
        assert sink.mails == [] or not at(22) <= clock.now() < at(7, day=5)
    now.us = clock.to_us(at(7, day=5))
    sender.send_due()
    assert [mail["To"] for mail in sink.mails] == ["alice@example.com"]


def test_a_reminder_of_the_night_that_comes_late_is_sent_in_the_morning_or_not_at_all(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    choose(alice, reminders=[10], quiet_from="08:00", quiet_until="11:00")
    timed(alice, bob)
    send(now)
    now.us = clock.to_us(at(9, day=6))
    sender.send_due()  # the sender was away since 07:12
    assert (len(mailoutbox), due(alice, kind="reminder")) == (1, [at(11, day=6)])
    now.us = clock.to_us(at(12, day=6))
    sender.send_due()
    assert len(mailoutbox) == 1, "the time is up by now"


def test_mails_about_the_account_keep_no_quiet_hours(alice: User, now: clock.FrozenClock, mailoutbox: Any) -> None:
    choose(alice, quiet_from="00:00", quiet_until="23:59")
    outbox.write_account_mail(
        "alice@example.com", user=alice, subject="s", text="t", html="<p>t", lasts=timedelta(days=1)
    )
    sender.send_due()
    assert len(mailoutbox) == 1
