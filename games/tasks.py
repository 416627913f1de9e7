"""What Celery wakes. Nothing true lives in the queue: each task looks at the database for what there is to do."""

from __future__ import annotations

from celery import shared_task

from games import learning, sweeping


@shared_task(name=learning.LEARN)
def learn() -> None:
    """Let games learn of their players' accounts: woken after a commit."""
    learning.learn_all()


@shared_task(name="games.tasks.sweep")
def sweep() -> None:
    """Do what time brings about: woken by the clock."""
    sweeping.sweep()
