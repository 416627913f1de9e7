"""When the service was down, and the time that this took from players: given back, once a game.

Every sweep leaves a heartbeat. Who finds it older than ``CLEW_OUTAGE`` seconds, a sweep or the first move after the
outage, writes the outage down; then all running clocks are credited, before anything else is decided by them.
All moments are microseconds since the epoch.
"""

from __future__ import annotations

from collections.abc import Iterable

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Exists

from games.acting import TRIES, TooBusy, append_decided
from games.engine.contract import Refusal
from games.store.models import Head, Heartbeat, Outage
from games.store.thread import GameNotFound, VersionConflict, load
from games.table.commands import CreditTime

log = structlog.get_logger(__name__)


def beat(now: int) -> None:
    """Leave a heartbeat, and write the outage down where the last one is too old."""
    Heartbeat.objects.bulk_create([Heartbeat(at=now)], ignore_conflicts=True)
    last = Heartbeat.objects.get().at
    if now > last and not _noted(last, now):
        Heartbeat.objects.filter(at=last).update(at=now)


def note(now: int) -> bool:
    """Write an outage down that nobody has found yet; whether clocks wait to be credited, for this or an earlier one.

    One small query where all is well.
    """
    pending = Exists(Outage.objects.filter(done=False))
    found = Heartbeat.objects.annotate(pending=pending).values_list("at", "pending").first()
    if found is None:
        return False  # no sweep has ever been
    last, waiting = found
    return _noted(last, now) or waiting


def _noted(last: int, now: int) -> bool:
    """Whether the heartbeat is so old that the service was down since; of several who find out, one writes it down."""
    if now - last <= settings.CLEW_OUTAGE * 1_000_000:
        return False
    with transaction.atomic():
        if Heartbeat.objects.filter(at=last).update(at=now):
            Outage.objects.create(since=last, until=now)
            log.warning("the service was down", seconds=(now - last) // 1_000_000)
    return True


def credit_all(now: int, most: int) -> bool:
    """Credit the running clocks for every outage, ``most`` games at most; whether none is left."""
    for outage in Outage.objects.filter(done=False).order_by("since"):
        games = Head.objects.filter(deadline_at__gt=outage.since, awaited_at__lt=outage.until).order_by("game")
        if outage.credited_upto is not None:
            games = games.filter(game__gt=outage.credited_upto)
        batch = list(games.values_list("game", flat=True)[:most])
        for game in batch:
            try:
                _credit(str(game), [outage], now)
            except Exception:  # one damaged game may not keep all others from being credited
                log.exception("an outage could not be credited", game=str(game))
        reached = Outage.objects.filter(pk=outage.pk, done=False, credited_upto=outage.credited_upto)
        if len(batch) == most:
            reached.update(credited_upto=batch[-1])
            return False
        reached.update(done=True)
        most -= len(batch)
    return not Outage.objects.filter(done=False).exists()


def settle(game_id: str, now: int) -> None:
    """Credit this game for outages that no sweep has come to yet: before anything is decided by its clock."""
    if note(now):
        deadline = Head.objects.filter(game=game_id).values_list("deadline_at", flat=True).first()
        if deadline is not None:
            pending = Outage.objects.filter(done=False, since__lt=deadline).order_by("since")
            _credit(game_id, pending, now)


def end_of_outage(at: int) -> int:
    """``at`` itself, or where the service was down then, the moment at which it was back."""
    return Outage.objects.filter(since__lt=at, until__gt=at).values_list("until", flat=True).first() or at


def _credit(game_id: str, outages: Iterable[Outage], now: int) -> None:
    """Give a game's awaited player back what these outages took, where they took something."""
    for outage in outages:
        command = f"outage:{outage.since}"
        for _ in range(TRIES):
            try:
                thread = load(game_id)
            except GameNotFound:
                return
            if command in thread.commands:
                break
            credit = CreditTime(outage.since, outage.until)
            try:
                append_decided(thread, credit, received=max(now, outage.until), actor=None, command=command)
            except VersionConflict:
                continue
            except Refusal:
                pass  # nobody lost time, or the game is over
            break
        else:
            raise TooBusy(game_id)
