"""Draws, pauses, gifts of time, vacations, calling off, running out of time: every decision and every refusal."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from games.engine.contract import OPEN, SPECTATOR, Refusal
from games.table.clock import deadline, remaining
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
    PlayMove,
    Resign,
    Resume,
    SetAway,
    SetZone,
    Terms,
    Withdraw,
)
from games.table.decider import decide
from games.table.events import (
    DrawDeclined,
    DrawOffered,
    Ended,
    Event,
    Moved,
    PauseAnswered,
    PauseAsked,
    Resumed,
    TimeCredited,
    TimeGiven,
    VacationBegan,
    VacationEnded,
    ZoneChanged,
)
from games.table.state import Stamped, Table, evolve
from games.table.terms import DAY, HOUR, MINUTE, SECOND, Bank, ClockTerms, PerMove
from games.table.timing import moment_of
from games.table.view import outcome, table_view
from tests.table.tables import GAME, SECRET, Thread, begun, climb_deal, next_move, played

THREE_DAYS = ClockTerms(PerMove(3 * DAY)).to_json()
BANK = ClockTerms(Bank(3 * DAY, 12 * HOUR, 7 * DAY)).to_json()
GRACE = 30 * SECOND


def clocked(moves: int = 0, clock: Any = THREE_DAYS, **terms: Any) -> Thread:
    return played("ariadne", 1, moves, clock=clock, **terms)


def decided(thread: Thread, command: Command, at: int) -> list[Event]:
    return decide(thread.table, command, thread.dealer, at)


def done(thread: Thread, command: Command, at: int) -> Table:
    """Decide at a moment of one's choice, append; the table after it."""
    moment = moment_of(thread.table, command, at)
    for event in decided(thread, command, at):
        thread.tables.append(evolve(thread.table, Stamped(event, thread.table.version + 1, moment), GAME))
    return thread.table


def refusal(thread: Thread, command: Command, at: int | None = None) -> str:
    """The code of the refusal, which changes nothing."""
    before = thread.table
    with pytest.raises(Refusal) as refused:
        decided(thread, command, thread.table.last_at + SECOND if at is None else at)
    assert thread.table == before
    return refused.value.code


def due(thread: Thread) -> int:
    assert thread.table.clock is not None
    moment = deadline(thread.table.clock)
    assert moment is not None
    return moment


# --- draws ------------------------------------------------------------------------------------------------------------


def test_a_draw_is_offered_and_taken() -> None:
    thread = clocked(3)
    assert thread.do(OfferDraw(0)) == [DrawOffered(0)]
    assert thread.table.draw_offered == 0
    assert thread.do(AnswerDraw(1, accepted=True)) == [Ended("agreement", None, SECRET.hex())]
    assert outcome(thread.table) == {"scores": None, "winner": None, "ended": {"by": "agreement", "seat": None}}


def test_a_draw_is_offered_and_declined() -> None:
    thread = clocked(3)
    thread.do(OfferDraw(1))
    assert thread.do(AnswerDraw(0, accepted=False)) == [DrawDeclined(0)]
    assert thread.table.draw_offered is None
    assert thread.table.status == "running"


def test_two_who_offer_a_draw_agree_on_it() -> None:
    thread = clocked(3)
    thread.do(OfferDraw(1))
    assert thread.do(OfferDraw(0)) == [Ended("agreement", None, SECRET.hex())]


def test_an_offer_is_void_once_the_line_moves_on() -> None:
    thread = clocked(3)
    thread.do(OfferDraw(0))
    thread.do(next_move(thread.table, random.Random(1)))
    assert thread.table.draw_offered is None
    assert refusal(thread, AnswerDraw(1, accepted=True)) == "nothing_asked"


def test_nobody_offers_twice_or_answers_themself() -> None:
    thread = clocked(3)
    assert refusal(thread, AnswerDraw(0, accepted=True)) == "nothing_asked"
    thread.do(OfferDraw(0))
    assert refusal(thread, OfferDraw(0)) == "already_asked"
    assert refusal(thread, AnswerDraw(0, accepted=True)) == "nothing_asked"


