"""What events say of time and of agreements is what the table would decide again, or is found to be wrong."""

from __future__ import annotations

import random

import pytest

from games.engine.contract import Refusal
from games.store.verify_time import time_faults
from games.table.commands import (
    Abort,
    AnswerDraw,
    AnswerPause,
    AskPause,
    Command,
    CreditTime,
    EndOverdue,
    GiveTime,
    OfferDraw,
    Resign,
    Resume,
    SetAway,
    SetZone,
    Terms,
    Withdraw,
)
from games.table.events import (
    DrawDeclined,
    DrawOffered,
    Ended,
    Event,
    PauseAnswered,
    PauseAsked,
    Resumed,
    TimeCredited,
    TimeGiven,
    VacationBegan,
    VacationEnded,
    ZoneChanged,
)
from games.table.state import Table
from games.table.terms import DAY, HOUR, MINUTE, SECOND, ClockTerms, PerMove
from games.table.timing import moment_of
from tests.table.tables import SECRET, Thread, begun, next_move, played
from tests.table.test_timing import decided, done, due

THREE_DAYS = ClockTerms(PerMove(3 * DAY)).to_json()
TAKEN = SECRET.hex()


def found(thread: Thread, event: Event, at: int | None = None) -> list[str]:
    return list(time_faults(thread.table, event, thread.table.last_at + SECOND if at is None else at, thread.dealer))


def clocked(moves: int = 3) -> Thread:
    return played("ariadne", 1, moves, clock=THREE_DAYS)


def commands(table: Table, rng: random.Random) -> list[Command]:
    """Everything about time that somebody may want, and a move."""
    seat = rng.randrange(2)
    now = table.last_at
    wanted: list[Command] = [
        OfferDraw(seat),
        AnswerDraw(seat, accepted=False),
        AskPause(seat),
        AnswerPause(seat, granted=rng.random() < 0.5),
        Resume(seat),
        GiveTime(seat, HOUR),
        SetAway(seat, rng.random() < 0.5),
        SetZone(seat, rng.choice(["UTC", "Asia/Seoul"])),
        CreditTime(now, now + HOUR),
        next_move(table, rng),
    ]
    return rng.sample(wanted, len(wanted))


@pytest.mark.parametrize("seed", range(8))
def test_nothing_that_was_decided_is_found_wrong(seed: int) -> None:
    rng = random.Random(seed)
    thread = begun("ariadne", clock=THREE_DAYS)
    for _ in range(30):
        at = thread.table.last_at + rng.randrange(DAY)
        for command in commands(thread.table, rng):
            try:
                events = decided(thread, command, at)
            except Refusal:
                continue
            assert found(thread, events[0], at) == []
            done(thread, command, at)
            break
        if thread.table.status == "ended":
            break


@pytest.mark.parametrize(
    ("moves", "command", "later"),
    [
        (0, Abort(1), 0),
        (1, EndOverdue(0), 9 * DAY),
        (4, EndOverdue(0), 9 * DAY),
        (4, Resign(1), 0),
    ],
)
def test_an_end_that_was_decided_is_not_found_wrong(moves: int, command: Command, later: int) -> None:
    thread = clocked(moves)
    at = thread.table.last_at + SECOND + later
    (event,) = decided(thread, command, at)
    assert found(thread, event, moment_of(thread.table, command, at)) == []


def test_a_draw_that_was_agreed_and_a_table_taken_away_are_not_found_wrong() -> None:
    thread = clocked()
    thread.do(OfferDraw(0))
    assert found(thread, Ended("agreement", None, TAKEN)) == []
    waiting = Thread(Terms("ariadne", clock=THREE_DAYS))
    (event,) = decided(waiting, Withdraw(), waiting.table.last_at)
    assert found(waiting, event) == []


@pytest.mark.parametrize(
    ("event", "fault"),
    [
        (DrawDeclined(0), "it may not be (nothing_asked)"),
        (PauseAnswered(0, True), "it may not be (nothing_asked)"),
        (Resumed(0), "it may not be (not_paused)"),
        (TimeGiven(0, SECOND), "it may not be (bad_gift)"),
        (TimeCredited(0), "time was credited where none had been lost"),
        (VacationEnded(0), "it may not be (no_change)"),
        (ZoneChanged(0, "UTC"), "it may not be (no_change)"),
        (Ended("agreement", None, TAKEN), "the players agreed on a draw that nobody offered"),
        (Ended("time", 1, TAKEN), "nobody's time had run out as this end says"),
        (Ended("lapsed", 1, TAKEN), "nobody's time had run out as this end says"),
        (Ended("aborted", 1, TAKEN), "it may not be called off (too_late)"),
        (Ended("aborted", None, TAKEN), "a game that is under way was taken away"),
    ],
)
def test_an_event_that_nobody_could_have_decided_is_found(event: Event, fault: str) -> None:
    assert found(clocked(), event) == [fault]


def test_what_is_said_twice_is_found() -> None:
    thread = clocked()
    for command in (OfferDraw(0), AskPause(1), SetAway(0, True)):
        thread.do(command)
    assert found(thread, DrawOffered(0)) == ["it may not be (already_asked)"]
    assert found(thread, PauseAsked(1)) == ["it may not be (already_asked)"]
    assert found(thread, VacationBegan(0)) == ["it may not be (no_change)"]
    assert found(thread, DrawOffered(1)) == ["it is not what follows from the table"]


def test_a_credit_at_a_table_without_a_clock_is_found() -> None:
    assert found(begun("ariadne"), TimeCredited(HOUR)) == ["time was credited where none had been lost"]


def test_an_event_after_the_time_had_run_out_is_found() -> None:
    thread = clocked()
    late = "it came after the awaited player's time had run out"
    assert found(thread, TimeGiven(0, MINUTE), due(thread) - 1) == []
    assert found(thread, TimeGiven(0, MINUTE), due(thread)) == [late]
    seat = thread.table.awaited_seat or 0
    assert found(thread, VacationBegan(seat, automatic=True), due(thread)) == []
    assert found(thread, VacationBegan(seat, automatic=True), due(thread) + 1) == [late]
    assert found(thread, VacationBegan(seat), due(thread)) == [late]
    assert found(thread, TimeCredited(HOUR), due(thread) + DAY) == []


def test_an_end_by_time_at_any_moment_but_the_deadline_is_found() -> None:
    thread = clocked(4)
    seat = thread.table.awaited_seat or 0
    fault = "nobody's time had run out as this end says"
    for moment, who, faults in (
        (due(thread), seat, []),
        (due(thread) - 1, seat, [fault]),
        (due(thread) + 1, seat, [fault]),
        (due(thread), 1 - seat, [fault]),
    ):
        assert found(thread, Ended("time", who, TAKEN), moment) == faults
    assert found(clocked(1), Ended("time", 1, TAKEN), due(clocked(1))) == [fault]
