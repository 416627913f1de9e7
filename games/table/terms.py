"""What time a table allows: the terms of its clock, the site's choices, and the check of somebody's wish.

All times are whole microseconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Self

from games.engine.contract import Refusal, gettext_noop

SECOND: Final = 1_000_000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR


class BadTerms(Refusal):
    """These aren't terms that a table may have."""


@dataclass(frozen=True, slots=True)
class PerMove:
    """Every turn has ``time`` of its own; what isn't used is gone."""

    time: int


@dataclass(frozen=True, slots=True)
class Bank:
    """A seat has ``start`` for the whole game, and ``increment`` more after each move, up to ``cap``."""

    start: int
    increment: int
    cap: int


type Pace = PerMove | Bank


@dataclass(frozen=True, slots=True)
class ClockTerms:
    """What a table agreed on. A table without a clock has None in the place of terms.

    ``weekends_off``: no time passes on Saturdays and Sundays of the awaited player's own zone. ``vacation``: none
    passes while they are on vacation.
    """

    pace: Pace
    weekends_off: bool = False
    vacation: bool = True

    def to_json(self) -> dict[str, Any]:
        """Flat: ``kind`` is ``move`` (with ``per_move``) or ``bank`` (with ``start``, ``increment``, ``cap``)."""
        match self.pace:
            case PerMove(time):
                pace: dict[str, Any] = {"kind": "move", "per_move": time}
            case Bank():
                pace = {"kind": "bank", **asdict(self.pace)}
        return {**pace, "weekends_off": self.weekends_off, "vacation": self.vacation}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The inverse of :meth:`to_json`, for stored terms, which are trusted even where they are offered no more."""
        pace: Pace
        if data["kind"] == "move":
            pace = PerMove(data["per_move"])
        else:
            pace = Bank(data["start"], data["increment"], data["cap"])
        return cls(pace, data["weekends_off"], data["vacation"])


#: What the site offers to choose from. Quick games may have any other whole number of minutes up to a day, too.
DAYS_PER_MOVE: Final = tuple(PerMove(days * DAY) for days in (1, 2, 3, 5, 7, 14))
QUICK_PER_MOVE: Final = tuple(PerMove(time) for time in (5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 12 * HOUR))
BANKS: Final = (
    Bank(30 * MINUTE, MINUTE, HOUR),
    Bank(3 * DAY, 12 * HOUR, 7 * DAY),
    Bank(10 * DAY, DAY, 20 * DAY),
    Bank(30 * DAY, 0, 30 * DAY),
)
#: A bank may start with and grow to this at most.
MOST_BANK: Final = 90 * DAY

_FLAGS: Final = {"weekends_off": False, "vacation": True}
_PACE_KEYS: Final = {"move": {"per_move"}, "bank": {"start", "increment", "cap"}}


def check_terms(given: object) -> ClockTerms | None:
    """The terms that somebody asks for, as :meth:`ClockTerms.to_json` writes them; None (no clock) for None.

    ``weekends_off`` and ``vacation`` may be left out. ``given`` may be anything. Raises :class:`BadTerms` with
    ``malformed_clock``, ``bad_per_move``, ``bad_bank``.
    """
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise _malformed()
    kind = given.get("kind")
    keys = _PACE_KEYS.get(kind) if isinstance(kind, str) else None
    if keys is None or not keys <= given.keys() <= keys | {"kind", *_FLAGS}:
        raise _malformed()
    flags = {name: given.get(name, default) for name, default in _FLAGS.items()}
    # A bool is an int to Python, but "true" is no number of microseconds.
    if any(type(given[key]) is not int for key in keys) or any(type(flag) is not bool for flag in flags.values()):
        raise _malformed()
    terms = ClockTerms.from_json({**given, **flags})
    _check_pace(terms.pace)
    return terms


def _check_pace(pace: Pace) -> None:
    match pace:
        case PerMove(time):
            quick = MINUTE <= time <= DAY and time % MINUTE == 0
            if not quick and pace not in DAYS_PER_MOVE:
                raise BadTerms(
                    "bad_per_move",
                    gettext_noop("A move has whole minutes up to a day, or 1, 2, 3, 5, 7 or 14 days."),
                )
        case Bank(start, increment, cap):
            whole = start % MINUTE == increment % SECOND == cap % MINUTE == 0
            if not (whole and MINUTE <= start <= cap <= MOST_BANK and 0 <= increment <= cap):
                raise BadTerms(
                    "bad_bank",
                    gettext_noop(
                        "A bank starts with whole minutes and grows by whole seconds a move, to 90 days at most."
                    ),
                )


def _malformed() -> BadTerms:
    return BadTerms("malformed_clock", gettext_noop("The time a table allows isn't told as its page shows."))
