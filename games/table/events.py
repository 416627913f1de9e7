"""The events of a game: what is written down once and for ever.

Each type is a frozen dataclass with a name and a schema number. A stored payload of an older schema is brought up to
date by its type's ``upcast`` (a pure function) on reading; stored rows never change. No floats, no names, no
addresses, no free text: events name places and seats, never people.

A *place* is the order in which people sat down (0 the opener); a *seat* is the number that the rules know. Which
place got which seat is settled when the game starts (:class:`Started`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Final, Literal, Self

from games.engine.contract import Packs

type Payload = Mapping[str, Any]
#: Who may look at a table and sit down at it: ``people`` is everybody but bots, who may look.
type Admits = Literal["anyone", "people", "invited"]
#: What lists a table for everybody to see.
PUBLIC: Final[tuple[Admits, ...]] = ("anyone", "people")
type OpenerSeat = Literal["first", "second", "random"]
type SaltBy = Literal["server", "player"]
#: ``aborted``: called off by ``seat``, or taken away (None); ``lapsed``: its time ran out before both had moved.
type EndedBy = Literal["rules", "resignation", "time", "agreement", "given_up", "aborted", "lapsed"]


class UnknownEvent(LookupError):
    """A stored event has a type or schema that this version of Clew doesn't know."""


class Event:
    """Base of all event types. Subclasses are frozen dataclasses whose fields are JSON values."""

    type: ClassVar[str]
    schema: ClassVar[int] = 1

    @property
    def seat_column(self) -> int | None:
        """The seat whose doing the event is, where it is a seat's."""
        return None

    def payload(self) -> dict[str, Any]:
        """The event's fields as JSON."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]  # subclasses are dataclasses

    @classmethod
    def from_payload(cls, payload: Payload) -> Self:
        """The inverse of :meth:`payload`, for a payload of the present schema."""
        return cls(**payload)

    @classmethod
    def upcast(cls, payload: Payload, schema: int) -> Payload:
        """A payload of an older schema as one of the present schema."""
        raise UnknownEvent(f"{cls.type} has no schema {schema}")


@dataclass(frozen=True, slots=True)
class TableOpened(Event):
    """Somebody opened a table. The first event of every game.

    ``algorithm`` says where the deals come from (see ``games.table.dealer``): from a secret, to which ``commitment``
    (hex SHA-256) binds the server before anyone sits; or from a deal ``number``, in decimal, and then there is no
    secret. ``quick_pass``: a lone ``pass`` is made automatically where the rules leave that to the table. ``clock``:
    the terms of ``games.table.terms``, or None where no time is kept.
    """

    type: ClassVar[str] = "table_opened"
    rules: str
    rules_version: int
    options: Payload
    admits: Admits
    opener_seat: OpenerSeat
    quick_pass: bool
    algorithm: str
    commitment: str | None
    number: str | None = None
    clock: Payload | None = None


@dataclass(frozen=True, slots=True)
class SatDown(Event):
    """Somebody sat down and added a salt to the shuffle; ``salt_by`` says whether their own browser made it.

    ``zone`` is the IANA time zone that they live in: weekends off are theirs.
    """

    type: ClassVar[str] = "sat_down"
    place: int
    salt: str
    salt_by: SaltBy
    zone: str = "UTC"


@dataclass(frozen=True, slots=True)
class Started(Event):
    """Every place is taken: ``seating[place]`` is the seat of that place."""

    type: ClassVar[str] = "started"
    seating: tuple[int, ...]

    @classmethod
    def from_payload(cls, payload: Payload) -> Self:
        return cls(seating=tuple(payload["seating"]))


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    """The shuffled packs of round ``round_no`` (from 1), whole, each with its top card first. Never re-rolled."""

    type: ClassVar[str] = "dealt"
    round_no: int
    packs: Packs

    @classmethod
    def from_payload(cls, payload: Payload) -> Self:
        return cls(round_no=payload["round_no"], packs=tuple(tuple(pack) for pack in payload["packs"]))


class _OfSeat(Event):
    """An event that is a seat's doing."""

    seat: int

    @property
    def seat_column(self) -> int | None:
        return self.seat


@dataclass(frozen=True, slots=True)
class Moved(_OfSeat):
    """A seat's canonical move. ``automatic``: a lone pass that the table made for the seat."""

    type: ClassVar[str] = "moved"
    seat: int
    move: Payload
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class Undone(_OfSeat):
    """The line goes back to the step numbered ``to_step``; the steps after it are played no more (but never erased)."""

    type: ClassVar[str] = "undone"
    seat: int
    to_step: int


