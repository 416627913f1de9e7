"""What Celery wakes. Nothing true lives in the queue: each task looks at the database for what there is to do."""

from __future__ import annotations

from celery import shared_task

from config import clock
from notifications import outbox, sender, watching
from notifications.outbox import SEND_DUE


@shared_task(name=SEND_DUE)
def send_due() -> None:
    """Send what is due: woken after a commit."""
    sender.send_due()


@shared_task(name="notifications.tasks.sweep")
def sweep() -> None:
    """Send what is due: woken by the clock, whatever became of the hints."""
    outbox.announce_vacation_ends(clock.now_us())
    sender.send_due()
    watching.warn()
