"""Template tags of the lists and forms around the tables."""

from __future__ import annotations

import uuid

from django import template
from django.utils.timesince import timesince

from config import clock
from games.listing import Listed
from games.pages.terms import seat_to_begin, terms_of

register = template.Library()


@register.simple_tag
def command_id() -> str:
    """A new command id: a form sent twice acts once."""
    return uuid.uuid4().hex


@register.filter
def terms(row: Listed) -> list[str]:
    """What sitting down at a table means, beside playing."""
    return terms_of(row.rules, row.options, quick_pass=row.quick_pass, clock=row.clock) if row.seats > 1 else []


@register.filter
def begins(rules: str, opener_seat: str) -> str:
    """Who makes the first move: ``"first"`` (who opened the table), ``"second"`` or ``"random"``."""
    return seat_to_begin(rules, opener_seat)


@register.filter
def elapsed(us: int) -> str:
    """How long something has lasted that began at a stored time (microseconds since the epoch), roughly, in words."""
    return timesince(clock.from_us(us), clock.now(), depth=1)
