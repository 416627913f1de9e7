"""What can be done with games. Web pages, API, mail, bots and sweeps all come through here, and only here.

Every function takes the user who acts. A *command id* (an opaque text of at most 64 printable characters, unique for
the person's intent) makes an action repeatable: the same one again has no second effect and gives the first answer.
"""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.db import IntegrityError, transaction

from accounts.models import User
from config import clock
from config.streams import publisher
from games import learning
from games.acting import TRIES, Done, TooBusy, act, append_decided, command_key, reached
from games.engine import has_numbers
from games.engine.contract import gettext_noop
from games.selectors import Access, NoSuchGame, access_to
from games.store.models import GameSecret, Invitation, Seat
from games.store.thread import VersionConflict, append, load
from games.table.commands import (
    AnswerUndo,
    AskUndo,
    PlayMove,
    PlayMoves,
    Redo,
    Refused,
    Resign,
    SitDown,
    TakeHint,
    Terms,
    Undo,
)
from games.table.dealer import Dealer, Recorded
from games.table.decider import open_table
from games.table.state import Table
from notifications import outbox

#: A deal number that nobody chose is drawn below this: short enough to be told to a friend.
FAMILIAR_NUMBERS = 1_000_000_000

_OPENED_BY_COMMAND = uuid.UUID("2f0cbe0f-57a9-4a34-9f30-bb1f3f4a5e0c")


def game_id_for(user: User, command: str) -> str:
    """The id of the game that this person opens by this command; known before, so that their browser keeps its salt."""
    return str(uuid.uuid5(_OPENED_BY_COMMAND, f"{user.pk}:{command}"))


def open_game(
    user: User,
    terms: Terms,
    *,
    salt: str | None = None,
    invite: Iterable[User] = (),
    invite_link: bool = False,
    command: str | None = None,
    recorded: Recorded | None = None,
) -> Done:
    """Open a table on these terms, sit down at it as its first player, and invite others. Raises Refusal.

    ``recorded`` gives the deals of a game that is played again from its record; the table says so for ever.
    """
    invite = set(invite) - {user}
    if terms.admits == "people" and any(other.is_bot for other in invite):
        raise Refused("bot_invited", gettext_noop("A bot can't be invited to a table at which no bot may sit."))
    key = command_key(0, command)
    game_id = game_id_for(user, command) if command is not None else str(uuid.uuid4())
    secret = secrets.token_bytes(32)
    at = clock.now_us()
    if recorded is None and terms.number is None and has_numbers(terms.rules):
        terms = replace(terms, number=1 + secrets.randbelow(FAMILIAR_NUMBERS))
    dealer = Dealer(lambda: secret, recorded, None if recorded else terms.number)
    events = open_table(game_id, terms, _sitting(user, salt), dealer, at)
    try:
        with transaction.atomic():
            table = append(None, events, game_id=game_id, at=at, command=key)
            if table.opened.commitment is not None:
                GameSecret.objects.create(game=game_id, secret=secret)
            Seat.objects.create(game_id=game_id, place=0, user=user)
            publisher.moved_on(game_id, table.version, [user.pk])
            invited = [Invitation(game_id=game_id, user=other) for other in invite]
            if invite_link:
                invited.append(Invitation(game_id=game_id, token=secrets.token_urlsafe(32)))
            Invitation.objects.bulk_create(invited)
            outbox.announce(None, table, actor=0, events=events)
            outbox.announce_invited(table, [row.user for row in invited if row.user is not None])
    except VersionConflict:
        if key is None:
            raise
        return Done(reached(load(game_id), key), 0)
    return Done(table, 0)