@pytest.mark.parametrize(
    "command", [OfferDraw(0), AnswerDraw(0, True), Abort(0), AskPause(0), Resume(0), GiveTime(0, 1)]
)
def test_a_patience_has_nobody_to_agree_with(command: Command) -> None:
    assert refusal(begun("forty_thieves"), command) == "alone"


# --- calling off ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("moves", [0, 1])
def test_either_player_may_call_the_game_off_before_its_second_move(moves: int, seat: int) -> None:
    thread = clocked(moves)
    assert thread.do(Abort(seat)) == [Ended("aborted", seat, SECRET.hex())]
    told = outcome(thread.table)
    assert told is not None
    assert told["winner"] is None


def test_after_its_second_move_a_game_can_only_be_resigned() -> None:
    assert refusal(clocked(2), Abort(0)) == "too_late"


def test_a_table_that_nobody_joined_is_taken_away_and_no_other() -> None:
    thread = Thread(Terms("ariadne", clock=THREE_DAYS))
    assert refusal(thread, Abort(0)) == "not_started"
    assert refusal(clocked(), Withdraw()) == "table_full"
    assert thread.do(Withdraw()) == [Ended("aborted", None, SECRET.hex())]
    assert refusal(thread, Withdraw()) == "table_full"


# --- pauses -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("asker", [0, 1])
def test_a_pause_is_asked_for_granted_and_ended_by_either(asker: int) -> None:
    thread = clocked(3)
    assert thread.do(AskPause(asker)) == [PauseAsked(asker)]
    assert thread.do(AnswerPause(1 - asker, granted=True)) == [PauseAnswered(1 - asker, True)]
    assert thread.table.clock is not None
    assert thread.table.clock.paused
    assert thread.do(Resume(asker)) == [Resumed(asker)]
    assert not thread.table.clock.paused


def test_a_pause_is_declined() -> None:
    thread = clocked(3)
    thread.do(AskPause(0))
    assert thread.do(AnswerPause(1, granted=False)) == [PauseAnswered(1, False)]
    assert thread.table.pause_asked is None
    assert thread.table.clock is not None
    assert not thread.table.clock.paused


def test_two_who_ask_for_a_pause_have_it() -> None:
    thread = clocked(3)
    thread.do(AskPause(0))
    assert thread.do(AskPause(1)) == [PauseAnswered(1, True)]


def test_a_pause_is_asked_for_once_answered_by_the_other_and_ended_where_there_is_one() -> None:
    thread = clocked(3)
    assert refusal(thread, Resume(0)) == "not_paused"
    assert refusal(thread, AnswerPause(0, granted=True)) == "nothing_asked"
    thread.do(AskPause(0))
    assert refusal(thread, AskPause(0)) == "already_asked"
    assert refusal(thread, AnswerPause(0, granted=True)) == "nothing_asked"
    thread.do(AnswerPause(1, granted=True))
    assert refusal(thread, AskPause(1)) == "already_asked"


def test_moving_in_a_pause_stays_allowed_and_the_next_clock_stands_still_too() -> None:
    thread = clocked(3)
    thread.do(AskPause(0))
    thread.do(AnswerPause(1, granted=True))
    thread.do(next_move(thread.table, random.Random(2)))
    assert thread.table.clock is not None
    assert deadline(thread.table.clock) is None


@pytest.mark.parametrize(
    "command", [AskPause(0), AnswerPause(0, True), Resume(0), GiveTime(0, MINUTE), CreditTime(0, DAY)]
)
def test_a_table_without_a_clock_has_no_time_to_stop_or_give(command: Command) -> None:
    assert refusal(begun("ariadne"), command) == "no_clock"


