"""People's preferences, read from the database as the values that the policy works with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from typing import cast

from accounts.models import User
from notifications.kinds import Channel, Topic
from notifications.models import Bounce, Device, GamePreference, Preferences, Webhook
from notifications.planning import Delivery, Wishes


def of(user: User) -> Preferences:
    """A person's row, made with the defaults where they have none."""
    return Preferences.objects.get_or_create(user=user)[0]


def switch(user: User, topic: str, channel: str, *, on: bool) -> None:
    """Switch a topic's messages by a channel on or off."""
    if (topic, channel) == (Topic.TURN, Channel.MAIL):
        user.turn_mails = on
        user.save(update_fields=["turn_mails"])
        return
    row = of(user)
    row.switched = {**row.switched, f"{topic}/{channel}": on}
    row.save(update_fields=["switched"])
    user.preferences = row


def wishes_of(users: Iterable[User], game: str | None = None) -> dict[int, Wishes]:
    """What each of these wants, by id; of games only what they want of ``game``.

    Costs no query for people who were read together with their ``preferences`` and have none.
    """
    rows: dict[int, Preferences | None] = {}
    found: dict[int, User] = {}
    for user in users:
        found[user.pk] = user
        rows[user.pk] = getattr(user, "preferences", None)
    chosen = [pk for pk, row in rows.items() if row is not None]
    targets: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    bouncing: set[tuple[int, str]] = set()
    games: dict[int, GamePreference] = {}
    if chosen:
        for channel, model in ((Channel.PUSH, Device), (Channel.WEBHOOK, Webhook)):
            for pk, owner in model._default_manager.filter(user__in=chosen).order_by("pk").values_list("pk", "user"):
                targets[owner][channel].append(pk)
        bouncing = set(Bounce.objects.filter(user__in=chosen).values_list("user", "address"))
        if game is not None:
            games = {row.user_id: row for row in GamePreference.objects.filter(user__in=chosen, game=game)}
    return {
        pk: _wishes(user, rows[pk], targets.get(pk, {}), (pk, user.email or "") in bouncing, games.get(pk))
        for pk, user in found.items()
    }


def wishes_everywhere(user: User) -> Wishes:
    """What one person wants, with what they want of each of their games."""
    rows = list(GamePreference.objects.filter(user=user).values_list("game", "muted", "gathered"))
    return replace(
        wishes_of([user])[user.pk],
        muted=frozenset(str(game) for game, muted, _ in rows if muted),
        gathered=frozenset(str(game) for game, _, gathered in rows if gathered),
    )


def quiet_of(user: User) -> tuple[int, int] | None:
    """Their hours without messages: from and until, in minutes since midnight in their zone."""
    row: Preferences | None = getattr(user, "preferences", None)
    if row is None or row.quiet_from is None or row.quiet_until is None or row.quiet_from == row.quiet_until:
        return None
    return row.quiet_from, row.quiet_until


def _wishes(
    user: User,
    row: Preferences | None,
    targets: dict[str, list[int]],
    bouncing: bool,
    game: GamePreference | None,
) -> Wishes:
    switched = {(Topic.TURN.value, Channel.MAIL.value): user.turn_mails}
    has_mail = bool(user.email) and not bouncing
    if row is None:
        return Wishes(user.zone(), switched, has_mail=has_mail)
    for name, on in row.switched.items():
        topic, _, channel = name.partition("/")
        switched.setdefault((topic, channel), on)
    here = frozenset() if game is None else frozenset({str(game.game)})
    return Wishes(
        zone=user.zone(),
        switched=switched,
        delivery=cast(Delivery, row.delivery),
        every_hours=row.every_hours,
        daily_hour=row.daily_hour,
        quiet=quiet_of(user),
        percents=tuple(row.reminders),
        has_mail=has_mail,
        bounces=bouncing,
        targets=targets,
        muted=here if game is not None and game.muted else frozenset(),
        gathered=here if game is not None and game.gathered else frozenset(),
    )