def sit_down(
    user: User,
    game_id: str,
    *,
    salt: str | None = None,
    token: str | None = None,
    command: str | None = None,
    recorded: Recorded | None = None,
) -> Done:
    """Take the next free place.

    Raises :class:`NoSuchGame`, or Refusal (``table_full``, ``already_seated``, ``no_bots``).
    """
    received = clock.now_us()
    sitting = _sitting(user, salt)
    game_id = access_to(user, game_id, token=token).game_id
    for _ in range(TRIES):
        thread = load(game_id)
        # After the thread: whoever sits in it is known to sit, so that nobody is told that their own seat is taken.
        access = access_to(user, game_id, token=token)
        place = len(thread.table.salts)
        if access.place is not None:
            if access.place >= place:
                continue  # they sat down since the thread was read
            key = command_key(access.place, command)
            if key is not None and key in thread.commands:
                return Done(reached(thread, key), access.place)
            raise Refused("already_seated", gettext_noop("You already sit at this table."))

        def seat_user(table: Table, place: int = place) -> None:
            Seat.objects.create(game_id=game_id, place=place, user=user)
            publisher.moved_on(game_id, table.version, [user.pk])
            learning.tell_new_game(table)

        try:
            table = append_decided(
                thread, sitting, received=received, actor=place, command=command, recorded=recorded, also=seat_user
            )
        except (VersionConflict, IntegrityError):
            continue
        return Done(table, place)
    raise TooBusy(game_id)


def play(
    user: User,
    game_id: str,
    move: object,
    *,
    step: int | None = None,
    command: str | None = None,
    recorded: Recorded | None = None,
) -> Done:
    """Make a move at the step that the player saw (None: whatever it is now).

    Raises :class:`NoSuchGame`, or Refusal: ``stale_step``, ``not_your_turn``, or a code of the game's own.
    """
    return act(user, game_id, lambda seat: PlayMove(seat, move, step), command, recorded)


def play_many(
    user: User, game_id: str, moves: Sequence[object], *, step: int | None = None, command: str | None = None
) -> Done:
    """Make moves of a patience in one append, each an event of its own, up to the first that isn't legal any more.

    Raises :class:`NoSuchGame`, or Refusal if not even the first can be made.
    """
    return act(user, game_id, lambda seat: PlayMoves(seat, moves, step), command)


def resign(user: User, game_id: str, *, step: int | None = None, command: str | None = None) -> Done:
    """Give the game up. Raises :class:`NoSuchGame` or Refusal."""
    return act(user, game_id, Resign, command, step=step)


def undo(
    user: User, game_id: str, *, to_step: int | None = None, step: int | None = None, command: str | None = None
) -> Done:
    """Take back in a patience, one move or to the step of a number. Raises :class:`NoSuchGame` or Refusal."""
    return act(user, game_id, lambda seat: Undo(seat, to_step, step), command)


def redo(user: User, game_id: str, *, step: int | None = None, command: str | None = None) -> Done:
    """Play again what was taken back last in a patience. Raises :class:`NoSuchGame` or Refusal."""
    return act(user, game_id, lambda seat: Redo(seat, step), command)


def ask_undo(user: User, game_id: str, *, step: int | None = None, command: str | None = None) -> Done:
    """Ask the other player to let one's last move be taken back. Raises :class:`NoSuchGame` or Refusal."""
    return act(user, game_id, lambda seat: AskUndo(seat, step), command)


def answer_undo(
    user: User, game_id: str, *, granted: bool, step: int | None = None, command: str | None = None
) -> Done:
    """Grant or decline what the other player asked to take back. Raises :class:`NoSuchGame` or Refusal."""
    return act(user, game_id, lambda seat: AnswerUndo(seat, granted, step), command)


def take_hint(user: User, game_id: str, *, step: int | None = None, command: str | None = None) -> Done:
    """Count a hint in a patience, whose page then shows a sensible move. Raises :class:`NoSuchGame` or Refusal."""
    return act(user, game_id, TakeHint, command, step=step)


def _sitting(user: User, salt: str | None) -> SitDown:
    """Sitting down with the player's own salt, or with one that the server makes for them."""
    if salt:
        return SitDown(salt, "player", user.time_zone, user.is_bot)
    return SitDown(secrets.token_urlsafe(24), "server", user.time_zone, user.is_bot)


__all__ = [
    "Access",
    "Done",
    "NoSuchGame",
    "Terms",
    "TooBusy",
    "answer_undo",
    "ask_undo",
    "game_id_for",
    "open_game",
    "play",
    "play_many",
    "redo",
    "resign",
    "sit_down",
    "take_hint",
    "undo",
]
