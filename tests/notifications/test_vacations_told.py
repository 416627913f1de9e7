"""Vacations are told to opponents before they begin: truthfully, once, and not any more once they are off."""

from typing import Any

import pytest

from accounts import vacation
from accounts.models import User, Vacation
from config import clock
from games import learning, services, sweeping
from games.table.commands import Terms
from games.table.terms import DAY, HOUR
from notifications import sender, wishes
from notifications.models import InboxItem, Message, Webhook

CLOCK = {"kind": "move", "per_move": 2 * DAY}


@pytest.fixture(autouse=True)
def swept(db: None, now: clock.FrozenClock) -> None:
    """The site has been up to this moment."""
    sweeping.sweep()


def timed(first: User, second: User, terms: dict[str, Any] | None = CLOCK) -> str:
    done = services.open_game(first, Terms("conquian", opener_seat="first", clock=terms))
    return services.sit_down(second, done.table.id).table.id


def mailed_of_vacations(user: User, **fields: Any) -> None:
    row = wishes.of(user)
    row.switched = {"vacation/mail": True}
    for name, value in fields.items():
        setattr(row, name, value)
    row.save()


def send(now: clock.FrozenClock, **passes: float) -> None:
    now.advance(**(passes or {"seconds": 60}))
    sender.send_due()


def plan(user: User, days: float = 3, lasts: float = 4) -> Vacation:
    begins = clock.now_us() + round(days * DAY)
    return vacation.plan(user, begins, begins + round(lasts * DAY))


def kinds(user: User) -> list[str]:
    rows = InboxItem.objects.filter(user=user, kind__startswith="away").order_by("id")
    return list(rows.values_list("kind", flat=True))


