"""What a viewer is shown of time: the clocks, who is away, what is offered, and what they may do about it."""

from __future__ import annotations

from typing import Any

from games.engine.contract import Play, Viewer
from games.table.clock import MOST_TIME, Clock, allowance, deadline, overdue, remaining, ticking
from games.table.state import Table
from games.table.terms import MINUTE, ClockTerms
from games.table.timing import BINDING_MOVES


def timing_view(table: Table, viewer: Viewer, at: int | None = None) -> dict[str, Any]:
    """The table's time as JSON. A moment is microseconds since the epoch, a time microseconds.

    ``clock`` is None where no time is kept, else

    - ``terms``: of ``games.table.terms``; ``paused``: by agreement;
    - ``at``: the moment that this was counted for: the asked one, or when the clocks last changed;
    - ``running``: the seat that is awaited, ``ticking``: the same if its time passes; ``budget``: of this turn;
    - ``deadline``: the moment at which its time is used up, None where none passes;
    - ``left``: for each seat what it has, or would have if it became awaited; 0 or less where it is overdue.

    ``away``: the seats on vacation. ``draw_offered``, ``pause_asked``: by which seat. ``may``: what the viewer's own
    seat may do now, all false for others.
    """
    clock = table.clock
    shown = None
    if clock is not None and clock.terms is not None:
        shown = _clock_view(clock, clock.terms, clock.since if at is None else max(at, clock.since))
    return {
        "clock": shown,
        "away": sorted(table.away),
        "draw_offered": table.draw_offered,
        "pause_asked": table.pause_asked,
        "may": _may(table, viewer if isinstance(viewer, int) else None, at),
    }


def _clock_view(clock: Clock, terms: ClockTerms, at: int) -> dict[str, Any]:
    return {
        "terms": terms.to_json(),
        "paused": clock.paused,
        "at": at,
        "running": clock.running,
        "ticking": ticking(clock),
        "budget": clock.budget,
        "deadline": deadline(clock),
        "left": [_left(clock, seat, at) for seat in range(len(clock.seats))],
    }


def _left(clock: Clock, seat: int, at: int) -> int | None:
    return remaining(clock, at) if seat == clock.running else allowance(clock, seat)


def _may(table: Table, seat: int | None, at: int | None) -> dict[str, bool]:
    """What :func:`games.table.timing.decide_timing` would not refuse to this seat."""
    clock = table.clock
    on = seat is not None and table.status == "running" and table.rules.seats == 2
    if on and clock is not None and at is not None and overdue(clock, at):
        on = False
    kept = on and clock is not None
    paused = clock is not None and clock.paused
    moves = sum(isinstance(entry.step, Play) for entry in table.line)
    return {
        "offer_draw": on and table.draw_offered != seat,
        "answer_draw": on and table.draw_offered not in (None, seat),
        "abort": on and moves < BINDING_MOVES,
        "ask_pause": kept and not paused and table.pause_asked != seat,
        "answer_pause": kept and table.pause_asked not in (None, seat),
        "resume": kept and paused,
        "give_time": kept and _may_give(clock, 1 - (seat or 0), at),
    }


def _may_give(clock: Clock | None, seat: int, at: int | None) -> bool:
    if clock is None:
        return False
    has = _left(clock, seat, clock.since if at is None else max(at, clock.since))
    return has is not None and has + MINUTE <= MOST_TIME