def test_a_pause_costs_and_gives_the_awaited_player_nothing() -> None:
    thread = clocked(3)
    start = thread.table.last_at
    done(thread, AskPause(0), start + HOUR)
    stopped = done(thread, AnswerPause(1, granted=True), start + 5 * HOUR)
    resumed = done(thread, Resume(0), start + 90 * DAY)
    assert stopped.clock is not None
    assert resumed.clock is not None
    assert remaining(stopped.clock, start + 5 * HOUR) == remaining(resumed.clock, start + 90 * DAY) == 67 * HOUR


# --- gifts, credits ---------------------------------------------------------------------------------------------------


def test_a_gift_goes_to_the_opponent() -> None:
    thread = clocked(2)
    before = due(thread)
    giver = 1 - (thread.table.awaited_seat or 0)
    assert thread.do(GiveTime(giver, DAY)) == [TimeGiven(giver, DAY)]
    assert due(thread) == before + DAY


@pytest.mark.parametrize(("us", "code"), [(SECOND, "bad_gift"), (0, "bad_gift"), (200 * DAY, "too_much_time")])
def test_a_gift_is_whole_minutes_and_not_too_much(us: int, code: str) -> None:
    assert refusal(clocked(2), GiveTime(0, us)) == code


def test_an_outage_is_credited_to_the_awaited_player() -> None:
    thread = clocked(2)
    start, before = thread.table.last_at, due(thread)
    assert decided(thread, CreditTime(start + HOUR, start + 5 * HOUR), start + 5 * HOUR) == [TimeCredited(4 * HOUR)]
    assert decided(thread, CreditTime(start - HOUR, start + HOUR), start + HOUR) == [TimeCredited(HOUR)]
    assert decided(thread, CreditTime(start, start + DAY), start + HOUR) == [TimeCredited(HOUR)]
    done(thread, CreditTime(start + HOUR, start + 5 * HOUR), start + 5 * HOUR)
    assert due(thread) == before + 4 * HOUR


def test_a_credit_saves_a_game_whose_deadline_passed_in_the_outage() -> None:
    thread = clocked(2)
    start, before = thread.table.last_at, due(thread)
    done(thread, CreditTime(start + DAY, start + 5 * DAY), start + 5 * DAY)
    assert due(thread) == before + 4 * DAY
    assert refusal(thread, EndOverdue(0), start + 5 * DAY) == "not_overdue"


def test_an_outage_that_took_nothing_is_credited_to_nobody() -> None:
    thread = clocked(2)
    start = thread.table.last_at
    assert refusal(thread, CreditTime(start - DAY, start), start + DAY) == "no_change"
    thread.do(SetAway(thread.table.awaited_seat or 0, True))
    assert refusal(thread, CreditTime(start + HOUR, start + DAY), start + DAY) == "no_change"


# --- vacations and zones ----------------------------------------------------------------------------------------------


def test_a_vacation_begins_and_ends_once() -> None:
    thread = clocked(2)
    assert refusal(thread, SetAway(0, False)) == "no_change"
    assert thread.do(SetAway(0, True)) == [VacationBegan(0)]
    assert thread.table.away == {0}
    assert refusal(thread, SetAway(0, True)) == "no_change"
    assert thread.do(SetAway(0, False)) == [VacationEnded(0)]
    assert thread.table.away == frozenset()


def test_a_vacation_costs_and_gives_the_player_nothing_and_moving_stays_allowed() -> None:
    thread = clocked(2)
    seat, start = thread.table.awaited_seat or 0, thread.table.last_at
    done(thread, SetAway(seat, True), start + DAY)
    back = done(thread, SetAway(seat, False), start + 20 * DAY)
    assert back.clock is not None
    assert remaining(back.clock, start + 20 * DAY) == 2 * DAY
    done(thread, SetAway(seat, True), start + 21 * DAY)
    move = next_move(thread.table, random.Random(1))
    assert isinstance(decided(thread, move, start + 40 * DAY)[0], Moved)


