"""Telling of the table talk: a burst is one message, and nobody is told of what they have seen."""

from __future__ import annotations

from typing import Final

from config import clock
from games.hearing import latest_unheard
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
    game = str(remark.game)
    others = Seat.objects.filter(game__pk=game, talk_quiet=False).exclude(place=remark.place)
    for seat in others.select_related("user"):
        last = (
            Message.objects.filter(user=seat.user, game=game, kind=Kind.MESSAGE, state=Message.State.SENT)
            .order_by("-id")
            .values_list("closed_at", flat=True)
            .first()
        )
        tell(
            seat.user,
            Kind.MESSAGE,
            str(remark.number),
            game=game,
            params={"first": _taken_together(seat, remark), "last": remark.number},
            at=remark.at,
            not_before=0 if last is None else clock.to_us(last) + APART,
        )


def _taken_together(seat: Seat, remark: Remark) -> int:
    """Where the news begins: with what their inbox has of this talk and they haven't read, in whose place it comes."""
    unread = InboxItem.objects.filter(user=seat.user, game=remark.game, kind=Kind.MESSAGE, read_at__isnull=True)
    first = min((params["first"] for params in unread.values_list("params", flat=True)), default=remark.number)
    unread.delete()
    return first


def unseen(user_id: int, game: str) -> tuple[tuple[str, ...], int]:
    """What others said that the player hasn't seen: the latest remarks, the oldest first, and how many more."""
    found, count = latest_unheard(user_id, game, QUOTED)
    return tuple(remark.text for remark in found), count - len(found)


def between(user_id: int, game: str, first: int, last: int) -> tuple[tuple[str, ...], int]:
    """What others said in remarks of these numbers, as :func:`unseen`; nothing for who has quieted the table."""
    seat = Seat.objects.filter(game__pk=game, user=user_id, talk_quiet=False).first()
    if seat is None:
        return (), 0
    found = Remark.objects.filter(game=game, number__range=(first, last)).exclude(place=seat.place)
    texts = list(found.order_by("-number").values_list("text", flat=True)[: QUOTED + 1])
    return tuple(texts[:QUOTED][::-1]), max(0, found.count() - QUOTED) if len(texts) > QUOTED else 0
