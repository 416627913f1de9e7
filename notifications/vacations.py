"""Vacations told to opponents before they begin: when one is planned, when a game begins after that, when it is off.

That a vacation began or ended is an event of each game, and told as such; what is only planned is no event.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from accounts.models import User, Vacation
from games.store.models import Seat
from notifications.kinds import Kind
from notifications.models import InboxItem
from notifications.outbox import tell


def announce_planned(vacation: Vacation) -> None:
    """Tell the opponents in all running games. Call it in the transaction that plans it."""
    for opponent, game in _opponents(vacation.user_id):
        _tell(Kind.AWAY_SOON, vacation, opponent, game)


def announce_to_new_game(game: str, people: Iterable[int]) -> None:
    """Tell each of the people at a game that begins what the others have planned. Call it in that transaction."""
    planned = list(Vacation.objects.filter(user__in=list(people), begun=False).order_by("begins_at"))
    if planned:
        seats = list(Seat.objects.filter(game__pk=game).select_related("user"))
        for vacation in planned:
            for seat in seats:
                if seat.user_id != vacation.user_id:
                    _tell(Kind.AWAY_SOON, vacation, seat.user, game)


def announce_called_off(vacation: Vacation) -> None:
    """Tell those who were told that it is planned. Call it in the transaction that calls it off, before it is deleted.

    Who has it only before them by some channel is told nothing by that: the plan isn't true any more when it is due.
    """
    opponents = {f"{_stem(Kind.AWAY_SOON, vacation, user, game)}/inbox": (user, game) for user, game in
                 _opponents(vacation.user_id)}  # fmt: skip
    for key in InboxItem.objects.filter(key__in=list(opponents)).order_by("id").values_list("key", flat=True):
        _tell(Kind.AWAY_OFF, vacation, *opponents[key])


def _tell(kind: Kind, vacation: Vacation, user: User, game: str) -> None:
    params = {"vacation": vacation.pk, "begins": vacation.begins_at, "ends": vacation.ends_at}
    tell(user, kind, str(vacation.pk), game=game, params=params)


def _stem(kind: Kind, vacation: Vacation, user: User, game: str) -> str:
    return f"{kind}/{game}/{vacation.pk}/{user.pk}"


def _opponents(user_id: int) -> Iterator[tuple[User, str]]:
    """Everybody who plays a running game with this player, once a game."""
    own = Seat.objects.filter(user=user_id, game__status="running", game__seats__gt=1).values("game")
    for seat in Seat.objects.filter(game__in=own).exclude(user=user_id).select_related("user").order_by("game"):
        yield seat.user, str(seat.game_id)
