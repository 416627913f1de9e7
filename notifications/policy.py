"""Who is told what of an append. Pure: tables before and after and the events between them in, tellings out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from games.table.clock import deadline, moment_at
from games.table.events import (
    DrawOffered,
    Ended,
    Event,
    PauseAnswered,
    PauseAsked,
    Resumed,
    SatDown,
    Started,
    TimeCredited,
    TimeGiven,
    UndoAsked,
    VacationBegan,
    VacationEnded,
)
from games.table.state import Table
from notifications.kinds import Kind


@dataclass(frozen=True, slots=True)
class Telling:
    """Tell who sits at ``place`` of the news made by the event of this version.

    ``params`` are JSON numbers and words of ours that the message is made with, never names or free text.
    """

    kind: str
    place: int
    version: int
    params: Mapping[str, Any] = field(default_factory=dict)


def tellings(before: Table | None, after: Table, actor: int | None, events: Sequence[Event] = ()) -> Iterator[Telling]:
    """What follows from an append of ``events`` that brought the table from ``before`` to ``after``.

    A player is told when they *become* awaited through somebody else's doing, never again while they stay so. Nobody
    is told of their own doing. ``actor`` is the place whose command it was (None: nobody's).
    """
    turn = _turn(before, after, actor)
    if turn is not None:
        yield turn
    first = after.version - len(events) + 1
    for version, event in enumerate(events, start=first):
        for telling in _of_event(before, after, event, version):
            # Who is told that it is their turn reads there that the game has begun.
            begun_twice = telling.kind == Kind.BEGAN and turn is not None and telling.place == turn.place
            seated_twice = telling.kind == Kind.SEATED and after.status != "open"
            if telling.place != actor and not begun_twice and not seated_twice:
                yield telling


def _turn(before: Table | None, after: Table, actor: int | None) -> Telling | None:
    seat = after.awaited_seat
    if seat is None or (before is not None and before.awaited_seat == seat):
        return None
    place = after.place_of(seat)
    return None if place == actor else Telling(Kind.TURN, place, after.awaited_since)


def _of_event(before: Table | None, after: Table, event: Event, version: int) -> Iterator[Telling]:
    """Everybody whom an event concerns; whose doing it was is left out later."""
    if isinstance(event, SatDown):
        if event.place > 0:
            yield Telling(Kind.SEATED, event.place, version)
    elif after.rules.seats > 1 or isinstance(event, Ended):
        found = _to_everybody(event)
        if found is not None:
            kind, params = found
            yield from (Telling(kind, place, version, params) for place in range(len(after.salts)))
        elif after.rules.seats == 2:
            yield from _to_one(after, event, version)
            if isinstance(event, VacationBegan) and event.automatic and _saved(before, event.seat, after.last_at):
                yield Telling(Kind.AWAY_YOU, after.place_of(event.seat), version)


def _to_everybody(event: Event) -> tuple[Kind, dict[str, Any]] | None:
    match event:
        case Started():
            return Kind.BEGAN, {}
        case Ended():
            return Kind.ENDED, {}
        case PauseAnswered(_, True):
            return Kind.PAUSED, {}
        case Resumed():
            return Kind.RESUMED, {}
        case TimeCredited(us):
            return Kind.CREDITED, {"us": us}
        case _:
            return None


def _to_one(after: Table, event: Event, version: int) -> Iterator[Telling]:
    match event:
        case DrawOffered(seat):
            yield _to_other(Kind.DRAW_OFFERED, after, seat, version)
        case UndoAsked(seat):
            yield _to_other(Kind.UNDO_ASKED, after, seat, version)
        case PauseAsked(seat):
            yield _to_other(Kind.PAUSE_ASKED, after, seat, version)
        case TimeGiven(seat, us):
            yield _to_other(Kind.EXTENDED, after, seat, version, {"us": us})
        case VacationBegan(seat):
            yield _to_other(Kind.AWAY, after, seat, version)
        case VacationEnded(seat):
            yield _to_other(Kind.BACK, after, seat, version)
        case _:
            pass


def _saved(before: Table | None, seat: int, at: int) -> bool:
    """Whether it was in this game that the seat's time was running out: their other games have the day as well."""
    if before is None or before.clock is None or before.awaited_seat != seat:
        return False
    return deadline(before.clock) == at


def _to_other(kind: Kind, table: Table, seat: int, version: int, params: Mapping[str, Any] | None = None) -> Telling:
    return Telling(kind, table.place_of(1 - seat), version, params or {})


# --- reminders --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reminder:
    """A word to who sits at ``place`` at the moment ``at``, when ``percent`` of their time are left.

    ``deadline`` is the moment at which that time would be used up; all are microseconds since the epoch.
    """

    place: int
    percent: int
    at: int
    deadline: int


def clock_changed(before: Table | None, after: Table) -> bool:
    """Whether reminders that wait for their moment are to be made anew: a move, a gift, a pause, the end."""
    return (None if before is None else before.clock) != after.clock


def reminders(table: Table, percents: Sequence[int], now: int) -> Iterator[Reminder]:
    """The reminders that the awaited player's time leads to, if nothing changes; none whose moment has passed."""
    clock, seat = table.clock, table.awaited_seat
    if clock is None or seat is None:
        return
    until = deadline(clock)
    if until is None:
        return
    for percent in percents:
        at = moment_at(clock, Fraction(percent, 100))
        if at is not None and now < at < until:
            yield Reminder(table.place_of(seat), percent, at, until)
