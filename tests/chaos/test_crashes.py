"""A worker killed with −9 at any line loses no mail, and repeats one only where the mail server already had it."""

import pytest

from config import clock
from notifications import headers
from notifications.models import Message
from tests.chaos.conftest import Site, states, until
from tests.notifications import games


def news() -> str:
    """Something to tell, committed and hinted; the Message-ID of its mail."""
    game = games.start(games.person("ann"), games.person("ben"))
    return headers.message_id(Message.objects.get(game=game).key)


@pytest.mark.parametrize(("point", "already_there"), [("before", 0), ("after", 1)])
def test_what_a_dead_worker_held_is_sent_by_the_next_one_after_the_lease(
    site: Site, point: str, already_there: int
) -> None:
    dying = site.crashing_worker(point, "worker", beat=False)
    message_id = news()
    until(dying.is_dead, "the worker killed itself")
    row = Message.objects.get()
    assert row.token is not None
    assert (row.state, row.attempts) == ("waiting", 1)
    assert site.sink.message_ids == [message_id] * already_there

    site.worker(beat=True)
    site.wait_until_sent(1)
    assert row.lease_until is not None
    closed_at = Message.objects.get().closed_at
    assert closed_at is not None
    assert row.lease_until <= closed_at <= clock.now()
    assert site.sink.message_ids == [message_id] * (already_there + 1)


def test_a_worker_whose_sending_process_is_killed_sends_it_itself_after_the_lease(site: Site) -> None:
    worker = site.crashing_worker("before", "process", beat=True)
    message_id = news()
    site.wait_until_sent(1)
    assert not worker.is_dead()
    assert Message.objects.get().attempts == 2
    assert site.sink.message_ids == [message_id]
    assert states() == ["sent"]
