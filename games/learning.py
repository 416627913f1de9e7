"""What running games have to learn of their players' accounts: vacations, and time zones.

The account's own row is the decision. In its transaction a row of :class:`~games.store.models.Work` is written for
each running game; a worker that the commit wakes, and every sweep, lets the games learn it by an event of their own,
once, bearing the moment at which it was so. A game that begins learns what its players are then.
"""

from __future__ import annotations

from collections.abc import Iterable

import structlog
from celery import current_app

from accounts.models import User, Vacation
from config import clock
from config.hints import hint
from games import outages
from games.acting import TRIES, TooBusy, append_decided
from games.engine.contract import Refusal
from games.store.models import Seat, Work
from games.store.thread import Thread, VersionConflict, load
from games.table.commands import SetAway, SetZone
from games.table.state import Table
from notifications import vacations

log = structlog.get_logger(__name__)

#: The task that wakes a worker for this, by its name.
LEARN = "games.tasks.learn"


def tell_games(
    user_id: int, key: str, kind: Work.Kind, at: int, *, zone: str | None = None, automatic: bool = False
) -> None:
    """Have all running games of a player learn of something that is so since ``at`` (microseconds since the epoch).

    Call it in the transaction of the decision, after that has locked the account's row. ``key`` names the news.
    """
    games = Seat.objects.filter(user=user_id, game__status="running", game__seats__gt=1)
    _write(
        Work(game=game, key=key, user_id=user_id, kind=kind, at=at, zone=zone, automatic=automatic)
        for game in games.values_list("game_id", flat=True)
    )


def tell_new_game(table: Table) -> None:
    """Have a game that begins learn who of its players is away, or lives elsewhere than when they sat down.

    Call it in the transaction in which it begins, once its seats are written. It waits for decisions that are being
    made on these accounts at the same time: they don't see this game yet.
    """
    if table.status != "running" or table.rules.seats == 1:
        return
    places = dict(Seat.objects.filter(game__pk=table.id).values_list("user", "place"))
    users = User.objects.select_for_update(no_key=True).filter(pk__in=places).order_by("pk")
    zones = dict(users.values_list("pk", "time_zone"))
    at = table.last_at
    news = [
        Work(game=table.id, key=f"zone:{user}:begin", user_id=user, kind=Work.Kind.ZONE, at=at, zone=zone)
        for user, zone in zones.items()
        if zone != table.zones[places[user]]
    ]
    away = Vacation.objects.filter(user__in=places, begun=True, ended=False, begins_at__lte=at, ends_at__gt=at)
    news += [
        Work(game=table.id, key=f"vacation:{pk}:begin", user_id=user, kind=Work.Kind.AWAY, at=at)
        for pk, user in away.values_list("pk", "user")
    ]
    _write(news)
    vacations.announce_to_new_game(table.id, places)


def zone_changed(user: User) -> None:
    """Have a player's games learn that they live in another zone from now on. Call it where it is saved, with that."""
    at = clock.now_us()
    tell_games(user.pk, f"zone:{user.pk}:{at}", Work.Kind.ZONE, at, zone=user.time_zone)


def _write(news: Iterable[Work]) -> None:
    rows = Work.objects.bulk_create(list(news), ignore_conflicts=True)
    if rows:
        hint(current_app.tasks[LEARN])


def learn_all(most: int = 500) -> None:
    """Let the games learn what waits for them, those that have waited longest first, ``most`` rows at most."""
    waiting = Work.objects.filter(done=False).order_by("at", "id").values_list("game", flat=True)[:most]
    for game in dict.fromkeys(waiting):
        try:
            learn(str(game))
        except Exception:  # one damaged game may not keep all others from learning
            log.exception("a game could not learn of its players", game=str(game))


def learn(game_id: str) -> int:
    """Let a game learn what waits for it, in order; how many rows were done."""
    rows = list(Work.objects.filter(game=game_id, done=False).order_by("at", "id"))
    if rows:
        outages.settle(game_id, clock.now_us())
    return sum(_learnt(game_id, row) for row in rows)


def _learnt(game_id: str, row: Work) -> bool:
    """Whether the row is done: learnt by the game, or nothing to it any more."""
    for _ in range(TRIES):
        thread = load(game_id)
        if row.key not in thread.commands and thread.table.status == "running":
            try:
                _append(thread, row)
            except VersionConflict:
                continue
            except Refusal as refusal:
                if refusal.code == "time_is_up":
                    return False  # until the game is over, or its clocks are credited
        Work.objects.filter(pk=row.pk).update(done=True)
        return True
    raise TooBusy(game_id)


def _append(thread: Thread, row: Work) -> None:
    table = thread.table
    place = Seat.objects.values_list("place", flat=True).get(game__pk=table.id, user=row.user_id)
    seat = table.seating[place]
    at = row.at
    if row.kind == Work.Kind.ZONE:
        if table.clock is None:
            return  # weekends are nothing to it
        command: SetZone | SetAway = SetZone(seat, row.zone or "UTC")
    elif row.kind == Work.Kind.AWAY:
        command = SetAway(seat, True, row.automatic)
    else:
        others = Vacation.objects.filter(user=row.user_id, begins_at__lte=at, ends_at__gt=at)
        if others.exists():
            return  # one vacation follows the other
        # Clocks that stood still while the service was down go on when it is back.
        at = outages.end_of_outage(at)
        command = SetAway(seat, False)
    append_decided(thread, command, received=at, actor=None, command=row.key)
