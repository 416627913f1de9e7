"""Rows are written with the news, once, and due after the quiet spell."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from pytest_django.fixtures import Settings

from accounts.models import User
from config import clock, hints
from games import services
from games.store.models import Event, Head
from games.store.thread import load
from games.table.commands import Refused, Terms
from notifications import outbox, tasks
from notifications.models import Message
from tests.notifications import games


def test_the_awaited_player_gets_one_row_whose_key_names_the_news(alice: User, bob: User) -> None:
    game = games.start(alice, bob)
    row = Message.objects.get(game=game)
    assert row.user == alice
    assert row.state == Message.State.WAITING
    assert row.version == load(game).table.awaited_since
    assert row.key == f"turn/{game}/{row.version}/{alice.pk}/mail"


def test_a_row_is_due_when_the_quiet_spell_after_its_event_is_over(
    alice: User, bob: User, now: clock.FrozenClock, settings: Settings
) -> None:
    settings.CLEW_QUIET_SPELL = 90.0
    begun = clock.now()
    game = games.start(alice, bob)
    assert Message.objects.get(game=game).due_at == begun + timedelta(seconds=90)


def test_each_move_tells_the_other_player(alice: User, bob: User) -> None:
    game = games.start(alice, bob)
    games.move(alice, game)
    games.move(bob, game)
    told = Message.objects.filter(game=game).order_by("version").values_list("user__name", flat=True)
    assert list(told) == ["alice", "bob", "alice"]


def test_a_command_that_is_refused_or_repeated_tells_nobody(alice: User, bob: User) -> None:
    game = games.start(alice, bob)
    table = load(game).table
    move = table.rules.legal_moves(table.state)[0]
    for _ in range(2):
        services.play(alice, game, move, command="the same intent")
    with pytest.raises(Refused):
        services.play(bob, game, move, step=1)
    assert Message.objects.filter(game=game).count() == 2


def test_an_append_that_is_rolled_back_leaves_no_row(alice: User, bob: User) -> None:
    game = games.start(alice, bob)
    before = Event.objects.filter(game=game).count(), Message.objects.count()
    with transaction.atomic():
        games.move(alice, game)
        assert Message.objects.count() == before[1] + 1
        transaction.set_rollback(True)
    assert (Event.objects.filter(game=game).count(), Message.objects.count()) == before


def test_news_that_can_not_be_promised_is_not_made(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    game = games.start(alice, bob)
    version = Head.objects.get(game=game).version

    def fail() -> None:
        raise OSError("after the rows were written")

    monkeypatch.setattr(outbox, "wake_sender", fail)
    with pytest.raises(OSError, match="after the rows"):
        games.move(alice, game)
    assert Head.objects.get(game=game).version == version
    assert Event.objects.filter(game=game).count() == version
    assert Message.objects.filter(game=game).count() == 1


def test_the_same_news_can_not_be_written_twice(alice: User, bob: User) -> None:
    game = games.start(alice, bob)
    row = Message.objects.get(game=game)
    with pytest.raises(IntegrityError), transaction.atomic():
        Message.objects.create(
            key=row.key, kind=row.kind, channel=row.channel, user=bob, game=game, version=9, due_at=row.due_at
        )
    table = load(game).table
    with pytest.raises(IntegrityError), transaction.atomic():
        outbox.announce(None, table, actor=1)


def test_a_sender_is_woken_after_the_commit_and_only_where_somebody_is_told(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    given: list[dict[str, Any]] = []
    monkeypatch.setattr(tasks.send_due, "apply_async", lambda args, **options: given.append(options))
    with django_capture_on_commit_callbacks(execute=True):
        services.open_game(alice, Terms("ariadne"))
    assert hints.flush(5)
    assert given == []
    with django_capture_on_commit_callbacks(execute=True):
        games.start(alice, bob)
        assert given == []
    assert hints.flush(5)
    assert len(given) == 1
