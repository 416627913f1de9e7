"""All that the site keeps of a person, as JSON, part by part: however much they played, no part is large.

Games are told with the eyes that the person has: of a running game never a card that is hidden from them. Secrets that
open something (passwords, tokens, keys, the addresses of webhooks and devices, links in mails) are told to nobody.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.utils import timezone, translation

from accounts.models import Token, User
from config import clock
from config.api.times import moment
from games import viewing
from games.api import representation
from games.selectors import NoSuchGame
from games.store.models import Invitation, Remark, Seat
from notifications import truth
from notifications.models import Bounce, GamePreference, InboxItem, LastVisit, Message, Preferences, Presence
from notifications.wording import say

#: So many rows, and so many games, make a part.
ROWS: Final = 500
GAMES: Final = 40

type Part = dict[str, Any]


class NoSuchPart(ValueError):
    """Nothing of an export is behind this mark."""


def part(user: User, after: str = "") -> tuple[Part, str | None]:
    """The part behind a mark (``""``: the first), and the mark of the next one; None after the last.

    A part is ``account`` (an object), or ``inbox``, ``deliveries`` or ``games`` (a list). Raises :class:`NoSuchPart`.
    """
    section, _, mark = (after or "account.0").partition(".")
    number = int(mark) if mark.isascii() and mark.isdigit() and len(mark) < 19 else -1
    if number < 0 or section not in ("account", *_LISTS):
        raise NoSuchPart(after)
    with translation.override(user.language), timezone.override(user.zone()):
        if section == "account":
            return {"account": _account(user)}, "inbox.0"
        rows, last = _LISTS[section](user, number)
    order = list(_LISTS)
    if last is not None:
        return {section: rows}, f"{section}.{last}"
    following = order[order.index(section) + 1 :]
    return {section: rows}, f"{following[0]}.0" if following else None


def parts(user: User) -> Iterator[Part]:
    """All parts, one after another."""
    mark: str | None = ""
    while mark is not None:
        found, mark = part(user, mark)
        yield found


# --- the account ------------------------------------------------------------------------------------------------------


def _account(user: User) -> dict[str, Any]:
    return {
        "name": user.name,
        "bot": user.is_bot,
        "owner": user.owner.name if user.owner else None,
        "guest": user.is_guest,
        "staff": user.is_staff,
        "joined_at": _at(user.date_joined),
        "confirmed": user.pending_since is None,
        "last_login": _at(user.last_login),
        "last_visit": _at(LastVisit.objects.filter(user=user).values_list("at", flat=True).first()),
        "language": user.language,
        "time_zone": user.time_zone,
        "turn_mails": user.turn_mails,
        "auto_vacation": user.auto_vacation,
        "addresses": [
            {"address": row.email, "confirmed": row.verified, "primary": row.primary}
            for row in EmailAddress.objects.filter(user=user).order_by("pk")
        ],
        "bounces": [
            {"address": row.address, "reason": row.reason, "at": _at(row.at)}
            for row in Bounce.objects.filter(user=user).order_by("pk")
        ],
        "second_steps": [
            {"type": row.type, "made_at": _at(row.created_at), "used_at": _at(row.last_used_at)}
            for row in Authenticator.objects.filter(user=user).order_by("pk")
        ],
        "sessions": [
            {
                "address": row.ip,
                "browser": row.user_agent,
                "began_at": _at(row.created_at),
                "last_at": _at(row.last_seen_at),
            }
            for row in UserSession.objects.filter(user=user).order_by("pk")
        ],
        "tokens": _tokens(user),
        "bots": [
            {"name": bot.name, "retired": not bot.is_active, "made_at": _at(bot.date_joined), "tokens": _tokens(bot)}
            for bot in user.bots.order_by("pk").prefetch_related("tokens")
        ],
        "vacations": [
            {"begins_at": moment(row.begins_at), "ends_at": moment(row.ends_at), "automatic": row.automatic}
            for row in user.vacations.order_by("begins_at")
        ],
        "preferences": _preferences(user),
        "devices": [
            {"name": row.name, "host": urlsplit(row.endpoint).hostname, "added_at": _at(row.added_at)}
            for row in user.devices.order_by("pk")
        ],
        "webhooks": [
            {"dialect": row.dialect, "host": urlsplit(row.url).hostname, "added_at": _at(row.added_at)}
            for row in user.webhooks.order_by("pk")
        ],
        "invitations": [str(game) for game in Invitation.objects.filter(user=user).values_list("game_id", flat=True)],
        "administered": [
            {"at": _at(row.action_time), "what": row.object_repr} for row in LogEntry.objects.filter(user=user)
        ],
    }


def _tokens(user: User) -> list[dict[str, Any]]:
    return [told_token(token) for token in sorted(user.tokens.all(), key=lambda token: token.pk)]


def told_token(token: Token) -> dict[str, Any]:
    """A token, without its secret."""
    return {
        "id": token.pk,
        "label": token.shown_label,
        "scopes": token.scope_names.split(),
        "made_at": _at(token.made_at),
        "used_at": _at(token.used_at),
        "expires_at": _at(token.expires_at),
    }


def _preferences(user: User) -> dict[str, Any] | None:
    row = Preferences.objects.filter(user=user).first()
    if row is None:
        return None
    return {
        "switched": row.switched,
        "delivery": row.delivery,
        "every_hours": row.every_hours,
        "daily_hour": row.daily_hour,
        "quiet_minutes": [row.quiet_from, row.quiet_until],
        "reminders": row.reminders,
    }


# --- the lists --------------------------------------------------------------------------------------------------------


def _inbox(user: User, after: int) -> tuple[list[dict[str, Any]], int | None]:
    items = list(InboxItem.objects.filter(user=user, pk__gt=after).order_by("pk")[:ROWS])
    rows = []
    for item, news in zip(items, truth.told_all(items), strict=True):
        said = say(news) if news is not None else None
        rows.append(
            {
                "id": item.pk,
                "kind": item.kind,
                "game": _id(item.game),
                "at": _at(item.at),
                "read_at": _at(item.read_at),
                "title": said.title if said else None,
                "lines": list(said.lines) if said else [],
            }
        )
    return rows, items[-1].pk if len(items) == ROWS else None


def _deliveries(user: User, after: int) -> tuple[list[dict[str, Any]], int | None]:
    found = list(Message.objects.filter(user=user, pk__gt=after).order_by("pk")[:ROWS])
    rows = [
        {
            "id": row.pk,
            "kind": row.kind,
            "channel": row.channel,
            "game": _id(row.game),
            "address": row.address,
            "subject": row.subject,
            "state": row.state,
            "due_at": _at(row.due_at),
            "closed_at": _at(row.closed_at),
            "attempts": row.attempts,
            "error": row.last_error,
        }
        for row in found
    ]
    return rows, found[-1].pk if len(found) == ROWS else None


def _games(user: User, after: int) -> tuple[list[dict[str, Any]], int | None]:
    seats = list(Seat.objects.filter(user=user, pk__gt=after).order_by("pk")[:GAMES])
    games = [seat.game_id for seat in seats]
    kept = _Kept(
        chosen={row.game: row for row in GamePreference.objects.filter(user=user, game__in=games)},
        seen=dict(Presence.objects.filter(user=user, game__in=games).values_list("game", "at")),
        said=list(Remark.objects.filter(user=user, game__in=games).order_by("number")),
    )
    rows = [row for seat in seats if (row := _game(user, seat, kept)) is not None]
    return rows, seats[-1].pk if len(seats) == GAMES else None


#: What is told of a game of the table's own; the rest of it are offers to act.
_OF_TABLE: Final = (
    "id", "url", "rules", "rules_version", "entry", "options", "visibility", "status", "players", "you", "awaits",
    "deadline", "clock", "view", "opened_at", "last_at", "result",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Kept:
    """What is kept of the person beside their games, of all games of a part."""

    chosen: Mapping[uuid.UUID, GamePreference]
    seen: Mapping[uuid.UUID, datetime]
    said: Sequence[Remark]


def _game(user: User, seat: Seat, kept: _Kept) -> dict[str, Any] | None:
    game = seat.game_id
    try:
        sight = viewing.sight(user, str(game))
    except NoSuchGame:  # its head is being made anew
        return None
    table = representation.game(sight)
    chosen = kept.chosen.get(game)
    return {
        **{name: table[name] for name in _OF_TABLE},
        "steps": [representation.step(told) for told in sight.history],
        "said": [{"at": moment(row.at), "text": row.text} for row in kept.said if row.game == game],
        "talk_quiet": seat.talk_quiet,
        "muted": chosen is not None and chosen.muted,
        "gathered": chosen is not None and chosen.gathered,
        "last_seen": _at(kept.seen.get(game)),
    }


_LISTS: Final[dict[str, Callable[[User, int], tuple[list[dict[str, Any]], int | None]]]] = {
    "inbox": _inbox,
    "deliveries": _deliveries,
    "games": _games,
}


def _at(at: datetime | None) -> str | None:
    return None if at is None else moment(clock.to_us(at))


def _id(game: Any) -> str | None:
    return None if game is None else str(game)
