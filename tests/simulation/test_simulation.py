"""A small run of ``manage.py simulate``, and that its check finds what is wrong."""

from datetime import timedelta

import pytest

from games.simulation.check import faults
from games.simulation.world import Plan, simulate
from games.store.models import Seat
from notifications import wishes
from notifications.models import Message

SMALL = Plan(
    players=5, games=6, days=4, step_minutes=60,
    mail_down=(20.0, 30.0), redis_down=(36.0, 38.0), site_down=(45.0, 75.0),
)  # fmt: skip


@pytest.mark.django_db
def test_people_are_told_what_is_true_in_time_and_once_and_no_clock_is_wrong() -> None:
    run = simulate(SMALL)
    assert list(faults(run)) == []
    told = Message.objects.filter(state="sent", kind="turn").order_by("pk")
    assert told.count() > 3

    # The check can find what is wrong.
    run.mails.append(run.mails[0])
    assert any("was mailed 2 times" in fault for fault in faults(run))
    run.mails.pop()
    first = told[0]
    assert first.closed_at is not None
    Message.objects.filter(pk=first.pk).update(closed_at=first.closed_at - timedelta(days=100))
    assert any("when it was not so" in fault for fault in faults(run))
    Message.objects.filter(pk=first.pk).update(closed_at=first.closed_at)
    assert first.user is not None
    preferences = wishes.of(first.user)
    preferences.quiet_from, preferences.quiet_until = 0, 24 * 60 - 1
    preferences.save()
    assert any("was sent in quiet hours" in fault for fault in faults(run))
    everybody = set(Seat.objects.values_list("user", flat=True))
    told.filter(user__in=everybody).update(state="dropped")
    assert any("was never told" in fault for fault in faults(run))
