"""What waits to be sent is planned anew when its reader's wishes change: another hour, another zone, another way.

What is due already, or may have been sent, stays as it is; whether it is still wanted the sender asks anyway. In which
language it is said follows from the account when it is sent.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings
from django.db.models import F

from accounts.models import User
from config import clock
from games.selectors import access_to, load_table
from games.store.models import Head
from notifications.kinds import Kind
from notifications.models import InboxItem, Message, MessageQuerySet
from notifications.outbox import new_message, reminder_messages, wake_sender
from notifications.planning import Wishes, plan
from notifications.wishes import wishes_everywhere


def replan(user: User) -> None:
    """Plan all that waits for this person by what they want now. Call it in the transaction that saves the wish."""
    user = User.objects.select_related("preferences").get(pk=user.pk)
    wishes = wishes_everywhere(user)
    now = clock.now_us()
    waiting = Message.objects.filter(user=user, state=Message.State.WAITING, token__isnull=True, bundle__isnull=True)
    _replan_reminders(user, wishes, now, waiting)
    news = waiting.filter(last_error="", due_at__gt=clock.from_us(now)).exclude(kind__in=(Kind.ACCOUNT, Kind.REMINDER))
    # What was put off after it was due goes out now; the sender puts it off again where there is still a reason.
    news.filter(first_due_at__isnull=False).update(due_at=clock.from_us(now))
    _replan_news(user, wishes, now, news.filter(first_due_at__isnull=True))
    wake_sender()


def _replan_news(user: User, wishes: Wishes, now: int, waiting: MessageQuerySet) -> None:
    spell = round(settings.CLEW_QUIET_SPELL * 1_000_000)
    rows: dict[str, list[Message]] = {}
    for message in waiting:
        rows.setdefault(message.key.rsplit(f"/{message.channel}", 1)[0], []).append(message)
    told = InboxItem.objects.filter(key__in=[f"{stem}/inbox" for stem in rows]).values_list("key", "at")
    moments = {key.removesuffix("/inbox"): clock.to_us(at) for key, at in told}
    moved, more = [], []
    for stem, messages in rows.items():
        one = messages[0]
        game = None if one.game is None else str(one.game)
        at = max(moments.get(stem, 0), one.params.get("not_before", 0) - spell, now - spell)
        found = {message.key: message for message in messages}
        params = {name: value for name, value in one.params.items() if name != "instead"}
        for planned in plan(wishes, one.kind, game, at, spell):
            anew = new_message(f"{stem}/{planned.channel}", one.kind, planned, user, game, one.version, params)
            if (waits := found.get(anew.key)) is not None:
                waits.due_at, waits.params = anew.due_at, anew.params
                moved.append(waits)
            else:
                more.append(anew)
    Message.objects.bulk_update(moved, ["due_at", "params"])
    Message.objects.bulk_create(more, ignore_conflicts=True)


def _replan_reminders(user: User, wishes: Wishes, now: int, waiting: MessageQuerySet) -> None:
    waiting.filter(kind=Kind.REMINDER, due_at__gt=clock.from_us(now)).delete()
    rows: list[Message] = []
    for game in _awaiting(user):
        table = load_table(access_to(user, game))
        rows += reminder_messages(table, user, wishes, now, again=True)
    Message.objects.bulk_create(rows, ignore_conflicts=True)


def _awaiting(user: User) -> Iterator[str]:
    """The games in which this person's time passes."""
    heads = Head.objects.filter(sitters__user=user, awaits_place=F("sitters__place"), deadline_at__isnull=False)
    yield from map(str, heads.values_list("game", flat=True))
