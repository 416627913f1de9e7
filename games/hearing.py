"""What was said at a table. Only who sits there hears it, also after the end; for all others there is no such talk.

As in :mod:`games.selectors`, every read takes who asks. Where they don't sit at the table, or it is a patience's, it
raises :class:`NoSuchGame`.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet

from accounts.models import User
from accounts.names import shown
from games.selectors import NoSuchGame, canonical_id
from games.store.models import Remark, Seat

#: So many remarks are read at a time.
MOST = 30


@dataclass(frozen=True, slots=True)
class Heard:
    """A remark. ``at``: microseconds since the epoch. ``new``: by another player, and its reader hasn't seen it yet.

    ``name`` is shown to people, a bot's marked as such; ``account`` is the bare one.
    """

    number: int
    place: int
    name: str
    account: str
    is_bot: bool
    you: bool
    text: str
    at: int
    new: bool


@dataclass(frozen=True, slots=True)
class Talk:
    """A stretch of the talk, the oldest remark first. Nothing is in it for a player who has quieted the table.

    ``last`` is the number of the latest remark that there is, 0 where nobody has said anything. ``earlier`` and
    ``later``: whether there is more on either side.
    """

    game: str
    place: int
    others: tuple[str, ...]
    remarks: tuple[Heard, ...]
    last: int
    quiet: bool
    earlier: bool
    later: bool

    @property
    def new(self) -> int:
        """How many of them are new to the reader."""
        return sum(remark.new for remark in self.remarks)

    @property
    def tag(self) -> str:
        """See :func:`tag`."""
        return tag(self.last, quiet=self.quiet)


def tag(last: int | None, *, quiet: bool) -> str:
    """What tells one state of the talk from another for somebody who sits at the table."""
    return "quiet" if quiet else str(last or 0)


def seat_of(user: User, game_id: str) -> Seat:
    """The reader's seat, with its game. Raises :class:`NoSuchGame`."""
    return _seats(user, game_id)[0]


def _seats(user: User, game_id: str) -> tuple[Seat, list[Seat]]:
    """The reader's seat and all seats of the table by place, with their people and the game: one query."""
    game_id = canonical_id(game_id)
    seats = list(Seat.objects.filter(game__pk=game_id).select_related("user", "game").order_by("place"))
    own = next((seat for seat in seats if seat.user_id == user.pk), None)
    if own is None or own.game.seats == 1:
        raise NoSuchGame(game_id)
    return own, seats


def talk(user: User, game_id: str, *, before: int | None = None, after: int | None = None, most: int = MOST) -> Talk:
    """The latest remarks (two queries), or those before one of a number, or the first ones after it (three)."""
    own, seats = _seats(user, game_id)
    names = {seat.place: (shown(seat.user.name, seat.user.is_bot), seat.user.name, seat.user.is_bot) for seat in seats}
    rows, last = ([], 0) if own.talk_quiet else _said(own, before, after, most)
    return Talk(
        game=str(own.game_id),
        place=own.place,
        others=tuple(name for place, (name, _, _) in names.items() if place != own.place),
        remarks=tuple(
            Heard(
                row.number, row.place, *names[row.place], row.place == own.place, row.text, row.at,
                row.place != own.place and row.number > own.talk_heard,
            )
            for row in rows
        ),
        last=last,
        quiet=own.talk_quiet,
        earlier=bool(rows) and rows[0].number > 1,
        later=bool(rows) and rows[-1].number < last,
    )  # fmt: skip


def remarks(user: User, game_id: str) -> tuple[Seat, dict[int, Seat], QuerySet[Remark]]:
    """The reader's seat, all seats by place, and what was said, none of it for who has quieted the table."""
    own, seats = _seats(user, game_id)
    said = Remark.objects.filter(game=own.game_id)
    return own, {seat.place: seat for seat in seats}, said.none() if own.talk_quiet else said


def _said(seat: Seat, before: int | None, after: int | None, most: int) -> tuple[list[Remark], int]:
    """The remarks that were asked for, the oldest first, and the number of the last that there is."""
    said = Remark.objects.filter(game=seat.game_id)
    if before is None and after is None:
        rows = list(said.order_by("-number")[:most])[::-1]
        return rows, rows[-1].number if rows else 0
    if after is not None:
        rows = list(said.filter(number__gt=after).order_by("number")[:most])
    else:
        rows = list(said.filter(number__lt=before).order_by("-number")[:most])[::-1]
    return rows, said.order_by("-number").values_list("number", flat=True).first() or 0


def unheard() -> ExpressionWrapper[Q]:
    """For a query of seats: whether somebody else said something there that its player wants to see, and hasn't."""
    later = Remark.objects.filter(game=OuterRef("game_id"), number__gt=OuterRef("talk_heard"))
    by_others = Exists(later.exclude(place=OuterRef("place")))
    return ExpressionWrapper(Q(talk_quiet=False) & Q(by_others), output_field=BooleanField())


def unheard_by(user_id: int, game_id: str, after: int, upto: int, most: int) -> tuple[list[Remark], int]:
    """What a player hasn't seen of what others said past remark ``after`` and up to ``upto``, unless they want none.

    The latest remarks, the oldest first, and how many there are in all.
    """
    seat = Seat.objects.filter(game__pk=game_id, user=user_id, talk_quiet=False).first()
    if seat is None:
        return [], 0
    numbers = (max(seat.talk_heard, after) + 1, upto)
    found = Remark.objects.filter(game=game_id, number__range=numbers).exclude(place=seat.place)
    return list(found.order_by("-number")[:most])[::-1], found.count()
