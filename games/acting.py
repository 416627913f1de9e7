"""The one way in: decide a command on the present state, and write what follows in one transaction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.db import transaction

from accounts.models import User
from config import clock
from games.engine.contract import gettext_noop
from games.selectors import access_to
from games.store.models import GameSecret
from games.store.thread import Thread, VersionConflict, append, load
from games.table.commands import Command, Refused
from games.table.dealer import Dealer, Recorded
from games.table.decider import check_step, decide
from games.table.events import Event
from games.table.state import Table
from games.table.timing import moment_of
from notifications import outbox

#: How often a command is decided again when others appended in between.
TRIES = 4


class TooBusy(Exception):
    """Others kept appending to the game; nothing was done. Try again."""


@dataclass(frozen=True, slots=True)
class Done:
    """What an action led to: the table after it, and the seat (None before the start) and place of who acted."""

    table: Table
    place: int

    @property
    def seat(self) -> int | None:
        return self.table.seat_of(self.place)


def act(
    user: User,
    game_id: str,
    command_of: Callable[[int], Command],
    command: str | None,
    recorded: Recorded | None = None,
    *,
    step: int | None = None,
) -> Done:
    """Decide a seated player's command on the present state, again where others appended meanwhile.

    ``step``: the step that it was made for, where the command itself doesn't hold it; None: whatever it is now.
    Clocks are credited first for an outage that no sweep has come to; and before a player hears that their time is
    up, the game learns of a vacation that it doesn't know of yet.
    """
    from games import outages, sweeping  # which act, too

    received = clock.now_us()
    access = access_to(user, game_id)
    place = access.seated_place()
    key = command_key(place, command)
    outages.settle(access.game_id, received)
    for _ in range(TRIES):
        thread = load(access.game_id)
        if key is not None and key in thread.commands:
            return Done(reached(thread, key), place)
        seat = thread.table.seat_of(place)
        if seat is None:
            raise Refused("not_started", gettext_noop("The game has not begun: a seat is still free."))
        try:
            if thread.table.status == "running":  # of one that is over there is more to say than that it moved on
                check_step(thread.table, step)
            table = append_decided(
                thread, command_of(seat), received=received, actor=place, command=command, recorded=recorded
            )
            return Done(table, place)
        except VersionConflict:
            continue
        except Refused as refusal:
            if refusal.code != "time_is_up" or not sweeping.catch_up(access.game_id, received):
                raise
    raise TooBusy(game_id)


def append_decided(
    thread: Thread,
    decided: Command,
    *,
    received: int,
    actor: int | None,
    command: str | None,
    recorded: Recorded | None = None,
    also: Callable[[Table], None] | None = None,
) -> Table:
    """Decide, then write events, head, rows of ``also`` and the messages that follow in one transaction.

    ``received``: when the command came in (microseconds since the epoch), which is what counts. ``actor``: the place
    whose command it is, None for the service's own. ``also`` is given the table after the events. Raises
    :class:`VersionConflict` or Refusal.
    """
    before = thread.table
    at = max(received, before.last_at)
    number = before.opened.number
    dealer = Dealer(lambda: secret_of(before.id), recorded, None if number is None else int(number))
    events: list[Event] = decide(before, decided, dealer, at)
    key = command if actor is None else command_key(actor, command)
    with transaction.atomic():
        table = append(thread, events, game_id=before.id, at=moment_of(before, decided, at), command=key)
        if also is not None:
            also(table)
        outbox.announce(before, table, actor=actor, events=events)
    return table


def reached(thread: Thread, key: str) -> Table:
    """The table as it stood after a command's own append."""
    reached = thread.commands[key]
    return thread.table if reached == thread.table.version else load(thread.table.id, upto=reached).table


def secret_of(game_id: str) -> bytes:
    return bytes(GameSecret.objects.values_list("secret", flat=True).get(game=game_id))


def command_key(place: int, command: str | None) -> str | None:
    """Command ids are each player's own: one can neither collide with nor probe for another's."""
    if command is None:
        return None
    if not 0 < len(command) <= 64 or not command.isprintable():
        raise Refused("bad_command_id", gettext_noop("A command id has 1 to 64 printable characters."))
    return f"{place}:{command}"
