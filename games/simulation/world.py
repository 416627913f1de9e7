"""People who play by their own habits while the mail server, the broker or the whole site is away for a while.

Everything goes through the services and sweeps of the site itself; only the clock is stopped and moved on, and the
mail server stands in (:class:`MailServer`). A run is the same whenever its seed is.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, ClassVar, Final
from zoneinfo import ZoneInfo

from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.test import override_settings

from accounts import vacation
from accounts.models import User
from config import clock
from games import agreeing, learning, services, sweeping
from games.engine.contract import Refusal
from games.store.models import Head, Seat
from games.store.thread import load
from games.table.commands import Terms
from games.table.state import Table
from games.table.terms import DAY, HOUR
from notifications import outbox, presence, sender, wishes
from notifications.models import GamePreference

ZONES: Final = ("Europe/Berlin", "America/New_York", "Asia/Seoul", "Pacific/Auckland", "America/Santiago", "UTC")
#: Both changes of the clocks in the north fall into 60 days from here on, and one in the south.
BEGINS: Final = datetime(2027, 3, 1, tzinfo=UTC)
MINUTES: Final = 60_000_000
#: What is played, in turn.
GAMES: Final = ("conquian", "conquian", "kathmandu", "conquian", "ariadne")


@dataclass(frozen=True, slots=True)
class Plan:
    """How large a run is, and when what is away: hours since its beginning, from and until."""

    players: int = 200
    games: int = 1000
    days: int = 60
    step_minutes: int = 10
    seed: int = 1
    mail_down: tuple[float, float] = (100.0, 110.0)
    redis_down: tuple[float, float] = (300.0, 302.0)
    site_down: tuple[float, float] = (500.0, 530.0)


@dataclass(slots=True)
class Run:
    """A run that is going on or over. ``visits`` are moments by user id, ``mails`` their Message-IDs and moments.

    ``zones``: by user id since when they have been in which time zone, in order.
    """

    plan: Plan
    players: list[User] = field(default_factory=list)
    games: list[str] = field(default_factory=list)
    visits: dict[int, list[int]] = field(default_factory=dict)
    mails: list[tuple[str, int]] = field(default_factory=list)
    zones: dict[int, list[tuple[int, str]]] = field(default_factory=dict)

    def zones_within(self, user: int, begins: int, ends: int) -> set[ZoneInfo]:
        """The time zones in which somebody was at some moment between these two, both included."""
        since = [at for at, _ in self.zones[user]]
        first = max(bisect_right(since, begins) - 1, 0)
        return {ZoneInfo(zone) for _, zone in self.zones[user][first : bisect_right(since, ends)]}

    def is_down(self, what: tuple[float, float], at: int) -> bool:
        begins = clock.to_us(BEGINS)
        return begins + what[0] * HOUR <= at < begins + what[1] * HOUR


class MailServer(BaseEmailBackend):
    """Takes every mail, unless it is away."""

    run: ClassVar[Run | None] = None

    def open(self) -> bool:
        assert self.run is not None
        if self.run.is_down(self.run.plan.mail_down, clock.now_us()):
            raise ConnectionRefusedError("the mail server is away")
        return True

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        assert self.run is not None
        self.run.mails += [(str(mail.extra_headers["Message-ID"]), clock.now_us()) for mail in email_messages]
        return len(email_messages)


@contextmanager
def _surroundings(run: Run) -> Iterator[clock.FrozenClock]:
    step = run.plan.step_minutes * 60
    MailServer.run = run
    settings = override_settings(
        MAILERS={"default": {"BACKEND": f"{__name__}.MailServer", "OPTIONS": {}}},
        CLEW_OUTAGE=4.0 * step,
        CLEW_QUIET_SPELL=60.0,
        CLEW_RETRY_WAITS=[60, 300, 1800, 3600],
    )
    presence.memory.clear()
    with settings, clock.frozen(BEGINS) as now:
        yield now


def simulate(plan: Plan) -> Run:
    """Play it all. Needs a migrated, empty database."""
    run, rng = Run(plan), random.Random(plan.seed)
    with _surroundings(run) as now:
        sweeping.sweep()
        _people(run, rng)
        begins = clock.to_us(BEGINS)
        ends = begins + plan.days * DAY
        # Tables are opened all along, but for the last quarter: whatever happens to the site happens to games that run.
        opened = sorted(begins + rng.randrange(plan.days * DAY * 3 // 4) for _ in range(plan.games))
        while now.us < ends:
            if not run.is_down(plan.site_down, now.us):
                while len(run.games) < plan.games and opened[len(run.games)] <= now.us:
                    _open(run, len(run.games), rng)
                _step(run, rng)
            now.advance(minutes=plan.step_minutes)
    return run


def _people(run: Run, rng: random.Random) -> None:
    for number in range(run.plan.players):
        user = User.objects.create_user(
            f"player-{number}", f"player-{number}@example.invalid", time_zone=rng.choice(ZONES),
            auto_vacation=rng.random() < 0.3,
        )  # fmt: skip
        run.players.append(user)
        run.visits[user.pk] = []
        run.zones[user.pk] = [(clock.now_us(), user.time_zone)]
        if rng.random() < 0.7:
            row = wishes.of(user)
            row.delivery = rng.choice(["immediate", "immediate", "every", "daily", "once"])
            row.reminders = rng.choice([[10], [50, 10], []])
            if rng.random() < 0.4:
                row.quiet_from, row.quiet_until = 22 * 60, 7 * 60
            if rng.random() < 0.3:
                row.switched = {"clock/mail": True, "vacation/mail": True}
            row.save()


def _open(run: Run, number: int, rng: random.Random) -> None:
    """One more game: most are short, some take weeks."""
    first, second = rng.sample(run.players, 2)
    pace: dict[str, Any] = {"kind": "move", "per_move": rng.choice([1, 2, 3, 5]) * DAY}
    if number % 4 == 0:
        pace = {"kind": "bank", "start": 3 * DAY, "increment": 12 * HOUR, "cap": 7 * DAY}
    clocked = {**pace, "weekends_off": rng.random() < 0.3, "vacation": rng.random() < 0.8}
    rules = GAMES[number % len(GAMES)]
    table = services.open_game(first, Terms(rules, clock=clocked), command=f"game-{run.plan.seed}-{number}").table
    services.sit_down(second, table.id)
    run.games.append(table.id)
    if rng.random() < 0.05:
        wishes.of(first)
        GamePreference.objects.create(user=first, game=table.id, muted=True)


def _step(run: Run, rng: random.Random) -> None:
    """What people do in a step, then what the site does by itself."""
    at = clock.now_us()
    for user in run.players:
        hour = clock.from_us(at).astimezone(user.zone()).hour
        if 7 <= hour < 23 and rng.random() < run.plan.step_minutes / 600:
            _visit(run, user, rng)
    if run.is_down(run.plan.redis_down, at):
        return  # nobody can wake a worker
    outbox.announce_vacation_ends(at)
    sweeping.sweep()
    sender.send_due(100_000)


def _visit(run: Run, user: User, rng: random.Random) -> None:
    """Somebody opens the site and plays in most of the games that wait for them."""
    presence.note(user, "home", None)
    run.visits[user.pk].append(clock.now_us())
    user.refresh_from_db()
    if rng.random() < 0.02:
        _about_oneself(run, user, rng)
    seats = Seat.objects.filter(user=user, game__status="running").values_list("game_id", "place").order_by("game_id")
    for game, place in list(seats):
        if rng.random() < 0.8:
            with suppress(Refusal):  # time may be up, and what was asked may be void
                _play(user, str(game), place, rng)


def _about_oneself(run: Run, user: User, rng: random.Random) -> None:
    if rng.random() < 0.2:
        user.time_zone = rng.choice(ZONES)
        user.save()
        run.zones[user.pk].append((clock.now_us(), user.time_zone))
        learning.zone_changed(user)
        return
    with suppress(Refusal):
        if vacation.current(user) is not None:
            vacation.end(user)
        else:
            vacation.begin(user, until=clock.now_us() + rng.randint(1, 6) * DAY)


def _play(user: User, game: str, place: int, rng: random.Random) -> None:
    head = Head.objects.get(game=game)
    chance = rng.random()
    if chance < 0.01:
        agreeing.give_time(user, game, rng.randint(1, 12) * HOUR)
    elif chance < 0.02:
        agreeing.ask_pause(user, game)
    elif chance < 0.03:
        agreeing.offer_draw(user, game)
    table = load(game).table
    seat = table.seat_of(place)
    if table.pause_asked not in (None, seat):
        agreeing.answer_pause(user, game, granted=rng.random() < 0.5)
    elif table.clock is not None and table.clock.paused and rng.random() < 0.2:
        agreeing.resume(user, game)
    elif table.draw_offered not in (None, seat):
        agreeing.answer_draw(user, game, accepted=rng.random() < 0.2)
    if head.awaits_place == place:
        _move(user, game, seat, rng)


def _move(user: User, game: str, seat: int | None, rng: random.Random) -> Table | None:
    table = load(game).table
    if table.awaited_seat != seat:
        return None
    return services.play(user, game, rng.choice(table.rules.legal_moves(table.state)), step=table.step).table
