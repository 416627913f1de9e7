"""A table as a value, and ``evolve``: the fold that makes it from its events."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Any, Final, Literal

from games.engine import get_rules
from games.engine.contract import Awaits, Deal, Play, Rules, Step
from games.table.clock import Clock
from games.table.events import (
    Dealt,
    DrawDeclined,
    DrawOffered,
    Ended,
    Event,
    HintTaken,
    Moved,
    PauseAnswered,
    PauseAsked,
    Resumed,
    SaltBy,
    SatDown,
    Started,
    TableOpened,
    TimeCredited,
    TimeGiven,
    UndoAnswered,
    UndoAsked,
    Undone,
    VacationBegan,
    VacationEnded,
    ZoneChanged,
)
from games.table.terms import ClockTerms

#: Raised by one whenever the fold's result would differ for stored events; snapshots of another version are ignored.
TABLE_VERSION = 1

type Status = Literal["open", "running", "ended"]


@dataclass(frozen=True, slots=True)
class Salt:
    """What a player added to the shuffle when they sat down."""

    text: str
    by: SaltBy


@dataclass(frozen=True, slots=True)
class LineStep:
    """A deal or move of the line that is being played, with where it stands in the thread.

    ``number`` is the step number after it (deals, moves and undos counted from 1), ``version`` the stream version of
    its event, ``at`` its time in microseconds since the epoch. ``revealed``: hidden cards became visible to anyone,
    so that no undo between players may go back past it.
    """

    number: int
    version: int
    at: int
    step: Step
    revealed: bool
    automatic: bool = False
    #: The rules' state before this step: undoing it costs nothing.
    before: Any = None


@dataclass(frozen=True, slots=True)
class Table:
    """A game at the table after ``version`` events."""

    id: str
    version: int
    step: int
    status: Status
    opened: TableOpened
    opened_at: int
    last_at: int
    salts: tuple[Salt, ...] = ()
    seating: tuple[int, ...] = ()
    state: Any = None
    line: tuple[LineStep, ...] = ()
    rounds: int = 0
    #: The stream version of the event since which the present seat (or nobody) has been awaited.
    awaited_since: int = 0
    #: The moment since which it has been awaited to make its present move, whose time has run since then: a seat that
    #: has moved and is to move again is awaited anew.
    awaited_at: int = 0
    #: What a player has asked to take back and nobody has answered yet.
    undo_asked: UndoAsked | None = None
    undos: int = 0
    hints: int = 0
    #: Steps of a patience that were undone and can be played again, the next one last.
    undone: tuple[LineStep, ...] = ()
    #: The clocks, from the start of a game whose table keeps time; ``zones`` by place, ``away`` the seats on vacation.
    clock: Clock | None = None
    zones: tuple[str, ...] = ()
    away: frozenset[int] = frozenset()
    #: Seats whose offer of a draw, or wish to pause, waits for an answer.
    draw_offered: int | None = None
    pause_asked: int | None = None
    ended: Ended | None = None

    @property
    def rules(self) -> Rules[Any]:
        return get_rules(self.opened.rules, self.opened.rules_version)

    @property
    def awaits(self) -> Awaits:
        """``"deal"``, the seat to move, or None (not started, or over).

        A patience whose rules know no further move still awaits its player, who may undo or give up.
        """
        return _awaits(self.rules, self.status, self.state)

    @property
    def stuck(self) -> bool:
        """Nothing at all is legal in this patience, but it isn't over until its player says so."""
        return self.status == "running" and self.awaits is not None and self.rules.awaits(self.state) is None

    @property
    def awaited_seat(self) -> int | None:
        awaits = self.awaits
        return awaits if isinstance(awaits, int) else None

    def seat_of(self, place: int) -> int | None:
        """The seat of a place, once the game has started."""
        return self.seating[place] if self.seating else None

    def place_of(self, seat: int) -> int:
        """The place of a seat. The game must have started."""
        return self.seating.index(seat)


@dataclass(frozen=True, slots=True)
class Stamped:
    """An event with its version in the thread (from 1) and its time (microseconds since the epoch)."""

    event: Event
    version: int
    at: int


class BrokenThread(ValueError):
    """The events can't be the thread of a game: one is out of place."""


def evolve(table: Table | None, stamped: Stamped, game_id: str) -> Table:
    """The table after one more event. Trusts the event; ``table`` is None before the first."""
    event = stamped.event
    if table is None:
        if not isinstance(event, TableOpened) or stamped.version != 1:
            raise BrokenThread("a thread begins with its table being opened")
        return Table(
            id=game_id,
            version=1,
            step=0,
            status="open",
            opened=event,
            opened_at=stamped.at,
            last_at=stamped.at,
        )
    if stamped.version != table.version + 1 or table.ended is not None:
        raise BrokenThread(f"event {stamped.version} does not follow version {table.version}")
    changes = _changes(event, table, stamped)
    after_status, after_state = changes.get("status", table.status), changes.get("state", table.state)
    awaits = _awaits(table.rules, after_status, after_state)
    if awaits != table.awaits or after_status != table.status:
        changes.update(awaited_since=stamped.version, awaited_at=stamped.at)
    elif "line" in changes:
        changes["awaited_at"] = stamped.at
    clock = changes.get("clock", table.clock)
    if clock is not None:
        changes["clock"] = _turned(clock, event, awaits, stamped.at)
    # One copy an event: folding is what every request does.
    return replace(table, version=stamped.version, last_at=stamped.at, **changes)


def _turned(clock: Clock, event: Event, awaits: Awaits, at: int) -> Clock:
    """The clocks after an event: a move, an undo or the end stops whose runs, and whoever is awaited then starts."""
    if isinstance(event, Moved | Undone | Ended) and clock.running is not None:
        clock = clock.stop(at, moved=isinstance(event, Moved))
    if isinstance(awaits, int) and clock.running is None:
        clock = clock.start(awaits, at)
    return clock


