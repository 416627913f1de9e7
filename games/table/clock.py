"""The clocks of a game: how much time whose turn has left, folded from its events.

One value and a few pure functions, which the decider, pages, mails and the sweep all use, so that the time that is
stored, shown, warned of and ended by is the same. A *moment* (``at``, ``since``) is microseconds since the epoch, a
*time* (``left``, ``bank``) microseconds; all are whole numbers. Nothing here looks at a clock. Where weekends are off
the time-zone database is asked, so that a fold is the same wherever that database is the same.

Every fold first settles what has passed under the old terms and goes on under the new ones: pausing, leaving for a
vacation or moving to another zone never gives or takes a microsecond already spent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from typing import Any, Final, Self

from games.engine.contract import Refusal, gettext_noop
from games.table.terms import DAY, MINUTE, Bank, ClockTerms, PerMove
from games.table.weekends import after, elapsed

#: No seat's time is lifted past this by an opponent's gift.
MOST_TIME: Final = 180 * DAY


class BadGift(Refusal):
    """This much time can't be given."""


@dataclass(frozen=True, slots=True)
class SeatClock:
    """A seat while it isn't awaited, and where its player is.

    ``bank``: the time it has kept; with a time per move only what an opponent gave it ahead, for its next move. 0 while
    its clock runs, for then the time is the clock's ``left``. ``zone``: IANA name. ``away``: its player is on vacation.
    """

    bank: int = 0
    zone: str = "UTC"
    away: bool = False


