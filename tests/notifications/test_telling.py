"""What is told of each thing that happens, to whom, when, and what not any more."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from accounts import vacation
from accounts.models import User
from config import clock
from games import agreeing, learning, outages, services, sweeping
from games.table.commands import Terms
from games.table.terms import DAY, HOUR
from notifications import outbox, presence, sender, wishes
from notifications.kinds import TOPIC_OF
from notifications.models import GamePreference, InboxItem, LastVisit, Message, Presence
from tests.notifications import games

CLOCK = {"kind": "move", "per_move": 2 * DAY}


@pytest.fixture(autouse=True)
def swept(db: None, now: clock.FrozenClock) -> None:
    """The site has been up to this moment."""
    sweeping.sweep()


def timed(first: User, second: User, terms: dict[str, Any] | None = None) -> str:
    """A running game with a clock, in which ``first`` is to move."""
    done = services.open_game(first, Terms("ariadne", opener_seat="first", clock=terms or CLOCK))
    return services.sit_down(second, done.table.id).table.id


def sent(mailoutbox: Sequence[Any]) -> list[tuple[str, str]]:
    """To whom, and which subject."""
    return [(mail.to[0].partition("@")[0], mail.subject) for mail in mailoutbox]


def send(now: clock.FrozenClock, seconds: float = 60) -> None:
    now.advance(seconds=seconds)
    sender.send_due()


def prefer(user: User, **fields: Any) -> None:
    row = wishes.of(user)
    for name, value in fields.items():
        setattr(row, name, value)
    row.save()


def kinds(user: User) -> list[str]:
    return list(InboxItem.objects.filter(user=user).order_by("id").values_list("kind", flat=True))


def stand_in(now: clock.FrozenClock, seconds: float) -> None:
    """Time in which the site was up."""
    while seconds > 0:
        now.advance(seconds=min(seconds, 250))
        seconds -= 250
        outages.beat(clock.now_us())


# --- kinds ------------------------------------------------------------------------------------------------------------


def test_who_is_invited_by_name_is_told_and_no_more_once_the_table_is_full(
    alice: User, bob: User, charlie: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    services.open_game(alice, Terms("ariadne", admits="invited"), invite=[bob])
    both = services.open_game(alice, Terms("kathmandu", admits="invited"), invite=[bob, charlie]).table.id
    services.sit_down(bob, both)
    send(now)
    told = sent(mailoutbox)
    assert ("bob", "alice challenges you to Ariadne's Thread") in told
    assert not any(name == "charlie" for name, _ in told)
    assert kinds(charlie) == ["invited"]


def test_the_opener_who_does_not_move_first_is_told_that_the_game_began(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    games.start(alice, bob, opener_seat="second")
    send(now)
    assert sent(mailoutbox) == [("alice", "The game has begun: Ariadne's Thread with bob")]


def test_an_end_by_the_clock_is_told_to_both_and_nobody_else(
    alice: User, bob: User, charlie: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    game = timed(alice, bob)
    games.move(alice, game)
    games.move(bob, game)
    stand_in(now, 2 * 86_400 + 60)
    sender.send_due()
    mailoutbox.clear()
    sweeping.sweep()
    send(now)
    told = {mail.to[0]: mail for mail in mailoutbox}
    assert {name: mail.subject for name, mail in told.items()} == {
        "alice@example.com": "Game over: Ariadne's Thread with bob",
        "bob@example.com": "Game over: Ariadne's Thread with alice",
    }
    assert len(mailoutbox) == 2
    assert "alice ran out of time. You won." in told["bob@example.com"].body


@pytest.mark.parametrize(
    ("language", "off", "lapsed"),
    [
        ("en", "alice called the game off", "alice ran out of time before both"),
        ("ko", "alice님이 게임을 취소", "alice님의 시간이"),
    ],
)
def test_who_called_a_game_off_or_let_its_time_pass_is_named_in_the_mail(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any, language: str, off: str, lapsed: str
) -> None:
    User.objects.update(language=language)
    called_off = timed(alice, bob)
    timed(alice, bob)
    stand_in(now, 60)
    sender.send_due()
    agreeing.abort(alice, called_off)
    stand_in(now, 60)
    sender.send_due()
    assert [name for name, _ in sent(mailoutbox)[1:]] == ["bob"]
    assert off in mailoutbox[-1].body
    stand_in(now, 2 * 86_400 + 60)
    mailoutbox.clear()
    sweeping.sweep()
    send(now)
    assert [lapsed in mail.body for mail in mailoutbox if mail.to == ["bob@example.com"]] == [True]


@pytest.mark.parametrize(("ask", "kind"), [(agreeing.offer_draw, "draw_offered"), (agreeing.ask_pause, "pause_asked")])
def test_what_is_asked_is_told_to_the_other_until_it_is_void(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any, ask: Any, kind: str
) -> None:
    game = timed(alice, bob)
    send(now)
    ask(bob, game)
    send(now)
    assert kinds(alice)[-1] == kind
    assert len(mailoutbox) == 2
    games.move(alice, game)
    ask(alice, game)
    games.move(bob, game)
    send(now)
    assert [name for name, _ in sent(mailoutbox)[2:]] == ["alice"], "what bob was asked is void"


def test_pauses_gifts_and_vacations_reach_the_inbox_and_who_wants_them_by_mail(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    prefer(alice, switched={"clock/mail": True, "vacation/mail": True})
    game = timed(alice, bob)
    send(now)
    agreeing.give_time(bob, game, 3 * HOUR)
    send(now)
    agreeing.ask_pause(alice, game)
    agreeing.answer_pause(bob, game, granted=True)
    send(now)
    agreeing.resume(bob, game)
    send(now)
    vacation.begin(bob)
    learning.learn_all()
    send(now)
    vacation.end(bob)
    learning.learn_all()
    send(now)
    assert kinds(alice) == ["turn", "extended", "paused", "resumed", "away", "back"]
    subjects = [subject.partition(":")[0] for name, subject in sent(mailoutbox) if name == "alice"]
    assert subjects == [
        "Your turn", "You were given time", "The clocks are paused", "The clocks run again", "bob is on vacation",
        "bob is back from vacation",
    ]  # fmt: skip
    assert "3 hours" in mailoutbox[1].body


def test_that_the_clocks_run_again_is_told_though_another_pause_was_declined(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    prefer(alice, switched={"clock/mail": True, "asked/mail": False})
    game = timed(alice, bob)
    agreeing.ask_pause(alice, game)
    agreeing.answer_pause(bob, game, granted=True)
    send(now)
    agreeing.resume(bob, game)
    agreeing.ask_pause(bob, game)
    agreeing.answer_pause(alice, game, granted=False)
    send(now)
    assert "The clocks run again" in mailoutbox[-1].subject


def test_a_vacation_that_ends_tomorrow_is_told_once(alice: User, now: clock.FrozenClock) -> None:
    vacation.begin(alice, until=clock.now_us() + 3 * DAY)
    for _ in range(3):
        outbox.announce_vacation_ends(clock.now_us())
    assert kinds(alice) == []
    stand_in(now, 2 * 86_400 + 1)
    for _ in range(3):
        outbox.announce_vacation_ends(clock.now_us())
    assert kinds(alice) == ["away_ends"]


def test_the_owner_of_a_table_that_nobody_joins_has_a_word_before_it_goes(
    alice: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    services.open_game(alice, Terms("ariadne"))
    now.advance(days=28)
    sweeping.expire_open(clock.now_us())
    sweeping.expire_open(clock.now_us())
    send(now)
    now.advance(days=3)
    sweeping.expire_open(clock.now_us())
    send(now)
    assert [subject.partition(":")[0] for _, subject in sent(mailoutbox)] == ["Nobody has come yet", "Nobody came"]


# --- reminders --------------------------------------------------------------------------------------------------------


def reminders() -> list[tuple[str, timedelta]]:
    rows = Message.objects.filter(kind="reminder", state="waiting").order_by("due_at").select_related("user")
    return [(row.user.name, row.due_at - clock.now()) for row in rows if row.user]


def test_reminders_come_at_the_chosen_parts_of_the_time_and_a_move_deletes_them(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    prefer(alice, reminders=[50, 10])
    game = timed(alice, bob)
    assert reminders() == [("alice", timedelta(days=1)), ("alice", timedelta(hours=43.2))]
    send(now, 86_400)
    assert [subject.partition(":")[0] for _, subject in sent(mailoutbox)] == [
        "Your turn",
        "Your time is running out",
    ] or len(mailoutbox) == 1
    games.move(alice, game)
    assert [name for name, _ in reminders()] == ["bob"]


def test_an_extension_puts_reminders_off_and_a_pause_deletes_them(
    alice: User, bob: User, now: clock.FrozenClock
) -> None:
    game = timed(alice, bob)
    agreeing.give_time(bob, game, DAY)
    assert reminders() == [("alice", timedelta(hours=64.8))]
    agreeing.ask_pause(alice, game)
    agreeing.answer_pause(bob, game, granted=True)
    assert reminders() == []
    agreeing.resume(bob, game)
    assert reminders() == [("alice", timedelta(hours=64.8))]


def test_a_reminder_of_the_night_comes_before_it(alice: User, bob: User, now: clock.FrozenClock) -> None:
    prefer(alice, quiet_from=0, quiet_until=9 * 60)
    timed(alice, bob)  # from noon: 10 % are left at 07:12
    assert reminders() == [("alice", timedelta(hours=35, minutes=59))]


def test_a_reminder_names_the_deadline_that_the_clock_has(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    timed(alice, bob)
    send(now)
    send(now, 44 * 3600)
    assert sent(mailoutbox)[-1][1] == "Your time is running out: Ariadne's Thread against bob"
    assert "Move by Saturday 6 March 2027, 12:00 (UTC)." in mailoutbox[-1].body


# --- when -------------------------------------------------------------------------------------------------------------


def test_quiet_hours_hold_a_turn_back_until_the_morning(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    User.objects.filter(pk=alice.pk).update(time_zone="Asia/Seoul")  # 21:00 there
    prefer(alice, quiet_from=20 * 60, quiet_until=7 * 60)
    games.start(User.objects.get(pk=alice.pk), bob)
    send(now, 3600)
    assert mailoutbox == []
    now.us = clock.to_us(datetime(2027, 3, 5, 7, 0, tzinfo=ZoneInfo("Asia/Seoul")))
    sender.send_due()
    assert len(mailoutbox) == 1


def test_a_digest_gathers_games_with_the_soonest_deadline_first(
    alice: User, bob: User, charlie: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    prefer(alice, delivery="daily", daily_hour=18, reminders=[])
    timed(alice, bob, {"kind": "move", "per_move": 3 * DAY})
    timed(alice, charlie, {"kind": "move", "per_move": DAY})
    send(now, 5 * 3600)
    assert mailoutbox == []
    send(now, 3600)
    assert sent(mailoutbox) == [("alice", "2 games wait for you")]
    assert mailoutbox[0].body.index("against charlie") < mailoutbox[0].body.index("against bob")
    prefer(alice, delivery="every", every_hours=4)
    timed(alice, bob)
    row = Message.objects.filter(user=alice).latest("id")
    assert row.due_at == datetime(2027, 3, 4, 20, 0, tzinfo=timezone.get_default_timezone())


def test_once_until_i_come_back_is_one_mail_until_a_visit(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    prefer(alice, delivery="once")
    for _ in range(3):
        games.start(alice, bob)
        send(now, 600)
    assert len(mailoutbox) == 1
    presence.note(alice, "table-state", None)
    games.start(alice, bob)
    send(now, 600)
    assert len(mailoutbox) == 1, "a page that renews itself is no visit"
    presence.note(alice, "home", None)
    assert LastVisit.objects.get(user=alice).at == clock.now()
    now.advance(seconds=1)
    games.start(alice, bob)
    send(now, 600)
    assert len(mailoutbox) == 2


def test_several_games_that_come_due_in_one_spell_make_one_mail(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    games.start(alice, bob)
    now.advance(seconds=40)
    games.start(alice, bob)
    now.advance(seconds=20)
    sender.send_due()
    assert mailoutbox == []
    send(now, 40)
    assert sent(mailoutbox) == [("alice", "2 games wait for you")]
    assert len(re.findall("^Your turn: ", mailoutbox[0].body, re.MULTILINE)) == 2
    assert {row.state for row in Message.objects.all()} == {"sent"}


def test_presence_delays_and_a_forgotten_tab_swallows_nothing(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    game = games.start(alice, bob)
    waited = 0
    while not mailoutbox and waited < 3600:
        now.advance(seconds=20)
        waited += 20
        Presence.objects.update_or_create(user=alice, game=game, defaults={"at": clock.now()})
        sender.send_due()
    assert 900 <= waited <= 1100
    assert len(mailoutbox) == 1


def test_who_left_the_table_is_told_after_the_next_spell(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    game = games.start(alice, bob)
    now.advance(seconds=50)
    Presence.objects.create(user=alice, game=game, at=clock.now())
    send(now, 10)
    assert mailoutbox == []
    send(now)
    assert len(mailoutbox) == 1


# --- wishes -----------------------------------------------------------------------------------------------------------


def test_a_muted_game_tells_the_inbox_alone_and_a_gathered_one_the_morning(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    muted, gathered = (services.open_game(alice, Terms("ariadne", opener_seat="first")).table.id for _ in range(2))
    wishes.of(alice)
    GamePreference.objects.create(user=alice, game=muted, muted=True)
    GamePreference.objects.create(user=alice, game=gathered, gathered=True)
    for game in (muted, gathered):
        services.sit_down(bob, game)
    assert kinds(alice) == ["turn", "turn"]
    (row,) = Message.objects.filter(user=alice)
    assert str(row.game) == gathered
    assert row.due_at == datetime(2027, 3, 5, 8, 0, tzinfo=timezone.get_default_timezone())


@pytest.mark.parametrize("topic", ["ended", "tables", "asked", "began"])
def test_each_topic_can_be_switched_off_for_mail(alice: User, topic: str) -> None:
    wishes.switch(alice, topic, "mail", on=False)
    alice = User.objects.get(pk=alice.pk)
    theirs = wishes.wishes_of([alice])[alice.pk]
    for kind, of in TOPIC_OF.items():
        assert theirs.wants(kind, "push")
        if of == topic:
            assert not theirs.wants(kind, "mail")


def test_what_was_switched_off_since_is_not_sent(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    game = games.start(alice, bob)
    services.resign(bob, game)
    wishes.switch(alice, "ended", "mail", on=False)
    send(now)
    assert mailoutbox == []
