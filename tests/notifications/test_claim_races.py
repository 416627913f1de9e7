"""Of two senders that want the same message, exactly one gets it: with real commits."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from datetime import datetime
from threading import Barrier, Lock

import pytest
from django.db import connections

from config import clock
from notifications import sender
from notifications.models import Message, MessageQuerySet
from tests.notifications import games

SENDERS = 4


def at_once[T](work: Callable[[], T]) -> list[T]:
    """What each of several threads with connections of their own gets, all set off together."""
    ready = Barrier(SENDERS)

    def run() -> T:
        try:
            ready.wait(20)
            return work()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(SENDERS) as pool:
        return [future.result(60) for future in [pool.submit(run) for _ in range(SENDERS)]]


@pytest.fixture
def due_row(real_database: dict[str, str], now: clock.FrozenClock) -> int:
    """A committed message that is due now; its id."""
    game = games.start(games.person("ann"), games.person("ben"))
    now.advance(seconds=60)
    return Message.objects.get(game=game).pk


def claims_of(message_id: int, *, in_turn: bool = False) -> list[sender.Claim]:
    """What the senders got, each of which saw the message unclaimed; ``in_turn``: one after the other from there on."""
    everybody_saw_it = Barrier(SENDERS)
    turn = Lock() if in_turn else nullcontext()

    def claim() -> sender.Claim | None:
        assert sender.due_ids(1) == [message_id]
        everybody_saw_it.wait(20)
        with turn:
            return sender.claim_message(message_id)

    return [got for got in at_once(claim) if got is not None]


def test_exactly_one_sender_gets_a_due_message(due_row: int) -> None:
    (claim,) = claims_of(due_row)
    row = Message.objects.get(pk=due_row)
    assert (row.token, row.attempts) == (claim.token, 1)


def test_without_the_condition_of_the_update_several_would(due_row: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The negative control: the race is real, and it is the condition that settles it."""

    class Careless(MessageQuerySet):
        def due(self, now: datetime) -> "Careless":
            return self.all()

    monkeypatch.setattr(MessageQuerySet, "due", Careless.due)
    # In turn, so that nobody is saved by reading another's token in the row that they had just taken.
    assert len(claims_of(due_row, in_turn=True)) == SENDERS


def test_an_expired_lease_is_taken_over_by_exactly_one(due_row: int, now: clock.FrozenClock) -> None:
    assert sender.claim_message(due_row) is not None
    now.advance(seconds=30)
    (claim,) = claims_of(due_row)
    assert claim.message.attempts == 2


def test_senders_that_work_at_once_send_each_message_once(
    real_database: dict[str, str], now: clock.FrozenClock, mailoutbox: list[object]
) -> None:
    ben = games.person("ben")
    for number in range(6):
        games.start(games.person(f"reader-{number}"), ben)
    now.advance(seconds=60)
    assert sum(at_once(sender.send_due)) == 6
    assert len(mailoutbox) == 6
    assert set(Message.objects.values_list("state", "attempts")) == {("sent", 1)}