@dataclass(frozen=True, slots=True)
class Clock:
    """The clocks of all seats after some event.

    ``running``: the seat that is awaited, whether its time passes or stands still. ``left``: what it had left at the
    moment ``since``; less than nothing where it was overdue. ``budget``: what it was given for this turn, of which
    reminders count their fractions. ``paused``: by agreement. ``terms`` None: time is kept for nobody.
    """

    terms: ClockTerms | None
    seats: tuple[SeatClock, ...]
    since: int
    running: int | None = None
    left: int = 0
    budget: int = 0
    paused: bool = False

    @classmethod
    def begin(cls, terms: ClockTerms | None, zones: Sequence[str], at: int) -> Self:
        """The clocks of a game that begins at ``at``: nobody is awaited yet. ``zones[seat]`` is a seat's IANA zone."""
        bank = terms.pace.start if terms is not None and isinstance(terms.pace, Bank) else 0
        return cls(terms, tuple(SeatClock(bank, zone) for zone in zones), since=at)

    # --- folds --------------------------------------------------------------------------------------------------
    # Each takes the moment of its event, which is never before ``since`` (else ValueError).

    def start(self, seat: int, at: int) -> Clock:
        """The seat becomes awaited, with its whole time; so the first move has all of it. Nobody may be awaited."""
        if self.running is not None:
            raise ValueError(f"seat {self.running} is awaited already")
        self._left(at)  # nothing is left of nobody's turn, but it refuses a moment of the past
        time = allowance(self, seat) or 0
        return replace(self, since=at, running=seat, left=time, budget=time, seats=self._banked(seat, 0))

    def stop(self, at: int, *, moved: bool = True) -> Clock:
        """The awaited seat, if any, is awaited no more: it ``moved``, or its turn went otherwise (an undo, the end).

        A bank keeps what is left, nothing where it was overdue, and where the seat moved its increment, which lifts it
        up to the cap; time that a gift had lifted past the cap is kept.
        """
        left = self._left(at)
        if self.running is None:
            return replace(self, since=at)
        kept = 0
        if self.terms is not None and isinstance(self.terms.pace, Bank):
            kept = max(0, left)
            if moved:
                kept = max(kept, min(kept + self.terms.pace.increment, self.terms.pace.cap))
        return replace(self, since=at, running=None, left=0, budget=0, seats=self._banked(self.running, kept))

    def vacation(self, seat: int, on: bool, at: int) -> Clock:
        """The seat's player leaves for a vacation, or is back. Stops their time where the terms allow it."""
        return replace(self, since=at, left=self._left(at), seats=self._seats(seat, away=on))

    def zone(self, seat: int, name: str, at: int) -> Clock:
        """The seat's player has moved to the IANA zone ``name`` (trusted): their weekends from now on are its."""
        return replace(self, since=at, left=self._left(at), seats=self._seats(seat, zone=name))

    def pause(self, on: bool, at: int) -> Clock:
        """The players agreed to pause, or to go on."""
        return replace(self, since=at, left=self._left(at), paused=on)

    def extend(self, seat: int, us: int, at: int) -> Clock:
        """An opponent gives the seat time: for this turn where it is awaited (its budget grows), else for its next."""
        left = self._left(at)
        if self.terms is None:
            return replace(self, since=at)
        if seat == self.running:
            return replace(self, since=at, left=left + us, budget=self.budget + us)
        return replace(self, since=at, left=left, seats=self._banked(seat, self.seats[seat].bank + us))

    def credit(self, us: int, at: int) -> Clock:
        """The service gives back the time that an outage took (see :func:`spent`) to the awaited seat, if any.

        The budget stays: what is given back was in it.
        """
        left = self._left(at)
        if self.terms is None or self.running is None:
            return replace(self, since=at)
        return replace(self, since=at, left=left + us)

    def _left(self, at: int) -> int:
        """What the awaited seat has left when something changes: every fold settles with it."""
        if at < self.since:
            raise ValueError(f"{at} is before {self.since}, when these clocks last changed")
        return self.left - spent(self, self.since, at)

    def _banked(self, seat: int, bank: int) -> tuple[SeatClock, ...]:
        # With a time per move no bank ever changes, and folding is what every request does.
        return self.seats if self.seats[seat].bank == bank else self._seats(seat, bank=bank)

    def _seats(self, seat: int, **changes: Any) -> tuple[SeatClock, ...]:
        return (*self.seats[:seat], replace(self.seats[seat], **changes), *self.seats[seat + 1 :])

    # --- values -------------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """The clocks as JSON, for snapshots."""
        return {
            "terms": self.terms and self.terms.to_json(),
            "seats": [asdict(seat) for seat in self.seats],
            "since": self.since,
            "running": self.running,
            "left": self.left,
            "budget": self.budget,
            "paused": self.paused,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The inverse of :meth:`to_json`."""
        terms = None if data["terms"] is None else ClockTerms.from_json(data["terms"])
        seats = tuple(SeatClock(**seat) for seat in data["seats"])
        return cls(**{**data, "terms": terms, "seats": seats})


def ticking(clock: Clock) -> int | None:
    """The seat whose time passes now, or None: no clock, nobody awaited, paused, or its player is on vacation."""
    if clock.terms is None or clock.running is None or clock.paused:
        return None
    return None if clock.terms.vacation and clock.seats[clock.running].away else clock.running


def spent(clock: Clock, start: int, end: int) -> int:
    """The time that passes on the clock between two moments if nothing changes; nothing before ``since`` counts again.

    Of an outage it is what the awaited seat lost, and so is to be credited.
    """
    seat, start = ticking(clock), max(start, clock.since)
    if seat is None or clock.terms is None or end <= start:
        return 0
    return elapsed(start, end, clock.terms.weekends_off, clock.seats[seat].zone)


def remaining(clock: Clock, at: int) -> int | None:
    """The time that the awaited seat has left at a moment, 0 or less when overdue.

    None: no clock, or nobody awaited.
    """
    if clock.terms is None or clock.running is None:
        return None
    return clock.left - spent(clock, clock.since, at)


def allowance(clock: Clock, seat: int) -> int | None:
    """The time that a seat which isn't awaited would have if it became so. None: no clock."""
    if clock.terms is None:
        return None
    per_move = clock.terms.pace.time if isinstance(clock.terms.pace, PerMove) else 0
    return per_move + clock.seats[seat].bank


def deadline(clock: Clock) -> int | None:
    """The first moment at which the awaited seat's time is used up; ``since`` where it was so already.

    None: no clock, nobody awaited, paused, or on vacation.
    """
    return _moment_before(clock, max(0, clock.left))


def moment_at(clock: Clock, fraction: Fraction) -> int | None:
    """The first moment at which no more than ``fraction`` (0 to 1) of the turn's budget is left.

    None where :func:`deadline` is None, and where less was left before ``since``: that moment has passed.
    """
    return _moment_before(clock, clock.left - clock.budget * fraction.numerator // fraction.denominator)


def _moment_before(clock: Clock, time: int) -> int | None:
    seat = ticking(clock)
    if seat is None or clock.terms is None or time < 0:
        return None
    return after(clock.since, time, clock.terms.weekends_off, clock.seats[seat].zone)


def overdue(clock: Clock, at: int, grace_us: int = 0) -> bool:
    """Whether the deadline was ``grace_us`` (real time) or longer ago. Never where there is no deadline."""
    moment = deadline(clock)
    return moment is not None and at >= moment + grace_us


def check_gift(clock: Clock, seat: int, us: int, at: int) -> None:
    """Raise :class:`BadGift` unless an opponent may give the seat so much time (for :meth:`Clock.extend`)."""
    if clock.terms is None:
        raise BadGift("no_clock", gettext_noop("This table keeps no time."))
    if us < MINUTE or us % MINUTE:
        raise BadGift("bad_gift", gettext_noop("Time is given in whole minutes, and at least one."))
    has = remaining(clock, at) if seat == clock.running else allowance(clock, seat)
    if has is None or has + us > MOST_TIME:
        raise BadGift("too_much_time", gettext_noop("Nobody may have more than 180 days left."))
