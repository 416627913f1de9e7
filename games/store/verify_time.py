"""Check what events say of time and of agreements: each must be what the table would decide again."""

from __future__ import annotations

from collections.abc import Iterator

from games.engine.contract import Refusal
from games.table.clock import deadline, overdue
from games.table.commands import (
    Abort,
    AnswerDraw,
    AnswerPause,
    AskPause,
    EndOverdue,
    GiveTime,
    OfferDraw,
    Resume,
    SetAway,
    SetZone,
    Timing,
)
from games.table.dealer import Dealer
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
from games.table.timing import decide_timing


def time_faults(table: Table, event: Event, at: int, dealer: Dealer) -> Iterator[str]:
    """What is wrong with an event at its moment ``at`` (microseconds since the epoch), a sentence each."""
    if table.clock is not None and overdue(table.clock, at) and not _after_time(table, event, at):
        yield "it came after the awaited player's time had run out"
    if isinstance(event, TimeCredited) and (event.us <= 0 or table.clock is None):
        yield "time was credited where none had been lost"
    if isinstance(event, Ended):
        yield from _end_faults(table, event, at, dealer)
    elif (command := _command(event)) is not None:
        try:
            decided = decide_timing(table, command, dealer, at)
        except Refusal as refusal:
            yield f"it may not be ({refusal.code})"
        else:
            if decided != [event]:
                yield "it is not what follows from the table"


def _after_time(table: Table, event: Event, at: int) -> bool:
    """Whether the event may stand where the awaited player's time is up."""
    match event:
        case TimeCredited():
            return True
        case Ended(by, _, _):
            return by in ("time", "lapsed")
        case VacationBegan(_, automatic):
            return automatic and table.clock is not None and deadline(table.clock) == at
        case _:
            return False


def _command(event: Event) -> Timing | None:
    """The command that such an event follows from; None where it is none of time or agreement."""
    match event:
        case DrawOffered(seat):
            return OfferDraw(seat)
        case DrawDeclined(seat):
            return AnswerDraw(seat, accepted=False)
        case PauseAsked(seat):
            return AskPause(seat)
        case PauseAnswered(seat, granted):
            return AnswerPause(seat, granted)
        case Resumed(seat):
            return Resume(seat)
        case TimeGiven(seat, us):
            return GiveTime(seat, us)
        case VacationBegan(seat, automatic):
            return SetAway(seat, True, automatic)
        case VacationEnded(seat):
            return SetAway(seat, False)
        case ZoneChanged(seat, zone):
            return SetZone(seat, zone)
        case _:
            return None


def _end_faults(table: Table, ended: Ended, at: int, dealer: Dealer) -> Iterator[str]:
    """An end by time bears the deadline as its moment; one by agreement follows an offer; calling off comes early."""
    if ended.by == "agreement" and (table.draw_offered is None or table.status != "running"):
        yield "the players agreed on a draw that nobody offered"
    if ended.by in ("time", "lapsed") and _timed_out(table, at, dealer) != ended:
        yield "nobody's time had run out as this end says"
    if ended.by == "aborted":
        yield from _calling_off_faults(table, ended, at, dealer)


def _timed_out(table: Table, at: int, dealer: Dealer) -> Event | None:
    """The end that follows where the awaited player's time ran out at this very moment."""
    if table.status != "running" or table.clock is None:
        return None
    moment = deadline(table.clock)
    if moment is None or at != max(moment, table.last_at):
        return None
    return decide_timing(table, EndOverdue(grace=0), dealer, at)[0]


def _calling_off_faults(table: Table, ended: Ended, at: int, dealer: Dealer) -> Iterator[str]:
    if table.status == "open" and ended.seat is None:
        return  # taken away before anybody joined
    try:
        if table.status != "running" or ended.seat is None:
            yield "a game that is under way was taken away"
        elif decide_timing(table, Abort(ended.seat), dealer, at) != [ended]:
            yield "it was not called off so"
    except Refusal as refusal:
        yield f"it may not be called off ({refusal.code})"
