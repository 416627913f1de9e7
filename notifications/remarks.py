"""Telling of the table talk: a burst is one message, and nobody is told of what they have seen.

Of a table's talk at most one message waits for a person by each way. What is said before it goes out joins it; what is
said after comes :data:`APART` later at the soonest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db.models import Q

from config import clock
from games.hearing import unheard_by
from games.store.models import Remark, Seat
from notifications.kinds import Kind
from notifications.models import InboxItem, Message
from notifications.moments import MINUTE
from notifications.outbox import tell

#: Between two messages of one table's talk lies at least so long (microseconds).
APART: Final = 10 * MINUTE
#: So many remarks, the latest, stand in one message.
QUOTED: Final = 10


def announce(remark: Remark) -> None:
    """Tell the others at the table, unless they have quieted it. Call inside the transaction of the remark."""
    others = Seat.objects.filter(game__pk=remark.game, talk_quiet=False).exclude(place=remark.place)
    for seat in others.select_related("user"):
        _announce_to(seat, remark)


def _announce_to(seat: Seat, remark: Remark) -> None:
    told = Message.objects.filter(user=seat.user, game=remark.game, kind=Kind.MESSAGE)
    # Locked: a sender that takes one of them sees what joins it, or has taken it before and is seen to have.
    waiting = told.filter(state=Message.State.WAITING, token__isnull=True).select_for_update()
    joined = set()
    for message in waiting:
        if message.params["last"] <= seat.talk_heard:
            message.delete()  # of what they have seen: this has a quiet spell of its own
            continue
        joined.add((message.channel, message.target))
        message.params = {**message.params, "last": remark.number}
        message.save(update_fields=["params"])
    sent = told.filter(state=Message.State.SENT).order_by("-closed_at").values_list("closed_at", flat=True).first()
    tell(
        seat.user,
        Kind.MESSAGE,
        str(remark.number),
        game=str(remark.game),
        params={"first": _taken_together(seat, remark), "last": remark.number},
        at=remark.at,
        not_before=0 if sent is None else clock.to_us(sent) + APART,
        joined=joined,
    )


def _taken_together(seat: Seat, remark: Remark) -> int:
    """Where the news begins: with what their inbox has of this talk and they haven't read, in whose place it comes."""
    unread = InboxItem.objects.filter(user=seat.user, game=remark.game, kind=Kind.MESSAGE, read_at__isnull=True)
    first = min((params["first"] for params in unread.values_list("params", flat=True)), default=remark.number)
    unread.delete()
    return first


def to_tell(message: Message | InboxItem) -> tuple[tuple[str, ...], int]:
    """What others said that a message is to say: the latest remarks, the oldest first, and how many more.

    Nothing that its reader has seen, or was told by the same way already.
    """
    assert message.user_id is not None
    after = 0
    if isinstance(message, Message):
        sent = Message.objects.filter(
            user=message.user_id, game=message.game, kind=Kind.MESSAGE, state=Message.State.SENT,
            channel=message.channel, target=message.target,
        )  # fmt: skip
        after = max((params["last"] for params in sent.order_by("-id").values_list("params", flat=True)[:1]), default=0)
    found, count = unheard_by(message.user_id, str(message.game), after, message.params["last"], QUOTED)
    return tuple(remark.text for remark in found), count - len(found)


def quoted(items: Sequence[InboxItem]) -> dict[int, tuple[str, ...]]:
    """What others said in the remarks that these items are of, the latest, by the items' ids; two queries.

    Nothing of tables that their reader has quieted.
    """
    items = [item for item in items if item.kind == Kind.MESSAGE]
    if not items:
        return {}
    games, stretches = {str(item.game) for item in items}, Q()
    for item in items:
        last = item.params["last"]
        stretches |= Q(game=item.game, number__range=(max(item.params["first"], last - 2 * QUOTED), last))
    seats = Seat.objects.filter(game__pk__in=games, user__in={item.user_id for item in items}, talk_quiet=False)
    places = {(game, user): place for game, user, place in seats.values_list("game_id", "user_id", "place")}
    said = list(Remark.objects.filter(stretches).order_by("number"))
    return {
        item.pk: tuple(
            remark.text
            for remark in said
            if remark.game == item.game
            and item.params["first"] <= remark.number <= item.params["last"]
            and remark.place != places[item.game, item.user_id]
        )[-QUOTED:]
        for item in items
        if (item.game, item.user_id) in places
    }
