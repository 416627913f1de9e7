"""Who wants a message by which channel, and when: pure functions of a person's preferences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal
from zoneinfo import ZoneInfo

from notifications.kinds import MAILED, TOPIC_OF, Channel, Kind
from notifications.moments import after_quiet, before_quiet, next_hour, next_slot
from notifications.policy import Reminder

type Delivery = Literal["immediate", "every", "daily", "once"]

#: A game whose messages are gathered, where its player gathers no others: each morning at this hour.
GAME_DIGEST_HOUR: Final = 8
#: The last reminders that somebody may choose, in percent of their time.
PERCENTS: Final = (50, 25, 10)
USUAL_PERCENTS: Final = (10,)


@dataclass(frozen=True, slots=True)
class Wishes:
    """What one person wants to be told, and how. The defaults are those of who has chosen nothing.

    ``switched`` holds what differs from the defaults, by topic and channel. ``quiet`` are the hours without messages,
    from and until, in minutes since midnight of ``zone``. ``targets`` are the ids of the person's devices and
    webhooks, by channel; mail needs none. ``muted`` and ``gathered`` are ids of games.
    """

    zone: ZoneInfo
    switched: Mapping[tuple[str, str], bool] = field(default_factory=dict)
    delivery: Delivery = "immediate"
    every_hours: int = 4
    daily_hour: int = GAME_DIGEST_HOUR
    quiet: tuple[int, int] | None = None
    percents: Sequence[int] = USUAL_PERCENTS
    has_mail: bool = True
    #: Their mail address refuses mails: what they would be mailed goes by any other way.
    bounces: bool = False
    targets: Mapping[str, Sequence[int]] = field(default_factory=dict)
    muted: frozenset[str] = frozenset()
    gathered: frozenset[str] = frozenset()

    def wants(self, kind: str, channel: str, game: str | None = None) -> bool:
        """Whether they want a kind of message by a channel, of a game that isn't muted."""
        topic = TOPIC_OF[kind]
        if game is not None and game in self.muted:
            return False
        usual = channel != Channel.MAIL or topic in MAILED
        return self.switched.get((topic, channel), usual)

    def ways(self, channel: str) -> Sequence[int | None]:
        """Where a channel's messages go: ids of devices or webhooks, or the one None of the mail address."""
        if channel == Channel.MAIL:
            return (None,) if self.has_mail else ()
        return self.targets.get(channel, ())

    def gathers(self, game: str | None) -> Delivery:
        """How messages of a game are delivered."""
        if self.delivery in ("immediate", "once") and game is not None and game in self.gathered:
            return "daily"
        return self.delivery


@dataclass(frozen=True, slots=True)
class Planned:
    """A message by one channel to one target, not before ``due`` (microseconds since the epoch)."""

    channel: str
    target: int | None
    due: int
    #: In place of a way that can't deliver, though it is switched off for this.
    instead: bool = False


def plan(wishes: Wishes, kind: str, game: str | None, at: int, spell: int) -> Iterator[Planned]:
    """The messages that news of the moment ``at`` leads to. ``spell``: the quiet spell, in microseconds."""
    chosen = [channel for channel in Channel.values if wishes.wants(kind, channel, game) and wishes.ways(channel)]
    due = due_at(wishes, kind, game, at, spell)
    for channel in chosen:
        yield from (Planned(channel, target, due) for target in wishes.ways(channel))
    yield from _instead_of_mail(wishes, kind, game, due)


def _instead_of_mail(wishes: Wishes, kind: str, game: str | None, due: int) -> Iterator[Planned]:
    if wishes.bounces and wishes.wants(kind, Channel.MAIL, game):
        for channel, target in others(wishes, kind, game, Channel.MAIL):
            yield Planned(channel, target, due, instead=True)


def plan_reminder(wishes: Wishes, reminder: Reminder, game: str, now: int) -> Iterator[Planned]:
    """The messages of a reminder: at its own moment, or before the quiet hours in which that lies.

    Where those began already it comes after them, if that is still before the deadline.
    """
    at = reminder.at
    if wishes.quiet is not None:
        at = before_quiet(reminder.at, *wishes.quiet, wishes.zone)
        if at <= now:
            at = after_quiet(reminder.at, *wishes.quiet, wishes.zone)
    if at >= reminder.deadline:
        return
    for channel in Channel.values:
        if wishes.wants(Kind.REMINDER, channel, game):
            yield from (Planned(channel, target, at) for target in wishes.ways(channel))
    yield from _instead_of_mail(wishes, Kind.REMINDER, game, at)


def due_at(wishes: Wishes, kind: str, game: str | None, at: int, spell: int) -> int:
    """The first moment at which news of the moment ``at`` may be told.

    Immediately means after the quiet spell; a digest comes at its own hour, which is never earlier; then quiet hours.
    """
    due = at + spell
    match wishes.gathers(game):
        case "every":
            due = next_slot(due, wishes.every_hours)
        case "daily":
            due = next_hour(due, wishes.daily_hour, wishes.zone)
        case "immediate" | "once":
            pass
    return due if wishes.quiet is None else after_quiet(due, *wishes.quiet, wishes.zone)


def others(wishes: Wishes, kind: str, game: str | None, failed: str) -> Iterator[tuple[str, int | None]]:
    """The ways that take over where ``failed`` can't deliver: all others, also those switched off for this kind.

    None where one of the others was to have the message anyway, or the game is muted.
    """
    if game is not None and game in wishes.muted:
        return
    rest = [channel for channel in Channel.values if channel != failed and wishes.ways(channel)]
    if any(wishes.wants(kind, channel, game) for channel in rest):
        return
    for channel in rest:
        yield from ((channel, target) for target in wishes.ways(channel))
