"""The clock's folds and what is asked of it, line by line."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest

from games.table.clock import (
    BadGift,
    Clock,
    SeatClock,
    allowance,
    check_gift,
    deadline,
    moment_at,
    overdue,
    remaining,
    spent,
    ticking,
)
from games.table.terms import DAY, HOUR, MINUTE, SECOND, Bank, ClockTerms, PerMove

THREE_DAYS = ClockTerms(PerMove(3 * DAY))
BANK = ClockTerms(Bank(5 * DAY, HOUR, 6 * DAY))
HALF, TENTH = Fraction(1, 2), Fraction(1, 10)


def _utc(wall: str) -> int:
    return (datetime.fromisoformat(wall).replace(tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(
        microseconds=1
    )


#: A Monday.
T0 = _utc("2026-06-29T00:00")


def _clock(terms: ClockTerms | None = THREE_DAYS, zones: tuple[str, str] = ("UTC", "UTC")) -> Clock:
    return Clock.begin(terms, zones, T0)


# --- turns ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("terms", "time"), [(THREE_DAYS, 3 * DAY), (BANK, 5 * DAY), (ClockTerms(PerMove(MINUTE)), MINUTE)]
)
def test_the_first_move_has_its_full_time_however_long_the_table_waited(terms: ClockTerms, time: int) -> None:
    first = _clock(terms).start(0, T0 + 40 * DAY)
    assert remaining(first, T0 + 40 * DAY) == time
    assert deadline(first) == T0 + 40 * DAY + time
    second = first.stop(T0 + 40 * DAY + 7).start(1, T0 + 40 * DAY + 7)
    assert remaining(second, T0 + 40 * DAY + 7) == time


def test_every_turn_has_the_time_of_a_move_and_what_isnt_used_is_gone() -> None:
    clock = _clock().start(0, T0)
    assert remaining(clock, T0 + DAY + 1) == 2 * DAY - 1
    clock = clock.stop(T0 + DAY)
    assert remaining(clock, T0 + DAY) is None
    clock = clock.start(1, T0 + DAY).stop(T0 + 2 * DAY).start(0, T0 + 2 * DAY)
    assert remaining(clock, T0 + 2 * DAY) == 3 * DAY


def test_a_bank_keeps_what_is_left_and_grows_by_its_increment() -> None:
    clock = _clock(BANK).start(0, T0).stop(T0 + 2 * DAY)
    assert allowance(clock, 0) == 3 * DAY + HOUR
    assert allowance(clock, 1) == 5 * DAY
    assert deadline(clock.start(0, T0 + 9 * DAY)) == T0 + 12 * DAY + HOUR


def test_the_increment_lifts_a_bank_to_its_cap_at_most() -> None:
    clock = _clock(ClockTerms(Bank(DAY, 5 * HOUR, DAY + HOUR))).start(0, T0).stop(T0 + 1)
    assert allowance(clock, 0) == DAY + HOUR


def test_an_increment_takes_nothing_from_a_bank_that_a_gift_had_lifted_past_its_cap() -> None:
    clock = _clock(BANK).start(0, T0).extend(0, 3 * DAY, T0).stop(T0 + HOUR)
    assert allowance(clock, 0) == 8 * DAY - HOUR


def test_a_turn_that_ended_without_a_move_earns_no_increment() -> None:
    clock = _clock(BANK).start(0, T0).stop(T0 + DAY, moved=False)
    assert allowance(clock, 0) == 4 * DAY


def test_a_bank_that_was_overdrawn_begins_again_at_its_increment() -> None:
    clock = _clock(BANK).start(0, T0).stop(T0 + 5 * DAY + SECOND)
    assert allowance(clock, 0) == HOUR


def test_only_the_awaited_seats_time_passes() -> None:
    clock = _clock(BANK).start(0, T0)
    assert ticking(clock) == 0
    assert allowance(clock.stop(T0 + 2 * DAY), 1) == 5 * DAY


def test_time_is_either_in_the_bank_or_running() -> None:
    clock = _clock(BANK).start(0, T0)
    assert (clock.left, clock.seats[0].bank, clock.seats[1].bank) == (5 * DAY, 0, 5 * DAY)


def test_stopping_where_nobody_is_awaited_changes_no_time() -> None:
    clock = _clock(BANK)
    assert clock.stop(T0 + DAY) == Clock.begin(BANK, ("UTC", "UTC"), T0 + DAY)


def test_nobody_becomes_awaited_while_somebody_is() -> None:
    with pytest.raises(ValueError, match="awaited already"):
        _clock().start(0, T0).start(1, T0)


def test_no_event_lies_before_the_clocks_last_change() -> None:
    with pytest.raises(ValueError, match="is before"):
        _clock().start(0, T0 + 1).pause(True, T0)


# --- vacation, pause, zone ------------------------------------------------------------------------------------------


def test_a_vacation_stops_the_players_own_clock_and_leaves_it_as_it_was() -> None:
    running = _clock().start(0, T0)
    away = running.vacation(0, True, T0 + DAY)
    assert ticking(away) is None
    assert deadline(away) is None
    assert remaining(away, T0 + 20 * DAY) == 2 * DAY == remaining(running, T0 + DAY)
    back = away.vacation(0, False, T0 + 20 * DAY)
    assert remaining(back, T0 + 20 * DAY) == 2 * DAY
    assert deadline(back) == T0 + 22 * DAY


def test_a_vacation_of_the_opponent_stops_nothing() -> None:
    clock = _clock().start(0, T0).vacation(1, True, T0 + DAY)
    assert deadline(clock) == T0 + 3 * DAY
    assert clock.seats[1].away


def test_a_turn_that_begins_on_vacation_has_its_whole_time_after_it() -> None:
    clock = _clock().vacation(0, True, T0).start(0, T0 + DAY)
    assert deadline(clock) is None
    assert deadline(clock.vacation(0, False, T0 + 10 * DAY)) == T0 + 13 * DAY


def test_moving_on_vacation_is_allowed_and_keeps_the_bank() -> None:
    clock = _clock(BANK).start(0, T0).vacation(0, True, T0 + DAY).stop(T0 + 30 * DAY)
    assert allowance(clock, 0) == 4 * DAY + HOUR
    assert clock.seats[0].away


def test_where_the_table_forbids_vacations_they_are_known_and_stop_nothing() -> None:
    clock = _clock(ClockTerms(PerMove(3 * DAY), vacation=False)).start(0, T0).vacation(0, True, T0 + DAY)
    assert clock.seats[0].away
    assert deadline(clock) == T0 + 3 * DAY


def test_a_vacation_begun_at_the_last_moment_still_saves_the_turn_for_as_long_as_it_lasts() -> None:
    clock = _clock().start(0, T0).vacation(0, True, T0 + 3 * DAY)
    assert not overdue(clock, T0 + 10 * DAY)
    assert deadline(clock.vacation(0, False, T0 + 4 * DAY)) == T0 + 4 * DAY


def test_a_pause_stops_whose_clock_runs_and_those_started_while_it_lasts() -> None:
    clock = _clock().start(0, T0).pause(True, T0 + DAY)
    assert (deadline(clock), remaining(clock, T0 + 9 * DAY)) == (None, 2 * DAY)
    assert deadline(clock.pause(False, T0 + 9 * DAY)) == T0 + 11 * DAY
    other = clock.stop(T0 + 2 * DAY).start(1, T0 + 2 * DAY)
    assert (deadline(other), remaining(other, T0 + 9 * DAY)) == (None, 3 * DAY)


def test_time_stands_still_until_both_pause_and_vacation_are_over() -> None:
    clock = _clock().start(0, T0).pause(True, T0 + DAY).vacation(0, True, T0 + 2 * DAY)
    assert ticking(clock.pause(False, T0 + 3 * DAY)) is None
    assert ticking(clock.vacation(0, False, T0 + 3 * DAY)) is None
    both = clock.pause(False, T0 + 3 * DAY).vacation(0, False, T0 + 4 * DAY)
    assert deadline(both) == T0 + 6 * DAY


def test_saying_again_what_is_so_already_changes_no_time() -> None:
    clock = _clock().start(0, T0).vacation(0, True, T0 + DAY).vacation(0, True, T0 + 5 * DAY)
    assert remaining(clock, T0 + 9 * DAY) == 2 * DAY
    paused = _clock().start(0, T0).pause(True, T0 + DAY).pause(True, T0 + 5 * DAY)
    assert remaining(paused, T0 + 9 * DAY) == 2 * DAY


def test_weekends_are_those_of_the_awaited_players_own_zone() -> None:
    terms = ClockTerms(PerMove(DAY), weekends_off=True)
    friday = _utc("2026-07-03T00:00")
    zones = ("Pacific/Honolulu", "Asia/Seoul")
    west = Clock.begin(terms, zones, friday).start(0, friday)
    east = Clock.begin(terms, zones, friday).start(1, friday)
    assert deadline(west) == friday + DAY
    assert deadline(east) == _utc("2026-07-05T15:00") + 9 * HOUR


def test_a_change_of_zone_gives_and_takes_no_second_already_spent() -> None:
    terms = ClockTerms(PerMove(3 * DAY), weekends_off=True)
    friday = _utc("2026-07-03T12:00")
    clock = Clock.begin(terms, ("UTC", "UTC"), friday).start(0, friday)
    moved = clock.zone(0, "Asia/Seoul", _utc("2026-07-05T06:00"))
    assert (
        remaining(moved, _utc("2026-07-05T06:00")) == remaining(clock, _utc("2026-07-05T06:00")) == 3 * DAY - 12 * HOUR
    )
    # In Seoul it is Monday nine hours earlier; what passed before is still counted as UTC's.
    assert deadline(moved) == _utc("2026-07-05T15:00") + 3 * DAY - 12 * HOUR
    assert clock.zone(1, "Asia/Seoul", friday + DAY).stop(friday + DAY).seats[1].zone == "Asia/Seoul"


# --- time given -----------------------------------------------------------------------------------------------------


def test_a_gift_to_the_awaited_seat_lengthens_its_turn() -> None:
    clock = _clock().start(0, T0).extend(0, 2 * DAY, T0 + DAY)
    assert remaining(clock, T0 + DAY) == 4 * DAY
    assert deadline(clock) == T0 + 5 * DAY
    assert remaining(clock.stop(T0 + DAY).start(0, T0 + DAY), T0 + DAY) == 3 * DAY


@pytest.mark.parametrize(("terms", "time"), [(THREE_DAYS, 3 * DAY), (BANK, 5 * DAY)])
def test_a_gift_to_a_seat_that_isnt_awaited_is_had_when_it_is(terms: ClockTerms, time: int) -> None:
    clock = _clock(terms).start(0, T0).extend(1, DAY, T0 + HOUR).stop(T0 + HOUR).start(1, T0 + HOUR)
    assert remaining(clock, T0 + HOUR) == time + DAY


def test_a_gift_with_a_time_per_move_is_had_once() -> None:
    clock = _clock().extend(1, DAY, T0).start(1, T0).stop(T0 + HOUR).start(1, T0 + HOUR)
    assert remaining(clock, T0 + HOUR) == 3 * DAY


def test_a_gift_to_a_clock_that_stands_still_is_kept() -> None:
    clock = _clock().start(0, T0).pause(True, T0 + DAY).extend(0, DAY, T0 + 2 * DAY)
    assert remaining(clock, T0 + 9 * DAY) == 3 * DAY


def test_an_outage_is_credited_to_whose_clock_runs() -> None:
    clock = _clock().start(0, T0)
    lost = spent(clock, T0 + HOUR, T0 + 31 * HOUR)
    assert lost == 30 * HOUR
    credited = clock.credit(lost, T0 + 32 * HOUR)
    assert remaining(credited, T0 + 32 * HOUR) == 3 * DAY - 2 * HOUR
    assert credited.seats == clock.seats


def test_an_outage_costs_nothing_where_no_time_passed_and_nothing_before_the_turn() -> None:
    away = _clock().start(0, T0).vacation(0, True, T0)
    weekend = _clock(ClockTerms(PerMove(DAY), weekends_off=True)).start(0, T0)
    assert spent(away, T0, T0 + DAY) == 0
    assert spent(weekend, T0 + 5 * DAY, T0 + 7 * DAY + HOUR) == HOUR
    assert spent(_clock().start(0, T0 + 20 * HOUR), T0, T0 + DAY) == 4 * HOUR
    assert spent(_clock(), T0, T0 + DAY) == 0


def test_an_outage_is_credited_to_nobody_where_nobody_is_awaited() -> None:
    clock = _clock(BANK).credit(DAY, T0)
    assert (allowance(clock, 0), allowance(clock, 1)) == (5 * DAY, 5 * DAY)


def test_a_gift_is_whole_minutes_and_nobody_gets_more_than_180_days() -> None:
    clock = _clock().start(0, T0)
    check_gift(clock, 0, MINUTE, T0)
    check_gift(clock, 0, 177 * DAY, T0)
    check_gift(clock, 1, 177 * DAY, T0)
    for seat, us, code in [
        (0, 0, "bad_gift"),
        (0, -MINUTE, "bad_gift"),
        (0, MINUTE + SECOND, "bad_gift"),
        (0, 177 * DAY + MINUTE, "too_much_time"),
        (1, 177 * DAY + MINUTE, "too_much_time"),
    ]:
        with pytest.raises(BadGift) as refused:
            check_gift(clock, seat, us, T0)
        assert refused.value.code == code
    check_gift(clock, 0, 178 * DAY, T0 + DAY)
    with pytest.raises(BadGift) as refused:
        check_gift(_clock(None), 0, MINUTE, T0)
    assert refused.value.code == "no_clock"


# --- what is asked --------------------------------------------------------------------------------------------------


def test_a_clock_is_overdue_from_its_deadline_on_and_swept_after_the_grace() -> None:
    clock = _clock().start(0, T0)
    end = T0 + 3 * DAY
    assert (remaining(clock, end - 1), overdue(clock, end - 1)) == (1, False)
    assert (remaining(clock, end), overdue(clock, end)) == (0, True)
    assert (remaining(clock, end + 5), overdue(clock, end + 5)) == (-5, True)
    assert not overdue(clock, end + 30 * SECOND - 1, 30 * SECOND)
    assert overdue(clock, end + 30 * SECOND, 30 * SECOND)


def test_the_grace_is_real_time_even_on_a_weekend() -> None:
    friday = _utc("2026-07-03T00:00")
    clock = Clock.begin(ClockTerms(PerMove(DAY), weekends_off=True), ("UTC",), friday).start(0, friday)
    assert deadline(clock) == friday + DAY
    assert overdue(clock, friday + DAY + 30 * SECOND, 30 * SECOND)


def test_what_was_overdue_when_something_changed_was_due_no_later_than_that() -> None:
    clock = _clock().start(0, T0).zone(0, "Asia/Seoul", T0 + 4 * DAY)
    assert remaining(clock, T0 + 4 * DAY) == -DAY
    assert deadline(clock) == T0 + 4 * DAY
    assert moment_at(clock, TENTH) is None


def test_reminders_fall_at_a_fraction_of_the_turns_time() -> None:
    clock = _clock().start(0, T0)
    assert moment_at(clock, HALF) == T0 + 36 * HOUR
    assert moment_at(clock, TENTH) == T0 + 3 * DAY - 432 * MINUTE
    assert moment_at(clock, Fraction(0)) == deadline(clock)
    assert moment_at(clock, Fraction(1)) == T0


def test_reminders_come_later_after_a_gift_and_not_again_after_a_vacation() -> None:
    clock = _clock().start(0, T0).extend(0, 3 * DAY, T0 + DAY)
    assert moment_at(clock, HALF) == T0 + 3 * DAY
    back = _clock().start(0, T0).vacation(0, True, T0 + 2 * DAY).vacation(0, False, T0 + 9 * DAY)
    assert moment_at(back, HALF) is None
    assert moment_at(back, TENTH) == T0 + 10 * DAY - 432 * MINUTE


def test_reminders_skip_weekends() -> None:
    friday = _utc("2026-07-03T12:00")
    clock = Clock.begin(ClockTerms(PerMove(2 * DAY), weekends_off=True), ("UTC",), friday).start(0, friday)
    assert moment_at(clock, HALF) == _utc("2026-07-06T12:00")


def test_without_a_clock_nothing_is_ever_due() -> None:
    clock = _clock(None).start(0, T0).extend(0, DAY, T0).credit(DAY, T0).vacation(1, True, T0)
    assert clock.running == 0
    assert (ticking(clock), remaining(clock, T0), allowance(clock, 1)) == (None, None, None)
    assert (deadline(clock), moment_at(clock, HALF), overdue(clock, T0 + 999 * DAY)) == (None, None, False)
    assert clock.stop(T0 + DAY).seats == (SeatClock(), SeatClock(away=True))


def test_with_nobody_awaited_or_at_a_standstill_nothing_is_due() -> None:
    for clock in (_clock(), _clock().start(0, T0).pause(True, T0), _clock().start(0, T0).vacation(0, True, T0)):
        assert (deadline(clock), moment_at(clock, HALF), overdue(clock, T0 + 99 * DAY)) == (None, None, False)


def test_a_page_whose_time_is_a_little_behind_shows_what_was_left() -> None:
    assert remaining(_clock().start(0, T0), T0 - SECOND) == 3 * DAY


@pytest.mark.parametrize("terms", [None, THREE_DAYS, BANK])
def test_a_clock_comes_back_from_json(terms: ClockTerms | None) -> None:
    clock = _clock(terms, ("Asia/Seoul", "Europe/Berlin")).start(1, T0).vacation(0, True, T0 + 1).pause(True, T0 + 2)
    for value in (_clock(terms), clock):
        assert Clock.from_json(json.loads(json.dumps(value.to_json()))) == value