def test_a_vacation_that_begins_by_itself_may_begin_at_the_deadline_and_not_later() -> None:
    thread = clocked(2)
    seat, end = thread.table.awaited_seat or 0, due(thread)
    assert refusal(thread, SetAway(seat, True), end) == "time_is_up"
    assert refusal(thread, SetAway(seat, True, automatic=True), end + 1) == "time_is_up"
    assert decided(thread, SetAway(seat, True, automatic=True), end) == [VacationBegan(seat, True)]


def test_a_table_that_forbids_vacations_is_told_of_them_and_its_clock_runs_on() -> None:
    thread = clocked(2, clock=ClockTerms(PerMove(DAY), vacation=False).to_json())
    before = due(thread)
    thread.do(SetAway(thread.table.awaited_seat or 0, True))
    assert due(thread) == before


def test_a_change_of_zone_is_told_once() -> None:
    thread = clocked(2)
    assert refusal(thread, SetZone(0, "UTC")) == "no_change"
    assert thread.do(SetZone(0, "Asia/Seoul")) == [ZoneChanged(0, "Asia/Seoul")]
    assert refusal(thread, SetZone(0, "Asia/Seoul")) == "no_change"


# --- running out of time ----------------------------------------------------------------------------------------------


def test_an_overdue_game_ends_after_the_grace_and_bears_the_deadline_as_its_time() -> None:
    thread = clocked(4)
    loser, end = thread.table.awaited_seat, due(thread)
    assert refusal(thread, EndOverdue(GRACE), end + GRACE - 1) == "not_overdue"
    assert decided(thread, EndOverdue(GRACE), end + GRACE) == [Ended("time", loser, SECRET.hex())]
    table = done(thread, EndOverdue(GRACE), end + 9 * DAY)
    assert table.last_at == end
    assert outcome(table) == {"scores": None, "winner": 1 - (loser or 0), "ended": {"by": "time", "seat": loser}}
    assert table.clock is not None
    assert deadline(table.clock) is None


@pytest.mark.parametrize("moves", [0, 1])
def test_a_game_in_which_somebody_never_moved_has_lapsed_and_is_not_lost(moves: int) -> None:
    thread = clocked(moves)
    seat = thread.table.awaited_seat
    assert decided(thread, EndOverdue(0), due(thread)) == [Ended("lapsed", seat, SECRET.hex())]


def test_a_pass_that_the_table_made_is_no_move_of_a_player() -> None:
    thread = begun("climb", climb_deal("9H TH JH QH KH", "2H 3H 4H 5H 6H"), clock=THREE_DAYS)
    made = thread.do(PlayMove(0, {"type": "play", "card": "9H"}, None))
    assert [(event.seat, event.automatic) for event in made if isinstance(event, Moved)] == [(0, False), (1, True)]
    assert decided(thread, EndOverdue(0), due(thread)) == [Ended("lapsed", 0, SECRET.hex())]


def test_a_game_without_a_clock_or_with_one_that_stands_still_never_ends_by_time() -> None:
    assert refusal(begun("ariadne"), EndOverdue(0), 2**60) == "not_overdue"
    thread = clocked(3)
    thread.do(SetAway(thread.table.awaited_seat or 0, True))
    assert refusal(thread, EndOverdue(0), 2**60) == "not_overdue"


@pytest.mark.parametrize(
    "make",
    [
        lambda table: next_move(table, random.Random(1)),
        lambda table: Resign(0),
        lambda table: OfferDraw(1),
        lambda table: AskPause(0),
        lambda table: GiveTime(0, MINUTE),
        lambda table: SetAway(1, True),
        lambda table: SetZone(1, "Asia/Seoul"),
    ],
)
def test_what_is_received_in_time_counts_and_at_the_deadline_or_later_it_is_refused(
    make: Callable[[Table], Command],
) -> None:
    thread = clocked(3)
    command, end = make(thread.table), due(thread)
    assert decided(thread, command, end - 1)
    assert refusal(thread, command, end) == "time_is_up"
    assert refusal(thread, command, end + DAY) == "time_is_up"


