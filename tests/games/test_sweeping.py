"""What time brings about with nobody looking."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from pytest_django.fixtures import Settings

from accounts import vacation
from accounts.models import User, Vacation
from config import clock
from games import acting, agreeing, expiry, learning, services, sweeping
from games.selectors import look
from games.services import Terms
from games.store.models import Event, ExpiryWarning, Head, Seat, Work
from games.store.verify import rebuild, verify_game
from games.table.commands import Refused
from games.table.terms import DAY, HOUR, MINUTE, SECOND, Bank, ClockTerms, PerMove
from notifications.models import Message
from tests.concurrency.together import once_before
from tests.games.clocks import NOON, clocked, due, kinds, last, left, stopped
from tests.games.people import a_move, begun, table

GRACE = 30 * SECOND


@pytest.fixture
def now(db: None) -> Iterator[clock.FrozenClock]:
    with stopped() as frozen:
        yield frozen


@pytest.fixture(autouse=True)
def stated(settings: Settings) -> None:
    """The times that these tests count with, whatever the environment says."""
    settings.CLEW_GRACE, settings.CLEW_OUTAGE, settings.CLEW_VACATION_DAYS = 30.0, 300.0, 30
    settings.CLEW_OPEN_DAYS, settings.CLEW_OPEN_WARNING_DAYS = 30.0, 3.0


def at(us: int) -> None:
    """Sweep at a moment as a beat that never missed would."""
    with clock.frozen(clock.from_us(us)):
        vacation.tell_due(us)
        learning.learn_all()
        sweeping.end_overdue(us)


# --- overdue games ----------------------------------------------------------------------------------------------------


def test_an_overdue_game_ends_30_seconds_after_its_deadline_with_the_deadline_as_its_time(
    now: clock.FrozenClock, alice: User, bob: User
) -> None:
    game_id = clocked(alice, bob)
    end = due(game_id)
    assert end == clock.now_us() + 3 * DAY
    assert sweeping.end_overdue(end + GRACE - 1) == 0
    assert sweeping.end_overdue(end + GRACE) == 1
    assert sweeping.end_overdue(end + GRACE) == 0
    assert (last(game_id).type, last(game_id).at, last(game_id).seat) == ("ended", end, 1)
    shown = look(alice, game_id)["result"]
    assert (shown["winner"], shown["ended"]) == (0, {"by": "time", "seat": 1})
    assert Head.objects.get(game=game_id).deadline_at is None
    assert verify_game(game_id) == []


@pytest.mark.parametrize("moves", [0, 1])
def test_a_game_in_which_somebody_never_moved_has_lapsed_and_nobody_lost(
    now: clock.FrozenClock, alice: User, bob: User, moves: int
) -> None:
    game_id = clocked(alice, bob, moves)
    assert sweeping.end_overdue(due(game_id) + GRACE) == 1
    assert look(alice, game_id)["result"]["ended"] == {"by": "lapsed", "seat": moves}
    assert look(alice, game_id)["result"]["winner"] is None
    assert verify_game(game_id) == []


def test_games_without_a_clock_and_games_in_time_go_on(now: clock.FrozenClock, alice: User, bob: User) -> None:
    without, later = clocked(alice, bob, clock=None), clocked(alice, bob)
    now.advance(days=1)
    assert sweeping.end_overdue(clock.now_us()) == 0
    assert Head.objects.get(game=without).deadline_at is None
    assert {table(game_id).status for game_id in (without, later)} == {"running"}


def test_the_earliest_deadline_ends_first_and_one_sweep_ends_so_many(
    now: clock.FrozenClock, alice: User, bob: User
) -> None:
    games = []
    for _ in range(3):
        games.append(clocked(alice, bob))
        now.advance(minutes=1)
    assert sweeping.end_overdue(due(games[2]) + GRACE, most=2) == 2
    assert [table(game_id).status for game_id in games] == ["ended", "ended", "running"]


def test_a_game_that_cannot_be_ended_does_not_keep_others_from_it(
    now: clock.FrozenClock, alice: User, bob: User
) -> None:
    without_seats, fine = clocked(alice, bob), clocked(alice, bob)
    Seat.objects.filter(game__pk=without_seats).delete()
    User.objects.filter(pk=bob.pk).update(auto_vacation=True)
    end = due(fine)
    assert due(without_seats) == end
    at(end + GRACE)
    assert (kinds(without_seats), kinds(fine)) == ([], ["vacation_began"])


def test_a_move_received_in_time_counts_though_it_is_decided_after_the_deadline(
    now: clock.FrozenClock, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = clocked(alice, bob)
    end, (_, move) = due(game_id), a_move(game_id)
    now.us = end - 1
    once_before(monkeypatch, acting, "load", lambda: now.advance(seconds=29))
    services.play(bob, game_id, move)
    assert clock.now_us() == end - 1 + 29 * SECOND
    assert last(game_id).at == end - 1
    assert sweeping.end_overdue(end + GRACE) == 0
    assert verify_game(game_id) == []


def test_a_move_received_at_the_deadline_is_refused(now: clock.FrozenClock, alice: User, bob: User) -> None:
    game_id = clocked(alice, bob)
    before, (_, move) = table(game_id), a_move(game_id)
    now.us = due(game_id)
    with pytest.raises(Refused, match="run out") as refused:
        services.play(bob, game_id, move)
    assert refused.value.code == "time_is_up"
    assert table(game_id) == before


@pytest.mark.parametrize("stop", ["pause", "vacation"])
def test_the_time_left_is_the_same_before_and_after_a_pause(
    now: clock.FrozenClock, alice: User, bob: User, stop: str
) -> None:
    game_id = clocked(alice, bob)
    now.advance(hours=31, microseconds=7)
    before = left(game_id)
    if stop == "pause":
        agreeing.ask_pause(alice, game_id)
        agreeing.answer_pause(bob, game_id, granted=True)
    else:
        vacation.begin(bob)
        learning.learn_all()
    now.advance(days=20, seconds=1)
    assert (left(game_id), Head.objects.get(game=game_id).deadline_at) == (before, None)
    assert sweeping.end_overdue(clock.now_us() + 9 * DAY) == 0
    if stop == "pause":
        agreeing.resume(bob, game_id)
    else:
        vacation.end(bob)
        learning.learn_all()
    assert left(game_id) == before
    assert due(game_id) == clock.now_us() + before
    assert verify_game(game_id) == []


#: Both changes of the clocks of 2027: each on a Sunday.
CHANGES = [
    ("America/New_York", "2027-03-12"), ("America/New_York", "2027-11-05"),
    ("America/Santiago", "2027-04-02"), ("America/Santiago", "2027-09-03"),
    ("Europe/Berlin", "2027-03-26"), ("Europe/Berlin", "2027-10-29"),
    ("Australia/Sydney", "2027-04-02"), ("Australia/Sydney", "2027-10-01"),
]  # fmt: skip


@pytest.mark.parametrize(("zone", "friday"), CHANGES)
def test_weekends_off_leave_the_wall_clock_right_across_both_clock_changes_of_a_year(
    alice: User, bob: User, zone: str, friday: str
) -> None:
    local = ZoneInfo(zone)
    noon = datetime.fromisoformat(f"{friday}T12:00").replace(tzinfo=local)
    assert noon.utcoffset() != (noon + timedelta(days=5)).utcoffset()
    User.objects.filter(pk=alice.pk).update(time_zone=zone)
    alice.refresh_from_db()
    with clock.frozen(noon):
        three_days = ClockTerms(PerMove(3 * DAY), weekends_off=True).to_json()
        off, on = clocked(alice, bob, 0, clock=three_days), clocked(alice, bob, 0)
    assert clock.from_us(due(off)).astimezone(local).isoformat()[:16] == f"{noon + timedelta(days=5):%Y-%m-%dT%H:%M}"
    assert due(on) == clock.to_us(noon) + 72 * HOUR
    end = due(off)
    assert sweeping.end_overdue(end + GRACE - 1) == 1
    assert sweeping.end_overdue(end + GRACE) == 1
    assert [last(game_id).at for game_id in (on, off)] == [clock.to_us(noon) + 72 * HOUR, end]
    assert verify_game(off) == []


def test_a_bank_has_its_increment_after_each_move_and_ends_the_game_when_it_is_used_up(
    now: clock.FrozenClock, alice: User, bob: User
) -> None:
    game_id = clocked(alice, bob, 0, clock=ClockTerms(Bank(30 * MINUTE, MINUTE, HOUR)).to_json())
    for player in (alice, bob):
        now.advance(minutes=10)
        _, move = a_move(game_id)
        services.play(player, game_id, move)
    assert due(game_id) == clock.now_us() + 21 * MINUTE
    assert sweeping.end_overdue(due(game_id) + GRACE) == 1
    assert look(None, game_id)["result"]["ended"] == {"by": "time", "seat": 0}


def test_heads_made_again_have_the_same_deadline(now: clock.FrozenClock, alice: User, bob: User) -> None:
    game_id = clocked(alice, bob)
    before = due(game_id)
    assert not rebuild(game_id)
    Head.objects.filter(game=game_id).update(deadline_at=before - 1)
    assert verify_game(game_id) == ["the head's deadline_at is not what the events say"]
    assert rebuild(game_id)
    assert due(game_id) == before


# --- players' vacations -----------------------------------------------------------------------------------------------


def test_a_vacation_decided_before_the_deadline_saves_a_game_that_has_not_learnt_of_it_yet(
    now: clock.FrozenClock, alice: User, bob: User
) -> None:
    game_id = clocked(alice, bob)
    now.us = due(game_id) - 1
    vacation.begin(bob)
    assert kinds(game_id) == []
    now.us += 1 + GRACE
    assert sweeping.end_overdue(clock.now_us()) == 0
    assert kinds(game_id) == ["vacation_began"]
    assert last(game_id).at == due_before(game_id) - 1
    assert left(game_id) == 1
    assert verify_game(game_id) == []


def due_before(game_id: str) -> int:
    """The deadline that the awaited player had before they left."""
    now = table(game_id).clock
    assert now is not None
    return now.since + now.left


def test_a_move_is_not_refused_by_a_deadline_that_a_vacation_has_stopped(
    now: clock.FrozenClock, alice: User, bob: User
) -> None:
    game_id = clocked(alice, bob)
    _, move = a_move(game_id)
    vacation.plan(bob, due(game_id) - HOUR, due(game_id) + DAY)
    now.us = due(game_id) + 1
    services.play(bob, game_id, move)
    assert kinds(game_id) == ["vacation_began"]
    assert last(game_id).type == "moved"
    assert verify_game(game_id) == []


def test_a_vacation_spends_itself_a_day_at_a_time_until_the_player_moves(
    now: clock.FrozenClock, alice: User, bob: User
) -> None:
    User.objects.filter(pk=bob.pk).update(auto_vacation=True)
    game_id = clocked(alice, bob)
    end = due(game_id)
    at(end + GRACE)
    assert (last(game_id).type, last(game_id).at, last(game_id).payload["automatic"]) == ("vacation_began", end, True)
    at(end + DAY - 1)
    assert kinds(game_id) == ["vacation_began"]
    at(end + DAY + GRACE)
    assert kinds(game_id) == ["vacation_began", "vacation_ended", "vacation_began"]
    assert [row.at for row in Event.objects.filter(game=game_id).order_by("version")][-3:] == [
        end, end + DAY, end + DAY,
    ]  # fmt: skip
    assert [(one.begins_at, one.ends_at) for one in Vacation.objects.order_by("id")] == [
        (end, end + DAY), (end + DAY, end + 2 * DAY),
    ]  # fmt: skip
    now.us = end + DAY + HOUR
    _, move = a_move(game_id)
    services.play(bob, game_id, move)
    assert verify_game(game_id) == []


def test_where_no_allowance_is_left_or_no_wish_or_the_table_forbids_it_no_vacation_saves_the_game(
    now: clock.FrozenClock, alice: User, bob: User, settings: Settings
) -> None:
    wish, forbidden = clocked(alice, bob), ClockTerms(PerMove(3 * DAY), vacation=False).to_json()
    assert sweeping.end_overdue(due(wish) + GRACE) == 1
    User.objects.filter(pk=bob.pk).update(auto_vacation=True)
    without = clocked(alice, bob, clock=forbidden)
    assert sweeping.end_overdue(due(without) + GRACE) == 1
    settings.CLEW_VACATION_DAYS = 0
    spent = clocked(alice, bob)
    assert sweeping.end_overdue(due(spent) + GRACE) == 1
    assert not Vacation.objects.exists()


def test_a_vacation_that_begins_by_itself_ends_where_the_allowance_does(
    now: clock.FrozenClock, alice: User, bob: User, settings: Settings
) -> None:
    User.objects.filter(pk=bob.pk).update(auto_vacation=True)
    settings.CLEW_VACATION_DAYS = 2
    game_id = clocked(alice, bob)
    end = due(game_id)
    for moment in (end, end + DAY, end + 2 * DAY):
        at(moment + GRACE)
    assert kinds(game_id)[-2:] == ["vacation_ended", "ended"]
    assert last(game_id).at == end + 2 * DAY
    assert verify_game(game_id) == []


def test_a_day_by_itself_saves_all_games_of_the_player_that_come_due_in_it(
    now: clock.FrozenClock, alice: User, bob: User
) -> None:
    User.objects.filter(pk=bob.pk).update(auto_vacation=True)
    games = [clocked(alice, bob), clocked(alice, bob)]
    at(due(games[0]) + GRACE)
    assert [kinds(game_id) for game_id in games] == [["vacation_began"]] * 2
    assert Vacation.objects.count() == 1


def test_a_vacation_begun_after_the_deadline_does_not_come_before_it_and_is_not_cut_short(
    now: clock.FrozenClock, alice: User, bob: User
) -> None:
    """The day that begins by itself at the deadline, and one's own begun in the 30 seconds after it, make one."""
    User.objects.filter(pk=bob.pk).update(auto_vacation=True)
    game_id = clocked(alice, bob)
    end = due(game_id)
    now.us = end + 10 * SECOND
    vacation.begin(bob)
    learning.learn_all()
    assert kinds(game_id) == []
    now.us = end + GRACE
    sweeping.end_overdue(clock.now_us())
    learning.learn_all()
    assert kinds(game_id) == ["vacation_began"]
    assert table(game_id).away == {1}
    assert not Work.objects.filter(done=False).exists()


