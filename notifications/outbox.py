"""Promise to tell: rows written in the transaction of the news."""

from __future__ import annotations

import uuid
from datetime import timedelta

from celery import current_app
from django.conf import settings

from accounts.models import User
from config import clock
from config.hints import hint
from games.store.models import Seat
from games.table.state import Table
from notifications.models import Message
from notifications.policy import Telling, tellings

#: The task that wakes the sender, by its name: who promises to tell knows nothing of how that is done.
SEND_DUE = "notifications.tasks.send_due"


def announce(before: Table | None, after: Table, *, actor: int | None) -> None:
    """Enqueue what follows from an append, and hint a sender awake after the commit. Call inside its transaction."""
    told = list(tellings(before, after, actor))
    if not told:
        return
    people = dict(Seat.objects.filter(game__pk=after.id).values_list("place", "user"))
    due_at = clock.from_us(after.last_at) + timedelta(seconds=settings.CLEW_QUIET_SPELL)
    Message.objects.bulk_create(
        [
            Message(
                key=message_key(telling, after.id, people[telling.place], Message.Channel.MAIL),
                kind=telling.kind,
                channel=Message.Channel.MAIL,
                user_id=people[telling.place],
                game=after.id,
                version=telling.version,
                due_at=due_at,
            )
            for telling in told
        ]
    )
    wake_sender()


def announce_expiring(game_id: str, owner_id: int) -> None:
    """Enqueue a word to the owner of an open table that it will soon be taken away. Call inside a transaction."""
    Message.objects.create(
        key=f"{Message.Kind.EXPIRING}/{game_id}/{owner_id}/{Message.Channel.MAIL}",
        kind=Message.Kind.EXPIRING,
        channel=Message.Channel.MAIL,
        user_id=owner_id,
        game=game_id,
        due_at=clock.now(),
    )
    wake_sender()


def message_key(telling: Telling, game_id: str, user_id: int, channel: str) -> str:
    """What makes two messages the same."""
    return f"{telling.kind}/{game_id}/{telling.version}/{user_id}/{channel}"


def write_account_mail(
    address: str, *, user: User | None, subject: str, text: str, html: str, lasts: timedelta
) -> None:
    """Enqueue a mail about an account, as it is, due at once and of no use after ``lasts``."""
    now = clock.now()
    Message.objects.create(
        key=f"{Message.Kind.ACCOUNT}/{uuid.uuid4()}/{Message.Channel.MAIL}",
        kind=Message.Kind.ACCOUNT,
        channel=Message.Channel.MAIL,
        user=user,
        address=address,
        subject=subject,
        body_text=text,
        body_html=html,
        due_at=now,
        expires_at=now + lasts,
    )
    wake_sender()


def wake_sender() -> None:
    """Have a worker look at the outbox soon after this transaction commits; if it can't be asked, the sweep will."""
    hint(current_app.tasks[SEND_DUE])
