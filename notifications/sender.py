"""Send what is due: claim, check that it is still true and wanted, send, close."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import F, Max
from django.db.models.functions import Coalesce
from django.utils import translation

from accounts.models import User
from config import clock
from notifications import bounces, delivery, presence, truth
from notifications.channels import Failure
from notifications.channels.mail import Post
from notifications.headers import message_id
from notifications.kinds import Kind
from notifications.models import Device, LastVisit, Message
from notifications.moments import after_quiet
from notifications.planning import Wishes, others
from notifications.truth import News
from notifications.wishes import quiet_of, wishes_of

log = structlog.get_logger(__name__)

#: How many rows one look at the outbox finds at most.
BATCH = 50
#: What a closed row keeps nothing of.
_SECRETS_GONE = {"body_text": None, "body_html": None}
_FREE = {"token": None, "lease_until": None}
#: After so long a message that the other side keeps putting off is given up.
GIVEN_UP = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Claim:
    """Messages that go out as one, which this sender holds until its lease runs out."""

    messages: tuple[Message, ...]
    token: uuid.UUID
    #: They may have been sent before as they are: what is sent now has to be the same.
    again: bool = False

    @property
    def message(self) -> Message:
        """The first of them, whose key they are sent under."""
        return self.messages[0]


def send_due(limit: int = 1000) -> int:
    """Send what is due until nothing is, or ``limit`` messages have been handled; how many were."""
    handled = 0
    with Post() as post:
        while handled < limit:
            before = handled
            for due_id in due_ids(min(BATCH, limit - handled)):
                # Each is claimed just before it is sent: the lease of one may not run out while others are being sent.
                if (claim := claim_message(due_id)) is not None:
                    deliver(claim, post)
                    handled += len(claim.messages)
            if handled == before:
                break
    return handled


def due_ids(limit: int) -> list[int]:
    """At most ``limit`` messages that are due and held by nobody, the oldest first."""
    return list(Message.objects.due(clock.now()).order_by("due_at", "id").values_list("id", flat=True)[:limit])


# --- claiming ---------------------------------------------------------------------------------------------------------


def claim_message(message_id: int) -> Claim | None:
    """Take hold of a due message, and of all that are due for the same person by the same way.

    By one conditional update; None if another sender has it.
    """
    now = clock.now()
    row = Message.objects.due(now).filter(pk=message_id).first()
    if row is None:
        return None
    ids = _together(row, now)
    token = uuid.uuid4()
    lease = {"token": token, "lease_until": now + timedelta(seconds=settings.CLEW_LEASE)}
    bundle = {"bundle": F("key")} if len(ids) == 1 and row.bundle is None else {}
    taken = Message.objects.due(now).filter(pk__in=ids).update(attempts=F("attempts") + 1, **lease, **bundle)
    if not taken:
        return None
    held = Message.objects.filter(pk__in=ids) if taken == len(ids) else Message.objects.filter(token=token)
    messages = tuple(held.select_related("user__preferences").order_by("due_at", "id"))
    if not messages:
        return None
    if row.bundle is None and len(ids) > 1:
        key = messages[0].key
        Message.objects.filter(token=token).update(bundle=key)
        for message in messages:
            message.bundle = key
    return Claim(messages, token, again=row.bundle is not None)


def _together(row: Message, now: datetime) -> list[int]:
    """The messages that go out together with one: what may have been sent so already stays as it was."""
    if row.kind == Kind.ACCOUNT or row.user_id is None:
        return [row.pk]
    due = Message.objects.due(now).exclude(kind=Kind.ACCOUNT)
    if row.bundle is not None:
        due = due.filter(bundle=row.bundle)
    else:
        due = due.filter(bundle=None, user=row.user_id, channel=row.channel, target=row.target)
    return list(due.order_by("due_at", "id").values_list("pk", flat=True))


# --- delivering -------------------------------------------------------------------------------------------------------


def deliver(claim: Claim, post: Post | None = None) -> None:
    """Send what is still true of claimed messages, and close them; put them back for later where sending fails."""
    if post is None:
        with Post() as own:
            deliver(claim, own)
        return
    try:
        if claim.message.kind == Kind.ACCOUNT:
            _deliver_account_mail(claim, post)
        else:
            _deliver_news(claim, post)
    except Failure as failure:
        _failed(claim, failure)
    except Exception as error:  # noqa: BLE001 - whatever went wrong, the message stays promised
        _failed(claim, Failure(f"{type(error).__name__}: {error}", ours=True))


def _deliver_account_mail(claim: Claim, post: Post) -> None:
    mail = delivery.account_mail(claim.message, message_id(claim.message.key))
    if mail is None:
        _close(claim, claim.messages, Message.State.DROPPED)
        return
    post.send(mail)
    _close(claim, claim.messages, Message.State.SENT)


def _deliver_news(claim: Claim, post: Post) -> None:
    user = claim.message.user
    assert user is not None
    wanted = _wanted(user, claim.messages)
    with translation.override(user.language):
        true = truth.current(wanted)
    kept = {message.pk for message, _ in true}
    _close(claim, [one for one in claim.messages if one.pk not in kept], Message.State.DROPPED)
    if not true:
        return
    waiting = _put_off(claim, [message for message, _ in true])
    ready = [(message, news) for message, news in true if message.pk not in waiting]
    if not ready:
        return
    news: list[News] = [one for _, one in ready]
    key = claim.message.bundle or claim.message.key
    if claim.message.channel == Message.Channel.MAIL:
        mail = _written(user, news, key)
        if mail is None:
            _close(claim, [message for message, _ in ready], Message.State.DROPPED)
            return
        post.send(mail)
    else:
        delivery.send_elsewhere(claim.message, user, news, key=key)
    _close(claim, [message for message, _ in ready], Message.State.SENT)


def _written(user: User, news: list[News], key: str) -> EmailMessage | None:
    """The mail; a game that can't be told of doesn't hold up what was to be told with it."""
    try:
        return delivery.news_mail(user, news, message_id(key))
    except Exception as error:
        log.exception("a mail could not be written", user=user.pk, games=[one.game for one in news])
        raise Failure(f"{type(error).__name__}: {error}", ours=True, alone=True) from error


def _wanted(user: User, messages: tuple[Message, ...]) -> list[Message]:
    """Those that the person still wants by this way, and that can reach them by it."""
    found = []
    by_game: dict[str | None, Wishes] = {}
    for message in messages:
        game = None if message.game is None else str(message.game)
        if game not in by_game:
            by_game[game] = wishes_of([user], game)[user.pk]
        wishes = by_game[game]
        reachable = message.target in wishes.ways(message.channel)
        wanted = wishes.wants(message.kind, message.channel, game) or message.params.get("instead")
        if reachable and wanted and not _told_once(message, wishes, game):
            found.append(message)
    return found


def _told_once(message: Message, wishes: Wishes, game: str | None) -> bool:
    """Whether somebody who wants one word until they come back has had it."""
    if message.kind != Kind.TURN or wishes.gathers(game) != "once":
        return False
    visit = LastVisit.objects.filter(user=message.user_id).values_list("at", flat=True).first()
    sent = Message.objects.filter(
        user=message.user_id, channel=message.channel, target=message.target, kind=Kind.TURN, state=Message.State.SENT
    )
    return (sent if visit is None else sent.filter(closed_at__gt=visit)).exists()


# --- putting off ------------------------------------------------------------------------------------------------------


def _put_off(claim: Claim, messages: list[Message]) -> set[int]:
    """Put back what had better wait: for a player who has the table before them, or for others that come due soon.

    Never for long: a tab that was left open swallows nothing. In quiet hours everything waits until they are over,
    however late it comes by then.
    """
    over = _quiet_until(claim.message.user)
    if over is not None:
        return _wait(claim, messages, over)
    if settings.CLEW_QUIET_SPELL <= 0 or any(message.attempts > 1 and message.last_error for message in messages):
        return set()
    now = clock.now()
    spell = timedelta(seconds=settings.CLEW_QUIET_SPELL)
    first = min(message.first_due_at or message.due_at for message in messages)
    joint = _joint_due(claim, now, spell)
    if joint is not None and joint <= first + spell:
        return _wait(claim, messages, joint)
    here = presence.at_table(claim.message.user_id or 0, (one.game for one in messages if one.game is not None))
    longest = timedelta(seconds=settings.CLEW_PRESENCE_LONGEST)
    there = [
        one
        for one in messages
        if one.game in here and one.kind != Kind.REMINDER and (one.first_due_at or one.due_at) + longest > now
    ]
    return _wait(claim, there, now + spell)


def _quiet_until(user: User | None) -> datetime | None:
    """When the quiet hours are over that this person has now, whenever the message was planned."""
    quiet = None if user is None else quiet_of(user)
    if user is None or quiet is None:
        return None
    now = clock.now_us()
    over = after_quiet(now, *quiet, user.zone())
    return clock.from_us(over) if over > now else None


def _joint_due(claim: Claim, now: datetime, spell: timedelta) -> datetime | None:
    """When the last of the messages is due that come due for the same way within a spell from now."""
    if any(message.kind == Kind.REMINDER for message in claim.messages):
        return None
    one = claim.message
    soon = Message.objects.filter(
        user=one.user_id, channel=one.channel, target=one.target, state=Message.State.WAITING, token__isnull=True,
        due_at__gt=now, due_at__lte=now + spell, last_error="",
    )  # fmt: skip
    last: datetime | None = soon.exclude(kind__in=(Kind.ACCOUNT, Kind.REMINDER)).aggregate(last=Max("due_at"))["last"]
    return last


def _wait(claim: Claim, messages: list[Message], until: datetime) -> set[int]:
    forgotten = {} if claim.again else {"bundle": None, "last_error": ""}
    for message in messages:
        Message.objects.filter(pk=message.pk, token=claim.token).update(
            due_at=until, first_due_at=message.first_due_at or message.due_at, attempts=F("attempts") - 1,
            **forgotten, **_FREE,
        )  # fmt: skip
    return {message.pk for message in messages}


# --- closing ----------------------------------------------------------------------------------------------------------


def _close(claim: Claim, messages: list[Message] | tuple[Message, ...], state: Message.State, error: str = "") -> None:
    """Close messages, only while they are still this sender's."""
    if messages:
        Message.objects.filter(pk__in=[one.pk for one in messages], token=claim.token).update(
            state=state, closed_at=clock.now(), last_error=error, **_FREE, **_SECRETS_GONE
        )


