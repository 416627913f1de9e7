"""A table as a value, and ``evolve``: the fold that makes it from its events."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Any, Literal

from games.engine import get_rules
from games.engine.contract import Awaits, Deal, Play, Rules, Step
from games.table.events import Dealt, Ended, Event, Moved, SaltBy, SatDown, Started, TableOpened

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
    #: The stream version and time of the event since which the present seat (or nobody) has been awaited.
    awaited_since: int = 0
    awaited_at: int = 0
    ended: Ended | None = None

    @property
    def rules(self) -> Rules[Any]:
        return get_rules(self.opened.rules, self.opened.rules_version)

    @property
    def awaits(self) -> Awaits:
        """``"deal"``, the seat to move, or None (not started, or over)."""
        return self.rules.awaits(self.state) if self.status == "running" else None

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
    awaits = table.rules.awaits(after_state) if after_status == "running" else None
    if awaits != table.awaits or after_status != table.status:
        changes.update(awaited_since=stamped.version, awaited_at=stamped.at)
    # One copy an event: folding is what every request does.
    return replace(table, version=stamped.version, last_at=stamped.at, **changes)


@singledispatch
def _changes(event: Event, table: Table, stamped: Stamped) -> dict[str, Any]:
    """The table's fields that an event changes; a type that has no case of its own changes nothing but the version."""
    return {}


@_changes.register
def _(event: SatDown, table: Table, stamped: Stamped) -> dict[str, Any]:
    return {"salts": (*table.salts, Salt(event.salt, event.salt_by))}


@_changes.register
def _(event: Started, table: Table, stamped: Stamped) -> dict[str, Any]:
    return {"status": "running", "seating": event.seating, "state": table.rules.start(table.opened.options)}


@_changes.register
def _(event: Dealt, table: Table, stamped: Stamped) -> dict[str, Any]:
    state = table.rules.deal(table.state, event.packs)
    longer = _lengthened(table, stamped, Deal(event.packs), revealed=True)
    return {"state": state, "rounds": event.round_no, **longer}


@_changes.register
def _(event: Moved, table: Table, stamped: Stamped) -> dict[str, Any]:
    state, revealed = table.rules.play(table.state, event.move)
    return {"state": state, **_lengthened(table, stamped, Play(event.seat, event.move), revealed, event.automatic)}


@_changes.register
def _(event: Ended, table: Table, stamped: Stamped) -> dict[str, Any]:
    return {"status": "ended", "ended": event}


def _lengthened(table: Table, stamped: Stamped, step: Step, revealed: bool, automatic: bool = False) -> dict[str, Any]:
    number = table.step + 1
    line_step = LineStep(number, stamped.version, stamped.at, step, revealed, automatic)
    return {"step": number, "line": (*table.line, line_step)}
