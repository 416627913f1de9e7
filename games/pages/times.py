"""Time in words: how long something takes, what clock a table has, how soon a deadline is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.table.terms import BANKS, DAY, DAYS_PER_MOVE, MINUTE, QUICK_PER_MOVE, Bank, ClockTerms, Pace, PerMove

#: The name of the choice of no clock, and of the one that is chosen at first.
NO_CLOCK: Final = "none"
USUAL_CLOCK: Final = "move-3d"

#: Every pace that is offered, by the name that its form sends.
PACES: Final[dict[str, Pace]] = {
    **{f"move-{pace.time // DAY}d": pace for pace in DAYS_PER_MOVE},
    **{f"move-{pace.time // MINUTE}m": pace for pace in QUICK_PER_MOVE},
    **{f"bank-{pace.start // MINUTE}m": pace for pace in BANKS},
}


def duration(us: int) -> str:
    """A time (microseconds) in its largest unit and the next one, where that is not nothing; at least a minute."""
    minutes = max(1, us // MINUTE)
    days, hours, minutes = minutes // (24 * 60), minutes // 60 % 24, minutes % 60
    parts = [
        ngettext("%(count)d day", "%(count)d days", days) % {"count": days} if days else "",
        ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours} if hours else "",
        ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes} if minutes else "",
    ]
    first = next(n for n, part in enumerate(parts) if part)
    return " ".join(part for part in parts[first : first + 2] if part)


def clock_choices() -> list[tuple[Any, Any]]:
    """What a new table is asked for: names of :data:`PACES` in groups, and :data:`NO_CLOCK`."""
    return [
        (_("Days for each move"), list(_named(DAYS_PER_MOVE))),
        (_("Quick: both at their devices"), list(_named(QUICK_PER_MOVE))),
        (_("Time for the whole game"), list(_named(BANKS))),
        (NO_CLOCK, _("No clock")),
    ]


def _named(paces: tuple[Pace, ...]) -> Iterator[tuple[str, str]]:
    for name, pace in PACES.items():
        if pace in paces:
            yield name, _label(pace)


def _label(pace: Pace) -> str:
    """A pace in a list of choices."""
    match pace:
        case PerMove(time):
            return _("%(time)s a move") % {"time": duration(time)}
        case Bank(start, 0, _cap):
            return _("%(start)s, and no more") % {"start": duration(start)}
        case Bank(start, increment, cap):
            return _("%(start)s, and %(increment)s more after each move, up to %(cap)s") % {
                "start": duration(start),
                "increment": duration(increment),
                "cap": duration(cap),
            }


def clock_text(clock: Mapping[str, Any] | None) -> list[str]:
    """What a table's clock (``ClockTerms.to_json``) means for who sits down there, a sentence each."""
    if clock is None:
        return [_("There is no clock: nobody's time runs out.")]
    terms = ClockTerms.from_json(clock)
    found = [_pace_text(terms.pace)]
    if terms.weekends_off:
        found.append(_("No time passes on Saturdays and Sundays."))
    if not terms.vacation:
        found.append(_("Clocks run on while their player is on vacation."))
    return found


def _pace_text(pace: Pace) -> str:
    match pace:
        case PerMove(time):
            return _("Each move must be made within %(time)s.") % {"time": duration(time)}
        case Bank(start, 0, _cap):
            return _("Each player has %(start)s for the whole game.") % {"start": duration(start)}
        case Bank(start, increment, cap):
            return _(
                "Each player has %(start)s for the whole game, and gets %(increment)s after each move, up to %(cap)s."
            ) % {"start": duration(start), "increment": duration(increment), "cap": duration(cap)}


type Urgency = Literal["", "soon", "late"]


def urgency(deadline: int | None, now: int, clock: Mapping[str, Any] | None) -> Urgency:
    """How soon a deadline is: ``"soon"`` in its last day, or the last quarter of a quicker clock; ``"late"`` after it.

    Moments are microseconds since the epoch; ``clock`` are the table's terms.
    """
    if deadline is None or clock is None:
        return ""
    if now >= deadline:
        return "late"
    pace = ClockTerms.from_json(clock).pace
    whole = pace.time if isinstance(pace, PerMove) else pace.start
    return "soon" if deadline - now <= min(DAY, whole // 4) else ""
