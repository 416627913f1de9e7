"""Promise to tell: rows written in the transaction of the news."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q

from accounts.models import User, Vacation
from config import clock
from config.hints import hint
from games.expiry import expires_at
from games.store.models import Head, Seat
from games.table.events import Event
from games.table.state import Table
from notifications.kinds import Kind
from notifications.models import InboxItem, Message
from notifications.moments import DAY
from notifications.planning import Planned, Wishes, plan, plan_reminder
from notifications.policy import Telling, clock_changed, reminders, tellings
from notifications.wishes import wishes_of

#: The task that wakes the sender, by its name: who promises to tell knows nothing of how that is done.
SEND_DUE = "notifications.tasks.send_due"


def announce(before: Table | None, after: Table, *, actor: int | None, events: Sequence[Event] = ()) -> None:
    """Enqueue what follows from an append, and hint a sender awake after the commit. Call inside its transaction."""
    told = list(tellings(before, after, actor, events))
    timed = clock_changed(before, after)
    if not told and not timed:
        return
    seats = Seat.objects.filter(game__pk=after.id).select_related("user__preferences")
    people = {seat.place: seat.user for seat in seats}
    awaited = after.awaited_seat
    concerned = {telling.place for telling in told}
    if timed and awaited is not None:
        concerned.add(after.place_of(awaited))
    wishes = wishes_of((people[place] for place in concerned), after.id)
    rows: list[Message] = []
    for telling in told:
        rows += _messages(telling, after, people[telling.place], wishes[people[telling.place].pk])
    if timed:
        rows += _reminders(before, after, people, wishes)
    InboxItem.objects.bulk_create(_items(told, after, people))
    if rows:
        Message.objects.bulk_create(rows)
        wake_sender()


def _messages(telling: Telling, after: Table, user: User, wishes: Wishes) -> Iterable[Message]:
    spell = round(settings.CLEW_QUIET_SPELL * 1_000_000)
    # An event may bear a moment of the past: a deadline, or when a vacation began that was learnt of after an outage.
    at = max(after.last_at, clock.now_us())
    for planned in plan(wishes, telling.kind, after.id, at, spell):
        key = message_key(telling, after.id, user.pk, planned.channel)
        yield new_message(key, telling.kind, planned, user, after.id, telling.version, telling.params)


def new_message(
    key: str, kind: str, planned: Planned, user: User, game: str | None, version: int | None, params: Mapping[str, Any]
) -> Message:
    """A row of the outbox, still to be written."""
    target = "" if planned.target is None else f"/{planned.target}"
    return Message(
        key=f"{key}{target}",
        kind=kind,
        channel=planned.channel,
        target=planned.target,
        user=user,
        game=game,
        version=version,
        params={**params, "instead": True} if planned.instead else dict(params),
        due_at=clock.from_us(planned.due),
    )


def _items(told: Iterable[Telling], after: Table, people: Mapping[int, User]) -> Iterable[InboxItem]:
    for telling in told:
        user = people[telling.place]
        yield InboxItem(
            key=message_key(telling, after.id, user.pk, "inbox"),
            kind=telling.kind,
            user=user,
            game=after.id,
            version=telling.version,
            params=dict(telling.params),
            at=clock.from_us(after.last_at),
        )


def _reminders(
    before: Table | None, after: Table, people: Mapping[int, User], wishes: Mapping[int, Wishes]
) -> Iterable[Message]:
    """The reminders of the clock as it runs now; those of the clock as it ran before are taken away."""
    if before is not None and before.clock is not None:
        # One that a sender holds, or may have sent, finds out by itself that it is no longer true.
        Message.objects.filter(
            game=after.id, kind=Kind.REMINDER, state=Message.State.WAITING, token__isnull=True, last_error=""
        ).delete()
    seat = after.awaited_seat
    if seat is not None:
        user = people[after.place_of(seat)]
        same_turn = before is not None and before.awaited_since == after.awaited_since
        yield from reminder_messages(after, user, wishes[user.pk], after.last_at, again=same_turn)


def reminder_messages(table: Table, user: User, wishes: Wishes, now: int, *, again: bool) -> Iterable[Message]:
    """The reminders to come of whoever is awaited, as the clock runs at the moment ``now``.

    ``again``: of this turn some may have been sent. Quiet hours bring reminders forward, so that the moment of one
    that was sent may still be to come: it isn't sent twice before the same deadline.
    """
    told = _reminded(table, user) if again else set()
    for reminder in reminders(table, wishes.percents, now):
        params = {"percent": reminder.percent, "deadline": reminder.deadline}
        for planned in plan_reminder(wishes, reminder, table.id, now):
            if (reminder.percent, reminder.deadline, planned.channel, planned.target) not in told:
                key = f"reminder/{table.id}/{table.version}.{reminder.percent}/{user.pk}/{planned.channel}"
                yield new_message(key, Kind.REMINDER, planned, user, table.id, table.awaited_since, params)


def _reminded(table: Table, user: User) -> set[tuple[Any, ...]]:
    """Percent, deadline, channel and target of the reminders of this turn that were sent, or are being sent."""
    rows = Message.objects.filter(user=user, game=table.id, kind=Kind.REMINDER, version=table.awaited_since)
    rows = rows.filter(Q(state=Message.State.SENT) | Q(token__isnull=False) | ~Q(last_error=""))
    return {
        (params["percent"], params["deadline"], channel, target)
        for params, channel, target in rows.values_list("params", "channel", "target")
    }


def message_key(telling: Telling, game_id: str, user_id: int, channel: str) -> str:
    """What makes two messages the same."""
    return f"{telling.kind}/{game_id}/{telling.version}/{user_id}/{channel}"


def tell(
    user: User,
    kind: str,
    name: str,
    *,
    game: str | None = None,
    version: int | None = None,
    params: Mapping[str, Any] | None = None,
    at: int | None = None,
    not_before: int = 0,
    joined: Collection[tuple[str, int | None]] = (),
) -> None:
    """Tell somebody what no append is the news of: an invitation, a vacation's end, a table about to expire.

    ``name`` says which news of its kind and game this is; the same again is told once. ``at``: the moment of the news
    (microseconds since the epoch, now by default); it is in the inbox at once, and sent ``not_before`` that moment.
    ``joined``: the ways (channel and target) by which a message that waits will say it too.
    Call inside the transaction that makes the news.
    """
    at = clock.now_us() if at is None else at
    user = User.objects.select_related("preferences").get(pk=user.pk)
    wishes = wishes_of([user], game)[user.pk]
    spell = round(settings.CLEW_QUIET_SPELL * 1_000_000)
    stem = f"{kind}/{game or '-'}/{name}/{user.pk}"
    held = {"not_before": not_before} if not_before else {}
    rows = [
        new_message(f"{stem}/{planned.channel}", kind, planned, user, game, version, {**(params or {}), **held})
        for planned in plan(wishes, kind, game, max(at, not_before - spell), spell)
        if (planned.channel, planned.target) not in joined
    ]
    item = InboxItem(
        key=f"{stem}/inbox", kind=kind, user=user, game=game, version=version, params=dict(params or {}),
        at=clock.from_us(at),
    )  # fmt: skip
    InboxItem.objects.bulk_create([item], ignore_conflicts=True)
    if rows:
        Message.objects.bulk_create(rows, ignore_conflicts=True)
        wake_sender()


def announce_invited(table: Table, invited: Sequence[User]) -> None:
    """Tell those for whom a seat is kept by name, in the transaction in which the table is opened."""
    for user in invited:
        tell(user, Kind.INVITED, "0", game=table.id, params={"alone": len(invited) == 1}, at=table.opened_at)


def announce_expiring(game_id: str, owner_id: int) -> None:
    """Have a word with the owner of an open table before it is taken away. Call inside a transaction."""
    opened_at = Head.objects.values_list("opened_at", flat=True).get(game=game_id)
    params = {"at": expires_at(opened_at)}
    tell(User.objects.get(pk=owner_id), Kind.EXPIRING, "0", game=str(game_id), params=params)


def announce_vacation_ends(now: int) -> None:
    """Tell everybody whose vacation ends within a day, and was longer than that. Told once, however often asked."""
    soon = Vacation.objects.filter(ended=False, begun=True, ends_at__gt=now, ends_at__lte=now + DAY)
    for vacation in soon.filter(begins_at__lt=F("ends_at") - DAY).select_related("user"):
        name = f"{vacation.pk}.{vacation.ends_at}"
        if not InboxItem.objects.filter(key=f"{Kind.AWAY_ENDS}/-/{name}/{vacation.user_id}/inbox").exists():
            with transaction.atomic():
                params = {"vacation": vacation.pk, "ends": vacation.ends_at}
                tell(vacation.user, Kind.AWAY_ENDS, name, params=params, at=now)


def write_account_mail(
    address: str, *, user: User | None, subject: str, text: str, html: str, lasts: timedelta
) -> None:
    """Enqueue a mail about an account, as it is, due at once and of no use after ``lasts``."""
    now = clock.now()
    Message.objects.create(
        key=f"{Kind.ACCOUNT}/{uuid.uuid4()}/{Message.Channel.MAIL}",
        kind=Kind.ACCOUNT,
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
