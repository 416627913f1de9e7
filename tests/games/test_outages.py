"""The service was down: every running clock is credited, once an outage and game, before anything is ended."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django.fixtures import Settings

from accounts import vacation
from accounts.models import User
from config import clock
from games import learning, outages, services, sweeping
from games.store.models import Heartbeat, Outage
from games.store.verify import verify_game
from games.table.terms import DAY, HOUR, MINUTE, SECOND, Bank, ClockTerms
from tests.games.clocks import clocked, due, kinds, last, left, stopped
from tests.games.people import a_move, table


@pytest.fixture
def now(db: None) -> Iterator[clock.FrozenClock]:
    """The clock, stopped just after a sweep."""
    with stopped() as frozen:
        sweeping.sweep()
        yield frozen


@pytest.fixture(autouse=True)
def stated(settings: Settings) -> None:
    settings.CLEW_GRACE, settings.CLEW_OUTAGE = 30.0, 300.0


def test_sweeps_that_follow_each_other_credit_nothing(now: clock.FrozenClock, alice: User, bob: User) -> None:
    game_id = clocked(alice, bob)
    for _ in range(5):
        now.advance(seconds=300)
        sweeping.sweep()
    assert (kinds(game_id), Outage.objects.count()) == ([], 0)
    assert Heartbeat.objects.get().at == clock.now_us()


def test_after_an_outage_every_running_clock_is_credited_once(now: clock.FrozenClock, alice: User, bob: User) -> None:
    games = [clocked(alice, bob), clocked(bob, alice)]
    charlie = User.objects.create_user("charlie")
    stands_still, without = clocked(alice, charlie), clocked(alice, bob, clock=None)
    vacation.begin(charlie)
    learning.learn_all()
    before = [due(game_id) for game_id in games]
    now.advance(hours=30)
    for _ in range(3):
        sweeping.sweep()
    assert [due(game_id) for game_id in games] == [at + 30 * HOUR for at in before]
    for game_id in games:
        assert (kinds(game_id)[-1], last(game_id).payload) == ("time_credited", {"us": 30 * HOUR})
        assert verify_game(game_id) == []
    assert (kinds(without), kinds(stands_still)) == ([], ["vacation_began"])
    now.advance(hours=2)
    sweeping.sweep()
    assert [due(game_id) for game_id in games] == [at + 32 * HOUR for at in before]


def test_a_game_whose_deadline_passed_in_the_outage_goes_on_and_one_that_was_over_before_ends(
    now: clock.FrozenClock, alice: User, bob: User
) -> None:
    early = clocked(alice, bob)
    now.advance(hours=1)
    Heartbeat.objects.update(at=clock.now_us())
    late = clocked(alice, bob)
    Heartbeat.objects.update(at=due(early) + SECOND)
    now.us = due(early) + 9 * DAY
    end = due(early)
    sweeping.sweep()
    assert (kinds(early), last(early).at) == (["ended"], end)
    assert kinds(late) == ["time_credited"]
    assert left(late) == HOUR - SECOND


def test_nothing_is_ended_while_clocks_wait_to_be_credited(
    now: clock.FrozenClock, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [clocked(alice, bob) for _ in range(5)]
    monkeypatch.setattr(sweeping, "MOST", 2)
    now.advance(days=4)
    for credited in (2, 4, 5):
        sweeping.sweep()
        assert [kinds(game_id) for game_id in games].count(["time_credited"]) == credited
        now.advance(seconds=10)
    assert {table(game_id).status for game_id in games} == {"running"}


def test_two_sweeps_that_find_the_same_outage_credit_it_once(
    now: clock.FrozenClock, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = clocked(alice, bob)
    stale = Heartbeat.objects.get().at
    now.advance(days=1)
    for _ in range(2):
        assert outages._noted(stale, clock.now_us())
    assert Outage.objects.count() == 1
    assert outages.credit_all(clock.now_us(), 10)
    Outage.objects.update(done=False, credited_upto=None)
    assert outages.credit_all(clock.now_us(), 10)
    assert kinds(game_id) == ["time_credited"]


def test_who_moves_before_the_first_sweep_after_an_outage_has_lost_nothing_by_it(
    now: clock.FrozenClock, alice: User, bob: User
) -> None:
    bank = ClockTerms(Bank(3 * DAY, MINUTE, 7 * DAY)).to_json()
    game_id = clocked(alice, bob, clock=bank)
    had = left(game_id)
    now.advance(days=10)
    services.play(bob, game_id, a_move(game_id)[1])
    assert kinds(game_id) == ["time_credited"]
    sweeping.sweep()
    assert kinds(game_id) == ["time_credited"]
    now_at = table(game_id).clock
    assert now_at is not None
    assert now_at.seats[1].bank == had + MINUTE
    assert verify_game(game_id) == []


@pytest.mark.parametrize("begins", [True, False])
def test_a_vacation_that_begins_or_ends_in_an_outage_costs_no_time(
    now: clock.FrozenClock, alice: User, bob: User, begins: bool
) -> None:
    game_id = clocked(alice, bob)
    start = clock.now_us()
    if begins:
        vacation.plan(bob, start + 10 * HOUR, start + 200 * HOUR)
    else:
        vacation.begin(bob, until=start + 10 * HOUR)
        learning.learn_all()
    before = left(game_id)
    now.advance(hours=30)
    sweeping.sweep()
    assert left(game_id) == before
    assert (due_now(game_id) is None) == begins
    assert verify_game(game_id) == []


def due_now(game_id: str) -> int | None:
    return None if table(game_id).away else due(game_id)


def test_where_no_sweep_has_ever_been_nothing_is_credited(db: None, alice: User, bob: User) -> None:
    with stopped() as frozen:
        game_id = clocked(alice, bob)
        frozen.advance(days=2)
        services.play(bob, game_id, a_move(game_id)[1])
        assert kinds(game_id) == []
        sweeping.sweep()
        assert not Outage.objects.exists()
