"""Template tags of the lists and forms around the tables."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

from django import template
from django.utils.timesince import timesince

from config import clock
from games.listing import Listed
from games.pages.terms import seat_to_begin, terms_of
from games.pages.times import duration, urgency

register = template.Library()


@register.simple_tag
def command_id() -> str:
    """A new command id: a form sent twice acts once."""
    return uuid.uuid4().hex


@register.filter
def terms(row: Listed) -> list[str]:
    """What sitting down at a table means, beside playing."""
    return terms_of(row.rules, row.options, quick_pass=row.quick_pass, clock=row.clock) if row.seats > 1 else []


@register.inclusion_tag("games/lobby/time.html")
def time_left(row: Listed) -> dict[str, Any]:
    """How much time whoever is awaited has: a tag that says how soon it is over, or that it stands still."""
    now, deadline = clock.now_us(), row.deadline_at
    return {
        "tag": urgency(deadline, now, row.clock),
        "left": duration(deadline - now) if deadline is not None else "",
        "still": deadline is None and row.clock is not None,
        "awaited_at": row.awaited_at,
    }


@register.filter
def begins(rules: str, opener_seat: str) -> str:
    """Who makes the first move: ``"first"`` (who opened the table), ``"second"`` or ``"random"``."""
    return seat_to_begin(rules, opener_seat)


@register.filter
def elapsed(us: int) -> str:
    """How long something has lasted that began at a stored time (microseconds since the epoch), roughly, in words.

    Empty in the first minute: nobody says that they have waited for 0 minutes.
    """
    since, now = clock.from_us(us), clock.now()
    return timesince(since, now, depth=1) if now - since >= timedelta(minutes=1) else ""
