"""What an operator sees of the outbox, and is warned of: what is overdue, and sends that have stopped."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

import structlog
from django.conf import settings
from django.db.models import Count, Min

from config import clock
from games.store.models import Head
from notifications.models import Bounce, Message

log = structlog.get_logger(__name__)

#: Within which sends and games are looked at.
LATELY = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Health:
    """The outbox right now. ``age``: seconds since the oldest message became due, 0 where none is due.

    ``counts`` are the messages by state, kind and channel of the last day; ``sent_lately`` and ``moved_lately`` of the
    last hour; ``last_errors`` the reasons for which most of those that wait were put off.
    """

    age: float
    due: int
    waiting: int
    held: int
    counts: tuple[tuple[str, str, int], ...]
    sent_lately: int
    moved_lately: int
    bouncing: int
    last_errors: tuple[tuple[str, int], ...]

    @property
    def is_late(self) -> bool:
        """Whether messages stay lying."""
        return self.age > settings.CLEW_OUTBOX_WARN

    @property
    def has_stopped(self) -> bool:
        """Whether games move and messages are due, and none goes out."""
        return self.due > 0 and self.is_late and self.moved_lately > 0 and self.sent_lately == 0


def oldest_due_age() -> float:
    """Seconds since the oldest message that is still to be sent was first due."""
    now = clock.now()
    waiting = Message.objects.filter(state=Message.State.WAITING)
    # One that was put off after a failure counts from when it was first due.
    oldest = [
        waiting.filter(due_at__lte=now).aggregate(first=Min("due_at"))["first"],
        waiting.exclude(last_error="").aggregate(first=Min("first_due_at"))["first"],
    ]
    found = [moment for moment in oldest if moment is not None]
    return (now - min(found)).total_seconds() if found else 0.0


def health() -> Health:
    """Look at the outbox."""
    now = clock.now()
    waiting = Message.objects.filter(state=Message.State.WAITING)
    closed = Message.objects.filter(closed_at__gt=now - timedelta(days=1))
    counts = closed.values_list("state", "channel").annotate(count=Count("pk")).order_by("state", "channel")
    errors = waiting.exclude(last_error="").values_list("last_error").annotate(count=Count("pk"))
    return Health(
        age=oldest_due_age(),
        due=waiting.filter(due_at__lte=now).count() + waiting.filter(due_at__gt=now).exclude(last_error="").count(),
        waiting=waiting.count(),
        held=waiting.filter(lease_until__gt=now).count(),
        counts=tuple(counts),
        sent_lately=Message.objects.filter(state=Message.State.SENT, closed_at__gt=now - LATELY).count(),
        moved_lately=Head.objects.filter(last_at__gt=clock.to_us(now - LATELY)).count(),
        bouncing=Bounce.objects.count(),
        last_errors=tuple(errors.order_by("-count")[:5]),
    )


def warn() -> None:
    """Leave a warning in the log where something is wrong; one query where all is well."""
    age = oldest_due_age()
    if age <= settings.CLEW_OUTBOX_WARN:
        return
    found = health()
    if found.has_stopped:
        log.error("nothing is sent though games move", oldest_due_seconds=round(age), due=found.due)
    else:
        log.warning("messages stay lying", oldest_due_seconds=round(age), due=found.due)
