"""What people were told in a run, held against the events: true when it was sent, told in time, told once.

Here nothing is taken from heads or clocks: who was awaited when, and what time that cost, is counted again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

from accounts.models import User
from config import clock
from games.simulation.world import BEGINS, MINUTES, Run
from games.store.models import Event, Head, Outage, Seat
from games.store.thread import load
from games.store.verify import verify_game
from games.table.terms import DAY, HOUR
from games.table.weekends import elapsed
from notifications.kinds import Channel, Kind
from notifications.models import GamePreference, InboxItem, Message
from notifications.moments import after_quiet, is_quiet
from notifications.planning import Wishes, due_at
from notifications.wishes import quiet_of, wishes_of

SPELL: Final = 1 * MINUTES
_TURNS: Final = ("dealt", "moved", "undone", "ended")


@dataclass(frozen=True, slots=True)
class Turn:
    """Somebody was awaited from an event of this version on: moments, and whether by their own doing."""

    game: str
    user: int
    version: int
    begins: int
    ends: int | None


def faults(run: Run) -> Iterator[str]:
    """Everything that is wrong, a sentence each."""
    turns = [turn for game in run.games for turn in turns_of(game)]
    by_news = {(turn.game, turn.user, turn.version): turn for turn in turns}
    yield from _untrue(by_news)
    yield from _untold(run, turns)
    yield from _twice(run)
    yield from _by_night(run)
    for game in run.games:
        yield from (f"{game}: {fault}" for fault in [*verify_game(game), *clock_faults(game)])


def turns_of(game: str) -> Iterator[Turn]:
    """Who was awaited when, from the events: each change of the awaited seat, until the next or the end."""
    seats = dict(Seat.objects.filter(game__pk=game).values_list("place", "user"))
    last: tuple[int, int, int] | None = None
    final = load(game).table.version
    for version in range(1, final + 1):
        table = load(game, upto=version).table if version == final or _changes(game, version) else None
        if table is None:
            continue
        seat = table.awaited_seat
        now = None if seat is None else seats[table.place_of(seat)]
        if last is not None and last[0] != now:
            yield Turn(game, last[0], last[1], last[2], table.last_at)
            last = None
        if last is None and now is not None:
            last = (now, table.version, table.last_at)
    if last is not None:
        yield Turn(game, *last, ends=None)


def _changes(game: str, version: int) -> bool:
    kind = Event.objects.values_list("type", flat=True).get(game=game, version=version)
    return kind in _TURNS


def _untrue(turns: dict[tuple[str, int, int], Turn]) -> Iterator[str]:
    for row in Message.objects.filter(state=Message.State.SENT, kind__in=(Kind.TURN, Kind.REMINDER)).iterator():
        assert row.closed_at is not None
        turn = turns.get((str(row.game), row.user_id or 0, row.version or 0))
        at = clock.to_us(row.closed_at)
        if turn is None:
            yield f"{row.key} was sent, and nobody was awaited since that event"
        elif not turn.begins <= at or (turn.ends is not None and at > turn.ends):
            yield f"{row.key} was sent at {row.closed_at}, when it was not so"
        elif row.kind == Kind.REMINDER and at >= row.params["deadline"]:
            yield f"{row.key} was sent after the deadline"
    ended = Message.objects.filter(state=Message.State.SENT, kind=Kind.ENDED).values_list("game", flat=True)
    for game in set(ended) - set(Head.objects.filter(status="ended").values_list("game", flat=True)):
        yield f"{game} was said to be over"


def _untold(run: Run, turns: list[Turn]) -> Iterator[str]:
    sent = {
        (str(game), user, version)
        for game, user, version in Message.objects.filter(
            state=Message.State.SENT, kind=Kind.TURN, channel=Channel.MAIL
        ).values_list("game", "user", "version")
    }
    told = InboxItem.objects.filter(kind=Kind.TURN).values_list("game", "user", "version")
    promised = {(str(game), user, version) for game, user, version in told}
    users = {user.pk: user for user in User.objects.select_related("preferences")}
    muted = {(user, str(game)) for user, game in GamePreference.objects.filter(muted=True).values_list("user", "game")}
    end = clock.to_us(BEGINS) + run.plan.days * DAY
    for turn in turns:
        news = (turn.game, turn.user, turn.version)
        if news not in promised or (turn.user, turn.game) in muted:
            continue  # it was their own doing that made it their turn
        wishes = wishes_of([users[turn.user]])[turn.user]
        if wishes.delivery == "once":
            continue  # see _once
        still = end if turn.ends is None else turn.ends
        # Who moves to another zone is told by its hours from then on.
        latest = max(
            _told_by(run, replace(wishes, zone=zone), turn) for zone in run.zones_within(turn.user, turn.begins, still)
        )
        if news not in sent and latest < still:
            yield f"turn of user {turn.user} in {turn.game} since {turn.version} was never told"
    yield from _once(users, run)


def _told_by(run: Run, wishes: Wishes, turn: Turn) -> int:
    """By when somebody with these wishes must have been told of a turn of theirs."""
    latest = _latest(run, due_at(wishes, Kind.TURN, turn.game, turn.begins, SPELL))
    if wishes.quiet is None:
        return latest
    # What an outage brought into quiet hours waits until they are over.
    over = after_quiet(latest, *wishes.quiet, wishes.zone)
    return latest if over == latest else _latest(run, over)


def _latest(run: Run, due: int) -> int:
    """By when a message that was due at a moment must have gone out, whatever was away then."""
    begins = clock.to_us(BEGINS)
    # Beyond its time a message lies for the longest wait between two tries, and a few steps.
    patience = HOUR + 3 * run.plan.step_minutes * MINUTES
    latest = due + patience
    for down in sorted((run.plan.mail_down, run.plan.redis_down, run.plan.site_down)):
        first, last = (round(begins + hours * HOUR) for hours in down)
        if first - patience <= latest and due < last:
            latest = max(latest, last + patience)
    return latest


def _once(users: dict[int, User], run: Run) -> Iterator[str]:
    """Who wants one word until they come back has at most one mail between two visits."""
    for pk, user in users.items():
        if wishes_of([user])[pk].delivery != "once":
            continue
        visits = run.visits[pk]
        told = Message.objects.filter(user=pk, kind=Kind.TURN, state=Message.State.SENT).values_list(
            "closed_at", flat=True
        )
        moments = sorted({clock.to_us(at) for at in told if at is not None})
        for before, after in pairwise(moments):
            if not any(before <= visit <= after for visit in visits):
                yield f"user {pk} was told twice without a visit between"


def _by_night(run: Run) -> Iterator[str]:
    """In nobody's quiet hours anything was sent, by the zone in which they were then."""
    for user in User.objects.select_related("preferences"):
        quiet = quiet_of(user)
        if quiet is None:
            continue
        sent = Message.objects.filter(user=user, state=Message.State.SENT, closed_at__isnull=False)
        for key, at in sent.values_list("key", "closed_at"):
            if at is None:
                continue
            moment = clock.to_us(at)
            if all(is_quiet(moment, *quiet, zone) for zone in run.zones_within(user.pk, moment, moment)):
                yield f"{key} was sent in quiet hours, at {at}"


