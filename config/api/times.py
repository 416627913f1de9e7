"""Moments and times as the API tells them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def moment(us: int | None) -> str | None:
    """Microseconds since the epoch as ISO 8601 in UTC."""
    if us is None:
        return None
    return (_EPOCH + timedelta(microseconds=us)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def seconds(us: int) -> int:
    """A time as whole seconds, rounded down."""
    return us // 1_000_000
