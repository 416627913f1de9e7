"""What is decided about time and by agreement: draws, pauses, gifts, vacations, calling off, running out of time.

Pure, as all of the table. A moment (``at``) is microseconds since the epoch: when a command was *received*, which is
what counts, however late it is decided.
"""

from __future__ import annotations

from games.engine.contract import Play, gettext_noop
from games.table.clock import Clock, check_gift, deadline, overdue, spent
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
    Refused,
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
    EndedBy,
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

#: A game of fewer moves than this may be called off.
BINDING_MOVES = 2


def check_in_time(table: Table, command: Command, at: int) -> None:
    """Raise :class:`Refused` (``time_is_up``) where the awaited player's time had run out when this was received.

    The service's own doings are decided all the same: a credit may give the time back, and a sweep ends the game.
    """
    if isinstance(command, CreditTime | EndOverdue) or table.clock is None:
        return
    if isinstance(command, SetAway) and command.away and command.automatic:
        at -= 1  # a vacation that begins by itself begins at the very deadline
    if overdue(table.clock, at):
        raise Refused("time_is_up", gettext_noop("The time for this move has run out."))


def moment_of(table: Table, command: Command, at: int) -> int:
    """The time that the command's events bear: when it was received; for a time-out, the deadline itself."""
    if isinstance(command, EndOverdue) and table.clock is not None:
        at = deadline(table.clock) or at
    return max(at, table.last_at)


def decide_timing(table: Table, command: Timing, dealer: Dealer, at: int) -> list[Event]:
    """The events that follow in a running game. Raises Refusal."""
    match command:
        case OfferDraw() | AnswerDraw() | Abort():
            return _ending(table, command, dealer)
        case AskPause() | AnswerPause() | Resume() | GiveTime():
            return _agreed(table, command, at)
        case SetAway(seat, away, automatic):
            if away == (seat in table.away):
                raise Refused("no_change", gettext_noop("That is so already."))
            return [VacationBegan(seat, automatic) if away else VacationEnded(seat)]
        case SetZone(seat, zone):
            if table.clock is not None and table.clock.seats[seat].zone == zone:
                raise Refused("no_change", gettext_noop("That is so already."))
            return [ZoneChanged(seat, zone)]
        case CreditTime(since, until):
            lost = spent(_kept(table), since, min(until, at))
            if not lost:
                raise Refused("no_change", gettext_noop("Nobody lost time."))
            return [TimeCredited(lost)]
        case EndOverdue(grace):
            return [_time_out(table, dealer, at, grace)]


def _ending(table: Table, command: OfferDraw | AnswerDraw | Abort, dealer: Dealer) -> list[Event]:
    _check_two(table)
    agreed = Ended(by="agreement", seat=None, secret=dealer.reveal())
    match command:
        case OfferDraw(seat):
            if table.draw_offered == seat:
                raise Refused("already_asked", gettext_noop("This has been asked already."))
            return [DrawOffered(seat)] if table.draw_offered is None else [agreed]
        case AnswerDraw(seat, accepted):
            if table.draw_offered in (None, seat):
                raise Refused("nothing_asked", gettext_noop("Nothing has been asked that could be answered."))
            return [agreed] if accepted else [DrawDeclined(seat)]
        case Abort(seat):
            if sum(isinstance(entry.step, Play) for entry in table.line) >= BINDING_MOVES:
                raise Refused("too_late", gettext_noop("A game can be called off only before its second move."))
            return [Ended(by="aborted", seat=seat, secret=dealer.reveal())]


def _agreed(table: Table, command: AskPause | AnswerPause | Resume | GiveTime, at: int) -> list[Event]:
    _check_two(table)
    clock = _kept(table)
    match command:
        case AskPause(seat):
            if clock.paused or table.pause_asked == seat:
                raise Refused("already_asked", gettext_noop("This has been asked already."))
            return [PauseAsked(seat)] if table.pause_asked is None else [PauseAnswered(seat, True)]
        case AnswerPause(seat, granted):
            if table.pause_asked in (None, seat):
                raise Refused("nothing_asked", gettext_noop("Nothing has been asked that could be answered."))
            return [PauseAnswered(seat, granted)]
        case Resume(seat):
            if not clock.paused:
                raise Refused("not_paused", gettext_noop("The clocks are not paused."))
            return [Resumed(seat)]
        case GiveTime(seat, us):
            check_gift(clock, 1 - seat, us, at)
            return [TimeGiven(seat, us)]


def _time_out(table: Table, dealer: Dealer, at: int, grace: int) -> Ended:
    if table.clock is None or not overdue(table.clock, at, grace):
        raise Refused("not_overdue", gettext_noop("Nobody's time has run out."))
    moved = {entry.step.seat for entry in table.line if isinstance(entry.step, Play) and not entry.automatic}
    by: EndedBy = "time" if len(moved) == table.rules.seats else "lapsed"
    return Ended(by=by, seat=table.awaited_seat, secret=dealer.reveal())


def _kept(table: Table) -> Clock:
    if table.clock is None:
        raise Refused("no_clock", gettext_noop("This table keeps no time."))
    return table.clock


def _check_two(table: Table) -> None:
    if table.rules.seats != 2:
        raise Refused("alone", gettext_noop("There is nobody to agree with."))
