"""Whether what a message says is still so, asked again just before it goes out.

Kind by kind: a turn is true while its player is awaited *since the same event*, whatever else has happened; an offer
until it is answered or void; that the clocks are paused until they run again; that somebody said something at the table
until it was seen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from django.db.models import Q

from accounts.models import Vacation
from accounts.names import NAMED, shown
from config import clock
from games.listing import entry_of
from games.store.models import Event, Head, Invitation, Seat
from games.table.terms import ClockTerms
from notifications import remarks
from notifications.kinds import Kind
from notifications.models import InboxItem, Message


@dataclass(frozen=True, slots=True)
class News:
    """A message that is true, with what it takes to say it. Times are microseconds since the epoch.

    ``others`` are the other players' names by place; ``names`` all players' by seat, once the game has begun; both as
    the language that is active when they are read shows them.
    ``deadline``: until when whoever is awaited may move. ``result``: of ``games.table.view.outcome``.
    """

    kind: str
    params: Mapping[str, Any]
    game: str | None = None
    version: int = 0
    entry: str = ""
    others: tuple[str, ...] = ()
    names: Mapping[int, str] = field(default_factory=dict)
    seat: int | None = None
    awaited: bool = False
    status: str = ""
    deadline: int | None = None
    opened_at: int = 0
    result: Mapping[str, Any] | None = None
    #: What the others said at the table, the oldest first, and how much more there is before it.
    remarks: tuple[str, ...] = ()
    more: int = 0
    #: Whether this table's clocks stand still during vacations; None where no time is kept.
    stands_still: bool | None = None


_LINE_MOVES: Final = ("moved", "dealt", "undone", "ended")
#: The events after which a kind's news is old. With True only those of the same seat as the event that made it.
_OVERTAKEN_BY: Final[dict[str, tuple[tuple[str, ...], bool]]] = {
    Kind.DRAW_OFFERED: ((*_LINE_MOVES, "draw_declined"), False),
    Kind.UNDO_ASKED: ((*_LINE_MOVES, "undo_answered"), False),
    Kind.PAUSE_ASKED: ((*_LINE_MOVES, "pause_answered"), False),
    Kind.PAUSED: (("resumed", "ended"), False),
    Kind.RESUMED: (("pause_answered", "ended"), False),
    Kind.EXTENDED: (("ended",), False),
    Kind.CREDITED: (("ended",), False),
    Kind.SEATED: (("ended",), False),
    Kind.BEGAN: (("ended",), False),
    Kind.AWAY: (("vacation_ended", "ended"), True),
    Kind.AWAY_YOU: (("vacation_ended", "ended"), True),
    Kind.BACK: (("vacation_began", "ended"), True),
}


def news_of(message: Message | InboxItem) -> News | None:
    """What a message is to say, or None where it is no longer true."""
    user = message.user
    if user is None or not user.is_active:
        return None
    if message.kind == Kind.AWAY_ENDS:
        ends = message.params["ends"]
        still = Vacation.objects.filter(pk=message.params["vacation"], ends_at=ends).exists()
        return News(message.kind, message.params) if still and clock.now_us() < ends else None
    news = told(message)
    if news is not None and message.kind == Kind.MESSAGE:
        said, more = remarks.to_tell(message)
        news = replace(news, remarks=said, more=more)
    return news if news is not None and _stands(message, news) else None


def told(message: Message | InboxItem) -> News | None:
    """What a message was to say when it was written, with the game as it is now; None where there is no such game."""
    return told_all([message])[0]


def told_all(messages: Sequence[Message | InboxItem]) -> list[News | None]:
    """What each of these messages was to say, as :func:`told`; their games are read at once."""
    games = {str(message.game) for message in messages if message.game is not None}
    heads = {str(head.game): head for head in Head.objects.filter(game__in=games)} if games else {}
    seats = (
        Seat.objects.filter(game__in=list(heads.values()))
        .order_by("place")
        .values_list("game", "place", "user", *NAMED)
    )
    said = remarks.quoted([item for item in messages if isinstance(item, InboxItem)])
    sitters: dict[str, list[_Sitter]] = defaultdict(list)
    for game, place, user, name, is_bot in seats if heads else ():
        sitters[str(game)].append((place, user, shown(name, is_bot)))
    return [
        News(message.kind, message.params)
        if message.game is None
        else _told_of(message, heads.get(str(message.game)), sitters[str(message.game)], said.get(message.pk, ()))
        for message in messages
    ]


#: Somebody at a table: their place, their id, their name as it is shown.
type _Sitter = tuple[int, int, str]


def _told_of(
    message: Message | InboxItem, head: Head | None, sitters: Sequence[_Sitter], said: tuple[str, ...]
) -> News | None:
    if head is None:
        return None
    own = next((place for place, user, _ in sitters if user == message.user_id), None)
    return News(
        kind=message.kind,
        params=message.params,
        game=str(head.game),
        version=message.version or 0,
        entry=entry_of(head.rules, head.options),
        others=tuple(name for place, _, name in sitters if place != own),
        names={head.seating[place]: name for place, _, name in sitters} if head.seating else {},
        seat=head.seating[own] if head.seating and own is not None else None,
        awaited=own is not None and head.status == "running" and head.awaits_place == own,
        status=head.status,
        deadline=head.deadline_at,
        opened_at=head.opened_at,
        result=head.result,
        remarks=said,
        stands_still=None if head.clock is None else ClockTerms.from_json(head.clock).vacation,
    )


def _stands(message: Message | InboxItem, news: News) -> bool:
    match message.kind:
        case Kind.TURN:
            # Between the deadline and the sweep that ends the game they are awaited, and can't move any more.
            in_time = news.deadline is None or clock.now_us() < news.deadline
            return news.awaited and in_time and _awaited_since(message)
        case Kind.REMINDER:
            same = news.deadline == message.params["deadline"]
            return news.awaited and same and _awaited_since(message) and clock.now_us() < message.params["deadline"]
        case Kind.INVITED:
            kept = Invitation.objects.filter(game__pk=str(message.game), user=message.user_id).exists()
            return kept and news.status == "open"
        case Kind.AWAY_SOON:
            return news.status == "running" and _still_planned(message)
        case Kind.AWAY_OFF:
            return news.status == "running" and _was_announced(message)
        case Kind.EXPIRING:
            return news.status == "open" and clock.now_us() < message.params["at"]
        case Kind.ENDED:
            return news.status == "ended"
        case Kind.MESSAGE:
            return bool(news.remarks)
        case _:
            return not _overtaken(message)


def _still_planned(message: Message | InboxItem) -> bool:
    """Whether the vacation is still to begin, as it was planned when this was written."""
    begins, ends = message.params["begins"], message.params["ends"]
    planned = Vacation.objects.filter(pk=message.params["vacation"], begins_at=begins, ends_at=ends, begun=False)
    return clock.now_us() < begins and planned.exists()


def _was_announced(message: Message | InboxItem) -> bool:
    """Whether the plan that is off now was told by the same way; else there is nothing to take back there."""
    told = Message.objects.filter(user=message.user_id, game=message.game, kind=Kind.AWAY_SOON, state="sent")
    if isinstance(message, Message):
        told = told.filter(channel=message.channel, target=message.target)
    return told.filter(params__vacation=message.params["vacation"]).exists()


def _awaited_since(message: Message | InboxItem) -> bool:
    return Head.objects.filter(game=str(message.game), awaited_since=message.version or 0).exists()


def _overtaken(message: Message | InboxItem) -> bool:
    types, of_seat = _OVERTAKEN_BY[message.kind]
    later = Event.objects.filter(game=str(message.game), version__gt=message.version or 0, type__in=types)
    if message.kind == Kind.RESUMED:  # a pause that was declined stops no clock
        later = later.exclude(type="pause_answered", payload__granted=False)
    if of_seat:
        made = (
            Event.objects.filter(game=str(message.game), version=message.version or 0)
            .values_list("seat", flat=True)
            .first()
        )
        later = later.filter(Q(seat=made) | Q(type="ended"))
    return later.exists()


def current(messages: Iterable[Message]) -> list[tuple[Message, News]]:
    """Those messages that are still true, each game's own kind only once: the latest."""
    found = [(message, news) for message in messages if (news := news_of(message)) is not None]
    turns = {message.game for message, _ in found if message.kind == Kind.TURN}
    # Who reads that it is their turn reads there that the game has begun.
    found = [(message, news) for message, news in found if message.kind != Kind.BEGAN or message.game not in turns]
    latest = {_about(message): message.pk for message, _ in sorted(found, key=lambda one: one[0].pk)}
    return [(message, news) for message, news in found if message.game is None or latest[_about(message)] == message.pk]


def _about(message: Message) -> tuple[Any, ...]:
    """What a message is the latest about: a kind of news of a game, and where that tells of vacations each of them."""
    return message.kind, message.game, message.params.get("vacation")