def test_a_planned_vacation_is_told_to_opponents_when_it_is_planned(
    alice: User, bob: User, charlie: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    mailed_of_vacations(alice)
    timed(alice, bob)
    send(now)
    plan(bob)
    send(now)
    assert (kinds(alice), kinds(bob), kinds(charlie)) == (["away_soon"], [], [])
    mail = mailoutbox[-1]
    assert (mail.to, mail.subject) == (["alice@example.com"], "bob will be on vacation: Conquian")
    assert "bob will be on vacation from Sunday 7 March 2027, 12:01 (UTC) to Thursday 11 March 2027, 12:01 (UTC)." in (
        " ".join(mail.body.split())
    )
    assert "Meanwhile their clock in Conquian stands still." in mail.body


def test_a_plan_is_told_to_whoever_begins_a_game_before_it_and_to_nobody_before_a_game_begins(
    alice: User, bob: User, charlie: User, now: clock.FrozenClock
) -> None:
    plan(bob)
    services.open_game(charlie, Terms("conquian"))
    timed(alice, bob)
    timed(bob, charlie)
    services.open_game(bob, Terms("conquian"))
    services.open_game(bob, Terms("forty_thieves"))
    assert (kinds(alice), kinds(bob), kinds(charlie)) == (["away_soon"], [], ["away_soon"])


def test_two_plans_are_two_pieces_of_news_in_one_mail(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    mailed_of_vacations(alice)
    timed(alice, bob)
    send(now)
    mailoutbox.clear()
    plan(bob, days=3, lasts=1)
    plan(bob, days=10, lasts=1)
    send(now)
    assert [mail.body.count("bob will be on vacation from") for mail in mailoutbox] == [2]


def test_a_plan_that_is_called_off_before_it_was_mailed_is_not_mailed_at_all(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    mailed_of_vacations(alice)
    timed(alice, bob)
    send(now)
    mailoutbox.clear()
    vacation.call_off(bob, plan(bob).pk)
    send(now)
    assert mailoutbox == []
    assert kinds(alice) == ["away_soon", "away_off"]
    assert set(Message.objects.filter(kind__startswith="away").values_list("state", flat=True)) == {"dropped"}


def test_who_was_told_of_a_plan_is_told_that_it_is_off_by_the_same_ways(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    mailed_of_vacations(alice)
    timed(alice, bob)
    planned = plan(bob)
    send(now)
    mailoutbox.clear()
    hook = Webhook.objects.create(user=alice, dialect="json", url="https://example.com", added_at=clock.now())
    timed(alice, bob, None)
    vacation.call_off(bob, planned.pk)
    assert Message.objects.filter(kind="away_off", target=hook.pk).count() == 2
    Webhook.objects.all().delete()
    send(now)
    off = [mail for mail in mailoutbox if "called off the vacation" in mail.body]
    assert len(off) == 1
    assert off[0].body.count("bob has called off the vacation from Sunday 7 March 2027, 12:00 (UTC)") == 1


def test_a_plan_that_began_before_its_digest_is_told_as_the_vacation_that_it_is(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    mailed_of_vacations(alice, delivery="daily", daily_hour=8, reminders=[])
    timed(bob, alice)
    plan(bob, days=0.5)
    now.advance(hours=13)
    vacation.tell_due(clock.now_us())
    learning.learn_all()
    send(now, hours=8)
    assert [mail.subject for mail in mailoutbox if "vacation" in mail.subject] == ["bob is on vacation: Conquian"]


def test_an_announcement_that_is_held_past_the_beginning_is_dropped(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    mailed_of_vacations(alice)
    timed(bob, alice)
    send(now)
    mailoutbox.clear()
    plan(bob, days=1)
    now.advance(days=1)
    sender.send_due()  # before any sweep wrote down that it began
    assert [mail.subject for mail in mailoutbox if "vacation" in mail.subject] == []


def test_a_table_whose_clocks_run_on_says_so_and_one_without_clocks_says_nothing_of_them(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    mailed_of_vacations(alice)
    runs_on = {**CLOCK, "vacation": False}
    for terms, says in ((runs_on, "runs on"), (None, "")):
        game = timed(alice, bob, terms)
        send(now)
        mailoutbox.clear()
        begun = vacation.begin(bob, until=clock.now_us() + HOUR)
        learning.learn_all()
        send(now)
        vacation.end(bob)
        learning.learn_all()
        send(now)
        bodies = [mail.body for mail in mailoutbox if mail.to == ["alice@example.com"]]
        assert begun.begins_at < clock.now_us()
        assert all("stands still" not in body and "runs again" not in body for body in bodies)
        assert ("their clock" in "".join(bodies)) == bool(says)
        assert says in "".join(bodies)
        services.resign(alice, game)
        sender.send_due()
        send(now)


def test_a_plan_is_told_in_the_readers_language_and_zone(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    User.objects.filter(pk=alice.pk).update(language="ko", time_zone="Asia/Seoul")
    mailed_of_vacations(alice)
    timed(bob, alice)
    send(now)
    mailoutbox.clear()
    planned = plan(bob)
    send(now)
    vacation.call_off(bob, planned.pk)
    send(now)
    soon, off = mailoutbox
    assert "휴가" in soon.subject
    assert "21:01 (KST)" in soon.body
    assert "취소" in off.body


def test_a_vacation_is_announced_before_and_after_in_order(
    alice: User, bob: User, now: clock.FrozenClock, mailoutbox: Any
) -> None:
    mailed_of_vacations(alice)
    timed(bob, alice, {"kind": "move", "per_move": 14 * DAY})
    send(now)
    mailoutbox.clear()
    planned = plan(bob, days=2, lasts=1)
    send(now)
    for moment in (planned.begins_at, planned.ends_at):
        now.us = moment
        vacation.tell_due(clock.now_us())
        learning.learn_all()
        send(now, minutes=2)
    assert [mail.subject.partition(":")[0] for mail in mailoutbox if mail.to == ["alice@example.com"]] == [
        "bob will be on vacation", "bob is on vacation", "bob is back from vacation",
    ]  # fmt: skip
