"""The clocks of a table, in words for everybody who looks at it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from config import clock
from games.pages.times import Urgency, duration, urgency
from games.table.terms import DAY, HOUR, MINUTE, ClockTerms, PerMove
from games.viewing import Sight


@dataclass(frozen=True, slots=True)
class SeatTime:
    """A seat's time: what is left of it in words, until when (None: it doesn't pass), how soon that is, and why not."""

    left: str
    until: int | None
    tag: Urgency
    still: str


def seat_times(sight: Sight) -> dict[int, SeatTime]:
    """The time of every seat of a running game; empty where none is kept."""
    shown = sight.table["time"]["clock"]
    if shown is None or sight.status != "running":
        return {}
    return {seat: _seat_time(sight, shown, seat, left) for seat, left in enumerate(shown["left"])}


def _seat_time(sight: Sight, shown: dict[str, Any], seat: int, left: int) -> SeatTime:
    until = shown["deadline"] if shown["ticking"] == seat else None
    if until is not None:
        tag = urgency(until, clock.now_us(), shown["terms"])
        return SeatTime(_("Time is up") if tag == "late" else _left(left), until, tag, "")
    still = ""
    if shown["running"] == seat:
        still = _("The clock is paused.") if shown["paused"] else _("The clock stands still.")
    words = _left(left) if shown["running"] == seat else _("%(time)s for the next move") % {"time": duration(left)}
    return SeatTime(words, None, "", still)


def _left(left: int) -> str:
    return _("%(time)s left") % {"time": duration(left)}


def agreements_context(sight: Sight, names: dict[int, str]) -> dict[str, Any]:
    """What stands between the two players: asked by whom (``"mine"``, ``"theirs"``), and what the reader may do.

    ``gifts`` are the times that can be given, in minutes and in words. Empty for who doesn't play.
    """
    if sight.seat is None or sight.alone or sight.status != "running":
        return {}
    time = sight.table["time"]

    def by(seat: int | None) -> str:
        return "" if seat is None else "mine" if seat == sight.seat else "theirs"

    return {
        "opponent": next(name for seat, name in names.items() if seat != sight.seat),
        "draw": by(time["draw_offered"]),
        "pause": by(time["pause_asked"]),
        "may": time["may"],
        "gifts": [(us // MINUTE, duration(us)) for us in _gifts(sight)],
    }


def _gifts(sight: Sight) -> tuple[int, ...]:
    pace = ClockTerms.from_json(sight.clock).pace if sight.clock is not None else None
    whole = pace.time if isinstance(pace, PerMove) else pace.start if pace is not None else 0
    return (DAY, 3 * DAY) if whole >= DAY else (5 * MINUTE, HOUR)


def passed(deadline: int | None) -> str:
    """What the words of a clock follow from, coarsely: whoever polls a table hears when they have changed."""
    if deadline is None:
        return "-"
    left = deadline - clock.now_us()
    if left <= 0:
        return "late"
    return f"{left // HOUR}h" if left > DAY else f"{left // (10 * MINUTE)}"