def test_a_bank_that_runs_out_ends_the_game_too() -> None:
    thread = clocked(4, clock=BANK)
    end = due(thread)
    assert end - thread.table.last_at > 3 * DAY
    assert decided(thread, EndOverdue(0), end)
    assert refusal(thread, EndOverdue(0), end - 1) == "not_overdue"


# --- what is shown ----------------------------------------------------------------------------------------------------


def test_the_view_shows_the_clock_as_it_stands_at_the_asked_moment() -> None:
    thread = clocked(2, clock=BANK)
    at = thread.table.last_at + HOUR
    shown = table_view(thread.table, SPECTATOR, at)["time"]
    seat = thread.table.awaited_seat
    assert seat is not None
    assert thread.table.clock is not None
    assert shown["clock"] == {
        "terms": BANK,
        "paused": False,
        "at": at,
        "running": seat,
        "ticking": seat,
        "budget": thread.table.clock.budget,
        "deadline": due(thread),
        "left": [due(thread) - at if one == seat else thread.table.clock.seats[one].bank for one in (0, 1)],
    }
    assert (shown["away"], shown["draw_offered"], shown["pause_asked"]) == ([], None, None)


def test_the_view_of_a_table_without_a_clock_has_none() -> None:
    assert table_view(begun("ariadne").table, 0)["time"]["clock"] is None
    assert table_view(Thread(Terms("ariadne", clock=BANK)).table, SPECTATOR)["time"]["clock"] is None


def test_the_view_shows_who_is_away_and_what_is_asked() -> None:
    thread = clocked(2)
    for command in (SetAway(1, True), OfferDraw(0), AskPause(1)):
        thread.do(command)
    shown = table_view(thread.table, SPECTATOR)["time"]
    assert (shown["away"], shown["draw_offered"], shown["pause_asked"]) == ([1], 0, 1)
    assert not any(shown["may"].values())


WAYS: dict[str, Callable[[int], Command]] = {
    "offer_draw": OfferDraw,
    "answer_draw": lambda seat: AnswerDraw(seat, accepted=False),
    "abort": Abort,
    "ask_pause": AskPause,
    "answer_pause": lambda seat: AnswerPause(seat, granted=False),
    "resume": Resume,
    "give_time": lambda seat: GiveTime(seat, MINUTE),
}


@pytest.mark.parametrize("seed", range(12))
def test_what_the_view_says_may_be_done_is_what_would_not_be_refused(seed: int) -> None:
    rng = random.Random(seed)
    thread = begun("ariadne", clock=rng.choice([THREE_DAYS, BANK, None]))
    for _ in range(12):
        for seat in (0, 1):
            at = thread.table.last_at + rng.choice([SECOND, SECOND, 8 * DAY])
            told = table_view(thread.table, seat, at)["time"]["may"]
            assert told == {name: _allowed(thread, make(seat), at) for name, make in WAYS.items()}
        for command in rng.sample([make(seat) for make in WAYS.values() for seat in (0, 1)], 14):
            if not isinstance(command, Abort) and _goes_on(thread, command):
                thread.do(command)
                break
        if rng.random() < 0.3:
            thread.do(next_move(thread.table, rng))


def _allowed(thread: Thread, command: Command, at: int) -> bool:
    try:
        decided(thread, command, at)
    except Refusal:
        return False
    return True


def _goes_on(thread: Thread, command: Command) -> bool:
    at = thread.table.last_at + SECOND
    return _allowed(thread, command, at) and not any(isinstance(event, Ended) for event in decided(thread, command, at))


def test_once_it_is_over_nothing_may_be_done_about_time() -> None:
    thread = clocked(2)
    thread.do(Resign(0))
    assert not any(table_view(thread.table, OPEN)["time"]["may"].values())
    assert not any(table_view(thread.table, 0)["time"]["may"].values())
    assert refusal(thread, EndOverdue(0), 2**60) == "game_over"


def test_a_stale_step_is_refused_by_time_first() -> None:
    thread = clocked(3)
    move = next_move(thread.table, random.Random(1))
    assert refusal(thread, PlayMove(move.seat, move.move, 0), due(thread)) == "time_is_up"
