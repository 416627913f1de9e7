"""Several sweeps at once, with real commits: each thing is done once, and who sweeps never outruns a decision."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.db.models import QuerySet

from accounts import vacation
from accounts.models import User, Vacation
from config import clock
from games import acting, expiry, learning, outages, services, sweeping
from games.engine.contract import Refusal
from games.services import Done, Terms
from games.store.models import ExpiryWarning, Outage, Work
from games.store.verify import verify_game
from games.table.terms import SECOND
from notifications import outbox
from notifications.models import Message
from tests.concurrency.together import SECONDS, meet_at, once_before, together
from tests.games.clocks import clocked, due, kinds, left, stopped
from tests.games.people import a_move, person, table
from tests.plugins.servers import wait_until

SWEEPS = 4
GRACE = 30 * SECOND


@pytest.fixture
def now(real_database: dict[str, str]) -> Iterator[clock.FrozenClock]:
    with stopped() as frozen:
        yield frozen


@pytest.fixture
def people(now: clock.FrozenClock) -> tuple[User, User]:
    return person("alice"), person("bob")


def test_an_overdue_game_ends_once_however_many_sweeps_run(
    people: tuple[User, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = clocked(*people)
    at = due(game_id) + GRACE
    meet_at(monkeypatch, acting, "decide", SWEEPS)
    assert sorted(together([partial(sweeping.end_overdue, at)] * SWEEPS)) == [0] * (SWEEPS - 1) + [1]
    assert kinds(game_id) == ["ended"]
    assert verify_game(game_id) == []


def test_without_the_conditions_of_the_append_it_would_end_as_often_as_it_is_swept(
    people: tuple[User, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The negative control: the race is real, and it is the append's two guards that settle it."""
    game_id = clocked(*people)
    at = due(game_id) + GRACE
    monkeypatch.setattr(outbox, "announce", lambda *args, **kwargs: None)
    appended: list[int] = []

    def careless(thread: Any, events: Any, **kwargs: Any) -> Any:
        appended.append(thread.table.version)
        return thread.table

    monkeypatch.setattr(acting, "append", careless)
    meet_at(monkeypatch, acting, "decide", SWEEPS)
    assert together([partial(sweeping.end_overdue, at)] * SWEEPS) == [1] * SWEEPS
    assert appended == [table(game_id).version] * SWEEPS


def test_a_move_received_in_time_and_a_sweep_at_once_leave_a_game_that_goes_on_or_has_ended_but_never_both(
    people: tuple[User, User], now: clock.FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob = people
    game_id = clocked(alice, bob)
    end, (_, move) = due(game_id), a_move(game_id)
    now.us = end - 1
    meet_at(monkeypatch, acting, "decide", 2)
    moved, swept = together([partial(services.play, bob, game_id, move), partial(sweeping.end_overdue, end + GRACE)])
    assert (isinstance(moved, Done), swept) in ((True, 0), (False, 1))
    assert isinstance(moved, Done) or (isinstance(moved, Refusal) and moved.code == "game_over")
    assert verify_game(game_id) == []


def test_a_vacation_is_learnt_once_by_workers_that_look_at_once(
    people: tuple[User, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob = people
    game_id = clocked(alice, bob)
    vacation.begin(bob)
    meet_at(monkeypatch, acting, "decide", SWEEPS)
    assert together([learning.learn_all] * SWEEPS) == [None] * SWEEPS
    assert kinds(game_id) == ["vacation_began"]
    assert not Work.objects.filter(done=False).exists()
    assert verify_game(game_id) == []


def test_a_day_that_is_spent_by_itself_is_spent_once_and_saves_the_game_from_every_sweep(
    people: tuple[User, User], now: clock.FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob = people
    User.objects.filter(pk=bob.pk).update(auto_vacation=True)
    game_id = clocked(alice, bob)
    now.us = due(game_id) + GRACE
    meet_at(monkeypatch, sweeping, "load", SWEEPS)
    assert together([partial(sweeping.end_overdue, now.us)] * SWEEPS) == [0] * SWEEPS
    assert kinds(game_id) == ["vacation_began"]
    assert Vacation.objects.count() == 1


def test_an_outage_is_credited_once_by_sweeps_and_a_move_that_find_it_at_once(
    people: tuple[User, User], now: clock.FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = clocked(*people)
    sweeping.sweep()
    before = left(game_id)
    now.advance(days=2)
    meet_at(monkeypatch, acting, "decide", SWEEPS)
    actions: list[Callable[[], Any]] = [sweeping.sweep] * (SWEEPS - 1)
    assert together([*actions, partial(outages.settle, game_id, now.us)]) == [None] * SWEEPS
    assert kinds(game_id) == ["time_credited"]
    assert left(game_id) == before
    assert list(Outage.objects.values_list("done", flat=True)) == [True]


def test_the_owner_of_a_table_that_expires_has_one_word_of_it(
    people: tuple[User, User], now: clock.FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = services.open_game(people[0], Terms("climb")).table.id
    now.advance(days=28)
    meet_at(monkeypatch, expiry, "lasts", SWEEPS)
    assert together([partial(sweeping.expire_open, now.us)] * SWEEPS) == [0] * SWEEPS
    assert (Message.objects.filter(kind="expiring").count(), ExpiryWarning.objects.count()) == (1, 1)
    now.advance(days=2)
    meet_at(monkeypatch, acting, "decide", SWEEPS)
    assert sorted(together([partial(sweeping.expire_open, now.us)] * SWEEPS)) == [0] * (SWEEPS - 1) + [1]
    assert kinds(game_id) == ["ended"]


#: SQLite has one writer at a time: what the lock is for can't happen there.
HELD = [True] if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3") else [True, False]


@pytest.mark.parametrize("held", HELD)
def test_a_game_that_begins_at_the_very_moment_of_a_vacation_learns_of_it_because_accounts_are_held(
    people: tuple[User, User], monkeypatch: pytest.MonkeyPatch, held: bool
) -> None:
    """The vacation has looked for games before this one began, and commits after the game looks for vacations."""
    alice, bob = people
    game_id = services.open_game(alice, Terms("climb")).table.id
    if not held:
        monkeypatch.setattr(QuerySet, "select_for_update", lambda rows, **options: rows)
    with ThreadPoolExecutor(1) as pool:
        sitting: list[Any] = []

        def sit_down() -> None:
            sitting.append(pool.submit(together, [partial(services.sit_down, bob, game_id)]))
            if connection.vendor == "postgresql":
                assert wait_until(lambda: _somebody_waits() if held else sitting[0].done())

        once_before(monkeypatch, learning, "_write", sit_down)
        vacation.begin(alice)
        assert isinstance(sitting[0].result(SECONDS)[0], Done)
    learning.learn_all()
    assert kinds(game_id) == (["vacation_began"] if held else [])


def _somebody_waits() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted)")
        return bool(cursor.fetchone()[0])
