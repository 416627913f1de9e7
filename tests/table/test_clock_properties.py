"""Any course of turns, vacations, pauses, moves to other zones and gifts conserves time to the microsecond."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from games.table.clock import Clock, allowance, deadline, moment_at, overdue, remaining, ticking
from games.table.terms import DAY, HOUR, MINUTE, SECOND, Bank, ClockTerms, PerMove
from tests.contract.settings import thorough
from tests.table.clocks import ZONES, is_weekend, moments, quarters

type Happening = tuple[str, int, int]

_seats = st.integers(0, 1)
_gaps = st.one_of(st.just(0), st.integers(0, HOUR), st.integers(0, 6 * DAY))
#: What changes whether and where time passes, but gives and takes none.
_regimes = st.one_of(
    st.tuples(st.sampled_from(["away", "back"]), _seats, st.just(0)),
    st.tuples(st.sampled_from(["paused", "resumed"]), st.just(0), st.just(0)),
    st.tuples(st.just("zone"), _seats, st.integers(0, len(ZONES) - 1)),
)
_happenings = st.one_of(
    st.tuples(st.sampled_from(["turn", "withdrawn"]), _seats, st.just(0)),
    _regimes,
    st.tuples(st.just("gift"), _seats, st.integers(1, 3 * DAY)),
    st.tuples(st.just("credit"), st.just(0), st.integers(1, DAY)),
)
_courses = st.lists(st.tuples(_gaps, _happenings), max_size=14)
_paces = st.one_of(
    st.integers(MINUTE, 14 * DAY).map(PerMove),
    st.builds(lambda start, more, extra: Bank(start, more, start + extra), *(st.integers(MINUTE, 9 * DAY),) * 3),
)
_terms = st.builds(ClockTerms, _paces, st.booleans(), st.booleans())
_zones = st.tuples(st.sampled_from(ZONES), st.sampled_from(ZONES))


def fold(clock: Clock, happening: Happening, at: int) -> Clock:
    """The clock after one more event. A turn goes to the seat named, whoever was awaited."""
    kind, seat, value = happening
    match kind:
        case "turn" | "withdrawn":
            return clock.stop(at, moved=kind == "turn").start(seat, at)
        case "away" | "back":
            return clock.vacation(seat, kind == "away", at)
        case "paused" | "resumed":
            return clock.pause(kind == "paused", at)
        case "zone":
            return clock.zone(seat, ZONES[value], at)
        case "gift":
            return clock.extend(seat, value, at)
        case _:
            return clock.credit(value, at)


@dataclass
class Book:
    """The reference: an account kept by going through all quarter-hours, knowing nothing of settling or deadlines."""

    terms: ClockTerms
    zones: list[str]
    now: int
    away: set[int] = field(default_factory=set)
    paused: bool = False
    awaited: int | None = None
    time: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.time = [self.terms.pace.start if isinstance(self.terms.pace, Bank) else 0 for _ in self.zones]

    def wait(self, until: int) -> None:
        for begin, end in quarters(self.now, until):
            seat = self.awaited
            if seat is None or self.paused or (self.terms.vacation and seat in self.away):
                continue
            if not (self.terms.weekends_off and is_weekend(begin, self.zones[seat])):
                self.time[seat] -= end - begin
        self.now = until

    def note(self, happening: Happening) -> None:
        kind, seat, value = happening
        match kind:
            case "turn" | "withdrawn":
                self._turn(seat, moved=kind == "turn")
            case "away":
                self.away.add(seat)
            case "back":
                self.away.discard(seat)
            case "paused" | "resumed":
                self.paused = kind == "paused"
            case "zone":
                self.zones[seat] = ZONES[value]
            case "gift":
                self.time[seat] += value
            case _:
                if self.awaited is not None:
                    self.time[self.awaited] += value

    def _turn(self, seat: int, *, moved: bool) -> None:
        last, pace = self.awaited, self.terms.pace
        if last is not None and isinstance(pace, PerMove):
            self.time[last] = 0
        elif last is not None and isinstance(pace, Bank):
            self.time[last] = max(self.time[last], 0)
            if moved and self.time[last] < pace.cap:
                self.time[last] = min(self.time[last] + pace.increment, pace.cap)
        self.awaited = seat
        if isinstance(pace, PerMove):
            self.time[seat] += pace.time


def played(clock: Clock, course: Sequence[tuple[int, Happening]]) -> Clock:
    at = clock.since
    for gap, happening in course:
        at += gap
        clock = fold(clock, happening, at)
    return clock


@thorough(120)
@given(_terms, _zones, moments, _courses, _gaps)
def test_no_course_of_events_loses_or_wins_a_microsecond(
    terms: ClockTerms, zones: tuple[str, str], at: int, course: list[tuple[int, Happening]], last: int
) -> None:
    clock, book = Clock.begin(terms, zones, at), Book(terms, list(zones), at)
    for gap, happening in course:
        book.wait(book.now + gap)
        book.note(happening)
        clock = fold(clock, happening, book.now)
    book.wait(book.now + last)
    for seat in range(2):
        if seat == book.awaited:
            assert remaining(clock, book.now) == book.time[seat]
        else:
            assert allowance(clock, seat) == book.time[seat] + (
                terms.pace.time if isinstance(terms.pace, PerMove) else 0
            )


@thorough(120)
@given(_terms, _zones, moments, _courses, _gaps, _regimes)
def test_no_pause_vacation_or_change_of_zone_changes_what_is_left_at_its_moment(
    terms: ClockTerms, zones: tuple[str, str], at: int, course: list[tuple[int, Happening]], gap: int, last: Happening
) -> None:
    clock = played(Clock.begin(terms, zones, at).start(0, at), course)
    moment = clock.since + gap
    assert remaining(fold(clock, last, moment), moment) == remaining(clock, moment)


@thorough(120)
@given(_terms, _zones, moments, _courses, st.lists(st.integers(0, 3 * DAY), max_size=6))
def test_looking_at_a_clock_on_the_way_changes_no_deadline(
    terms: ClockTerms, zones: tuple[str, str], at: int, course: list[tuple[int, Happening]], looks: list[int]
) -> None:
    clock = played(Clock.begin(terms, zones, at).start(0, at), course)
    looked, due = clock, deadline(clock)
    for gap in looks:
        moment = looked.since + gap
        if due is None or moment <= due:
            looked = looked.pause(looked.paused, moment)
            assert deadline(looked) == (due if due is None else max(due, moment))


@thorough(120)
@given(_terms, _zones, moments, _courses)
def test_the_deadline_is_the_first_moment_at_which_nothing_is_left(
    terms: ClockTerms, zones: tuple[str, str], at: int, course: list[tuple[int, Happening]]
) -> None:
    clock = played(Clock.begin(terms, zones, at).start(0, at), course)
    due = deadline(clock)
    assert (due is None) == (ticking(clock) is None)
    if due is not None and clock.left > 0:
        assert remaining(clock, due) == 0
        assert (remaining(clock, due - 1) or 0) > 0
    if due is not None:
        assert overdue(clock, due)
        assert not overdue(clock, due - 1)


@thorough(120)
@given(_terms, _zones, moments, _courses, st.integers(0, 100), st.integers(0, 100))
def test_reminders_come_in_the_order_of_what_is_left_and_before_the_deadline(
    terms: ClockTerms, zones: tuple[str, str], at: int, course: list[tuple[int, Happening]], one: int, two: int
) -> None:
    clock = played(Clock.begin(terms, zones, at).start(0, at), course)
    more, less = (moment_at(clock, Fraction(percent, 100)) for percent in (max(one, two), min(one, two)))
    if more is not None:
        due = deadline(clock)
        assert less is not None
        assert due is not None
        assert clock.since <= more <= less <= due
        left = clock.budget * max(one, two) // 100
        assert remaining(clock, more) == left


@thorough(120)
@given(_terms, _zones, moments, _courses, _gaps, _gaps)
def test_time_left_never_grows_by_itself_and_more_of_it_is_never_due_sooner(
    terms: ClockTerms, zones: tuple[str, str], at: int, course: list[tuple[int, Happening]], gap: int, more: int
) -> None:
    clock = played(Clock.begin(terms, zones, at).start(0, at), course)
    earlier, later = remaining(clock, clock.since + gap), remaining(clock, clock.since + gap + more)
    assert earlier is not None
    assert later is not None
    assert 0 <= earlier - later <= more
    due, richer = deadline(clock), deadline(replace(clock, left=clock.left + more))
    assert (due is None) == (richer is None)
    assert due is None or richer is None or due <= richer


@thorough(120)
@given(_terms, _zones, moments, _courses)
def test_a_fold_gives_the_same_clock_again_through_json_at_every_event(
    terms: ClockTerms, zones: tuple[str, str], at: int, course: list[tuple[int, Happening]]
) -> None:
    stored = Clock.begin(terms, zones, at)
    for gap, happening in course:
        stored = fold(Clock.from_json(json.loads(json.dumps(stored.to_json()))), happening, stored.since + gap)
    assert stored == played(Clock.begin(terms, zones, at), course)


def test_the_reference_itself_counts_a_weekend_and_a_vacation() -> None:
    terms = ClockTerms(PerMove(10 * DAY), weekends_off=True)
    monday = 20_633 * DAY  # 29 June 2026, UTC
    book = Book(terms, ["UTC", "UTC"], monday)
    book.note(("turn", 0, 0))
    book.wait(monday + 8 * DAY)
    assert book.time[0] == 4 * DAY
    book.note(("away", 0, 0))
    book.wait(monday + 9 * DAY + SECOND)
    book.note(("back", 0, 0))
    book.wait(monday + 9 * DAY + 2 * SECOND)
    assert book.time[0] == 4 * DAY - SECOND
