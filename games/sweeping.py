"""What time brings about with nobody looking: overdue games end, tables that nobody joins are taken away.

Sweeps may run at once and be repeated: whatever they find stands in the database, and each thing is done once. All
moments are microseconds since the epoch.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import structlog
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef

from accounts import vacation
from config import clock
from games import expiry, learning, outages
from games.acting import TRIES, append_decided
from games.engine.contract import Refusal
from games.store.models import ExpiryWarning, Head, Seat
from games.store.thread import VersionConflict, load
from games.table.clock import deadline, overdue
from games.table.commands import EndOverdue, Withdraw
from games.table.state import Table
from notifications import outbox

log = structlog.get_logger(__name__)

#: How many games one sweep credits, ends and takes away at most, so that it is done well before its task is given to
#: another worker. The next sweep goes on.
MOST = 500


def sweep() -> None:
    """All that is due, in this order: clocks are credited before games learn of vacations, and that before any ends."""
    now = clock.now_us()
    outages.beat(now)
    if not outages.credit_all(now, MOST):
        return  # nothing may be ended by a clock that isn't credited yet
    vacation.tell_due(now)
    learning.learn_all(MOST)
    end_overdue(now)
    expire_open(now)


def catch_up(game_id: str, now: int) -> bool:
    """Let a game learn at once what it has yet to learn of its players; whether it learnt anything."""
    people = list(Seat.objects.filter(game__pk=game_id).values_list("user", flat=True))
    vacation.tell_due(now, people)
    return learning.learn(game_id) > 0


# --- overdue games ----------------------------------------------------------------------------------------------------


def end_overdue(now: int, most: int = MOST) -> int:
    """End the games whose time ran out ``CLEW_GRACE`` seconds ago or longer, the earliest first; how many ended.

    A move that was received in time may take that long to be decided.
    """
    due = Head.objects.filter(deadline_at__lte=now - _grace()).order_by("deadline_at", "game")
    return _each(list(due.values_list("game", flat=True)[:most]), lambda game_id: _end(game_id, now))


def _end(game_id: str, now: int) -> bool:
    """End a game that is overdue after all that its players' accounts have decided; whether it was."""
    may_save = True
    for _ in range(TRIES):
        catch_up(game_id, now)
        thread = load(game_id)
        table = thread.table
        if table.clock is None or not overdue(table.clock, now, _grace()):
            return False
        if may_save and _saved(table, now):
            may_save = False
            continue
        try:
            append_decided(thread, EndOverdue(_grace()), received=now, actor=None, command=None)
        except VersionConflict:
            continue
        return True
    return False  # somebody keeps acting: the next sweep looks again


def _saved(table: Table, now: int) -> bool:
    """Whether a vacation, begun by itself if its player wishes that, covers the moment at which time ran out."""
    moment = None if table.clock is None else deadline(table.clock)
    if table.clock is None or table.clock.terms is None or not table.clock.terms.vacation:
        return False
    if moment is None or table.awaited_seat is None:
        return False
    user = Seat.objects.values_list("user", flat=True).get(game__pk=table.id, place=table.place_of(table.awaited_seat))
    return vacation.save_by_vacation(user, moment, now)


def _grace() -> int:
    return round(settings.CLEW_GRACE * 1_000_000)


# --- tables that nobody joins -----------------------------------------------------------------------------------------


def expire_open(now: int, most: int = MOST) -> int:
    """Take away tables that nobody has joined for ``CLEW_OPEN_DAYS`` days; how many were.

    Their owners have a word ``CLEW_OPEN_WARNING_DAYS`` before.
    """
    lasts, warned = expiry.lasts(), timedelta(days=settings.CLEW_OPEN_WARNING_DAYS) // timedelta(microseconds=1)
    waiting = Head.objects.filter(status="open").order_by("opened_at", "game")
    told = ExpiryWarning.objects.filter(game=OuterRef("pk"))
    soon = waiting.filter(~Exists(told), opened_at__lte=now - lasts + warned, opened_at__gt=now - lasts)
    _each(list(soon.values_list("game", flat=True)[:most]), _warn)
    over = waiting.filter(opened_at__lte=now - lasts).values_list("game", flat=True)[:most]
    return _each(list(over), lambda game_id: _take_away(game_id, now))


def _warn(game_id: str) -> bool:
    """Promise the owner a word, once."""
    owner = Seat.objects.values_list("user", flat=True).get(game__pk=game_id, place=0)
    try:
        with transaction.atomic():
            ExpiryWarning.objects.create(game=game_id)
            outbox.announce_expiring(game_id, owner)
    except IntegrityError:
        return False  # another sweep was quicker
    return True


def _take_away(game_id: str, now: int) -> bool:
    for _ in range(TRIES):
        thread = load(game_id)
        try:
            append_decided(thread, Withdraw(), received=now, actor=None, command=None)
        except VersionConflict:
            continue
        except Refusal:
            return False  # somebody sat down after all
        return True
    return False


def _each(games: list[object], do: Callable[[str], bool]) -> int:
    """Do something to each of these games; to how many it was done. One damaged game doesn't stop the others."""
    done = 0
    for game in games:
        try:
            done += do(str(game))
        except Exception:
            log.exception("a sweep could not do its work", game=str(game))
    return done
