"""Backlogs and what is in their way: outages, addresses that bounce, mails that may have arrived, damaged games."""

import smtplib
from collections import Counter
from datetime import UTC, datetime
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from accounts import vacation
from accounts.models import User
from config import clock
from games import learning
from notifications import letters, render, sender, wording
from notifications.models import Bounce, Message
from notifications.truth import News
from notifications.wording import Said
from tests.notifications import games
from tests.notifications.smtp_sink import Sink
from tests.notifications.test_telling import kinds, prefer, send, stand_in, swept, timed

__all__ = ["swept"]


def test_after_an_outage_each_player_gets_one_current_message_and_never_the_history(
    alice: User, bob: User, now: clock.FrozenClock, sink: Sink, settings: Settings
) -> None:
    sink.stop()
    running = [games.start(alice, bob) for _ in range(3)]
    for game in running:
        for player in (alice, bob, alice):
            send(now)
            games.move(player, game)
    for _ in range(30):
        send(now, 1200)
    assert sink.mails == []
    with Sink() as again:
        settings.MAILERS["default"]["OPTIONS"] = again.options
        send(now, 21_600)
        assert [mail["To"] for mail in again.mails] == ["bob@example.com"]
        assert again.mails[0]["Subject"] == "3 games wait for you"


def test_a_game_that_can_not_be_told_of_holds_up_no_other(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    damaged, fine = games.start(alice, bob), games.start(alice, bob)
    real = wording.say

    def say(news: News) -> Said:
        if news.game == damaged:
            raise ValueError("damaged")
        return real(news)

    def turn(*args: Any) -> Any:
        if args[1] == damaged:
            raise ValueError("damaged")
        return real_turn(*args)

    real_turn = render.turn
    monkeypatch.setattr(letters, "say", say)
    monkeypatch.setattr(render, "turn", turn)
    send(now)
    assert mailoutbox == []
    for _ in range(3):
        send(now, 400)
    assert [mail.subject for mail in mailoutbox] == ["Your turn: Ariadne's Thread against bob"]
    assert fine in mailoutbox[0].body
    assert (games.states(damaged), games.states(fine)) == (["waiting"], ["sent"])


def test_news_of_the_past_keeps_to_the_hour_of_the_digest(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    prefer(alice, delivery="daily", daily_hour=8, reminders=[], switched={"vacation/mail": True})
    timed(bob, alice)
    vacation.begin(bob)  # known to the game only the next morning, after the hour
    stand_in(now, 21 * 3600)
    learning.learn_all()
    assert Message.objects.get(user=alice, kind="away").due_at == datetime(2027, 3, 6, 8, tzinfo=UTC)


def test_an_address_that_refuses_for_good_is_noted_and_mails_go_there_no_more(
    alice: User, bob: User, now: clock.FrozenClock, sink: Sink
) -> None:
    sink.refuse_recipient = "550 no such user"
    games.start(alice, bob)
    send(now)
    assert Bounce.objects.get().address == "alice@example.com"
    sink.refuse_recipient = None
    game = games.start(alice, bob)
    send(now)
    assert sink.mails == []
    assert games.states(game) == []
    assert kinds(alice) == ["turn", "turn"]
    Bounce.objects.all().delete()
    games.start(alice, bob)
    send(now)
    assert len(sink.mails) == 1


def test_a_content_that_is_refused_makes_no_bounce(alice: User, bob: User, now: clock.FrozenClock, sink: Sink) -> None:
    sink.refuse_data = "554 spam"
    games.start(alice, bob)
    send(now)
    assert not Bounce.objects.exists()


def test_a_mail_that_may_have_gone_out_is_sent_again_as_it_was(
    alice: User, bob: User, now: clock.FrozenClock, sink: Sink, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    """A provider that knows the Message-ID then sends it once: so nothing else may go out under that id."""
    games.start(alice, bob)
    now.advance(seconds=60)
    real = smtplib.SMTP.getreply
    calls = []

    def lost(smtp: smtplib.SMTP) -> Any:
        answer = real(smtp)
        calls.append(answer)
        if len(sink.mails) == 1 and len(calls) < 20:
            raise smtplib.SMTPServerDisconnected("gone")
        return answer

    monkeypatch.setattr(smtplib.SMTP, "getreply", lost)
    sender.send_due()
    monkeypatch.setattr(smtplib.SMTP, "getreply", real)
    assert [row.state for row in Message.objects.all()] == ["waiting"]
    second = games.start(alice, bob)
    send(now, 100)
    assert sorted(Counter(sink.message_ids).values()) == [1, 2]
    assert sink.message_ids[0] == max(sink.message_ids, key=sink.message_ids.count)
    assert games.states(second) == ["sent"]
