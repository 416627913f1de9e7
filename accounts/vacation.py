"""Vacation: begun, planned and ended by its player, within an allowance of days a year.

Moments are microseconds since the epoch, and the allowance is counted to the microsecond: a day is 24 hours, whenever
it begins, and belongs to the year that it is in the player's own zone. What is planned is set aside from the allowance.
Every decision is made holding the account's row, and games learn it from there (see :mod:`games.learning`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.models import User, Vacation
from config import clock
from games import learning
from games.engine.contract import Refusal, gettext_noop
from games.store.models import Work
from notifications import vacations as announcing

DAY = 24 * 60 * 60 * 1_000_000
#: How far ahead a vacation can be planned.
HORIZON = 365 * DAY


class NoVacation(Refusal):
    """This vacation can't be had; nothing has changed."""


# --- what is asked ----------------------------------------------------------------------------------------------------


def current(user: User, at: int | None = None) -> Vacation | None:
    """The vacation that the player is on, now or at a moment."""
    moment = clock.now_us() if at is None else at
    return user.vacations.filter(begins_at__lte=moment, ends_at__gt=moment).first()


def planned(user: User) -> list[Vacation]:
    """The vacations that are still to begin, in order."""
    return list(user.vacations.filter(begins_at__gt=clock.now_us()).order_by("begins_at"))


def time_left(user: User, at: int | None = None) -> int:
    """The vacation (microseconds) that is left of this year, or of the year of a moment, and not set aside."""
    moment = clock.now_us() if at is None else at
    return max(0, _allowance() - _spent(list(user.vacations.all()), *_year(moment, user.zone())))


def latest_end(taken: Sequence[Vacation], begins_at: int, zone: ZoneInfo) -> int:
    """When a vacation that begins at a moment must be over: the allowance is used up, or the next planned one begins.

    No later than ``begins_at`` where there can be none.
    """
    bounds = [other.begins_at for other in taken if other.begins_at > begins_at]
    moment = begins_at
    for _ in range(2):  # what is left of this year, and where the year turns, of the next
        start, end = _year(moment, zone)
        until = moment + max(0, _allowance() - _spent(taken, start, end))
        moment = min(until, end)
        if until <= end:
            break
    return min([moment, *bounds])


def _spent(taken: Sequence[Vacation], start: int, end: int) -> int:
    return sum(max(0, min(one.ends_at, end) - max(one.begins_at, start)) for one in taken)


def _allowance() -> int:
    return int(settings.CLEW_VACATION_DAYS) * DAY


def _year(moment: int, zone: ZoneInfo) -> tuple[int, int]:
    """The first moment of the year there, and of the next."""
    year = clock.from_us(moment).astimezone(zone).year
    first, following = (clock.to_us(datetime(number, 1, 1, tzinfo=zone)) for number in (year, year + 1))
    return first, following


# --- what is done -----------------------------------------------------------------------------------------------------


def begin(user: User, *, until: int | None = None) -> Vacation:
    """Leave now: until a moment, or until they are back or the allowance is used up.

    Raises :class:`NoVacation`: ``on_vacation``, ``no_vacation_left``, ``bad_end``, ``too_long``.
    """
    now = clock.now_us()
    with _decision(user.pk, now) as account:
        taken = list(account.vacations.all())
        if _covering(taken, now):
            raise NoVacation("on_vacation", gettext_noop("You are on vacation already."))
        ends_at = _checked_end(taken, now, until, account.zone())
        return _begun(account, now, ends_at, until_named=until is not None, automatic=False)


def plan(user: User, begins_at: int, ends_at: int) -> Vacation:
    """Set a vacation aside that is still to begin, and have the opponents told.

    Raises :class:`NoVacation`: ``bad_begin``, ``bad_end``, ``on_vacation``, ``no_vacation_left``, ``too_long``.
    """
    now = clock.now_us()
    with _decision(user.pk, now) as account:
        if not now < begins_at <= now + HORIZON:
            raise NoVacation("bad_begin", gettext_noop("A vacation is planned for some day of the next 365."))
        taken = list(account.vacations.all())
        if _covering(taken, begins_at):
            raise NoVacation("on_vacation", gettext_noop("You are on vacation already."))
        end = _checked_end(taken, begins_at, ends_at, account.zone())
        planned = Vacation.objects.create(user=account, begins_at=begins_at, ends_at=end, until_named=True)
        announcing.announce_planned(planned)
        return planned