def _twice(run: Run) -> Iterator[str]:
    for message_id, count in Counter(message_id for message_id, _ in run.mails).items():
        if count > 1:
            yield f"{message_id} was mailed {count} times"
    told: Counter[tuple[Any, ...]] = Counter(
        Message.objects.filter(state=Message.State.SENT)
        .exclude(kind=Kind.REMINDER)
        .values_list("kind", "game", "version", "user", "channel", "target")
    )
    yield from (f"{news} was told {count} times" for news, count in told.items() if count > 1 and news[1] is not None)


# --- clocks -----------------------------------------------------------------------------------------------------------


class _Count:
    """The clocks of a game, counted event by event: ``left`` is the awaited seat's time at the moment ``since``."""

    def __init__(self, terms: Mapping[str, Any], zones: list[str]) -> None:
        self.terms, self.zones = terms, zones
        self.away: set[int] = set()
        self.paused = False
        self.bank = [int(terms.get("start", 0))] * 2
        self.gifts = [0, 0]
        self.left, self.since = 0, 0
        self.awaited: int | None = None

    def pass_time(self, at: int) -> None:
        still = self.paused or (self.terms["vacation"] and self.awaited in self.away)
        if self.awaited is not None and not still:
            self.left -= elapsed(self.since, at, self.terms["weekends_off"], self.zones[self.awaited])
        self.since = at

    def change(self, kind: str, payload: Mapping[str, Any]) -> None:
        match kind:
            case "vacation_began":
                self.away.add(payload["seat"])
            case "vacation_ended":
                self.away.discard(payload["seat"])
            case "pause_answered":
                self.paused = self.paused or payload["granted"]
            case "resumed":
                self.paused = False
            case "zone_changed":
                self.zones[payload["seat"]] = payload["zone"]
            case "time_given" if 1 - payload["seat"] != self.awaited:
                self.gifts[1 - payload["seat"]] += payload["us"]
            case "time_given" | "time_credited":
                self.left += payload["us"]

    def turn(self, kind: str, now: int | None) -> None:
        """A move, deal or the end: who was awaited keeps what is left, who is awaited now has their time."""
        banked = "start" in self.terms
        if self.awaited is not None and kind == "moved" and banked:
            grown = min(self.left + self.terms["increment"], self.terms["cap"])
            self.bank[self.awaited] = max(self.left, grown)
        if now != self.awaited or kind == "moved":
            self.awaited = now
            if now is not None:
                self.left = (self.bank[now] if banked else self.terms["per_move"]) + self.gifts[now]
                self.gifts[now] = 0


def clock_faults(game: str) -> Iterator[str]:
    """What the clocks of a game took or gave too much."""
    table = load(game).table
    terms, shown = table.opened.clock, table.clock
    if terms is None or shown is None or not table.seating:
        return
    count = _Count(terms, _zones(game, table.seating))
    rows = Event.objects.filter(game=game).order_by("version")
    for version, kind, payload, at in rows.values_list("version", "type", "payload", "at"):
        count.pass_time(at)
        count.change(kind, payload)
        if kind == "time_credited":
            yield from _credit_faults(game, payload["us"])
        if kind in _TURNS:
            on_time = count.left >= 0 and (kind != "ended" or payload["by"] != "time" or count.left == 0)
            if count.awaited is not None and kind in ("moved", "ended") and not on_time:
                yield f"event {version}: {count.left} µs were left"
            count.turn(kind, load(game, upto=version).table.awaited_seat)
    if shown.running is not None:
        at, count.since, ends = count.since, shown.since, count.left
        left, count.left = count.left, shown.left
        count.pass_time(at)
        if count.left != left:
            yield f"the clock has {count.left} µs, and {ends} were left"


def _zones(game: str, seating: tuple[int, ...]) -> list[str]:
    said = Event.objects.filter(game=game, type="sat_down").order_by("version").values_list("payload", flat=True)
    by_place = [payload["zone"] for payload in said]
    return [by_place[seating.index(seat)] for seat in range(len(seating))]


def _credit_faults(game: str, us: int) -> Iterator[str]:
    if not any(us <= outage.until - outage.since for outage in Outage.objects.all()):
        yield f"{game}: {us} µs were credited, and no outage was so long"