@dataclass(frozen=True, slots=True)
class UndoAsked(_OfSeat):
    """A player asks the other to let the line go back to the step numbered ``to_step``. Void once the line moves on."""

    type: ClassVar[str] = "undo_asked"
    seat: int
    to_step: int


@dataclass(frozen=True, slots=True)
class UndoAnswered(_OfSeat):
    """The other player's answer; where it is yes, :class:`Undone` follows in the same append."""

    type: ClassVar[str] = "undo_answered"
    seat: int
    granted: bool


@dataclass(frozen=True, slots=True)
class HintTaken(_OfSeat):
    """A patience player asked for a hint at this step: counted with the result."""

    type: ClassVar[str] = "hint_taken"
    seat: int


@dataclass(frozen=True, slots=True)
class DrawOffered(_OfSeat):
    """A player offers a draw. Void once the line moves on; accepted, the game ends by agreement."""

    type: ClassVar[str] = "draw_offered"
    seat: int


@dataclass(frozen=True, slots=True)
class DrawDeclined(_OfSeat):
    """The other player declines the draw."""

    type: ClassVar[str] = "draw_declined"
    seat: int


@dataclass(frozen=True, slots=True)
class PauseAsked(_OfSeat):
    """A player asks to stop the clocks until one of them wants to go on."""

    type: ClassVar[str] = "pause_asked"
    seat: int


@dataclass(frozen=True, slots=True)
class PauseAnswered(_OfSeat):
    """The other player's answer; granted, the clocks stand still from this moment."""

    type: ClassVar[str] = "pause_answered"
    seat: int
    granted: bool


@dataclass(frozen=True, slots=True)
class Resumed(_OfSeat):
    """A player ends the pause."""

    type: ClassVar[str] = "resumed"
    seat: int


@dataclass(frozen=True, slots=True)
class TimeGiven(_OfSeat):
    """``seat`` gives its opponent so much time (microseconds)."""

    type: ClassVar[str] = "time_given"
    seat: int
    us: int


@dataclass(frozen=True, slots=True)
class TimeCredited(Event):
    """The service was down: so much time (microseconds) is given back to whoever is awaited."""

    type: ClassVar[str] = "time_credited"
    us: int


@dataclass(frozen=True, slots=True)
class VacationBegan(_OfSeat):
    """The seat's player is on vacation from this moment. ``automatic``: begun because their time was running out."""

    type: ClassVar[str] = "vacation_began"
    seat: int
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class VacationEnded(_OfSeat):
    """The seat's player is back from vacation."""

    type: ClassVar[str] = "vacation_ended"
    seat: int


@dataclass(frozen=True, slots=True)
class ZoneChanged(_OfSeat):
    """The seat's player lives in another IANA time zone from this moment."""

    type: ClassVar[str] = "zone_changed"
    seat: int
    zone: str


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The game is over: by its rules, or from outside them by ``seat``. The last event; it reveals the secret (hex)
    where there is one."""

    type: ClassVar[str] = "ended"
    by: EndedBy
    seat: int | None
    secret: str | None

    @property
    def seat_column(self) -> int | None:
        return self.seat


#: Every event type by name. A later type is registered here, and handled in ``evolve``.
EVENT_TYPES: dict[str, type[Event]] = {
    event_type.type: event_type
    for event_type in (
        TableOpened,
        SatDown,
        Started,
        Dealt,
        Moved,
        Undone,
        UndoAsked,
        UndoAnswered,
        HintTaken,
        DrawOffered,
        DrawDeclined,
        PauseAsked,
        PauseAnswered,
        Resumed,
        TimeGiven,
        TimeCredited,
        VacationBegan,
        VacationEnded,
        ZoneChanged,
        Ended,
    )
}


def decode(name: str, schema: int, payload: Payload) -> Event:
    """A stored event as a value. Raises :class:`UnknownEvent`."""
    try:
        event_type = EVENT_TYPES[name]
    except KeyError:
        raise UnknownEvent(f"no event type {name!r}") from None
    if schema > event_type.schema:
        raise UnknownEvent(f"{name} schema {schema} is newer than this version of Clew")
    if schema < event_type.schema:
        payload = event_type.upcast(payload, schema)
    return event_type.from_payload(payload)


def canonical_json(value: Any) -> str:
    """The one JSON text of a value: sorted keys, no spaces, ASCII. Raises ValueError for NaN and infinities."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