def end(user: User) -> Vacation:
    """Be back now. Raises :class:`NoVacation` (``not_on_vacation``)."""
    now = clock.now_us()
    with _decision(user.pk, now) as account:
        present = _covering(list(account.vacations.all()), now)
        if present is None:
            raise NoVacation("not_on_vacation", gettext_noop("You are not on vacation."))
        present.ends_at = now
        present.save(update_fields=["ends_at"])
        _tell_due(account.pk, now)
        present.refresh_from_db()
        return present


def call_off(user: User, vacation_id: int) -> None:
    """Give up a planned vacation. Raises :class:`NoVacation` (``not_planned``) where it isn't one of theirs."""
    now = clock.now_us()
    with _decision(user.pk, now) as account:
        planned = account.vacations.filter(pk=vacation_id, begun=False).first()
        if planned is None:
            raise NoVacation("not_planned", gettext_noop("This vacation has begun, or was never planned."))
        announcing.announce_called_off(planned)
        planned.delete()


def save_by_vacation(user_id: int, at: int, now: int) -> bool:
    """A player's time ran out at ``at``: whether they are on vacation from then, if need be by a day begun by itself.

    That is spent where the player wishes it, a day or what is left of the allowance.
    """
    with _decision(user_id, now) as account:
        taken = list(account.vacations.all())
        if _covering(taken, at):
            return True
        later = next((one for one in taken if one.begins_at > at and one.lasts_until_back), None)
        counted = [one for one in taken if one != later]
        bounds = [at + DAY, *([later.begins_at] if later else [])]
        ends_at = min(latest_end(counted, at, account.zone()), *bounds)
        if not account.auto_vacation or ends_at <= at:
            return False
        if later is not None:  # it lasts as long as the allowance does, of which this is spent
            later.ends_at = max(later.begins_at, later.ends_at - (ends_at - at))
            later.save(update_fields=["ends_at"])
        _begun(account, at, ends_at, until_named=False, automatic=True)
        _tell_due(account.pk, now)
        return True


def tell_due(now: int, users: Sequence[int] | None = None) -> None:
    """Have the games learn of vacations that begin or end by themselves, of all players or of some."""
    due = _due(now) if users is None else _due(now).filter(user__in=users)
    for user_id in sorted(set(due.values_list("user", flat=True))):
        with _decision(user_id, now):
            pass  # what is due is told first of all


@contextmanager
def _decision(user_id: int, now: int) -> Iterator[User]:
    """Hold the account's row in a transaction, once all that is due has been told: rows are in order of time."""
    with transaction.atomic():
        account = User.objects.select_for_update(no_key=True).get(pk=user_id)
        _tell_due(user_id, now)
        yield account


def _due(now: int) -> QuerySet[Vacation]:
    return Vacation.objects.filter(Q(begun=False, begins_at__lte=now) | Q(ended=False, ends_at__lte=now))


def _tell_due(user_id: int, now: int) -> None:
    for vacation in _due(now).filter(user=user_id).order_by("begins_at"):
        if not vacation.begun:
            _tell(vacation, "begin", Work.Kind.AWAY, vacation.begins_at)
        over = vacation.ends_at <= now
        if over:
            _tell(vacation, "end", Work.Kind.BACK, vacation.ends_at)
        vacation.begun, vacation.ended = True, over
        vacation.save(update_fields=["begun", "ended"])


def _begun(account: User, at: int, ends_at: int, *, until_named: bool, automatic: bool) -> Vacation:
    vacation = Vacation.objects.create(
        user=account, begins_at=at, ends_at=ends_at, until_named=until_named, automatic=automatic, begun=True
    )
    _tell(vacation, "begin", Work.Kind.AWAY, at)
    return vacation


def _tell(vacation: Vacation, what: str, kind: Work.Kind, at: int) -> None:
    key = f"vacation:{vacation.pk}:{what}"
    learning.tell_games(vacation.user_id, key, kind, at, automatic=vacation.automatic)


def _covering(taken: Sequence[Vacation], at: int) -> Vacation | None:
    return next((one for one in taken if one.begins_at <= at < one.ends_at), None)


def _checked_end(taken: Sequence[Vacation], begins_at: int, until: int | None, zone: ZoneInfo) -> int:
    last = latest_end(taken, begins_at, zone)
    if last <= begins_at:
        raise NoVacation("no_vacation_left", gettext_noop("No vacation is left for this year."))
    if until is None:
        return last
    if until <= begins_at:
        raise NoVacation("bad_end", gettext_noop("A vacation ends after it begins."))
    if until > last:
        raise NoVacation("too_long", gettext_noop("There is not so much vacation left, or another one begins sooner."))
    return until
