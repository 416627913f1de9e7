"""Sending what is due: once, only what is still true, and again later where it fails."""

import uuid
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, ClassVar

import pytest
from django.core.mail import EmailMessage
from pytest_django.fixtures import Settings

from accounts.models import User
from config import clock
from games import services
from games.store import thread
from games.table.events import EVENT_TYPES, Event
from notifications import headers, render, sender, tasks
from notifications.channels.mail import Post
from notifications.models import Message
from tests.notifications import games
from tests.notifications.smtp_sink import Sink

# --- what is due ------------------------------------------------------------------------------------------------------


def test_nothing_is_sent_before_it_is_due(alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any) -> None:
    game = games.start(alice, bob)
    now.advance(seconds=59)
    assert sender.send_due() == 0
    now.advance(seconds=1)
    assert sender.send_due() == 1
    assert [mail.to for mail in mailoutbox] == [["alice@example.com"]]
    assert games.states(game) == ["sent"]


def test_what_is_sent_is_closed_and_never_sent_again(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    game = games.start(alice, bob)
    now.advance(seconds=60)
    assert [sender.send_due(), sender.send_due()] == [1, 0]
    assert len(mailoutbox) == 1
    row = Message.objects.get(game=game)
    assert (row.token, row.lease_until, row.attempts, row.closed_at) == (None, None, 1, clock.now())


def test_a_rapid_exchange_within_the_quiet_spell_mails_none_of_its_steps(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    game = games.start(alice, bob)
    for player in (alice, bob, alice):
        now.advance(seconds=20)
        sender.send_due()
        games.move(player, game)
    now.advance(seconds=60)
    sender.send_due()
    assert [mail.to for mail in mailoutbox] == [["bob@example.com"]]
    assert games.states(game) == ["dropped", "dropped", "dropped", "sent"]


def test_a_game_that_ended_in_the_quiet_spell_mails_its_end_alone(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    game = games.start(alice, bob)
    services.resign(bob, game)
    now.advance(seconds=60)
    sender.send_due()
    assert [mail.subject for mail in mailoutbox] == ["Game over: Ariadne's Thread with bob"]
    assert games.states(game) == ["dropped", "sent"]


@dataclass(frozen=True, slots=True)
class DrawOffered(Event):
    """An event of a later kind, which changes neither the table nor who is awaited."""

    type: ClassVar[str] = "test_draw_offered"
    seat: int


def test_an_event_in_between_that_leaves_them_awaited_does_not_silence_the_mail(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(EVENT_TYPES, DrawOffered.type, DrawOffered)
    game = games.start(alice, bob)
    loaded = thread.load(game)
    after = thread.append(loaded, [DrawOffered(1)], game_id=game, at=clock.now_us(), command=None)
    assert after.version == loaded.table.version + 1
    now.advance(seconds=60)
    sender.send_due()
    assert [mail.to for mail in mailoutbox] == [["alice@example.com"]]


def test_who_can_not_or_may_not_be_mailed_any_more_is_not(
    alice: User, bob: User, charlie: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    nowhere, gone = games.start(alice, bob), games.start(charlie, bob)
    User.objects.filter(pk=alice.pk).update(email=None)
    User.objects.filter(pk=charlie.pk).update(is_active=False)
    now.advance(seconds=60)
    sender.send_due()
    assert mailoutbox == []
    assert games.states(nowhere) == games.states(gone) == ["dropped"]


def test_the_oldest_goes_first_and_a_backlog_of_several_looks_is_sent_whole(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "BATCH", 2)
    begun = []
    for number in range(5):
        begun.append(games.start(games.person(f"reader-{number}"), bob))
        now.advance(seconds=1)
    now.advance(seconds=60)
    assert sender.send_due(limit=3) == 3
    assert [games.states(game) for game in begun] == [["sent"]] * 3 + [["waiting"]] * 2
    assert sender.send_due() == 2
    assert len(mailoutbox) == 5


@pytest.mark.parametrize("task", [tasks.send_due, tasks.sweep])
def test_hint_and_sweep_both_send_what_is_due(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any, task: Any
) -> None:
    games.start(alice, bob)
    now.advance(seconds=60)
    task()
    assert len(mailoutbox) == 1


def test_the_schedule_names_the_sweep(settings: Settings) -> None:
    scheduled = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert tasks.sweep.name in scheduled


# --- claims -----------------------------------------------------------------------------------------------------------


def due_row(alice: User, bob: User, now: clock.FrozenClock) -> int:
    """A message that is due now; its id."""
    game = games.start(alice, bob)
    now.advance(seconds=60)
    return Message.objects.get(game=game).pk


def claimed(pk: int) -> sender.Claim:
    claim = sender.claim_message(pk)
    assert claim is not None
    return claim


def test_a_claimed_row_is_nobody_elses_until_its_lease_is_over(alice: User, bob: User, now: clock.FrozenClock) -> None:
    pk = due_row(alice, bob, now)
    first = claimed(pk)
    assert first.message.lease_until == clock.now() + timedelta(seconds=30)
    now.advance(seconds=29)
    assert sender.claim_message(pk) is None
    assert sender.due_ids(10) == []
    now.advance(seconds=1)
    assert sender.due_ids(10) == [pk]
    second = claimed(pk)
    assert second.token != first.token
    assert second.message.attempts == 2


def test_a_row_that_is_not_due_or_closed_can_not_be_claimed(alice: User, bob: User, now: clock.FrozenClock) -> None:
    game = games.start(alice, bob)
    pk = Message.objects.get(game=game).pk
    assert sender.claim_message(pk) is None
    now.advance(seconds=60)
    sender.deliver(claimed(pk))
    assert sender.claim_message(pk) is None


def test_a_sender_whose_row_was_taken_over_can_not_close_it(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    pk = due_row(alice, bob, now)
    late = claimed(pk)
    now.advance(seconds=30)
    holder = claimed(pk)
    sender.deliver(late)
    row = Message.objects.get(pk=pk)
    assert (row.state, row.token, row.closed_at) == ("waiting", holder.token, None)
    sender.deliver(holder)
    assert Message.objects.get(pk=pk).state == "sent"


def test_a_sender_whose_row_was_taken_over_can_not_put_it_back(
    alice: User, bob: User, now: clock.FrozenClock, sink: Sink
) -> None:
    pk = due_row(alice, bob, now)
    late = claimed(pk)
    now.advance(seconds=30)
    holder = claimed(pk)
    for answer in ("451 later", "550 never"):
        sink.refuse_recipient = answer
        sender.deliver(late)
        row = Message.objects.get(pk=pk)
        assert (row.state, row.token, row.last_error) == ("waiting", holder.token, "")


def test_a_forged_token_closes_nothing(alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any) -> None:
    pk = due_row(alice, bob, now)
    claim = claimed(pk)
    sender.deliver(replace(claim, token=uuid.uuid4()))
    assert Message.objects.get(pk=pk).token == claim.token


def test_a_sender_holds_only_the_row_that_it_is_sending(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        games.start(games.person(f"reader-{number}"), bob)
    now.advance(seconds=60)
    held = []
    send = Post.send

    def slow_send(post: Post, mail: EmailMessage) -> None:
        held.append(Message.objects.filter(token__isnull=False).count())
        now.advance(seconds=29)  # three of these outlast a lease
        send(post, mail)

    monkeypatch.setattr(Post, "send", slow_send)
    sender.send_due()
    assert held == [1, 1, 1]
    assert list(Message.objects.values_list("attempts", flat=True)) == [1, 1, 1]


# --- failures ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["recipient", "data"])
def test_a_temporary_refusal_puts_the_row_back_with_growing_waits(
    alice: User, bob: User, now: clock.FrozenClock, sink: Sink, where: str
) -> None:
    pk = due_row(alice, bob, now)
    setattr(sink, f"refuse_{where}", "451 try again later")
    waits = []
    for _ in range(5):
        assert sender.send_due() == 1
        row = Message.objects.get(pk=pk)
        assert (row.state, row.token, row.lease_until) == ("waiting", None, None)
        assert "451" in row.last_error
        waits.append((row.due_at - clock.now()).total_seconds())
        now.us = clock.to_us(row.due_at)
    assert waits == [100, 200, 400, 400, 400]
    setattr(sink, f"refuse_{where}", None)
    sender.send_due()
    row = Message.objects.get(pk=pk)
    assert (row.state, row.attempts, row.last_error) == ("sent", 6, "")
    assert sink.message_ids == [headers.message_id(row.key)]


@pytest.mark.parametrize("where", ["recipient", "data"])
def test_a_permanent_refusal_fails_the_row_with_the_reason(
    alice: User, bob: User, now: clock.FrozenClock, sink: Sink, where: str
) -> None:
    pk = due_row(alice, bob, now)
    setattr(sink, f"refuse_{where}", "550 no such user")
    sender.send_due()
    row = Message.objects.get(pk=pk)
    assert (row.state, row.closed_at, row.token) == ("failed", clock.now(), None)
    assert "no such user" in row.last_error
    now.advance(days=1)
    assert sender.send_due() == 0


def test_a_mail_server_that_is_gone_delays_and_loses_nothing(
    alice: User, bob: User, now: clock.FrozenClock, sink: Sink, settings: Settings
) -> None:
    pk = due_row(alice, bob, now)
    sink.stop()
    sender.send_due()
    row = Message.objects.get(pk=pk)
    assert row.state == "waiting"
    assert row.last_error
    with Sink() as again:
        settings.MAILERS["default"]["OPTIONS"] = again.options
        now.advance(seconds=100)
        sender.send_due()
        assert again.message_ids == [headers.message_id(row.key)]


def test_a_message_that_can_not_be_made_holds_up_no_other(
    alice: User, bob: User, charlie: User, now: clock.FrozenClock, mailoutbox: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, good = games.start(alice, bob), games.start(charlie, bob)
    turn = render.turn

    def fragile(user: User, *args: Any) -> Any:
        if user == alice:
            raise RuntimeError("no words for this")
        return turn(user, *args)

    monkeypatch.setattr(render, "turn", fragile)
    now.advance(seconds=60)
    sender.send_due()
    assert (games.states(broken), games.states(good)) == (["waiting"], ["sent"])
    assert "no words for this" in Message.objects.get(game=broken).last_error


# --- the mail ---------------------------------------------------------------------------------------------------------


def test_the_message_id_is_the_keys_own_and_always_the_same(settings: Settings) -> None:
    settings.CLEW_MAIL_DOMAIN = "clew.example"
    mine, other = headers.message_id("turn/1/2/3/mail"), headers.message_id("turn/1/2/4/mail")
    assert mine == headers.message_id("turn/1/2/3/mail") != other
    assert mine.startswith("<")
    assert mine.endswith("@clew.example>")


def test_the_mail_says_that_a_machine_wrote_it_and_where_the_table_is(
    alice: User, bob: User, now: clock.FrozenClock, sink: Sink, settings: Settings
) -> None:
    settings.CLEW_SITE_URL = "https://clew.example"
    pk = due_row(alice, bob, now)
    sender.send_due()
    row = Message.objects.get(pk=pk)
    (mail,) = sink.mails
    assert mail["To"] == "alice@example.com"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert "bob" in mail["Subject"]
    body = mail.get_body(("plain",))
    assert body is not None
    assert f"https://clew.example/games/{row.game}/" in body.get_content()


@pytest.mark.parametrize("ending", ["\r\n", "\n", "\r", "\u2028"])
def test_a_name_can_not_add_a_header(alice: User, now: clock.FrozenClock, sink: Sink, ending: str) -> None:
    mallory = games.person("mallory")
    User.objects.filter(pk=mallory.pk).update(name=f"m{ending}Bcc: x@y.org")
    due_row(alice, mallory, now)
    sender.send_due()
    (mail,) = sink.mails
    assert mail["Bcc"] is None
    assert "Bcc: x@y.org" in mail["Subject"]
