"""What people, and the sweeps, want of a table: one frozen dataclass a command, and the table's own refusals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.engine.contract import Refusal
from games.table.events import Admits, OpenerSeat, SaltBy


class Refused(Refusal):
    """The table refuses a command; nothing has changed."""


class Stale(Refused):
    """The step that the command was made for has passed."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What is agreed by sitting down: the game, its options, and the table's own rules."""

    rules: str
    options: Mapping[str, Any] = field(default_factory=dict)
    admits: Admits = "anyone"
    opener_seat: OpenerSeat = "random"
    quick_pass: bool = True
    #: The deal's number, where the game has numbered deals and one was chosen.
    number: int | None = None
    #: The terms of the clock as JSON (see ``games.table.terms``), or None: no time is kept.
    clock: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class SitDown:
    """Take the next free place."""

    salt: str
    salt_by: SaltBy
    zone: str = "UTC"
    #: Whether a program sits down.
    bot: bool = False


@dataclass(frozen=True, slots=True)
class Typed:
    """A move in the notation of its game (see ``games.engine.contract.Rules.parse``), read as the table stands."""

    text: str


@dataclass(frozen=True, slots=True)
class PlayMove:
    """Make a move. ``step`` is the step number that the player saw, or None not to be held to it."""

    seat: int
    #: As JSON (anything, until it is checked), or :class:`Typed`.
    move: object
    step: int | None


@dataclass(frozen=True, slots=True)
class PlayMoves:
    """Make moves of a patience one after another, as many as are legal: the first one must be."""

    seat: int
    moves: Sequence[object]
    step: int | None


@dataclass(frozen=True, slots=True)
class Resign:
    """Give the game up, at whatever step it is."""

    seat: int


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back in a patience: to the step of this number, or (None) before the last move."""

    seat: int
    to_step: int | None
    step: int | None


@dataclass(frozen=True, slots=True)
class Redo:
    """Play again the step of a patience that was undone last."""

    seat: int
    step: int | None


@dataclass(frozen=True, slots=True)
class AskUndo:
    """Ask the other player to let one's own last move be taken back."""

    seat: int
    step: int | None


@dataclass(frozen=True, slots=True)
class AnswerUndo:
    """Grant or decline what the other player asked to take back, as the table stood at ``step``."""

    seat: int
    granted: bool
    step: int | None = None


@dataclass(frozen=True, slots=True)
class TakeHint:
    """Have a patience show a sensible move, which is counted."""

    seat: int


@dataclass(frozen=True, slots=True)
class OfferDraw:
    """Offer the other player a draw."""

    seat: int


@dataclass(frozen=True, slots=True)
class AnswerDraw:
    """Take or decline the draw that the other player offers."""

    seat: int
    accepted: bool


@dataclass(frozen=True, slots=True)
class Abort:
    """Call the game off before its second move: nobody has lost."""

    seat: int


@dataclass(frozen=True, slots=True)
class AskPause:
    """Ask the other player to stop the clocks."""

    seat: int


@dataclass(frozen=True, slots=True)
class AnswerPause:
    """Grant or decline the pause that the other player asks for."""

    seat: int
    granted: bool


@dataclass(frozen=True, slots=True)
class Resume:
    """End the pause."""

    seat: int


@dataclass(frozen=True, slots=True)
class GiveTime:
    """Give the opponent so much time (microseconds)."""

    seat: int
    us: int


@dataclass(frozen=True, slots=True)
class SetAway:
    """The seat's player has gone on vacation, or is back (see ``VacationBegan`` for ``automatic``)."""

    seat: int
    away: bool
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class SetZone:
    """The seat's player has moved to another IANA time zone."""

    seat: int
    zone: str


@dataclass(frozen=True, slots=True)
class CreditTime:
    """Give back to whoever is awaited what the service's outage between two moments (microseconds) cost them."""

    since: int
    until: int


@dataclass(frozen=True, slots=True)
class EndOverdue:
    """End the game if its awaited player ran out of time ``grace`` microseconds ago or longer."""

    grace: int


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Take away a table that nobody has joined."""


type Timing = (
    OfferDraw
    | AnswerDraw
    | Abort
    | AskPause
    | AnswerPause
    | Resume
    | GiveTime
    | SetAway
    | SetZone
    | CreditTime
    | EndOverdue
)
type Command = (
    SitDown | PlayMove | PlayMoves | Resign | Undo | Redo | AskUndo | AnswerUndo | TakeHint | Withdraw | Timing
)
