"""Until when a table waits for somebody to sit down. Moments and times are microseconds, as everywhere."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings


def lasts() -> int:
    """For how long a table waits."""
    return timedelta(days=settings.CLEW_OPEN_DAYS) // timedelta(microseconds=1)


def expires_at(opened_at: int) -> int:
    """When a table that was opened at a moment is taken away, if nobody has joined it."""
    return opened_at + lasts()