def _awaits(rules: Rules[Any], status: Status, state: Any) -> Awaits:
    if status != "running":
        return None
    awaits = rules.awaits(state)
    if awaits is None and rules.seats == 1:
        result = rules.result(state)
        return 0 if result is None or result["winner"] is None else None
    return awaits


#: What is asked or offered is void once the line moves on.
_VOID: Final = {"undo_asked": None, "draw_offered": None, "pause_asked": None}


@singledispatch
def _changes(event: Event, table: Table, stamped: Stamped) -> dict[str, Any]:
    """The table's fields that an event changes; a type that has no case of its own changes nothing but the version."""
    return {}


@_changes.register
def _(event: SatDown, table: Table, stamped: Stamped) -> dict[str, Any]:
    return {"salts": (*table.salts, Salt(event.salt, event.salt_by)), "zones": (*table.zones, event.zone)}


@_changes.register
def _(event: Started, table: Table, stamped: Stamped) -> dict[str, Any]:
    terms = table.opened.clock
    zones = [table.zones[event.seating.index(seat)] for seat in range(len(event.seating))]
    return {
        "status": "running",
        "seating": event.seating,
        "state": table.rules.start(table.opened.options),
        "clock": None if terms is None else Clock.begin(ClockTerms.from_json(terms), zones, stamped.at),
    }


@_changes.register
def _(event: Dealt, table: Table, stamped: Stamped) -> dict[str, Any]:
    state = table.rules.deal(table.state, event.packs)
    longer = _lengthened(table, stamped, Deal(event.packs), revealed=True)
    return {"state": state, "rounds": event.round_no, **longer}


@_changes.register
def _(event: Moved, table: Table, stamped: Stamped) -> dict[str, Any]:
    state, revealed = table.rules.play(table.state, event.move)
    step = Play(event.seat, event.move)
    undone = table.undone[:-1] if table.undone and table.undone[-1].step == step else ()
    return {"state": state, "undone": undone, **_lengthened(table, stamped, step, revealed, event.automatic)}


@_changes.register
def _(event: Undone, table: Table, stamped: Stamped) -> dict[str, Any]:
    kept = tuple(entry for entry in table.line if entry.number <= event.to_step)
    gone = table.line[len(kept) :]
    return {
        "state": gone[0].before,
        "line": kept,
        "step": table.step + 1,
        "rounds": sum(isinstance(entry.step, Deal) for entry in kept),
        "undos": table.undos + 1,
        **_VOID,
        "undone": (*table.undone, *reversed(gone)) if table.rules.seats == 1 else (),
    }


@_changes.register
def _(event: UndoAsked, table: Table, stamped: Stamped) -> dict[str, Any]:
    return {"undo_asked": event}


@_changes.register
def _(event: UndoAnswered, table: Table, stamped: Stamped) -> dict[str, Any]:
    return {"undo_asked": None}


@_changes.register
def _(event: HintTaken, table: Table, stamped: Stamped) -> dict[str, Any]:
    return {"hints": table.hints + 1}


@_changes.register
def _(event: DrawOffered, table: Table, stamped: Stamped) -> dict[str, Any]:
    return {"draw_offered": event.seat}


@_changes.register
def _(event: DrawDeclined, table: Table, stamped: Stamped) -> dict[str, Any]:
    return {"draw_offered": None}


@_changes.register
def _(event: PauseAsked, table: Table, stamped: Stamped) -> dict[str, Any]:
    return {"pause_asked": event.seat}


@_changes.register
def _(event: PauseAnswered, table: Table, stamped: Stamped) -> dict[str, Any]:
    paused = {"clock": table.clock.pause(True, stamped.at)} if event.granted and table.clock else {}
    return {"pause_asked": None, **paused}


@_changes.register
def _(event: Resumed, table: Table, stamped: Stamped) -> dict[str, Any]:
    return {"clock": table.clock and table.clock.pause(False, stamped.at)}


@_changes.register
def _(event: TimeGiven, table: Table, stamped: Stamped) -> dict[str, Any]:
    return {"clock": table.clock and table.clock.extend(1 - event.seat, event.us, stamped.at)}


@_changes.register
def _(event: TimeCredited, table: Table, stamped: Stamped) -> dict[str, Any]:
    return {"clock": table.clock and table.clock.credit(event.us, stamped.at)}


@_changes.register
def _(event: VacationBegan, table: Table, stamped: Stamped) -> dict[str, Any]:
    return _gone(table, table.away | {event.seat}, event.seat, stamped.at)


@_changes.register
def _(event: VacationEnded, table: Table, stamped: Stamped) -> dict[str, Any]:
    return _gone(table, table.away - {event.seat}, event.seat, stamped.at)


def _gone(table: Table, away: frozenset[int], seat: int, at: int) -> dict[str, Any]:
    return {"away": away, "clock": table.clock and table.clock.vacation(seat, seat in away, at)}


@_changes.register
def _(event: ZoneChanged, table: Table, stamped: Stamped) -> dict[str, Any]:
    return {"clock": table.clock and table.clock.zone(event.seat, event.zone, stamped.at)}


@_changes.register
def _(event: Ended, table: Table, stamped: Stamped) -> dict[str, Any]:
    return {"status": "ended", "ended": event, "undone": (), **_VOID}


def _lengthened(table: Table, stamped: Stamped, step: Step, revealed: bool, automatic: bool = False) -> dict[str, Any]:
    number = table.step + 1
    line_step = LineStep(number, stamped.version, stamped.at, step, revealed, automatic, before=table.state)
    return {"step": number, "line": (*table.line, line_step), **_VOID}