# --- tables that nobody joins -----------------------------------------------------------------------------------------


def test_a_table_that_nobody_joins_is_taken_away_after_30_days_with_a_word_to_its_owner_3_days_before(
    now: clock.FrozenClock, alice: User, bob: User
) -> None:
    game_id = services.open_game(alice, Terms("climb", admits="invited"), invite=[bob]).table.id
    now.advance(days=27, microseconds=-1)
    assert sweeping.expire_open(clock.now_us()) == 0
    assert not ExpiryWarning.objects.exists()
    now.advance(microseconds=1)
    for _ in range(2):
        assert sweeping.expire_open(clock.now_us()) == 0
    told = Message.objects.filter(kind="expiring").values_list("user", "game")
    assert [(user, str(game)) for user, game in told] == [(alice.pk, game_id)]
    now.advance(days=3, microseconds=-1)
    assert sweeping.expire_open(clock.now_us()) == 0
    assert look(bob, game_id)["status"] == "open"
    now.advance(microseconds=1)
    assert expiry.expires_at(clock.to_us(NOON)) == clock.now_us()
    assert sweeping.expire_open(clock.now_us()) == 1
    assert sweeping.expire_open(clock.now_us()) == 0
    assert look(alice, game_id)["result"]["ended"] == {"by": "aborted", "seat": None}
    assert verify_game(game_id) == []


def test_a_table_that_somebody_joined_goes_on(now: clock.FrozenClock, alice: User, bob: User) -> None:
    game_id = begun("climb", alice, bob)
    now.advance(days=40)
    assert sweeping.expire_open(clock.now_us()) == 0
    assert not ExpiryWarning.objects.exists()
    assert table(game_id).status == "running"


# --- the whole sweep --------------------------------------------------------------------------------------------------


def test_a_sweep_does_all_that_is_due(now: clock.FrozenClock, alice: User, bob: User, settings: Settings) -> None:
    settings.CLEW_OUTAGE = 10.0 * 365 * 86400
    over, waiting = clocked(alice, bob), services.open_game(alice, Terms("climb")).table.id
    away = clocked(bob, alice)
    vacation.begin(alice)
    sweeping.sweep()
    now.advance(days=30)
    sweeping.sweep()
    assert [table(game_id).status for game_id in (over, waiting, away)] == ["ended", "ended", "running"]
    assert kinds(away) == ["vacation_began", "vacation_ended"]
