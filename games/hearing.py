"""What was said at a table. Only who sits there hears it, also after the end; for all others there is no such talk.

As in :mod:`games.selectors`, every read takes who asks. Where they don't sit at the table, or it is a patience's, it
raises :class:`NoSuchGame`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q

from accounts.models import User
from accounts.names import NAMED, shown
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
    game_id = canonical_id(game_id)
    seat = Seat.objects.filter(game__pk=game_id, user=user).select_related("game").first()
    if seat is None or seat.game.seats == 1:
        raise NoSuchGame(game_id)
    return seat


def talk(user: User, game_id: str, *, before: int | None = None, after: int | None = None, most: int = MOST) -> Talk:
    """The latest remarks, those before one of a number, or the first ones after it. At most four queries."""
    seat = seat_of(user, game_id)
    sitters = Seat.objects.filter(game__pk=seat.game_id).order_by("place").values_list("place", *NAMED)
    names = {place: (shown(name, is_bot), name, is_bot) for place, name, is_bot in sitters}
    said = Remark.objects.filter(game=seat.game_id)
    last = 0 if seat.talk_quiet else said.order_by("-number").values_list("number", flat=True).first() or 0
    rows: Sequence[Remark] = ()
    if last and after is not None:
        rows = list(said.filter(number__gt=after).order_by("number")[:most])
    elif last:
        rows = (said if before is None else said.filter(number__lt=before)).order_by("-number")[:most][::-1]
    return Talk(
        game=str(seat.game_id),
        place=seat.place,
        others=tuple(name for place, (name, _, _) in names.items() if place != seat.place),
        remarks=tuple(
            Heard(
                row.number, row.place, *names[row.place], row.place == seat.place, row.text, row.at,
                row.place != seat.place and row.number > seat.talk_heard,
            )
            for row in rows
        ),
        last=last,
        quiet=seat.talk_quiet,
        earlier=bool(rows) and rows[0].number > 1,
        later=bool(rows) and rows[-1].number < last,
    )  # fmt: skip


def unheard() -> ExpressionWrapper:
    """For a query of seats: whether somebody else said something there that its player wants to see, and hasn't."""
    later = Remark.objects.filter(game=OuterRef("game_id"), number__gt=OuterRef("talk_heard"))
    by_others = Exists(later.exclude(place=OuterRef("place")))
    return ExpressionWrapper(Q(talk_quiet=False) & Q(by_others), output_field=BooleanField())


def latest_unheard(user_id: int, game_id: str, most: int) -> tuple[list[Remark], int]:
    """The latest remarks of others that a player hasn't seen, the oldest first, and how many there are in all."""
    seat = Seat.objects.filter(game__pk=game_id, user=user_id, talk_quiet=False).first()
    if seat is None:
        return [], 0
    found = Remark.objects.filter(game=game_id, number__gt=seat.talk_heard).exclude(place=seat.place)
    return list(found.order_by("-number")[:most])[::-1], found.count()
