"""Who is at a table right now, and when they last visited: seen in passing, by what their browser asks for."""

from __future__ import annotations

import threading
import uuid
from collections import OrderedDict
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from accounts.models import User
from config import clock
from notifications.models import InboxItem, LastVisit, Presence

#: Seconds within which the same process doesn't write the same down again.
EVERY: Final = 20
_REMEMBERED: Final = 10_000
#: The pages of one table, and what renews itself.
_AT_TABLE: Final = ("table", "table-state")
_BY_ITSELF: Final = ("table-state", "talk", "service-worker")
#: Said by the page of a table once its reader has had the talk before them.
_HEARD: Final = "talk-heard"
#: What programs and scripts ask for is nobody's visit: their owner may be asleep.
_BY_PROGRAM: Final = "api-"


class _Memory:
    """What was written down lately, so that a page that polls costs no write each time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seen: OrderedDict[tuple[int, str], int] = OrderedDict()

    def is_news(self, user: int, what: str) -> bool:
        now = clock.now_us()
        with self._lock:
            before = self._seen.get((user, what))
            if before is not None and before <= now < before + EVERY * 1_000_000:
                return False
            self._seen[user, what] = now
            self._seen.move_to_end((user, what))
            if len(self._seen) > _REMEMBERED:
                self._seen.popitem(last=False)
        return True

    def clear(self) -> None:
        with self._lock:
            self._seen.clear()


memory = _Memory()


def sees(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: notes that somebody is at a table, and that they visited, once their page was found."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        match = request.resolver_match
        if response.status_code < 400 and match is not None and isinstance(request.user, User):
            # A page that lies under others asks for news, too: nobody has it before them.
            game = None if request.headers.get("X-Page") == "hidden" else match.kwargs.get("game")
            note(request.user, match.url_name or "", game)
        return response

    return middleware


def note(user: User, page: str, game: uuid.UUID | None) -> None:
    """Note a page that somebody looks at."""
    now = clock.now()
    if page == _HEARD and game is not None:
        InboxItem.objects.filter(user=user, game=game, read_at__isnull=True).update(read_at=now)
    if page in _AT_TABLE and game is not None and memory.is_news(user.pk, str(game)):
        Presence.objects.bulk_create(
            [Presence(user=user, game=game, at=now)],
            update_conflicts=True, update_fields=["at"], unique_fields=["user", "game"],
        )  # fmt: skip
        # Whoever sees the table has seen what was told of it.
        InboxItem.objects.filter(user=user, game=game, read_at__isnull=True).update(read_at=now)
    if page not in _BY_ITSELF and not page.startswith(_BY_PROGRAM) and memory.is_news(user.pk, ""):
        LastVisit.objects.bulk_create(
            [LastVisit(user=user, at=now)],
            update_conflicts=True, update_fields=["at"], unique_fields=["user"],
        )  # fmt: skip


def at_table(user_id: int, games: Iterable[uuid.UUID]) -> set[uuid.UUID]:
    """At which of these tables a person has the page open."""
    since = clock.now() - timedelta(seconds=settings.CLEW_PRESENCE)
    found = Presence.objects.filter(user=user_id, game__in=list(games), at__gt=since)
    return set(found.values_list("game", flat=True))
