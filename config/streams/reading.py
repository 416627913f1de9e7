"""What streams ask of the database: how far games are, who sits at which, and who may hear no more.

Asked by few threads, for many streams at once: whoever asks while a query runs waits for the next one, which is for all
of them. So what is answered was read after it was asked, and ten thousand pages that come back cost a few queries.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Final

from django.db import close_old_connections
from django.db.models import F, OuterRef, Q, Subquery, Window
from django.db.models.functions import RowNumber

from accounts import people, tokens
from config import clock
from config.streams.hub import Mark
from games.store.models import Head, Remark, Seat

#: How many games, or people, one query asks for.
AT_ONCE: Final = 500
#: Of how many of a person's games, those that moved last, their stream tells.
GAMES: Final = 1000
#: Games that ended within this time are still told of, so that who was away learns that they ended.
LATELY: Final = timedelta(days=1)


def marks(games: Iterable[str]) -> dict[str, Mark]:
    """How far these games are; those that don't exist are left out."""
    last = Remark.objects.filter(game=OuterRef("game")).order_by("-number").values("number")[:1]
    heads = Head.objects.filter(game__in=games).annotate(talk=Subquery(last))
    return {str(game): Mark(version, talk or 0) for game, version, talk in heads.values_list("game", "version", "talk")}


def games_of(users: Iterable[int]) -> dict[int, list[str]]:
    """The games at which these people sit; nothing for whoever has no active account."""
    lately = clock.to_us(clock.now() - LATELY)
    newest = Window(RowNumber(), partition_by="user_id", order_by=[F("game__last_at").desc(), F("pk").desc()])
    seats = (
        Seat.objects.filter(~Q(game__status="ended") | Q(game__last_at__gt=lately), user__in=users)
        .filter(user__is_active=True)
        .annotate(newest=newest)
        .filter(newest__lte=GAMES)
    )
    found: dict[int, list[str]] = {}
    for user, game in seats.values_list("user_id", "game_id"):
        found.setdefault(user, []).append(str(game))
    return found


def barred(askers: Iterable[tuple[int, int | None]]) -> dict[tuple[int, int | None], bool]:
    """Those of these who may not hear: a person whose account is closed, or one by a token that isn't good any more."""
    askers = list(askers)
    people_in = people.who_may_come_in(user for user, token in askers if token is None)
    good = tokens.which_are_good(token for _user, token in askers if token is not None)
    return {
        (user, token): True for user, token in askers if not (user in people_in if token is None else token in good)
    }


class Together[K, V]:
    """Asks a function of many keys for all who want one, :data:`AT_ONCE` keys at a time, one query after the other."""

    def __init__(self, ask: Callable[[Sequence[K]], Mapping[K, V]], threads: ThreadPoolExecutor) -> None:
        self._ask = ask
        self._threads = threads
        self._wanted: dict[K, asyncio.Future[V | None]] = {}
        self._task: asyncio.Task[None] | None = None

    async def get(self, keys: Iterable[K]) -> dict[K, V]:
        """What is found for these keys. Raises whatever the database raised."""
        loop = asyncio.get_running_loop()
        futures = {key: self._wanted.setdefault(key, loop.create_future()) for key in keys}
        if futures and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._run())
        if futures:
            # Unlike gather it leaves them alone where only this asker is cancelled.
            await asyncio.wait(futures.values())
        found = {key: future.result() for key, future in futures.items()}
        return {key: value for key, value in found.items() if value is not None}

    async def _run(self) -> None:
        while self._wanted:
            batch = {key: self._wanted.pop(key) for key in list(self._wanted)[:AT_ONCE]}
            try:
                found = await asyncio.get_running_loop().run_in_executor(self._threads, self._query, list(batch))
            except Exception as error:  # noqa: BLE001 - theirs who asked
                for future in batch.values():
                    if not future.done():
                        future.set_exception(error)
                continue
            for key, future in batch.items():
                if not future.done():
                    future.set_result(found.get(key))

    def _query(self, keys: list[K]) -> Mapping[K, V]:
        close_old_connections()
        try:
            return self._ask(keys)
        finally:
            close_old_connections()