def _failed(claim: Claim, failure: Failure) -> None:
    """Close for good what was refused for good; put the rest back with a wait that grows."""
    reason = str(failure)[:500]
    message = claim.message
    since = message.first_due_at or message.due_at
    if failure.permanent or (not failure.ours and clock.now() - since > GIVEN_UP):
        log.warning("message refused for good", message=message.key, error=reason)
        _take_over(claim, failure, reason)
        # What was closed or put back before is no longer this sender's, and stays as it is.
        _close(claim, claim.messages, Message.State.FAILED, reason)
        return
    waits = settings.CLEW_RETRY_WAITS
    wait = waits[min(message.attempts, len(waits)) - 1]
    log.warning("message not sent yet", message=message.key, error=reason, retry_in=wait)
    bundle = {} if failure.unsure else {"bundle": F("key") if failure.alone and len(claim.messages) > 1 else None}
    Message.objects.filter(token=claim.token).update(
        first_due_at=Coalesce("first_due_at", "due_at"),
        due_at=clock.now() + timedelta(seconds=wait),
        last_error=reason,
        **_FREE,
        **bundle,
    )


def _take_over(claim: Claim, failure: Failure, reason: str) -> None:
    """Note what is wrong with the way, and have other ways tell what this one couldn't."""
    message, user = claim.message, claim.message.user
    if message.kind == Kind.ACCOUNT or user is None:
        return
    if failure.bounced and user.email:
        bounces.note(user, user.email, reason)
    if failure.gone and message.channel == Message.Channel.PUSH:
        Device.objects.filter(pk=message.target or 0).delete()
    rows: list[Message] = []
    failed = Message.objects.filter(token=claim.token)
    if failure.bounced:  # and what else was to be mailed there
        mails = Message.objects.filter(user=user, channel=message.channel, state=Message.State.WAITING)
        failed = mails.exclude(kind=Kind.ACCOUNT)
    for one in failed:
        game = None if one.game is None else str(one.game)
        user = User.objects.select_related("preferences").get(pk=user.pk)
        for channel, target in others(wishes_of([user], game)[user.pk], one.kind, game, one.channel):
            stem = one.key.rsplit(f"/{one.channel}", 1)[0]
            rows.append(
                Message(
                    key=f"{stem}/{channel}" + ("" if target is None else f"/{target}"), kind=one.kind,
                    channel=channel, target=target, user=user, game=one.game, version=one.version,
                    params={**one.params, "instead": True}, due_at=max(one.due_at, clock.now()),
                )
            )  # fmt: skip
    Message.objects.bulk_create(rows, ignore_conflicts=True)
